package ui

import (
	"math"

	"github.com/tensorbored/tensorbored-static/shared/names"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// shorten makes the rows' labels fit: in each folder what its rows have in common is left out,
// and stands beside the folder's own label; top is what those in no folder have in common.
// called is what a run is called, or "", room how much a row has for a name, and measure how
// much a text takes, both in CSS pixels.
// Of a folder with more than names.Most rows the labels are made to fit by look.
func (f fitter) shorten(list []row, called func(run string) string, room func(r *row) float64, measure func(string) float64) (top string) {
	type level struct {
		head int // of the folder; -1: none
		rows []int
	}
	var open []*level
	finish := func(l *level) {
		if len(l.rows) == 0 {
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
		m := f[key]
		if m == nil || !m.Same(texts, least) {
			if len(f) > names.Most {
				clear(f)
			}
			m = names.NewMany(texts, least, measure)
			f[key] = m
		}
		if len(texts) > names.Most {
			for i, at := range l.rows {
				list[at].many, list[at].place = m, i
			}
		} else {
			for i, text := range m.All() {
				list[l.rows[i]].Label = text
			}
		}
		if l.head < 0 {
			top = m.Common
		} else {
			list[l.head].Common = m.Common
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
type fitter map[string]*names.Many

// look makes the labels fit of rows that are seen, in folders of very many.
func look(seen []row) {
	at := map[*names.Many][]int{}
	for _, r := range seen {
		if r.many != nil {
			at[r.many] = append(at[r.many], r.place)
		}
	}
	for m, places := range at {
		texts, k := m.Texts(places), 0
		for i := range seen {
			if seen[i].many == m {
				seen[i].Label = texts[k]
				k++
			}
		}
	}
}
