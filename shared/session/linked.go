package session

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/internal/query"
)

// Lists in links stand one behind the other with commas between.

// linkItem makes a name an item of such a list, or a part of one between colons.
var linkItem = strings.NewReplacer("%", "%25", ",", "%2C", ":", "%3A", "!", "%21", "+", "%2B", "~", "%7E")

// LinkItem writes a name as an item of a list in a link.
func LinkItem(name string) string { return linkItem.Replace(name) }

// LinkName reads an item of LinkItem.
func LinkName(item string) string {
	if name, err := query.PathUnescape(item); err == nil {
		return name
	}
	return item
}

// LinkList writes a list in a link; one that there is no room for leaves its reader's.
func LinkList(items []string) string {
	if text := strings.Join(items, ","); len(text) <= maxLinked {
		return text
	}
	return unlinked
}

// Which runs are shown stands in a link as the list of those that are on, the others being
// off, or, where most are as they are by themselves, as those that the user switched on
// and off. "!" is none at all.
//
//	runs=adam,sgd
//	runs=+old,!broken
func init() {
	Runs.LinkedAs("runs", func(s *State) string {
		runs, others := Runs.Of(s), OthersOff.Of(s)
		var items []string
		for _, run := range slices.Sorted(maps.Keys(runs)) {
			switch {
			case others && runs[run]:
				items = append(items, LinkItem(run))
			case others:
			case runs[run]:
				items = append(items, "+"+LinkItem(run))
			default:
				items = append(items, "!"+LinkItem(run))
			}
		}
		if others && len(items) == 0 {
			return "!"
		}
		return LinkList(items)
	}, func(s *State, text string) {
		Runs.Reset(s)
		OthersOff.Reset(s)
		if text == "" {
			return
		}
		on, others := map[string]bool{}, text == "!" || strings.IndexAny(text, "+!") != 0
		for _, item := range strings.Split(text, ",") {
			run := LinkName(strings.TrimLeft(item, "+!"))
			if run != "" {
				on[run] = !strings.HasPrefix(item, "!")
			}
		}
		Runs.Set(s, on)
		OthersOff.Set(s, others)
	})
}

// LinkTable puts a table of texts into links under key, without what all of them begin with.
//
//	colors=adam:4f6bd8,sgd:d9622b
func LinkTable(d *TableSetting[string], key, prefix string) {
	d.LinkedAs(key, func(s *State) string {
		m := d.Of(s)
		var items []string
		for _, k := range slices.Sorted(maps.Keys(m)) {
			items = append(items, LinkItem(k)+":"+LinkItem(strings.TrimPrefix(m[k], prefix)))
		}
		return LinkList(items)
	}, func(s *State, text string) {
		m := map[string]string{}
		for _, item := range strings.Split(text, ",") {
			if k, v, ok := strings.Cut(item, ":"); ok {
				m[LinkName(k)] = prefix + LinkName(v)
			}
		}
		d.Set(s, m)
	})
}

// LinkMarks puts names that are on, and with "!" before them such that are off, into links.
//
//	groups=train,!eval
func LinkMarks(d *TableSetting[bool], key string) {
	d.LinkedAs(key, func(s *State) string {
		m := d.Of(s)
		var items []string
		for _, k := range slices.Sorted(maps.Keys(m)) {
			item := LinkItem(k)
			if !m[k] {
				item = "!" + item
			} else if k == "" {
				item = "+"
			}
			items = append(items, item)
		}
		return LinkList(items)
	}, func(s *State, text string) {
		m := map[string]bool{}
		for _, item := range strings.Split(text, ",") {
			if item != "" {
				m[LinkName(strings.TrimLeft(item, "+!"))] = item[0] != '!'
			}
		}
		d.Set(s, m)
	})
}

// linkTexts puts a list of texts into links.
func linkTexts(d *Setting[[]string], key string) {
	d.LinkedAs(key, func(s *State) string {
		var items []string
		for _, t := range d.Of(s) {
			items = append(items, LinkItem(t))
		}
		return LinkList(items)
	}, func(s *State, text string) {
		var list []string
		for _, item := range strings.Split(text, ",") {
			list = append(list, LinkName(item))
		}
		d.Set(s, list)
	})
}

