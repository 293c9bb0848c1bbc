package scalars

import (
	"math"

	"github.com/tensorbored/tensorbored-static/wasm/paint"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// Key implements board.View. Arrows go from card to card; the others act on
// the card that has the focus.
func (v *view) Key(key string, shift bool) bool {
	if key == "/" {
		v.filterBox.Focus()
		v.filterBox.Underlying().Call("select")
		return true
	}
	var c *card
	for _, x := range v.cards {
		if widget.Focused(x.el) || widget.Get(x.el, "classList").Call("contains", "wide").Bool() && x.el.Underlying().Call("matches", ":focus-within").Bool() {
			c = x
		}
	}
	if c == nil {
		return false
	}
	switch key {
	case "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown":
		if shift {
			d := map[string][2]float64{"ArrowLeft": {-0.2, 0}, "ArrowRight": {0.2, 0}, "ArrowUp": {0, 0.2}, "ArrowDown": {0, -0.2}}[key]
			c.chartDo(func(p *paint.Chart) { p.Pan(d[0], d[1]) })
			return true
		}
		return v.step(c, key)
	case "f":
		c.toggleWide()
		c.el.Underlying().Call("scrollIntoView", map[string]any{"block": "nearest"})
	case "y":
		c.nextScale()
	case "+", "=":
		c.chartDo(func(p *paint.Chart) { p.ZoomBy(0.7) })
	case "-":
		c.chartDo(func(p *paint.Chart) { p.ZoomBy(1 / 0.7) })
	case "0":
		c.chartDo((*paint.Chart).Fit)
	default:
		return false
	}
	return true
}

// step moves the focus to the nearest card in the arrow's direction.
func (v *view) step(from *card, key string) bool {
	a := from.el.GetBoundingClientRect()
	var best *card
	least := math.Inf(1)
	for _, c := range v.cards {
		if c == from {
			continue
		}
		b := c.el.GetBoundingClientRect()
		dx, dy := b.X()-a.X(), b.Y()-a.Y()
		var along, across float64
		switch key {
		case "ArrowLeft":
			along, across = -dx, dy
		case "ArrowRight":
			along, across = dx, dy
		case "ArrowUp":
			along, across = -dy, dx
		case "ArrowDown":
			along, across = dy, dx
		}
		if along < 2 {
			continue
		}
		if (key == "ArrowLeft" || key == "ArrowRight") && math.Abs(across) > 2 {
			continue
		}
		if d := along + 3*math.Abs(across); d < least {
			best, least = c, d
		}
	}
	if best != nil {
		best.el.Focus()
		best.el.Underlying().Call("scrollIntoView", map[string]any{"block": "nearest"})
	}
	return true
}
