//go:build !js

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// sweep is a logdir of n sessions "s00", "s01", … and a run "plain" without
// hyperparameters. Each has lr (0.1, 0.2, 0.3 in turn), opt (sgd, adam in turn), depth
// (None in s00, 2 otherwise), same (always 1), the scalar acc with the values 0 and
// i/100, and below it a run "eval" with the scalar loss, -i/10.
func sweep(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	write := func(run string, fill func(w *summary.Writer) error) {
		t.Helper()
		w, err := summary.NewWriter(filepath.Join(dir, run), summary.Options{})
		if err == nil {
			err = fill(w)
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		run := fmt.Sprintf("s%02d", i)
		write(run, func(w *summary.Writer) error {
			params := map[string]any{"lr": []float64{0.1, 0.2, 0.3}[i%3], "opt": []string{"sgd", "adam"}[i%2], "depth": any(2), "same": 1}
			if i == 0 {
				params["depth"] = nil
			}
			w.HParams(params, []string{"acc"}, summary.WallSeconds(float64(1700000000+i)))
			w.HParamsEnd(summary.Succeeded, summary.WallSeconds(float64(1700000060+i)))
			w.Scalar("acc", 0, 1, summary.WallSeconds(float64(1700000000+i)))
			return w.Scalar("acc", float64(i)/100, 2, summary.WallSeconds(float64(1700000001+i)))
		})
		write(run+"/eval", func(w *summary.Writer) error {
			return w.Scalar("loss", 0-float64(i)/10, 2, summary.WallSeconds(float64(1700000001+i)))
		})
	}
	write("plain", func(w *summary.Writer) error {
		return w.Scalar("acc", 0.5, 1, summary.WallSeconds(1700000900))
	})
	return dir
}

// The table goes with its dashboard.
func TestPageHparamsLeft(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, sweep(t, 3))
	s.Control("button", "Hyperparameters").Click()
	s.Control("region", "Table of runs").Wait()
	s.Control("button", "Time series").Click()
	s.Control("article", "acc").Wait()
	s.Control("region", "Table of runs").Gone()
}

// grid is what the table of runs shows: its head, and each line with its mark (on +, off
// -, some ±).
func (s *screen) grid() (lines []string) {
	s.Eval(`(() => {
		const text = (e) => e.textContent.trim();
		const t = document.querySelector(".hp-table");
		if (!t) return [];
		const head = [...t.querySelectorAll(".hp-head [role=columnheader]")].map((c) => text(c.querySelector(".sort span")) + ({ascending: "↑", descending: "↓"}[c.getAttribute("aria-sort")] ?? ""));
		const rows = [...t.querySelectorAll(".hp-row")].filter((r) => !r.hidden)
			.sort((a, b) => a.getAttribute("aria-rowindex") - b.getAttribute("aria-rowindex"))
			.map((r) => {
				const box = r.querySelector("input");
				return (box.indeterminate ? "±" : box.checked ? "+" : "-") + [text(r.querySelector(".text")), ...[...r.querySelectorAll("[role=gridcell]")].filter((c) => !c.hidden).map(text)].join(" | ");
			});
		return [head.join(" | "), ...rows];
	})()`, &lines)
	return lines
}

// gridOf returns what waits until the table shows a head, and these of some rows.
func (s *screen) gridOf(rows []string) func(head string, numbers ...int) {
	return func(head string, numbers ...int) {
		s.t.Helper()
		want := []string{head}
		for _, i := range numbers {
			want = append(want, rows[i])
		}
		s.gridIs(want...)
	}
}

