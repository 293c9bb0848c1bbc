package ui

import (
	"maps"
	"strings"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board/hparams"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// RunMenu implements board.Host.
func (a *app) RunMenu(under dom.Element, run string, all []string) {
	base, label := run, "Use as baseline"
	if session.Baseline.Of(&a.state) == run {
		base, label = "", "No baseline"
	}
	widget.Menu(under, a.Name(run), []widget.Item{
		{Icon: "focus", Label: "Only this run", Do: func() { a.list.only(all...) }},
		{Icon: "scan", Label: label, Do: func() { a.Set(func(s *session.State) { session.Baseline.Set(s, base) }) }},
		{Icon: "git-compare", Label: "Compare shown runs", Do: func() { a.Set(func(s *session.State) { hparams.Compare(s, "") }) }},
		{Icon: "pencil", Label: "Name, note and tags…", Do: func() { a.words(run, under) }},
		{Icon: "palette", Label: "Colour…", Do: func() { a.list.pickColor(run, under) }},
		{Icon: "copy", Label: "Copy the name", Do: func() {
			widget.Copy(widget.Wrap(under.Underlying()), run, func(err error) {
				if err != nil {
					widget.Say("The browser does not allow it")
					return
				}
				widget.Say("Copied: " + run)
			})
		}},
		{Icon: "filter-x", Label: "Hide for good", Do: func() {
			a.Set(func(s *session.State) {
				m := map[string]bool{}
				maps.Copy(m, session.RunsHidden.Of(s))
				for _, r := range all {
					m[r] = true
				}
				session.RunsHidden.Set(s, m)
			})
		}},
	})
}

// words lets the user say what a run is called, and what there is to say of it.
func (a *app) words(run string, under dom.Element) {
	widget.Popup(under, "run-words", "Words about "+run, func(el dom.HTMLElement) {
		el.AppendChild(widget.New("h3", "", run))
		field := func(tag, label, hint string, d *session.TableSetting[string]) {
			e := widget.New(tag, "text-field", widget.Attr{Key: "placeholder", Value: hint})
			had, _ := d.Get(&a.state, run)
			widget.Set(e, "value", had)
			widget.Listen(e, "input", func(dom.Event) {
				a.Set(func(s *session.State) {
					if text := strings.TrimSpace(widget.Get(e, "value").String()); text != "" {
						d.Put(s, run, text)
					} else {
						d.Drop(s, run)
					}
				})
			})
			if d == session.RunNames {
				e.SetAttribute("autofocus", "")
			}
			el.AppendChild(widget.New("label", "", label, e))
		}
		field("input", "Name in this view", run, session.RunNames)
		field("textarea", "Note", "", session.RunNotes)
		field("input", "Tags", "best, to check", session.RunTags)
	})
}

// menuOf is the button of the menu of the run in whose row an element is; undefined if it is
// in none.
func menuOf(target js.Value) js.Value {
	if row := target.Call("closest", ".run,.hp-row"); row.Truthy() {
		return row.Call("querySelector", "[aria-haspopup=menu]:not([hidden])")
	}
	return js.Undefined()
}

// asksMenu reports whether a key is one that opens the menu of what has the focus.
func asksMenu(e js.Value) bool {
	key := keyOf(e)
	return key == "m" || key == "ContextMenu" || key == "F10" && e.Get("shiftKey").Bool()
}

// rightClicks opens the menu of the run that the right button is pressed on: when it is
// released, which would close it.
func rightClicks() {
	var pressed js.Value
	open := widget.NewTimer(func() {
		pressed.Call("click")
		pressed = js.Undefined()
	})
	widget.Listen(widget.Page{}, "contextmenu", func(ev dom.Event) {
		e := ev.Underlying()
		if b := menuOf(e.Get("target")); b.Truthy() {
			ev.PreventDefault()
			if pressed = b; e.Get("buttons").Int() == 0 {
				open.Start(0)
			}
		}
	})
	widget.Listen(widget.Page{}, "pointerup", func(ev dom.Event) {
		if pressed.Truthy() && ev.Underlying().Get("button").Int() == 2 {
			open.Start(0)
		}
	})
}
