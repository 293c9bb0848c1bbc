package engine

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/digest"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/unshown"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

func compare(a, b string) int { return strings.Compare(a, b) }

// begin tells the workers which logdir it is, when its first listing is there.
func (e *Engine) begin(l *api.Listing) {
	if e.begun {
		return
	}
	e.begun = true
	e.enlist(l)
	for _, w := range e.workers {
		w.open(false)
	}
}

// Partly takes in the part of the first listing that there is so far: what has been found is
// read meanwhile.
func (e *Engine) Partly(l *api.Listing) {
	e.begin(l)
	news := e.take(l, true)
	e.update(Change{Status: true, Runs: news, Tags: news})
}

// Listed takes in a listing: the first one of a logdir, or what a further look has found. It
// may be the last one again.
func (e *Engine) Listed(l *api.Listing) {
	first := e.listing
	e.listing = false
	s := &e.status
	s.Error = ""
	e.begin(l)
	if l.Logdir != "" {
		s.Logdir = l.Logdir
	}
	s.Title, s.Reload = l.Page.Title, l.Page.Reload
	added := l != e.last && e.take(l, false)
	e.last = l
	e.missing = missing(l.Problems)
	for _, w := range e.workers {
		w.send(wire.OpLooked, nil)
	}
	if s.Empty = len(e.files) == 0; s.Empty && len(unshown.Files(l.Files)) == 0 {
		s.Error = e.host.None()
	}
	e.update(Change{Status: true, Runs: added || first, Tags: added || first})
}

// Unlisted says that a look has failed, and why. Where it was the first one the next is the
// first again.
func (e *Engine) Unlisted(why string) {
	e.status.Error, e.status.Empty = why, false
	e.update(Change{Status: true})
}

// Leave closes a logdir that is not there after all, without a word.
func (e *Engine) Leave() {
	e.clear()
	e.tell(Change{Status: true})
}

// Refused says that something could not be opened, and why. Nothing is open then.
func (e *Engine) Refused(why string) {
	e.Close()
	e.status.Error = why
	e.tell(Change{Status: true})
}

// missing says what a listing could not name, each with the reason before the first
// colon and the remedy behind it.
func missing(problems []api.Problem) []wire.Loss {
	var out []wire.Loss
	for _, p := range problems {
		kind, remedy, _ := strings.Cut(p.Error, ": ")
		out = append(out, wire.Loss{Run: source.RunOf(p.Path), File: p.Path, Kind: kind, Count: 1, Remedy: remedy})
	}
	return out
}

// take compares a listing with what is known and tells each worker its part. What a
// listing that is only a part lacks may be there all the same. It reports whether there
// are new runs, or new files of known ones.
func (e *Engine) take(l *api.Listing, part bool) (news bool) {
	// Runs that are new are shared out by size, the largest first, each to the
	// worker that has the least to read.
	added := make(map[string]*run)
	listed := make(map[string]bool, len(l.Files))
	var changed []wire.File
	for _, f := range l.Files {
		if f.Kind != api.Event {
			continue
		}
		listed[f.Path] = true
		w := wire.File{Path: f.Path, Size: f.Size, MTime: f.MTime, Version: f.Version}
		if known := e.files[f.Path]; known != nil {
			if known.File == w {
				continue
			}
			known.run.bytes += w.Size - known.Size
			known.File = w
			changed = append(changed, w)
			continue
		}
		name := source.RunOf(f.Path)
		r := e.runs[name]
		if r == nil {
			r = &run{name: name}
			e.runs[name] = r
			added[name] = r
		}
		r.files = slices.Insert(r.files, sort.SearchStrings(r.files, f.Path), f.Path)
		e.sorted, news = nil, true
		r.bytes += f.Size
		e.files[f.Path] = &file{w, r}
		changed = append(changed, w)
	}
	before := len(e.workers)
	e.enlist(l)
	for _, w := range e.workers[before:] {
		w.open(false)
		w.send(wire.OpLook, &e.look)
	}
	e.assign(added)
	fresh := make(map[*Worker]wire.Files)
	for _, f := range changed {
		if e.supervisor.LeftOut(f.Path) {
			continue // growing makes it no better
		}
		w := e.files[f.Path].run.worker
		fresh[w] = append(fresh[w], f)
	}
	for path, f := range e.files {
		if !part && !listed[path] && !f.Gone {
			f.Gone = true
			fresh[f.run.worker] = append(fresh[f.run.worker], f.File)
		}
	}
	for _, w := range e.workers[before:] {
		fresh[w] = append(fresh[w], e.digests()...)
	}
	e.companions(l, part, fresh)
	for _, w := range e.workers {
		if files := fresh[w]; files != nil {
			w.tell(files)
		}
	}
	e.status.BytesTotal, e.status.Files, e.status.Gone = 0, 0, 0
	for _, f := range e.files {
		if f.Gone {
			e.status.Gone++
			continue
		}
		e.status.BytesTotal += f.Size
		e.status.Files++
	}
	return news
}

