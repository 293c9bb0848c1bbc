package card

import (
	"math"
	"slices"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/filter"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
)

// sortedYet is how often it is looked whether tags have been sorted.
const sortedYet = 20 * time.Millisecond

// Places implements board.View.
func (g *grid) Places(pause func()) []board.Command {
	s := g.host.State()
	index := g.tagIndex()
	if g.many() && g.index == nil {
		// So many are sorted in turns: until then only those of before are known.
		g.scope.Do(g.layout)
		for g.sorting {
			time.Sleep(sortedYet)
		}
		index = g.tagIndex()
	}
	var out []board.Command
	add := func(name, group string, names []string, is func(session.CardID) bool) {
		out = append(out, board.Command{Does: name, Of: "Tag", Run: func() { g.scope.Do(func() { g.visit(group, names, is) }) }})
	}
	for _, group := range g.groupsOf(index, new(filter.Filter), pause) {
		for _, tag := range group.Tags {
			pause()
			out = append(out, board.Command{Does: tag, Of: "Tag", Run: func() {
				g.scope.Do(func() { g.visit(group.Name, []string{tag}, func(id session.CardID) bool { return id.Tag == tag }) })
			}})
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

// Visit implements Host.
func (h kindHost) Visit(title string) {
	go func() { // of very many tags it may have to wait
		for _, c := range h.g.Places(func() {}) {
			if c.Does == title {
				c.Run()
				return
			}
		}
	}()
}

// visit brings the first such card of a group to the screen, whatever hides it, and gives
// it the focus. names are those by which the filter shows it.
func (g *grid) visit(group string, names []string, is func(session.CardID) bool) {
	g.host.Set(func(s *session.State) {
		if !slices.ContainsFunc(names, g.filter.Match) {
			session.TagFilter.Reset(s)
		}
		if !g.isOpen(group) {
			session.Groups.Put(s, group, true)
		}
	})
	g.arranged(func() { g.reach(group, names, is) })
}

// isOpen reports whether a group is there and open.
func (g *grid) isOpen(group string) bool {
	for i, open := range Open(g.groups, session.Groups.Of(g.host.State()), !g.filter.All()) {
		if g.groups[i].Name == group {
			return open
		}
	}
	return false
}

// farGroup and farCard are groups and cards that are found by the filter: to make all that
// stands before them would take minutes.
const (
	farGroup = 5 * groupsShown
	farCard  = 10 * PageSize
)

// reach does what visit says, when the groups are there.
func (g *grid) reach(group string, names []string, is func(session.CardID) bool) {
	at := slices.IndexFunc(g.groups, func(o *Group) bool { return o.Name == group })
	if at < 0 {
		return // it has gone
	}
	cards := g.groups[at].First(g.groups[at].Count)
	place := slices.IndexFunc(cards, is)
	if place < 0 {
		return
	}
	if only := Exactly(names[0]); (at > farGroup || place > farCard) && session.TagFilter.Of(g.host.State()) != only {
		g.host.Set(func(s *session.State) { session.TagFilter.Set(s, only) })
		g.arranged(func() { g.reach(group, names, is) })
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
