package card

import (
	"fmt"
	"strings"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/natural"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// stuck is how long a card waits for its picture before it asks again all the
// same, in milliseconds.
const stuck = 1000

// Slot is a card's place in the grid: its frame, and its turn to ask.
type Slot struct {
	ID   session.CardID
	Card Card
	// Title, Note and About stand in the head; so does the run of a card of one.
	Title, Note, About dom.HTMLElement
	run, dot           dom.HTMLElement
	name, called       string // what Title and run say where there is room: see fitTitles

	grid   *grid
	kind   *liveKind
	pinned bool // its place is among the pinned cards
	el     dom.HTMLElement
	wide   dom.HTMLElement
	full   bool // it has the full width
	pin    dom.HTMLElement
	form   dom.HTMLElement // shows the same in another form; nil if the dashboard has none
	scope  *widget.Scope
	built  bool
	words  dom.HTMLElement // in place of a card that cannot be opened

	wanted   bool    // it is near the screen …
	near     bool    // … and shows something
	visible  bool    // it is on screen
	asked    bool    // a question is under way
	drawn    bool    // it has shown something since it is near
	painting float64 // since when the last answer waits to be seen, ms; 0 = seen
	turn     int     // when it last asked, in questions of all cards …
	knows    int     // … and in news of the grid
	stale    bool    // what is on screen is out of date …
	calm     bool    // … for no other reason than new points
}

func newSlot(g *grid, kind *liveKind, key slotKey) *Slot {
	id := key.CardID
	by, name := kind.laid.Called(id)
	s := &Slot{ID: id, grid: g, kind: kind, pinned: key.pinned, scope: g.scope.Sub()}
	s.scope.Do(func() {
		s.el = widget.New("article", "card card-"+id.Plugin, widget.Attr{Key: "tabindex", Value: "0"}, widget.Attr{Key: "data-tag", Value: by},
			widget.Attr{Key: "data-card", Value: id.String()}, widget.Attr{Key: "aria-label", Value: widget.Short(name)})
		if s.pinned {
			s.el.SetAttribute("data-pinned", "")
		}
		s.Card = kind.New(s)
	})
	s.scope.OnEnd(g.near.Watch(s.el, func(near bool) {
		if s.wanted = near; near {
			g.openSoon(s)
		} else {
			s.shut()
		}
	}))
	s.scope.OnEnd(g.visible.Watch(s.el, func(on bool) {
		s.visible = on
		if on {
			g.pump()
		}
		g.onLook.Start(restPace)
	}))
	return s
}

// Host is the view that the card stands in.
func (s *Slot) Host() Host { return s.kind.host }

// Key tells the card from all others of the view: what the user chose there is kept by it, since a
// card ends when its group is closed or the filter leaves it out.
func (s *Slot) Key() string { return keyOf(s.ID, s.pinned) }

func keyOf(id session.CardID, pinned bool) string {
	if pinned {
		return "pinned " + id.String()
	}
	return id.String()
}

// Tags are the tags that the card shows.
func (s *Slot) Tags() []string { return s.kind.laid.TagsOf(s.ID) }

// Runs are the shown runs that have the card's tags.
func (s *Slot) Runs() []string {
	if s.ID.Run != "" {
		return []string{s.ID.Run}
	}
	tags, runs := s.Tags(), s.kind.of(s.ID.Part, s.grid.runs)
	if len(tags) == 1 {
		return TagRuns(s.kind.tags, runs, tags[0])
	}
	var out []string
	for _, r := range runs {
		for _, t := range tags {
			if Has(s.kind.tags[r], t) {
				out = append(out, r)
				break
			}
		}
	}
	return out
}

// FreshTags looks again which tags there are: what is shown may be a moment behind.
func (s *Slot) FreshTags() Tags {
	s.grid.readTags()
	return s.kind.tags
}

// refuse says why the card cannot be opened.
func (s *Slot) refuse(why string) {
	s.admit()
	s.words = widget.New("p", "quiet", why)
	s.el.AppendChild(s.words)
}

// admit takes such words away.
func (s *Slot) admit() {
	if s.words != nil {
		s.words.Remove()
		s.words = nil
	}
}

// open makes the card show something.
func (s *Slot) open() {
	if s.near {
		return
	}
	s.admit()
	s.scope.Do(func() {
		if !s.built {
			s.built = true
			s.build()
		}
		s.near = true
		s.grid.live[s] = true
		s.Card.Open()
		s.label()
		s.showPin()
	})
}

// build fills the frame. It has no listeners of its own (see grid.click): of thousands
// of cards that may be open.
func (s *Slot) build() {
	s.Title = widget.Cut("h3", "card-title")
	s.Note = widget.New("span", "card-note")
	s.About = Button("info", "About this tag", "about")
	s.wide = Button("maximize-2", "Full width (f)", "wide")
	s.pin = Button("pin", "Pin (p)", "pin")
	head := widget.New("div", "card-head", s.Title)
	if s.pinned {
		head = widget.New("div", "card-head", grip(), s.Title)
	}
	if s.ID.Run != "" || s.ID.Part != "" {
		s.dot = widget.New("i", "card-dot")
		s.run = widget.Cut("span", "")
		run := widget.New("span", "card-run", s.dot, s.run)
		run.SetTitle(s.ofRuns())
		head.AppendChild(run)
	}
	head.AppendChild(s.Note)
	head.AppendChild(s.About)
	body, before, after := s.Card.Build()
	for _, b := range before {
		head.AppendChild(b)
	}
	if s.grid.forms(s.kind) {
		s.form = Button("chart-line", "", "form")
		head.AppendChild(s.form)
	}
	head.AppendChild(s.pin)
	head.AppendChild(s.wide)
	for _, b := range after {
		head.AppendChild(b)
	}
	s.el.AppendChild(head)
	s.el.AppendChild(body)
	widget.Press(s.wide, s.grid.isWide(s.ID))
	widget.Hide(s.About, true)
	s.showPin()
	s.showForm()
}

// Button makes an icon button of a card's head, whose clicks come to Card.Do.
func Button(icon, name, do string) dom.HTMLElement {
	b := widget.IconButton(icon, name, nil)
	b.SetAttribute("data-do", do)
	return b
}

// shut takes away what is shown, and its memory.
func (s *Slot) shut() {
	if s.near {
		s.near = false
		delete(s.grid.live, s)
		s.Card.Shut()
	}
	s.asked, s.painting, s.stale, s.drawn = false, 0, false, false
}

func (s *Slot) close() {
	s.wanted = false
	s.shut()
	s.scope.Close()
	s.el.Remove()
}

// meta is what the runs say of the card's tag.
func (s *Slot) meta() Meta {
	runs := s.kind.of(s.ID.Part, s.grid.runs)
	if s.ID.Run != "" {
		runs = []string{s.ID.Run}
	}
	return s.kind.laid.Meta(s.ID, runs)
}

// ofRuns says of which runs the card is: of one, or of a part; "" = of all.
func (s *Slot) ofRuns() string {
	if s.ID.Run != "" || s.ID.Part == "" {
		return s.ID.Run
	}
	return PartName(s.ID.Part)
}

// inked is a run with the colour in the card's head: its only one, or any of a group, which share
// theirs; "" = there is no such colour.
func (s *Slot) inked() string {
	switch way, name := session.CutPart(s.ID.Part); way {
	case session.PartRun:
		return name
	case session.PartGroup:
		for _, run := range s.grid.runs {
			if s.kind.in(s.ID.Part, run) {
				return run
			}
		}
	}
	return s.ID.Run
}

// label writes the title from what the runs say of the tag.
func (s *Slot) label() {
	if !s.built {
		return
	}
	m := s.meta()
	tag, name := s.kind.laid.Under(s.ID), m.Name
	if !s.pinned && name == tag && len(s.ID.Tags()) == 1 {
		name = TitleIn(tag, s.grid.tagIndex().InGroup(tag))
	}
	called := ""
	if s.dot != nil {
		inked := s.inked()
		widget.Hide(s.dot, inked == "")
		if inked != "" {
			widget.Style(s.dot, "background", s.grid.host.Color(inked))
		}
		called = s.ofRuns()
		if s.ID.Run != "" || strings.HasPrefix(s.ID.Part, session.PartRun+":") {
			called = s.grid.host.Name(called)
		}
	}
	if name, called = widget.Short(name), widget.Short(called); name != s.name || called != s.called {
		s.name, s.called = name, called
		s.write(name, called)
		s.grid.onTitles.Ask()
	}
	tip := tag
	if m.Name != tag { // what was logged stands behind the name
		tip = m.Name + "\n" + tag
	}
	if of := s.ofRuns(); of != "" {
		tip += "\n" + of
	}
	s.Title.SetTitle(widget.Short(tip))
	widget.Hide(s.About, m.Description == "")
}

// describe shows the tag's description, which is Markdown.
func (s *Slot) describe() {
	m := s.meta()
	widget.Popup(s.About, "about", "About this tag", func(el dom.HTMLElement) {
		el.AppendChild(widget.New("h3", "", widget.Short(m.Name)))
		text := widget.New("div", "plain")
		el.AppendChild(text)
		Markdown(text, m.Description, nil)
	})
}

// showPin brings the pin's button to the state.
func (s *Slot) showPin() {
	if !s.built {
		return
	}
	on := session.Pinned(s.grid.host.State(), s.ID)
	name := "Pin (p)"
	if on {
		name = "Unpin (p)"
	}
	widget.SetIcon(s.pin, "pin", name)
	widget.Toggle(s.el, "is-pinned", on)
}

// otherForm says in which other form the card can be shown now, and the picture for that; ""
// in none.
func (s *Slot) otherForm() (form, icon string) {
	switch to, swapped, ok := OtherForm(s.grid.sources(), s.ID); {
	case !ok:
		return "", ""
	case swapped:
		return strings.TrimSuffix(to.Plugin, "s"), "chart-line"
	default:
		return strings.TrimSuffix(to.Plugin, "s"), "chart-column"
	}
}

// showForm brings the form's button to the state.
func (s *Slot) showForm() {
	if s.form == nil {
		return
	}
	form, icon := s.otherForm()
	if widget.Hide(s.form, form == ""); form != "" {
		widget.SetIcon(s.form, icon, "Show as "+form)
	}
}

// swap shows the card, and those of the other runs beside it, in the other form; of a pinned
// one its pin alone.
func (s *Slot) swap() {
	g, tag := s.grid, s.ID.Tag
	sources := g.sources()
	to, swapped, ok := OtherForm(sources, s.ID)
	if !ok {
		return
	}
	g.host.Set(func(st *session.State) {
		if s.pinned {
			session.MoveCards(st, [2]session.CardID{s.ID, to})
			return
		}
		if swapped {
			session.Forms.Put(st, tag, true)
		} else {
			session.Forms.Drop(st, tag)
		}
		for run := range s.kind.tags {
			from := s.ID.OfRun(run, 0)
			if to, _, ok := OtherForm(sources, from); ok {
				session.Wide.Move(st, from.String(), to.String())
			}
		}
	})
	if next := g.slots[slotKey{to, s.pinned}]; next != nil {
		next.el.Focus()
	}
}

// togglePin pins a card, or takes its pin away.
func (g *grid) togglePin(id session.CardID) {
	full, on := false, false
	g.host.Set(func(s *session.State) {
		if session.Pinned(s, id) {
			session.Unpin(s, id)
			return
		}
		g.copyStep(id)
		on = session.Pin(s, id)
		full = !on
	})
	if on && g.pinned.el.GetBoundingClientRect().Bottom() < 0 { // it is far above
		widget.Lead("The card is pinned, above all groups", func() {
			g.scope.Do(func() {
				if s := g.slots[slotKey{id, true}]; s != nil {
					s.el.Underlying().Call("scrollIntoView", map[string]any{"block": "center"})
					s.el.Focus()
				}
			})
		})
	}
	if full {
		widget.Say(fmt.Sprintf("There are %d pinned cards already: unpin one first", session.MaxPins))
	}
}

// copyStep lets the pinned copy of a card begin at the step that was chosen in the card.
func (g *grid) copyStep(id session.CardID) {
	from, to := keyOf(id, false), keyOf(id, true)
	if chosen, ok := g.stepped[from]; ok {
		g.stepped[to] = chosen
	} else {
		delete(g.stepped, to)
	}
}

// setWide gives the card the full width, or its column's.
func (s *Slot) setWide(on bool) {
	if on == s.full {
		return
	}
	s.full = on
	widget.Toggle(s.el, "wide", on)
	if s.built {
		widget.Press(s.wide, on)
	}
}

func (s *Slot) toggleWide() {
	key := s.ID.String()
	s.grid.host.Set(func(st *session.State) {
		if on, _ := session.Wide.Get(st, key); on {
			session.Wide.Drop(st, key)
		} else {
			session.Wide.Put(st, key, true)
		}
	})
}

// Stale says that what is on screen is out of date; calm: for no other reason than new
// points, for which nobody waits. The card is asked to Ask when it is its turn.
func (s *Slot) Stale(calm bool) {
	if !s.near {
		return
	}
	switch {
	case !calm:
		s.stale, s.calm = true, false
	case !s.stale:
		s.stale, s.calm = true, true
	}
	s.grid.pump()
}

// Asked says whether a question of the card is under way.
func (s *Slot) Asked(on bool) { s.asked = on }

// Painting says that an answer is being drawn, Painted that it is on screen: until then
// no other question is put, so that a moving slider makes the next one only when the
// last answer can be seen.
func (s *Slot) Painting() { s.painting = widget.Now() }

// Painted: see Painting.
func (s *Slot) Painted() {
	s.painting, s.drawn = 0, true
	s.grid.pump()
}

// Pump lets cards ask whose turn it is.
func (s *Slot) Pump() { s.grid.pump() }

// Drop forgets the question under way, and what is being drawn.
func (s *Slot) Drop() { s.asked, s.painting = false, 0 }

// busy says whether a question is under way, or its answer not yet seen.
func (s *Slot) busy() bool {
	return s.asked || s.painting > 0 && widget.Now()-s.painting < stuck
}

// before orders cards by when they asked last, then as they stand on the page.
func (s *Slot) before(o *Slot) bool {
	if s.turn != o.turn {
		return s.turn < o.turn
	}
	return s.inOrder(o)
}

// inOrder reports whether s stands before o on the page.
func (s *Slot) inOrder(o *Slot) bool {
	if s.pinned != o.pinned {
		return s.pinned
	}
	if s.ID.Tag != o.ID.Tag {
		return natural.Less(s.ID.Tag, o.ID.Tag)
	}
	if s.ID.Part != o.ID.Part {
		return compareParts(s.ID.Part, o.ID.Part) < 0
	}
	return natural.Less(s.ID.Run, o.ID.Run)
}
