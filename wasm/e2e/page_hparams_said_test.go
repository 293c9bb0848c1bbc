//go:build !js

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// study is a logdir of seven runs "t0" … with hyperparameters that have titles: lr (η), the text
// sched, a different one in each run, and drop, which t5 and t6 lack; the metrics acc (Accuracy)
// and loss.
func study(t *testing.T) *logs {
	t.Helper()
	l := newLogs(t)
	for i := range 7 {
		run := fmt.Sprintf("t%d", i)
		w, err := summary.NewWriter(filepath.Join(l.dir, run), summary.Options{})
		if err != nil {
			t.Fatal(err)
		}
		at := func(s int) summary.Option { return summary.WallSeconds(float64(1700000000 + 100*i + s)) }
		params := map[string]any{"lr": float64(i%3+1) / 64, "sched": fmt.Sprintf("warm %d", i), "drop": "yes"}
		switch i {
		case 4:
			params["drop"] = "no"
		case 5, 6:
			delete(params, "drop")
		}
		for _, err := range []error{
			w.HParamsExperiment(summary.Experiment{
				HParams: []summary.HParamInfo{{Name: "lr", DisplayName: "η", Description: "how far each step goes", Type: summary.HParamNumber},
					{Name: "sched", Type: summary.HParamString}, {Name: "drop", Type: summary.HParamString}},
				Metrics: []summary.MetricInfo{{Tag: "acc", DisplayName: "Accuracy"}, {Tag: "loss"}},
			}, at(0)),
			w.HParamsStart(summary.Session{HParams: params, Group: run}, at(0)),
			w.Scalar("acc", 0.123456789*float64(i), 1, at(1)),
			w.Scalar("loss", 2-0.1*float64(i), 1, at(1)),
			w.Close(),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return l
}

// What the table says of itself: how many rows there are, are left out and are on, its filters,
// by what it is sorted and what is best; its groups; what it is called in the experiment, and
// all digits in its files.
func TestPageHParamsSaid(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, study(t).dir)
	s.Resize(1600, 1000)
	s.fresh("#hparams")
	table := s.Control("grid", "Runs")
	const head = "Run | η | sched | drop | Accuracy | loss"
	rows := []string{"+t0 | 0.015625 | warm 0 | yes | 0 | 2", "+t1 | 0.03125 | warm 1 | yes | 0.1235 | 1.9", "+t2 | 0.046875 | warm 2 | yes | 0.2469 | 1.8",
		"+t3 | 0.015625 | warm 3 | yes | 0.3704 | 1.7", "+t4 | 0.03125 | warm 4 | no | 0.4938 | 1.6", "+t5 | 0.046875 | warm 5 |  | 0.6173 | 1.5", "+t6 | 0.015625 | warm 6 |  | 0.7407 | 1.4"}
	in := s.gridOf(rows)
	in(head, 0, 1, 2, 3, 4, 5, 6)
	table.Control("columnheader", "η*").Is(`/how far each step goes/.test(e.innerHTML)`)
	said := func(want string) {
		t.Helper()
		s.Control("region", "Table of runs").Control("status", want).Wait()
	}
	chips := func(want ...string) {
		t.Helper()
		s.textsAre(`[...document.querySelectorAll(".hp-chip")].map(e => e.querySelector("button"))`, want...)
	}
	said("7 runs, 7 on")
	table.Control("checkbox", "t1").Click()
	table.Control("checkbox", "t2").Click()
	said("7 runs, 5 on")
	table.Control("checkbox", "t1").Click()
	table.Control("checkbox", "t2").Click()

	// Filters are told beside the table, and how many they leave out.
	filter := func(name string) browsertest.Control {
		table.Control("button", "Filter "+name).Click()
		return s.Control("dialog", "Filter "+name).Wait()
	}
	box := filter("loss")
	box.Control("spinbutton", "At least").Fill("1.55")
	chips("loss ≥ 1.55")
	box.Control("spinbutton", "At most").Fill("1.85")
	chips("loss 1.55 – 1.85")
	in(head, 2, 3, 4)
	said("3 runs, 4 left out by filters, 3 on")
	box.Control("spinbutton", "At least").Fill("")
	chips("loss ≤ 1.85")
	in(head, 2, 3, 4, 5, 6)
	s.Press("Escape")
	box = filter("sched")
	for _, name := range []string{"warm 0", "warm 6"} {
		box.Control("checkbox", name+"*").Click()
	}
	chips("loss ≤ 1.85", "sched is warm 1, warm 2, warm 3 and 2 more")
	in(head, 2, 3, 4, 5)
	s.Press("Escape")
	box = filter("drop")
	box.Control("button", "None").Click()
	box.Control("checkbox", "Runs without a value (2)").Click()
	in(head, 5)
	chips("loss ≤ 1.85", "drop is missing", "sched is warm 1, warm 2, warm 3 and 2 more")
	s.Press("Escape")
	s.Control("button", "Clear all filters").Click()
	in(head, 0, 1, 2, 3, 4, 5, 6)
	box = filter("sched")
	box.Control("searchbox", "Regular expression").Fill("(")
	said("Not filtered: *")
	in(head, 0, 1, 2, 3, 4, 5, 6)
	every := table.Control("checkbox", "All runs of the table")
	every.Checked(true)
	box.Control("searchbox", "Regular expression").Fill("none of them")
	said("0 runs, 7 left out by filters, 0 on")
	every.Is("e.disabled && !e.checked") // there is none to tick
	box.Control("button", "Clear").Click()
	every.Checked(true)

	// A run that is hidden is not left out by a filter.
	table.Control("row", "t6*").Hover()
	table.Control("row", "t6*").Control("button", "Run").Click()
	s.Control("menuitem", "Hide for good").Click()
	said("6 runs, 6 on")
	s.Control("main", "*").Control("button", "1 hidden: show").Click()
	said("7 runs, 7 on")
	table.Control("row", "t3*").Hover()
	table.Control("row", "t3*").Control("button", "Run").Click()
	s.Control("menuitem", "Name, note and tags…").Click()
	s.Control("dialog", "Words about t3").Control("textbox", "Note").Fill("look here")
	s.Press("Tab")
	s.Control("dialog", "Words about t3").Control("textbox", "Tags*").Fill("good")
	s.Press("Tab")
	s.Press("Escape")
	table.Control("row", "t3*").Is(`e.querySelector(".hp-name").title === "t3\nlook here"`)

	// When runs began, and their tags, which a filter knows.
	s.Control("button", "Columns").Click()
	pick := s.Control("dialog", "Columns")
	wanted := func(names ...string) {
		t.Helper()
		for _, name := range names {
			pick.Control("searchbox", "Search columns").Fill(name)
			pick.Control("checkbox", name).Click()
		}
	}
	wanted("Start", "Tags")
	s.Press("Escape")
	box = filter("Tags")
	box.Control("searchbox", "Regular expression").Fill("good")
	s.gridIs("Run | η | sched | drop | Accuracy | loss | Start | Tags", rows[3]+" | 2023-11-14 22:18:20 | good")
	box.Control("button", "Clear").Click()
	s.Control("button", "Columns").Click()
	wanted("Start", "Tags")
	s.Press("Escape")
	in(head, 0, 1, 2, 3, 4, 5, 6)

	// Sorted by two: which is first stands beside; by runs, both ways.
	sorted := func(want string) {
		t.Helper()
		var got string
		s.Until(func() string {
			s.Eval(`[...document.querySelectorAll(".hp-head [role=columnheader]")].filter(e => e.ariaSort).map(e => e.textContent.trim().match(/^[^\d]*/)[0].trim() + " " + e.ariaSort + " " + (e.querySelector("sub")?.textContent ?? "")).join()`, &got)
			if got != want {
				return got
			}
			return ""
		})
	}
	column := func(name string) browsertest.Control {
		return table.Control("columnheader", name+"*").Control("button", name+"*")
	}
	column("η").Click()
	column("loss").Click("Shift")
	column("loss").Click("Shift")
	sorted("η ascending 1,loss descending 2")
	in("Run | η↑ | sched | drop | Accuracy | loss↓", 0, 3, 6, 1, 4, 2, 5)
	column("Run").Click()
	sorted("Run ascending ")
	column("Run").Click()
	sorted("Run descending ")
	in("Run↓ | η | sched | drop | Accuracy | loss", 6, 5, 4, 3, 2, 1, 0)
	s.choose("sort by accuracy", "Sort by Accuracy")
	in("Run | η | sched | drop | Accuracy↑ | loss", 0, 1, 2, 3, 4, 5, 6)
	s.choose("filter runs of the", "Filter runs of the table")
	s.Control("complementary", "Runs").Control("searchbox", "Filter runs (regex)").Focused()
	s.Press("Escape")

	// What is best: the highest of what is not named as a loss.
	table.Is(`[...e.querySelectorAll(".hp-row:not([hidden])")].map(r => tbUser.text(r.querySelector(".text")) + ":" + [...r.querySelectorAll("[role=gridcell]:not([hidden])")].filter(c => c.ariaDescription === "best").map(c => c.textContent).join("/")).filter(x => !x.endsWith(":")).join() === "t6:0.7407/1.4"`)

	// Groups: closed, and open; of each how many are on.
	s.Control("combobox", "Group rows by").Choose("Group by drop")
	groups := []string{"±yes | 0.02734 ± 0.015 | 4 values | yes | 0.1852 ± 0.16 | 1.85 ± 0.13", "+no | 0.03125 | warm 4 | no | 0.4938 | 1.6", "+none | 0.03125 ± 0.022 | 2 values |  | 0.679 ± 0.087 | 1.45 ± 0.071"}
	table.Control("row", "yes*").Wait()
	s.Control("list", "Runs").Control("checkbox", "t3").Click()
	s.gridIs(append([]string{"Run | η | sched | drop | Accuracy↑ | loss"}, groups...)...)
	table.Control("row", "none*").Control("button", "Open or close").Click()
	s.gridIs("Run | η | sched | drop | Accuracy↑ | loss", groups[0], groups[1], groups[2], rows[5], rows[6])
	dir := s.Downloads()
	s.Control("button", "Export").Click()
	s.Control("menuitem", "Download CSV").Click()
	s.Until(func() string {
		b, err := os.ReadFile(filepath.Join(dir, "runs.csv"))
		if err != nil {
			return err.Error()
		}
		want := "Run,η,sched,drop,Accuracy,loss\nyes (4),0.02734 ± 0.015,4 values,yes,0.1852 ± 0.16,1.85 ± 0.13\nno (1),0.03125,warm 4,no,0.4938,1.6\nnone (2),0.03125 ± 0.022,2 values,,0.679 ± 0.087,1.45 ± 0.071\n" +
			"t5,0.046875,warm 5,,0.61728394,1.5\nt6,0.015625,warm 6,,0.7407407,1.4\n"
		if got := strings.ReplaceAll(string(b), "\r", ""); got != want {
			return got
		}
		return ""
	})
	table.Control("row", "none*").Control("button", "Open or close").Click()
	s.gridIs(append([]string{"Run | η | sched | drop | Accuracy↑ | loss"}, groups...)...)
}

// Groups of colours are called as exactly as their values are, by a column that the table of runs
// has no other use for, too; of very many the first fifty are listed, and how many others there are.
func TestPageColorsOfColumns(t *testing.T) {
	t.Parallel()
	l := study(t)
	for i := range 60 {
		w, err := summary.NewWriter(filepath.Join(l.dir, fmt.Sprintf("u%02d", i)), summary.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range []error{
			w.HParams(map[string]any{"seed": i}, []string{"acc"}, summary.WallSeconds(epoch)),
			w.Scalar("acc", float64(i), 1, summary.WallSeconds(epoch)),
			w.Close(),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#timeseries&smoothing=0&runs=")
	s.Control("button", "Colours of runs").Click()
	colors := s.Control("dialog", "Colours of runs")
	colors.Control("radio", "Column").Click()
	column := colors.Control("combobox", "Column to colour by")
	column.Choose("lr")
	colors.Is(`["0.015625 · 3 runs", "0.03125 · 2 runs", "0.046875 · 2 runs", "60 runs belong to none, in grey"].every((t) => tbUser.text(e).includes(t))`)
	s.Press("Escape")

	// The table shows the columns that the listed runs have.
	s.fresh("#hparams")
	listed := s.Control("complementary", "Runs").Control("searchbox", "Filter runs (regex)")
	for filter, want := range map[string]string{"^t": "Run | η | sched | drop | Accuracy | loss", "^u": "Run | seed | Accuracy"} {
		listed.Fill(filter)
		s.Until(func() string {
			if g := s.grid(); len(g) < 2 || g[0] != want {
				return fmt.Sprintf("%.300q", g)
			}
			return ""
		})
	}

	// One that no run has any more is still the one that was chosen.
	s.fresh("#timeseries&groupColumn=param%3Fname%3Dgone")
	s.Control("button", "Colours of runs").Click()
	column.Value("param?name=gone")
	column.Choose("seed")
	colors.Control("combobox", "Colours of the column's values").Choose("A colour for each value")
	colors.Is(`["0 · 1 run", "49 · 1 run", "and 10 more groups", "7 runs belong to none, in grey"].every((t) => tbUser.text(e).includes(t)) && !tbUser.text(e).includes("50 · 1 run")`)
}
