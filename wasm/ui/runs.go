// Package ui is the page around the dashboards: header, run list, settings,
// status line, drop zone. What needs no browser is in files without _js.
package ui

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/names"
	"github.com/tensorbored/tensorbored-static/shared/natural"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

const (
	// manyRuns is up to how many runs are all shown at first, as in TensorBoard.
	manyRuns = 500
	// fewRuns is how many of more than that are: the newest.
	fewRuns = 20
	// closeLook is up to how many of very many runs are all shown when a filter leaves them.
	closeLook = 50
)

// firstShown says which runs are on as long as the user has not chosen: all of
// them, or the newest of very many (newest is then their number, else 0).
func firstShown(runs []wire.Run) (on func(run string) bool, newest int) {
	if len(runs) <= manyRuns {
		return func(string) bool { return true }, 0
	}
	return newestOf(runs, fewRuns), fewRuns
}

// newestOf says which the n newest of the runs are.
func newestOf(runs []wire.Run, n int) (is func(run string) bool) {
	set := map[string]bool{}
	for _, r := range ordered(runs, newest1st(runs))[:min(n, len(runs))] {
		set[r.Name] = true
	}
	return func(run string) bool { return set[run] }
}

// started is when a run began, seconds since 1970: the time of its first event, or, as
// long as that has not been read, the one in the name of its first file, which every
// writer puts there ("events.out.tfevents.1700000000.host"). 0 = unknown.
func started(r wire.Run) float64 {
	if r.StartTime > 0 {
		return r.StartTime
	}
	for _, f := range r.Files {
		_, rest, ok := strings.Cut(f[strings.LastIndexByte(f, '/')+1:], "tfevents.")
		digits, _, _ := strings.Cut(rest, ".")
		if v, err := strconv.ParseInt(digits, 10, 64); ok && err == nil && v > 0 {
			return float64(v)
		}
	}
	return 0
}

// sortRuns returns the runs in an order; name gives what a run is called, and value the
// number that it is sorted by in SortHigh and SortLow. many: of very many runs the newest
// come first unless the user wants another order, for they are the ones that are on.
func sortRuns(runs []wire.Run, by session.RunOrder, many bool, name func(run string) string, value func(run string) (float64, bool)) []wire.Run {
	if by == session.SortAuto && !many {
		return runs // display order: by start
	}
	switch by {
	case session.SortName:
		names := make([]string, len(runs))
		for i, r := range runs {
			names[i] = name(r.Name)
		}
		return ordered(runs, func(i, j int) int { return natural.Compare(names[i], names[j]) })
	case session.SortHigh, session.SortLow:
		values := make([]float64, len(runs)) // NaN: none
		for i, r := range runs {
			v, ok := value(r.Name)
			if !ok {
				v = math.NaN()
			}
			values[i] = v
		}
		return ordered(runs, func(i, j int) int {
			x, y := values[i], values[j]
			switch {
			case x != x || y != y: // those without a value come last
				return cmp.Compare(y, x)
			case by == session.SortHigh:
				return cmp.Compare(y, x)
			}
			return cmp.Compare(x, y)
		})
	case session.SortOldest:
		newest := newest1st(runs)
		return ordered(runs, func(i, j int) int { return newest(j, i) })
	}
	return ordered(runs, newest1st(runs))
}

// ordered returns runs in an order of their numbers; those that are equal keep theirs.
func ordered(runs []wire.Run, compare func(i, j int) int) []wire.Run {
	order := make([]int, len(runs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compare)
	out := make([]wire.Run, len(runs))
	for i, k := range order {
		out[i] = runs[k]
	}
	return out
}

// newest1st compares runs by when they began, the newest first.
func newest1st(runs []wire.Run) func(i, j int) int {
	starts := make([]float64, len(runs))
	for i, r := range runs {
		starts[i] = started(r)
	}
	return func(i, j int) int { return cmp.Compare(starts[j], starts[i]) }
}

// row is a line of the run list: a run, or the head of a folder of runs.
type row struct {
	Folder bool
	Name   string   // the run, or the folder's path
	Label  string   // what to show of it
	Common string   // folder: what the names in it have in common and do not show
	Depth  int      // in how many folders' heads it stands
	Closed bool     // folder: its runs are not listed
	Runs   []string // folder: its runs that match, in all depths

	many  *names.Many // makes the label fit when the row is seen; nil if it does
	place int         // in many
}

// folder is a directory of runs while the tree is made.
type folder struct {
	path    string
	runs    []string // directly in it
	folders []*folder
	all     []string
}

// flat lists the runs that match in the order given, without folders: what is sorted by a
// value is sorted over all.
func flat(runs []wire.Run, match func(string) bool) (out []row) {
	for _, r := range runs {
		if match(r.Name) {
			out = append(out, row{Name: r.Name, Label: r.Name})
		}
	}
	return out
}

// rows lists the runs that match as a tree: of each folder first its own runs, then its
// folders, each in the order given. A folder of a single run is no folder, and one that
// holds nothing but another is one line with it.
func rows(runs []wire.Run, match func(string) bool, closed map[string]bool) []row {
	root := &folder{}
	known := map[string]*folder{"": root}
	var find func(path string) *folder
	find = func(path string) *folder {
		if f := known[path]; f != nil {
			return f
		}
		up := find(folderOf(path))
		f := &folder{path: path}
		known[path] = f
		up.folders = append(up.folders, f)
		return f
	}
	for _, r := range runs {
		if !match(r.Name) {
			continue
		}
		f := find(folderOf(r.Name))
		f.runs = append(f.runs, r.Name)
		for path := f.path; ; path = folderOf(path) {
			known[path].all = append(known[path].all, r.Name)
			if path == "" {
				break
			}
		}
	}
	var out []row
	root.list(&out, "", 0, closed)
	return out
}

// list appends the rows of what is in f; above is the path that is said by the heads
// above.
func (f *folder) list(out *[]row, above string, depth int, closed map[string]bool) {
	label := func(path string) string {
		if above == "" {
			return path
		}
		return path[len(above)+1:]
	}
	alone := f.runs
	var groups []*folder
	for _, g := range f.folders {
		for len(g.runs) == 0 && len(g.folders) == 1 {
			g = g.folders[0]
		}
		if len(g.all) == 1 {
			alone = append(alone, g.all[0])
			continue
		}
		groups = append(groups, g)
	}
	if len(alone) > len(f.runs) { // in the order of all
		set := map[string]bool{}
		for _, r := range alone {
			set[r] = true
		}
		alone = nil
		for _, r := range f.all {
			if set[r] {
				alone = append(alone, r)
			}
		}
	}
	for _, r := range alone {
		*out = append(*out, row{Name: r, Label: label(r), Depth: depth})
	}
	for _, g := range groups {
		*out = append(*out, row{Folder: true, Name: g.path, Label: label(g.path), Depth: depth, Closed: closed[g.path], Runs: g.all})
		if !closed[g.path] {
			g.list(out, g.path, depth+1, closed)
		}
	}
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
