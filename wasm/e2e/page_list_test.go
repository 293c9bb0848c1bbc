//go:build !js

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// reads waits until rows of the run list show these values: name, value.
func (s *screen) reads(want ...[2]string) {
	s.t.Helper()
	s.Until(func() string {
		var got [][2]string
		err := s.TryEval(`[...document.querySelectorAll('[role=list][aria-label=Runs] [role=listitem]')].filter(e => e.checkVisibility() && e.querySelector('[aria-label^="Colour of"]')?.checkVisibility())
			.sort((a, b) => a.getBoundingClientRect().y - b.getBoundingClientRect().y)
			.map(e => { const t = e.innerText.split("\n").map(t => t.trim()).filter(Boolean); return [t[0], t[1] ?? ""]; })`, &got)
		if !slices.Equal(got, want) {
			return fmt.Sprintf("the run list reads %q, not %q (%v)", got, want, err)
		}
		return ""
	})
}

// The run list shows values, marks the run under the pointer, and stands in the order
// that one wants; names can be copied.
func TestPageRunValues(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0&tagFilter=line")
	s.Control("heading", "Settings").Hover()
	// At rest the last values of the first card, of the runs that have it.
	s.reads([2]string{"alpha", "100"}, [2]string{"beta", "0"}, [2]string{"solo/x", ""}, [2]string{"s1", ""}, [2]string{"s2", ""}, [2]string{"s3", ""})
	s.Control("complementary", "Runs").Is(`e.textContent.includes("line/up, last")`)
	// Of the first it is, though it comes later, until the pointer was on another.
	s.fresh("#timeseries&smoothing=0&tagFilter=line/up%7Cpow/ten&groups=!line")
	s.Control("complementary", "Runs").Is(`e.textContent.includes("pow/ten, last")`)
	group := s.Control("button", "line 1 card")
	group.Click()
	s.Control("complementary", "Runs").Is(`e.textContent.includes("line/up, last")`)
	group.Click()
	s.cards("pow/ten")
	s.Hover(s.Control("article", "pow/ten").Box().Part(0.5, 0.5))
	s.Control("complementary", "Runs").Is(`e.textContent.includes("pow/ten, step")`)
	group.Click()
	s.still("line/up")
	s.Control("complementary", "Runs").Is(`e.textContent.includes("pow/ten, last")`)
	s.Control("heading", "Settings").Hover()
	s.Control("searchbox", "Filter tags (regex)").Fill("line")
	p := s.still("line/up")
	s.Hover(p.at(30, 69))
	s.reads([2]string{"alpha", "30"}, [2]string{"beta", "70"}, [2]string{"solo/x", ""}, [2]string{"s1", ""}, [2]string{"s2", ""}, [2]string{"s3", ""})
	s.Control("complementary", "Runs").Is(`e.textContent.includes("line/up, step 30")`)
	near := func(name string) {
		t.Helper()
		s.Until(func() string {
			var marked []string
			s.TryEval(`[...document.querySelectorAll('[role=list][aria-label=Runs] [role=listitem].near')].map(e => e.innerText.split("\n")[0])`, &marked)
			return differs(strings.Join(marked, " "), name)
		})
	}
	near("beta")
	s.Hover(p.at(30, 31))
	near("alpha")
	s.Control("heading", "Settings").Hover()
	near("")

	// Of a card that shows a part the last in that part.
	s.Eval(`void (location.hash = "#timeseries&smoothing=0&tagFilter=line&zoom=line/up:20:60")`, nil)
	s.reads([2]string{"alpha", "60"}, [2]string{"beta", "40"}, [2]string{"solo/x", ""}, [2]string{"s1", ""}, [2]string{"s2", ""}, [2]string{"s3", ""})
	s.Control("complementary", "Runs").Is(`e.textContent.includes("line/up, last in view")`)
	s.Eval(`void (location.hash = "#timeseries&smoothing=0&tagFilter=line")`, nil)
	s.reads([2]string{"alpha", "100"}, [2]string{"beta", "0"}, [2]string{"solo/x", ""}, [2]string{"s1", ""}, [2]string{"s2", ""}, [2]string{"s3", ""})

	// Orders.
	s.Control("button", "Order and columns").Click()
	box := s.Control("dialog", "Order and columns")
	order := box.Control("combobox", "Order of the runs")
	for _, c := range []struct {
		name string
		list []string
	}{
		{"Newest first", []string{"+solo/x", "+beta", "+alpha", "+[sweep 3]", "+s3", "+s2", "+s1"}},
		// By a value they stand without folders: the best of all is at the top.
		{"Lowest value first", []string{"+beta", "+alpha", "+sweep/s1", "+sweep/s2", "+sweep/s3", "+solo/x"}},
		{"Highest value first", []string{"+alpha", "+beta", "+sweep/s1", "+sweep/s2", "+sweep/s3", "+solo/x"}},
		{"Name", []string{"+alpha", "+beta", "+solo/x", "+[sweep 3]", "+s1", "+s2", "+s3"}},
	} {
		order.Choose(c.name)
		s.list(c.list...)
	}
	order.Choose("Newest first")
	s.stored("newest", "runSort")
	box.Control("checkbox", "Values").Click()
	box.Control("checkbox", "Start").Click()
	s.Press("Escape")
	var clock string
	s.Eval(`(d => new Intl.DateTimeFormat("en-US", {hour: "2-digit", minute: "2-digit", hourCycle: "h23"}).format(d))(new Date(1700000500000))`, &clock)
	s.Until(func() string {
		var text string
		s.TryEval(`[...document.querySelectorAll('[role=list][aria-label=Runs] [role=listitem]')].find(e => e.checkVisibility() && e.innerText.startsWith("solo/x")).innerText`, &text)
		if !strings.Contains(text, clock) {
			return fmt.Sprintf("the row says %q, not %s", text, clock)
		}
		return ""
	})
	s.Control("complementary", "Runs").Is(`!e.innerText.includes("line/up")`)
	s.again()
	s.list("+solo/x", "+beta", "+alpha", "+[sweep 3]", "+s3", "+s2", "+s1")

	// A name to copy.
	row := s.Control("list", "Runs").Control("listitem", "s2*")
	row.Hover()
	s.Eval(`void (navigator.clipboard.writeText = async t => { globalThis.copied = t; })`, nil)
	row.Control("button", "Run").Click()
	s.Control("menuitem", "Copy the name").Click()
	s.Wait(`globalThis.copied === "sweep/s2"`)
	s.Control("status", "Copied: sweep/s2*").Wait()
}

// Of very many runs the newest are on, and the list begins with them.
func TestPageNewestFirst(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, crowd(t, 520).dir)
	s.shown("20 of 520 runs shown")
	s.Until(func() string {
		rows := s.rows()
		for i, r := range rows {
			if i < 20 && (!r.On || r.Name != fmt.Sprintf("run_%03d", 519-i)) || i >= 20 && r.On {
				return fmt.Sprintf("row %d is %+v", i, r)
			}
		}
		if len(rows) < 22 {
			return fmt.Sprintf("%d rows", len(rows))
		}
		return ""
	})
}
