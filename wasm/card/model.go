package card

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/derive"
	"github.com/tensorbored/tensorbored-static/shared/natural"
	"github.com/tensorbored/tensorbored-static/shared/runtable"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Ungrouped is the name of the group of tags without a slash. TensorBoard
// makes a group of each; a row of the page for one card is a waste.
const Ungrouped = ""

// Combined is the name of the group of superimposed cards.
const Combined = "\x00superimposed"

// SuperTitle is what a card of several tags is called.
func SuperTitle(s *session.State, id session.CardID) string {
	for _, c := range session.SuperimposedCards.Of(s) {
		if c.Card(id.Plugin) == id {
			return c.Name()
		}
	}
	return session.TagNames(id.Tags())
}

// Super returns the group of the superimposed cards of which there is something to show
// and whose title or tags match; ok is false if there are none.
func Super(s *session.State, sources []Source, runs []string, match func(string) bool) (g *Group, ok bool) {
	g = &Group{Name: Combined}
	for _, src := range sources {
		if m, ok := src.Model.(Superimposer); !ok || !m.Superimposes() {
			continue
		}
		for _, c := range session.SuperimposedCards.Of(s) {
			has, matches := false, match(c.Name())
			for _, t := range c.Tags {
				has = has || len(TagRuns(src.Tags, runs, t)) > 0
				matches = matches || match(t)
			}
			if has && matches {
				g.made = append(g.made, c.Card(src.Name()))
			}
		}
	}
	g.Count = len(g.made)
	return g, g.Count > 0
}

// Superimposer is a kind that may show several tags in a card.
type Superimposer interface{ Superimposes() bool }

// Group is the cards whose tags share the part before the first slash: by tag in natural
// order, then by kind and run. Cards are made when they are wanted: most groups are closed,
// and of a large one a page is shown.
type Group struct {
	Name  string
	Title string   // of a group of an Arranged kind; else it goes by the name
	Fold  bool     // such a group is closed, unless the user has opened it
	Tags  []string // none in a group of cards that are not made of tags
	Count int      // of cards

	index *Index
	made  []session.CardID // the first ones
	done  int              // tags of which the cards are made
}

// NewGroup makes a group of an Arranged kind.
func NewGroup(name, title string, fold bool, cards []session.CardID) *Group {
	return &Group{Name: name, Title: title, Fold: fold, Count: len(cards), made: cards}
}

// Laid reports whether it is a group of an Arranged kind.
func (g *Group) Laid() bool { return g.Title != "" }

// First returns the first n cards, or all if there are fewer.
func (g *Group) First(n int) []session.CardID {
	for ; len(g.made) < n && g.done < len(g.Tags); g.done++ {
		t := g.Tags[g.done]
		for _, src := range g.index.sources {
			if have := TagRuns(src.Tags, g.index.runs, t); len(have) > 0 {
				g.made = append(g.made, src.Cards(t, have)...)
			}
		}
	}
	return g.made[:min(n, len(g.made))]
}

// Source is a kind and the tags that there are of it.
type Source struct {
	Model
	Tags Tags
	// Part says which part a run is in, where a tag has a card for each part of the runs that have
	// it; nil: one for all of them.
	Part func(run string) string
	// Other is the other form of the kind's cards, nil if there is none, and Forms the tags
	// that are shown in it.
	Other Model
	Forms map[string]bool
}

// Cards are those of a tag, in the form that it is shown in.
func (src Source) Cards(tag string, runs []string) []session.CardID {
	if src.Other != nil && src.Forms[tag] {
		return src.Other.Cards(tag, runs)
	}
	cards := src.Model.Cards(tag, runs)
	if src.Part == nil {
		return cards
	}
	var out []session.CardID
	for _, part := range Parts(runs, src.Part) {
		for _, id := range cards {
			id.Part = part
			out = append(out, id)
		}
	}
	return out
}

