package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// span is what a line covers of one column of pixels.
type span struct{ lo, hi float64 }

// drawn returns what the line through the given points covers of each column of a
// plot that is pixels wide and shows x0 to x1. Values that are not finite, and x
// that are not numbers, break the line.
func drawn(points []int32, x, y []float64, x0, x1 float64, pixels int) map[int]span {
	out := map[int]span{}
	scale := float64(pixels) / (x1 - x0)
	cover := func(column int, v float64) {
		s, ok := out[column]
		if !ok {
			s = span{v, v}
		}
		out[column] = span{min(s.lo, v), max(s.hi, v)}
	}
	before := -1
	for _, i := range points {
		px := (x[i] - x0) * scale
		if y[i]-y[i] != 0 || px != px {
			before = -1
			continue
		}
		if x[i] >= x0 && x[i] <= x1 {
			cover(int(math.Floor(px)), y[i])
		}
		if before >= 0 {
			// Where the line from the point before crosses from one column to
			// another, and where it crosses the plot's edges.
			qx, qy := (x[before]-x0)*scale, y[before]
			for edge := 0; edge <= pixels; edge++ {
				if e := float64(edge); min(px, qx) < e && e < max(px, qx) {
					v := qy + (y[i]-qy)*(e-qx)/(px-qx)
					cover(edge, v)
					cover(edge-1, v)
				}
			}
		}
		before = int(i)
	}
	return out
}

// curve makes n points; kind says what is odd about them.
func curve(r *rand.Rand, n int, kind uint8) (x, a, b []float64) {
	at := float64(r.IntN(20) - 10)
	for range n {
		switch {
		case kind&1 != 0 && r.IntN(6) == 0:
			at -= float64(r.IntN(40))
		case kind&2 != 0 && r.IntN(3) > 0: // stands still
		case kind&4 != 0:
			at += r.ExpFloat64()
		default:
			at++
		}
		v, w := float64(r.IntN(200)), r.NormFloat64()
		if kind&8 != 0 {
			switch r.IntN(12) {
			case 0:
				v = math.NaN()
			case 1:
				v = math.Inf(1)
			case 2:
				w = math.NaN()
			case 3:
				v, w = math.Inf(-1), math.Inf(-1)
			}
		}
		p := at
		if kind&16 != 0 && r.IntN(8) == 0 {
			p = math.NaN()
		}
		x, a, b = append(x, p), append(a, v), append(b, w)
	}
	return x, a, b
}

// bounds are the least and the greatest x; 0, 0 if there are none.
func bounds(x []float64) (x0, x1 float64) {
	x0, x1 = math.Inf(1), math.Inf(-1)
	for _, v := range x {
		if v == v {
			x0, x1 = min(x0, v), max(x1, v)
		}
	}
	if x0 > x1 {
		return 0, 0
	}
	return x0, x1
}

// FuzzVisible: at the width that was asked for, the thinned curve covers the same
// pixels as the whole one, and few points are left.
func FuzzVisible(f *testing.F) {
	for kind := range uint8(32) {
		f.Add(uint64(kind), uint16(500), uint8(40), kind)
		f.Add(uint64(kind)+100, uint16(30), uint8(7), kind|32)
		f.Add(uint64(kind)+200, uint16(300), uint8(0), kind|64)
		f.Add(uint64(kind)+300, uint16(800), uint8(11), kind|96)
	}
	f.Fuzz(func(t *testing.T, seed uint64, n uint16, width, kind uint8) {
		r := rand.New(rand.NewPCG(seed, 1))
		x, a, b := curve(r, int(n)%1000, kind)
		x0, x1 := bounds(x)
		ask0, ask1 := 0.0, 0.0 // everything
		if kind&32 != 0 && x1 > x0 {
			// A part, which may also lie beside the curve or between two points.
			x0, x1 = x0+(x1-x0)*(1.4*r.Float64()-0.2), x0+(x1-x0)*(1.4*r.Float64()-0.2)
			if x0 > x1 {
				x0, x1 = x1, x0
			}
			if kind&64 != 0 {
				x1 = x0 + (x1-x0)/50
			}
			ask0, ask1 = x0, x1
		}
		pixels := int(width)
		got := Visible(nil, x, a, b, ask0, ask1, pixels)
		whole := make([]int32, len(x))
		for i := range whole {
			whole[i] = int32(i)
		}
		if !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Fatalf("not in order: %v", got)
		}
		if pixels == 0 {
			pixels = 100 // nothing was thinned, so any width will do
		}
		if x1 > x0 {
			for name, y := range map[string][]float64{"a": a, "b": b} {
				want, is := drawn(whole, x, y, x0, x1, pixels), drawn(got, x, y, x0, x1, pixels)
				for c := range pixels + 1 {
					if want[c] != is[c] {
						t.Fatalf("column %d of %s covers %v, should %v (%d of %d points, %v to %v)", c, name, is[c], want[c], len(got), len(x), x0, x1)
					}
				}
			}
		}
		if kind&(1|2|4|8|16) == 0 && width > 0 && len(got) > 7*(pixels+1)+2 {
			t.Fatalf("%d points of %d for %d pixels", len(got), len(x), pixels)
		}
	})
}

