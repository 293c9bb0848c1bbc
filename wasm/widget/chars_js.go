package widget

import "syscall/js"

// What texts need of the page's width. A character's width is asked of the browser once.

var (
	charWidths = map[rune]float64{}
	pen        js.Value // a canvas' context that has the page's font
)

// TextWidth is how wide a text of the page is, about, in CSS pixels.
func TextWidth(text string) (w float64) {
	for _, r := range text {
		c, ok := charWidths[r]
		if !ok {
			c = measure(string(r))
			charWidths[r] = c
		}
		w += c
	}
	return w
}

// Bold is how much wider a bold text is.
const Bold = 1.12

// Hovers reports whether there is a pointer that can hover; where there is none, buttons that
// it would bring are always there.
func Hovers() bool {
	return !js.Global().Call("matchMedia", "(hover: none)").Get("matches").Bool()
}

func measure(text string) float64 {
	const about = 8 // where nothing can be measured
	if pen.IsUndefined() {
		doc := js.Global().Get("document")
		pen = doc.Call("createElement", "canvas").Call("getContext", "2d")
		if pen.Truthy() {
			// The shorthand is empty where a part of it has no place there, as the figures of the
			// page's numbers.
			style := js.Global().Call("getComputedStyle", doc.Get("body"))
			pen.Set("font", style.Get("fontSize").String()+" "+style.Get("fontFamily").String())
		}
	}
	if !pen.Truthy() {
		return about
	}
	return pen.Call("measureText", text).Get("width").Float()
}
