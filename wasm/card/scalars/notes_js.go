package scalars

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars/paint"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// notes hands the notes at steps to the painter.
func (l *live) notes() {
	notes := NotesOf(l.host.State())
	if len(notes) == 0 {
		paint.SetNotes("[]")
		return
	}
	var list [][2]any
	for _, n := range notes {
		list = append(list, [2]any{n.Step, n.Text})
	}
	b, err := json.Marshal(list)
	if err != nil {
		panic("scalars: internal error: " + err.Error())
	}
	paint.SetNotes(string(b))
}

// noteAt is the step that a note of this card is likely for: the marked one, or the last
// that is seen.
func (c *curves) noteAt() float64 {
	if m := c.marks(); len(m) > 0 {
		return m[0]
	}
	if c.chart == nil {
		return math.NaN()
	}
	return c.chart.LastStep()
}

// editNotes shows the notes at steps, to be written, changed and taken away.
func (l *live) editNotes(at float64) {
	widget.Dialog("Notes at steps", func() []any {
		field := func(name, class string) dom.HTMLElement {
			return widget.New("input", class, widget.Attr{Key: "type", Value: "text"}, widget.Attr{Key: "aria-label", Value: name}, widget.Attr{Key: "autocomplete", Value: "off"})
		}
		step, text := field("Step", "number"), field("Note", "text-field")
		step.SetAttribute("inputmode", "numeric")
		text.SetAttribute("maxlength", strconv.Itoa(MaxNote))
		list := widget.New("div", "notes")
		read := func() (int64, error) {
			return strconv.ParseInt(strings.NewReplacer(",", "", " ", "").Replace(widget.Get(step, "value").String()), 10, 64)
		}
		// known shows the note that the step has, unless another is being written: its step
		// may be wrong.
		typed := false
		widget.Listen(text, "input", func(dom.Event) { typed = widget.Get(text, "value").String() != "" })
		known := func() {
			if n, err := read(); err == nil && !typed {
				had, _ := StepNotes.Get(l.host.State(), strconv.FormatInt(n, 10))
				widget.Set(text, "value", had)
			}
		}
		var show func()
		save := func(n int64, words string) {
			fits := true
			l.host.Set(func(s *session.State) { fits = SetNote(s, n, words) })
			if !fits {
				widget.Say(fmt.Sprintf("There are %d notes already: remove one first", MaxNotes))
			}
			show()
		}
		show = func() {
			var rows []dom.Node
			for _, n := range NotesOf(l.host.State()) {
				at := widget.Thousands(n.Step)
				rows = append(rows, widget.New("div", "note-row",
					widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, at+" · "+n.Text, widget.Click(func() {
						widget.Set(step, "value", at)
						widget.Set(text, "value", n.Text)
						typed = false
						text.Focus()
					})),
					widget.IconButton("x", "Remove the note at step "+at, func() { save(n.Step, "") })))
			}
			widget.Replace(list, rows...)
		}
		done := func() {
			n, err := read()
			widget.Invalid(step, map[bool]string{true: "A step is a whole number."}[err != nil])
			if err == nil {
				save(n, widget.Get(text, "value").String())
				typed = false
				text.Underlying().Call("select")
			}
		}
		widget.Listen(step, "change", func(dom.Event) { known() })
		for _, in := range []dom.HTMLElement{step, text} {
			widget.Listen(in, "keydown", func(ev dom.Event) {
				if ev.Underlying().Get("key").String() == "Enter" {
					done()
				}
			})
		}
		if at == at {
			widget.Set(step, "value", widget.Thousands(int64(at)))
			known()
			text.SetAttribute("autofocus", "")
		}
		show()
		return []any{
			widget.New("p", "quiet", "A line with a few words at a step, in every card over steps and in pictures. An empty note is none."),
			widget.Field("Step", step), widget.Field("Note", text), list,
			widget.New("div", "buttons", widget.New("button", "button primary", widget.Attr{Key: "type", Value: "button"}, "Save", widget.Click(done)))}
	})
}
