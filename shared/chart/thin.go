// Package chart computes what a chart shows, without drawing it.
package chart

import (
	"math"

	"github.com/tensorbored/tensorbored-static/shared/internal/inorder"
)

// Visible returns the numbers of the points of a curve that a plot needs which is
// pixels wide and shows x0 to x1, in order. The curve is x against a and, drawn on
// top of it, b; the three have equal length.
//
// Of consecutive points that fall into one column of pixels stay the first, the
// last, and the least and greatest of a and of b: drawn at that width, the lines
// cover the same pixels as all points would (M4: Jugel et al., VLDB 2014). Points
// that are not finite stay too, the first of each column, and break the line; so does
// the first of consecutive points whose x is not a number. On either side of the
// range the next point stays, so that lines reach the plot's edge.
//
// With x0 == x1 the range is everything. pixels ≤ 0 means every point stays.
// The x need not be sorted: a curve that goes back starts a new column.
func Visible(dst []int32, x, a, b []float64, x0, x1 float64, pixels int) []int32 {
	n := len(x)
	all := !(x1 > x0)
	if all {
		x0, x1 = math.Inf(1), math.Inf(-1)
		for _, v := range x {
			if v-v == 0 {
				// The built-in min and max are calls in WebAssembly.
				if v < x0 {
					x0 = v
				}
				if v > x1 {
					x1 = v
				}
			}
		}
	}
	scale, width := 0.0, math.NaN() // of a column, in units of x; NaN = not to be used
	if x1 > x0 {
		scale = float64(pixels) / (x1 - x0)
		if w := (x1 - x0) / float64(pixels); margin*w > 1e-15*max(math.Abs(x0), math.Abs(x1)) {
			width = w
		}
	}
	inside := func(i int) bool { return all || x[i] >= x0 && x[i] <= x1 }
	for i := 0; i < n; {
		if x[i] != x[i] && (pixels > 0 || !all) {
			// Without it the points on either side would be joined.
			if i == 0 || x[i-1] == x[i-1] {
				dst = append(dst, int32(i))
			}
			i++
			continue
		}
		if !inside(i) {
			// Keep it as a neighbour of the range, or as an end of a line that
			// crosses the whole of it.
			next := i+1 < n && (inside(i+1) || x[i] < x0 && x[i+1] > x1 || x[i] > x1 && x[i+1] < x0)
			prev := i > 0 && (inside(i-1) || x[i] < x0 && x[i-1] > x1 || x[i] > x1 && x[i-1] < x0)
			if next || prev {
				dst = append(dst, int32(i))
			}
			i++
			continue
		}
		if pixels <= 0 {
			dst = append(dst, int32(i))
			i++
			continue
		}
		// Well inside the column two comparisons tell; its ends are as the
		// multiplication rounds them.
		column := math.Floor((x[i] - x0) * scale)
		left, right := x0+(column+margin)*width, x0+(column+1-margin)*width
		j := i + 1
		for j < n && (x[j] >= left && x[j] < right || inside(j) && math.Floor((x[j]-x0)*scale) == column) {
			j++
		}
		if j-i <= 4 {
			for ; i < j; i++ {
				dst = append(dst, int32(i))
			}
			continue
		}
		dst = extremes(dst, a, b, i, j)
		i = j
	}
	return dst
}

// margin is the part of a column, at either end, in which a point's column is computed.
const margin = 1e-3

// extremes appends what stays of the points of [i, j).
func extremes(dst []int32, a, b []float64, i, j int) []int32 {
	loA, hiA, oddA := ends(a, i, j)
	loB, hiB, oddB := loA, hiA, oddA
	if &a[0] != &b[0] {
		// Each curve on its own: where one is not finite the other may be.
		loB, hiB, oddB = ends(b, i, j)
	}
	odd := oddA
	if odd < 0 || oddB >= 0 && oddB < odd {
		odd = oddB
	}
	return inorder.Append(dst, [7]int{i, loA, hiA, loB, hiB, odd, j - 1})
}

// ends returns the numbers of the least and the greatest of v[i:j], the first of
// equal ones, and of the first value that is not finite; -1 where there is none.
func ends(v []float64, i, j int) (lo, hi, odd int) {
	lo, hi, odd = -1, -1, -1
	least, greatest := math.Inf(1), math.Inf(-1)
	for k, x := range v[i:j] {
		if x < least && x >= -math.MaxFloat64 {
			least, lo = x, i+k
		}
		if x > greatest && x <= math.MaxFloat64 {
			greatest, hi = x, i+k
		}
		if x-x != 0 && odd < 0 {
			odd = i + k
		}
	}
	return lo, hi, odd
}
