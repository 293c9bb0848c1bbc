package scalars

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/wire"
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
	if got := tableOf(points, points.Value, []float64{30, 0}); got[AtValue] != 5 || got[EndValue] != 9 || got[GreatestValue] != 9 {
		t.Errorf("a range begins at its lesser end: %v", got)
	}
	if got := tableOf(points, points.Value, []float64{11, 12}); got[RangePoints] != 0 || !math.IsNaN(got[MeanValue]) {
		t.Errorf("a range without points: %v", got)
	}
}

// Of a job that began again times are since the start of its stretch, as in the answer with
// the curves.
func TestTableOfRestart(t *testing.T) {
	w := summary.NewBuffer(summary.Options{Clock: func() time.Time { return time.Unix(1000, 0) }})
	for i, step := range []int64{0, 10, 20, 30, 15, 25, 35, 45} {
		if err := w.Scalar("a", 1, step, summary.WallSeconds(1000+100*float64(i))); err != nil {
			t.Fatal(err)
		}
	}
	c := catalog.New()
	if _, err := c.Load(context.Background(), source.Mem{"run/events.out.tfevents.1.a": w.Bytes()}.Logdir()); err != nil {
		t.Fatal(err)
	}
	for step, want := range map[float64][2]float64{20: {1000, 1200}, 25: {1400, 1500}, 44: {1400, 1700}} {
		for partition, start := range map[bool]float64{true: want[0], false: 1000} {
			var s curves
			words, parts := s.table(c, &Curves{Tag: "a", Runs: []string{"run"}, X: wire.ByStep, Partition: partition, Table: []float64{step}}, nil)
			if len(parts) != 1 || parts[0].Start != start || math.Float64frombits(words[AtWall]) != want[1] {
				t.Errorf("at %v: %+v at %v, want %v and %v", step, parts, math.Float64frombits(words[AtWall]), start, want[1])
			}
		}
	}
}
