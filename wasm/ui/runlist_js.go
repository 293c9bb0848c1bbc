package ui

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/board/hparams"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars/paint"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

const (
	rowHeight = 28 // CSS pixels, as in app.css
	overscan  = 6  // rows made beyond each edge of what is seen
)

// runList is the left pane. Only the rows on screen exist, so that ten thousand
// runs scroll as well as ten; all listeners are on the list, none on a row.
type runList struct {
	top, high, gutter       int // what is seen of scroll, and how wide its bar is, CSS pixels
	app                     *app
	fitter                  fitter
	el, search, count, note dom.HTMLElement
	all, scroll, body       dom.HTMLElement
	common                  dom.HTMLElement // what the names have in common
	hidden                  dom.HTMLElement // shows the runs that are hidden for good again
	rows                    []row
	drawn                   []row // those of the last picture
	pool                    []*runRow
	draw                    *widget.Frame
	anchor                  string          // run that a Shift click reaches from
	pointed                 string          // run that the pointer is on, "" none
	head, what, place       dom.HTMLElement // what values are of: the card, and which of its values
	scale                   dom.HTMLElement // which values the colours stand for
	sparks                  *sparks
	cells                   *cells
	reading                 board.Reading
	read                    *widget.Frame
	stop                    int                  // row that the Tab key comes to
	alone                   []string             // runs that were chosen to be shown alone
	again                   func(*session.State) // shows what was shown before
}

// runRow is a row's elements; at is the index in rows that they show, -1 none.
type runRow struct {
	at                                       int
	el, fold, box, swatch, name, count, only dom.HTMLElement
	began, value, more, common, spark        dom.HTMLElement
	label                                    string
	face                                     rowFace  // that it shows
	says                                     rowValue // in value
	near                                     bool     // its curve is the one that is nearest to the pointer
	curve                                    sparkOf  // in spark
	stop                                     bool     // the list's one stop of the Tab key
	cells                                    []dom.HTMLElement
}

func newRunList(a *app) *runList {
	l := &runList{app: a, fitter: fitter{}}
	l.draw = widget.NewFrame(l.render)
	l.read = widget.NewFrame(l.showReading)
	l.sparks = newSparks(l)
	l.what, l.place = widget.Cut("span", ""), widget.New("span", "")
	l.head = widget.New("div", "run-columns quiet", widget.Attr{Key: "aria-hidden", Value: "true"}, l.what, l.place)
	order := widget.IconButton("arrow-up-down", "Order and columns", nil)
	widget.Listen(order, "click", func(dom.Event) { l.chooseOrder(order) })
	var field dom.HTMLElement
	l.search, field = widget.Filter("Filter runs (regex)", "run-filter", func(text string) {
		a.Set(func(s *session.State) { session.RunFilter.Set(s, text) })
	})
	l.search.SetAttribute("aria-keyshortcuts", "r")
	l.all = widget.New("input", "", widget.Attr{Key: "type", Value: "checkbox"}, widget.Attr{Key: "aria-label", Value: "All listed runs"})
	widget.Listen(l.all, "change", func(dom.Event) { l.set(l.listed(), widget.Get(l.all, "checked").Bool()) })
	l.count = widget.New("span", "", widget.Attr{Key: "role", Value: "status"})
	l.note = widget.New("p", "run-note quiet")
	l.common = widget.New("p", "run-note run-common quiet", widget.Attr{Key: "title", Value: "What these names have in common"})
	l.hidden = widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, widget.Click(func() {
		a.Set(func(s *session.State) { session.RunsHidden.Reset(s) })
	}))
	l.cells = newCells(l)
	table := widget.IconButton("table", "Table of runs", func() {
		a.Set(func(s *session.State) { session.Board.Set(s, hparams.ID) })
	})
	colors := widget.IconButton("palette", "Colours of runs", nil)
	widget.Listen(colors, "click", func(dom.Event) { a.ChooseGroups(colors) })
	l.scale = widget.New("button", "run-scaled", widget.Attr{Key: "type", Value: "button"}, widget.Attr{Key: "title", Value: "Colours of runs"})
	widget.Listen(l.scale, "click", func(dom.Event) { a.ChooseGroups(l.scale) })
	l.body = widget.New("div", "run-rows", widget.Attr{Key: "role", Value: "list"}, widget.Attr{Key: "aria-label", Value: "Runs"})
	l.scroll = widget.New("div", "run-scroll", l.body)
	l.el = widget.New("div", "run-list", widget.New("div", "run-head", field,
		widget.New("div", "pair", widget.New("label", "check fill", l.all, l.count), table, order, colors), l.note, l.hidden), l.common, l.head, l.cells.head, l.scroll,
		widget.New("div", "run-offer", l.scale, a.hues.offer, a.seeds.el)) // below: rows do not move under the pointer when it comes
	widget.Listen(l.scroll, "scroll", func(dom.Event) { l.look() })
	widget.OnResize(l.scroll, l.look)
	widget.Listen(l.body, "click", l.click)
	widget.Listen(l.body, "dblclick", func(ev dom.Event) {
		if r := l.at(ev); r != nil && !r.Folder && !hits(ev, "[data-do]") {
			l.only(r.Name)
		}
	})
	widget.Listen(l.body, "keydown", l.key)
	widget.Listen(l.body, "focusin", func(ev dom.Event) {
		l.stop = ev.Underlying().Get("target").Call("closest", ".run").Get("tbRow").Int()
		l.draw.Ask()
	})
	widget.Listen(l.body, "mouseover", func(ev dom.Event) {
		l.pointed = ""
		if r := l.at(ev); r != nil && !r.Folder {
			l.pointed = r.Name
		}
		l.mark()
	})
	widget.Listen(l.body, "mouseleave", func(dom.Event) {
		l.pointed = ""
		l.mark()
	})
	return l
}

