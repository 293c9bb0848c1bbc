//go:build !js

package e2e

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// histogramLogs has runs whose values move from 0 … 10 to 10 … 20 in n steps: at step i a
// hundred of them lie between 10·i/(n−1) and one more.
func histogramLogs(t *testing.T, n int, runs ...string) *logs {
	t.Helper()
	l := newLogs(t)
	for _, run := range runs {
		l.file(run, "1700000000.host.1.0", func(w *summary.Buffer) {
			for i := range n {
				at := 10 * float64(i) / float64(n-1)
				b := summary.HistogramBuckets{{0, at, 0}, {at, at + 1, 100}, {at + 1, 11, 0}}
				if err := w.HistogramRaw("w", b, int64(10*i), summary.WallSeconds(epoch+60*float64(i))); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	return l
}

func histogramOver(tag, run string) string {
	return textCard(tag, run) + `.querySelector(".histogram-layer[role=img]")`
}

// overPlot is a place in the plot of a histogram's card: parts of its width and height.
func (v view) overPlot(tag, run string, x, y float64) browsertest.Point {
	v.t.Helper()
	var b browsertest.Box
	v.Eval(`((e) => { const r = e.getBoundingClientRect(); return {x: r.x + 10, y: r.y + 6, width: r.width - 62, height: r.height - 28}; })(`+histogramOver(tag, run)+`)`, &b)
	return b.Part(x, y)
}

// Slices of all steps; what is under the pointer is said; a part of the steps alone, on all
// cards; overlay; the keyboard.
func TestHistogramBoard(t *testing.T) {
	t.Parallel()
	l := histogramLogs(t, 11, "a", "b")
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := come(t, kind, l.dir)
			s.Before(drawing)
			s.fresh("#histograms")
			a := s.Control("article", "w, a")
			a.Control("img", "Histograms of 11 of 11 steps, 0 to 100, values 0 to 11").Wait()
			s.drawn(textCard("w", "a"), "histogram-slices")
			s.Control("article", "w, b").Control("img", "Histograms of 11 of 11 steps, 0 to 100, values 0 to 11").Wait()
			// The last slice stands in front: its hundred values lie at the right end.
			s.Until(func() string {
				s.Hover(s.overPlot("w", "a", 0.95, 0.98))
				var text string
				s.Eval(textCard("w", "a")+`.querySelector("[role=status]").textContent`, &text)
				if want := "step 100 · 36.67 of 100 in 10.27 … 10.63"; len(text) < len(want) || text[:len(want)] != want {
					return fmt.Sprintf("it says %q, not %q", text, want)
				}
				return ""
			})
			// Steps are written at the right, values below.
			s.Until(func() string {
				var said []string
				s.Eval(`tbSaid(`+textCard("w", "a")+`.querySelector("canvas")).map(x => x.text)`, &said)
				for _, want := range []string{"0", "40", "100", "4", "10"} {
					found := false
					for _, g := range said {
						found = found || g == want
					}
					if !found {
						return fmt.Sprintf("%q is not written: %q", want, said)
					}
				}
				return ""
			})
			// A part of the steps, on all cards; and all again.
			s.Drag(s.overPlot("w", "a", 0.5, 0.66), s.overPlot("w", "a", 0.5, 0.9))
			for _, run := range []string{"a", "b"} {
				s.Until(func() string {
					var label string
					s.Eval(histogramOver("w", run)+`.ariaLabel`, &label)
					var n, of, from, to int
					if k, err := fmt.Sscanf(label, "Histograms of %d of %d steps, %d to %d", &n, &of, &from, &to); k != 4 || of != 11 || n < 3 || n > 6 || from < 30 || to > 90 {
						return fmt.Sprintf("%s shows %q (%v)", run, label, err)
					}
					return ""
				})
			}
			s.Control("article", "w, b").Control("button", "Show all steps (double click)").Click()
			a.Control("img", "Histograms of 11 of 11 steps*").Wait()
			// Over each other: the height is the count.
			s.Control("radio", "Overlay").Click()
			s.Until(func() string {
				var said []string
				s.Eval(`tbSaid(`+textCard("w", "a")+`.querySelector("canvas")).map(x => x.text)`, &said)
				for _, g := range said {
					if g == "20" {
						return ""
					}
				}
				return fmt.Sprintf("no count is written: %q", said)
			})
			s.hash("#histograms&histogramMode=overlay")
			// By the keyboard: slice by slice, bin by bin.
			s.Hover(browsertest.Point{X: 5, Y: 5})
			s.drawn(textCard("w", "a"), "histogram-slices-overlay")
			s.Eval(`void `+textCard("w", "a")+`.focus()`, nil)
			s.Press(".")
			s.Press(",")
			s.Wait(textCard("w", "a") + `.querySelector("[role=status]").textContent.startsWith("step 90")`)
			s.Press("l")
			s.Control("checkbox", "Log counts").Checked(true)
			s.stored(true, "histogramLog")
			s.Press("o")
			s.Control("radio", "Offset").Checked(true)
			s.Press("o")
			s.Control("radio", "Overlay").Checked(true)
			// More bins are narrower.
			s.Control("spinbutton", "Bins of histograms").Fill("11")
			s.Control("radio", "Offset").Click()
			a.Get("e.focus()", nil)
			s.Until(func() string {
				s.Hover(s.overPlot("w", "a", 0.95, 0.98))
				var text string
				s.Eval(textCard("w", "a")+`.querySelector("[role=status]").textContent`, &text)
				if !strings.HasPrefix(text, "step 100 · 100 of 100 in 10 … 11") {
					return fmt.Sprintf("it says %q", text)
				}
				return ""
			})
			s.again()
			s.Control("spinbutton", "Bins of histograms").Value("11")
			s.Control("checkbox", "Log counts").Checked(true)
			// A run's histogram has its colour.
			s.Hover(browsertest.Point{X: 5, Y: 5})
			s.Rest()
			was := s.PictureOf(s.box(histogramOver("w", "a")))
			s.Control("button", "Colour of a").Click()
			s.Control("dialog", "Colour of a").Control("color", "Colour").Get(`(e.value = "#ff00ff", e.dispatchEvent(new Event("input")))`, nil)
			s.Press("Escape")
			s.Until(func() string {
				if bytes.Equal(s.PictureOf(s.box(histogramOver("w", "a"))).Pix, was.Pix) {
					return "the histogram is drawn as before"
				}
				return ""
			})
		})
	}
}

// The axis of values is zoomed by dragging along it, by wheel and keys, with bins of its
// own; it stays while data come and while the card is away, and is taken back.
func TestHistogramZoom(t *testing.T) {
	t.Parallel()
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			l := histogramLogs(t, 11, "a", "b")
			s := come(t, kind, l.dir)
			s.fresh("#histograms")
			a := s.Control("article", "w, a")
			fit := a.Control("button", "Fit to the data (double click)")
			shows := func(from, to, off float64) {
				t.Helper()
				s.Until(func() string {
					var label string
					err := s.TryEval(histogramOver("w", "a")+`.ariaLabel`, &label)
					var n, of, first, last int
					var lo, hi float64
					if k, _ := fmt.Sscanf(label, "Histograms of %d of %d steps, %d to %d, values %f to %f", &n, &of, &first, &last, &lo, &hi); k != 6 || math.Abs(lo-from) > off || math.Abs(hi-to) > off {
						return fmt.Sprintf("it shows %q, not %v to %v (%v)", label, from, to, err)
					}
					return ""
				})
			}
			shows(0, 11, 0)
			fit.Gone()
			// From 8.25 to 11: a bin is 0.0917 wide.
			s.Drag(s.overPlot("w", "a", 0.75, 0.5), s.overPlot("w", "a", 1.0, 0.52))
			shows(8.25, 11, 0.05)
			fit.Wait()
			s.Control("article", "w, b").Control("img", "Histograms of 11 of 11 steps, 0 to 100, values 0 to 11").Wait() // each card its own
			s.Until(func() string {
				s.Hover(s.overPlot("w", "a", 0.9, 0.98))
				var text string
				s.Eval(textCard("w", "a")+`.querySelector("[role=status]").textContent`, &text)
				var count, lo, hi float64
				if k, _ := fmt.Sscanf(text, "step 100 · %f of 100 in %f … %f", &count, &lo, &hi); k != 3 || math.Abs(count-9.17) > 0.3 || math.Abs(hi-lo-0.0917) > 0.02 || lo < 10 {
					return fmt.Sprintf("it says %q", text)
				}
				return ""
			})
			// All steps are there still, and what comes now comes into the zoomed view.
			l.add(l.path("a", "1700000000.host.1.0"), records(func(w *summary.Buffer) {
				if err := w.HistogramRaw("w", summary.HistogramBuckets{{0, 20, 500}}, 110, summary.WallSeconds(epoch+700)); err != nil {
					t.Fatal(err)
				}
			}))
			s.Press("R")
			a.Control("img", "Histograms of 12 of 12 steps, 0 to 110, values 8*").Wait()
			shows(8.25, 11, 0.05)
			// Away from the screen and back.
			s.Control("button", "Not grouped 2 cards").Click()
			a.Gone()
			s.Control("button", "Not grouped 2 cards").Click()
			shows(8.25, 11, 0.05)
			s.DoubleClick(s.overPlot("w", "a", 0.5, 0.5))
			shows(0, 20, 0)
			fit.Gone()
			// By wheel and keys.
			s.Wheel(s.overPlot("w", "a", 0.5, 0.5), -100, "Control")
			fit.Wait()
			fit.Click()
			shows(0, 20, 0)
			s.Eval(`void `+textCard("w", "a")+`.focus()`, nil)
			s.Press("+")
			shows(3, 17, 0.01)
			s.Press("ArrowRight", "Shift")
			shows(5.8, 19.8, 0.01)
			s.Press("-")
			shows(2.8, 22.8, 0.01)
			s.Press("0")
			shows(0, 20, 0)
			// Up and down is for steps.
			s.Drag(s.overPlot("w", "a", 0.5, 0.66), s.overPlot("w", "a", 0.5, 0.9))
			all := a.Control("button", "Show all steps (double click)").Wait()
			shows(0, 11, 9.1)
			// Escape closes what is open, one thing at a time.
			s.Press("?")
			help := s.Control("dialog", "Keys*").Wait()
			s.Press("Escape")
			help.Gone()
			all.Wait()
			s.Press("Escape")
			all.Gone()
		})
	}
}

