//go:build !js

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Keys of the whole page.
func TestPageKeyboard(t *testing.T) {
	t.Parallel()
	l := pins(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) { keyboard(t, look(t, kind, l.dir)) })
	}
}

func keyboard(t *testing.T, s *screen) {
	tags, runs := s.Control("searchbox", "Filter tags (regex)"), s.Control("searchbox", "Filter runs (regex)")
	s.cards(first...)
	s.Press("/")
	tags.Focused()
	tags.Value("")
	// In a field keys are text; Escape leaves it, and what it says is what is shown.
	s.Type("x/[")
	tags.Value("x/[")
	s.Press("Escape")
	tags.Is("document.activeElement !== e")
	tags.Value("x/[")
	s.hash("#timeseries&tagFilter=x/%5B")
	s.cards(first...)
	s.Press("/")
	s.Type("up") // in the place of what was there
	tags.Value("up")
	s.cards("line/up", "stairs/up")
	s.Press("Backspace")
	s.Press("Backspace")
	s.cards(first...)
	s.Press("Escape")
	s.Press("r")
	runs.Focused()
	s.Press("Escape")

	s.Press("]")
	s.hash("#timeseries&smoothing=0.65")
	s.Press("[")
	s.Press("[")
	s.hash("#timeseries&smoothing=0.55")
	s.Press("]")
	s.hash("#timeseries")
	for _, x := range []string{"&x=relative", "&x=wall", ""} {
		s.Press("x")
		s.hash("#timeseries" + x)
	}
	for _, y := range []string{"&y=log10", "&y=symlog10", ""} {
		s.Press("y")
		s.hash("#timeseries" + y)
	}
	// With Ctrl, Alt or Meta they are the browser's.
	s.Press("x", "Control")
	s.Press("y", "Alt")
	s.Press("]", "Meta")
	for _, theme := range []string{"Theme: light", "Theme: dark", "Theme: as the system"} {
		s.Press("t")
		s.Control("button", theme).Wait()
	}
	s.Control("radiogroup", "Horizontal axis").Control("radio", "Step").Checked(true)
	s.Control("radiogroup", "Vertical scale").Control("radio", "Linear").Checked(true)
	weight := s.Control("spinbutton", "Smoothing weight")
	weight.Value("0.6")
	// Escape leaves a field for a number, too, which shows again what is in force.
	weight.Click()
	s.Press("a", "Control")
	s.Press("Delete")
	s.Press("Escape")
	weight.Is("document.activeElement !== e")
	weight.Value("0.6")
	s.hash("#timeseries")

	s.Press("?")
	help := s.Control("dialog", "Keys")
	help.Wait()
	help.Is(`e.innerText.includes("filter tags") && e.innerText.includes("pin the table of values") && e.innerText.includes("of the nearest curve alone")`)
	// What only some cards know stands below those, and no list says a key twice.
	help.Is(`[...e.querySelectorAll("h4")].map(h => h.textContent).includes("Histograms")`)
	help.Is(`[...e.querySelectorAll("h3")].map(h => h.textContent).join() === "Keyboard in Time series,Mouse in Time series"`)
	help.Is(`[...e.querySelectorAll("dl")].every(list => { const keys = [...list.querySelectorAll("dt")].map(k => k.textContent); return new Set(keys).size === keys.length; })`)
	s.Press("?")
	s.Press("x") // is not for the page behind it
	help.Wait()
	s.Press("Escape")
	help.Gone()
	s.hash("#timeseries")
	s.Control("button", "Keys and help (?)").Click()
	help.Control("button", "Close").Click()
	help.Gone()

	// R looks for new data at once.
	s.Control("button", "live").Click()
	s.Control("button", "paused").Wait()
	before := s.listings()
	s.Press("R", "Shift")
	s.Until(func() string {
		if s.listings() == before {
			return "nothing was looked for"
		}
		return ""
	})
}

// listings counts how often the server was asked what there is.
func (s *screen) listings() (n int) {
	for _, p := range s.host.paths() {
		if p == "/data/listing.json" {
			n++
		}
	}
	return n
}

