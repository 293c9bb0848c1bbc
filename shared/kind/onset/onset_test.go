package onset

import (
	"math"
	"math/rand/v2"
	"testing"
)

// curve makes n values, a step apart.
func curve(n int, of func(i int) float64) (steps, values []float64) {
	for i := range n {
		steps, values = append(steps, float64(10*i)), append(values, of(i))
	}
	return steps, values
}

// Made-up divergences are found at their first point; what is usual in training is not one.
func TestFind(t *testing.T) {
	noise := rand.New(rand.NewPCG(1, 2))
	n := func() float64 { return noise.NormFloat64() }
	for _, k := range []struct {
		name string
		of   func(i int) float64
		at   int // of the onset; -1: there is none
		far  float64
	}{
		{"noise", func(int) float64 { return 3 + 0.1*n() }, -1, 0},
		{"a trend with noise", func(i int) float64 { return 5 - 0.01*float64(i) + 0.05*n() }, -1, 0},
		{"a decay", func(i int) float64 { return math.Exp(-float64(i)/60) + 0.01*n() }, -1, 0},
		{"a constant", func(int) float64 { return 0.001 }, -1, 0},
		{"a schedule in steps, long before", func(i int) float64 { return map[bool]float64{true: 0.1, false: 0.01}[i < 60] }, -1, 0},
		{"a jump", func(i int) float64 { return 1 + 0.1*n() + map[bool]float64{true: 5}[i >= 190] }, 190, 30},
		{"an explosion", func(i int) float64 { return 1 + 0.02*n() + math.Pow(2, float64(i-192)) }, -2, 100},
		{"a NaN", func(i int) float64 { return []float64{1 + n(), math.NaN()}[map[bool]int{true: 1}[i >= 195]] }, 195, Most},
		{"a constant that moves", func(i int) float64 { return 0.5 + map[bool]float64{true: 0.01}[i >= 188] }, 188, 1000},
		{"an infinity, once", func(i int) float64 { return []float64{n(), math.Inf(1)}[map[bool]int{true: 1}[i == 193]] }, 193, Most},
	} {
		steps, values := curve(200, k.of)
		o, ok := Find(steps, values, 1800, 1990)
		switch {
		case k.at == -1:
			if ok {
				t.Errorf("%s: left its range at %d by %v", k.name, o.At, o.Deviation)
			}
		case !ok || k.at >= 0 && o.At != k.at || k.at == -2 && (o.At < 186 || o.At > 192) || o.Deviation < k.far || !(o.Lo < o.Hi):
			t.Errorf("%s: %v %+v, want point %d", k.name, ok, o, k.at)
		}
	}
}

// What comes after the step says nothing, nor what came long before; too few points say
// nothing either, and nothing is odd about odd input.
func TestFindEdges(t *testing.T) {
	steps, values := curve(100, func(i int) float64 { return map[bool]float64{true: 9}[i == 50 || i == 90] })
	if _, ok := Find(steps, values, 510, 890); ok {
		t.Error("a spike outside of what is asked for is one in it")
	}
	if o, ok := Find(steps, values, 500, 500); !ok || o.At != 50 {
		t.Errorf("a spike at the step itself: %v %v", o, ok)
	}
	if _, ok := Find(steps[:Least], values[50:50+Least], 0, 1e9); ok {
		t.Error("of a few points one is odd")
	}
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e308, -1e308, 0, math.SmallestNonzeroFloat64}
	for range 2000 {
		var s, v []float64
		for range rand.IntN(120) {
			s = append(s, float64(rand.IntN(50)))
			v = append(v, odd[rand.IntN(len(odd))])
		}
		if o, ok := Find(s, v, 10, 40); ok && (s[o.At] < 10 || s[o.At] > 40 || !(o.Deviation >= 0 && o.Deviation <= Most)) {
			t.Fatalf("%v of %v at %v", o, v, s)
		}
	}
}
