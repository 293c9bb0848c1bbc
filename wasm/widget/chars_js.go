package widget

import "syscall/js"

var charWidth float64

// CharWidth is how wide a character of a name is on the average, CSS pixels.
func CharWidth() float64 {
	if charWidth == 0 {
		const sample = "relu_lr=0.0123456789,seed"
		doc := js.Global().Get("document")
		ctx := doc.Call("createElement", "canvas").Call("getContext", "2d")
		if ctx.Truthy() {
			// The shorthand is empty where a part of it has no place there, as the figures of the
			// page's numbers.
			style := js.Global().Call("getComputedStyle", doc.Get("body"))
			ctx.Set("font", style.Get("fontSize").String()+" "+style.Get("fontFamily").String())
			charWidth = ctx.Call("measureText", sample).Get("width").Float() / float64(len(sample))
		}
		charWidth = max(charWidth, 5)
	}
	return charWidth
}
