package widget

import (
	"fmt"
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// Popup shows a native popover under a button: light dismiss, Escape and focus
// are the browser's. It is taken out of the page when it closes, and with it what make
// made: make is called with the popover and puts the content into it.
func Popup(under dom.Element, class, name string, make func(el dom.HTMLElement)) (closeIt func()) {
	s := current.Sub()
	var el dom.HTMLElement
	end := func() {
		el.Remove()
		s.Close()
	}
	s.Do(func() {
		el = New("div", "popup "+class, Attr{"popover", "auto"}, Attr{"role", "dialog"}, Attr{"aria-label", name})
		make(el)
		Listen(el, "toggle", func(ev dom.Event) {
			if ev.Underlying().Get("newState").String() == "closed" {
				end()
			}
		})
	})
	// Within the same landmark as its button, where screen readers look for it.
	under.Underlying().Call("closest", "main,aside,header,body").Call("append", el.Underlying())
	s.OnEnd(el.Remove)
	el.Underlying().Call("showPopover")
	place(el, under)
	return func() {
		if Get(el, "isConnected").Bool() {
			el.Underlying().Call("hidePopover")
		}
	}
}

// Dismiss closes what is still open in an element, and dialogs, which lie over the whole page:
// popups of scripts end with no scope, what they ask has ended with the board, and whoever goes
// back wants to see what was there.
func Dismiss(in dom.Element) {
	for _, el := range FindAll(in, "[popover]") {
		el.Underlying().Call("hidePopover")
	}
	for _, el := range FindAll(Find("body"), "dialog[open]") {
		el.Underlying().Call("close")
	}
}

// place puts el below the button, or above it, within the window.
func place(el dom.HTMLElement, under dom.Element) {
	b := under.GetBoundingClientRect()
	w, h := el.OffsetWidth(), el.OffsetHeight()
	win := js.Global()
	x := max(6, min(b.Right()-w, win.Get("innerWidth").Float()-w-6))
	y := b.Bottom() + 4
	if y+h > win.Get("innerHeight").Float()-6 {
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
	var els []dom.HTMLElement
	owner := current // what an item opens outlasts the menu
	closeIt = Popup(under, "menu", name, func(el dom.HTMLElement) {
		for _, it := range items {
			b := New("button", "menu-item", Attr{"type", "button"}, Attr{"role", "menuitem"}, Icon(it.Icon), it.Label,
				Click(func() { closeIt(); owner.Do(it.Do) }))
			el.AppendChild(b)
			els = append(els, b)
		}
		el.SetAttribute("role", "menu")
		Arrows(el)
	})
	if len(els) > 0 {
		els[0].Focus()
	}
}

// Arrows lets the arrow keys move between the lines of a menu.
func Arrows(el dom.HTMLElement) {
	Listen(el, "keydown", func(ev dom.Event) {
		step := map[string]int{"ArrowDown": 1, "ArrowUp": -1}[ev.Underlying().Get("key").String()]
		if step == 0 {
			return
		}
		ev.PreventDefault()
		lines := FindAll(el, ".menu-item:not([disabled])")
		for i, b := range lines {
			if Focused(b) {
				lines[(i+step+len(lines))%len(lines)].Focus()
				return
			}
		}
	})
}

// Dialog shows a native modal dialog with a title and a close button. make makes its
// content, which ends with it.
func Dialog(title string, make func() []any) { DialogEnd(title, make) }

// DialogEnd is Dialog, and returns what closes it.
func DialogEnd(title string, make func() []any) (closeIt func()) {
	s := (*Scope)(nil).Sub() // whatever it was opened from
	var d dom.HTMLElement
	end := func() { d.Underlying().Call("close") }
	s.Do(func() {
		head := New("div", "dialog-head", New("h2", "", title), IconButton("x", "Close", end))
		d = New("dialog", "dialog", append([]any{Attr{"aria-label", title}, head}, make()...)...)
		Listen(d, "close", func(dom.Event) {
			d.Remove()
			s.Close()
		})
		// A click on the backdrop falls on the dialog itself, as one on the dialog's edge does, and
		// one that began on a text in it and ended elsewhere, when the text was selected.
		beside := false
		Listen(d, "pointerdown", func(ev dom.Event) { beside = isBeside(d, ev.Underlying()) })
		Listen(d, "click", func(ev dom.Event) {
			if beside && isBeside(d, ev.Underlying()) {
				end()
			}
		})
	})
	Body(d)
	d.Underlying().Call("showModal")
	return end
}

// isBeside reports whether an event of the pointer is of an element's backdrop.
func isBeside(e dom.HTMLElement, ev js.Value) bool {
	if !ev.Get("target").Equal(e.Underlying()) {
		return false
	}
	x, y, b := ev.Get("clientX").Float(), ev.Get("clientY").Float(), e.GetBoundingClientRect()
	return x < b.Left() || x >= b.Right() || y < b.Top() || y >= b.Bottom()
}
