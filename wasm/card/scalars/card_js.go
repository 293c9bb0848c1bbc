package scalars

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/derive"
	"github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars/paint"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// curves is one tag's card. Near the screen it has a chart and asks for its curves. One
// question is under way at a time: a moving slider makes the next one only when the last
// answer is on the screen.
type curves struct {
	l                *live
	slot             *card.Slot
	tag              string // of several those of the CardID
	scale, fit, more dom.HTMLElement
	plot, table      dom.HTMLElement
	said             dom.HTMLElement // what is wrong with a chart of a layout; else nil
	chart            *paint.Chart    // nil away from the screen

	asked     card.Question
	askedRows card.Question    // for the table
	askedAt   [2]card.Question // for the pointer, and for the pinned table
	// for a file of means
	askedMeans card.Question
	rev        int     // counts changes other than the smoothing
	x0, x1     float64 // zoomed range in units of x; equal: all
	pixels     int     // width of the plot that was asked for
	shown      Zoom    // the range that the chart shows
	hasRight   bool    // the chart has a right axis
	first      bool    // a first answer is on screen, a better one follows
	whole      string  // the range of which every point is on screen; "" = not every one
	thinned    bool    // the painter has not every point that is kept
}

// kinds are the painter's words for scales.
var kinds = map[Scale]string{Linear: "linear", Log: "log", Symlog: "symlog"}

// xKind is the painter's word for the horizontal scale, with the zone of a symlog.
func xKind(s *session.State, tag string) string {
	kind := kinds[curveScale(s, tag)]
	if zone := SymlogZone.Of(s); kind == "symlog" && zone > 0 {
		kind += ":" + plain(zone)
	}
	return kind
}

// New implements card.Live.
func (l *live) New(s *card.Slot) card.Card { return &curves{l: l, slot: s, tag: s.ID.Tag} }

// curvesOf are the tags whose curves a card shows, and the edges of the bands around them.
func (l *live) curvesOf(id session.CardID) (tags []string, bands [][2]string) {
	if l.laid == nil {
		return id.Tags(), nil
	}
	return l.laid.TagsOf(id), l.laid.Bands(id)
}

// name is what a card is called.
func (l *live) name(id session.CardID) string {
	if l.laid != nil {
		return l.laid.Meta(id, nil).Name
	}
	return card.SuperTitle(l.host.State(), id)
}

func (c *curves) name() string { return c.l.name(c.slot.ID) }

// names are tags as people read them.
func names(tags []string) []string {
	out := make([]string, len(tags))
	for i, t := range tags {
		out[i] = derive.Text(t)
	}
	return out
}

// Build implements card.Card.
func (c *curves) Build() (body dom.HTMLElement, before, after []dom.HTMLElement) {
	c.scale = widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, widget.Attr{Key: "data-do", Value: "scale"})
	c.fit = card.Button("scan", "Fit to the data (double click)", "fit")
	c.more = card.Button("ellipsis-vertical", "More", "more")
	c.plot = widget.New("div", "plot", widget.Attr{Key: "role", Value: "img"}, widget.Attr{Key: "aria-label", Value: "Not drawn yet"})
	c.table = widget.New("div", "steps-table", widget.Attr{Key: "role", Value: "region"}, widget.Attr{Key: "aria-label", Value: "Values at the marked steps"}, widget.Attr{Key: "tabindex", Value: "0"})
	widget.Hide(c.table, true)
	body = widget.New("div", "curves", c.plot, c.table)
	if c.l.laid != nil {
		c.said = widget.New("p", "card-said", widget.Attr{Key: "role", Value: "status"})
		body = widget.New("div", "curves", c.plot, c.said, c.table)
	}
	return body, []dom.HTMLElement{c.fit, c.scale}, []dom.HTMLElement{c.more}
}