// gridIs waits until the table shows a head and lines.
func (s *screen) gridIs(want ...string) {
	s.t.Helper()
	s.Until(func() string {
		got := s.grid()
		if !slices.Equal(got, want) {
			return fmt.Sprintf("the table shows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		return ""
	})
}

// The table of runs: which columns there are at first, sorting by several, filters of
// every sort with what they do to the page's runs, groups, columns added, moved, widened
// and removed, by mouse and by keys; all of it is there again after a reload.
func TestPageHParams(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, sweep(t, 6))
	s.fresh("#hparams")
	table := s.Control("grid", "Runs")
	column := func(name string) browsertest.Control {
		return table.Control("columnheader", name+"*").Control("button", name+"*")
	}
	head := "Run | depth | lr | opt | acc"
	rows := []string{"+s00 | None | 0.1 | sgd | 0", "+s01 | 2 | 0.2 | adam | 0.01", "+s02 | 2 | 0.3 | sgd | 0.02", "+s03 | 2 | 0.1 | adam | 0.03", "+s04 | 2 | 0.2 | sgd | 0.04", "+s05 | 2 | 0.3 | adam | 0.05"}
	// in is the head and the rows of these numbers.
	in := func(head string, numbers ...int) []string {
		out := []string{head}
		for _, i := range numbers {
			out = append(out, rows[i])
		}
		return out
	}
	s.gridIs(in(head, 0, 1, 2, 3, 4, 5)...)

	// Sorting: up, down, not at all; by two.
	column("acc").Click()
	s.gridIs(in("Run | depth | lr | opt | acc↑", 0, 1, 2, 3, 4, 5)...)
	column("acc").Click()
	s.gridIs(in("Run | depth | lr | opt | acc↓", 5, 4, 3, 2, 1, 0)...)
	column("acc").Click()
	s.gridIs(in(head, 0, 1, 2, 3, 4, 5)...)
	column("opt").Click()
	column("acc").Click("Shift")
	column("acc").Click("Shift")
	sorted := "Run | depth | lr | opt↑ | acc↓"
	s.gridIs(in(sorted, 5, 3, 1, 4, 2, 0)...)
	s.again()
	s.gridIs(in(sorted, 5, 3, 1, 4, 2, 0)...)

	// A filter leaves rows out, and their runs, those below them too, from the page.
	filter := func(name string) browsertest.Control {
		table.Control("button", "Filter "+name).Click()
		return s.Control("dialog", "Filter "+name).Wait()
	}
	f := filter("acc")
	f.Control("spinbutton", "At least").Fill("0.02")
	s.gridIs(in(sorted, 5, 3, 4, 2)...)
	f.Control("spinbutton", "At most").Fill("0.04")
	s.gridIs(in(sorted, 3, 4, 2)...)
	s.said(dialog, "filter-of-numbers")
	s.Press("Escape")
	s.shown("6 of 13 runs shown") // and not the run without any hyperparameters
	f = filter("opt")
	f.Control("checkbox", "adam*").Click()
	s.gridIs(in(sorted, 4, 2)...)
	s.said(dialog, "filter-of-texts")
	f.Control("button", "All").Click()
	s.gridIs(in(sorted, 3, 4, 2)...)
	f.Control("button", "None").Click()
	s.gridIs(in(sorted)...)
	f.Control("checkbox", "sgd*").Click()
	s.gridIs(in(sorted, 4, 2)...)
	s.Press("Escape")
	s.Control("button", "Take away: opt*").Click()
	s.gridIs(in(sorted, 3, 4, 2)...)
	s.again()
	s.gridIs(in(sorted, 3, 4, 2)...)
	s.shown("6 of 13 runs shown")
	s.Control("button", "Clear all filters").Click()
	f = filter("depth")
	f.Control("searchbox", "Regular expression").Fill("none")
	s.gridIs(in(sorted, 0)...)
	f.Control("button", "Clear").Click()
	s.gridIs(in(sorted, 5, 3, 1, 4, 2, 0)...)

	// Ticks are the page's selection of runs.
	line := func(name string) browsertest.Control { return table.Control("row", name+"*") }
	table.Control("checkbox", "s03").Click()
	rows[3] = "-s03 | 2 | 0.1 | adam | 0.03"
	s.gridIs(in(sorted, 5, 3, 1, 4, 2, 0)...)
	s.shown("11 of 13 runs shown")
	table.Control("checkbox", "s03").Click()
	rows[3] = "+s03 | 2 | 0.1 | adam | 0.03"
	s.gridIs(in(sorted, 5, 3, 1, 4, 2, 0)...)
	table.Control("checkbox", "s05").Click()
	table.Control("checkbox", "s01").Click("Shift")
	s.shown("7 of 13 runs shown")
	s.Control("checkbox", "All runs of the table").Click()
	s.shown("13 of 13 runs shown")
	line("s02").Hover()
	line("s02").Control("button", "Run").Click()
	s.Control("menuitem", "Only this run").Click()
	s.shown("2 of 13 runs shown")
	s.Control("checkbox", "All runs of the table").Click()

	// Groups: means with deviations; a group opens to its rows.
	s.Control("combobox", "Group rows by").Choose("Group by opt")
	s.Until(func() string {
		if g := s.grid(); len(g) != 3 || !strings.HasPrefix(g[1], "+adam | 2 | 0.2 ± 0.1 | adam | 0.03 ± 0.02") || !strings.HasSuffix(g[2], "| sgd | 0.02 ± 0.02") {
			return fmt.Sprintf("groups are %q", g)
		}
		return ""
	})
	table.Control("row", "adam*").Control("button", "Open or close").Click()
	s.Until(func() string {
		if g := s.grid(); len(g) != 6 || g[2] != rows[5] || g[4] != rows[1] {
			return fmt.Sprintf("an open group is %q", g)
		}
		return ""
	})
	s.Control("combobox", "Group rows by").Choose("No groups")

	// Columns: a metric of the runs below, its least value; those that differ; by keys.
	s.Control("button", "Columns").Click()
	pick := s.Control("dialog", "Columns")
	pick.Control("searchbox", "Search columns").Fill("eval min")
	pick.Is(`[...e.querySelectorAll("label")].map(l => l.textContent).join() === "eval: loss min,eval: loss min step"`) // those that have both words
	pick.Control("checkbox", "eval: loss min").Click()
	for i := range rows {
		rows[i] += fmt.Sprintf(" | %s", []string{"0", "-0.1", "-0.2", "-0.3", "-0.4", "-0.5"}[i])
	}
	s.gridIs(in(sorted+" | eval: loss min", 5, 3, 1, 4, 2, 0)...)
	pick.Control("searchbox", "Search columns").Fill("same")
	pick.Control("checkbox", "same").Click()
	s.Until(func() string {
		if g := s.grid(); g[0] != sorted+" | eval: loss min | same" {
			return g[0]
		}
		return ""
	})
	pick.Control("button", "Only those that differ").Click()
	differing := "Run | depth | lr | opt↑ | acc↓ | eval: loss min"
	s.gridIs(in(differing, 5, 3, 1, 4, 2, 0)...)
	s.Press("Escape")
	column("depth").Get("e.focus()", nil)
	s.Press("Delete")
	for i := range rows {
		parts := strings.Split(rows[i], " | ")
		rows[i] = strings.Join(append(parts[:1:1], parts[2:]...), " | ")
	}
	s.gridIs(in("Run | lr | opt↑ | acc↓ | eval: loss min", 5, 3, 1, 4, 2, 0)...)
	column("lr").Get("e.focus()", nil)
	s.Press("ArrowRight", "Alt")
	swap := func() {
		for i := range rows {
			parts := strings.Split(rows[i], " | ")
			parts[1], parts[2] = parts[2], parts[1]
			rows[i] = strings.Join(parts, " | ")
		}
	}
	swap()
	s.gridIs(in("Run | opt↑ | lr | acc↓ | eval: loss min", 5, 3, 1, 4, 2, 0)...)
	column("lr").Focused() // still, and moves on
	b := column("lr").Box()
	s.Drag(b.Middle(), browsertest.Point{X: column("opt").Box().X + 4, Y: b.Middle().Y})
	swap()
	s.gridIs(in("Run | lr | opt↑ | acc↓ | eval: loss min", 5, 3, 1, 4, 2, 0)...)
	b = table.Control("columnheader", "lr*").Box()
	s.Drag(browsertest.Point{X: b.X + b.Width, Y: b.Middle().Y}, browsertest.Point{X: b.X + b.Width + 60, Y: b.Middle().Y})
	s.again()
	s.gridIs(in("Run | lr | opt↑ | acc↓ | eval: loss min", 5, 3, 1, 4, 2, 0)...)
	if now := table.Control("columnheader", "lr*").Box(); now.Width < b.Width+50 || now.Width > b.Width+70 {
		t.Errorf("lr is %v wide after it was made 60 wider than %v", now.Width, b.Width)
	}

	// It fits itself by a double click on its edge, and has other widths by keyboard.
	wide := func(want string) {
		t.Helper()
		table.Control("columnheader", "lr*").Is(fmt.Sprintf(`(w => %s)(e.getBoundingClientRect().width)`, want))
	}
	b = table.Control("columnheader", "lr*").Box()
	s.DoubleClick(browsertest.Point{X: b.X + b.Width - 1, Y: b.Middle().Y})
	wide(fmt.Sprintf("w < %v && w > 30", b.Width-40))
	fit := table.Control("columnheader", "lr*").Box().Width
	column("lr").Get("e.focus()", nil)
	s.Press("ArrowRight", "Alt", "Shift")
	wide(fmt.Sprintf("Math.abs(w - %v) < 1", fit+16))
	s.Press("ArrowLeft", "Alt", "Shift")
	wide(fmt.Sprintf("Math.abs(w - %v) < 1", fit))

	// Words about runs; a run that is hidden is nowhere.
	line("s04").Hover()
	line("s04").Control("button", "Run").Click()
	s.Control("menuitem", "Name, note and tags…").Click()
	words := s.Control("dialog", "Words about s04")
	words.Control("textbox", "Name in this view").Fill("<b>best</b>")
	words.Control("textbox", "Note").Fill("look here")
	s.Press("Tab")
	s.Press("Escape")
	rows[4] = strings.Replace(rows[4], "s04", "<b>best</b>", 1)
	s.gridIs(in("Run | lr | opt↑ | acc↓ | eval: loss min", 5, 3, 1, 4, 2, 0)...)
	s.Control("list", "Runs").Control("listitem", "<b>best</b>*").Wait()
	line("s00").Hover()
	line("s00").Control("button", "Run").Click()
	s.Control("menuitem", "Hide for good").Click()
	s.gridIs(in("Run | lr | opt↑ | acc↓ | eval: loss min", 5, 3, 1, 4, 2)...)
	s.shown("10 of 13 runs shown")
	s.again()
	s.gridIs(in("Run | lr | opt↑ | acc↓ | eval: loss min", 5, 3, 1, 4, 2)...)
	s.Control("main", "*").Control("button", "1 hidden: show").Click()
	s.gridIs(in("Run | lr | opt↑ | acc↓ | eval: loss min", 5, 3, 1, 4, 2, 0)...)
}

// Whoever works by keyboard stays where they are when the table is sorted, all runs are switched
// off, or a filter is closed.
func TestPageHParamsFocus(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, sweep(t, 6))
	s.fresh("#hparams")
	table := s.Control("grid", "Runs")
	head := func(want string) {
		t.Helper()
		s.Until(func() string {
			if g := s.grid(); g[0] != want {
				return g[0]
			}
			return ""
		})
	}
	head("Run | depth | lr | opt | acc")
	for _, c := range [][3]string{{"Run", "Run", "Run↑ | depth | lr | opt | acc"}, {"acc*", "acc*", "Run | depth | lr | opt | acc↑"}} {
		b := table.Control("columnheader", c[0]).Control("button", c[1])
		b.Get("e.focus()", nil)
		s.Press(" ")
		head(c[2])
		b.Focused()
	}
	every := table.Control("checkbox", "All runs of the table")
	every.Checked(true)
	every.Get("e.focus()", nil)
	s.Press(" ")
	every.Checked(false)
	every.Focused()
	s.Press(" ")
	every.Checked(true)
	every.Focused()
	table.Control("columnheader", "acc*").Control("button", "acc*").Get("e.focus()", nil)
	s.Press("ArrowDown", "Alt")
	filter := s.Control("dialog", "Filter acc").Wait()
	filter.Control("spinbutton", "At least").Get("e.focus()", nil)
	s.Type("0.02")
	s.Control("button", "Take away: acc*").Wait()
	s.Press("Escape")
	filter.Gone()
	table.Control("button", "Filter acc").Focused()
}

