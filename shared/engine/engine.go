// Package engine is the page's side of the data, wherever the page runs and wherever the
// workers do: it shares the runs of a logdir out over workers, follows listings, asks the
// workers and joins what they answer, and puts new ones in the place of those that end.
//
// A worker is behind a Port: a worker of the browser, a goroutine in tests, a stream to
// another machine. The engine does not know which. What it needs of the platform is a Host.
//
// Three things always hold, whatever ends when:
//   - Every question is answered, or cancelled by who asked it. What a worker that has ended
//     would have said is missing then, and its runs are told of again when they are read anew.
//   - What calls a callback has finished its own work before: a callback may ask, cancel, and
//     open another logdir.
//   - A run that has a worker that cannot be asked is one that nobody has.
//
// One goroutine owns all of it, callbacks included: in the browser that is the page's one
// thread. So nothing is locked.
package engine

import (
	"slices"
	"sort"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Port is the way to a worker.
type Port interface {
	// Post sends a message; the worker gets them in order. Nothing happens if it has ended.
	Post(wire.Envelope)
	// End ends the worker and gives its memory back. Nothing is heard of it any more.
	End()
}

// Host is the platform.
type Host interface {
	// Start starts a worker, which may take its time: messages wait for it. What it says is
	// handed to w.Hear, its end to w.Ended. The error says why there will be none, and
	// what the user can do.
	Start(w *Worker) (Port, error)
	// Worth is how many workers there are to be for so much to read; Most at most.
	Worth(bytes int64, files int) int
	// Most is how many workers there may be.
	Most() int
	// Open is what a worker must know of the logdir; the engine fills in Gen, Careful and
	// Workers.
	Open() wire.Open
	// Beside is what goes beside these files to their worker; nil if they need nothing.
	Beside([]wire.File) any
	// None says what to tell when a logdir has no event files.
	None() string
	// Stale is told when a file is not what it was when it was listed: a new listing is
	// due.
	Stale()
	// Soon calls f when what runs now has ended.
	Soon(f func())
	// Now is the time, for rates.
	Now() time.Time
}

// Engine is the data of a page.
type Engine struct {
	host    Host
	workers []*Worker
	gen     int
	open    bool // a logdir is
	begun   bool // … and the workers know which
	listing bool // its first listing is under way

	runs     map[string]*run
	files    map[string]*file
	beside   map[string]*companion                     // files beside event files
	sorted   []wire.Run                                // cache of Runs; nil = make it anew
	byTag    map[string]map[string]map[string]wire.Tag // cache of Tags, by plug-in
	named    map[string]bool                           // logged tags that begin with "="
	toName   func(map[string]bool)                     // is given named
	lost     []wire.Loss                               // that the engine itself knows of …
	missing  []wire.Loss                               // … and what the last listing could not name
	broken   string                                    // why nothing can be read at all; "" if it can
	status   wire.Status
	meter    meter
	look     wire.Look
	last     *api.Listing // that was taken in last
	queries  map[int]*pending
	streams  map[int]*Stream
	lastID   int
	watchers map[int]func(Change)

	clients []*Client // in the order of their turns
	guests  int       // questions of clients that are under way

	supervisor reader.Supervisor

	// Each and All are how many questions of one client, and of all, are under way at most.
	Each, All int
}

// run is what is known of a run.
type run struct {
	name   string
	worker *Worker
	bytes  int64
	start  float64
	files  []string // sorted
	tags   tagSet
	coming tagSet // the first parts of another one
}

// tagSet is the tags of a run by plug-in, and by name. There may be 100,000: each map of them
// more makes each run of the collector, which holds the page, longer.
type tagSet map[string]map[string]wire.Tag

func (s *tagSet) add(t wire.NamedTag) {
	if *s == nil {
		*s = tagSet{}
	}
	of := (*s)[t.Plugin]
	if of == nil {
		of = make(map[string]wire.Tag)
		(*s)[t.Plugin] = of
	}
	of[t.Name] = t.Tag
}

// all is the tags of all plug-ins by name.
func (s tagSet) all() map[string]wire.Tag {
	if len(s) == 1 {
		for _, of := range s {
			return of
		}
	}
	out := map[string]wire.Tag{}
	for _, of := range s {
		for name, t := range of {
			out[name] = t
		}
	}
	return out
}

// file is an event file as it was last told to its worker.
type file struct {
	wire.File
	run *run
}

// companion is a file beside event files as it was last told to its worker.
type companion struct {
	wire.File
	worker *Worker
}

// Change says what is new since the last one.
type Change struct {
	Status, Runs, Tags bool
	Data               []string // runs whose points changed
	Tagged, Started    []string // … of which tags, or counts, and the time of the first event have
}

// New makes an engine that has no worker yet: see Adopt and Hire.
func New(host Host) *Engine {
	e := &Engine{host: host, Each: clientUnder, All: clientsUnder, queries: make(map[int]*pending), streams: make(map[int]*Stream), watchers: make(map[int]func(Change))}
	e.clear()
	return e
}

// Name calls f, now and whenever a logdir is opened, with the set of logged tags that begin
// with "=", which grows.
func (e *Engine) Name(f func(map[string]bool)) {
	e.toName = f
	f(e.named)
}

// clear forgets the logdir.
func (e *Engine) clear() {
	e.named = make(map[string]bool)
	if e.toName != nil {
		e.toName(e.named)
	}
	e.runs, e.files, e.beside = make(map[string]*run), make(map[string]*file), make(map[string]*companion)
	e.sorted, e.byTag, e.lost, e.missing, e.last = nil, nil, nil, nil, nil
	e.open, e.begun, e.listing = false, false, false
	e.supervisor.Opened()
	e.status = wire.Status{Phase: wire.Idle}
	e.meter = meter{}
}

// Close ends what is open. The workers are ended and begun anew: that gives their
// memory back, which a WebAssembly memory does in no other way.
func (e *Engine) Close() {
	if !e.open {
		return
	}
	e.gen++
	e.workers = slices.DeleteFunc(e.workers, func(w *Worker) bool {
		if w.sent == 0 && !w.gone {
			return false // it has read nothing, and starting takes time
		}
		w.end()
		return true
	})
	e.Hire(1)
	e.clear()
	for _, p := range sortedByID(e.queries) {
		p.fail()
	}
	for _, s := range sortedByID(e.streams) {
		s.end()
	}
	e.tell(Change{Status: true, Runs: true, Tags: true})
}

// Open opens a logdir, which is called name, in place of what is open. Listed or Failed is
// to follow.
func (e *Engine) Open(name string) {
	e.Close()
	e.gen++
	e.open, e.listing = true, true
	e.status.Phase, e.status.Logdir = wire.Reading, name
	e.tell(Change{Status: true, Runs: true, Tags: true})
}

// Stay says that what is open cannot be looked at again.
func (e *Engine) Stay() {
	e.status.Still = true
	e.tell(Change{Status: true})
}

// IsOpen reports whether a logdir is open.
func (e *Engine) IsOpen() bool { return e.open }

// Gen is counted up whenever a logdir is opened or closed: what was begun under another one
// is of no use any more.
func (e *Engine) Gen() int { return e.gen }

// Listing reports whether the first listing is under way.
func (e *Engine) Listing() bool { return e.listing }

// Last is the listing that was taken in last; nil if there was none.
func (e *Engine) Last() *api.Listing { return e.last }

// Subscribe calls f after each change until cancel is called.
func (e *Engine) Subscribe(f func(Change)) (cancel func()) {
	e.lastID++
	id := e.lastID
	e.watchers[id] = f
	return func() { delete(e.watchers, id) }
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
	sort.Ints(ids)
	for _, id := range ids {
		if f := e.watchers[id]; f != nil {
			f(c)
		}
	}
}

// sortedByID returns what has a number, in the order of the numbers.
func sortedByID[T any](m map[int]T) []T {
	ids := make([]int, 0, len(m))
	for id := range m {
		ids = append(ids, id)
	}
	sort.Ints(ids)
	out := make([]T, len(ids))
	for i, id := range ids {
		out[i] = m[id]
	}
	return out
}

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

// Run returns the time of a run's first event, in seconds since 1970, and its tags by plug-in
// and name; ok says that there is such a run. The maps must not be changed.
func (e *Engine) Run(name string) (start float64, tags map[string]map[string]wire.Tag, ok bool) {
	r := e.runs[name]
	if r == nil {
		return 0, nil, false
	}
	return r.start, r.tags, true
}

// Tags returns the tags of a plug-in, or of all with "", by run and tag. Runs
// without any are left out. The maps must not be changed.
func (e *Engine) Tags(plugin string) map[string]map[string]wire.Tag {
	out := make(map[string]map[string]wire.Tag, len(e.runs))
	if plugin == "" {
		for name, r := range e.runs {
			if len(r.tags) > 0 {
				out[name] = r.tags.all()
			}
		}
		return out
	}
	e.sort()
	if e.byTag[plugin] == nil {
		e.byTag[plugin] = out
	}
	return e.byTag[plugin]
}

// sort sorts tags by plug-in, all in one pass: a dashboard asks for most of them.
func (e *Engine) sort() {
	if e.byTag == nil {
		e.byTag = make(map[string]map[string]map[string]wire.Tag)
		for name, r := range e.runs {
			for p, tags := range r.tags {
				if e.byTag[p] == nil {
					e.byTag[p] = make(map[string]map[string]wire.Tag, len(e.runs))
				}
				e.byTag[p][name] = tags
			}
		}
	}
}

// Plugins names the plug-ins of which there are tags, sorted.
func (e *Engine) Plugins() []string {
	e.sort()
	var out []string
	for p, runs := range e.byTag {
		if len(runs) > 0 {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// Look tells the workers what is on screen, most important first.
func (e *Engine) Look(runs, tags []string) {
	e.look = wire.Look{Runs: runs, Tags: tags}
	for _, w := range e.workers {
		w.send(wire.OpLook, &e.look)
	}
}

// StopCaching tells the workers to write nothing more into the cache.
func (e *Engine) StopCaching() {
	for _, w := range e.workers {
		w.send(wire.OpNoCache, nil)
	}
}
