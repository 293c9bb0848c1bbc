package scalars

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/card"
)

// Zoom is the range that a card shows, in values: of an axis that is fitted to the data
// both ends are 0. It is of what the horizontal axis was, see axisOf, and of no other.
type Zoom struct {
	X0, X1, Y0, Y1 float64
	Axis           string
}

// AxisLimits are the values at the ends of an axis.
type AxisLimits struct {
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
}

// marks are a card's marked steps: none, one, or the two ends of a range.
type marks []float64

// marksOf are those that a card shows: its own, or those of all. Steps are marked where
// steps are the axis.
func marksOf(s *session.State, id session.CardID) marks {
	if XOf(s) != wire.ByStep {
		return nil
	}
	if !card.LinkSteps.Of(s) {
		if len(Marks.Of(s)) == 0 {
			return nil // and no name is made of every card
		}
		m, _ := Marks.Get(s, id.String())
		return m
	}
	var out marks
	for _, text := range []string{card.LinkedStep.Of(s), card.LinkedEnd.Of(s)} {
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			break
		}
		out = append(out, float64(v))
	}
	return out
}

// lastMarked is the card whose steps were marked last, by CardID.String.
var lastMarked string

// linkMarks marks on all cards the steps that are marked on one: the one that was marked last.
func linkMarks(s *session.State) {
	own := Marks.Of(s)
	if len(own) == 0 {
		return
	}
	m, ok := own[lastMarked]
	if !ok {
		m = own[slices.Sorted(maps.Keys(own))[0]]
	}
	card.SetLinked(s, m)
}

// axisOf names what a card's horizontal axis is and how it is scaled.
func axisOf(s *session.State, tag string) string {
	x := string(XOf(s))
	if XOf(s) == wire.ByTag {
		x += " " + XTag.Of(s)
	}
	return x + " " + string(curveScale(s, tag))
}

// some reports whether it is a range at all.
func (z Zoom) some() bool { return z.X1 > z.X0 || z.Y1 > z.Y0 }

// everyCard stands for all cards in Zooms, where zooms are linked.
const everyCard = "*"

// zoomOf is the range that a card shows. The vertical one outlasts another scale, but where
// that has no place for it.
func zoomOf(s *session.State, id session.CardID) Zoom {
	axis := axisOf(s, id.Tag)
	z, _ := Zooms.Get(s, id.String())
	if z.Axis != axis {
		z = Zoom{}
	}
	if z.Y0 <= 0 && ScaleOf(s, id.Tag) == Log {
		z.Y0, z.Y1 = 0, 0
	}
	if all, _ := Zooms.Get(s, everyCard); LinkZoom.Of(s) && all.Axis == axis {
		z.X0, z.X1 = all.X0, all.X1
	}
	return z
}

// SetZoom makes a card show a range; of the horizontal axis all cards do where that is
// wanted, and each of the others fits its own values then.
func SetZoom(s *session.State, id session.CardID, z Zoom) {
	switch {
	case LinkZoom.Of(s) && (z.X1 > z.X0 || !z.some()):
		m := map[string]Zoom{}
		if z.some() {
			m[everyCard] = Zoom{X0: z.X0, X1: z.X1, Axis: z.Axis}
			if z.Y1 > z.Y0 {
				m[id.String()] = Zoom{Y0: z.Y0, Y1: z.Y1, Axis: z.Axis}
			}
		}
		Zooms.Set(s, m)
	case z.some():
		Zooms.Put(s, id.String(), z)
	default:
		Zooms.Drop(s, id.String())
	}
}

// linkZooms makes all cards be zoomed together, or each by itself; what is seen stays. All
// take over the stretch that one of them shows, or each of those on screen keeps that of all.
func linkZooms(s *session.State, on bool, cards []session.CardID) {
	if !on {
		seen := map[session.CardID]Zoom{}
		for _, id := range cards {
			z := zoomOf(s, id)
			z.Axis = axisOf(s, id.Tag)
			seen[id] = z
		}
		LinkZoom.Set(s, false)
		Zooms.Drop(s, everyCard)
		for id, z := range seen {
			SetZoom(s, id, z)
		}
		return
	}
	LinkZoom.Set(s, true)
	for _, id := range cards {
		if z, _ := Zooms.Get(s, id.String()); z.X1 > z.X0 && z.Axis == axisOf(s, "") {
			SetZoom(s, id, z)
			return
		}
	}
}

