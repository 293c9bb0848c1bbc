package widget

import (
	"syscall/js"
	"time"
)

// Timer runs a function once, some time after the last call of Start.
type Timer struct {
	do   js.Func
	id   js.Value
	live bool
	// ended: its function has been released, and it runs no more.
	ended bool
}

// NewTimer makes a timer for do, which ends with the present Scope.
func NewTimer(do func()) *Timer {
	t := &Timer{}
	t.do = Func(func(js.Value, []js.Value) any {
		t.live = false
		do()
		return nil
	})
	current.OnEnd(func() { t.Stop(); t.ended = true })
	return t
}

// Start sets the timer, anew if it is running.
func (t *Timer) Start(d time.Duration) {
	t.Stop()
	if t.ended {
		return
	}
	t.id = js.Global().Call("setTimeout", t.do, d.Milliseconds())
	t.live = true
}

// Soon sets the timer unless it is running.
func (t *Timer) Soon(d time.Duration) {
	if !t.live {
		t.Start(d)
	}
}

// Stop takes back a Start that has not come due.
func (t *Timer) Stop() {
	if t.live {
		js.Global().Call("clearTimeout", t.id)
		t.live = false
	}
}

// Frame runs a function once before the next picture, however often it is asked.
type Frame struct {
	do     js.Func
	asked  bool
	id     js.Value
	global js.Value
}

// NewFrame makes a frame callback for do, which ends with the present Scope.
func NewFrame(do func()) *Frame {
	f := &Frame{global: js.Global()}
	f.do = Func(func(js.Value, []js.Value) any {
		f.asked = false
		do()
		return nil
	})
	current.OnEnd(func() {
		if f.asked {
			f.global.Call("cancelAnimationFrame", f.id)
		}
		f.asked = true // and never again
	})
	return f
}

// Ask makes do run before the next picture.
func (f *Frame) Ask() {
	if !f.asked {
		f.asked = true
		f.id = f.global.Call("requestAnimationFrame", f.do)
	}
}

// clock was the page's clock when Go's was at began. To ask the page's own each time took a
// thirtieth of a drag of the smoothing: every value of JavaScript is an allocation with a
// finalizer.
var began, clock = time.Now(), js.Global().Get("performance").Call("now").Float()

// Now is the page's clock in milliseconds.
func Now() float64 { return clock + time.Since(began).Seconds()*1000 }
