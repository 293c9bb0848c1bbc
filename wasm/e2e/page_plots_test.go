//go:build !js

package e2e

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// onAxis is a place on axis i of n of the parallel coordinates: part is 0 at the low end of
// the axis and 1 at the high one; -1 is the place of runs without a value.
func (s *screen) onAxis(i, n int, part float64) browsertest.Point {
	b := s.Control("img", "Parallel coordinates*").Box()
	const left, top, bottom, none = 56, 40, 296, 318
	p := browsertest.Point{X: b.X + left + float64(i)*(b.Width-2*left)/float64(n-1), Y: b.Y + bottom - part*(bottom-top)}
	if part < 0 {
		p.Y = b.Y + none
	}
	return p
}

// before is the place on the line between two places that lies so far to the left of the right
// one: an axis takes what is nearer to it.
func before(to, from browsertest.Point, aside float64) browsertest.Point {
	return browsertest.Point{X: to.X - aside, Y: to.Y - aside*(to.Y-from.Y)/(to.X-from.X)}
}

// plotOfRuns is what holds a plot, its axes and what is chosen for them.
const plotOfRuns = `document.querySelector("[aria-label='Plot of runs']")`

// pass waits until a plot says that so many of its runs pass all filters.
func (s *screen) pass(plot string, n int) {
	s.t.Helper()
	s.Control("img", plot+"*").Is(fmt.Sprintf(`e.ariaLabel.endsWith("; %d pass all filters")`, n))
}

// textsAre waits until the elements of an expression have these texts, in their order.
func (s *screen) textsAre(elements string, want ...string) {
	s.t.Helper()
	s.Until(func() string {
		var got []string
		err := s.TryEval(`[...`+elements+`].map(e => e.textContent)`, &got)
		if !slices.Equal(got, want) {
			return fmt.Sprintf("%s have the texts %q, not %q (%v)", elements, got, want, err)
		}
		return ""
	})
}

// axesAre waits until the plot's axes have these titles, from left to right.
func (s *screen) axesAre(want ...string) {
	s.t.Helper()
	s.textsAre(`document.querySelectorAll("[aria-label='Plot of runs'] .hp-axis")`, want...)
}

