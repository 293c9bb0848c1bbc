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
	again  bool          // one was wanted while another was under way
	began  time.Time     // of the look under way, or the last
	last   time.Time     // when that had ended
	lasted time.Duration // how long it needed; 0: it failed
	took   time.Duration // how long a look takes: the shorter one of the last two
	bound  bool          // the page's visibility is watched
	soon   bool          // a look is due, see lookSoon
}

// begin notes that a look begins.
func (r *reloader) begin() { r.busy, r.again, r.began = true, false, time.Now() }

// done notes that it has ended; whole: with a listing. One that was held up, as by a line that
// was away or a machine that slept, says nothing of the next one: so it takes two.
func (r *reloader) done(whole bool) {
	r.busy, r.last = false, time.Now()
	before := r.lasted
	if r.lasted = 0; whole {
		r.lasted = r.last.Sub(r.began)
	}
	r.took = min(before, r.lasted)
}

// rest is how long nothing is looked for after a look, whatever the period is: four times as
// long as it takes. A folder of 10,000 files takes five seconds to walk, and keeps the browser
// busy for as long.
func (r *reloader) rest() time.Duration { return 4 * r.took }

// pause is how long nothing is looked for after a look.
func (r *reloader) pause() time.Duration { return max(r.period, r.rest()) }

// Reload looks for new data now; if a look is under way, once more after it, since what is new
// may stand where that has been.
func (e *Engine) Reload() {
	switch {
	case e.origin == nil || !e.origin.live():
		return
	case e.reload.busy:
		e.reload.again = true
		return
	}
	e.reload.begin()
	go e.relist(context.Background())
}

// lookAgain looks once more if that was wanted.
func (e *Engine) lookAgain() {
	if e.reload.again {
		e.Reload()
	}
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
	time.AfterFunc(max(0, max(staleEvery, r.took)-time.Since(r.last)), func() {
		r.soon = false
		e.Reload()
	})
}

// Pace returns how long a look at the logdir takes, and how long nothing is looked for
// by itself after it: the period that was set, or longer where looks take long.
func (e *Engine) Pace() (took, pause time.Duration) { return e.reload.took, e.reload.pause() }

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
		e.tick(r.period)
	}
}

// tick looks after a while, if the page has rested after the last look, and then in every period.
func (e *Engine) tick(wait time.Duration) {
	r := &e.reload
	r.timer = time.AfterFunc(wait, func() {
		if due := r.rest() - time.Since(r.last); due > 0 {
			e.tick(due)
			return
		}
		if !hidden() && !r.busy {
			e.Reload()
		}
		e.tick(r.period)
	})
}

func hidden() bool { return js.Global().Get("document").Get("hidden").Truthy() }
