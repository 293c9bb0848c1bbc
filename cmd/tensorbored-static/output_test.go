package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// small is a logdir with one point.
func small(t *testing.T) (dir, event string) {
	t.Helper()
	dir = t.TempDir()
	w, err := summary.NewWriter(filepath.Join(dir, "run"), summary.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.Scalar("loss", 1, 1)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	all, _ := filepath.Glob(filepath.Join(dir, "run", "*tfevents*"))
	return dir, all[0]
}

// A report and an export never replace event files, or what somebody else wrote; what
// they wrote themselves they bring up to date.
func TestNothingOverwritten(t *testing.T) {
	dir, event := small(t)
	other := t.TempDir()
	notes, out := filepath.Join(other, "notes.txt"), filepath.Join(other, "out")
	if err := os.WriteFile(notes, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	bytes, err := os.ReadFile(event)
	if err != nil {
		t.Fatal(err)
	}
	commands := map[string]func(out string, force bool) (int, string){
		"report": func(out string, force bool) (int, string) {
			var said strings.Builder
			return report(context.Background(), reportFlags{logdirs: []string{dir}, out: out, force: force}, smallSite(), &said, &said), said.String()
		},
	}
	for _, form := range []string{"csv", "jsonl", "parquet"} {
		commands["export --"+form] = func(out string, force bool) (int, string) {
			args := []string{"export", dir, "--" + form, "--out", out}
			if force {
				args = append(args, "--force")
			}
			code, stdout, stderr := call(args...)
			return code, stdout + stderr
		}
	}
	for name, command := range commands {
		for _, force := range []bool{false, true} {
			if code, said := command(event, force); code != exitUsage || !strings.Contains(said, "inside the logdir") {
				t.Errorf("%s, an event file: %d %s", name, code, said)
			}
		}
		if now, err := os.ReadFile(event); err != nil || string(now) != string(bytes) {
			t.Fatalf("%s: the event file has changed (%v)", name, err)
		}
		if code, said := command(notes, false); code != exitUsage || !strings.Contains(said, "--force") {
			t.Errorf("%s, somebody's file: %d %s", name, code, said)
		}
		if text, _ := os.ReadFile(notes); string(text) != "mine" {
			t.Fatalf("%s: the file is %q", name, text)
		}
		for range 2 {
			if code, said := command(out, false); code != 0 {
				t.Errorf("%s, a new file and its own: %d %s", name, code, said)
			}
		}
		os.Remove(out)
		if err := os.WriteFile(out, []byte("mine"), 0o666); err != nil {
			t.Fatal(err)
		}
		if code, said := command(out, true); code != 0 {
			t.Errorf("%s --force: %d %s", name, code, said)
		}
		os.Remove(out)
	}
	if all, _ := os.ReadDir(other); len(all) != 1 {
		t.Errorf("left: %v", all)
	}
}
