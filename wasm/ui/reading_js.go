package ui

import (
	"slices"
	"strings"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/runtable"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// widestValue is how many characters a value has room for beside its run.
const widestValue = 8

// Read implements board.Host.
func (a *app) Read(r board.Reading) {
	l := a.list
	l.reading = r
	l.read.Ask()
}

// Only implements board.Host.
func (a *app) Only(runs ...string) { a.list.only(runs...) }

// showReading writes the values into the rows that are seen, and marks the run that the
// pointer is nearest to.
func (l *runList) showReading() {
	r := l.reading
	values := session.RunValues.Of(&l.app.state)
	ranked := l.app.rank.on()
	on := values && (r.Card != "" || ranked)
	// It keeps its room without a text: rows must not move under the pointer when the
	// first values come.
	widget.Hide(l.head, !values)
	widget.Toggle(l.el, "valued", values)
	what, place := "", ""
	if ranked {
		what, place = l.app.rank.title()
	} else if on {
		what, place = r.Card, ", "+r.At
		if r.At == "" {
			place = ", " + r.Rest
		}
	}
	if title := what + place; l.head.Title() != title {
		l.head.SetTitle(title)
		widget.SetCut(l.what, what)
		widget.Text(l.place, place)
	}
	curves := l.sparks.on()
	widget.Toggle(l.el, "sparked", curves)
	var runs []string
	var where []*runRow
	for _, p := range l.pool {
		if p.at < 0 || p.at >= len(l.rows) {
			continue
		}
		row := &l.rows[p.at]
		if near := !row.Folder && row.Name == r.Near; near != p.near {
			p.near = near
			widget.Toggle(p.el, "near", near)
		}
		here := !row.Folder && l.app.on(row.Name)
		if !on || !here {
			p.say(rowValue{})
		}
		if !here {
			continue
		}
		runs, where = append(runs, row.Name), append(where, p)
	}
	if len(runs) == 0 {
		return
	}
	if curves {
		l.sparks.show(runs, where)
	}
	switch {
	case !on:
		return
	case ranked:
		l.showRank(runs, where)
		return
	}
	texts, pads := r.Texts(runs, widestValue)
	for i, text := range texts {
		text, elsewhere, _ := strings.Cut(text, "\n")
		title := elsewhere
		if title != "" {
			title += ": the nearest point of this run"
		}
		where[i].say(rowValue{text, pads[i], title, elsewhere != ""})
	}
}

// showRank writes the numbers by which runs stand.
func (l *runList) showRank(runs []string, where []*runRow) {
	k := l.app.rank.key()
	for i, run := range runs {
		text, pad, exact := l.cells.cell(run, k)
		where[i].say(rowValue{text, pad, exact, false})
	}
}

// orders are the choices of the list's order.
var orders = [][2]string{
	{string(session.SortAuto), "By itself"}, {string(session.SortName), "Name"}, {string(session.SortNewest), "Newest first"},
	{string(session.SortOldest), "Oldest first"}, {string(session.SortHigh), "Highest value first"}, {string(session.SortLow), "Lowest value first"},
}

// columnOrder is the choice that stands for what the table of runs is sorted by.
const columnOrder = "column"

// chooseOrder lets the user say in which order runs stand, and which columns there are.
func (l *runList) chooseOrder(under dom.Element) {
	a := l.app
	widget.Popup(under, "order", "Order and columns", func(el dom.HTMLElement) {
		order := widget.New("select", "select", widget.Attr{Key: "aria-label", Value: "Order of the runs"})
		for _, o := range orders {
			order.AppendChild(widget.New("option", "", widget.Attr{Key: "value", Value: o[0]}, o[1]))
		}
		by, show := a.rank.fields()
		now := string(session.RunSort.Of(&a.state))
		var byColumn dom.HTMLElement // what the table of runs is sorted by goes before
		if titles := l.cells.sorted(); titles != "" {
			byColumn = widget.New("option", "", widget.Attr{Key: "value", Value: columnOrder}, "By "+titles)
			order.AppendChild(byColumn)
			now = columnOrder
		}
		widget.Set(order, "value", now)
		widget.Listen(order, "change", func(dom.Event) {
			v := widget.Get(order, "value").String()
			if v == columnOrder {
				return
			}
			a.Set(func(s *session.State) {
				by := session.RunOrder(v)
				session.RunSort.Set(s, by)
				session.RunColumnSort.Reset(s)
				// By what the list shows now, until another is chosen.
				if tag := l.reading.Card; (by == session.SortHigh || by == session.SortLow) && session.RunRank.Of(s) == "" && slices.Contains(a.rank.tags(), tag) {
					session.RunRank.Set(s, runtable.Key{Of: "last", Name: tag}.String())
				}
			})
			show()
			if byColumn != nil {
				byColumn.Remove()
				byColumn = nil
			}
		})
		called := widget.New("select", "select", widget.Attr{Key: "aria-label", Value: "Runs are called by"},
			widget.New("option", "", widget.Attr{Key: "value", Value: string(session.CalledName)}, "Name of the run"),
			widget.New("option", "", widget.Attr{Key: "value", Value: string(session.CalledParams)}, "Hyperparameters that differ"))
		widget.Set(called, "value", string(session.RunCalled.Of(&a.state)))
		widget.Listen(called, "change", func(dom.Event) {
			a.Set(func(s *session.State) { session.RunCalled.Set(s, session.Called(widget.Get(called, "value").String())) })
		})
		column := func(label string, d *session.Setting[bool]) dom.HTMLElement {
			box, check := widget.Check(label, func(on bool) { a.Set(func(s *session.State) { d.Set(s, on) }) })
			widget.Set(box, "checked", d.Of(&a.state))
			return check
		}
		el.AppendChild(widget.Field("Order", order, by))
		el.AppendChild(widget.Field("Names", called))
		el.AppendChild(widget.Field("Columns", column("Values", session.RunValues), column("Start", session.RunStarts), l.cells.offer()))
	})
}