// Parts are the parts that runs are in, in natural order of their names; last those without one.
func Parts(runs []string, part func(run string) string) []string {
	seen := map[string]bool{}
	for _, r := range runs {
		seen[part(r)] = true
	}
	return slices.SortedFunc(maps.Keys(seen), compareParts)
}

func compareParts(a, b string) int {
	_, x := session.CutPart(a)
	_, y := session.CutPart(b)
	if (x == "") != (y == "") {
		return cmp.Compare(len(y), len(x))
	}
	return natural.Compare(x, y)
}

// Merged are sources of which those that are forms of another one's cards are part of it.
func Merged(sources []Source, forms map[string]bool) []Source {
	out := sources[:0:0]
	for _, src := range sources {
		i := slices.IndexFunc(out, func(o Source) bool { return o.Name() == pluginOf(src.Model) })
		if i < 0 {
			out = append(out, src)
			continue
		}
		out[i].Other, out[i].Forms = src.Model, forms
	}
	return out
}

// OtherForm is the card that shows the same in the other form, and whether that is the one
// of Other; ok is false if there is none.
func OtherForm(sources []Source, id session.CardID) (other session.CardID, swapped, ok bool) {
	for _, src := range sources {
		if src.Other == nil || id.Run == "" {
			continue
		}
		switch id.Plugin {
		case src.Model.Name():
			return src.Other.Cards(id.Tag, []string{id.Run})[0], true, true
		case src.Other.Name():
			return src.Model.Cards(id.Tag, []string{id.Run})[0], false, true
		}
	}
	return id, false, false
}

// GroupOf is the part of a tag before the first slash; Ungrouped without one.
func GroupOf(tag string) string {
	name, _, ok := strings.Cut(tag, "/")
	if !ok {
		return Ungrouped
	}
	return name
}

// TitleIn is what a card says of a tag below the heading of its group, of so many tags: not
// what the heading says. Of the only one the slash may be no group's: "T-shirt/top".
func TitleIn(tag string, tags int) string {
	if name, rest, ok := strings.Cut(tag, "/"); ok && tags > 1 && name != "" && rest != "" {
		return rest
	}
	return tag
}

// Cards opened by themselves: so many that the page is full, and not so many
// that a logdir of 10,000 tags would read them all.
const (
	autoOpen       = 24
	autoOpenSearch = 200 // while a filter says what is looked for
	manyOpen       = 600 // of groups that are to be open
)

// Open says which groups are open: those that the user opened, and as many of
// the first ones as fill the page, but always one.
func Open(groups []*Group, chosen map[string]bool, filtered bool) []bool {
	limit := autoOpen
	if filtered {
		limit = autoOpenSearch
	}
	open, cards := make([]bool, len(groups)), 0
	for i, g := range groups {
		// A big group pages its cards, so it counts for one page at most.
		n := min(g.Count, PageSize)
		if on, ok := chosen[g.Name]; ok {
			open[i] = on
		} else if g.Laid() {
			open[i] = !g.Fold && cards+n <= manyOpen
		} else {
			open[i] = i == 0 || i < groupsShown && cards+n <= limit
		}
		if open[i] {
			cards += n
		}
	}
	return open
}

// MostChosen is how many groups are opened or closed at once: a view that says it of each of
// 100,000 would be 2 MB, and take the page seconds to write down.
const MostChosen = 1000

// All is chosen with the first groups open, or closed.
func All(groups []*Group, chosen map[string]bool, open bool) map[string]bool {
	out := make(map[string]bool, len(chosen)+min(len(groups), MostChosen))
	maps.Copy(out, chosen)
	for _, g := range groups[:min(len(groups), MostChosen)] {
		out[g.Name] = open
	}
	return out
}

// groupsShown is how many group heads are shown before one asks for more.
const groupsShown = 200

// PageSize is how many cards of a group are shown before one asks for more:
// empty cards cost little, but ten thousand of them would.
const PageSize = 60

