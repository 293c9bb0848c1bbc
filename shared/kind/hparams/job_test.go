//go:build !js

package hparams

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/hparams"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// logged reads files that write makes, by run.
func logged(t *testing.T, runs map[string]func(w *summary.Buffer) error) (*catalog.Catalog, source.Mem) {
	t.Helper()
	m := source.Mem{}
	for name, write := range runs {
		w := summary.NewBuffer(summary.Options{})
		if err := write(w); err != nil {
			t.Fatal(err)
		}
		m[name+"/tfevents"] = w.Bytes()
	}
	c := catalog.New()
	if _, err := c.Load(context.Background(), m.Logdir()); err != nil {
		t.Fatal(err)
	}
	return c, m
}

// ask runs a query and returns its part and the buffer.
func ask(t *testing.T, a answer.Answerer, w wire.Query) (p Part, buffer []byte) {
	t.Helper()
	j, err := a.Begin(&w)
	if err != nil {
		t.Fatal(err)
	}
	var out answer.Out
	if s := j.Next(&out); s.More || len(s.Need) > 0 {
		t.Fatalf("not answered at once: %+v", s)
	}
	for _, part := range out.Parts.([]Part) {
		p = part
	}
	return p, bytesOf(out.Words)
}

func TestSessions(t *testing.T) {
	c, _ := logged(t, map[string]func(w *summary.Buffer) error{
		"a": func(w *summary.Buffer) error {
			w.HParamsEnd(summary.Succeeded, summary.WallSeconds(200))
			return w.HParams(map[string]any{"lr": 0.1, "opt": "adam", "bn": true, "none": nil, "nan": math.NaN()}, []string{"acc"}, summary.WallSeconds(100))
		},
		"b": func(w *summary.Buffer) error { return w.HParams(map[string]any{"lr": 0.2}, []string{"acc"}) },
		"c": func(w *summary.Buffer) error { return w.HParams(map[string]any{"lr": 0.3}, []string{"acc"}) },
		"d": func(w *summary.Buffer) error { return w.Scalar("acc", 1, 1) },
		"broken": func(w *summary.Buffer) error {
			m := summary.Metadata{Plugin: "hparams", Content: []byte("\x1a\x7f")}
			return w.Raw(summary.Event{Values: []summary.Value{summary.TensorValue(hparams.StartTag, summary.FloatTensor([]int64{0}), m)}})
		},
	})
	a := Kind{}.Answerer(answer.World{Catalog: c})
	p, buffer := ask(t, a, Query{}.For([]string{"a", "b", "c", "d", "broken", "nobody"}))
	if !reflect.DeepEqual(p.Runs, []string{"a", "b", "c"}) || !reflect.DeepEqual(p.Damaged, []string{"broken"}) {
		t.Fatalf("sessions of %q, damaged %q", p.Runs, p.Damaged)
	}
	if len(p.Experiments) != 2 { // that of b and c is the same
		t.Errorf("%d experiments", len(p.Experiments))
	}
	s := Sessions(p, buffer)
	if got := s["a"]; got.Status != hparams.Success || got.Start != 100 || got.End != 200 || len(got.Group) != 64 {
		t.Errorf("a is %+v", got)
	}
	var text string
	for _, v := range s["a"].Params {
		text += v.Name + "=" + v.Value.String() + " "
	}
	if text != "bn=true lr=0.1 nan=NaN none=None opt=adam " {
		t.Errorf("a has %s", text)
	}
	if v := s["c"].Params[0].Value; v.Num != 0.3 {
		t.Errorf("c has %v", v)
	}
}

