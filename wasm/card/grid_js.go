package card

import (
	"slices"
	"strconv"
	"strings"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/filter"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// grid is a dashboard on the screen: a filter, and groups of cards. A card shows
// something only while it is near the screen.
type grid struct {
	board Board
	host  board.Host
	scope *widget.Scope
	root  dom.HTMLElement
	kinds []*liveKind

	filterBox, count, list, empty, more dom.HTMLElement
	offers                              dom.HTMLElement // tags that may be meant
	bar                                 dom.HTMLElement
	types                               *types
	timeline                            *timeline
	widthBox                            dom.HTMLElement // control of the cards' width
	controls                            []Control       // the others of the pane
	filter                              filter.Filter

	runs     []string // shown
	groups   []*Group
	sections map[string]*section
	slots    map[slotKey]*Slot
	intro    *intro
	pinned   *pinned
	live     map[*Slot]bool // those that show something
	order    Order
	index    *Index // nil: tags, runs or kinds are others than it was made of
	latest   *Index // that was made; never nil
	sorting  bool   // of very many tags groups are being made, in turns …
	again    bool   // … and once more, of what is there then
	after    []func()
	fresh    int                // cards that may still be made in this layout
	made     []*Slot            // … and those that it has made
	short    bool               // some were not
	most     int                // group heads shown
	laid     bool               // it is known how wide list is
	space    int                // width of list with a gap behind it, CSS pixels; 0 = to be asked for
	columns  int                // of cards
	stepped  map[string]stepped // what users chose in cards, by their Key
	turn     int                // questions asked so far
	held     bool               // nothing is asked now
	moved    float64            // when something was dragged last, ms

	last    session.State // that the cards were made for
	near    *widget.Observer
	visible *widget.Observer
	phase   wire.Phase // at the last update

	onLayout *widget.Pacer
	onData   *widget.Pacer
	onRest   *widget.Timer
	onLook   *widget.Timer
	onTitles *widget.Frame
	onFresh  *widget.Timer
	onOpen   *widget.Timer
	opening  []*Slot // that have come near the screen and show nothing yet
	onOffer  *widget.Timer
	changed  map[string]int // runs with new points that cards may lack: the number of the news
	news     int            // how often there were new points
	busy     float64        // the kinds' cost at the last onData, ms
	newTags  bool
	said     string // title of the notice in place of cards
}

// liveKind is a kind in the view, and the tags that there are of it.
type liveKind struct {
	Kind
	Live
	laid Arranged
	tags Tags
	host Host

	guest bool // only pinned cards of it are here: see Board

	script  string  // what must be loaded before a card is opened; "" once it is there
	waiting []*Slot // for it
}

// in reports whether a run is in a part; "" is all runs.
func (k *liveKind) in(part, run string) bool {
	if part == "" {
		return true
	}
	sp, ok := k.Live.(Splitter)
	return ok && sp.In(part, run)
}

// of are those of the runs that are in a part.
func (k *liveKind) of(part string, runs []string) []string {
	if part == "" {
		return runs
	}
	var out []string
	for _, r := range runs {
		if k.in(part, r) {
			out = append(out, r)
		}
	}
	return out
}

// kindHost is what a kind sees of the grid.
type kindHost struct {
	board.Host
	g *grid
	k *liveKind
}

// Tags implements Host.
func (h kindHost) Tags() Tags { return h.k.tags }

// Cards implements Host.
func (h kindHost) Cards(closed bool) (out []session.CardID) {
	s := h.g.host.State()
	for i, open := range Open(h.g.groups, session.Groups.Of(s), !h.g.filter.All()) {
		for _, id := range h.g.groups[i].First(h.g.groups[i].Count) {
			if (open || closed) && id.Plugin == h.k.Name() {
				out = append(out, id)
			}
		}
	}
	return out
}

// Rearrange implements Host.
func (h kindHost) Rearrange() {
	if h.k.byTag() {
		h.g.index = nil
	}
	h.g.layout()
	h.g.each(func(s *Slot) {
		if s.kind == h.k {
			s.label()
			s.Card.Reshape()
		}
	})
}

// Moved implements Host.
func (h kindHost) Moved() { h.g.moved = widget.Now() }

// NewView implements board.Board.
func (b Board) NewView(h board.Host) board.View {
	g := &grid{board: b, host: h, sections: map[string]*section{}, slots: map[slotKey]*Slot{}, live: map[*Slot]bool{}, moved: -restPace.Seconds() * 1000, most: groupsShown, changed: map[string]int{}, latest: &Index{}, stepped: map[string]stepped{}}
	return g
}

// Mount implements board.View.
func (g *grid) Mount(into dom.HTMLElement) {
	g.scope = widget.Present()
	g.onLayout = widget.NewPacer(tagsPace, g.layout, nil)
	g.onData = widget.NewPacer(dataPace, g.refreshData, g.paintCost)
	g.onRest = widget.NewTimer(g.pump)
	g.onLook = widget.NewTimer(g.look)
	g.onTitles = widget.NewFrame(g.fitTitles)
	g.onFresh = widget.NewTimer(func() { g.arrange(freshAtOnce) })
	g.onOffer = widget.NewTimer(g.offer)
	g.onOpen = widget.NewTimer(g.openSome)
	var field dom.HTMLElement
	g.filterBox, field = widget.Filter("Filter tags (regex)", "tag-filter", func(text string) {
		g.host.Set(func(s *session.State) { session.TagFilter.Set(s, text) })
	})
	g.filterBox.SetAttribute("aria-keyshortcuts", "/")
	// The browser offers tags that hold what is typed; one that is taken is an expression.
	g.offers = widget.New("datalist", "", widget.Attr{Key: "id", Value: "tag-offers"})
	g.filterBox.SetAttribute("list", "tag-offers")
	widget.Listen(g.filterBox, "focus", func(dom.Event) { g.offer() })
	field.AppendChild(g.offers)
	g.count = widget.New("span", "quiet", widget.Attr{Key: "role", Value: "status"})
	expand := widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, "Expand all", widget.Click(func() { g.openAll(true) }))
	collapse := widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, "Collapse all", widget.Click(func() { g.openAll(false) }))
	g.list = widget.New("div", "groups")
	g.more = widget.New("button", "more", widget.Attr{Key: "type", Value: "button"}, widget.Click(func() { g.most += groupsShown; g.layout() }))
	g.empty = widget.New("div", "notice")
	g.intro = newIntro(g)
	g.pinned = newPinned(g)
	g.types = newTypes(g)
	g.timeline = newTimeline(g)
	g.bar = widget.New("div", "bar", field, g.count, widget.New("span", "fill"), expand, collapse, g.types.el)
	g.root = widget.New("div", "timeseries",
		g.bar, g.intro.el, g.pinned.el, g.list, g.empty, g.timeline.el)
	widget.Listen(g.root, "click", g.click)
	into.AppendChild(g.root)
	g.intro.show()
	g.near = widget.NewObserver(into, "100% 0px")
	g.visible = widget.NewObserver(into, "0px")
	widget.OnResize(g.root, g.resized)
	for i, k := range slices.Concat(g.board.Kinds, g.board.Guests) {
		l := &liveKind{Kind: k, guest: i >= len(g.board.Kinds)}
		l.host = kindHost{g.host, g, l}
		l.Live = k.Start(l.host)
		if l.laid, _ = l.Live.(Arranged); l.laid == nil {
			l.laid = byTag{g, l}
		}
		if d, ok := k.(Drawn); ok {
			l.script = d.Script()
		}
		g.kinds = append(g.kinds, l)
	}
	for _, n := range g.kinds[0].laid.Bar() {
		g.bar.AppendChild(n)
	}
	g.last = g.host.State().Clone()
	g.newTags = true
	g.applyFilter()
	g.layout()
	g.scope.OnEnd(func() {
		g.sorting, g.after = false, nil
		for _, s := range g.slots {
			s.close()
		}
		g.root.Remove()
	})
}