// What a column and an axis of the plot can be told by their menus.
func TestPageHParamMenus(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, sweep(t, 6))
	s.fresh("#hparams")
	rows := []string{"+s00 | None | 0.1 | sgd | 0", "+s01 | 2 | 0.2 | adam | 0.01", "+s02 | 2 | 0.3 | sgd | 0.02", "+s03 | 2 | 0.1 | adam | 0.03", "+s04 | 2 | 0.2 | sgd | 0.04", "+s05 | 2 | 0.3 | adam | 0.05"}
	in := s.gridOf(rows)
	in("Run | depth | lr | opt | acc", 0, 1, 2, 3, 4, 5)
	head := func(name string) browsertest.Control { return s.Control("columnheader", name+"*") }
	column := func(name, item string) {
		t.Helper()
		b := head(name).Box()
		s.RightClick(browsertest.Point{X: b.X + 20, Y: b.Middle().Y})
		s.Control("menuitem", item).Click()
	}
	column("opt", "Sort by this")
	column("acc", "Sort by this too")
	in("Run | depth | lr | opt↑ | acc↑", 1, 3, 5, 0, 2, 4)
	column("acc", "Sort by this too")
	in("Run | depth | lr | opt↑ | acc↓", 5, 3, 1, 4, 2, 0)

	// What is best in a column is chosen, and chosen again.
	best := func(want ...string) {
		t.Helper()
		s.textsAre(`[...document.querySelectorAll(".hp-table .hp-row:not([hidden]) [role=gridcell]:not([hidden])")].filter(e => e.ariaDescription === "best")`, want...)
	}
	best("0.05")
	column("acc", "None is best")
	best()
	column("acc", "Lowest is best")
	best("0")
	column("acc", "Highest is best")
	best("0.05")

	// As wide as what stands in it, whatever it was before.
	column("lr", "Fit the width")
	head("lr").Is("e.getBoundingClientRect().width < 90")
	fit := head("lr").Box().Width
	head("lr").Control("button", "lr*").Get("e.focus()", nil)
	s.Press("ArrowRight", "Alt", "Shift")
	head("lr").Is(fmt.Sprintf("Math.abs(e.getBoundingClientRect().width - %v) < 1", fit+16))
	column("lr", "Fit the width")
	head("lr").Is(fmt.Sprintf("Math.abs(e.getBoundingClientRect().width - %v) < 1", fit))

	groups := s.Control("combobox", "Group rows by")
	column("opt", "Group rows by this")
	groups.Is(`e.selectedOptions[0].text === "Group by opt"`)
	s.Until(func() string {
		if g := s.grid(); len(g) != 3 || !strings.HasPrefix(g[1], "+adam | ") || !strings.HasPrefix(g[2], "+sgd | ") {
			return fmt.Sprintf("groups are %q", g)
		}
		return ""
	})
	groups.Choose("No groups")

	// A column that is the same for all goes by one command.
	s.Control("button", "Columns").Click()
	pick := s.Control("dialog", "Columns")
	pick.Control("searchbox", "Search columns").Fill("same")
	pick.Control("checkbox", "same").Click()
	s.Press("Escape")
	head("same").Wait()
	s.choose("columns differ", "Only columns that differ")
	in("Run | depth | lr | opt↑ | acc↓", 5, 3, 1, 4, 2, 0)

	// The plot's axes move to either side, and the first and the last one not beyond.
	s.Control("combobox", "Plot").Choose("Parallel coordinates")
	s.axesAre("depth", "lr", "opt", "acc")
	plot := s.Control("region", "Plot of runs")
	axis := func(name, item string) {
		t.Helper()
		plot.Control("button", name).Click()
		s.Control("menuitem", item).Click()
	}
	axis("lr", "Move right")
	s.axesAre("depth", "opt", "lr", "acc")
	axis("lr", "Move right")
	s.axesAre("depth", "opt", "acc", "lr")
	plot.Control("button", "lr").Click()
	s.Control("menuitem", "Move left").Wait()
	s.Control("menuitem", "Move right").Gone()
	s.Press("Escape")
	axis("opt", "Move left")
	s.axesAre("opt", "depth", "acc", "lr")
	plot.Control("button", "opt").Click()
	s.Control("menuitem", "Move right").Wait()
	s.Control("menuitem", "Move left").Gone()
	s.Press("Escape")
	axis("acc", "Remove")
	s.axesAre("opt", "depth", "lr")
	s.again()
	s.axesAre("opt", "depth", "lr")
}

