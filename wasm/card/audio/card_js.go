package audio

import (
	"encoding/json"
	"fmt"
	"strconv"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/kind/audio"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// live is the kind in a view.
type live struct {
	host  card.Host
	steps card.StepsPane
}

// Start implements card.Kind.
func (Kind) Start(h card.Host) card.Live { return &live{host: h} }

// Pane implements card.Live.
func (l *live) Pane() []dom.Node { return []dom.Node{l.steps.Make(l.host)} }

// Update implements card.Live.
func (l *live) Update(u board.Update, _, now *session.State) {
	if u.State {
		l.steps.Update(now)
	}
}

// Highlight implements card.Live.
func (l *live) Highlight(string) {}

// Escape implements card.Live.
func (l *live) Escape() bool { return false }

// Cost implements card.Live: a clip is drawn once, in small parts.
func (l *live) Cost() float64 { return 0 }

// Key implements card.Live.
func (l *live) Key(string, bool) bool { return false }

// Help implements card.Live.
func (l *live) Help() (keys, mouse []board.Command) {
	return card.StepsHelp(), []board.Command{{Keys: "Click on a waveform", Does: "play from there"}}
}

// clips is the card of one tag in one run.
type clips struct {
	l     *live
	slot  *card.Slot
	list  dom.HTMLElement
	steps *card.Steps

	asked  card.Question
	turn   int // counts what was shown
	number int // of the value that is shown; -1: none
	item   audio.Item
	shown  string // what is shown, so that what plays is not begun anew
	made   []js.Value
}

// New implements card.Live.
func (l *live) New(s *card.Slot) card.Card { return &clips{l: l, slot: s, number: -1} }

// Build implements card.Card.
func (c *clips) Build() (body dom.HTMLElement, before, after []dom.HTMLElement) {
	c.list = widget.New("div", "clips", widget.Attr{Key: "tabindex", Value: "0"}, widget.Attr{Key: "role", Value: "group"}, widget.Attr{Key: "aria-label", Value: "Clips"})
	c.steps = card.NewSteps(c.l.host, func() {
		c.slot.Drop()
		c.slot.Stale(false)
	})
	return widget.New("div", "clips-card", c.list, c.steps.El), nil, nil
}

// Open implements card.Card.
func (c *clips) Open() {
	c.slot.Stale(false)
}

// Shut implements card.Card.
func (c *clips) Shut() {
	c.asked.Drop()
	c.number = -1
	c.steps.Shut()
	c.clear()
}

// clear ends what is shown.
func (c *clips) clear() {
	c.turn++
	for _, v := range c.made {
		v.Call("close")
	}
	c.made, c.shown = nil, ""
	widget.Replace(c.list)
}

// Ask implements card.Card.
func (c *clips) Ask(calm bool) {
	c.slot.Asked(true)
	q := audio.Query{Query: c.steps.Query()}.For(c.slot.ID.Run, c.slot.ID.Tags()[0])
	q.Calm = calm
	c.asked.Ask(c.l.host.Data(), q, func(r engine.Reply) {
		c.slot.Asked(false)
		if !c.take(r) {
			c.steps.Show(-1, nil)
			c.say(map[bool]string{true: "Not read yet.", false: r.Err}[r.Err == ""])
		}
		c.slot.Pump()
	})
}

// take shows an answer; false if there is nothing in it.
func (c *clips) take(r engine.Reply) bool {
	for _, chunk := range r.Chunks {
		for _, p := range engine.Parts[audio.Part](chunk) {
			c.steps.Take(p.Head)
			if len(p.Items) == 0 {
				continue
			}
			if n := c.steps.Wanted(); n != p.From {
				c.slot.Stale(false) // the first answer tells which steps there are
				if c.number >= 0 {
					return true
				}
			}
			c.number, c.item = p.From, p.Items[0]
			c.steps.Show(p.From, c.item.Wall)
			c.show(chunk.Buffer)
			return true
		}
	}
	return false
}

func (c *clips) say(text string) {
	c.clear()
	c.list.AppendChild(widget.New("p", "quiet", text))
}

// show shows the clips of the card's value.
func (c *clips) show(buffer js.Value) {
	item := c.item
	what, err := json.Marshal(item)
	if err != nil {
		panic("audio: internal error: " + err.Error())
	}
	if string(what) == c.shown {
		return
	}
	if item.Error != "" {
		c.say(item.Error)
		return
	}
	c.clear()
	c.shown = string(what)
	note := ""
	if item.Count > len(item.Samples) {
		note = fmt.Sprintf("the first %d of %s clips", len(item.Samples), widget.Thousands(item.Count))
	}
	widget.Text(c.slot.Note, note)
	turn := c.turn
	if sounds := js.Global().Get("tbSound"); sounds.Truthy() {
		c.make(buffer)
		return
	}
	go func() {
		if err := card.Load("sound"); turn == c.turn {
			if err != nil {
				c.say("The player could not be loaded: " + err.Error())
				return
			}
			c.make(buffer)
		}
	}()
}

// make makes the clips' players.
func (c *clips) make(buffer js.Value) {
	for i := range c.item.Samples {
		s := &c.item.Samples[i]
		host := widget.New("div", "clip", widget.Attr{Key: "role", Value: "group"}, widget.Attr{Key: "aria-label", Value: fmt.Sprintf("Clip %d of %d", i+1, len(c.item.Samples))})
		head := widget.New("div", "clip-head", widget.New("span", "quiet", about(s)))
		save := widget.IconButton("download", "Download this clip", nil)
		save.SetAttribute("data-do", "save")
		save.SetAttribute("data-sample", strconv.Itoa(i))
		head.AppendChild(save)
		c.list.AppendChild(host)
		list, err := json.Marshal(s)
		if err != nil {
			panic("audio: internal error: " + err.Error())
		}
		v, err := bridge.Try(func() js.Value {
			return js.Global().Get("tbSound").Get("Clip").New(host.Underlying(), string(list), buffer)
		})
		if err != nil {
			host.AppendChild(widget.New("p", "quiet", "This clip cannot be shown: "+err.Error()))
			continue
		}
		c.made = append(c.made, v)
		if s.Error != "" {
			host.AppendChild(widget.New("p", "quiet", s.Error))
		}
		host.AppendChild(head)
		if s.Label != "" {
			label := widget.New("div", "text-body clip-label")
			host.AppendChild(label)
			card.Markdown(label, s.Label, nil)
		}
	}
}

// Settings implements card.Card.
func (c *clips) Settings(old, now *session.State) { c.steps.Settings(old, now) }

// Renew implements card.Card.
func (c *clips) Renew() { c.slot.Stale(true) }

// Hurry implements card.Card.
func (c *clips) Hurry() { c.slot.Stale(false) }

// Reshape implements card.Card: which runs are shown does not concern the card of one.
func (c *clips) Reshape() {}

// Do implements card.Card.
func (c *clips) Do(name string, button dom.HTMLElement) {
	i, err := strconv.Atoi(button.GetAttribute("data-sample"))
	if name != "save" || err != nil || i < 0 || i >= len(c.made) {
		return
	}
	id := c.slot.ID
	c.made[i].Call("save", fileName(id.Tags()[0], id.Run, c.item.Step, i, c.item.Count, &c.item.Samples[i]))
}

// Key implements card.Card.
func (c *clips) Key(key string, _ bool) bool { return c.steps.Key(key) }
