package histogram

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

func near(a, b, scale float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*math.Max(scale, 1e-300)
}

func random(r *rand.Rand) Buckets {
	b := Buckets{}
	at := r.NormFloat64() * 10
	for range r.IntN(40) {
		width := r.ExpFloat64()
		if r.IntN(4) == 0 {
			width = 0
		}
		count := float64(r.IntN(5)) * r.Float64()
		b = append(b, Bucket{at, at + width, count})
		if at += width; r.IntN(5) == 0 {
			at += r.ExpFloat64() // a gap
		}
	}
	return b
}

// Binning moves counts and loses none: what lies in the range stays as much as it was, bins
// are never negative, and twice as many bins are the same ones, halved.
func TestBin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		b := random(r)
		span := Nowhere.With(b).Drawn()
		n := 1 + r.IntN(50)
		bins, half := make([]float64, n), make([]float64, 2*n)
		b.Bin(span, bins)
		b.Bin(span, half)
		sum := 0.0
		for i, x := range bins {
			if x < 0 || x != x {
				t.Fatalf("bin %d of %v is %v", i, b, x)
			}
			sum += x
		}
		total := b.Total()
		if !near(sum, total, total+1) {
			t.Fatalf("%v in %d bins over %v are %v, not %v", b, n, span, sum, total)
		}
		zeroWidth := false
		for _, k := range b {
			zeroWidth = zeroWidth || k.Left == k.Right
		}
		for i, x := range bins {
			// A bucket without a width is on one side of an edge.
			if got := half[2*i] + half[2*i+1]; !zeroWidth && !near(got, x, total+1) {
				t.Fatalf("bin %d is %v, its halves are %v", i, x, got)
			}
		}
	}
}

// The rule for what lies on an edge, and for ranges without a width.
func TestEdges(t *testing.T) {
	for _, c := range []struct {
		b    Buckets
		r    Range
		want []float64
	}{
		{Buckets{{0, 4, 8}}, Range{0, 4}, []float64{2, 2, 2, 2}},
		{Buckets{{1, 1, 5}}, Range{0, 4}, []float64{0, 5, 0, 0}},
		{Buckets{{4, 4, 5}, {0, 0, 1}}, Range{0, 4}, []float64{1, 0, 0, 5}},
		{Buckets{{-2, 2, 4}, {5, 5, 9}, {3, 7, 4}}, Range{0, 4}, []float64{1, 1, 0, 1}},
		{Buckets{{-1e308, 1e308, 4}}, Range{-1e308, 1e308}, []float64{1, 1, 1, 1}},
	} {
		got := make([]float64, 4)
		c.b.Bin(c.r, got)
		for i := range got {
			if !near(got[i], c.want[i], 10) {
				t.Errorf("%v over %v: %v, want %v", c.b, c.r, got, c.want)
				break
			}
		}
	}
	for _, c := range [][2]Range{{Nowhere, {0, 1}}, {{0, 0}, {-1, 1}}, {{11, 11}, {9, 13.1}}, {{-11, -11}, {-13.1, -9}}, {{1, 2}, {1, 2}}} {
		if got := c[0].Drawn(); !near(got.Lo, c[1].Lo, 20) || !near(got.Hi, c[1].Hi, 20) {
			t.Errorf("%v is drawn as %v, not %v", c[0], got, c[1])
		}
	}
}

// What has no place is left out and counted; what stands for infinity becomes an edge.
func TestClean(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		b    Buckets
		want Buckets
		lost int
	}{
		{Buckets{{0, 1, 2}}, Buckets{{0, 1, 2}}, 0},
		{Buckets{{-math.MaxFloat64, -1, 3}, {-1, 2, 1}, {2, math.MaxFloat64, 4}}, Buckets{{-1, -1, 3}, {-1, 2, 1}, {2, 2, 4}}, 0},
		{Buckets{{nan, 1, 3}, {1, nan, 0}, {nan, nan, 1}, {1, 2, nan}, {1, 2, -1}, {1, 2, inf}, {-inf, 5, 1}}, Buckets{{1, 1, 3}, {5, 5, 1}}, 4},
		{Buckets{{3, 1, 2}, {0, 1, 0}}, Buckets{{0, 1, 0}, {1, 3, 2}}, 0},
	} {
		got, lost := c.b.Clean()
		if len(got) != len(c.want) || lost != c.lost {
			t.Errorf("%v: %v and %d lost, want %v and %d", c.b, got, lost, c.want, c.lost)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%v: %v, want %v", c.b, got, c.want)
			}
		}
	}
}

