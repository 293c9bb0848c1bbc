// Package histogram is the arithmetic of logged histograms: their two encodings, the
// common bins in which slices of several steps can be compared, and percentiles. Formulas
// are TensorBoard's.
package histogram

import (
	"errors"
	"fmt"
	"math"
	"sort"

	"github.com/tensorbored/tensorbored-static/shared/event"
)

// Bucket is a bucket: its edges, and how many values lie between them.
type Bucket struct{ Left, Right, Count float64 }

// Buckets are one histogram.
type Buckets []Bucket

// ErrShape says that a tensor is no histogram.
var ErrShape = errors.New("a histogram is a tensor of k × 3 numbers: left edge, right edge, count")

// OfTensor decodes the new encoding: a serialised TensorProto of shape [k, 3].
func OfTensor(tensor []byte) (Buckets, error) {
	shape, v, err := event.Numbers(tensor, nil)
	if err != nil {
		return nil, err
	}
	if len(v) == 0 && (len(shape) < 2 || shape[0] == 0) {
		return Buckets{}, nil
	}
	if len(shape) != 2 || shape[1] != 3 {
		return nil, fmt.Errorf("%w; this one has the shape %v", ErrShape, shape)
	}
	out := make(Buckets, len(v)/3)
	for i := range out {
		out[i] = Bucket{v[3*i], v[3*i+1], v[3*i+2]}
	}
	return out, nil
}

// OfProto decodes the old encoding, a serialised HistogramProto, as TensorBoard does
// (tensorboard/data_compat.py): empty buckets are cut off both ends, the first left edge is
// the least value, the last right edge the greatest.
func OfProto(proto []byte) (Buckets, error) {
	h, err := event.DecodeHistogram(proto)
	if err != nil {
		return nil, err
	}
	if len(h.Limits) != len(h.Count) {
		return nil, fmt.Errorf("this histogram has %d buckets, but %d limits", len(h.Count), len(h.Limits))
	}
	first, last := 0, len(h.Count)-1
	for first <= last && !(h.Count[first] > 0) {
		first++
	}
	for last >= first && !(h.Count[last] > 0) {
		last--
	}
	out := Buckets{}
	for i := first; i <= last; i++ {
		b := Bucket{h.Min, h.Max, h.Count[i]}
		if i > first {
			b.Left = h.Limits[i-1]
		}
		if i < last {
			b.Right = h.Limits[i]
		}
		out = append(out, b)
	}
	return out, nil
}

// beyond is what stands for infinity in some writers' outermost edges: −DBL_MAX and
// DBL_MAX, or what float32s make of them.
const beyond = 1e37

// Clean returns the buckets that can be drawn, left to right: an outer edge that is no
// number or stands for infinity becomes the bucket's other one, buckets without any place
// or with a count that is none are left out. It returns how many those are.
func (b Buckets) Clean() (clean Buckets, lost int) {
	clean = make(Buckets, 0, len(b))
	for _, k := range b {
		open := func(x float64) bool { return !(math.Abs(x) < beyond) }
		switch {
		case k.Count == 0:
			// Empty buckets without a place do not matter; others keep the range.
			if open(k.Left) || open(k.Right) {
				continue
			}
		case !(k.Count > 0) || math.IsInf(k.Count, 0) || open(k.Left) && open(k.Right):
			lost++
			continue
		}
		if open(k.Left) {
			k.Left = k.Right
		}
		if open(k.Right) {
			k.Right = k.Left
		}
		if k.Left > k.Right {
			k.Left, k.Right = k.Right, k.Left
		}
		clean = append(clean, k)
	}
	sort.SliceStable(clean, func(i, j int) bool { return clean[i].Left < clean[j].Left })
	return clean, lost
}

// Total is how many values there are.
func (b Buckets) Total() (n float64) {
	for _, k := range b {
		n += k.Count
	}
	return n
}

// Range is where the buckets of several histograms lie.
type Range struct{ Lo, Hi float64 }

// Nowhere is the range of nothing.
var Nowhere = Range{math.Inf(1), math.Inf(-1)}