// The one step for all cards is marked, and chosen by a click.
func TestHistogramPick(t *testing.T) {
	t.Parallel()
	l := histogramLogs(t, 11, "a")
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#histograms")
	s.Control("checkbox", "One step for all cards").Click()
	s.Control("article", "w, a").Control("img", "Histograms of 11*").Wait()
	s.Click(s.overPlot("w", "a", 0.95, 0.98))
	s.hash("#histograms&linkSteps=true&linkedStep=100")
	s.Click(s.overPlot("w", "a", 0.95, 0.98))
	s.hash("#histograms&linkSteps=true")
}

// Many more slices than pixels: as many as can be told apart, the last one among them; and
// each of a part that is dragged over.
func TestManySlices(t *testing.T) {
	t.Parallel()
	l := histogramLogs(t, 3001, "a")
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#histograms")
	a := s.Control("article", "w, a")
	a.Control("img", "Histograms of 376 of 3001 steps, 0 to 30,000*").Wait()
	s.Wait(textCard("w", "a") + `.innerText.includes("376 of 3,001 steps")`)
	s.Drag(s.overPlot("w", "a", 0.5, 0.70), s.overPlot("w", "a", 0.5, 0.76))
	s.Until(func() string {
		var label string
		s.Eval(histogramOver("w", "a")+`.ariaLabel`, &label)
		var n, of, from, to int
		if k, _ := fmt.Sscanf(label, "Histograms of %d of %d steps, ", &n, &of); k != 2 || n < 100 || n > 420 {
			return fmt.Sprintf("%q %d %d", label, from, to)
		}
		return ""
	})
	var longest float64 // that drawing all of it is a matter of moments is looked at by bench
	if s.Eval(`tbHistogram.busy`, &longest); longest <= 0 {
		t.Error("nothing was drawn")
	}
}

