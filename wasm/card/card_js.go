package card

import (
	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// Kind is a kind of cards.
type Kind interface {
	Model
	// Start begins the kind in a view that is being mounted. All that it begins belongs
	// to the present widget.Scope, which ends with the view.
	Start(Host) Live
}

// Drawn is a kind whose cards are drawn by a script of static/lazy. It is loaded before the
// first of them is opened; until then a kind in a view has no painter.
type Drawn interface{ Script() string }

// Host is what a kind may ask of the view that its cards stand in.
type Host interface {
	board.Host
	// Tags are the tags of the kind.
	Tags() Tags
	// Cards are those of the kind that the page shows when one goes through it, in order;
	// closed: those of groups that are closed, too.
	Cards(closed bool) []session.CardID
	// Rearrange shows an Arranged or split kind's cards anew.
	Rearrange()
	// Visit brings the first card of a tag to the screen, or a card of several by its title.
	Visit(title string)
	// Stepped tells the timeline of all cards the steps of values, ascending, and Spanned the
	// range of steps of a curve.
	Stepped(steps []int64)
	Spanned(lo, hi float64)
	// Moved says that something is being dragged: cards that are not on screen wait
	// until it has ended.
	Moved()
}

// Live is a kind in a view.
type Live interface {
	// New makes a card, whose frame is there already.
	New(*Slot) Card
	// Pane are the controls of the kind's settings.
	Pane() []Control
	// Update brings the kind to what has changed, before its cards.
	Update(u board.Update, old, now *session.State)
	Highlight(run string)
	Escape() bool
	Key(key string, shift bool) bool
	// Help lists what the kind does. What has a Run acts on all cards and answers its key;
	// what has a single key and no Run is Card.Key's, of the card that has the focus.
	Help() (commands, mouse []board.Command)
	// Cost is how long the cards have drawn since the start beyond the time of Go, ms.
	Cost() float64
}

// Arranged says which cards there are of a kind, how they are grouped and what they are
// called. The usual way is by tag (byTag); a Live that is an Arranged lays its cards out by
// itself. What it says may change with the state; when it does for another reason, it calls
// Host.Rearrange.
type Arranged interface {
	// Groups are groups of its own, and whether each is open as long as the user has not said
	// so. Cards of which no word matches are left out. By tag there are none: cards of all
	// such kinds stand in groups together.
	Groups(match func(word string) bool) []*Group
	// Called is what a card is known by, and what it is called apart from others.
	Called(id session.CardID) (by, name string)
	// Meta is what stands in a card's head, as these runs say, and Under what is below it.
	Meta(id session.CardID, runs []string) Meta
	Under(id session.CardID) string
	// TagsOf are the tags that a card shows, of the kind's plug-in.
	TagsOf(id session.CardID) []string
	// Has reports whether there is such a card, and whether there is one of runs that are not
	// shown; Missing says that there is none.
	Has(id session.CardID, runs []string) (shown, some bool)
	Missing() string
	// NewTags says that there may be other tags.
	NewTags()
	// Noun is what the dashboard counts. Bar is what its bar has of the kind, and Commands are
	// what the user may do with how the cards are arranged.
	Noun() string
	Bar() []dom.Node
	Commands() []board.Command
	// Nothing says what to do where there are no cards, because of the filter or without one;
	// title is "" where the grid says it, do may be nil.
	Nothing(filtered bool) (title, text, label string, do func())
}

// Splitter is a Live whose tags may have a card for each part of their runs.
type Splitter interface {
	// Part says which part a run is in (session.PartOf); it is nil where cards are not split.
	Part() func(run string) string
	// In reports whether a run is in a part, of whatever way of splitting.
	In(part, run string) bool
}

// Card is a card of a kind. Away from the screen it is an empty frame; near it, it shows
// something and asks for it through its Slot, one question at a time.
type Card interface {
	// Build makes the content when the card first comes near the screen: what stands
	// in the body, and what stands in the head before and behind the frame's own
	// buttons. Elements with data-do=NAME call Do.
	Build() (body dom.HTMLElement, before, after []dom.HTMLElement)
	// Open begins to show, Shut gives its memory back.
	Open()
	Shut()
	// Ask puts the card's question; the Slot says when. calm: nobody waits for it.
	Ask(calm bool)
	// Settings tells of changed settings.
	Settings(old, now *session.State)
	// Renew says that there are new points, Hurry that they are wanted at once, Reshape
	// that other runs are shown: what is under way is not waited for.
	Renew()
	Hurry()
	Reshape()
	// Do acts on a button of its own.
	Do(name string, button dom.HTMLElement)
	// Key acts on a key while the card has the focus; false: it is not its own.
	Key(key string, shift bool) bool
}

// Menued is a card with a menu.
type Menued interface{ Menu() []widget.Item }
