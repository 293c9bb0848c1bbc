package widget

import (
	"time"

	"honnef.co/go/js/dom/v2"
)

// Say shows a line in the corner of the page for a while.
func Say(text string) { note(text, "", nil) }

// Undo shows what was done, with a way to take it back for a while.
func Undo(text string, undo func()) { note(text, "Undo", undo) }

// Lead shows what was done elsewhere on the page, with a way to it for a while.
func Lead(text string, to func()) { note(text, "Show", to) }

// Offer shows a line with a button that stays until it is used or closed.
func Offer(text, label string, do func()) (closeIt func()) { return note(text, label, do) }

// notes ends those that are shown, by their text.
var notes = map[string]func(){}

// note makes the line. One of the same text takes the other's place.
func note(text, label string, do func()) (closeIt func()) {
	var el dom.HTMLElement
	s := (*Scope)(nil).Sub()
	end := func() {
		el.Remove()
		s.Close()
		delete(notes, text)
	}
	s.Do(func() {
		el = New("div", "task", Attr{"role", "status"}, New("span", "", text))
		if do != nil {
			el.AppendChild(New("button", "text-button", Attr{"type", "button"}, label, Click(func() {
				end()
				do()
			})))
		}
		el.AppendChild(IconButton("x", "Close", end))
	})
	if old := notes[text]; old != nil {
		old()
	}
	notes[text] = end
	tasks().AppendChild(el)
	if label == "" || label == "Undo" || label == "Show" {
		time.AfterFunc(lastWords, func() {
			if Get(el, "isConnected").Bool() {
				end()
			}
		})
	}
	return end
}
