package engine

import (
	"fmt"
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

// worker is a worker as the page sees it.
type worker struct {
	js       js.Value
	bytes    int64 // of the runs that it has been given
	progress wire.Progress
	sent     int  // OpFiles messages since the open
	ready    bool // it has started
	reading  []string
	crashes  int
	release  func()
	pings    int // that it has not answered; see pulse
}

// spawn starts a worker. It is up some 10 ms later; messages wait for it.
//
// Where the browser refuses it, the worker is one that hears nothing, and the status
// says so.
func (e *Engine) spawn() *worker {
	made, err := bridge.Try(func() js.Value {
		return bridge.Offered("Reflect").Call("construct", bridge.Offered("Worker"), []any{e.boot.Get("workerURL")})
	})
	if err != nil {
		e.broken = "this browser does not start workers, in which the files are read (" + err.Error() + "): allow them for this page, or use another browser"
		return &worker{js: js.Undefined(), release: func() {}}
	}
	w := e.adopt(made)
	w.post(map[string]any{"module": e.boot.Get("module")})
	return w
}

// adopt listens to a worker that has been started.
func (e *Engine) adopt(made js.Value) *worker {
	w := &worker{js: made}
	onMessage := js.FuncOf(func(_ js.Value, args []js.Value) any {
		e.message(w, args[0].Get("data"))
		return nil
	})
	onError := js.FuncOf(func(_ js.Value, args []js.Value) any {
		e.crashed(w, "")
		return nil
	})
	w.js.Set("onmessage", onMessage)
	w.js.Set("onerror", onError)
	w.release = func() {
		w.js.Set("onmessage", js.Null())
		w.js.Set("onerror", js.Null())
		onMessage.Release()
		onError.Release()
	}
	return w
}

// post sends a message to the worker.
func (w *worker) post(message map[string]any) {
	if w.js.Truthy() {
		w.js.Call("postMessage", message)
	}
}

// end ends the worker and gives its memory back.
func (w *worker) end() {
	if w.js.Truthy() {
		w.js.Call("terminate")
	}
	w.release()
}

// send posts a message; v and files may be nil.
func (w *worker) send(op string, v wire.Message, files []any) {
	m := map[string]any{"op": op}
	if v != nil {
		m["packed"] = bridge.Bytes(wire.Pack(v))
	}
	if files != nil {
		m["files"] = files
	}
	w.post(m)
}

// query posts a question, which has a number.
func (w *worker) query(id int, q wire.Query) {
	w.post(map[string]any{"op": wire.OpQuery, "id": id, "packed": bridge.Bytes(wire.Pack(&q))})
}

// tell tells the worker of files that are new or have changed.
func (w *worker) tell(files []wire.File, objects []any) {
	w.sent++
	w.send(wire.OpFiles, (*wire.Files)(&files), objects)
}

// message handles what a worker says.
func (e *Engine) message(w *worker, m js.Value) {
	w.pings = 0
	if m.Get("dead").Truthy() {
		e.crashed(w, m.Get("output").String())
		return
	}
	switch m.Get("op").String() {
	case wire.OpReady:
		w.ready = true
		e.supervisor.Started()
	case wire.OpProgress:
		e.progress(w, bridge.Contents(m.Get("packed")))
	case wire.OpAnswer:
		e.answered(w, m)
	case wire.OpStale:
		e.lookSoon()
	case wire.OpJob:
		var paths wire.Paths
		if err := wire.Unpack(bridge.Contents(m.Get("packed")), &paths); err != nil {
			panic("engine: internal error: " + err.Error())
		}
		w.reading = paths
	}
}

// crashed puts a new worker in the place of one that ended: out of memory, or by
// a defect. Its files are read again, one at a time, so that if it ends again the
// file is known: that one is named as lost and not read any more.
//
// output is what the program printed last, "" if nobody knows: it goes into the report
// that a user can copy.
func (e *Engine) crashed(w *worker, output string) {
	at := -1
	for i := range e.workers {
		if e.workers[i] == w {
			at = i
		}
	}
	if at < 0 {
		return // it was ended
	}
	w.end()
	verdict := e.supervisor.Ended(w.ready, w.crashes, w.reading)
	if verdict.Broken {
		e.broken = "the reader could not be started: reload the page, or update the browser"
		e.update(Change{Status: true})
		return
	}
	n := e.spawn()
	n.bytes, n.crashes = w.bytes, w.crashes+1
	e.workers[at] = n
	e.lose(wire.Loss{Kind: "a reader ended", Count: 1, Remedy: "a new one has read its files again", Details: output})
	for _, path := range verdict.Suspects {
		e.lose(wire.Loss{Run: e.files[path].run.name, File: path, Bytes: e.files[path].Size, Kind: "the reader ended on this file", Count: 1,
			Remedy: "it is left out; the other files were read again"})
	}
	for _, p := range e.queries {
		p.lostWorker(w)
	}
	for _, s := range e.streams {
		if s.w == w {
			s.end()
		}
	}
	var files []wire.File
	var objects []any
	for _, r := range e.runs {
		if r.worker != w {
			continue
		}
		r.worker = n
		r.tags = nil
		if verdict.GiveUp {
			for _, path := range r.files {
				e.supervisor.Suspect(path)
			}
			continue
		}
		for _, path := range r.files {
			if f := e.files[path]; !e.supervisor.LeftOut(path) && !f.Gone {
				files = append(files, f.File)
				objects = append(objects, e.origin.file(path))
			}
		}
	}
	if e.origin == nil {
		return
	}
	if verdict.GiveUp {
		e.lose(wire.Loss{Kind: "the reader ended again and again", Count: 1, Remedy: fmt.Sprintf("%d runs are left out: reload the page to try again, or open a smaller folder", len(e.runs))})
	}
	e.openWorker(n, true)
	if len(files) > 0 {
		n.tell(files, objects)
		n.send(wire.OpLook, &e.look, nil)
	}
	e.update(Change{Status: true, Runs: true, Tags: true})
}

// lose notes a loss that the page itself knows of, or counts it once more.
func (e *Engine) lose(l wire.Loss) {
	for i := range e.lost {
		if e.lost[i].File == l.File && e.lost[i].Kind == l.Kind {
			e.lost[i].Count++
			return
		}
	}
	e.lost = append(e.lost, l)
}
