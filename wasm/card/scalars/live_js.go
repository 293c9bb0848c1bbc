package scalars

import (
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/natural"
	"github.com/tensorbored/tensorbored-static/shared/runtable"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/smooth"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars/paint"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// live is the kind in a view: its settings, and the painter, which serves all cards.
type live struct {
	host card.Host
	laid Layout // nil: a card shows the tags of its CardID

	smooth, smoothBox, rows, outliers, order dom.HTMLElement
	zone, zoneField, partition               dom.HTMLElement
	together                                 *widget.Choice
	split                                    dom.HTMLElement
	params                                   []string // hyperparameters, nil: nobody has asked for them
	band, bandField                          dom.HTMLElement
	alone                                    dom.HTMLElement // says why no run is shown with others
	grouped                                  bool            // some runs are shown together
	linkZoom, way, envelope, endNames        dom.HTMLElement
	baseline, baseOffers                     dom.HTMLElement
	over, xTag, xOffers                      dom.HTMLElement
	open                                     map[*curves]bool
	parts                                    map[string]map[string]string // by the way of splitting and run
	stale                                    *widget.Timer                // drops zooms of axes that are gone
}

// Layout is who says which curves there are in which card, where tags do not.
type Layout interface {
	card.Arranged
	// Bands are the tags of the edges of the bands around the curves of TagsOf; nil: there
	// are none.
	Bands(id session.CardID) [][2]string
	// Problems is what is wrong with a card, for the user.
	Problems(id session.CardID) []string
	// Menu is what a card's menu has of the layout.
	Menu(id session.CardID) []widget.Item
}

// Start implements card.Kind.
func (Kind) Start(h card.Host) card.Live { return Begin(h, nil) }

// Begin begins cards of curves of another kind's layout.
func Begin(h card.Host, laid Layout) card.Live {
	l := &live{host: h, laid: laid, open: map[*curves]bool{}}
	l.stale = widget.NewTimer(func() { h.Set(func(s *session.State) { dropStale(s) }) })
	paint.SetTheme()
	card.ShortNames()
	paint.SetColors(h.AllRuns(), h.Name, h.Color, h.Paper, h.Dash)
	l.resplit()
	l.tip()
	paint.SetXName(XTag.Of(h.State()))
	paint.SetBaseline(Baseline.Of(h.State()))
	l.notes()
	l.alone = widget.New("p", "said", widget.Attr{Key: "role", Value: "status"})
	l.grouped = true // as another view may have left it
	l.groups()
	paint.SetTagColors([]string{"#4f6bd8", "#d9622b", "#1f9d83", "#b8527f", "#8a7a00", "#8a5ad0", "#2a8fbd", "#a0563a"})
	widget.Present().OnEnd(paint.OnOnly(h.Only))
	widget.Present().OnEnd(paint.OnHappened(l.happened))
	widget.Present().OnEnd(paint.OnExpand(func(group string) {
		h.Set(func(s *session.State) {
			if _, open := Expanded.Get(s, group); open {
				Expanded.Drop(s, group)
			} else {
				Expanded.Put(s, group, true)
			}
		})
	}))
	widget.Present().OnEnd(paint.OnRead(func(r paint.Reading) {
		h.Read(board.Reading{Card: r.Card, At: r.At, Rest: r.Rest, Near: r.Near, Texts: paint.ReadTexts, Value: paint.ReadValue})
	}))
	return l
}

// groups hands on which runs are shown together.
func (l *live) groups() {
	s := l.host.State()
	of := map[string]string{}
	by := FolderOf
	if Together.Of(s) == AllRuns {
		of = Spread(l.host.Runs(), l.host.Best(topLines))
	}
	switch Together.Of(s) {
	case EachRun, AllRuns:
		by = nil
	case ByColor:
		by = l.host.Group
	}
	if by != nil {
		for _, run := range l.host.AllRuns() {
			if name, ok := by(run); ok {
				of[run] = name
			}
		}
	}
	why := ""
	if by != nil && len(of) == 0 && len(l.host.AllRuns()) > 0 {
		why = "No run is in a folder: each is a line of its own."
		if Together.Of(s) == ByColor {
			why = "There are no groups: make some by Groups and colours."
		}
	}
	widget.Text(l.alone, why)
	if len(of) == 0 && !l.grouped {
		return
	}
	l.grouped = len(of) > 0
	paint.SetGroups(of, string(Band.Of(s)), slices.Collect(maps.Keys(Expanded.Of(s))))
}

// Part implements card.Splitter.
func (l *live) Part() func(run string) string {
	way := SplitOf(l.host.State())
	if l.laid != nil || way == "" {
		return nil
	}
	name := l.named(way)
	return func(run string) string { return session.PartOf(way, name(run)) }
}

// named gives the names of the parts that runs are in, by a way of splitting, as they were found
// out for all runs at once.
func (l *live) named(way string) func(run string) string {
	known, find := l.parts[way], l.by(way)
	return func(run string) string {
		if name, ok := known[run]; ok {
			return name
		}
		return find(run)
	}
}

// by finds out the names of the parts that runs are in.
func (l *live) by(way string) func(run string) string {
	find := FolderOf
	switch way {
	case session.PartRun:
		return func(run string) string { return run }
	case session.PartFolder:
	case session.PartGroup:
		find = l.host.Group
	default:
		find = l.host.Values(way)
	}
	return func(run string) string {
		name, _ := find(run)
		return name
	}
}

// resplit finds out which parts runs are in, by the ways in which cards are split and pinned ones
// were, and reports whether those that were there are in others. It is kept: a value of the table
// of runs takes long to write, and each card asks for those of all runs.
func (l *live) resplit() (other bool) {
	s := l.host.State()
	ways := map[string]bool{}
	if l.laid == nil {
		ways[SplitOf(s)] = true
	}
	for _, id := range session.PinnedCards(s) {
		way, _ := session.CutPart(id.Part)
		ways[way] = true
	}
	delete(ways, "")
	all := map[string]map[string]string{}
	for way := range ways {
		of, find := map[string]string{}, l.by(way)
		for _, run := range l.host.AllRuns() {
			of[run] = find(run)
			was, ok := l.parts[way][run]
			other = other || ok && was != of[run] // new runs are the grid's
		}
		all[way] = of
	}
	l.parts = all
	return other
}

// In implements card.Splitter.
func (l *live) In(part, run string) bool {
	way, name := session.CutPart(part)
	return l.named(way)(run) == name
}

// offer takes the hyperparameters that there are, once somebody has asked for them.
func (l *live) offer() {
	if l.params == nil {
		return
	}
	if names := l.host.Params(); !slices.Equal(names, l.params) {
		l.params = append([]string{}, names...)
		l.offerSplits()
	}
}

// offerSplits puts the ways of splitting cards into their list: hyperparameters, too, which are
// asked for when somebody comes to it.
func (l *live) offerSplits() {
	now := SplitOf(l.host.State())
	var options []dom.Node
	for _, o := range [][2]string{{"", "All runs"}, {session.PartRun, "Each run"}, {session.PartFolder, "Each folder"}, {session.PartGroup, "Each group of colours"}} {
		options = append(options, widget.New("option", "", widget.Attr{Key: "value", Value: o[0]}, o[1]))
	}
	group := widget.New("optgroup", "", widget.Attr{Key: "label", Value: "Each value of"})
	known := false
	for _, name := range l.params {
		k := runtable.ParamKey(name)
		known = known || k.String() == now
		group.AppendChild(widget.New("option", "", widget.Attr{Key: "value", Value: k.String()}, name))
	}
	switch now {
	case "", session.PartRun, session.PartFolder, session.PartGroup:
	default:
		if !known {
			group.AppendChild(widget.New("option", "", widget.Attr{Key: "value", Value: now}, runtable.ParseKey(now).Title()))
		}
	}
	widget.Replace(l.split, append(options, group)...)
	widget.Set(l.split, "value", now)
}

// mostOffered is how many names the browser offers.
const mostOffered = 1000

// offered makes a field for one of names, which the browser offers; nothing but one of them,
// or nothing at all, is handed on.
func offered(name, placeholder, unknown string, names func() []string, got func(string)) (in, offers dom.HTMLElement) {
	id := "offers-" + strings.ReplaceAll(strings.ToLower(name), " ", "-")
	offers = widget.New("datalist", "", widget.Attr{Key: "id", Value: id})
	in = widget.New("input", "text-field", widget.Attr{Key: "type", Value: "text"}, widget.Attr{Key: "aria-label", Value: name}, widget.Attr{Key: "placeholder", Value: placeholder},
		widget.Attr{Key: "list", Value: id}, widget.Attr{Key: "autocomplete", Value: "off"}, widget.Attr{Key: "spellcheck", Value: "false"})
	widget.Listen(in, "focus", func(dom.Event) {
		var options []dom.Node
		all := names()
		for _, n := range all[:min(len(all), mostOffered)] { // more hold the page for seconds
			options = append(options, widget.New("option", "", widget.Attr{Key: "value", Value: n}))
		}
		widget.Replace(offers, options...)
	})
	widget.Listen(in, "input", func(dom.Event) {
		text := widget.Get(in, "value").String()
		known := text == "" || slices.Contains(names(), text)
		widget.Invalid(in, map[bool]string{false: unknown}[known])
		if known {
			got(text)
		}
	})
	widget.Reverts(in)
	return in, offers
}

// tags are all tags of curves, in natural order; of very many, which take seconds, by their
// letters.
func (l *live) tags() []string {
	seen := map[string]bool{}
	for _, tags := range l.host.Tags() {
		for t := range tags {
			seen[t] = true
		}
	}
	if len(seen) > 5*mostOffered {
		return slices.SortedFunc(maps.Keys(seen), strings.Compare)
	}
	return slices.SortedFunc(maps.Keys(seen), natural.Compare)
}

func (l *live) tip() {
	s := l.host.State()
	paint.SetTip(string(TipSort.Of(s)), TipRows.Of(s), EndNames.Of(s))
}

// Pane implements card.Live.
func (l *live) Pane() []card.Control {
	set := func(change func(*session.State)) { l.host.Set(change) }
	weight := func(v float64) { set(func(s *session.State) { Smoothing.Set(s, v) }) }
	l.smooth = widget.Range("Smoothing", 0, 0.99, 0.01, weight)
	l.smoothBox = widget.Number("Smoothing weight", 0, MaxSmoothing, 0.001, weight)
	l.way = widget.New("select", "select", widget.Attr{Key: "aria-label", Value: "Kind of smoothing"})
	for _, o := range smoothers {
		l.way.AppendChild(widget.New("option", "", widget.Attr{Key: "value", Value: o[0]}, o[1]))
	}
	widget.Listen(l.way, "change", func(dom.Event) {
		v := widget.Get(l.way, "value").String()
		set(func(s *session.State) { Smoother.Set(s, smooth.Kind(v)) })
	})
	l.over = widget.New("select", "select", widget.Attr{Key: "aria-label", Value: "Curves against"})
	for _, o := range [][2]string{{"", "step or time"}, {string(wire.ByProcess), "time at work (no pauses)"}, {string(wire.ByIndex), "number of the point"}, {string(wire.ByTag), "the values of a tag"}} {
		l.over.AppendChild(widget.New("option", "", widget.Attr{Key: "value", Value: o[0]}, o[1]))
	}
	widget.Listen(l.over, "change", func(dom.Event) {
		v := wire.XAxis(widget.Get(l.over, "value").String())
		set(func(s *session.State) { Over.Set(s, v) })
		if v == wire.ByTag {
			l.xTag.Focus()
		}
	})
	l.xTag, l.xOffers = offered("Tag of the horizontal axis", "Tag", "There is no scalar of that name.", l.tags, func(tag string) { set(func(s *session.State) { XTag.Set(s, tag) }) })
	l.baseline, l.baseOffers = offered("Baseline run", "None", "There is no run of that name.", l.host.AllRuns, func(run string) { set(func(s *session.State) { Baseline.Set(s, run) }) })
	l.zone = widget.New("input", "number", widget.Attr{Key: "type", Value: "text"}, widget.Attr{Key: "inputmode", Value: "decimal"},
		widget.Attr{Key: "aria-label", Value: "Symlog is linear within ±"}, widget.Attr{Key: "placeholder", Value: "auto"},
		widget.Attr{Key: "title", Value: "How far from 0 a symlog axis is linear. Empty: by the data of each card, ±1 on the horizontal axis."})
	widget.Listen(l.zone, "input", func(dom.Event) {
		text := widget.Get(l.zone, "value").String()
		v, err := strconv.ParseFloat(text, 64)
		if text == "" {
			v, err = 0, nil
		}
		widget.Invalid(l.zone, map[bool]string{true: "a number above 0, or nothing"}[err != nil || v < 0 || v > 1e30])
		if err == nil && v >= 0 && v <= 1e30 {
			set(func(s *session.State) { SymlogZone.Set(s, v) })
		}
	})
	widget.Reverts(l.zone)
	l.zoneField = widget.New("label", "inline", "Symlog: linear within ±", l.zone)
	l.together = widget.NewChoice("Lines", [][2]string{{string(EachRun), "Runs"}, {string(ByFolder), "Folders"}, {string(ByColor), "Groups"}, {string(AllRuns), "All"}},
		func(v string) { set(func(s *session.State) { SetTogether(s, Grouping(v)) }) })
	l.together.El.SetAttribute("title", "A line for each run; or the mean of the runs of a folder, or of a group (see Colours of runs); or the median of all runs, with the best ones over it where runs stand by a value")
	l.split = widget.New("select", "select", widget.Attr{Key: "aria-label", Value: "A card for"}, widget.Attr{Key: "title", Value: "Cards of one tag have the same axes"})
	widget.Listen(l.split, "focus", func(dom.Event) {
		if l.params == nil {
			l.params = []string{} // known soon
			l.offer()
		}
	})
	widget.Listen(l.split, "change", func(dom.Event) {
		way := widget.Get(l.split, "value").String()
		set(func(s *session.State) { Split.Set(s, way) })
	})
	l.offerSplits()
	l.band = widget.New("select", "select", widget.Attr{Key: "aria-label", Value: "Band around the mean"})
	for _, o := range [][2]string{{string(BandStd), "± standard deviation"}, {string(BandError), "± standard error"}, {string(Band95), "95 % of the mean"}, {string(BandRange), "Least to greatest"}, {string(BandQuantiles), "50 and 90 % of runs"}} {
		l.band.AppendChild(widget.New("option", "", widget.Attr{Key: "value", Value: o[0]}, o[1]))
	}
	widget.Listen(l.band, "change", func(dom.Event) {
		v := widget.Get(l.band, "value").String()
		set(func(s *session.State) { Band.Set(s, BandKind(v)) })
	})
	l.bandField = widget.New("div", "pair", "Band", l.band)
	groups := widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, widget.Icon("palette"), "Groups and colours…")
	widget.Listen(groups, "click", func(dom.Event) { l.host.ChooseGroups(groups) })
	var outliers, partition, linkZoom, envelope, endNames dom.HTMLElement
	l.envelope, envelope = widget.Check("Raw values as a band", func(on bool) { set(func(s *session.State) { Envelope.Set(s, on) }) })
	envelope.SetTitle("Behind smoothed lines: from the least to the greatest of the points around each")
	l.endNames, endNames = widget.Check("Names at the ends of lines", func(on bool) { set(func(s *session.State) { EndNames.Set(s, on) }) })
	endNames.SetTitle("On cards that have room for them")
	l.linkZoom, linkZoom = widget.Check("Zoom all cards together", func(on bool) {
		var cards []session.CardID
		for c := range l.open {
			cards = append(cards, c.slot.ID)
		}
		sort.Slice(cards, func(i, j int) bool { return cards[i].String() < cards[j].String() })
		set(func(s *session.State) { linkZooms(s, on, cards) })
	})
	l.partition, partition = widget.Check("New line where steps go back", func(on bool) { set(func(s *session.State) { Partition.Set(s, on) }) })
	l.outliers, outliers = widget.Check("Ignore outliers in the range", func(on bool) { set(func(s *session.State) { Outliers.Set(s, on) }) })
	l.order = widget.New("select", "select", widget.Attr{Key: "aria-label", Value: "Tooltip order"})
	for _, o := range [][2]string{{string(TipNearest), "Nearest"}, {string(TipNearestY), "Nearest value"}, {string(TipAscending), "Ascending"}, {string(TipDescending), "Descending"}, {string(TipAlphabetical), "Alphabetical"}} {
		l.order.AppendChild(widget.New("option", "", widget.Attr{Key: "value", Value: o[0]}, o[1]))
	}
	widget.Listen(l.order, "change", func(dom.Event) {
		v := widget.Get(l.order, "value").String()
		set(func(s *session.State) { TipSort.Set(s, TipOrder(v)) })
	})
	l.rows = widget.Number("Tooltip rows", 1, MaxTipRows, 1, func(v float64) { set(func(s *session.State) { TipRows.Set(s, int(v)) }) })
	l.show()
	split := widget.Field("A card for", l.split)
	widget.Hide(split, l.laid != nil) // whose charts are laid out otherwise
	out := AxisControls(l.host)
	for _, node := range []dom.Node{
		l.zoneField,
		widget.Field("Smoothing", widget.New("div", "slider", l.smooth, l.smoothBox), l.way, envelope),
		widget.Field("Curves against", l.over, l.xTag, l.xOffers),
		widget.Field("Differences from a baseline", l.baseline, l.baseOffers),
		widget.Field("Lines", l.together.El, l.alone, l.bandField, groups),
		split,
		endNames, outliers, partition, linkZoom,
		widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, widget.Icon("download"), "Download all points…", widget.Click(l.chooseAll)),
		widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, widget.Icon("image"), "Picture or print of all cards…", widget.Click(l.chooseSheet)),
		widget.Field("Tooltip", widget.New("div", "pair", l.order, widget.New("label", "inline", l.rows, "rows"))),
	} {
		out = append(out, card.Control{Node: node})
	}
	return out
}

