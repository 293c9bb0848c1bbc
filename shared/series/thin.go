package series

import (
	"math"
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/internal/inorder"
)

// Thinning bounds the memory of a series and keeps its shape.
//
// The points of a series are numbered 0, 1, 2, … in file order. At level k they
// stand in buckets of 2ᵏ consecutive numbers, and of each bucket stay: the first,
// the least, the greatest and the last point, and the first NaN, +Inf and -Inf if
// there are any. A bucket of level k+1 is two buckets of level k, and what stays
// of it is a part of what stayed of the two: so thinning twice gives the same as
// thinning once, and the points that stay depend only on the points that the file
// holds and on the level, never on when it was thinned or how the bytes came in.
//
// A bucket is thinned when all of its points have been logged; of the last,
// incomplete one, its complete parts are (see buckets). So the last point of the
// series always stays.
// Equal least (or greatest) values: the first of them stays.

// firstLevel is the level of the first thinning. Buckets of 16 points keep at
// most 7 and in practice at most 4: smaller ones would save too little.
const firstLevel = 4

// MaxLevel is the last level: a bucket is then as long as a chunk, and of 1024
// points stay about four. A bucket never reaches over a chunk's end.
const MaxLevel = 10

// Thin thins to the next level and returns the number of points that went. At
// MaxLevel nothing changes.
func (s *Scalars) Thin() (gone int64) {
	if s.level >= MaxLevel {
		return 0
	}
	return s.thin(max(firstLevel, s.level+1))
}

// ThinTo thins until a series of as many points keeps about most points, by the
// estimate of Estimate.
func (s *Scalars) ThinTo(most int64) {
	if level := LevelFor(s.n, most); level > s.level {
		s.thin(level)
	}
}

// Sketch returns a thinned copy, of about most points by the estimate of Estimate; s stays
// as it is. They share what neither changes.
func (s *Scalars) Sketch(most int64) Scalars {
	c := *s
	c.chunks, c.marks = slices.Clone(s.chunks), slices.Clone(s.marks)
	c.ThinTo(most)
	return c
}

// thin thins to a level at once.
func (s *Scalars) thin(level uint) (gone int64) {
	s.level = level
	before := s.kept
	if len(s.chunks) == 0 {
		return 0
	}
	last := &s.chunks[len(s.chunks)-1]
	s.marks[len(s.marks)-1].bound(last)
	settled := last.packed != nil
	for i := range s.chunks {
		s.kept -= s.chunks[i].thin(level)
	}
	if settled {
		last.pack()
	}
	s.join() // and packs those before it
	return before - s.kept
}

// Estimate returns how many points stay of n at a level: four a bucket.
func Estimate(n int64, level uint) int64 {
	if level == 0 {
		return n
	}
	return min(n, 4*(n>>level+1))
}

// LevelFor returns the least level at which about most points, at most, stay of n.
func LevelFor(n, most int64) uint {
	if n <= most {
		return 0
	}
	for level := uint(firstLevel); level < MaxLevel; level++ {
		if Estimate(n, level) <= most {
			return level
		}
	}
	return MaxLevel
}

// Level returns the level to which the series has been thinned; 0 = not.
func (s *Scalars) Level() uint { return s.level }

// thin keeps what stays of each bucket of 1<<level points and returns how many
// points went. If some did the wall times are not packed then.
func (c *chunk) thin(level uint) int64 {
	n := c.n
	if n == 0 {
		return 0
	}
	var room [ChunkPoints]int // so that only what stays is allocated
	keep := c.buckets(room[:0], 0, level)
	if len(keep) == n {
		return 0
	}
	steps := make([]int64, len(keep))
	var walls [ChunkPoints]float64
	wall, all := make([]float64, len(keep)), c.walls(walls[:0])
	index := make([]uint32, len(keep))
	var f32 []float32
	var f64 []float64
	if c.f64 != nil {
		f64 = make([]float64, len(keep))
	} else {
		f32 = make([]float32, len(keep))
	}
	for k, i := range keep {
		steps[k], wall[k], index[k] = c.step(i), all[i], uint32(c.number(i)-c.first)
		if f64 != nil {
			f64[k] = c.f64[i]
		} else {
			f32[k] = c.f32[i]
		}
	}
	c.n, c.steps, c.wall, c.packed, c.index, c.f32, c.f64 = len(keep), steps, wall, nil, index, f32, f64
	return int64(n - len(keep))
}

