package ui

import (
	"strings"
	"time"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// Read implements board.Host.
func (a *app) Read(r board.Reading) {
	l := a.list
	if r.Near != l.reading.Near {
		l.follow.Start(300 * time.Millisecond) // not with every curve that the pointer crosses
	}
	l.reading = r
	if by := session.RunSort.Of(&a.state); r.At == "" && (by == session.SortHigh || by == session.SortLow) {
		a.onRuns.Ask() // the order may be another one; lines do not move under the pointer
	}
	l.read.Ask()
}

// Only implements board.Host.
func (a *app) Only(runs ...string) { a.list.only(runs...) }

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
			at = r.Rest
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
			p.value.SetTitle("")
			continue
		}
		runs, where = append(runs, row.Name), append(where, p)
	}
	if len(runs) == 0 {
		return
	}
	for i, text := range r.Texts(runs) {
		text, elsewhere, _ := strings.Cut(text, "\n")
		widget.Text(where[i].value, text)
		widget.Toggle(where[i].value, "elsewhere", elsewhere != "")
		title := elsewhere
		if title != "" {
			title += ": the nearest point of this run"
		}
		where[i].value.SetTitle(title)
	}
}

// bring scrolls to the run that the pointer is nearest to, unless the list is being used.
func (l *runList) bring() {
	if l.el.Underlying().Call("matches", ":hover, :focus-within").Bool() {
		return
	}
	for i, r := range l.rows {
		if top := i * rowHeight; !r.Folder && r.Name == l.reading.Near && (top < l.top || top+rowHeight > l.top+l.high) {
			widget.Set(l.scroll, "scrollTop", top-l.high/2)
		}
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
				session.RunSort.Set(s, session.RunOrder(v))
				session.RunColumnSort.Reset(s)
			})
			if byColumn != nil {
				byColumn.Remove()
				byColumn = nil
			}
		})
		column := func(label string, d *session.Setting[bool]) dom.HTMLElement {
			box, check := widget.Check(label, func(on bool) { a.Set(func(s *session.State) { d.Set(s, on) }) })
			widget.Set(box, "checked", d.Of(&a.state))
			return check
		}
		el.AppendChild(widget.Field("Order", order))
		el.AppendChild(widget.Field("Columns", column("Values", session.RunValues), column("Start", session.RunStarts), l.cells.offer()))
	})
}
