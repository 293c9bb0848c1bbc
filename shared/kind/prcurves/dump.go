//go:build !js

package prcurves

import (
	"math"
	"strconv"

	"github.com/tensorbored/tensorbored-static/shared/answer"
)

// Dump implements dump.Kind: {run: [{"wall_time", "step", "thresholds": […], …}, …]}, as
// TensorBoard's route for the run and tag.
func (Kind) Dump(w answer.Writer, run, tag string, ask answer.Asker) error {
	q := Query{}.For([]string{run}, tag)
	q.Every = true
	w.Raw("{")
	w.Text(run)
	w.Raw(": [")
	comma := ""
	err := ask(q, func(out *answer.Out) error {
		at := 0
		for _, p := range out.Parts.([]Part) {
			for _, c := range p.Curves {
				if c.N == 0 {
					continue
				}
				w.Raw(comma + `{"wall_time": `)
				comma = ", "
				if c.Wall == nil {
					w.Raw("null")
				} else {
					w.Number(*c.Wall)
				}
				w.Raw(`, "step": ` + strconv.FormatInt(c.Step, 10))
				for k, name := range []string{"thresholds", "true_positives", "false_positives", "true_negatives", "false_negatives", "precision", "recall"} {
					w.Raw(`, "` + name + `": [`)
					for i := range c.N {
						if i > 0 {
							w.Raw(", ")
						}
						x := math.Float64frombits(out.Words[at+k*c.N+i])
						if k >= 1 && k <= 4 {
							x = math.Trunc(x) // whole numbers there
						}
						w.Number(x)
					}
					w.Raw("]")
				}
				w.Raw("}")
				at += c.N*Columns + 5
			}
		}
		return nil
	})
	w.Raw("]}")
	return err
}
