package ui

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/find"
	"github.com/tensorbored/tensorbored-static/shared/profiles"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

const (
	paletteRow  = 30 // CSS pixels, as in app.css
	paletteRows = 12 // seen at a time, at most
)

// palette is a dialog in which everything is found by its name: what the page, the
// dashboard and the card with the focus do, dashboards, profiles, settings, tags, runs.
// Only the lines on screen exist.
type palette struct {
	app                    *app
	in, scroll, body, said dom.HTMLElement
	first, saved           []choice // what the page does, and profiles
	all                    *choices // what there is …
	seen                   *choices // … and that of which found tells
	found                  []int
	at                     int    // chosen, an index of found
	looking                int    // how often it was looked for what fits …
	late                   bool   // … and that it is being looked for
	listing                bool   // not all that there is has been listed yet …
	stale                  bool   // … and more has come meanwhile
	enter                  func() // when all has been listed and looked through; may be nil
	end                    func()
}

// choices are lines in the order in which they stand while nothing is typed.
type choices struct {
	list   []choice
	places []board.Command // they stand after the first ones of list …
	before int             // … so many
	names  []string        // of all, as package find wants them
}

// choice is a line of the palette.
type choice struct {
	board.Command
	mark func() string // its state, a word; may be nil
	more func()        // with Shift; may be nil
	stay bool          // the palette stays open
	also string        // it is found by this name too
}

// openPalette shows the palette; with it open, closes it.
func (a *app) openPalette() {
	if open := widget.Find("dialog[open]"); open != nil {
		if open.Underlying().Call("querySelector", ".palette").Truthy() {
			open.Underlying().Call("close")
		}
		return
	}
	p := &palette{app: a}
	p.fill() // what the card does that has the focus now
	p.all = &choices{}
	p.all.add(p.first...)
	p.seen = p.all
	p.end = widget.DialogEnd("Find and do", func() []any {
		attr := func(pairs ...string) (out []any) {
			for i := 0; i < len(pairs); i += 2 {
				out = append(out, widget.Attr{Key: pairs[i], Value: pairs[i+1]})
			}
			return out
		}
		p.in = widget.New("input", "", attr("type", "text", "role", "combobox", "aria-label", "Find commands, tags, runs, settings", "placeholder", "Find commands, tags, runs, settings",
			"aria-expanded", "true", "aria-autocomplete", "list", "aria-controls", "palette-list", "autocomplete", "off", "spellcheck", "false", "autofocus", "")...)
		p.body = widget.New("div", "palette-rows", attr("role", "none")...)
		p.scroll = widget.New("div", "palette-scroll", append(attr("role", "listbox", "id", "palette-list", "aria-label", "Found"), p.body)...)
		p.said = widget.New("p", "quiet", attr("role", "status")...)
		widget.Listen(p.in, "input", func(dom.Event) {
			p.enter = nil
			p.find(false)
		})
		widget.Listen(p.in, "keydown", p.key)
		widget.Listen(p.scroll, "scroll", func(dom.Event) { p.render() })
		widget.Listen(p.body, "click", func(ev dom.Event) {
			if row := ev.Underlying().Get("target").Call("closest", "[data-at]"); row.Truthy() {
				p.at, _ = strconv.Atoi(row.Get("dataset").Get("at").String())
				p.do(ev.Underlying().Get("shiftKey").Bool())
			}
		})
		return []any{widget.New("div", "palette", widget.New("div", "search", widget.Icon("search"), p.in), p.scroll, p.said)}
	})
	a.palette = p
	p.list()
	// Profiles are in the browser's database.
	a.desk.do(func() {
		for _, e := range a.desk.shelf.List() {
			if e.Broken == "" {
				p.saved = append(p.saved, choice{Command: board.Command{Does: e.Name, Of: "Profile", Run: func() { a.desk.load(e.Name) }}, mark: func() string {
					if kind, of := profiles.Origin(&a.state); kind == profiles.OfSaved && of == e.Name {
						return "now"
					}
					return ""
				}})
			}
		}
		if !p.listing { // else it takes them along
			p.again()
		}
	})
}

// again lists what there is now: tags and runs may have come since. It is called while the
// palette is open, and by the page when it has closed.
func (p *palette) again() {
	if p.stale = p.listing; p.stale || !widget.Get(p.in, "isConnected").Bool() {
		return
	}
	p.list()
}

// list lists what there is. Of very many tags the page is not held meanwhile.
func (p *palette) list() {
	p.listing, p.stale = true, false
	widget.InTurns(func(pause func()) {
		p.all = p.fillMore(pause)
		p.listing = false
		p.find(true)
		if p.stale {
			p.again()
		}
	})
}

func (c *choices) add(list ...choice) {
	for _, one := range list {
		c.list = append(c.list, one)
		c.names = append(c.names, find.Low(one.Does+" "+one.also)+" "+find.Low(one.Of))
	}
}

