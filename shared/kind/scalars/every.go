package scalars

import (
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// PiecePoints is the largest number of points in a piece of an answer with every
// point. A piece takes 32 bytes a point, 2 MiB, and the page some 20 ms to write.
const PiecePoints = 64 << 10

// every answers a query for every point, piece by piece: what it holds at a time
// does not depend on how many points there are. See wire.Query.Every.
type every struct {
	c      *catalog.Catalog
	q      Curves
	runs   []string        // that follow
	run    string          // that is under way …
	stream *catalog.Stream // … nil = none
	points series.Columns
}

// newEvery begins to answer q.
func newEvery(c *catalog.Catalog, q Curves) *every {
	return &every{c: c, q: q, runs: q.Runs}
}

// next appends the next piece's columns to buf and describes them; more says that
// another one follows.
//
// If bytes must be read before, it returns them as need and nothing else. They are
// handed over by Take, or Fail is called; then Next is to be called again.
func (e *every) next(buf []uint64) (_ []uint64, parts []Part, more bool, need source.Range) {
	for {
		if e.stream == nil {
			if len(e.runs) == 0 {
				return buf, nil, false, source.Range{}
			}
			e.run, e.runs = e.runs[0], e.runs[1:]
			run, t := find(e.c, e.run, e.q.Tag)
			if t == nil {
				continue
			}
			e.stream = run.Stream(t, e.q.X, e.q.X0, e.q.X1)
		}
		s := e.stream
		need, done := s.Next(&e.points, PiecePoints)
		if need.Length > 0 {
			return buf, nil, true, need
		}
		if done {
			e.stream = nil
			if !s.Some {
				continue
			}
		}
		p := Part{Run: e.run, Offset: 8 * len(buf), N: e.points.Len(), Kept: s.Kept, Points: s.Points, Start: s.Start, Preview: s.Preview, Full: s.Full()}
		for _, column := range [][]float64{e.points.Step, e.points.Wall, e.points.Value, e.points.Value} {
			buf = appendAll(buf, column)
		}
		e.points.Reset()
		return buf, []Part{p}, !done || len(e.runs) > 0, source.Range{}
	}
}

// take uses the bytes that Next asked for.
func (e *every) take(data []byte) { e.stream.Take(data) }

// fail says that they cannot be read.
func (e *every) fail() { e.stream.Fail() }