// mark marks the lines of the run that the pointer is on, if it is switched on. Under the
// pointer it may be switched off, or take another colour.
func (l *runList) mark() {
	run := l.pointed
	if run != "" && !l.app.on(run) {
		run = ""
	}
	l.app.view.Highlight(run)
}

// update brings the list to the state and the runs.
func (l *runList) update() {
	a := l.app
	widget.SetValue(l.search, session.RunFilter.Of(&a.state))
	why := ""
	if err := a.runFilter.Set(session.RunFilter.Of(&a.state)); err != nil {
		why = "Not filtered: " + err.Error()
	}
	widget.Invalid(l.search, why)
	l.cells.update()
	by := session.RunSort.Of(&a.state)
	runs, sorted := l.cells.sort(sortRuns(a.runs, by, a.newest > 0, a.Name, a.rank.value))
	if sorted || a.rank.on() {
		l.rows = flat(runs, a.Listed)
	} else {
		l.rows = rows(runs, a.Listed, session.Folders.Of(&a.state))
	}
	common := l.fitter.shorten(l.rows, a.given, l.room, widget.TextWidth)
	widget.Text(l.common, common)
	widget.Hide(l.common, common == "")
	on, listed := 0, 0
	for _, r := range a.runs {
		if a.Listed(r.Name) {
			listed++
			if a.on(r.Name) {
				on++
			}
		}
	}
	l.tick(l.all, on, listed)
	widget.Set(l.all, "disabled", listed == 0)
	count := fmt.Sprintf("%s of %s shown", widget.Thousands(on), widget.Count(len(a.runs), "run", "runs"))
	widget.Text(l.count, count)
	l.count.SetTitle(count)
	note := ""
	switch {
	case len(a.runs) > 0 && listed == 0 && a.hidden() < len(a.runs):
		note = "No run matches the filter."
	case a.newest > 0 && !a.narrow && len(session.Runs.Of(&a.state)) == 0:
		note = fmt.Sprintf("Only the %d newest runs are shown. Tick others to show them.", a.newest)
	case session.RunCalled.Of(&a.state) == session.CalledParams && a.called == nil && a.phase.Done():
		note = "No hyperparameter tells these runs apart, so their names are shown."
	}
	hidden := a.hidden()
	widget.Text(l.hidden, widget.Thousands(hidden)+" hidden: show")
	widget.Hide(l.hidden, hidden == 0)
	a.hues.show()
	a.seeds.show()
	a.showScale(l.scale)
	widget.Text(l.note, note)
	widget.Hide(l.note, note == "")
	widget.Style(l.body, "height", strconv.Itoa(len(l.rows)*rowHeight)+"px")
	for _, p := range l.pool {
		if p.at >= 0 { // the others are hidden already
			p.at = -1
		}
	}
	l.draw.Ask()
	l.read.Ask()
	if l.pointed != "" {
		l.mark()
	}
}