// Parallel coordinates: a brush on an axis is a filter of its column everywhere; it is moved,
// resized and taken away; names and runs without a value are brushed, too.
func TestPageParallelBrush(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, sweep(t, 12))
	s.Before(drawing)
	s.fresh("#hparams")
	plot := s.Control("combobox", "Plot")
	plot.Choose("Parallel coordinates")
	s.axesAre("depth", "lr", "opt", "acc")
	s.Control("region", "Plot of runs").Is(`tbUser.text(e).includes("0.11")`) // the numbers have come
	s.pass("Parallel coordinates", 12)
	chips := func(want ...string) {
		t.Helper()
		s.Until(func() string {
			var got []string
			s.TryEval(`[...document.querySelectorAll(".hp-chip button:first-child")].map(e => e.textContent)`, &got)
			if !slices.EqualFunc(got, want, strings.HasPrefix) { // where a hand is on an axis is not exact
				return fmt.Sprintf("filters are %q, not %q", got, want)
			}
			return ""
		})
	}
	// acc goes from 0 to 0.11.
	s.Drag(s.onAxis(3, 4, 0.5), s.onAxis(3, 4, 1))
	s.pass("Parallel coordinates", 6)
	chips("acc 0.05")
	// What a brush leaves out is not under the pointer.
	pointed := func(run int, opt float64, want string) {
		t.Helper()
		s.Hover(before(s.onAxis(3, 4, float64(run)/11), s.onAxis(2, 4, opt), 20))
		s.Until(func() string {
			var tip string
			s.TryEval(`document.querySelector(".tip:not([hidden])")?.innerText.match(/s\d\d/)?.[0] ?? "none"`, &tip)
			if tip != want {
				return "under the pointer is " + tip + ", not " + want
			}
			return ""
		})
	}
	pointed(7, 0.25, "s07")
	pointed(3, 0.25, "none")
	s.Hover(browsertest.Point{X: 2, Y: 2})
	s.drawn(plotOfRuns, "parallel-brushed")
	s.said(plotOfRuns, "parallel-brushed")
	s.shown("12 of 25 runs shown")
	s.Control("button", "Time series").Click()
	s.shown("12 of 25 runs shown")
	s.Control("button", "Hyperparameters").Click()
	// The brush is moved, and made wider.
	s.Drag(s.onAxis(3, 4, 0.75), s.onAxis(3, 4, 0.25))
	s.pass("Parallel coordinates", 6)
	chips("acc 0 – 0.05")
	s.Drag(s.onAxis(3, 4, 0.5), s.onAxis(3, 4, 0.77))
	s.pass("Parallel coordinates", 9)
	// A second one, of names.
	s.Click(s.onAxis(2, 4, 0.25))
	chips("acc 0 – 0.08", "opt is adam")
	s.Hover(browsertest.Point{X: 2, Y: 2})
	s.drawn(plotOfRuns, "parallel-named")
	s.pass("Parallel coordinates", 4)
	// Both are in the other plots, and after a reload.
	plot.Choose("Scatter matrix")
	s.pass("Scatter matrix", 4)
	plot.Choose("Scatter plot")
	s.pass("Scatter plot", 4)
	s.again()
	s.pass("Scatter plot", 4)
	plot.Choose("Parallel coordinates")
	s.pass("Parallel coordinates", 4)
	s.Click(s.onAxis(2, 4, 0.25))
	s.pass("Parallel coordinates", 9)
	s.Click(s.onAxis(3, 4, 0.9))
	s.pass("Parallel coordinates", 12)
	chips()
	// None has a place of its own.
	s.Click(s.onAxis(0, 4, -1))
	s.pass("Parallel coordinates", 1)
	chips("depth is None, or is missing")
	s.Control("button", "Clear all filters").Click()
	s.pass("Parallel coordinates", 12)
	// By keys: the filter of the axis's column.
	s.Control("region", "Plot of runs").Control("button", "lr").Get("e.focus()", nil)
	s.Press("ArrowRight")
	s.Press("ArrowRight")
	s.Press("ArrowDown", "Alt")
	s.Control("dialog", "Filter acc").Control("spinbutton", "At least").Fill("0.095")
	s.pass("Parallel coordinates", 2)
	s.Press("Escape")
	s.Control("button", "Clear all filters").Click()
	s.pass("Parallel coordinates", 12)
	// A run that is hidden has no line.
	line := s.Control("grid", "Runs").Control("row", "s03*")
	line.Hover()
	line.Control("button", "Run").Click()
	s.Control("menuitem", "Hide for good").Click()
	s.Control("img", "Parallel coordinates of 11 runs*").Wait()
	s.pass("Parallel coordinates", 11)
	s.Control("main", "*").Control("button", "1 hidden: show").Click()
	s.pass("Parallel coordinates", 12)
}

