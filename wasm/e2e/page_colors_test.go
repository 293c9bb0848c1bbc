//go:build !js

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/runcolor"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// crowd is a logdir of n runs, run_000 the oldest, each with one straight line.
func crowd(t *testing.T, n int) *logs {
	t.Helper()
	l := newLogs(t)
	for r := range n {
		start := epoch + 100*float64(r)
		l.put(l.path(fmt.Sprintf("run_%03d", r), "1700000000.host.1.0"), bytesOf(start, func(w *summary.Buffer) {
			for step := range int64(3) {
				if err := w.Scalar("loss", float64(r)+float64(step), step, summary.WallSeconds(start+float64(step))); err != nil {
					t.Fatal(err)
				}
			}
		}))
	}
	return l
}

// Of very many runs the newest are shown, in colours that can be told apart.
func TestPageManyColors(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, crowd(t, 600).dir)
	s.fresh("#timeseries&smoothing=0")
	s.shown("20 of 600 runs shown")
	for _, dark := range []bool{false, true} {
		s.SystemDark(dark)
		s.dark(dark)
		p := s.still("loss")
		s.Click(p.Box.Part(0.5, 0.5))
		var rows []map[string]string
		s.Until(func() string {
			rows = s.tip(true).Rows
			newest := 0
			for _, r := range rows {
				if r["Run"] >= "run_580" {
					newest++
				}
			}
			if len(rows) != 20 || newest != 20 {
				return fmt.Sprintf("the table has %d rows, %d of the newest runs", len(rows), newest)
			}
			return ""
		})
		for i, a := range rows {
			for _, b := range rows[:i] {
				x, _ := runcolor.LabOf(a[""])
				y, _ := runcolor.LabOf(b[""])
				if d := runcolor.Distance(x, y); d < 0.04 {
					t.Errorf("dark %v: %s and %s look the same: %s, %s", dark, a["Run"], b["Run"], a[""], b[""])
				}
			}
		}
		s.Press("Escape")
	}
}

// Colours by groups of a regular expression, as it is typed; a group's own colour; all
// that is shown in new colours; and back.
func TestPageColorGroups(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0")
	was := map[string]string{}
	for _, r := range []string{"alpha", "beta", "solo/x", "s1"} {
		was[r] = string(s.color(r))
	}
	same := func(want bool, a, b string) {
		t.Helper()
		s.Until(func() string {
			if x, y := s.color(a), s.color(b); (x == y) != want {
				return fmt.Sprintf("%s is %s, %s is %s", a, x, b, y)
			}
			return ""
		})
	}
	s.Control("button", "Colours of runs").Click()
	box := s.Control("dialog", "Colours of runs")
	box.Control("radio", "Regex groups").Click()
	field := box.Control("searchbox", "Regular expression*")
	field.Focused()
	field.Fill("(sweep|beta)")
	box.Is(`e.innerText.includes("sweep · 3 runs") && e.innerText.includes("sweep/s1, sweep/s2, sweep/s3") && e.innerText.includes("beta · 1 run")`)
	box.Is(`e.innerText.includes("2 runs belong to none, in grey")`)
	same(true, "s1", "s2")
	same(false, "s1", "beta")
	same(true, "alpha", "solo/x")
	s.draws("flat/level", linear, want{"s1", 50, 6, false}, want{"s3", 50, 10, false}, want{"beta", 50, 4, false})
	s.hash("#timeseries&runColorGroup=regex:%28sweep%7Cbeta%29&smoothing=0")

	// The system's own window for colours cannot be driven.
	box.Control("color", "Colour of the group sweep").Get(`(e.value = "#a01060", e.dispatchEvent(new Event("input")))`, nil)
	s.Until(func() string { return differs(string(s.color("s2")), "#a01060") })
	s.stored(map[string]string{`["sweep"]`: "#a01060"}, "groupColors")

	// A mistake is said at the field, and runs have their own colours meanwhile.
	field.Fill("(sweep")
	field.Is(`e.getAttribute("aria-invalid") === "true"`)
	box.Is(`e.innerText.includes("the brackets do not match: write \\( for a bracket itself")`)
	field.Fill("(?!sweep)")
	box.Is(`e.innerText.includes("(?! is not understood here: put brackets around what tells the groups apart")`)
	same(false, "s1", "s2")
	field.Fill("(sweep|beta)")
	same(true, "s1", "s2")
	s.hash("#timeseries&runColorGroup=regex:%28sweep%7Cbeta%29&groupColors=%5B%22sweep%22%5D:a01060&smoothing=0") // is written a moment later
	s.again()
	s.Until(func() string { return differs(string(s.color("s2")), "#a01060") })
	same(true, "s1", "s3")

	s.Control("button", "Colours of runs").Click()
	box.Control("radio", "Run").Click()
	same(false, "s1", "s2")
	for r, c := range was {
		s.Until(func() string { return differs(string(s.color(r)), c) })
	}
	s.hash("#timeseries&groupColors=%5B%22sweep%22%5D:a01060&smoothing=0")
	box.Control("button", "Recolour what is shown").Click()
	s.Until(func() string {
		if s.color("alpha") == browsertest.Hex(was["alpha"]) && s.color("beta") == browsertest.Hex(was["beta"]) {
			return "the colours are as before"
		}
		return ""
	})
	same(false, "alpha", "beta")
	box.Control("button", "Default colours").Click()
	for r, c := range was {
		s.Until(func() string { return differs(string(s.color(r)), c) })
	}
	// And back: nothing that was chosen by hand is lost by a click.
	s.Control("status", "Colours that were chosen by hand are gone*").Control("button", "Undo").Click()
	s.Until(func() string {
		if s.color("alpha") == browsertest.Hex(was["alpha"]) && s.color("beta") == browsertest.Hex(was["beta"]) {
			return "the colours are the default ones"
		}
		return ""
	})
	if c := string(s.color("s1")); !strings.HasPrefix(c, "#") {
		t.Error(c)
	}
}
