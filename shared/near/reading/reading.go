// Package reading reads a logdir beside its files for pages elsewhere: the workers of package
// worker, natively, and the engine of package engine over them, once for all who look. To
// each page it is one worker (see Viewer), which speaks the workers' own messages.
//
// One goroutine owns all of it, as the page's thread owns the page's engine: what others say
// waits in the inbox. Questions of one viewer have their turns with those of the others
// (engine.Client).
//
// Nothing is read before somebody looks; and when nobody has for a while, what was read is
// forgotten, and its memory given back.
package reading

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/engine"
	"github.com/tensorbored/tensorbored-static/shared/near"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/shared/worker"
)

// Options say what is read and what may be kept of it.
type Options struct {
	// Dir is the logdir.
	Dir source.Logdir
	// Name tells the logdir from others in the Store.
	Name string
	// Store keeps what was read between starts; nil: nothing does.
	Store Store
	// Budget is how many points may be kept; 0 = any number. See Bound.
	Budget int64
	// Most is how many points of one series are kept; 0 = any number.
	Most int64
	// Workers is how many read at once; 0 = as many as there are processors, at most maxWorkers.
	Workers int
	// Each is for how many bytes there is one more worker; 0 = 64 MB.
	Each int64
	// PreviewFrom is how much there must be to read for a preview, in bytes a worker; 0 = what
	// is right for a disk.
	PreviewFrom int64
	// Idle is how long what was read is kept when nobody looks; 0 = idle.
	Idle time.Duration
}

// Bound sets the process's collector for a reading that may take so many bytes of memory, and
// returns its Budget.
func Bound(memory int64) (budget int64) {
	debug.SetGCPercent(garbage)
	debug.SetMemoryLimit(memory)
	return memory / pointBytes
}

const (
	// garbage is how much of it may lie about, in percent of what is kept: columns hold no
	// pointers, so that collecting is cheap.
	garbage = 30
	// pointBytes is what a kept point takes in memory, of series that were thinned, with their
	// indexes and the garbage beside them: 4 GB of logs in 160 MB took 16, without the garbage.
	pointBytes = 26
)

const (
	maxWorkers  = 16
	idle        = 10 * time.Minute
	previewFrom = 256 << 20
	// tick is the time between two tellings of how far reading has come, and every slow-th
	// one tells of runs that are not on the viewer's screen, too.
	tick = 200 * time.Millisecond
	slow = 10
	// pulse is the time between two of the engine's.
	pulse = 10 * time.Second
)

// Reading is a logdir that is read, or may be.
type Reading struct {
	o       Options
	files   source.Logdir // that workers read
	ctx     context.Context
	end     context.CancelFunc
	inbox   chan func()
	over    chan struct{} // closed when the loop has ended
	e       *engine.Engine
	viewers map[*Viewer]bool
	left    time.Time // when the last viewer left
	ticks   int
	phase   wire.Phase
	lost    []wire.Loss
	losses  int // counted up when lost changes
	shows   [][]string
	news    int                        // counted up when points or tags have changed
	tags    map[string][]wire.NamedTag // of runs, as viewers are told of them
	joined  map[string]*joint          // questions under way that nobody has an answer to, by their bytes

	looking bool // a listing is under way
	again   bool // another one is due when it has come
	bodies  sync.WaitGroup
}

// New begins to wait for viewers. Close ends it.
func New(o Options) *Reading {
	if o.Workers == 0 {
		o.Workers = min(runtime.GOMAXPROCS(0), maxWorkers)
	}
	if o.Idle == 0 {
		o.Idle = idle
	}
	if o.PreviewFrom == 0 {
		o.PreviewFrom = previewFrom
	}
	if o.Each == 0 {
		o.Each = 64e6
	}
	r := &Reading{o: o, files: o.Dir, inbox: make(chan func(), 64), over: make(chan struct{}), viewers: map[*Viewer]bool{}, tags: map[string][]wire.NamedTag{}, joined: map[string]*joint{}, left: time.Now()}
	if f, ok := o.Dir.(*source.FromFiles); ok {
		r.files = &eager{list: f.Lister, open: f.Open}
	}
	r.ctx, r.end = context.WithCancel(context.Background())
	r.e = engine.New(host{r})
	r.e.Each, r.e.All = 16, 128
	r.e.Subscribe(r.changed)
	go r.run()
	return r
}

