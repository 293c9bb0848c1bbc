package engine

import (
	"context"
	"errors"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/source/httprange"
)

// relist lists the logdir and tells the workers what is new.
func (e *Engine) relist(ctx context.Context) {
	gen, o, first, open := e.gen, e.origin, e.listing, false
	defer e.handed()
	begin := func(l *api.Listing) {
		if first && !open {
			open = true
			e.most = l.Page.Most("scalars")
			e.enlist(l)
			for _, w := range e.workers {
				e.openWorker(w, false)
			}
			e.fresh = false
		}
	}
	l, err := o.list(ctx, func(l *api.Listing) {
		// The first listing of a large folder: what has been found is read meanwhile.
		if e.gen == gen && first {
			begin(l)
			news := e.take(l, true)
			e.handed()
			e.update(Change{Status: true, Runs: news, Tags: news})
		}
	})
	if e.gen != gen {
		return // another logdir has been opened
	}
	e.listing = false
	e.reload.done(time.Now())
	if errors.Is(err, httprange.ErrNoListing) && first && o.optional() {
		e.origin = nil // the page stands alone: the user will open something
		e.clear()
		e.tell(Change{Status: true})
		return
	}
	if err != nil {
		e.listing = first // the next look is the first again
		e.status.Error, e.status.Empty = err.Error(), false
		if errors.Is(err, httprange.ErrNoListing) && first {
			e.status.Error = o.none()
		}
		e.update(Change{Status: true})
		return
	}
	e.status.Error = ""
	begin(l)
	if l.Logdir != "" {
		e.status.Logdir = l.Logdir
	}
	e.status.Title, e.status.Reload = l.Page.Title, l.Page.Reload
	added := l != e.last && e.take(l, false)
	e.last = l
	e.missing = missing(l.Problems)
	for _, w := range e.workers {
		w.send(wire.OpLooked, nil, nil)
	}
	if e.status.Empty = len(e.files) == 0; e.status.Empty {
		e.status.Error = o.none()
	}
	e.update(Change{Status: true, Runs: added || first, Tags: added || first})
}

// handed ends the wait for the first listing.
func (e *Engine) handed() {
	if e.listed != nil {
		close(e.listed)
		e.listed = nil
	}
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
	type share struct {
		files   []wire.File
		objects []any
	}
	fresh := make(map[*worker]*share)
	tell := func(w *worker, f wire.File) {
		n := fresh[w]
		if n == nil {
			n = &share{}
			fresh[w] = n
		}
		n.files = append(n.files, f)
		n.objects = append(n.objects, e.origin.file(f.Path))
	}
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
		e.openWorker(w, false)
		w.send(wire.OpLook, &e.look, nil)
	}
	e.assign(added)
	for _, w := range changed {
		if e.supervisor.LeftOut(w.Path) {
			continue // growing makes it no better
		}
		tell(e.files[w.Path].run.worker, w)
	}
	for path, f := range e.files {
		if !part && !listed[path] && !f.Gone {
			f.Gone = true
			tell(f.run.worker, f.File)
		}
	}
	for w, n := range fresh {
		w.tell(n.files, n.objects)
	}
	e.status.BytesTotal, e.status.Files = 0, 0
	for _, f := range e.files {
		if !f.Gone {
			e.status.BytesTotal += f.Size
			e.status.Files++
		}
	}
	return news
}

// enlist has as many workers as there is to read. One that has a part of a
// logdir keeps it.
func (e *Engine) enlist(l *api.Listing) {
	n := e.readers
	if !l.Partial && len(e.workers) < n {
		var bytes int64
		files := 0
		for _, f := range l.Files {
			if f.Kind == api.Event {
				bytes += f.Size
				files++
			}
		}
		n = e.boot.Call("worth", float64(bytes), files).Int()
	}
	for len(e.workers) < n {
		e.workers = append(e.workers, e.spawn())
	}
}

// assign gives each new run a worker.
func (e *Engine) assign(added map[string]*run) {
	order := make([]*run, 0, len(added))
	for _, r := range added {
		order = append(order, r)
	}
	sort.Slice(order, func(i, j int) bool {
		if order[i].bytes != order[j].bytes {
			return order[i].bytes > order[j].bytes
		}
		return order[i].name < order[j].name
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