// dropStale drops the ranges of axes that are not there any more; false if there are none.
func dropStale(s *session.State) (some bool) {
	for key, z := range Zooms.Of(s) {
		id, err := session.ParseCardID(key)
		if key == everyCard && LinkZoom.Of(s) && z.Axis == axisOf(s, "") || key != everyCard && err == nil && z.Axis == axisOf(s, id.Tag) {
			continue
		}
		Zooms.Drop(s, key)
		some = true
	}
	return some
}

// In a link cards stand by their tag, others in their text form, and behind it what is
// theirs, between colons.
//
//	zoom=train/loss:100:250,eval/loss:::0.5:0.7
//	scales=train/loss:log10,lr::log10
//	marks=train/loss:100:250,eval/loss:40
//
// On a right axis are those of a card's tags that have "!" before them.
//
//	right=train/loss:!lr
//	rightLimits=scalars%3Ftag%3Dtrain%25252Floss%26tag%3Dlr:0:0.1

func cardItem(id session.CardID) string {
	if id == session.CardOf(scalars.Name, id.Tag) && !strings.Contains(id.Tag, "?") && id.Tag != everyCard {
		return session.LinkItem(id.Tag)
	}
	return session.LinkItem(id.String())
}

func itemCard(item string) (session.CardID, bool) {
	name := session.LinkName(item)
	if strings.Contains(name, "?") {
		id, err := session.ParseCardID(name)
		return id, err == nil
	}
	return session.CardOf(scalars.Name, name), name != ""
}

// items splits a list in a link, each item into four parts at most, some of them "".
func items(text string) (out [][]string) {
	if text == "" {
		return nil
	}
	for _, item := range strings.Split(text, ",") {
		out = append(out, append(strings.SplitN(item, ":", 5), "", "", "", ""))
	}
	return out
}

