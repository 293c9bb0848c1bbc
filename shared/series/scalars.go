// Package series keeps the points of one tag of one event file as columns.
//
// A series is append-only: points stand in the order in which the file holds
// them, which is nearly always the order of steps, but need not be. Nothing here
// sorts. Any float64 may be a value or a wall time, any int64 a step.
package series

import (
	"math"
	"slices"
)

// ChunkPoints is the number of logged points that one chunk spans. A chunk is
// the unit of allocation, so that growing never copies more than one chunk, and
// the unit of the sparse index: the file offset of each chunk's first record is
// kept, whatever becomes of its points.
const ChunkPoints = 1024

// Scalars is one series of scalars: step, wall time and value per point.
//
// In memory a point costs some 6 bytes as long as it is one of a chunk with evenly
// spaced steps and values that are float32s: 4 for the value, and about 2 for the
// wall time once its chunk is full (see packWall). Irregular steps cost 8 more,
// float64 values 4 more.
type Scalars struct {
	chunks []chunk
	marks  []Mark
	n      int64 // points logged
	kept   int64 // points in chunks
	level  uint  // buckets of 1<<level points have been thinned; 0 = none
}

// Mark is one line of the sparse index: where ChunkPoints consecutive logged
// points stand in the file. They fill the bytes from Offset up to the next mark's
// Offset (other series' records between them). Marks stay when points go, so that
// a range can be read again with every point in it.
type Mark struct {
	Offset           int64 // of the record of the first point
	MinStep, MaxStep int64
	MinWall, MaxWall float64 // NaN wall times do not count
}

// chunk holds the kept points out of ChunkPoints<<k logged ones. Its columns are
// slices of which the first n elements are in use: counting in n spares the write
// barrier of moving a slice's end, which was a tenth of all time.
//
// The last chunk of a series, to which points are added, has its wall times in wall
// until Settle; those before it have them in packed.
type chunk struct {
	n      int   // kept points
	grows  bool  // it was settled, and more points came: see Settle
	first  int64 // index in the series of the first logged point
	span   int64 // logged points
	step0  int64
	stride int64   // step of point i is step0 + i*stride, while steps is nil
	next   int64   // step that keeps the spacing even, once n > 1
	steps  []int64 // irregular steps
	wall   []float64
	packed []byte    // wall times, by packWall
	f32    []float32 // values, while all are float32s
	f64    []float64 // values otherwise
	index  []uint32  // of each kept point, relative to first; nil while all are kept

	minStep, maxStep int64
}

// Marks returns the sparse index, in file order. The caller must not change it.
func (s *Scalars) Marks() []Mark {
	if k := len(s.chunks) - 1; k >= 0 {
		s.marks[len(s.marks)-1].bound(&s.chunks[k])
	}
	return s.marks
}

// Len returns the number of points logged.
func (s *Scalars) Len() int64 { return s.n }

// Kept returns the number of points held in memory.
func (s *Scalars) Kept() int64 { return s.kept }

// Append adds a point. offset is the position of its record in the file;
// isFloat32 says that the value is a float32 exactly.
func (s *Scalars) Append(step int64, wall, value float64, isFloat32 bool, offset int64) {
	k := len(s.chunks) - 1
	if k < 0 || s.chunks[k].span >= ChunkPoints {
		s.begin(step, offset)
		k = len(s.chunks) - 1
	}
	c := &s.chunks[k]
	s.n++
	s.kept++
	if i := c.n; i > 1 && i < len(c.wall) && i < len(c.f32) && c.steps == nil && isFloat32 && step == c.next {
		// The common case: evenly spaced, a float32, room left.
		c.wall[i], c.f32[i] = wall, float32(value)
		c.n++
		c.span++
		c.next = step + c.stride
		c.minStep, c.maxStep = min(c.minStep, step), max(c.maxStep, step)
		return
	}
	c.append(step, wall, value, isFloat32)
}