// Runs share a colour, and are one line with a band, by a hyperparameter; what is below a
// session has its value.
func TestPageHParamGroups(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, sweep(t, 6))
	s.fresh("#timeseries&smoothing=0&tagFilter=acc")
	s.shown("13 of 13 runs shown")
	s.Control("button", "Colours of runs").Click()
	colors := s.Control("dialog", "Colours of runs")
	colors.Control("radio", "Column").Click()
	colors.Control("combobox", "Column to colour by").Choose("lr")
	colors.Is(`["0.1 · 4 runs", "0.2 · 4 runs", "0.3 · 4 runs", "1 run belongs to none, in grey"].every((t) => tbUser.text(e).includes(t))`)
	s.Press("Escape")
	check := func() {
		t.Helper()
		s.Until(func() string {
			by := map[string]string{}
			for _, r := range s.rows() {
				by[r.Name] = r.Color
			}
			if by["s00"] != by["s03"] || by["s00"] != by["s00/eval"] || by["s01"] != by["s04"] || by["s00"] == by["s01"] || by["s01"] == by["s02"] || by["plain"] == by["s00"] {
				return fmt.Sprintf("colours are %v", by)
			}
			return ""
		})
	}
	check()
	s.Control("radiogroup", "Lines").Control("radio", "Groups").Click()
	p := s.still("acc")
	s.Hover(p.at(2, 0.02))
	s.Until(func() string {
		var text string
		s.Eval(`document.querySelector(".tip")?.innerText ?? ""`, &text)
		for _, want := range []string{"0.1 (2 runs)", "0.015", "0.2 (2 runs)", "0.025", "0.3 (2 runs)", "0.035"} {
			if !strings.Contains(text, want) {
				return fmt.Sprintf("the tooltip says %q, not %s", text, want)
			}
		}
		return ""
	})
	s.hash("#timeseries&tagFilter=acc&groupColumn=param%3Fname%3Dlr&smoothing=0&together=color")
	s.again()
	check()

	// The column is chosen in its list; a group has a colour of its own; by runs again, the
	// colours are those of runs.
	s.Control("button", "Colours of runs").Click()
	colors.Control("combobox", "Column to colour by").Value("param?name=lr")
	colors.Control("color", "Colour of the group 0.2").Get(`(e.value = "#a01060", e.dispatchEvent(new Event("input")))`, nil)
	for _, run := range []string{"s01", "s04"} {
		s.Until(func() string { return differs(string(s.color(run)), "#a01060") })
	}
	check()
	colors.Control("radio", "Run").Click()
	s.Until(func() string {
		if a, b := s.color("s00"), s.color("s03"); a == b {
			return "s00 and s03 have one colour"
		}
		return ""
	})
	s.Control("article", "acc").Wait()
	s.Press("Escape")
	var link string
	s.Until(func() string {
		if s.Eval(`location.hash`, &link); strings.Contains(link, "groupColumn") {
			return link
		}
		return ""
	})
}

