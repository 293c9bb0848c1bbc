package audio

import (
	"encoding/json"
	"fmt"
	"strconv"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/kind/audio"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// live is the kind in a view.
type live struct{ card.ValuedLive }

// Start implements card.Kind.
func (Kind) Start(h card.Host) card.Live { return &live{card.ValuedLive{Host: h}} }

// Help implements card.Live.
func (l *live) Help() (keys, mouse []board.Command) {
	return card.StepsHelp(), []board.Command{{Keys: "Click on a waveform", Does: "play from there"}}
}

// clips is the card of one tag in one run.
type clips struct {
	card.Valued
	list dom.HTMLElement

	turn  int // counts what was shown
	item  audio.Item
	shown string // what is shown, so that what plays is not begun anew
	made  []js.Value
}

// New implements card.Live.
func (l *live) New(s *card.Slot) card.Card {
	c := &clips{Valued: card.Valued{Slot: s, Number: -1}}
	c.Shown = c
	return c
}

// Build implements card.Card.
func (c *clips) Build() (body dom.HTMLElement, before, after []dom.HTMLElement) {
	c.list = widget.New("div", "clips", widget.Attr{Key: "tabindex", Value: "0"}, widget.Attr{Key: "role", Value: "group"}, widget.Attr{Key: "aria-label", Value: "Clips"})
	c.Init()
	return widget.New("div", "clips-card", c.list, c.Steps.El), nil, nil
}

// Shut implements card.Card.
func (c *clips) Shut() {
	c.Valued.Shut()
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

// Query implements card.Valued.
func (c *clips) Query(q stored.Query) wire.Query {
	return audio.Query{Query: q}.For(c.Slot.ID.Run, c.Slot.ID.Tags()[0])
}

// Read implements card.Valued.
func (c *clips) Read(chunk engine.Chunk) (*stored.Head, bool) {
	for _, p := range engine.Parts[audio.Part](chunk) {
		if len(p.Items) > 0 {
			c.item = p.Items[0]
		}
		return &p.Head, len(p.Items) > 0
	}
	return nil, false
}

// Say implements card.Valued.
func (c *clips) Say(text string) {
	c.clear()
	c.list.AppendChild(widget.New("p", "quiet", text))
}

// Show implements card.Valued.
func (c *clips) Show(buffer js.Value) *float64 {
	c.show(buffer)
	return c.item.Wall
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
		c.Say(item.Error)
		return
	}
	c.clear()
	c.shown = string(what)
	note := ""
	if item.Count > len(item.Samples) {
		note = fmt.Sprintf("the first %d of %s clips", len(item.Samples), widget.Thousands(item.Count))
	}
	widget.Text(c.Slot.Note, note)
	turn := c.turn
	if sounds := js.Global().Get("tbSound"); sounds.Truthy() {
		c.make(buffer)
		return
	}
	go func() {
		if err := card.Load("sound"); turn == c.turn {
			if err != nil {
				c.Say("The player could not be loaded: " + err.Error())
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

// Do implements card.Card.
func (c *clips) Do(name string, button dom.HTMLElement) {
	i, err := strconv.Atoi(button.GetAttribute("data-sample"))
	if name != "save" || err != nil || i < 0 || i >= len(c.made) {
		return
	}
	id := c.Slot.ID
	c.made[i].Call("save", fileName(id.Tags()[0], id.Run, c.item.Step, i, c.item.Count, &c.item.Samples[i]))
}