// begin begins a chunk.
func (s *Scalars) begin(step, offset int64) {
	c := chunk{first: s.n, step0: step, minStep: step, maxStep: step}
	if k := len(s.chunks) - 1; k >= 0 {
		// A series that fills one chunk fills the next: its columns begin larger, and
		// memory that is not needed any more is used again: that of the wall times, which
		// are packed now, and of values that were thinned.
		p := &s.chunks[k]
		wall, f32 := p.wall, p.f32
		gone := s.close(p)
		p.pack()
		if c.wall = wall; gone > 0 && wall != nil { // else they may be of a stored form
			c.f32 = f32
		} else if p.f64 == nil {
			c.f32 = make([]float32, ChunkPoints/4)
		}
		if s.level > 0 && len(s.chunks) == cap(s.chunks) {
			s.join() // rather than grow
		}
	}
	s.chunks = append(s.chunks, c)
	s.marks = append(s.marks, Mark{offset, step, step, math.Inf(1), math.Inf(-1)})
}

// close ends a chunk that is full, and returns how many points of it went.
func (s *Scalars) close(c *chunk) (gone int64) {
	s.marks[len(s.marks)-1].bound(c)
	if s.level > 0 {
		gone = c.thin(s.level)
		s.kept -= gone
	}
	return gone
}

// bound widens the ranges of a chunk's mark to the points that the chunk keeps. It
// is called before points go.
func (m *Mark) bound(c *chunk) {
	m.MinStep, m.MaxStep = c.minStep, c.maxStep
	for _, w := range c.walls(nil) {
		if w < m.MinWall {
			m.MinWall = w
		}
		if w > m.MaxWall {
			m.MaxWall = w
		}
	}
}

func (c *chunk) append(step int64, wall, value float64, isFloat32 bool) {
	if c.packed != nil {
		c.unpack()
		c.grows = true
	}
	i := c.n
	switch {
	case c.steps != nil:
		c.steps = set(c.steps, i, step)
	case i == 1:
		c.stride = step - c.step0
	case i > 1 && step != c.next:
		c.explicitSteps()
		c.steps = set(c.steps, i, step)
	}
	c.next = step + c.stride
	c.minStep, c.maxStep = min(c.minStep, step), max(c.maxStep, step)
	c.wall = set(c.wall, i, wall)
	if c.f64 == nil && (isFloat32 || value != value) {
		c.f32 = set(c.f32, i, float32(value))
	} else {
		if c.f64 == nil {
			c.f64 = make([]float64, max(len(c.f32), 4))
			for k, v := range c.f32[:min(i, len(c.f32))] {
				c.f64[k] = float64(v)
			}
			c.f32 = nil
		}
		c.f64 = set(c.f64, i, value)
	}
	if c.index != nil {
		c.index = set(c.index, i, uint32(c.span))
	}
	c.span++
	c.n++
}

// explicitSteps writes the evenly spaced steps out.
func (c *chunk) explicitSteps() {
	c.steps = make([]int64, max(c.n, 4))
	for k := range c.n {
		c.steps[k] = c.step0 + int64(k)*c.stride
	}
}

// Settle gives back the room that is kept for points to come. It may be called at
// any time, and is when a file has been read to its end. A chunk that has grown since
// will grow again: it is left as it is, or a file that is looked at every few seconds
// would have its wall times packed and unpacked each time.
func (s *Scalars) Settle() {
	if len(s.chunks) == 0 || s.chunks[len(s.chunks)-1].grows {
		return
	}
	c := &s.chunks[len(s.chunks)-1]
	c.pack()
	c.steps, c.index, c.f32, c.f64 = trim(c.steps, c.n), trim(c.index, c.n), trim(c.f32, c.n), trim(c.f64, c.n)
}

// trim cuts a column, which may be nil, to n elements.
func trim[T any](s []T, n int) []T {
	if s == nil || cap(s) < n+n/8+4 {
		return s
	}
	return append(make([]T, 0, n), s[:n]...)
}

// set sets element i of a column, which grows to 4, 16, 64, 256, 1024 elements:
// short series stay small and long ones are copied few times.
func set[T any](s []T, i int, v T) []T {
	if i >= len(s) {
		t := make([]T, max(4, min(4*len(s), ChunkPoints), i+1))
		copy(t, s)
		s = t
	}
	s[i] = v
	return s
}

func (c *chunk) step(i int) int64 {
	if c.steps != nil {
		return c.steps[i]
	}
	return c.step0 + int64(i)*c.stride
}

func (c *chunk) value(i int) float64 {
	if c.f64 != nil {
		return c.f64[i]
	}
	return float64(c.f32[i])
}

