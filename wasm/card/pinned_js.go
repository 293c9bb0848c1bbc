package card

import (
	"fmt"
	"strconv"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// pinned is the section of pinned cards above the groups. A pinned card stays in its
// group as well: it has two places, each with a card of its own. A pin whose data are not
// there keeps its place, and says why it is empty.
type pinned struct {
	g                     *grid
	el, head, count, grid dom.HTMLElement
	more, clear, said     dom.HTMLElement
	ghosts                map[session.CardID]*ghost
	cards                 []session.CardID // of this dashboard, in order
	shown                 []*Slot          // of these, those that are made
	open                  bool
	wanted                bool // opened, though the logdir has data for no card
	most                  int  // cards shown
	drag                  *drag
	edge                  *widget.Frame // scrolls while a card is held at an edge
}

// ghost is the place of a pinned card without data.
type ghost struct {
	el, why dom.HTMLElement
}

func newPinned(g *grid) *pinned {
	p := &pinned{g: g, most: PageSize, ghosts: map[session.CardID]*ghost{}}
	p.count = widget.New("span", "quiet")
	p.head = widget.New("button", "group-head", widget.Attr{Key: "type", Value: "button"},
		widget.Icon("chevron-right"), widget.New("span", "group-name", "Pinned"), p.count, widget.Click(func() {
			open := p.open
			p.wanted = !open
			if session.PinsClosed.Of(g.host.State()) != open {
				g.host.Set(func(s *session.State) { session.PinsClosed.Set(s, open) })
			} else {
				g.layout()
			}
		}))
	p.clear = widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, "Unpin all", widget.Click(p.unpinAll))
	p.said = widget.New("span", "visually-hidden", widget.Attr{Key: "role", Value: "status"})
	p.grid = widget.New("div", "grid pinned-cards", widget.On("pointerdown", p.grab), widget.On("pointermove", p.move),
		widget.On("pointerup", func(dom.Event) { p.drop(true) }), widget.On("pointercancel", func(dom.Event) { p.drop(false) }), widget.On("keydown", p.key))
	p.edge = widget.NewFrame(p.scroll)
	p.more = widget.New("button", "more", widget.Attr{Key: "type", Value: "button"}, widget.Click(func() { p.most += PageSize; g.layout() }))
	p.el = widget.New("section", "group pinned", widget.Attr{Key: "aria-label", Value: "Pinned"},
		widget.New("div", "pinned-head", widget.New("h2", "", p.head), p.clear), p.grid, p.more, p.said)
	widget.Hide(p.el, true)
	return p
}

// show brings the section to the state, and adds its slots to keep.
func (p *pinned) show(keep map[slotKey]bool) {
	s := p.g.host.State()
	kinds := map[string]*liveKind{}
	for _, k := range p.g.kinds {
		kinds[k.Name()] = k
	}
	p.cards = p.cards[:0]
	for _, id := range session.PinnedCards(s) {
		if kinds[id.Plugin] != nil {
			p.cards = append(p.cards, id)
		}
	}
	why, missing, foreign := make([]string, len(p.cards)), 0, 0
	for i, id := range p.cards {
		k := kinds[id.Plugin]
		if why[i] = p.lacks(k, id); why[i] != "" {
			missing++
		}
		if why[i] == k.laid.Missing() {
			foreign++
		}
	}
	// All are of another logdir: one line says so, and no rows of empty places.
	none := foreign == len(p.cards)
	p.open = !session.PinsClosed.Of(s) && (!none || p.wanted)
	widget.Hide(p.el, len(p.cards) == 0)
	p.head.SetAttribute("aria-expanded", fmt.Sprint(p.open))
	widget.Hide(p.grid, !p.open)
	widget.Hide(p.clear, !p.open && !none)
	p.shown = p.shown[:0]
	shown := p.cards[:min(len(p.cards), p.most)]
	if !p.open {
		shown = nil
	}
	used := map[session.CardID]bool{}
	order := make([]dom.Node, 0, len(shown))
	for i, id := range p.cards {
		switch {
		case i >= len(shown):
		case why[i] != "":
			used[id] = true
			order = append(order, p.ghost(id, why[i]).el)
		default:
			key := slotKey{id, true}
			slot := p.g.slot(key)
			keep[key] = true
			slot.setWide(p.g.isWide(id))
			p.shown = append(p.shown, slot)
			order = append(order, slot.el)
		}
	}
	for id, g := range p.ghosts {
		if !used[id] {
			g.el.Remove()
			delete(p.ghosts, id)
		}
	}
	widget.Arrange(p.grid, order)
	text := widget.Count(len(p.cards), "card", "cards")
	if missing > 0 && p.g.host.Data().Status().Phase.Done() {
		text += fmt.Sprintf(", %d without data here", missing)
	}
	widget.Text(p.count, text)
	rest := len(p.cards) - len(shown)
	widget.Hide(p.more, !p.open || rest <= 0)
	if rest > 0 {
		widget.Text(p.more, fmt.Sprintf("Show %d more of %s", min(rest, PageSize), widget.Thousands(rest)))
	}
}

