// Package inorder is what thinning a series and drawing a curve have in common: of a
// stretch of points stay a few, whose numbers were found in no order.
package inorder

// Append appends the numbers of stay to dst in ascending order, each once. Those below
// zero stand for none.
func Append[T int | int32](dst []T, stay [7]int) []T {
	for a := 1; a < len(stay); a++ { // insertion sort of seven
		for b := a; b > 0 && stay[b] < stay[b-1]; b-- {
			stay[b], stay[b-1] = stay[b-1], stay[b]
		}
	}
	last := -1
	for _, k := range stay {
		if k >= 0 && k != last {
			dst = append(dst, T(k))
			last = k
		}
	}
	return dst
}
