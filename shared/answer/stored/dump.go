//go:build !js

package stored

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Dumped is what a dump says of a sample.
type Dumped struct {
	Place
	Type string // media type
	// Label and Content are there for kinds that have them.
	Label, Content *string
}

// DumpSamples writes the samples of all values: for each number of a sample a list over
// the steps, as TensorBoard's routes do, each blob by its length and SHA-256.
func DumpSamples[S any](w answer.Writer, q wire.Query, ask answer.Asker, of func(*S) Dumped) error {
	type blob struct {
		Dumped
		step int64
		wall *float64
		sum  [sha256.Size]byte
	}
	var all [][]blob
	q.Every = true
	err := ask(q, func(out *answer.Out) error {
		for _, p := range out.Parts.([]Part[S]) {
			for _, item := range p.Items {
				for i := range item.Samples {
					if i == len(all) {
						all = append(all, nil)
					}
					d := of(&item.Samples[i])
					all[i] = append(all[i], blob{d, item.Step, item.Wall, sha256.Sum256(out.Bytes[d.Offset : d.Offset+d.Length])})
				}
			}
		}
		return nil
	})
	w.Raw("[")
	for i, list := range all {
		if i > 0 {
			w.Raw(", ")
		}
		w.Raw("[")
		for k, b := range list {
			if k > 0 {
				w.Raw(", ")
			}
			w.Raw(`{"wall_time": `)
			if b.wall == nil {
				w.Raw("null")
			} else {
				w.Number(*b.wall)
			}
			w.Raw(`, "step": ` + strconv.FormatInt(b.step, 10))
			if b.Content != nil {
				w.Raw(`, "contentType": `)
				w.Text(*b.Content)
			}
			if b.Label != nil {
				w.Raw(`, "label": `)
				w.Text(*b.Label)
			}
			w.Raw(`, "blob": {"type": `)
			w.Text(b.Type)
			w.Raw(`, "bytes": ` + strconv.Itoa(b.Length) + `, "sha256": "` + hex.EncodeToString(b.sum[:]) + `"}}`)
		}
		w.Raw("]")
	}
	w.Raw("]")
	return err
}
