//go:build !js

package e2e

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// A zoom outlasts being scrolled away and folded in, and ends with the axis it was of.
func TestPageZoomStays(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0")
	card := s.Control("article", "line/up")
	fit := card.Control("button", "Fit to the data (double click)")
	s.whole()
	card.Get("e.focus()", nil)
	s.Press("+")
	s.shows("line/up", 50-36.05, 50+36.05, 15, 85)
	fit.Wait()

	s.Control("button", "many *").Click() // so that there is something to scroll to
	s.Control("article", "many/t059").Get(`e.scrollIntoView()`, nil)
	card.Is(`!e.querySelector(".u-over")`) // it was given up
	card.Get(`e.scrollIntoView({block: "center"})`, nil)
	s.shows("line/up", 50-36.05, 50+36.05, 15, 85)
	fit.Wait()
	head := s.Control("region", "line").Control("button", "line*")
	head.Click()
	card.Gone()
	head.Click()
	s.shows("line/up", 50-36.05, 50+36.05, 15, 85)
	s.draws("line/up", linear, want{"alpha", 45, 45, false})
	fit.Wait()

	axis := s.Control("radiogroup", "Horizontal axis")
	axis.Control("radio", "Relative").Click()
	s.axes("line/up", "0 s 5 min 10 min 15 min 20 min 25 min 30 min", "0 20 40 60 80 100")
	fit.Gone()
	axis.Control("radio", "Step").Click()
	s.whole()
	fit.Gone()
	// The button for the full width is down while it has it.
	wide := card.Control("button", "Full width (f)")
	wide.Pressed(false)
	wide.Click()
	wide.Pressed(true)
	wide.Click()
	wide.Pressed(false)
	axis.Control("radio", "Step").Get("e.focus()", nil)
	// Keys of the page work while a setting has the focus.
	axis.Control("radio", "Step").Focused()
	s.Press("]")
	s.hash("#timeseries&groups=line,many&smoothing=0.05")
	s.Press("x")
	s.hash("#timeseries&groups=line,many&smoothing=0.05&x=relative")
	s.Control("slider", "Smoothing").Get("e.focus()", nil)
	s.Press("x")
	s.Press("x")
	s.hash("#timeseries&groups=line,many&smoothing=0.05")
}

// The vertical part of a zoom outlasts another scale, on the screen as in the address, but
// for one that has no place for it.
func TestPageZoomAndScale(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0&zoom=line/up:::20:60")
	card := s.Control("article", "line/up")
	fit := card.Control("button", "Fit to the data (double click)")
	s.shows("line/up", -1.5, 101.5, 20, 60)
	card.Get("e.focus()", nil)
	s.Press("y")
	inLog := func() {
		t.Helper()
		s.axes("line/up", "0 20 40 60 80 100", "20 30 40 50 60")
		s.draws("line/up", math.Log10, want{"alpha", 40, 40, false})
		fit.Wait()
	}
	inLog()
	s.again()
	inLog()
	card.Get("e.focus()", nil)
	s.Press("y")
	s.Press("y")
	s.shows("line/up", -1.5, 101.5, 20, 60)

	// Below 0 a logarithm has nothing.
	s.Press("0")
	s.whole()
	s.Press("-")
	s.shows("line/up", nan, nan, 50-50/0.7, 50+50/0.7)
	s.Press("y")
	fitted := func() {
		t.Helper()
		s.axes("line/up", "", "5 10 20 50 100")
		s.draws("line/up", math.Log10, want{"alpha", 40, 40, false})
	}
	fitted()
	s.again()
	fitted()
	// A view is kept though the page goes at once.
	card.Get(`(e.focus(), e.dispatchEvent(new KeyboardEvent("keydown", {key: "0", bubbles: true})), globalThis.old = true, location.reload())`, nil)
	s.back()
	s.axes("line/up", "0 20 40 60 80 100", "5 10 20 50 100")
}

// restarts is a run whose steps go back at step 60, to 30, and one of even steps.
func restarts(t *testing.T) *logs {
	t.Helper()
	l := newLogs(t)
	l.put(l.path("again", "1700000000.host.1.0"), bytesOf(epoch, func(w *summary.Buffer) {
		n := 0.0
		put := func(step int64, v float64) {
			n++
			if err := w.Scalar("v", v, step, summary.WallSeconds(epoch+n)); err != nil {
				t.Fatal(err)
			}
		}
		for step := range int64(61) {
			put(step, 10)
		}
		for step := int64(30); step <= 100; step++ {
			put(step, 20)
		}
	}))
	l.put(l.path("even", "1700000000.host.1.0"), bytesOf(epoch, func(w *summary.Buffer) {
		for step := range int64(101) {
			v := 12.0
			if step == 80 {
				v = 400
			}
			if err := w.Scalar("v", v, step, summary.WallSeconds(epoch+float64(step))); err != nil {
				t.Fatal(err)
			}
		}
	}))
	return l
}