// Axes are moved, flipped, scaled, coloured by, removed and added; what is under the pointer
// tells its values, and a click shows that run alone. All of it stays.
func TestPageParallelAxes(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, sweep(t, 12))
	s.Before(drawing)
	s.fresh("#hparams")
	plots := s.Control("region", "Plot of runs")
	s.Control("combobox", "Plot").Choose("Parallel coordinates")
	s.axesAre("depth", "lr", "opt", "acc")
	plots.Is(`tbUser.text(e).includes("0.11")`) // the numbers have come
	axis := func(name string) browsertest.Control { return plots.Control("button", name) }

	// The run with the greatest acc: between the axes of opt and acc, close to the latter.
	p := s.onAxis(3, 4, 1)
	s.Hover(browsertest.Point{X: p.X - 14, Y: p.Y + 4})
	s.Until(func() string {
		var tip string
		s.TryEval(`document.querySelector(".tip:not([hidden])")?.innerText ?? ""`, &tip)
		for _, want := range []string{"s11", "lr\t0.3", "opt\tadam", "acc\t0.11"} {
			if !strings.Contains(tip, want) {
				return fmt.Sprintf("the tooltip is %q, without %q", tip, want)
			}
		}
		return ""
	})
	s.said(tooltip, "parallel-tip")
	s.drawn(plotOfRuns, "parallel-pointed")
	s.Click(browsertest.Point{X: p.X - 14, Y: p.Y + 4})
	s.shown("2 of 25 runs shown")
	s.Click(browsertest.Point{X: p.X - 14, Y: p.Y + 4})
	s.shown("25 of 25 runs shown")
	// With Shift one more, or one less. The line of s10 ends below that of s11, in another name.
	s.Click(browsertest.Point{X: p.X - 14, Y: p.Y + 4})
	s.shown("2 of 25 runs shown")
	more := before(s.onAxis(3, 4, 10.0/11), s.onAxis(2, 4, 0.75), 20)
	s.Click(more, "Shift")
	s.shown("4 of 25 runs shown")
	s.Click(more, "Shift")
	s.shown("2 of 25 runs shown")
	s.Click(browsertest.Point{X: p.X - 14, Y: p.Y + 4})
	s.shown("25 of 25 runs shown")

	axis("acc").Get("e.focus()", nil)
	s.Press("ArrowLeft", "Alt")
	s.axesAre("depth", "lr", "acc", "opt")
	axis("acc").Focused()
	s.Drag(axis("opt").Box().Middle(), axis("depth").Box().Part(0.05, 0.5))
	s.axesAre("opt", "depth", "lr", "acc")
	axis("depth").Click()
	s.Control("menuitem", "Remove").Click()
	s.axesAre("opt", "lr", "acc")
	plots.Control("button", "Axes").Click()
	pick := s.Control("dialog", "Axes")
	pick.Control("searchbox", "Search columns").Fill("eval min")
	pick.Control("checkbox", "eval: loss min").Click()
	s.axesAre("opt", "lr", "acc", "eval: loss min")
	s.Press("Escape")
	menu := func(name, item string) {
		t.Helper()
		axis(name).Click()
		s.Control("menuitem", item).Click()
		s.Control("menu", "*").Gone()
	}
	menu("opt", "Flip")
	s.stored(true, "runPlotFlips", "param?name=opt")
	menu("opt", "Flip")
	s.stored(nil, "runPlotFlips", "param?name=opt")
	menu("acc", "Flip")
	menu("lr", "Log scale")
	menu("eval: loss min", "Quantile scale")
	menu("lr", "Colour by this")
	check := func() {
		t.Helper()
		s.axesAre("opt", "lr", "acc", "eval: loss min")
		plots.Control("combobox", "Colour").Is(`e.selectedOptions[0].textContent === "lr"`)
		s.stored("log", "runPlotScales", "param?name=lr")
		s.stored("quantile", "runPlotScales", "min?name=loss&group=eval")
		s.stored(true, "runPlotFlips", "last?name=acc")
	}
	check()
	s.again()
	check()
	s.Until(func() string { // the numbers have come
		if g := s.grid(); !slices.ContainsFunc(g, func(row string) bool { return strings.HasSuffix(row, "| 0.11") }) {
			return fmt.Sprintf("the table is %q", g)
		}
		return ""
	})
	axis("lr").Click()
	s.Control("menuitem", "✓ Log scale").Wait()
	s.said(openMenu, "parallel-axis-menu")
	s.Press("Escape")
	s.Hover(browsertest.Point{X: 2, Y: 2})
	s.drawn(plotOfRuns, "parallel-scaled")
	s.said(plotOfRuns, "parallel-scaled")
	// On the flipped axis the great values are below.
	// The line of s11 comes down to it from the upper end of lr.
	s.Hover(before(s.flipped(2, 4, 0), s.flipped(1, 4, 1), 14))
	s.Until(func() string {
		var tip string
		s.TryEval(`document.querySelector(".tip:not([hidden])")?.innerText ?? ""`, &tip)
		if !strings.Contains(tip, "s11") || !strings.Contains(tip, "acc\t0.11") {
			return fmt.Sprintf("at the flipped axis' lower end is %q", tip)
		}
		return ""
	})
	s.Drag(s.flipped(2, 4, 0.5), s.flipped(2, 4, 0))
	s.pass("Parallel coordinates", 6)
	s.Control("button", "Take away: acc 0.05*").Click()
	// By quantiles a quarter of the axis has a quarter of the runs.
	s.Drag(s.flipped(3, 4, 0.74), s.flipped(3, 4, 1))
	s.pass("Parallel coordinates", 3)
}