// Keys of the card that has the focus.
func TestPageCardKeys(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0")
	card := func(tag string) browsertest.Control { return s.Control("article", tag) }
	s.whole()
	// Arrows begin at the first card, and go to the nearest one in their direction.
	s.Eval(`void document.activeElement.blur()`, nil)
	s.Press("ArrowDown")
	s.Wait(`document.activeElement === document.querySelector("#main article")`)
	step := func(key, to string) {
		t.Helper()
		s.Eval(`void (globalThis.was = document.activeElement.getBoundingClientRect(), globalThis.others = [...document.querySelectorAll("#main article")].map(e => e.getBoundingClientRect()))`, nil)
		s.Press(key)
		s.Wait(`((b) => ` + to + `)(document.activeElement.getBoundingClientRect())`)
	}
	s.Eval(`void [...document.querySelectorAll("#main article")].find((e, i, all) => all.some(o => o.offsetTop === e.offsetTop && o.offsetLeft > e.offsetLeft)).focus()`, nil)
	step("ArrowRight", `b.top === was.top && b.left > was.right && b.left - was.right < 40`)
	step("ArrowLeft", `b.top === was.top && b.right < was.left && was.left - b.right < 40`)
	step("ArrowDown", `b.left === was.left`) // whatever is scrolled
	step("ArrowUp", `b.left === was.left`)
	card("line/up").Control("heading", "line/up").Click()
	card("line/up").Focused()
	s.Press("+")
	s.shows("line/up", 50-36.05, 50+36.05, 15, 85)
	s.shows("flat/level", -1.5, 101.5, nan, nan)
	s.Press("=")
	s.shows("line/up", 50-25.235, 50+25.235, 25.5, 74.5)
	s.Press("-")
	s.shows("line/up", 50-36.05, 50+36.05, 15, 85)
	s.Press("ArrowRight", "Shift") // a fifth of what is seen
	s.shows("line/up", 50-36.05+14.42, 50+36.05+14.42, 15, 85)
	s.Press("ArrowUp", "Shift")
	s.shows("line/up", 50-36.05+14.42, 50+36.05+14.42, 29, 99)
	s.Press("ArrowLeft", "Shift")
	s.Press("ArrowDown", "Shift")
	s.shows("line/up", 50-36.05, 50+36.05, 15, 85)
	s.draws("line/up", linear, want{"alpha", 45, 45, false}, want{"beta", 45, 55, false})
	s.Press("0")
	s.whole()
	s.Press("y")
	card("line/up").Control("button", "Log, Y axis: logarithmic (click to change)").Wait()
	card("flat/level").Control("button", "Lin, Y axis: linear (click to change)").Wait()
	s.hash("#timeseries&smoothing=0&scales=line/up:log10")
	s.Press("y")
	s.Press("y")
	card("line/up").Control("button", "Lin, Y axis: linear (click to change)").Wait()
	narrow := card("line/up").Box().Width
	s.Press("f")
	card("line/up").Is("e.offsetWidth > 900")
	card("line/up").Focused()
	s.Press("f")
	card("line/up").Is("e.offsetWidth < 900")
	if w := card("line/up").Box().Width; w != narrow {
		t.Errorf("the card has %g pixels, before it had %g", w, narrow)
	}
	// In a low window it is below the edge when it is wide, and comes into sight.
	var window [2]int
	s.Eval(`[innerWidth, innerHeight]`, &window)
	s.Resize(window[0], 560)
	s.Press("f")
	card("line/up").Is("((r) => e.offsetWidth > 900 && r.top >= 0 && r.bottom <= innerHeight)(e.getBoundingClientRect())")
	s.Press("f")
	card("line/up").Is("e.offsetWidth < 900")
	s.Resize(window[0], window[1])

	s.Press("ArrowLeft")
	card("flat/level").Focused()
	s.Press("ArrowLeft") // there is none
	card("flat/level").Focused()
	s.Press("ArrowRight")
	card("line/up").Focused()
	s.Press("ArrowDown")
	var below []string
	s.Until(func() string {
		s.TryEval(`[document.activeElement.ariaLabel]`, &below)
		if !slices.Contains([]string{"lone", "named/about", "pow/ten"}, below[0]) {
			return "the focus is on " + below[0]
		}
		return ""
	})
	s.Press("ArrowUp")
	s.Until(func() string {
		var now string
		if s.TryEval(`document.activeElement.ariaLabel`, &now); now == below[0] {
			return "the focus is still on " + now
		}
		return ""
	})
}

