package ui

import (
	"fmt"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// panes are the run list on the left and the settings on the right. Where the
// window is too narrow for one it becomes a drawer over the cards: closed at
// first, and not remembered.
type panes struct {
	app            *app
	runs, settings dom.HTMLElement
	divider, shade dom.HTMLElement
	narrow         map[string]js.Value // pane → MediaQueryList
	drawer         string              // the drawer that is open
}

func newPanes(a *app) *panes {
	p := &panes{app: a, narrow: map[string]js.Value{
		// The same widths as in app.css.
		"runs":     js.Global().Call("matchMedia", "(max-width: 800px)"),
		"settings": js.Global().Call("matchMedia", "(max-width: 1180px)"),
	}}
	for _, q := range p.narrow {
		widget.ListenOn(q, "change", func(dom.Event) {
			p.drawer = ""
			p.apply()
			a.head.update()
		})
	}
	p.divider = widget.New("div", "divider", widget.Attr{Key: "role", Value: "separator"}, widget.Attr{Key: "tabindex", Value: "0"},
		widget.Attr{Key: "aria-orientation", Value: "vertical"}, widget.Attr{Key: "aria-label", Value: "Width of the run list"},
		widget.Attr{Key: "aria-valuemin", Value: fmt.Sprint(session.MinPane)}, widget.Attr{Key: "aria-valuemax", Value: fmt.Sprint(session.MaxPane)},
		widget.On("pointerdown", p.drag), widget.On("keydown", p.nudge))
	p.runs = widget.New("aside", "pane runs-pane", widget.Attr{Key: "aria-label", Value: "Runs"}, a.list.el, p.divider)
	p.settings = widget.New("aside", "pane settings-pane", widget.Attr{Key: "aria-label", Value: "Settings"}, a.settings.el)
	p.shade = widget.New("div", "shade", widget.Click(func() { p.close() }))
	return p
}

func (p *panes) isDrawer(pane string) bool { return p.narrow[pane].Get("matches").Bool() }

// open says whether the pane is on screen.
func (p *panes) open(pane string) bool {
	if pane == "settings" && p.app.settings.empty {
		return false
	}
	if p.isDrawer(pane) {
		return p.drawer == pane
	}
	if pane == "runs" {
		return session.RunsOpen.Of(&p.app.state)
	}
	return session.SettingsOpen.Of(&p.app.state)
}

func (p *panes) toggle(pane string) {
	if !p.isDrawer(pane) {
		p.app.Set(func(s *session.State) {
			d := session.SettingsOpen
			if pane == "runs" {
				d = session.RunsOpen
			}
			d.Set(s, !d.Of(s))
		})
		return
	}
	if p.drawer == pane {
		pane = ""
	}
	p.drawer = pane
	p.apply()
	p.app.head.update()
}

// show opens the pane if it is not open.
func (p *panes) show(pane string) {
	if !p.open(pane) {
		p.toggle(pane)
	}
}

// close closes an open drawer and says whether there was one.
func (p *panes) close() bool {
	if p.drawer == "" {
		return false
	}
	p.toggle(p.drawer)
	return true
}

func (p *panes) apply() {
	root := widget.Find("#app")
	widget.Toggle(root, "no-runs", !p.open("runs"))
	widget.Toggle(root, "no-settings", !p.open("settings"))
	widget.Hide(p.shade, p.drawer == "")
	widget.Toggle(p.shade, "clear", p.drawer == "settings")
	// What is out of sight must be out of the keyboard's way too.
	widget.Set(p.runs, "inert", !p.open("runs"))
	widget.Set(p.settings, "inert", !p.open("settings"))
	w := session.RunsWidth.Of(&p.app.state)
	widget.Style(root, "--runs", fmt.Sprintf("%dpx", w))
	p.divider.SetAttribute("aria-valuenow", fmt.Sprint(w))
}

func (p *panes) drag(ev dom.Event) {
	ev.PreventDefault()
	d, e := p.divider.Underlying(), ev.Underlying()
	d.Call("setPointerCapture", e.Get("pointerId"))
	var move, up js.Func
	move = js.FuncOf(func(_ js.Value, args []js.Value) any {
		x := int(args[0].Get("clientX").Float())
		p.app.Set(func(s *session.State) { session.RunsWidth.Set(s, x) })
		return nil
	})
	up = js.FuncOf(func(js.Value, []js.Value) any {
		d.Call("removeEventListener", "pointermove", move)
		move.Release()
		up.Release()
		return nil
	})
	d.Call("addEventListener", "pointermove", move)
	d.Call("addEventListener", "lostpointercapture", up, map[string]any{"once": true})
}

func (p *panes) nudge(ev dom.Event) {
	step := map[string]int{"ArrowLeft": -16, "ArrowRight": 16}[ev.Underlying().Get("key").String()]
	if step != 0 {
		ev.PreventDefault()
		p.app.Set(func(s *session.State) { session.RunsWidth.Set(s, session.RunsWidth.Of(s)+step) })
	}
}
