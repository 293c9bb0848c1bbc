package engine

import (
	"encoding/json"
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

// Chunk is one worker's part of an answer.
type Chunk struct {
	JSON   js.Value // string: a list of parts, whose form is the kind's; undefined: none
	Buffer js.Value // ArrayBuffer that the parts describe
}

// Reply is an answer to a query. Parts stand in no order.
type Reply struct {
	Chunks []Chunk
	More   bool   // a better one follows
	Err    string // why there is none: it was asked wrongly, or the program has a fault
}

// Parts reads the parts of a chunk.
func Parts[T any](c Chunk) []T {
	var parts []T
	if c.JSON.Type() != js.TypeString {
		return nil
	}
	if err := json.Unmarshal([]byte(c.JSON.String()), &parts); err != nil {
		panic("engine: internal error: " + err.Error()) // both sides are this one program
	}
	return parts
}

// pending is a query that has not been answered in full.
type pending struct {
	waits  map[*worker]bool // that have not answered
	refine map[*worker]bool // that have, and will answer better
	chunks map[*worker]Chunk
	got    func(Reply)
	e      *Engine
	id     int
	err    string
}

// Ask asks the workers and calls got, unless cancel is called before: once, or, where
// something must be read again for a better answer, a second time when it has been. Runs
// that have nothing of what is asked for have no part.
func (e *Engine) Ask(q wire.Query, got func(Reply)) (cancel func()) {
	e.lastID++
	p := &pending{waits: make(map[*worker]bool), refine: make(map[*worker]bool), chunks: make(map[*worker]Chunk), got: got, e: e, id: e.lastID}
	share := make(map[*worker][]string)
	for _, name := range q.Runs {
		if r := e.runs[name]; r != nil && r.worker != nil {
			share[r.worker] = append(share[r.worker], name)
		}
	}
	if len(share) == 0 {
		done := false
		go func() {
			bridge.Yield()
			if !done {
				got(Reply{})
			}
		}()
		return func() { done = true }
	}
	e.queries[p.id] = p
	for w, names := range share {
		p.waits[w] = true
		q.Runs = names
		w.query(p.id, q)
	}
	return func() {
		if e.queries[p.id] != p {
			return
		}
		delete(e.queries, p.id)
		for _, ws := range []map[*worker]bool{p.waits, p.refine} {
			for w := range ws {
				w.post(map[string]any{"op": wire.OpCancel, "id": p.id})
			}
		}
	}
}

// answered takes in a worker's part of an answer.
func (e *Engine) answered(w *worker, m js.Value) {
	id := m.Get("id").Int()
	p, s := e.queries[id], e.streams[id]
	if p == nil && s == nil {
		return // it was cancelled
	}
	c := Chunk{JSON: m.Get("json"), Buffer: m.Get("buffer")}
	if v := m.Get("fault"); v.Truthy() {
		e.lose(wire.Loss{Kind: "a question could not be answered", Count: 1, Remedy: "everything else goes on; please report this", Details: v.String()})
		e.update(Change{Status: true})
	}
	if s != nil && m.Get("error").Type() == js.TypeString {
		s.end()
		return
	}
	if s != nil {
		s.answered(c, m.Get("more").Truthy())
		return
	}
	if v := m.Get("error"); v.Type() == js.TypeString {
		p.err = v.String()
	}
	if c.Buffer.Truthy() {
		e.loose.took(c.Buffer)
	}
	p.chunks[w] = c
	better := p.refine[w]
	delete(p.waits, w)
	delete(p.refine, w)
	if m.Get("more").Truthy() {
		p.refine[w] = true
	}
	p.deliver(better)
}

// deliver hands the answer on when all workers have answered, and, better being true,
// when all have answered better.
func (p *pending) deliver(better bool) {
	if len(p.waits) > 0 || better && len(p.refine) > 0 {
		return
	}
	if len(p.refine) == 0 {
		delete(p.e.queries, p.id)
	}
	a := Reply{More: len(p.refine) > 0, Err: p.err}
	for _, c := range p.chunks {
		a.Chunks = append(a.Chunks, c)
	}
	p.got(a)
}

// lostWorker ends the wait for w.
func (p *pending) lostWorker(w *worker) {
	if p.waits[w] || p.refine[w] {
		better := p.refine[w]
		delete(p.waits, w)
		delete(p.refine, w)
		p.deliver(better)
	}
}

// fail answers with what there is.
func (p *pending) fail() {
	clear(p.waits)
	clear(p.refine)
	p.deliver(false)
}
