package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/server/profiles"
	"github.com/tensorbored/tensorbored-static/shared/profile"
)

// expect runs a command and checks its code and what stands in its output.
func expect(t *testing.T, code int, says string, args ...string) string {
	t.Helper()
	got, stdout, stderr := call(args...)
	if got != code || !strings.Contains(stdout+stderr, says) {
		t.Fatalf("%q: code %d, want %d with %q:\n%s%s", args, got, code, says, stdout, stderr)
	}
	return stdout
}

// A logdir's default profile is pinned, shown, merged, and never left half right.
func TestProfileCommands(t *testing.T) {
	dir := t.TempDir()
	expect(t, 1, "set-default", "profile", "show", dir)
	expect(t, 0, "2 pinned cards", "profile", "pin", dir, "train/loss", "eval/loss")
	expect(t, 0, "3 pinned cards", "profile", "pin", dir, "samples", "--plugin", "images", "--run", "base/train", "--sample", "2")
	shown := expect(t, 0, "3 pinned cards", "profile", "show", dir)
	for _, line := range []string{`"scalars" "train/loss"`, `"images" "samples" of "base/train", sample 2`} {
		if !strings.Contains(shown, line) {
			t.Errorf("no %s in\n%s", line, shown)
		}
	}
	expect(t, 0, "2 pinned cards", "profile", "unpin", dir, "eval/loss")
	expect(t, 1, "is not pinned", "profile", "unpin", dir, "eval/loss")

	other := filepath.Join(t.TempDir(), "other.json")
	write := func(text string) {
		if err := os.WriteFile(other, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p := profile.New("Other")
	p.Smoothing = 0.25
	if err := p.PinScalar("lr"); err != nil {
		t.Fatal(err)
	}
	text, err := profile.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	write(string(text))
	expect(t, 0, `"Other" is right`, "profile", "validate", other, dir)
	expect(t, 0, "3 pinned cards", "profile", "set-default", dir, other, "--merge", "--name", "Both")
	if got, _, err := profiles.Read(dir); err != nil || got.Name != "Both" || got.Smoothing != 0.25 || got.Pins[2].Tag != "lr" {
		t.Errorf("%v %+v", err, got)
	}
	if got := expect(t, 0, "", "profile", "show", "--json", dir); !strings.Contains(got, `"runId": "defaultExperimentId/base/train"`) {
		t.Errorf("as JSON: %s", got)
	}
	expect(t, 0, "1 pinned card\n", "profile", "set-default", dir, other)

	// What is wrong is named, and not written.
	write(`{"version":1,"name":"x","smoothing":"much","pinnedCards":[]}`)
	expect(t, 1, "smoothing", "profile", "validate", other)
	expect(t, 1, "nothing was written", "profile", "set-default", dir, other)
	write("{")
	expect(t, 1, "not JSON", "profile", "set-default", dir, other)
	write("{\"version\":1,\"name\":\"\\u001b[31mred\",\"pinnedCards\":[{\"plugin\":\"scalars\",\"tag\":\"\\u001b]0;t\\u0007\"}]}")
	if got := expect(t, 0, "", "profile", "show", other); strings.ContainsRune(got, '\x1b') {
		t.Errorf("the terminal obeys %q", got)
	}
	if got, _, err := profiles.Read(dir); err != nil || got.Name != "Other" {
		t.Errorf("what was there: %v %+v", err, got)
	}
	broken := filepath.Join(dir, filepath.FromSlash(profile.DefaultPath))
	if err := os.WriteFile(broken, []byte(`{"version":1,"name":"x","smoothing":"much","pinnedCards":[]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	expect(t, 1, "left as it is", "profile", "pin", dir, "x")

	expect(t, 2, "say what to do", "profile")
	expect(t, 2, "did you mean show", "profile", "shwo")
	expect(t, 2, "LOGDIR TAG", "profile", "pin", dir)
	expect(t, 2, "counts from 0", "profile", "pin", dir, "x", "--sample", "-1")
	expect(t, 1, "no such file", "profile", "show", filepath.Join(dir, "none"))
}
