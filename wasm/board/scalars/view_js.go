package scalars

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/filter"
	"github.com/tensorbored/tensorbored-static/shared/natural"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/paint"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// Pace of following data that is being read.
const (
	dataPace = 333 * time.Millisecond // cards on screen, at most three times a second
	tagsPace = 300 * time.Millisecond // which cards there are
	restPace = 250 * time.Millisecond // cards near the screen, after the last change
)

// groupsShown is how many group heads are shown before one asks for more.
const groupsShown = 200

// view is the dashboard on the screen: a filter, and groups of cards. A card
// has its chart only while it is near the screen.
type view struct {
	host board.Host
	root dom.HTMLElement

	filterBox, count, list, empty, more dom.HTMLElement
	filter                              filter.Filter

	tags     map[string]map[string]wire.Tag
	runs     []string // shown
	groups   []Group
	sections map[string]*section
	cards    map[string]*card
	live     map[*card]bool // those that have a chart
	order    Order
	most     int     // group heads shown
	columns  int     // of cards
	turn     int     // questions asked so far
	moved    float64 // when the smoothing changed last, ms

	last    session.State // that the cards were made for
	near    *widget.Observer
	visible *widget.Observer
	phase   wire.Phase // at the last update

	onLayout *widget.Pacer
	onData   *widget.Pacer
	onRest   *widget.Timer
	onLook   *widget.Timer
	changed  map[string]bool // runs with new points since the cards were asked
	busy     float64         // the painter's time at the last onData, ms
	newTags  bool
	said     string // title of the notice in place of cards
}

// NewView implements board.Board.
func (Board) NewView(h board.Host) board.View {
	v := &view{host: h, sections: map[string]*section{}, cards: map[string]*card{}, live: map[*card]bool{}, most: groupsShown, changed: map[string]bool{}}
	v.onLayout = widget.NewPacer(tagsPace, v.layout, nil)
	v.onData = widget.NewPacer(dataPace, v.refreshData, v.paintCost)
	v.onRest = widget.NewTimer(v.pump)
	v.onLook = widget.NewTimer(v.look)
	return v
}

// Mount implements board.View.
func (v *view) Mount(into dom.HTMLElement) {
	var field dom.HTMLElement
	v.filterBox, field = widget.Search("Filter tags (regex)", "tag-filter", func(text string) {
		v.host.Set(func(s *session.State) { s.TagFilter = text })
	})
	v.filterBox.SetAttribute("aria-keyshortcuts", "/")
	v.count = widget.New("span", "quiet", widget.Attr{Key: "role", Value: "status"})
	expand := widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, "Expand all", widget.Click(func() { v.openAll(true) }))
	collapse := widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, "Collapse all", widget.Click(func() { v.openAll(false) }))
	v.list = widget.New("div", "groups", widget.On("click", v.click))
	v.more = widget.New("button", "more", widget.Attr{Key: "type", Value: "button"}, widget.Click(func() { v.most += groupsShown; v.layout() }))
	v.empty = widget.New("div", "notice")
	v.root = widget.New("div", "timeseries",
		widget.New("div", "bar", field, v.count, widget.New("span", "fill"), expand, collapse), v.list, v.empty)
	into.AppendChild(v.root)
	v.near = widget.NewObserver(into, "100% 0px")
	v.visible = widget.NewObserver(into, "0px")
	widget.OnResize(v.root, v.width)
	v.last = v.host.State().Clone()
	v.newTags = true
	v.applyFilter()
	v.layout()
}

// Close implements board.View.
func (v *view) Close() {
	for _, c := range v.cards {
		c.close()
	}
	v.root.Remove()
}

// Update implements board.View.
func (v *view) Update(u board.Update) {
	s := v.host.State()
	// Every file has been glimpsed: now each card can show its runs over their
	// whole range, which is what the user waits for. The rest may take its time.
	phase := v.host.Data().Status().Phase
	if v.phase == wire.Preview && phase == wire.Reading {
		v.newTags = true
		v.layout()
		v.each((*card).hurry)
	}
	v.phase = phase
	if u.Tags {
		v.newTags = true
	}
	if u.State {
		v.settings(s)
	}
	if u.Runs {
		v.runs = v.host.Runs()
		v.layout()
		if u.Calm {
			// Runs change places as their first events are read. Asking for every
			// card at once each time took three fifths of the workers' time.
			v.each((*card).renew)
		} else {
			v.each((*card).reshape)
		}
		return
	}
	if u.Tags {
		v.onLayout.Ask()
	}
	if len(u.Data) > 0 {
		for _, r := range u.Data {
			v.changed[r] = true
		}
		v.onData.Ask()
	}
}

// settings hands on what the user changed, and no more than that.
func (v *view) settings(s *session.State) {
	old := v.last
	v.last = s.Clone()
	if s.TagFilter != old.TagFilter {
		v.most = groupsShown
		v.applyFilter()
		v.layout()
	}
	if !sameBools(s.Groups, old.Groups) || !sameBools(s.Wide, old.Wide) {
		v.layout()
	}
	if s.CardWidth != old.CardWidth {
		v.width()
	}
	shape := s.X != old.X || s.Outliers != old.Outliers || (s.Smoothing > 0) != (old.Smoothing > 0)
	v.each(func(c *card) {
		if shape || s.ScaleOf(c.tag) != old.ScaleOf(c.tag) {
			c.axes()
		}
	})
	switch {
	case s.X != old.X:
		v.each(func(c *card) {
			c.x0, c.x1 = 0, 0
			widget.Hide(c.fit, true)
			c.reshape()
		})
	case s.Smoothing != old.Smoothing:
		v.moved = widget.Now()
		v.each((*card).smoothen)
	}
}

