//go:build !js

package scalars

import (
	"math"

	"github.com/tensorbored/tensorbored-static/shared/answer"
)

// Dump implements dump.Kind: [[wall time, step, value], …], every point in file order
// after restarts.
func (Kind) Dump(w answer.Writer, run, tag string, ask answer.Asker) error {
	q := Curves{Tag: tag, Runs: []string{run}}.Query()
	q.Every = true
	n := 0
	w.Raw("[")
	err := ask(q, func(out *answer.Out) error {
		for _, p := range out.Parts.(Parts) {
			column := func(k, i int) float64 { return math.Float64frombits(out.Words[p.Offset/8+k*p.N+i]) }
			for i := range p.N {
				if n++; n > 1 {
					w.Raw(", ")
				}
				w.Raw("[")
				w.Number(column(1, i))
				w.Raw(", ")
				w.Number(column(0, i))
				w.Raw(", ")
				w.Number(column(2, i))
				w.Raw("]")
			}
		}
		return nil
	})
	w.Raw("]")
	return err
}
