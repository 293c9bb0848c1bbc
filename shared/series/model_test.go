package series

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// point is one point of the model.
type point struct {
	step        int64
	wall, value float64
}

func (p point) String() string { return fmt.Sprint(p.step, p.wall, p.value) }

// odd values are as likely as others: each has a place of its own in a bucket.
var oddValues = []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, math.MaxFloat32, 0, 0.1}

// TestModel: whatever is done with a series, in whatever order, it is a list of points
// of which some are gone that may go.
func TestModel(t *testing.T) {
	for seed := range uint64(80) {
		r := rand.New(rand.NewPCG(seed, 21))
		var s Scalars
		var all []point
		var stored, copies [][]byte
		step := int64(r.IntN(100) - 50)
		odd, narrow := r.IntN(3) == 0, r.IntN(2) == 0
		for range 3 + r.IntN(20) {
			switch r.IntN(6) {
			case 0:
				s.Settle()
			case 1:
				if r.IntN(3) == 0 {
					s.Thin()
				}
			case 2:
				var again Scalars
				b := s.AppendBinary([]byte("before"))
				rest, err := again.DecodeBinary(append(b[len("before"):], "after"...), math.MaxInt64)
				if err != nil || string(rest) != "after" {
					t.Fatalf("seed %d: %v, rest %q", seed, err, rest)
				}
				s = again // and parts of it are parts of b
				stored, copies = append(stored, b), append(copies, bytes.Clone(b))
			default:
				for range r.IntN(1200) {
					if r.IntN(300) == 0 {
						step += int64(r.IntN(50)) - 30
					}
					step += 3
					p := point{step, 1e9 + float64(len(all))/8, float64(float32(r.NormFloat64()))}
					if !narrow {
						p.value = r.NormFloat64()
					}
					if odd && r.IntN(2) == 0 {
						p.value = oddValues[r.IntN(len(oddValues))]
					}
					all = append(all, p)
					s.Append(p.step, p.wall, p.value, float64(float32(p.value)) == p.value, int64(10*len(all)))
				}
			}
			holds(t, fmt.Sprintf("seed %d, %d points", seed, len(all)), r, &s, all)
			sketch := s.Sketch(500)
			sketch.Append(step+3, 1, 2, true, int64(10*len(all)+10))
			holds(t, fmt.Sprintf("seed %d, %d points, after a sketch", seed, len(all)), r, &s, all)
		}
		for i := range stored {
			if !bytes.Equal(stored[i], copies[i]) {
				t.Fatalf("seed %d: a stored form has changed with the series that came from it", seed)
			}
		}
	}
}