func TestNumbers(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	c, _ := logged(t, map[string]func(w *summary.Buffer) error{
		"a": func(w *summary.Buffer) error {
			for i, v := range []float64{3, nan, -1, inf, 7, 3} {
				w.Scalar("loss", v, int64(10*i))
			}
			return w.Scalar("nan", nan, 1)
		},
		"b": func(w *summary.Buffer) error { return w.Text("loss", "no number", 1) },
	})
	a := Kind{}.Answerer(answer.World{Catalog: c})
	columns := []Column{{"loss", Last, 0}, {"loss", First, 0}, {"loss", Least, 0}, {"loss", Greatest, 0}, {"loss", Mean, 0}, {"loss", At, 24}, {"loss", At, 25}, {"loss", At, -5}, {"nan", Last, 0}, {"nan", Mean, 0}, {"other", Last, 0},
		{"loss", LastStep, 0}, {"loss", LeastStep, 0}, {"loss", GreatestStep, 0}, {"nan", LastStep, 0}, {"nan", LeastStep, 0}, {"other", LastStep, 0}}
	want := []string{"3", "3", "-1", "7", "3", "-1", "-1", "3", "NaN", "-", "-", "50", "20", "40", "1", "-", "-"}
	for range 2 { // computed, and remembered
		p, buffer := ask(t, a, Query{Columns: columns}.For([]string{"b", "a", "nobody"}))
		got := map[string][]string{}
		Numbers(p, buffer, len(columns), func(run string, numbers []float64, ok []bool) {
			for i, x := range numbers {
				if !ok[i] {
					got[run] = append(got[run], "-")
				} else {
					got[run] = append(got[run], fmt.Sprint(x))
				}
			}
		})
		if !reflect.DeepEqual(got["a"], want) {
			t.Errorf("a has %q, want %q", got["a"], want)
		}
		for i, x := range got["b"] {
			if x != "-" {
				t.Errorf("b has %s in column %d", x, i)
			}
		}
		if len(got) != 2 || p.Thinned != 0 {
			t.Errorf("answered for %d runs, %d thinned", len(got), p.Thinned)
		}
	}
	for _, q := range []wire.Query{{Body: []byte(`{"columns":[{"of":"median"}]}`)}, {Body: []byte(`[]`)}} {
		if _, err := a.Begin(&q); err == nil {
			t.Errorf("%s was taken", q.Body)
		}
	}
}

// What was remembered of a series is not said of it when it has grown, or has become
// another.
func TestNumbersFollow(t *testing.T) {
	m := source.Mem{}
	w := summary.NewBuffer(summary.Options{})
	w.Scalar("loss", 1, 1)
	m["a/tfevents"] = w.Bytes()
	c := catalog.New()
	a := Kind{}.Answerer(answer.World{Catalog: c})
	last := func() (x float64) {
		t.Helper()
		if _, err := c.Load(t.Context(), m.Logdir()); err != nil {
			t.Fatal(err)
		}
		p, buffer := ask(t, a, Query{Columns: []Column{{"loss", Last, 0}}}.For([]string{"a"}))
		Numbers(p, buffer, 1, func(_ string, n []float64, _ []bool) { x = n[0] })
		return x
	}
	if x := last(); x != 1 {
		t.Errorf("%v", x)
	}
	w.Scalar("loss", 5, 2)
	c = catalog.New()
	a.(*answerer).c = c
	m["a/tfevents"] = w.Bytes()
	if x := last(); x != 5 {
		t.Errorf("grown: %v", x)
	}
}

// The smoothed number of a column is the last value that TensorBoard's slider shows.
func TestSmoothed(t *testing.T) {
	c, _ := logged(t, map[string]func(w *summary.Buffer) error{
		"a": func(w *summary.Buffer) error {
			for i, v := range []float64{9, 1, math.NaN(), 3} {
				if err := w.Scalar("loss", v, int64(i), summary.WallSeconds(float64(100+i))); err != nil {
					return err
				}
			}
			return nil
		},
		"none": func(w *summary.Buffer) error { return w.Scalar("other", 1, 0) },
	})
	a := Kind{}.Answerer(answer.World{Catalog: c})
	p, b := ask(t, a, Query{Columns: []Column{{Tag: "loss", Of: Smoothed, Step: 600}, {Tag: "loss", Of: Smoothed}}}.For([]string{"a", "none"}))
	Numbers(p, b, 2, func(run string, x []float64, ok []bool) {
		// 9, 4, 3.4898: s = 0.6 s + 0.4 v, over 1 − 0.6ⁿ of the finite ones.
		if want := 2.736 / 0.784; run == "a" && (!ok[0] || !ok[1] || math.Abs(x[0]-want) > 1e-12 || x[1] != 3) || run == "none" && (ok[0] || ok[1]) {
			t.Errorf("%s: %v %v", run, x, ok)
		}
	})
	if len(p.Runs) != 2 {
		t.Errorf("answered of %q", p.Runs)
	}
}
