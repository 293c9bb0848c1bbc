package ui

import (
	"strconv"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// settings are the controls of the open board's settings, in the right pane, and those of the
// page, which a button of the status line shows.
type settings struct {
	app          *app
	el           dom.HTMLElement
	board        dom.HTMLElement // what the board shows of its own
	empty        bool            // it shows nothing: there is no pane
	page         dom.HTMLElement
	period, auto dom.HTMLElement
	memory       *memory
	close        func() // the page's, when they are shown
}

func newSettings(a *app) *settings {
	p := &settings{app: a, close: func() {}}
	var auto dom.HTMLElement
	p.auto, auto = widget.Check("Follow new data", func(on bool) { a.Set(func(s *session.State) { session.AutoReload.Set(s, on) }) })
	p.period = widget.Number("Seconds between two looks", session.MinReload, session.MaxReload, 1, func(v float64) {
		a.Set(func(s *session.State) { session.Reload.Set(s, int(v)) })
	})
	reset := widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, widget.Icon("rotate-ccw"), "Default settings",
		widget.Click(func() { a.Set(a.schema.ResetPane) }))
	p.memory = newMemory(a)
	p.board = widget.New("div", "settings-board")
	p.el = widget.New("div", "settings", widget.New("h2", "", "Settings"), p.board, reset)
	p.page = widget.New("div", "settings",
		widget.Field("New data", auto, widget.New("label", "inline", "every", p.period, "s, while this tab is visible")),
		widget.Field("Memory", p.memory.el),
		a.plugins.el)
	return p
}

// open shows the controls of a board's own settings.
func (p *settings) open(controls []dom.Node) {
	p.empty = len(controls) == 0
	widget.Replace(p.board, controls...)
}

// showPage shows the page's settings above a button.
func (p *settings) showPage(above dom.Element) {
	p.close()
	p.close = widget.Popup(above, "page-settings", pageSettings, func(el dom.HTMLElement) { el.AppendChild(p.page) })
	p.memory.measure()
}

// pageSettings is what they are called.
const pageSettings = "Page settings: new data, memory, plug-ins"

// update shows the state.
func (p *settings) update() {
	s := &p.app.state
	widget.Set(p.auto, "checked", session.AutoReload.Of(s))
	widget.SetValue(p.period, strconv.Itoa(session.Reload.Of(s)))
	p.memory.update(s)
}
