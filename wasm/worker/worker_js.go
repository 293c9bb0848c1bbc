// Package worker is the worker role in the browser: shared/worker in a worker of the
// browser, with its messages, sources and database.
package worker

import (
	"context"
	"runtime/debug"
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/shared/worker"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/source/folder"
	"github.com/tensorbored/tensorbored-static/wasm/source/httprange"
)

// Run runs the worker. It does not return.
func Run() {
	w := worker.New(&host{})
	hear := func(m js.Value) {
		e := wire.Envelope{Op: m.Get("op").String()}
		if id := m.Get("id"); id.Type() == js.TypeNumber {
			e.ID = id.Int()
		}
		if packed := m.Get("packed"); packed.Truthy() {
			e.Body = bridge.Contents(packed)
		}
		if files := m.Get("files"); files.Truthy() {
			e.Beside = files
		}
		w.Hear(e)
	}
	global := js.Global()
	global.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		hear(args[0].Get("data"))
		return nil
	}))
	if queue := global.Get("tbQueue"); queue.Truthy() { // messages that came before
		for i := range queue.Length() {
			hear(queue.Index(i))
		}
		global.Set("tbQueue", js.Null())
	}
	w.Run(context.Background())
}

// host is the browser.
type host struct{ database database }

// Post implements worker.Host.
func (*host) Post(e wire.Envelope) {
	m := map[string]any{"op": e.Op}
	var transfer []any
	if e.Body != nil {
		packed := bridge.Bytes(e.Body)
		m["packed"] = packed
		transfer = append(transfer, packed)
	}
	if e.Op == wire.OpAnswer {
		m["id"], m["json"], m["more"] = e.ID, string(e.Head), e.More
		var buffer js.Value
		switch {
		case e.Err != "":
			m["error"], m["fault"] = e.Err, e.Fault
		case len(e.Bytes) > 0:
			buffer = bridge.Bytes(e.Bytes)
		default:
			buffer = bridge.Words(e.Words)
		}
		if m["buffer"] = buffer; buffer.Truthy() {
			transfer = append(transfer, buffer)
		}
	}
	js.Global().Call("postMessage", m, transfer)
}

// Yield implements worker.Host.
func (*host) Yield() { bridge.Yield() }

// Source implements worker.Host.
func (*host) Source(o *wire.Open) source.Logdir {
	switch o.Kind {
	case "folder":
		return &files{folder.NewFiles()}
	case "http":
		return &httprange.Host{Base: o.Base, Batch: o.Batch}
	}
	return nil
}

// Cache implements worker.Host.
func (h *host) Cache(s *worker.Session) worker.Cache {
	return &cache{database: &h.database, Session: s}
}

// Collect implements worker.Host.
func (*host) Collect(percent int) { debug.SetGCPercent(percent) }

// Rest implements worker.Host.
func (*host) Rest() { js.Global().Call("tbRest") }

// files are the files of a folder.
type files struct{ *folder.Files }

// Take implements worker.Taker. Of a file that is gone there is no object.
func (f *files) Take(list []wire.File, beside any) {
	objects, ok := beside.(js.Value)
	if !ok {
		return
	}
	for i := range list {
		if o := objects.Index(i); o.Truthy() {
			f.Set(list[i].Path, o)
		}
	}
}
