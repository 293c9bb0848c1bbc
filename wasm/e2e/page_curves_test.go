//go:build !js

package e2e

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// What a visitor sees first: groups, cards, runs in their colours, curves at the values
// that were logged.
func TestPageCurves(t *testing.T) {
	t.Parallel()
	l := pins(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := look(t, kind, l.dir)
			s.cards(first...)
			s.list("+alpha", "+beta", "+solo/x", "+[sweep 3]", "+s1", "+s2", "+s3")
			s.draws("flat/level", linear,
				want{"alpha", 50, 2, false}, want{"beta", 50, 4, false}, want{"s1", 50, 6, false},
				want{"s2", 50, 8, false}, want{"s3", 50, 10, false}, want{"solo/x", 50, 12, false})
			s.axes("flat/level", "0 20 40 60 80 100", "2 4 6 8 10 12")
			s.draws("line/up", linear, want{"alpha", 99, 98.5, false}, want{"beta", 99, 1.5, false})
			s.draws("lone", linear, want{"alpha", 7, 3, false}) // a point alone is a dot
			s.Control("article", "flat/level").Is(`e.querySelector("[role=img]").ariaLabel === "Curves of 6 runs, step 0 to 100, values 2 to 12"`)
		})
	}
}

// smoothed is the smoothed form of stairs/up at a step: see shared/smooth.
func smoothed(weight float64, step int) float64 {
	s, power := 0.0, 1.0
	for i := range step + 1 {
		s *= weight
		if i >= 50 {
			s += 10 * (1 - weight)
		}
		power *= weight
	}
	return s / (1 - power)
}

// The strong line is the smoothed one, and the logged values are faint behind it; with
// the slider at its left end there is one line.
func TestPageSmoothing(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	slider, box := s.Control("slider", "Smoothing"), s.Control("spinbutton", "Smoothing weight")
	slider.Value("0.6")
	box.Value("0.6")
	s.draws("stairs/up", linear, want{"alpha", 51, smoothed(0.6, 51), false}, want{"alpha", 51, 10, true}, want{"alpha", 90, 10, false})
	box.Fill("0.95")
	slider.Value("0.95")
	s.hash("#timeseries&smoothing=0.95")
	s.draws("stairs/up", linear, want{"alpha", 60, smoothed(0.95, 60), false}, want{"alpha", 60, 10, true}, want{"alpha", 75, smoothed(0.95, 75), false})
	// What is no weight changes nothing, and does not stay.
	box.Fill("7")
	s.Press("Tab")
	box.Value("0.95")
	s.draws("stairs/up", linear, want{"alpha", 60, smoothed(0.95, 60), false})
	slider.Value("0.95")

	slider.Slide(0.8)
	var weight float64
	slider.Is(`e.valueAsNumber !== 0.95`)
	slider.Get(`e.valueAsNumber`, &weight)
	if math.Abs(weight-0.8) > 0.05 {
		t.Errorf("four fifths along the slider is %g", weight)
	}
	box.Value(fmt.Sprint(weight))
	s.draws("stairs/up", linear, want{"alpha", 55, smoothed(weight, 55), false}, want{"alpha", 60, smoothed(weight, 60), false})
	s.Press("Home")
	slider.Value("0")
	s.hash("#timeseries&smoothing=0")
	s.draws("stairs/up", linear, want{"alpha", 51, 10, false}, want{"alpha", 48, 0, false})
	p := s.still("stairs/up")
	s.Hover(p.at(60, 5))
	s.tips(false, []string{"Run", "Value", "Step"}, []string{"alpha", "10", "60"})
	if tip := s.tip(false); fmt.Sprint(tip.Columns) != "[ Run Value Step Time Relative]" {
		t.Errorf("without smoothing the tooltip has the columns %q", tip.Columns)
	}
}

