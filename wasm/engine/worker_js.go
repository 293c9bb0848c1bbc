package engine

import (
	"errors"
	"syscall/js"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/engine"
	"github.com/tensorbored/tensorbored-static/shared/near"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

// port is the way to a worker of the browser.
type port struct {
	js      js.Value
	release func()
}

// listen makes the way to a worker that has been started, and listens to it.
func listen(e *Engine, w *engine.Worker, made js.Value) *port {
	onMessage := js.FuncOf(func(_ js.Value, args []js.Value) any {
		e.hear(w, args[0].Get("data"))
		return nil
	})
	onError := js.FuncOf(func(_ js.Value, args []js.Value) any {
		w.Ended("")
		return nil
	})
	made.Set("onmessage", onMessage)
	made.Set("onerror", onError)
	return &port{made, func() {
		made.Set("onmessage", js.Null())
		made.Set("onerror", js.Null())
		onMessage.Release()
		onError.Release()
	}}
}

// Post implements engine.Port.
func (p *port) Post(m wire.Envelope) {
	o := map[string]any{"op": m.Op, "id": m.ID}
	if m.Body != nil {
		o["packed"] = bridge.Bytes(m.Body)
	}
	if m.Beside != nil {
		o["files"] = m.Beside
	}
	p.js.Call("postMessage", o)
}

// End implements engine.Port.
func (p *port) End() {
	p.js.Call("terminate")
	p.release()
}

// hear hands on what a worker of the browser says.
func (e *Engine) hear(w *engine.Worker, m js.Value) {
	if m.Get("dead").Truthy() {
		w.Ended(m.Get("output").String())
		return
	}
	out := wire.Envelope{Op: m.Get("op").String()}
	if packed := m.Get("packed"); packed.Truthy() {
		out.Body = bridge.Contents(packed)
	}
	if out.Op == wire.OpAnswer {
		out.ID, out.More = m.Get("id").Int(), m.Get("more").Truthy()
		if v := m.Get("error"); v.Truthy() {
			out.Err, out.Fault = v.String(), m.Get("fault").String()
		}
		// Points stay where they are: they never enter the page's Go heap.
		out.Beside = Chunk{JSON: m.Get("json"), Buffer: m.Get("buffer")}
	}
	w.Hear(out)
}

// host is the browser.
type host struct{ e *Engine }

// Start implements engine.Host. The worker is up some 10 ms later.
func (h *host) Start(w *engine.Worker) (engine.Port, error) {
	if h.e.near != "" {
		return near.NewPort(&line{e: h.e, url: h.e.near}, w), nil
	}
	boot := h.e.boot
	made, err := bridge.Try(func() js.Value {
		return bridge.Offered("Reflect").Call("construct", bridge.Offered("Worker"), []any{boot.Get("workerURL")})
	})
	if err != nil {
		return nil, errors.New("this browser does not start workers, in which the files are read (" + err.Error() + "): allow them for this page, or use another browser")
	}
	p := listen(h.e, w, made)
	made.Call("postMessage", map[string]any{"module": boot.Get("module")})
	return p, nil
}

// Worth implements engine.Host.
func (h *host) Worth(bytes int64, files int) int {
	if h.e.near != "" {
		return 1
	}
	return h.e.boot.Call("worth", float64(bytes), files).Int()
}

// Most implements engine.Host.
func (h *host) Most() int {
	if h.e.near != "" {
		return 1
	}
	return h.e.boot.Get("readers").Int()
}

// previewFrom is how much there must be to read for a preview to be worth its time, in
// bytes a worker: less is read exactly in the same time.
const previewFrom = 48 << 20

// Open implements engine.Host.
func (h *host) Open() wire.Open {
	e := h.e
	o := e.origin.open()
	if e.caching {
		o.Cache, o.CacheBytes, o.CacheNew = e.origin.name(), cacheBytes, e.fresh
	}
	o.PreviewFrom = previewFrom
	if v := e.boot.Get("previewFrom"); v.Type() == js.TypeNumber { // for tests
		o.PreviewFrom = int64(v.Float())
	}
	o.Budget, o.Most = e.budget/int64(h.Most()), e.most
	return o
}

// Beside implements engine.Host: a dropped folder's File objects.
func (h *host) Beside(files []wire.File) any {
	if _, ok := h.e.origin.(*folderOrigin); !ok {
		return nil
	}
	objects := make([]any, len(files))
	for i := range files {
		objects[i] = h.e.origin.file(files[i].Path)
	}
	return objects
}

// None implements engine.Host.
func (h *host) None() string { return h.e.origin.none() }

// Stale implements engine.Host.
func (h *host) Stale() { h.e.lookSoon() }

// Soon implements engine.Host.
func (*host) Soon(f func()) {
	go func() {
		bridge.Yield()
		f()
	}()
}

// Now implements engine.Host.
func (*host) Now() time.Time { return time.Now() }

// pulseEvery is the time between two of shared/engine's pulses.
const pulseEvery = 10 * time.Second

// watch asks the workers from time to time.
func (e *Engine) watch() {
	every := pulseEvery
	if v := e.boot.Get("pulse"); v.Type() == js.TypeNumber { // for tests, in ms
		every = time.Duration(v.Float() * float64(time.Millisecond))
	}
	go func() {
		for {
			time.Sleep(every)
			e.Pulse()
		}
	}()
}