// Filters of columns are what they say, between colons: the ends of a range, "=" before a
// value that is wanted ("!" is none at all), "/" before an expression, and "?" where rows
// without a value are wanted too.
//
//	filters=param?name=lr:0.001..0.1,status:=done:?
func init() {
	RunColumnFilters.LinkedAs("filters", func(s *State) string {
		m := RunColumnFilters.Of(s)
		end := func(v *float64) string {
			if v == nil {
				return ""
			}
			return strconv.FormatFloat(*v, 'g', -1, 64)
		}
		var items []string
		for _, k := range slices.Sorted(maps.Keys(m)) {
			f, item := m[k], LinkItem(k)
			if f.Lo != nil || f.Hi != nil {
				item += ":" + end(f.Lo) + ".." + end(f.Hi)
			}
			if f.Only && len(f.Values) == 0 {
				item += ":!"
			}
			if f.Only {
				for _, v := range f.Values {
					item += ":=" + LinkItem(v)
				}
			}
			if f.Regex != "" {
				item += ":/" + LinkItem(f.Regex)
			}
			if f.Missing {
				item += ":?"
			}
			items = append(items, item)
		}
		return LinkList(items)
	}, func(s *State, text string) {
		m := map[string]ColumnFilter{}
		end := func(text string) *float64 {
			if v, err := strconv.ParseFloat(text, 64); err == nil && v-v == 0 {
				return &v
			}
			return nil
		}
		for _, item := range strings.Split(text, ",") {
			parts := strings.Split(item, ":")
			var f ColumnFilter
			for _, part := range parts[1:] {
				switch {
				case part == "!":
					f.Only = true
				case part == "?":
					f.Missing = true
				case strings.HasPrefix(part, "="):
					f.Only, f.Values = true, append(f.Values, LinkName(part[1:]))
				case strings.HasPrefix(part, "/"):
					f.Regex = LinkName(part[1:])
				default:
					lo, hi, _ := strings.Cut(part, "..")
					f.Lo, f.Hi = end(lo), end(hi)
				}
			}
			if len(parts) > 1 {
				m[LinkName(parts[0])] = f
			}
		}
		RunColumnFilters.Set(s, m)
	})
}

// Superimposed cards are their tags, with "!" before a title and "+" before the run of a
// card of one.
//
//	cards=!Losses:train/loss:eval/loss,lr:momentum:+adam
func init() {
	LinkTable(PluginData, pluginLink, "")
	LinkTable(RunColors, "colors", "#")
	LinkTable(GroupColors, "groupColors", "#")
	LinkTable(RunNames, "names", "")
	LinkTable(Introductions, "introductions", "")
	RunHues.LinkedAs("hues", func(s *State) string {
		m := RunHues.Of(s)
		var items []string
		for _, k := range slices.Sorted(maps.Keys(m)) {
			items = append(items, LinkItem(k)+":"+strconv.Itoa(m[k]))
		}
		return LinkList(items)
	}, func(s *State, text string) {
		m := map[string]int{}
		for _, item := range strings.Split(text, ",") {
			k, v, _ := strings.Cut(item, ":")
			if slot, err := strconv.Atoi(v); err == nil {
				m[LinkName(k)] = slot
			}
		}
		RunHues.Set(s, m)
	})
	LinkTable(RunPlotScales, "plotScales", "")
	LinkTable(RunColumnBest, "best", "")
	LinkMarks(Kinds, "kinds")
	LinkMarks(Groups, "groups")
	LinkMarks(Forms, "forms")
	LinkMarks(RunsHidden, "hidden")
	LinkMarks(RunPlotFlips, "plotFlips")
	linkTexts(RunColumns, "columns")
	linkTexts(RunColumnSort, "sort")
	linkTexts(RunPlotAxes, "plotAxes")
	linkTexts(RunPlotMatrix, "plotMatrix")
	Wide.LinkedAs("wide", func(s *State) string {
		m := Wide.Of(s)
		return writePins(slices.DeleteFunc(slices.Sorted(maps.Keys(m)), func(id string) bool { return !m[id] }))
	}, func(s *State, text string) {
		m := map[string]bool{}
		list, _ := readPins(text)
		for _, id := range list {
			m[id] = true
		}
		Wide.Set(s, m)
	})
	SuperimposedCards.LinkedAs("cards", func(s *State) string {
		var items []string
		for _, c := range SuperimposedCards.Of(s) {
			var parts []string
			if c.Title != "" {
				parts = append(parts, "!"+LinkItem(c.Title))
			}
			for _, t := range c.Tags {
				parts = append(parts, LinkItem(t))
			}
			if c.Run != nil {
				parts = append(parts, "+"+LinkItem(RunName(*c.Run)))
			}
			items = append(items, strings.Join(parts, ":"))
		}
		return LinkList(items)
	}, func(s *State, text string) {
		had := SuperimposedCards.Of(s)
		var list []Superimposed
		for i, item := range strings.Split(text, ",") {
			c := Superimposed{ID: "superimposed-link-" + strconv.Itoa(i)}
			for _, part := range strings.Split(item, ":") {
				switch name := LinkName(strings.TrimLeft(part, "!+")); {
				case name == "":
				case part[0] == '!':
					c.Title = name
				case part[0] == '+':
					c.Run = &name
				default:
					c.Tags = append(c.Tags, name)
				}
			}
			// A card that is there is the same one, for profiles too.
			for _, o := range had {
				if o.Card("") == c.Card("") {
					c.ID, c.Run = o.ID, o.Run
				}
			}
			list = append(list, c)
		}
		SuperimposedCards.Set(s, list)
	})
}