// A filter leaves out runs without a value unless they are asked for.
func TestPageHParamsMissing(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, sweep(t, 3))
	s.fresh("#hparams")
	s.Control("checkbox", "All runs").Click()
	const head = "Run | depth | lr | opt | acc"
	last, plain := "+s02 | 2 | 0.3 | sgd | 0.02", "+plain |  |  |  | 0.5"
	s.gridIs(head, "+s00 | None | 0.1 | sgd | 0", "+s01 | 2 | 0.2 | adam | 0.01", last, plain)
	table := s.Control("grid", "Runs")
	table.Control("button", "Filter lr").Click()
	box := s.Control("dialog", "Filter lr")
	box.Control("spinbutton", "At least").Fill("0.25")
	s.gridIs(head, last)
	s.shown("2 of 7 runs shown")
	box.Control("checkbox", "Runs without a value (1)").Click()
	s.gridIs(head, last, plain)
	s.shown("3 of 7 runs shown")
	s.again()
	s.gridIs(head, last, plain)
	s.Control("button", "Clear all filters").Click()
	s.shown("7 of 7 runs shown")
}

// What matters, files of what is shown, and the columns beside the names in a wide list,
// which sort it.
func TestPageHParamsBeside(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, sweep(t, 24))
	dir := s.Downloads()
	s.fresh("#hparams")
	s.Until(func() string {
		if g := s.grid(); len(g) < 10 || !strings.HasSuffix(g[9], "| 0.08") {
			return fmt.Sprintf("%q", g)
		}
		return ""
	})
	s.Control("button", "What matters").Click()
	s.Control("dialog", "What matters").Is(`/Of 24 runs[^]*(opt|lr|depth) \d[^]*(opt|lr|depth) \d[^]*(opt|lr|depth) \d/.test(tbUser.text(e)) && e.querySelectorAll("[role=listitem]").length === 3`)
	s.Control("dialog", "What matters").Is(`(parts => parts[0] > parts[2] && parts.every((x, i) => !i || x <= parts[i - 1]))([...e.querySelectorAll("[role=listitem]")].map(i => parseFloat(i.querySelector(".num").textContent)))`)
	s.Press("Escape")

	s.Control("button", "Export").Click()
	s.Control("menuitem", "Download CSV").Click()
	read := func(name string) (text string) {
		s.Until(func() string {
			b, err := os.ReadFile(filepath.Join(dir, name))
			if text = string(b); err != nil {
				return err.Error()
			}
			return ""
		})
		return text
	}
	lines := strings.Split(read("runs.csv"), "\r\n")
	if len(lines) != 26 || lines[0] != "Run,depth,lr,opt,acc" || lines[1] != "s00,None,0.1,sgd,0" || lines[24] != "s23,2,0.3,adam,0.23" {
		t.Errorf("the CSV is %q", lines)
	}
	s.Control("button", "Export").Click()
	s.Control("menuitem", "Download LaTeX").Click()
	if text := read("runs.tex"); !strings.Contains(text, "s23 & 2 & 0.3 & adam & 0.23 \\\\") {
		t.Errorf("the LaTeX is %s", text)
	}
	s.Control("button", "Export").Click()
	s.Control("menuitem", "Download Markdown").Click()
	if text := read("runs.md"); !strings.HasPrefix(text, "| Run | depth | lr | opt | acc |\n| --- | ---: | ---: | ---: | ---: |\n| s00 | None | 0.1 | sgd | 0 |\n") {
		t.Errorf("the Markdown is %s", text)
	}
	// What would end a cell, or be told as something else, does neither.
	const odd = `[["R|un", "x,y"], ["a_b & c", "<1>"], ["two\nlines", "50 % of \"it\""]]`
	for form, want := range map[string]string{
		"markdown": "| R\\|un | x,y |\n| --- | ---: |\n| a\\_b & c | \\<1> |\n| two lines | 50 % of \"it\" |\n",
		"csv":      "R|un,\"x,y\"\r\na_b & c,<1>\r\n\"two\nlines\",\"50 % of \"\"it\"\"\"\r\n",
		"latex":    "\\begin{tabular}{lr}\n\\hline\nR|un & x,y \\\\\n\\hline\na\\_b \\& c & <1> \\\\\ntwo\nlines & 50 \\% of \"it\" \\\\\n\\hline\n\\end{tabular}\n",
	} {
		var text string
		if s.Eval(`tbHparams.forms.`+form+`(`+odd+`)`, &text); text != want {
			t.Errorf("as %s odd cells are %q", form, text)
		}
	}
	s.Control("button", "Export").Click()
	s.Control("menuitem", "Download JSON").Click()
	var rows []map[string]any
	if err := json.Unmarshal([]byte(read("runs.json")), &rows); err != nil || len(rows) != 24 || rows[1]["lr"] != 0.2 || rows[0]["opt"] != "sgd" {
		t.Errorf("the JSON is %v, %v", rows, err)
	}

	// The list made wide has the first columns; its heads sort.
	s.Control("button", "Time series").Click()
	divider := s.Control("separator", "Width of the run list")
	b := divider.Box()
	s.Drag(b.Middle(), browsertest.Point{X: b.X + 380, Y: b.Middle().Y})
	divider.Is(`Math.abs(e.ariaValueNow - ` + fmt.Sprint(int(b.X+380)) + `) < 9`)
	s.Until(func() string {
		var cells []string
		if err := s.TryEval(`[...[...document.querySelectorAll(".run")].find((e) => !e.hidden && e.querySelector(".run-name").textContent === "s01").querySelectorAll(".run-cell")].map((e) => e.textContent)`, &cells); err != nil || !slices.Equal(cells, []string{"2", "0.2", "adam", "0.01"}) {
			return fmt.Sprintf("beside s01 stands %q, %v", cells, err)
		}
		return ""
	})
	var exact []string
	if s.Eval(`[...[...document.querySelectorAll(".run")].find((e) => !e.hidden && e.querySelector(".run-name").textContent === "s01").querySelectorAll(".run-cell")].map((e) => e.title)`, &exact); !slices.Equal(exact, []string{"2", "0.2", "adam", "0.01"}) {
		t.Errorf("what stands beside s01 is exactly %q", exact)
	}
	acc := s.Control("complementary", "Runs").Control("button", "acc*")
	acc.Click()
	acc.Click()
	s.Until(func() string {
		rows := s.rows()
		for i, want := range []string{"plain", "s23", "s22"} { // of all folders
			if len(rows) < 3 || rows[i].Name != want {
				return fmt.Sprintf("the first rows are %v", rows[:min(3, len(rows))])
			}
		}
		return ""
	})
	s.Control("button", "Order and columns").Click()
	box := s.Control("dialog", "Order and columns")
	order := box.Control("combobox", "Order of the runs")
	order.Is(`e.selectedOptions[0].textContent === "By acc ↓"`)
	box.Control("checkbox", "Of the table of runs").Is("e.checked")
	s.Press("Escape")
	s.Control("button", "Table of runs").Click()
	s.Until(func() string {
		if g := s.grid(); len(g) < 3 || !strings.HasPrefix(g[1], "+s23") {
			return fmt.Sprintf("%q", g)
		}
		return ""
	})

	// A third click ends the order; the box takes the columns away, and gives room for three.
	s.Control("button", "Time series").Click()
	acc.Click()
	s.Until(func() string {
		if rows := s.rows(); len(rows) < 1 || rows[0].Name == "plain" {
			return fmt.Sprintf("the first rows are %v", rows[:min(3, len(rows))])
		}
		return ""
	})
	acc.Is(`e.textContent === "acc"`)
	heads := func(want ...string) {
		t.Helper()
		s.textsAre(`document.querySelectorAll(".run-cells:not([hidden]) .run-cell")`, want...)
	}
	columns := func() {
		t.Helper()
		s.Control("button", "Order and columns").Click()
		box.Control("checkbox", "Of the table of runs").Click()
		s.Press("Escape")
	}
	columns()
	heads()
	columns()
	heads("depth", "lr", "opt")
}