// flipped is onAxis where no axis has runs without a value.
func (s *screen) flipped(i, n int, part float64) browsertest.Point {
	p := s.onAxis(i, n, part)
	b := s.Control("img", "Parallel coordinates*").Box()
	p.Y = b.Y + 318 - part*(318-40)
	return p
}

// The matrix and the scatter plot: a box around points filters by both columns.
func TestPageScatter(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, sweep(t, 12))
	s.Before(drawing)
	s.fresh("#hparams")
	plots := s.Control("region", "Plot of runs")
	s.Control("combobox", "Plot").Choose("Scatter plot")
	// At first a metric stands over a hyperparameter.
	plots.Control("combobox", "Across").Is(`e.selectedOptions[0].textContent === "depth"`)
	plots.Control("combobox", "Up").Is(`e.selectedOptions[0].textContent === "acc"`)
	plots.Control("combobox", "Across").Choose("acc")
	plots.Control("combobox", "Up").Choose("lr")
	img := s.Control("img", "Scatter plot of 12 runs over acc, lr;*")
	img.Wait()
	plots.Is(`tbUser.text(e).includes("0.11")`) // the numbers have come
	b := img.Box()
	// The field lies from 69 to 17 before the right edge, and from 35 to 55 above the bottom.
	at := func(x, y float64) browsertest.Point {
		return browsertest.Point{X: b.X + 69 + x*(b.Width-86), Y: b.Y + b.Height - 55 - y*(b.Height-90)}
	}
	s.Drag(at(0.3, 0.4), at(0.9, 1)) // acc from 0.033 to 0.099, lr 0.2 and 0.3
	s.pass("Scatter plot", 4)
	s.shown("8 of 25 runs shown")
	s.Hover(at(5.0/11, 1)) // s05
	s.Until(func() string {
		var tip string
		s.TryEval(`document.querySelector(".tip:not([hidden])")?.innerText ?? ""`, &tip)
		if !strings.Contains(tip, "s05") || !strings.Contains(tip, "acc\t0.05") {
			return "the tooltip is " + tip
		}
		return ""
	})
	s.drawn(plotOfRuns, "scatter")
	s.said(plotOfRuns, "scatter")
	s.said(tooltip, "scatter-tip")
	s.Click(at(0.1, 0.5)) // nowhere
	s.pass("Scatter plot", 12)
	// What colours mean: names in colours of their own, or the ends of a range.
	color := plots.Control("combobox", "Colour")
	color.Choose("opt")
	plots.Is(`[...e.querySelectorAll(".hp-key")].map(k => k.textContent).join() === "adam,sgd" && new Set([...e.querySelectorAll(".hp-key i")].map(i => i.style.background)).size === 2`)
	color.Choose("lr")
	plots.Is(`tbUser.text(e.querySelector(".hp-legend")).replace(/\s+/g, " ") === "0.1 0.3"`)
	color.Choose("Run")
	plots.Is(`!e.querySelector(".hp-legend").checkVisibility() || !/0\.1/.test(tbUser.text(e.querySelector(".hp-legend")))`)
	color.Choose("First metric")

	s.Control("combobox", "Plot").Choose("Scatter matrix")
	s.axesAre("depth", "lr", "opt", "acc")
	s.Control("img", "Scatter matrix*").Wait()
	plots.Control("button", "depth").Click()
	s.Control("menuitem", "Remove").Click()
	s.axesAre("lr", "opt", "acc")
	b = s.Control("img", "Scatter matrix*").Box()
	size := (b.Width - 50) / 3
	s.Drag(browsertest.Point{X: b.X + 50 + size*0.6, Y: b.Y + 170*2.96}, browsertest.Point{X: b.X + 50 + size*1.02, Y: b.Y + 170*1.9}) // lr 0.3, all acc
	s.pass("Scatter matrix", 4)
	s.Hover(browsertest.Point{X: 2, Y: 2})
	s.drawn(plotOfRuns, "scatter-matrix")
	s.said(plotOfRuns, "scatter-matrix")
	s.again()
	s.pass("Scatter matrix", 4)
	s.axesAre("lr", "opt", "acc")

	// A column that no run has any more is named as it was chosen.
	s.fresh("#hparams&plot=scatter&plotX=param%3Fname%3Dgone&plotY=last%3Fname%3Dacc")
	plots.Control("combobox", "Across").Is(`e.selectedOptions[0].textContent === "gone"`)
	plots.Control("combobox", "Up").Is(`e.selectedOptions[0].textContent === "acc"`)
	plots.Control("button", "Axes").Gone() // those of a scatter plot stand beside it
	s.fresh("#hparams&plot=scatter&plotX=param%3Fname%3Dlr&plotY=last%3Fname%3Dacc&plotColor=param%3Fname%3Dopt")
	s.Control("checkbox", "All runs").Click()
	plots.Is(`[...e.querySelectorAll(".hp-key")].map(k => k.textContent).join() === "adam,sgd,none" && new Set([...e.querySelectorAll(".hp-key i")].map(i => i.style.background)).size === 3`)
}

