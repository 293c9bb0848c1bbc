package hparams

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/names"
	"github.com/tensorbored/tensorbored-static/shared/natural"
	"github.com/tensorbored/tensorbored-static/shared/runtable"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// view is the dashboard on the screen. The script asks it by name for what it shows, and
// tells it what the user does; all that stays is settings.
type view struct {
	host  board.Host
	el    dom.HTMLElement
	table js.Value // the script's half; undefined as long as it has not come
	draw  *widget.Frame
	ended bool

	lines   []line
	rows    []int            // of the table, that pass the filters, in their order
	members map[int][]string // runs of a row
	open    map[string]bool  // groups that are open
	left    int              // rows that filters leave out
	hidden  []string
	titles  map[runtable.Key]string       // that experiments give; nil: not known
	best    map[runtable.Key]map[int]bool // rows with the best value of a column
	short   *names.Many                   // rows' names, so that they fit; nil: not known
	placed  map[int]int                   // at which place of short a row's name stands
	plot    plot
	compare compare
}

// line is what stands in one line: a row, or the head of a group of them.
type line struct {
	row   int    // -1: a head
	group string // name of the group whose head it is
	rows  []int  // of the group
}

// NewView implements board.Board.
func (Board) NewView(h board.Host) board.View {
	return &view{host: h, table: js.Undefined(), open: map[string]bool{}}
}

// Mount implements board.View.
func (v *view) Mount(into dom.HTMLElement) {
	v.el = widget.New("section", "hparams", widget.Attr{Key: "aria-label", Value: "Table of runs"}, widget.New("p", "quiet late", "Loading the table…"))
	into.AppendChild(v.el)
	v.draw = widget.NewFrame(func() {
		v.show()
	})
	t := v.host.Table()
	t.Show(v, true)
	answer := widget.Answers(func() any { return new(wish) }, func(name string, w any, more []js.Value) any {
		a := w.(*wish)
		if name == "menu" {
			v.host.RunMenu(widget.Wrap(more[0]), a.Run, v.runs(v.host.Table().Row(a.Run)))
			return nil
		}
		return v.answer(name, a)
	})
	widget.Present().OnEnd(func() {
		v.ended = true
		v.compare.drop()
		t.Show(v, false)
		if v.table.Truthy() {
			v.table.Call("end")
		}
		v.el.Remove()
	})
	go func() {
		_, err := bridge.AwaitCall(js.Global().Get("tbBoot"), "load", "hparams")
		if v.ended {
			return
		}
		if err != nil {
			widget.Replace(v.el, widget.New("p", "", "The table cannot be shown: "+err.Error()))
			return
		}
		widget.Replace(v.el)
		v.want()
		v.arrange()
		v.table = js.Global().Call("tbHparams", v.el.Underlying(), answer)
	}()
}

// show brings the screen to the settings and the table.
func (v *view) show() {
	v.want()
	v.arrange()
	if v.table.Truthy() {
		v.table.Call("update")
	}
}

// Update implements board.View.
func (v *view) Update(u board.Update) {
	if len(u.Data) > 0 {
		v.compare.asked = "" // it may be different now
	}
	v.draw.Ask()
}

// Pane implements board.View.
func (v *view) Pane() []dom.Node { return nil }

// Highlight implements board.View.
func (v *view) Highlight(string) {}

// Escape implements board.View.
func (v *view) Escape() bool { return false }

// Key implements board.View.
func (v *view) Key(key string, _ bool) bool {
	commands, _ := v.Help()
	return board.Do(commands, key)
}

// Places implements board.View: the columns, to sort by.
func (v *view) Places(func()) (out []board.Command) {
	for _, k := range v.host.Table().Columns() {
		out = append(out, board.Command{Does: "Sort by " + v.title(k), Of: "Column", Run: func() { v.answer("sort", &wish{Key: k.String()}) }})
	}
	return out
}

