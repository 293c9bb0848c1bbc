package ui

import (
	"strconv"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// settings is the right pane: those of the open board, and the page's.
type settings struct {
	app          *app
	el           dom.HTMLElement
	board        dom.HTMLElement // what the board shows of its own
	period, auto dom.HTMLElement
	memory       *memory
}

func newSettings(a *app) *settings {
	p := &settings{app: a}
	var auto dom.HTMLElement
	p.auto, auto = widget.Check("Follow new data", func(on bool) { a.Set(func(s *session.State) { session.AutoReload.Set(s, on) }) })
	p.period = widget.Number("Seconds between two looks", session.MinReload, session.MaxReload, 1, func(v float64) {
		a.Set(func(s *session.State) { session.Reload.Set(s, int(v)) })
	})
	reset := widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, widget.Icon("rotate-ccw"), "Default settings",
		widget.Click(func() { a.Set(a.schema.ResetPane) }))
	p.memory = newMemory(a)
	p.board = widget.New("div", "settings-board")
	p.el = widget.New("div", "settings",
		widget.New("h2", "", "Settings"),
		p.board,
		widget.Field("New data", auto, widget.New("label", "inline", "every", p.period, "s")),
		widget.Field("Memory", p.memory.el),
		reset)
	return p
}

// open shows the controls of a board's own settings.
func (p *settings) open(controls []dom.Node) { widget.Replace(p.board, controls...) }

// update shows the state.
func (p *settings) update() {
	s := &p.app.state
	widget.Set(p.auto, "checked", session.AutoReload.Of(s))
	widget.SetValue(p.period, strconv.Itoa(session.Reload.Of(s)))
	p.memory.update(s)
}
