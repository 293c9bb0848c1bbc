package text

import (
	"fmt"
	"unicode/utf8"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/kind/text"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// live is the kind in a view.
type live struct {
	host  card.Host
	scope *widget.Scope
	cost  float64
}

// Start implements card.Kind.
func (Kind) Start(h card.Host) card.Live { return &live{host: h, scope: widget.Present()} }

// Pane implements card.Live.
func (l *live) Pane() []card.Control {
	return []card.Control{card.CheckOf(l.host, "Show texts as logged", Raw), card.CheckOf(l.host, "All steps, the newest first", List), card.StepsControl(l.host)}
}

// Update implements card.Live.
func (l *live) Update(u board.Update, _, now *session.State) {
}

// Highlight implements card.Live: a text has no lines to mark.
func (l *live) Highlight(string) {}

// Escape implements card.Live.
func (l *live) Escape() bool { return false }

// Cost implements card.Live.
func (l *live) Cost() float64 { return l.cost }

// Key implements card.Live.
func (l *live) Key(string, bool) bool { return false }

// Help implements card.Live.
func (l *live) Help() (keys, mouse []board.Command) {
	return append(card.StepsHelp(), board.Command{Keys: "d", Does: "what is different between two steps or runs"}), nil
}

// texts is the card of one tag in one run.
type texts struct {
	l          *live
	slot       *card.Slot
	root, body dom.HTMLElement
	more       dom.HTMLElement // reads more of a long text
	list       *list
	steps      *card.Steps

	open   bool
	asked  card.Question
	item   *text.Item      // what is shown; nil: nothing
	number int             // of item
	max    int64           // bytes that are read of it
	flow   dom.HTMLElement // holds a long text, to which more is added; nil: none
	single bool            // one step is shown although List is on
	shown  string          // what the body shows, so that the same is not built again
}

// New implements card.Live.
func (l *live) New(s *card.Slot) card.Card {
	return &texts{l: l, slot: s, number: -1, max: firstBytes}
}

// Build implements card.Card.
func (c *texts) Build() (body dom.HTMLElement, before, after []dom.HTMLElement) {
	c.body = widget.New("div", "text-body", widget.Attr{Key: "tabindex", Value: "0"}, widget.Attr{Key: "role", Value: "document"})
	c.more = widget.New("button", "text-button text-more", widget.Attr{Key: "type", Value: "button"}, widget.Attr{Key: "data-do", Value: "more"})
	widget.Hide(c.more, true)
	c.steps = card.NewSteps(c.slot, c.wanted)
	c.list = newList(c)
	c.root = widget.New("div", "text-card", c.list.el, c.body, c.more, c.steps.El)
	return c.root, []dom.HTMLElement{card.Button("git-compare", "What is different (d)", "diff")}, nil
}

// listed says whether the card shows the list.
func (c *texts) listed() bool { return List.Of(c.l.host.State()) && !c.single }

// Open implements card.Card.
func (c *texts) Open() {
	c.open = true
	c.mode()
	c.slot.Stale(false)
}

// mode shows the list, or one step.
func (c *texts) mode() {
	on := c.listed()
	widget.Hide(c.list.el, !List.Of(c.l.host.State()))
	c.list.only(on)
	widget.Hide(c.body, on)
	widget.Hide(c.steps.El, on)
	if on {
		widget.Hide(c.more, true)
	}
}

// Shut implements card.Card.
func (c *texts) Shut() {
	c.asked.Drop()
	c.open, c.item, c.number, c.shown, c.flow = false, nil, -1, "", nil
	c.steps.Shut()
	c.list.clear()
	widget.Replace(c.body)
}

// wanted asks for another value.
func (c *texts) wanted() {
	c.max = firstBytes
	c.slot.Drop()
	c.slot.Stale(false)
}

// Ask implements card.Card.
func (c *texts) Ask(calm bool) {
	c.slot.Asked(true)
	q := text.Query{Query: c.steps.Query(), Max: c.max}
	if c.listed() {
		q = c.list.query(q)
	} else if c.growing() && c.number == c.steps.Wanted() {
		q.Max = firstBytes
		if c.continues() {
			q.Skip, q.Max = c.item.Next, min(nextBytes, c.item.End-c.item.Next)
		}
	}
	w := q.For(c.slot.ID.Run, c.slot.ID.Tags()[0])
	w.Calm = calm
	c.asked.Ask(c.l.host.Data(), w, func(r engine.Reply) {
		c.slot.Asked(false)
		c.take(r)
		if !r.More {
			c.slot.Pump()
		}
	})
}

// take shows an answer.
func (c *texts) take(r engine.Reply) {
	for _, chunk := range r.Chunks {
		for _, p := range engine.Parts[text.Part](chunk) {
			if c.steps.Take(p.Head) {
				c.item = nil
				c.list.clear()
			}
			if c.listed() {
				c.list.take(&p)
				return
			}
			if len(p.Items) == 0 {
				continue
			}
			if p.Items[0].Skip > 0 {
				if c.item == nil {
					c.slot.Stale(false) // the values are others: begin anew
				}
				c.add(&p.Items[0], p.From)
				return
			}
			if n := c.steps.Wanted(); n != p.From {
				c.slot.Stale(false) // the first answer tells which steps there are
				if c.item != nil {
					return
				}
			}
			if i := &p.Items[0]; c.growing() && c.number == p.From && c.item.Size == i.Size && i.Error == "" {
				return // it is the beginning of what is shown
			}
			c.item, c.number = &p.Items[0], p.From
			c.steps.Show(p.From, c.item.Wall)
			c.show()
			return
		}
	}
	c.steps.Show(-1, nil)
	problem := r.Err
	if problem == "" {
		problem = "Not read yet."
	}
	widget.Hide(c.more, true)
	c.fill(problem, func() { c.say(problem) })
}

// growing reports whether a long text is shown to which more can be added.
func (c *texts) growing() bool {
	return c.item != nil && c.flow != nil && c.item.Next > 0 && c.item.End >= c.item.Size-tail
}

// continues reports whether more of it is wanted.
func (c *texts) continues() bool {
	// A part ends before a character that is not whole.
	return c.growing() && c.item.Next < c.item.End && (c.item.End <= c.max || c.item.Next+utf8.UTFMax <= c.max)
}

// add shows more of a long text.
func (c *texts) add(more *text.Item, number int) {
	switch {
	case !c.growing() || c.number != number || more.Skip != c.item.Next:
		return // something else is shown by now
	case more.Error != "":
		c.item = nil
		c.fill(more.Error, func() { c.say(more.Error) })
		return
	}
	began := widget.Now()
	t := more.Texts[0]
	c.item.Texts[0] += t
	if c.item.Next = more.Next; more.Next == more.Skip {
		c.item.Next = c.item.End // it ends within a character
	}
	c.item.Cut = c.item.Next < c.item.End
	logged(c.flow, t)
	c.shown = c.key()
	c.l.cost += widget.Now() - began
	c.label()
	if c.continues() {
		c.slot.Stale(false)
	}
}

// Settings implements card.Card.
func (c *texts) Settings(old, now *session.State) {
	if !c.open {
		return
	}
	c.steps.Settings(old, now)
	if !List.Same(old, now) {
		c.single = false
		c.mode()
		c.wanted()
		return
	}
	if !Raw.Same(old, now) {
		c.list.clear()
		if c.listed() {
			c.list.lay()
		} else if c.item != nil {
			c.show()
		}
	}
}

// Renew implements card.Card.
func (c *texts) Renew() { c.slot.Stale(true) }

// Hurry implements card.Card.
func (c *texts) Hurry() { c.slot.Stale(false) }

// Reshape implements card.Card: which runs are shown does not concern the card of one.
func (c *texts) Reshape() {}

// Do implements card.Card.
func (c *texts) Do(name string, _ dom.HTMLElement) {
	switch name {
	case "diff":
		c.l.compare(c.slot.ID.Run, c.slot.ID.Tags()[0], c.steps.Wanted())
	case "more":
		c.max *= 4
		c.label()
		c.slot.Drop()
		c.slot.Stale(false)
	case "all":
		c.single = false
		c.mode()
		c.wanted()
	}
}

// Key implements card.Card.
func (c *texts) Key(key string, _ bool) bool {
	if key == "d" {
		c.Do("diff", nil)
		return true
	}
	return !c.listed() && c.steps.Key(key)
}

// size writes a number of bytes.
func size(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.3g MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%d KB", n>>10)
	}
	return widget.Count(n, "byte", "bytes")
}
