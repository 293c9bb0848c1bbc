package widget

import (
	"fmt"

	"honnef.co/go/js/dom/v2"
)

// Popup shows a native popover under a button: light dismiss, Escape and focus
// are the browser's. It is taken out of the page when it closes.
func Popup(under dom.Element, class, name string, content ...any) (el dom.HTMLElement, closeIt func()) {
	el = New("div", "popup "+class, append([]any{Attr{"popover", "auto"}, Attr{"role", "dialog"}, Attr{"aria-label", name}}, content...)...)
	// Within the same landmark as its button, where screen readers look for it.
	under.Underlying().Call("closest", "main,aside,header,body").Call("append", el.Underlying())
	el.AddEventListener("toggle", false, func(ev dom.Event) {
		if ev.Underlying().Get("newState").String() == "closed" {
			el.Remove()
		}
	})
	el.Underlying().Call("showPopover")
	place(el, under)
	return el, func() {
		if Get(el, "isConnected").Bool() {
			el.Underlying().Call("hidePopover")
		}
	}
}

// place puts el below the button, or above it, within the window.
func place(el dom.HTMLElement, under dom.Element) {
	b := under.GetBoundingClientRect()
	w, h := el.OffsetWidth(), el.OffsetHeight()
	win := dom.GetWindow()
	x := max(6, min(b.Right()-w, float64(win.InnerWidth())-w-6))
	y := b.Bottom() + 4
	if y+h > float64(win.InnerHeight())-6 {
		y = max(6, b.Top()-h-4)
	}
	Style(el, "left", fmt.Sprintf("%.0fpx", x))
	Style(el, "top", fmt.Sprintf("%.0fpx", y))
}

// Item is a line of a menu.
type Item struct {
	Icon, Label string
	Do          func()
}

// Menu shows the items under a button. Arrows move, Enter chooses.
func Menu(under dom.Element, name string, items []Item) {
	var closeIt func()
	var buttons []any
	var els []dom.HTMLElement
	for _, it := range items {
		b := New("button", "menu-item", Attr{"type", "button"}, Attr{"role", "menuitem"}, Icon(it.Icon), it.Label,
			Click(func() { closeIt(); it.Do() }))
		buttons = append(buttons, b)
		els = append(els, b)
	}
	el, c := Popup(under, "menu", name, buttons...)
	closeIt = c
	el.SetAttribute("role", "menu")
	el.AddEventListener("keydown", false, func(ev dom.Event) {
		step := map[string]int{"ArrowDown": 1, "ArrowUp": -1}[ev.Underlying().Get("key").String()]
		if step == 0 {
			return
		}
		ev.PreventDefault()
		for i, b := range els {
			if Focused(b) {
				els[(i+step+len(els))%len(els)].Focus()
				return
			}
		}
	})
	if len(els) > 0 {
		els[0].Focus()
	}
}

// Dialog shows a native modal dialog with a title and a close button.
func Dialog(title string, content ...any) {
	var d dom.HTMLElement
	end := func() { d.Underlying().Call("close") }
	head := New("div", "dialog-head", New("h2", "", title), IconButton("x", "Close", end))
	d = New("dialog", "dialog", append([]any{Attr{"aria-label", title}, head}, content...)...)
	d.AddEventListener("close", false, func(dom.Event) { d.Remove() })
	// A click on the backdrop falls on the dialog itself.
	d.AddEventListener("click", false, func(ev dom.Event) {
		if ev.Underlying().Get("target").Equal(d.Underlying()) {
			end()
		}
	})
	doc().Underlying().Get("body").Call("append", d.Underlying())
	d.Underlying().Call("showModal")
}
