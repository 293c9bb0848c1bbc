//go:build !js

package scalars

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// written is what a dump writes.
type written struct{ strings.Builder }

func (w *written) Raw(text string)  { w.WriteString(text) }
func (w *written) Text(s string)    { fmt.Fprintf(w, "%q", s) }
func (w *written) Number(x float64) { fmt.Fprint(w, x) }

// A dump holds wall time, step and value of each point of all pieces, whatever its value is.
func TestDump(t *testing.T) {
	c := logged(t, map[string][]point{"a": {{1000, 5, 0.25}, {1007, 9, -3}, {1019, 12, 8}}, "b": {{1, 2, 3}}})
	asker := func(q wire.Query, got func(*answer.Out) error) error {
		if !q.Every {
			return errors.New("not every point is asked for")
		}
		j, err := Kind{}.Answerer(answer.World{Catalog: c}).Begin(&q)
		if err != nil {
			return err
		}
		for {
			out := answer.Out{Words: []uint64{7, 8, 9}} // what is there already is left
			s := j.Next(&out)
			if len(out.Parts.(Parts)) > 0 {
				if err := got(&out); err != nil {
					return err
				}
			}
			if !s.More {
				return nil
			}
		}
	}
	for run, want := range map[string]string{"a": "[[1000, 5, 0.25], [1007, 9, -3], [1019, 12, 8]]", "b": "[[1, 2, 3]]", "none": "[]"} {
		var w written
		if err := (Kind{}).Dump(&w, run, "t", asker); err != nil || w.String() != want {
			t.Errorf("%s: %s, %v; want %s", run, w.String(), err, want)
		}
	}
}
