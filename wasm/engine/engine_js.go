// Package engine is shared/engine in the browser: it lists logdirs, starts workers of the
// browser, and hands their answers on as values of JavaScript. Nothing else
// knows that there are several workers, or where the bytes come from.
//
// Everything runs on the page's one thread, so nothing is locked. Work that waits
// (listing, the database) runs on goroutines; each of them belongs to one open
// logdir and gives up when Gen says that another has been opened.
package engine

import (
	"context"
	"syscall/js"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/derive"
	"github.com/tensorbored/tensorbored-static/shared/engine"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/storage"
)

// Engine is the data of the page.
type Engine struct {
	*engine.Engine
	boot   js.Value // {module, workerURL}, from boot.js
	origin origin   // nil = nothing is open
	cancel context.CancelFunc

	budget  int64         // points that may be kept
	most    int64         // of one series, as the listing asks; 0: any number
	caching bool          // what is read is kept in the database of the browser
	fresh   bool          // nothing was ever kept there, and nothing has been read yet
	db      *storage.DB   // see database; nil = not opened yet
	listed  chan struct{} // closed when the workers know the first files, or there are none; then nil

	near  string // where the server reads the files; "": they are read here
	alone string // why they are read here though it could; "" = not tried

	reload reloader
	loose  loose
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

// Change says what is new since the last one.
type Change = engine.Change

// New takes over the workers that have been started. boot is what boot.js leaves: those,
// the compiled module, and the URL for others.
func New(boot js.Value) *Engine {
	e := &Engine{boot: boot}
	e.Engine = engine.New(&host{e})
	e.Engine.Name(derive.SetLogged)
	e.budget, e.caching, e.fresh = DefaultBudget(), true, cacheIsNew()
	started := boot.Get("workers")
	var workers []*engine.Worker
	for i := range started.Length() {
		workers = append(workers, e.Adopt(func(w *engine.Worker) engine.Port { return listen(e, w, started.Index(i)) }))
	}
	e.Hire(1)
	for i, w := range workers { // what they have said by now
		for said, k := started.Index(i).Get("tbEarly"), 0; k < said.Length(); k++ {
			e.hear(w, said.Index(k))
		}
	}
	e.watch()
	return e
}

// Close ends what is open.
func (e *Engine) Close() {
	if e.origin == nil {
		return
	}
	e.cancel()
	e.origin = nil
	was := e.near
	e.near = ""
	e.Engine.Close()
	if was != "" {
		e.Exchange()
	}
}

// start opens an origin in place of what is open.
func (e *Engine) start(o origin, name string) {
	e.Close()
	e.origin = o
	ctx, cancel := context.WithCancel(context.Background())
	e.cancel = cancel
	e.reload.begin()
	e.handed()
	e.listed = make(chan struct{})
	e.Open(name)
	if !o.live() {
		e.Stay()
	}
	if e.alone != "" {
		e.ReadOn("", e.alone)
	}
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

// handed ends the wait for the first listing.
func (e *Engine) handed() {
	if e.listed != nil {
		close(e.listed)
		e.listed = nil
	}
}
