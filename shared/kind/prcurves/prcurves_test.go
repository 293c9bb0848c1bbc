package prcurves

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/answer/answertest"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 || math.IsNaN(a) && math.IsNaN(b) }

// of is the curve of labels and scores at n thresholds.
func of(t *testing.T, n int, labels []bool, scores []float64) Curve {
	t.Helper()
	var c Curve
	c.Thresholds = n
	for i := range n {
		at := float64(i) / float64(n-1)
		var tp, fp, tn, fn float64
		for k, y := range labels {
			switch called := scores[k] >= at; {
			case called && y:
				tp++
			case called:
				fp++
			case y:
				fn++
			default:
				tn++
			}
		}
		if tp+fp == 0 {
			break
		}
		c.TP, c.FP, c.TN, c.FN = append(c.TP, tp), append(c.FP, fp), append(c.TN, tn), append(c.FN, fn)
		c.Precision, c.Recall = append(c.Precision, tp/(tp+fp)), append(c.Recall, tp/(tp+fn))
	}
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	return c
}

// The measures are those that scikit-learn defines: average_precision_score, auc of
// precision_recall_curve, roc_auc_score, and the greatest F1 over its curve.
func TestMeasures(t *testing.T) {
	yes, no := true, false
	for name, c := range map[string]struct {
		labels []bool
		scores []float64
		want   Measures
	}{
		// The example of scikit-learn's documentation.
		"example":          {[]bool{no, no, yes, yes}, []float64{0.1, 0.4, 0.35, 0.8}, Measures{0.8333333333, 0.7916666667, 0.75, 0.8, 0.11}},
		"perfect":          {[]bool{no, no, yes, yes}, []float64{0.1, 0.2, 0.7, 0.9}, Measures{1, 1, 1, 1, 0.21}},
		"worst":            {[]bool{yes, yes, no, no}, []float64{0.1, 0.2, 0.7, 0.9}, Measures{0.4166666667, 0.2916666667, 0, 2.0 / 3, 0}},
		"all say the same": {[]bool{yes, no, no, no}, []float64{0.5, 0.5, 0.5, 0.5}, Measures{0.25, 0.625, 0.5, 0.4, 0}},
		"ties":             {[]bool{yes, no, yes, no, yes}, []float64{0.9, 0.9, 0.6, 0.3, 0.3}, Measures{0.5888888889, 0.6555555556, 0.5, 0.75, 0}},
	} {
		cv := of(t, 101, c.labels, c.scores)
		m := cv.Measures()
		if !near(m.AP, c.want.AP) || !near(m.PR, c.want.PR) || !near(m.ROC, c.want.ROC) || !near(m.F1, c.want.F1) || !near(m.At, c.want.At) {
			t.Errorf("%s: %+v, want %+v", name, m, c.want)
		}
	}
	// Without positives precision over recall says nothing, without negatives ROC.
	m := (&Curve{Thresholds: 2, TP: []float64{0, 0}, FP: []float64{5, 2}, TN: []float64{0, 3}, FN: []float64{0, 0}, Precision: []float64{0, 0}, Recall: []float64{0, 0}}).Measures()
	if !math.IsNaN(m.AP) || !math.IsNaN(m.PR) || !math.IsNaN(m.F1) || !math.IsNaN(m.ROC) {
		t.Errorf("without positives: %+v", m)
	}
	m = (&Curve{Thresholds: 2, TP: []float64{5, 2}, FP: []float64{0, 0}, TN: []float64{0, 0}, FN: []float64{0, 3}, Precision: []float64{1, 1}, Recall: []float64{1, 0.4}}).Measures()
	if m.AP != 1 || m.PR != 1 || m.F1 != 1 || !math.IsNaN(m.ROC) {
		t.Errorf("without negatives: %+v", m)
	}
}

func logged(t *testing.T, write func(w *summary.Buffer)) (answer.Answerer, source.Mem) {
	t.Helper()
	w := summary.NewBuffer(summary.Options{})
	write(w)
	m := source.Mem{"r/tfevents": w.Bytes()}
	c := catalog.New()
	if _, err := c.Load(context.Background(), m.Logdir()); err != nil {
		t.Fatal(err)
	}
	return Kind{}.Answerer(answer.World{Catalog: c}), m
}

