// Package importance says how much hyperparameters tell about a metric, by two measures:
// Spearman's rank correlation, which sees what rises or falls together, and the importance
// in a random forest, which also sees what matters in other ways and together with others.
package importance

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
)

// Spearman returns the rank correlation of x and y over the pairs of which both are
// numbers, and how many those are; NaN of fewer than three, or where one does not vary.
// Equal values have the mean of their ranks.
func Spearman(x, y []float64) (rho float64, n int) {
	var a, b []float64
	for i := range x {
		if x[i] == x[i] && y[i] == y[i] {
			a, b = append(a, x[i]), append(b, y[i])
		}
	}
	if n = len(a); n < 3 {
		return math.NaN(), n
	}
	ra, rb := ranks(a), ranks(b)
	mean := float64(n+1) / 2
	var xy, xx, yy float64
	for i := range ra {
		dx, dy := ra[i]-mean, rb[i]-mean
		xy, xx, yy = xy+dx*dy, xx+dx*dx, yy+dy*dy
	}
	if xx == 0 || yy == 0 {
		return math.NaN(), n
	}
	return xy / math.Sqrt(xx*yy), n
}

// ranks returns the ranks from 1 on.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return 0
	})
	out := make([]float64, len(x))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && x[order[to]] == x[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			out[i] = float64(from+to+1) / 2
		}
		from = to
	}
	return out
}

const (
	trees    = 60
	leaf     = 3  // rows that a leaf has at least
	deepest  = 12 // levels of a tree
	mostRows = 2000
	// FewestRows is of how many rows a forest is made at least.
	FewestRows = 10
)

// Forest returns how much each feature takes from the variance of y in a random forest of
// regression trees, as parts of 1, and of how many rows it was made: those whose y is a
// number. columns are the features by row; a text is a number for each value. NaN stands
// for a missing value, which goes its own way: below all others. All are 0 if nothing
// tells anything, nil if there are too few rows. The forest is the same for the same
// numbers.
func Forest(columns [][]float64, y []float64) (parts []float64, n int) {
	var rows []int
	for i, v := range y {
		if v-v == 0 {
			rows = append(rows, i)
		}
	}
	if n = len(rows); n < FewestRows || len(columns) == 0 {
		return nil, n
	}
	f := &forest{y: y, parts: make([]float64, len(columns)), r: rand.New(rand.NewPCG(1, 2))}
	for _, c := range columns {
		f.bins = append(f.bins, binned(c, rows))
	}
	f.tried = max(1, (len(columns)+2)/3)
	for range trees {
		bag := make([]int, min(n, mostRows))
		for i := range bag {
			bag[i] = rows[f.r.IntN(n)]
		}
		f.grow(bag, 0)
	}
	sum := 0.0
	for _, p := range f.parts {
		sum += p
	}
	for i := range f.parts {
		if sum > 0 {
			f.parts[i] /= sum
		}
	}
	return f.parts, n
}

// maxBins is in how many bins the values of a feature are put, about equally many in each:
// a tree is cut between them only, which takes a tenth of the time and tells as much.
const maxBins = 64

type forest struct {
	bins  [][]uint8 // of each feature by row; 0 = missing
	y     []float64
	parts []float64
	tried int // features that a split looks at
	r     *rand.Rand
}

// binned puts a feature's values into bins; equal ones are in the same.
func binned(c []float64, rows []int) []uint8 {
	var all []float64
	for _, r := range rows {
		if c[r] == c[r] {
			all = append(all, c[r])
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
	var edges []float64 // the least value of each bin but the first
	for i := 1; i < len(all); i++ {
		if all[i] != all[i-1] {
			edges = append(edges, all[i])
		}
	}
	if len(edges) >= maxBins {
		edges = edges[:0]
		for b := 1; b < maxBins; b++ {
			if e := all[b*len(all)/maxBins]; e > all[0] && (len(edges) == 0 || e > edges[len(edges)-1]) {
				edges = append(edges, e)
			}
		}
	}
	out := make([]uint8, len(c))
	for _, r := range rows {
		if c[r] == c[r] {
			at, equal := slices.BinarySearch(edges, c[r])
			if equal {
				at++
			}
			out[r] = uint8(at + 1)
		}
	}
	return out
}

// grow splits rows by the feature and the bin that take most of the variance, and so on.
func (f *forest) grow(rows []int, depth int) {
	if len(rows) < 2*leaf || depth == deepest {
		return
	}
	best, bestAt, gain := -1, 0, 0.0
	for _, k := range f.r.Perm(len(f.bins))[:f.tried] {
		if at, g := f.split(rows, k); g > gain {
			best, bestAt, gain = k, at, g
		}
	}
	if best < 0 {
		return
	}
	f.parts[best] += gain
	var low, high []int
	for _, r := range rows {
		if int(f.bins[best][r]) < bestAt {
			low = append(low, r)
		} else {
			high = append(high, r)
		}
	}
	f.grow(low, depth+1)
	f.grow(high, depth+1)
}

// split returns before which bin rows are best cut in two, and how much that takes from
// the sum of squares of y.
func (f *forest) split(rows []int, k int) (at int, gain float64) {
	var sums [maxBins + 2]float64
	var counts [maxBins + 2]int
	mean, square := 0.0, 0.0
	for _, r := range rows {
		mean += f.y[r]
	}
	n := float64(len(rows))
	mean /= n
	for _, r := range rows {
		d := f.y[r] - mean
		sums[f.bins[k][r]] += d
		counts[f.bins[k][r]]++
		square += d * d
	}
	left, below := 0.0, 0
	for b := 1; b < len(sums); b++ {
		left, below = left+sums[b-1], below+counts[b-1]
		if below < leaf || len(rows)-below < leaf || counts[b] == 0 {
			continue
		}
		// Squares of the sums on both sides; rounding alone is no gain.
		m := float64(below)
		if g := left * left * n / (m * (n - m)); g > gain && g > 1e-12*square {
			at, gain = b, g
		}
	}
	return at, gain
}
