// Package engine is the page's side of the data: it opens a logdir, shares its
// runs out over workers, joins what they tell, and answers for them. Nothing else
// knows that there are several, or where the bytes come from.
//
// Everything runs on the page's one thread, so nothing is locked. Work that waits
// (listing, the database) runs on goroutines; each of them belongs to one open
// logdir and gives up when gen says that another has been opened.
package engine

import (
	"context"
	"slices"
	"sort"
	"syscall/js"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/derive"
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/storage"
)

// Engine is the data of the page.
type Engine struct {
	boot    js.Value // {module, workerURL}, from boot.js
	workers []*worker
	readers int // how many workers there may be; see enlist
	gen     int
	origin  origin       // nil = nothing is open
	last    *api.Listing // that was taken in last
	cancel  context.CancelFunc

	runs    map[string]*run
	files   map[string]*file
	sorted  []wire.Run                                // cache of Runs; nil = make it anew
	byTag   map[string]map[string]map[string]wire.Tag // cache of Tags, by plug-in
	named   map[string]bool                           // logged tags that begin with "="
	budget  int64                                     // points that may be kept
	most    int64                                     // of one series, as the listing asks; 0: any number
	caching bool                                      // what is read is kept in the database of the browser
	fresh   bool                                      // nothing was ever kept there, and nothing has been read yet
	db      *storage.DB                               // see database; nil = not opened yet
	lost    []wire.Loss                               // that the page itself knows of …
	missing []wire.Loss                               // … and what the last listing could not name
	broken  string                                    // why nothing can be read at all; "" if it can
	status  wire.Status
	listing bool          // the first listing is under way
	listed  chan struct{} // closed when the workers know the first files, or there are none; then nil
	meter   meter

	look       wire.Look
	reload     reloader
	queries    map[int]*pending
	streams    map[int]*Stream
	lastID     int
	loose      loose
	watchers   map[int]func(Change)
	supervisor reader.Supervisor
}

// origin is where a logdir comes from, as the page sees it.
type origin interface {
	// list names the files that there are. While that takes its time it may call
	// partly with those that it has found.
	list(ctx context.Context, partly func(*api.Listing)) (*api.Listing, error)
	// optional reports whether it is no error that there is no such logdir.
	optional() bool
	// open is what a worker needs to read; Gen and the rest are filled in.
	open() wire.Open
	// file is the File for a worker at path; undefined over HTTP.
	file(path string) js.Value
	// name tells this logdir from others in the cache.
	name() string
	// live reports whether new data can be seen.
	live() bool
	// none says what to tell when there are no event files.
	none() string
}

// run is what is known of a run.
type run struct {
	name   string
	worker *worker
	bytes  int64
	start  float64
	files  []string // sorted
	tags   map[string]wire.Tag
}

// file is an event file as it was last told to its worker.
type file struct {
	wire.File
	run *run
}

// Change says what is new since the last one.
type Change struct {
	Status, Runs, Tags bool
	Data               []string // runs whose points changed
}

// New takes over the workers that have been started. boot is what boot.js leaves: those,
// the compiled module, and the URL for others.
func New(boot js.Value) *Engine {
	e := &Engine{boot: boot, queries: make(map[int]*pending), streams: make(map[int]*Stream), watchers: make(map[int]func(Change))}
	e.clear()
	e.budget, e.caching, e.fresh = DefaultBudget(), true, cacheIsNew()
	e.readers = boot.Get("readers").Int()
	started := boot.Get("workers")
	for i := range started.Length() {
		e.workers = append(e.workers, e.adopt(started.Index(i)))
	}
	if len(e.workers) == 0 {
		e.workers = append(e.workers, e.spawn())
	}
	for i := range started.Length() { // what they have said by now
		for said, k := started.Index(i).Get("tbEarly"), 0; k < said.Length(); k++ {
			e.message(e.workers[i], said.Index(k))
		}
	}
	e.watch()
	return e
}

// clear forgets the logdir.
func (e *Engine) clear() {
	e.runs, e.files, e.named = make(map[string]*run), make(map[string]*file), make(map[string]bool)
	derive.SetLogged(e.named)
	e.sorted, e.lost, e.missing = nil, nil, nil
	e.supervisor.Opened()
	e.last = nil
	e.status = wire.Status{Phase: wire.Idle}
	e.meter = meter{}
}

