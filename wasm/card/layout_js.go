package card

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/filter"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// The layout: which tags there are, in which groups, and which cards of them are made.

// readTags looks which tags there are, if that may have changed.
func (g *grid) readTags() {
	if g.newTags {
		for _, k := range g.kinds {
			k.tags = Joined(k.Kind, g.host.Data().Tags(pluginOf(k.Kind)))
			k.laid.NewTags()
		}
		g.newTags = false
		g.index = nil
		g.each((*Slot).label)
	}
}

// byTag reports whether the kind's cards stand in groups by tag.
func (k *liveKind) byTag() bool { return !k.guest && !arranges(k.Kind) }

// sources are the kinds that are to be shown, with their tags.
func (g *grid) sources() []Source {
	var out []Source
	chosen := ChosenKinds(session.Kinds.Of(g.host.State()), g.names())
	for _, k := range g.kinds {
		if chosen[k.Name()] && k.byTag() {
			src := Source{Model: k.Kind, Tags: k.tags}
			if sp, ok := k.Live.(Splitter); ok {
				src.Part = sp.Part()
			}
			out = append(out, src)
		}
	}
	return Merged(out, session.Forms.Of(g.host.State()))
}

// forms reports whether the dashboard has another form of a kind's cards: see Merged.
func (g *grid) forms(kind *liveKind) bool {
	return slices.ContainsFunc(g.kinds, func(k *liveKind) bool { return k != kind && !k.guest && pluginOf(k.Kind) == pluginOf(kind.Kind) })
}

// tagIndex is the index of the tags that there are; of very many the last one that was made.
func (g *grid) tagIndex() *Index {
	g.readTags()
	if g.runs == nil {
		g.runs = g.host.Runs()
	}
	if g.index == nil && !g.many() {
		g.index = NewIndex(&g.order, g.sources(), g.runs, nil)
		g.latest = g.index
	}
	return g.latest
}

// manyTags is how many tags are sorted in one go: that takes some 50 ms.
const manyTags = 5000

// many reports whether there are so many tags that the page goes on while they are sorted.
func (g *grid) many() bool { return Work(g.sources(), g.runs) > manyTags }

// freshAtOnce is how many cards are made in one go. More than a screen has room for are
// made a frame later: to make 180 of them takes a frame or five.
const freshAtOnce = 20

// headsAtOnce is how many groups are made in one go.
const headsAtOnce = 60

// offerAfter is how long nothing must be typed before tags are offered.
const offerAfter = 200 * time.Millisecond

// room reports whether one more card may be made now.
func (g *grid) room() bool {
	g.fresh--
	g.short = g.short || g.fresh < 0
	return g.fresh >= 0
}

// layout brings the groups and cards on screen to what there is: now, or of very many soon.
func (g *grid) layout() {
	if g.again = true; g.sorting {
		return
	}
	index := g.tagIndex()
	if !g.many() {
		g.groups = g.groupsOf(index, &g.filter, nil)
		g.arrange(freshAtOnce)
		return
	}
	g.sorting = true
	g.say(0)
	widget.InTurns(func(pause func()) {
		for g.again && g.sorting {
			g.again = false
			g.scope.Do(func() { g.tagIndex() })
			x := g.index
			if x == nil {
				x = NewIndex(&g.order, g.sources(), g.runs, pause)
				if !g.again {
					g.index = x
				}
				g.latest = x
			}
			f := g.filter
			groups := g.groupsOf(x, &f, pause)
			if !g.sorting {
				return // the view has ended
			}
			g.sorting = g.again
			g.scope.Do(func() {
				g.groups = groups
				g.arrange(freshAtOnce)
				g.each((*Slot).label)
			})
		}
		g.sorting = false
		after := g.after
		g.after = nil // one of them may sort anew, and wait for that
		for _, do := range after {
			g.scope.Do(do)
		}
	})
}

// arranged calls do when what is on screen is as the state says.
func (g *grid) arranged(do func()) {
	if g.sorting {
		g.after = append(g.after, do)
	} else {
		do()
	}
}

