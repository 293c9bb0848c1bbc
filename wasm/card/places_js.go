package card

import (
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
)

// Places implements board.View: the first card of each tag, and the superimposed cards,
// filtered or not.
func (g *grid) Places() []board.Command {
	g.readTags()
	s := g.host.State()
	every := func(string) bool { return true }
	groups := Groups(&g.order, g.sources(), g.runs, every)
	if super, ok := Super(s, g.sources(), g.runs, every); ok {
		groups = append([]Group{super}, groups...)
	}
	var out []board.Command
	for _, group := range groups {
		last := ""
		for i, id := range group.Cards {
			name := id.Tag
			if group.Name == Combined {
				name = SuperTitle(s, id)
			} else if i > 0 && name == last {
				continue
			}
			last = id.Tag
			out = append(out, board.Command{Does: name, Of: "Tag", Run: func() { g.scope.Do(func() { g.visit(group.Name, id) }) }})
		}
	}
	return out
}

// visit brings a card to the screen, whatever hides it, and gives it the focus.
func (g *grid) visit(group string, id session.CardID) {
	g.host.Set(func(s *session.State) {
		if !slices.ContainsFunc(append(id.Tags(), SuperTitle(s, id)), g.filter.Match) {
			session.TagFilter.Reset(s)
		}
		session.Groups.Put(s, group, true)
	})
	at := slices.IndexFunc(g.groups, func(o Group) bool { return o.Name == group })
	if at < 0 {
		return // it has gone
	}
	place := slices.Index(g.groups[at].Cards, id)
	if sec := g.sections[group]; at >= g.most || sec == nil || place >= sec.most {
		g.most = max(g.most, at+1)
		g.layout()
		if sec = g.sections[group]; sec != nil {
			sec.most = max(sec.most, (place/PageSize+1)*PageSize)
			g.layout()
		}
	}
	if s := g.slots[slotKey{CardID: id}]; s != nil {
		s.el.Underlying().Call("scrollIntoView", map[string]any{"block": "center"})
		s.el.Underlying().Call("focus", map[string]any{"preventScroll": true})
	}
}
