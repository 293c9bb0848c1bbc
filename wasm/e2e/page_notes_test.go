//go:build !js

package e2e

import (
	"math"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// A step has a note: every card over steps shows it there, pictures too, also at the next
// visit and for who opens the link. It is changed, and taken away.
func TestPageNotes(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0")
	s.still("line/up")
	open := func() browsertest.Control {
		s.Control("article", "line/up").Control("button", "More").Click()
		s.Control("menuitem", "Note at a step…").Click()
		return s.Control("dialog", "Notes at steps")
	}
	// noted waits until a card shows these notes, each at its step.
	noted := func(tag string, want map[string]float64) {
		t.Helper()
		s.Until(func() string {
			var got []struct {
				Text string
				X    float64
			}
			s.Control("article", tag).Get(`[...e.querySelectorAll(".plot-note")].map(n => ({Text: n.innerText, X: n.getBoundingClientRect().x}))`, &got)
			p, ok := s.plotOf(tag)
			if !ok || len(got) != len(want) {
				return "the notes are not there"
			}
			for _, n := range got {
				if at, ok := want[n.Text]; !ok || math.Abs(p.x(at)-n.X) > 2 {
					return "a note stands elsewhere: " + n.Text
				}
			}
			return ""
		})
	}
	const words = "lr <b>dropped</b>"
	box := open()
	box.Control("textbox", "Step").Value("100") // the last
	box.Control("textbox", "Note").Focused()
	box.Control("textbox", "Note").Fill(words)
	box.Control("textbox", "Step").Fill("soon")
	box.Control("button", "Save").Click()
	box.Control("textbox", "Step").Is(`e.getAttribute("aria-invalid") === "true"`)
	// The step is corrected: the words stay.
	box.Control("textbox", "Step").Fill("40")
	s.Press("Tab")
	box.Control("textbox", "Note").Value(words)
	s.Press("Enter")
	box.Control("button", "40 · "+words).Wait()
	s.Press("Escape")
	box.Gone()
	for _, tag := range []string{"line/up", "flat/level"} {
		noted(tag, map[string]float64{words: 40})
	}
	s.hash("#timeseries&smoothing=0&notes=40:lr%20%3Cb%3Edropped%3C/b%3E")
	s.Control("article", "line/up").Is(`!e.querySelector(".plot-note b")`)
	s.Control("article", "line/up").Is(`e.querySelector("[role=img]").getAttribute("aria-label").includes("step 40: lr <b>dropped</b>")`)
	// It moves with a zoom, and is out of sight with its step.
	s.Control("article", "line/up").Control("heading", "line/up").Click()
	s.Press("+")
	noted("line/up", map[string]float64{words: 40})
	s.Press("0")

	// For who opens the link, and at the next visit.
	s.again()
	// What is being written stays when another step is named.
	box = open()
	box.Control("textbox", "Note").Fill("of 60")
	box.Control("textbox", "Step").Fill("40")
	s.Press("Tab")
	box.Control("textbox", "Note").Value("of 60")
	// A step may be written as the page writes it.
	box.Control("textbox", "Step").Fill("12,345")
	box.Control("button", "Save").Click()
	box.Control("button", "12,345 · of 60").Wait()
	box.Control("button", "Remove the note at step 12,345").Click()
	box.Control("button", "12,345 · of 60").Gone()
	s.Press("Escape")
	box.Gone()
	s.hash("#timeseries&smoothing=0&notes=40:lr%20%3Cb%3Edropped%3C/b%3E")
	noted("line/up", map[string]float64{words: 40})
	box = open()
	box.Control("textbox", "Step").Fill("40")
	s.Press("Tab")
	box.Control("textbox", "Note").Value(words)
	box.Control("textbox", "Note").Fill("half the rate")
	box.Control("button", "Save").Click()
	box.Control("textbox", "Step").Fill("44")
	box.Control("textbox", "Note").Fill("restart")
	box.Control("button", "Save").Click()
	s.Press("Escape")
	noted("line/up", map[string]float64{"half the rate": 40, "restart": 44})
	// The words of near steps do not lie on each other.
	s.Control("article", "line/up").Is(`(([a, b]) => a.right < b.left || b.right < a.left || a.bottom <= b.top || b.bottom <= a.top)([...e.querySelectorAll(".plot-note span")].map(n => n.getBoundingClientRect()))`)

	dir := s.Downloads()
	s.Control("article", "line/up").Control("button", "More").Click()
	s.Control("menuitem", "Picture…").Click()
	s.Control("dialog", "Picture").Control("button", "SVG").Click()
	if svg := s.saved(dir, "line_up.svg"); !strings.Contains(svg, ">half the rate</text>") || !strings.Contains(svg, ">restart</text>") {
		t.Errorf("the picture has no notes: %s", svg)
	}
	s.Press("Escape")

	// Over time there are no steps: notes are not shown, m marks none, and a new note is
	// offered at the last point's step, not at its time.
	for _, axis := range []string{"Wall", "Relative"} {
		s.Control("radiogroup", "Horizontal axis").Control("radio", axis).Click()
		noted("line/up", map[string]float64{})
		s.still("line/up")
		box = open()
		box.Control("textbox", "Step").Value("100")
		s.Press("Escape")
		box.Gone()
		s.Control("article", "line/up").Control("heading", "line/up").Click()
		s.Press("m")
		s.Control("status", "Steps are marked where steps are the horizontal axis*").Wait()
		s.hash("#timeseries&smoothing=0&x=" + strings.ToLower(axis) + "&notes=40:half%20the%20rate,44:restart")
	}
	s.Control("radiogroup", "Horizontal axis").Control("radio", "Step").Click()
	s.Control("article", "line/up").Control("textbox", "Marked step").Gone()
	s.choose("notes at", "Notes at steps…")
	box = s.Control("dialog", "Notes at steps")
	box.Control("button", "Remove the note at step 40").Click()
	s.Press("Escape")
	noted("line/up", map[string]float64{"restart": 44})
	// A note is offered at the step that is marked.
	s.Control("article", "line/up").Control("heading", "line/up").Click()
	s.Press("m")
	s.Control("article", "line/up").Control("textbox", "Marked step").Fill("52")
	s.Press("Tab")
	open().Control("textbox", "Step").Value("52")
}