// Vertical scales: what is a straight line on a logarithmic axis is drawn as one; the
// range leaves out outliers or shows them; a card's own scale.
func TestPageScales(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0")
	all := []want{{"alpha", 25.5, math.Pow(10, 25.5/25), false}, {"alpha", 50.5, math.Pow(10, 50.5/25), false}, {"alpha", 75.5, math.Pow(10, 75.5/25), false}}
	s.draws("pow/ten", linear, all[2])
	s.Control("radiogroup", "Vertical scale").Control("radio", "Log").Click()
	s.draws("pow/ten", math.Log10, all...)
	s.hash("#timeseries&smoothing=0&y=log10")
	// Values that a logarithm has not lie on the lower edge.
	s.draws("line/up", math.Log10, want{"alpha", 10.5, 10.5, false})
	s.Control("radiogroup", "Vertical scale").Control("radio", "Symlog").Click()
	s.draws("pow/ten", symlog, all...)
	s.hash("#timeseries&smoothing=0&y=symlog10")
	s.Control("radiogroup", "Vertical scale").Control("radio", "Linear").Click()
	s.draws("pow/ten", linear, all[2])
	s.hash("#timeseries&smoothing=0")

	// One card alone.
	card := s.Control("article", "pow/ten")
	card.Control("button", "Lin, Y axis: linear (click to change)").Click()
	s.draws("pow/ten", math.Log10, all...)
	card.Control("button", "Log, Y axis: logarithmic (click to change)").Says("Log")
	s.Control("article", "line/up").Control("button", "Lin, Y axis: linear (click to change)").Says("Lin")
	s.stored(map[string]any{"pow/ten": map[string]string{"y": "log10"}}, "tagAxisScales")
	s.again()
	s.draws("pow/ten", math.Log10, all...)
	card.Control("button", "Log, Y axis: logarithmic (click to change)").Click()
	s.draws("pow/ten", symlog, all...)
	card.Control("button", "±Log, Y axis: symmetric log (click to change)").Says("±Log")
	card.Control("button", "±Log, Y axis: symmetric log (click to change)").Click()
	s.draws("pow/ten", linear, all[2])
	// A scale for all of them ends the cards' own.
	card.Control("button", "Lin, Y axis: linear (click to change)").Click()
	s.Control("radiogroup", "Vertical scale").Control("radio", "Symlog").Click()
	s.draws("pow/ten", symlog, all...)
	s.Control("radiogroup", "Vertical scale").Control("radio", "Linear").Click()

	// Outliers.
	s.axes("spike/one", "0 20 40 60 80 100", "1 1.2 1.4 1.6 1.8 2")
	box := s.Control("checkbox", "Ignore outliers in the range")
	box.Click()
	box.Checked(false)
	s.axes("spike/one", "0 20 40 60 80 100", "0 200 400 600 800 1,000")
	s.draws("spike/one", linear, want{"alpha", 50, 900, false})
	s.stored(false, "outliers")
	s.again()
	box.Checked(false)
	s.axes("spike/one", "", "0 200 400 600 800 1,000")
	box.Click()
	s.axes("spike/one", "", "1 1.2 1.4 1.6 1.8 2")
}

// The horizontal axis: steps, time since a run's start, time of day.
func TestPageHorizontal(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0")
	axis := s.Control("radiogroup", "Horizontal axis")
	axis.Control("radio", "Step").Checked(true)
	s.axes("line/up", "0 20 40 60 80 100", "")
	axis.Control("radio", "Relative").Click()
	s.hash("#timeseries&smoothing=0&x=relative")
	s.axes("line/up", "0 s 5 min 10 min 15 min 20 min 25 min 30 min", "")
	// alpha ends after 1000 s, beta begins at 0 as well.
	s.draws("line/up", linear, want{"alpha", 900, 90, false}, want{"beta", 900, 55, false}, want{"beta", 1900, 5, false})
	// In words it is so too.
	s.Control("article", "line/up").Control("img", "Curves of 2 runs, relative 0 s to 33 min 20 s, values 0 to 100").Wait()
	p := s.still("line/up")
	s.Hover(p.at(900, 90))
	s.tips(false, []string{"Run", "Value", "Step", "Relative"}, []string{"alpha", "90", "90", "15 min"}, []string{"beta", "55", "45", "15 min"})
	if tip := s.tip(false); tip.Title != "15 min" {
		t.Errorf("the tooltip is headed %q", tip.Title)
	}
	axis.Control("radio", "Wall").Click()
	s.hash("#timeseries&smoothing=0&x=wall")
	// beta begins 100 s after alpha: where alpha stands at 20, beta is at 95.
	s.Until(func() string {
		if p, ok := s.plotOf("line/up"); !ok || !strings.Contains(p.xs[0].Text, ":") {
			return "the axis has no times"
		}
		if p, _ := s.plotOf("line/up"); strings.Count(strings.Join(texts(p.Said), " "), "2023") != 1 {
			return fmt.Sprintf("the axis does not say the year once: %q", texts(p.Said))
		}
		return ""
	})
	p = s.still("line/up")
	at := func(seconds float64) browsertest.Point { // of 2100 s and a margin of 1.5 % at both ends
		return p.Box.Part((seconds+0.015*2100)/(1.03*2100), 0.2)
	}
	s.Hover(at(201))
	s.tips(false, []string{"Run", "Value", "Relative"}, []string{"beta", "95", "1 min 40 s"}, []string{"alpha", "20", "3 min 20 s"})
	var clock string
	s.Eval(`new Intl.DateTimeFormat(undefined, {dateStyle: "medium", timeStyle: "medium"}).format(1700000200000)`, &clock)
	s.Until(func() string {
		if tip := s.tip(false); len(tip.Rows) != 2 || tip.Rows[0]["Time"] != clock || tip.Title != clock {
			return fmt.Sprintf("the tooltip says %+v, not %s", tip, clock)
		}
		return ""
	})
	axis.Control("radio", "Step").Click()
	s.hash("#timeseries&smoothing=0")
	s.axes("line/up", "0 20 40 60 80 100", "")
}

