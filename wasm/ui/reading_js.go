package ui

import (
	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// Read implements board.Host.
func (a *app) Read(r board.Reading) {
	l := a.list
	l.reading = r
	if by := session.RunSort.Of(&a.state); r.At == "" && (by == session.SortHigh || by == session.SortLow) {
		a.onRuns.Ask() // the order may be another one; lines do not move under the pointer
	}
	l.read.Ask()
}

// Only implements board.Host.
func (a *app) Only(run string) { a.list.only(run) }

// valueOf is a run's value as the list shows it.
func (l *runList) valueOf(run string) (float64, bool) {
	if l.reading.Value == nil {
		return 0, false
	}
	return l.reading.Value(run)
}

// showReading writes the values into the rows that are seen, and marks the run that the
// pointer is nearest to.
func (l *runList) showReading() {
	r := l.reading
	values := session.RunValues.Of(&l.app.state)
	on := values && r.Card != ""
	// It keeps its room without a text: rows must not move under the pointer when the
	// first values come.
	widget.Hide(l.head, !values)
	widget.Toggle(l.el, "valued", values)
	text := ""
	if on {
		at := r.At
		if at == "" {
			at = "last"
		}
		text = r.Card + ", " + at
	}
	widget.Text(l.head, text)
	var runs []string
	var where []*runRow
	for _, p := range l.pool {
		if p.at < 0 || p.at >= len(l.rows) {
			continue
		}
		row := &l.rows[p.at]
		widget.Toggle(p.el, "near", !row.Folder && row.Name == r.Near)
		if !on || row.Folder || !l.app.on(row.Name) {
			widget.Text(p.value, "")
			continue
		}
		runs, where = append(runs, row.Name), append(where, p)
	}
	if len(runs) == 0 {
		return
	}
	for i, text := range r.Texts(runs) {
		widget.Text(where[i].value, text)
	}
}

// orders are the choices of the list's order.
var orders = [][2]string{
	{string(session.SortAuto), "By itself"}, {string(session.SortName), "Name"}, {string(session.SortNewest), "Newest first"},
	{string(session.SortOldest), "Oldest first"}, {string(session.SortHigh), "Highest value first"}, {string(session.SortLow), "Lowest value first"},
}

// chooseOrder lets the user say in which order runs stand, and which columns there are.
func (l *runList) chooseOrder(under dom.Element) {
	a := l.app
	widget.Popup(under, "order", "Order and columns", func(el dom.HTMLElement) {
		order := widget.New("select", "select", widget.Attr{Key: "aria-label", Value: "Order of the runs"})
		for _, o := range orders {
			order.AppendChild(widget.New("option", "", widget.Attr{Key: "value", Value: o[0]}, o[1]))
		}
		widget.Set(order, "value", string(session.RunSort.Of(&a.state)))
		widget.Listen(order, "change", func(dom.Event) {
			v := widget.Get(order, "value").String()
			a.Set(func(s *session.State) { session.RunSort.Set(s, session.RunOrder(v)) })
		})
		column := func(label string, d *session.Setting[bool]) dom.HTMLElement {
			box, check := widget.Check(label, func(on bool) { a.Set(func(s *session.State) { d.Set(s, on) }) })
			widget.Set(box, "checked", d.Of(&a.state))
			return check
		}
		el.AppendChild(widget.Field("Order", order))
		el.AppendChild(widget.Field("Columns", column("Values", session.RunValues), column("Start", session.RunStarts)))
	})
}
