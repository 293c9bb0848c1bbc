package customscalars

import (
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/shared/kind/customscalars"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// The layout is edited in dialogs of static/lazy/layout, which ask for what they show and
// say what the user made; all that stays is a setting.

// save makes an edit the user's, who may undo it where a text says what was done. moved are
// cards that are called otherwise now, by CardID.String.
func (l *live) save(e customscalars.Edit, moved [][2]string, text string) {
	before := Edited.Of(l.host.State())
	host := l.host
	moves, back := movesOf(moved)
	host.Set(func(s *session.State) {
		Edited.Set(s, e)
		session.MoveCards(s, moves...)
	})
	if text != "" {
		widget.Undo(text, func() {
			host.Set(func(s *session.State) {
				Edited.Set(s, before)
				session.MoveCards(s, back...)
			})
		})
	}
}

// restore shows the logged layout as it is.
func (l *live) restore() { l.save(customscalars.Edit{}, nil, "The layout is as it was logged") }

// wish is what a dialog says.
type wish struct {
	Edit  customscalars.Edit  // to be saved …
	Moved [][2]string         // … with cards that are called otherwise now, …
	Text  string              // … which it says in these words; or the category of the chart to go to
	Chart customscalars.Chart // to be previewed, or gone to
}

// about is what a dialog shows.
type about struct {
	Edit   customscalars.Edit `json:"edit"`
	Edited bool               `json:"edited"`
	Tags   []string           `json:"tags"`
	At     *[2]int            `json:"at"` // the chart that is meant: its category and number
}

// open opens a dialog about the layout, or about a chart of it (none is a new one), or does
// what needs none.
func (l *live) open(name string, id session.CardID) {
	answer := func(what string, asked any, _ []js.Value) any {
		w := asked.(*wish)
		switch what {
		case "about":
			a := about{Edit: customscalars.Edit{Categories: l.all.Categories, Gone: Edited.Of(l.host.State()).Gone}, Tags: l.allTags()}
			_, a.Edited = Edited.Of(l.host.State()).Fix()
			if i, k, ok := l.place(id); ok {
				a.At = &[2]int{i, k}
			}
			return a
		case "shown":
			return l.preview(&w.Chart)
		case "ids":
			return idsOf(&w.Edit)
		case "save":
			l.save(w.Edit, w.Moved, w.Text)
		case "visit":
			l.host.Visit(session.TagNames([]string{w.Text, w.Chart.Title}))
		}
		return nil
	}
	card.Bring("layout", "The layout cannot be edited", func() {
		asks := name != "hide" && name != "delete"
		if asks && l.asking {
			return // it was asked for twice before the script was there
		}
		s := widget.Present().Sub()
		var dialog js.Value
		s.Do(func() {
			end := widget.Func(func(js.Value, []js.Value) any { s.Close(); return nil })
			dialog = js.Global().Call("tbLayout", name, widget.Answers(func() any { return new(wish) }, answer), end)
		})
		s.OnEnd(func() { dialog.Call("remove") })
		if asks {
			l.asking = true
			s.OnEnd(func() { l.asking = false })
		}
	})
}
