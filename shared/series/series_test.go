package series

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// points makes n points: steps mostly even, values noisy with odd ones among them.
func points(n int, seed uint64) (c Columns) {
	r := rand.New(rand.NewPCG(seed, 1))
	step := int64(0)
	for i := range n {
		step += 10
		if r.IntN(500) == 0 {
			step += int64(r.IntN(50)) - 30
		}
		v := math.Sin(float64(i)/300) + 0.1*r.Float64()
		switch r.IntN(3000) {
		case 0:
			v = math.NaN()
		case 1:
			v = math.Inf(1)
		case 2:
			v = 1e6 * (r.Float64() - 0.5) // a spike
		}
		c.Step = append(c.Step, float64(step))
		c.Wall = append(c.Wall, 1.7e9+float64(i)/7)
		c.Value = append(c.Value, v)
	}
	return c
}

func fill(s *Scalars, c *Columns, from, to int) {
	for i := from; i < to; i++ {
		v := c.Value[i]
		s.Append(int64(c.Step[i]), c.Wall[i], v, float64(float32(v)) == v, int64(i))
	}
}

func columns(s *Scalars) *Columns {
	var c Columns
	s.AppendTo(&c, Whole)
	return &c
}

func TestKeepsEveryPoint(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 5, 1023, 1024, 1025, 5000} {
		c := points(n, uint64(n))
		var s Scalars
		fill(&s, &c, 0, n)
		if got := columns(&s); fmt.Sprint(*got) != fmt.Sprint(c) {
			t.Errorf("%d points: columns differ", n)
		}
		if s.Len() != int64(n) || s.Kept() != int64(n) {
			t.Errorf("%d points: Len %d, Kept %d", n, s.Len(), s.Kept())
		}
	}
}

func TestFloat32CostsHalf(t *testing.T) {
	var s Scalars
	for i := range 3000 {
		s.Append(int64(i), float64(i), float64(float32(i)/3), true, 0)
	}
	for _, c := range s.chunks {
		if c.f64 != nil || c.steps != nil {
			t.Error("even steps or float32 values are written out")
		}
	}
	s.Append(1<<40, 0, 0.1, false, 0)
	if step, _, v := s.Last(); step != 1<<40 || v != 0.1 {
		t.Errorf("last point is %d, %g", step, v)
	}
}

// TestThinningDoesNotDependOnWhen: thinning as points come in gives the same as
// thinning at the end, and keeps what it promises.
func TestThinningDoesNotDependOnWhen(t *testing.T) {
	for _, n := range []int{20, 1000, 1024, 3000, 20_000} {
		c := points(n, uint64(n)+7)
		for _, level := range []uint{firstLevel, 7, MaxLevel} {
			var end, early, often Scalars
			fill(&end, &c, 0, n)
			fill(&early, &c, 0, n/3)
			for end.Level() < level {
				end.Thin()
				early.Thin()
			}
			fill(&early, &c, n/3, n)
			steps := int(level) - firstLevel + 1
			for i := range steps {
				fill(&often, &c, n*i/steps, n*(i+1)/steps)
				often.Thin()
			}
			// The tail of the last chunk may be thinned or not yet: thin it.
			a, b, d := settle(&end), settle(&early), settle(&often)
			if a != b || a != d {
				t.Errorf("%d points at level %d: %d, %d and %d bytes of columns differ", n, level, len(a), len(b), len(d))
			}
			promises(t, &c, columns(&end), level)
			if end.Kept() != int64(columns(&end).Len()) {
				t.Errorf("Kept %d of %d", end.Kept(), columns(&end).Len())
			}
		}
	}
}

// settle thins the last chunk's complete buckets and returns the columns as text.
func settle(s *Scalars) string {
	if len(s.chunks) > 0 {
		s.kept -= s.chunks[len(s.chunks)-1].thin(s.level)
	}
	return fmt.Sprint(*columns(s))
}

