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

// Superimposed cards are their tags, with "!" before a title and "+" before the run of a
// card of one.
//
//	cards=!Losses:train/loss:eval/loss,lr:momentum:+adam
func init() {
	LinkTable(RunColors, "colors", "#")
	LinkTable(GroupColors, "groupColors", "#")
	Kinds.LinkedAs("kinds", func(s *State) string {
		var items []string
		for _, k := range slices.Sorted(maps.Keys(Kinds.Of(s))) {
			items = append(items, LinkItem(k))
		}
		return LinkList(items)
	}, func(s *State, text string) {
		m := map[string]bool{}
		for _, item := range strings.Split(text, ",") {
			if k := LinkName(item); k != "" {
				m[k] = true
			}
		}
		Kinds.Set(s, m)
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
