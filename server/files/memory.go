package files

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/server/clock"
	"github.com/tensorbored/tensorbored-static/shared/api"
)

// memory is what a walk found, and what the next one builds on: the page asks every
// few seconds, and of 100,000 files hardly any has changed in between.
//
// Files are asked for their sizes and times. What is spared is reading the names in a
// directory whose own time has not changed, asking whether a file may be read, and
// putting the listing together when nothing is new in it. And a file that has rested
// for an hour is asked at every fourth walk only: of most logdirs nearly all have, and
// on a network file system each answer is waited for. What opens one and finds it
// changed makes the next walk ask all (Store.doubt). A walk over 100,000 files in 10,000
// directories takes 120 ms so, less than half of that where all have rested, and 470
// without (BenchmarkWalk100k).
//
// A directory's time is believed only where the file system is one that keeps it
// (keepsTimes) and where it was some seconds old when the names were read: within
// one tick of a clock a directory may change twice. And now and then all names are
// read all the same, since no list of file systems is proof.
//
// A walk owns the memory that it builds on and changes it; what has been handed out
// (found, problems) is never changed.
type memory struct {
	tree tree
	dirs map[string]*directory // by path in the tree
	full time.Time             // when the names of every directory were read last
	turn uint64                // counts walks

	found    []entry // sorted by Path
	problems []api.Problem
	twins    []api.Problem // those of problems that gather found
	changed  bool          // found is not the walk's before
}

// fullEvery is how often the names of every directory are read.
const fullEvery = time.Minute

// restsAfter is for how long a file must not have changed to be asked less often. Tests
// set it.
var restsAfter = time.Hour

// restsFor is how often: at one of so many walks, each a part of such files.
const restsFor = 4

// settled is how old a directory's times must be when its names are read: more than
// the coarsest clock of a file system that keepsTimes knows, and some difference
// between a file server's clock and ours. Tests set it.
var settled = 3 * time.Second

// directory is what was found in one. Names that matter to nobody are left out.
type directory struct {
	times dirTimes
	sure  bool   // the names are all of them as long as the times are the same
	names []name // files first; each part sorted by name
	files int    // how many of names are files of a known kind
}

// dirTimes tell whether a directory is the same and unchanged.
type dirTimes struct {
	id             dirID
	mtime, changed int64 // nanoseconds since 1970
}

// name is an entry of a directory: a file or link of a known kind, something that is
// neither but is named so, a directory, or a link that may lead to one.
type name struct {
	path string // in the tree
	typ  fs.FileMode
	kind api.Kind // "" for what can only be a directory
	dirEntry

	listed bool // entry and facts are set
	facts  facts
	entry  entry
}

// names returns what is named in a directory, which f has open, as the walk before
// found it where that can be. With an error it has those that could be read.
func (w *walker) names(p string, f *os.File, info fs.FileInfo) (*directory, error) {
	d := &directory{}
	id, known := identify(info)
	_, changed := stamp(info)
	d.times = dirTimes{id, info.ModTime().UnixNano(), changed}
	old := w.old.dirs[p]
	if old != nil && old.sure && old.times == d.times && !w.full {
		w.remember(p, old)
		return old, nil
	}
	now := clock.Now()
	entries, err := f.ReadDir(-1)
	d.sure = err == nil && known && keepsTimes(f) &&
		now.Sub(time.Unix(0, d.times.mtime)) > settled && now.Sub(time.Unix(0, changed)) > settled
	beside := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == api.ProjectorConfig })
	for _, e := range entries {
		kind := api.KindOf(path.Base(p), e.Name(), beside)
		if typ := e.Type(); typ == fs.ModeDir || typ == fs.ModeSymlink || kind != "" {
			d.names = append(d.names, name{path: path.Join(p, e.Name()), typ: typ, kind: kind, dirEntry: keep(e)})
		}
	}
	slices.SortFunc(d.names, compareNames)
	d.files, _ = slices.BinarySearchFunc(d.names, true, func(n name, _ bool) int {
		if n.typ == 0 {
			return -1
		}
		return 1
	})
	w.carry(d, old)
	w.remember(p, d)
	return d, err
}

// compareNames puts files first.
func compareNames(a, b name) int {
	if a.typ == 0 && b.typ != 0 {
		return -1
	}
	if a.typ != 0 && b.typ == 0 {
		return 1
	}
	return cmp.Or(strings.Compare(a.path, b.path), cmp.Compare(a.typ, b.typ), strings.Compare(string(a.kind), string(b.kind)))
}

// carry takes over what was known of the names that a directory had before.
func (w *walker) carry(d, old *directory) {
	if old == nil {
		w.changed.Store(true)
		return
	}
	i, kept := 0, 0
	for j := range d.names {
		n := &d.names[j]
		for i < len(old.names) && compareNames(old.names[i], *n) < 0 {
			i++
		}
		if i < len(old.names) && compareNames(old.names[i], *n) == 0 {
			o := &old.names[i]
			n.path, n.listed, n.facts, n.entry = o.path, o.listed, o.facts, o.entry
			kept++
		}
	}
	if kept < len(old.names) {
		w.changed.Store(true)
	}
}

func (w *walker) remember(p string, d *directory) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dirs[p] = d
}

// unchanged returns a directory as the walk before found it, open, where its names are
// known to be the same; nil where they must be read. It asks little of the system,
// since it is asked for every directory at every walk: to open one as an os.File, to
// read its names, takes twice as long.
func (w *walker) unchanged(p string) (*directory, handle) {
	old := w.old.dirs[p]
	if old == nil || !old.sure || w.full {
		return nil, nil
	}
	h, times, ok := w.tree.peek(p)
	if !ok {
		return nil, nil
	}
	if times != old.times {
		h.close()
		return nil, nil
	}
	return old, h
}

// gather returns all files that are listed, sorted by path. Of files whose names
// become equal by display all but one are left out and are problems.
func gather(dirs map[string]*directory) (found []entry, twins []api.Problem) {
	for _, d := range dirs {
		for i := range d.names {
			if n := &d.names[i]; n.listed {
				found = append(found, n.entry)
			}
		}
	}
	slices.SortFunc(found, func(a, b entry) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.real, b.real))
	})
	found = slices.CompactFunc(found, func(a, b entry) bool {
		if a.Path != b.Path {
			return false
		}
		twins = append(twins, api.Problem{Path: a.Path, Error: "its name is shown like another file's: rename it to valid UTF-8"})
		return true
	})
	return found, twins
}
