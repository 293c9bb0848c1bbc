package catalog

import "slices"

// Names
//
// Points can be thinned, names cannot: a tag that is not named is lost. So names of tags, and
// what files say of them, have two bounds. That of a file depends on its bytes alone. That of
// all files follows from the memory that there is, and then it depends on the order in which
// files are read which of them have room; such a file is not cached, so that it is tried anew.
// A name is counted once a run, what is said of its tag once for each file that says it. What
// is said is given back when its file goes or is read anew. A name that no file has then stays
// until no file of the run is in the middle of being read: one that was replaced names most of
// its tags again, and a page that shows them must not be told meanwhile that they do not exist.
// It goes at once where its room is needed.

// mostNames is how many bytes the names of a file's tags, and what the file says of them,
// may have. Real ones have some MB; they are held several times, by the page too.
var mostNames = int64(64 << 20)

// allNames is how many bytes those of all files may have where no budget says otherwise.
const allNames = 512 << 20

// NamesFor is the Names of a reader that may keep so many points, 0 = any number: names that
// would leave no room for points; but one file's have room always.
func NamesFor(points int64) int64 {
	if points <= 0 || points > allNames/nameWeight {
		return allNames
	}
	return max(mostNames, points*nameWeight)
}

// room is what names fill of memory, in bytes, and how much they may.
type room struct {
	held, most int64
	orphaned   map[*Run]bool // runs with tags that no file names
}

// The kinds of what is lost for want of room.
const (
	namesKind    = "too many names of tags"
	allNamesKind = "too many names of tags in all files"
)

// Crowded reports whether something of the file was lost because of the names in others.
func (f *File) Crowded() bool {
	for i := range f.losses {
		if f.losses[i].kind == allNamesKind {
			return true
		}
	}
	return f.tail != nil && f.tail.Crowded()
}

// fits reports whether there is room for so many bytes more of names that are new to the
// file, and for all of them that are new to the catalog.
func (f *File) fits(ofFile, ofAll int64) (kind string, ok bool) {
	m := f.run.room
	if f.names+ofFile > mostNames {
		return namesKind, false
	}
	if m.held+ofAll > m.most {
		return allNamesKind, false
	}
	return "", true
}

// hold counts bytes that a claim has more than before.
func (f *File) hold(n int64) {
	f.names += n
	f.run.room.held += n
}

// forget drops the tags that no file of any run names, and reports whether there were some.
func (m *room) forget() bool {
	held := m.held
	for r := range m.orphaned {
		r.forget()
	}
	return m.held < held
}

// reads notes whether the file is in the middle of being read: it may name tags again that
// no file names now.
func (f *File) reads(on bool) {
	if r := f.run; f.reading != on {
		if f.reading = on; on {
			r.reading++
			return
		}
		if r.reading--; r.reading == 0 {
			r.forget()
		}
	}
}

// release gives back what the file's claims hold, before they go.
func (f *File) release() {
	r := f.run
	for _, c := range f.order {
		r.room.held -= c.size()
		if c.Tag.claims--; c.Tag.claims == 0 {
			if r.room.orphaned == nil {
				r.room.orphaned = make(map[*Run]bool)
			}
			r.room.orphaned[r] = true
		}
		r.changed(c.Tag)
	}
}

// forget drops the tags that no file names.
func (r *Run) forget() {
	if !r.room.orphaned[r] {
		return
	}
	delete(r.room.orphaned, r)
	for _, t := range r.order {
		if t.claims > 0 {
			continue
		}
		r.room.held -= int64(len(t.Name))
		r.named++
		delete(r.tags, t.Name)
		if r.long[t.Shown] == t {
			delete(r.long, t.Shown)
		}
	}
	gone := func(t *Tag) bool { return t.claims == 0 }
	r.order, r.doubts = slices.DeleteFunc(r.order, gone), slices.DeleteFunc(r.doubts, gone)
}