// Histograms that are none say so in their card, and leave the others alone.
func TestHostileHistograms(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	l := newLogs(t)
	meta := summary.Metadata{Plugin: "histograms"}
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		for name, tensor := range map[string]summary.Tensor{
			"shape": summary.DoubleTensor([]int64{3, 2}, 0, 1, 5, 1, 2, 5), "texts": summary.StringTensor([]int64{1, 3}, "a", "b", "c"),
			"nan": summary.DoubleTensor([]int64{2, 3}, nan, nan, 4, 0, 1, 5), "wide": summary.DoubleTensor([]int64{2, 3}, -math.MaxFloat64, 0, 4, 0, 1, 5),
			"none": summary.DoubleTensor([]int64{0, 3}), "good": summary.DoubleTensor([]int64{1, 3}, 0, 1, 5),
		} {
			w.Raw(summary.Event{WallTime: epoch, Step: 3, Values: []summary.Value{summary.TensorValue(name, tensor, meta)}})
		}
	})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := start(t, kind)
			v.Before(hearing)
			v.Open(serve(t, l.dir).URL + "#histograms")
			v.Resize(1280, 1400)
			says := func(name, text string) {
				t.Helper()
				v.Wait(textCard(name, "r") + `?.querySelector("canvas") && (tbSaid(` + textCard(name, "r") + `.querySelector("canvas")).some((x) => x.text.includes(` + quote(text) + `)) || ` + textCard(name, "r") + `.innerText.includes(` + quote(text) + `))`)
			}
			says("shape", "k × 3")
			says("texts", "cannot be shown")
			says("nan", "1 bucket left out")
			says("none", "No values")
			for _, name := range []string{"nan", "wide", "good"} {
				v.Wait(histogramOver(name, "r") + `?.ariaLabel.includes("values 0 to 1")`)
			}
		})
	}
}
