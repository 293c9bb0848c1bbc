package ui

import (
	"math"
	"slices"
	"strings"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/hparams"
	"github.com/tensorbored/tensorbored-static/shared/runcolor"
	"github.com/tensorbored/tensorbored-static/shared/runtable"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// measured reports whether a column's numbers are measured, so that hardly two are alike: its
// colours go from low to high and make no groups.
func measured(k runtable.Key) bool {
	return k.IsScalar() || k.Of == "start" || k.Of == "duration"
}

// scaleBy is the scale of colours by a column, nil where each value has a colour of its own.
func (a *app) scaleBy(k runtable.Key) *runcolor.Scale {
	way := session.GroupScale.Of(&a.state)
	if way == "" && !measured(k) {
		return nil
	}
	values := map[string]float64{}
	for _, run := range a.AllRuns() {
		if x, ok := a.number(k, run); ok {
			values[run] = x
		}
	}
	return runcolor.NewScale(values, a.shown, way == session.ScaleLog)
}

// numberRow is the row that has the number of a run: its own, or, of a run that has none, that
// of the session which it is part of; -1 if there is none.
func (a *app) numberRow(k runtable.Key, run string) int {
	row := a.table.Row(run)
	if row < 0 {
		return -1
	}
	c := a.table.Column(k)
	for _, at := range []int{row, a.table.Row(a.table.Owner(row))} {
		if at >= 0 && c.Cells[at].Kind == hparams.Number {
			return at
		}
	}
	return -1
}

func (a *app) number(k runtable.Key, run string) (x float64, ok bool) {
	row := a.numberRow(k, run)
	if row < 0 {
		return 0, false
	}
	return a.table.Column(k).Cells[row].Num, true
}

// colorBy makes colours go by a column: where it has more numbers than there are colours that
// are easily told apart, from low to high.
func (a *app) colorBy(column string) {
	k := runtable.ParseKey(column)
	seen, least, most := map[float64]bool{}, math.Inf(1), math.Inf(-1)
	for _, run := range a.shown {
		if x, ok := a.number(k, run); ok {
			seen[x], least, most = true, min(least, x), max(most, x)
		}
	}
	way := ""
	switch {
	case len(seen) <= ownColors && !measured(k):
	case least > 0 && most/least >= decades:
		way = session.ScaleLog
	default:
		way = session.ScaleLinear
	}
	a.Set(func(s *session.State) {
		session.GroupColumn.Set(s, column)
		session.GroupScale.Set(s, way)
	})
}

const (
	ownColors = 8   // so many are told apart also by the colour blind
	decades   = 100 // the plots' axes become logarithmic there, too
)

// chooseScale makes the list of how values have colours.
func (a *app) chooseScale() dom.HTMLElement {
	el := widget.New("select", "select", widget.Attr{Key: "aria-label", Value: "Colours of the column's values"})
	widget.Listen(el, "change", func(dom.Event) {
		a.Set(func(s *session.State) { session.GroupScale.Set(s, widget.Get(el, "value").String()) })
		if a.regroup != nil {
			a.regroup()
		}
	})
	return el
}

// showScales brings that list to the column: of what is measured no value has a colour of its own.
func (a *app) showScales(el dom.HTMLElement) {
	k := runtable.ParseKey(a.groupedBy)
	own, way := !measured(k), session.GroupScale.Of(&a.state)
	widget.Hide(el, a.groupedBy == "" || own && way == "" && !a.table.Numeric(k))
	var options []dom.Node
	for _, o := range [][2]string{{"", "A colour for each value"}, {session.ScaleLinear, "Colours from low to high"}, {session.ScaleLog, "From low to high, logarithmic"}} {
		if o[0] != "" || own {
			options = append(options, widget.New("option", "", widget.Attr{Key: "value", Value: o[0]}, o[1]))
		}
	}
	widget.Replace(el, options...)
	if way == "" && !own {
		way = session.ScaleLinear
	}
	widget.Set(el, "value", way)
}

// Scale implements board.Host.
func (a *app) Scale() []any {
	if a.scale == nil {
		return nil
	}
	k, none := runtable.ParseKey(a.groupedBy), ""
	if slices.ContainsFunc(a.shown, func(run string) bool { return !a.scale.Has(run) }) {
		none = "none"
	}
	out := []any{a.scaleTitle(), a.table.Text(k, a.numberRow(k, a.scale.Least)), a.table.Text(k, a.numberRow(k, a.scale.Most)), none}
	for _, stop := range runcolor.Stops[0] {
		out = append(out, stop)
	}
	return out
}

// scaleTitle is what the numbers of the scale are.
func (a *app) scaleTitle() string {
	title := runtable.ParseKey(a.groupedBy).Title()
	if session.GroupScale.Of(&a.state) == session.ScaleLog {
		title += ", logarithmic"
	}
	return title
}

// scaleLegend shows which values the colours stand for.
func (a *app) scaleLegend() []dom.Node {
	k := runtable.ParseKey(a.groupedBy)
	stops := runcolor.Stops[0]
	if a.theme.dark {
		stops = runcolor.Stops[1]
	}
	bar := widget.New("i", "")
	widget.Style(bar, "background", "linear-gradient(90deg,"+strings.Join(stops[:], ",")+")")
	end := func(run string) dom.HTMLElement {
		return widget.New("span", "", a.table.Text(k, a.numberRow(k, run)))
	}
	none := 0
	for _, run := range a.shown {
		if !a.scale.Has(run) {
			none++
		}
	}
	out := []dom.Node{widget.New("div", "run-scale", end(a.scale.Least), bar, end(a.scale.Most))}
	if none > 0 {
		out = append(out, widget.New("p", "quiet", widget.Count(none, "run has", "runs have")+" no place on it, in grey"))
	}
	return out
}

// showScale shows the legend below the run list, where colours are on a scale.
func (a *app) showScale(el dom.HTMLElement) {
	widget.Hide(el, a.scale == nil)
	if a.scale == nil {
		return
	}
	widget.Replace(el, append([]dom.Node{widget.New("span", "run-scale-of", a.scaleTitle())}, a.scaleLegend()...)...)
}
