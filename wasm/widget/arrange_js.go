package widget

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// Arrange makes the given nodes the element's children, in this order, and touches only what
// is elsewhere: what stays keeps its focus and its scrolling. A script does it in one go, for
// each child that Go looks at costs more than the rest.
func Arrange(parent dom.Node, kids []dom.Node) {
	all := make([]any, 0, 1+len(kids))
	all = append(all, parent.Underlying())
	for _, k := range kids {
		all = append(all, k.Underlying())
	}
	js.Global().Call("tbArrange", all...)
}
