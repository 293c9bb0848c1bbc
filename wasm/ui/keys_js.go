package ui

import (
	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/paint"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// bindKeys makes the page work by keyboard. Keys typed into a field, or with
// Ctrl, Alt or Meta, are not ours.
func bindKeys(a *app) {
	doc().AddEventListener("keydown", false, func(ev dom.Event) {
		e := ev.Underlying()
		if ev.DefaultPrevented() || e.Get("ctrlKey").Bool() || e.Get("altKey").Bool() || e.Get("metaKey").Bool() {
			return
		}
		key := e.Get("key").String()
		target := e.Get("target")
		if key == "Escape" {
			a.escape(target.Call("matches", "input[type=search]").Bool())
			return
		}
		if target.Call("matches", "input:not([type=checkbox],[type=radio],[type=range]),select,textarea").Bool() {
			return
		}
		// Arrows belong to what has the focus: sliders, radio buttons, menus.
		if target.Call("closest", "dialog,[popover],.choice,[role=separator],input[type=range]").Truthy() && key != "?" {
			return
		}
		if a.view.Key(key, e.Get("shiftKey").Bool()) || a.key(key) {
			ev.PreventDefault()
		}
	})
}

func (a *app) escape(inSearch bool) {
	switch {
	case paint.Unpin():
	case a.panes.close():
	case inSearch:
		a.main.Focus()
	}
}

func (a *app) key(key string) bool {
	switch key {
	case "r":
		a.panes.show("runs")
		a.list.search.Focus()
		a.list.search.Underlying().Call("select")
	case "?":
		showHelp()
	case "x":
		next := map[wire.XAxis]wire.XAxis{wire.ByStep: wire.ByRelative, wire.ByRelative: wire.ByWall, wire.ByWall: wire.ByStep}
		a.Set(func(s *session.State) { s.X = next[s.X] })
	case "y":
		next := map[session.Scale]session.Scale{session.Linear: session.Log, session.Log: session.Symlog, session.Symlog: session.Linear}
		a.Set(func(s *session.State) { s.Y, s.TagY = next[s.Y], nil })
	case "[":
		a.settings.smoother(-0.05)
	case "]":
		a.settings.smoother(0.05)
	case "R":
		a.reload()
	case "t":
		a.theme.next()
	default:
		return false
	}
	return true
}

var help = []struct{ keys, does string }{
	{"/", "filter tags"},
	{"r", "filter runs"},
	{"[ ]", "less or more smoothing"},
	{"x", "step, relative or wall time"},
	{"y", "linear, log or symlog; of the card that has the focus, else of all"},
	{"← ↑ ↓ →", "from card to card"},
	{"f", "full width of the card"},
	{"+ − 0", "zoom the card in and out, fit"},
	{"Shift ← ↑ ↓ →", "move the zoomed view"},
	{"Shift r", "reload"},
	{"t", "theme"},
	{"Esc", "close what is open, leave a field"},
	{"?", "this list"},
}

var mouse = []struct{ keys, does string }{
	{"Drag", "zoom to a box; a flat one zooms the horizontal axis only"},
	{"Double click", "fit to the data"},
	{"Shift drag, Alt drag", "move the view"},
	{"Ctrl wheel, Alt wheel", "zoom at the pointer"},
	{"Click", "pin the table of values"},
	{"Double click a run", "only this run; once more: all"},
	{"Shift click a run", "a range of runs"},
}

func showHelp() {
	if doc().QuerySelector("dialog[open]") != nil {
		return
	}
	list := func(rows []struct{ keys, does string }) dom.HTMLElement {
		dl := widget.New("dl", "keys")
		for _, r := range rows {
			dl.AppendChild(widget.New("dt", "", widget.New("kbd", "", r.keys)))
			dl.AppendChild(widget.New("dd", "", r.does))
		}
		return dl
	}
	widget.Dialog("Keys", widget.New("div", "columns",
		widget.New("section", "", widget.New("h3", "", "Keyboard"), list(help)),
		widget.New("section", "", widget.New("h3", "", "Mouse"), list(mouse))))
}
