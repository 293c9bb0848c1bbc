package smooth

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// naive is the formula of TensorBoard's line chart as it stands there, with pow.
func naive(y []float64, w float64) []float64 {
	out := slices.Clone(y)
	differ := slices.ContainsFunc(y, func(v float64) bool { return v != y[0] })
	if !differ {
		return out
	}
	s, n := 0.0, 0.0
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		s = s*w + (1-w)*v
		n++
		debias := 1.0
		if w != 1 {
			debias = 1 - math.Pow(w, n)
		}
		out[i] = s / debias
	}
	return out
}

// near compares numbers to within some roundings; NaN is near NaN.
func near(a, b float64) bool {
	return a == b || a != a && b != b || math.Abs(a-b) <= 1e-12*max(math.Abs(a), math.Abs(b))
}

func check(t *testing.T, name string, y []float64, w float64) {
	t.Helper()
	got, want := make([]float64, len(y)), naive(y, w)
	Exponential(got, y, w)
	for i := range want {
		if !near(got[i], want[i]) {
			t.Errorf("%s, weight %v: point %d is %v, want %v", name, w, i, got[i], want[i])
			return
		}
	}
	inPlace := slices.Clone(y)
	Exponential(inPlace, inPlace, w)
	for i := range got {
		if math.Float64bits(inPlace[i]) != math.Float64bits(got[i]) {
			t.Errorf("%s, weight %v: point %d is %v in place", name, w, i, inPlace[i])
			return
		}
	}
}

func TestFormula(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]float64, 20_000)
	for i := range noise {
		noise[i] = 3 + r.NormFloat64()
	}
	holes := slices.Clone(noise[:1000])
	for i := 0; i < len(holes); i += 7 {
		holes[i] = []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[i%3]
	}
	for _, w := range []float64{0, 1e-9, 0.3, 0.6, 0.9, 0.99, 0.999} {
		check(t, "noise", noise, w)
		check(t, "holes", holes, w)
		check(t, "one point", []float64{5}, w)
		check(t, "no point", nil, w)
		check(t, "constant", []float64{7, 7, 7}, w)
		check(t, "constant with a hole", []float64{7, math.NaN(), 7}, w)
		check(t, "only NaN", []float64{math.NaN(), math.NaN()}, w)
		check(t, "only infinities", []float64{math.Inf(1), math.Inf(1)}, w)
		check(t, "hole first", []float64{math.Inf(-1), 1, 2}, w)
		check(t, "tiny and huge", []float64{5e-324, 1e308, -1e308, 0}, w)
	}
}

// The cases that TensorBoard's own test publishes
// (webapp/widgets/line_chart_v2/data_transformer_test.ts).
func TestPublished(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		y    []float64
		w    float64
		want []float64
	}{
		{[]float64{1, 0.5, 0}, 0.6, []float64{1, 0.6875, 0.264 / 0.784}},
		{[]float64{0, 0.5, 1}, 0.6, []float64{0, 0.3125, 0.52 / 0.784}},
		{nil, 0.6, nil},
		{[]float64{1, 0.5, 0}, 0, []float64{1, 0.5, 0}},
		{[]float64{-inf, 1, nan, inf, 0.5}, 0.6, []float64{-inf, 1, nan, inf, 0.6875}},
		{[]float64{0.3, 0.3, 0.3}, 0.1, []float64{0.3, 0.3, 0.3}},
		{[]float64{1, 0.5}, nan, []float64{1, 0.5}},
		{[]float64{1, 0.5}, -1, []float64{1, 0.5}},
	} {
		got := make([]float64, len(c.y))
		Exponential(got, c.y, c.w)
		for i, want := range c.want {
			if !near(got[i], want) {
				t.Errorf("%v, weight %v: point %d is %v, want %v", c.y, c.w, i, got[i], want)
			}
		}
	}
	// What is constant stays so to the bit.
	y, got := []float64{0.1, 0.1, 0.1}, make([]float64, 3)
	if Exponential(got, y, 0.7); !slices.Equal(got, y) {
		t.Errorf("constant becomes %v", got)
	}
}

// Weights that the page does not offer go to the nearer end.
func TestWeight(t *testing.T) {
	y := []float64{1, 2, 3, -4}
	at := func(w float64) []float64 {
		got := make([]float64, len(y))
		Exponential(got, y, w)
		return got
	}
	for _, c := range []struct{ w, as float64 }{{-1, 0}, {1, MaxWeight}, {2, MaxWeight}, {math.Inf(1), MaxWeight}, {math.NaN(), 0}} {
		if got, want := at(c.w), at(c.as); !slices.Equal(got, want) {
			t.Errorf("weight %v gives %v, want %v", c.w, got, want)
		}
	}
	if !slices.Equal(at(0), y) {
		t.Errorf("weight 0 gives %v", at(0))
	}
}

func BenchmarkExponential(b *testing.B) {
	y := make([]float64, 1000)
	for i := range y {
		y[i] = math.Sin(float64(i))
	}
	dst := make([]float64, len(y))
	b.SetBytes(8 * int64(len(y)))
	for b.Loop() {
		Exponential(dst, y, 0.6)
	}
}

func BenchmarkWithPow(b *testing.B) {
	y := make([]float64, 1000)
	for i := range y {
		y[i] = math.Sin(float64(i))
	}
	b.SetBytes(8 * int64(len(y)))
	for b.Loop() {
		naive(y, 0.6)
	}
}
