// Package worker is the worker role of the program: it owns the catalog of its
// share of the runs, reads their files and answers queries. It runs wherever the files
// are read: in a worker of the browser, and natively, in tests and beside the files. What
// it needs of the platform is a Host.
//
// One goroutine owns all state (see Run): it takes messages from the inbox,
// keeps a few reads under way, and uses their bytes strictly in the order in which
// they were asked for. Others only wait for something and then wake it. So nothing
// here needs a lock but the inbox, and a file's windows never
// change places. Between two windows, some 10 ms apart, the event loop gets its
// turn, so that a query does not wait for the reading to end.
package worker

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/kinds"
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Host is the platform that a worker runs on.
type Host interface {
	// Post sends a message. Its slices are used again when it returns.
	Post(wire.Envelope)
	// Yield lets others run: messages come in meanwhile.
	Yield()
	// Source is where the files of a logdir come from. One that is a Taker gets what
	// travels beside them.
	Source(*wire.Open) source.Logdir
	// Cache is what keeps what was read, between visits; nil: nothing does.
	Cache(*Session) Cache
	// Collect sets how much garbage may lie about, in percent of what is kept.
	Collect(percent int)
	// Rest is told that nothing is left to read.
	Rest()
}

// Taker is a source whose files are handed to it.
type Taker interface {
	// Take takes files that are new or have changed, and what came beside them.
	Take(files []wire.File, beside any)
}

// Session is a logdir that a worker serves, for its Cache.
type Session struct {
	Open    *wire.Open
	Context context.Context // it ends with the session
	Plan    *reader.Plan
	Wake    func() // the worker's goroutine goes on
}

// Cache keeps what was read. All but what it does in the background is called by the
// worker's goroutine.
type Cache interface {
	// Want is reader.Options.Lookup.
	Want(*reader.File) bool
	// Lookup begins to look files up that are wanted.
	Lookup()
	// Use takes up something that was found; it reports whether there was something.
	Use() bool
	// Sketches says how far sketches of files are shown until they have been looked up.
	Sketches() Sketches
	// Busy reports whether files are being looked up.
	Busy() bool
	// Save begins to write what is not up to date; it is called when nothing is left to
	// read.
	Save()
}

// Sketches says how far files are shown by sketches.
type Sketches int

const (
	NoSketches Sketches = iota
	Sketching           // some are, others are to come
	Sketched            // all that there are have come
)

// none is a Cache that keeps nothing.
type none struct{}

func (none) Want(*reader.File) bool { return false }
func (none) Lookup()                {}
func (none) Use() bool              { return false }
func (none) Sketches() Sketches     { return NoSketches }
func (none) Busy() bool             { return false }
func (none) Save()                  {}

// gcPercent returns the memory that garbage may take, in percent of what is kept.
// A WebAssembly memory never shrinks, and the columns, which are nearly all of the
// heap, hold no pointers, so collecting them often is cheap. But while the heap is
// small, and grows, a few percent of it are soon full: collecting took a tenth of the
// time of reading. first says that nothing but the first reading has been done yet.
func gcPercent(kept int64, first bool) int {
	switch {
	case first && kept < 1<<18:
		return 300 // a small logdir is read without collecting
	case kept < 2<<20:
		return 100
	case kept < 6<<20:
		return 50
	}
	return 12
}

// Worker is a worker. New makes one.
type Worker struct {
	host  Host
	began time.Time
	mutex sync.Mutex
	inbox []func() // what the goroutine is to do
	wake  chan struct{}

	open    wire.Open
	heard   int // OpFiles messages since the open
	ctx     context.Context
	cancel  context.CancelFunc
	src     source.Logdir
	cat     *catalog.Catalog
	room    room
	gc      int  // gcPercent as it is set
	rested  bool // the first reading is done; see settle
	read    bool // something has been read since the last rest
	plan    *reader.Plan
	beside  *beside
	cache   Cache
	digests *digests
	report  reporter

	answers   answer.Answers
	questions *answer.Scheduler
}

// New makes a worker that serves no logdir yet.
func New(host Host) *Worker {
	w := &Worker{host: host, began: time.Now(), wake: make(chan struct{}, 1)}
	w.reset(wire.Open{})
	return w
}

// Hear takes in a message of the page. Any goroutine may call it.
func (w *Worker) Hear(e wire.Envelope) { w.do(func() { w.message(e) }) }

// do has the worker's goroutine do something.
func (w *Worker) do(f func()) {
	w.mutex.Lock()
	w.inbox = append(w.inbox, f)
	w.mutex.Unlock()
	w.poke()
}

