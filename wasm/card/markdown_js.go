package card

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// Markdown puts a text into an element, as it was logged until nodes have been made of it
// (static/lazy/markdown): of a short one at once, of a long one in a worker. A text that is
// too intricate for that stays as it was logged, and why is told; problem may be nil.
func Markdown(into dom.HTMLElement, text string, problem func(why string)) {
	show := func(nodes js.Value) {
		into.Underlying().Call("replaceChildren", nodes)
		widget.Toggle(into, "markdown", true)
	}
	global := js.Global()
	atOnce := func() bool {
		f := global.Get("tbMarkdown")
		if f.Type() != js.TypeFunction {
			return false
		}
		nodes, err := bridge.Try(func() js.Value { return f.Invoke(text) })
		if err != nil || !nodes.Truthy() {
			return false
		}
		show(nodes)
		return true
	}
	if atOnce() {
		return
	}
	into.AppendChild(widget.New("pre", "text-raw", text))
	go func() {
		if Load("markdown") != nil {
			return // it can be read all the same
		}
		if !widget.Get(into, "isConnected").Bool() || atOnce() {
			return
		}
		nodes, err := bridge.AwaitCall(global, "tbMarkdownSoon", text)
		switch {
		case !widget.Get(into, "isConnected").Bool():
		case err == nil:
			show(nodes)
		case problem != nil:
			problem(bridge.MessageOf(err))
		}
	}()
}

// Busy is how long a painter has drawn, ms; 0 before it is loaded.
func Busy(painter js.Value) float64 {
	if !painter.Truthy() {
		return 0
	}
	return painter.Get("busy").Float()
}

// Bring loads a script of static/lazy and calls do when it is there, in the present scope, unless
// that has ended by then: the user went on to another dashboard. The page says if it cannot be
// loaded; failed is what cannot be done then.
func Bring(name, failed string, do func()) {
	scope := widget.Present()
	go func() {
		if err := Load(name); err != nil {
			widget.Say(failed + ": " + err.Error())
		} else if !scope.Ended() {
			scope.Do(do)
		}
	}()
}

// Load loads a script of static/lazy, once. It must be called on a goroutine.
func Load(name string) error {
	_, err := bridge.AwaitCall(js.Global().Get("tbBoot"), "load", name)
	return err
}