// at is the line with a number. Of places there may be 100,000: they are made choices when
// they are seen.
func (c *choices) at(n int) choice {
	switch m := n - c.before; {
	case m < 0:
		return c.list[n]
	case m < len(c.places):
		return choice{Command: c.places[m]}
	default:
		return c.list[n-len(c.places)]
	}
}

// choice is the line that was found as number i.
func (p *palette) choice(i int) choice { return p.seen.at(p.found[i]) }

// fill lists what the page, the dashboard and the card with the focus do.
func (p *palette) fill() {
	a := p.app
	commands, _ := a.view.Help()
	var rest []board.Command
	for _, c := range commands {
		switch {
		case c.Run == nil:
		case c.Of != "":
			p.first = append(p.first, choice{Command: c})
		default:
			rest = append(rest, c)
		}
	}
	for _, c := range append(rest, a.commands()[1:]...) {
		if c.Run != nil {
			p.first = append(p.first, choice{Command: c})
		}
	}
	for _, b := range a.boards {
		info := b.About()
		p.first = append(p.first, choice{Command: board.Command{Does: info.Title, Of: "Dashboard", Run: func() { a.Set(func(s *session.State) { session.Board.Set(s, info.ID) }) }},
			mark: func() string { return map[bool]string{true: "now"}[info.ID == a.tab] }})
	}
	p.first = append(p.first, a.settings.choices()...)
}

// fillMore lists everything: places, of which there may be very many, stand in the middle.
func (p *palette) fillMore(pause func()) *choices {
	a, c := p.app, &choices{}
	c.add(p.first...)
	c.before, c.places = len(c.list), a.view.Places(pause)
	for _, place := range c.places {
		pause()
		c.names = append(c.names, find.Low(place.Does)+" "+find.Low(place.Of))
	}
	c.add(a.unshownChoices()...)
	for _, r := range a.runs {
		c.add(choice{Command: board.Command{Does: a.Name(r.Name), Of: "Run", Run: func() { a.list.set([]string{r.Name}, !a.on(r.Name)) }}, stay: true, also: r.Name,
			more: func() { a.list.only(r.Name) }, mark: func() string { return map[bool]string{true: "on", false: "off"}[a.on(r.Name)] }})
	}
	c.add(p.saved...)
	return c
}

// find lists what fits what is typed; with keep, what is chosen stays so if it is still found.
func (p *palette) find(keep bool) {
	p.looking++
	turn, all := p.looking, p.all
	p.late = true
	widget.InTurns(func(pause func()) {
		found := find.Rank(all.names, find.Low(widget.Get(p.in, "value").String()), func() {
			if pause(); p.looking != turn {
				runtime.Goexit() // something else has been typed
			}
		})
		p.late = false
		p.show(all, found, keep)
		if do := p.enter; do != nil && !p.listing {
			p.enter = nil
			do()
		}
	})
}

// show lists what was found.
func (p *palette) show(all *choices, found []int, keep bool) {
	var was board.Command
	if keep = keep && p.at > 0; keep {
		was = p.choice(p.at).Command
	}
	p.seen, p.found, p.at = all, found, 0
	if keep {
		p.at = max(0, slices.IndexFunc(found, func(n int) bool {
			c := all.at(n)
			return c.Does == was.Does && c.Of == was.Of
		}))
	}
	widget.Style(p.body, "height", strconv.Itoa(len(p.found)*paletteRow)+"px")
	if p.at == 0 {
		widget.Set(p.scroll, "scrollTop", 0)
	}
	p.render()
}

// render makes the lines that are seen.
func (p *palette) render() {
	top := int(widget.Get(p.scroll, "scrollTop").Float()) / paletteRow
	var rows []dom.Node
	p.in.RemoveAttribute("aria-activedescendant")
	for i := max(0, top-2); i < min(len(p.found), top+paletteRows+2); i++ {
		c := p.choice(i)
		id, name := "palette-"+strconv.Itoa(i), card.Capital(c.Does)
		if c.Of == "Tag" || c.Of == "Run" || c.Of == "Profile" || c.Of == notShown {
			name = c.Does
		}
		row := widget.New("div", "palette-row", widget.Attr{Key: "role", Value: "option"}, widget.Attr{Key: "id", Value: id}, widget.Attr{Key: "data-at", Value: strconv.Itoa(i)},
			widget.Attr{Key: "aria-selected", Value: fmt.Sprint(i == p.at)}, widget.Attr{Key: "aria-posinset", Value: strconv.Itoa(i + 1)}, widget.Attr{Key: "aria-setsize", Value: strconv.Itoa(len(p.found))},
			widget.New("span", "palette-name", widget.Short(name)))
		row.SetTitle(widget.Short(c.Does))
		if c.mark != nil {
			if text := c.mark(); text != "" {
				row.AppendChild(widget.New("b", "", text))
			}
		}
		if c.Of != "" {
			row.AppendChild(widget.New("span", "quiet", c.Of))
		}
		if c.Keys != "" {
			row.AppendChild(widget.New("kbd", "", c.Keys))
		}
		widget.Style(row, "top", strconv.Itoa(i*paletteRow)+"px")
		if i == p.at {
			p.in.SetAttribute("aria-activedescendant", id)
		}
		rows = append(rows, row)
	}
	widget.Replace(p.body, rows...)
	said := "Nothing has that name. Try fewer letters."
	if len(p.found) > 0 {
		said = "Enter: do it"
		if p.choice(p.at).more != nil {
			said = "Enter: switch on or off · Shift Enter: only this run"
		}
	}
	widget.Text(p.said, said)
}