// With returns the range that holds b's too, which must be clean.
func (r Range) With(b Buckets) Range {
	for _, k := range b {
		r.Lo, r.Hi = math.Min(r.Lo, k.Left), math.Max(r.Hi, k.Right)
	}
	return r
}

// Drawn returns the range for drawing: one without a width is widened, as TensorBoard does
// (tensorboard/webapp/widgets/histogram/histogram_util.ts).
func (r Range) Drawn() Range {
	switch {
	case !(r.Lo <= r.Hi):
		return Range{0, 1}
	case r.Lo == r.Hi:
		// There values below zero are left outside; here they are mirrored.
		if r.Lo < 0 {
			return Range{r.Lo*1.1 - 1, r.Hi/1.1 + 1}
		}
		return Range{r.Lo/1.1 - 1, r.Hi*1.1 + 1}
	}
	return r
}

// Bin puts clean buckets into len(bins) bins of equal width over r, and adds to bins: a
// bucket gives each bin the part of its count that lies there, and none to what lies
// beside r; one without a width goes
// whole into the bin that holds it, at a boundary into the right one, at the end into the
// last.
func (b Buckets) Bin(r Range, bins []float64) {
	n := len(bins)
	// The width of a range may be more than a float64 can say.
	place := func(x float64) float64 { return (x/2 - r.Lo/2) / (r.Hi/2 - r.Lo/2) * float64(n) }
	for _, k := range b {
		from, to := place(k.Left), place(k.Right)
		if !(to-from > 1e-12*float64(n)) {
			if from == float64(n) {
				from-- // the end belongs to the last bin
			}
			if from >= 0 && from < float64(n) {
				bins[int(from)] += k.Count
			}
			continue
		}
		if !(from < float64(n) && to > 0) {
			continue // beside a range that is a part of all, perhaps further than an int can say
		}
		for i := max(0, int(math.Floor(from))); i < n && float64(i) < to; i++ {
			part := math.Min(to, float64(i+1)) - math.Max(from, float64(i))
			bins[i] += k.Count * part / (to - from)
		}
	}
}

// Points are the percentiles of a distribution, in hundredths of a percent: those of a
// normal distribution at half standard deviations, and both ends.
var Points = [9]float64{0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10000}

// Percentiles returns the values at Points, as tensorboard/plugins/distribution/
// compressor.py finds them: linearly within the bucket in which the cumulative count
// passes the point, where the first bucket with a count begins at the first left edge. All
// are 0 for a histogram without buckets.
//
// Where a point falls on a bucket's edge, the last bit of the cumulative count decides in
// which bucket it lies. So it is added up as there: each count as its part of 10000, from
// the first to the last, and the total in NumPy's order.
func (b Buckets) Percentiles() (out [len(Points)]float64) {
	if len(b) == 0 {
		return out
	}
	total := b.pairwise()
	least, greatest := b[0].Left, b[len(b)-1].Right
	at := 0
	before := 0.0
	for i, k := range b {
		if !(total > 0) {
			break
		}
		now := before + float64(k.Count*10000/total) // rounded before it is added
		lo, hi := least, math.Min(k.Right, greatest)
		if before > 0 {
			lo = math.Max(b[i-1].Right, least)
		}
		for ; at < len(Points) && Points[at] < now; at++ {
			out[at] = lo + float64(float64((Points[at]-before)*(hi-lo))/(now-before))
		}
		before = now
	}
	for ; at < len(Points); at++ {
		out[at] = greatest
	}
	return out
}

// pairwise is Total, added up as NumPy does (pairwise_sum in
// numpy/_core/src/umath/loops_utils.h.src).
func (b Buckets) pairwise() (n float64) {
	const block = 128
	if len(b) > block {
		half := len(b) / 2
		half -= half % 8
		return b[:half].pairwise() + b[half:].pairwise()
	}
	if len(b) >= 8 {
		var r [8]float64
		for ; len(b) >= 8; b = b[8:] {
			for i := range r {
				r[i] += b[i].Count
			}
		}
		n = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]))
	}
	for _, k := range b {
		n += k.Count
	}
	return n
}
