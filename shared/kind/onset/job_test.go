package onset

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// A run's tags are listed in the order in which they left their range: the cause before what
// follows from it.
func TestJob(t *testing.T) {
	w := summary.NewBuffer(summary.Options{})
	for i := range int64(200) {
		x := float64(i)
		wave := 0.1 * math.Sin(x)
		loss, norm, acc := 1+wave, 2+wave, 0.5+wave
		if i >= 150 {
			norm = 500
		}
		if i >= 153 {
			loss = math.NaN()
		}
		if i >= 153 {
			acc = 9
		}
		for tag, v := range map[string]float64{"loss": loss, "grad/norm": norm, "lr": 0.001, "acc": acc} {
			if err := w.Scalar(tag, v, 10*i); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range int64(20_000) { // logged a hundred times as often
		if err := w.Scalar("fast", math.Cos(float64(i)), i/10); err != nil {
			t.Fatal(err)
		}
	}
	m := source.Mem{"r/tfevents": w.Bytes()}
	c := catalog.New()
	if _, err := c.Load(context.Background(), m.Logdir()); err != nil {
		t.Fatal(err)
	}
	q := Query{Step: 1530, Tag: "loss"}.For("r")
	j, err := Kind{}.Answerer(answer.World{Catalog: c}).Begin(&q)
	if err != nil {
		t.Fatal(err)
	}
	var out answer.Out
	for s := j.Next(&out); s.Busy; s = j.Next(&out) {
	}
	parts := out.Parts.([]Part)
	if len(parts) != 1 {
		t.Fatalf("%d parts", len(parts))
	}
	p := parts[0]
	var tags []string
	for _, l := range p.List {
		tags = append(tags, l.Tag)
	}
	if !slices.Equal(tags, []string{"grad/norm", "loss", "acc"}) || p.List[0].Step != 1500 || p.List[1].Value != nil || p.List[2].Step != 1530 || *p.List[2].Value != 9 {
		t.Errorf("listed %q: %+v", tags, p)
	}
	if p.Checked != 5 || p.Left != 3 || p.From != 1040 {
		t.Errorf("checked %d, left %d, from %v", p.Checked, p.Left, p.From)
	}
	if _, err := json.Marshal(parts); err != nil {
		t.Error(err)
	}
}
