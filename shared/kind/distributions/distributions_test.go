package distributions

import (
	"context"
	"math"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// Nine percentiles of each step in columns; what has no place is left out and counted.
func TestColumns(t *testing.T) {
	w := summary.NewBuffer(summary.Options{})
	for i := range 5 {
		b := summary.HistogramBuckets{{float64(i), float64(i + 10), 100}}
		if i == 3 {
			b = summary.HistogramBuckets{{math.NaN(), math.NaN(), 7}}
		}
		if err := w.HistogramRaw("w", b, int64(i), summary.WallSeconds(1000+float64(i))); err != nil {
			t.Fatal(err)
		}
	}
	m := source.Mem{"r/tfevents": w.Bytes()}
	c := catalog.New()
	if _, err := c.Load(context.Background(), m.Logdir()); err != nil {
		t.Fatal(err)
	}
	q := AllSteps.For("r", "w")
	j, err := Kind{}.Answerer(answer.World{Catalog: c}).Begin(&q)
	if err != nil {
		t.Fatal(err)
	}
	answers := 0
	if err := answer.Serve(t.Context(), m.Logdir(), j, func(out *answer.Out) error {
		answers++
		p := out.Parts.([]Part)[0]
		if p.N != 4 || p.Count != 5 || p.Bad != 1 || p.Why == "" || len(out.Words) != Columns*4 {
			t.Fatalf("%+v, %d words", p, len(out.Words))
		}
		column := func(k, i int) float64 { return math.Float64frombits(out.Words[k*p.N+i]) }
		for i, step := range []float64{0, 1, 2, 4} {
			if column(0, i) != step || column(1, i) != 1000+step || column(2, i) != step || column(10, i) != step+10 || math.Abs(column(6, i)-step-5) > 1e-9 {
				t.Errorf("step %v: %v, %v, from %v to %v, median %v", step, column(0, i), column(1, i), column(2, i), column(10, i), column(6, i))
			}
		}
		return nil
	}); err != nil || answers != 1 {
		t.Fatal(err, answers)
	}
}
