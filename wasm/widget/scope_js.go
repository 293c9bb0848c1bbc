package widget

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// Scope is what a view, a card or a popup has begun, and ends with it: listeners,
// observers, timers. A function that Go hands to the browser is held by both until it is
// released, with all that it refers to; a view that is gone would stay for ever.
//
// Whatever is made inside Do belongs to the scope, and so does what is made later by a
// function that belongs to it: a menu that a button opens ends with the button's view.
// What is made outside of any belongs to the page. A nil *Scope is the page's.
type Scope struct {
	ends   []func()
	closed bool
}

// current is the scope of what is being made. All of the page runs on one thread, and Do
// does not wait for anything.
var current *Scope

// Do runs make; what it makes belongs to s.
func (s *Scope) Do(make func()) {
	before := current
	current = s
	defer func() { current = before }()
	make()
}

// OnEnd calls f when s ends; at once if it has ended.
func (s *Scope) OnEnd(f func()) {
	switch {
	case s == nil:
	case s.closed:
		f()
	default:
		s.ends = append(s.ends, f)
	}
}

// Ended reports whether s has ended: what was waited for comes too late.
func (s *Scope) Ended() bool { return s != nil && s.closed }

// Sub returns a scope that ends with s, or before it. Closing it does not leave anything
// in s.
func (s *Scope) Sub() *Scope {
	sub := &Scope{}
	if s == nil {
		return sub
	}
	at := len(s.ends)
	s.ends = append(s.ends, sub.Close)
	sub.ends = append(sub.ends, func() {
		if !s.closed && at < len(s.ends) {
			s.ends[at] = nil
			for n := len(s.ends); n > 0 && s.ends[n-1] == nil; n-- {
				s.ends = s.ends[:n-1]
			}
		}
	})
	return sub
}

// Close ends what belongs to the scope, the last one first.
func (s *Scope) Close() {
	if s.closed {
		return
	}
	s.closed = true
	for i := len(s.ends) - 1; i >= 0; i-- {
		if s.ends[i] != nil {
			s.ends[i]()
		}
	}
	s.ends = nil
}

// Func makes a function for the browser, which belongs to the present scope.
func Func(f func(this js.Value, args []js.Value) any) js.Func {
	owner := current
	owner.warn()
	fn := js.FuncOf(func(this js.Value, args []js.Value) (out any) {
		owner.Do(func() { out = f(this, args) })
		return out
	})
	owner.OnEnd(fn.Release)
	return fn
}

// warn tells of what listens in a scope that has ended: it hears nothing, as a button does that is
// made by a dialog's handler after the dialog has closed. Tests fail of it.
func (s *Scope) warn() {
	if s.Ended() {
		js.Global().Get("console").Call("error", "internal error: this is made for what has ended, and hears nothing: give it a scope of its own")
	}
}

// target is what events come from: an element, the document, a media query.
type target interface{ Underlying() js.Value }

// Listen calls do for each event on e, until the present scope ends.
func Listen(e target, event string, do func(dom.Event)) {
	listen(e.Underlying(), event, do)
}

// ListenOn is Listen for a value of JavaScript.
func ListenOn(v js.Value, event string, do func(dom.Event)) { listen(v, event, do) }

// forms are what events of such names are. Browsers that fill in fields, and extensions, make
// others of the same names, without keys or of the document, which no listener expects.
var forms = map[string]string{"keydown": "KeyboardEvent", "contextmenu": "MouseEvent", "pointerup": "MouseEvent", "paste": "ClipboardEvent",
	"click": "MouseEvent", "dblclick": "MouseEvent", "mouseover": "MouseEvent", "pointerdown": "MouseEvent"}

// proper reports whether an event is what its name says.
func proper(e js.Value, form string) bool {
	return e.InstanceOf(js.Global().Get(form)) && e.Get("target").InstanceOf(js.Global().Get("Element"))
}

func listen(v js.Value, event string, do func(dom.Event)) {
	owner := current
	owner.warn()
	form := forms[event]
	fn := js.FuncOf(func(_ js.Value, args []js.Value) any {
		if form != "" && !proper(args[0], form) {
			return nil
		}
		owner.Do(func() { do(&dom.BasicEvent{Value: args[0]}) })
		return nil
	})
	v.Call("addEventListener", event, fn)
	owner.OnEnd(func() {
		v.Call("removeEventListener", event, fn)
		fn.Release()
	})
}

// Present is the scope of what is being made; nil is the page's.
func Present() *Scope { return current }
