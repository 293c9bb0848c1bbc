package stored

// Nearest returns the number of the step that is nearest to a step; of two as near the
// smaller step, of equal ones the last that was logged. -1 if there are none.
func Nearest(steps []int64, to int64) int {
	best := -1
	var least uint64
	for i, s := range steps {
		// The distance of two int64s fits into a uint64.
		d := uint64(s) - uint64(to)
		if s < to {
			d = uint64(to) - uint64(s)
		}
		if best < 0 || d < least || d == least && s <= steps[best] {
			best, least = i, d
		}
	}
	return best
}
