//go:build !js

package e2e

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// A tag has a card for each run, folder or group of runs, if one wants that: each shows its own
// runs and no others, and those of one tag have the same axes.
func TestPageSplit(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for i, run := range []string{"f10/a", "f2/a", "f2/b", "lone"} {
		l.file(run, "1700000000.host.1.0", func(w *summary.Buffer) {
			w.HParams(map[string]any{"opt": []string{"sgd", "adam", "sgd", "adam"}[i]}, nil, summary.WallSeconds(epoch))
			for step := range int64(10 * (i + 1)) {
				w.Scalar("loss", float64(100*i)+float64(step), step, summary.WallSeconds(epoch+float64(step)))
			}
			if run != "f2/a" {
				w.Scalar("acc", float64(i), 3, summary.WallSeconds(epoch))
			}
		})
	}
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#timeseries&smoothing=0&outliers=false&endNames=false")
	s.cards("acc", "loss")
	split := s.Control("combobox", "A card for")
	split.Choose("Each folder")
	s.cards("acc, f2", "acc, f10", "acc, in no folder", "loss, f2", "loss, f10", "loss, in no folder")

	// lines are the runs on each card, and its ranges.
	lines := func(want map[string]string) {
		t.Helper()
		s.Until(func() string {
			got := map[string]string{}
			s.Eval(`Object.fromEntries([...tbPaint.charts].map(c => {
				const { x0, x1, y0, y1 } = c.measure();
				return [c.host.closest("article").ariaLabel, c.list.map(s => tbPaint.runs.get(s.run).name).sort() + ": " + [x0, x1, y0, y1].map(v => Math.round(v))];
			}))`, &got)
			if !maps.Equal(got, want) {
				return fmt.Sprintf("the charts are %q", got)
			}
			return ""
		})
	}
	lines(map[string]string{
		"acc, f2": "f2/b: 2,4,0,4", "acc, f10": "f10/a: 2,4,0,4", "acc, in no folder": "lone: 2,4,0,4",
		"loss, f2": "f2/a,f2/b: -1,40,-50,400", "loss, f10": "f10/a: -1,40,-50,400", "loss, in no folder": "lone: -1,40,-50,400",
	})
	// The list has the last values of all runs.
	s.Until(func() string {
		want := map[string]string{"a": "0", "b": "2", "lone": "3"}
		for run, value := range s.values() {
			if v := strings.TrimSpace(value); want[run] != "" && v != want[run] && run != "a" {
				return fmt.Sprintf("%s has the value %q", run, v)
			}
		}
		return ""
	})
	// Without a run that reaches far the others are closer.
	s.Control("checkbox", "lone").Click()
	lines(map[string]string{
		"acc, f2": "f2/b: 2,4,0,2", "acc, f10": "f10/a: 2,4,0,2",
		"loss, f2": "f2/a,f2/b: 0,29,-20,260", "loss, f10": "f10/a: 0,29,-20,260",
	})
	s.Control("checkbox", "lone").Click()

	// What is saved of a card is of its runs, and says so.
	dir := s.Downloads()
	card := s.Control("article", "loss, f2")
	card.Control("button", "More").Click()
	s.Control("menuitem", "Picture…").Click()
	s.Control("dialog", "Picture").Control("button", "SVG").Click()
	if svg := s.saved(dir, "loss, f2.svg"); !strings.Contains(svg, ">loss, f2</text>") || !strings.Contains(svg, ">f2/b</text>") || strings.Contains(svg, ">f10/a</text>") {
		t.Errorf("the picture is %s", svg)
	}
	s.Press("Escape")
	card.Control("button", "More").Click()
	s.Control("menuitem", "CSV of all points").Click()
	if csv := s.saved(dir, "loss, f2.csv"); strings.Count(csv, "\n") != 51 || strings.Count(csv, "f2/a") != 20 || strings.Count(csv, "f2/b") != 30 {
		t.Errorf("the file is %s", csv)
	}

	// One is pinned, and stays what it is however cards are split.
	s.Control("article", "loss, f2").Control("button", "Pin (p)").Click()
	pinned := s.Control("region", "Pinned")
	pinned.Control("article", "loss, f2").Wait()
	split.Choose("Each run")
	s.cards("loss, f2", "acc, f2/b", "acc, f10/a", "acc, lone", "loss, f2/a", "loss, f2/b", "loss, f10/a", "loss, lone")
	pinned.Control("article", "loss, f2").Wait()

	// Groups: their names are the parts', and follow what they go by.
	split.Choose("Each group of colours")
	s.cards("loss, f2", "acc, in no group", "loss, in no group")
	s.hash("#timeseries&pins=scalars%3Ftag%3Dloss%26part%3Dfolder%253Af2&smoothing=0&endNames=false&split=group&outliers=false")
	s.Control("button", "Colours of runs").Click()
	colors := s.Control("dialog", "Colours of runs")
	colors.Control("radio", "Column").Click()
	colors.Control("combobox", "Column to colour by").Choose("opt")
	s.Press("Escape")
	s.cards("loss, f2", "acc, adam", "acc, sgd", "loss, adam", "loss, sgd")
	s.again()
	s.cards("loss, f2", "acc, adam", "acc, sgd", "loss, adam", "loss, sgd")
	s.Until(func() string {
		var got []string
		s.Eval(`[...tbPaint.charts].map(c => c.host.closest("article").ariaLabel + ": " + c.list.map(s => tbPaint.runs.get(s.run).name).sort()).sort()`, &got)
		if want := []string{"acc, adam: lone", "acc, sgd: f10/a,f2/b", "loss, adam: f2/a,lone", "loss, f2: f2/a,f2/b", "loss, sgd: f10/a,f2/b"}; !reflect.DeepEqual(got, want) {
			return fmt.Sprintf("%q", got)
		}
		return ""
	})
	split.Choose("All runs")
	s.cards("loss, f2", "acc", "loss")

	// By a hyperparameter, whatever colours go by: also a pinned one, once cards are not split.
	s.fresh("#timeseries&smoothing=0")
	s.cards("acc", "loss")
	split.Get("e.focus()", nil)
	split.Choose("opt")
	s.cards("acc, opt: adam", "acc, opt: sgd", "loss, opt: adam", "loss, opt: sgd")
	s.Control("article", "loss, opt: sgd").Control("button", "Pin (p)").Click()
	split.Choose("All runs")
	s.cards("loss, opt: sgd", "acc", "loss")
	s.again()
	s.cards("loss, opt: sgd", "acc", "loss")
	s.Control("article", "loss, opt: sgd").Control("img", "*").Is(`/^Curves of 2 runs/.test(e.ariaLabel)`)
	s.fresh("#timeseries&smoothing=0&split=param%3Fname%3Dgone")
	s.cards("acc, without gone", "loss, without gone")
	split.Is(`e.selectedOptions[0].label === "gone"`)

	// What nothing can be split by is no way to split.
	s.fresh("#timeseries&smoothing=0&split=%3Cb%3E%3A%3A")
	s.cards("acc", "loss")
	split.Is(`e.selectedOptions[0].label === "All runs"`)
}
