// Package demo trains small neural networks in pure Go and logs everything that
// the viewer can show, so that a newcomer sees a real training draw itself.
//
// The task is the textbook one for vanishing gradients: a multi-layer perceptron
// with four hidden layers reads handwritten digits, once with sigmoid and once
// with ReLU units, each with two learning rates. All four runs start from the
// same random numbers and see the same digits in the same order; what differs
// is what the hyperparameters do. docs/tutorials/vanishing-gradients.md walks
// through the outcome.
//
// The numbers depend on the seed alone, on one kind of processor (others round
// exponentials differently). Wall times come from the clock.
package demo

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// Options are the settings of Run.
type Options struct {
	// Dir is the logdir. It is made if needed.
	Dir string
	// Overwrite removes what an earlier demo left in Dir: its runs, nothing else.
	Overwrite bool
	// Steps is how many batches each run is trained on. 0 means DefaultSteps.
	Steps int
	// Speed is how many steps are made in a second, at most. 0 is as fast as
	// possible.
	Speed float64
	// Ahead is how many of the first steps are made as fast as possible.
	Ahead int
	// Begun is called once, when the first Ahead steps of every run are in their files; nil
	// for none. It is not called when Run ends before.
	Begun func()
	// Seed makes the numbers.
	Seed uint64
	// Log gets a line now and then; nil for none.
	Log io.Writer
	// Clock gives wall times; nil means time.Now.
	Clock func() time.Time
}

// DefaultSteps is enough for the better runs to settle.
const DefaultSteps = 4000

// trial is one run's hyperparameters.
type trial struct {
	run          string
	activation   activation
	learningRate float64
	color        string // in the default profile
}

// trials are the four runs. With ReLU both rates learn at once; with sigmoid the
// higher one leaves its plateau after some 1300 steps and the lower one stays.
var trials = []trial{
	{"relu_lr0.05", relu, 0.05, "#12b5cb"},
	{"relu_lr0.3", relu, 0.3, "#7678ed"},
	{"sigmoid_lr0.05", sigmoid, 0.05, "#f9ab00"},
	{"sigmoid_lr0.3", sigmoid, 0.3, "#e52592"},
}

const (
	batchSize   = 32
	hiddenSize  = 32
	hiddenCount = 4
)

// NotEmptyError reports that the logdir already holds runs of a demo, which a
// second training would mix with its own. Remedy: another directory, or
// Overwrite.
type NotEmptyError struct {
	Path string
}

func (e *NotEmptyError) Error() string {
	return fmt.Sprintf("demo: an earlier demo has left a run; choose another directory or overwrite it: %s", e.Path)
}

// OthersError reports a file that no demo has written, where one would be removed to
// make room. Remedy: another directory, or to move it away.
type OthersError struct {
	Path string
}

func (e *OthersError) Error() string {
	return fmt.Sprintf("demo: nothing was overwritten, since no demo wrote %s: move it away, or choose another directory", e.Path)
}

// Run trains all four runs, one step of each in turn, so that their curves grow
// side by side. It returns when all steps are made, when the disk fails
// (*summary.WriteError), or when ctx ends; the runs are then marked as failed
// and closed.
func Run(ctx context.Context, o Options) error {
	if o.Steps <= 0 {
		o.Steps = DefaultSteps
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	if err := makeRoom(o); err != nil {
		return err
	}
	data, err := loadDigits(o.Seed)
	if err != nil {
		return err
	}
	if err := writeProfile(o); err != nil {
		return err
	}
	var runs []*run
	for _, t := range trials {
		w, err := summary.NewWriter(filepath.Join(o.Dir, t.run), summary.Options{FlushInterval: time.Second, Clock: o.Clock})
		if err != nil {
			return closeAll(runs, summary.Failed, err)
		}
		runs = append(runs, newRun(t, w, data, o))
	}
	fmt.Fprintf(o.Log, "demo: training %d runs of %d steps into %s\n", len(runs), o.Steps, o.Dir)
	for _, r := range runs {
		if err := r.begin(); err != nil {
			return closeAll(runs, summary.Failed, err)
		}
	}
	start := time.Now()
	order := newBatches(len(data.train), o.Seed)
	for step := 0; step <= o.Steps; step++ {
		if err := pace(ctx, start, step-o.Ahead, o.Speed); err != nil {
			return closeAll(runs, summary.Failed, err)
		}
		batch := order.next()
		for _, r := range runs {
			if err := r.step(step, batch); err != nil {
				return closeAll(runs, summary.Failed, err)
			}
		}
		if step == o.Ahead && o.Begun != nil {
			for _, r := range runs {
				if err := r.w.Flush(); err != nil {
					return closeAll(runs, summary.Failed, err)
				}
			}
			o.Begun()
		}
		if every(o.Steps/10, step) {
			fmt.Fprintf(o.Log, "demo: step %d of %d:", step, o.Steps)
			for _, r := range runs {
				fmt.Fprintf(o.Log, " %s %.0f%%", r.run, 100*r.accuracy)
			}
			fmt.Fprintln(o.Log)
		}
	}
	for _, r := range runs {
		if err := r.end(); err != nil {
			return closeAll(runs, summary.Failed, err)
		}
	}
	return closeAll(runs, summary.Succeeded, nil)
}

// closeAll ends all sessions and returns the first error, err before others.
func closeAll(runs []*run, result summary.SessionResult, err error) error {
	for _, r := range runs {
		if e := r.w.HParamsEnd(result); err == nil {
			err = e
		}
		if e := r.w.Close(); err == nil {
			err = e
		}
	}
	return err
}

// pace waits until it is time for step.
func pace(ctx context.Context, start time.Time, step int, speed float64) error {
	if speed > 0 {
		due := start.Add(time.Duration(float64(step) / speed * float64(time.Second)))
		select {
		case <-time.After(time.Until(due)):
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

// every is true once in n steps, from 0 on.
func every(n, step int) bool { return step%max(n, 1) == 0 }

// makeRoom makes sure that no earlier demo stands in the way. Runs that hold something
// that a demo does not write are left as they are, all of them.
func makeRoom(o Options) error {
	var old []string
	for _, t := range trials {
		dir := filepath.Join(o.Dir, t.run)
		fi, err := os.Lstat(dir)
		if err != nil {
			continue
		}
		if !o.Overwrite {
			return &NotEmptyError{dir}
		}
		if !fi.IsDir() {
			return &OthersError{dir}
		}
		err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && !written(e) {
				err = &OthersError{path}
			}
			return err
		})
		if err != nil {
			return err
		}
		old = append(old, dir)
	}
	for _, dir := range old {
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("demo: cannot remove an earlier run: %w", err)
		}
	}
	return nil
}

// written reports whether a demo writes files of this name.
func written(e fs.DirEntry) bool {
	switch e.Name() {
	case "projector_config.pbtxt", "tensors.tsv", "metadata.tsv", "sprite.png":
		return e.Type().IsRegular()
	}
	return e.Type().IsRegular() && strings.Contains(e.Name(), "tfevents")
}
