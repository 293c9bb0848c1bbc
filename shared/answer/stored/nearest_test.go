package stored

import (
	"math"
	"testing"
)

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		steps []int64
		to    int64
		want  int
	}{
		{nil, 3, -1}, {[]int64{5}, -9, 0}, {[]int64{0, 10, 20}, 14, 1}, {[]int64{0, 10, 20}, 15, 1}, {[]int64{20, 10, 0}, 15, 1},
		{[]int64{0, 10, 10, 20}, 10, 2}, {[]int64{-5, 5}, 0, 0}, {[]int64{math.MinInt64, math.MaxInt64}, 0, 1}, {[]int64{math.MinInt64}, math.MaxInt64, 0},
	} {
		if got := Nearest(c.steps, c.to); got != c.want {
			t.Errorf("nearest to %d of %d is number %d, not %d", c.to, c.steps, got, c.want)
		}
	}
}
