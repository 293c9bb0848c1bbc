package widget

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

// CopyButton makes a button that puts text on the clipboard, and then says whether that
// worked. Pages on plain HTTP from another machine have no navigator.clipboard: there
// the old way is taken, by a selection.
func CopyButton(label string, text func() string) dom.HTMLElement {
	said := New("span", "", Attr{"role", "status"}, label)
	b := New("button", "button", Attr{"type", "button"}, said)
	Listen(b, "click", func(dom.Event) {
		Copy(b, text(), func(err error) {
			if err != nil {
				Text(said, "The browser does not allow it")
				return
			}
			Text(said, "Copied")
		})
	})
	return b
}

// Copy puts text on the clipboard, in answer to a click on an element, and calls done
// with how that went.
func Copy(by dom.HTMLElement, text string, done func(error)) {
	clip, err := bridge.Property(js.Global().Get("navigator"), "clipboard")
	if err != nil || !clip.Truthy() {
		done(copyBySelection(by, text))
		return
	}
	go func() {
		_, err := bridge.AwaitCall(clip, "writeText", text)
		done(err)
	}()
}

// copyBySelection copies by way of a field beside the button: in a dialog nothing
// outside can be selected.
func copyBySelection(beside dom.HTMLElement, text string) error {
	area := New("textarea", "visually-hidden")
	Set(area, "value", text)
	beside.Underlying().Call("after", area.Underlying())
	defer area.Remove()
	area.Underlying().Call("select")
	ok, err := bridge.Try(func() js.Value { return js.Global().Get("document").Call("execCommand", "copy") })
	if err == nil && !ok.Bool() {
		err = &bridge.Error{Name: "NotAllowedError", Message: "copying was refused"}
	}
	return err
}
