package ui

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// dropZone is the whole page: a folder may be dropped anywhere, at any time.
type dropZone struct {
	app      *app
	el       dom.HTMLElement // shown while a folder hovers
	input    dom.HTMLElement // the folder field of browsers without a picker
	archives dom.HTMLElement // the field for archives
	depth    int             // elements that the drag is over, nested
}

func newDropZone(a *app) *dropZone {
	d := &dropZone{app: a}
	d.el = widget.New("div", "drop", widget.New("div", "drop-box", widget.Icon("upload"), widget.New("b", "", "Drop to open"),
		widget.New("span", "quiet", "A log folder, an archive of one, a profile, or a plug-in. It is read here, in this browser.")))
	widget.Hide(d.el, true)
	d.input = d.field("open-folder", "Open a folder", widget.Attr{Key: "webkitdirectory", Value: ""})
	d.archives = d.field("open-archive", "Open an archive", widget.Attr{Key: "accept", Value: a.opener.Archives()})
	win := js.Global()
	widget.ListenOn(win, "dragenter", func(ev dom.Event) {
		if hasFiles(ev) {
			ev.PreventDefault()
			d.depth++
			widget.Hide(d.el, false)
		}
	})
	widget.ListenOn(win, "dragover", func(ev dom.Event) {
		if hasFiles(ev) {
			ev.PreventDefault()
			ev.Underlying().Get("dataTransfer").Set("dropEffect", "copy")
		}
	})
	widget.ListenOn(win, "dragleave", func(ev dom.Event) {
		if hasFiles(ev) {
			if d.depth--; d.depth <= 0 {
				d.hide()
			}
		}
	})
	widget.ListenOn(win, "drop", func(ev dom.Event) {
		if hasFiles(ev) {
			ev.PreventDefault()
			d.hide()
			open := func(transfer js.Value) { a.opener.OpenDropped(transfer) }
			if transfer := ev.Underlying().Get("dataTransfer"); !a.desk.dropped(transfer) && !a.plugins.dropped(transfer, open) {
				open(transfer)
			}
		}
	})
	return d
}

// field makes a field for files, which a button or a command stands for.
func (d *dropZone) field(id, label string, what widget.Attr) dom.HTMLElement {
	input := widget.New("input", "visually-hidden", widget.Attr{Key: "type", Value: "file"}, what, widget.Attr{Key: "multiple", Value: ""},
		widget.Attr{Key: "data-testid", Value: id}, widget.Attr{Key: "aria-label", Value: label}, widget.Attr{Key: "tabindex", Value: "-1"})
	widget.Listen(input, "change", func(dom.Event) {
		files := widget.Get(input, "files")
		if files.Length() > 0 {
			d.app.opener.OpenFiles(files)
		}
		// The list stays whole; an empty field lets the same be chosen again.
		widget.Set(input, "value", "")
	})
	return input
}

func (d *dropZone) hide() {
	d.depth = 0
	widget.Hide(d.el, true)
}

func hasFiles(ev dom.Event) bool {
	t := ev.Underlying().Get("dataTransfer")
	return t.Truthy() && t.Get("types").Call("includes", "Files").Bool()
}

// choose asks for a folder: by the picker, which notices new files, where the
// browser has one.
func (d *dropZone) choose() {
	if d.app.opener.HasPicker() {
		d.app.opener.OpenPicker()
		return
	}
	d.input.Click()
}
