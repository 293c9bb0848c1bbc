package runtable

import (
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/hparams"
)

const (
	mostTelling = 12 // hyperparameters that a name has at most …
	mostValue   = 80 // … and bytes of the value of each
)

// telling are the columns of hyperparameters that tell rows apart: of those that differ, in
// the experiment's order, each one that parts rows which are alike in those before it.
func (d *Data) telling(e *hparams.Experiment, rows []int) (out []Key) {
	alike := make([]int, len(rows)) // the class of each row
	classes := 1
	type pair struct {
		class int
		rank  int32
	}
	for _, k := range d.Differing(d.Params(e), rows) {
		ranks, next, seen := d.Column(k).ranks(), make([]int, len(rows)), map[pair]int{}
		for i, r := range rows {
			p := pair{alike[i], ranks[r]}
			if _, ok := seen[p]; !ok {
				seen[p] = len(seen)
			}
			next[i] = seen[p]
		}
		if len(seen) > classes {
			out, alike, classes = append(out, k), next, len(seen)
		}
		if len(out) == mostTelling {
			break
		}
	}
	return out
}

// Called are names for runs, of the hyperparameters that tell them apart: "lr=0.1, opt=sgd".
// A run below its session's has its path from there too, "lr=0.1, opt=sgd · eval", and where
// two would be called the same each has the whole of its own name. Runs without a session
// have none. It is nil where no hyperparameter differs.
func (d *Data) Called(e *hparams.Experiment) map[string]string {
	rows, members := d.Units(false)
	if len(d.Sessions) == 0 {
		return nil
	}
	keys := d.telling(e, rows)
	if len(keys) == 0 {
		return nil
	}
	called, runs := map[string]string{}, map[string][]string{}
	for _, row := range rows {
		var parts []string
		for _, k := range keys {
			c := d.Column(k)
			text := strings.Join(strings.Fields(c.Format(k, c.Cells[row], false)), " ")
			if len(text) > mostValue {
				text = strings.ToValidUTF8(text[:mostValue], "") + "…"
			}
			if text != "" {
				parts = append(parts, k.Name+"="+text)
			}
		}
		name := strings.Join(parts, ", ")
		if name == "" {
			continue
		}
		for _, run := range members[row] {
			own := name
			if below := hparams.GroupOf(d.Owner(d.Row(run)), run); below != "" {
				own += " · " + below
			}
			called[run], runs[own] = own, append(runs[own], run)
		}
	}
	for name, same := range runs {
		if len(same) > 1 {
			for _, run := range same {
				called[run] = name + " · " + run
			}
		}
	}
	return called
}
