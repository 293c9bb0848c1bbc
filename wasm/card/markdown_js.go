package card

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// Markdown puts a text into an element, as it was logged until the library is there that
// makes nodes of it (static/lazy/markdown).
func Markdown(into dom.HTMLElement, text string) {
	render := func() bool {
		f := js.Global().Get("tbMarkdown")
		if f.Type() != js.TypeFunction {
			return false
		}
		nodes, err := bridge.Try(func() js.Value { return f.Invoke(text) })
		if err != nil {
			return false
		}
		into.Underlying().Call("replaceChildren", nodes)
		widget.Toggle(into, "markdown", true)
		return true
	}
	if render() {
		return
	}
	into.AppendChild(widget.New("pre", "text-raw", text))
	go func() {
		if Load("markdown") == nil && widget.Get(into, "isConnected").Bool() {
			render()
		}
	}()
}

// Load loads a script of static/lazy, once. It must be called on a goroutine.
func Load(name string) error {
	_, err := bridge.AwaitCall(js.Global().Get("tbBoot"), "load", name)
	return err
}
