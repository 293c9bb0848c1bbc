// Package customscalars is the kind of cards that a layout says: each a chart of curves, as
// package scalars shows them, of the tags that its expressions match. Layouts are logged, and
// the user may change what they make of the page.
package customscalars

import (
	"maps"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/kind/customscalars"
	curves "github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars"
)

// Edited is what the user has made of the logged layout.
var Edited = session.Form("customLayout", session.View, customscalars.Edit.Fix)

// Kind is the kind of cards.
type Kind struct{}

// Name implements card.Model.
func (Kind) Name() string { return customscalars.Name }

// Plugin implements card.Sourced.
func (Kind) Plugin() string { return curves.Name }

// Arranges implements card.Arranger.
func (Kind) Arranges() {}

// Cards implements card.Model.
func (Kind) Cards(string, []string) []session.CardID { return nil }

// Settings implements card.Model.
func (Kind) Settings() session.Schema {
	return append(session.Schema{Edited.Decl}, scalars.Kind{}.Settings()...)
}

// Empty implements card.Model.
func (Kind) Empty() card.Empty {
	return card.Empty{Nouns: "charts", How: "writer.add_custom_scalars (PyTorch) or the custom_scalar summary (TensorBoard)"}
}

// layout is what is shown: the logged layouts, the user's edit, and what each chart shows
// of the tags that there are.
type layout struct {
	logged customscalars.Layout
	all    customscalars.Layout
	ids    [][]session.CardID // of its charts
	at     map[session.CardID]*customscalars.Chart
	shown  map[session.CardID]customscalars.Shown
	of     card.Tags // of curves, by run …
	tags   []string  // … in natural order; nil: not looked up
	has    map[string]int
	order  card.Order
}

// set takes the logged layouts of runs and the user's edit.
func (l *layout) set(logged map[string]customscalars.Part, e customscalars.Edit) {
	var list []customscalars.Layout
	for _, run := range slices.Sorted(maps.Keys(logged)) {
		list = append(list, logged[run].Layout)
	}
	l.logged = customscalars.Union(list...)
	l.edit(e)
}

// edit takes the user's edit.
func (l *layout) edit(e customscalars.Edit) {
	l.all = e.Apply(l.logged)
	l.at = map[session.CardID]*customscalars.Chart{}
	l.shown = map[session.CardID]customscalars.Shown{}
	l.ids = cardsOf(l.all.Categories)
	for i, list := range l.ids {
		for k, id := range list {
			l.at[id] = &l.all.Categories[i].Charts[k]
		}
	}
}

// cardsOf are the cards of categories' charts; those of one name are told apart by number.
func cardsOf(all []customscalars.Category) [][]session.CardID {
	out := make([][]session.CardID, len(all))
	count := map[session.CardID]int{}
	for i := range all {
		out[i] = make([]session.CardID, len(all[i].Charts))
		for k := range out[i] {
			id := session.CardOf(customscalars.Name, all[i].Title, all[i].Charts[k].Title)
			out[i][k] = id.OfRun("", count[id])
			count[id]++
		}
	}
	return out
}

// idsOf are the names of the cards that an edit has.
func idsOf(e *customscalars.Edit) [][]string {
	cards := cardsOf(e.Categories)
	out := make([][]string, len(cards))
	for i, list := range cards {
		out[i] = make([]string, len(list))
		for k, id := range list {
			out[i][k] = id.String()
		}
	}
	return out
}

// place is where a chart stands; ok is false if it is not there.
func (l *layout) place(id session.CardID) (category, chart int, ok bool) {
	for i, list := range l.ids {
		if k := slices.Index(list, id); k >= 0 {
			return i, k, true
		}
	}
	return 0, 0, false
}

// newTags takes the tags that there are. They are gone through when a chart needs them:
// Time series has charts only where some are pinned.
func (l *layout) newTags(of card.Tags) {
	l.of, l.tags = of, nil
	clear(l.shown)
}

// allTags are the tags that any run has.
func (l *layout) allTags() []string {
	if l.tags == nil {
		l.has = map[string]int{}
		for _, tags := range l.of {
			for t := range tags {
				l.has[t]++
			}
		}
		l.tags = l.order.Of(l.has, nil)
	}
	return l.tags
}

// preview is what a chart shows of the tags that there are.
func (l *layout) preview(c *customscalars.Chart) customscalars.Shown {
	return c.Shown(l.allTags(), func(t string) bool { return l.has[t] > 0 })
}

// show is what a chart of the layout shows.
func (l *layout) show(id session.CardID) customscalars.Shown {
	s, ok := l.shown[id]
	if !ok {
		if c := l.at[id]; c != nil {
			s = l.preview(c)
			l.shown[id] = s
		}
	}
	return s
}

// movesOf are cards that are called otherwise, as texts [before, now], for session.MoveCards,
// and the way back.
func movesOf(texts [][2]string) (moves, back [][2]session.CardID) {
	for _, t := range texts {
		from, err := session.ParseCardID(t[0])
		to, err2 := session.ParseCardID(t[1])
		if err == nil && err2 == nil {
			moves = append(moves, [2]session.CardID{from, to})
			back = append(back, [2]session.CardID{to, from})
		}
	}
	return moves, back
}

// untitled is what a chart or a category without a title is called.
func untitled(title string) string {
	if strings.TrimSpace(title) == "" {
		return "Untitled"
	}
	return title
}

// words are what a chart is found by.
func words(c *customscalars.Category, k *customscalars.Chart) []string {
	out := append([]string{c.Title, k.Title}, k.Lines...)
	for _, m := range k.Margins {
		out = append(out, m.Value, m.Lower, m.Upper)
	}
	return out
}

// groups are the categories that have charts to show.
func (l *layout) groups(match func(string) bool) (out []*card.Group) {
	names := map[string]bool{}
	for i := range l.all.Categories {
		c := &l.all.Categories[i]
		var cards []session.CardID
		for k, id := range l.ids[i] {
			if chart := &c.Charts[k]; !chart.Hidden && slices.ContainsFunc(words(c, chart), match) {
				cards = append(cards, id)
			}
		}
		if len(cards) > 0 {
			name := customscalars.Name + "/" + c.Title // no tag's group has a slash in its name
			for names[name] {
				name += "/"
			}
			names[name] = true
			out = append(out, card.NewGroup(name, untitled(c.Title), c.Closed, cards))
		}
	}
	return out
}
