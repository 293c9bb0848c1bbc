package scalars

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/chart"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/smooth"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// curves makes the columns of answers. It keeps its scratch memory between queries, so
// a smoothing slider that is dragged makes no garbage per point.
type curves struct {
	points   series.Columns
	smoothed []float64
	x        []float64
	along    []float64 // x of each point, where it is not Timed
	joined   joined
	band     band
	mapped   []float64
	scratch  []float64
	index    []int32
	picked   []int32 // see even
	thin     []int32
	columns  [][]float64
}

// answer appends the columns of every run that q names and c has to buf and
// describes them. See Part for the layout; buf holds its bytes, in the
// machine's order. details are what was read
// again for this query, by run; it may be nil.
func (s *curves) answer(c *catalog.Catalog, q *Curves, details map[string][]*catalog.Detail, buf []uint64) ([]uint64, []Part) {
	return s.add(c, q, details, buf, nil)
}

// add is answer behind other parts.
func (s *curves) add(c *catalog.Catalog, q *Curves, details map[string][]*catalog.Detail, buf []uint64, parts []Part) ([]uint64, []Part) {
	for _, name := range q.Runs {
		p := Part{Run: name, Offset: 8 * len(buf)}
		if !s.load(c, q, &p, details[name]) {
			continue
		}
		s.band.load(c, q, &p, &s.points, &s.joined)
		p.Full = !p.Preview && (p.Kept == p.Points || details != nil && filled(details[name]))
		stretches := s.stretches(q)
		for i, end := range stretches {
			from := 0
			if i > 0 {
				from = stretches[i-1]
				p.Points, p.Kept, p.Unmatched = 0, 0, 0 // told with the first
			}
			if len(stretches) > 1 {
				p.Piece = i + 1
			}
			p.Offset, p.Narrow, p.WallBase = 8*len(buf), 0, 0
			var along []float64
			if !q.X.Timed() {
				along = s.along[from:end]
			}
			s.band.cut(from, end)
			buf = s.part(q, &p, series.Columns{Step: s.points.Step[from:end], Wall: s.points.Wall[from:end], Value: s.points.Value[from:end]}, along, buf)
			parts = append(parts, p)
		}
	}
	return buf, parts
}

// maxStretches is how often a curve may go back and be drawn in pieces. Beyond that it is
// not a job that was started again: two writers mix their steps.
const maxStretches = 64