// room is how much a row has for a name, in CSS pixels, as static/runs.css has it.
func (l *runList) room(r *row) float64 {
	if r.Folder {
		const fold = 44
		return float64(l.inner(r.Depth)-fold) / widget.Bold
	}
	wide := l.wide(r.Depth)
	if l.sparks.on() {
		wide -= sparkWidth
	}
	return float64(wide)
}

// inner is how much a row in so many folders has for all that not every row has, in CSS pixels.
func (l *runList) inner(depth int) int {
	const fixed = 72
	return session.RunsWidth.Of(&l.app.state) - fixed - l.gutter - 10*depth - len(l.cells.keys)*cellWidth
}

// wide is how much of that a run's row has for its name and its curve.
func (l *runList) wide(depth int) int {
	s := &l.app.state
	const value, began, menu = 62, 92, 26
	wide := l.inner(depth)
	if session.RunValues.Of(s) {
		wide -= value
	}
	if session.RunStarts.Of(s) {
		wide -= began
	}
	if !widget.Hovers() {
		wide -= menu
	}
	return wide
}

// tick shows on of n: checked, not, or in between.
func (l *runList) tick(box dom.HTMLElement, on, n int) {
	widget.Set(box, "checked", on > 0 && on == n)
	widget.Set(box, "indeterminate", on > 0 && on < n)
}

// look takes in what is seen of the list. It is asked for when that changes: in the middle
// of a change of rows the browser would lay everything out to answer.
func (l *runList) look() {
	l.top, l.high = int(widget.Get(l.scroll, "scrollTop").Float()), int(widget.Get(l.scroll, "clientHeight").Float())
	// A scroll bar that takes room leaves less for names.
	if gutter := widget.Get(l.scroll, "offsetWidth").Int() - widget.Get(l.scroll, "clientWidth").Int(); gutter != l.gutter {
		l.gutter = gutter
		l.update()
	}
	l.draw.Ask()
}

// render fills the rows that are seen.
func (l *runList) render() {
	top, seen := l.top/rowHeight, l.high/rowHeight+2
	from := max(0, top-overscan)
	to := min(len(l.rows), top+seen+overscan)
	for len(l.pool) < min(len(l.rows), seen+2*overscan) {
		l.pool = append(l.pool, l.newRow(len(l.pool)))
	}
	look(l.rows[min(from, to):to])
	l.drawn = l.rows
	stop := max((l.top+rowHeight-1)/rowHeight, min(l.stop, (l.top+l.high)/rowHeight-1)) // in sight
	stop = max(0, min(stop, len(l.rows)-1))
	n := len(l.pool)
	used := make([]bool, n)
	for i := from; i < to; i++ {
		// A row keeps its element while it is in sight, and the focus with it.
		p := l.pool[i%n]
		used[i%n] = true
		if p.at != i || p.label != l.rows[i].Label {
			l.fill(p, i)
		}
		if p.stop != (i == stop) {
			p.stop = i == stop
			p.box.SetAttribute("tabindex", map[bool]string{true: "0", false: "-1"}[p.stop])
		}
	}
	for i, p := range l.pool {
		if !used[i] && p.at != -2 {
			p.at, p.face = -2, rowFace{}
			widget.Hide(p.el, true)
		}
	}
	l.read.Ask()
}

