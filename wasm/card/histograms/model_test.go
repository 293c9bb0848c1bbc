package histograms

import (
	"math"
	"testing"
)

func TestRange(t *testing.T) {
	for text, want := range map[string][2]int64{
		"": {0, -1}, "3:7": {3, 7}, "-7:-3": {-7, -3}, "7:3": {0, -1}, "x:3": {0, -1}, "3": {0, -1}, "3:": {0, -1},
		rangeText(math.MinInt64, math.MaxInt64): {math.MinInt64, math.MaxInt64},
	} {
		if from, to := rangeOf(text); [2]int64{from, to} != want {
			t.Errorf("%q: %d to %d, want %v", text, from, to, want)
		}
	}
}

func TestSlicesOf(t *testing.T) {
	for h, want := range map[float64]int{0: 50, 200: 400, 5000: 1000} {
		if got := slicesOf(h); got != want {
			t.Errorf("%v: %d, want %d", h, got, want)
		}
	}
}