// What plots put into pixels by hand: dots and lines of a colour, whole and faint, flat, steep and
// back, as wide as they are said to be, and nothing beyond the edges.
func TestPagePlotPixels(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, sweep(t, 3))
	s.fresh("#hparams")
	s.Control("combobox", "Plot").Choose("Scatter plot")
	s.Control("img", "Scatter plot*").Wait()
	var wrong []string
	s.Eval(`(() => {
		const wrong = [], W = 60, H = 40;
		const made = (draw) => { const r = new tbH.Raster(W, H, "#ffffff"); draw(r); const d = r.image().data; return (x, y) => [...d.slice(4 * (y * W + x), 4 * (y * W + x) + 4)].join(); };
		const is = (what, got, want) => { if (String(got) !== String(want)) wrong.push(what + ": " + got + ", not " + want); };
		const white = "255,255,255,255", ink = "255,128,0,255";
		const inked = (at) => { let n = 0; for (let y = 0; y < H; y++) for (let x = 0; x < W; x++) if (at(x, y) !== white) n++; return n; };

		let at = made((r) => { r.color(0xff8000, 1); r.dot(20, 10, 4); });
		is("a dot's middle", at(20, 10), ink);
		is("a dot's inside", at(23, 10), ink);
		is("a dot's outside", at(25, 10), white);
		const area = inked(at);
		if (area < 49 || area > 75) wrong.push("a dot of radius 4 covers " + area + " pixels");

		at = made((r) => { r.color(0xff8000, 0.5); r.dot(20, 10, 4); });
		is("a faint dot", at(20, 10).split(",").map((v, i) => Math.abs(v - [255, 191, 127, 255][i]) < 3), "true,true,true,true");

		at = made((r) => { r.color(0xff8000, 1); r.line(5, 20, 50, 20); });
		is("a flat line", [at(5, 20), at(30, 20), at(50, 20), at(4, 20), at(51, 20), at(30, 19), at(30, 21)].join(" "), [ink, ink, ink, white, white, white, white].join(" "));
		at = made((r) => { r.color(0xff8000, 1); r.line(30, 35, 30, 5); });
		is("a steep line, upwards", [at(30, 5), at(30, 20), at(30, 35), at(30, 4), at(30, 36), at(29, 20), at(31, 20)].join(" "), [ink, ink, ink, white, white, white, white].join(" "));
		at = made((r) => { r.color(0xff8000, 1); r.line(10, 0, 20, 30); });
		is("a line of a slope", [at(10, 0), at(15, 15), at(20, 30), at(15, 0), at(10, 30)].join(" "), [ink, ink, ink, white, white].join(" "));
		is("one pixel or two in each row", inked(at) >= 31 && inked(at) <= 62, true);
		at = made((r) => { r.color(0xff8000, 1); r.line(10, 10.5, 20, 10.5); });
		is("a line between two rows is shared", at(15, 10) === at(15, 11) && at(15, 10) !== white && at(15, 10) !== ink, true);
		at = made((r) => { r.color(0xff8000, 1); r.line(-20, 20, 100, 20); r.dot(0, 0, 3); r.dot(W, H, 3); r.line(30, -50, 30, 90); r.line(0, 300, 50, 400); });
		is("beyond the edges", [at(0, 20), at(W - 1, 20), at(0, 0), at(30, 0), at(W - 1, 0), at(0, H - 1)].join(" "), [ink, ink, ink, ink, white, white].join(" "));
		return wrong;
	})()`, &wrong)
	for _, w := range wrong {
		t.Error(w)
	}
}

