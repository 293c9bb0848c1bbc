package project

import (
	"math"
	"math/rand/v2"
	"testing"
)

func noTurn() error             { return nil }
func noProgress(_, _ int) error { return nil }

// blobs are points of a Gaussian mixture.
func blobs(n, d, k int) Matrix {
	r := rand.New(rand.NewPCG(1, 2))
	centers := make([]float32, k*d)
	for i := range centers {
		centers[i] = float32(r.NormFloat64() * 3)
	}
	m := Matrix{make([]float32, n*d), n, d}
	for i := range n {
		for j := range d {
			m.X[i*d+j] = centers[i%k*d+j] + float32(r.NormFloat64())
		}
	}
	return m
}

func BenchmarkPCA50000x200(b *testing.B) {
	m := blobs(50000, 200, 10)
	for b.Loop() {
		if _, err := PCA(m, 10, noTurn); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTSNE10000(b *testing.B) {
	t, err := NewTSNE(blobs(10000, 50, 10), TSNE{Perplexity: 30, Seed: 1}, noTurn, noProgress)
	if err != nil {
		b.Fatal(err)
	}
	for range 100 {
		t.Step(noTurn)
	}
	for b.Loop() {
		t.Step(noTurn)
	}
}

func BenchmarkUMAP5000(b *testing.B) {
	m := blobs(5000, 128, 10)
	for b.Loop() {
		l, err := NewUMAP(m, UMAP{Seed: 1}, noTurn, noProgress)
		if err != nil {
			b.Fatal(err)
		}
		for l.Epoch < l.Epochs {
			l.Step(noTurn)
		}
	}
}

func BenchmarkNeighbors100000x256(b *testing.B) {
	m := blobs(100000, 256, 10)
	all := make([]uint32, m.N)
	for i := range all {
		all[i] = uint32(i)
	}
	for b.Loop() {
		Neighbors(m.X, m.D, 7, 100, false, nil, all, noTurn)
	}
}

// The eigenvalues of a matrix that is known: equal ones and zeros among them, larger than what is
// solved at once.
func TestTop(t *testing.T) {
	for _, n := range []int{1, 2, 7, 60, 400} {
		r := rand.New(rand.NewPCG(uint64(n), 1))
		// A = Σ λᵢ qᵢ qᵢᵀ with q from a Householder reflection.
		w := make([]float64, n)
		for i := range w {
			w[i] = r.NormFloat64()
		}
		l := norm(w)
		lambda := func(i int) float64 {
			if i < 3 {
				return 10
			}
			return 9 / float64(i)
		}
		q := func(i, j int) float64 {
			x := -2 * w[i] * w[j] / l / l
			if i == j {
				x++
			}
			return x
		}
		a := make([]float64, n*n)
		for i := range n {
			for j := range n {
				for k := range n {
					a[i*n+j] += q(i, k) * lambda(k) * q(k, j)
				}
			}
		}
		mul := func(v, to []float64) error {
			for i := range to {
				to[i] = dot64(a[i*n:(i+1)*n], v)
			}
			return nil
		}
		values, vectors, exact, err := top(n, 10, mul, 1e-9, 60, 1, noTurn)
		if err != nil || !exact || len(values) != min(n, 10) {
			t.Fatalf("%d: %v %v %v", n, values, exact, err)
		}
		for i, v := range values {
			if math.Abs(v-lambda(i)) > 1e-7 {
				t.Errorf("%d: value %d is %v, not %v", n, i, v, lambda(i))
			}
			to := make([]float64, n)
			mul(vectors[i*n:(i+1)*n], to)
			axpy(to, vectors[i*n:(i+1)*n], -v)
			if norm(to) > 1e-6 || math.Abs(norm(vectors[i*n:(i+1)*n])-1) > 1e-9 {
				t.Errorf("%d: vector %d: %v", n, i, norm(to))
			}
		}
	}
}

// Powers by tables are as good as is said.
func TestPow(t *testing.T) {
	for x := 1e-12; x < 1e12; x *= 1.0173 {
		for _, y := range []float64{0.3, 0.79, 0.895, 1, 1.5} {
			if got, want := float64(pow(float32(x), float32(y))), math.Pow(float64(float32(x)), float64(float32(y))); math.Abs(got/want-1) > 1e-5 {
				t.Fatalf("%v to %v: %v, not %v", x, y, got, want)
			}
		}
	}
}
