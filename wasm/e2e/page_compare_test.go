//go:build !js

package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// compares waits until the comparison shows these rows, the heads first.
func (s *screen) compares(want ...string) {
	s.t.Helper()
	s.Until(func() string {
		var got []string
		err := s.TryEval(`[...document.querySelectorAll("[aria-label='Runs side by side'] tr")].map(r => [...r.cells].map(c => [...c.childNodes].map(n => n.textContent.replace(/\n/g, " / ")).filter(t => t && t !== "Difference").join(" ")).join(" | "))`, &got)
		if !slices.Equal(got, want) {
			return fmt.Sprintf("the comparison is\n%s\nwant\n%s (%v)", strings.Join(got, "\n"), strings.Join(want, "\n"), err)
		}
		return ""
	})
}

// Runs side by side: what differs alone or everything, differences from a baseline here and
// in the table, texts with what is different between them; opened by the palette.
func TestPageCompare(t *testing.T) {
	t.Parallel()
	dir := sweep(t, 4)
	for run, words := range map[string]string{"s01": "one\ntwo\nthree", "s02": "one\n<b>2</b>\nthree"} {
		w, err := summary.NewWriter(filepath.Join(dir, run), summary.Options{Suffix: ".words"})
		if err == nil {
			err = w.Text("about", words, 1, summary.WallSeconds(1700000002))
		}
		if err == nil { // no difference to be looked at
			err = w.Text("agreed", "long\nand wide", 1, summary.WallSeconds(1700000002))
		}
		if err == nil {
			err = w.KerasModel("keras", fmt.Appendf(nil, `{"class_name": "Sequential", "config": {"name": "<b>net %s"}}`, run), 0, summary.WallSeconds(1700000002))
		}
		if err == nil {
			var g summary.GraphBuilder
			g.Node("x", "Const")
			err = w.Graph(g.Bytes(), 0, summary.WallSeconds(1700000002))
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s := come(t, browsertest.Chromium, dir)
	s.fresh("#timeseries")
	for _, run := range []string{"s00", "s00/eval", "s03", "s03/eval", "plain"} {
		s.Control("list", "Runs").Control("checkbox", run).Click()
	}
	s.shown("4 of 9 runs shown")
	s.Press("k", "Control")
	s.Control("combobox", "Find commands, tags, runs, settings").Fill("compare shown")
	s.Press("Enter")
	differing := []string{
		" | s01 | s02", "Hyperparameters", "lr | 0.2 | 0.3", "opt | adam | sgd",
		"Metrics", "acc last | 0.01 at 2 | 0.02 at 2", "acc max | 0.01 at 2 | 0.02 at 2",
		"eval: loss last | -0.1 at 2 | -0.2 at 2", "eval: loss min | -0.1 at 2 | -0.2 at 2", "eval: loss max | -0.1 at 2 | -0.2 at 2",
		"Texts", "about | one / two | one / <b>2</b>",
		"Models", "keras | <b>net s01 (Sequential) | <b>net s02 (Sequential)", "Of the run", "Start | 2023-11-14 22:13:21 | 2023-11-14 22:13:22",
	}
	s.compares(differing...)
	const region = `document.querySelector("[aria-label='Comparison of runs']")`
	s.said(region, "compare")
	area := s.Control("region", "Comparison of runs")
	area.Is(`tbUser.text(e).includes("7 rows are the same in all")`)
	area.Control("button", "Difference").Click()
	s.Control("dialog", "Difference").Is(`e.querySelector("del").textContent === "two\n" && e.querySelector("ins").textContent === "<b>2</b>\n"`)
	s.Press("Escape")
	s.again()
	s.compares(differing...)

	// A baseline: everything is told as a difference from it, in the table, too.
	area.Control("combobox", "Baseline of the comparison").Choose("Baseline: s01")
	s.compares(
		" | s01 baseline | s02", "Hyperparameters", "lr | 0.2 | 0.3 +0.1, +50 %", "opt | adam | sgd",
		"Metrics", "acc last | 0.01 at 2 | 0.02 at 2 +0.01, +100 %", "acc max | 0.01 at 2 | 0.02 at 2 +0.01, +100 %",
		"eval: loss last | -0.1 at 2 | -0.2 at 2 -0.1, -100 %", "eval: loss min | -0.1 at 2 | -0.2 at 2 -0.1, -100 %", "eval: loss max | -0.1 at 2 | -0.2 at 2 -0.1, -100 %",
		"Texts", "about | one / two | one / <b>2</b>",
		"Models", "keras | <b>net s01 (Sequential) | <b>net s02 (Sequential)", "Of the run", "Start | 2023-11-14 22:13:21 | 2023-11-14 22:13:22",
	)
	s.stored("s01", "baseline")
	s.said(region, "compare-baseline")
	s.Until(func() string {
		for _, row := range s.grid() {
			if strings.HasPrefix(row, "+s02") && strings.HasSuffix(row, "| 0.02  +0.01, +100 %") {
				return ""
			}
		}
		return fmt.Sprintf("the table is %q", s.grid())
	})
	table := s.Control("grid", "Runs")
	table.Control("row", "s02*").Hover()
	table.Control("row", "s02*").Control("button", "Run").Click()
	s.Control("menuitem", "Use as baseline").Click()
	s.stored("s02", "baseline")

	// Everything, and nothing.
	area.Control("checkbox", "Only what differs").Click()
	area.Is(`tbUser.text(e).includes("depth") && tbUser.text(e).includes("same") && tbUser.text(e).includes("acc min") && tbUser.text(e).includes("Default")`)
	s.said(region, "compare-all")
	table.Control("checkbox", "s01").Click()
	area.Is(`tbUser.text(e).includes("Switch on two or more runs")`)
	s.choose("end the comparison", "End the comparison of runs")
	area.Gone()
	s.choose("compare shown", "Compare shown runs")
	area.Wait()
	area.Control("button", "Close").Click()
	area.Gone()

	// Again, from anywhere, by the menu of a run.
	table.Control("checkbox", "s01").Click()
	s.Control("button", "Time series").Click()
	run := s.Control("list", "Runs").Control("listitem", "plain*")
	run.Hover()
	run.Control("button", "Run").Click()
	s.Control("menuitem", "Compare shown runs").Click()
	area.Is(`tbUser.text(e).includes("s01") && tbUser.text(e).includes("s02")`)
}