func ask(t *testing.T, a answer.Answerer, m source.Mem, q Query, runs ...string) (parts []Part, words [][]float64, reads int) {
	t.Helper()
	w := q.For(runs, "pr")
	j, err := a.Begin(&w)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Serve(t.Context(), m.Logdir(), answertest.Counting(j, &reads), func(out *answer.Out) error {
		at := 0
		for _, p := range out.Parts.([]Part) {
			n := 7 * p.Over
			for _, c := range p.Curves {
				if c.N > 0 {
					n += c.N*Columns + 5
				}
			}
			var list []float64
			for _, x := range out.Words[at : at+n] {
				list = append(list, math.Float64frombits(x))
			}
			at += n
			parts, words = append(parts, p), append(words, list)
		}
		if at != len(out.Words) {
			t.Errorf("%d words, and %d are described", len(out.Words), at)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return parts, words, reads
}

// The last step, the nearest to one, and the measures of all; what was measured is not read
// again.
func TestAsk(t *testing.T) {
	a, m := logged(t, func(w *summary.Buffer) {
		for i := range 4 {
			// From guessing to knowing.
			var labels []bool
			var scores []float64
			for k := range 100 {
				labels = append(labels, k%2 == 0)
				scores = append(scores, map[bool]float64{true: 0.5 + 0.1*float64(i), false: 0.5 - 0.1*float64(i)}[k%2 == 0])
			}
			if err := w.PRCurve("pr", labels, scores, int64(10*i), summary.WallSeconds(1000+float64(i)), summary.Thresholds(11)); err != nil {
				t.Fatal(err)
			}
		}
	})
	parts, words, reads := ask(t, a, m, Query{}, "r", "none")
	if len(parts) != 1 || reads != 1 || parts[0].Run != "r" || !slices.Equal(parts[0].Steps, []int64{0, 10, 20, 30}) || len(parts[0].Curves) != 1 || parts[0].Curves[0].Step != 30 {
		t.Fatalf("%+v, %d reads", parts, reads)
	}
	// Nothing is called positive above 0.8: those two points are left out.
	c := parts[0].Curves[0]
	if c.N != 9 || words[0][0] != 0 || !near(words[0][8], 0.8) || words[0][9] != 50 || words[0][9+9] != 50 || *c.Wall != 1003 {
		t.Errorf("%+v %v", c, words[0])
	}
	if got := words[0][9*Columns:]; !slices.Equal(got, []float64{1, 1, 1, 1, 0.2}) {
		t.Errorf("measures %v", got)
	}
	step := int64(12)
	if parts, _, _ = ask(t, a, m, Query{Step: &step}, "r"); parts[0].Curves[0].Step != 10 {
		t.Errorf("near 12: %+v", parts[0].Curves)
	}
	parts, words, reads = ask(t, a, m, Query{Over: true}, "r")
	if parts[0].Over != 4 || reads != 3 { // the last one and two others
		t.Errorf("%+v, %d reads", parts[0], reads)
	}
	over := words[0][9*Columns+5:]
	if !slices.Equal(over[:4], []float64{0, 10, 20, 30}) || over[4] != 1000 || !near(over[16], 0.5) || !near(over[19], 1) {
		t.Errorf("over steps: %v", over)
	}
	if _, _, reads = ask(t, a, m, Query{Over: true}, "r"); reads != 1 {
		t.Errorf("asked again, %d are read", reads)
	}
	a.Forget()
	if _, _, reads = ask(t, a, m, Query{Over: true}, "r"); reads != 4 {
		t.Errorf("forgotten, %d are read", reads)
	}
}

// What is no curve says so, and the next step is shown.
func TestHostile(t *testing.T) {
	nan := float32(math.NaN())
	meta := summary.Metadata{Plugin: "pr_curves"}
	for want, tensor := range map[string]summary.Tensor{
		"6 × thresholds":                    summary.FloatTensor([]int64{5, 2}, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
		"shape [12]":                        summary.FloatTensor([]int64{12}, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
		"shape [6 0]":                       summary.FloatTensor([]int64{6, 0}),
		"no numbers":                        summary.StringTensor([]int64{6, 1}, "a", "b", "c", "d", "e", "f"),
		"or not as many":                    summary.FloatTensor([]int64{6, 1 << 40}, 1, 2),
		"at the threshold 1 are -1: fewer":  summary.FloatTensor([]int64{6, 2}, 3, -1, 3, 2, 0, 0, 0, 0, .5, .5, 1, 1),
		"are NaN: no number":                summary.FloatTensor([]int64{6, 2}, nan, 3, 3, 2, 0, 0, 0, 0, .5, .5, 1, 1),
		"precision at the threshold 0 is 7": summary.FloatTensor([]int64{6, 2}, 3, 3, 3, 2, 0, 0, 0, 0, 7, .5, 1, 1),
		"recall at the threshold 1 is NaN":  summary.FloatTensor([]int64{6, 2}, 3, 3, 3, 2, 0, 0, 0, 0, .5, .5, 1, nan),
	} {
		a, m := logged(t, func(w *summary.Buffer) {
			w.Raw(summary.Event{WallTime: 1, Step: 3, Values: []summary.Value{summary.TensorValue("pr", tensor, meta)}})
			if err := w.PRCurve("pr", []bool{true, false}, []float64{1, 0}, 4); err != nil {
				t.Fatal(err)
			}
		})
		step := int64(3)
		parts, _, _ := ask(t, a, m, Query{Step: &step, Over: true}, "r")
		if c := parts[0].Curves[0]; c.N != 0 || !strings.Contains(c.Error, want) || parts[0].Over != 2 {
			t.Errorf("%q: %+v", want, parts[0])
		}
		if parts, _, _ = ask(t, a, m, Query{}, "r"); parts[0].Curves[0].N == 0 {
			t.Errorf("%q: the next one: %+v", want, parts[0].Curves)
		}
	}
}