func (p *palette) key(ev dom.Event) {
	e := ev.Underlying()
	step := map[string]int{"ArrowDown": 1, "ArrowUp": -1, "PageDown": paletteRows - 1, "PageUp": 1 - paletteRows}[e.Get("key").String()]
	switch {
	case e.Get("isComposing").Bool():
		return
	case e.Get("key").String() == "Enter":
		p.do(e.Get("shiftKey").Bool())
	case step != 0 && len(p.found) > 0:
		p.at += step
		if n := len(p.found); step*step == 1 {
			p.at = (p.at + n) % n
		} else {
			p.at = min(n-1, max(0, p.at))
		}
		top, high := int(widget.Get(p.scroll, "scrollTop").Float()), int(widget.Get(p.scroll, "clientHeight").Float())
		if y := p.at * paletteRow; y < top {
			widget.Set(p.scroll, "scrollTop", y)
		} else if y+paletteRow > top+high {
			widget.Set(p.scroll, "scrollTop", y+paletteRow-high)
		}
		p.render()
	default:
		return
	}
	ev.PreventDefault()
}

// do does what is chosen.
func (p *palette) do(shift bool) {
	if p.late || p.listing {
		p.enter = func() { p.do(shift) }
		return
	}
	if len(p.found) == 0 {
		return
	}
	c := p.choice(p.at)
	if shift && c.more != nil {
		c.Run, c.stay = c.more, false
	}
	if c.stay {
		c.Run()
		p.render()
		return
	}
	p.end() // the focus is where it was then, which is what commands act on
	c.Run()
}

// label is the text beside a checkbox or radio button.
func label(in dom.HTMLElement) string {
	return strings.TrimSpace(widget.Get(in, "parentElement").Get("textContent").String())
}

// choices are the values of settings, taken from their controls: whatever a dashboard has in
// its pane is found by its name, and so are the page's own.
func (p *settings) choices() []choice {
	var pane []choice
	if !p.empty {
		pane = p.choicesOf(p.el, func() { p.app.panes.show("settings") })
	}
	return append(pane, p.choicesOf(p.page, p.app.status.showPage)...)
}

// choicesOf are those of the controls in an element that show brings on the screen.
func (p *settings) choicesOf(el dom.HTMLElement, show func()) (out []choice) {
	add := func(does, mark string, run func()) {
		out = append(out, choice{Command: board.Command{Does: does, Of: "Setting", Run: run}, mark: func() string { return mark }})
	}
	now := map[bool]string{true: "now"}
	for _, e := range widget.FindAll(el, "[role=radiogroup],select,input[type=checkbox],.number,.field > input[type=range],.text-field,.text-button") {
		if e.Underlying().Call("closest", "[hidden],[disabled]").Truthy() {
			continue
		}
		name, v := e.GetAttribute("aria-label"), e.Underlying()
		click := func() { v.Call("click") }
		switch {
		case e.GetAttribute("role") == "radiogroup":
			for _, in := range widget.FindAll(e, "input") {
				add(name+": "+label(in), now[widget.Get(in, "checked").Bool()], func() { in.Underlying().Call("click") })
			}
		case v.Call("matches", "select").Bool():
			for _, o := range widget.FindAll(e, "option") {
				add(name+": "+o.TextContent(), now[widget.Get(o, "selected").Bool()], func() {
					v.Set("value", widget.Get(o, "value"))
					v.Call("dispatchEvent", widget.Event("change"))
				})
			}
		case v.Call("matches", "input[type=checkbox]").Bool():
			add(cmp.Or(name, label(e)), map[bool]string{true: "on", false: "off"}[v.Get("checked").Bool()], click)
		case v.Call("matches", "button").Bool():
			if label := strings.TrimSpace(e.TextContent()); label != "Default settings" { // it is a command
				add(label, "", click)
			}
		default:
			add(name+"…", v.Get("value").String(), func() {
				show()
				e.Focus()
				if v.Get("type").String() != "range" {
					v.Call("select")
				}
			})
		}
	}
	return out
}
