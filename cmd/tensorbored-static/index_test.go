package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// manyRuns is a logdir of finished runs.
func manyRuns(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		w := summary.NewBuffer(summary.Options{})
		for step := range int64(500) {
			if err := w.Scalar("loss", float64(i)/float64(step+1), step); err != nil {
				t.Fatal(err)
			}
		}
		run := filepath.Join(dir, fmt.Sprint("run", i))
		if err := os.MkdirAll(run, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(run, "events.out.tfevents.1"), w.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// paths of all files of a digest.
func digestPaths(t *testing.T, name string) (paths []string) {
	t.Helper()
	d := openDigest(name)
	if d == nil {
		t.Fatalf("%s is no digest", name)
	}
	defer d.Close()
	for p, i := range d.items {
		paths = append(paths, p)
		if d.load(i) == nil {
			t.Errorf("%s: the entry of %s is damaged", name, p)
		}
	}
	slices.Sort(paths)
	return paths
}

// Parts that many machines write have each file once, and joined they are what one would have
// written; what has not changed is not read again; and the page is told of the digest.
func TestIndex(t *testing.T) {
	dir := manyRuns(t, 20)
	out := t.TempDir()
	code, said, wrong := call("index", dir, "--out", out)
	if code != 0 || wrong != "" || !strings.Contains(said, "20 files of 20") {
		t.Fatal(code, said, wrong)
	}
	whole := filepath.Join(out, ".tensorboard", "runs.tbdigest")
	want := digestPaths(t, whole)
	if len(want) != 20 {
		t.Errorf("%q", want)
	}
	if code, said, _ := call("index", dir, "--out", out); code != 0 || !strings.Contains(said, "20 as they were") {
		t.Error(said)
	}
	for k := 1; k <= 3; k++ {
		if code, _, wrong := call("index", dir, "--shard", fmt.Sprint(k, "/3")); code != 0 {
			t.Error(code, wrong)
		}
	}
	var all []string
	for k := 1; k <= 3; k++ {
		part := digestPaths(t, filepath.Join(dir, ".tensorboard", fmt.Sprintf("runs-%d-of-3.tbdigest", k)))
		if len(part) == 0 || len(part) == 20 {
			t.Errorf("part %d has %d files", k, len(part))
		}
		all = append(all, part...)
	}
	slices.Sort(all)
	if !slices.Equal(all, want) {
		t.Errorf("the parts have %q", all)
	}
	if code, said, wrong := call("index", dir, "--merge"); code != 0 || !strings.Contains(said, "20 files") {
		t.Error(code, said, wrong)
	}
	if left, _ := os.ReadDir(filepath.Join(dir, ".tensorboard")); len(left) != 1 || left[0].Name() != "runs.tbdigest" {
		t.Errorf("what is left: %v", left)
	}
	if got := digestPaths(t, filepath.Join(dir, ".tensorboard", "runs.tbdigest")); !slices.Equal(got, want) {
		t.Errorf("joined: %q", got)
	}
	for _, flags := range []serveFlags{{logdirs: []string{dir}}, {logdirs: []string{manyRuns(t, 2)}, digest: out}} {
		flags.port = anyPort
		_, body := get(t, started(t, flags)+"data/listing.json")
		l, err := api.Parse([]byte(body))
		if err != nil || !slices.ContainsFunc(l.Files, func(f api.File) bool { return f.Path == ".tensorboard/runs.tbdigest" && f.Kind == api.Companion }) {
			t.Errorf("%v %s", err, body)
		}
		if !slices.ContainsFunc(l.Files, func(f api.File) bool { return f.Path == "run1/events.out.tfevents.1" }) {
			t.Errorf("the runs stand elsewhere: %s", body)
		}
	}
	for _, args := range [][]string{{"--shard", "0/3"}, {"--shard", "4/3"}, {"--shard", "x"}, {"--merge", "--shard", "1/2"}, {"--points", "1"}} {
		if code, _, _ := call(append([]string{"index", dir}, args...)...); code != exitUsage {
			t.Errorf("%q: %d", args, code)
		}
	}
	if code, _, wrong := call("index", t.TempDir(), "--merge"); code != exitFailed || !strings.Contains(wrong, "--shard") {
		t.Error(code, wrong)
	}
}
