package ui

import (
	"cmp"
	"slices"
	"strings"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/board/hparams"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// bindKeys makes the page work by keyboard. Keys typed into a field, or with
// Ctrl, Alt or Meta, are not ours, but for those of commands that say so.
func bindKeys(a *app) {
	rightClicks()
	widget.Listen(widget.Page{}, "keydown", func(ev dom.Event) {
		e := ev.Underlying()
		if (e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool()) && !e.Get("altKey").Bool() && !e.Get("shiftKey").Bool() {
			commands, _ := a.view.Help()
			if board.Do(append(commands, a.commands()...), "Ctrl "+keyOf(e)) {
				ev.PreventDefault() // the browser's own search, or its print of what is on screen
				return
			}
		}
		if ev.DefaultPrevented() || e.Get("ctrlKey").Bool() || e.Get("altKey").Bool() || e.Get("metaKey").Bool() {
			return
		}
		key := keyOf(e)
		target := e.Get("target")
		if key == "Escape" {
			if widget.Document().Call("querySelector", "dialog[open],:popover-open").Truthy() {
				return // the browser closes that, and what is below it stays as it is
			}
			inField := target.Call("matches", fields).Bool()
			a.escape(inField)
			if inField {
				ev.PreventDefault() // browsers would empty one to search, and say nothing to one that was left
			}
			return
		}
		if target.Call("matches", fields).Bool() {
			return
		}
		if target.Call("closest", "dialog,[popover]").Truthy() && key != "?" {
			return
		}
		if b := menuOf(target); asksMenu(e) && b.Truthy() {
			b.Call("click")
			ev.PreventDefault()
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

// keyOf is the key of an event, whatever the keyboard writes with it.
func keyOf(e js.Value) string {
	return letter(e.Get("key").String(), textOf(e, "code"), e.Get("shiftKey").Bool())
}

// moves are keys that controls use themselves.
var moves = map[string]bool{
	"ArrowLeft": true, "ArrowRight": true, "ArrowUp": true, "ArrowDown": true,
	"Home": true, "End": true, "PageUp": true, "PageDown": true, " ": true,
}

// fields are what is typed into, where keys are text.
const fields = "input:not([type=checkbox],[type=radio],[type=range]),select,textarea"

func (a *app) escape(inField bool) {
	switch {
	case a.view.Escape():
	case a.panes.close():
	case inField:
		a.main.Focus()
	}
}

func (a *app) key(key string) bool { return board.Do(a.commands(), key) }

// commands are what the page does, whatever dashboard is open.
func (a *app) commands() []board.Command {
	set := func(change func(*session.State)) func() { return func() { a.Set(change) } }
	return []board.Command{
		{Keys: "Ctrl k", Does: "find anything by its name: commands, tags, runs, settings", Run: a.openPalette},
		{Keys: "r", Does: "filter runs", Run: func() {
			a.panes.show("runs")
			a.list.search.Focus()
			a.list.search.Underlying().Call("select")
		}},
		{Keys: "m", Does: "on a run, in the list or the table: what can be done with it"},
		{Does: "show all runs", Run: a.ShowAllRuns},
		{Does: "order and columns of the run list…", Run: func() { a.panes.show("runs"); press(`[aria-label="Order and columns"]`) }},
		{Does: "compare shown runs", Run: set(func(s *session.State) { hparams.Compare(s, "") })},
		{Does: "compare with baseline", Run: set(func(s *session.State) {
			if len(a.shown) > 0 {
				hparams.Compare(s, a.shown[0])
			}
		})},
		{Does: "colours of runs…", Run: func() { a.panes.show("runs"); press(`[aria-label="Colours of runs"]`) }},
		{Does: "run list: open or close", Run: func() { a.panes.toggle("runs") }},
		{Does: "settings: open or close", Run: func() { a.panes.toggle("settings") }},
		{Does: "default settings", Run: set(a.schema.ResetPane)},
		{Does: "open a folder…", Run: func() { press(".open-folder") }},
		{Does: "open an archive of logs…", Run: a.drop.archives.Click},
		{Does: "profiles…", Run: func() { press(".pill.profile") }},
		{Does: "save a report…", Run: a.saveReport},
		{Keys: "Shift r", Does: "reload", Run: a.reload},
		{Keys: "t", Does: "theme", Run: a.theme.next},
		{Keys: "Esc", Does: "close what is open, leave a field"},
		{Keys: "?", Does: "list of keys", Run: a.showHelp},
	}
}

// press clicks on a button for the user.
func press(selector string) {
	if b := widget.Find(selector); b != nil {
		b.Underlying().Call("click")
	}
}

var mouse = []board.Command{
	{Keys: "Double click a run", Does: "only this run; once more: all"},
	{Keys: "Shift click a run", Does: "a range of runs"},
	{Keys: "Right click a run", Does: "what can be done with it: name, note, colour, baseline, hide"},
}

// everywhere are rows with those that all cards know first.
func everywhere(rows, more []board.Command) []board.Command {
	out := append(append([]board.Command(nil), rows...), more...)
	slices.SortStableFunc(out, func(a, b board.Command) int {
		return cmp.Compare(min(len(a.At), 1), min(len(b.At), 1))
	})
	return out
}

// showHelp lists the keys and gestures of the open board and of the page.
func (a *app) showHelp() {
	if widget.Find("dialog[open]") != nil {
		return
	}
	// What only some cards know stands below the others, by their kind.
	list := func(title string, rows []board.Command) dom.HTMLElement {
		el := widget.New("section", "", widget.New("h3", "", title))
		lists := map[string]dom.HTMLElement{}
		for _, r := range rows {
			if r.Keys == "" {
				continue // by name only: the palette has it
			}
			if lists[r.At] == nil {
				lists[r.At] = widget.New("dl", "keys")
				if r.At != "" {
					el.AppendChild(widget.New("h4", "", strings.ToUpper(r.At[:1])+r.At[1:]))
				}
				el.AppendChild(lists[r.At])
			}
			lists[r.At].AppendChild(widget.New("dt", "", widget.New("kbd", "", r.Keys)))
			lists[r.At].AppendChild(widget.New("dd", "", r.Does))
		}
		return el
	}
	keys, gestures := a.view.Help()
	in := ""
	for _, b := range a.boards {
		if info := b.About(); info.ID == a.tab {
			in = " in " + info.Title
		}
	}
	widget.Dialog("Keys", func() []any {
		return []any{widget.New("div", "columns", list("Keyboard"+in, everywhere(keys, a.commands())), list("Mouse"+in, everywhere(gestures, mouse))),
			widget.New("div", "buttons", widget.New("span", "quiet", "tensorbored-static "+pageVersion()),
				widget.CopyButton("Copy for a bug report", func() string {
					return bugReport(aboutPage(), session.Board.Of(&a.state), a.data.Status())
				}))}
	})
}