// What goes wrong in the table's script is said in its place, and ends nothing else.
func TestPageHParamsBroken(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, sweep(t, 3))
	s.Allow("out of order")
	s.Eval(`void (() => {
		const set = Element.prototype.setAttribute;
		Element.prototype.setAttribute = function (name, value) { if (name === "aria-rowcount") throw new Error("out of order"); return set.call(this, name, value); };
		location.hash = "hparams";
	})()`, nil)
	s.Wait(`document.querySelector("main [role=alert]")?.textContent.startsWith("The table cannot be drawn: out of order.")`)
	s.Eval(`void (location.hash = "timeseries")`, nil)
	s.Wait(`document.querySelectorAll("article .u-over").length > 0`)
}

// Without a declared experiment scalars are metrics, below sessions too; columns are of what
// is listed. Values over decades have a logarithmic axis until another one is chosen, and the
// filter of names stands in one place: in the run list, or, when that is closed, above the
// table.
func TestPageMetricsInferred(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(run string, fill func(w *summary.Writer)) {
		t.Helper()
		w, err := summary.NewWriter(filepath.Join(dir, run), summary.Options{})
		if err != nil {
			t.Fatal(err)
		}
		fill(w)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for i, lr := range []float64{1e-5, 3e-3, 0.2} {
		run := fmt.Sprintf("k%d", i)
		write(run, func(w *summary.Writer) { w.HParams(map[string]any{"lr": lr}, nil) })
		write(run+"/train", func(w *summary.Writer) { w.Scalar("loss", 0.5+float64(i)/8, 1) })
	}
	write("old/run", func(w *summary.Writer) {
		w.HParams(map[string]any{"depth": 2}, nil)
		w.Scalar("score", 7, 1)
	})
	s := come(t, browsertest.Chromium, dir)
	s.fresh("#hparams&runFilter=k")
	s.gridIs("Run | lr | train: loss", "+k0 | 1e-05 | 0.5", "+k1 | 3e-03 | 0.625", "+k2 | 2e-01 | 0.75")
	s.Control("combobox", "Plot").Choose("Parallel coordinates")
	s.axesAre("lr", "train: loss")
	plot := s.Control("region", "Plot of runs")
	scale := func(axis, want string) {
		t.Helper()
		plot.Control("button", axis).Click()
		s.Control("menuitem", "✓ "+want).Wait()
		s.Press("Escape")
	}
	scale("lr", "Log scale")
	scale("train: loss", "Linear scale")
	plot.Control("button", "lr").Click()
	s.Control("menuitem", "Linear scale").Click()
	scale("lr", "Linear scale")
	plot.Control("button", "lr").Click()
	s.Control("menuitem", "Scale by the values").Click()
	scale("lr", "Log scale")
	s.Press("/")
	s.Control("searchbox", "Filter runs of the table (regex)").Gone()
	s.Control("searchbox", "Filter runs (regex)").Fill("^old")
	s.gridIs("Run | depth | score", "+old/run | 2 | 7")
	s.Control("button", "Run list").Click()
	s.Control("searchbox", "Filter runs of the table (regex)").Fill("k[12]")
	s.gridIs("Run | lr | train: loss", "+k1 | 3e-03 | 0.625", "+k2 | 2e-01 | 0.75")
	// The right button has what can be done with a column.
	column := func(name, item string) {
		t.Helper()
		b := s.Control("columnheader", name).Box()
		s.RightClick(browsertest.Point{X: b.X + 20, Y: b.Y + b.Height/2})
		s.Control("menuitem", item).Click()
	}
	column("lr*", "Sort by this")
	s.gridIs("Run | lr↑ | train: loss", "+k1 | 3e-03 | 0.625", "+k2 | 2e-01 | 0.75")
	column("lr*", "Sort by this")
	s.gridIs("Run | lr↓ | train: loss", "+k2 | 2e-01 | 0.75", "+k1 | 3e-03 | 0.625")
}
