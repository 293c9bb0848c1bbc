// Package bridge is the one room that helps with syscall/js: promises become
// errors, bytes and columns cross in one copy, errors of JavaScript become Go's.
package bridge

import (
	"errors"
	"syscall/js"
	"unsafe"
)

var (
	global     = js.Global()
	uint8Array = global.Get("Uint8Array")
	object     = global.Get("Object")
	reflect    = global.Get("Reflect")
)

// Error is an error that JavaScript threw or rejected with.
type Error struct {
	Name    string // e.g. "NotReadableError"
	Message string
}

// Error returns the name and the message.
func (e *Error) Error() string { return e.Name + ": " + e.Message }

// ErrorOf makes an error of a value that was thrown.
func ErrorOf(v js.Value) error {
	if v.Type() != js.TypeObject {
		return &Error{Name: "Error", Message: text(v)}
	}
	return &Error{Name: text(v.Get("name")), Message: text(v.Get("message"))}
}

func text(v js.Value) string {
	if v.Type() == js.TypeString {
		return v.String()
	}
	return global.Get("String").Invoke(v).String()
}

// MessageOf returns an error's own words, without the name of a JavaScript error.
func MessageOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

// NameOf returns the name of a JavaScript error, "" for other errors.
func NameOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Name
	}
	return ""
}

// Try calls f and turns what JavaScript throws in it into an error.
func Try(f func() js.Value) (v js.Value, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case js.Error:
			err = ErrorOf(r.Value)
		default:
			panic(r)
		}
	}()
	return f(), nil
}

// Property reads a property whose getter may throw. What a browser refuses (storage
// where site data are blocked, say) it refuses by throwing from the getter, and
// js.Value.Get then ends the program: only what Call calls is caught.
func Property(v js.Value, name string) (js.Value, error) {
	return Try(func() js.Value { return reflect.Call("get", v, name) })
}

// Offered is Property of the global object, undefined where the browser refuses it.
func Offered(name string) js.Value {
	v, err := Property(global, name)
	if err != nil {
		return js.Undefined()
	}
	return v
}

// Await waits for a promise. Other goroutines and the event loop go on meanwhile;
// it must not be called from a callback of JavaScript itself, only from a
// goroutine that the callback started.
func Await(promise js.Value) (js.Value, error) {
	type settled struct {
		v   js.Value
		err error
	}
	done := make(chan settled, 1)
	var ok, bad js.Func
	ok = js.FuncOf(func(_ js.Value, args []js.Value) any {
		v := js.Undefined()
		if len(args) > 0 {
			v = args[0]
		}
		done <- settled{v: v}
		return nil
	})
	bad = js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- settled{err: ErrorOf(args[0])}
		return nil
	})
	promise.Call("then", ok, bad)
	s := <-done
	ok.Release()
	bad.Release()
	return s.v, s.err
}

// AwaitCall calls a method that returns a promise and waits for it; a method that
// throws gives an error as well.
func AwaitCall(v js.Value, method string, args ...any) (js.Value, error) {
	p, err := Try(func() js.Value { return v.Call(method, args...) })
	if err != nil {
		return js.Undefined(), err
	}
	return Await(p)
}

// Promise runs f on a goroutine and returns a promise of what it returns.
func Promise(f func() (any, error)) js.Value {
	var start js.Func
	start = js.FuncOf(func(_ js.Value, args []js.Value) any {
		resolve, reject := args[0], args[1]
		go func() {
			v, err := f()
			if err != nil {
				reject.Invoke(global.Get("Error").New(err.Error()))
				return
			}
			resolve.Invoke(v)
		}()
		return nil
	})
	p := global.Get("Promise").New(start)
	start.Release() // the constructor has called it
	return p
}

// Copy copies the bytes of an ArrayBuffer from offset on into dst, which must not
// be longer than what is there.
func Copy(dst []byte, buffer js.Value, offset int) {
	if len(dst) > 0 {
		js.CopyBytesToGo(dst, uint8Array.New(buffer, offset, len(dst)))
	}
}

// Contents returns a copy of an ArrayBuffer's bytes, and gives its memory back.
func Contents(buffer js.Value) []byte {
	b := make([]byte, buffer.Get("byteLength").Int())
	Copy(b, buffer, 0)
	if len(b) > 64<<10 {
		Free(buffer)
	}
	return b
}

// Free gives an ArrayBuffer's memory back at once. Go holds every JavaScript object
// that it has seen until its own collector runs, which happens seldom where the
// heap is large: reading 1.1 GB over HTTP, the buffers of some 100 windows lay
// about, 500 MB.
func Free(buffer js.Value) {
	if buffer.Get("transfer").Type() == js.TypeFunction {
		buffer.Call("transfer", 0)
	}
}

// Words copies columns into a new ArrayBuffer, in one piece.
func Words(v []uint64) js.Value {
	a := uint8Array.New(8 * len(v))
	if len(v) > 0 {
		js.CopyBytesToJS(a, unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), 8*len(v)))
	}
	return a.Get("buffer")
}

// Bytes copies b into a new ArrayBuffer.
func Bytes(b []byte) js.Value {
	a := uint8Array.New(len(b))
	js.CopyBytesToJS(a, b)
	return a.Get("buffer")
}

// Object returns a new, empty object.
func Object() js.Value { return object.New() }

// Yield lets the event loop run what waits in it: messages, and on the page
// input and painting. It takes some 50 µs where a timer takes 4 ms.
func Yield() {
	if channel.IsUndefined() {
		channel = global.Get("MessageChannel").New()
		channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
			woken <- struct{}{}
			return nil
		}))
	}
	channel.Get("port2").Call("postMessage", js.Null())
	<-woken
}

var (
	channel = js.Undefined()
	woken   = make(chan struct{}, 64)
)
