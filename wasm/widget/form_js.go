package widget

import (
	"fmt"
	"strconv"
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// Choice is a row of buttons of which one is chosen: a group of radio buttons,
// so that arrows and screen readers work as they do everywhere.
type Choice struct {
	El     dom.HTMLElement
	inputs map[string]dom.HTMLElement
}

var choices int

// NewChoice makes a choice between pairs of value and label.
func NewChoice(name string, pairs [][2]string, do func(value string)) *Choice {
	choices++
	c := &Choice{inputs: map[string]dom.HTMLElement{}}
	c.El = New("div", "choice", Attr{"role", "radiogroup"}, Attr{"aria-label", name})
	for _, p := range pairs {
		in := New("input", "", Attr{"type", "radio"}, Attr{"name", "choice" + strconv.Itoa(choices)}, Attr{"value", p[0]},
			On("change", func(dom.Event) { do(p[0]) }))
		c.inputs[p[0]] = in
		c.El.AppendChild(New("label", "", in, New("span", "", p[1])))
	}
	return c
}

// Set shows the value as chosen.
func (c *Choice) Set(value string) {
	if in := c.inputs[value]; in != nil {
		Set(in, "checked", true)
	}
}

// Check makes a labelled check box.
func Check(label string, do func(on bool)) (box, el dom.HTMLElement) {
	box = New("input", "", Attr{"type", "checkbox"})
	Listen(box, "change", func(dom.Event) { do(Get(box, "checked").Bool()) })
	return box, New("label", "check", box, New("span", "", label))
}

// Range makes a slider from lo to hi.
func Range(name string, lo, hi, step float64, do func(v float64)) dom.HTMLElement {
	f := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	in := New("input", "", Attr{"type", "range"}, Attr{"min", f(lo)}, Attr{"max", f(hi)}, Attr{"step", f(step)}, Attr{"aria-label", name})
	Listen(in, "input", func(dom.Event) { do(Get(in, "valueAsNumber").Float()) })
	return in
}

// Number makes a box for a number; what is no number, or out of range, is not
// handed on.
func Number(name string, lo, hi, step float64, do func(v float64)) dom.HTMLElement {
	f := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	in := New("input", "number", Attr{"type", "number"}, Attr{"min", f(lo)}, Attr{"max", f(hi)}, Attr{"step", f(step)}, Attr{"aria-label", name})
	Listen(in, "input", func(dom.Event) {
		v := Get(in, "valueAsNumber").Float()
		good := v >= lo && v <= hi
		why := ""
		if !good {
			why = fmt.Sprintf("a number from %s to %s", f(lo), f(hi))
		}
		Invalid(in, why)
		if good {
			Set(in, "tbLast", Get(in, "value"))
			do(v)
		}
	})
	Reverts(in)
	return in
}

// Reverts makes a field that is left while it holds no value show its last one again, which
// is that of SetValue.
func Reverts(in dom.HTMLElement) {
	Listen(in, "blur", func(dom.Event) {
		if last := Get(in, "tbLast"); in.HasAttribute("aria-invalid") && !last.IsUndefined() {
			Set(in, "value", last)
			Invalid(in, "")
		}
	})
}

// SetValue shows a value in an input unless the user is typing there, whose
// half-written text must not be replaced.
func SetValue(in dom.Element, v string) {
	last, text := Get(in, "tbLast"), Get(in, "value")
	Set(in, "tbLast", v)
	if text.String() == v {
		return
	}
	if Focused(in) {
		if last.String() == v || !Get(in, "tbTold").Equal(text) {
			return
		}
		Invalid(in, "")
	}
	Set(in, "value", v)
}

// Told is called when the state has changed, and notes what stands in the field that has the focus.
// What the field itself has changed is being typed. What comes from elsewhere, as from the history,
// a command or a profile, is shown in it, too, or it would say what holds no longer.
func Told() {
	if ev := js.Global().Get("event"); ev.Truthy() {
		if kind := ev.Get("type").String(); kind == "input" || kind == "change" {
			return
		}
	}
	if e := Document().Get("activeElement"); e.Truthy() {
		if text := e.Get("value"); text.Type() == js.TypeString {
			e.Set("tbTold", text)
		}
	}
}

// Focused says whether the element has the keyboard's focus.
func Focused(e dom.Element) bool {
	return Document().Get("activeElement").Equal(e.Underlying())
}

// searches is how many search fields without a name of their own were made.
var searches int

// Search makes a search field with its icon. Its id is "" where the page has many of the same:
// each gets one then, by which the field finds the words that say what is wrong with its text.
func Search(placeholder, id string, do func(text string)) (in, el dom.HTMLElement) {
	if id == "" {
		searches++
		id = "search-" + strconv.Itoa(searches)
	}
	in = New("input", "", Attr{"type", "search"}, Attr{"placeholder", placeholder}, Attr{"aria-label", placeholder},
		Attr{"id", id}, Attr{"autocomplete", "off"}, Attr{"spellcheck", "false"})
	Listen(in, "input", func(dom.Event) { do(Get(in, "value").String()) })
	why := New("p", "said wrong", Attr{"id", id + "-why"}, Attr{"role", "status"})
	in.SetAttribute("aria-describedby", id+"-why")
	return in, New("div", "search-field", New("div", "search", Icon("search"), in), why)
}

// Filter is Search for an expression of package filter.
func Filter(placeholder, id string, do func(text string)) (in, el dom.HTMLElement) {
	in, el = Search(placeholder, id, do)
	in.SetTitle("A regular expression, in upper or lower case. A part with ! before it leaves out what it finds: loss !train")
	return in, el
}

// Invalid marks a field as not understood, and says why: below it, if it is a search
// field.
func Invalid(in dom.Element, why string) {
	if said := in.Underlying().Call("closest", ".search-field"); said.Truthy() {
		Text(Wrap(said.Call("querySelector", ".said")), why)
	}
	if why == "" {
		in.RemoveAttribute("aria-invalid")
		in.RemoveAttribute("title")
		return
	}
	in.SetAttribute("aria-invalid", "true")
	in.SetAttribute("title", why)
}

// Field is a named row of settings.
func Field(name string, with ...any) dom.HTMLElement {
	return New("div", "field", append([]any{New("span", "field-name", name)}, with...)...)
}