func (l *runList) newRow(index int) *runRow {
	p := &runRow{at: -1}
	button := func(icon, name, do string) dom.HTMLElement {
		b := widget.IconButton(icon, name, nil)
		b.SetAttribute("data-do", do)
		b.SetAttribute("tabindex", "-1")
		return b
	}
	p.fold = button("chevron-right", "Open or close", "fold")
	p.box = widget.New("input", "", widget.Attr{Key: "type", Value: "checkbox"}, widget.Attr{Key: "tabindex", Value: "-1"})
	p.swatch = widget.New("button", "swatch", widget.Attr{Key: "type", Value: "button"}, widget.Attr{Key: "data-do", Value: "color"}, widget.Attr{Key: "tabindex", Value: "-1"})
	p.name = widget.Cut("span", "run-name")
	p.began, p.value = widget.New("span", "run-began quiet num"), widget.New("span", "run-value num")
	p.spark = widget.New("span", "run-spark")
	p.more = button("ellipsis-vertical", "Run", "more")
	p.more.SetAttribute("aria-haspopup", "menu")
	p.count = widget.New("span", "quiet num")
	p.common = widget.New("span", "run-common quiet")
	p.only = button("focus", "Only this (double click)", "only")
	p.el = widget.New("div", "run", widget.Attr{Key: "role", Value: "listitem"}, p.fold, p.box, p.swatch, p.name, p.common, p.count, p.only, p.more, p.began, p.spark, p.value)
	l.body.AppendChild(p.el)
	return p
}

// rowFace is all that a row says but for its number and its curve.
type rowFace struct {
	at, rows, depth                                  int
	on, of                                           int // of its runs so many are on
	folder, closed, base                             bool
	name, label, whole, common, began, title, swatch string
	cells                                            string
}

// face is the face of row i.
func (l *runList) face(i int) rowFace {
	a, r := l.app, &l.rows[i]
	f := rowFace{at: i, rows: len(l.rows), depth: r.Depth, folder: r.Folder, closed: r.Closed, name: r.Name, label: r.Label,
		common: r.Common, title: r.Name, cells: l.cells.face(r.Name)}
	if f.base = !r.Folder && r.Name == session.Baseline.Of(&a.state); f.base {
		f.title += " (baseline)"
	}
	if note, _ := session.RunNotes.Get(&a.state, r.Name); note != "" {
		f.title += "\n" + note
	}
	if r.Folder {
		// The colours of its first lines; that of a mean is the one of its run that is drawn first.
		colors, last, least := []string{}, "", 0
		means := scalars.Together.Of(&a.state) == scalars.ByFolder
		for _, run := range r.Runs {
			if !a.on(run) {
				continue
			}
			f.on++
			of, rank := "", 0
			if means {
				of, _ = scalars.FolderOf(run)
				rank = paint.Rank(run)
			}
			switch same := means && f.on > 1 && of == last; {
			case !same:
				colors, least = append(colors, a.Color(run)), rank
			case rank < least:
				colors[len(colors)-1], least = a.Color(run), rank
			}
			last = of
		}
		stripes := ""
		for i, color := range colors[:min(len(colors), 3)] {
			stripes += fmt.Sprintf(",%s %d%% %d%%", color, 100*i/min(len(colors), 3), 100*(i+1)/min(len(colors), 3))
		}
		f.swatch, f.of = "linear-gradient(90deg"+stripes+")", len(r.Runs)
		return f
	}
	if called := a.Name(r.Name); called != r.Label {
		f.whole = called
	}
	if session.RunStarts.Of(&a.state) {
		f.began = startText(a.began[r.Name])
	}
	if f.of = 1; a.on(r.Name) {
		f.on = 1
	}
	f.swatch = a.Color(r.Name)
	return f
}