func (w *Worker) poke() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Run runs the worker until ctx ends, on this goroutine.
func (w *Worker) Run(ctx context.Context) {
	defer func() { w.cancel() }()
	w.host.Post(wire.Envelope{Op: wire.OpReady})
	var turns turns
	for ctx.Err() == nil {
		w.messages()
		w.cache.Lookup()
		thinning := len(w.room.late) > 0
		use := func() bool {
			from := w.now()
			if thinning || !w.cache.Use() {
				return false
			}
			w.fit()
			w.report.send(w, false)
			w.host.Yield()
			turns.used(from, w.now())
			return true
		}
		turns.look(w.cache.Sketches() == Sketched, w.now())
		if turns.cache(w.now()) && use() {
			continue
		}
		if w.plan.Done() && !w.cache.Busy() && !thinning {
			w.report.send(w, true) // before the cards that have waited for it
		}
		switch w.questions.Step(w.resting) {
		case answer.Answered:
			turns.answered(w.now())
			w.host.Yield()
			continue
		case answer.Computed: // which takes some turns: thinning or reading has one of them
			if thinning {
				w.thin()
			} else if !w.cache.Busy() {
				w.readOn()
			}
			w.host.Yield()
			continue
		}
		if thinning {
			w.thin()
			w.host.Yield()
			continue
		}
		if turns.waits(w.now()) {
			w.rest(ctx, turns.until)
			continue
		}
		if use() {
			continue
		}
		if w.cache.Busy() {
			// What is in the cache need not be read, and how much there is to read
			// decides about previews.
			w.wait(ctx)
			continue
		}
		if job := w.plan.Next(); job != nil {
			w.report.send(w, false) // that previews are being made is told before they are there
			select {
			case <-job.Ready:
			case <-w.wake: // a message: it goes first
				w.plan.PutBack(job)
				continue
			case <-ctx.Done():
				return
			}
			w.take(job)
			w.host.Yield()
			continue
		}
		w.report.send(w, w.plan.Done())
		if at, ok := w.plan.Due(); ok { // something is tried again then
			w.rest(ctx, at)
			continue
		}
		if w.read {
			w.read = false
			if cat := w.cat; !w.rested {
				time.AfterFunc(settleIn, func() {
					w.do(func() {
						if w.cat == cat {
							w.settle()
						}
					})
				})
			}
			w.host.Rest()
		}
		w.cache.Save()
		w.wait(ctx)
	}
}

// wait waits for a message.
func (w *Worker) wait(ctx context.Context) {
	select {
	case <-w.wake:
	case <-ctx.Done():
	}
}

// resting reports whether nothing is read, or bytes are waited for.
func (w *Worker) resting() bool {
	return len(w.room.late) == 0 && w.cache.Sketches() == NoSketches && (w.plan.Done() || w.plan.Waits())
}

// readOn uses the next window, if its bytes are there.
func (w *Worker) readOn() {
	job := w.plan.Next()
	if job == nil {
		return
	}
	select {
	case <-job.Ready:
		w.take(job)
	default:
		w.plan.PutBack(job)
	}
}

// take uses what a job has read, and tells of it.
func (w *Worker) take(job *reader.Job) {
	w.use(job)
	w.read = true
	w.report.send(w, false)
}

// rest waits for a message, and no longer than until a time.
func (w *Worker) rest(ctx context.Context, until time.Duration) {
	if w.report.late {
		until = min(until, w.report.last+reportEvery)
	}
	t := time.NewTimer(max(time.Millisecond, until-w.now()))
	defer t.Stop()
	select {
	case <-w.wake:
	case <-t.C:
	case <-ctx.Done():
	}
}

// messages handles everything in the inbox.
func (w *Worker) messages() {
	for {
		w.mutex.Lock()
		if len(w.inbox) == 0 {
			w.mutex.Unlock()
			return
		}
		f := w.inbox[0]
		w.inbox = w.inbox[1:]
		w.mutex.Unlock()
		f()
	}
}

func (w *Worker) message(e wire.Envelope) {
	switch e.Op {
	case wire.OpOpen:
		var o wire.Open
		unpack(e, &o)
		w.reset(o)
	case wire.OpFiles:
		var list wire.Files
		unpack(e, &list)
		if t, ok := w.src.(Taker); ok {
			t.Take(list, e.Beside)
		}
		for _, f := range list { // digests first: what they have is not read
			if f.Companion {
				w.beside.update(f)
				w.digests.told(f)
			}
		}
		for _, f := range list {
			if !f.Companion {
				w.plan.Update(f)
			}
		}
		w.heard++
		w.report.sentIdle = false
	case wire.OpLooked:
		w.plan.Looked()
		w.report.sentIdle = false
	case wire.OpLook:
		var l wire.Look
		unpack(e, &l)
		w.plan.Look(l)
	case wire.OpQuery:
		var q wire.Query
		unpack(e, &q)
		if q.Every {
			w.settle() // all that was logged comes through here
		}
		w.questions.Ask(e.ID, q)
	case wire.OpPing:
		w.host.Post(wire.Envelope{Op: wire.OpPong})
	case wire.OpNoCache:
		w.open.Cache = ""
	case wire.OpMore:
		w.questions.More(e.ID)
	case wire.OpCancel:
		w.questions.Cancel(e.ID)
	}
}