// Pane implements board.View.
func (g *grid) Pane() []dom.Node {
	var parts [][]Control
	kinds := map[*session.Decl]int{} // how many have a control of it; 0: it is in the pane
	for _, k := range g.kinds {
		var list []Control
		if !k.guest {
			list = k.Live.Pane()
		}
		for _, c := range list {
			kinds[c.Of]++
		}
		parts = append(parts, list)
	}
	kinds[nil] = 1
	g.controls = nil
	var out, shared []dom.Node
	for i, list := range parts {
		var own []any
		for _, c := range list {
			switch n := kinds[c.Of]; {
			case n == 0:
				continue
			case n > 1:
				kinds[c.Of] = 0
				shared = append(shared, c.Node)
			default:
				own = append(own, c.Node)
			}
			g.controls = append(g.controls, c)
		}
		if len(own) > 0 && len(parts) > 1 {
			nouns := g.kinds[i].Empty().Nouns
			own = append([]any{widget.New("h3", "", strings.ToUpper(nouns[:1])+nouns[1:])}, own...)
			out = append(out, widget.New("section", "settings-kind", append([]any{widget.Attr{Key: "aria-label", Value: nouns}}, own...)...))
			continue
		}
		for _, node := range own {
			out = append(out, node.(dom.Node))
		}
	}
	g.showControls()
	out = append(shared, out...)
	g.widthBox = widget.Range("Card width", session.MinCard, session.MaxCard, 20, func(v float64) {
		g.host.Set(func(s *session.State) { session.CardWidth.Set(s, int(v)) })
	})
	widget.Set(g.widthBox, "value", strconv.Itoa(session.CardWidth.Of(g.host.State())))
	return append(out, widget.Field("Card width", g.widthBox))
}

// showControls brings the pane's controls to the settings.
func (g *grid) showControls() {
	for _, c := range g.controls {
		if c.Show != nil {
			c.Show(g.host.State())
		}
	}
}

// Highlight implements board.View.
func (g *grid) Highlight(run string) {
	for _, k := range g.kinds {
		k.Live.Highlight(run)
	}
}

// Escape implements board.View.
func (g *grid) Escape() bool {
	if g.intro.done() {
		return true
	}
	for _, k := range g.kinds {
		if k.Live.Escape() {
			return true
		}
	}
	return false
}

