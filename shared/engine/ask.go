package engine

import (
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Reply is an answer to a query.
type Reply struct {
	// Parts are what the workers have answered, in no order: messages with Head, Words or
	// Bytes, and Beside.
	Parts []wire.Envelope
	More  bool   // a better one follows
	Err   string // why there is none: it was asked wrongly, or the program has a fault
}

// pending is a query that has not been answered in full.
type pending struct {
	waits  map[*Worker]bool // that have not answered
	refine map[*Worker]bool // that have, and will answer better
	parts  map[*Worker][]wire.Envelope
	got    func(Reply)
	e      *Engine
	id     int
	err    string
}

// Ask asks the workers and calls got, unless cancel is called before: once, or, where
// something must be read again for a better answer, a second time when it has been. got is
// never called before Ask returns. Runs that have nothing of what is asked for have no part,
// and neither have those whose worker ends before it has answered.
func (e *Engine) Ask(q wire.Query, got func(Reply)) (cancel func()) {
	e.lastID++
	p := &pending{waits: make(map[*Worker]bool), refine: make(map[*Worker]bool), parts: make(map[*Worker][]wire.Envelope), got: got, e: e, id: e.lastID}
	share := make(map[*Worker]*wire.Query) // what each is asked about
	of := func(w *Worker) *wire.Query {
		if share[w] == nil {
			part := q
			part.Runs, part.Files = nil, nil
			share[w] = &part
		}
		return share[w]
	}
	for _, name := range q.Runs {
		if r := e.runs[name]; r != nil && r.worker != nil && !r.worker.gone {
			part := of(r.worker)
			part.Runs = append(part.Runs, name)
		}
	}
	for _, path := range q.Files {
		if c := e.beside[path]; c != nil && !c.worker.gone {
			part := of(c.worker)
			part.Files = append(part.Files, path)
		}
	}
	if len(share) == 0 {
		done := false
		e.host.Soon(func() {
			if !done {
				got(Reply{})
			}
		})
		return func() { done = true }
	}
	e.queries[p.id] = p
	for w, part := range share {
		p.waits[w] = true
		w.ask(p.id, part)
	}
	return func() {
		if e.queries[p.id] != p {
			return
		}
		delete(e.queries, p.id)
		for _, ws := range []map[*Worker]bool{p.waits, p.refine} {
			for w := range ws {
				w.post(wire.Envelope{Op: wire.OpCancel, ID: p.id})
			}
		}
	}
}

// answered takes in a worker's part of an answer.
func (e *Engine) answered(w *Worker, m wire.Envelope) {
	p, s := e.queries[m.ID], e.streams[m.ID]
	if m.Fault != "" {
		e.lose(wire.Loss{Kind: "a question could not be answered", Count: 1, Remedy: "everything else goes on; please report this", Details: m.Fault})
		defer e.update(Change{Status: true})
	}
	if s != nil && s.w == w {
		s.answered(m)
	}
	if p == nil {
		return // it was cancelled
	}
	if m.Err != "" {
		p.err = m.Err
	}
	if m.Part == 0 {
		p.parts[w] = nil
	}
	if p.parts[w] = append(p.parts[w], m); len(p.parts[w]) < m.Of {
		return
	}
	better := p.refine[w]
	delete(p.waits, w)
	delete(p.refine, w)
	if m.More {
		p.refine[w] = true
	}
	p.deliver(better)
}

// deliver hands the answer on when all workers have answered, and, better being true,
// when all have answered better.
func (p *pending) deliver(better bool) {
	if p.e.queries[p.id] != p || len(p.waits) > 0 || better && len(p.refine) > 0 {
		return
	}
	if len(p.refine) == 0 {
		delete(p.e.queries, p.id)
	}
	a := Reply{More: len(p.refine) > 0, Err: p.err}
	for w, parts := range p.parts {
		if len(parts) < parts[0].Of {
			continue // of a worker that has ended in the middle of it
		}
		a.Parts = append(a.Parts, p.parts[w]...)
	}
	p.got(a)
}

// leave ends the wait for w, which has ended.
func (p *pending) leave(w *Worker) {
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

// Stream is all that was logged of a tag of one run, piece by piece. The worker reads a
// piece when it is asked for and not before.
type Stream struct {
	e     *Engine
	w     *Worker // nil: nobody has the run
	q     wire.Query
	id    int
	begun bool
	got   func(Piece) // that a piece is awaited for; nil = none is
}

// Piece is some of a stream's points, in file order.
type Piece struct {
	wire.Envelope      // Head, Words or Bytes, Beside
	Broken        bool // the stream has ended, but not at its end: its worker is gone, or has a fault
}

// Every asks for all that q's kind has of a run, as q says.
func (e *Engine) Every(run string, q wire.Query) *Stream {
	q.Runs = []string{run}
	return e.stream(q)
}

// EveryByte asks for a file beside event files, from its beginning to its end. q is one of
// kind files.
func (e *Engine) EveryByte(path string, q wire.Query) *Stream {
	q.Files = []string{path}
	return e.stream(q)
}

// EveryOf is Every or EveryByte, whichever q is about.
func (e *Engine) EveryOf(q wire.Query) *Stream { return e.stream(q) }

func (e *Engine) stream(q wire.Query) *Stream {
	e.lastID++
	q.Every = true
	return &Stream{e: e, q: q, id: e.lastID}
}

// worker is the one that has what s is about; nil if nobody has.
func (s *Stream) worker() *Worker {
	for _, run := range s.q.Runs {
		if r := s.e.runs[run]; r != nil {
			return r.worker
		}
	}
	for _, path := range s.q.Files {
		if c := s.e.beside[path]; c != nil {
			return c.worker
		}
	}
	return nil
}

// Next asks for the next piece. It must not be called again before that has come, nor after
// the last piece.
func (s *Stream) Next(got func(Piece)) {
	e := s.e
	s.got = got
	if !s.begun {
		s.begun = true
		if s.w = s.worker(); s.w == nil {
			s.give(Piece{})
			return
		}
		if s.w.gone {
			s.give(Piece{Broken: true})
			return
		}
		e.streams[s.id] = s
		s.w.ask(s.id, &s.q)
		return
	}
	if e.streams[s.id] != s { // it ended between two pieces
		s.give(Piece{Broken: true})
		return
	}
	s.w.post(wire.Envelope{Op: wire.OpMore, ID: s.id})
}

// give hands over what Next asked for.
func (s *Stream) give(p Piece) {
	if got := s.got; got != nil {
		s.got = nil
		got(p)
	}
}

// answered takes in a piece.
func (s *Stream) answered(m wire.Envelope) {
	if !m.More {
		delete(s.e.streams, s.id)
	}
	if m.Err != "" {
		m.Head = nil
	}
	s.give(Piece{Envelope: m, Broken: m.Err != ""})
}

// end ends the stream from this side.
func (s *Stream) end() {
	delete(s.e.streams, s.id)
	s.give(Piece{Broken: true})
}

// Close gives the stream up.
func (s *Stream) Close() {
	if s.e.streams[s.id] == s {
		delete(s.e.streams, s.id)
		s.w.post(wire.Envelope{Op: wire.OpCancel, ID: s.id})
	}
}
