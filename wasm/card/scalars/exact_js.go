package scalars

import (
	"math"

	"github.com/tensorbored/tensorbored-static/wasm/engine"

	"github.com/tensorbored/tensorbored-static/wasm/card/scalars/paint"
)

// at asks for the logged points at a value of the horizontal axis, those next to it where a
// run has none there, and every one of their smoothed values as of the whole series: a zoom
// into as much as nothing. What memory has no room for is read again, as for any zoom, and
// comes with a second answer.
func (c *curves) at(which int, x float64) {
	runs, beside := c.l.compared(c.slot.Runs())
	if c.chart == nil || len(runs) == 0 {
		return
	}
	q := c.l.queryOf(c.slot.ID, runs, math.Nextafter(x, math.Inf(-1)), math.Nextafter(x, math.Inf(1)), 0)
	q.XScale, q.Even = "", false
	c.l.ask(&c.askedAt[which], q, false, func(r engine.Reply) {
		if c.chart != nil {
			c.chart.Exactly(which, x, beside, paint.Chunks(r), !r.More)
		}
	})
}
