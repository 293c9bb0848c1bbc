// Package worker is the worker role of the program: it owns the catalog of its
// share of the runs, reads their files and answers queries.
//
// One goroutine owns all state (see loop): it takes messages from the inbox,
// keeps a few reads under way, and uses their bytes strictly in the order in which
// they were asked for. Others only wait for something and then wake it. So nothing
// here needs a lock, and a file's windows never
// change places. Between two windows, some 10 ms apart, the event loop gets its
// turn, so that a query does not wait for the reading to end.
package worker

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"runtime/debug"
	"syscall/js"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/kinds"
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/source/folder"
	"github.com/tensorbored/tensorbored-static/wasm/source/httprange"
)

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

type worker struct {
	inbox []js.Value
	wake  chan struct{}

	open     wire.Open
	heard    int // OpFiles messages since the open
	ctx      context.Context
	cancel   context.CancelFunc
	src      source.Logdir
	files    *folder.Files // src, when it is a folder
	cat      *catalog.Catalog
	cap      int64 // of a series, in points; see catalog.Fit
	gc       int   // gcPercent as it is set
	rested   bool  // the first reading is done; see settle
	read     bool  // something has been read since the last rest
	plan     *reader.Plan
	cache    *cache
	database database
	report   reporter

	answers   answer.Answers
	questions *answer.Scheduler
}

// Run runs the worker. It does not return.
func Run() {
	w := &worker{wake: make(chan struct{}, 1)}
	w.reset(wire.Open{})
	global := js.Global()
	take := js.FuncOf(func(_ js.Value, args []js.Value) any {
		w.inbox = append(w.inbox, args[0].Get("data"))
		w.poke()
		return nil
	})
	global.Set("onmessage", take)
	if queue := global.Get("tbQueue"); queue.Truthy() { // messages that came before
		for i := range queue.Length() {
			w.inbox = append(w.inbox, queue.Index(i))
		}
		global.Set("tbQueue", js.Null())
	}
	post(map[string]any{"op": wire.OpReady})
	w.loop()
}

func (w *worker) poke() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func post(message map[string]any, transfer ...any) {
	js.Global().Call("postMessage", message, transfer)
}

// postJob says what is about to be read.
func postJob(paths []string) {
	b, err := json.Marshal(paths)
	if err != nil {
		panic("worker: internal error: " + err.Error())
	}
	post(map[string]any{"op": wire.OpJob, "json": string(b)})
}

// loop is the worker's only goroutine of its own.
func (w *worker) loop() {
	for {
		w.messages()
		w.cache.lookup()
		if w.cache.use() {
			w.fit()
			w.report.send(w, false)
			bridge.Yield()
			continue
		}
		if w.plan.Done() && !w.cache.busy() {
			w.report.send(w, true) // before the cards that have waited for it
		}
		switch w.questions.Step(w.resting) {
		case answer.Answered:
			bridge.Yield()
			continue
		case answer.Computed: // which takes some turns: reading has one of them
			if !w.cache.busy() {
				w.readOn()
			}
			bridge.Yield()
			continue
		}
		if w.cache.busy() {
			// What is in the cache need not be read, and how much there is to read
			// decides about previews.
			<-w.wake
			continue
		}
		if job := w.plan.Next(); job != nil {
			w.report.send(w, false) // that previews are being made is told before they are there
			select {
			case <-job.Ready:
			case <-w.wake: // a message: it goes first
				w.plan.PutBack(job)
				continue
			}
			w.take(job)
			bridge.Yield()
			continue
		}
		w.report.send(w, w.plan.Done())
		if at, ok := w.plan.Due(); ok { // something is tried again then
			w.rest(at)
			continue
		}
		if w.read {
			w.read = false
			if cat := w.cat; !w.rested {
				time.AfterFunc(settleIn, func() {
					if w.cat == cat {
						w.settle()
					}
				})
			}
			js.Global().Call("tbRest")
		}
		w.cache.save()
		<-w.wake
	}
}

// resting reports whether nothing is read, or bytes are waited for.
func (w *worker) resting() bool { return w.plan.Done() || w.plan.Waits() }

