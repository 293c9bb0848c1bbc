package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/server/files"
)

// What several logdirs are called: as in --logdir_spec, or by as much of their path as
// tells them apart.
func TestLogdirRoots(t *testing.T) {
	top := t.TempDir()
	t.Chdir(top)
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, dir := range []string{"a/runs", "b/runs", "c", "x:y"} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []string{"a/runs/tfevents.1", "a/runs/tfevents.2"} {
		if err := os.WriteFile(f, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	base := filepath.Base(top)
	for _, c := range []struct{ logdirs, spec, want string }{
		{"", "", ""},
		{"c", "", "=c"},
		{"a/runs,with,commas", "", "=a/runs,with,commas"},
		{"x:y", "", "=x:y"},
		{"", "n:c", "n=c"},
		{"", "n:", "n="},
		{"", "c", "=c"},
		{"c a/runs", "", "c=c runs=a/runs"},
		{"a/runs b/runs c", "", "a/runs=a/runs b/runs=b/runs c=c"},
		{"", "c,a/runs", "c=c runs=a/runs"},
		{"", "one:a/runs,,two:b/runs,c", "one=a/runs two=b/runs c=c"},
		{"", "runs:c,a/runs", "runs=c a/runs=a/runs"},
		{"c", "g/h:b/runs", "c=c g/h=b/runs"},
		{"", "n:/x:y,/z:w/v", "n=/x:y v=/z:w/v"},
		{"", "a:c,b:c", "b=c"},
		{"a/* b/*", "", "a=a/* b=b/*"},
		{"* c", "", base + "=* c=c"},
		{"a/runs/tfevents.1 b/runs", "", "a/runs=a/runs/tfevents.1 b/runs=b/runs"},
		{"a/runs/tfevents.1 a/runs/tfevents.2", "", "runs=a/runs/tfevents.1 runs=a/runs/tfevents.2"},
		{"~/r ~", "", "r=" + home + "/r " + filepath.Base(home) + "=" + home},
		{"~", "", "=" + home},
	} {
		roots, err := logdirRoots(strings.Fields(c.logdirs), c.spec)
		if c.spec == "n:" { // a name for nothing
			continue
		}
		var got []string
		for _, r := range roots {
			got = append(got, r.Name+"="+r.Dir)
		}
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%q %q: %q, %v; want %q", c.logdirs, c.spec, got, err, c.want)
		}
	}
	for _, spec := range []string{"s3://bucket/x", "a:hdfs://x/y", "../x:c", "a//b:c"} {
		if roots, err := logdirRoots(nil, spec); !errors.As(err, new(*SpecError)) {
			t.Errorf("%q: %v, %v", spec, roots, err)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"logdir", "logdir-spec", "port", "host", "open", "token"}
	for word, want := range map[string]string{"logdri": "logdir", "log-dir": "logdir", "logdirspec": "logdir-spec", "prot": "port", "hots": "host", "opne": "open",
		"nonsense": "", "": "", "x": "", "logdir-specification": ""} {
		if got := nearest(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

// Roots have one place, however they are written; of another endpoint a bucket is another one.
func TestPlaces(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{here, ".", here + "/x/..", "./"} {
		if got := placesOf([]files.Root{{Dir: dir, Name: "a"}}); len(got) != 1 || got[0] != "a\n"+here {
			t.Errorf("%s is at %q", dir, got)
		}
	}
	seen := map[string]bool{}
	for _, dir := range []string{"s3://bucket/a", "s3://bucket/a?endpoint=x", "s3://bucket/b"} {
		place := placesOf([]files.Root{{Dir: dir}})[0]
		if seen[place] {
			t.Errorf("%s is at %s, as another one", dir, place)
		}
		seen[place] = true
	}
}
