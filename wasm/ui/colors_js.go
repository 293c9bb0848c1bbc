package ui

import (
	"fmt"
	"slices"
	"strings"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/runcolor"
	"github.com/tensorbored/tensorbored-static/shared/runtable"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

const (
	groupsListed = 50 // groups of runs that are listed
	runsNamed    = 5  // of each, as in TensorBoard
)

// recolor gives the runs the colours that follow from which there are, which are shown,
// and what the user chose.
func (a *app) recolor() {
	s := &a.state
	a.groups, a.scale = nil, nil
	if column := session.GroupColumn.Of(s); column != a.groupedBy {
		a.groupedBy = column
		if column == "" {
			a.table.Show("colours", false)
		} else {
			a.table.Show("colours", false, runtable.ParseKey(column))
		}
	}
	if key := runtable.ParseKey(a.groupedBy); a.groupedBy != "" {
		a.scale = a.scaleBy(key)
		if !measured(key) {
			a.groups = runcolor.ByValue(a.groupedBy, a.Values(a.groupedBy))
		}
	} else if by := session.GroupBy.Of(s); by.Key == session.GroupByRegex && by.Regex != "" {
		// One that cannot be understood is marked where it is typed.
		a.groups, _ = runcolor.ByRegexp(by.Regex)
	}
	a.hues.assign()
	a.table.Need("split", a.splits()...)
}

// splits are the columns whose values cards are split by, those of pinned ones too.
func (a *app) splits() (keys []runtable.Key) {
	need := func(way string) {
		if k := runtable.ParseKey(way); strings.Contains(way, "?") && !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	need(scalars.SplitOf(&a.state))
	for _, id := range session.PinnedCards(&a.state) {
		way, _ := session.CutPart(id.Part)
		need(way)
	}
	return keys
}

// Values implements board.Host.
func (a *app) Values(column string) func(run string) (string, bool) {
	k := runtable.ParseKey(column)
	return func(run string) (string, bool) {
		row := a.table.Row(run)
		if row < 0 {
			return "", false
		}
		text := a.table.Exact(k, row)
		return text, text != ""
	}
}

// Params implements board.Host.
func (a *app) Params() []string {
	a.table.Need("params", runtable.ParamKey(""))
	return a.table.Params(&a.table.Experiment)
}

// Color implements board.Host.
func (a *app) Color(run string) string { return a.colors.Hex(run, a.theme.dark) }

// Paper implements board.Host.
func (a *app) Paper(run string) string { return a.colors.Hex(run, false) }

// Dash implements board.Host.
func (a *app) Dash(run string) int { return a.colors.Dash(run) }

// Group implements board.Host.
func (a *app) Group(run string) (string, bool) {
	if a.groups == nil {
		return "", false
	}
	key, ok := a.groups.Key(run)
	return a.groups.Label(key), ok
}

// colorInput makes a field for a colour.
func colorInput(name, value string, do func(hex string)) dom.HTMLElement {
	in := widget.New("input", "", widget.Attr{Key: "type", Value: "color"}, widget.Attr{Key: "value", Value: value}, widget.Attr{Key: "aria-label", Value: name})
	widget.Listen(in, "input", func(dom.Event) { do(widget.Get(in, "value").String()) })
	return in
}

// pickColor lets the user choose a run's colour.
func (l *runList) pickColor(run string, under dom.Element) {
	a := l.app
	var end func()
	end = widget.Popup(under, "color", "Colour of "+run, func(el dom.HTMLElement) {
		in := colorInput("Colour", a.Color(run), func(hex string) {
			a.Set(func(s *session.State) { session.RunColors.Put(s, run, hex) })
		})
		reset := widget.New("button", "button", widget.Attr{Key: "type", Value: "button"}, "Default colour", widget.Click(func() {
			a.Set(func(s *session.State) { session.RunColors.Drop(s, run) })
			end()
		}))
		el.AppendChild(widget.New("h3", "", run))
		el.AppendChild(widget.New("div", "buttons", in, reset))
	})
}

// ChooseGroups lets the user say what colours go by, and change many at a time.
func (a *app) ChooseGroups(under dom.Element) {
	widget.Popup(under, "colors", "Colours of runs", func(el dom.HTMLElement) {
		by := session.GroupBy.Of(&a.state)
		set := func(change func(*session.Grouping)) {
			a.Set(func(s *session.State) {
				g := session.GroupBy.Of(s)
				change(&g)
				session.GroupBy.Set(s, g)
			})
		}
		column := widget.New("select", "select", widget.Attr{Key: "aria-label", Value: "Column to colour by"})
		values := a.chooseScale()
		list, why := widget.New("div", "group-list"), widget.New("p", "said", widget.Attr{Key: "role", Value: "status"})
		var field, box dom.HTMLElement
		field, box = widget.Search("Regular expression on run names, e.g. (train|eval)", "group-regex", func(text string) {
			set(func(g *session.Grouping) { g.Regex = text })
			a.previewGroups(field, list, why, text)
		})
		widget.Set(field, "value", by.Regex)
		regex := widget.New("div", "field", box, why, list)
		byColumn := func() bool { return session.GroupColumn.Of(&a.state) != "" }
		var show func()
		button := func(label, title string, do func()) dom.HTMLElement {
			return widget.New("button", "button", widget.Attr{Key: "type", Value: "button"}, widget.Attr{Key: "title", Value: title}, label, widget.Click(func() { do(); show() }))
		}
		spread := button("Recolour what is shown", "Gives the shown runs colours that are as far apart as possible", a.hues.spread)
		auto, check := widget.Check("Recolour by itself what is hard to tell apart", func(on bool) {
			a.Set(func(s *session.State) { session.RunRecolor.Set(s, on) })
		})
		widget.Set(auto, "checked", session.RunRecolor.Of(&a.state))
		show = func() {
			on := !byColumn() && session.GroupBy.Of(&a.state).Key == session.GroupByRegex
			widget.Hide(column, !byColumn())
			a.showScales(values)
			widget.Hide(regex, !on && !byColumn())
			widget.Hide(box, byColumn())
			widget.Hide(spread, a.scale != nil)
			widget.Hide(check, a.scale != nil)
			switch {
			case !byColumn():
			case a.scale != nil:
				widget.Text(why, "")
				widget.Replace(list, a.scaleLegend()...)
			case measured(runtable.ParseKey(a.groupedBy)):
				widget.Text(why, "No shown run has a number there.")
				widget.Replace(list)
			default:
				widget.Text(why, "")
				a.listGroups(list, a.groups)
			}
			if on {
				a.previewGroups(field, list, why, widget.Get(field, "value").String())
			}
		}
		choice := widget.NewChoice("Colour by", [][2]string{{string(session.GroupByRun), "Run"}, {string(session.GroupByRegex), "Regex groups"}, {"", "Column"}}, func(v string) {
			if v == "" {
				a.colorBy(widget.Get(column, "value").String())
			} else {
				a.Set(func(s *session.State) {
					session.GroupColumn.Reset(s)
					session.GroupScale.Reset(s)
					g := session.GroupBy.Of(s)
					g.Key = session.GroupKey(v)
					session.GroupBy.Set(s, g)
				})
			}
			show()
			if v == string(session.GroupByRegex) {
				field.Focus()
			}
		})
		choice.Set(string(by.Key))
		if byColumn() {
			choice.Set("")
		}
		widget.Listen(column, "change", func(dom.Event) {
			a.colorBy(widget.Get(column, "value").String())
			show()
		})
		a.offerColumns(column)
		a.regroup = func() { a.offerColumns(column); show() } // hyperparameters come when they are first asked for
		a.table.Show(el, true)
		widget.Present().OnEnd(func() { a.regroup = nil; a.table.Show(el, false) })
		el.AppendChild(widget.Field("Colour by", choice.El, column, values))
		el.AppendChild(regex)
		el.AppendChild(widget.New("div", "buttons", spread,
			button("Default colours", "Forgets every colour that was chosen by hand", func() {
				a.hues.chooseOthers("Colours that were chosen by hand are gone", nil, nil)
			})))
		el.AppendChild(check)
		show()
	})
}

// previewGroups lists the groups that an expression makes, with their colours to choose,
// or says why it cannot be understood.
func (a *app) previewGroups(field, list, why dom.HTMLElement, text string) {
	by, err := runcolor.ByRegexp(text)
	widget.Invalid(field, "")
	if err != nil {
		widget.Invalid(field, "Colours are by run: "+err.Error())
		widget.Text(why, "")
		widget.Replace(list)
		return
	}
	if text == "" {
		widget.Text(why, "Runs with equal text in the brackets share a colour.")
		widget.Replace(list)
		return
	}
	widget.Text(why, "")
	a.listGroups(list, by)
}

// offerColumns puts the hyperparameters, the table's metrics, and what there is of runs themselves
// into a list.
func (a *app) offerColumns(into dom.HTMLElement) {
	var params, metrics []runtable.Key
	for _, name := range a.table.Params(&a.table.Experiment) {
		params = append(params, runtable.ParamKey(name))
	}
	for _, k := range a.table.Columns() {
		if k.IsScalar() {
			metrics = append(metrics, k)
		}
	}
	facts := []runtable.Key{{Of: "status"}, {Of: "tags"}, {Of: "start"}, {Of: "duration"}}
	if text := session.GroupColumn.Of(&a.state); text != "" {
		k, of := runtable.ParseKey(text), &params
		if k.IsScalar() {
			of = &metrics
		}
		if !slices.Contains(slices.Concat(params, metrics, facts), k) {
			*of = append(*of, k)
		}
	}
	had := widget.Get(into, "value").String()
	var options []dom.Node
	for _, part := range []struct {
		label string
		keys  []runtable.Key
	}{{"Hyperparameters", params}, {"Metrics", metrics}, {"Runs", facts}} {
		group := widget.New("optgroup", "", widget.Attr{Key: "label", Value: part.label})
		for _, k := range part.keys {
			group.AppendChild(widget.New("option", "", widget.Attr{Key: "value", Value: k.String()}, k.Title()))
		}
		if len(part.keys) > 0 {
			options = append(options, group)
		}
	}
	widget.Replace(into, options...)
	if now := session.GroupColumn.Of(&a.state); now != "" {
		had = now
	}
	if had != "" {
		widget.Set(into, "value", had)
	}
}

// listGroups lists the groups of runs with their colours to choose.
func (a *app) listGroups(list dom.HTMLElement, by *runcolor.Groups) {
	groups, none := groupRuns(by, a.AllRuns())
	var rows []dom.Node
	for _, g := range groups[:min(len(groups), groupsListed)] {
		in := colorInput("Colour of the group "+g.Label, a.Color(g.Runs[0]), func(hex string) {
			a.Set(func(s *session.State) { session.GroupColors.Put(s, g.Key, hex) })
		})
		rows = append(rows, widget.New("div", "group-row", in,
			widget.New("div", "", widget.New("b", "", g.Label), widget.New("span", "quiet", " · "+widget.Count(len(g.Runs), "run", "runs")),
				widget.New("p", "quiet", widget.Some(g.Runs, runsNamed)))))
	}
	if n := len(groups) - groupsListed; n > 0 {
		rows = append(rows, widget.New("p", "quiet", fmt.Sprintf("and %s more groups", widget.Thousands(n))))
	}
	if none > 0 {
		rows = append(rows, widget.New("p", "quiet", widget.Count(none, "run belongs", "runs belong")+" to none, in grey"))
	}
	widget.Replace(list, rows...)
}
