//go:build peers

package peers

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/profile"
)

// python returns an interpreter that has tensorbored: the one that PEERS_PROFILE_PYTHON
// names, or a new one that is thrown away.
func python(t *testing.T) string {
	if p := os.Getenv("PEERS_PROFILE_PYTHON"); p != "" {
		return p
	}
	venv := filepath.Join(t.TempDir(), "venv")
	bin := filepath.Join(venv, "bin", "python")
	for _, c := range [][]string{{"python3", "-m", "venv", venv}, {bin, "-m", "pip", "install", "--quiet", "tensorbored"}} {
		if out, err := exec.Command(c[0], c[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", c, err, out)
		}
	}
	return bin
}

// TestPeers: what TensorBored's module writes is read here without a word, and what we
// write is read by its module, field by field, and passes the check of its page (which
// needs node).
func TestPeers(t *testing.T) {
	p := profile.New("Ours")
	p.Modified = 1795184570950
	for _, err := range []error{
		p.PinScalar("train/loss"), p.PinHistogram("w", "a/b"), p.PinImage("digits", "a/b", 0),
		p.AddPin(profile.Pin{Plugin: "scalars", Tag: "x", Tags: []string{"x", "y"}, Title: "Both"}),
		p.AddPin(profile.Pin{Plugin: "text", Tag: "notes", Run: "a/b"}),
		p.SetRunColor("a/b", "#2196f3"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	p.GroupColors = []profile.GroupColor{{Group: "g", Color: -1}}
	p.AddSuperimposed("Both", "", "x", "y")
	p.SelectRuns("a/b")
	p.TagFilter, p.RunFilter, p.Smoothing = "loss", "a", 0.8
	p.Describe("x", "<b>*text*</b>")
	p.GroupBy = &profile.GroupBy{Key: profile.GroupRegex, Regex: "(a)"}
	p.YScale, p.XScale = profile.Log10, profile.Linear
	p.SetTagScale("x", profile.Symlog, "")
	p.Symlog, p.TagSymlog = 0.5, map[string]float64{"x": 2}
	p.Groups = map[string]bool{"train": true}
	p.View = profile.Fields{"x": []byte(`"wall"`)}
	p.Data = &profile.Data{Folder: "logs", Runs: []string{"a/b"}, Total: 1}
	text, err := profile.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	theirs, ours := filepath.Join(dir, "theirs.json"), filepath.Join(dir, "ours.json")
	if err := os.WriteFile(ours, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(python(t), "check.py", theirs, ours).CombinedOutput(); err != nil {
		t.Fatalf("TensorBored does not take ours: %v\n%s", err, out)
	}
	if text, err = os.ReadFile(theirs); err != nil {
		t.Fatal(err)
	}
	q, problems, err := profile.Decode(text)
	if err != nil || len(problems) > 0 {
		t.Fatalf("we do not take theirs: %v %v", err, problems)
	}
	v := reflect.ValueOf(*q)
	for i := range v.NumField() {
		switch name := v.Type().Field(i).Name; name {
		case "View", "Data", "Extra", "OwnExtra":
		default:
			if v.Field(i).IsZero() {
				t.Errorf("%s was not read", name)
			}
		}
	}
}
