package ui

import "github.com/tensorbored/tensorbored-static/shared/names"

// manyNames is of how many names beside each other those are left as they are that have no
// room: to find out where more of them differ takes longer than a frame.
const manyNames = 2000

// shorten makes the rows' labels fit: in each folder what its rows have in common is left out,
// and stands beside the folder's own label; top is what those in no folder have in common.
// called is what a run is called, or "", and width how many characters a row has room for.
func shorten(list []row, called func(run string) string, width func(r *row) int) (top string) {
	type level struct {
		head int // of the folder; -1: none
		rows []int
	}
	var open []*level
	finish := func(l *level) {
		if len(l.rows) == 0 || len(l.rows) > manyNames {
			return
		}
		texts, room := make([]string, len(l.rows)), 1<<20
		for i, at := range l.rows {
			texts[i] = list[at].Label
			room = min(room, width(&list[at]))
		}
		short, common := names.Short(texts, room)
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
