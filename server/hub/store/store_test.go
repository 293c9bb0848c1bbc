package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/server/hub/state"
)

const cluster = "c0ffee00-2f0e-4c6a-9d5c-6a6f0a4a7a01"

func mkdir(t *testing.T, parts ...string) string {
	t.Helper()
	dir := filepath.Join(parts...)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// What Determined's own package wrote is found, by Determined's rules.
func TestDetermined(t *testing.T) {
	base, err := filepath.Abs("testdata/determined")
	if err != nil {
		t.Fatal(err)
	}
	s := Store{Bases: []string{base}}
	at := func(name string) state.Root {
		return state.Root{Dir: filepath.Join(base, cluster, "tensorboard", name), Name: name}
	}
	for _, c := range []struct {
		experiments, trials string
		want                []state.Root
	}{
		{"7", "", []state.Root{at("experiment/7")}},
		{"7 8", "", []state.Root{at("experiment/7"), at("experiment/8")}},
		{"8 8", "", []state.Root{at("experiment/8")}},
		{"", "12", []state.Root{at("experiment/7/trial/12")}},
		{"", "14 12 14", []state.Root{at("experiment/8/trial/14"), at("experiment/7/trial/12")}},
		{"7", "13", []state.Root{at("experiment/7/trial/13")}}, // it shrinks to its trial
		{"7 8", "14", []state.Root{at("experiment/7"), at("experiment/8/trial/14")}},
	} {
		got, err := s.Find(strings.Fields(c.experiments), strings.Fields(c.trials))
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q -t %q: %v, %v", c.experiments, c.trials, got, err)
		}
	}
	if got := s.Names(); !slices.Equal(got, []string{"7", "8"}) {
		t.Errorf("names %q", got)
	}
}

func TestNamedExperiments(t *testing.T) {
	base, logs := t.TempDir(), t.TempDir()
	mkdir(t, base, "c1", "tensorboard", "experiment", "3", "trial", "30")
	mkdir(t, base, "mnist")
	mkdir(t, logs, "a")
	write(t, filepath.Join(base, FileName), "mnist: mnist\nsweep-3:\n  logdir: "+logs+"\n  trials: {1: a, two: "+logs+"/a}\n")
	s := Store{Bases: []string{base}}
	got, err := s.Find([]string{"mnist", "sweep-3", "3"}, nil)
	want := []state.Root{{Dir: filepath.Join(base, "mnist"), Name: "mnist"}, {Dir: logs, Name: "sweep-3"},
		{Dir: filepath.Join(base, "c1/tensorboard/experiment/3"), Name: "experiment/3"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := s.Find([]string{"sweep-3"}, []string{"1"}); err != nil || len(got) != 1 || got[0].Dir != filepath.Join(logs, "a") || got[0].Name != "sweep-3/trial/1" {
		t.Errorf("%v, %v", got, err)
	}
	if got := s.Names(); !slices.Equal(got, []string{"3", "mnist", "sweep-3"}) {
		t.Errorf("names %q", got)
	}
}

// Whatever is asked for wrongly is said with what to do, and is a *Error.
func TestBadRequests(t *testing.T) {
	base, other := t.TempDir(), t.TempDir()
	for _, p := range []string{"c1/tensorboard/experiment/7/trial/12", "c1/tensorboard/experiment/8/trial/14", "c2/tensorboard/experiment/7/trial/99"} {
		mkdir(t, base, p)
	}
	mkdir(t, base, "c1/tensorboard/experiment/9/trial/5")
	mkdir(t, base, "c2/tensorboard/experiment/10/trial/5")
	write(t, filepath.Join(other, FileName), "gone: /does/not/exist\n")
	write(t, filepath.Join(other, "list.yaml"), "- 1\n- 2\n")
	write(t, filepath.Join(other, "name.yaml"), "../up: /tmp\n")
	write(t, filepath.Join(other, "none.yaml"), "a: {logdirs: /tmp}\n")
	for _, c := range []struct {
		s                   Store
		experiments, trials string
		want                []string
	}{
		{Store{Bases: []string{base}}, "11", "", []string{"unknown experiment 11", base}},
		{Store{Bases: []string{base}}, "../7", "", []string{`unknown experiment "../7"`}},
		{Store{Bases: []string{base}}, "", "3", []string{"unknown trial 3"}},
		{Store{Bases: []string{base}}, "", "..", []string{"unknown trial"}},
		{Store{Bases: []string{base}}, "7", "", []string{"several clusters (c1, c2)", "--config cluster=c1"}},
		{Store{Bases: []string{base}, Cluster: "c1"}, "7", "14", []string{"trial 14 is of experiment 8, not of 7", "start -t 14"}},
		{Store{Bases: []string{base}}, "", "5", []string{"several times", "--config cluster="}},
		{Store{}, "7", "", []string{"no base is configured", "--logdir"}},
		{Store{Bases: []string{base + "/none"}}, "7", "", []string{"is no directory here", "mount it"}},
		{Store{Bases: []string{other}}, "gone", "", []string{"/does/not/exist, is not there"}},
		{Store{Files: []string{other + "/missing.yaml"}}, "a", "", []string{"cannot read"}},
		{Store{Files: []string{other + "/list.yaml"}}, "a", "", []string{"is no list of experiments"}},
		{Store{Files: []string{other + "/name.yaml"}}, "a", "", []string{"no path of a run"}},
		{Store{Files: []string{other + "/none.yaml"}}, "a", "", []string{"line 1"}},
	} {
		got, err := c.s.Find(strings.Fields(c.experiments), strings.Fields(c.trials))
		var e *Error
		if !errors.As(err, &e) || e.Remedy == "" {
			t.Errorf("%q -t %q: %v, %v", c.experiments, c.trials, got, err)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%q -t %q: %v does not say %q", c.experiments, c.trials, err, w)
			}
		}
	}
}

// A directory that the user may not read is named as such. Root may read all, so there the
// answer is the directory.
func TestNoPermission(t *testing.T) {
	base := t.TempDir()
	dir := mkdir(t, base, "c1/tensorboard/experiment/7")
	if err := os.Chmod(dir, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	got, err := (&Store{Bases: []string{base}}).Find([]string{"7"}, nil)
	if os.Getuid() == 0 {
		if err != nil || len(got) != 1 {
			t.Errorf("as root: %v, %v", got, err)
		}
		return
	}
	if err == nil || !strings.Contains(err.Error(), "may not be read by you") {
		t.Errorf("%v, %v", got, err)
	}
}
