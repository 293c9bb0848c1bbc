package scalars

import (
	"fmt"
	"math"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// BenchmarkJob is what a moving slider asks for: a thousand short curves.
func BenchmarkJob(b *testing.B) {
	w := summary.NewBuffer(summary.Options{})
	for step := range int64(200) {
		w.Scalar("t", math.Sin(float64(step)), step)
	}
	c := catalog.New()
	q := Curves{Tag: "t", Weight: 0.6, Pixels: 600, X: "step"}
	for i := range 1000 {
		name := fmt.Sprint("run", i)
		c.Run(name).AddFile(name+"/tfevents").Feed(w.Bytes(), true)
		q.Runs = append(q.Runs, name)
	}
	a := Kind{}.Answerer(answer.World{Catalog: c})
	wq := q.Query()
	var out answer.Out
	b.ReportAllocs()
	for b.Loop() {
		j, err := a.Begin(&wq)
		if err != nil {
			b.Fatal(err)
		}
		out.Parts, out.Words = nil, out.Words[:0]
		for j.Next(&out).Busy {
		}
	}
}