func sameBools(a, b map[string]bool) bool {
	if len(a) != len(b) {
		return false
	}
	for k, x := range a {
		if y, ok := b[k]; !ok || x != y {
			return false
		}
	}
	return true
}

func (v *view) applyFilter() {
	text := v.host.State().TagFilter
	widget.SetValue(v.filterBox, text)
	why := ""
	if err := v.filter.Set(text); err != nil {
		why = err.Error()
	}
	widget.Invalid(v.filterBox, why)
}

// each calls f for the cards that have a chart, those on screen first.
func (v *view) each(f func(*card)) {
	list := make([]*card, 0, len(v.live))
	for c := range v.live {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b *card) int {
		if a.visible != b.visible {
			return map[bool]int{true: -1, false: 1}[a.visible]
		}
		return natural.Compare(a.tag, b.tag)
	})
	for _, c := range list {
		f(c)
	}
}

// underWay is how many cards may wait for their curves at a time. More would
// only lengthen the queues before workers and painter, and what stands in a
// queue is soon out of date.
const underWay = 4

// pump lets cards ask whose picture is out of date: those on screen first, each
// in its turn. Cards off the screen wait until nothing has moved for a while.
func (v *view) pump() {
	busy := 0
	for c := range v.live {
		if c.busy() {
			busy++
		}
	}
	for ; busy < underWay; busy++ {
		var next *card
		for c := range v.live {
			if !c.stale || c.busy() {
				continue
			}
			if next == nil || c.visible && !next.visible || c.visible == next.visible && c.before(next) {
				next = c
			}
		}
		if next == nil {
			return
		}
		if !next.visible && widget.Now()-v.moved < float64(restPace.Milliseconds()) {
			v.onRest.Soon(restPace)
			return
		}
		v.turn++
		next.turn = v.turn
		next.ask()
	}
}

// before orders cards by when they asked last, then as they stand on the page.
func (c *card) before(o *card) bool {
	if c.turn != o.turn {
		return c.turn < o.turn
	}
	return natural.Less(c.tag, o.tag)
}

// reading is how much dearer a picture is while there is much to read. The browser
// needs some two times the painter's own time to bring it to the screen, and on a
// machine of two cores all of it is taken from the workers: reading 1.1 GB took
// twice as long with the cards at their usual pace.
const reading = 8

// paintCost is what the last refresh cost besides its own time, in milliseconds.
func (v *view) paintCost() float64 {
	ms := paint.Busy() - v.busy
	if v.host.Data().Status().Phase == wire.Reading {
		ms *= reading
	}
	return ms
}

func (v *view) refreshData() {
	v.busy = paint.Busy()
	// A run's first points come with its first tags.
	v.readTags()
	changed := v.changed
	v.changed = map[string]bool{}
	v.each(func(c *card) {
		for _, r := range TagRuns(v.tags, v.runs, c.tag) {
			if changed[r] {
				c.renew()
				return
			}
		}
	})
}

// look tells the reader what is on screen, so that it is read first.
func (v *view) look() {
	var tags []string
	v.each(func(c *card) { tags = append(tags, c.tag) })
	v.host.Data().Look(v.runs, tags)
}

// readTags looks which tags there are, if that may have changed.
func (v *view) readTags() {
	if v.newTags {
		v.tags = v.host.Data().Tags(Plugin)
		v.newTags = false
		v.each((*card).label)
	}
}

// layout brings the groups and cards on screen to what there is.
func (v *view) layout() {
	s := v.host.State()
	v.readTags()
	if v.runs == nil {
		v.runs = v.host.Runs()
	}
	v.groups = Groups(&v.order, v.tags, v.runs, v.filter.Match)
	open := Open(v.groups, s.Groups, !v.filter.All())
	n := 0
	keep := map[string]bool{}
	var order []dom.Node
	for i, g := range v.groups {
		n += len(g.Tags)
		if i >= v.most {
			continue
		}
		sec := v.sections[g.Name]
		if sec == nil {
			sec = newSection(v, g.Name)
			v.sections[g.Name] = sec
		}
		sec.show(g.Tags, open[i], keep)
		order = append(order, sec.el)
	}
	for t, c := range v.cards {
		if !keep[t] {
			c.close()
			delete(v.cards, t)
		}
	}
	if rest := len(v.groups) - v.most; rest > 0 {
		widget.Text(v.more, fmt.Sprintf("Show %d more groups of %d", min(rest, groupsShown), rest))
		order = append(order, v.more)
	}
	widget.Arrange(v.list, order)
	v.width()
	v.say(n)
	v.onLook.Start(restPace)
}

// gap between cards, in CSS pixels, as in static/cards.css.
const gap = 12

// width lays out the columns: as many as fit, and for each group as many as it
// has cards, so that small groups share a row.
func (v *view) width() {
	space := v.list.OffsetWidth() + gap
	v.columns = max(1, int(space)/(v.host.State().CardWidth+gap))
	widget.Style(v.list, "--columns", strconv.Itoa(v.columns))
	for _, s := range v.sections {
		s.span()
	}
}

func (v *view) openAll(open bool) {
	groups := v.groups
	v.host.Set(func(s *session.State) {
		if s.Groups == nil {
			s.Groups = map[string]bool{}
		}
		for _, g := range groups {
			s.Groups[g.Name] = open
		}
	})
}
