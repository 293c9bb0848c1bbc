package ui

import (
	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// at is the row that an event fell on, as it is on the screen: until the next picture the
// list may have others.
func (l *runList) at(ev dom.Event) *row {
	el := ev.Underlying().Get("target").Call("closest", ".run")
	if !el.Truthy() {
		return nil
	}
	if i := el.Get("tbRow").Int(); i >= 0 && i < len(l.drawn) {
		return &l.drawn[i]
	}
	return nil
}

func hits(ev dom.Event, selector string) bool {
	return ev.Underlying().Get("target").Call("closest", selector).Truthy()
}

func (l *runList) click(ev dom.Event) {
	r := l.at(ev)
	if r == nil {
		return
	}
	names := []string{r.Name}
	if r.Folder {
		names = r.Runs
	}
	if b := ev.Underlying().Get("target").Call("closest", "[data-do]"); b.Truthy() {
		switch b.Get("dataset").Get("do").String() {
		case "fold":
			l.fold(r.Name)
		case "more":
			l.app.RunMenu(widget.Wrap(b.Call("closest", ".run")), r.Name, names)
		case "only":
			l.only(names...)
		case "color":
			if r.Folder {
				l.app.ChooseGroups(widget.Wrap(b))
			} else {
				l.pickColor(r.Name, widget.Wrap(b))
			}
		}
		return
	}
	if r.Folder && !hits(ev, "input") {
		l.fold(r.Name)
		return
	}
	on := !l.app.on(r.Name)
	if r.Folder {
		on = ev.Underlying().Get("target").Get("checked").Bool()
	} else if ev.Underlying().Get("shiftKey").Bool() && l.anchor != "" {
		names = span(l.rows, l.anchor, r.Name)
	}
	if !r.Folder {
		l.anchor = r.Name
	}
	l.set(names, on)
}

func (l *runList) fold(folder string) {
	l.app.Set(func(s *session.State) {
		if closed, _ := session.Folders.Get(s, folder); closed {
			session.Folders.Drop(s, folder)
		} else {
			session.Folders.Put(s, folder, true)
		}
	})
}

// key moves along the rows; Space is the check box's own, Enter shows only this run.
func (l *runList) key(ev dom.Event) {
	r := l.at(ev)
	if r == nil {
		return
	}
	i := ev.Underlying().Get("target").Call("closest", ".run").Get("tbRow").Int()
	switch ev.Underlying().Get("key").String() {
	case "ArrowDown":
		l.focus(i + 1)
	case "ArrowUp":
		l.focus(i - 1)
	case "Home":
		l.focus(0)
	case "End":
		l.focus(len(l.rows) - 1)
	case "ArrowLeft", "ArrowRight":
		if !r.Folder || r.Closed != (ev.Underlying().Get("key").String() == "ArrowRight") {
			return
		}
		l.fold(r.Name)
	case "Enter":
		if !hits(ev, "input") {
			return // a button's own
		}
		if r.Folder {
			l.only(r.Runs...)
		} else {
			l.only(r.Name)
		}
	default:
		return
	}
	ev.PreventDefault()
}

// focus puts the keyboard on a row, scrolling it into sight.
func (l *runList) focus(i int) {
	if i < 0 || i >= len(l.rows) {
		return
	}
	top := widget.Get(l.scroll, "scrollTop").Float()
	height := widget.Get(l.scroll, "clientHeight").Float()
	y := float64(i * rowHeight)
	if y < top {
		widget.Set(l.scroll, "scrollTop", y)
	} else if y+rowHeight > top+height {
		widget.Set(l.scroll, "scrollTop", y+rowHeight-height)
	}
	l.look()
	l.render()
	for _, p := range l.pool {
		if p.at == i {
			p.box.Underlying().Call("focus", map[string]any{"preventScroll": true})
		}
	}
}