// FuzzVisible draws lines that lead out of the range; here the points themselves.
func TestNeighbours(t *testing.T) {
	x := []float64{0, 1, 2, 3, 4, 5, 6}
	y := make([]float64, len(x))
	for _, c := range []struct {
		x0, x1 float64
		want   []int32
	}{
		{2, 4, []int32{1, 2, 3, 4, 5}},
		{2.5, 2.6, []int32{2, 3}}, // a line that crosses the whole range
		{-9, -8, nil},
		{-9, 0, []int32{0, 1}},
		{5.5, 99, []int32{5, 6}},
		{0, 0, []int32{0, 1, 2, 3, 4, 5, 6}},
		{4, 2, []int32{0, 1, 2, 3, 4, 5, 6}}, // no range is everything
	} {
		for _, pixels := range []int{0, 300} {
			if got := Visible(nil, x, y, y, c.x0, c.x1, pixels); !slices.Equal(got, c.want) {
				t.Errorf("%v to %v at %d pixels: %v, want %v", c.x0, c.x1, pixels, got, c.want)
			}
		}
	}
	// A curve that goes out on the right and comes back from the left, over an x
	// that is no number, does not cross.
	x = []float64{5, 11, math.NaN(), -1, 5}
	if got := Visible(nil, x, y[:5], y[:5], 0, 10, 100); !slices.Equal(got, []int32{0, 1, 2, 3, 4}) {
		t.Errorf("around: %v", got)
	}
}

func TestEdgeCases(t *testing.T) {
	if got := Visible(nil, nil, nil, nil, 0, 0, 100); got != nil {
		t.Errorf("nothing gives %v", got)
	}
	if got := Visible([]int32{9}, []float64{3}, []float64{1}, []float64{1}, 0, 0, 100); !slices.Equal(got, []int32{9, 0}) {
		t.Errorf("one point gives %v", got)
	}
	n := 1000
	same, y, nan := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range y {
		y[i], nan[i] = float64(i%100), math.NaN()
	}
	if got := Visible(nil, same, y, y, 0, 0, 100); !slices.Equal(got, []int32{0, 99, 999}) {
		t.Errorf("equal x give %v", got)
	}
	if got := Visible(nil, nan, y, y, 0, 0, 100); !slices.Equal(got, []int32{0}) {
		t.Errorf("x that are no numbers give %v", got)
	}
	huge := []float64{-math.MaxFloat64, 0, math.MaxFloat64}
	if got := Visible(nil, huge, y[:3], y[:3], 0, 0, 100); !slices.Equal(got, []int32{0, 1, 2}) {
		t.Errorf("huge x give %v", got)
	}
}

func BenchmarkVisible(b *testing.B) {
	for _, n := range []int{1000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x, y := make([]float64, n), make([]float64, n)
			for i := range x {
				x[i], y[i] = float64(i), math.Sin(float64(i))
			}
			var dst []int32
			b.SetBytes(int64(8 * n))
			for b.Loop() {
				dst = Visible(dst[:0], x, y, y, 0, 0, 600)
			}
		})
	}
}
