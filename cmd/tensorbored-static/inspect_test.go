package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
)

// inspect and the flags that TensorBoard has for it say what stands where, in order,
// and name damage with its place.
func TestInspect(t *testing.T) {
	dir := t.TempDir()
	bad := damage.BadPayload(five(t), 2)
	for name, b := range map[string][]byte{"b/tfevents.1": five(t), "b/tfevents.2": bad, "a/tfevents.1": five(t), "tfevents.1": five(t), "c/x.txt": nil} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	runs := func(args ...string) string {
		t.Helper()
		code, stdout, stderr := call(args...)
		if code != 0 || stderr != "" {
			t.Errorf("%q: %d, %s", args, code, stderr)
		}
		var names []string
		for _, block := range strings.Split(strings.TrimSpace(stdout), "\n\n") {
			name, _, _ := strings.Cut(block, ":")
			names = append(names, name)
		}
		return strings.Join(names, " ")
	}
	event := filepath.Join(dir, "b", "tfevents.2")
	for _, c := range []struct {
		want string
		args []string
	}{
		{". a b", []string{"inspect", dir}},
		{". a b", []string{"--inspect", "--logdir", dir}},
		{". a b", []string{"--inspect", "--logdir=" + dir, "--tag", "a"}},
		{"x x/a x/b", []string{"--inspect", "--logdir_spec=x:" + dir}},
		{".", []string{"inspect", event}},
		{".", []string{"--inspect", "--event_file", event}},
		{"", []string{"inspect", dir, "--tag", "none"}},
	} {
		if got := runs(c.args...); got != c.want {
			t.Errorf("%q: %s, want %s", c.args, got, c.want)
		}
	}
	_, text, _ := call("inspect", dir)
	for _, want := range []string{"b/tfevents.2\", from byte", "bad payload checksum", "scalars     1      5      0     4      0         4  4→0"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	_, text, _ = call("inspect", "--json", dir)
	lines := strings.Split(strings.TrimSpace(text), "\n")
	var b struct {
		Run    string
		Events int
		Tags   []struct{ Steps struct{ Count int } }
		Losses []struct{ File string }
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &b); err != nil || len(lines) != 3 || b.Run != "b" || b.Events != 11 || b.Tags[0].Steps.Count != 9 ||
		len(b.Losses) != 1 || b.Losses[0].File != "b/tfevents.2" {
		t.Errorf("%+v, %v, %s", b, err, text)
	}
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{exitUsage, "give a logdir or an event file", []string{"inspect"}},
		{exitUsage, "does not exist", []string{"inspect", filepath.Join(dir, "none")}},
		{exitUsage, "nothing to inspect", []string{"--inspect"}},
		{exitUsage, "exclude each other", []string{"--inspect", "--event_file", event, "--logdir", dir}},
		{exitUsage, "are for --inspect", []string{"--tag", "x", "--port", "0"}},
		{exitFailed, "holds no event files", []string{"inspect", filepath.Join(dir, "c")}},
	} {
		if code, stdout, stderr := call(c.args...); code != c.code || stdout != "" || !strings.Contains(stderr, c.says) {
			t.Errorf("%q: %d, %q, %q", c.args, code, stdout, stderr)
		}
	}
}

// What is in a logdir and not shown is named: projectors, also where there is nothing
// else, plug-ins without a dashboard, tags that metadata alone names. What could not be
// read is not said to have been read.
func TestInspectUnshown(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "emb", "projector_config.pbtxt")
	os.MkdirAll(filepath.Dir(config), 0o777)
	if err := os.WriteFile(config, []byte("embeddings {}"), 0o666); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{"inspect": "emb/projector_config.pbtxt", "dump": `"projector": {`} {
		code, stdout, stderr := call(command, dir)
		if code != 0 || !strings.Contains(stdout+stderr, want) {
			t.Errorf("%s: %d %s%s", command, code, stdout, stderr)
		}
	}
	w, err := summary.NewWriter(filepath.Join(dir, "run"), summary.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		w.Raw(summary.Event{WallTime: 1, Step: int64(i), GraphDef: []byte{0x22, 0}})
		for _, part := range []string{"_VERTEX", "_FACE", "_COLOR"} {
			w.Raw(summary.Event{WallTime: 1, Step: int64(i), Values: []summary.Value{summary.TensorValue("m"+part, summary.FloatTensor([]int64{1}, 1), summary.Metadata{Plugin: "mesh"})}})
		}
		// A simple value is a scalar to the page, whoever wrote it.
		w.Raw(summary.Event{WallTime: 1, Step: int64(i), Values: []summary.Value{{Tag: "simple", Metadata: summary.Metadata{Plugin: "whatever"}, Field: summary.FieldSimple, Payload: []byte{0, 0, 128, 63}}}})
		w.Raw(summary.Event{WallTime: 1, Step: int64(i), Values: []summary.Value{summary.TensorValue("odd", summary.FloatTensor([]int64{1}, 1), summary.Metadata{Plugin: "whatever"})}})
	}
	if err := w.HParams(map[string]any{"lr": 0.1}, nil); err != nil {
		t.Fatal(err)
	}
	w.Raw(summary.Event{WallTime: 1, Values: []summary.Value{{Tag: "_alone_", Metadata: summary.Metadata{Plugin: "hparams"}}}})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, "emb", name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("projector_config.pbtxt", `embeddings { tensor_name: "a" tensor_path: "t.tsv" } embeddings { tensor_name: "out" tensor_path: "/etc/passwd" }`)
	put("t.tsv", "1\t2\n3\t4\n")
	put("x.npy", "\x93NUMPY\x01\x00\x46\x00"+fmt.Sprintf("%-69s\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }")+"12345678")
	code, stdout, stderr := call("inspect", dir)
	for _, want := range []string{`  "a" in run "emb": float32, from "emb/t.tsv"`, `  "x" in run "emb": float32 2 × 1, from "emb/x.npy"`, "outside the logdir", "2 files of tensors: for the projector", "not shown yet: 3 values of the plug-in whatever\n", "_alone_", "metadata"} {
		if code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("%d: no %q in %s%s", code, want, stdout, stderr)
		}
	}
	if _, stdout, _ := call("inspect", "--json", dir); !strings.Contains(stdout, `"notShown":"3 values`) || !strings.Contains(stdout, `"named":[{"tag":"_alone_","plugin":"hparams"}]`) {
		t.Errorf("as JSON: %s", stdout)
	}
	lfs := t.TempDir()
	if err := os.WriteFile(filepath.Join(lfs, "events.out.tfevents.1"), []byte("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"inspect", "dump"} {
		code, stdout, stderr := call(command, lfs)
		if code != exitFailed || !strings.Contains(stdout+stderr, "git lfs pull") || !strings.Contains(stderr, "no event could be read") {
			t.Errorf("%s of pointers: %d %s%s", command, code, stdout, stderr)
		}
	}
}
