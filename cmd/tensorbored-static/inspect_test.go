package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