func init() {
	Zooms.LinkedAs("zoom", func(s *session.State) string {
		var out []string
		for _, key := range slices.Sorted(maps.Keys(Zooms.Of(s))) {
			z, _ := Zooms.Get(s, key)
			item, tag := key, ""
			if key != everyCard {
				id, err := session.ParseCardID(key)
				if err != nil {
					continue
				}
				item, tag = cardItem(id), id.Tag
			}
			if z.Axis != axisOf(s, tag) {
				continue
			}
			item += ":" + pair(z.X0, z.X1)
			if z.Y1 > z.Y0 {
				item += ":" + pair(z.Y0, z.Y1)
			}
			out = append(out, item)
		}
		return session.LinkList(out)
	}, func(s *session.State, text string) {
		m := map[string]Zoom{}
		for _, item := range items(text) {
			id, ok := itemCard(item[0])
			key := id.String()
			if item[0] == everyCard {
				id, key = session.CardID{}, everyCard
			}
			var z Zoom
			z.X0, z.X1 = unpair(item[1], item[2])
			z.Y0, z.Y1 = unpair(item[3], item[4])
			if z.Axis = axisOf(s, id.Tag); ok && z.some() {
				m[key] = z
			}
		}
		Zooms.Set(s, m)
	})
	session.LinkTable(StepNotes, "notes", "")
	session.LinkMarks(Expanded, "expanded")
	session.LinkTable(OwnSmoother, "smoothers", "")
	Marks.LinkedAs("marks", func(s *session.State) string {
		var out []string
		for _, key := range slices.Sorted(maps.Keys(Marks.Of(s))) {
			if id, err := session.ParseCardID(key); err == nil {
				m, _ := Marks.Get(s, key)
				item := cardItem(id)
				for _, v := range m {
					item += ":" + strconv.FormatFloat(v, 'f', -1, 64)
				}
				out = append(out, item)
			}
		}
		return session.LinkList(out)
	}, func(s *session.State, text string) {
		all := map[string][]float64{}
		for _, item := range items(text) {
			var m []float64
			for _, end := range item[1:3] {
				if v, err := strconv.ParseFloat(end, 64); err == nil && v-v == 0 {
					m = append(m, v)
				}
			}
			if id, ok := itemCard(item[0]); ok {
				all[id.String()] = m
			}
		}
		Marks.Set(s, all)
	})
	RightTags.LinkedAs("right", func(s *session.State) string {
		var out []string
		for _, key := range slices.Sorted(maps.Keys(RightTags.Of(s))) {
			id, err := session.ParseCardID(key)
			if err != nil {
				continue
			}
			on, _ := RightTags.Get(s, key)
			var parts []string
			for _, t := range id.Tags() {
				mark := ""
				if slices.Contains(on, t) {
					mark = "!"
				}
				parts = append(parts, mark+session.LinkItem(t))
			}
			if id.Run != "" {
				parts = append(parts, "+"+session.LinkItem(id.Run))
			}
			out = append(out, strings.Join(parts, ":"))
		}
		return session.LinkList(out)
	}, func(s *session.State, text string) {
		m := map[string][]string{}
		for _, item := range strings.Split(text, ",") {
			var tags, on []string
			run := ""
			for _, part := range strings.Split(item, ":") {
				name := session.LinkName(strings.TrimLeft(part, "!+"))
				if strings.HasPrefix(part, "+") {
					run = name
					continue
				}
				if tags = append(tags, name); strings.HasPrefix(part, "!") {
					on = append(on, name)
				}
			}
			if len(on) > 0 {
				m[session.CardOf(scalars.Name, tags...).OfRun(run, 0).String()] = on
			}
		}
		RightTags.Set(s, m)
	})
	RightLimits.LinkedAs("rightLimits", func(s *session.State) string {
		var out []string
		for _, key := range slices.Sorted(maps.Keys(RightLimits.Of(s))) {
			if id, err := session.ParseCardID(key); err == nil {
				l, _ := RightLimits.Get(s, key)
				out = append(out, cardItem(id)+":"+plain(l.Lo)+":"+plain(l.Hi))
			}
		}
		return session.LinkList(out)
	}, func(s *session.State, text string) {
		m := map[string]AxisLimits{}
		for _, item := range items(text) {
			if id, ok := itemCard(item[0]); ok {
				var l AxisLimits
				l.Lo, l.Hi = unpair(item[1], item[2])
				m[id.String()] = l
			}
		}
		RightLimits.Set(s, m)
	})
	OwnSmoothing.LinkedAs("smoothings", func(s *session.State) string {
		var out []string
		for _, tag := range slices.Sorted(maps.Keys(OwnSmoothing.Of(s))) {
			v, _ := OwnSmoothing.Get(s, tag)
			out = append(out, session.LinkItem(tag)+":"+strconv.FormatFloat(v, 'g', -1, 64))
		}
		return session.LinkList(out)
	}, func(s *session.State, text string) {
		m := map[string]float64{}
		for _, item := range items(text) {
			if v, err := strconv.ParseFloat(item[1], 64); err == nil {
				m[session.LinkName(item[0])] = v
			}
		}
		OwnSmoothing.Set(s, m)
	})
	TagScales.LinkedAs("scales", func(s *session.State) string {
		var out []string
		for _, tag := range slices.Sorted(maps.Keys(TagScales.Of(s))) {
			a, _ := TagScales.Get(s, tag)
			item := session.LinkItem(tag) + ":" + string(a.Y)
			if a.X != "" {
				item += ":" + string(a.X)
			}
			out = append(out, item)
		}
		return session.LinkList(out)
	}, func(s *session.State, text string) {
		m := map[string]AxisScales{}
		for _, item := range items(text) {
			m[session.LinkName(item[0])] = AxisScales{Y: Scale(item[1]), X: Scale(item[2])}
		}
		TagScales.Set(s, m)
	})
}

// pair writes the ends of a range, shortly: to a ten thousandth of it.
func pair(lo, hi float64) string {
	if !(hi > lo) {
		return ":"
	}
	digits := 5
	if size := max(math.Abs(lo), math.Abs(hi)) / (hi - lo); size > 1 {
		digits += int(math.Ceil(math.Log10(size)))
	}
	f := func(v float64) string { return strconv.FormatFloat(v, 'g', min(digits, 17), 64) }
	return f(lo) + ":" + f(hi)
}

func unpair(from, to string) (lo, hi float64) {
	lo, err := strconv.ParseFloat(from, 64)
	hi, err2 := strconv.ParseFloat(to, 64)
	if err != nil || err2 != nil || !(hi > lo) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		return 0, 0
	}
	return lo, hi
}