// Update implements board.View.
func (g *grid) Update(u board.Update) { g.scope.Do(func() { g.update(u) }) }

func (g *grid) update(u board.Update) {
	s := g.host.State()
	old := g.last
	if u.State { // other news may come between a change of the state and the news of it
		g.last = s.Clone()
	}
	for _, k := range g.kinds {
		k.Live.Update(u, &old, s)
	}
	// Every file has been glimpsed: now each card can show its runs over their
	// whole range, which is what the user waits for. The rest may take its time.
	phase := g.host.Data().Status().Phase
	if g.phase == wire.Preview && phase == wire.Reading {
		g.newTags = true
		g.layout()
		g.each(func(s *Slot) { s.Card.Hurry() })
	}
	if phase.Done() && !g.phase.Done() {
		defer g.hurry()
	}
	g.phase = phase
	if u.Tags {
		g.newTags = true
	}
	if u.State {
		g.showControls()
		g.settings(&old, s)
	}
	if u.Colors || u.Theme {
		g.each((*Slot).label)
	}
	if u.Runs {
		g.runs = g.host.Runs()
		g.index = nil
		g.layout()
		if u.Calm {
			// Runs change places as their first events are read. Asking for every
			// card at once each time took three fifths of the workers' time.
			g.each(func(s *Slot) { s.Card.Renew() })
		} else {
			g.each(func(s *Slot) { s.Card.Reshape() })
		}
		return
	}
	if u.Tags {
		g.onLayout.Ask()
	}
	if len(u.Data) > 0 {
		g.news++
		for _, r := range u.Data {
			g.changed[r] = g.news
		}
		g.onData.Ask()
	}
}

// settings hands on what the user changed, and no more than that.
func (g *grid) settings(old, s *session.State) {
	if !session.TagFilter.Same(old, s) {
		g.most = groupsShown
		g.applyFilter()
		g.layout()
	}
	kinds := !session.Kinds.Same(old, s) || !session.Forms.Same(old, s)
	if kinds {
		g.index = nil
	}
	if !session.SuperimposedCards.Same(old, s) || kinds {
		g.layout()
	} else if !session.Groups.Same(old, s) || !session.Wide.Same(old, s) || !session.Pins.Same(old, s) || !session.PinsClosed.Same(old, s) {
		g.arrange(freshAtOnce) // of the same groups
	}
	if !session.Pins.Same(old, s) {
		g.each((*Slot).showPin)
	}
	if kinds {
		g.each((*Slot).showForm)
	}
	if !session.SuperimposedCards.Same(old, s) || !session.Descriptions.Same(old, s) {
		g.each((*Slot).label)
	}
	if !session.Introductions.Same(old, s) || !session.IntroductionsClosed.Same(old, s) {
		g.intro.show()
	}
	if !session.CardWidth.Same(old, s) {
		g.width()
		if g.widthBox != nil {
			widget.Set(g.widthBox, "value", strconv.Itoa(session.CardWidth.Of(s)))
		}
	}
	if !LinkSteps.Same(old, s) || !LinkedStep.Same(old, s) {
		g.timeline.draw.Ask()
	}
	g.each(func(slot *Slot) { slot.Card.Settings(old, s) })
}

// offer lists tags that hold what is typed; one that is taken becomes an expression that
// finds just it. Browsers leave out an offer in which they do not find what is typed: the
// expression has letters escaped, the label is the tag as it is.
func (g *grid) offer() {
	if !widget.Focused(g.filterBox) {
		return
	}
	var options []dom.Node
	for _, t := range Offers(g.tagIndex().tags, widget.Get(g.filterBox, "value").String()) {
		options = append(options, widget.New("option", "", widget.Attr{Key: "value", Value: Exactly(t)}, widget.Attr{Key: "label", Value: t}))
	}
	widget.Replace(g.offers, options...)
}

func (g *grid) applyFilter() {
	text := session.TagFilter.Of(g.host.State())
	widget.SetValue(g.filterBox, text)
	why := ""
	if err := g.filter.Set(text); err != nil {
		why = "Not filtered: " + err.Error()
	}
	widget.Invalid(g.filterBox, why)
	g.onOffer.Start(offerAfter)
}

// click acts on a click on any card's button.
func (g *grid) click(ev dom.Event) {
	button := ev.Underlying().Get("target").Call("closest", "[data-do]")
	if !button.Truthy() {
		return
	}
	card := button.Call("closest", "[data-card]")
	if !card.Truthy() {
		return
	}
	id, err := session.ParseCardID(card.Get("dataset").Get("card").String())
	if err != nil {
		return
	}
	name := button.Get("dataset").Get("do").String()
	if name == "pin" {
		g.togglePin(id)
		return
	}
	s := g.slots[slotKey{id, card.Call("hasAttribute", "data-pinned").Bool()}]
	if s == nil {
		return
	}
	switch name {
	case "grip":
	case "about":
		s.describe()
	case "wide":
		s.toggleWide()
	case "form":
		s.swap()
	default:
		s.Card.Do(name, widget.Wrap(button))
	}
}