// readOn uses the next window, if its bytes are there.
func (w *worker) readOn() {
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
func (w *worker) take(job *reader.Job) {
	w.use(job)
	w.read = true
	w.report.send(w, false)
}

// rest waits for a message, and no longer than until a time.
func (w *worker) rest(until time.Duration) {
	if w.report.late {
		until = min(until, w.report.last+reportEvery)
	}
	t := time.NewTimer(max(time.Millisecond, until-now()))
	defer t.Stop()
	select {
	case <-w.wake:
	case <-t.C:
	}
}

// messages handles everything in the inbox.
func (w *worker) messages() {
	for len(w.inbox) > 0 {
		m := w.inbox[0]
		w.inbox = w.inbox[1:]
		switch m.Get("op").String() {
		case wire.OpOpen:
			var o wire.Open
			unpack(m, &o)
			w.reset(o)
		case wire.OpFiles:
			var files wire.Files
			unpack(m, &files)
			objects := m.Get("files")
			for i, f := range files {
				if w.files != nil && objects.Truthy() {
					w.files.Set(f.Path, objects.Index(i))
				}
				w.plan.Update(f)
			}
			w.heard++
			w.report.sentIdle = false
		case wire.OpLooked:
			w.plan.Looked()
			w.report.sentIdle = false
		case wire.OpLook:
			var l wire.Look
			unpack(m, &l)
			w.plan.Look(l)
		case wire.OpQuery:
			var q wire.Query
			unpack(m, &q)
			if q.Every {
				w.settle() // all that was logged comes through here
			}
			w.questions.Ask(m.Get("id").Int(), q)
		case wire.OpPing:
			post(map[string]any{"op": wire.OpPong})
		case wire.OpNoCache:
			w.open.Cache = ""
		case wire.OpMore:
			w.questions.More(m.Get("id").Int())
		case wire.OpCancel:
			w.questions.Cancel(m.Get("id").Int())
		}
	}
}

// unpack reads a message of the page; both sides are this one program.
func unpack(message js.Value, v wire.Message) {
	if err := wire.Unpack(bridge.Contents(message.Get("packed")), v); err != nil {
		panic("worker: internal error: message from the page: " + err.Error())
	}
}

// reset begins to serve another logdir.
func (w *worker) reset(o wire.Open) {
	if w.cancel != nil {
		w.cancel()
	}
	w.open, w.heard = o, 0
	w.ctx, w.cancel = context.WithCancel(context.Background())
	w.cat, w.cap = catalog.New(), 0
	w.rested = false
	w.collect(0)
	w.src, w.files = nil, nil
	switch o.Kind {
	case "folder":
		w.files = folder.NewFiles()
		w.src = w.files
	case "http":
		w.src = &httprange.Host{Base: o.Base, Batch: o.Batch}
	}
	w.cache = &cache{database: &w.database, w: w}
	w.report = reporter{}
	w.answers = answer.New(kinds.All(), answer.World{Catalog: w.cat, Whole: func(run string) bool { return w.plan.Whole(run) }})
	w.plan = reader.New(reader.Options{
		Dir: w.src, Catalog: w.cat, Context: w.ctx,
		Now: now, Wall: func() int64 { return time.Now().UnixNano() }, Chance: rand.Float64,
		Budget: o.Budget, Most: o.Most, Careful: o.Careful, PreviewFrom: o.PreviewFrom, Workers: o.Workers, Snapshots: o.Kind == "folder",
		Lookup: w.cache.want, Changed: w.report.changed,
		Lost:      func() { w.report.lossesChanged = true },
		Stale:     func() { post(map[string]any{"op": wire.OpStale}) },
		Restarted: func() { w.answers.Forget() },
	})
	w.questions = &answer.Scheduler{Options: answer.Options{Context: w.ctx, Answers: w.answers, Dir: w.src, Files: w.plan, Now: now, Wake: w.poke, Send: send}}
}

// send posts an answer.
func send(r answer.Reply) {
	m := map[string]any{"op": wire.OpAnswer, "id": r.ID, "json": string(r.Head), "more": r.More}
	if r.Err != nil {
		m["error"] = r.Err.Error()
		if e := (*answer.Error)(nil); errors.As(r.Err, &e) {
			m["fault"] = e.What
		}
		post(m)
		return
	}
	buffer := js.Undefined()
	if len(r.Bytes) > 0 {
		buffer = bridge.Bytes(r.Bytes)
	} else {
		buffer = bridge.Words(r.Words)
	}
	m["buffer"] = buffer
	post(m, buffer)
}

// use takes the bytes of a job that has been read.
func (w *worker) use(j *reader.Job) {
	if w.open.Careful {
		postJob(j.Paths())
		bridge.Yield()
	}
	w.plan.Use(j)
	if w.open.Careful {
		postJob([]string{}) // if this worker ends now, it was not these files
	}
	w.fit()
}

// fit keeps the points within the budget.
func (w *worker) fit() {
	if w.open.Most > 0 && w.cat.Most(w.open.Most) {
		for name := range w.cat.Runs {
			w.report.changed(name)
		}
	}
	weight := w.cat.Weight()
	w.collect(weight)
	if w.open.Budget > 0 && weight > w.open.Budget+w.open.Budget/8 {
		w.cap = w.cat.Fit(w.open.Budget, w.cap)
		if w.cat.Weight() == weight {
			return // so many series that fewer points would be no curves
		}
		for name := range w.cat.Runs { // of others than those just read, too
			w.report.changed(name)
		}
	}
}

// settleIn is how long after the first reading the garbage of it may lie about: the first
// curves are asked for just then, and to collect it took 50 ms of them.
const settleIn = time.Second

// settle ends that time.
func (w *worker) settle() {
	w.rested = true
	w.collect(w.cat.Weight())
}

// collect sets how much garbage may lie about beside as many kept points.
func (w *worker) collect(kept int64) {
	if p := gcPercent(kept, !w.rested); p != w.gc {
		w.gc = p
		debug.SetGCPercent(p)
	}
}

// now is the time in milliseconds since the worker began.
func now() time.Duration { return time.Since(began) }

var began = time.Now()