// Where steps go back a line begins anew, unless that is switched off; a value beyond the
// range has a sign at the edge.
func TestPagePartition(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, restarts(t).dir)
	s.fresh("#timeseries&smoothing=0")
	s.draws("v", linear, want{"again", 20, 10, false}, want{"again", 90, 20, false}, want{"again", 59, 10, false}, want{"again", 31, 20, false})
	// zigzag says how much of the way from the one stretch to the other is drawn.
	zigzag := func() float64 {
		p := s.still("v")
		pic := s.PictureOf(p.around())
		n := 0
		for i := range 20 {
			f := (float64(i) + 0.5) / 20
			for _, dx := range []float64{-1, 0, 1} {
				if browsertest.Cover(pic.At(browsertest.Point{X: p.x(60-30*f) + dx, Y: p.y(10+10*f, linear)}), s.ground(), s.color("again").RGB()) > 0.5 {
					n++
					break
				}
			}
		}
		return float64(n) / 20
	}
	if f := zigzag(); f > 0.3 {
		t.Errorf("%.0f %% of a line back is drawn", 100*f)
	}
	p := s.still("v")
	s.Hover(p.at(50, 20))
	s.tips(false, []string{"Run", "Value", "Step"}, []string{"again: 2", "20", "50"}, []string{"even", "12", "50"}, []string{"again: 1", "10", "50"})

	// The value 400 at step 80 is not in the range: an arrow says so.
	arrow := func() bool {
		p := s.still("v")
		pic := s.PictureOf(p.around())
		return browsertest.Cover(pic.At(browsertest.Point{X: p.x(80), Y: p.Box.Y + 4}), s.ground(), s.color("even").RGB()) > 0.5 &&
			browsertest.Cover(pic.At(browsertest.Point{X: p.x(80) - 2, Y: p.Box.Y + 5}), s.ground(), s.color("even").RGB()) > 0.5
	}
	s.Control("heading", "Settings").Hover()
	s.Until(func() string {
		if !arrow() {
			return "no arrow at the upper edge"
		}
		return ""
	})

	box := s.Control("checkbox", "New line where steps go back")
	box.Checked(true)
	box.Click()
	s.hash("#timeseries&smoothing=0&partition=false")
	s.Until(func() string {
		if f := zigzag(); f < 0.9 {
			return fmt.Sprintf("%.0f %% of the line back is drawn", 100*f)
		}
		return ""
	})
}

// A logarithmic horizontal axis, of all cards or one: points stand where they should.
func TestPageLogX(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0")
	s.Control("radiogroup", "Horizontal scale").Control("radio", "Log").Click()
	s.hash("#timeseries&smoothing=0&xScale=log10")
	s.Until(func() string {
		p, ok := s.plotOf("line/up")
		if !ok || p.xs[0].Text != "1" || p.xs[len(p.xs)-1].Text != "100" {
			return fmt.Sprintf("the axis says %q", texts(p.xs))
		}
		return ""
	})
	p := s.still("line/up")
	at := func(step float64) float64 {
		return along(p.xs, func(l label) float64 { return l.X }, math.Log10, step)
	}
	s.Hover(browsertest.Point{X: at(10), Y: p.y(11, linear)})
	s.tips(false, []string{"Run", "Value", "Step"}, []string{"alpha", "10", "10"}, []string{"beta", "90", "10"})
	if tip := s.tip(false); tip.Title != "step 10" {
		t.Errorf("the tooltip is headed %q", tip.Title)
	}
	// A zoom: a box from 10 to the end.
	s.Drag(browsertest.Point{X: at(10), Y: p.Box.Y + 20}, browsertest.Point{X: at(99), Y: p.Box.Y + 25})
	s.Until(func() string {
		p, ok := s.plotOf("line/up")
		if !ok || len(p.xs) < 2 || p.xs[0].Text != "10" && p.xs[0].Text != "20" {
			return fmt.Sprintf("the axis says %q", texts(p.xs))
		}
		return ""
	})
	// A symlog is linear within the zone of the settings.
	s.Control("radiogroup", "Horizontal scale").Control("radio", "Symlog").Click()
	s.axes("line/up", "0 1 10 100", "")
	s.Control("textbox", "Symlog is linear within ±").Fill("20")
	within20 := func(v float64) float64 { return math.Log10(v/20 + 1) }
	s.Until(func() string {
		p, ok := s.plotOf("line/up")
		if !ok || len(p.xs) < 3 {
			return "it is not drawn"
		}
		for _, l := range p.xs {
			if at := along(p.xs, func(l label) float64 { return l.X }, within20, value(l.Text)); math.Abs(at-l.X) > 2 {
				return fmt.Sprintf("%s stands at %.0f, not at %.0f, of %q", l.Text, l.X, at, texts(p.xs))
			}
		}
		return ""
	})
	p = s.still("line/up")
	s.Hover(browsertest.Point{X: along(p.xs, func(l label) float64 { return l.X }, within20, 50), Y: p.y(60, linear)})
	s.tips(false, []string{"Run", "Step"}, []string{"alpha", "50"}, []string{"beta", "50"})
	s.Control("radiogroup", "Horizontal axis").Control("radio", "Wall").Click() // has no logarithm
	s.Until(func() string {
		if tip := s.still("line/up"); !strings.Contains(strings.Join(texts(tip.xs), " "), ":") {
			return fmt.Sprintf("the axis says %q", texts(tip.xs))
		}
		return ""
	})
}