// AxisControl is the control of the horizontal axis.
func AxisControl(h card.Host) card.Control {
	return card.ChoiceOf(h, "Horizontal axis", X, [][2]string{{string(wire.ByStep), "Step"}, {string(wire.ByRelative), "Relative"}, {string(wire.ByWall), "Wall"}}, nil)
}

// AxisControls are those of the axes and their scales, of all cards.
func AxisControls(h card.Host) []card.Control {
	scales := [][2]string{{string(Linear), "Linear"}, {string(Log), "Log"}, {string(Symlog), "Symlog"}}
	scale := func(label string, of *session.Setting[Scale]) card.Control {
		return card.ChoiceOf(h, label, of, scales, func(s *session.State, v Scale) { SetAll(s, of, v) })
	}
	return []card.Control{AxisControl(h), scale("Horizontal scale", XScale), scale("Vertical scale", Y)}
}

// show brings the controls to the settings.
func (l *live) show() {
	if l.smooth == nil {
		return
	}
	s := l.host.State()
	weight := strconv.FormatFloat(Smoothing.Of(s), 'g', -1, 64)
	widget.Set(l.smooth, "value", weight)
	widget.SetValue(l.smoothBox, weight)
	widget.Set(l.way, "value", string(Smoother.Of(s)))
	widget.Set(l.over, "value", string(Over.Of(s)))
	widget.SetValue(l.xTag, XTag.Of(s))
	widget.SetValue(l.baseline, Baseline.Of(s))
	widget.Hide(l.xTag, Over.Of(s) != wire.ByTag)
	zone := ""
	if v := SymlogZone.Of(s); v > 0 {
		zone = strconv.FormatFloat(v, 'g', -1, 64)
	}
	widget.SetValue(l.zone, zone)
	symlog := Y.Of(s) == Symlog || XScale.Of(s) == Symlog
	for _, a := range TagScales.Of(s) {
		symlog = symlog || a.Y == Symlog || a.X == Symlog
	}
	widget.Hide(l.zoneField, !symlog)
	l.together.Set(string(Together.Of(s)))
	if widget.Get(l.split, "value").String() != SplitOf(s) {
		l.offerSplits()
	}
	widget.Set(l.band, "value", string(Band.Of(s)))
	widget.Hide(l.bandField, Together.Of(s) == EachRun)
	widget.Set(l.envelope, "checked", Envelope.Of(s))
	widget.Set(l.endNames, "checked", EndNames.Of(s))
	widget.Set(l.partition, "checked", Partition.Of(s))
	widget.Set(l.linkZoom, "checked", LinkZoom.Of(s))
	widget.Set(l.outliers, "checked", Outliers.Of(s))
	widget.Set(l.order, "value", string(TipSort.Of(s)))
	widget.SetValue(l.rows, strconv.Itoa(TipRows.Of(s)))
}

