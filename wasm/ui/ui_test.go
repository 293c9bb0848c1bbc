package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

func runsOf(names ...string) []wire.Run {
	out := make([]wire.Run, len(names))
	for i, n := range names {
		out[i] = wire.Run{Name: n, StartTime: float64(i)}
	}
	return out
}

func all(string) bool { return true }

func same(run string) string { return run }

func text(list []row) (out []string) {
	for _, r := range list {
		line := strings.Repeat("  ", r.Depth) + r.Label
		if r.Folder {
			line = strings.Repeat("  ", r.Depth) + fmt.Sprintf("[%s %d]", r.Label, len(r.Runs))
		}
		out = append(out, line)
	}
	return out
}

func TestRows(t *testing.T) {
	runs := runsOf(".", "a", "a/x", "a/y", "b/z", "base", "a/deep/p", "a/deep/q")
	got := text(rows(runs, all, nil))
	want := []string{".", "a", "b/z", "base", "[a 4]", "  x", "  y", "  [deep 2]", "    p", "    q"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	got = text(rows(runs, all, map[string]bool{"a": true}))
	want = []string{".", "a", "b/z", "base", "[a 4]"}
	if !slices.Equal(got, want) {
		t.Errorf("closed: got %q\nwant %q", got, want)
	}
	// A folder that holds nothing but another is one line with it; one of a single run is none.
	got = text(rows(runsOf("x/y/b/1", "x/y/b/2", "x/y/c/1", "x/y/c/d/e", "x/y/f/g"), all, map[string]bool{"x/y/c": true}))
	if want := []string{"[x/y 5]", "  f/g", "  [b 2]", "    1", "    2", "  [c 2]"}; !slices.Equal(got, want) {
		t.Errorf("deep: got %q", got)
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

// As long as nothing has been read the names of files say which runs are the newest.
func TestFirstShownUnread(t *testing.T) {
	var runs []wire.Run
	for i := range manyRuns + 1 {
		runs = append(runs, wire.Run{Name: fmt.Sprint("run", i), Files: []string{fmt.Sprintf("run%d/events.out.tfevents.%d.host.1.0", i, 1700000000+i)}})
	}
	if on, _ := firstShown(runs); !on(fmt.Sprint("run", manyRuns)) || on("run0") {
		t.Error("the oldest are on")
	}
	if got := started(wire.Run{Files: []string{"a.tfevents.x", "tfevents", "events.out.tfevents.17.h"}}); got != 17 {
		t.Errorf("began at %g", got)
	}
}

func TestSortRuns(t *testing.T) {
	runs := []wire.Run{{Name: "b10", StartTime: 1}, {Name: "b9", StartTime: 3}, {Name: "a", StartTime: 2}}
	last := func(run string) (float64, bool) {
		v, ok := map[string]float64{"b10": 5, "a": 7}[run]
		return v, ok
	}
	for by, want := range map[session.RunOrder]string{
		session.SortAuto: "b10 b9 a", session.SortName: "a b9 b10", session.SortNewest: "b9 a b10",
		session.SortOldest: "b10 a b9", session.SortHigh: "a b10 b9", session.SortLow: "b10 a b9",
	} {
		var got []string
		for _, r := range sortRuns(runs, by, false, same, last) {
			got = append(got, r.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", by, got, want)
		}
	}
	if got := sortRuns(runs, session.SortAuto, true, same, last); got[0].Name != "b9" {
		t.Error("of very many runs the newest do not come first")
	}
	// What a run was called by the user is what it is sorted by.
	called := func(run string) string { return map[string]string{"a": "z"}[run] + run }
	if got := sortRuns(runs, session.SortName, false, called, last); got[2].Name != "a" {
		t.Errorf("by given names: %v", got)
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
		if got := widget.Count(n, "run", "runs"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for s, want := range map[float64]string{0: "", 0.2: "about 1 s left", 3.4: "about 3 s left", 600: "about 10 min left", 7200: "about 2 h left", 1e9: ""} {
		if got := leftText(s); got != want {
			t.Errorf("%g: %q, want %q", s, got, want)
		}
	}
}

// Commands are found on keyboards that write other letters than Latin ones.
func TestLetter(t *testing.T) {
	for _, c := range []struct {
		key, code string
		shift     bool
		want      string
	}{
		{"k", "KeyK", false, "k"}, {"K", "KeyK", true, "K"}, {"л", "KeyK", false, "k"}, {"Л", "KeyK", true, "K"}, {"κ", "KeyK", false, "k"},
		{"z", "KeyY", false, "z"}, {"ö", "Semicolon", false, "ö"}, {"é", "Digit2", false, "é"}, {"Enter", "Enter", false, "Enter"}, {"", "KeyA", false, ""}, {"л", "", false, "л"},
	} {
		if got := letter(c.key, c.code, c.shift); got != c.want {
			t.Errorf("%q (%s) is %q, not %q", c.key, c.code, got, c.want)
		}
	}
}
