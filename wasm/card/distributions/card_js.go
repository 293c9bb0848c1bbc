package distributions

import (
	"encoding/json"
	"fmt"
	"math"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/kind/distributions"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars/paint"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// live is the kind in a view.
type live struct {
	host card.Host
	all  map[*bands]bool // cards that show something
	// zooms are those of cards that are zoomed: a card ends when its group is closed.
	zooms map[session.CardID]paint.Zoom
}

// Script implements card.Drawn.
func (Kind) Script() string { return "histograms" }

// Start implements card.Kind.
func (Kind) Start(h card.Host) card.Live {
	paint.SetTheme()
	return &live{host: h, all: map[*bands]bool{}, zooms: map[session.CardID]paint.Zoom{}}
}

// Pane implements card.Live: the controls are those of curves.
func (l *live) Pane() []card.Control { return scalars.AxisControls(l.host) }

// Update implements card.Live.
func (l *live) Update(u board.Update, _, _ *session.State) {
	if u.Theme {
		paint.SetTheme()
	}
	if u.Theme || u.Colors {
		for c := range l.all {
			c.chart.Ink(l.host.Color(c.slot.ID.Run))
		}
	}
}

// Highlight implements card.Live: a card is of one run.
func (l *live) Highlight(string) {}

// Escape implements card.Live.
func (l *live) Escape() bool { return paint.Unpin() }

// Cost implements card.Live.
func (l *live) Cost() float64 { return card.Busy(paint.BandsPainter()) }

// Key implements card.Live.
func (l *live) Key(string, bool) bool { return false }

// Help implements card.Live.
func (l *live) Help() (keys, mouse []board.Command) {
	return []board.Command{
			{Keys: "+ − 0", Does: "zoom the card in and out, fit"},
			{Keys: "Shift ← ↑ ↓ →", Does: "move the zoomed view"},
			{Keys: "Enter", Does: "the table of values"},
		}, []board.Command{
			{Keys: "Drag", Does: "zoom to a box; a flat one zooms the horizontal axis only"},
			{Keys: "Double click", Does: "fit to the data"},
			{Keys: "Click", Does: "pin the table of values"},
		}
}

// bands is the card of one tag in one run.
type bands struct {
	l         *live
	slot      *card.Slot
	plot, fit dom.HTMLElement
	chart     *paint.Bands // nil away from the screen
	asked     card.Question
	rev       int
	zoom      paint.Zoom // while zoomed
	zoomed    bool
	pixels    int
}

// New implements card.Live.
func (l *live) New(s *card.Slot) card.Card {
	z, zoomed := l.zooms[s.ID]
	return &bands{l: l, slot: s, zoom: z, zoomed: zoomed}
}

// Build implements card.Card.
func (c *bands) Build() (body dom.HTMLElement, before, after []dom.HTMLElement) {
	c.fit = card.Button("scan", "Fit to the data (double click)", "fit")
	c.plot = widget.New("div", "plot", widget.Attr{Key: "role", Value: "img"}, widget.Attr{Key: "aria-label", Value: "Not drawn yet"})
	return c.plot, []dom.HTMLElement{c.fit}, nil
}

// Open implements card.Card.
func (c *bands) Open() {
	c.chart = paint.NewBands(c.plot, c.slot.ID.Tags()[0], paint.Events{
		Zoom: func(z paint.Zoom, zoomed bool) {
			c.keep(z, zoomed)
			c.Reshape() // there may be more steps to show
		},
		Painted: c.slot.Painted,
		Size: func(pixels int) {
			if pixels > c.pixels+c.pixels/8 && c.pixels > 0 {
				c.Reshape()
			}
		},
	})
	c.l.all[c] = true
	c.chart.Ink(c.l.host.Color(c.slot.ID.Run))
	c.axes()
	if c.zoomed {
		c.chart.SetZoom(c.zoom)
	}
	widget.Hide(c.fit, !c.zoomed)
	c.Reshape()
}

// keep remembers what the card is zoomed to.
func (c *bands) keep(z paint.Zoom, zoomed bool) {
	c.zoom, c.zoomed = z, zoomed
	if zoomed {
		c.l.zooms[c.slot.ID] = z
	} else {
		delete(c.l.zooms, c.slot.ID)
	}
	widget.Hide(c.fit, !zoomed)
}

// axes hands the settings to the chart.
func (c *bands) axes() {
	s, tag := c.l.host.State(), c.slot.ID.Tags()[0]
	c.chart.Set(string(scalars.X.Of(s)), string(scalars.XScaleOf(s, tag)), string(scalars.ScaleOf(s, tag)), scalars.SymlogZone.Of(s), false, false, 0)
}

// Shut implements card.Card.
func (c *bands) Shut() {
	c.asked.Drop()
	delete(c.l.all, c)
	if c.chart != nil {
		c.chart.Close()
		c.chart = nil
	}
}

// Ask implements card.Card.
func (c *bands) Ask(calm bool) {
	c.slot.Asked(true)
	c.pixels = c.chart.Pixels()
	q := distributions.AllSteps
	q.Steps = stepsOf(c.pixels)
	if s := c.l.host.State(); c.zoomed && scalars.X.Of(s) == wire.ByStep && c.zoom.X1 > c.zoom.X0 {
		// What lies beside the range is needed for the lines that lead out of it.
		wide := c.zoom.X1 - c.zoom.X0
		q.From, q.To = clamp(c.zoom.X0-wide), clamp(c.zoom.X1+wide)
	}
	w := q.For(c.slot.ID.Run, c.slot.ID.Tags()[0])
	w.Calm = calm
	c.asked.Ask(c.l.host.Data(), w, func(r engine.Reply) {
		c.slot.Asked(false)
		c.take(r)
		c.slot.Pump()
	})
}

// clamp makes a step of a place on the axis.
func clamp(x float64) int64 {
	return int64(math.Max(-1<<62, math.Min(1<<62, x)))
}

func (c *bands) take(r engine.Reply) {
	for _, chunk := range r.Chunks {
		var parts []json.RawMessage
		if json.Unmarshal([]byte(chunk.JSON.String()), &parts) != nil || len(parts) == 0 {
			continue
		}
		var p distributions.Part
		if json.Unmarshal(parts[0], &p) != nil {
			continue
		}
		note, why := "", ""
		switch {
		case p.Bad > 0:
			note, why = fmt.Sprintf("%d of %s cannot be shown", p.Bad, widget.Count(p.Count, "step", "steps")), p.Why
		case p.N < p.Count && !c.zoomed:
			note = fmt.Sprintf("%d of %s steps", p.N, widget.Thousands(p.Count))
			why = "As many as can be told apart. Zoom in to see each."
		}
		widget.Text(c.slot.Note, note)
		c.slot.Note.SetTitle(why)
		c.rev++
		c.slot.Painting()
		c.chart.TakeBands(c.rev, string(parts[0]), chunk.Buffer)
		return
	}
	widget.Text(c.slot.Note, map[bool]string{true: "not read yet", false: r.Err}[r.Err == ""])
}

// Settings implements card.Card.
func (c *bands) Settings(old, now *session.State) {
	same := true
	for _, d := range (Kind{}).Settings() {
		same = same && d.Same(old, now)
	}
	if same || c.chart == nil {
		return
	}
	if tag := c.slot.ID.Tags()[0]; !scalars.X.Same(old, now) || scalars.XScaleOf(old, tag) != scalars.XScaleOf(now, tag) {
		c.keep(paint.Zoom{}, false)
	}
	c.axes()
	c.Reshape()
}

// Renew implements card.Card.
func (c *bands) Renew() { c.slot.Stale(true) }

// Hurry implements card.Card.
func (c *bands) Hurry() { c.slot.Stale(false) }

// Reshape implements card.Card.
func (c *bands) Reshape() {
	if c.chart != nil {
		c.asked.Drop()
		c.slot.Drop()
		c.slot.Stale(false)
	}
}

// Do implements card.Card.
func (c *bands) Do(name string, _ dom.HTMLElement) {
	if name == "fit" && c.chart != nil {
		c.chart.Fit()
	}
}

// Key implements card.Card.
func (c *bands) Key(key string, shift bool) bool {
	if c.chart == nil {
		return false
	}
	switch key {
	case "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown":
		if !shift {
			return false
		}
		d := map[string][2]float64{"ArrowLeft": {-0.2, 0}, "ArrowRight": {0.2, 0}, "ArrowUp": {0, 0.2}, "ArrowDown": {0, -0.2}}[key]
		c.chart.Pan(d[0], d[1])
	case "+", "=":
		c.chart.ZoomBy(0.7)
	case "-":
		c.chart.ZoomBy(1 / 0.7)
	case "0":
		c.chart.Fit()
	case "Enter":
		c.chart.Values()
	default:
		return false
	}
	return true
}
