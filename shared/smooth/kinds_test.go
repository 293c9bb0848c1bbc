package smooth

import (
	"math"
	"math/rand/v2"
	"testing"
)

func apply(kind Kind, x, y []float64, w float64) []float64 {
	out := make([]float64, len(y))
	Of(kind, out, x, y, w, nil)
	return out
}

func upTo(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i)
	}
	return x
}

// All kinds leave about as much noise as the exponential mean does; those that are centred
// do not lag; a constant stays, what is not finite is passed through.
func TestKinds(t *testing.T) {
	const n = 40000
	x, noise, ramp := upTo(n), make([]float64, n), upTo(n)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = rng.NormFloat64()
	}
	for _, kind := range []Kind{ByPoints, ByX, Mean, Gauss} {
		for _, w := range []float64{0.6, 0.9, 0.99} {
			sum := 0.0
			for _, v := range apply(kind, x, noise, w)[n/4 : 3*n/4] {
				sum += v * v
			}
			if got, want := sum/(n/2), (1-w)/(1+w); math.Abs(got/want-1) > 0.25 {
				t.Errorf("%q at %g leaves %.4f of the noise, not %.4f", kind, w, got, want)
			}
			if lag := n/2 - apply(kind, x, ramp, w)[n/2]; (kind == Mean || kind == Gauss) && math.Abs(lag) > 1e-6 {
				t.Errorf("%q at %g lags by %g", kind, w, lag)
			}
		}
		odd := apply(kind, upTo(4), []float64{1e9, math.NaN(), 1e9 + 2, math.Inf(1)}, 0.9)
		if !(odd[1] != odd[1]) || !math.IsInf(odd[3], 1) || odd[0] < 1e9 || odd[2] > 1e9+2 || odd[2] < 1e9 {
			t.Errorf("%q: %v", kind, odd)
		}
		if got := apply(kind, upTo(3), []float64{7, 7, 7}, 0.9); got[0] != 7 || got[2] != 7 {
			t.Errorf("%q: a constant becomes %v", kind, got)
		}
		if got := apply(kind, nil, nil, 0.5); len(got) != 0 {
			t.Error("points of nothing")
		}
		if got := apply(kind, upTo(3), []float64{1, 5, 2}, 0); got[1] != 5 {
			t.Errorf("%q: no weight changes %v", kind, got)
		}
	}
	// A window that is wider than the curve is the mean of all.
	if got := apply(Mean, upTo(3), []float64{1, 2, 6}, 0.999); math.Abs(got[0]-3) > 1e-9 || math.Abs(got[2]-3) > 1e-9 {
		t.Errorf("%v", got)
	}
	// By distance: what was before a long gap counts for little.
	got := apply(ByX, []float64{0, 1, 2, 1000, 1001}, []float64{0, 0, 0, 10, 10}, 0.5)
	if got[2] != 0 || got[3] < 8 {
		t.Errorf("%v", got)
	}
}

// The running mean is what its words say: of each point and those up to half points away, a
// part of a point in part, of fewer at the ends, and what is not finite counts for nothing.
// By distance the unit is the mean distance of the points whose place is known.
func TestKindsAsTheyAreDescribed(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n := 1 + rng.IntN(40)
		x, y := make([]float64, n), make([]float64, n)
		at := 0.0
		for i := range y {
			at += rng.ExpFloat64()
			x[i], y[i] = at, 1e6+rng.NormFloat64()
			switch rng.IntN(12) {
			case 0:
				y[i] = math.NaN()
			case 1:
				y[i] = math.Inf(1 - 2*rng.IntN(2))
			case 2:
				x[i] = math.NaN()
			}
		}
		w := 0.3 + 0.65*rng.Float64()
		half := w / (1 - w)
		mean, byX := make([]float64, n), make([]float64, n)
		lo, hi, known := math.Inf(1), math.Inf(-1), 0
		for _, v := range x {
			if v == v {
				known++
				lo, hi = min(lo, v), max(hi, v)
			}
		}
		unit := (hi - lo) / float64(known-1)
		for i := range y {
			if mean[i], byX[i] = y[i], y[i]; y[i]-y[i] != 0 {
				continue
			}
			sum, count := 0.0, 0.0
			for j, v := range y {
				part := min(1, max(0, 1+half-math.Abs(float64(i-j))))
				if v-v == 0 && part > 0 {
					sum, count = sum+part*v, count+part
				}
			}
			mean[i] = sum / count
			// Each step back weighs by its distance, or w where it is not known.
			sum, count, weight, last := y[i], 1.0, 1.0, x[i]
			for j := i - 1; j >= 0; j-- {
				if y[j]-y[j] != 0 {
					continue
				}
				if d := (last - x[j]) / unit; d-d == 0 {
					weight *= math.Pow(w, d)
				} else {
					weight *= w
				}
				last = x[j]
				sum, count = sum+weight*y[j], count+weight
			}
			byX[i] = sum / count
		}
		for kind, want := range map[Kind][]float64{Mean: mean, ByX: byX} {
			if constant(y) {
				continue
			}
			got := apply(kind, x, y, w)
			for i := range got {
				if got[i] != want[i] && math.Abs(got[i]-want[i]) > 1e-5 && !(got[i] != got[i] && want[i] != want[i]) {
					t.Fatalf("%q at %g: %v of\n%v at\n%v is\n%v, want\n%v", kind, w, i, y, x, got, want)
				}
			}
		}
	}
}
