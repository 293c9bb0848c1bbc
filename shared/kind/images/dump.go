//go:build !js

package images

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/tensorbored/tensorbored-static/shared/answer"
)

// Dump implements dump.Kind: for each sample a list of {"wall_time", "step", "blob":
// {"type", "bytes", "sha256"}}, as of the steps that have so many samples.
func (Kind) Dump(w answer.Writer, run, tag string, ask answer.Asker) error {
	q := Query{}.For(run, tag)
	q.Every = true
	type blob struct {
		item Item
		s    Sample
		sum  [sha256.Size]byte
	}
	var samples [][]blob
	err := ask(q, func(out *answer.Out) error {
		for _, p := range out.Parts.([]Part) {
			for _, item := range p.Items {
				for i, s := range item.Samples {
					if i == len(samples) {
						samples = append(samples, nil)
					}
					samples[i] = append(samples[i], blob{item, s, sha256.Sum256(out.Bytes[s.Offset : s.Offset+s.Length])})
				}
			}
		}
		return nil
	})
	w.Raw("[")
	for i, list := range samples {
		if i > 0 {
			w.Raw(", ")
		}
		w.Raw("[")
		for k, b := range list {
			if k > 0 {
				w.Raw(", ")
			}
			w.Raw(`{"wall_time": `)
			if b.item.Wall == nil {
				w.Raw("null")
			} else {
				w.Number(*b.item.Wall)
			}
			w.Raw(`, "step": ` + strconv.FormatInt(b.item.Step, 10) + `, "blob": {"type": `)
			w.Text(string(b.s.Format))
			w.Raw(`, "bytes": ` + strconv.Itoa(b.s.Length) + `, "sha256": "` + hex.EncodeToString(b.sum[:]) + `"}}`)
		}
		w.Raw("]")
	}
	w.Raw("]")
	return err
}