// On a slow line the page says that its program is coming, and how far it has come. A
// server that is gone does not leave the page saying that it is live.
func TestPageSlowAndGone(t *testing.T) {
	t.Parallel()
	h := serve(t, pins(t).dir)
	s := &screen{view: start(t, browsertest.Chromium), host: h, url: h.URL}
	link := browsertest.NewLink(t, h.URL, 400_000, 30*time.Millisecond) // far, too: what is near is not counted
	s.Before(`addEventListener("DOMContentLoaded", () => {
		globalThis.tbSeen = new Set();
		new MutationObserver(() => { const e = document.querySelector(".coming"); if (e) tbSeen.add(e.innerText.trim() + " " + e.querySelector("progress").value.toFixed()); })
			.observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true});
	})`)
	s.url = link.URL
	s.Open(s.url)
	s.rests()
	var seen []string
	s.Eval(`[...tbSeen]`, &seen)
	part := 0
	for _, text := range seen {
		var words, bar int
		if n, _ := fmt.Sscanf(text, "The program is coming: %d %% %d", &words, &bar); n == 2 && words > 0 && words < 100 && bar >= words {
			part++
		}
	}
	if part < 3 {
		t.Errorf("while the program came the page said %q", seen)
	}
	s.Control("button", "live").Wait()
	s.every("1")
	s.Allow("Failed to load resource")
	s.Allow("net::ERR")
	link.Cut()
	h.stop()
	s.Control("button", "retrying").Pressed(true)
	s.Control("heading", "New data cannot be read").Wait()
}

// Two fingers zoom a chart, one that goes sideways reads values, and one that goes up scrolls
// the page. A touch opens the values as a click does.
func TestPageTouch(t *testing.T) {
	t.Parallel()
	l := pins(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) { touches(t, look(t, kind, l.dir), kind) })
	}
}

func touches(t *testing.T, s *screen, kind browsertest.Kind) {
	s.fresh("#timeseries&smoothing=0")
	s.whole()
	p := s.still("line/up")
	s.Touch(p.at(40, 40))
	s.Touch(p.at(40, 40), p.at(60, 60))
	s.Touch(p.at(36, 36), p.at(64, 64))
	s.Touch(p.at(30, 30), p.at(70, 70))
	s.Touch()
	s.shows("line/up", 50-25.75, 50+25.75, 25, 75)
	s.Control("dialog", "Values").Gone() // they were no touch
	s.Control("article", "line/up").Control("button", "Fit to the data (double click)").Click()
	s.whole()
	p = s.still("line/up")
	s.Touch(p.at(20, 50))
	s.Touch(p.at(25, 50))
	s.Touch(p.at(30, 50))
	s.tips(false, []string{"Run", "Value"}, []string{"alpha", "30"}, []string{"beta", "70"})
	// The values stay to be read when the finger is lifted, but not where the card was.
	s.Touch()
	s.tips(false, []string{"Run", "Value"}, []string{"alpha", "30"}, []string{"beta", "70"})
	s.Control("main", "*").Get(`void (e.scrollTop = 60)`, nil)
	s.tips(false, []string{"Run"})
	s.crossed(false, 30, "line/up")
	s.Control("main", "*").Get(`void (e.scrollTop = 0)`, nil)

	p = s.still("line/up")
	s.Touch(p.at(60, 50))
	s.Touch()
	s.Control("dialog", "Values").Wait()
	s.Press("Escape")
	s.Control("dialog", "Values").Gone()

	// Firefox scrolls for hands only.
	if kind == browsertest.Chromium {
		from := p.at(50, 20)
		s.Touch(from)
		for i := range 10 {
			s.Touch(browsertest.Point{X: from.X, Y: from.Y - 15*float64(i+1)})
		}
		s.Touch()
		s.Control("main", "*").Is(`e.scrollTop > 50`)
		s.whole()
	}
}
