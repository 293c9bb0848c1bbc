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
				if d := runcolor.Distance(x, y); d < 0.07 {
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
	box.Is(`!/sweep · 3 runs/.test(e.innerText)`)
	field.Fill("(sweep|beta)")
	box.Is(`/sweep · 3 runs/.test(e.innerText)`)
	field.Fill("")
	box.Is(`e.innerText.includes("Runs with equal text in the brackets share a colour.") && !/belong/.test(e.innerText)`)
	field.Fill("(?!sweep)")
	box.Is(`e.innerText.includes("(?! is not understood here: put brackets around what tells the groups apart")`)
	same(false, "s1", "s2")
	field.Fill("(sweep|beta)")
	same(true, "s1", "s2")
	s.hash("#timeseries&runColorGroup=regex:%28sweep%7Cbeta%29&groupColors=%5B%22sweep%22%5D:a01060&hues=regex%253A%28sweep%7Cbeta%29%7C%5B%22beta%22%5D:0&smoothing=0") // is written a moment later
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
	s.Press("Escape")

	// A colour that is chosen by hand and is like another's: other colours are offered for
	// that one alone, with a way back; and can be had without asking.
	s.Control("list", "Runs").Control("button", "Colour of alpha").Click()
	s.Control("dialog", "Colour of alpha").Control("color", "Colour").Get(fmt.Sprintf(`(e.value = %q, e.dispatchEvent(new Event("input")))`, was["beta"]), nil)
	s.Press("Escape")
	s.Until(func() string { return differs(string(s.color("alpha")), was["beta"]) })
	offer := s.Control("complementary", "Runs").Control("button", "1 colour is hard to tell apart: recolour")
	offer.Click()
	offer.Gone()
	same(false, "alpha", "beta")
	for _, r := range []string{"solo/x", "s1"} {
		s.Until(func() string { return differs(string(s.color(r)), was[r]) })
	}
	other := string(s.color("beta"))
	s.again()
	s.Until(func() string { return differs(string(s.color("beta")), other) })
	s.Control("button", "Colours of runs").Click()
	box.Control("button", "Recolour what is shown").Click()
	for r, c := range was {
		s.Until(func() string { return differs(string(s.color(r)), c) })
	}
	s.Control("status", "The shown runs have new colours*").Control("button", "Undo").Click()
	s.Until(func() string { return differs(string(s.color("alpha")), was["beta"]) })
	s.Until(func() string { return differs(string(s.color("beta")), other) })
	s.Control("button", "Colours of runs").Click()
	box.Control("button", "Default colours").Click()
	s.Until(func() string { return differs(string(s.color("alpha")), was["alpha"]) })
	// And back: nothing that was chosen by hand is lost by a click.
	s.Control("status", "Colours that were chosen by hand are gone*").Control("button", "Undo").Click()
	s.Until(func() string { return differs(string(s.color("alpha")), was["beta"]) })
	s.Press("Escape")
}

// A run keeps the colour that it was first shown in, whatever else is shown; where two get
// too near others are offered, or taken by themselves; and whoever opens the link sees the same.
func TestPageColorsKept(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, crowd(t, 60).dir)
	s.fresh("#timeseries&smoothing=0")
	s.shown("60 of 60 runs shown")
	was := string(s.color("run_005"))
	filter := s.Control("complementary", "Runs").Control("searchbox", "Filter runs (regex)")
	filter.Fill("[57]$")
	s.shown("12 of 60 runs shown")
	s.Until(func() string { return differs(string(s.color("run_005")), was) })
	area := s.Control("complementary", "Runs")
	s.Control("button", "Colours of runs").Click()
	s.Control("checkbox", "Recolour by itself what is hard to tell apart").Checked(false)
	s.Press("Escape")
	// The twelve have colours of sixty, some of which are near each other.
	area.Is(`[...e.querySelectorAll("button")].some(b => /hard to tell apart: recolour/.test(b.textContent) && b.checkVisibility())`)
	apart := func() (least float64) {
		t.Helper()
		least = 100
		var labs []runcolor.Lab
		for _, r := range s.rows() {
			lab, ok := runcolor.LabOf(r.Color)
			if !ok {
				return 0
			}
			for _, o := range labs {
				least = min(least, 100*runcolor.Distance(lab, o))
			}
			labs = append(labs, lab)
		}
		return least
	}
	if d := apart(); d >= 11 {
		t.Errorf("at first two are %.1f apart already", d)
	}
	area.Get(`[...e.querySelectorAll("button")].find(b => /hard to tell apart: recolour/.test(b.textContent)).click()`, nil)
	s.Until(func() string {
		if d := apart(); d < 11 {
			return fmt.Sprintf("two are %.1f apart", d)
		}
		return ""
	})
	colors := fmt.Sprint(s.rows())
	var link string
	s.Until(func() string { // it is written when the view rests
		var later string
		s.TryEval(`new Promise(f => { const was = location.href; setTimeout(() => f(location.href === was ? was : ""), 500); })`, &later)
		if link = later; !strings.Contains(link, "%24&hues=") {
			return "the address is " + link
		}
		return ""
	})

	// Somebody else, by the link; and what was shown before has its colours there, too.
	s.leave()
	s.Eval(`localStorage.clear()`, nil)
	s.Open(link)
	s.rests()
	s.Until(func() string { return differs(fmt.Sprint(s.rows()), colors) })
	s.again()
	s.Until(func() string { return differs(fmt.Sprint(s.rows()), colors) })

	// By itself.
	s.Control("button", "Colours of runs").Click()
	s.Control("checkbox", "Recolour by itself what is hard to tell apart").Click()
	s.Press("Escape")
	s.Control("button", "Colours of runs").Click()
	s.Control("checkbox", "Recolour by itself what is hard to tell apart").Checked(true)
	s.Press("Escape")
	for _, f := range []string{"run_01", "[28]$", "[49]$"} {
		filter.Fill(f)
		s.Until(func() string {
			if rows := s.rows(); len(rows) > 12 {
				return fmt.Sprint(len(rows), " runs are listed")
			}
			if d := apart(); d < 11 {
				return fmt.Sprintf("two of %s are %.1f apart", f, d)
			}
			return ""
		})
	}
}
