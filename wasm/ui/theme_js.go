package ui

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// theme is the page's ground: what the user chose, or the system's.
type theme struct {
	app   *app
	query js.Value // MediaQueryList
	dark  bool
}

func newTheme(a *app) *theme {
	t := &theme{app: a, query: js.Global().Call("matchMedia", "(prefers-color-scheme: dark)")}
	t.dark = t.wanted()
	widget.ListenOn(t.query, "change", func(dom.Event) {
		if t.apply() {
			a.list.update()
			a.view.Update(board.Update{Theme: true})
		}
	})
	return t
}

func (t *theme) wanted() bool {
	switch session.ThemeChoice.Of(&t.app.state) {
	case session.ThemeLight:
		return false
	case session.ThemeDark:
		return true
	}
	return t.query.Get("matches").Bool()
}

// apply puts the theme on the page and reports whether it is another one.
func (t *theme) apply() bool {
	before := t.dark
	t.dark = t.wanted()
	name := "light"
	if t.dark {
		name = "dark"
	}
	widget.Document().Get("documentElement").Get("dataset").Set("theme", name)
	return t.dark != before
}

// next goes from system to light to dark.
func (t *theme) next() {
	after := map[session.Theme]session.Theme{session.ThemeSystem: session.ThemeLight, session.ThemeLight: session.ThemeDark, session.ThemeDark: session.ThemeSystem}
	t.app.Set(func(s *session.State) { session.ThemeChoice.Set(s, after[session.ThemeChoice.Of(s)]) })
}