// Close ends the reading, its workers and its viewers.
func (r *Reading) Close() {
	r.end()
	<-r.over
	r.bodies.Wait()
}

// do has the goroutine do something; nothing happens after Close.
func (r *Reading) do(f func()) {
	select {
	case r.inbox <- f:
	case <-r.ctx.Done():
	}
}

func (r *Reading) run() {
	defer close(r.over)
	ticks := time.NewTicker(tick)
	defer ticks.Stop()
	pulses := time.NewTicker(pulse)
	defer pulses.Stop()
	for {
		select {
		case f := <-r.inbox:
			f()
		case <-ticks.C:
			r.ticks++
			r.tell(r.ticks%slow == 0)
			r.rest()
		case <-pulses.C:
			r.e.Pulse()
		case <-r.ctx.Done():
			r.e.Close()
			for v := range r.viewers {
				v.over()
			}
			return
		}
	}
}

// rest forgets what was read when nobody has looked for a while.
func (r *Reading) rest() {
	if r.e.IsOpen() && len(r.viewers) == 0 && time.Since(r.left) >= r.o.Idle {
		r.e.Close()
		r.lost, r.shows = nil, nil
		clear(r.tags)
		go debug.FreeOSMemory()
	}
}

// open begins to read, if nothing is read so far. Files that are gone since are forgotten
// with it where nobody else looks.
func (r *Reading) open() {
	if r.e.IsOpen() && (r.e.Status().Gone == 0 || !r.fresh()) {
		return
	}
	r.e.Open(r.o.Name)
	clear(r.tags)
	for v := range r.viewers {
		v.fresh = false
	}
	r.look()
}

// fresh reports whether nobody wants what was read of files that are gone: all who look have
// opened the logdir since.
func (r *Reading) fresh() bool {
	for v := range r.viewers {
		if v.gen > 0 && !v.fresh {
			return false
		}
	}
	return len(r.viewers) > 0
}

// look lists the logdir. Viewers that wait for it are told when a listing has come that was begun
// after now.
func (r *Reading) look() {
	if r.looking {
		r.again = true
		return
	}
	r.looking, r.again = true, false
	gen := r.e.Gen()
	for v := range r.viewers {
		v.coming = v.files
	}
	go func() {
		l, err := r.o.Dir.List(r.ctx)
		r.do(func() {
			r.looking = false
			if gen == r.e.Gen() && r.e.IsOpen() {
				r.listed(l, err)
			}
			if r.again || gen != r.e.Gen() && r.e.IsOpen() {
				r.look()
			}
		})
	}()
}

func (r *Reading) listed(l *api.Listing, err error) {
	if err != nil {
		r.e.Unlisted(err.Error())
		return
	}
	if last := r.e.Last(); last != nil && l.ETag != "" && last.ETag == l.ETag {
		l = last
	}
	if l != r.e.Last() && len(l.Problems) > 0 { // of which each page has been told
		c := *l
		c.Problems = nil
		l = &c
	}
	r.e.Listed(l)
	for v := range r.viewers {
		v.heard = max(v.heard, v.coming)
		v.told = false
	}
	r.tell(false)
}

// changed takes in what the engine tells.
func (r *Reading) changed(c engine.Change) {
	s := r.e.Status()
	if c.Runs {
		clear(r.tags)
	}
	for _, run := range c.Tagged {
		delete(r.tags, run)
	}
	if len(c.Data) > 0 || c.Tags || c.Runs {
		r.news++
	}
	if !slices.Equal(s.Lost, r.lost) {
		r.lost = s.Lost
		r.losses++
	}
	for v := range r.viewers {
		v.changed(c)
	}
	if s.Phase != r.phase {
		r.phase = s.Phase
		r.tell(true)
	}
}

// tagsOf are the tags of a run of the engine's, in one list for all viewers.
func (r *Reading) tagsOf(run string, tags map[string]map[string]wire.Tag) []wire.NamedTag {
	list, ok := r.tags[run]
	if !ok {
		for _, of := range tags {
			for name, t := range of {
				list = append(list, wire.NamedTag{Name: name, Tag: t})
			}
		}
		r.tags[run] = list
	}
	return list
}

// tell tells the viewers of what they do not know.
func (r *Reading) tell(all bool) {
	for v := range r.viewers {
		v.tell(all)
	}
}