// Lines take several frames. A plot that becomes another one meanwhile, and the one it was again, looks as before:
// nothing stays of lines that were half drawn.
func TestPagePlotMeanwhile(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, sweep(t, 260))
	s.fresh("#hparams")
	s.Control("grid", "Runs").Is(`tbUser.text(e).includes("0.09")`) // the numbers have come
	for _, kind := range []string{"Parallel coordinates", "Scatter matrix"} {
		s.Control("combobox", "Plot").Choose(kind)
		s.pass(kind, 260)
		s.Wait(`tbFlips = 0, document.querySelector(".hp-plot-in canvas").width > 1000`)
		s.Rest()
		var was, is string
		const picture = `document.querySelector(".hp-plot-in canvas").toDataURL()`
		s.Until(func() string {
			before := was
			s.Eval(picture, &was)
			if was != before {
				return "the plot is still being drawn"
			}
			return ""
		})
		// A clock by which a step of drawing takes long: one in each frame. The axis is turned, and as soon as the
		// drawing of that has begun turned back.
		s.Eval(`(() => {
			const now = performance.now, work = tbH.Layer.prototype.work;
			const flip = () => {
				tbFlips++;
				[...document.querySelectorAll(".hp-axis")].at(-1).click();
				[...document.querySelectorAll("[role=menuitem]")].find((e) => e.textContent === "Flip").click();
			};
			let time = now.call(performance);
			performance.now = () => time += 7;
			tbH.Layer.prototype.work = function () {
				work.call(this);
				if (tbFlips === 1 && this.job) flip();
				else if (tbFlips === 2 && !this.busy()) {
					performance.now = now;
					tbH.Layer.prototype.work = work;
					tbFlips = 3;
				}
			};
			flip();
		})()`, nil)
		s.Wait(`tbFlips === 3`)
		s.Rest()
		s.Until(func() string {
			s.Eval(picture, &is)
			if is != was {
				return kind + " shows something else after an axis was turned and turned back"
			}
			return ""
		})
	}
}

