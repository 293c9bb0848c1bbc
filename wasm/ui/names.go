package ui

import (
	"math"
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/names"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// manyNames is of how many names beside each other those are left as they are that have no
// room: to find out where more of them differ takes longer than a frame.
const manyNames = 2000

// shorten makes the rows' labels fit: in each folder what its rows have in common is left out,
// and stands beside the folder's own label; top is what those in no folder have in common.
// called is what a run is called, or "", room how much a row has for a name, and measure how
// much a text takes, both in CSS pixels.
func (f fitter) shorten(list []row, called func(run string) string, room func(r *row) float64, measure func(string) float64) (top string) {
	type level struct {
		head int // of the folder; -1: none
		rows []int
	}
	var open []*level
	finish := func(l *level) {
		if len(l.rows) == 0 || len(l.rows) > manyNames {
			return
		}
		texts, least := make([]string, len(l.rows)), math.Inf(1)
		for i, at := range l.rows {
			texts[i] = widget.Short(list[at].Label)
			least = min(least, room(&list[at]))
		}
		key := ""
		if l.head >= 0 {
			key = list[l.head].Name
		}
		short, common := f.fit(key, texts, least, measure)
		for i, at := range l.rows {
			list[at].Label = short[i]
		}
		if l.head < 0 {
			top = common
		} else {
			list[l.head].Common = common
		}
	}
	open = append(open, &level{head: -1})
	for i := range list {
		r := &list[i]
		if own := called(r.Name); !r.Folder && own != "" {
			r.Label = own
		}
		for len(open) > r.Depth+1 {
			finish(open[len(open)-1])
			open = open[:len(open)-1]
		}
		open[len(open)-1].rows = append(open[len(open)-1].rows, i)
		if r.Folder {
			open = append(open, &level{head: i})
		}
	}
	for len(open) > 0 {
		finish(open[len(open)-1])
		open = open[:len(open)-1]
	}
	return top
}

// fitter remembers, by folder, how names were made to fit: the list is made anew at each
// change of what is shown, and mostly has the same names.
type fitter map[string]*fitted

type fitted struct {
	names  []string
	room   float64
	short  []string
	common string
}

func (f fitter) fit(folder string, list []string, room float64, measure func(string) float64) (short []string, common string) {
	if had := f[folder]; had != nil && had.room == room && slices.Equal(had.names, list) {
		return had.short, had.common
	}
	if len(f) > manyNames {
		clear(f)
	}
	short, common = names.Fit(list, room, measure, names.Short)
	f[folder] = &fitted{list, room, short, common}
	return short, common
}
