package histograms

import (
	"encoding/json"
	"fmt"
	"strconv"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/kind/histograms"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// slices is the card of one tag in one run. Bins go from the worker to the painter; Go
// sees the steps at most.
type slices struct {
	l     *live
	slot  *card.Slot
	host  dom.HTMLElement
	said  dom.HTMLElement
	all   dom.HTMLElement
	tell  js.Func
	chart js.Value // null away from the screen

	asked card.Question
}

// New implements card.Live.
func (l *live) New(s *card.Slot) card.Card { return &slices{l: l, slot: s, chart: js.Null()} }

// Build implements card.Card.
func (c *slices) Build() (body dom.HTMLElement, before, after []dom.HTMLElement) {
	c.host = widget.New("div", "histogram")
	c.said = widget.New("span", "visually-hidden", widget.Attr{Key: "role", Value: "status"})
	c.all = card.Button("scan", "Show all steps (double click)", "all")
	c.tell = widget.Func(func(_ js.Value, args []js.Value) any {
		switch args[0].String() {
		case "painted":
			c.slot.Painted()
		case "point":
			widget.Text(c.said, args[1].String())
		case "range":
			c.ranged(args[1:])
		case "zoom":
			c.zoom(args[1:])
		case "pick":
			c.pick(int64(args[1].Float()))
		}
		return nil
	})
	return widget.New("div", "histogram-card", c.host, c.said), []dom.HTMLElement{c.all}, nil
}

// ranged shows the chosen steps on all cards, all of them if none was chosen.
func (c *slices) ranged(steps []js.Value) {
	c.l.host.Set(func(s *session.State) {
		if len(steps) < 2 {
			Range.Reset(s)
			return
		}
		Range.Set(s, rangeText(int64(steps[0].Float()), int64(steps[1].Float())))
	})
}

// zoom shows a part of the values on this card, all of them if none was chosen. It stays
// while data come, and while the card is away from the screen.
func (c *slices) zoom(values []js.Value) {
	delete(c.l.zooms, c.slot.ID)
	if len(values) == 2 {
		c.l.zooms[c.slot.ID] = [2]float64{values[0].Float(), values[1].Float()}
	}
	c.back()
	c.Reshape()
}

// back says what the button takes back, if anything: the zoom first, then the steps.
func (c *slices) back() {
	_, zoomed := c.l.zooms[c.slot.ID]
	name := "Show all steps (double click)"
	if zoomed {
		name = "Fit to the data (double click)"
	}
	widget.SetIcon(c.all, "scan", name)
	widget.Hide(c.all, !zoomed && Range.Of(c.l.host.State()) == "")
}

// pick makes a step the one of all cards, if they have one; once more, and each has its
// last one.
func (c *slices) pick(step int64) {
	if !card.LinkSteps.Of(c.l.host.State()) {
		return
	}
	text := strconv.FormatInt(step, 10)
	c.l.host.Set(func(s *session.State) {
		if card.LinkedStep.Of(s) == text {
			text = ""
		}
		card.LinkedStep.Set(s, text)
	})
}

// Open implements card.Card.
func (c *slices) Open() {
	c.chart = painter().Get("Chart").New(c.host.Underlying(), c.tell)
	c.l.all[c] = true
	if z, ok := c.l.zooms[c.slot.ID]; ok {
		c.chart.Set("zoom", []any{z[0], z[1]})
	}
	c.look()
	c.slot.Stale(false)
}

// Shut implements card.Card.
func (c *slices) Shut() {
	c.asked.Drop()
	delete(c.l.all, c)
	if !c.chart.IsNull() {
		c.chart.Call("close")
		c.chart = js.Null()
	}
}

// look hands the settings to the chart.
func (c *slices) look() {
	if c.chart.IsNull() {
		return
	}
	s := c.l.host.State()
	o := map[string]any{
		"mode": ModeOf.Of(s), "depth": scalars.X.Of(s), "log": LogCounts.Of(s),
		"color": c.l.host.Color(c.slot.ID.Run), "marked": nil,
	}
	if step, err := strconv.ParseInt(card.LinkedStep.Of(s), 10, 64); err == nil && card.LinkSteps.Of(s) {
		o["marked"] = step
	}
	b, err := json.Marshal(o)
	if err != nil {
		panic("histograms: internal error: " + err.Error())
	}
	c.chart.Call("set", string(b))
	c.back()
}

// Ask implements card.Card.
func (c *slices) Ask(calm bool) {
	c.slot.Asked(true)
	s := c.l.host.State()
	q := histograms.Query{Slices: slicesOf(c.host.OffsetHeight()), Bins: Bins.Of(s)}
	q.From, q.To = rangeOf(Range.Of(s))
	if z, ok := c.l.zooms[c.slot.ID]; ok {
		q.Lo, q.Hi = z[0], z[1]
	}
	w := q.For(c.slot.ID.Run, c.slot.ID.Tags()[0])
	w.Calm = calm
	c.asked.Ask(c.l.host.Data(), w, func(r engine.Reply) {
		c.slot.Asked(false)
		c.take(r)
		c.slot.Pump()
	})
}

// take shows an answer.
func (c *slices) take(r engine.Reply) {
	note, why := "", ""
	for _, chunk := range r.Chunks {
		var parts []json.RawMessage
		if json.Unmarshal([]byte(chunk.JSON.String()), &parts) != nil || len(parts) == 0 {
			continue
		}
		var p struct {
			Count, Bad, Lost int
			Why              string
			Steps            []int64
		}
		if json.Unmarshal(parts[0], &p) != nil {
			continue
		}
		switch {
		case p.Bad > 0:
			note, why = fmt.Sprintf("%d of %s cannot be shown", p.Bad, widget.Count(p.Count, "step", "steps")), p.Why
		case p.Lost > 0:
			note, why = widget.Count(p.Lost, "bucket", "buckets")+" left out", "Their edges or their counts are not numbers."
		case len(p.Steps) < p.Count:
			note = fmt.Sprintf("%d of %s steps", len(p.Steps), widget.Thousands(p.Count))
			why = "As many as can be told apart. Drag over a part of them to see each."
		}
		widget.Text(c.slot.Note, note)
		c.slot.Note.SetTitle(why)
		if len(p.Steps) == 0 && why != "" {
			c.chart.Call("say", why)
			return
		}
		c.l.host.Stepped(p.Steps)
		c.slot.Painting()
		c.chart.Call("take", string(parts[0]), chunk.Buffer)
		return
	}
	problem := r.Err
	if problem == "" {
		problem = "Not read yet."
	}
	c.chart.Call("say", problem)
}

// Settings implements card.Card.
func (c *slices) Settings(old, now *session.State) {
	if !ModeOf.Same(old, now) || !LogCounts.Same(old, now) || !scalars.X.Same(old, now) || !Range.Same(old, now) ||
		!card.LinkSteps.Same(old, now) || !card.LinkedStep.Same(old, now) {
		c.look()
	}
	if !Bins.Same(old, now) || !Range.Same(old, now) {
		c.Reshape()
	}
}

// Renew implements card.Card.
func (c *slices) Renew() { c.slot.Stale(true) }

// Hurry implements card.Card.
func (c *slices) Hurry() { c.slot.Stale(false) }

// Reshape implements card.Card.
func (c *slices) Reshape() {
	if c.chart.IsNull() {
		return
	}
	c.asked.Drop()
	c.slot.Drop()
	c.slot.Stale(false)
}

// Do implements card.Card.
func (c *slices) Do(name string, _ dom.HTMLElement) {
	if name == "all" && !c.chart.IsNull() {
		c.chart.Call("back")
	}
}

// Key implements card.Card.
func (c *slices) Key(key string, shift bool) bool {
	if c.chart.IsNull() {
		return false
	}
	switch key {
	case ",":
		c.chart.Call("stepBy", -1, 0)
	case ".":
		c.chart.Call("stepBy", 1, 0)
	case "<", ";":
		c.chart.Call("stepBy", 0, -1)
	case ">", ":":
		c.chart.Call("stepBy", 0, 1)
	case "Enter":
		c.chart.Call("pick")
	case "+", "=":
		c.chart.Call("zoomBy", 0.7)
	case "-":
		c.chart.Call("zoomBy", 1/0.7)
	case "0":
		c.chart.Call("fit")
	case "ArrowLeft", "ArrowRight":
		if !shift {
			return false
		}
		c.chart.Call("pan", map[string]float64{"ArrowLeft": -0.2, "ArrowRight": 0.2}[key])
	case "o":
		c.l.host.Set(func(s *session.State) {
			ModeOf.Set(s, map[Mode]Mode{Offset: Overlay, Overlay: Offset}[ModeOf.Of(s)])
		})
	case "l":
		c.l.host.Set(func(s *session.State) { LogCounts.Set(s, !LogCounts.Of(s)) })
	default:
		return false
	}
	return true
}
