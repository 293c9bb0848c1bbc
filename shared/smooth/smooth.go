// Package smooth draws the calm line through a noisy curve, as TensorBoard does.
//
// Odd values: NaN and infinities are passed through and do not count. If all
// values are equal, or there are none, nothing is changed. A weight outside
// [0, 0.999] is moved to the nearer end.
package smooth

// MaxWeight is the greatest weight that the page offers.
const MaxWeight = 0.999

// Exponential writes the smoothed form of y to dst, which must be as long; they
// may be the same slice.
//
// It is the debiased exponential moving average of TensorBoard's line chart
// (webapp/widgets/line_chart_v2/data_transformer.ts): with s₀ = 0 and n counting
// finite points, sₙ = w·sₙ₋₁ + (1−w)·yₙ is shown as sₙ / (1 − wⁿ). The power is a
// running product here, which costs a twentieth of calling pow per point.
func Exponential(dst, y []float64, w float64) {
	if !(w > 0) || constant(y) {
		copy(dst, y)
		return
	}
	w = min(w, MaxWeight)
	s, power := 0.0, 1.0
	for i, v := range y {
		if v-v != 0 { // NaN or infinite
			dst[i] = v
			continue
		}
		s = s*w + v*(1-w)
		if power *= w; power < 1e-17 { // 1 - power is 1
			power, dst[i] = 0, s
			continue
		}
		dst[i] = s / (1 - power)
	}
}

// constant reports whether no two values differ. A NaN differs from everything.
func constant(y []float64) bool {
	for _, v := range y {
		if v != y[0] {
			return false
		}
	}
	return true
}
