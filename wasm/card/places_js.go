package card

import (
	"math"
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/filter"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
)

// Places implements board.View: the first card of each tag, and the superimposed cards,
// filtered or not.
func (g *grid) Places() []board.Command {
	s := g.host.State()
	groups := g.groupsOf(new(filter.Filter))
	var out []board.Command
	add := func(name, group string, names []string, is func(session.CardID) bool) {
		out = append(out, board.Command{Does: name, Of: "Tag", Run: func() { g.scope.Do(func() { g.visit(group, names, is) }) }})
	}
	for _, group := range groups {
		for _, tag := range group.Tags {
			add(tag, group.Name, []string{tag}, func(id session.CardID) bool { return id.Tag == tag })
		}
		if len(group.Tags) == 0 {
			for _, card := range group.First(group.Count) {
				title := SuperTitle(s, card)
				if group.Laid() {
					title = session.TagNames(card.Tags())
				}
				add(title, group.Name, append(card.Tags(), title), func(id session.CardID) bool { return id == card })
			}
		}
	}
	return out
}

// visit brings the first such card of a group to the screen, whatever hides it, and gives
// it the focus. names are those by which the filter shows it.
func (g *grid) visit(group string, names []string, is func(session.CardID) bool) {
	g.host.Set(func(s *session.State) {
		if !slices.ContainsFunc(names, g.filter.Match) {
			session.TagFilter.Reset(s)
		}
		session.Groups.Put(s, group, true)
	})
	at := slices.IndexFunc(g.groups, func(o *Group) bool { return o.Name == group })
	if at < 0 {
		return // it has gone
	}
	cards := g.groups[at].First(g.groups[at].Count)
	place := slices.IndexFunc(cards, is)
	if place < 0 {
		return
	}
	g.most = max(g.most, at+1)
	g.arrange(math.MaxInt)
	if sec := g.sections[group]; sec != nil && place >= sec.most {
		sec.most = max(sec.most, (place/PageSize+1)*PageSize)
		g.arrange(math.MaxInt)
	}
	if s := g.slots[slotKey{CardID: cards[place]}]; s != nil {
		s.el.Underlying().Call("scrollIntoView", map[string]any{"block": "center"})
		s.el.Underlying().Call("focus", map[string]any{"preventScroll": true})
	}
}
