package card

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// commands are what the grid itself does.
func (g *grid) commands() []board.Command {
	out := []board.Command{
		{Keys: "/", Does: "filter tags", Run: func() {
			g.filterBox.Focus()
			g.filterBox.Underlying().Call("select")
		}},
		{Does: "show all tags: clear the filter", Run: func() { g.host.Set(func(s *session.State) { session.TagFilter.Reset(s) }) }},
		{Does: "one step for all cards: show or end the timeline", Run: func() { g.host.Set(func(s *session.State) { Link(s, !LinkSteps.Of(s)) }) }},
		{Does: "expand all groups", Run: func() { g.openAll(true) }},
		{Does: "collapse all groups", Run: func() { g.openAll(false) }},
		{Does: "write an introduction, or change it", Run: g.Introduce},
		{Keys: "← ↑ ↓ →", Does: "from card to card"},
	}
	own := []board.Command{{Keys: "f", Does: "full width of the card", Of: "Card"}, {Keys: "p", Does: "pin the card, or unpin it", Of: "Card"}}
	if s := g.focused(); s != nil {
		own[0].Run = func() {
			s.toggleWide()
			s.el.Underlying().Call("scrollIntoView", map[string]any{"block": "nearest"})
		}
		own[1].Run = func() { g.togglePin(s.ID) }
	}
	return append(append(out, own...), g.kinds[0].laid.Commands()...)
}

// Help implements board.View. What cards do by a key is there by its name for the card
// that has the focus, and so is its menu.
func (g *grid) Help() (commands, mouse []board.Command) {
	commands = g.commands()
	s := g.focused()
	for _, k := range g.kinds {
		more, gestures := k.Live.Help()
		at := ""
		if len(g.kinds) > 1 {
			at = k.Empty().Nouns
		}
		for _, c := range more {
			c.At = at
			if c.Run == nil && s != nil && s.kind == k && utf8.RuneCountInString(c.Keys) == 1 {
				c.Of, c.Run = "Card", func() { s.scope.Do(func() { s.Card.Key(c.Keys, false) }) }
			}
			commands = append(commands, c)
		}
		for _, c := range gestures {
			c.At = at
			mouse = append(mouse, c)
		}
	}
	if s == nil {
		return once(commands), once(mouse)
	}
	if s.near {
		if form, _ := s.otherForm(); form != "" {
			commands = append(commands, board.Command{Does: "show the card as " + form, Of: "Card", Run: s.swap})
		}
	}
	if m, ok := s.Card.(Menued); ok && s.near {
		for _, it := range m.Menu() {
			commands = append(commands, board.Command{Does: it.Label, Of: "Card", Run: func() { s.scope.Do(it.Do) }})
		}
	}
	return once(commands), once(mouse)
}

// once drops what several kinds say alike, and keeps what can be done.
func once(rows []board.Command) (out []board.Command) {
	for _, r := range rows {
		i := slices.IndexFunc(out, func(o board.Command) bool { return o.Keys == r.Keys && o.Does == r.Does })
		switch {
		case i < 0:
			out = append(out, r)
			continue
		case r.At == "" || out[i].At == "":
			r.At = ""
		case out[i].At != r.At:
			r.At = out[i].At + ", " + r.At
		}
		if out[i].Run != nil {
			r.Run, r.Of = out[i].Run, out[i].Of
		}
		out[i] = r
	}
	return out
}

// Key implements board.View. Arrows go from card to card; the others act on
// the card that has the focus, or on all.
func (g *grid) Key(key string, shift bool) (used bool) {
	g.scope.Do(func() { used = g.key(key, shift) })
	return used
}

func (g *grid) key(key string, shift bool) bool {
	if s := g.focused(); s != nil {
		if s.near && s.Card.Key(key, shift) {
			return true
		}
		switch key {
		case "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown":
			return g.step(s, key)
		}
	} else if strings.HasPrefix(key, "Arrow") && !shift && widget.Focused(widget.Find("body")) {
		if first := widget.Find("#main article"); first != nil { // nothing has the focus yet
			first.Focus()
			return true
		}
	}
	if board.Do(g.commands(), key) {
		return true
	}
	for _, k := range g.kinds {
		if commands, _ := k.Live.Help(); board.Do(commands, key) || k.Live.Key(key, shift) {
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
