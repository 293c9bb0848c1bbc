package session

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

// Lists in links stand one behind the other with commas between.

// linkItem makes a name an item of such a list, or a part of one between colons.
var linkItem = strings.NewReplacer("%", "%25", ",", "%2C", ":", "%3A", "!", "%21", "+", "%2B", "~", "%7E")

// LinkItem writes a name as an item of a list in a link.
func LinkItem(name string) string { return linkItem.Replace(name) }

// LinkName reads an item of LinkItem.
func LinkName(item string) string {
	if name, err := url.PathUnescape(item); err == nil {
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