// Open implements card.Card: it gives the card its chart.
func (c *curves) Open() {
	c.chart = paint.NewChart(c.plot, c.name(), names(c.slot.Tags()), paint.Events{
		Zoom: func(z paint.Zoom, zoomed bool) {
			c.zoomed(z, zoomed)
			c.Reshape()
		},
		Painted: c.slot.Painted,
		Fob:     c.fob,
		At:      c.at,
		Size: func(pixels int) {
			// More pixels than were asked for: there may be more points to show.
			if pixels > c.pixels+c.pixels/8 && c.pixels > 0 {
				c.Reshape()
			}
		},
	})
	c.l.open[c] = true
	c.hasRight = false
	c.axes()
	// A zoom outlasts being scrolled away, or folded in.
	c.rezoom()
	c.showMarks()
	c.Reshape()
}

// axis names what the horizontal axis is and how it is scaled.
func (c *curves) axis() string { return axisOf(c.l.host.State(), c.tag) }

// zoomed keeps what the chart shows: a range, in values, or with !on all.
func (c *curves) zoomed(z paint.Zoom, on bool) {
	c.shows(z, on)
	c.l.host.Set(func(s *session.State) {
		now := Zoom{Axis: axisOf(s, c.tag)}
		if on && z.X1 > z.X0 {
			now.X0, now.X1 = z.X0, z.X1
		}
		if on && z.Y1 > z.Y0 {
			now.Y0, now.Y1 = z.Y0, z.Y1
		}
		SetZoom(s, c.slot.ID, now)
	})
}

// shows is zoomed without keeping it.
func (c *curves) shows(z paint.Zoom, on bool) {
	c.shown = Zoom{}
	if on && z.X1 > z.X0 { // else x is fitted
		c.shown.X0, c.shown.X1 = z.X0, z.X1
	}
	if on && z.Y1 > z.Y0 {
		c.shown.Y0, c.shown.Y1 = z.Y0, z.Y1
	}
	c.x0, c.x1 = c.shown.X0, c.shown.X1
	widget.Hide(c.fit, !on)
}

// rezoom brings the chart to the range that the settings say.
func (c *curves) rezoom() {
	z := zoomOf(c.l.host.State(), c.slot.ID)
	to := rangeOf(z)
	c.chart.SetZoom(to)
	c.shows(to, z.some())
}

// Shut implements card.Card: it takes the chart away, and its memory.
func (c *curves) Shut() {
	c.asked.Drop()
	c.askedRows.Drop()
	for i := range c.askedAt {
		c.askedAt[i].Drop()
	}
	delete(c.l.open, c)
	if c.chart != nil {
		c.chart.Close()
		c.chart = nil
	}
	c.x0, c.x1, c.whole = 0, 0, ""
}

// axes hands the settings to the chart.
func (c *curves) axes() {
	s := c.l.host.State()
	y := ScaleOf(s, c.tag)
	c.hasRight = setUp(c.chart, s, c.slot.ID, c.hasRight)
	text := map[Scale]string{Linear: "Lin", Log: "Log", Symlog: "±Log"}[y]
	widget.Text(c.scale, text)
	name := "Y axis: " + map[Scale]string{Linear: "linear", Log: "logarithmic", Symlog: "symmetric log"}[y] + " (click to change)"
	c.scale.SetTitle(name)
	c.scale.SetAttribute("aria-label", text+", "+name) // who speaks to the page says what is written
}

// setUp hands a card's settings to its chart, which had a right axis, or had none. It
// reports whether it has one now.
func setUp(chart *paint.Chart, s *session.State, id session.CardID, hadRight bool) bool {
	chart.Set(string(XOf(s)), xKind(s, id.Tag), kinds[ScaleOf(s, id.Tag)], SymlogZone.Of(s), Outliers.Of(s), SmoothingOf(s, id.Tag) > 0, Reach(s, id.Tag))
	if id.Part != "" {
		chart.SetJoin(id.Tag, id.Part, card.PartName(id.Part))
	}
	right, scale := rightOf(s, id)
	if len(right) > 0 || hadRight {
		limits, _ := RightLimits.Get(s, id.String())
		chart.SetRight(right, kinds[scale], SymlogZone.Of(s), limits.Lo, limits.Hi)
	}
	return len(right) > 0
}

