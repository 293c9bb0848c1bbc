package ui

import (
	"fmt"
	"strings"
	"syscall/js"
	"time"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/shared/profiles"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// profileButton stands in the header: the profile that is shown, a mark when the view was
// changed, and the menu.
type profileButton struct {
	desk           *desk
	el, text, mark dom.HTMLElement
}

func newProfileButton(d *desk) *profileButton {
	b := &profileButton{desk: d, text: widget.New("span", "profile-name"), mark: widget.New("i", "unsaved", widget.Attr{Key: "aria-hidden", Value: "true"})}
	b.el = widget.New("button", "pill profile", widget.Attr{Key: "type", Value: "button"}, widget.Attr{Key: "aria-haspopup", Value: "dialog"},
		widget.Icon("bookmark"), b.text, b.mark, widget.Click(b.open))
	d.button = b
	b.update()
	return b
}

// update shows which profile the view is of.
func (b *profileButton) update() {
	d := b.desk
	label, title := "Profile", "Profiles: views that are kept, sent and loaded"
	if d.base != nil {
		label = d.base.Name
		title = d.says()
	}
	widget.Text(b.text, label)
	widget.Hide(b.mark, len(d.changes) == 0)
	name := "Profile"
	if d.base != nil {
		name += ": " + label
	}
	if len(d.changes) > 0 {
		name += ", unsaved changes"
	}
	b.el.SetAttribute("aria-label", name)
	b.el.SetTitle(title)
}

// Words for what a profile holds.
var fieldWords = map[string]string{
	"pinnedCards": "pinned cards", "runColors": "run colours", "groupColors": "group colours", "superimposedCards": "combined cards",
	"runSelection": "shown runs", "others": "shown runs", "tagFilter": "tag filter", "runFilter": "run filter", "smoothing": "smoothing", "groupBy": "grouping",
	"metricDescriptions": "descriptions", "yAxisScale": "vertical scale", "xAxisScale": "horizontal scale", "tagAxisScales": "scales of cards",
	"symlogLinearThreshold": "symlog scale", "expandedTagGroups": "open groups", "board": "dashboard", "wide": "wide cards", "x": "horizontal axis",
	"outliers": "outliers", "pinsClosed": "folded pins", "introductions": "introduction", "introductionsClosed": "folded introduction",
}

// says tells which profile is shown, and what was changed.
func (d *desk) says() string {
	what := ""
	switch kind, _ := profiles.Origin(&d.app.state); kind {
	case profiles.OfDefault:
		what = "the default of this logdir"
	case profiles.OfLink:
		what = "from a link, not saved here"
	}
	if len(d.changes) > 0 {
		if what != "" {
			what += "; "
		}
		seen := map[string]bool{}
		var words []string
		for _, c := range d.changes {
			w := fieldWords[c]
			if w == "" {
				w = c
			}
			if !seen[w] {
				seen[w] = true
				words = append(words, w)
			}
		}
		if len(words) > 4 {
			words = append(words[:3], fmt.Sprintf("%d more", len(words)-3))
		}
		what += "changed: " + strings.Join(words, ", ")
	} else if what == "" {
		what = "as it was saved"
	}
	return strings.ToUpper(what[:1]) + what[1:]
}

// open shows the menu.
func (b *profileButton) open() {
	d := b.desk
	d.do(func() {
		entries := d.shelf.List()
		d.look() // the last change may be younger than the last look
		var closeIt func()
		closeIt = widget.Popup(b.el, "profiles", "Profiles", func(el dom.HTMLElement) {
			d.fill(el, entries, func() { closeIt() })
			widget.Arrows(el)
		})
		if first := widget.Find(".popup.profiles .menu-item"); first != nil {
			first.Focus()
		}
	})
}

// age says when a profile was saved.
func age(at int64, now time.Time) string {
	then := time.UnixMilli(at)
	day := func(t time.Time) time.Time { y, m, d := t.Date(); return time.Date(y, m, d, 12, 0, 0, 0, time.UTC) }
	switch days := int(day(now).Sub(day(then)).Hours()+1) / 24; {
	case at == 0 || days < 0:
		return ""
	case days == 0:
		return "today"
	case days == 1:
		return "yesterday"
	default:
		return fmt.Sprintf("%d days ago", days)
	}
}

// introduced are views that may have an introduction: words in Markdown above their cards.
type introduced interface {
	Introduced() bool
	Introduce()
}

// fill puts the menu together.
func (d *desk) fill(el dom.HTMLElement, entries []profiles.Entry, done func()) {
	kind, of := profiles.Origin(&d.app.state)
	line := func(icon, label string, do func()) dom.HTMLElement {
		return widget.New("button", "menu-item", widget.Attr{Key: "type", Value: "button"}, widget.Icon(icon), widget.New("span", "", label),
			widget.Click(func() { done(); d.do(do) })) // what it opens outlives the menu
	}
	rule := func() { el.AppendChild(widget.New("hr", "")) }
	if d.base != nil {
		el.AppendChild(widget.New("div", "profiles-now", widget.New("b", "", d.base.Name), widget.New("span", "quiet", d.says())))
		if kind == profiles.OfSaved && len(d.changes) > 0 {
			el.AppendChild(line("save", "Save", func() { d.save(of, false) }))
		}
	}
	el.AppendChild(line("save", "Save as…", func() {
		name := ""
		if d.base != nil {
			name = d.base.Name
		}
		askName("Save as", "Save", name, d.saveAs)
	}))
	if d.base != nil && len(d.changes) > 0 {
		el.AppendChild(line("undo-2", "Revert", d.revert))
	}
	if d.base != nil {
		el.AppendChild(line("bookmark-x", "Deactivate", d.deactivate))
	}
	if v, ok := d.app.view.(introduced); ok {
		label := "Write an introduction"
		if v.Introduced() {
			label = "Edit the introduction"
		}
		el.AppendChild(line("pencil", label, v.Introduce))
	}
	if len(entries) > 0 || d.standard != nil {
		rule()
	}
	list := widget.New("ul", "profiles-list", widget.Attr{Key: "aria-label", Value: "Saved profiles"})
	for _, e := range entries {
		list.AppendChild(d.row(e, kind == profiles.OfSaved && of == e.Name, done))
	}
	el.AppendChild(list)
	if d.standard != nil {
		b := line("users", "Load default: "+d.standard.Name, d.loadStandard)
		el.AppendChild(b)
	}
	if d.failed != "" {
		el.AppendChild(widget.New("p", "profiles-failed", "The default profile of this logdir is not shown. "+d.failed))
	}
	rule()
	el.AppendChild(line("file-up", "Import…", d.chooseFile))
	el.AppendChild(line("file-down", "Export", func() { d.export(d.sent("")) }))
	el.AppendChild(line("link", "Copy link…", func() { d.link(d.sent("")) }))
	if d.app.mayReport() {
		el.AppendChild(line("download", "Save a report…", d.app.saveReport))
	}
	el.AppendChild(line("braces", "View JSON…", func() { viewJSON(d.sent("")) }))
	if d.app.data.MaySaveDefault() {
		el.AppendChild(line("users", "Make this the default for everyone", d.saveStandard))
	}
	el.AppendChild(widget.New("p", "quiet profiles-hint", "A profile is this view: pins, colours, filters, scales. Drop its file on the page, or paste it."))
}

// row is a saved profile in the menu.
func (d *desk) row(e profiles.Entry, active bool, done func()) dom.HTMLElement {
	when := age(e.Modified, time.Now())
	switch {
	case e.Broken != "":
		when = "cannot be read"
	case e.Session:
		when = "until this page is closed"
	}
	load := widget.New("button", "menu-item", widget.Attr{Key: "type", Value: "button"}, widget.New("span", "profile-name", e.Name), widget.New("span", "quiet", when))
	if active {
		load.SetAttribute("aria-current", "true")
	}
	if e.Broken != "" {
		load.SetTitle(e.Broken)
		load.SetAttribute("disabled", "")
	} else {
		widget.Listen(load, "click", func(dom.Event) { done(); d.load(e.Name) })
	}
	more := widget.IconButton("ellipsis-vertical", "More for "+e.Name, nil)
	widget.Listen(more, "click", func(dom.Event) {
		done()
		d.do(func() { d.more(e) })
	})
	return widget.New("li", "", load, more)
}

// more shows what can be done with a profile of the list.
func (d *desk) more(e profiles.Entry) {
	items := []widget.Item{}
	with := func(f func(*profile.Profile)) func() {
		return func() {
			d.do(func() {
				p, _, err := d.shelf.Load(e.Name)
				if err != nil {
					widget.Say(err.Error())
					return
				}
				f(p)
			})
		}
	}
	if e.Broken == "" {
		items = append(items,
			widget.Item{Icon: "bookmark", Label: "Load", Do: func() { d.load(e.Name) }},
			widget.Item{Icon: "plus", Label: "Add to the view", Do: func() { d.merge(e.Name) }},
			widget.Item{Icon: "pencil", Label: "Rename…", Do: func() { askName("Rename", "Rename", e.Name, func(to string) { d.rename(e.Name, to) }) }},
			widget.Item{Icon: "copy", Label: "Duplicate", Do: func() { d.duplicate(e.Name) }},
			widget.Item{Icon: "file-down", Label: "Export", Do: with(func(p *profile.Profile) { d.export(p) })},
			widget.Item{Icon: "link", Label: "Copy link…", Do: with(func(p *profile.Profile) { d.link(p) })},
			widget.Item{Icon: "braces", Label: "View JSON…", Do: with(viewJSON)})
	}
	items = append(items, widget.Item{Icon: "trash-2", Label: "Delete", Do: func() { d.remove(e.Name) }})
	widget.Menu(d.button.el, e.Name, items)
}

// askName asks for a name.
func askName(title, label, value string, do func(name string)) {
	in := widget.New("input", "text-field", widget.Attr{Key: "type", Value: "text"}, widget.Attr{Key: "aria-label", Value: "Name"},
		widget.Attr{Key: "maxlength", Value: fmt.Sprint(profile.MaxName)}, widget.Attr{Key: "autocomplete", Value: "off"})
	widget.Set(in, "value", value)
	var end func()
	go1 := func() {
		name := strings.TrimSpace(widget.Get(in, "value").String())
		if name == "" {
			in.Focus()
			return
		}
		end()
		do(name)
	}
	end = widget.DialogEnd(title, func() []any {
		widget.Listen(in, "keydown", func(ev dom.Event) {
			if ev.Underlying().Get("key").String() == "Enter" {
				ev.PreventDefault()
				go1()
			}
		})
		return []any{widget.New("div", "ask", in, widget.New("button", "button primary", widget.Attr{Key: "type", Value: "button"}, label, widget.Click(go1)))}
	})
	in.Underlying().Call("select")
}

// viewJSON shows a profile as it is written.
func viewJSON(p *profile.Profile) {
	text, err := profile.Encode(p)
	if err != nil {
		widget.Say(err.Error())
		return
	}
	widget.Dialog(p.Name, func() []any {
		return []any{widget.New("pre", "profile-json", widget.Attr{Key: "tabindex", Value: "0"}, string(text)),
			widget.New("div", "buttons", widget.CopyButton("Copy", func() string { return string(text) }))}
	})
}

// sent is the view as it leaves this browser: with where its data are.
func (d *desk) sent(name string) *profile.Profile {
	p := d.current(name)
	if p.Name == profile.Untitled && d.app.logdir != "" {
		if folder, _ := d.app.data.Place(); folder != "" {
			p.Rename(folder)
		}
	}
	p.Touch(time.Now())
	if where := d.where(); where != nil {
		p.Data = where
	}
	return p
}

// pageAddress is the address of the page without its fragment, and without a token, which
// is its reader's own.
func pageAddress() string {
	u := js.Global().Get("URL").New(js.Global().Get("location").Get("href"))
	u.Set("hash", "")
	u.Get("searchParams").Call("delete", "token")
	return u.Get("href").String()
}

// where says where the data are that are shown.
func (d *desk) where() *profile.Data {
	if len(d.app.runs) == 0 {
		return nil
	}
	folder, http := d.app.data.Place()
	w := &profile.Data{Folder: folder, Total: len(d.app.runs)}
	for _, r := range d.app.runs[:min(len(d.app.runs), profile.MaxDataRuns)] {
		w.Runs = append(w.Runs, r.Name)
	}
	if host := location("hostname"); http && host != "localhost" && !strings.HasPrefix(host, "127.") && host != "[::1]" {
		w.URL = pageAddress()
	}
	return w
}
