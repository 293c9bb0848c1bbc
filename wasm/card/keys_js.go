package card

import (
	"math"

	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// Help implements board.View.
func (g *grid) Help() (keys, mouse []board.HelpRow) {
	keys = []board.HelpRow{
		{Keys: "/", Does: "filter tags"},
		{Keys: "← ↑ ↓ →", Does: "from card to card"},
		{Keys: "f", Does: "full width of the card"},
		{Keys: "p", Does: "pin the card, or unpin it"},
	}
	for _, k := range g.kinds {
		more, gestures := k.Live.Help()
		keys, mouse = append(keys, more...), append(mouse, gestures...)
	}
	return keys, mouse
}

// Key implements board.View. Arrows go from card to card; the others act on
// the card that has the focus, or on all.
func (g *grid) Key(key string, shift bool) (used bool) {
	g.scope.Do(func() { used = g.key(key, shift) })
	return used
}

func (g *grid) key(key string, shift bool) bool {
	if key == "/" {
		g.filterBox.Focus()
		g.filterBox.Underlying().Call("select")
		return true
	}
	if s := g.focused(); s != nil {
		if s.near && s.Card.Key(key, shift) {
			return true
		}
		switch key {
		case "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown":
			return g.step(s, key)
		case "f":
			s.toggleWide()
			s.el.Underlying().Call("scrollIntoView", map[string]any{"block": "nearest"})
			return true
		case "p":
			g.togglePin(s.ID)
			return true
		}
	}
	for _, k := range g.kinds {
		if k.Live.Key(key, shift) {
			return true
		}
	}
	return false
}

// focused returns the card that has the focus; of a wide one, also when something in it
// has.
func (g *grid) focused() *Slot {
	for _, s := range g.slots {
		if widget.Focused(s.el) || widget.Get(s.el, "classList").Call("contains", "wide").Bool() && s.el.Underlying().Call("matches", ":focus-within").Bool() {
			return s
		}
	}
	return nil
}

// step moves the focus to the nearest card in the arrow's direction.
func (g *grid) step(from *Slot, key string) bool {
	a := from.el.GetBoundingClientRect()
	var best *Slot
	least := math.Inf(1)
	for _, c := range g.slots {
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
