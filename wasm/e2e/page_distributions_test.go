//go:build !js

package e2e

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Nine percentiles on the axes of curves: ticks, the table of values, bands, zoom, wall
// time, and what has no place.
func TestDistributionBoard(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		for i := range 101 {
			// Uniform from −10 to 10, but for one step that has no place.
			b := summary.HistogramBuckets{{-10, 10, 1000}}
			if i == 50 {
				b = summary.HistogramBuckets{{math.NaN(), math.NaN(), 3}}
			}
			if err := w.HistogramRaw("w", b, int64(i), summary.WallSeconds(epoch+60*float64(i))); err != nil {
				t.Fatal(err)
			}
		}
	})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := come(t, kind, l.dir)
			s.Before(drawing)
			s.fresh("#distributions")
			s.Control("article", "w, r").Control("img", "Distribution at 100 of 101 steps, step 0 to 100, median at the end 0").Wait()
			s.Wait(textCard("w", "r") + `.innerText.includes("1 of 101 steps cannot be shown")`)
			plot := func() browsertest.Box { return s.box(textCard("w", "r") + `.querySelector(".u-over")`) }
			// The table says all nine, the greatest first.
			s.Until(func() string {
				s.Hover(plot().Part(0.5, 0.3))
				tip := s.tip(false)
				var names, values []string
				for _, r := range tip.Rows {
					for column, v := range r {
						if strings.Contains(v, "%") {
							names = append(names, v)
						}
						if column == "Value" {
							values = append(values, v)
						}
					}
				}
				got := strings.Join(names, ", ") + " | " + strings.Join(values, ", ")
				if len(names) != 9 || names[0] != "100 %: greatest" || names[4] != "50 %: median" || len(values) != 9 || values[0] != "10" || values[8] != "-10" {
					return fmt.Sprintf("the table has %q", got)
				}
				return ""
			})
			// Bands: darker in the middle than at the ends, the same above and below.
			s.Hover(browsertest.Point{X: 2, Y: 2})
			s.drawn(textCard("w", "r"), "distribution")
			s.said(textCard("w", "r"), "distribution")
			ground := s.Pixel(plot().Part(0.27, 0.02))
			shade := func(part float64) float64 {
				c, d := s.Pixel(plot().Part(0.27, part)), 0.0
				for i := range c {
					d += math.Abs(c[i] - ground[i])
				}
				return d
			}
			s.Until(func() string {
				// The axis goes from −12 or so to 12; bands end at ±3.8, ±6.8, ±8.7, ±10.
				in, mid, out := shade(0.5-0.07), shade(0.5-0.21), shade(0.5-0.375)
				if !(in > mid+4 && mid > out+4 && out > 2) {
					return fmt.Sprintf("bands are %v, %v and %v dark", in, mid, out)
				}
				return ""
			})
			// A zoom, and back; minutes instead of steps.
			b := plot()
			s.Drag(b.Part(0.25, 0.5), b.Part(0.5, 0.52))
			fit := s.Control("article", "w, r").Control("button", "Fit to the data (double click)")
			fit.Wait()
			fit.Click()
			fit.Gone()
			s.Control("radio", "Relative").Click()
			s.Control("article", "w, r").Control("img", "Distribution at 100 of 101 steps, relative 0 s to 1 h 40 min*").Wait()
			s.hash("#distributions&x=relative")
			s.drawn(textCard("w", "r"), "distribution-relative")
		})
	}
}

// More steps than can be told apart: how many are drawn is said, a zoom shows those between, and is
// moved by keys; it stays while the card is away, and ends with its axis. The run's colour is followed.
func TestDistributionZoom(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		for i := range 3001 {
			if err := w.HistogramRaw("w", summary.HistogramBuckets{{float64(i), float64(i) + 20, 1000}}, int64(i), summary.WallSeconds(epoch+60*float64(i))); err != nil {
				t.Fatal(err)
			}
		}
	})
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#distributions")
	card := s.Control("article", "w, r")
	shows := func(n int, steps string) {
		t.Helper()
		card.Control("img", fmt.Sprintf("Distribution at %d of 3001 steps, step %s*", n, steps)).Wait()
	}
	view := func(edge string, want int) {
		t.Helper()
		s.Wait(fmt.Sprintf(`Math.round([...tbPaint.charts][0]?.view?.%s) === %d`, edge, want))
	}
	note := textCard("w", "r") + `.innerText.includes("751 of 3,001 steps")`
	shows(751, "0 to 3,000")
	s.Wait(note)
	in := func() {
		t.Helper()
		card.Get("e.focus()", nil)
		for range 7 {
			s.Press("+")
		}
		shows(764, "1,118 to 1,881")
		view("x0", 1373)
		view("y0", 1335)
		s.Wait(`!` + note)
	}
	in()
	s.Press("ArrowLeft", "Shift")
	shows(764, "1,067 to 1,830")
	view("y0", 1335)
	s.Press("ArrowUp", "Shift")
	view("y0", 1401)
	s.Press("-")
	shows(547, "903 to 1,9")
	s.Press("Enter")
	s.Control("dialog", "Values").Wait()
	s.Press("Escape")
	card.Get("e.focus()", nil)
	s.Press("0")
	shows(751, "0 to 3,000")
	view("y0", -500)

	// Away from the screen and back.
	in()
	s.Control("button", "Not grouped 1 card").Click()
	card.Gone()
	s.Control("button", "Not grouped 1 card").Click()
	shows(764, "1,118 to 1,881")
	view("x0", 1373)
	fit := card.Control("button", "Fit to the data (double click)").Wait()
	s.Control("radio", "Relative").Click()
	card.Control("img", "Distribution at 751 of 3001 steps, relative*").Wait()
	fit.Gone()

	s.Control("button", "Colour of r").Click()
	s.Control("dialog", "Colour of r").Control("color", "Colour").Get(`(e.value = "#a01060", e.dispatchEvent(new Event("input")))`, nil)
	s.Wait(`[...tbPaint.charts][0].color === "#a01060"`)
}
