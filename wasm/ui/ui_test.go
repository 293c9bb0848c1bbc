package ui

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

func runsOf(names ...string) []wire.Run {
	out := make([]wire.Run, len(names))
	for i, n := range names {
		out[i] = wire.Run{Name: n, StartTime: float64(i)}
	}
	return out
}

func all(string) bool { return true }

func text(list []row) (out []string) {
	for _, r := range list {
		switch {
		case r.Folder:
			out = append(out, fmt.Sprintf("[%s %d]", r.Label, len(r.Runs)))
		case r.Inside:
			out = append(out, "  "+r.Label)
		default:
			out = append(out, r.Label)
		}
	}
	return out
}

func TestRows(t *testing.T) {
	runs := runsOf(".", "a", "a/x", "a/y", "b/z", "base", "a/deep/p", "a/deep/q")
	got := text(rows(runs, all, nil))
	want := []string{".", "a", "b/z", "base", "[a 2]", "  x", "  y", "[a/deep 2]", "  p", "  q"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	got = text(rows(runs, all, map[string]bool{"a": true}))
	want = []string{".", "a", "b/z", "base", "[a 2]", "[a/deep 2]", "  p", "  q"}
	if !slices.Equal(got, want) {
		t.Errorf("closed: got %q\nwant %q", got, want)
	}
	// A filter that leaves one run of a folder leaves no folder.
	got = text(rows(runs, func(s string) bool { return s == "a/x" || s == "a" }, nil))
	if want := []string{"a", "a/x"}; !slices.Equal(got, want) {
		t.Errorf("filtered: got %q", got)
	}
	if got := rows(nil, all, nil); len(got) != 0 {
		t.Errorf("no runs: %q", text(got))
	}
}

func TestSpan(t *testing.T) {
	list := rows(runsOf("a/x", "a/y", "b/x", "b/y"), all, nil)
	for _, c := range []struct {
		from, to string
		want     []string
	}{
		{"a/y", "b/x", []string{"a/y", "b/x"}},
		{"b/x", "a/x", []string{"a/x", "a/y", "b/x"}},
		{"", "a/y", []string{"a/y"}},
		{"gone", "a/y", []string{"a/y"}},
		{"a/x", "gone", nil},
	} {
		if got := span(list, c.from, c.to); !slices.Equal(got, c.want) {
			t.Errorf("%s…%s: got %q", c.from, c.to, got)
		}
	}
}

func TestFirstShown(t *testing.T) {
	names := make([]string, manyRuns+1)
	for i := range names {
		names[i] = fmt.Sprint("run", i)
	}
	on, newest := firstShown(runsOf(names[:manyRuns]...))
	if !on("run0") || newest != 0 {
		t.Error("up to 500 runs are all shown")
	}
	on, newest = firstShown(runsOf(names...))
	n := 0
	for _, r := range names {
		if on(r) {
			n++
		}
	}
	if n != fewRuns || newest != fewRuns || !on(names[manyRuns]) || on("run0") {
		t.Errorf("%d runs shown, newest %d", n, newest)
	}
}

func TestTexts(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 KB", 999_600: "1.0 MB", 1_100_000_000: "1.1 GB", 250_000_000: "250 MB"} {
		if got := bytesText(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if got := ofText(700_000_000, 1_100_000_000); got != "0.7 of 1.1 GB" {
		t.Error(got)
	}
	for n, want := range map[int]string{0: "0 runs", 1: "1 run", 48210: "48,210 runs"} {
		if got := countText(n, "run", "runs"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for s, want := range map[float64]string{0: "", 0.2: "about 1 s left", 3.4: "about 3 s left", 600: "about 10 min left", 7200: "about 2 h left", 1e9: ""} {
		if got := leftText(s); got != want {
			t.Errorf("%g: %q, want %q", s, got, want)
		}
	}
}
