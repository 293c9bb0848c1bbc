package card

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
)

// ValuedLive is what a Live is whose cards are Valued: all but New.
type ValuedLive struct {
	Host Host
}

// Pane implements Live.
func (l *ValuedLive) Pane() []Control { return []Control{StepsControl(l.Host)} }

// Update implements Live.
func (l *ValuedLive) Update(board.Update, *session.State, *session.State) {}

// Highlight implements Live.
func (l *ValuedLive) Highlight(string) {}

// Escape implements Live.
func (l *ValuedLive) Escape() bool { return false }

// Cost implements Live: a value is drawn once, in small parts.
func (l *ValuedLive) Cost() float64 { return 0 }

// Key implements Live.
func (l *ValuedLive) Key(string, bool) bool { return false }

// Help implements Live.
func (l *ValuedLive) Help() (keys, mouse []board.Command) { return StepsHelp(), nil }

// Valued is what cards have in common that show one logged value of a tag in a run at a time.
type Valued struct {
	Slot   *Slot
	Steps  *Steps
	Number int // of the value that is shown; -1: none
	Shown  interface {
		// Query asks for the value that q says.
		Query(q stored.Query) wire.Query
		// Read reads a part of an answer; head is nil if there is nothing in it, and some says
		// that a value is.
		Read(chunk engine.Chunk) (head *stored.Head, some bool)
		// Show shows what was read, value Number, and returns when it was logged.
		Show(buffer js.Value) (wall *float64)
		// Say shows words in its place.
		Say(text string)
	}

	asked Question
}

// Init makes the slider; it is called by Build.
func (c *Valued) Init() {
	c.Steps = NewSteps(c.Slot, func() {
		c.Slot.Drop()
		c.Slot.Stale(false)
	})
}

// Open implements Card.
func (c *Valued) Open() { c.Slot.Stale(false) }

// Shut implements Card.
func (c *Valued) Shut() {
	c.asked.Drop()
	c.Number = -1
	c.Steps.Shut()
}

// Ask implements Card.
func (c *Valued) Ask(calm bool) {
	c.Slot.Asked(true)
	q := c.Shown.Query(c.Steps.Query())
	q.Calm = calm
	c.asked.Ask(c.Slot.Host().Data(), q, func(r engine.Reply) {
		c.Slot.Asked(false)
		if !c.take(r) {
			c.Steps.Show(-1, nil)
			c.Number = -1
			problem := r.Err
			if problem == "" {
				problem = "Not read yet."
			}
			c.Shown.Say(problem)
		}
		c.Slot.Pump()
	})
}

// take shows an answer; false if there is nothing in it.
func (c *Valued) take(r engine.Reply) bool {
	for _, chunk := range r.Chunks {
		head, some := c.Shown.Read(chunk)
		if head == nil {
			continue
		}
		c.Steps.Take(*head)
		if !some {
			continue
		}
		if n := c.Steps.Wanted(); n != head.From {
			c.Slot.Stale(false) // the first answer tells which steps there are
			if c.Number >= 0 {
				return true
			}
		}
		c.Number = head.From
		c.Steps.Show(head.From, c.Shown.Show(chunk.Buffer))
		return true
	}
	return false
}

// Settings implements Card.
func (c *Valued) Settings(old, now *session.State) { c.Steps.Settings(old, now) }

// Renew implements Card.
func (c *Valued) Renew() { c.Slot.Stale(true) }

// Hurry implements Card.
func (c *Valued) Hurry() { c.Slot.Stale(false) }

// Reshape implements Card: which runs are shown does not concern the card of one.
func (c *Valued) Reshape() {}

// Do implements Card.
func (c *Valued) Do(string, dom.HTMLElement) {}

// Key implements Card.
func (c *Valued) Key(key string, _ bool) bool { return c.Steps.Key(key) }