// Close ends what is open. The workers are ended and begun anew: that gives their
// memory back, which a WebAssembly memory does in no other way.
func (e *Engine) Close() {
	if e.origin == nil {
		return
	}
	e.cancel()
	e.origin = nil
	e.gen++
	e.workers = slices.DeleteFunc(e.workers, func(w *worker) bool {
		if w.sent > 0 { // otherwise it has read nothing, and starting takes time
			w.end()
		}
		return w.sent > 0
	})
	if len(e.workers) == 0 {
		e.workers = append(e.workers, e.spawn())
	}
	for _, p := range e.queries {
		p.fail()
	}
	for _, s := range e.streams {
		s.end()
	}
	e.clear()
	e.tell(Change{Status: true, Runs: true, Tags: true})
}

// start opens an origin in place of what is open.
func (e *Engine) start(o origin, name string) {
	e.Close()
	e.gen++
	e.origin = o
	ctx, cancel := context.WithCancel(context.Background())
	e.cancel = cancel
	e.status.Phase, e.status.Logdir = wire.Reading, name
	e.listing, e.reload.busy = true, true
	e.handed()
	e.listed = make(chan struct{})
	e.tell(Change{Status: true, Runs: true, Tags: true})
	go e.relist(ctx)
}

// AwaitListing waits until the workers know what there is to read, but not for long, and
// not where the listing has still to come: then the page is better drawn first. It must be
// called before the page is drawn, which keeps the processor for a fifth of a second: the
// workers read meanwhile.
func (e *Engine) AwaitListing() {
	early := e.boot.Get("listed")
	if e.listed == nil || !early.Truthy() || !early.Get("here").Truthy() {
		return
	}
	select {
	case <-e.listed:
	case <-time.After(100 * time.Millisecond):
	}
}

// previewFrom is how much there must be to read for a preview to be worth its time, in
// bytes a worker: less is read exactly in the same time.
const previewFrom = 48 << 20

// openWorker tells a worker which logdir it serves.
func (e *Engine) openWorker(w *worker, careful bool) {
	o := e.origin.open()
	o.Gen, o.Careful = e.gen, careful
	o.Workers = e.readers
	if e.caching {
		o.Cache, o.CacheBytes, o.CacheNew = e.origin.name(), cacheBytes, e.fresh
	}
	o.PreviewFrom = previewFrom
	if v := e.boot.Get("previewFrom"); v.Type() == js.TypeNumber { // for tests
		o.PreviewFrom = int64(v.Float())
	}
	o.Budget, o.Most = e.budget/int64(e.readers), e.most
	w.send(wire.OpOpen, &o, nil)
	w.progress, w.sent = wire.Progress{Gen: e.gen}, 0
}

// progress takes in what a worker tells.
func (e *Engine) progress(w *worker, packed []byte) {
	var p wire.Progress
	if err := wire.Unpack(packed, &p); err != nil || p.Gen != e.gen {
		return
	}
	c := Change{Status: true}
	for _, rp := range p.Runs {
		r := e.runs[rp.Name]
		if r == nil {
			continue
		}
		if r.start != rp.Start {
			r.start = rp.Start
			e.sorted = nil
			c.Runs = true
		}
		if rp.TagsSet {
			r.tags = make(map[string]wire.Tag, len(rp.Tags))
			for _, t := range rp.Tags {
				r.tags[t.Name] = t.Tag
				if derive.IsName(t.Name) { // it is not: it was logged
					e.named[t.Name] = true
				}
			}
			c.Tags = true
		}
		if rp.New {
			c.Data = append(c.Data, rp.Name)
		}
	}
	lost := w.progress.Lost
	if p.LostSet {
		lost = p.Lost
	}
	p.Runs, p.Lost = nil, lost
	w.progress = p
	e.update(c)
}