// What browsers and extensions send in the name of keys and clicks ends nothing.
func TestPageOddEvents(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0")
	s.Eval(`void (() => {
		for (const name of ["keydown", "keyup", "contextmenu", "pointerup", "pointerdown", "paste", "click", "input", "change"]) {
			for (const at of [document, window, document.body, document.querySelector("#tag-filter"), document.querySelector("[role=list][aria-label=Runs] [role=listitem]")]) {
				at.dispatchEvent(new Event(name, {bubbles: true}));
			}
		}
		document.dispatchEvent(new KeyboardEvent("keydown", {key: "g", bubbles: true}));
	})()`, nil)
	s.whole()
	s.Press("?")
	s.Control("dialog", "Keys").Wait()
}

// With the keyboard alone: the cards are within three stops, the run list is one, arrows work on
// a page that was just opened, and the list stays where it is while the pointer is on a chart.
func TestPageStops(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for i := range 60 {
		l.run(fmt.Sprintf("r%02d", i), map[string][]point{"a": {at(0, epoch, float64(i)), at(100, epoch, float64(i))}, "b": {at(0, epoch, 1), at(1, epoch, 1)}})
	}
	s := come(t, browsertest.Chromium, l.dir)
	s.HoldClock()
	s.fresh("#timeseries&smoothing=0")
	s.still("a")
	s.Press("ArrowDown")
	s.Control("article", "a").Focused()
	s.Press("ArrowRight")
	s.Control("article", "b").Focused()

	s.fresh("#timeseries&smoothing=0")
	s.still("a")
	s.Press("Tab")
	skip := s.Control("button", "Skip to the cards")
	skip.Focused()
	skip.Is(`getComputedStyle(e).clipPath === "none"`)
	s.Press("Enter")
	s.Control("article", "a").Focused()

	// Of all rows one is a stop: the one that had the focus, or one in sight.
	list := s.Control("list", "Runs")
	stops := func(want string) {
		t.Helper()
		list.Is(`[...e.querySelectorAll("input,button")].filter(x => x.tabIndex === 0 && x.checkVisibility()).map(x => x.ariaLabel).join() === "` + want + `"`)
	}
	stops("r00")
	list.Control("checkbox", "r00").Get("e.focus()", nil)
	for range 3 {
		s.Press("ArrowDown")
	}
	list.Control("checkbox", "r03").Focused()
	stops("r03")
	s.Press("End")
	list.Control("checkbox", "r59").Focused()
	stops("r59")
	s.Press("Home")
	stops("r00")
	s.Control("searchbox", "Filter runs (regex)").Get("e.focus()", nil)

	p := s.still("a")
	s.Hover(p.at(50, 59))
	s.Until(func() string {
		if rows := s.tip(false).Rows; len(rows) == 0 || rows[0]["Run"] != "r59" {
			return fmt.Sprintf("the nearest are %v", rows)
		}
		return ""
	})
	s.Pass(2 * time.Second)
	list.Is(`e.parentElement.scrollTop === 0`)
}

// Whoever works by keyboard keeps a place when what had the focus goes: the card, the one beside it,
// or the page's main part.
func TestPageKeepsFocus(t *testing.T) {
	t.Parallel()
	l := pins(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := look(t, kind, l.dir)
			main, card := s.Control("main", "*"), s.Control("article", "line/up")
			// A button of a card that goes leaves the card.
			card.Get("e.focus()", nil)
			s.Press("+")
			fit := card.Control("button", "Fit to the data (double click)").Wait()
			fit.Get("e.focus()", nil)
			s.Press("Enter")
			fit.Gone()
			card.Focused()
			s.Press("+") // and the next key is for it
			fit.Wait()
			s.Press("0")
			fit.Gone()
			// So does a card that is unpinned the one beside it.
			pinned := s.Control("region", "Pinned")
			for _, tag := range []string{"line/up", "stairs/up", "flat/level"} {
				s.Control("region", strings.Split(tag, "/")[0]+"*").Control("article", tag).Control("button", "Pin (p)").Click()
				pinned.Control("article", tag).Wait()
			}
			pinned.Control("article", "stairs/up").Get("e.focus()", nil)
			s.Press("p")
			pinned.Control("article", "stairs/up").Gone()
			pinned.Control("article", "flat/level").Focused()
			s.Press("p")
			pinned.Control("article", "flat/level").Gone()
			pinned.Control("article", "line/up").Focused()
			// What is beside nothing leaves the main part.
			s.Control("searchbox", "Filter tags (regex)").Fill("nothing")
			clear := s.Control("button", "Clear the filter").Wait()
			clear.Get("e.focus()", nil)
			s.Press("Enter")
			clear.Gone()
			main.Focused()
		})
	}
}