// rightOf are the numbers of a card's tags on the right axis, and its scale: that of the
// first one.
func rightOf(s *session.State, id session.CardID) (numbers []int, scale Scale) {
	on, _ := RightTags.Get(s, id.String())
	for i, t := range id.Tags() {
		if slices.Contains(on, t) {
			if len(numbers) == 0 {
				scale = ScaleOf(s, t)
			}
			numbers = append(numbers, i)
		}
	}
	return numbers, scale
}

// queryOf asks for a card's curves of runs between x0 and x1 (equal: all).
func (l *live) queryOf(id session.CardID, runs []string, x0, x1 float64, pixels int) scalars.Curves {
	s := l.host.State()
	tags, bands := l.curvesOf(id)
	return scalars.Curves{Tag: tags[0], Others: tags[1:], Bands: bands, Runs: runs, Weight: SmoothingOf(s, id.Tag), Smoother: SmootherOf(s, id.Tag), X: XOf(s), XTag: XTag.Of(s), XScale: xKind(s, id.Tag),
		X0: x0, X1: x1, Pixels: pixels, Partition: Partition.Of(s), Even: Together.Of(s) != EachRun}
}

// compared adds to the runs that a card shows the baseline, if it is not among them: beside.
func (l *live) compared(runs []string) (all []string, beside string) {
	base := Baseline.Of(l.host.State())
	if base == "" || slices.Contains(runs, base) {
		return runs, ""
	}
	return append(slices.Clip(runs), base), base
}

// rangeOf is a zoom as the painter wants it.
func rangeOf(z Zoom) paint.Zoom {
	out := paint.Zoom{X0: math.NaN(), X1: math.NaN(), Y0: math.NaN(), Y1: math.NaN()}
	if z.X1 > z.X0 {
		out.X0, out.X1 = z.X0, z.X1
	}
	if z.Y1 > z.Y0 {
		out.Y0, out.Y1 = z.Y0, z.Y1
	}
	return out
}

// Settings implements card.Card.
func (c *curves) Settings(old, now *session.State) {
	axis := XOf(old) != XOf(now) || xKind(old, c.tag) != xKind(now, c.tag) || XOf(now) == wire.ByTag && !XTag.Same(old, now)
	if axis || !Outliers.Same(old, now) || (SmoothingOf(old, c.tag) > 0) != (SmoothingOf(now, c.tag) > 0) || ScaleOf(old, c.tag) != ScaleOf(now, c.tag) || !SymlogZone.Same(old, now) || Reach(old, c.tag) != Reach(now, c.tag) ||
		len(c.slot.Tags()) > 1 && !(RightTags.Same(old, now) && RightLimits.Same(old, now) && TagScales.Same(old, now)) {
		c.axes()
	}
	if c.chart != nil && !card.LinkSteps.Same(old, now) {
		c.span()
	}
	if !slices.Equal(marksOf(old, c.slot.ID), marksOf(now, c.slot.ID)) {
		c.showMarks()
		c.askTable()
	} else if !Baseline.Same(old, now) {
		c.askTable()
	}
	if !Baseline.Same(old, now) {
		c.Reshape()
	}
	switch z := zoomOf(now, c.slot.ID); {
	case axis || z.X0 != c.shown.X0 || z.X1 != c.shown.X1 || z.Y0 != c.shown.Y0 || z.Y1 != c.shown.Y1:
		if c.chart != nil {
			c.rezoom()
		}
		c.Reshape()
	case !Partition.Same(old, now), (Together.Of(old) == EachRun) != (Together.Of(now) == EachRun) && c.thinned:
		c.Reshape() // means of a thinned curve need other points
	case SmoothingOf(old, c.tag) != SmoothingOf(now, c.tag) || SmootherOf(old, c.tag) != SmootherOf(now, c.tag):
		c.slot.Stale(false)
	}
}