// First returns the first point. It may be called only if Len is not zero; the
// first point of a series is never thinned away.
func (s *Scalars) First() (step int64, wall, value float64) {
	c := &s.chunks[0]
	return c.step(0), c.walls(nil)[0], c.value(0)
}

// Last returns the last point, on the same condition.
func (s *Scalars) Last() (step int64, wall, value float64) {
	c := &s.chunks[len(s.chunks)-1]
	i := c.n - 1
	return c.step(i), c.walls(nil)[i], c.value(i)
}

// Columns are points as three columns of equal length. Steps are float64s here,
// as the page has no others: whole numbers up to 2⁵³ are exact.
type Columns struct {
	Step, Wall, Value []float64
}

// Len returns the number of points.
func (c *Columns) Len() int { return len(c.Step) }

// Reset empties c and keeps its memory.
func (c *Columns) Reset() { c.Step, c.Wall, c.Value = c.Step[:0], c.Wall[:0], c.Value[:0] }

// AppendTo appends the kept points that cut leaves to dst, in file order.
func (s *Scalars) AppendTo(dst *Columns, cut Cut) { s.AppendRange(dst, cut, 0, math.MaxInt64) }

// AppendRange appends the kept points with numbers of [from, to) that cut leaves to
// dst.
func (s *Scalars) AppendRange(dst *Columns, cut Cut, from, to int64) {
	for k := s.find(from); k < len(s.chunks) && s.chunks[k].first < to; k++ {
		c := &s.chunks[k]
		at, even := cut.over(c.first, c.first+c.span)
		if even && c.minStep >= at && at != NoCut {
			continue
		}
		if even && (at == NoCut || c.maxStep < at) && c.first >= from && c.first+c.span <= to {
			c.appendTo(dst)
			continue
		}
		wall := c.walls(nil)
		for i := range c.n {
			n := c.number(i)
			if n < from || n >= to {
				continue
			}
			if !even {
				at = cut.at(n)
			}
			if x := c.step(i); x < at || at == NoCut {
				dst.Step = append(dst.Step, float64(x))
				dst.Wall = append(dst.Wall, wall[i])
				dst.Value = append(dst.Value, c.value(i))
			}
		}
	}
}

// appendTo appends all kept points to dst, column by column.
func (c *chunk) appendTo(dst *Columns) {
	at := len(dst.Step)
	dst.Step = slices.Grow(dst.Step, c.n)[:at+c.n]
	to := dst.Step[at:]
	if c.steps == nil {
		x := c.step0
		for i := range to {
			to[i] = float64(x)
			x += c.stride
		}
	} else {
		for i := range to {
			to[i] = float64(c.steps[i])
		}
	}
	if c.packed != nil {
		dst.Wall = unpackWall(dst.Wall, c.packed, c.n)
	} else {
		dst.Wall = append(dst.Wall, c.wall[:c.n]...)
	}
	if c.f64 != nil {
		dst.Value = append(dst.Value, c.f64[:c.n]...)
		return
	}
	at = len(dst.Value)
	dst.Value = slices.Grow(dst.Value, c.n)[:at+c.n]
	to = dst.Value[at:]
	for i, v := range c.f32[:len(to)] {
		to[i] = float64(v)
	}
}

// Count returns how many points, logged and kept, cut leaves. Logged points that were
// thinned away are counted with their chunk's share.
func (s *Scalars) Count(cut Cut) (logged, kept int64) {
	if cut.Step == NoCut && len(cut.Drops) == 0 {
		return s.n, s.kept
	}
	for k := range s.chunks {
		c := &s.chunks[k]
		at, even := cut.over(c.first, c.first+c.span)
		switch {
		case even && (at == NoCut || c.maxStep < at):
			logged += c.span
			kept += int64(c.n)
		case !even || c.minStep < at:
			in := int64(0)
			for i := range c.n {
				if !even {
					at = cut.at(c.number(i))
				}
				if at == NoCut || c.step(i) < at {
					in++
				}
			}
			kept += in
			logged += in * c.span / int64(c.n)
		}
	}
	return logged, kept
}

// Thinned reports whether points with numbers of [from, to) are gone.
func (s *Scalars) Thinned(from, to int64) bool {
	for k := range s.chunks {
		if c := &s.chunks[k]; c.first < to && c.first+c.span > from && int64(c.n) < c.span {
			return true
		}
	}
	return false
}
