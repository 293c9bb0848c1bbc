package scalars

import (
	"math"

	"github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars/paint"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// marks are those that the card shows.
func (c *curves) marks() marks { return marksOf(c.l.host.State(), c.slot.ID) }

// fob moves a marked step; NaN takes it away.
func (c *curves) fob(which int, step float64) {
	m := append(marks{}, c.marks()...)
	switch {
	case which < len(m) && math.IsNaN(step):
		m = append(m[:which], m[which+1:]...)
	case which < len(m):
		m[which] = step
	case math.IsNaN(step) || len(m) == 2:
		return
	default:
		m = append(m, step)
	}
	c.l.host.Set(func(s *session.State) {
		if card.LinkSteps.Of(s) {
			card.SetLinked(s, m)
			return
		}
		lastMarked = c.slot.ID.String()
		if Marks.Drop(s, lastMarked); len(m) > 0 {
			Marks.Put(s, lastMarked, m)
		}
	})
}

// span tells the timeline over which steps the curves go, where all cards have one step.
func (c *curves) span() {
	if s := c.l.host.State(); card.LinkSteps.Of(s) && XOf(s) == wire.ByStep {
		c.l.host.Spanned(c.chart.FarStep(math.Inf(1)), c.chart.LastStep())
	}
}

// showMarks brings the chart to the marked steps.
func (c *curves) showMarks() {
	if c.chart == nil {
		return
	}
	at := [2]float64{math.NaN(), math.NaN()}
	copy(at[:], c.marks())
	c.chart.SetFobs(at[0], at[1])
	if len(c.marks()) == 0 {
		c.showTable(false)
	}
}

// showTable shows the table below the plot, or gives its room back.
func (c *curves) showTable(on bool) {
	widget.Hide(c.table, !on)
	if !on {
		widget.Replace(c.table)
	}
	widget.Toggle(widget.Wrap(c.plot.Underlying().Call("closest", ".card")), "tabled", on)
}

// markNext marks a step, or the other end of a range if one is marked, and puts the keyboard
// there.
func (c *curves) markNext() {
	m := c.marks()
	switch len(m) {
	case 0:
		c.fob(0, c.chart.LastStep())
	case 1:
		c.fob(1, c.chart.FarStep(m[0]))
	}
	if in := c.plot.Underlying().Call("querySelectorAll", ".fob:not([hidden]) input").Index(min(len(m), 1)); in.Truthy() {
		in.Call("focus")
		in.Call("select")
	}
}

// askTable asks for the numbers at the marked steps.
func (c *curves) askTable() {
	m := c.marks()
	if c.chart == nil || len(m) == 0 {
		return
	}
	s := c.l.host.State()
	weight := SmoothingOf(s, c.tag)
	tags := c.slot.Tags()
	runs, _ := c.l.compared(c.slot.Runs())
	q := scalars.Curves{Tag: tags[0], Others: tags[1:], Runs: runs, Weight: weight, Smoother: SmootherOf(s, c.tag), X: wire.ByStep, Partition: Partition.Of(s), Table: m}
	c.l.ask(&c.askedRows, q, false, func(r engine.Reply) {
		if len(c.marks()) != len(m) {
			return
		}
		chunks := paint.Chunks(r)
		note := ""
		for _, chunk := range chunks {
			for _, p := range chunk.Parts {
				if !p.Full {
					note = "These are the points that memory keeps. More were logged, or are still to come."
				}
			}
		}
		paint.Table(c.table, names(tags), chunks, len(m) == 2, weight > 0, note)
		c.showTable(true)
	})
}
