// Package onset is the kind of data "onset": which scalars of a run left their usual range on
// the way to a step, and where each of them did so first. It answers "what happened here?"
// from a spike or a NaN.
//
// The usual range of a series at a point is the median of up to Window finite points before it,
// give or take Limit times their spread. The spread is the median absolute deviation times
// 1.4826, which is the standard deviation of a normal distribution and heeds outliers little;
// where more than half of the points are equal it is their mean absolute deviation times
// 1.2533, and where all are equal a millionth of their size. A point beyond the range, or one
// that is not finite, is the onset; from there on the range stays as it was, so that a series
// that goes away for good does not become usual. The deviation is the farthest distance from
// the median on the way to the step, in spreads.
//
// It was tried on made-up divergences (onset_test.go): noise, trends, decays and rare spikes
// keep within 6 spreads, and jumps, explosions and NaNs are found at their first point.
package onset

import (
	"math"
	"slices"
)

const (
	// Window is how many finite points before a point tell what is usual.
	Window = 50
	// Least is how few points tell nothing.
	Least = 8
	// Limit is how many spreads from the median are usual.
	Limit = 6
	// Most is the greatest deviation that is told; what is not finite has it too.
	Most = 1e6
)

// Onset is where a series left its usual range.
type Onset struct {
	At        int     // number of the point
	Lo, Hi    float64 // the usual range
	Deviation float64 // at most Most
}

// Find looks where a series left its usual range at a step of [from, to]; ok is false if it did
// not, or if too few points stand before. steps and values are of the points in the order in
// which they were logged.
func Find(steps, values []float64, from, to float64) (o Onset, ok bool) {
	var scratch [Window]float64
	var lo, hi, median, spread float64
	for i, step := range steps {
		if step > to || ok && step < steps[o.At] {
			continue
		}
		v := values[i]
		if !ok {
			if step < from {
				continue
			}
			before := usual(scratch[:0], values[:i])
			if len(before) < Least {
				continue
			}
			median, spread = center(before)
			lo, hi = median-Limit*spread, median+Limit*spread
			if v >= lo && v <= hi {
				continue
			}
			o, ok = Onset{At: i, Lo: lo, Hi: hi}, true
		}
		d := math.Abs(v-median) / spread
		if !(d < Most) { // NaN and infinities too
			d = Most
		}
		o.Deviation = max(o.Deviation, d)
	}
	return o, ok
}

// usual are the last finite values, at most Window.
func usual(dst, values []float64) []float64 {
	for i := len(values) - 1; i >= 0 && len(dst) < Window; i-- {
		if v := values[i]; v-v == 0 {
			dst = append(dst, v)
		}
	}
	return dst
}

// center is the median of values, which it sorts, and their spread, above 0.
func center(values []float64) (median, spread float64) {
	slices.Sort(values)
	median = middle(values)
	var off [Window]float64
	sum := 0.0
	for i, v := range values {
		off[i] = math.Abs(v - median)
		sum += off[i]
	}
	away := off[:len(values)]
	slices.Sort(away)
	spread = 1.4826 * middle(away)
	if spread == 0 {
		spread = 1.2533 * sum / float64(len(values))
	}
	return median, max(spread, 1e-6*math.Abs(median), 1e-300)
}

// middle is the median of sorted values.
func middle(sorted []float64) float64 {
	n := len(sorted)
	return sorted[(n-1)/2]/2 + sorted[n/2]/2
}
