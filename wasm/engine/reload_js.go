package engine

import (
	"context"
	"syscall/js"
	"time"
)

// reloader looks for new data from time to time.
type reloader struct {
	on     bool
	period time.Duration
	timer  *time.Timer
	busy   bool
	last   time.Time // of the last look
	bound  bool      // the page's visibility is watched
	soon   bool      // a look is due, see lookSoon
}

// done notes that a look has ended.
func (r *reloader) done(t time.Time) { r.busy, r.last = false, t }

// Reload looks for new data now.
func (e *Engine) Reload() {
	if e.origin == nil || e.reload.busy || !e.origin.live() {
		return
	}
	e.reload.busy = true
	go e.relist(context.Background())
}

// staleEvery is how often the logdir is looked at because a worker has found a file
// changed.
const staleEvery = 2 * time.Second

// lookSoon looks for what has changed: a file is not what it was when it was listed, and
// can be read on only when it has been listed anew.
func (e *Engine) lookSoon() {
	r := &e.reload
	if r.soon {
		return
	}
	r.soon = true
	time.AfterFunc(max(0, staleEvery-time.Since(r.last)), func() {
		r.soon = false
		e.Reload()
	})
}

// LastReload returns when the logdir was last looked at.
func (e *Engine) LastReload() time.Time { return e.reload.last }

// SetReload switches looking for new data by itself on or off. While the tab is
// hidden nothing is looked for; when it is shown again, at once.
func (e *Engine) SetReload(on bool, period time.Duration) {
	r := &e.reload
	r.on, r.period = on, max(period, 100*time.Millisecond)
	if r.timer != nil {
		r.timer.Stop()
	}
	if !r.bound {
		r.bound = true
		js.Global().Get("document").Call("addEventListener", "visibilitychange", js.FuncOf(func(js.Value, []js.Value) any {
			if r.on && !hidden() && time.Since(r.last) > r.period {
				e.Reload()
			}
			return nil
		}))
	}
	if on {
		e.tick()
	}
}

func (e *Engine) tick() {
	r := &e.reload
	r.timer = time.AfterFunc(r.period, func() {
		if !hidden() {
			e.Reload()
		}
		e.tick()
	})
}

func hidden() bool { return js.Global().Get("document").Get("hidden").Truthy() }