// companions adds what is new of the files beside event files to what workers are told. Each
// is read by the worker that has the run of its directory, or of the nearest one above;
// where there is none, by the first.
func (e *Engine) companions(l *api.Listing, part bool, fresh map[*Worker]wire.Files) {
	listed := make(map[string]bool)
	for _, f := range l.Files {
		if f.Kind == api.Event {
			continue
		}
		listed[f.Path] = true
		is := wire.File{Path: f.Path, Size: f.Size, MTime: f.MTime, Version: f.Version, Companion: true}
		c := e.beside[f.Path]
		if c == nil {
			c = &companion{worker: e.nearest(f.Path)}
			e.beside[f.Path] = c
		} else if c.File == is {
			continue
		}
		c.File = is
		for _, w := range e.workers {
			// What a digest says concerns all.
			if _, ok := digest.Is(f.Path); ok || w == c.worker {
				fresh[w] = append(fresh[w], is)
			}
		}
	}
	for path, c := range e.beside {
		if !part && !listed[path] {
			c.Gone = true
			fresh[c.worker] = append(fresh[c.worker], c.File)
			delete(e.beside, path)
		}
	}
}

// digests are the digests that are known.
func (e *Engine) digests() (list wire.Files) {
	for path, c := range e.beside {
		if _, ok := digest.Is(path); ok && !c.Gone {
			list = append(list, c.File)
		}
	}
	return list
}

// nearest returns the worker for a file beside event files.
func (e *Engine) nearest(path string) *Worker {
	for run := source.RunOf(path); run != "."; run = source.RunOf(run) {
		if r := e.runs[run]; r != nil {
			return r.worker
		}
	}
	if r := e.runs["."]; r != nil {
		return r.worker
	}
	return e.workers[0]
}

// enlist has as many workers as there is to read. One that has a part of a
// logdir keeps it.
func (e *Engine) enlist(l *api.Listing) {
	n := e.host.Most()
	if !l.Partial && len(e.workers) < n {
		var bytes int64
		files := 0
		for _, f := range l.Files {
			if f.Kind == api.Event {
				bytes += f.Size
				files++
			}
		}
		n = e.host.Worth(bytes, files)
	}
	e.Hire(n)
}

// assign gives each new run a worker.
func (e *Engine) assign(added map[string]*run) {
	order := make([]*run, 0, len(added))
	for _, r := range added {
		order = append(order, r)
	}
	slices.SortFunc(order, func(a, b *run) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), compare(a.name, b.name))
	})
	for _, r := range order {
		least := e.workers[0]
		for _, w := range e.workers[1:] {
			if w.bytes < least.bytes {
				least = w
			}
		}
		r.worker = least
		least.bytes += r.bytes + fileCost*int64(len(r.files))
	}
}

// fileCost is what opening a file costs, in bytes that could be read meanwhile.
const fileCost = 16 << 10
