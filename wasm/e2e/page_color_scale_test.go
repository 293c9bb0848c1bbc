//go:build !js

package e2e

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/runcolor"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Colours go from low to high by a number of the runs: a hyperparameter or a metric, over what is
// shown. What has no number is grey. The legend says which values the ends are.
func TestPageColorScale(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	rates, path := map[string]float64{}, ""
	for i := range 10 {
		run := fmt.Sprintf("r%d", i)
		rates[run] = math.Pow(2, float64(3*i))
		path = l.file(run, "1700000000.host.1.0", func(w *summary.Buffer) {
			w.HParams(map[string]any{"lr": rates[run], "opt": []string{"sgd", "adam", "lion"}[i%3]}, []string{"acc"}, summary.WallSeconds(epoch))
			w.Scalar("acc", float64(i*i-3*i), 7, summary.WallSeconds(epoch))
		})
		if i%4 == 0 {
			l.file(run+"/eval", "1700000000.host.1.0", func(w *summary.Buffer) { w.Scalar("loss", float64(i), 7, summary.WallSeconds(epoch)) })
		}
	}
	l.file("plain", "1700000000.host.1.0", func(w *summary.Buffer) { w.Scalar("loss", 5, 7, summary.WallSeconds(epoch)) })
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#timeseries&smoothing=0")
	s.shown("14 of 14 runs shown")

	// colored waits until runs have the colours of their places.
	colored := func(at func(run string) float64) {
		t.Helper()
		s.Until(func() string {
			wrong := ""
			for _, r := range s.rows() {
				want := runcolor.Inactive(false)
				if u := at(r.Name); u == u {
					want = runcolor.Ramp(u, false)
				}
				if string(r.Color) != want {
					wrong += fmt.Sprintf("%s is %s, not %s; ", r.Name, r.Color, want)
				}
			}
			return wrong
		})
	}
	s.Control("button", "Colours of runs").Click()
	colors := s.Control("dialog", "Colours of runs")
	colors.Control("radio", "Column").Click()
	column, values := colors.Control("combobox", "Column to colour by"), colors.Control("combobox", "Colours of the column's values")
	column.Choose("opt")
	values.Gone()
	colors.Is(`["sgd · 5 runs", "lion · 4 runs"].every((t) => tbUser.text(e).includes(t))`)

	// So many numbers, so far apart, are on a logarithmic scale.
	column.Choose("lr")
	values.Value("log")
	place := func(run string) float64 {
		if run == "plain" {
			return math.NaN()
		}
		return math.Log2(rates[strings.TrimSuffix(run, "/eval")]) / 27
	}
	colored(place)
	colors.Is(`["134217728", "1 run has no place on it, in grey"].every((t) => tbUser.text(e).includes(t)) && !tbUser.text(e).includes("Recolour what is shown")`)
	values.Choose("Colours from low to high")
	colored(func(run string) float64 { return (math.Exp2(27*place(run)) - 1) / (math.Exp2(27) - 1) })
	values.Choose("A colour for each value")
	colors.Is(`tbUser.text(e).includes("8 · 1 run") && tbUser.text(e).includes("Recolour what is shown")`)
	values.Choose("From low to high, logarithmic")
	colored(place)
	s.Press("Escape")
	s.Control("button", "lr, logarithmic*").Is(`/^lr, logarithmic\s*1\s+134217728\s*1 run has no place on it, in grey$/.test(tbUser.text(e))`)

	// The ends are those of what is shown; a link and a reload bring the scale back.
	s.Control("checkbox", "r9").Click()
	s.Control("checkbox", "r8").Click()
	s.Control("checkbox", "r8/eval").Click()
	narrow := func(run string) float64 { return min(1, place(run)*27/21) }
	colored(narrow)
	s.Control("button", "lr, logarithmic*").Is(`tbUser.text(e).includes("2097152") && !tbUser.text(e).includes("134217728")`)
	s.again()
	colored(narrow)

	// A picture for a paper says what its colours stand for.
	dir := s.Downloads()
	s.Control("article", "acc").Control("button", "More").Click()
	s.Control("menuitem", "Picture…").Click()
	s.Control("dialog", "Picture").Control("button", "SVG").Click()
	svg := s.saved(dir, "acc.svg")
	for _, want := range []string{">lr, logarithmic</text>", ">1</text>", ">2097152</text>", ">none</text>", `<stop offset="0" stop-color="#31167e"/>`, `<stop offset="1" stop-color="#cb8900"/>`, `fill="url(#ramp1)"`} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture has no %s: %s", want, svg)
		}
	}
	s.Press("Escape")

	// By a metric, the runs of a session have the session's; it changes as the run goes on.
	s.fresh("#timeseries&smoothing=0")
	s.Control("button", "Colours of runs").Click()
	colors.Control("radio", "Column").Click()
	column.Choose("acc")
	values.Value("linear")
	acc := []float64{0, -2, -2, 0, 4, 10, 18, 28, 40, 54}
	metric := func(least, most float64) func(run string) float64 {
		return func(run string) float64 {
			if run == "plain" {
				return math.NaN()
			}
			return (acc[run[1]-'0'] - least) / (most - least)
		}
	}
	colored(metric(-2, 54))
	l.add(path, records(func(w *summary.Buffer) { w.Scalar("acc", 98, 8, summary.WallSeconds(epoch+1)) }))
	acc[9] = 98
	s.Press("Escape")
	s.Control("button", "Reload*").Click()
	colored(metric(-2, 98))
}
