package card

import (
	"math"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/names"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// Titles of cards that stand together: none of two tags, or runs, that differ looks like the
// other where there is no room for the whole name.

// titled are the two names in a card's head, whole, and how much room they have.
type titled struct {
	slot       *Slot
	title, run string
	room       float64
}

// mostTitles is of how many cards beside each other the names are compared.
const mostTitles = 1000

// fitTitles makes the names of all cards that are shown fit: those of a group, and the
// pinned ones, among each other.
func (g *grid) fitTitles() {
	type group struct {
		list  []titled
		begin string // what stands above the cards
	}
	var groups []group
	add := func(slots []*Slot, begin string) {
		var list []titled
		for _, s := range slots {
			if s.built && len(list) < mostTitles {
				list = append(list, titled{s, s.name, s.called, 0})
			}
		}
		groups = append(groups, group{list, begin})
	}
	add(g.pinned.shown, "")
	for _, s := range g.sections {
		if s.open {
			add(s.shown, s.title+"/")
		}
	}
	// All is measured before anything is changed.
	for _, group := range groups {
		for i := range group.list {
			t := &group.list[i]
			t.room = widget.Get(t.slot.Title, "offsetWidth").Float()
			if t.slot.run != nil {
				t.room += widget.Get(t.slot.run, "offsetWidth").Float()
			}
		}
	}
	// Runs are compared with all that are shown: their names stay when more cards come.
	var all []string
	if len(g.runs) <= mostTitles {
		for _, run := range g.runs {
			all = append(all, widget.Short(g.host.Name(run)))
		}
	}
	for _, group := range groups {
		fit(group.list, group.begin, all)
	}
}

// slack is for characters whose widths are not quite what they were measured to be.
const slack = 3

// fit makes the names of a group's cards fit; begin is what stands above them, with which their
// tags begin, and all are the runs that they are told from.
func fit(list []titled, begin string, all []string) {
	bold := func(s string) float64 { return widget.Bold * widget.TextWidth(s) }
	small := func(s string) float64 { return 12.0 / 13 * widget.TextWidth(s) }
	has := func(t titled) bool { return bold(t.title)+small(t.run) <= t.room-slack }
	// Cards of each kind for themselves: a title that shares its room with a run's name, or
	// with more buttons, does not shorten those that do not.
	var kinds []string
	named, called := map[string]map[string]string{}, map[string]map[string]string{}
	var cut []string // of any kind
	least := math.Inf(1)
	for _, t := range list {
		if kind := t.slot.ID.Plugin; !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	for _, kind := range kinds {
		// What there is to fit, and the least room for it. A wide card has room for more.
		var titles, runs []string
		room, wanted := 0.0, 0.0
		for _, t := range list {
			if t.room == 0 || has(t) || t.slot.ID.Plugin != kind {
				continue
			}
			if len(titles) == 0 || t.room < room {
				room = t.room
			}
			titles = append(titles, t.title)
			if t.run != "" {
				runs = append(runs, t.run)
			}
			wanted = max(wanted, bold(t.title))
		}
		if len(titles) == 0 {
			continue
		}
		if room -= slack; len(runs) > 0 {
			runs = append(runs, all...)
		}
		called[kind] = fitted(runs, room-min(wanted, room/2), small, names.Short)
		used := 0.0
		for _, t := range list { // names of runs that no card here has take no room
			if t.slot.ID.Plugin == kind {
				used = max(used, small(called[kind][t.run]))
			}
		}
		if named[kind] = without(titles, begin, room-used, bold); named[kind] == nil {
			named[kind] = fitted(titles, room-used, bold, names.Title)
		}
		cut, least = append(cut, titles...), min(least, room-used)
	}
	if alike(named) {
		both := fitted(cut, least, bold, names.Title)
		for kind := range named {
			named[kind] = both
		}
	}
	for _, t := range list {
		switch {
		case t.room == 0: // not laid out
		case has(t):
			t.slot.write(t.title, t.run)
		default:
			t.slot.write(named[t.slot.ID.Plugin][t.title], called[t.slot.ID.Plugin][t.run])
		}
	}
}

// alike reports whether names that differ look the same.
func alike(lists map[string]map[string]string) bool {
	looks := map[string]string{}
	for _, list := range lists {
		for name, short := range list {
			if had, ok := looks[short]; ok && had != name {
				return true
			}
			looks[short] = name
		}
	}
	return false
}

// without are the names without what they begin with, which stands above them, if so all of
// them have room.
func without(list []string, begin string, room float64, measure func(string) float64) map[string]string {
	out := make(map[string]string, len(list))
	for _, name := range list {
		rest, ok := strings.CutPrefix(name, begin)
		if out[name] = "…" + rest; !ok || begin == "" || measure(out[name]) > room {
			return nil
		}
	}
	return out
}

// fitted are names that have room, by the whole ones.
func fitted(list []string, room float64, measure func(string) float64, by func([]string, int) ([]string, string)) map[string]string {
	list = slices.Compact(slices.Sorted(slices.Values(list)))
	short, _ := names.Fit(list, room, measure, by)
	out := make(map[string]string, len(list))
	for i, name := range list {
		out[name] = short[i]
	}
	return out
}

// write shows the names in the card's head.
func (s *Slot) write(title, run string) {
	widget.SetFit(s.Title, title)
	if s.run != nil {
		widget.SetFit(s.run, run)
	}
}
