package profile

import (
	"maps"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/session"
)

// Merge returns base with what over adds to it. Name and time are base's. Pins and
// superimposed cards that are not there yet come behind; in tables over's entries win;
// filters that both have let through what either does; what can have only one value is
// over's, if it says.
func Merge(base, over *Profile) *Profile {
	m := base.Clone()
	have := map[session.CardID]bool{}
	for _, c := range m.Pins {
		have[c.Card()] = true
	}
	for _, c := range over.Pins {
		if id := c.Card(); !have[id] && len(m.Pins) < MaxPins {
			have[id] = true
			m.Pins = append(m.Pins, c)
		}
	}
	m.RunColors = byKey(m.RunColors, over.RunColors, func(c RunColor) string { return RunName(c.Run) })
	m.GroupColors = byKey(m.GroupColors, over.GroupColors, func(c GroupColor) string { return c.Group })
	m.RunSelection = byKey(m.RunSelection, over.RunSelection, func(s SelectedRun) string { return RunName(s.Run) })
	cards := map[string]bool{}
	for _, c := range m.Superimposed {
		cards[c.ID], cards[sameTags(c)] = true, true
	}
	for _, c := range over.Superimposed {
		if cards[sameTags(c)] {
			continue
		}
		if cards[c.ID] {
			c.ID = UniqueName(c.ID, func(id string) bool { return cards[id] })
		}
		cards[c.ID], cards[sameTags(c)] = true, true
		m.Superimposed = append(m.Superimposed, c)
	}
	m.TagFilter = either(m.TagFilter, over.TagFilter)
	m.RunFilter = either(m.RunFilter, over.RunFilter)
	m.Smoothing = over.Smoothing
	if over.GroupBy != nil {
		g := *over.GroupBy
		m.GroupBy = &g
	}
	if over.YScale != "" {
		m.YScale = over.YScale
	}
	if over.XScale != "" {
		m.XScale = over.XScale
	}
	if over.Symlog != 0 {
		m.Symlog = over.Symlog
	}
	overlay(&m.Descriptions, over.Descriptions)
	overlay(&m.TagScales, over.TagScales)
	overlay(&m.TagSymlog, over.TagSymlog)
	overlay(&m.Groups, over.Groups)
	overlay(&m.View, over.View)
	overlay(&m.Extra, over.Extra)
	overlay(&m.OwnExtra, over.OwnExtra)
	if m.Data == nil && over.Data != nil {
		d := *over.Data
		m.Data = &d
	}
	return m
}

func overlay[M ~map[string]V, V any](base *M, over M) {
	if *base == nil && len(over) > 0 {
		*base = M{}
	}
	maps.Copy(*base, over)
}

// byKey replaces the entries of base that over has too, in their places, and puts the
// others of over behind.
func byKey[T any](base, over []T, key func(T) string) []T {
	at := map[string]int{}
	for i, v := range base {
		at[key(v)] = i
	}
	for _, v := range over {
		if i, ok := at[key(v)]; ok {
			base[i] = v
			continue
		}
		at[key(v)] = len(base)
		base = append(base, v)
	}
	return base
}

// sameTags is equal for superimposed cards that show the same.
func sameTags(c Superimposed) string {
	tags := slices.Sorted(slices.Values(c.Tags))
	return RunName(c.Run) + "\x00" + strings.Join(tags, "\x00")
}

// either joins two regular expressions to one that matches what one of them does.
func either(a, b string) string {
	switch {
	case a == "" || a == b:
		return b
	case b == "":
		return a
	}
	return "(" + a + ")|(" + b + ")"
}

// Diff names the fields in which two profiles say something else, as they are called in
// the document; of our own settings their names. Name, time and where the data are do
// not count; neither does the order of what has none, nor how a run's id is spelt.
func Diff(a, b *Profile) []string {
	x, y := canonical(a), canonical(b)
	var out []string
	for _, f := range []struct {
		name string
		a, b any
	}{
		{"pinnedCards", x.Pins, y.Pins},
		{"runColors", x.RunColors, y.RunColors},
		{"groupColors", x.GroupColors, y.GroupColors},
		{"superimposedCards", x.Superimposed, y.Superimposed},
		{"runSelection", x.RunSelection, y.RunSelection},
		{"tagFilter", x.TagFilter, y.TagFilter},
		{"runFilter", x.RunFilter, y.RunFilter},
		{"smoothing", x.Smoothing, y.Smoothing},
		{"groupBy", x.GroupBy, y.GroupBy},
		{"metricDescriptions", x.Descriptions, y.Descriptions},
		{"yAxisScale", x.YScale, y.YScale},
		{"xAxisScale", x.XScale, y.XScale},
		{"tagAxisScales", x.TagScales, y.TagScales},
		{"symlogLinearThreshold", x.Symlog, y.Symlog},
		{"tagSymlogLinearThresholds", x.TagSymlog, y.TagSymlog},
		{"expandedTagGroups", x.Groups, y.Groups},
	} {
		if !reflect.DeepEqual(f.a, f.b) {
			out = append(out, f.name)
		}
	}
	for _, rest := range [][2]Fields{{x.View, y.View}, {x.Extra, y.Extra}, {x.OwnExtra, y.OwnExtra}} {
		all := Fields{}
		maps.Copy(all, rest[0])
		maps.Copy(all, rest[1])
		for _, k := range sortedKeys(all) {
			if string(rest[0][k]) != string(rest[1][k]) {
				out = append(out, k)
			}
		}
	}
	return out
}

// canonical returns the profile in a form in which what means the same is equal.
func canonical(p *Profile) *Profile {
	c := p.Clone()
	for i := range c.Pins {
		c.Pins[i].Run = RunName(c.Pins[i].Run)
		c.Pins[i].sampled = false
	}
	for i := range c.RunColors {
		c.RunColors[i].Run = RunName(c.RunColors[i].Run)
		c.RunColors[i].Color = strings.ToLower(c.RunColors[i].Color)
	}
	for i := range c.Superimposed {
		c.Superimposed[i].Run = RunName(c.Superimposed[i].Run)
	}
	for i := range c.RunSelection {
		c.RunSelection[i].Run, c.RunSelection[i].ByID = RunName(c.RunSelection[i].Run), false
	}
	// Not slices.SortStableFunc, which is compiled anew for each type: 30 KB of program.
	sort.SliceStable(c.RunColors, func(i, j int) bool { return c.RunColors[i].Run < c.RunColors[j].Run })
	sort.SliceStable(c.GroupColors, func(i, j int) bool { return c.GroupColors[i].Group < c.GroupColors[j].Group })
	sort.SliceStable(c.RunSelection, func(i, j int) bool { return c.RunSelection[i].Run < c.RunSelection[j].Run })
	// What all have unless they say something else.
	if c.YScale == Linear {
		c.YScale = ""
	}
	if c.XScale == Linear {
		c.XScale = ""
	}
	if c.GroupBy != nil && c.GroupBy.Key == GroupRun && c.GroupBy.Extra == nil {
		c.GroupBy = nil
	}
	empty(&c.Pins)
	empty(&c.RunColors)
	empty(&c.GroupColors)
	empty(&c.Superimposed)
	empty(&c.RunSelection)
	none(&c.Descriptions)
	none(&c.TagScales)
	none(&c.TagSymlog)
	none(&c.Groups)
	return c
}

func empty[T any](list *[]T) {
	if len(*list) == 0 {
		*list = nil
	}
}

func none[V any](m *map[string]V) {
	if len(*m) == 0 {
		*m = nil
	}
}