// lacks says why a card has nothing to show; "" if it has.
func (p *pinned) lacks(k *liveKind, id session.CardID) string {
	shown, some := k.laid.Has(id, p.g.runs)
	switch {
	case shown:
		return ""
	case some && id.Run != "":
		return "Its run is not shown."
	case some:
		return "No run that has it is shown."
	case p.g.host.Data().Status().Phase == wire.Idle || !p.g.host.Data().Status().Phase.Done():
		return "Not read yet."
	}
	return k.laid.Missing()
}

// ghost returns the place of a card without data.
func (p *pinned) ghost(id session.CardID, why string) *ghost {
	g := p.ghosts[id]
	if g == nil {
		g = &ghost{why: widget.New("p", "ghost-why")}
		title := SuperTitle(p.g.host.State(), id)
		name := title
		head := widget.New("div", "card-head", grip(), widget.New("h3", "card-title", title))
		if id.Run != "" {
			name += ", " + id.Run
			head.AppendChild(widget.New("span", "card-run", id.Run))
		}
		pin := Button("pin-off", "Unpin", "pin")
		head.AppendChild(pin)
		g.el = widget.New("article", "card ghost", widget.Attr{Key: "tabindex", Value: "0"}, widget.Attr{Key: "data-card", Value: id.String()},
			widget.Attr{Key: "data-pinned", Value: ""}, widget.Attr{Key: "aria-label", Value: name}, head, g.why)
		g.el.SetTitle(name)
		p.ghosts[id] = g
	}
	widget.Text(g.why, why)
	return g
}

func (p *pinned) unpinAll() {
	drop := map[session.CardID]bool{}
	for _, id := range p.cards {
		drop[id] = true
	}
	var kept []string
	for _, id := range session.PinnedCards(p.g.host.State()) {
		if !drop[id] {
			kept = append(kept, id.String())
		}
	}
	before := session.Pins.Of(p.g.host.State())
	p.g.host.Set(func(s *session.State) { session.Pins.Set(s, kept) })
	widget.Undo(widget.Count(len(drop), "card", "cards")+" unpinned", func() {
		p.g.host.Set(func(s *session.State) { session.Pins.Set(s, before) })
	})
}

// grip is the handle by which a pinned card is moved.
func grip() dom.HTMLElement {
	b := widget.IconButton("grip-vertical", "Move: drag, or arrow keys", nil)
	b.SetAttribute("class", "icon-button grip")
	b.SetAttribute("data-do", "grip")
	return b
}

// drag is a card that is being moved.
type drag struct {
	id     session.CardID
	el     js.Value
	before session.CardID // it would be put before this one; none: behind all
	mark   js.Value       // the card that shows where
	moved  bool
	x, y   float64 // where it was taken hold of …
	px, py float64 // … and where the pointer is
}

// cardOf returns the pinned card that an element is part of.
func (p *pinned) cardOf(el js.Value) (js.Value, session.CardID, bool) {
	card := el.Call("closest", "[data-card]")
	if !card.Truthy() {
		return card, session.CardID{}, false
	}
	id, err := session.ParseCardID(card.Get("dataset").Get("card").String())
	return card, id, err == nil
}

func (p *pinned) grab(ev dom.Event) {
	e := ev.Underlying()
	grip := e.Get("target").Call("closest", ".grip")
	if !grip.Truthy() || e.Get("button").Int() != 0 {
		return
	}
	card, id, ok := p.cardOf(grip)
	if !ok {
		return
	}
	ev.PreventDefault()
	grip.Call("focus")
	p.grid.Underlying().Call("setPointerCapture", e.Get("pointerId"))
	p.drag = &drag{id: id, el: card, mark: js.Null(), x: e.Get("clientX").Float(), y: e.Get("clientY").Float()}
}

// edgeHeight is how near to an edge of the page a card is held for it to scroll, CSS pixels.
const edgeHeight = 48

