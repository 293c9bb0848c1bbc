package scalars

import (
	"math"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/series"
)

// Where steps go back a curve of its own begins, smoothed by itself; a series that goes
// back all the time is left whole.
func TestStretches(t *testing.T) {
	for _, c := range []struct {
		steps []float64
		want  []int
	}{
		{nil, []int{0}},
		{[]float64{1, 2, 2, 3}, []int{4}},
		{[]float64{1, 5, 3, 4}, []int{2, 4}},
		{[]float64{1, math.NaN(), 0, 4}, []int{2, 4}},
		{[]float64{3, 2, 1}, []int{1, 2, 3}},
	} {
		s := curves{points: series.Columns{Step: c.steps, Wall: c.steps, Value: c.steps}}
		if got := s.stretches(&Curves{Partition: true, X: "step"}); !slices.Equal(got, c.want) {
			t.Errorf("%v ends at %v, not %v", c.steps, got, c.want)
		}
		if got := s.stretches(&Curves{X: "step"}); !slices.Equal(got, []int{len(c.steps)}) {
			t.Errorf("%v is split unasked", c.steps)
		}
	}
	var mixed []float64
	for i := range 1000 {
		mixed = append(mixed, float64(i/2+100*(i%2)))
	}
	s := curves{points: series.Columns{Step: mixed, Wall: mixed, Value: mixed}}
	if got := s.stretches(&Curves{Partition: true, X: "step"}); len(got) != 1 {
		t.Errorf("two writers make %d pieces", len(got))
	}
}
