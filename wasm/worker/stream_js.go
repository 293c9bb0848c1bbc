package worker

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// stream is a query for every point. Its answer comes in pieces, each when the page
// has asked for it: so the page never has more to write than one, and memory holds
// one piece and one window, whatever the length of the series.
type stream struct {
	*answer.Every
	id     int
	cancel context.CancelFunc
	ctx    context.Context
	wanted bool // the page waits for a piece

	need    source.Range // that is being read; of no length: nothing is
	ready   bool         // it has come: results or err
	results iter.Seq2[int, source.Result]
	err     error
	tries   int
}

// streamTries is how often the bytes of an answer are asked for again.
const streamTries = 3

// errOther says that a file is not the one any more that was read.
var errOther = errors.New("the file has changed")

// stream begins to answer q.
func (w *worker) stream(q query) {
	s := &stream{Every: answer.NewEvery(w.cat, q.q), id: q.id, wanted: true}
	s.ctx, s.cancel = context.WithCancel(w.ctx)
	w.streams[q.id] = s
}

// streamed goes on with an answer in pieces; it reports whether there was one that
// could.
func (w *worker) streamed() bool {
	for _, s := range w.streams {
		if s.need.Length > 0 {
			if !s.ready {
				continue
			}
			w.received(s)
		}
		if s.wanted && s.need.Length == 0 {
			w.piece(s)
			return true
		}
	}
	return false
}

// piece sends the next piece of an answer, or asks for the bytes that it needs.
func (w *worker) piece(s *stream) {
	columns, parts, more, need := s.Next(w.columns[:0])
	w.columns = columns
	if need.Length > 0 {
		w.fetch(s, need, 0)
		return
	}
	s.wanted = false
	w.send(s.id, parts, more)
	if !more {
		s.cancel()
		delete(w.streams, s.id)
	}
}

// fetch reads what an answer needs, after a pause.
func (w *worker) fetch(s *stream, need source.Range, pause time.Duration) {
	s.need, s.ready = need, false
	src := w.src
	need.Size = w.plan.Listed(need.Path)
	go func() {
		if pause > 0 {
			time.Sleep(pause)
		}
		s.results, s.err = src.Read(s.ctx, []source.Range{need})
		s.ready = true
		w.poke()
	}()
}

// received uses the bytes that have come. What cannot be read is tried again some
// times: an export may take minutes, and a network be away for a moment.
func (w *worker) received(s *stream) {
	err := s.err
	if err == nil {
		for _, r := range s.results {
			switch err = r.Err; {
			case err != nil:
			case !w.plan.Fits(s.need, r):
				err = errOther
			default:
				s.Take(r.Data)
			}
		}
	}
	s.results = nil
	if errors.Is(err, source.ErrAgain) && s.tries < streamTries {
		s.tries++
		w.fetch(s, s.need, time.Second)
		return
	}
	if err != nil {
		s.Fail()
	}
	s.need, s.tries = source.Range{}, 0
}
