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
// describes them. See wire.ScalarPart for the layout. details are what was read
// again for this query, by run; it may be nil.
func (s *Scalars) Answer(c *catalog.Catalog, q *wire.ScalarsQuery, details map[string][]*catalog.Detail, buf []float64) ([]float64, []wire.ScalarPart) {
	var parts []wire.ScalarPart
	for _, name := range q.Runs {
		run, t := find(c, name, q.Tag)
		if t == nil {
			continue
		}
		s.points.Reset()
		p := wire.ScalarPart{Run: name, Offset: 8 * len(buf)}
		p.Points, p.Kept, p.Preview = run.ShownWith(t, details[name], &s.points)
		if s.points.Len() == 0 {
			continue
		}
		p.Full = !p.Preview && (p.Kept == p.Points || details != nil && filled(details[name]))
		buf = s.part(q, &p, buf)
		parts = append(parts, p)
	}
	return buf, parts
}

// filled reports whether every one of a run's details has been read.
func filled(details []*catalog.Detail) bool {
	for _, d := range details {
		if !d.Filled() {
			return false
		}
	}
	return true
}

// find returns a run and its tag of scalars; the tag is nil if there is none.
func find(c *catalog.Catalog, run, tag string) (*catalog.Run, *catalog.Tag) {
	r := c.Runs[run]
	if r == nil {
		return nil, nil
	}
	t := r.Lookup(tag)
	if t == nil || t.Kind != catalog.Scalar {
		return r, nil
	}
	return r, t
}

// Details returns the stretches of files that must be read again to answer q with
// every point, by run. It is nil when nothing is missing, and when more than most
// bytes would have to be read, unless q asks for every point.
func Details(c *catalog.Catalog, q *wire.ScalarsQuery, most int64) map[string][]*catalog.Detail {
	if !q.Every && !(q.X1 > q.X0) {
		return nil // the whole range: a chart has no more pixels than kept points
	}
	var out map[string][]*catalog.Detail
	total := int64(0)
	for _, name := range q.Runs {
		run, t := find(c, name, q.Tag)
		if t == nil {
			continue
		}
		x0, x1 := q.X0, q.X1
		for _, d := range run.Details(t, q.X, x0, x1) {
			if total += d.Length; total > most && !q.Every {
				return nil
			}
			if out == nil {
				out = make(map[string][]*catalog.Detail)
			}
			out[name] = append(out[name], d)
		}
	}
	return out
}

// part appends one run's columns.
func (s *Scalars) part(q *wire.ScalarsQuery, p *wire.ScalarPart, buf []float64) []float64 {
	n := s.points.Len()
	p.Start = start(s.points.Wall)
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

// start returns the first wall time that is a time, 0 if none is: one bad clock must
// not take the relative axis from all other points.
func start(wall []float64) float64 {
	for _, w := range wall {
		if w-w == 0 { // finite
			return w
		}
	}
	return 0
}
