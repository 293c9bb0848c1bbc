package ui

import (
	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// bindKeys makes the page work by keyboard. Keys typed into a field, or with
// Ctrl, Alt or Meta, are not ours.
func bindKeys(a *app) {
	widget.Listen(widget.Page{}, "keydown", func(ev dom.Event) {
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
		if target.Call("closest", "dialog,[popover]").Truthy() && key != "?" {
			return
		}
		// What moves something belongs to what has the focus: sliders, radio buttons,
		// the divider, buttons. Letters are the page's still.
		if moves[key] && target.Call("closest", ".choice,[role=separator],input[type=range]").Truthy() {
			return
		}
		if (key == "Enter" || key == " ") && target.Call("closest", "input,button,a,summary").Truthy() {
			return
		}
		if a.view.Key(key, e.Get("shiftKey").Bool()) || a.key(key) {
			ev.PreventDefault()
		}
	})
}

// moves are keys that controls use themselves.
var moves = map[string]bool{
	"ArrowLeft": true, "ArrowRight": true, "ArrowUp": true, "ArrowDown": true,
	"Home": true, "End": true, "PageUp": true, "PageDown": true, " ": true,
}

func (a *app) escape(inSearch bool) {
	switch {
	case a.view.Escape():
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
		a.showHelp()
	case "R":
		a.reload()
	case "t":
		a.theme.next()
	default:
		return false
	}
	return true
}

var help = []board.HelpRow{
	{Keys: "r", Does: "filter runs"},
	{Keys: "Shift r", Does: "reload"},
	{Keys: "t", Does: "theme"},
	{Keys: "Esc", Does: "close what is open, leave a field"},
	{Keys: "?", Does: "this list"},
}

var mouse = []board.HelpRow{
	{Keys: "Double click a run", Does: "only this run; once more: all"},
	{Keys: "Shift click a run", Does: "a range of runs"},
}

// showHelp lists the keys and gestures of the open board and of the page.
func (a *app) showHelp() {
	if widget.Find("dialog[open]") != nil {
		return
	}
	list := func(rows []board.HelpRow) dom.HTMLElement {
		dl := widget.New("dl", "keys")
		for _, r := range rows {
			dl.AppendChild(widget.New("dt", "", widget.New("kbd", "", r.Keys)))
			dl.AppendChild(widget.New("dd", "", r.Does))
		}
		return dl
	}
	keys, gestures := a.view.Help()
	widget.Dialog("Keys", func() []any {
		return []any{widget.New("div", "columns",
			widget.New("section", "", widget.New("h3", "", "Keyboard"), list(append(keys, help...))),
			widget.New("section", "", widget.New("h3", "", "Mouse"), list(append(gestures, mouse...)))),
			widget.New("div", "buttons", widget.New("span", "quiet", "tensorbored-static "+pageVersion()),
				widget.CopyButton("Copy for a bug report", func() string {
					return bugReport(aboutPage(), session.Board.Of(&a.state), a.data.Status())
				}))}
	})
}
