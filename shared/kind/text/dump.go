//go:build !js

package text

import (
	"github.com/tensorbored/tensorbored-static/shared/answer"
)

// Dump implements dump.Kind: [{"wall_time", "step", "text": [element, …]}, …].
func (Kind) Dump(w answer.Writer, run, tag string, ask answer.Asker) error {
	q := Query{}.For(run, tag)
	q.Every = true
	n := 0
	w.Raw("[")
	err := ask(q, func(out *answer.Out) error {
		for _, p := range out.Parts.([]Part) {
			for _, item := range p.Items {
				if n++; n > 1 {
					w.Raw(", ")
				}
				w.Raw(`{"wall_time": `)
				if item.Wall == nil {
					w.Raw("null")
				} else {
					w.Number(*item.Wall)
				}
				w.Raw(`, "step": `)
				w.Number(float64(item.Step))
				w.Raw(`, "text": [`)
				for i, t := range item.Texts {
					if i > 0 {
						w.Raw(", ")
					}
					w.Text(t)
				}
				w.Raw("]}")
			}
		}
		return nil
	})
	w.Raw("]")
	return err
}
