// Package answer makes the answers of the data API from a catalog. It is the last
// stage before bytes leave the worker.
package answer

import (
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/chart"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/smooth"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Scalars answers queries for curves. It keeps its scratch memory between
// queries, so a smoothing slider that is dragged makes no garbage per point.
type Scalars struct {
	points   series.Columns
	smoothed []float64
	x        []float64
	index    []int32
}

// Answer appends the columns of every run that q names and c has to buf and
// describes them. See wire.ScalarPart for the layout.
func (s *Scalars) Answer(c *catalog.Catalog, q *wire.ScalarsQuery, buf []float64) ([]float64, []wire.ScalarPart) {
	var parts []wire.ScalarPart
	for _, name := range q.Runs {
		run := c.Runs[name]
		if run == nil {
			continue
		}
		t := run.Lookup(q.Tag)
		if t == nil || t.Kind != catalog.Scalar {
			continue
		}
		s.points.Reset()
		p := wire.ScalarPart{Run: name, Offset: 8 * len(buf)}
		p.Points, p.Kept, p.Preview = run.Shown(t, &s.points)
		if s.points.Len() == 0 {
			continue
		}
		buf = s.part(q, &p, buf)
		parts = append(parts, p)
	}
	return buf, parts
}

// part appends one run's columns.
func (s *Scalars) part(q *wire.ScalarsQuery, p *wire.ScalarPart, buf []float64) []float64 {
	n := s.points.Len()
	p.Start = s.points.Wall[0]
	s.smoothed = append(s.smoothed[:0], s.points.Value...)
	smooth.Exponential(s.smoothed, s.points.Value, q.Weight)
	if q.Pixels <= 0 && !(q.X1 > q.X0) {
		p.N = n
		buf = append(buf, s.points.Step...)
		buf = append(buf, s.points.Wall...)
		buf = append(buf, s.points.Value...)
		return append(buf, s.smoothed...)
	}
	x := s.points.Step
	switch q.X {
	case wire.ByWall:
		x = s.points.Wall
	case wire.ByRelative:
		s.x = s.x[:0]
		for _, w := range s.points.Wall {
			s.x = append(s.x, w-p.Start)
		}
		x = s.x
	}
	s.index = chart.Visible(s.index[:0], x, s.points.Value, s.smoothed, q.X0, q.X1, q.Pixels)
	p.N = len(s.index)
	for _, column := range [][]float64{s.points.Step, s.points.Wall, s.points.Value, s.smoothed} {
		for _, i := range s.index {
			buf = append(buf, column[i])
		}
	}
	return buf
}
