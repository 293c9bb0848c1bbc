//go:build !js

package e2e

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// curveLogs has run a, which knows more and more (step 30: a perfect classifier), and run b,
// which guesses, and stops at step 10.
func curveLogs(t *testing.T) *logs {
	t.Helper()
	l := newLogs(t)
	for _, run := range []string{"a", "b"} {
		l.file(run, "1700000000.host.1.0", func(w *summary.Buffer) {
			for _, tag := range []string{"pr/x", "pr/y"} {
				for i := range map[string]int{"a": 4, "b": 2}[run] {
					var labels []bool
					var scores []float64
					for k := range 100 {
						yes := k%2 == 0
						labels = append(labels, yes)
						switch {
						case run == "b":
							scores = append(scores, float64(k/2%11)/10)
						case yes:
							scores = append(scores, 0.5+0.1*float64(i))
						default:
							scores = append(scores, 0.5-0.1*float64(i))
						}
					}
					if err := w.PRCurve(tag, labels, scores, int64(10*i), summary.Thresholds(11), summary.WallSeconds(epoch+float64(i))); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
	return l
}

func curveTable(tag string) string {
	return `[...document.querySelectorAll('article[data-tag="` + tag + `"] .pr-table tr')].map(r => [...r.cells].map(c => c.innerText).join(" "))`
}

// Curves of several runs, their table, what is under the pointer, ROC, steps, zoom, and one
// step for all cards.
func TestPRCurves(t *testing.T) {
	t.Parallel()
	l := curveLogs(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := come(t, kind, l.dir)
			s.Before(drawing)
			s.fresh("#")
			s.Control("button", "PR curves").Click()
			s.cards("pr/x", "pr/y")
			x := s.Control("article", "pr/x")
			x.Control("img", "Precision over recall of 2 runs").Wait()
			says := func(tag string, want ...string) {
				t.Helper()
				s.Until(func() string {
					var rows []string
					s.Eval(curveTable(tag), &rows)
					if len(rows) != len(want)+1 {
						return fmt.Sprintf("the table has %q", rows)
					}
					for i, w := range want {
						if !strings.HasPrefix(rows[i+1], w) {
							return fmt.Sprintf("row %d is %q, not %q", i, rows[i+1], w)
						}
					}
					return ""
				})
			}
			says("pr/x", "a 30 1 1 1 1 0.2", "b 10 0.5 ")
			card := `document.querySelector('article[data-tag="pr/x"]')`
			s.drawn(card, "prcurves")
			s.said(card, "prcurves")
			s.Control("checkbox", "b").Hover()
			s.drawn(card, "prcurves-marked")
			s.Hover(browsertest.Point{X: 5, Y: 5})
			// What its columns mean is said by focus, too.
			x.Is(`!/Average precision/.test(e.innerText)`)
			x.Control("row", "Run Step AP*").Get("e.focus()", nil)
			x.Is(`/AP: Average precision .* ROC: Area under the ROC curve/.test(e.innerText)`)
			x.Get("e.focus()", nil)
			x.Is(`!/Average precision/.test(e.innerText)`)
			plot := func() (b browsertest.Box) {
				s.Eval(`((e) => { const r = e.getBoundingClientRect(); return {x: r.x + 56, y: r.y + 8, width: r.width - 68, height: r.height - 42}; })(document.querySelector('article[data-tag="pr/x"] .pr-layer[role=img]'))`, &b)
				return b
			}
			place := func(x, y float64) browsertest.Point { return plot().Part((x+0.05)/1.1, 1-(y+0.05)/1.1) }
			// At recall 1 and precision 1 the classifier's lowest such threshold is 0.2; of the
			// other run what it does there.
			tip := func(want ...string) {
				t.Helper()
				s.Until(func() string {
					var rows []string
					s.Eval(`[...document.querySelectorAll(".tip:not([hidden]) tbody tr")].map(r => [...r.cells].slice(1).map(c => c.innerText).join(" "))`, &rows)
					if len(rows) != len(want) {
						return fmt.Sprintf("it says %q", rows)
					}
					for i, w := range want {
						if !strings.HasPrefix(rows[i], w) {
							return fmt.Sprintf("it says %q, not %q", rows[i], w)
						}
					}
					return ""
				})
			}
			s.Hover(place(0.99, 1.02))
			tip("a 0.2 1 1 1 50 0 50 0", "b 0.2 0.5 0.8 0.6154 40 40 10 10")
			s.drawn(card, "prcurves-pointed")
			s.said(tooltip, "prcurves-tip")
			s.Hover(browsertest.Point{X: 5, Y: 5})
			s.Wait(`!document.querySelector(".tip:not([hidden])")`)
			// Its line is where it should be, in the run's colour.
			line := func(run string, x, y float64) {
				t.Helper()
				s.Until(func() string {
					ground := s.Pixel(place(0.3, 0.85))
					var c browsertest.Hex
					s.Eval(groundOf+`(document.querySelector('article[data-tag="pr/x"] .pr-table tbody tr:nth-child(`+map[string]string{"a": "1", "b": "2"}[run]+`) .swatch'))`, &c)
					best := 0.0
					for d := -2.0; d <= 2; d++ {
						at := place(x, y)
						at.Y += d
						best = math.Max(best, browsertest.Cover(s.Pixel(at), ground, c.RGB()))
					}
					if best < 0.5 {
						return fmt.Sprintf("%s has no line at %v, %v: %v", run, x, y, best)
					}
					return ""
				})
			}
			line("b", 0.4, 0.5)

			// The true over the false positive rate.
			s.Control("radio", "ROC").Click()
			x.Control("img", "True positive rate over false positive rate of 2 runs").Wait()
			s.hash("#pr_curves&prCurveMode=roc")
			line("b", 0.4, 0.4)
			s.drawn(card, "prcurves-roc")
			s.Hover(place(0.38, 0.4))
			s.said(tooltip, "prcurves-roc-tip")
			s.Hover(browsertest.Point{X: 5, Y: 5})
			// A box is zoomed to; the button and a double click go back.
			fit := x.Control("button", "Fit to the data (double click)")
			fit.Gone()
			s.Drag(place(0.1, 0.1), place(0.6, 0.6))
			fit.Wait()
			fit.Click()
			fit.Gone()
			s.Drag(place(0.1, 0.1), place(0.6, 0.6))
			fit.Wait()
			// It stays while the card is away.
			s.Control("button", "pr 2 cards").Click()
			x.Gone()
			s.Control("button", "pr 2 cards").Click()
			fit.Wait()
			s.DoubleClick(place(0.5, 0.5))
			fit.Gone()

			// A step of this card: each run's nearest.
			slider := x.Control("slider", "Step")
			slider.Slide(0)
			x.Control("status", "step 0").Wait()
			says("pr/x", "a 0 0.5 ", "b 0 0.5 ")
			says("pr/y", "a 30 1 1", "b 10 0.5 ")
			// It stays while the card is away.
			s.Control("button", "pr 2 cards").Click()
			x.Gone()
			s.Control("button", "pr 2 cards").Click()
			x.Control("status", "step 0").Wait()
			says("pr/x", "a 0 0.5 ", "b 0 0.5 ")
			slider.Slide(1)
			says("pr/x", "a 30 1 1", "b 10 0.5 ")
			// One step for all.
			s.Control("checkbox", "One step for all cards").Click()
			slider.Slide(0)
			says("pr/y", "a 0 0.5 ", "b 0 0.5 ")
			s.hash("#pr_curves&groups=pr&linkSteps=true&linkedStep=0&prCurveMode=roc")
			s.again()
			says("pr/y", "a 0 0.5 ", "b 0 0.5 ")

			// A measure over the steps.
			s.Control("combobox", "Measure over steps").Gone()
			s.Control("radio", "Steps").Click()
			x.Control("img", "Average precision over step of 2 runs").Wait()
			s.Control("combobox", "Measure over steps").Choose("Best F1")
			x.Control("img", "Best F1 over step of 2 runs").Wait()
			s.hash("#pr_curves&groups=pr&linkSteps=true&linkedStep=0&prCurveMode=steps&prCurveMeasure=f1")
			b := plot()
			s.Hover(b.Part(0.98, 0.06)) // the last step is the best
			tip("a 30 1 ", "b 10 0.66")
			s.drawn(card, "prcurves-steps")
			s.said(tooltip, "prcurves-steps-tip")
			// By keys.
			s.Hover(browsertest.Point{X: 5, Y: 5})
			s.Eval(`void document.querySelector('article[data-tag="pr/x"]').focus()`, nil)
			last := `[...` + card + `.querySelectorAll("canvas")].flatMap(c => tbSaid(c)).some(x => x.text === "30")`
			s.Wait(last)
			s.Press("+")
			fit.Wait()
			s.Wait(`!` + last)
			s.Press("0")
			fit.Gone()
			s.Press("<", "Shift")
			x.Control("log", "*").Is(`/^a: Step 10, Best F1/.test(e.textContent)`)
			s.Press(">", "Shift")
			x.Control("log", "*").Is(`/^a: Step 20, Best F1/.test(e.textContent)`)
			s.Press("<", "Shift")
			x.Control("log", "*").Is(`/^a: Step 10, Best F1/.test(e.textContent)`)
			s.again()
			s.Control("combobox", "Measure over steps").Is(`e.selectedOptions[0].textContent === "Best F1"`)
			// A run that is switched off goes.
			s.Control("checkbox", "b").Click()
			says("pr/x", "a 0 0.5 ")
			x.Control("img", "Best F1 over step of 1 run").Wait()
			s.Control("button", "Colour of a").Click()
			s.Control("dialog", "Colour of a").Control("color", "Colour").Get(`(e.value = "#a01060", e.dispatchEvent(new Event("input")))`, nil)
			x.Is(`getComputedStyle(e.querySelector(".pr-table tbody .swatch")).backgroundColor === "rgb(160, 16, 96)"`)
		})
	}
}

// A theme that was chosen on another dashboard is that of the curves, too.
func TestPRCurvesTheme(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, curveLogs(t).dir)
	s.SystemDark(false)
	x := s.Control("article", "pr/x")
	// ink is how light the writing at the axes is.
	ink := func(want string) {
		t.Helper()
		x.Control("img", "Precision over recall of 2 runs").Wait()
		s.Wait(`(() => {
			const c = document.querySelector('article[data-tag="pr/x"] canvas'), d = c.getContext("2d").getImageData(0, c.height - 22 * devicePixelRatio, c.width, 22 * devicePixelRatio).data;
			let sum = 0, n = 0;
			for (let i = 0; i < d.length; i += 4) if (d[i + 3] > 200) { sum += d[i]; n++; }
			globalThis.inked = [sum / n, n];
			return n > 20 && sum / n ` + want + `;
		})()`)
	}
	s.fresh("#pr_curves")
	ink("< 128")
	s.Eval(`location.hash = "#text"`, nil)
	x.Gone()
	s.SystemDark(true)
	s.dark(true)
	s.Eval(`location.hash = "#pr_curves"`, nil)
	ink("> 128")
	s.SystemDark(false)
	ink("< 128")
}

// A run that is switched on has its colour and its place, on a page that was opened without it, too.
func TestPRCurvesRuns(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, curveLogs(t).dir)
	s.fresh("#pr_curves")
	colors := []string{string(s.color("a")), string(s.color("b"))}
	rows := func(want ...string) {
		t.Helper()
		s.Until(func() string {
			var got []string
			s.Eval(`[...document.querySelectorAll('article[data-tag="pr/x"] .pr-table tbody tr')].map((r) => r.innerText.trim()[0] + " " + `+groundOf+`(r.querySelector(".swatch")))`, &got)
			if !slices.Equal(got, want) {
				return fmt.Sprintf("the table has %q, not %q", got, want)
			}
			return ""
		})
	}
	a, b := "a "+colors[0], "b "+colors[1]
	rows(a, b)
	run := s.Control("checkbox", "a")
	run.Click()
	rows(b)
	run.Click()
	rows(a, b)
	run.Click()
	rows(b)
	s.again()
	rows(b)
	run.Click()
	rows(a, b)
}

// What is no curve says so in its row; the other runs are drawn.
func TestHostilePRCurves(t *testing.T) {
	t.Parallel()
	l := curveLogs(t)
	meta := summary.Metadata{Plugin: "pr_curves"}
	for name, tensor := range map[string]summary.Tensor{
		"negative":                    summary.FloatTensor([]int64{6, 2}, -3, 3, 3, 2, 0, 0, 0, 0, .5, .5, 1, 1),
		"nan":                         summary.FloatTensor([]int64{6, 2}, float32(math.NaN()), 3, 3, 2, 0, 0, 0, 0, .5, .5, 1, 1),
		"shape":                       summary.FloatTensor([]int64{2, 2}, 1, 2, 3, 4),
		"<img src=x onerror=owned=1>": summary.StringTensor([]int64{6, 1}, "a", "b", "c", "d", "e", "<img src=x onerror=owned=1>"),
		"huge":                        summary.FloatTensor([]int64{6, 1 << 40}, 1),
	} {
		l.file(strings.NewReplacer("<", "_", ">", "_", " ", "_", "=", "_").Replace(name), "1700000000.host.1.0", func(w *summary.Buffer) {
			w.Raw(summary.Event{WallTime: epoch, Step: 3, Values: []summary.Value{summary.TensorValue("pr/x", tensor, meta)}})
		})
	}
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := open(t, kind, serve(t, l.dir).URL+"#pr_curves")
			v.Control("article", "pr/x").Control("img", "Precision over recall of 2 runs").Wait()
			for name, says := range map[string]string{
				"negative": "true positives at the threshold 0 are -3: fewer than none", "nan": "no number", "shape": "6 × thresholds", "huge": "not as many as its shape says", "_img": "no numbers",
			} {
				v.Wait(curveTable("pr/x") + `.some(r => r.startsWith(` + quote(name) + `) && r.includes(` + quote(says) + `))`)
			}
			v.Wait(curveTable("pr/x") + `.some(r => r.startsWith("a 30 1 1 1 1"))`)
			var owned any
			if v.Eval(`globalThis.owned ?? null`, &owned); owned != nil {
				t.Error("a value was run")
			}
		})
	}
}

