package series

import (
	"math"
	"testing"
)

func TestStep(t *testing.T) {
	for _, want := range []int64{0, 1, -1, 1 << 53, math.MaxInt64, math.MinInt64, math.MinInt64 + 1024} {
		if got := Step(float64(want)); got != want {
			t.Errorf("%d is %d", want, got)
		}
	}
	if Step(math.NaN()) != 0 || Step(math.Inf(1)) != math.MaxInt64 || Step(math.Inf(-1)) != math.MinInt64 {
		t.Error("what is no number")
	}
}
