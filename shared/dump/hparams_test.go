package dump

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/kinds"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// wholeSections are the sections that a dump has about all runs together.
func wholeSections(t *testing.T, m source.Mem) map[string]any {
	t.Helper()
	c := catalog.New()
	if _, err := c.Load(context.Background(), m.Logdir()); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(t.Context(), &b, c, m.Logdir(), kinds.All()); err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(b.Bytes(), &all); err != nil {
		t.Fatalf("%v in %.2000s", err, b.Bytes())
	}
	return all
}

// TestGoldenHParams: of every writer's hyperparameters we read what TensorBoard reads. See
// testdata/README.md.
func TestGoldenHParams(t *testing.T) {
	b, err := os.ReadFile("testdata/hparams.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]map[string]any
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	for name, least := range map[string]int{"tensorflow": 60, "pytorch": 40, "tensorboardX": 40, "tensorbored": 40} {
		got := wholeSections(t, logdir(t, path.Join("testdata", name)))
		n := 0
		for section, w := range want[name] {
			if where := differ(got[section], w, name+" "+section, &n); where != "" {
				t.Error(where)
			}
		}
		if n < least {
			t.Errorf("%s: only %d values compared", name, n)
		}
	}
}

// Every run's hyperparameters and metrics are there, where TensorBoard has the columns of
// the first experiment alone; of repetitions the metrics are the mean.
func TestHParamsOfAllExperiments(t *testing.T) {
	m := source.Mem{}
	add := func(run string, write func(w *summary.Buffer) error) {
		t.Helper()
		w := summary.NewBuffer(summary.Options{})
		if err := write(w); err != nil {
			t.Fatal(err)
		}
		m[run+"/tfevents"] = w.Bytes()
	}
	add("a", func(w *summary.Buffer) error {
		w.Scalar("acc", 0.25, 1)
		w.Scalar("acc", 0.5, 2)
		return w.HParams(map[string]any{"lr": 0.1}, []string{"acc"})
	})
	add("b", func(w *summary.Buffer) error {
		w.Scalar("loss", 3, 7)
		w.Scalar("acc", 1, 4)
		w.HParamsEnd(summary.Failed)
		return w.HParams(map[string]any{"lr": "auto", "depth": nil}, []string{"loss"})
	})
	add("c", func(w *summary.Buffer) error { // of the same group as a
		w.Scalar("acc", 1, 4)
		return w.HParamsStart(summary.Session{HParams: map[string]any{"lr": 0.1, "extra": true}, Group: "0dd"})
	})
	add("d", func(w *summary.Buffer) error {
		return w.HParamsStart(summary.Session{HParams: map[string]any{"lr": 0.3}, Group: "0dd"})
	})
	add("c/eval", func(w *summary.Buffer) error { return w.Scalar("acc", 9, 4) })
	got := wholeSections(t, m)

	names := func(list any, of func(map[string]any) any) (out []any) {
		for _, x := range list.([]any) {
			out = append(out, of(x.(map[string]any)))
		}
		return out
	}
	n := 0
	experiment := got["hparams_experiment"].(map[string]any)
	if where := differ(names(experiment["hparamInfos"], func(p map[string]any) any { return p["name"] }), []any{"depth", "extra", "lr"}, "hyperparameters", &n); where != "" {
		t.Error(where)
	}
	if where := differ(names(experiment["metricInfos"], func(p map[string]any) any { return p["name"] }),
		[]any{map[string]any{"group": "", "tag": "acc"}, map[string]any{"group": "", "tag": "loss"}}, "metrics", &n); where != "" {
		t.Error(where)
	}
	for _, g := range got["hparams_session_groups"].(map[string]any)["sessionGroups"].([]any) {
		g := g.(map[string]any)
		sessions, metrics := g["sessions"].([]any), g["metricValues"].([]any)
		switch first := sessions[0].(map[string]any); first["name"] {
		case "b":
			if lr := g["hparams"].(map[string]any); lr["lr"] != "auto" || lr["depth"] != nil || first["status"] != "STATUS_FAILURE" || len(metrics) != 2 {
				t.Errorf("b is %v", g)
			}
		case "c":
			if len(sessions) != 2 || len(metrics) != 1 || metrics[0].(map[string]any)["value"] != 1.0 || g["hparams"].(map[string]any)["extra"] != true {
				t.Errorf("the group 0dd is %v", g)
			}
		}
	}
}

// TestGoldenLayouts: the layout of custom scalars is the one that TensorBoard reads. See
// testdata/README.md.
func TestGoldenLayouts(t *testing.T) {
	b, err := os.ReadFile("testdata/custom_scalars.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	n := 0
	for name, w := range want {
		if where := differ(wholeSections(t, logdir(t, path.Join("testdata", name)))["custom_scalars_layout"], w, name, &n); where != "" {
			t.Error(where)
		}
	}
	if n < 10 {
		t.Errorf("only %d values compared", n)
	}
}