// Percentiles rise, lie within the range, and those of a uniform distribution are known.
func TestPercentiles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		b := random(r)
		p := b.Percentiles()
		span := Nowhere.With(b)
		for i, x := range p {
			if len(b) > 0 && (x < span.Lo || x > span.Hi) || i > 0 && x < p[i-1]-1e-9 {
				t.Fatalf("%v: percentiles %v", b, p)
			}
		}
	}
	p := Buckets{{0, 50, 5}, {50, 100, 5}}.Percentiles()
	for i, x := range p {
		if !near(x, Points[i]/100, 100) {
			t.Errorf("uniform: %v", p)
		}
	}
	for _, b := range []Buckets{nil, {{7, 9, 0}}} {
		for _, x := range b.Percentiles() {
			if want := map[bool]float64{true: 0, false: 9}[len(b) == 0]; x != want {
				t.Errorf("%v: %v, want %v", b, x, want)
			}
		}
	}
}

// encoded is a tensor as it stands in a file.
func encoded(t summary.Tensor) []byte {
	w := summary.NewBuffer(summary.Options{NoVersion: true})
	w.Raw(summary.Event{Values: []summary.Value{summary.TensorValue("x", t, summary.Metadata{})}})
	b := w.Bytes()
	var e event.Event
	var v event.Value
	err := e.Decode(b[tfrecord.HeaderSize : len(b)-4])
	if err == nil {
		_, _, err = v.NextValue(e.Body)
	}
	if err != nil {
		panic(err) // it was written a moment ago
	}
	return v.Body
}

// Only a tensor of k × 3 numbers is a histogram.
func TestTensor(t *testing.T) {
	good := encoded(summary.DoubleTensor([]int64{2, 3}, 0, 1, 5, 1, 2, 6))
	if b, err := OfTensor(good); err != nil || len(b) != 2 || b[1] != (Bucket{1, 2, 6}) {
		t.Error(b, err)
	}
	if b, err := OfTensor(encoded(summary.FloatTensor([]int64{0, 3}))); err != nil || len(b) != 0 {
		t.Error(b, err)
	}
	if b, err := OfTensor(encoded(summary.FloatTensor([]int64{2, 3}, 4))); err != nil || len(b) != 2 || b[1] != (Bucket{4, 4, 4}) {
		t.Error("one element for all:", b, err)
	}
	for name, bad := range map[string][]byte{
		"3 × k": encoded(summary.DoubleTensor([]int64{3, 2}, 0, 1, 5, 1, 2, 6)), "vector": encoded(summary.DoubleTensor([]int64{6}, 0, 1, 5, 1, 2, 6)),
		"texts": encoded(summary.StringTensor([]int64{1, 3}, "a", "b", "c")), "short": encoded(summary.DoubleTensor([]int64{2, 3}, 0, 1, 5, 1)),
		"huge": encoded(summary.DoubleTensor([]int64{1 << 40, 3}, 1)), "torn": good[:len(good)-3],
	} {
		if b, err := OfTensor(bad); err == nil {
			t.Errorf("%s: %v", name, b)
		}
	}
	if _, err := OfTensor(encoded(summary.DoubleTensor([]int64{3, 2}, 0, 1, 5, 1, 2, 6))); !errors.Is(err, ErrShape) {
		t.Error(err)
	}
}

// Whatever a file holds is decoded, refused, cleaned and binned without a panic and
// without counts that are no numbers.
func FuzzHistogram(f *testing.F) {
	f.Add(encoded(summary.DoubleTensor([]int64{2, 3}, 0, 1, 5, 1, 2, 6)), true)
	f.Add([]byte("\x09\x00\x00\x00\x00\x00\x00\xf0\x3f"), false)
	f.Fuzz(func(t *testing.T, body []byte, tensor bool) {
		var b Buckets
		var err error
		if tensor {
			b, err = OfTensor(body)
		} else {
			b, err = OfProto(body)
		}
		if err != nil {
			return
		}
		b.Percentiles()
		clean, _ := b.Clean()
		r := Nowhere.With(clean).Drawn()
		if !(r.Lo < r.Hi) {
			t.Fatalf("%v is drawn over %v", clean, r)
		}
		bins := make([]float64, 30)
		clean.Bin(r, bins)
		for _, x := range bins {
			if x != x || x < 0 {
				t.Fatalf("%v in bins: %v", clean, bins)
			}
		}
	})
}

// Bins over a part of all: what lies beside it is in none, however far, and what lies across
// its ends by the part that is inside.
func TestBinPart(t *testing.T) {
	b := Buckets{{-1e36, -1e35, 7}, {-2, 2, 40}, {3, 3, 5}, {4, 4, 6}, {1e30, 1e36, 9}}
	got := make([]float64, 4)
	b.Bin(Range{0, 4}, got)
	if want := []float64{10, 10, 0, 11}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	// A range as narrow as numbers allow.
	clear(got)
	b.Bin(Range{1, 1 + 1e-12}, got)
	for _, v := range got {
		if !(v >= 0 && v < 1e-9) {
			t.Errorf("a narrow part: %v", got)
		}
	}
}
