package widget

import (
	"fmt"
	"strconv"
	"strings"
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// Page is the document: what events of the whole page come from. It is looked up at each
// use: the same binary runs in workers, which have none.
//
// Documents, events and found elements are not wrapped by package dom: it looks for the
// exact type of each among some hundred, and with that all of their methods are in the
// program, 1 MB of it.
type Page struct{}

// Underlying is the document.
func (Page) Underlying() js.Value { return Document() }

// Document is the document.
func Document() js.Value { return js.Global().Get("document") }

// Find returns the first element of the document that a selector matches; nil if there is
// none.
func Find(selector string) dom.HTMLElement { return FindIn(Page{}, selector) }

// FindIn is Find below an element.
func FindIn(e target, selector string) dom.HTMLElement {
	if v := e.Underlying().Call("querySelector", selector); v.Truthy() {
		return Wrap(v)
	}
	return nil
}

// FindAll returns all elements below e that a selector matches, in the document's order.
func FindAll(e target, selector string) []dom.HTMLElement {
	list := e.Underlying().Call("querySelectorAll", selector)
	out := make([]dom.HTMLElement, list.Length())
	for i := range out {
		out[i] = Wrap(list.Index(i))
	}
	return out
}

// Body puts an element at the end of the page.
func Body(e dom.Node) { Document().Get("body").Call("append", e.Underlying()) }

// Wrap makes an element of a value. The dom package would look for its exact
// type by comparing it with every constructor there is, which takes longer than
// making the element.
func Wrap(v js.Value) dom.HTMLElement {
	return &dom.BasicHTMLElement{BasicElement: &dom.BasicElement{BasicNode: &dom.BasicNode{Value: v}}}
}

// Attr is an attribute for New.
type Attr struct{ Key, Value string }

// Handler is an event listener for New. It belongs to the present Scope.
type Handler struct {
	Event string
	Do    func(dom.Event)
}

// On returns a listener for New.
func On(event string, do func(dom.Event)) Handler { return Handler{event, do} }

// Click returns a listener for clicks that does not care where they fell.
func Click(do func()) Handler { return Handler{"click", func(dom.Event) { do() }} }

// New makes an element. What follows the class is put into it: a string as
// text, a Node as child, an Attr or a Handler on the element; nil is left out.
func New(tag, class string, with ...any) dom.HTMLElement {
	text := tag + "\x00" + class // see static/element.js
	var odd []Attr               // with a NUL in it
	for _, w := range with {
		switch a, ok := w.(Attr); {
		case ok && strings.Contains(a.Value, "\x00"):
			odd = append(odd, a)
		case ok:
			text += "\x00" + a.Key + "\x00" + a.Value
		}
	}
	e := Wrap(js.Global().Call("tbElement", text))
	for _, a := range odd {
		e.SetAttribute(a.Key, a.Value)
	}
	var inside []any
	for _, w := range with {
		switch w := w.(type) {
		case nil, Attr:
		case string:
			inside = append(inside, w)
		case Handler:
			Listen(e, w.Event, w.Do)
		case dom.Node:
			inside = append(inside, w.Underlying())
		default:
			panic(fmt.Sprintf("widget.New: %T", w))
		}
	}
	if len(inside) > 0 {
		e.Underlying().Call("append", inside...)
	}
	return e
}

// Event makes an event that bubbles.
func Event(name string) js.Value {
	return js.Global().Get("Event").New(name, map[string]any{"bubbles": true})
}

// Set puts a property on the element's object.
func Set(e dom.Node, property string, v any) { e.Underlying().Set(property, v) }

// Get reads a property of the element's object.
func Get(e dom.Node, property string) js.Value { return e.Underlying().Get(property) }

// Cut makes an element that shows a name by SetCut.
func Cut(tag, class string, with ...any) dom.HTMLElement {
	return New(tag, class+" cut", append([]any{New("span", ""), New("span", "")}, with...)...)
}

// SetCut shows a name in an element of Cut. Where there is no room it is cut in its middle.
func SetCut(e dom.HTMLElement, name string) {
	front, back := cut(name)
	setCut(e, front, back)
}

// SetFit shows in it a name that has room; where it has none after all it is cut at its end.
func SetFit(e dom.HTMLElement, name string) { setCut(e, name, "") }

func setCut(e dom.HTMLElement, front, back string) {
	first := e.Underlying().Get("firstChild")
	Text(Wrap(first), front)
	Text(Wrap(first.Get("nextSibling")), back)
	if back != "" {
		Style(e, "--end", strconv.FormatFloat(TextWidth(back)/13, 'f', 2, 64)+"em") // TextWidth is of 13 pixels
	}
}

// Text sets the element's text if it differs: an equal text costs no layout.
func Text(e dom.Node, s string) {
	if e.TextContent() != s {
		e.SetTextContent(s)
	}
}

// Hide hides or shows the element.
func Hide(e dom.Element, hidden bool) { Set(e, "hidden", hidden) }

// Toggle puts the class on the element or takes it off.
func Toggle(e dom.Element, class string, on bool) { Get(e, "classList").Call("toggle", class, on) }

// Style sets one style property, or a custom one ("--x").
func Style(e dom.Element, property, value string) {
	Get(e, "style").Call("setProperty", property, value)
}

// Replace makes the given nodes the element's only children.
func Replace(e dom.Node, kids ...dom.Node) {
	args := make([]any, len(kids))
	for i, k := range kids {
		args[i] = k.Underlying()
	}
	e.Underlying().Call("replaceChildren", args...)
}

// IconButton makes a button that shows an icon only; its name is the tooltip
// too. do may be nil where a parent listens.
func IconButton(icon, name string, do func()) dom.HTMLElement {
	b := New("button", "icon-button", Attr{"type", "button"}, Attr{"title", name}, Attr{"aria-label", name}, Icon(icon))
	if do != nil {
		Listen(b, "click", func(dom.Event) { do() })
	}
	return b
}

// SetIcon changes the icon of an IconButton, and its name.
func SetIcon(b dom.HTMLElement, icon, name string) {
	if b.GetAttribute("aria-label") == name && b.GetAttribute("data-icon") == icon {
		return
	}
	b.SetAttribute("data-icon", icon)
	b.SetAttribute("aria-label", name)
	b.SetTitle(name)
	Replace(b, Icon(icon))
}

// Press sets the pressed state of a button that stays down.
func Press(b dom.Element, on bool) { b.SetAttribute("aria-pressed", fmt.Sprint(on)) }
