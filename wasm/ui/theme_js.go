package ui

import (
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/paint"
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
	t.query.Call("addEventListener", "change", js.FuncOf(func(js.Value, []js.Value) any {
		t.apply()
		return nil
	}))
	return t
}

func (t *theme) wanted() bool {
	switch t.app.state.Theme {
	case session.ThemeLight:
		return false
	case session.ThemeDark:
		return true
	}
	return t.query.Get("matches").Bool()
}

// apply puts the theme on the page, and on the canvases, which take no colours
// from a style sheet.
func (t *theme) apply() {
	t.dark = t.wanted()
	name := "light"
	if t.dark {
		name = "dark"
	}
	doc().Underlying().Get("documentElement").Get("dataset").Set("theme", name)
	paint.SetTheme()
	t.app.colors()
	if t.app.list != nil {
		t.app.list.update()
	}
}

// next goes from system to light to dark.
func (t *theme) next() {
	after := map[session.Theme]session.Theme{session.ThemeSystem: session.ThemeLight, session.ThemeLight: session.ThemeDark, session.ThemeDark: session.ThemeSystem}
	t.app.Set(func(s *session.State) { s.Theme = after[s.Theme] })
}