// buckets appends the points from i on that stay at a level. Of a bucket that is
// not complete yet the parts that are buckets of a lower level are thinned as such:
// so it makes no difference whether they were thinned before the level rose.
func (c *chunk) buckets(keep []int, i int, level uint) []int {
	for i < c.n {
		bucket := c.number(i) >> level
		j := i + 1
		for j < c.n && c.number(j)>>level == bucket {
			j++
		}
		switch {
		case (bucket+1)<<level <= c.first+c.span:
			keep = c.extremes(keep, i, j)
		case level > firstLevel:
			return c.buckets(keep, i, level-1)
		default:
			for ; i < j; i++ {
				keep = append(keep, i)
			}
		}
		i = j
	}
	return keep
}

// number is the number in the series of the chunk's kept point i.
func (c *chunk) number(i int) int64 {
	if c.index == nil {
		return c.first + int64(i)
	}
	return c.first + int64(c.index[i])
}

// extremes appends to keep the points of [i, j) that stay, in order.
func (c *chunk) extremes(keep []int, i, j int) []int {
	lo, hi, nan, pos, neg := -1, -1, -1, -1, -1
	for k := i; k < j; k++ {
		switch v := c.value(k); {
		case v != v:
			if nan < 0 {
				nan = k
			}
		case v > math.MaxFloat64:
			if pos < 0 {
				pos = k
			}
		case v < -math.MaxFloat64:
			if neg < 0 {
				neg = k
			}
		default:
			if lo < 0 || v < c.value(lo) {
				lo = k
			}
			if hi < 0 || v > c.value(hi) {
				hi = k
			}
		}
	}
	return inorder.Append(keep, [7]int{i, lo, hi, nan, pos, neg, j - 1})
}

// join puts neighbouring thinned chunks together while their points fit into
// half a chunk, and packs them. The last one, to which points are added, stays as it is.
func (s *Scalars) join() {
	out := s.chunks[:0]
	for i := 0; i < len(s.chunks); {
		c, j := s.chunks[i], i+1
		n, span := c.n, c.span
		for ; j < len(s.chunks)-1; j++ {
			d := &s.chunks[j]
			if n, span = n+d.n, span+d.span; c.index == nil || d.index == nil ||
				n > ChunkPoints/2 || span > math.MaxUint32 || (c.f64 == nil) != (d.f64 == nil) {
				n, span = n-d.n, span-d.span
				break
			}
		}
		if j > i+1 {
			c = joined(s.chunks[i:j], n, span)
		} else if j < len(s.chunks) {
			c.pack()
		}
		out = append(out, c)
		i = j
	}
	if len(out) < len(s.chunks) {
		// What is left over goes: a chunk takes as much as eight points. Of 10,000 runs with ten
		// tags it was a tenth of the memory.
		s.chunks = append(make([]chunk, 0, len(out)+1), out...)
	}
}

// joined returns chunks as one, of n points and a span.
func joined(chunks []chunk, n int, span int64) chunk {
	c := chunks[0]
	index, steps := make([]uint32, 0, n), make([]int64, 0, n)
	var walls, one [ChunkPoints]float64
	wall := walls[:0]
	var f32 []float32
	var f64 []float64
	if c.f64 != nil {
		f64 = make([]float64, 0, n)
	} else {
		f32 = make([]float32, 0, n)
	}
	for i := range chunks {
		d := &chunks[i]
		shift := uint32(d.first - c.first)
		for _, x := range d.index {
			index = append(index, x+shift)
		}
		for k := range d.n {
			steps = append(steps, d.step(k))
		}
		wall = append(wall, d.walls(one[:0])...)
		f32, f64 = append(f32, d.f32...), append(f64, d.f64...)
		c.minStep, c.maxStep = min(c.minStep, d.minStep), max(c.maxStep, d.maxStep)
	}
	c.n, c.span, c.index, c.steps, c.f32, c.f64 = n, span, index, steps, f32, f64
	c.wall, c.packed = nil, packWall(wall)
	return c
}
