package scalars

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/derive"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// joined is what derived series and other axes are made of, kept between queries.
type joined struct {
	columns []column
	row     []float64
	expr    *derive.Expr
	name    string // of expr
	refs    map[*RefSeries]*column
	all     []*column // of the tags of expr, and of its refs
}

// column is a series that is looked up by step.
type column struct {
	points series.Columns
	at     int // below it all steps are less than the last one that was asked for
}

// load puts the points of p's run into s.points, and their x into s.along where it is not
// Timed; false if there are none.
func (s *curves) load(c *catalog.Catalog, q *Curves, p *Part, details []*catalog.Detail) bool {
	s.points.Reset()
	s.along = s.along[:0]
	run, t := find(c, p.Run, q.Tag)
	switch {
	case run == nil:
		return false
	case t != nil:
		var glimpse catalog.Glimpse
		p.Points, p.Kept, glimpse = run.ShownWith(t, details, &s.points)
		p.glimpsed(glimpse)
	case !derive.IsName(q.Tag) || !s.derive(c, run, q, p):
		return false
	}
	switch q.X {
	case wire.ByTag:
		s.joined.columns = slices.Grow(s.joined.columns, 1)[:max(1, len(s.joined.columns))]
		x := &s.joined.columns[0]
		of := Part{}
		if !x.read(c, run, q.XTag, &of) {
			return false
		}
		p.glimpsed(of.Glimpse)
		keep := 0
		for i, step := range s.points.Step {
			if v, ok := x.of(step); ok {
				s.points.Step[keep], s.points.Wall[keep], s.points.Value[keep] = step, s.points.Wall[i], s.points.Value[i]
				s.along = append(s.along, v)
				keep++
			}
		}
		s.points.Step, s.points.Wall, s.points.Value = s.points.Step[:keep], s.points.Wall[:keep], s.points.Value[:keep]
	case wire.ByIndex:
		// Of a thinned series the numbers of those that are kept are not known: they are
		// spread evenly.
		n, each := s.points.Len(), 1.0
		if p.Points > int64(n) && n > 1 && p.Glimpse != catalog.Sampled {
			each = float64(p.Points-1) / float64(n-1)
		}
		for i := range n {
			s.along = append(s.along, math.Round(float64(i)*each))
		}
	case wire.ByProcess:
		s.along = run.ProcessTimes(s.along, s.points.Wall)
	}
	return s.points.Len() > 0
}

// glimpsed notes that some points may come from a preview.
func (p *Part) glimpsed(g catalog.Glimpse) {
	p.Glimpse = max(p.Glimpse, g)
	p.Preview = p.Preview || g != catalog.Exact
}

// derive computes the points of a derived series: at the steps of the first tag of its
// expression at which all the others have a value as well.
func (s *curves) derive(c *catalog.Catalog, run *catalog.Run, q *Curves, p *Part) bool {
	j := &s.joined
	if j.name != q.Tag || j.expr == nil {
		e, err := derive.Of(q.Tag)
		if err != nil {
			return false // the page says why, where it is typed
		}
		j.expr, j.name = e, q.Tag
	}
	tags, n := j.expr.Tags, len(j.expr.Tags)+len(j.expr.Refs)
	j.columns = slices.Grow(j.columns[:0], len(tags))[:len(tags)]
	j.all = j.all[:0]
	j.row = slices.Grow(j.row[:0], n)[:n]
	missing := int64(0) // points that memory has no room for, of the tag that lacks most
	for i, tag := range tags {
		part := Part{}
		if !j.columns[i].read(c, run, tag, &part) {
			return false
		}
		p.glimpsed(part.Glimpse)
		missing = max(missing, part.Points-part.Kept)
		j.all = append(j.all, &j.columns[i])
	}
	for _, ref := range j.expr.Refs {
		r := q.ref(ref)
		if r == nil {
			return false
		}
		// It is the same for all runs of the query, and read once.
		if j.refs[r] == nil {
			if len(j.refs) >= len(q.Refs) {
				j.refs = nil // of other queries
			}
			if j.refs == nil {
				j.refs = make(map[*RefSeries]*column)
			}
			j.refs[r] = r.column()
		}
		j.all = append(j.all, j.refs[r])
		if r.Preview {
			p.glimpsed(catalog.Sampled)
		}
		missing = max(missing, r.Missing)
	}
	first := &j.columns[0].points
step:
	for i, step := range first.Step {
		j.row[0] = first.Value[i]
		for k := range n - 1 {
			v, ok := j.all[k+1].of(step)
			if !ok {
				continue step
			}
			j.row[k+1] = v
		}
		s.points.Step = append(s.points.Step, step)
		s.points.Wall = append(s.points.Wall, first.Wall[i])
		s.points.Value = append(s.points.Value, j.expr.Eval(j.row))
	}
	p.Kept = int64(s.points.Len())
	p.Points = p.Kept + missing
	return true
}

// column is the series to be looked up.
func (r *RefSeries) column() *column {
	c := &column{}
	for i := 0; i+8 <= min(len(r.Steps), len(r.Values)); i += 8 {
		c.points.Step = append(c.points.Step, math.Float64frombits(binary.LittleEndian.Uint64(r.Steps[i:])))
		c.points.Wall = append(c.points.Wall, 0)
		c.points.Value = append(c.points.Value, math.Float64frombits(binary.LittleEndian.Uint64(r.Values[i:])))
	}
	if !slices.IsSorted(c.points.Step) {
		c.sort()
	}
	return c
}

// read takes the points of a tag; false if the run has none.
func (c *column) read(cat *catalog.Catalog, run *catalog.Run, tag string, p *Part) bool {
	_, t := find(cat, run.Name, tag)
	if t == nil {
		return false
	}
	c.points.Reset()
	c.at = 0
	points, kept, glimpse := run.ShownWith(t, nil, &c.points)
	p.Points, p.Kept = points, kept
	p.glimpsed(glimpse)
	if !slices.IsSorted(c.points.Step) {
		c.sort()
	}
	return c.points.Len() > 0
}

// sort brings the points into the order of their steps; those of one step stay in theirs.
func (c *column) sort() {
	order := make([]int, c.points.Len())
	for i := range order {
		order[i] = i
	}
	old := c.points
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := old.Step[a], old.Step[b]; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	c.points = series.Columns{}
	for _, i := range order {
		c.points.Step = append(c.points.Step, old.Step[i])
		c.points.Wall = append(c.points.Wall, old.Wall[i])
		c.points.Value = append(c.points.Value, old.Value[i])
	}
}

// of returns the value at a step: of several the last one.
func (c *column) of(step float64) (v float64, ok bool) {
	steps := c.points.Step
	if c.at > 0 && steps[c.at-1] >= step {
		c.at, _ = slices.BinarySearch(steps, step)
	}
	for c.at < len(steps) && steps[c.at] < step {
		c.at++
	}
	i := c.at
	for i < len(steps) && steps[i] == step {
		v, ok = c.points.Value[i], true
		i++
	}
	return v, ok
}
