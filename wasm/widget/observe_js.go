package widget

import (
	"strconv"
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// Observer tells when elements come near the screen and when they leave.
type Observer struct {
	value js.Value
	watch map[int]func(near bool)
	next  int
	key   string // property that holds an element's number; an element may have several observers
}

var observers int

// NewObserver watches inside root, with a margin in CSS form ("100% 0px"), until the
// present Scope ends.
func NewObserver(root dom.Element, margin string) *Observer {
	observers++
	o := &Observer{watch: map[int]func(bool){}, key: "tbWatch" + strconv.Itoa(observers)}
	options := map[string]any{"rootMargin": margin}
	if root != nil {
		options["root"] = root.Underlying()
	}
	o.value = js.Global().Get("IntersectionObserver").New(Func(func(_ js.Value, args []js.Value) any {
		for i := range args[0].Length() {
			e := args[0].Index(i)
			if f := o.watch[e.Get("target").Get(o.key).Int()]; f != nil {
				f(e.Get("isIntersecting").Bool())
			}
		}
		return nil
	}), options)
	value := o.value
	current.OnEnd(func() { value.Call("disconnect") }) // before its function is released
	return o
}

// Watch calls f when e comes near or leaves, and once soon for how it is now.
// The returned function ends it.
func (o *Observer) Watch(e dom.Element, f func(near bool)) (stop func()) {
	o.next++
	id := o.next
	Set(e, o.key, id)
	o.watch[id] = f
	o.value.Call("observe", e.Underlying())
	return func() {
		delete(o.watch, id)
		o.value.Call("unobserve", e.Underlying())
	}
}

// OnResize calls f when the element's size changes, until the present Scope ends.
func OnResize(e dom.Element, f func()) {
	o := js.Global().Get("ResizeObserver").New(Func(func(js.Value, []js.Value) any {
		f()
		return nil
	}))
	o.Call("observe", e.Underlying())
	current.OnEnd(func() { o.Call("disconnect") })
}
