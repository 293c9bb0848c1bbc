// Command projector is the program of the worker of the projector: a Service (shared/projector)
// behind its port. static/lazy/projwork hands messages over; it ends with its worker.
package main

import (
	"encoding/json"
	"runtime/debug"
	"syscall/js"
	"unsafe"

	"github.com/tensorbored/tensorbored-static/shared/projector"
	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// port reads files by tbProjRead(path, from, n), a promise of bytes; it rejects with {message,
// again}.
type port struct{}

// Read implements projector.Port.
func (port) Read(path string, from, n int64) ([]byte, error) {
	type result struct {
		b   []byte
		err error
	}
	got := make(chan result, 1)
	yes := js.FuncOf(func(_ js.Value, args []js.Value) any {
		array := js.Global().Get("Uint8Array").New(args[0])
		b := make([]byte, array.Get("length").Int())
		js.CopyBytesToGo(b, array)
		got <- result{b: b}
		return nil
	})
	no := js.FuncOf(func(_ js.Value, args []js.Value) any {
		t := tensor.Wrong("unread", path, "Look for new data, then try again.", "%s", args[0].Get("message").String())
		t.Again = args[0].Get("again").Truthy()
		got <- result{err: t}
		return nil
	})
	defer yes.Release()
	defer no.Release()
	js.Global().Call("tbProjRead", path, float64(from), float64(n)).Call("then", yes, no)
	r := <-got
	return r.b, r.err
}

// numbers makes a typed array of numbers, and keeps its buffer to be transferred.
func numbers[T any](kind string, list []T, move js.Value) js.Value {
	array := js.Global().Get(kind).New(len(list))
	if len(list) > 0 {
		size := int(unsafe.Sizeof(list[0]))
		bytes := js.Global().Get("Uint8Array").New(array.Get("buffer"))
		js.CopyBytesToJS(bytes, unsafe.Slice((*byte)(unsafe.Pointer(&list[0])), len(list)*size))
	}
	move.Call("push", array.Get("buffer"))
	return array
}

// value makes a value of JavaScript.
func value(v any, move js.Value) js.Value {
	switch v := v.(type) {
	case []float32:
		return numbers("Float32Array", v, move)
	case []float64:
		return numbers("Float64Array", v, move)
	case []uint32:
		return numbers("Uint32Array", v, move)
	case []byte:
		return numbers("Uint8Array", v, move)
	case projector.Answer:
		o := js.Global().Get("Object").New()
		for name, of := range v {
			o.Set(name, value(of, move))
		}
		return o
	case []projector.Answer:
		list := js.Global().Get("Array").New()
		for _, of := range v {
			list.Call("push", value(of, move))
		}
		return list
	case nil:
		return js.Null()
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic("projector: internal error: " + err.Error())
	}
	return js.Global().Get("JSON").Call("parse", string(b))
}

// taken copies a typed array into Go's memory.
func taken[T any](array js.Value) []T {
	if !array.Truthy() {
		return nil
	}
	list := make([]T, array.Get("length").Int())
	if len(list) > 0 {
		bytes := js.Global().Get("Uint8Array").New(array.Get("buffer"), array.Get("byteOffset"), array.Get("byteLength"))
		js.CopyBytesToGo(unsafe.Slice((*byte)(unsafe.Pointer(&list[0])), len(list)*int(unsafe.Sizeof(list[0]))), bytes)
	}
	return list
}

func main() {
	debug.SetGCPercent(50) // points are large and few
	s := projector.New(port{}, func(a projector.Answer) {
		move := js.Global().Get("Array").New()
		js.Global().Call("tbProjPost", value(a, move), move)
	})
	// tbProjAsk(text, arrays): the message as JSON, and its typed arrays by their names.
	js.Global().Set("tbProjAsk", js.FuncOf(func(_ js.Value, args []js.Value) any {
		q := &projector.Question{Body: []byte(args[0].String()), From: taken[float32](args[1].Get("from")), Bytes: taken[byte](args[1].Get("bytes"))}
		if rows := args[1].Get("rows"); rows.Truthy() {
			q.Rows = taken[uint32](rows)
		}
		if l := args[1].Get("local"); l.Truthy() {
			if err := json.Unmarshal([]byte(l.String()), &q.Local); err != nil {
				panic("projector: internal error: " + err.Error())
			}
		}
		go s.Ask(q)
		return nil
	}))
	js.Global().Call("tbProjReady")
	select {}
}