// Hyperparameters that are HTML, or no numbers, a thousand of them, and none at all: the
// plots show what there is, and say what is missing.
func TestPagePlotsOdd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range 4 {
		w, err := summary.NewWriter(filepath.Join(dir, fmt.Sprintf("r%d", i)), summary.Options{})
		if err != nil {
			t.Fatal(err)
		}
		params := map[string]any{"<img src=x onerror=document.title=1>": fmt.Sprintf("<script>document.title=%d</script>", i), "zero": []float64{0, 0.1, 10, 1000}[i]}
		for k := range 990 {
			params[fmt.Sprintf("p%04d", k)] = i * k
		}
		w.HParams(params, []string{"acc", "diverged"}, summary.WallSeconds(1700000000))
		for tag, v := range map[string]float64{"acc": []float64{1, 2, 3, 4}[i], "diverged": math.NaN()} {
			if err := w.Scalar(tag, v, 1, summary.WallSeconds(1700000000)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s := come(t, browsertest.Chromium, dir)
	s.fresh("#hparams")
	table := s.Control("grid", "Runs")
	table.Is(`+e.ariaColCount > 10`) // the hyperparameters have come
	s.Control("button", "Columns").Click()
	s.Control("button", "Only those that differ").Click()
	s.Press("Escape")
	table.Is(`+e.ariaColCount > 980`)
	table.Is(`e.querySelectorAll("[role=columnheader]").length < 40`) // only those near the screen
	table.Get(`e.scrollLeft = 50000`, nil)
	table.Is(`[...e.querySelectorAll("[role=columnheader]")].some(h => h.ariaColIndex > 300)`)
	for _, plot := range []string{"Parallel coordinates", "Scatter matrix", "Scatter plot"} {
		s.Control("combobox", "Plot").Choose(plot)
		s.pass(plot, 4)
	}
	plots := s.Control("region", "Plot of runs")
	plots.Control("combobox", "Across").Choose("<img src=x onerror=document.title=1>")
	plots.Control("combobox", "Colour").Choose("<img src=x onerror=document.title=1>")
	plots.Control("combobox", "Up").Choose("zero")
	plots.Control("button", "zero").Click()
	s.Control("menuitem", "Log scale").Click()
	s.pass("Scatter plot", 4)
	// A scalar has scales to choose from though nothing of it can be drawn, or not yet.
	plots.Control("combobox", "Up").Choose("diverged")
	plots.Control("button", "diverged").Click()
	s.Control("menuitem", "Quantile scale").Click()
	s.stored("quantile", "runPlotScales", "last?name=diverged")
	s.pass("Scatter plot", 4)
	var title string
	if s.Eval(`document.title`, &title); !strings.Contains(title, "tensorbored") {
		t.Errorf("a hyperparameter has become HTML: the title is %q", title)
	}
	// Axes are taken away until there is one: what to do is said.
	s.Control("combobox", "Plot").Choose("Parallel coordinates")
	for n := 12; n > 1; n-- {
		plots.Is(fmt.Sprintf(`e.querySelectorAll(".hp-axis").length === %d`, n))
		plots.Get(`e.querySelector(".hp-axis").focus()`, nil)
		s.Press("Delete")
	}
	plots.Is(`tbUser.text(e).includes("Lines need two axes")`)
}

// Of very many runs the newest are on; where filters leave few, all of these are.
func TestPageBrushOfMany(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, sweep(t, 260))
	s.fresh("#hparams")
	s.shown("20 of 521 runs shown")
	// Only the lines near the screen exist, and the head stays above them.
	table := s.Control("grid", "Runs")
	table.Is(`e.ariaRowCount === "261" && e.querySelectorAll("[role=row]").length < 90`)
	head := table.Control("columnheader", "acc*")
	was := head.Box()
	table.Get(`e.scrollTop = 26 * 200`, nil)
	s.Until(func() string {
		g := s.grid()
		for _, row := range g {
			if strings.HasPrefix(row, "-s199 |") || strings.HasPrefix(row, "+s199 |") {
				return ""
			}
		}
		return fmt.Sprintf("200 lines further stand %q", g[:min(len(g), 3)])
	})
	if now := head.Box(); now != was {
		t.Errorf("the head has gone from %v to %v", was, now)
	}
	table.Control("button", "Filter acc").Click()
	s.Control("dialog", "Filter acc").Control("spinbutton", "At least").Fill("2.4")
	s.shown("40 of 521 runs shown")
	s.Press("Escape")
	s.Control("combobox", "Plot").Choose("Parallel coordinates")
	s.pass("Parallel coordinates", 20)
	s.Control("button", "Clear all filters").Click()
	s.shown("20 of 521 runs shown")
}

// A log without a hyperparameter or a metric has nothing to plot, and says how it gets there.
func TestPagePlotsNone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w, err := summary.NewWriter(filepath.Join(dir, "r"), summary.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.Text("words", "none of them a number", 1)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s := come(t, browsertest.Chromium, dir)
	s.fresh("#hparams")
	s.Control("combobox", "Plot").Choose("Scatter matrix")
	s.Control("region", "Plot of runs").Is(`tbUser.text(e).includes("add hyperparameters or metrics by Columns")`)
}

// Of more columns than a plot begins with there are all hyperparameters, and as many metrics as have
// room beside them.
func TestPagePlotsOfManyColumns(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for i, run := range []string{"r1", "r2", "r3"} {
		l.file(run, "1700000000.host.1.0", func(w *summary.Buffer) {
			err := w.HParams(map[string]any{"p1": i + 2, "p2": 0.1 * float64(i+1), "p3": 9 - i, "p4": i * i, "p5": 1 << i}, nil, summary.WallSeconds(epoch))
			for m := range 8 {
				if err == nil {
					err = w.Scalar(fmt.Sprintf("m%02d", m+1), float64(m*7+i*i+3), 1, summary.WallSeconds(epoch))
				}
			}
			if err != nil {
				t.Fatal(err)
			}
		})
	}
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#hparams")
	s.Control("combobox", "Plot").Choose("Parallel coordinates")
	s.axesAre("p1", "p2", "p3", "p4", "p5", "m01", "m02", "m03", "m04", "m05", "m06", "m07")
	s.Control("combobox", "Plot").Choose("Scatter matrix")
	s.axesAre("p1", "p2", "p3", "m01")
}