// scroll moves the page under a card that is held at its edge, the faster the nearer.
func (p *pinned) scroll() {
	d := p.drag
	if d == nil || !d.moved {
		return
	}
	page := p.grid.Underlying().Call("closest", "main")
	r := page.Call("getBoundingClientRect")
	by := min(0, d.py-r.Get("top").Float()-edgeHeight) + max(0, d.py-r.Get("bottom").Float()+edgeHeight)
	was := page.Get("scrollTop").Float()
	if by = max(-edgeHeight, min(edgeHeight, by)); by == 0 {
		return
	}
	page.Set("scrollTop", was+by/3)
	if page.Get("scrollTop").Float() != was {
		p.point()
		p.edge.Ask()
	}
}

// move shows where the card would go.
func (p *pinned) move(ev dom.Event) {
	d := p.drag
	if d == nil {
		return
	}
	e := ev.Underlying()
	x, y := e.Get("clientX").Float(), e.Get("clientY").Float()
	if !d.moved && max(x-d.x, d.x-x)+max(y-d.y, d.y-y) < 4 {
		return
	}
	if !d.moved {
		d.moved = true
		d.el.Get("classList").Call("add", "dragged")
	}
	d.px, d.py = x, y
	p.point()
	p.edge.Ask()
}

// point marks where the card would go: before or behind the one under the pointer.
func (p *pinned) point() {
	d := p.drag
	x, y := d.px, d.py
	p.unmark()
	cards := p.grid.Underlying().Get("children")
	for i := range cards.Length() {
		card := cards.Index(i)
		r := card.Call("getBoundingClientRect")
		left, width := r.Get("left").Float(), r.Get("width").Float()
		if x < left || x > left+width || y < r.Get("top").Float() || y > r.Get("bottom").Float() {
			continue
		}
		_, id, ok := p.cardOf(card)
		if !ok || id == d.id {
			return
		}
		d.mark, d.before = card, id
		class := "drop-before"
		if x > left+width/2 {
			class, d.before = "drop-after", session.CardID{}
			for j, c := range p.cards {
				if c == id && j+1 < len(p.cards) {
					d.before = p.cards[j+1]
				}
			}
		}
		card.Get("classList").Call("add", class)
		return
	}
}

func (p *pinned) unmark() {
	if d := p.drag; d.mark.Truthy() {
		d.mark.Get("classList").Call("remove", "drop-before", "drop-after")
		d.mark = js.Null()
	}
}

// drop ends the drag; with do the card goes where it was shown to go.
func (p *pinned) drop(do bool) {
	d := p.drag
	if d == nil {
		return
	}
	d.el.Get("classList").Call("remove", "dragged")
	marked := d.mark.Truthy()
	p.unmark()
	p.drag = nil
	if do && marked && d.before != d.id {
		p.put(d.id, d.before)
	}
}

// put moves a card before another one, and says where it is now.
func (p *pinned) put(id, before session.CardID) {
	p.g.host.Set(func(s *session.State) {
		if before == (session.CardID{}) && len(p.cards) > 0 {
			// Behind the last one of this dashboard, whatever other pins stand behind.
			last := p.cards[len(p.cards)-1]
			session.MovePin(s, id, last)
			session.MovePin(s, last, id)
			return
		}
		session.MovePin(s, id, before)
	})
	for i, c := range p.cards {
		if c == id {
			widget.Text(p.said, fmt.Sprintf("%s is now %d of %d", session.TagNames(id.Tags()), i+1, len(p.cards)))
		}
	}
}

// key moves the card whose grip has the focus.
func (p *pinned) key(ev dom.Event) {
	e := ev.Underlying()
	grip := e.Get("target").Call("closest", ".grip")
	if !grip.Truthy() {
		return
	}
	_, id, ok := p.cardOf(grip)
	if !ok {
		return
	}
	at := -1
	for i, c := range p.cards {
		if c == id {
			at = i
		}
	}
	to := at
	switch e.Get("key").String() {
	case "ArrowLeft":
		to--
	case "ArrowRight":
		to++
	case "ArrowUp":
		to -= max(1, p.g.columns)
	case "ArrowDown":
		to += max(1, p.g.columns)
	case "Home":
		to = 0
	case "End":
		to = len(p.cards) - 1
	case "Escape":
		p.drop(false)
		return
	default:
		return
	}
	ev.PreventDefault()
	ev.StopPropagation()
	to = min(len(p.cards)-1, max(0, to))
	switch {
	case at < 0 || to == at:
		return
	case to < at:
		p.put(id, p.cards[to])
	case to+1 < len(p.cards):
		p.put(id, p.cards[to+1])
	default:
		p.put(id, session.CardID{})
	}
	// Moving an element takes the focus from it.
	if again := widget.FindIn(p.grid, "[data-card="+strconv.Quote(id.String())+"] .grip"); again != nil {
		again.Focus()
		again.Underlying().Call("scrollIntoView", map[string]any{"block": "nearest"})
	}
}