// fill makes a row's element show row i. While files are read it is asked for four times a second,
// and nearly always shows that already: each thing that is written is a way out of Go.
func (l *runList) fill(p *runRow, i int) {
	f := l.face(i)
	p.at = i
	l.tick(p.box, f.on, f.of) // a click has ticked it already
	if f == p.face {
		return
	}
	other := f.name != p.face.name || f.folder != p.face.folder
	p.face = f
	widget.Hide(p.el, false)
	widget.Style(p.el, "transform", fmt.Sprintf("translateY(%dpx)", i*rowHeight))
	widget.Set(p.el, "tbRow", i)
	p.el.SetAttribute("aria-posinset", strconv.Itoa(i+1))
	p.el.SetAttribute("aria-setsize", strconv.Itoa(f.rows))
	widget.Toggle(p.el, "folder", f.folder)
	widget.Style(p.el, "--depth", strconv.Itoa(f.depth))
	if p.label != f.label {
		p.label = f.label
		if widget.TextWidth(f.label) <= l.room(&l.rows[i]) {
			widget.SetFit(p.name, f.label)
		} else {
			widget.SetCut(p.name, f.label)
		}
	}
	p.name.SetAttribute("data-whole", f.whole)
	widget.Text(p.common, f.common)
	p.common.SetTitle(f.common)
	l.cells.fill(p, f.name)
	if other {
		p.say(rowValue{})
	}
	widget.Text(p.began, f.began)
	widget.Hide(p.began, f.began == "")
	widget.Hide(p.more, f.folder)
	widget.Toggle(p.el, "base", f.base)
	p.name.SetTitle(f.title)
	p.box.SetAttribute("aria-label", f.name)
	widget.Hide(p.fold, !f.folder)
	widget.Hide(p.count, !f.folder)
	widget.Toggle(p.el, "off", f.on == 0)
	widget.Style(p.swatch, "--swatch", f.swatch)
	if f.folder {
		p.fold.SetAttribute("aria-expanded", fmt.Sprint(!f.closed))
		p.swatch.SetAttribute("aria-label", "Colours of "+f.name)
		widget.Text(p.count, strconv.Itoa(f.of))
		return
	}
	widget.Style(p.spark, "color", f.swatch)
	p.swatch.SetAttribute("aria-label", "Colour of "+f.name)
	p.swatch.SetTitle("Colour")
}

// rowValue is the number in a row, as it stands there.
type rowValue struct {
	text, pad, title string
	elsewhere        bool // it is of another step
}

// say writes it.
func (p *runRow) say(v rowValue) {
	was := p.says
	p.says = v
	if v.pad != was.pad {
		p.value.SetAttribute("data-pad", v.pad)
	}
	if v.text != was.text {
		widget.Text(p.value, v.text)
	}
	if v.elsewhere != was.elsewhere {
		widget.Toggle(p.value, "elsewhere", v.elsewhere)
	}
	if v.title != was.title {
		p.value.SetTitle(v.title)
	}
}

// listed are the runs that match the filter, those of closed folders too.
func (l *runList) listed() []string {
	var out []string
	for _, r := range l.app.runs {
		if l.app.Listed(r.Name) {
			out = append(out, r.Name)
		}
	}
	return out
}

// set switches runs on or off. A choice that is what there is without one is
// not kept.
func (l *runList) set(runs []string, on bool) {
	l.app.Set(func(s *session.State) {
		m := maps.Clone(session.Runs.Of(s))
		if m == nil {
			m = map[string]bool{}
		}
		for _, r := range runs {
			if l.app.byRule(r) == on {
				delete(m, r)
			} else {
				m[r] = on
			}
		}
		session.Runs.Set(s, m)
	})
}

// only shows these runs and no other; done again, those that were shown before, or all.
func (l *runList) only(runs ...string) {
	a := l.app
	// alone says whether so many runs are shown, and they.
	alone := func(runs []string) bool {
		return len(runs) > 0 && len(runs) == len(a.shown) && !slices.ContainsFunc(runs, func(r string) bool { return !slices.Contains(a.shown, r) })
	}
	if again := l.again; again != nil && alone(runs) {
		l.again = nil
		a.Set(again)
		return
	}
	if alone(runs) {
		on := map[string]bool{}
		for _, r := range a.runs {
			if want := a.runFilter.Any(r.Name, a.Name(r.Name)) || a.on(r.Name); want != a.first(r.Name) {
				on[r.Name] = want
			}
		}
		a.Set(func(s *session.State) {
			session.Runs.Set(s, on)
			session.OthersOff.Reset(s)
		})
		return
	}
	if l.again == nil || !alone(l.alone) { // from one run to another what was shown before all of them stays
		on, off := session.Runs.Of(&a.state), session.OthersOff.Of(&a.state)
		l.again = func(s *session.State) {
			session.Runs.Set(s, on)
			session.OthersOff.Set(s, off)
		}
	}
	l.alone = runs
	keep := map[string]bool{}
	for _, r := range runs {
		keep[r] = true
	}
	a.Set(func(s *session.State) {
		session.Runs.Set(s, keep)
		session.OthersOff.Set(s, true)
	})
}