// unpack reads the body of a message of the page; both sides are one program.
func unpack(e wire.Envelope, v wire.Message) {
	if err := wire.Unpack(e.Body, v); err != nil {
		panic("worker: internal error: message from the page: " + err.Error())
	}
}

// reset begins to serve another logdir.
func (w *Worker) reset(o wire.Open) {
	if w.cancel != nil {
		w.cancel()
	}
	w.open, w.heard = o, 0
	w.ctx, w.cancel = context.WithCancel(context.Background())
	w.cat = catalog.New()
	w.cat.Longest, w.cat.Names, w.cat.Brief = catalog.LongestFor(o.Budget), catalog.NamesFor(o.Budget), true
	w.room = newRoom(w.cat, o.Budget, o.Most)
	w.rested = false
	w.collect(0)
	w.src = w.host.Source(&w.open)
	w.report = reporter{}
	w.answers = answer.New(kinds.Asked(), answer.World{Catalog: w.cat,
		Whole:  func(run string) bool { return w.plan.Whole(run) },
		Beside: func(path string) (wire.File, bool) { return w.beside.file(path) }})
	stale := func() { w.host.Post(wire.Envelope{Op: wire.OpStale}) }
	session := &Session{Open: &w.open, Context: w.ctx, Wake: w.poke}
	if w.cache = w.host.Cache(session); w.cache == nil {
		w.cache = none{}
	}
	w.digests = &digests{Cache: w.cache, Session: session, dir: w.src}
	d := w.digests
	d.do = func(f func()) {
		w.do(func() {
			if w.digests == d {
				f()
			}
		})
	}
	w.cache = w.digests
	w.plan = reader.New(reader.Options{
		Dir: w.src, Catalog: w.cat, Context: w.ctx,
		Now: w.now, Wall: func() int64 { return time.Now().UnixNano() }, Chance: rand.Float64,
		Budget: o.Budget, Most: o.Most, Careful: o.Careful, PreviewFrom: o.PreviewFrom, Workers: o.Workers, Snapshots: o.Kind == "folder",
		Lookup: w.cache.Want,
		Changed: func(run string) {
			w.report.changed(run)
			w.room.changed[run] = true
		},
		Lost:      func() { w.report.lossesChanged = true },
		Stale:     stale,
		Restarted: func() { w.answers.Forget() },
	})
	session.Plan = w.plan
	w.beside = &beside{Plan: w.plan, files: map[string]*companion{}, stale: stale}
	w.questions = &answer.Scheduler{Options: answer.Options{Context: w.ctx, Answers: w.answers, Dir: w.src, Files: w.beside, Now: w.now, Wake: w.poke, Send: w.send}}
}

// send sends an answer.
func (w *Worker) send(r answer.Reply) {
	e := wire.Envelope{Op: wire.OpAnswer, ID: r.ID, Head: r.Head, Words: r.Words, Bytes: r.Bytes, More: r.More}
	if r.Err != nil {
		e.Err = r.Err.Error()
		if f := (*answer.Error)(nil); errors.As(r.Err, &f) {
			e.Fault = f.What
		}
	}
	w.host.Post(e)
}

// about says which files are about to be read.
func (w *Worker) about(paths wire.Paths) {
	w.host.Post(wire.Envelope{Op: wire.OpJob, Body: wire.Pack(&paths)})
}

// use takes the bytes of a job that has been read.
func (w *Worker) use(j *reader.Job) {
	if w.open.Careful {
		w.about(j.Paths())
		w.host.Yield()
	}
	w.plan.Use(j)
	if w.open.Careful {
		w.about(nil) // if this worker ends now, it was not these files
	}
	w.fit()
}

// fit keeps the points within the budget, or begins to.
func (w *Worker) fit() {
	w.room.weigh()
	w.collect(w.room.sum.weight)
}

// thin has a turn of what fit has begun.
func (w *Worker) thin() {
	w.room.thin(w.now, w.report.changed)
	w.collect(w.room.sum.weight)
	w.report.send(w, false)
}

// settleIn is how long after the first reading the garbage of it may lie about: the first
// curves are asked for just then, and to collect it took 50 ms of them.
const settleIn = time.Second

// settle ends that time.
func (w *Worker) settle() {
	w.rested = true
	w.collect(w.room.sum.weight)
}

// collect sets how much garbage may lie about beside as many kept points.
func (w *Worker) collect(kept int64) {
	if p := gcPercent(kept, !w.rested); p != w.gc {
		w.gc = p
		w.host.Collect(p)
	}
}

// now is the time since the worker began.
func (w *Worker) now() time.Duration { return time.Since(w.began) }