// The tooltip: a row for each run with its own numbers and colour, in the order that is
// set; the crosshair on all cards; pinned, it stays and has all rows.
func TestPageTooltip(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.Before(drawing)
	s.fresh("#timeseries")
	s.draws("flat/level", linear, want{"alpha", 50, 2, false}, want{"solo/x", 50, 12, false})
	s.draws("stairs/up", linear, want{"alpha", 90, 10, false})
	s.draws("line/up", linear, want{"alpha", 99, 98.5, false})
	p := s.still("flat/level")
	s.Hover(p.at(50, 4.6))
	columns := []string{"", "Run", "Smoothed", "Value", "Step", "Relative"}
	line := func(row, run, value, relative string) []string {
		return []string{string(s.color(row)), run, value, value, "50", relative}
	}
	alpha, beta, solo := line("alpha", "alpha", "2", "8 min 20 s"), line("beta", "beta", "4", "16 min 40 s"), line("solo/x", "solo/x", "12", "16 min 40 s")
	s1, s2, s3 := line("s1", "sweep/s1", "6", "16 min 40 s"), line("s2", "sweep/s2", "8", "16 min 40 s"), line("s3", "sweep/s3", "10", "16 min 40 s")
	s.tips(false, columns, beta, s1, alpha, s2, s3, solo)
	if tip := s.tip(false); tip.Title != "step 50" || fmt.Sprint(tip.Columns) != "[ Run Smoothed Value Step Time Relative]" || tip.After != "" {
		t.Errorf("the tooltip is %+v", tip)
	}
	s.drawn(article("flat/level"), "curves-pointed")
	// The crosshair stands at the step on the other cards too.
	s.crossed(true, 50, "flat/level", "line/up")
	// Over another card: its values. Smoothed and logged differ.
	q := s.still("line/up")
	s.Hover(q.at(80, 76))
	s.tips(false, []string{"Run", "Value", "Step"}, []string{"alpha", "80", "80"}, []string{"beta", "20", "80"})
	up := s.still("stairs/up")
	s.Hover(up.at(52, 5))
	s.tips(false, columns, []string{string(s.color("alpha")), "alpha", "7.84", "10", "52", "8 min 40 s"})
	s.drawn(article("stairs/up"), "curves-smoothed")
	s.said(tooltip, "curves-tip")
	s.Hover(s.Control("heading", "Settings").Box().Middle())
	s.tips(false, columns)
	s.crossed(false, 80, "flat/level", "line/up")

	// Order and number of rows.
	order := s.Control("combobox", "Tooltip order")
	for _, c := range []struct {
		name, kept string
		rows       [][]string
	}{
		{"Ascending", "ascending", [][]string{alpha, beta, s1, s2, s3, solo}},
		{"Descending", "descending", [][]string{solo, s3, s2, s1, beta, alpha}},
		{"Alphabetical", "alphabetical", [][]string{alpha, beta, solo, s1, s2, s3}},
	} {
		order.Choose(c.name)
		s.stored(c.kept, "tipOrder")
		p = s.still("flat/level")
		s.Hover(p.at(50, 4.6))
		s.tips(false, columns, c.rows...)
	}
	rows := s.Control("spinbutton", "Tooltip rows")
	rows.Value("10")
	rows.Fill("2")
	s.stored(2, "tipRows")
	s.Hover(p.at(50, 4.6))
	s.tips(false, columns, alpha, beta)
	if tip := s.tip(false); tip.After != "4 more · click to pin and see them" {
		t.Errorf("below the rows stands %q", tip.After)
	}
	s.again()
	order.Is(`e.selectedOptions[0].label === "Alphabetical"`)
	rows.Value("2")
	s.draws("flat/level", linear, want{"alpha", 50, 2, false}, want{"solo/x", 50, 12, false})
	p = s.still("flat/level")
	s.Hover(p.at(50, 4.6))
	s.tips(false, columns, alpha, beta)

	// Pinned.
	s.Click(p.at(50, 4.6))
	s.tips(true, columns, alpha, beta, solo, s1, s2, s3)
	s.said(dialog, "curves-pinned")
	s.tips(false, columns)
	s.Hover(p.at(20, 11))
	s.tips(true, columns, alpha, beta, solo, s1, s2, s3)
	s.Control("dialog", "Values").Control("button", "Close").Click()
	s.Control("dialog", "Values").Gone()
	s.Click(p.at(50, 4.6))
	s.Control("dialog", "Values").Wait()
	s.Press("Escape")
	s.Control("dialog", "Values").Gone()
	s.Click(p.at(50, 4.6))
	s.Control("dialog", "Values").Wait()
	s.Click(p.at(50, 9))
	s.Control("dialog", "Values").Gone()
}