// Update implements card.Live.
func (l *live) Update(u board.Update, old, now *session.State) {
	if u.Theme {
		paint.SetTheme()
	}
	if u.Colors || u.Theme || u.Runs {
		paint.SetColors(l.host.AllRuns(), l.host.Name, l.host.Color, l.host.Paper, l.host.Dash)
	}
	if u.Runs || u.Colors || u.Table && Together.Of(now) == AllRuns || u.State && !(Together.Same(old, now) && Band.Same(old, now) && Expanded.Same(old, now) && session.RunSort.Same(old, now) && session.RunRank.Same(old, now)) {
		l.groups()
	}
	if u.Table {
		l.offer()
	}
	other := (u.State || u.Runs || u.Colors || u.Table) && l.resplit()
	if other = other || u.State && !Split.Same(old, now); other {
		defer l.host.Rearrange()
	}
	if other || u.Runs || !Smoothing.Same(old, now) {
		paint.ForgetSpans()
	}
	if !u.State {
		return
	}
	l.show()
	if !TipSort.Same(old, now) || !TipRows.Same(old, now) || !EndNames.Same(old, now) {
		l.tip()
	}
	if !Smoothing.Same(old, now) {
		l.host.Moved()
	}
	if !Baseline.Same(old, now) {
		paint.SetBaseline(Baseline.Of(now))
	}
	if !StepNotes.Same(old, now) {
		l.notes()
	}
	if !XTag.Same(old, now) {
		paint.SetXName(XTag.Of(now))
	}
	if gone := now.Clone(); dropStale(&gone) {
		l.stale.Start(0)
	}
}