// stretches returns where the stretches end that q wants drawn as curves of their own:
// those in which x does not go back.
func (s *curves) stretches(q *Curves) (ends []int) {
	n := s.points.Len()
	if q.Partition {
		// Points by another tag's value follow one another by step; by number they never
		// go back.
		x := axis(q.X, s.points)
		last := math.Inf(-1)
		for i, v := range x {
			if v < last {
				if ends = append(ends, i); len(ends) >= maxStretches {
					return []int{n}
				}
			}
			if v-v == 0 {
				last = v
			}
		}
	}
	return append(ends, n)
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

// details returns the stretches of files that must be read again to answer q with
// every point, by run. It is nil when nothing is missing, and when more than most
// bytes would have to be read.
func details(c *catalog.Catalog, q *Curves, most int64) map[string][]*catalog.Detail {
	if !q.X.Timed() {
		return nil // of points that are kept, as what is computed is, which no run has
	}
	if !(q.X1 > q.X0) {
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
			if total += d.Length; total > most {
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

// part appends the columns of one curve; along is x where it is not Timed.
func (s *curves) part(q *Curves, p *Part, points series.Columns, along []float64, buf []uint64) []uint64 {
	n := points.Len()
	p.Start = start(points.Wall)
	smoothed := points.Value
	if q.Weight > 0 {
		s.smoothed = slices.Grow(s.smoothed[:0], n)[:n]
		smoothed = s.smoothed
		ends := []int{n}
		if p.Glimpse == catalog.Sampled {
			ends = windows(points.Step)
		}
		for from, x := 0, axis(q.X, points); len(ends) > 0; from, ends = ends[0], ends[1:] {
			to := ends[0]
			s.scratch = smooth.Of(q.Smoother, smoothed[from:to], x[from:to], points.Value[from:to], q.Weight, s.scratch)
		}
	}
	columns := append(s.columns[:0], points.Step, points.Wall, points.Value, smoothed)
	if along != nil {
		columns = append(columns, along)
	}
	columns = s.band.columns(q, p, points, columns, &s.scratch)
	s.columns = columns[:0]
	if q.Pixels <= 0 && !(q.X1 > q.X0) {
		p.N, p.Thinned = n, false
		for _, column := range columns {
			buf = appendAll(buf, column)
		}
		return buf
	}
	x := points.Step
	if along != nil {
		x = along
	}
	switch q.X {
	case wire.ByWall:
		x = points.Wall
	case wire.ByRelative:
		s.x = s.x[:0]
		for _, w := range points.Wall {
			s.x = append(s.x, w-p.Start)
		}
		x = s.x
	}
	x0, x1 := q.X0, q.X1
	if to := mapping(q.XScale); to != nil {
		s.mapped = s.mapped[:0]
		for _, v := range x {
			s.mapped = append(s.mapped, to(v))
		}
		x, x0, x1 = s.mapped, to(x0), to(x1)
		if q.X0 == q.X1 {
			x0, x1 = 0, 0
		}
	}
	s.index = chart.Visible(s.index[:0], x, points.Value, smoothed, x0, x1, q.Pixels)
	if p.Edges > 0 {
		s.index = s.band.visible(s.index, x, x0, x1, q.Pixels)
	}
	if p.Every = 0; q.Even && q.Pixels > 0 {
		s.even(p, x, x0, x1, q.Pixels)
	}
	p.N = len(s.index)
	p.Thinned = p.N > 0 && int(s.index[p.N-1]-s.index[0]) >= p.N
	if q.Pixels > 0 && p.N > 0 {
		if narrow(points.Step, s.index) {
			p.Narrow |= NarrowStep
		}
		if q.X == wire.ByStep || along != nil {
			p.Narrow |= NarrowWall
			p.WallBase = start(points.Wall[s.index[0]:])
		}
		if narrow(points.Value, s.index) {
			p.Narrow |= NarrowValue | NarrowSmoothed
		}
	}
	for k, column := range columns {
		base := 0.0
		if k == 1 {
			base = p.WallBase
		}
		if p.Narrow&(1<<k) != 0 {
			buf = appendNarrow(buf, column, base, s.index)
		} else {
			buf = appendWide(buf, column, s.index)
		}
	}
	return buf
}

// even adds to the points that are seen, if there are more between them, the first of each
// stretch of about a pixel.
func (s *curves) even(p *Part, x []float64, x0, x1 float64, pixels int) {
	if len(s.index) == 0 {
		return
	}
	from, to := int(s.index[0]), int(s.index[len(s.index)-1])
	if to-from+1 == len(s.index) {
		return
	}
	if !(x1 > x0) {
		x0, x1 = math.Inf(1), math.Inf(-1)
		for _, v := range x[from : to+1] {
			if v-v == 0 {
				x0, x1 = min(x0, v), max(x1, v)
			}
		}
	}
	every := math.Exp2(math.Ceil(math.Log2((x1 - x0) / float64(pixels))))
	if !(every > 0 && every <= math.MaxFloat64) {
		return
	}
	picked, last := s.picked[:0], math.NaN()
	for i := from; i <= to; i++ {
		at := math.Floor(x[i] / every)
		if at < last {
			return // it goes back: no mean is made of it
		}
		if at != last && at == at {
			picked, last = append(picked, int32(i)), at
		}
	}
	p.Every = every
	s.picked, s.thin = picked, append(s.thin[:0], s.index...)
	s.index = union(s.index[:0], s.thin, picked)
}

// windowGap is how many times as far as two points mostly are those stand apart that are of
// different windows of a preview.
const windowGap = 4

// windows returns where the windows of a preview end. Each is smoothed by itself: what lies
// between two is not known, and carried across it the mean of the one before draws a slope
// at the beginning of the next that is in no data.
func windows(steps []float64) (ends []int) {
	var apart []float64
	for i := 1; i < len(steps); i++ {
		if d := math.Abs(steps[i] - steps[i-1]); d > 0 {
			apart = append(apart, d)
		}
	}
	if len(apart) == 0 {
		return []int{len(steps)}
	}
	sort.Slice(apart, func(i, j int) bool { return apart[i] < apart[j] })
	for i := 1; i < len(steps); i++ {
		if math.Abs(steps[i]-steps[i-1]) > windowGap*apart[len(apart)/2] {
			ends = append(ends, i)
		}
	}
	return append(ends, len(steps))
}

// axis is the column by which distances are measured: relative times lie as wall times do.
func axis(x wire.XAxis, points series.Columns) []float64 {
	switch x {
	case wire.ByRelative, wire.ByWall, wire.ByProcess:
		return points.Wall
	}
	return points.Step
}

// mapping returns how a scale maps x, nil for a linear one; NaN is what it cannot show. A
// symlog is linear within ±1, or within what stands behind a colon.
func mapping(scale string) func(float64) float64 {
	scale, text, _ := strings.Cut(scale, ":")
	switch scale {
	case "log":
		return func(v float64) float64 {
			if v > 0 {
				return math.Log10(v)
			}
			return math.NaN()
		}
	case "symlog":
		zone, err := strconv.ParseFloat(text, 64)
		if err != nil || !(zone > 0) {
			zone = 1
		}
		return func(v float64) float64 { return math.Copysign(math.Log10(math.Abs(v)/zone+1), v) }
	}
	return nil
}

// narrow reports whether the numbers that index names are float32s. NaN is.
func narrow(column []float64, index []int32) bool {
	for _, i := range index {
		if v := column[i]; float64(float32(v)) != v && v == v {
			return false
		}
	}
	return true
}

// appendAll appends a column as float64s.
func appendAll(buf []uint64, column []float64) []uint64 {
	for _, v := range column {
		buf = append(buf, math.Float64bits(v))
	}
	return buf
}

// appendWide appends the numbers that index names as float64s.
func appendWide(buf []uint64, column []float64, index []int32) []uint64 {
	for _, i := range index {
		buf = append(buf, math.Float64bits(column[i]))
	}
	return buf
}

// appendNarrow appends the numbers that index names, less base, as float32s, the
// first of two in the lower half.
func appendNarrow(buf []uint64, column []float64, base float64, index []int32) []uint64 {
	for len(index) >= 2 {
		lo, hi := math.Float32bits(float32(column[index[0]]-base)), math.Float32bits(float32(column[index[1]]-base))
		buf = append(buf, uint64(lo)|uint64(hi)<<32)
		index = index[2:]
	}
	if len(index) > 0 {
		buf = append(buf, uint64(math.Float32bits(float32(column[index[0]]-base))))
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
