//go:build !js

package histograms

import (
	"math"
	"strconv"

	"github.com/tensorbored/tensorbored-static/shared/answer"
)

// Dump implements dump.Kind: [[wall time, step, [[left, right, count], …]], …].
func (Kind) Dump(w answer.Writer, run, tag string, ask answer.Asker) error {
	q := AllSteps.For(run, tag)
	q.Every = true
	n := 0
	w.Raw("[")
	err := ask(q, func(out *answer.Out) error {
		for _, p := range out.Parts.([]Part) {
			at := len(p.Steps)
			for i, step := range p.Steps {
				if n++; n > 1 {
					w.Raw(", ")
				}
				w.Raw("[")
				w.Number(math.Float64frombits(out.Words[i]))
				w.Raw(", " + strconv.FormatInt(step, 10) + ", [")
				for k := range p.Buckets[i] {
					if k > 0 {
						w.Raw(", ")
					}
					for c, mark := range [3]string{"[", ", ", ", "} {
						w.Raw(mark)
						w.Number(math.Float64frombits(out.Words[at+3*k+c]))
					}
					w.Raw("]")
				}
				at += 3 * p.Buckets[i]
				w.Raw("]]")
			}
		}
		return nil
	})
	w.Raw("]")
	return err
}
