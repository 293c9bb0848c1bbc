// Package ui is the page around the dashboards: header, run list, settings,
// status line, drop zone. What needs no browser is in files without _js.
package ui

import (
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

const (
	// manyRuns is up to how many runs are all shown at first, as in TensorBoard.
	manyRuns = 500
	// fewRuns is how many of more than that are: the newest.
	fewRuns = 20
)

// firstShown says which runs are on as long as the user has not chosen: all of
// them, or the newest of very many (newest is then their number, else 0).
// Runs whose start is not known yet count as the oldest.
func firstShown(runs []wire.Run) (on func(run string) bool, newest int) {
	if len(runs) <= manyRuns {
		return func(string) bool { return true }, 0
	}
	byStart := slices.Clone(runs)
	slices.SortStableFunc(byStart, func(a, b wire.Run) int {
		switch {
		case a.StartTime > b.StartTime:
			return -1
		case a.StartTime < b.StartTime:
			return 1
		}
		return 0
	})
	set := map[string]bool{}
	for _, r := range byStart[:fewRuns] {
		set[r.Name] = true
	}
	return func(run string) bool { return set[run] }, fewRuns
}

// row is a line of the run list: a run, or the head of a folder of runs.
type row struct {
	Folder bool
	Name   string   // the run, or the folder's path
	Label  string   // what to show of it
	Inside bool     // below a folder's head
	Closed bool     // folder: its runs are not listed
	Runs   []string // folder: its runs that match
}

// rows lists the runs that match, those of one folder together below its head:
// runs outside of any folder first, then the folders, each in the order given.
// A folder of a single run is no group.
func rows(runs []wire.Run, match func(string) bool, closed map[string]bool) []row {
	folders := map[string][]string{}
	var order []string
	for _, r := range runs {
		if !match(r.Name) {
			continue
		}
		f := folderOf(r.Name)
		if _, ok := folders[f]; !ok {
			order = append(order, f)
		}
		folders[f] = append(folders[f], r.Name)
	}
	var alone, grouped []row
	for _, r := range runs {
		if f := folderOf(r.Name); (f == "" || len(folders[f]) == 1) && match(r.Name) {
			alone = append(alone, row{Name: r.Name, Label: r.Name})
		}
	}
	for _, f := range order {
		list := folders[f]
		if f == "" || len(list) == 1 {
			continue
		}
		grouped = append(grouped, row{Folder: true, Name: f, Label: f, Closed: closed[f], Runs: list})
		if closed[f] {
			continue
		}
		for _, r := range list {
			grouped = append(grouped, row{Name: r, Label: r[len(f)+1:], Inside: true})
		}
	}
	return append(alone, grouped...)
}

// folderOf is the path before a run's last slash.
func folderOf(run string) string {
	i := strings.LastIndexByte(run, '/')
	if i < 0 {
		return ""
	}
	return run[:i]
}

// span lists the runs from one to another in the list, both included, in
// either direction; just the second when the first is not in the list.
func span(list []row, from, to string) []string {
	at := func(run string) int {
		return slices.IndexFunc(list, func(r row) bool { return !r.Folder && r.Name == run })
	}
	i, j := at(from), at(to)
	if j < 0 {
		return nil
	}
	if i < 0 {
		i = j
	}
	if i > j {
		i, j = j, i
	}
	var out []string
	for _, r := range list[i : j+1] {
		if !r.Folder {
			out = append(out, r.Name)
		}
	}
	return out
}
