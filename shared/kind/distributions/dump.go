//go:build !js

package distributions

import (
	"math"
	"strconv"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/histogram"
)

// Dump implements dump.Kind: [[wall time, step, [[basis point, value], …]], …].
func (Kind) Dump(w answer.Writer, run, tag string, ask answer.Asker) error {
	q := AllSteps.For(run, tag)
	q.Every = true
	n := 0
	w.Raw("[")
	err := ask(q, func(out *answer.Out) error {
		for _, p := range out.Parts.([]Part) {
			column := func(k, i int) float64 { return math.Float64frombits(out.Words[k*p.N+i]) }
			for i := range p.N {
				if n++; n > 1 {
					w.Raw(", ")
				}
				w.Raw("[")
				w.Number(column(1, i))
				w.Raw(", ")
				w.Number(column(0, i))
				w.Raw(", ")
				for k, point := range histogram.Points {
					w.Raw(map[bool]string{true: "[[", false: ", ["}[k == 0] + strconv.Itoa(int(point)) + ", ")
					w.Number(column(2+k, i))
					w.Raw("]")
				}
				w.Raw("]]")
			}
		}
		return nil
	})
	w.Raw("]")
	return err
}
