//go:build !js

package e2e

import (
	"fmt"
	"math"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// on is what the run list shows when all runs of pins are on; each name in off is not.
func on(off ...string) []string {
	out := make([]string, len(pinRuns))
	missing := map[string]bool{}
	for _, name := range off {
		missing[name] = true
	}
	inFolder := 0
	for _, name := range []string{"s1", "s2", "s3"} {
		if !missing[name] {
			inFolder++
		}
	}
	for i, name := range pinRuns {
		mark := "+"
		if name == "[sweep 3]" {
			mark = []string{"-", "±", "±", "+"}[inFolder]
		} else if missing[name] {
			mark = "-"
		}
		out[i] = mark + name
	}
	return out
}

// The run list: ticking, only one, ranges, folders, all and none; what the cards show of
// it, and what is kept.
func TestPageRuns(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0")
	s.list(on()...)
	s.shown("6 of 6 runs shown")
	seen := map[browsertest.Hex]string{}
	for _, r := range s.rows() {
		if r.Color != "" {
			if other, ok := seen[browsertest.Hex(r.Color)]; ok {
				t.Errorf("%s has the colour of %s", r.Name, other)
			}
			seen[browsertest.Hex(r.Color)] = r.Name
		}
	}

	// One off: its cards go, others lose its line.
	s.Control("checkbox", "alpha").Click()
	s.list(on("alpha")...)
	s.shown("5 of 6 runs shown")
	s.cards("flat/level", "line/up", "named/about")
	s.draws("line/up", linear, want{"beta", 25, 75, false})
	s.tipsAt("line/up", 25, 75, []string{"beta", "75"})
	s.Control("heading", "Settings").Hover()
	s.Control("checkbox", "alpha").Click()
	s.list(on()...)
	s.draws("line/up", linear, want{"alpha", 25, 25, false}, want{"beta", 25, 75, true}) // the pointer is on alpha
	s.cards(first...)

	// Only this one, by double click, button and Enter; once more: all.
	row := func(name string) browsertest.Control { return s.Control("list", "Runs").Control("listitem", name+"*") }
	row("beta").DoubleClick()
	only := on("alpha", "solo/x", "s1", "s2", "s3")
	s.list(only...)
	s.shown("1 of 6 runs shown")
	s.cards("flat/level", "line/up")
	s.tipsAt("line/up", 25, 75, []string{"beta", "75"})
	s.stored(true, "othersOff")
	s.again()
	s.list(only...)
	row("beta").DoubleClick()
	s.list(on()...)
	row("solo/x").Hover()
	row("solo/x").Control("button", "Only this (double click)").Click()
	s.list(on("alpha", "beta", "s1", "s2", "s3")...)
	s.Control("checkbox", "s2").Gone()
	s.Control("checkbox", "sweep/s2").Get("e.focus()", nil)
	s.Press("Enter")
	s.list(on("alpha", "beta", "solo/x", "s1", "s3")...)
	s.Press("Enter")
	s.list(on()...)

	// A range.
	s.Control("checkbox", "beta").Click()
	s.list(on("beta")...)
	s.Control("checkbox", "sweep/s2").Click("Shift")
	s.list(on("beta", "solo/x", "s1", "s2")...)
	s.Control("checkbox", "beta").Click("Shift")
	s.list(on()...)

	// A folder: its box, its head, and what is in it.
	s.Control("checkbox", "sweep").Click()
	s.list(on("s1", "s2", "s3")...)
	s.Control("checkbox", "sweep/s1").Click()
	s.list(on("s2", "s3")...)
	s.Control("checkbox", "sweep").Click()
	s.list(on()...)
	fold := row("sweep").Control("button", "Open or close")
	fold.Expanded(true)
	fold.Click()
	folded := on()[:4]
	s.list(folded...)
	fold.Expanded(false)
	s.stored(map[string]bool{"sweep": true}, "folders")
	s.again()
	s.list(folded...)
	s.shown("6 of 6 runs shown")
	row("sweep").Click()
	s.list(on()...)
	s.Control("checkbox", "sweep").Get("e.focus()", nil)
	s.Press("ArrowLeft")
	s.list(folded...)
	s.Press("ArrowRight")
	s.list(on()...)
	s.Press("ArrowDown")
	s.Control("checkbox", "sweep/s1").Focused()
	s.Press("Home")
	s.Control("checkbox", "alpha").Focused()
	s.Press("End")
	s.Control("checkbox", "sweep/s3").Focused()
	s.Press("ArrowUp")
	s.Control("checkbox", "sweep/s2").Focused()

	// All and none; none says so and has a way back.
	all := s.Control("checkbox", "All listed runs")
	all.Click()
	s.list(on("alpha", "beta", "solo/x", "s1", "s2", "s3")...)
	s.cards()
	s.Control("heading", "No run is shown").Wait()
	s.Control("button", "Show all runs").Click()
	s.list(on()...)
	s.cards(first...)
	s.Control("checkbox", "alpha").Click()
	all.Is("e.indeterminate")
	all.Click()
	s.list(on()...)
	all.Checked(true)

	// A filter: in the list, on the cards, in the address; a mistake is marked.
	filter := s.Control("searchbox", "Filter runs (regex)")
	filter.Fill("SWEEP|solo")
	s.list("+solo/x", "+[sweep 3]", "+s1", "+s2", "+s3")
	s.shown("4 of 6 runs shown")
	s.cards("flat/level", "named/about")
	s.hash("#timeseries&runFilter=SWEEP%7Csolo&smoothing=0")
	all.Click() // of those that are listed
	s.list("-solo/x", "-[sweep 3]", "-s1", "-s2", "-s3")
	filter.Fill("alpha")
	s.list("+alpha")
	s.tipsAt("flat/level", 50, 2, []string{"alpha", "2"})
	filter.Fill("(")
	filter.Is(`e.getAttribute("aria-invalid") === "true" && e.title !== ""`)
	filter.Is(`e.parentElement.parentElement.innerText.includes("Not filtered: the brackets do not match")`)
	s.shown("2 of 6 runs shown")
	filter.Fill("!sweep !solo")
	s.list("+alpha", "+beta")
	filter.Fill("none of them")
	filter.Is(`!e.hasAttribute("aria-invalid")`)
	s.list()
	s.Control("complementary", "Runs").Is(`e.innerText.includes("No run matches the filter.")`)
	all.Is("e.disabled && !e.checked && !e.indeterminate") // there is none to tick
	s.Control("button", "Show all runs").Click()
	all.Is("!e.disabled")
	filter.Value("")
	s.list(on()...)
	s.hash("#timeseries&smoothing=0")
}

// tipsAt hovers over a value and waits for rows of run and value.
func (s *screen) tipsAt(tag string, x, y float64, rows ...[]string) {
	s.t.Helper()
	s.Until(func() string {
		p, ok := s.plotOf(tag)
		if !ok {
			return tag + " is not drawn"
		}
		s.Hover(p.at(x, y))
		var got [][]string
		for _, r := range s.tip(false).Rows {
			got = append(got, []string{r["Run"], r["Value"]})
		}
		if fmt.Sprint(got) != fmt.Sprint(rows) {
			return fmt.Sprintf("%s: the tooltip says %q, not %q", tag, got, rows)
		}
		return ""
	})
}

// Colours: the user's own, and back; a run that is pointed at in the list is marked.
func TestPageColors(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0")
	old := s.color("beta")
	set := func() {
		s.Control("button", "Colour of beta").Click()
		s.Control("dialog", "Colour of beta").Control("color", "Colour").Value(string(s.color("beta")))
	}
	set()
	// The system's own window cannot be driven.
	s.Control("color", "Colour").Get(`(e.value = "#a01060", e.dispatchEvent(new Event("input")))`, nil)
	s.Until(func() string { return differs(string(s.color("beta")), "#a01060") })
	s.Press("Escape")
	s.Control("dialog", "Colour of beta").Gone()
	s.draws("line/up", linear, want{"beta", 25, 75, false}, want{"alpha", 25, 25, true}) // the pointer is still on beta
	s.stored(map[string]string{"beta": "#a01060"}, "runColors")
	s.again()
	s.Until(func() string { return differs(string(s.color("beta")), "#a01060") })
	s.draws("line/up", linear, want{"beta", 25, 75, false})
	set()
	s.Control("dialog", "Colour of beta").Control("button", "Default colour").Click()
	s.Control("dialog", "Colour of beta").Gone()
	s.Until(func() string { return differs(string(s.color("beta")), string(old)) })
	s.draws("line/up", linear, want{"beta", 25, 75, false})

	// Pointing at a row fades the other lines.
	s.Control("heading", "Settings").Hover()
	s.draws("flat/level", linear, want{"alpha", 50, 2, false}, want{"beta", 50, 4, false})
	s.Control("list", "Runs").Control("listitem", "beta*").Hover()
	s.draws("flat/level", linear, want{"beta", 50, 4, false}, want{"alpha", 50, 2, true})
	// The mark goes along when the card is painted anew while the pointer rests.
	s.Press("y")
	s.draws("flat/level", math.Log10, want{"beta", 50, 4, false}, want{"alpha", 50, 2, true})
	s.Press("y")
	s.draws("flat/level", symlog, want{"beta", 50, 4, false}, want{"alpha", 50, 2, true})
	s.Press("y")
	s.draws("flat/level", linear, want{"beta", 50, 4, false}, want{"alpha", 50, 2, true})
	s.Control("list", "Runs").Control("listitem", "alpha*").Hover()
	s.draws("flat/level", linear, want{"alpha", 50, 2, false}, want{"beta", 50, 4, true})
	s.Control("heading", "Settings").Hover()
	s.draws("flat/level", linear, want{"alpha", 50, 2, false}, want{"beta", 50, 4, false})
}

func differs(got, want string) string {
	if got == want {
		return ""
	}
	return fmt.Sprintf("it is %q, not %q", got, want)
}

// Ctrl and a click on a curve show its run alone, a click anywhere on a row of the pinned
// table too, of a group its runs; again, what was shown before.
func TestPageOnly(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0&tagFilter=flat")
	s.Control("checkbox", "sweep/s2").Click()
	before := on("s2")
	s.list(before...)
	p := s.still("flat/level")
	s.Click(p.at(50, 4), "Control")
	s.list(on("alpha", "solo/x", "s1", "s2", "s3")...)
	s.Control("dialog", "Values").Gone()
	p = s.still("flat/level")
	s.Click(p.at(50, 4), "Control")
	s.list(before...)

	// A row, by any of its cells; and back.
	p = s.still("flat/level")
	s.Click(p.at(50, 4.2))
	table := s.Control("dialog", "Values")
	table.Control("button", "Only solo/x").Wait()
	row := func(run string) {
		t.Helper()
		var at browsertest.Point
		table.Get(`(r => ({x: r.x + r.width / 2, y: r.y + r.height / 2}))([...e.querySelectorAll("tbody tr")].find(r => r.innerText.includes(`+quote(run)+`)).cells[2].getBoundingClientRect())`, &at)
		s.Click(at)
	}
	row("solo/x")
	s.list(on("alpha", "beta", "s1", "s2", "s3")...)
	// The table follows: it has that run alone. Its row brings the others back.
	table.Control("button", "Only beta").Gone()
	row("solo/x")
	s.list(before...)
	table.Control("button", "Only beta").Get("e.focus()", nil)
	s.Press("Enter")
	s.list(on("alpha", "solo/x", "s1", "s2", "s3")...)
	table.Control("button", "Only alpha").Gone()
	table.Control("button", "Only beta").Get("e.focus()", nil)
	s.Press("Enter")
	s.list(before...)
	s.Press("Escape")

	// A group.
	s.fresh("#timeseries&smoothing=0&tagFilter=flat&together=folder")
	p = s.still("flat/level")
	s.Click(p.at(50, 8), "Control")
	s.list(on("alpha", "beta", "solo/x")...)
	p = s.still("flat/level")
	s.Click(p.at(50, 8), "Control")
	s.list(on()...)
}
