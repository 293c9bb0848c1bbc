//go:build !js

package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// tabled waits until the table below a card has these columns and rows: run and cells.
func (s *screen) tabled(tag string, want ...[]string) {
	s.t.Helper()
	s.Until(func() string {
		var got [][]string
		err := s.TryEval(`[...(e => e?.rows ?? [])([...document.querySelectorAll("article")].find(e => e.ariaLabel === `+quote(tag)+`).querySelector("[role=region] table"))]
			.map(r => [...r.cells].map(c => c.innerText.trim()))`, &got)
		if !slices.EqualFunc(got, want, slices.Equal) {
			return fmt.Sprintf("%s: the table is %q, not %q (%v)", tag, got, want, err)
		}
		return ""
	})
}

// A step is marked by a click below the axis, moved, typed and taken away; a table shows
// the values there, and of a range its figures; all cards can have the same.
func TestPageSteps(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.Before(drawing)
	s.fresh("#timeseries&smoothing=0&tagFilter=line|stairs")
	card := s.Control("article", "line/up")
	p := s.still("line/up")
	below := func(step float64) browsertest.Point {
		return browsertest.Point{X: p.x(step), Y: p.Box.Y + p.Box.Height + 12}
	}
	s.Click(below(40))
	fob := card.Control("textbox", "Marked step")
	fob.Value("40")
	head := []string{"Run", "Value", "Step", "Time", "Relative"}
	row := func(run, value, step, relative string) []string {
		var clock string
		s.Eval(`(s => new Intl.DateTimeFormat(undefined, {dateStyle: "medium", timeStyle: "medium"}).format(s * 1000))(1700000000 + `+map[string]string{"alpha": "10", "beta": "100 + 20"}[run]+` * `+step+`)`, &clock)
		return []string{run, value, step, clock, relative}
	}
	s.tabled("line/up", head, row("alpha", "40", "40", "6 min 40 s"), row("beta", "60", "40", "13 min 20 s"))
	// The table has come below: a second click falls on the same place.
	if now := s.still("line/up"); now.Box != p.Box {
		t.Errorf("the plot was at %+v before the table came, and is at %+v", p.Box, now.Box)
	}
	s.Control("article", "stairs/up").Control("textbox", "Marked step").Gone()

	// Sorted by a column, and back the other way.
	card.Control("button", "Value").Click()
	s.tabled("line/up", head, row("beta", "60", "40", "13 min 20 s"), row("alpha", "40", "40", "6 min 40 s"))
	card.Control("columnheader", "Value*").Is(`e.ariaSort === "descending"`)
	card.Control("button", "Value").Click()
	s.tabled("line/up", head, row("alpha", "40", "40", "6 min 40 s"), row("beta", "60", "40", "13 min 20 s"))
	card.Control("button", "Run").Click()

	// Typed, by arrows, dragged.
	fob.Fill("70")
	s.Press("Enter")
	s.tabled("line/up", head, row("alpha", "70", "70", "11 min 40 s"), row("beta", "30", "70", "23 min 20 s"))
	s.Press("ArrowUp")
	fob.Value("71")
	s.tabled("line/up", head, row("alpha", "71", "71", "11 min 50 s"), row("beta", "29", "71", "23 min 40 s"))
	p = s.still("line/up")
	s.Drag(fob.Box().Middle(), below(20))
	fob.Value("20")
	s.tabled("line/up", head, row("alpha", "20", "20", "3 min 20 s"), row("beta", "80", "20", "6 min 40 s"))

	// A range.
	s.Click(below(60))
	card.Control("textbox", "Marked end of the range").Value("60")
	ranged := []string{"Run", "Min", "Max", "Start", "End", "Change", "%", "Mean", "Start step", "End step", "Step of min", "Step of max", "Points"}
	s.tabled("line/up", ranged,
		[]string{"alpha", "20", "60", "20", "60", "40", "200 %", "40", "20", "60", "20", "60", "41"},
		[]string{"beta", "40", "80", "80", "40", "-40", "-50 %", "60", "20", "60", "60", "20", "41"})
	s.Control("heading", "Settings").Hover()
	s.drawn(article("line/up"), "range")
	s.said(article("line/up"), "range")
	// One click more moves the end that is nearer.
	p = s.still("line/up")
	end := card.Control("textbox", "Marked end of the range")
	for _, step := range []string{"50", "60"} {
		var at float64
		fmt.Sscan(step, &at)
		s.Click(below(at))
		end.Value(step)
		fob.Value("20")
	}

	// They are in the address, outlast another dashboard and a new look at the page, and are
	// the pinned twin's as well.
	s.hash("#timeseries&tagFilter=line%7Cstairs&smoothing=0&marks=line/up:20:60")
	s.again()
	fob.Value("20")
	card.Control("textbox", "Marked end of the range").Value("60")
	card.Control("button", "Pin (p)").Click()
	twin := s.Control("region", "Pinned").Control("article", "line/up")
	twin.Control("textbox", "Marked step").Value("20")
	twin.Control("button", "Remove: marked end of the range").Click()
	s.Control("region", "line").Control("textbox", "Marked end of the range").Gone()
	twin.Control("button", "Unpin (p)").Click()
	twin.Gone()
	// The other end stays when the first one goes.
	p = s.still("line/up")
	s.Click(below(60))
	end.Value("60")
	card.Control("button", "Remove: marked step").Click()
	end.Gone()
	fob.Value("60")
	fob.Fill("20")
	s.Press("Enter")

	// The same on all cards: what was marked on one.
	s.Control("checkbox", "One step for all cards").Click()
	fob.Value("20")
	s.Control("article", "stairs/up").Control("textbox", "Marked step").Value("20")
	card.Control("button", "Remove: marked step").Click()
	fob.Gone()
	p = s.still("line/up")
	s.Click(below(30))
	s.Control("article", "stairs/up").Control("textbox", "Marked step").Value("30")
	s.tabled("stairs/up", head, row("alpha", "0", "30", "5 min"))
	s.hash("#timeseries&tagFilter=line%7Cstairs&smoothing=0&linkSteps=true&linkedStep=30&marks=line/up:20")
	s.again()
	s.Control("article", "stairs/up").Control("textbox", "Marked step").Value("30")
	// The tables give the plots less room when they come: the mark moves once more.
	s.tabled("line/up", head, row("alpha", "30", "30", "5 min"), row("beta", "70", "30", "10 min"))
	s.tabled("stairs/up", head, row("alpha", "0", "30", "5 min"))
	p = s.still("stairs/up")
	s.Control("article", "stairs/up").Control("button", "Remove: marked step").Click()
	fob.Gone()
	s.tabled("line/up")

	// By the keyboard.
	card.Get("e.focus()", nil)
	s.Press("m")
	fob.Focused()
	s.Press("ArrowDown")
	s.Until(func() string {
		var v string
		fob.Get("e.value", &v)
		return differs(v, "99")
	})
	// Once more marks the other end of a range, and then nothing is lost.
	for range 2 {
		card.Get("e.focus()", nil)
		s.Press("m")
		end.Focused()
		end.Value("0")
		fob.Value("99")
	}
	s.Press("ArrowUp")
	end.Value("1")
	// The range begins at its lesser end, whichever was marked first.
	s.tabled("line/up", ranged,
		[]string{"alpha", "1", "99", "1", "99", "98", "9,800 %", "50", "1", "99", "1", "99", "99"},
		[]string{"beta", "1", "99", "99", "1", "-98", "-99 %", "50", "1", "99", "99", "1", "99"})

	// Over times there are no steps to be marked, and those that are stay.
	card.Get("e.focus()", nil)
	s.Press("x")
	fob.Gone()
	card.Is(`!e.querySelector(".fob-strip").checkVisibility()`) // nothing there offers it
	s.Press("m")
	s.Wait(`document.body.innerText.includes("Steps are marked where steps are the horizontal axis")`)
	s.Press("x")
	s.Press("x")
	fob.Value("99")
	end.Value("1")
}

