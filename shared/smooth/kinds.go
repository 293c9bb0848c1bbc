package smooth

import "math"

// Kind says how a curve is made calm. All of them leave about as much of the noise at one
// weight w as Exponential does, (1−w)/(1+w) of its variance, so that a slider means the
// same.
type Kind string

const (
	ByPoints Kind = ""         // Exponential: TensorBoard's
	ByX      Kind = "distance" // exponential, decaying by the distance in x: for points that lie unevenly
	Mean     Kind = "mean"     // centred running mean: does not lag behind
	Gauss    Kind = "gaussian" // centred, by a Gaussian weight
	None     Kind = "none"     // not at all, whatever the weight
)

// Of writes the smoothed form of y, whose points lie at x, to dst. All are of one length;
// dst and y may be the same slice. scratch is memory for it, which is returned to be used
// again. Values that are not finite are passed through and do not count.
func Of(kind Kind, dst, x, y []float64, w float64, scratch []float64) []float64 {
	if !(w > 0) || kind == None || constant(y) {
		copy(dst, y)
		return scratch
	}
	w = min(w, MaxWeight)
	switch kind {
	case ByX:
		byX(dst, x, y, w)
	case Mean:
		scratch = runningMean(dst, y, w/(1-w), scratch)
	case Gauss:
		// Three running means are a Gaussian but for 3 %; of a width that leaves
		// 1/(2σ√π) of the variance.
		sigma := (1 + w) / (1 - w) / (2 * math.Sqrt(math.Pi))
		half := (math.Sqrt(4*sigma*sigma+1) - 1) / 2
		scratch = runningMean(dst, y, half, scratch)
		for range 2 {
			scratch = runningMean(dst, dst, half, scratch)
		}
	default:
		Exponential(dst, y, w)
	}
	return scratch
}

// byX is the exponential mean of points that lie unevenly: what came before counts w times
// as much for each mean distance between two points.
func byX(dst, x, y []float64, w float64) {
	n, lo, hi := 0, math.Inf(1), math.Inf(-1)
	for _, v := range x {
		if v-v == 0 {
			n++
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	unit := (hi - lo) / float64(n-1)
	log := math.Log(w)
	sum, weight, last := 0.0, 0.0, math.NaN()
	for i, v := range y {
		if v-v != 0 {
			dst[i] = v
			continue
		}
		decay := w
		if d := math.Abs(x[i]-last) / unit; d-d == 0 {
			decay = math.Exp(log * d)
		}
		last = x[i]
		sum, weight = sum*decay+v, weight*decay+1
		dst[i] = sum / weight
	}
}

// runningMean is the mean of each point and of those up to half points away on either side,
// of which there are fewer at the ends. A part of a point counts in part.
func runningMean(dst, y []float64, half float64, scratch []float64) []float64 {
	n := len(y)
	// Sums of the values, and numbers of those that are finite, up to each point. Sums of
	// differences to one of them lose nothing where values are large and close.
	if cap(scratch) < 2*(n+1) {
		scratch = make([]float64, 2*(n+1))
	}
	sums, counts := scratch[:n+1], scratch[n+1:2*(n+1)]
	base := 0.0
	for _, v := range y {
		if v-v == 0 {
			base = v
			break
		}
	}
	sums[0], counts[0] = 0, 0
	for i, v := range y {
		sums[i+1], counts[i+1] = sums[i], counts[i]
		if v-v == 0 {
			sums[i+1] += v - base
			counts[i+1]++
		}
	}
	whole := int(half)
	part := half - float64(whole)
	for i := range y {
		if counts[i+1] == counts[i] {
			dst[i] = y[i] // not finite
			continue
		}
		from, to := max(0, i-whole), min(n, i+whole+1)
		sum, count := sums[to]-sums[from], counts[to]-counts[from]
		if from > 0 {
			sum += part * (sums[from] - sums[from-1])
			count += part * (counts[from] - counts[from-1])
		}
		if to < n {
			sum += part * (sums[to+1] - sums[to])
			count += part * (counts[to+1] - counts[to])
		}
		dst[i] = base + sum/count
	}
	return scratch
}
