package answer

import (
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// PiecePoints is the largest number of points in a piece of an answer with every
// point. A piece takes 32 bytes a point, 2 MiB, and the page some 20 ms to write.
const PiecePoints = 64 << 10

// Every answers a query for every point, piece by piece: what it holds at a time
// does not depend on how many points there are. See wire.ScalarsQuery.Every.
type Every struct {
	c      *catalog.Catalog
	q      wire.ScalarsQuery
	runs   []string        // that follow
	run    string          // that is under way …
	stream *catalog.Stream // … nil = none
	points series.Columns
}

// NewEvery begins to answer q.
func NewEvery(c *catalog.Catalog, q wire.ScalarsQuery) *Every {
	return &Every{c: c, q: q, runs: q.Runs}
}

// Next appends the next piece's columns to buf and describes them; more says that
// another one follows.
//
// If bytes must be read before, it returns them as need and nothing else. They are
// handed over by Take, or Fail is called; then Next is to be called again.
func (e *Every) Next(buf []uint64) (_ []uint64, parts []wire.ScalarPart, more bool, need source.Range) {
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
		p := wire.ScalarPart{Run: e.run, Offset: 8 * len(buf), N: e.points.Len(), Kept: s.Kept, Points: s.Points, Start: s.Start, Preview: s.Preview, Full: s.Full()}
		for _, column := range [][]float64{e.points.Step, e.points.Wall, e.points.Value, e.points.Value} {
			buf = appendAll(buf, column)
		}
		e.points.Reset()
		return buf, []wire.ScalarPart{p}, !done || len(e.runs) > 0, source.Range{}
	}
}

// Take uses the bytes that Next asked for.
func (e *Every) Take(data []byte) { e.stream.Take(data) }

// Fail says that they cannot be read.
func (e *Every) Fail() { e.stream.Fail() }
