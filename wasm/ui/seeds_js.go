package ui

import (
	"fmt"
	"slices"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/runcolor"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// seeds offers to show runs that repeat each other as their means, below the run list.
type seeds struct {
	app        *app
	el, offer  dom.HTMLElement
	of         []string // the runs that were looked at
	expression string   // "": they do not repeat each other
}

// mostRepeats is how many runs are looked at: more are told apart by other means.
const mostRepeats = 2000

func newSeeds(a *app) *seeds {
	h := &seeds{app: a}
	h.offer = widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"},
		widget.Attr{Key: "title", Value: "Shows one line for all seeds of a run: their mean, with a band around it"}, widget.Click(h.means))
	h.el = widget.New("div", "run-seeds", h.offer, widget.IconButton("x", "Do not offer it here again", func() {
		a.Set(func(s *session.State) { session.SeedsLeft.Set(s, true) })
		h.show()
	}))
	widget.Hide(h.el, true)
	return h
}

// show brings the offer to what is shown.
func (h *seeds) show() {
	a := h.app
	s := &a.state
	free := scalars.Together.Of(s) == scalars.EachRun && session.GroupBy.Of(s).Key == session.GroupByRun && session.GroupColumn.Of(s) == "" && !session.SeedsLeft.Of(s)
	if free && len(a.shown) <= mostRepeats && !slices.Equal(h.of, a.shown) {
		h.of = slices.Clone(a.shown)
		var groups, n int
		h.expression, groups, n = runcolor.Repeats(h.of)
		text := fmt.Sprintf("%d seeds: show their mean?", n)
		if groups > 1 {
			text = fmt.Sprintf("%d runs of up to %d seeds: show means?", groups, n)
		}
		widget.Text(h.offer, text)
	}
	widget.Hide(h.el, !free || h.expression == "" || len(a.shown) > mostRepeats)
}

// means shows the groups as means, with a way back.
func (h *seeds) means() {
	a := h.app
	a.Set(func(s *session.State) {
		session.GroupBy.Set(s, session.Grouping{Key: session.GroupByRegex, Regex: h.expression})
		scalars.SetTogether(s, scalars.ByColor)
	})
	h.show()
	widget.Undo("Runs that differ in their seed alone are shown as their means", func() {
		a.Set(func(s *session.State) {
			session.GroupBy.Reset(s)
			scalars.SetTogether(s, scalars.EachRun)
		})
	})
}