// groupsOf are the groups of the cards that a filter lets through.
func (g *grid) groupsOf(x *Index, f *filter.Filter, pause func()) []*Group {
	match := f.Match
	groups := x.Groups(f.MatchLow, pause)
	if super, ok := Super(g.host.State(), g.sources(), g.runs, match); ok {
		groups = append([]*Group{super}, groups...)
	}
	for _, k := range g.kinds {
		if !k.guest {
			groups = append(groups, k.laid.Groups(match)...)
		}
	}
	return groups
}

// arrange shows the groups. It makes so many cards at most, and the others soon after.
func (g *grid) arrange(most int) {
	s := g.host.State()
	g.fresh, g.short = most, false
	open := Open(g.groups, session.Groups.Of(s), !g.filter.All())
	n := 0
	keep := map[slotKey]bool{}
	g.pinned.show(keep)
	g.types.show(g)
	var order []dom.Node
	heads := 0
	for i, group := range g.groups {
		if n += len(group.Tags); group.Laid() {
			n += group.Count
		}
		if i >= g.most {
			continue
		}
		sec := g.sections[group.Name]
		if sec == nil {
			// A head takes the browser as long as some cards of a few curves.
			if heads++; heads > headsAtOnce {
				g.short = true
				continue
			}
			sec = newSection(g, group)
			g.sections[group.Name] = sec
		}
		sec.show(group, open[i], keep)
		order = append(order, sec.el)
	}
	for id, s := range g.slots {
		if !keep[id] {
			s.close()
			delete(g.slots, id)
		}
	}
	if rest := len(g.groups) - g.most; rest > 0 {
		widget.Text(g.more, fmt.Sprintf("Show %d more groups of %s", min(rest, groupsShown), widget.Thousands(rest)))
		order = append(order, g.more)
	}
	widget.Arrange(g.list, order)
	g.width()
	g.say(n)
	g.onLook.Start(restPace)
	if g.short {
		g.onFresh.Start(0)
	} else {
		g.onFresh.Stop()
	}
	g.openFirst()
}

// slotKey names a card's place: in its group, or among the pinned ones.
type slotKey struct {
	session.CardID
	pinned bool
}

// slot returns the card's place, made if it is new.
func (g *grid) slot(key slotKey) *Slot {
	if s := g.slots[key]; s != nil {
		return s
	}
	for _, k := range g.kinds {
		if k.Name() == key.Plugin {
			s := newSlot(g, k, key)
			g.slots[key] = s
			g.made = append(g.made, s)
			return s
		}
	}
	panic("card: internal error: no kind " + key.Plugin)
}

// gap between cards, in CSS pixels, as in static/cards.css.
const gap = 12

// resized takes in how wide the list is. It is asked for when that changes: in the middle
// of a change of cards the browser would lay everything out to answer.
func (g *grid) resized() {
	g.laid, g.space = true, 0
	g.width()
}

// width lays out the columns: as many as fit, and for each group as many as it
// has cards, so that small groups share a row.
func (g *grid) width() {
	switch {
	case !g.laid:
		return // until the browser has laid out the page, or cards are opened
	case g.space == 0:
		g.space = int(g.list.OffsetWidth()) + gap
	}
	g.columns = max(1, g.space/(session.CardWidth.Of(g.host.State())+gap))
	widget.Style(g.list, "--columns", strconv.Itoa(g.columns))
	widget.Style(g.pinned.el, "--span", strconv.Itoa(g.columns))
	for _, s := range g.sections {
		s.span()
	}
	g.onTitles.Ask()
}

// openAll opens or closes all groups, or as many as a view may say that of.
func (g *grid) openAll(open bool) { g.arranged(func() { g.openGroups(open) }) }

func (g *grid) openGroups(open bool) {
	g.host.Set(func(s *session.State) { session.Groups.Set(s, All(g.groups, session.Groups.Of(s), open)) })
	if n := len(g.groups); n > MostChosen {
		widget.Say("The first " + widget.Thousands(MostChosen) + " of " + widget.Thousands(n) + " groups are " + map[bool]string{true: "open", false: "closed"}[open] + ". Filter the tags to see the others.")
	}
}
