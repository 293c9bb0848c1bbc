package widget

import "honnef.co/go/js/dom/v2"

// Arrange makes the given nodes the element's children, in this order, and
// touches only what is elsewhere: what stays keeps its focus and its scrolling.
func Arrange(parent dom.Node, kids []dom.Node) {
	p := parent.Underlying()
	for i, k := range kids {
		Set(k, "tbPlace", i)
	}
	// Those that do not belong go first, or everything behind one would be moved.
	for c := p.Get("firstChild"); c.Truthy(); {
		next, at := c.Get("nextSibling"), c.Get("tbPlace")
		if !at.Truthy() && (at.IsUndefined() || at.Int() != 0) || at.Int() >= len(kids) || !kids[at.Int()].Underlying().Equal(c) {
			p.Call("removeChild", c)
		}
		c = next
	}
	at := p.Get("firstChild")
	for _, k := range kids {
		if at.Truthy() && at.Equal(k.Underlying()) {
			at = at.Get("nextSibling")
			continue
		}
		p.Call("insertBefore", k.Underlying(), at)
	}
}