// Of many curves the words under the pointer have twenty, and say how many more there are.
func TestPRCurvesOfMany(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for i := range 23 {
		l.file(fmt.Sprintf("run%02d", i), "1700000000.host.1.0", func(w *summary.Buffer) {
			if err := w.PRCurve("pr", []bool{true, false, true}, []float64{0.9, 0.3, 0.4}, 1, summary.WallSeconds(epoch+float64(i)), summary.Thresholds(11)); err != nil {
				t.Fatal(err)
			}
		})
	}
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#pr_curves")
	s.Hover(s.Control("article", "pr").Control("img", "Precision over recall of 23 runs").Box().Part(0.6, 0.3))
	s.Wait(`document.querySelectorAll(".tip:not([hidden]) tbody tr").length === 20 && document.querySelector(".tip:not([hidden]) .tip-more").textContent === "3 more"`)
}

// However far one zooms, no two ticks of an axis say the same.
func TestPRCurvesTicks(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, curveLogs(t).dir)
	s.Before(`(() => {
		const write = CanvasRenderingContext2D.prototype.fillText, clear = CanvasRenderingContext2D.prototype.clearRect;
		CanvasRenderingContext2D.prototype.clearRect = function(...a) { this.canvas.wrote = []; clear.apply(this, a); };
		CanvasRenderingContext2D.prototype.fillText = function(text, x, y, ...more) {
			(this.canvas.wrote ??= []).push([text, this.textAlign]);
			write.call(this, text, x, y, ...more);
		};
	})()`)
	s.fresh("#pr_curves")
	s.cards("pr/x", "pr/y")
	chart := s.Control("article", "pr/x").Control("img", "Precision over recall of 2 runs")
	chart.Wait()
	for range 14 {
		s.Wheel(chart.Box().Part(0.6, 0.3), -400, "Control")
	}
	s.Until(func() string {
		var texts []string // those of the axis on the left
		s.Eval(`(document.querySelector('article[data-tag="pr/x"] canvas').wrote ?? []).filter(w => w[1] === "right").map(w => w[0])`, &texts)
		for i, text := range texts {
			if slices.Contains(texts[:i], text) {
				return fmt.Sprintf("the axis says %q", texts)
			}
		}
		if len(texts) < 3 || len(texts[0]) < 6 {
			return fmt.Sprintf("it is not zoomed: %q", texts)
		}
		return ""
	})
}
