package demo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/profile"
)

// profilePath is where viewers look for the default profile, below the logdir.
var profilePath = filepath.FromSlash(profile.DefaultPath)

// writeProfile writes the default profile, unless the logdir has one that is not
// of a demo.
func writeProfile(o Options) error {
	path := filepath.Join(o.Dir, profilePath)
	if fi, err := os.Lstat(path); err == nil && !fi.Mode().IsRegular() {
		return nil // what a link leads to is not the demo's
	}
	if old, err := os.ReadFile(path); err == nil && !strings.Contains(string(old), profileName) {
		return nil
	}
	p, err := defaultProfile(o)
	var text []byte
	if err == nil {
		text, err = profile.Encode(p)
	}
	if err != nil {
		return fmt.Errorf("demo: the default profile: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("demo: cannot write the default profile: %w", err)
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		return fmt.Errorf("demo: cannot write the default profile: %w", err)
	}
	return nil
}

const profileName = "Vanishing gradients (demo)"

// introduction says what is to be seen on the first page of the demo.
const introduction = `# Vanishing gradients, seen live

Four small networks learn to read handwritten digits. They differ in their activation and their learning rate alone. With ReLU they read nine digits of ten after some 500 steps. With sigmoid they still guess (accuracy 0.1): of the gradient at the output, the first layer gets less than a hundredth, and what gets no gradient does not learn. Compare the two gradient norms below.

More of it: [the gradient's way through all layers](#tagFilter=gradient_norm), [the network](#graphs), [what its first layer looks for](#images), [what its units answer](#histograms), [the runs in a table](#hparams), [the digits as the last layer sees them](#projector).
`

// defaultProfile shows what profiles can do: the cards that tell the story are pinned and
// introduced, the runs have colours by their activation, gradients a logarithmic axis,
// metrics a description, and two of them one card.
func defaultProfile(o Options) (*profile.Profile, error) {
	p := profile.New(profileName)
	p.Touch(o.Clock())
	all := []error{
		p.PinScalar("accuracy/test"), p.PinScalar("gradient_norm/hidden1"), p.PinScalar("gradient_norm/output"),
		p.PinHistogram("activations/hidden4", "sigmoid_lr0.3"), p.PinImage("first_layer/weights", "relu_lr0.3", 0),
	}
	all = append(all, p.Introduce("timeseries", introduction))
	p.AddSuperimposed("Gradient norm, first and last layer", "", "gradient_norm/hidden1", "gradient_norm/output")
	p.Describe("accuracy/test", "Share of the 360 test digits that are recognised. Guessing gives 0.1.")
	p.Describe("accuracy/train", "Share of right answers in the batch of 32.")
	p.Describe("loss/train", "Cross-entropy of the batch. Guessing gives ln 10 = 2.303.")
	p.Describe("loss/test", "Cross-entropy on the test set.")
	p.SetTagScale("gradient_ratio", profile.Log10, "")
	for _, l := range newNetwork(relu, 0).layers {
		tag := "gradient_norm/" + l.name
		p.SetTagScale(tag, profile.Log10, "")
		p.Describe(tag, "Euclidean norm of the gradient of the loss by the weights of `"+l.name+"`, one batch.")
	}
	var runs []string
	for _, t := range trials {
		runs = append(runs, t.run)
		all = append(all, p.SetRunColor(t.run, t.color))
	}
	p.SelectRuns(runs...)
	return p, errors.Join(all...)
}