// thinned reports whether an answer leaves out points that are kept.
func thinned(chunks []paint.Chunk) bool {
	left := int64(0)
	for _, c := range chunks {
		for _, p := range c.Parts {
			if left -= int64(p.N); p.Piece <= 1 {
				left += p.Kept
			}
		}
	}
	return left > 0
}

// Renew implements card.Card. What is under way goes on: its answer is newer
// than what is shown.
func (c *curves) Renew() {
	c.rev++
	c.slot.Stale(true)
}

// Hurry implements card.Card. An answer under way is shown as well.
func (c *curves) Hurry() {
	c.rev++
	c.slot.Stale(false)
}

// Reshape implements card.Card: the answer under way is not waited for.
func (c *curves) Reshape() {
	if c.chart == nil {
		return
	}
	c.rev++
	c.slot.Drop()
	c.asked.Drop()
	c.slot.Stale(false)
}

// Ask implements card.Card.
func (c *curves) Ask(calm bool) {
	rev := c.rev
	c.pixels = c.chart.Pixels()
	runs := c.slot.Runs()
	if c.l.laid != nil {
		c.chart.SetTags(c.name(), names(c.slot.Tags()))
		c.tell(nil)
	}
	view := fmt.Sprint(c.axis(), c.x0, c.x1, strings.Join(runs, "\n"))
	if len(runs) == 0 {
		c.asked.Drop()
		c.chart.Take(rev, "", 0, 0, nil)
		return
	}
	c.slot.Asked(true)
	c.first = false
	runs, beside := c.l.compared(runs)
	q := c.l.queryOf(c.slot.ID, runs, c.x0, c.x1, c.pixels)
	c.l.ask(&c.asked, q, calm, func(r engine.Reply) {
		// Where every point follows, the question is under way until they have
		// come: new data must not begin it anew for ever. And what is on screen
		// stays if it is better than what is at hand.
		c.slot.Asked(r.More)
		if r.More && c.whole == view {
			return
		}
		chunks := paint.Chunks(r)
		if !r.More && c.first {
			c.rev++ // the raw lines too are others than at the first answer
			rev = c.rev
		}
		c.first = r.More
		c.whole = ""
		if !r.More && whole(chunks) {
			c.whole = view
		}
		c.thinned = thinned(chunks)
		c.slot.Painting()
		c.chart.Explain(c.l.empty(c.slot.Tags(), runs, chunks))
		c.chart.Take(rev, beside, q.X0, q.X1, chunks)
		c.notes(r.More, chunks)
		c.tell(chunks)
		if !r.More {
			c.span()
			c.askTable()
			if c.thinned && q.Even != (Together.Of(c.l.host.State()) != EachRun) {
				c.Reshape() // it has changed meanwhile
			}
		}
		if !r.More {
			c.slot.Pump()
		}
	})
}

// notes says what the picture does not show: points that memory has no room
// for, and that what is seen is a preview.
func (c *curves) notes(more bool, chunks []paint.Chunk) {
	var kept, points int64
	preview, part := false, false
	for _, chunk := range chunks {
		for _, p := range chunk.Parts {
			kept += p.Kept
			points += p.Points
			preview = preview || p.Preview
			part = part || p.Every > 0
		}
	}
	text, why := "", ""
	switch {
	case more:
		text, why = "reading every point…", "Memory had no room for the points of this range: they are read again from the files."
	case kept < points && !whole(chunks):
		text = fmt.Sprintf("%s of %s points kept", widget.Thousands(kept), widget.Thousands(points))
		why = "Memory is bounded: of long series the first, least, greatest and last point of each stretch are kept. "
		if _, bands := c.l.curvesOf(c.slot.ID); bands != nil || slices.ContainsFunc(c.slot.Tags(), derive.IsName) {
			why += "Expressions and bands use only those, also when you zoom in."
		} else {
			why += "Zoom in to see every point; a download has all of them."
		}
	}
	if part && text == "" {
		text, why = "means of a part of the points", "There are more points than pixels: a mean is of the first in each stretch of one or two pixels, the same for all runs. Zoom in for more."
	}
	if preview {
		text, why = "preview", "Drawn from samples of the files; the exact curves follow."
	}
	if lacks, remedy := c.l.lacking(c.slot.Tags()); lacks != "" {
		text, why = lacks, remedy
	}
	widget.Text(c.slot.Note, text)
	c.slot.Note.SetTitle(why)
}

