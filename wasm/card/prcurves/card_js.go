package prcurves

import (
	"encoding/json"
	"slices"
	"strconv"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/kind/prcurves"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// painter is static/lazy/prcurves.
func painter() js.Value { return js.Global().Get("tbPR") }

// live is the kind in a view.
type live struct {
	host card.Host
	all  map[*curves]bool // cards that show something
	// zooms are those of cards that are zoomed: a chart ends when its card leaves the screen.
	zooms map[session.CardID]zoom
}

// zoom is what a card is zoomed to, and of which curves.
type zoom struct {
	mode    Mode
	measure Measure
	ranges  js.Value // the chart's
}

// Script implements card.Drawn.
func (Kind) Script() string { return "prcurves" }

// Start implements card.Kind.
func (Kind) Start(h card.Host) card.Live {
	card.ShortNames()
	js.Global().Get("tbPaint").Call("setTheme")
	return &live{host: h, all: map[*curves]bool{}, zooms: map[session.CardID]zoom{}}
}

// Pane implements card.Live.
func (l *live) Pane() []card.Control {
	mode := widget.NewChoice("Curves", [][2]string{{string(PR), "PR"}, {string(ROC), "ROC"}, {string(Steps), "Steps"}},
		func(v string) { l.host.Set(func(s *session.State) { ModeOf.Set(s, Mode(v)) }) })
	measure := widget.New("select", "select", widget.Attr{Key: "aria-label", Value: "Measure over steps"})
	for _, o := range [][2]string{{string(AP), "Average precision"}, {string(AreaPR), "Area under PR"}, {string(AreaROC), "Area under ROC"}, {string(F1), "Best F1"}} {
		measure.AppendChild(widget.New("option", "", widget.Attr{Key: "value", Value: o[0]}, o[1]))
	}
	widget.Listen(measure, "change", func(dom.Event) {
		v := widget.Get(measure, "value").String()
		l.host.Set(func(s *session.State) { MeasureOf.Set(s, Measure(v)) })
	})
	return []card.Control{{Of: ModeOf.Decl, Node: widget.Field("Curves", mode.El, measure), Show: func(s *session.State) {
		mode.Set(string(ModeOf.Of(s)))
		widget.Set(measure, "value", string(MeasureOf.Of(s)))
		widget.Hide(measure, ModeOf.Of(s) != Steps)
	}}, card.StepsControl(l.host)}
}

// Update implements card.Live.
func (l *live) Update(u board.Update, _, _ *session.State) {
	if u.Theme {
		js.Global().Get("tbPaint").Call("setTheme")
	}
	if u.Theme || u.Colors {
		for c := range l.all {
			c.look()
		}
	}
}

// Highlight implements card.Live.
func (l *live) Highlight(run string) {
	for c := range l.all {
		if !c.chart.IsNull() {
			c.chart.Call("highlight", run)
		}
	}
}

// Escape implements card.Live.
func (l *live) Escape() bool { return false }

// Cost implements card.Live.
func (l *live) Cost() float64 { return card.Busy(painter()) }

// Key implements card.Live.
func (l *live) Key(string, bool) bool { return false }

// Help implements card.Live.
func (l *live) Help() (keys, mouse []board.Command) {
	return append(card.StepsHelp(),
			board.Command{Keys: "Shift , .", Does: "along the thresholds of a curve"},
			board.Command{Keys: "+ − 0", Does: "zoom the card in and out, fit"},
		), []board.Command{
			{Keys: "Drag", Does: "zoom to a box"},
			{Keys: "Double click", Does: "fit to the data"},
			{Keys: "Ctrl wheel, Alt wheel", Does: "zoom at the pointer"},
		}
}

// curves is the card of one tag. Points go from the workers to the painter; Go sees the
// steps.
type curves struct {
	l                *live
	slot             *card.Slot
	host, table, fit dom.HTMLElement
	said             dom.HTMLElement
	steps            *card.Steps
	tell             js.Func
	chart            js.Value // null away from the screen
	looked           []string // runs whose colours and names the chart has

	asked card.Question
}

// New implements card.Live.
func (l *live) New(s *card.Slot) card.Card { return &curves{l: l, slot: s, chart: js.Null()} }

// Build implements card.Card.
func (c *curves) Build() (body dom.HTMLElement, before, after []dom.HTMLElement) {
	c.host = widget.New("div", "pr-plot")
	c.table = widget.New("div", "steps-table pr-table", widget.Attr{Key: "tabindex", Value: "0"}, widget.Attr{Key: "role", Value: "group"}, widget.Attr{Key: "aria-label", Value: "Measures"})
	c.said = widget.New("span", "visually-hidden", widget.Attr{Key: "role", Value: "log"})
	c.fit = card.Button("scan", "Fit to the data (double click)", "fit")
	widget.Hide(c.fit, true)
	c.steps = card.NewSteps(c.slot, c.Reshape)
	c.tell = widget.Func(func(_ js.Value, args []js.Value) any {
		switch args[0].String() {
		case "painted":
			c.slot.Painted()
		case "zoom":
			c.keep(args[1])
		case "point":
			widget.Text(c.said, args[1].String())
		}
		return nil
	})
	return widget.New("div", "pr-card", c.host, c.table, c.said, c.steps.El), []dom.HTMLElement{c.fit}, nil
}

// Open implements card.Card.
func (c *curves) Open() {
	c.l.all[c] = true
	z, zoomed := c.l.zooms[c.slot.ID]
	c.chart = painter().Get("Chart").New(c.host.Underlying(), c.table.Underlying(), c.tell)
	c.look()
	if s := c.l.host.State(); zoomed && z.mode == ModeOf.Of(s) && z.measure == MeasureOf.Of(s) {
		c.chart.Call("zoomTo", z.ranges.Index(0), z.ranges.Index(1), z.ranges.Index(2), z.ranges.Index(3))
	}
	c.Reshape()
}

// keep remembers what the chart is zoomed to, null if all is shown.
func (c *curves) keep(ranges js.Value) {
	if ranges.IsNull() {
		delete(c.l.zooms, c.slot.ID)
	} else {
		s := c.l.host.State()
		c.l.zooms[c.slot.ID] = zoom{ModeOf.Of(s), MeasureOf.Of(s), ranges}
	}
	widget.Hide(c.fit, ranges.IsNull())
}

// Shut implements card.Card.
func (c *curves) Shut() {
	c.asked.Drop()
	delete(c.l.all, c)
	c.steps.Shut()
	if !c.chart.IsNull() {
		c.chart.Call("close")
		c.chart = js.Null()
	}
}

// look hands the settings to the chart.
func (c *curves) look() {
	if c.chart.IsNull() {
		return
	}
	s := c.l.host.State()
	runs := c.slot.Runs()
	c.looked = runs
	colors, called := map[string]string{}, map[string]string{}
	for _, r := range runs {
		colors[r], called[r] = c.l.host.Color(r), c.l.host.Name(r)
	}
	b, err := json.Marshal(map[string]any{"mode": ModeOf.Of(s), "measure": MeasureOf.Of(s), "colors": colors, "called": called, "order": runs})
	if err != nil {
		panic("prcurves: internal error: " + err.Error())
	}
	c.chart.Call("set", string(b))
}

// Ask implements card.Card.
func (c *curves) Ask(calm bool) {
	c.asked.Drop()
	if c.chart.IsNull() {
		return
	}
	if !slices.Equal(c.slot.Runs(), c.looked) {
		c.look()
	}
	c.slot.Asked(true)
	q := prcurves.Query{Over: ModeOf.Of(c.l.host.State()) == Steps}
	if n := c.steps.Wanted(); n >= 0 && n < len(c.steps.Known())-1 {
		q.Step = &c.steps.Known()[n]
	}
	w := q.For(c.slot.Runs(), c.slot.ID.Tags()[0])
	w.Calm = calm
	c.asked.Ask(c.l.host.Data(), w, func(r engine.Reply) {
		if c.chart.IsNull() {
			return
		}
		c.slot.Asked(false)
		c.take(r, q.Step)
		c.slot.Pump()
	})
}

// take shows an answer to the question for a step, nil for the last.
func (c *curves) take(r engine.Reply, asked *int64) {
	c.chart.Call("begin")
	var steps [][]int64
	var wall *float64
	for _, chunk := range r.Chunks {
		parts := engine.Parts[prcurves.Part](chunk)
		if len(parts) == 0 {
			continue
		}
		for i := range parts {
			steps = append(steps, parts[i].Steps)
			for _, item := range parts[i].Curves {
				if wall == nil {
					wall = item.Wall
				}
			}
		}
		c.chart.Call("add", chunk.JSON, chunk.Buffer)
	}
	if len(steps) == 0 {
		problem := r.Err
		if problem == "" {
			problem = "Not read yet."
		}
		c.steps.Show(-1, nil)
		c.chart.Call("say", problem)
		return
	}
	all := union(steps)
	known := len(c.steps.Known())
	if !slices.Equal(all, c.steps.Known()) {
		c.steps.Take(stored.Head{Count: len(all), Steps: all, Version: strconv.Itoa(len(all))})
	}
	c.slot.Painting()
	c.chart.Call("done")
	n := len(all) - 1
	if asked != nil {
		n = stored.Nearest(all, *asked)
	}
	c.steps.Show(n, wall)
	if known == 0 && c.steps.Wanted() != n {
		c.Reshape() // the first answer tells which steps there are
	}
}

// Settings implements card.Card.
func (c *curves) Settings(old, now *session.State) {
	c.steps.Settings(old, now)
	if !ModeOf.Same(old, now) || !MeasureOf.Same(old, now) {
		c.look()
	}
	if !ModeOf.Same(old, now) {
		c.Reshape()
	}
}

// Renew implements card.Card.
func (c *curves) Renew() { c.slot.Stale(true) }

// Hurry implements card.Card.
func (c *curves) Hurry() { c.slot.Stale(false) }

// Reshape implements card.Card.
func (c *curves) Reshape() {
	c.asked.Drop()
	c.slot.Drop()
	c.slot.Stale(false)
}

// Do implements card.Card.
func (c *curves) Do(name string, _ dom.HTMLElement) {
	if name == "fit" && !c.chart.IsNull() {
		c.chart.Call("fit")
	}
}

// Key implements card.Card.
func (c *curves) Key(key string, _ bool) bool {
	if c.chart.IsNull() {
		return false
	}
	switch key {
	case "<", ";":
		c.chart.Call("stepBy", -1)
	case ">", ":":
		c.chart.Call("stepBy", 1)
	case "+", "=":
		c.chart.Call("zoomBy", 0.7)
	case "-":
		c.chart.Call("zoomBy", 1/0.7)
	case "0":
		c.chart.Call("fit")
	default:
		return c.steps.Key(key)
	}
	return true
}
