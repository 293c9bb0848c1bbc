package engine

import (
	"syscall/js"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Pulse
//
// A worker can end without a word: browsers end one that took too much memory, or when
// they clean up, and tell the page nothing. So a worker from which something is awaited
// and that has long said nothing is asked whether it is there. One that does not answer
// for a minute is taken for ended. A minute, because a worker on a busy machine may be
// silent for seconds, and to replace it costs another read of its files.
//
// Questions are counted and not the time: a page that slept with its machine has asked
// nothing meanwhile.
const (
	pulseEvery  = 10 * time.Second
	pulseMisses = 6
)

// watch asks the workers from time to time.
func (e *Engine) watch() {
	every := pulseEvery
	if v := e.boot.Get("pulse"); v.Type() == js.TypeNumber { // for tests, in ms
		every = time.Duration(v.Float() * float64(time.Millisecond))
	}
	go func() {
		for {
			time.Sleep(every)
			for _, w := range e.workers {
				e.pulse(w)
			}
		}
	}()
}

func (e *Engine) pulse(w *worker) {
	switch {
	case !w.js.Truthy() || e.broken != "" || !e.awaits(w):
		w.pings = 0
	case w.pings >= pulseMisses:
		w.pings = 0
		e.crashed(w, "it ended without a word")
	default:
		w.pings++
		w.post(map[string]any{"op": wire.OpPing})
	}
}

// awaits reports whether the page waits for something of w.
func (e *Engine) awaits(w *worker) bool {
	if !w.ready || w.progress.Busy || w.progress.Heard < w.sent {
		return true
	}
	for _, p := range e.queries {
		if p.waits[w] || p.refine[w] {
			return true
		}
	}
	for _, s := range e.streams {
		if s.w == w && s.asked {
			return true
		}
	}
	return false
}