// TagRuns lists those of the runs that have the tag.
func TagRuns(tags Tags, runs []string, tag string) []string {
	var out []string
	for _, r := range runs {
		if Has(tags[r], tag) {
			out = append(out, r)
		}
	}
	return out
}

// Has reports whether a run has a tag; a derived one, if it has all that it is made of.
func Has(tags map[string]wire.Tag, tag string) bool {
	if _, ok := tags[tag]; ok || !derive.IsName(tag) {
		return ok
	}
	parts := Logged(tag)
	for _, t := range parts {
		if _, ok := tags[t]; !ok {
			return false
		}
	}
	return len(parts) > 0
}

// logged is what Logged has found, as many as there may be superimposed cards.
var logged = map[string][]string{}

// Logged are the tags in event files that a series is made of: itself, unless it is derived.
func Logged(tag string) []string {
	if !derive.IsName(tag) {
		return []string{tag}
	}
	out, ok := logged[tag]
	if !ok {
		if e, err := derive.Of(tag); err == nil {
			out = e.Tags
		}
		if len(logged) > session.MaxPins {
			clear(logged)
		}
		logged[tag] = out
	}
	return out
}

// Meta is what a card says about its tag.
type Meta struct {
	Name, Description string
	Runs              int
	Points, Kept      int64
}

// MetaOf adds up what the runs know of a tag; names and descriptions are the
// first run's that has one.
func MetaOf(tags Tags, runs []string, tag string) Meta {
	m := Meta{}
	for _, r := range runs {
		t, ok := tags[r][tag]
		if !ok {
			continue
		}
		m.Runs++
		m.Points += t.Points
		m.Kept += t.Kept
		if m.Name == "" {
			m.Name = t.DisplayName
		}
		if m.Description == "" {
			m.Description = t.Description
		}
	}
	if m.Name == "" {
		if m.Name = tag; m.Runs == 0 { // what was logged is called as it was
			m.Name = derive.Text(tag)
		}
	}
	return m
}

// FileName makes a tag a name that every system takes for a file.
func FileName(tag, ext string) string {
	clean := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, tag)
	clean = strings.Trim(clean, ". ")
	if r := []rune(clean); len(r) > 100 {
		clean = string(r[:100])
	}
	if clean == "" {
		clean = "data"
	}
	return clean + "." + ext
}

// offered is how many tags are offered while a filter is typed, as in TensorBoard.
const offered = 25

// Offers are the first of the tags that hold a text.
func Offers(tags []string, text string) (out []string) {
	low := strings.ToLower(text)
	for _, t := range tags {
		if len(out) == offered {
			break
		}
		if strings.Contains(strings.ToLower(t), low) && Exactly(t) != text {
			out = append(out, t)
		}
	}
	return out
}

// Exactly is a regular expression that finds just one tag.
func Exactly(tag string) string { return "^" + regexp.QuoteMeta(tag) + "$" }

// ChosenKinds says which of a dashboard's kinds are shown: those that are chosen, or all
// where none of them is.
func ChosenKinds(chosen map[string]bool, kinds []string) map[string]bool {
	out := map[string]bool{}
	for _, k := range kinds {
		if chosen[k] {
			out[k] = true
		}
	}
	if len(out) == 0 {
		for _, k := range kinds {
			out[k] = true
		}
	}
	return out
}

// Titled is a card's name with the part of the runs that it is of.
func Titled(name string, id session.CardID) string {
	if id.Part == "" {
		return name
	}
	return name + ", " + PartName(id.Part)
}

// PartName is what a part of the runs is called.
func PartName(part string) string {
	way, name := session.CutPart(part)
	switch way {
	case session.PartRun, session.PartFolder, session.PartGroup:
		if name == "" {
			return "in no " + way
		}
		return name
	}
	if title := runtable.ParseKey(way).Title(); name != "" {
		return title + ": " + name
	} else {
		return "without " + title
	}
}

// Capital is a word at the beginning of a label.
func Capital(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}
