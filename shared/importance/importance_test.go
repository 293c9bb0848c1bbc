package importance

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Values of scipy.stats.spearmanr.
func TestSpearman(t *testing.T) {
	nan := math.NaN()
	for _, k := range []struct {
		x, y []float64
		rho  float64
		n    int
	}{
		{[]float64{1, 2, 3, 4, 5}, []float64{5, 6, 7, 8, 7}, 0.8207826816681233, 5},
		{[]float64{106, 100, 86, 101, 99, 103, 97, 113, 112, 110}, []float64{7, 27, 2, 50, 28, 29, 20, 12, 6, 17}, -0.17575757575757575, 10},
		{[]float64{1, 2, 3}, []float64{30, 20, 10}, -1, 3},
		{[]float64{1, nan, 2, 3}, []float64{1, 5, 4, nan}, nan, 2},
		{[]float64{1, 1, 1}, []float64{1, 2, 3}, nan, 3},
		{[]float64{1, 2, nan, math.Inf(1)}, []float64{0, 1, 2, 3}, 1, 3},
	} {
		rho, n := Spearman(k.x, k.y)
		if n != k.n || !(math.Abs(rho-k.rho) < 1e-12 || rho != rho && k.rho != k.rho) {
			t.Errorf("%v and %v: %v of %d, want %v of %d", k.x, k.y, rho, n, k.rho, k.n)
		}
	}
}

// What a metric is made of is found, whether it rises, bends or works only together with
// another; what it is not made of has next to nothing.
func TestForest(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	n := 400
	columns := make([][]float64, 5)
	y := make([]float64, n)
	for i := range n {
		for k := range columns {
			columns[k] = append(columns[k], r.Float64())
		}
		if i%10 == 0 {
			columns[4][i] = math.NaN()
		}
		bend := columns[1][i] - 0.5
		y[i] = 3*columns[0][i] + 12*bend*bend + 0.05*r.NormFloat64()
	}
	y[3] = math.NaN()
	parts, used := Forest(columns, y)
	sum := 0.0
	for _, p := range parts {
		sum += p
	}
	if used != n-1 || math.Abs(sum-1) > 1e-12 {
		t.Errorf("parts %v of %d rows", parts, used)
	}
	if parts[0] < 0.3 || parts[1] < 0.3 || parts[2]+parts[3]+parts[4] > 0.12 {
		t.Errorf("parts %v", parts)
	}
	if rho, _ := Spearman(columns[1], y); math.Abs(rho) > 0.2 {
		t.Errorf("a bend has the correlation %v", rho)
	}
	again, _ := Forest(columns, y)
	for i := range parts {
		if again[i] != parts[i] {
			t.Error("another forest of the same numbers")
		}
	}

	// One that does not vary, or a metric that does not, tells nothing; a missing value
	// may tell all.
	same, _ := Forest([][]float64{make([]float64, 20)}, y[10:30])
	if same[0] != 0 {
		t.Errorf("a constant has %v", same)
	}
	flat, _ := Forest(columns, make([]float64, n))
	if flat[0] != 0 {
		t.Errorf("of a constant metric: %v", flat)
	}
	missing, z := make([]float64, 40), make([]float64, 40)
	for i := range missing {
		if i%2 == 0 {
			missing[i], z[i] = math.NaN(), 1
		}
	}
	if parts, _ := Forest([][]float64{missing, columns[0][:40]}, z); parts[0] < 0.75 {
		t.Errorf("what is missing tells all: %v", parts)
	}
	if parts, n := Forest(columns, y[:5]); parts != nil || n != 4 {
		t.Errorf("of four rows: %v", parts)
	}
}

func BenchmarkForest(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 7))
	columns := make([][]float64, 50)
	y := make([]float64, 1000)
	for i := range y {
		for k := range columns {
			columns[k] = append(columns[k], r.Float64())
		}
		y[i] = columns[0][i]
	}
	for b.Loop() {
		Forest(columns, y)
	}
}
