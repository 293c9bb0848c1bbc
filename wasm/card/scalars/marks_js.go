package scalars

import (
	"math"
	"strconv"

	"github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars/paint"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// marks are a card's marked steps: none, one, or the two ends of a range.
type marks []float64

// marks are those that the card shows: its own, or those of all. Steps are marked where
// steps are the axis.
func (c *curves) marks() marks {
	s := c.l.host.State()
	if XOf(s) != wire.ByStep {
		return nil
	}
	if !card.LinkSteps.Of(s) {
		return c.l.marks[c.slot.ID]
	}
	var out marks
	for _, text := range []string{card.LinkedStep.Of(s), LinkedEnd.Of(s)} {
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			break
		}
		out = append(out, float64(v))
	}
	return out
}

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
	if !card.LinkSteps.Of(c.l.host.State()) {
		c.l.marks[c.slot.ID] = m
		c.showMarks()
		c.askTable()
		return
	}
	c.l.host.Set(func(s *session.State) {
		ends := [2]string{}
		for i, v := range m {
			ends[i] = strconv.FormatFloat(math.Round(v), 'f', 0, 64)
		}
		card.LinkedStep.Set(s, ends[0])
		LinkedEnd.Set(s, ends[1])
	})
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

// focusFob puts the keyboard into the first fob.
func (c *curves) focusFob() {
	if in := c.plot.Underlying().Call("querySelector", ".fob:not([hidden]) input"); in.Truthy() {
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
	q := scalars.Curves{Tag: tags[0], Others: tags[1:], Runs: c.slot.Runs(), Weight: weight, Smoother: Smoother.Of(s), X: wire.ByStep, Partition: Partition.Of(s), Table: m}
	c.l.ask(&c.askedRows, q, false, func(r engine.Reply) {
		if len(c.marks()) != len(m) {
			return
		}
		chunks := paint.Chunks(r)
		note := ""
		for _, chunk := range chunks {
			for _, p := range chunk.Parts {
				if !p.Full {
					note = "Of points that memory keeps: more were logged, or follow."
				}
			}
		}
		paint.Table(c.table, names(tags), chunks, len(m) == 2, weight > 0, note)
		c.showTable(true)
	})
}
