package summary

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// defaultBuckets is TensorBoard's (tensorboard/plugins/histogram/summary_v2.py).
const defaultBuckets = 30

const histogramOptions = common | setLegacy | setBuckets | setBounds | setExponential

// Histogram writes the distribution of values. Without options it has 30
// buckets of equal width, as a tensor, as TensorFlow 2 writes it; see Buckets,
// Bounds, ExponentialBuckets and Legacy. If all values are equal only the last
// bucket counts and all edges are that value; no values make empty buckets.
// NaN and infinities are left out, and the call returns a *NonFiniteError after
// it has written the others.
func (w *Writer) Histogram(tag string, values []float64, step int64, opts ...Option) error {
	s, err := gather("Histogram", tag, histogramOptions, opts)
	if err != nil {
		return err
	}
	v, dropped, err := histogramValue(tag, values, &s)
	if err != nil {
		return err
	}
	if err := w.value(v, step, &s); err != nil {
		return err
	}
	if dropped > 0 {
		return &NonFiniteError{tag, dropped, len(values)}
	}
	return nil
}

// HistogramBuckets are (left edge, right edge, count) each.
type HistogramBuckets [][3]float64

// HistogramRaw writes buckets that were counted elsewhere, as a tensor of
// float64 of shape [k, 3]. LegacyHistogram does it in the old style.
func (w *Writer) HistogramRaw(tag string, buckets HistogramBuckets, step int64, opts ...Option) error {
	s, err := gather("HistogramRaw", tag, common, opts)
	if err != nil {
		return err
	}
	return w.value(buckets.value(tag, &s), step, &s)
}

// LegacyHistogram is a HistogramProto: the old style.
type LegacyHistogram struct {
	Min, Max, Num, Sum, SumSquares float64
	Limits                         []float64 // right edge of each bucket, ascending
	Counts                         []float64 // as many as Limits
}

// LegacyHistogram writes h as it is, but for one check: there must be as many
// Limits as Counts.
func (w *Writer) LegacyHistogram(tag string, h LegacyHistogram, step int64, opts ...Option) error {
	s, err := gather("LegacyHistogram", tag, common, opts)
	if err != nil {
		return err
	}
	if len(h.Limits) != len(h.Counts) {
		return &ValueError{"LegacyHistogram", tag, fmt.Sprintf("there are %d limits and %d counts", len(h.Limits), len(h.Counts))}
	}
	v := h.Value(tag)
	v.Metadata = s.metadata("", nil)
	return w.value(v, step, &s)
}

// Value makes the old-style value of h without any check.
func (h LegacyHistogram) Value(tag string) Value {
	var p []byte
	p = putDouble(p, 1, h.Min)
	p = putDouble(p, 2, h.Max)
	p = putDouble(p, 3, h.Num)
	p = putDouble(p, 4, h.Sum)
	p = putDouble(p, 5, h.SumSquares)
	p = putDoubles(p, 6, h.Limits)
	p = putDoubles(p, 7, h.Counts)
	return Value{Tag: tag, Field: FieldHistogram, Payload: p}
}

// Value makes the new-style value of b.
func (b HistogramBuckets) Value(tag string) Value { return b.value(tag, &settings{}) }

func (b HistogramBuckets) value(tag string, s *settings) Value {
	flat := make([]float64, 0, 3*len(b))
	for _, bucket := range b {
		flat = append(flat, bucket[:]...)
	}
	m := s.metadata("histograms", nil)
	return TensorValue(tag, DoubleTensor([]int64{int64(len(b)), 3}, flat...), m)
}

// histogramValue counts values into buckets; dropped is how many were not
// finite.
func histogramValue(tag string, values []float64, s *settings) (v Value, dropped int, err error) {
	finite := values
	if slices.ContainsFunc(values, notFinite) {
		finite = slices.DeleteFunc(slices.Clone(values), notFinite)
	}
	dropped = len(values) - len(finite)
	var buckets HistogramBuckets
	switch {
	case s.has(setBounds):
		if problem := checkEdges(s.bounds); problem != "" {
			return v, 0, &ValueError{"Histogram", tag, problem}
		}
		buckets = count(finite, withEnds(s.bounds, finite))
	case s.has(setExponential), s.has(setLegacy) && !s.has(setBuckets):
		buckets = trim(count(finite, exponentialEdges))
	default:
		k := defaultBuckets
		if s.has(setBuckets) {
			k = s.buckets
		}
		if k < 0 {
			return v, 0, &ValueError{"Histogram", tag, "the number of buckets is negative"}
		}
		buckets = equalWidth(finite, k)
	}
	if !s.has(setLegacy) {
		return buckets.value(tag, s), dropped, nil
	}
	h := LegacyHistogram{Num: float64(len(finite))}
	if len(finite) > 0 {
		h.Min, h.Max = slices.Min(finite), slices.Max(finite)
	}
	for _, x := range finite {
		h.Sum += x
		h.SumSquares += x * x
	}
	for _, b := range buckets {
		h.Limits = append(h.Limits, b[1])
		h.Counts = append(h.Counts, b[2])
	}
	v = h.Value(tag)
	v.Metadata = s.metadata("", nil)
	return v, dropped, nil
}

func notFinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

// equalWidth gives k buckets between the least and the greatest value, by the
// rule of TensorBoard's summary_v2.py.
func equalWidth(values []float64, k int) HistogramBuckets {
	buckets := make(HistogramBuckets, k)
	if len(values) == 0 || k == 0 {
		return buckets
	}
	lo, hi := slices.Min(values), slices.Max(values)
	if lo == hi {
		for i := range buckets {
			buckets[i] = [3]float64{lo, hi, 0}
		}
		buckets[k-1][2] = float64(len(values))
		return buckets
	}
	// hi − lo may overflow. Halves cannot, but may lose the last bit of numbers
	// that are tiny.
	width, fraction := (hi-lo)/float64(k), func(x float64) float64 { return (x - lo) / (hi - lo) }
	if math.IsInf(hi-lo, 0) {
		width, fraction = (hi/2-lo/2)/float64(k)*2, func(x float64) float64 { return (x/2 - lo/2) / (hi/2 - lo/2) }
	}
	left := lo
	for i := range buckets {
		// Rounding must not carry an edge beyond the last one.
		right := min(lo+float64(i+1)*width, hi)
		if math.IsInf(float64(i+1)*width, 0) {
			right = min(lo/2+float64(i+1)/2*width, hi/2) * 2
		}
		if i == k-1 {
			right = hi
		}
		buckets[i] = [3]float64{left, right, 0}
		left = right
	}
	for _, x := range values {
		buckets[min(int(fraction(x)*float64(k)), k-1)][2]++
	}
	return buckets
}

// exponentialEdges are those of TensorFlow 1 (tensorflow/core/lib/histogram),
// from −MaxFloat64 to MaxFloat64.
var exponentialEdges = func() []float64 {
	positive := []float64{}
	for e := 1e-12; e < 1e20; e *= 1.1 {
		positive = append(positive, e)
	}
	positive = append(positive, math.MaxFloat64)
	var edges []float64
	for _, e := range slices.Backward(positive) {
		edges = append(edges, -e)
	}
	return append(append(edges, 0), positive...)
}()

func checkEdges(edges []float64) string {
	if len(edges) < 2 {
		return "there are fewer than two bucket edges"
	}
	for i, e := range edges {
		if notFinite(e) {
			return fmt.Sprintf("bucket edge %d is not finite", i)
		}
		if i > 0 && e <= edges[i-1] {
			return fmt.Sprintf("bucket edge %d is not greater than the one before", i)
		}
	}
	return ""
}

// withEnds adds an edge at either end where values go beyond edges.
func withEnds(edges, values []float64) []float64 {
	if len(values) == 0 {
		return edges
	}
	edges = slices.Clone(edges)
	if lo := slices.Min(values); lo < edges[0] {
		edges = slices.Insert(edges, 0, lo)
	}
	if hi := slices.Max(values); hi > edges[len(edges)-1] {
		edges = append(edges, hi)
	}
	return edges
}

// count sorts values, none beyond the edges, into the buckets between them.
func count(values, edges []float64) HistogramBuckets {
	buckets := make(HistogramBuckets, len(edges)-1)
	for i := range buckets {
		buckets[i] = [3]float64{edges[i], edges[i+1], 0}
	}
	for _, x := range values {
		i := sort.Search(len(edges), func(i int) bool { return edges[i] > x }) - 1
		buckets[min(i, len(buckets)-1)][2]++
	}
	return buckets
}

// trim cuts empty buckets off both ends. One is kept on the left: a
// HistogramProto has right edges only, and the kept one tells where the first
// bucket that counts begins.
func trim(b HistogramBuckets) HistogramBuckets {
	first := slices.IndexFunc(b, func(x [3]float64) bool { return x[2] > 0 })
	if first < 0 {
		return nil
	}
	last := len(b)
	for b[last-1][2] == 0 {
		last--
	}
	return b[max(first-1, 0):last]
}