// show joins what is on the viewers' screens: the first of each, the second of each, and so
// on.
func (r *Reading) show() {
	var runs, tags []string
	known := map[string]bool{}
	join := func(to *[]string, of func(*Viewer) []string) {
		for i, some := 0, true; some; i++ {
			some = false
			for v := range r.viewers {
				if list := of(v); i < len(list) {
					some = true
					if !known[list[i]] {
						known[list[i]] = true
						*to = append(*to, list[i])
					}
				}
			}
		}
		clear(known)
	}
	join(&runs, func(v *Viewer) []string { return v.show.Runs })
	join(&tags, func(v *Viewer) []string { return v.show.Tags })
	if shows := [][]string{runs, tags}; !slices.EqualFunc(shows, r.shows, slices.Equal) {
		r.shows = shows
		r.e.Look(runs, tags)
	}
}

// host is the engine's platform.
type host struct{ r *Reading }

// Worth implements engine.Host.
func (h host) Worth(bytes int64, files int) int {
	return int(max(1, min(int64(h.r.o.Workers), (bytes+int64(files)*16e3)/h.r.o.Each)))
}

// Most implements engine.Host.
func (h host) Most() int { return h.r.o.Workers }

// Open implements engine.Host.
func (h host) Open() wire.Open {
	o := &h.r.o
	return wire.Open{Kind: "near", Budget: o.Budget / int64(o.Workers), Most: o.Most, Cache: o.Name, PreviewFrom: o.PreviewFrom}
}

// Beside implements engine.Host.
func (host) Beside([]wire.File) any { return nil }

// None implements engine.Host: the page says it better.
func (host) None() string { return "" }

// Stale implements engine.Host.
func (h host) Stale() {
	r := h.r
	time.AfterFunc(time.Second, func() {
		r.do(func() {
			if r.e.IsOpen() {
				r.look()
			}
		})
	})
}

// Soon implements engine.Host.
func (h host) Soon(f func()) { go h.r.do(f) }

// Now implements engine.Host.
func (host) Now() time.Time { return time.Now() }

// body is a worker that runs.
type body struct {
	r      *Reading
	page   *engine.Worker
	worker *worker.Worker
	end    context.CancelFunc
	ended  bool // by the engine; read and written by its goroutine
}

// Start implements engine.Host.
func (h host) Start(w *engine.Worker) (engine.Port, error) {
	r := h.r
	b := &body{r: r, page: w}
	ctx, end := context.WithCancel(r.ctx)
	b.end = end
	b.worker = worker.New(hosted{b})
	r.bodies.Go(func() {
		defer func() {
			if wrong := recover(); wrong != nil {
				said := fmt.Sprintf("%v\n\n%s", wrong, debug.Stack())
				r.do(func() {
					if !b.ended {
						b.page.Ended(said)
					}
				})
			}
		}()
		b.worker.Run(ctx)
	})
	return b, nil
}

// Post implements engine.Port.
func (b *body) Post(e wire.Envelope) { b.worker.Hear(e) }

// End implements engine.Port.
func (b *body) End() { b.ended = true; b.end() }

// hosted is the worker's Host.
type hosted struct{ *body }

// Post implements worker.Host.
func (h hosted) Post(e wire.Envelope) {
	// What the worker has made is its own, and is used again. Columns are made ready for lines here:
	// of many answers that wait for their lines none is longer than it has to be.
	e.Body, e.Head, e.Bytes = slices.Clone(e.Body), slices.Clone(e.Head), slices.Clone(e.Bytes)
	c := near.Pack(&e)
	c.Tighten(deflate)
	e.Beside, e.Head, e.Words, e.Bytes = c, nil, nil, nil
	h.r.do(func() {
		if !h.ended {
			h.page.Hear(e)
		}
	})
}

// Yield implements worker.Host: goroutines need no such turns.
func (h hosted) Yield() {}

// Source implements worker.Host.
func (h hosted) Source(*wire.Open) source.Logdir { return h.r.files }

// Cache implements worker.Host.
func (h hosted) Cache(s *worker.Session) worker.Cache {
	if h.r.o.Store == nil || s.Open.Gen == 0 {
		return nil
	}
	return &cache{store: h.r.o.Store, Session: s}
}

// Collect implements worker.Host: the process has one collector for all.
func (h hosted) Collect(int) {}

// Rest implements worker.Host.
func (h hosted) Rest() {}