// Help implements board.View.
func (v *view) Help() (commands, mouse []board.Command) {
	call := func(method string) func() {
		return func() {
			if v.table.Truthy() {
				v.table.Call(method)
			}
		}
	}
	do := func(name string) func() { return func() { v.answer(name, &wish{}) } }
	kind := func(k string) func() { return func() { v.answer("kind", &wish{Key: k}) } }
	return []board.Command{
			{Keys: "/", Does: "Filter runs of the table", Run: call("search")},
			{Keys: "c", Does: "Columns of the table", Run: call("columns")},
			{Does: "Which hyperparameters matter", Run: call("matters")},
			{Does: "End the comparison of runs", Run: func() { v.answer("compare", &wish{}) }},
			{Does: "Plot: none", Run: kind("")},
			{Does: "Plot: parallel coordinates", Run: kind("parallel")},
			{Does: "Plot: scatter matrix", Run: kind("matrix")},
			{Does: "Plot: scatter", Run: kind("scatter")},
			{Does: "Only columns that differ", Run: do("differ")},
			{Does: "Clear all filters of the table", Run: do("unfilter")},
			{Does: "Export the table", Run: call("exports")},
			{Keys: "Enter, Shift Enter", Does: "On a column: sort by it, or by it too"},
			{Keys: "Alt ← →", Does: "On a column: move it; with Shift its width"},
			{Keys: "Alt ↓, Delete", Does: "On a column: filter, remove"},
			{Keys: "↑ ↓", Does: "On a run: the next one; Space switches it"},
		}, []board.Command{
			{Keys: "Click a column", Does: "Sort by it; Shift: by it too"},
			{Keys: "Drag a column", Does: "Move it; its edge: make it wider"},
			{Keys: "Shift click a run", Does: "Switches all runs between"},
		}
}

// arrange finds out which lines there are.
func (v *view) arrange() {
	s, t := v.host.State(), v.host.Table()
	units, members := t.Units(session.RunTableAll.Of(s))
	v.members, v.rows, v.left, v.hidden, v.titles, v.best, v.short = members, nil, 0, nil, nil, map[runtable.Key]map[int]bool{}, nil
	for _, row := range units {
		run := t.Runs[row]
		switch hidden, _ := session.RunsHidden.Get(s, run); {
		case hidden:
			v.hidden = append(v.hidden, run)
		case !v.host.Listed(run):
			v.left++
		default:
			v.rows = append(v.rows, row)
		}
	}
	by := session.RunColumnSort.Of(s)
	t.Sort(v.rows, by)
	v.lines = v.lines[:0]
	if key := session.RunRowsBy.Of(s); key != "" {
		k := runtable.ParseKey(key)
		for _, g := range t.GroupBy(v.rows, k, by) {
			name := t.Column(k).Format(k, g.Value, true)
			if name == "" {
				name = "none"
			}
			v.lines = append(v.lines, line{row: -1, group: name, rows: g.Rows})
			if v.open[name] {
				for _, r := range g.Rows {
					v.lines = append(v.lines, line{row: r})
				}
			}
		}
		return
	}
	for _, r := range v.rows {
		v.lines = append(v.lines, line{row: r})
	}
}

// runs are the runs of some rows.
func (v *view) runs(rows ...int) (out []string) {
	for _, r := range rows {
		out = append(out, v.members[r]...)
	}
	return out
}

// of are the rows of a line.
func (l *line) of() []int {
	if l.row >= 0 {
		return []int{l.row}
	}
	return l.rows
}

// mostWide is how many characters a column is as wide as by itself.
const mostWide = 32

// goal says which value of a column is the best one: as the user chose, or by its name.
func (v *view) goal(k runtable.Key) string {
	if goal, ok := session.RunColumnBest.Get(v.host.State(), k.String()); ok {
		return goal
	}
	return k.Goal()
}

// tableHead is how much room a column's title has in the table, in CSS pixels.
const tableHead = 148

// nameRoom is how much room a run's name has in the table, in CSS pixels: the column of names
// is narrower on a phone, as static/lazy/hparams/0-dom.js has it.
func nameRoom() float64 {
	const column, phone, part, others = 260, 600, 0.46, 106
	if w := js.Global().Get("innerWidth").Float(); w <= phone {
		return min(column, part*w) - others
	}
	return column - others
}

