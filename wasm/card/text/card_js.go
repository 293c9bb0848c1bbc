package text

import (
	"fmt"
	"strconv"

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
	host card.Host
	raw  dom.HTMLElement
	cost float64
}

// Start implements card.Kind.
func (Kind) Start(h card.Host) card.Live { return &live{host: h} }

// Pane implements card.Live.
func (l *live) Pane() []dom.Node {
	var el dom.HTMLElement
	l.raw, el = widget.Check("Show texts as logged", func(on bool) { l.host.Set(func(s *session.State) { Raw.Set(s, on) }) })
	widget.Set(l.raw, "checked", Raw.Of(l.host.State()))
	return []dom.Node{el}
}

// Update implements card.Live.
func (l *live) Update(u board.Update, _, now *session.State) {
	if u.State && l.raw != nil {
		widget.Set(l.raw, "checked", Raw.Of(now))
	}
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
func (l *live) Help() (keys, mouse []board.HelpRow) {
	return []board.HelpRow{{Keys: ", .", Does: "the card's step before, or after"}}, nil
}

// texts is the card of one tag in one run.
type texts struct {
	l                    *live
	slot                 *card.Slot
	body, foot           dom.HTMLElement
	slider, step, status dom.HTMLElement

	cancel func()
	ticket int
	part   text.Part // what is shown
	at     int       // number of the value that is wanted; -1 = the last one, whichever it is
	shown  string    // what the body shows, so that the same is not built again
}

// New implements card.Live.
func (l *live) New(s *card.Slot) card.Card { return &texts{l: l, slot: s, at: -1} }

// Build implements card.Card.
func (c *texts) Build() (body dom.HTMLElement, before, after []dom.HTMLElement) {
	c.body = widget.New("div", "text-body", widget.Attr{Key: "tabindex", Value: "0"}, widget.Attr{Key: "role", Value: "document"})
	c.slider = widget.Range("Step", 0, 0, 1, func(v float64) { c.move(int(v)) })
	c.step = widget.New("span", "num", widget.Attr{Key: "role", Value: "status"})
	c.status = widget.New("span", "quiet")
	c.foot = widget.New("div", "text-foot", c.slider, c.step, c.status)
	return widget.New("div", "text-card", c.body, c.foot), nil, nil
}

// Open implements card.Card.
func (c *texts) Open() { c.slot.Stale(false) }

// Shut implements card.Card.
func (c *texts) Shut() {
	if c.cancel != nil {
		c.cancel()
		c.cancel = nil
	}
	c.ticket++
	c.shown = ""
	widget.Replace(c.body)
}

// move shows value number n.
func (c *texts) move(n int) {
	last := len(c.part.Steps) - 1
	n = max(0, min(n, last))
	if n == last {
		n = -1 // what comes is followed
	}
	if n != c.at {
		c.at = n
		c.slot.Drop()
		c.slot.Stale(false)
	}
}

// Ask implements card.Card.
func (c *texts) Ask(calm bool) {
	if c.cancel != nil {
		c.cancel()
	}
	c.ticket++
	ticket := c.ticket
	c.slot.Asked(true)
	q := text.Query{From: c.at, N: 1}.For(c.slot.ID.Run, c.slot.ID.Tags()[0])
	q.Calm = calm
	c.cancel = c.l.host.Data().Ask(q, func(r engine.Reply) {
		if ticket != c.ticket {
			return
		}
		c.slot.Asked(false)
		c.part = text.Part{}
		for _, chunk := range r.Chunks {
			for _, p := range engine.Parts[text.Part](chunk) {
				c.part = p
			}
		}
		c.show(r.Err)
		c.slot.Pump()
	})
}

// show brings the card to its part.
func (c *texts) show(problem string) {
	n := len(c.part.Steps)
	widget.Set(c.slider, "max", strconv.Itoa(max(0, n-1)))
	widget.Set(c.slider, "disabled", n < 2)
	if len(c.part.Items) == 0 {
		if problem == "" {
			problem = "Not read yet."
		}
		widget.Text(c.step, "")
		c.fill(problem, func() { c.say(problem) })
		return
	}
	item := c.part.Items[0]
	widget.SetValue(c.slider, strconv.Itoa(c.part.From))
	if !widget.Focused(c.slider) || c.at < 0 {
		widget.Set(c.slider, "value", strconv.Itoa(c.part.From))
	}
	widget.Text(c.step, "step "+widget.Thousands(item.Step))
	c.slider.SetAttribute("aria-valuetext", "step "+strconv.FormatInt(item.Step, 10))
	widget.Text(c.status, fmt.Sprintf("%d of %d", c.part.From+1, n))
	raw := Raw.Of(c.l.host.State())
	key := fmt.Sprint(raw, item.Step, item.Wall != nil, item.Shape, item.Cut, item.Error, item.Texts)
	c.fill(key, func() {
		if item.Error != "" {
			c.say(item.Error)
			return
		}
		c.content(&item, raw)
	})
}

// fill builds the body unless it shows the same already.
func (c *texts) fill(key string, build func()) {
	if key == c.shown {
		return
	}
	c.shown = key
	began := widget.Now()
	widget.Replace(c.body)
	build()
	c.l.cost += widget.Now() - began
}

func (c *texts) say(what string) { c.body.AppendChild(widget.New("p", "quiet", what)) }

// content shows a value: one text, or a table of them.
func (c *texts) content(item *text.Item, raw bool) {
	rows, cut := grid(item.Shape, item.Texts)
	bytes := 0
	for _, row := range rows {
		for _, t := range row {
			bytes += len(t)
		}
	}
	long := bytes > maxMarkdown
	write := func(into dom.HTMLElement, t string) {
		if raw || long {
			into.AppendChild(widget.New("pre", "text-raw", t))
		} else {
			card.Markdown(into, t)
		}
	}
	switch {
	case len(rows) == 0:
		c.say("This value is empty.")
	case plain(item.Shape, item.Texts):
		write(c.body, rows[0][0])
	default:
		body := widget.New("tbody", "")
		for _, row := range rows {
			tr := widget.New("tr", "")
			for _, t := range row {
				td := widget.New("td", "")
				write(td, t)
				tr.AppendChild(td)
			}
			body.AppendChild(tr)
		}
		c.body.AppendChild(widget.New("table", "", body))
	}
	switch {
	case item.Cut:
		c.say("This text is longer than what is shown: only its beginning has been read.")
	case cut:
		c.say("This tensor is larger than what is shown: this is its first part.")
	case long && !raw:
		c.say("This text is too long to be laid out as Markdown: it is shown as it was logged.")
	}
}

// Settings implements card.Card.
func (c *texts) Settings(old, now *session.State) {
	if !Raw.Same(old, now) && c.shown != "" {
		c.show("")
	}
}

// Renew implements card.Card.
func (c *texts) Renew() { c.slot.Stale(true) }

// Hurry implements card.Card.
func (c *texts) Hurry() { c.slot.Stale(false) }

// Reshape implements card.Card: which runs are shown does not concern the card of one.
func (c *texts) Reshape() {}

// Do implements card.Card.
func (c *texts) Do(string, dom.HTMLElement) {}

// Key implements card.Card.
func (c *texts) Key(key string, _ bool) bool {
	switch key {
	case ",":
		c.move(c.part.From - 1)
	case ".":
		c.move(c.part.From + 1)
	default:
		return false
	}
	return true
}
