package engine

import (
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Stream is all that was logged of a tag of one run, piece by piece. The worker reads a
// piece when it is asked for and not before.
type Stream struct {
	e     *Engine
	w     *worker // nil: nobody has the run
	q     wire.Query
	id    int
	begun bool
	asked bool // a piece is awaited
	pace  chan Piece
}

// Piece is some of a stream's points, in file order. A buffer, which one without
// points may lack, should be freed when it has been used; see bridge.Free.
type Piece struct {
	Chunk
	More   bool // another one follows
	Broken bool // the stream has ended, but not at its end: its worker is gone
}

// Every asks for all that q's kind has of a run, as q says.
func (e *Engine) Every(run string, q wire.Query) *Stream {
	e.lastID++
	q.Runs, q.Every = []string{run}, true
	s := &Stream{e: e, q: q, id: e.lastID, pace: make(chan Piece, 1)}
	if r := e.runs[run]; r != nil {
		s.w = r.worker
	}
	return s
}

// Next asks for the next piece, which comes on the channel. It must not be called
// again before that, nor behind the last piece.
func (s *Stream) Next() <-chan Piece {
	s.asked = true
	switch {
	case s.w == nil:
		s.give(Piece{})
	case s.begun && s.e.streams[s.id] != s: // it ended between two pieces
		s.give(Piece{Broken: true})
	case s.begun:
		s.post(wire.OpMore)
	default:
		s.begun = true
		s.e.streams[s.id] = s
		s.w.query(s.id, s.q)
	}
	return s.pace
}

// give hands over what Next asked for.
func (s *Stream) give(p Piece) {
	if s.asked {
		s.asked = false
		s.pace <- p
	}
}

func (s *Stream) post(op string) { s.w.post(map[string]any{"op": op, "id": s.id}) }

// answered takes in a piece.
func (s *Stream) answered(c Chunk, more bool) {
	if !more {
		delete(s.e.streams, s.id)
	}
	s.give(Piece{Chunk: c, More: more})
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
		s.post(wire.OpCancel)
	}
}
