package ui

import (
	"slices"
	"strings"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/plugin"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/board/drawn"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// plugins are the dashboards that come while the page is open: of the site's list, and dropped.
// Of one whose tab was never opened there is its manifest, and nothing else.
type plugins struct {
	app  *app
	own  int // dashboards of the viewer's own, which come first
	list []board.Board
	el   dom.HTMLElement // their switches in the settings
	// drops counts what was dropped: what was before the last one is not opened any more, however
	// long it took to see that it is no plug-in.
	drops int
}

const pluginsScript = "plugins"

func newPlugins(a *app) *plugins {
	p := &plugins{app: a, own: len(a.boards), el: widget.New("div", "")}
	widget.Hide(p.el, true)
	return p
}

// start asks for the site's list, and for what was dropped and kept, if there is any.
func (p *plugins) start() {
	boot := js.Global().Get("tbBoot")
	url := boot.Get("plugins")
	if !url.Truthy() && !boot.Get("dropped").Truthy() {
		p.missed()
		return
	}
	go func() {
		_, err := bridge.AwaitCall(js.Global().Get("tbBoot"), "load", pluginsScript)
		var l js.Value
		if err == nil {
			l, err = bridge.AwaitCall(js.Global().Get("tbPlugins"), "list", url)
		}
		failed := ""
		if err != nil {
			failed = err.Error()
		} else {
			failed = l.Get("failed").String()
		}
		if failed != "" {
			widget.Say("The site's plug-ins could not be listed: " + failed)
		}
		if err != nil {
			return
		}
		all := l.Get("plugins")
		for i := range all.Length() {
			if _, err := p.take(all.Index(i)); err != nil {
				widget.Say("A plug-in was left out. " + err.Error())
			}
		}
		p.changed()
		p.missed()
	}()
}

// missed says why the dashboard that a link or a profile names is not there, if it may be a plug-in's.
func (p *plugins) missed() {
	id := session.Board.Of(&p.app.state)
	same := func(b board.Board) bool { return b.About().ID == id }
	if !plugin.Name(id) || slices.ContainsFunc(p.app.boards, same) || slices.ContainsFunc(p.list, same) {
		return
	}
	why := "a plug-in of this name is not here. If you have it, drop its folder on the page."
	if js.Global().Get("tbBoot").Call("address", "frame.html").String() == "" {
		why = "a report shows no plug-ins."
	}
	widget.Offer("There is no dashboard "+id+": "+why, "Close", func() {})
}

// take adds the plug-in of a manifest: {text, keep}.
func (p *plugins) take(from js.Value) (id string, err error) {
	m, err := plugin.Parse([]byte(from.Get("text").String()))
	if err != nil {
		return "", err
	}
	b := drawn.Plugin{Info: board.Info{ID: m.Name, Title: m.Title(), Plugins: m.DataPluginNames}, DisableReload: m.Frontend.DisableReload}
	same := func(o board.Board) bool { return o.About().ID == m.Name }
	if i := slices.IndexFunc(p.list, same); i >= 0 { // dropped anew
		if tb := js.Global().Get("tbPlug"); tb.Truthy() {
			tb.Call("drop", m.Name)
		}
		p.list[i] = b
		if p.app.tab == m.Name {
			p.app.tab = ""
		}
	} else {
		p.list = append(p.list, b)
	}
	from.Call("keep")
	return m.Name, nil
}

// changed shows the plug-ins that there are and that are on.
func (p *plugins) changed() {
	a := p.app
	a.boards = a.boards[:p.own:p.own]
	var checks []any
	for _, b := range p.list {
		info := b.About()
		off, _ := session.PluginsOff.Get(&a.state, info.ID)
		if !off {
			a.boards = append(a.boards, b)
		} else if tb := js.Global().Get("tbPlug"); tb.Truthy() {
			tb.Call("drop", info.ID)
		}
		box, label := widget.Check(info.Title, func(on bool) {
			a.Set(func(s *session.State) {
				if on {
					session.PluginsOff.Drop(s, info.ID)
				} else {
					session.PluginsOff.Put(s, info.ID, true)
				}
			})
		})
		widget.Set(box, "checked", !off)
		box.SetAttribute("aria-label", "Plug-in "+info.Title) // or the palette has it before the dashboard
		if note := js.Global().Get("tbPlugins").Call("note", info.ID).String(); note != "" {
			label = widget.New("div", "inline", label, widget.New("span", "quiet", note), widget.IconButton("trash-2", "Remove "+info.Title, func() { p.remove(info.ID) }))
		}
		checks = append(checks, label)
	}
	widget.Hide(p.el, len(checks) == 0)
	widget.Replace(p.el, widget.Field("Plug-ins", checks...))
	a.head.showBoards()
	a.openTab()
	a.head.updateTabs()
	a.findUnshown()
}

// remove does away with a plug-in that was dropped. The site's of its name is there again.
func (p *plugins) remove(id string) {
	if tb := js.Global().Get("tbPlug"); tb.Truthy() {
		tb.Call("drop", id)
	}
	if hidden := js.Global().Get("tbPlugins").Call("remove", id); hidden.Truthy() {
		if _, err := p.take(hidden); err != nil {
			widget.Say("A plug-in was left out. " + err.Error())
		}
	} else {
		p.list = slices.DeleteFunc(p.list, func(b board.Board) bool { return b.About().ID == id })
	}
	p.changed()
}

// dropped takes what was dropped if it may be a plug-in; otherwise it goes on with open, and
// with what the browser has given by then. It must be called inside the drop event.
func (p *plugins) dropped(transfer js.Value, open func(js.Value)) bool {
	p.drops++
	drop := p.drops
	items := transfer.Get("items")
	if items.Length() != 1 || items.Index(0).Get("webkitGetAsEntry").Type() != js.TypeFunction {
		return false
	}
	item := items.Index(0)
	entry := item.Call("webkitGetAsEntry")
	if !entry.Truthy() {
		return false
	}
	folder, file := entry.Get("isDirectory").Bool(), js.Null()
	if !folder {
		if file = item.Call("getAsFile"); !file.Truthy() || !strings.HasSuffix(strings.ToLower(entry.Get("name").String()), ".zip") {
			return false
		}
	}
	kept := js.Global().Get("tbBoot").Call("kept", item, entry) // the browser empties what was dropped after the event
	go func() {
		logs := func() {
			if drop == p.drops {
				open(kept.Get("transfer"))
			}
		}
		if is, err := bridge.Await(kept.Get("plugin")); err != nil || !is.Truthy() {
			logs()
			return
		}
		_, err := bridge.AwaitCall(js.Global().Get("tbBoot"), "load", pluginsScript)
		var found js.Value
		if err == nil {
			found, err = bridge.AwaitCall(js.Global().Get("tbPlugins"), "dropped", entry, file)
		}
		if err == nil && !found.Truthy() {
			logs()
			return
		}
		id := ""
		if err == nil {
			if js.Global().Get("tbBoot").Call("address", "frame.html").String() == "" {
				err = &plugin.FieldError{Field: "a report", Why: "shows no plug-ins: drop it on the page of a server"}
			} else {
				id, err = p.take(found)
			}
		}
		if err != nil {
			widget.Offer("This plug-in was not opened: "+bridge.MessageOf(err), "Close", func() {})
			return
		}
		p.app.Set(func(s *session.State) {
			session.PluginsOff.Drop(s, id)
			session.Board.Set(s, id)
		})
		p.changed()
		if why, err := bridge.AwaitCall(js.Global().Get("tbPlugins"), "keep", id); err == nil && why.String() != "" {
			widget.Say(why.String())
			p.changed()
		}
	}()
	return true
}
