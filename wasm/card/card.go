// Package card is the grid of cards that dashboards are made of: filter, groups, pages,
// which cards are near the screen and which asks next, full width, keys from card to
// card. What a card shows is its kind's: a folder below this one, with a model that is
// pure Go and a card for the browser. wasm/boards lists which dashboard is made of which
// kinds.
package card

import (
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/board"
)

// Tags are the tags of a plug-in, by run.
type Tags = map[string]map[string]wire.Tag

// Model is the pure half of a kind of cards.
type Model interface {
	// Name is that of the kind of data, in queries and CardIDs.
	Name() string
	// Cards are the cards of a tag that these runs have, which stand in display order:
	// one for each run, or one for all of them.
	Cards(tag string, runs []string) []session.CardID
	// Settings are the kind's own.
	Settings() session.Schema
	// Empty says what a logdir lacks that has none of it.
	Empty() Empty
}

// Sourced is a Model whose tags are those of a plug-in of another name. To a kind of that name
// it is another form: a dashboard of both has one card for such a tag, with a switch.
type Sourced interface{ Plugin() string }

// Joiner is a Model of which several tags are one.
type Joiner interface {
	// NameOf is what a tag goes by: others of the same name are parts of the same.
	NameOf(tag string) string
}

// Joined are the tags as a kind's cards have them.
func Joined(m Model, tags Tags) Tags {
	j, ok := m.(Joiner)
	if !ok {
		return tags
	}
	out := Tags{}
	for run, of := range tags {
		out[run] = map[string]wire.Tag{}
		for tag, t := range of {
			name := j.NameOf(tag)
			had := out[run][name]
			if had.Points > t.Points {
				t.Points, t.Kept = had.Points, had.Kept
			}
			if t.Description == "" {
				t.Description = had.Description
			}
			t.DisplayName = name // as in TensorBoard, which shows no other
			out[run][name] = t
		}
	}
	return out
}

// Arranger is a Model whose cards are not made of tags: its Live is Arranged.
type Arranger interface{ Arranges() }

// arranges reports whether a kind's cards are laid out by itself.
func arranges(m Model) bool {
	_, ok := m.(Arranger)
	return ok
}

// pluginOf names the plug-in whose tags a kind shows.
func pluginOf(m Model) string {
	if s, ok := m.(Sourced); ok {
		return s.Plugin()
	}
	return m.Name()
}

// Empty is what a dashboard says when it has no cards.
type Empty struct {
	Nouns string // e.g. "scalars"
	How   string // what a training script does to log some
}

// Board is a dashboard that is a grid of cards of some kinds. Guests are kinds of which only
// pinned cards stand here.
type Board struct {
	board.Info
	Kinds  []Kind
	Guests []Kind
}

// About implements board.Board.
func (b Board) About() board.Info { return b.Info }

// Settings implements board.Board.
func (b Board) Settings() session.Schema {
	var out session.Schema
	for _, k := range append(b.Kinds[:len(b.Kinds):len(b.Kinds)], b.Guests...) {
		out = append(out, k.Settings()...)
	}
	return out
}
