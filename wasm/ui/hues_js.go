package ui

import (
	"fmt"
	"maps"
	"slices"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/runcolor"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// hues are the colours that were given to what was ever shown of this logdir.
//
// As long as the logdir is still being listed nothing is given for good: two browsers that
// hear of its runs in other parts would give other colours. Then what is given is kept with
// the logdir (session.RunGiven). A link and a profile have what differs from what would be
// given to all that they show at once (session.RunHues).
type hues struct {
	app   *app
	given runcolor.Given // for good
	wrote map[string]int // RunHues as it was written or taken last
	other bool           // what RunHues says is somebody else's
	kept  bool           // something was given for good since the logdir was opened
	offer dom.HTMLElement
	close []string // what is shown in colours that are hard to tell apart
}

func newHues(a *app) *hues {
	h := &hues{app: a}
	h.offer = widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, widget.Attr{Key: "title", Value: "Gives these runs other colours, and no others"}, widget.Click(func() {
		h.change("Some runs have new colours", func() { h.given = h.app.colors.Recolor() })
	}))
	return h
}

// open takes what is kept of a logdir. linked says that the page was opened by a link, whose
// colours go before those that are kept.
func (h *hues) open(s *session.State, linked bool) {
	h.given, h.wrote, h.other = maps.Clone(session.RunGiven.Of(s)), session.RunHues.Of(s), linked
	h.kept = false
}

// assign gives colours to what is shown.
func (h *hues) assign() {
	a := h.app
	s := &a.state
	choose := runcolor.Choices{Runs: session.RunColors.Of(s), By: a.groups, Groups: session.GroupColors.Of(s), Scale: a.scale}
	// So few that any of them are told apart have the same colours whichever are shown.
	of, few := a.AllRuns(), true
	seen := map[string]bool{}
	for _, run := range of {
		if key, ok := a.groups.Key(run); ok {
			seen[key] = true
		}
		if len(seen) > runcolor.Few {
			of, few = a.shown, false
			break
		}
	}
	fresh := runcolor.Assign(of, choose).Shown()
	given := maps.Clone(h.given)
	if given == nil {
		given = runcolor.Given{}
	}
	for key, slot := range session.RunGiven.Of(s) { // another tab's too
		if _, ok := given[key]; !ok {
			given[key] = slot
		}
	}
	for key, slot := range fresh {
		if had, ok := given[key]; ok && had != slot {
			few = false // others were given, and keep theirs
		}
	}
	if few {
		maps.Copy(given, fresh)
	}
	said := session.RunHues.Of(s)
	if h.other || !maps.Equal(said, h.wrote) {
		maps.Copy(given, fresh)
		for key := range fresh {
			if slot, ok := said[key]; ok {
				given[key] = slot
			}
		}
	}
	choose.Given = given
	a.colors = runcolor.Assign(a.shown, choose)
	h.close = a.colors.Close()
	if len(h.close) > 0 && session.RunRecolor.Of(s) {
		choose.Given = a.colors.Recolor()
		a.colors = runcolor.Assign(a.shown, choose)
		h.close = a.colors.Close()
	}
	if a.scale == nil && len(a.shown) > 0 && a.logdir != "" && (a.phase.Done() || a.store.touched) {
		h.keep(fresh)
	}
}

// keep keeps what is given for good. fresh is what would be given to all that is shown.
func (h *hues) keep(fresh runcolor.Given) {
	a := h.app
	h.given, h.other, h.kept = a.colors.Given(), false, true
	h.wrote = map[string]int{}
	for key, slot := range a.colors.Shown() {
		if fresh[key] != slot {
			h.wrote[key] = slot
		}
	}
	// What goes with what is shown is no change that somebody makes.
	next := a.state.Clone()
	session.RunGiven.Set(&next, h.given)
	session.RunHues.Set(&next, h.wrote)
	if changed := a.schema.Changed(&a.state, &next); len(changed) > 0 {
		a.state = next
		a.store.save(changed)
	}
}

// show brings the offer to what is shown.
func (h *hues) show() {
	n := len(h.close)
	widget.Hide(h.offer, n == 0)
	if n > 0 {
		widget.Text(h.offer, fmt.Sprintf("%s hard to tell apart: recolour", widget.Count(n, "colour is", "colours are")))
	}
}

// change changes what is given, with a way back.
func (h *hues) change(said string, do func()) {
	a, was := h.app, maps.Clone(h.given)
	again := func() {
		h.wrote = session.RunHues.Of(&a.state)
		session.RunGiven.Reset(&a.state)
		a.recolor()
		a.view.Update(board.Update{Colors: true})
		a.list.update()
	}
	do()
	again()
	widget.Undo(said, func() { h.given = was; again() })
}

// chooseOthers puts other colours in the place of those that were chosen, with a way back to
// them, if there are any.
func (h *hues) chooseOthers(said string, runs, groups map[string]string) {
	a := h.app
	oldRuns, oldGroups := session.RunColors.Of(&a.state), session.GroupColors.Of(&a.state)
	set := func(runs, groups map[string]string) {
		a.Set(func(s *session.State) {
			session.RunColors.Set(s, runs)
			session.GroupColors.Set(s, groups)
		})
	}
	set(runs, groups)
	if len(oldRuns)+len(oldGroups) > 0 {
		widget.Undo(said, func() { set(oldRuns, oldGroups) })
	}
}

// spread gives the runs that are shown, or their groups, colours that are as far apart as can
// be, also those that have one by hand.
func (h *hues) spread() {
	a := h.app
	oldRuns, oldGroups, was := session.RunColors.Of(&a.state), session.GroupColors.Of(&a.state), maps.Clone(h.given)
	runs, groups := maps.Clone(oldRuns), maps.Clone(oldGroups)
	for _, run := range a.shown {
		delete(runs, run)
		if key, ok := a.groups.Key(run); ok && a.groups != nil {
			delete(groups, key)
		}
	}
	set := func(runs, groups map[string]string, given runcolor.Given) {
		h.given = given
		session.RunGiven.Reset(&a.state)
		h.wrote = session.RunHues.Of(&a.state)
		a.Set(func(s *session.State) {
			session.RunColors.Set(s, runs)
			session.GroupColors.Set(s, groups)
		})
		a.recolor()
		a.view.Update(board.Update{Colors: true})
		a.list.update()
	}
	left := runcolor.Given{}
	fresh := runcolor.Assign(a.shown, runcolor.Choices{Runs: runs, By: a.groups, Groups: groups}).Given()
	for key, slot := range was {
		if _, ok := fresh[key]; !ok {
			left[key] = slot
		}
	}
	maps.Copy(left, fresh)
	if maps.Equal(left, was) && maps.Equal(runs, oldRuns) && maps.Equal(groups, oldGroups) {
		return
	}
	set(runs, groups, left)
	widget.Undo("The shown runs have new colours", func() { set(oldRuns, oldGroups, was) })
}

// follows reports whether a setting follows from what is shown.
func (h *hues) follows(d *session.Decl) bool {
	return slices.Contains([]*session.Decl{session.RunGiven.Decl, session.RunHues.Decl}, d)
}
