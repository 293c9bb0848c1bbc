package ui

import (
	"fmt"
	"slices"
	"strings"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/runtable"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

const (
	listName  = 300 // what a row of the run list needs before it has room for columns, CSS pixels
	cellWidth = 84  // of a column there, as in runs.css
)

// cells are the columns of the table of runs beside the names in the run list: as many as
// the list is wide enough for.
type cells struct {
	list *runList
	head dom.HTMLElement
	keys []runtable.Key
	said string // what the head shows
}

func newCells(l *runList) *cells {
	c := &cells{list: l, head: widget.New("div", "run-cells")}
	widget.Listen(c.head, "click", c.sortBy)
	return c
}

// update finds out which columns there is room for, and writes their head.
func (c *cells) update() {
	a := c.list.app
	room := session.RunsWidth.Of(&a.state) - listName
	if a.rank.on() && session.RunCurves.Of(&a.state) {
		room -= sparkWidth
	}
	n := max(0, room/cellWidth)
	if a.panes != nil && a.panes.isDrawer("runs") {
		n = 0
	}
	a.table.Wanted(c, n > 0)
	c.keys = nil
	if n > 0 {
		all := a.table.Columns()
		c.keys = all[:min(n, len(all))]
	}
	by := session.RunColumnSort.Of(&a.state)
	if said := fmt.Sprint(c.keys, by); said != c.said {
		c.said = said
		var heads []dom.Node
		for _, k := range c.keys {
			heads = append(heads, title(k, by))
		}
		widget.Replace(c.head, heads...)
	}
	widget.Hide(c.head, len(c.keys) == 0)
}

// title is the head of a column.
func title(k runtable.Key, by []string) dom.Node {
	key := k.String()
	return widget.New("button", "run-cell", widget.Attr{Key: "type", Value: "button"}, widget.Attr{Key: "data-key", Value: key},
		widget.Attr{Key: "title", Value: "Sort by " + k.Title()}, sortTitle(k, by))
}

// sortTitle is a column's title, with an arrow if it is among those that are sorted by.
func sortTitle(k runtable.Key, by []string) string {
	switch key := k.String(); {
	case slices.Contains(by, key):
		return k.Title() + " ↑"
	case slices.Contains(by, "-"+key):
		return k.Title() + " ↓"
	}
	return k.Title()
}

// sortBy sorts by the column whose head was clicked: up, down, and not at all.
func (c *cells) sortBy(ev dom.Event) {
	b := ev.Underlying().Get("target").Call("closest", "[data-key]")
	if !b.Truthy() {
		return
	}
	key := b.Get("dataset").Get("key").String()
	c.list.app.Set(func(s *session.State) {
		next := []string{key}
		if by := session.RunColumnSort.Of(s); slices.Contains(by, key) {
			next = []string{"-" + key}
		} else if slices.Contains(by, "-"+key) {
			next = nil
		}
		session.RunColumnSort.Set(s, next)
	})
}

// offer makes the box that gives the list room for columns of the table, or takes it away.
// How many there are is what its edge is drawn to.
func (c *cells) offer() dom.HTMLElement {
	a := c.list.app
	box, check := widget.Check("Of the table of runs", func(on bool) {
		a.Set(func(s *session.State) {
			session.RunsWidth.Reset(s)
			if on {
				session.RunsWidth.Set(s, listName+3*cellWidth)
			}
		})
	})
	check.SetTitle("Beside the names, as many as fit. Drag the list's edge for more room.")
	widget.Set(box, "checked", len(c.keys) > 0)
	widget.Set(box, "disabled", a.panes != nil && a.panes.isDrawer("runs"))
	return check
}

// sorted names the columns that the list is sorted by; "" if it is by none.
func (c *cells) sorted() string {
	var titles []string
	by := session.RunColumnSort.Of(&c.list.app.state)
	for _, key := range by {
		titles = append(titles, sortTitle(runtable.ParseKey(strings.TrimPrefix(key, "-")), by))
	}
	return strings.Join(titles, ", ")
}

// sort sorts runs by the columns that the table is sorted by, if it is.
func (c *cells) sort(runs []wire.Run) (sorted []wire.Run, is bool) {
	a := c.list.app
	by := session.RunColumnSort.Of(&a.state)
	if len(by) == 0 || len(runs) != len(a.table.Runs) {
		return runs, false
	}
	at := make([]int, len(runs)) // by row
	rows := make([]int, 0, len(runs))
	for i, r := range runs {
		row := a.table.Row(r.Name)
		if row < 0 {
			return runs, false
		}
		at[row] = i
		rows = append(rows, row)
	}
	a.table.Sort(rows, by)
	out := make([]wire.Run, len(rows))
	for i, row := range rows {
		out[i] = runs[at[row]]
	}
	return out, true
}

// cell is what a run's cell of column k says: its text, what pads it, the exact value.
func (c *cells) cell(name string, k runtable.Key) (text, pad, exact string) {
	t := c.list.app.table
	row := t.Row(name)
	if row < 0 {
		return "", "", ""
	}
	return t.Text(k, row), t.Column(k).Pad(k, t.Column(k).Cells[row]), t.Exact(k, row)
}

// face is all that a run's cells say.
func (c *cells) face(name string) (all string) {
	for _, k := range c.keys {
		text, pad, exact := c.cell(name, k)
		all += text + "\x00" + pad + "\x00" + exact + "\x00"
	}
	return all
}

// fill writes a run's cells; those of a folder are its session's.
func (c *cells) fill(p *runRow, name string) {
	for len(p.cells) < len(c.keys) {
		e := widget.New("span", "run-cell num")
		p.el.AppendChild(e)
		p.cells = append(p.cells, e)
	}
	for i, e := range p.cells {
		text, pad, exact := "", "", ""
		if i < len(c.keys) {
			text, pad, exact = c.cell(name, c.keys[i])
		}
		widget.Hide(e, i >= len(c.keys))
		widget.Text(e, text)
		e.SetAttribute("data-pad", pad)
		e.SetTitle(exact)
	}
}