// update makes the status anew and tells the watchers.
func (e *Engine) update(c Change) {
	s := &e.status
	s.BytesCached, s.Previewed = 0, false
	s.BytesRead, s.Points, s.Kept, s.Runs = 0, 0, 0, len(e.runs)
	s.Unread = 0
	e.supervisor.All(func(path string) {
		if f := e.files[path]; f != nil && !f.Gone {
			s.Unread++
		}
	})
	s.Lost = append(append([]wire.Loss{}, e.lost...), e.missing...)
	busy, problem, preview := e.listing, "", false
	for _, w := range e.workers {
		p := &w.progress
		s.BytesRead += p.BytesRead
		s.BytesCached += p.BytesCached
		s.Unread += p.Unread
		s.Previewed = s.Previewed || p.Previewed
		s.Points += p.Points
		s.Kept += p.Kept
		s.Lost = append(s.Lost, p.Lost...)
		busy = busy || p.Busy || p.Heard < w.sent
		preview = preview || p.Previewing
		if p.Error != "" {
			problem = p.Error
		}
	}
	// A worker may have read more than the listing told that was taken in last.
	s.BytesRead = min(s.BytesRead, s.BytesTotal)
	s.BytesCached = min(s.BytesCached, s.BytesRead)
	sort.SliceStable(s.Lost, func(i, j int) bool {
		a, b := s.Lost[i], s.Lost[j]
		if a.Run != b.Run {
			return a.Run < b.Run
		}
		if a.File != b.File {
			return a.File < b.File
		}
		return a.Offset < b.Offset
	})
	if problem != "" || len(e.files) > 0 && !e.listing && s.Error != "" && s.Error == e.meter.problem {
		s.Error = problem
		e.meter.problem = problem
	}
	if e.broken != "" {
		s.Error, busy = e.broken, true
	}
	switch {
	case e.origin == nil:
		s.Phase = wire.Idle
	case preview:
		s.Phase = wire.Preview
	case busy:
		s.Phase = wire.Reading
	case s.Unread > 0:
		s.Phase = wire.Incomplete
	default:
		s.Phase = wire.Exact
	}
	s.Rate = e.meter.rate(s.BytesRead-s.BytesCached, busy)
	e.tell(c)
}

// tell calls the watchers, in the order in which they subscribed.
func (e *Engine) tell(c Change) {
	if c.Tags || c.Runs {
		e.byTag = nil
	}
	ids := make([]int, 0, len(e.watchers))
	for id := range e.watchers {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(i, j int) bool { return ids[i] < ids[j] })
	for _, id := range ids {
		if f := e.watchers[id]; f != nil {
			f(c)
		}
	}
}

// Subscribe calls f after each change until cancel is called.
func (e *Engine) Subscribe(f func(Change)) (cancel func()) {
	e.lastID++
	id := e.lastID
	e.watchers[id] = f
	return func() { delete(e.watchers, id) }
}

// Status returns the state of reading.
func (e *Engine) Status() wire.Status { return e.status }

// Runs returns the runs in display order.
func (e *Engine) Runs() []wire.Run {
	if e.sorted == nil {
		e.sorted = make([]wire.Run, 0, len(e.runs))
		for _, r := range e.runs {
			e.sorted = append(e.sorted, wire.Run{Name: r.name, StartTime: r.start, Files: r.files})
		}
		catalog.SortRuns(e.sorted)
	}
	return e.sorted
}

// Tags returns the tags of a plug-in, or of all with "", by run and tag. Runs
// without any are left out. The maps must not be changed.
func (e *Engine) Tags(plugin string) map[string]map[string]wire.Tag {
	out := make(map[string]map[string]wire.Tag, len(e.runs))
	if plugin == "" {
		for name, r := range e.runs {
			if len(r.tags) > 0 {
				out[name] = r.tags
			}
		}
		return out
	}
	if e.byTag == nil {
		// All plug-ins in one pass: a dashboard asks for most of them.
		e.byTag = make(map[string]map[string]map[string]wire.Tag)
		for name, r := range e.runs {
			of := map[string]map[string]wire.Tag{}
			for tag, info := range r.tags {
				if of[info.Plugin] == nil {
					of[info.Plugin] = map[string]wire.Tag{}
				}
				of[info.Plugin][tag] = info
			}
			for p, tags := range of {
				if e.byTag[p] == nil {
					e.byTag[p] = make(map[string]map[string]wire.Tag, len(e.runs))
				}
				e.byTag[p][name] = tags
			}
		}
	}
	if e.byTag[plugin] == nil {
		e.byTag[plugin] = out
	}
	return e.byTag[plugin]
}

// Look tells the workers what is on screen, most important first.
func (e *Engine) Look(runs, tags []string) {
	e.look = wire.Look{Runs: runs, Tags: tags}
	for _, w := range e.workers {
		w.send(wire.OpLook, &e.look, nil)
	}
}