// holds holds s against all, the points that were logged.
func holds(t *testing.T, what string, r *rand.Rand, s *Scalars, all []point) {
	t.Helper()
	n := len(all)
	if s.Len() != int64(n) {
		t.Fatalf("%s: Len %d", what, s.Len())
	}
	if n == 0 {
		return
	}
	// Which points are kept: those of the model in order, told by their wall times.
	var kept []int
	c := columns(s)
	for i := range c.Step {
		k := int((c.Wall[i] - 1e9) * 8)
		if k < 0 || k >= n || len(kept) > 0 && kept[len(kept)-1] >= k || (point{int64(c.Step[i]), c.Wall[i], c.Value[i]}).String() != all[k].String() {
			t.Fatalf("%s: kept point %d is none of them", what, i)
		}
		kept = append(kept, k)
	}
	if int64(len(kept)) != s.Kept() || s.Level() == 0 && len(kept) != n {
		t.Fatalf("%s: %d points are kept, Kept %d at level %d", what, len(kept), s.Kept(), s.Level())
	}
	step, wall, value := s.First()
	if (point{step, wall, value}).String() != all[0].String() {
		t.Fatalf("%s: First is %d %g %g", what, step, wall, value)
	}
	if step, wall, value = s.Last(); (point{step, wall, value}).String() != all[n-1].String() {
		t.Fatalf("%s: Last is %d %g %g", what, step, wall, value)
	}
	// Columns of any range under any cut.
	cut := Whole
	if r.IntN(2) == 0 {
		cut.Step = all[r.IntN(n)].step
	}
	for range r.IntN(4) {
		at := int64(r.IntN(n + 1))
		if k := len(cut.Drops); k > 0 {
			at = max(at, cut.Drops[k-1].Points)
		}
		cut.Drops = Before(cut.Drops, Drop{Points: at, Step: all[r.IntN(n)].step})
	}
	keeps := func(i int) bool {
		if cut.Step != NoCut && all[i].step >= cut.Step {
			return false
		}
		for _, d := range cut.Drops {
			if int64(i) < d.Points && all[i].step >= d.Step {
				return false
			}
		}
		return true
	}
	from := int64(r.IntN(n + 1))
	to := from + int64(r.IntN(n+1))
	var want, got []string
	logged, whole := 0, int64(0)
	for _, i := range kept {
		if keeps(i) {
			whole++
			if int64(i) >= from && int64(i) < to {
				want = append(want, all[i].String())
			}
		}
	}
	for i := range all {
		if keeps(i) != cut.Keeps(int64(i), float64(all[i].step)) {
			t.Fatalf("%s: cut %+v of point %d, step %d", what, cut, i, all[i].step)
		}
		if keeps(i) {
			logged++
		}
	}
	var part Columns
	s.AppendRange(&part, cut, from, to)
	for i := range part.Step {
		got = append(got, point{int64(part.Step[i]), part.Wall[i], part.Value[i]}.String())
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("%s: points %d to %d under %+v are %d, want %d", what, from, to, cut, len(got), len(want))
	}
	l, k := s.Count(cut)
	if k != whole || s.Level() == 0 && l != int64(logged) || l < k || l > int64(n) {
		t.Fatalf("%s: Count is %d and %d, want %d and %d", what, l, k, logged, whole)
	}
	// Which points are gone, as far as chunks tell.
	gone := false
	for _, c := range s.chunks {
		gone = gone || c.first < to && c.first+c.span > from && int64(c.n) < c.span
	}
	in := 0
	for _, i := range kept {
		if int64(i) >= from && int64(i) < to {
			in++
		}
	}
	missing := in < int(min(to, int64(n))-from)
	if thinned := s.Thinned(from, to); from < to && (missing && !thinned || thinned != gone) {
		t.Fatalf("%s: Thinned(%d, %d) is %v, %d points are kept", what, from, to, thinned, in)
	}
	// A copy agrees; one with any kept point changed does not.
	var copied Columns
	for i := from; i < min(to, int64(n)); i++ {
		copied.Step, copied.Wall, copied.Value = append(copied.Step, float64(all[i].step)), append(copied.Wall, all[i].wall), append(copied.Value, all[i].value)
	}
	if !s.Agrees(from, &copied) {
		t.Fatalf("%s: its own points %d to %d do not agree", what, from, to)
	}
	if in == 0 {
		return
	}
	for i := range kept {
		if k := int64(kept[i]); k >= from && k < to {
			switch j := k - from; r.IntN(3) {
			case 0:
				copied.Step[j]++
			case 1:
				copied.Wall[j]++
			default:
				copied.Value[j] = 12345
			}
			break
		}
	}
	if s.Agrees(from, &copied) {
		t.Fatalf("%s: points %d to %d agree, and one is another", what, from, to)
	}
}

// TestExtremes: of each bucket the least and greatest numbers stay, and the first NaN
// and infinity of either sign, however many there are.
func TestExtremes(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 22))
		var s Scalars
		var all []float64
		for i := range int64(64) {
			v := r.NormFloat64()
			if r.IntN(2) == 0 {
				v = oddValues[r.IntN(len(oddValues))]
			}
			all = append(all, v)
			s.Append(i, float64(i), v, false, i)
		}
		s.Thin()
		have := make(map[int]bool)
		for _, w := range columns(&s).Wall {
			have[int(w)] = true
		}
		for from := 0; from < 64; from += 16 {
			want := map[string]int{"first": from, "last": from + 15}
			for i := from; i < from+16; i++ {
				v := all[i]
				kind := fmt.Sprint(v)
				if v-v == 0 {
					kind = "least"
					if k, ok := want["greatest"]; !ok || v > all[k] {
						want["greatest"] = i
					}
				}
				if k, ok := want[kind]; !ok || kind == "least" && v < all[k] {
					want[kind] = i
				}
			}
			for kind, i := range want {
				if !have[i] {
					t.Fatalf("seed %d: the %s of %v is gone", seed, kind, all[from:from+16])
				}
			}
		}
	}
}

// TestSettleGivesBack: what is settled keeps no room for points to come, and what has
// grown since is left as it is.
func TestSettleGivesBack(t *testing.T) {
	var s Scalars
	add := func(n int) {
		for range n {
			s.Append(s.Len()*s.Len(), float64(s.Len()), 0.1, false, s.Len())
		}
	}
	add(300)
	s.Settle()
	c := &s.chunks[0]
	if c.wall != nil || len(c.packed) == 0 || cap(c.steps) > 350 || cap(c.f64) > 350 {
		t.Errorf("room for %d wall times, %d steps and %d values is kept for 300 points", cap(c.wall), cap(c.steps), cap(c.f64))
	}
	add(1)
	s.Settle()
	if s.chunks[0].packed != nil {
		t.Error("a series that grows is packed at each look")
	}
}
