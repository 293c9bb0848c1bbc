package card

import (
	"fmt"
	"strings"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// intro is the introduction of a dashboard: words above its cards, for those who open a
// report, a link or a logdir with a profile and want to know what there is to see. It is
// written where it stands, and is part of the view from the first letter on.
type intro struct {
	g                       *grid
	el, head, first, button dom.HTMLElement
	body                    dom.HTMLElement
	field, end              dom.HTMLElement // in place of body's words while they are written; nil before
	writing                 bool
	shown                   string // what body holds
}

func newIntro(g *grid) *intro {
	in := &intro{g: g, first: widget.New("span", "quiet"), body: widget.New("div", "intro-body")}
	in.head = widget.New("button", "group-head", widget.Attr{Key: "type", Value: "button"},
		widget.Icon("chevron-right"), widget.New("span", "group-name", "Introduction"), in.first, widget.Click(func() {
			g.host.Set(func(s *session.State) {
				session.IntroductionsClosed.Set(s, !session.IntroductionsClosed.Of(s))
			})
		}))
	in.button = widget.IconButton("pencil", "Edit the introduction", in.write)
	in.el = widget.New("section", "group intro", widget.Attr{Key: "aria-label", Value: "Introduction"},
		widget.New("div", "pinned-head", widget.New("h2", "", in.head), in.button), in.body)
	// A link to a view is followed here: another page would not have a dropped folder.
	widget.Listen(in.body, "click", func(ev dom.Event) {
		if a := ev.Underlying().Get("target").Call("closest", `a[href^="#"]`); a.Truthy() && !ev.Underlying().Get("ctrlKey").Bool() && !ev.Underlying().Get("metaKey").Bool() {
			ev.PreventDefault()
			g.host.Follow(a.Call("getAttribute", "href").String())
		}
	})
	return in
}

// text is the introduction, "" if there is none.
func (in *intro) text() string {
	text, _ := session.Introductions.Get(in.g.host.State(), in.g.board.ID)
	return text
}

// show brings it to the settings.
func (in *intro) show() {
	text, open := in.text(), !session.IntroductionsClosed.Of(in.g.host.State())
	widget.Hide(in.el, text == "" && !in.writing)
	widget.Hide(in.button, in.writing)
	widget.Hide(in.body, !open)
	widget.Hide(in.first, open)
	widget.Text(in.first, firstLine(text))
	in.head.SetAttribute("aria-expanded", fmt.Sprint(open))
	if in.writing {
		widget.SetValue(in.field, text)
		return
	}
	if text != in.shown && open {
		in.shown = text
		words := widget.New("div", "text-body")
		widget.Replace(in.body, words) // what is still being laid out of an older text stays out
		Markdown(words, text, nil)
	}
}

// firstLine is how a text begins, without the marks of a heading.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(strings.TrimLeft(line, "#"))
}

// write lets the user write in it. What is typed counts at once.
func (in *intro) write() {
	if in.field == nil {
		in.field = widget.New("textarea", "text-field", widget.Attr{Key: "aria-label", Value: "Introduction"},
			widget.Attr{Key: "maxlength", Value: fmt.Sprint(session.MaxIntroduction)},
			widget.Attr{Key: "placeholder", Value: "What is to be seen here, and what follows from it"})
		widget.Listen(in.field, "input", func(dom.Event) {
			text := widget.Get(in.field, "value").String()
			in.g.host.Set(func(s *session.State) { session.Introductions.Put(s, in.g.board.ID, text) })
		})
		in.end = widget.New("div", "intro-end",
			widget.New("button", "button", widget.Attr{Key: "type", Value: "button"}, "Done", widget.Click(func() { in.done() })),
			widget.New("span", "quiet", "Markdown: # heading, **bold**, - list, [link](https://…), [another view](#images). Kept in profiles, links and reports."))
	}
	if !in.writing {
		in.writing, in.shown = true, ""
		widget.Set(in.field, "value", in.text())
		widget.Replace(in.body, in.field, in.end)
	}
	in.g.host.Set(func(s *session.State) { session.IntroductionsClosed.Reset(s) })
	in.show()
	in.field.Underlying().Call("scrollIntoView", map[string]any{"block": "nearest"})
	in.field.Focus()
}

// done ends writing, and reports whether there was any.
func (in *intro) done() bool {
	if !in.writing {
		return false
	}
	in.writing = false
	widget.Replace(in.body)
	in.show()
	in.button.Focus() // nothing where there is no text
	return true
}

// Introduce lets the user write the introduction of the dashboard.
func (g *grid) Introduce() { g.scope.Do(g.intro.write) }

// Introduced reports whether there is one.
func (g *grid) Introduced() bool { return g.intro.text() != "" }
