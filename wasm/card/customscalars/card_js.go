package customscalars

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/kind/customscalars"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// live is the kind in a view: package scalars draws the cards.
type live struct {
	card.Live
	layout
	host   card.Host
	parts  map[string]customscalars.Part // what runs have logged
	fresh  map[string]bool               // runs that may have logged others since they were asked
	later  *widget.Timer
	under  bool // a question is under way
	asking bool // a dialog is open
	ask    card.Question
	said   dom.HTMLElement // what is wrong with logged layouts
	reset  dom.HTMLElement
}

// Start implements card.Kind.
func (Kind) Start(h card.Host) card.Live {
	l := &live{host: h, parts: map[string]customscalars.Part{}, fresh: map[string]bool{}}
	l.set(nil, Edited.Of(h.State()))
	l.Live = scalars.Begin(h, l)
	widget.Present().OnEnd(l.ask.Drop)
	l.later = widget.NewTimer(l.look)
	l.look()
	return l
}

// lookEvery is how often a run is asked again whose points change: a worker answers at once
// unless there is another layout.
const lookEvery = time.Second

// look asks for the layouts that are new, or may be.
func (l *live) look() {
	tags := l.host.Data().Tags(customscalars.Name)
	gone := false
	for run := range l.parts {
		if _, ok := tags[run][customscalars.Tag]; !ok {
			delete(l.parts, run)
			gone = true
		}
	}
	if gone {
		l.renew()
	}
	if l.under {
		return
	}
	var runs []string
	for run, of := range tags {
		if _, have := l.parts[run]; of[customscalars.Tag].Points > 0 && (!have || l.fresh[run]) {
			runs = append(runs, run)
		}
	}
	if clear(l.fresh); len(runs) == 0 {
		return
	}
	slices.Sort(runs)
	l.under = true
	l.ask.Ask(l.host.Data(), customscalars.Query(runs), func(r engine.Reply) {
		l.under = false
		for _, run := range runs { // one without an answer is not asked for ever
			l.parts[run] = customscalars.Part{Run: run}
		}
		for _, c := range r.Chunks {
			for _, p := range engine.Parts[customscalars.Part](c) {
				l.parts[p.Run] = p
			}
		}
		l.renew()
		l.later.Soon(lookEvery) // others may have come
	})
}

// renew shows what is logged and edited now.
func (l *live) renew() {
	before := l.all
	l.set(l.parts, Edited.Of(l.host.State()))
	if !reflect.DeepEqual(before, l.all) {
		l.host.Rearrange()
	}
	l.tell()
}

// tell says which layouts are damaged.
func (l *live) tell() {
	if l.said == nil {
		return
	}
	var out []string
	for _, run := range slices.Sorted(maps.Keys(l.parts)) {
		if p := l.parts[run]; p.Error != "" {
			out = append(out, fmt.Sprintf("The layout in %s: %s.", run, p.Error))
		}
	}
	if n := len(out) - 3; n > 0 {
		out = append(out[:3], fmt.Sprintf("And %d more.", n))
	}
	widget.Text(l.said, strings.Join(out, " "))
	_, edited := Edited.Of(l.host.State()).Fix()
	widget.Hide(l.reset, !edited)
}

// Update implements card.Live.
func (l *live) Update(u board.Update, old, now *session.State) {
	l.Live.Update(u, old, now)
	for _, run := range u.Data {
		l.fresh[run] = true
	}
	switch {
	case u.Tags:
		l.look()
	case len(u.Data) > 0:
		l.later.Soon(lookEvery)
	}
	if u.State && !Edited.Same(old, now) {
		l.edit(Edited.Of(now))
		l.host.Rearrange()
		l.tell()
	}
}