// Several values of one step, of a writer that logs step 0 again and again, are told apart by
// their times; what the group's heading says is not said again on its cards, and a slash that
// is no group's stays.
func TestPageValuesOfOneStep(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		for i := range 3 {
			wall := summary.WallSeconds(float64(1700000000 + i))
			w.Text("notes/again", fmt.Sprint("value ", i), 0, wall)
			w.Text("notes/steps", fmt.Sprint("value ", i), int64(i), wall)
		}
		w.Text("T-shirt/top", "worn", 7)
	})
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#text")
	var times []string
	for range 3 {
		again := s.Control("region", "notes").Control("article", "notes/again, r")
		again.Is(fmt.Sprintf(`/^step 0, 202\d-\d\d-\d\d \d\d:\d\d:\d\d\.000$/.test(e.querySelector(".steps-step").innerText) && e.innerText.includes("value %d")`, 2-len(times)))
		var text string
		again.Get(`e.querySelector(".steps-step").innerText`, &text)
		times = append(times, text)
		again.Control("heading", "again").Click()
		s.Press(",")
	}
	if times[0] == times[1] || times[1] == times[2] {
		t.Errorf("the values are called %q", times)
	}
	s.Control("region", "notes").Control("article", "notes/steps, r").Is(`e.querySelector(".steps-step").innerText === "step 2"`)
	s.Control("article", "T-shirt/top, r").Control("heading", "T-shirt/top").Wait()
	// Of all steps in a list, too.
	s.fresh("#text&list=true")
	for i := range 3 {
		s.Control("article", "notes/again, r").Control("listitem", fmt.Sprintf("step 0, %d of 3", i+1)).Is(fmt.Sprintf(`e.innerText.includes("value %d")`, i))
	}
	s.Control("article", "notes/steps, r").Control("listitem", "step 1").Wait()
}
