package scalars

import (
	"math"
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/chart"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/smooth"
)

// band is the edges of the band around a curve: what two other tags have at its steps. It is
// kept between queries, as scratch memory.
type band struct {
	on       bool
	whole    [2][]float64 // at each point of the run; NaN where there is none
	edges    [2][]float64 // of a stretch
	smoothed [2][]float64
	index    []int32
	both     []int32
}

// load looks the edges up at each of a run's points, if q asks for them.
func (b *band) load(c *catalog.Catalog, q *Curves, p *Part, points *series.Columns, j *joined) {
	if b.on = len(q.Bands) > 0; !b.on {
		return
	}
	run := c.Runs[p.Run]
	for k, tag := range q.Bands[0] {
		b.whole[k] = b.whole[k][:0]
		j.columns = slices.Grow(j.columns, 1)[:max(1, len(j.columns))]
		edge, of := &j.columns[0], Part{}
		have := edge.read(c, run, tag, &of)
		p.glimpsed(of.Glimpse)
		for _, step := range points.Step {
			v, ok := math.NaN(), false
			if have {
				if v, ok = edge.of(step); !ok {
					v = math.NaN()
				}
			}
			b.whole[k] = append(b.whole[k], v)
		}
	}
	for i, lower := range b.whole[0] {
		if upper := b.whole[1][i]; lower != lower || upper != upper {
			p.Unmatched++
		}
	}
}

// cut makes the edges those of a stretch.
func (b *band) cut(from, end int) {
	if b.on {
		b.edges = [2][]float64{b.whole[0][from:end], b.whole[1][from:end]}
	}
}

// columns appends the edges of points to the columns of an answer.
func (b *band) columns(q *Curves, p *Part, points series.Columns, columns [][]float64, scratch *[]float64) [][]float64 {
	if p.Edges = 0; !b.on {
		return columns
	}
	p.Edges = 2
	columns = append(columns, b.edges[0], b.edges[1])
	if q.Weight > 0 {
		p.Edges = 4
		for k, edge := range b.edges {
			b.smoothed[k] = slices.Grow(b.smoothed[k][:0], len(edge))[:len(edge)]
			*scratch = smooth.Of(q.Smoother, b.smoothed[k], axis(q.X, points), edge, q.Weight, *scratch)
			columns = append(columns, b.smoothed[k])
		}
	}
	return columns
}

// visible adds to index, the points of a curve that are seen, those at which an edge is.
func (b *band) visible(index []int32, x []float64, x0, x1 float64, pixels int) []int32 {
	b.index = chart.Visible(b.index[:0], x, b.edges[0], b.edges[1], x0, x1, pixels)
	b.both = append(b.both[:0], index...)
	return union(index[:0], b.both, b.index)
}

// union appends to dst the numbers that are in a or b, which ascend.
func union(dst, a, b []int32) []int32 {
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0] <= b[0] {
			if len(b) > 0 && a[0] == b[0] {
				b = b[1:]
			}
			dst = append(dst, a[0])
			a = a[1:]
		} else {
			dst = append(dst, b[0])
			b = b[1:]
		}
	}
	return dst
}