// names makes the rows' names fit, so that what differs is seen; they stand in the order of
// the rows.
func (v *view) names() *names.Many {
	if v.short == nil {
		list := make([]string, len(v.rows))
		v.placed = make(map[int]int, len(v.rows))
		for i, r := range v.rows {
			list[i] = widget.Short(v.host.Name(v.host.Table().Runs[r]))
			v.placed[r] = i
		}
		v.short = names.NewMany(list, nameRoom(), widget.TextWidth)
	}
	return v.short
}

// object is a JSON object.
type object = map[string]any

// spec is all that the table shows but its lines.
func (v *view) spec() object {
	s, t := v.host.State(), v.host.Table()
	by := session.RunColumnSort.Of(s)
	columns, titles := []object{}, []string{}
	about := map[string]string{}
	for _, p := range t.Experiment.Params {
		about[p.Name] = strings.TrimSpace(p.Title + "\n" + p.Description)
	}
	filters := session.RunColumnFilters.Of(s)
	for _, k := range t.Columns() {
		key := k.String()
		_, filtered := filters[key]
		c := object{"key": key, "title": v.title(k), "about": about[k.Name], "filtered": filtered, "sort": 0, "at": 0}
		if w, ok := session.RunColumnWidths.Get(s, key); ok {
			c["width"] = w
		}
		for i, b := range by {
			if b == key || b == "-"+key {
				c["at"] = i + 1
				c["sort"] = map[bool]int{true: -1, false: 1}[b[0] == '-']
			}
		}
		c["scalar"] = k.IsScalar()
		c["number"] = t.Numeric(k)
		c["wide"] = min(t.Column(k).Wide(k), mostWide)
		if goal := v.goal(k); k.IsScalar() {
			c["goal"] = goal
			v.best[k] = t.Column(k).Best(v.rows, goal)
		}
		columns = append(columns, c)
		titles = append(titles, widget.Short(v.title(k)))
	}
	// Titles that differ look different where columns are not made wider.
	titles, _ = names.Fit(titles, tableHead, widget.TextWidth, names.Title)
	for i, c := range columns {
		c["head"] = titles[i]
	}
	run := 0
	if slices.Contains(by, "run") {
		run = 1
	} else if slices.Contains(by, "-run") {
		run = -1
	}
	chips := []object{}
	for _, key := range sorted(filters) {
		chips = append(chips, object{"key": key, "text": v.title(runtable.ParseKey(key)) + " " + filterText(filters[key])})
	}
	on := 0
	for _, r := range v.rows {
		if v.host.On(t.Runs[r]) {
			on++
		}
	}
	var notes []string
	if t.Problem != nil {
		notes = append(notes, "Not filtered: "+t.Problem.Error())
	}
	bad := maps.Clone(t.Damaged)
	maps.Copy(bad, t.Spoiled)
	if n := len(bad); n > 0 {
		notes = append(notes, "The hyperparameters of "+widget.Count(n, "run", "runs")+" are damaged: "+widget.Some(sorted(bad), fewNames))
	}
	if n := len(t.Late); n > 0 {
		notes = append(notes, "The hyperparameters of "+widget.Count(n, "run", "runs")+" could not be read for now, and are asked for again: "+widget.Some(sorted(t.Late), fewNames))
	}
	if t.Thinned {
		notes = append(notes, "Some means use only the points that memory keeps.")
	}
	return object{"common": v.names().Common, "columns": columns, "chosen": len(session.RunColumns.Of(s)) > 0, "lines": len(v.lines), "rows": len(v.rows), "on": on, "left": v.left,
		"chips": chips, "by": session.RunRowsBy.Of(s), "all": session.RunTableAll.Of(s), "sessions": len(t.Sessions), "filter": session.RunFilter.Of(s),
		"run": run, "hidden": v.hidden, "plot": session.RunPlot.Of(s),
		"compare": session.RunCompare.Of(s), "baselineRun": session.Baseline.Of(s), "note": strings.Join(notes, " ")}
}

// title is what a column is called: as its experiment says, or else by itself.
func (v *view) title(k runtable.Key) string {
	if v.titles == nil {
		v.titles = map[runtable.Key]string{}
		e := &v.host.Table().Experiment
		for _, p := range e.Params {
			v.titles[runtable.ParamKey(p.Name)] = p.Title
		}
		for _, m := range e.Metrics {
			v.titles[runtable.Key{Of: "last", Name: m.Tag, Group: m.Group}] = m.Title
		}
	}
	last := k
	if k.IsScalar() {
		last.Of, last.Step = "last", 0
	}
	switch title := v.titles[last]; {
	case title == "":
		return k.Title()
	case last != k:
		return title + " " + k.Of
	default:
		return title
	}
}

