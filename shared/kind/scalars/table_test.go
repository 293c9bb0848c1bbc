package scalars

import (
	"math"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/series"
)

func TestTable(t *testing.T) {
	points := &series.Columns{
		Step:  []float64{0, 10, 20, 20, 30},
		Wall:  []float64{100, 101, 102, 103, 104},
		Value: []float64{5, 1, math.NaN(), 3, 9},
	}
	one := tableOf(points, points.Value, []float64{15}) // as close to 10 as to 20
	if one[AtStep] != 10 || one[AtValue] != 1 || one[AtWall] != 101 || !math.IsNaN(one[EndStep]) || !math.IsNaN(one[MeanValue]) {
		t.Errorf("at 15: %v", one)
	}
	if got := tableOf(points, points.Value, []float64{21}); got[AtWall] != 103 {
		t.Errorf("of two points of one step the last counts: %v", got)
	}
	for _, steps := range [][]float64{{0, 20}, {-5, 29}} {
		got := tableOf(points, points.Value, steps)
		if got[LeastValue] != 1 || got[LeastStep] != 10 || got[GreatestValue] != 5 || got[GreatestStep] != 0 || got[MeanValue] != 3 || got[RangePoints] != 3 {
			t.Errorf("%v: %v", steps, got)
		}
	}
	if got := tableOf(points, points.Value, []float64{30, 0}); got[AtValue] != 9 || got[EndValue] != 5 || got[GreatestValue] != 9 {
		t.Errorf("a range the other way round: %v", got)
	}
	if got := tableOf(points, points.Value, []float64{11, 12}); got[RangePoints] != 0 || !math.IsNaN(got[MeanValue]) {
		t.Errorf("a range without points: %v", got)
	}
}