// Highlight implements card.Live.
func (l *live) Highlight(run string) { paint.Highlight(run) }

// Escape implements card.Live.
func (l *live) Escape() bool { return paint.Unpin() }

// Cost implements card.Live.
func (l *live) Cost() float64 { return paint.Busy() }

// nextX is the horizontal axis that comes after another.
var nextX = map[wire.XAxis]wire.XAxis{wire.ByStep: wire.ByRelative, wire.ByRelative: wire.ByWall, wire.ByWall: wire.ByStep}

// nextScale is the vertical scale that comes after another.
var nextScale = map[Scale]Scale{Linear: Log, Log: Symlog, Symlog: Linear}

// Key implements card.Live: what acts on all cards is in Help.
func (l *live) Key(string, bool) bool { return false }

// smoother moves the smoothing by a step of the slider.
func (l *live) smoother(by float64) {
	l.host.Set(func(s *session.State) {
		v, err := strconv.ParseFloat(strconv.FormatFloat(Smoothing.Of(s)+by, 'f', 3, 64), 64)
		if err == nil {
			Smoothing.Set(s, min(0.99, max(0, v)))
		}
	})
}

// Help implements card.Live.
func (l *live) Help() (keys, mouse []board.Command) {
	set := l.host.Set
	return []board.Command{
			{Keys: "[", Does: "less smoothing", Run: func() { l.smoother(-0.05) }},
			{Keys: "]", Does: "more smoothing", Run: func() { l.smoother(0.05) }},
			{Keys: "x", Does: "step, relative or wall time", Run: func() { set(func(s *session.State) { X.Set(s, nextX[X.Of(s)]); Over.Reset(s) }) }},
			{Keys: "y", Does: "linear, log or symlog; of the card that has the focus, else of all", Run: func() { set(func(s *session.State) { SetAll(s, Y, nextScale[Y.Of(s)]) }) }},
			{Does: "notes at steps…", Run: func() { l.editNotes(math.NaN()) }},
			{Does: "download all points…", Run: l.chooseAll},
			{Keys: "Ctrl p", Does: "print all cards", Run: l.print},
			{Does: "picture of all cards, or print them…", Run: l.chooseSheet},
			{Keys: "+ − 0", Does: "zoom the card in and out, fit"},
			{Keys: "Shift ← ↑ ↓ →", Does: "move the zoomed view"},
			{Keys: "Enter or v", Does: "the card's values; ← → go from point to point"},
			{Keys: "m", Does: "mark a step of the card, once more a range; ↑ ↓ move it"},
		}, []board.Command{
			{Keys: "Drag", Does: "zoom to a box; a flat one zooms the horizontal axis only"},
			{Keys: "Double click", Does: "fit to the data"},
			{Keys: "Shift drag, Alt drag", Does: "move the view"},
			{Keys: "Ctrl wheel, Alt wheel", Does: "zoom at the pointer"},
			{Keys: "Click", Does: "pin the table of values"},
			{Keys: "Ctrl click", Does: "show the run, or group, of the nearest curve alone; again: what was shown before"},
			{Keys: "Click on a row of the pinned table", Does: "the same"},
			{Keys: "Click below the axis", Does: "mark a step; once more: a range"},
		}
}