// promises checks that every complete bucket's first, least, greatest, last and odd
// points are there.
func promises(t *testing.T, all, kept *Columns, level uint) {
	t.Helper()
	have := make(map[string]bool)
	for i := range kept.Step {
		have[fmt.Sprint(kept.Step[i], kept.Wall[i], kept.Value[i])] = true
	}
	must := func(i int, what string) {
		if i >= 0 && !have[fmt.Sprint(all.Step[i], all.Wall[i], all.Value[i])] {
			t.Fatalf("level %d: the %s, point %d, is gone", level, what, i)
		}
	}
	n := all.Len()
	for from := 0; from+1<<level <= n; from += 1 << level {
		to := from + 1<<level
		lo, hi, nan, inf := -1, -1, -1, -1
		for i := from; i < to; i++ {
			switch v := all.Value[i]; {
			case v != v:
				if nan < 0 {
					nan = i
				}
			case math.IsInf(v, 0):
				if inf < 0 {
					inf = i
				}
			default:
				if lo < 0 || v < all.Value[lo] {
					lo = i
				}
				if hi < 0 || v > all.Value[hi] {
					hi = i
				}
			}
		}
		must(from, "first")
		must(to-1, "last")
		must(lo, "least")
		must(hi, "greatest")
		must(nan, "NaN")
		must(inf, "infinity")
	}
	must(n-1, "last of all")
	if bound := 7*(n>>level+8) + 1<<firstLevel; kept.Len() > bound {
		t.Errorf("level %d: %d points stay, at most %d should", level, kept.Len(), bound)
	}
}

func TestCut(t *testing.T) {
	var s Scalars
	for i := range int64(3000) {
		s.Append(i, float64(i), float64(i), true, i)
	}
	var c Columns
	s.AppendTo(&c, Cut{Step: 1500})
	logged, kept := s.Count(Cut{Step: 1500})
	if c.Len() != 1500 || logged != 1500 || kept != 1500 {
		t.Errorf("below 1500: %d points, counted %d and %d", c.Len(), logged, kept)
	}
}

func TestMarks(t *testing.T) {
	var s Scalars
	for i := range int64(2500) {
		s.Append(i*10, 100-float64(i), 0, true, 1000+i*50)
		if i == 1500 {
			s.Thin()
		}
	}
	m := s.Marks()
	if len(m) != 3 || m[1].Offset != 1000+1024*50 || m[1].MinStep != 10240 || m[1].MaxStep != 20470 || m[2].MaxStep != 24990 ||
		m[0].MaxWall != 100 || m[2].MinWall != 100-2499 {
		t.Errorf("marks %+v", m)
	}
}

// A level is the least at which about as many points stay as may.
func TestLevelFor(t *testing.T) {
	for _, c := range []struct {
		n, most, stay int64
		level         uint
	}{
		{1000, 1000, 1000, 0},
		{1001, 1000, 4 * (1001/16 + 1), 4},
		{10_000, 1000, 4 * (10_000/64 + 1), 6},
		{1_000_000, 3910, 4 * (1_000_000/1024 + 1), MaxLevel},
		{1_000_000, 64, 4 * (1_000_000/1024 + 1), MaxLevel},
		{3, 2, 3, MaxLevel}, // so few that all are the ends of something
	} {
		if level := LevelFor(c.n, c.most); level != c.level || Estimate(c.n, level) != c.stay {
			t.Errorf("%d of %d points: level %d, %d stay", c.most, c.n, level, Estimate(c.n, level))
		}
	}
}

// A stretch ends where points begin to be gone, and where they are all there again.
func TestStretch(t *testing.T) {
	var s Scalars
	c := points(6*ChunkPoints+10, 3)
	fill(&s, &c, 0, 2*ChunkPoints)
	s.Thin()
	s.level = 0 // what comes stays
	fill(&s, &c, 2*ChunkPoints, 4*ChunkPoints)
	for i := range s.chunks[3:] { // of the fourth on
		s.kept -= s.chunks[3+i].thin(firstLevel)
	}
	fill(&s, &c, 4*ChunkPoints, c.Len())
	const all = 1 << 40
	for _, o := range []struct {
		from, most, to int64
		thinned        bool
	}{
		{0, all, 2 * ChunkPoints, true},
		{5, all, 2 * ChunkPoints, true},
		{0, 1, ChunkPoints, true},
		{2 * ChunkPoints, all, 3 * ChunkPoints, false},
		{3*ChunkPoints - 1, all, 3 * ChunkPoints, false},
		{3 * ChunkPoints, all, 4 * ChunkPoints, true},
		{4 * ChunkPoints, all, 6*ChunkPoints + 10, false},
		{4 * ChunkPoints, ChunkPoints + 1, 6 * ChunkPoints, false},
		{6*ChunkPoints + 10, all, 6*ChunkPoints + 10, false},
	} {
		if to, thinned := s.Stretch(o.from, o.most); to != o.to || thinned != o.thinned {
			t.Errorf("from %d, %d at most: to %d, thinned %v; want %d, %v", o.from, o.most, to, thinned, o.to, o.thinned)
		}
	}
}
