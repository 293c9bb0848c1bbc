package series

import "math"

// Step is a step of Columns as it was logged, as far as a float64 tells: beyond 2⁵³ it is
// rounded, and the greatest steps, which are rounded up to 2⁶³, are the greatest int64.
func Step(x float64) int64 {
	switch {
	case x != x:
		return 0
	case x >= 1<<63:
		return math.MaxInt64
	case x <= -1<<63:
		return math.MinInt64
	}
	return int64(x)
}