// fewNames is how many of many are named in a line.
const fewNames = 3

func sorted[V any](m map[string]V) []string {
	list := make([]string, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	slices.SortFunc(list, natural.Compare)
	return list
}

// filterText says what a filter wants.
func filterText(f session.ColumnFilter) string {
	var parts []string
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	switch {
	case f.Lo != nil && f.Hi != nil:
		parts = append(parts, number(*f.Lo)+" – "+number(*f.Hi))
	case f.Lo != nil:
		parts = append(parts, "≥ "+number(*f.Lo))
	case f.Hi != nil:
		parts = append(parts, "≤ "+number(*f.Hi))
	}
	if f.Only {
		if len(f.Values) == 0 && f.Missing {
			return "is missing"
		}
		parts = append(parts, "is "+widget.Some(f.Values, fewNames))
	}
	if f.Regex != "" {
		parts = append(parts, "matches "+f.Regex)
	}
	if f.Missing {
		parts = append(parts, "or is missing")
	}
	return strings.Join(parts, ", ")
}

// some lines, for the screen.
func (v *view) part(a *wish) []object {
	t := v.host.Table()
	columns := t.Columns()
	base := v.baseline()
	columns = columns[max(0, min(a.First, len(columns))):max(0, min(a.Last, len(columns)))]
	out := []object{}
	lines := v.lines[max(0, min(a.From, len(v.lines))):max(0, min(a.To, len(v.lines)))]
	short := v.names()
	var at []int
	for _, l := range lines {
		if l.row >= 0 {
			at = append(at, v.placed[l.row])
		}
	}
	called := short.Texts(at)
	for _, l := range lines {
		on, all := 0, v.runs(l.of()...)
		for _, r := range all {
			if v.host.On(r) {
				on++
			}
		}
		cells, pads, exact, best := make([]string, len(columns)), make([]string, len(columns)), make([]string, len(columns)), []int{}
		o := object{"on": map[bool]int{true: 1}[on > 0], "some": on > 0 && on < len(all), "cells": cells, "pads": pads, "exact": exact}
		if l.row < 0 {
			o["name"], o["n"], o["open"] = l.group, len(l.rows), v.open[l.group]
			for i, k := range columns {
				cells[i] = t.Column(k).Summary(k, l.rows)
			}
		} else {
			run := t.Runs[l.row]
			o["name"], o["whole"], o["run"], o["color"] = called[0], v.host.Name(run), run, v.host.Color(run)
			called = called[1:]
			if note, _ := session.RunNotes.Get(v.host.State(), run); note != "" {
				o["note"] = note
			}
			for i, k := range columns {
				c := t.Column(k)
				cells[i], pads[i], exact[i] = v.cell(k, l.row, base), c.Pad(k, c.Cells[l.row]), c.Format(k, c.Cells[l.row], true)
				if base >= 0 && k.IsScalar() {
					pads[i] = "" // differences stand after the numbers
				}
				if v.best[k][l.row] {
					best = append(best, i)
				}
			}
			o["best"] = best
		}
		out = append(out, o)
	}
	return out
}

// exported are the header and all rows as they are shown, numbers with all digits.
func (v *view) exported() [][]string {
	t := v.host.Table()
	columns := t.Columns()
	head := []string{"Run"}
	for _, k := range columns {
		head = append(head, v.title(k))
	}
	out := [][]string{head}
	for _, l := range v.lines {
		var row []string
		if l.row < 0 {
			row = append(row, l.group+" ("+strconv.Itoa(len(l.rows))+")")
		} else {
			row = append(row, v.host.Name(t.Runs[l.row]))
		}
		for _, k := range columns {
			if c := t.Column(k); l.row < 0 {
				row = append(row, c.Summary(k, l.rows))
			} else {
				row = append(row, c.Format(k, c.Cells[l.row], true))
			}
		}
		out = append(out, row)
	}
	return out
}