// Bar implements card.Arranged.
func (l *live) Bar() []dom.Node {
	button := func(icon, label, title string, do func()) dom.HTMLElement {
		return widget.New("button", "text-button layout-button", widget.Attr{Key: "type", Value: "button"}, widget.Attr{Key: "title", Value: title}, widget.Attr{Key: "aria-label", Value: label},
			widget.Icon(icon), widget.New("span", "", label), widget.Click(do))
	}
	l.said = widget.New("p", "said wrong", widget.Attr{Key: "role", Value: "status"})
	l.reset = button("rotate-ccw", "As logged", "Undo all of your changes to the layout", l.restore)
	l.tell()
	return []dom.Node{
		button("plus", "New chart…", "A chart of tags that an expression matches, or that you choose", func() { l.open("chart", session.CardID{}) }),
		button("layers", "Layout…", "Order, names, what is shown; export it for TensorBoard", func() { l.open("layout", session.CardID{}) }),
		l.reset, l.said,
	}
}

// Commands implements card.Arranged.
func (l *live) Commands() []board.Command {
	return []board.Command{
		{Keys: "n", Does: "new chart…", Run: func() { l.open("chart", session.CardID{}) }},
		{Keys: "e", Does: "edit the layout…", Run: func() { l.open("layout", session.CardID{}) }},
		{Does: "export the layout for TensorBoard…", Run: func() { l.open("export", session.CardID{}) }},
	}
}

// Groups implements card.Arranged.
func (l *live) Groups(match func(string) bool) []*card.Group { return l.groups(match) }

// named is what a card and its group are called.
func named(id session.CardID) (title, group string) {
	names := id.Tags()
	return untitled(names[len(names)-1]), untitled(names[0])
}

// Called implements card.Arranged.
func (l *live) Called(id session.CardID) (by, name string) {
	by, _ = named(id)
	return by, by
}

// Meta implements card.Arranged.
func (l *live) Meta(id session.CardID, _ []string) card.Meta {
	title, _ := named(id)
	return card.Meta{Name: title}
}

// Under implements card.Arranged.
func (l *live) Under(id session.CardID) string {
	_, group := named(id)
	return group + ": " + session.TagNames(l.TagsOf(id))
}

// Has implements card.Arranged.
func (l *live) Has(id session.CardID, _ []string) (shown, some bool) { return l.at[id] != nil, false }

// Missing implements card.Arranged.
func (l *live) Missing() string { return "Missing: no layout has this chart." }

// Noun implements card.Arranged.
func (l *live) Noun() string { return "chart" }

// TagsOf implements card.Arranged.
func (l *live) TagsOf(id session.CardID) []string { return l.show(id).Tags }

// NewTags implements card.Arranged.
func (l *live) NewTags() { l.newTags(l.host.Tags()) }

// Nothing implements card.Arranged.
func (l *live) Nothing(filtered bool) (title, text, label string, do func()) {
	switch {
	case filtered:
		return "No chart matches the filter", "It looks at the titles of charts and categories, and at the tags of charts.", "", nil
	case !l.host.Data().Status().Phase.Done():
		return "Looking for layouts", "Charts appear as soon as a layout is read.", "", nil
	case len(l.at) > 0:
		return "All charts are hidden", "Show them again in the layout.", "Layout…", func() { l.open("layout", session.CardID{}) }
	}
	return "No layout of charts in this logdir", "A training script logs one with " + (Kind{}).Empty().How + ". Or make a chart of your own: it stays in your profile, and goes out as a layout that TensorBoard reads.", "New chart…", func() { l.open("chart", session.CardID{}) }
}

// Bands implements scalars.Layout.
func (l *live) Bands(id session.CardID) [][2]string { return l.show(id).Bands }

// Problems implements scalars.Layout.
func (l *live) Problems(id session.CardID) []string { return l.show(id).Problems }

// Menu implements scalars.Layout.
func (l *live) Menu(id session.CardID) []widget.Item {
	return []widget.Item{
		{Icon: "layers", Label: "Change this chart…", Do: func() { l.open("chart", id) }},
		{Icon: "x", Label: "Hide this chart", Do: func() { l.open("hide", id) }},
		{Icon: "trash-2", Label: "Delete this chart", Do: func() { l.open("delete", id) }},
	}
}