// tell says what is wrong with a chart of a layout: what it does not find, and where the
// steps of a band do not line up with its curve's.
func (c *curves) tell(chunks []paint.Chunk) {
	if c.said == nil {
		return
	}
	all := slices.Clone(c.l.laid.Problems(c.slot.ID))
	tags, bands := c.l.curvesOf(c.slot.ID)
	of := c.l.host.Tags()
	for _, chunk := range chunks {
		for _, p := range chunk.Parts {
			if p.Unmatched == 0 || p.Preview || p.Tag >= len(bands) {
				continue
			}
			why := fmt.Sprintf("%s of %s without a lower and upper value", widget.Thousands(p.Unmatched), widget.Count(p.Kept, "step", "steps"))
			for _, edge := range bands[p.Tag] {
				if _, ok := of[p.Run][edge]; !ok {
					why = "there is no “" + edge + "”"
				}
			}
			all = append(all, fmt.Sprintf("The steps of “%s” in %s do not line up: %s.", tags[p.Tag], p.Run, why))
		}
	}
	text := strings.Join(all, " ")
	widget.Text(c.said, text)
	c.said.SetTitle(text)
}

// whole reports whether an answer holds every logged point of its range.
func whole(chunks []paint.Chunk) bool {
	for _, c := range chunks {
		for _, p := range c.Parts {
			if !p.Full {
				return false
			}
		}
	}
	return true
}

// Do implements card.Card.
func (c *curves) Do(name string, _ dom.HTMLElement) {
	switch name {
	case "scale":
		c.nextScale()
	case "fit":
		c.chartDo((*paint.Chart).Fit)
	case "more":
		widget.Menu(c.more, "More", c.Menu())
	}
}

func (c *curves) chartDo(f func(*paint.Chart)) {
	if c.chart != nil {
		f(c.chart)
	}
}

func (c *curves) nextScale() {
	c.l.host.Set(func(s *session.State) {
		a, _ := TagScales.Get(s, c.tag)
		a.Y = nextScale[ScaleOf(s, c.tag)]
		SetScales(s, c.tag, a)
	})
}

// Key implements card.Card.
func (c *curves) Key(key string, shift bool) bool {
	switch key {
	case "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown":
		if !shift {
			return false
		}
		d := map[string][2]float64{"ArrowLeft": {-0.2, 0}, "ArrowRight": {0.2, 0}, "ArrowUp": {0, 0.2}, "ArrowDown": {0, -0.2}}[key]
		c.chartDo(func(p *paint.Chart) { p.Pan(d[0], d[1]) })
	case "y":
		c.nextScale()
	case "+", "=":
		c.chartDo(func(p *paint.Chart) { p.ZoomBy(0.7) })
	case "-":
		c.chartDo(func(p *paint.Chart) { p.ZoomBy(1 / 0.7) })
	case "0":
		c.chartDo((*paint.Chart).Fit)
	case "m":
		if XOf(c.l.host.State()) != wire.ByStep {
			widget.Say("Steps are marked where steps are the horizontal axis: the key x goes there.")
		} else if c.chart != nil {
			c.markNext()
		}
	case "v", "Enter":
		c.chartDo((*paint.Chart).Values)
	default:
		return false
	}
	return true
}
