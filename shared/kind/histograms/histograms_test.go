package histograms

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
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
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

type got struct {
	Part
	words []uint64
}

// ask runs a query; reads counts the ranges that were read.
func ask(t *testing.T, a answer.Answerer, m source.Mem, q wire.Query) (parts []got, reads int) {
	t.Helper()
	j, err := a.Begin(&q)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Serve(t.Context(), m.Logdir(), answertest.Counting(j, &reads), func(out *answer.Out) error {
		for _, p := range out.Parts.([]Part) {
			parts = append(parts, got{p, slices.Clone(out.Words)})
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return parts, reads
}

// Slices of both encodings in common bins, with as many values as were logged; what was
// read is not read again.
func TestBins(t *testing.T) {
	for _, old := range []bool{false, true} {
		a, m := logged(t, func(w *summary.Buffer) {
			for i := range 40 {
				var values []float64
				for k := range 100 {
					values = append(values, float64(i)+float64(k)/100)
				}
				opts := []summary.Option{summary.WallSeconds(1000 + float64(i))}
				if old {
					opts = append(opts, summary.Legacy())
				}
				must(t, w.Histogram("w", values, int64(10*i), opts...))
			}
		})
		parts, reads := ask(t, a, m, AllSteps.For("r", "w"))
		if len(parts) != 1 || reads != 40 {
			t.Fatalf("%d parts, %d reads", len(parts), reads)
		}
		p := parts[0]
		if p.Count != 40 || len(p.Steps) != 40 || p.Bins != 30 || p.Lo != 0 || math.Abs(p.Hi-39.99) > 1e-5 || len(p.words) != 40+40*30 {
			t.Fatalf("%+v, %d words", p.Part, len(p.words))
		}
		for i, step := range p.Steps {
			sum, middle := 0.0, 0.0
			for k, w := range p.words[40+30*i : 40+30*i+30] {
				x := math.Float64frombits(w)
				sum += x
				middle += x * (p.Lo + (float64(k)+0.5)*(p.Hi-p.Lo)/30)
			}
			if step != int64(10*i) || math.Float64frombits(p.words[i]) != 1000+float64(i) || p.Values[i] != 100 ||
				math.Abs(sum-100) > 1e-6 || math.Abs(middle/sum-float64(i)-0.5) > 1 {
				t.Errorf("slice %d: step %d, %v values around %v", i, step, sum, middle/sum)
			}
		}
		if _, reads := ask(t, a, m, AllSteps.For("r", "w")); reads != 0 {
			t.Errorf("asked again, %d are read again", reads)
		}
		a.Forget()
		some := AllSteps
		some.Slices, some.Bins = 10, 7
		parts, reads = ask(t, a, m, some.For("r", "w"))
		if want := []int64{0, 80, 160, 240, 320, 390}; !slices.Equal(parts[0].Steps, want) || reads != len(want) || parts[0].Bins != 7 {
			t.Errorf("of ten slices at most: %v, %d read", parts[0].Steps, reads)
		}
		few := Query{From: 95, To: 130}
		if parts, _ = ask(t, a, m, few.For("r", "w")); !slices.Equal(parts[0].Steps, []int64{100, 110, 120, 130}) {
			t.Errorf("steps 95 to 130: %v", parts[0].Steps)
		}
	}
}

// A part of the values has bins of its own, and what lies beside it is in none; a part that
// is none is all.
func TestPartOfValues(t *testing.T) {
	a, m := logged(t, func(w *summary.Buffer) {
		must(t, w.HistogramRaw("w", summary.HistogramBuckets{{0, 10, 100}, {10, 20, 300}}, 0))
	})
	q := AllSteps
	q.Bins, q.Lo, q.Hi = 5, 5, 15
	parts, _ := ask(t, a, m, q.For("r", "w"))
	p := parts[0]
	var counts []float64
	for _, w := range p.words[1:] {
		counts = append(counts, math.Float64frombits(w))
	}
	if p.Lo != 5 || p.Hi != 15 || !slices.Equal(p.All, []float64{0, 20}) || !slices.Equal(counts, []float64{20, 20, 40, 60, 60}) || p.Values[0] != 400 {
		t.Errorf("%+v %v", p.Part, counts)
	}
	for _, part := range [][2]float64{{5, 5}, {7, 3}, {-math.MaxFloat64, math.MaxFloat64}} {
		q.Lo, q.Hi = part[0], part[1]
		parts, _ := ask(t, a, m, q.For("r", "w"))
		for _, w := range parts[0].words {
			if x := math.Float64frombits(w); !(x >= 0) {
				t.Errorf("%v: %v", part, x)
			}
		}
		if wide := part[1] > part[0]; !wide && (parts[0].Lo != 0 || parts[0].Hi != 20) {
			t.Errorf("%v: %+v", part, parts[0].Part)
		}
	}
}

// Any number of slices: no more than asked for, the last one always, and those that were
// chosen stay chosen while the run grows.
func TestChoose(t *testing.T) {
	var before []int64
	for _, n := range []int{1, 2, 9, 10, 11, 100, 333, 1000} {
		a, m := logged(t, func(w *summary.Buffer) {
			for i := range n {
				must(t, w.HistogramRaw("w", summary.HistogramBuckets{{0, 1, 1}}, int64(i)))
			}
		})
		for _, most := range []int{1, 2, 10, 64} {
			q := AllSteps
			q.Slices = most
			parts, _ := ask(t, a, m, q.For("r", "w"))
			steps := parts[0].Steps
			if len(steps) > most && most > 1 || steps[len(steps)-1] != int64(n-1) || n <= most && len(steps) != n || most >= 10 && n > most && len(steps) < most/2 {
				t.Errorf("%d of %d slices at most: %v", most, n, steps)
			}
			if most == 64 {
				for _, s := range steps[:len(steps)-1] {
					if len(before) > 0 && s < before[len(before)-1] && !slices.Contains(before, s) {
						t.Errorf("of %d slices step %d is chosen, which was not before", n, s)
					}
				}
				before = steps
			}
		}
	}
}

// Every slice as it was logged, in pieces.
func TestEvery(t *testing.T) {
	many := make(summary.HistogramBuckets, 3000)
	for i := range many {
		many[i] = [3]float64{float64(i), float64(i + 1), 2}
	}
	a, m := logged(t, func(w *summary.Buffer) {
		for i := range 200 {
			must(t, w.HistogramRaw("w", many[:i*15], int64(i)))
		}
	})
	q := AllSteps.For("r", "w")
	q.Every = true
	parts, _ := ask(t, a, m, q)
	if len(parts) < 2 {
		t.Errorf("%d pieces", len(parts))
	}
	step := int64(0)
	for _, p := range parts {
		at := len(p.Steps)
		for i, s := range p.Steps {
			if s != step || p.Buckets[i] != int(step)*15 {
				t.Fatalf("step %d: %d buckets", s, p.Buckets[i])
			}
			if n := p.Buckets[i]; n > 0 && math.Float64frombits(p.words[at+3*n-2]) != float64(n) {
				t.Errorf("step %d ends at %v", s, math.Float64frombits(p.words[at+3*n-2]))
			}
			at += 3 * p.Buckets[i]
			step++
		}
		if at != len(p.words) {
			t.Errorf("%d words, %d used", len(p.words), at)
		}
	}
	if step != 200 {
		t.Errorf("%d slices", step)
	}
}

// What cannot be shown is counted, and costs itself alone.
func TestHostile(t *testing.T) {
	nan := math.NaN()
	a, m := logged(t, func(w *summary.Buffer) {
		meta := summary.Metadata{Plugin: "histograms"}
		for i, tensor := range []summary.Tensor{
			summary.DoubleTensor([]int64{2, 3}, 0, 1, 5, 1, 2, 5), summary.DoubleTensor([]int64{3, 2}, 0, 1, 5, 1, 2, 5),
			summary.StringTensor([]int64{1, 3}, "a", "b", "c"), summary.DoubleTensor([]int64{0, 3}),
			summary.DoubleTensor([]int64{3, 3}, nan, nan, 1, -math.MaxFloat64, 0, 2, 1, 2, 3),
		} {
			w.Raw(summary.Event{Step: int64(i), Values: []summary.Value{summary.TensorValue("w", tensor, meta)}})
		}
		must(t, w.HistogramRaw("none", nil, 0))
	})
	parts, _ := ask(t, a, m, AllSteps.For("r", "w"))
	p := parts[0]
	if !slices.Equal(p.Steps, []int64{0, 3, 4}) || p.Bad != 2 || !strings.Contains(p.Why, "k × 3") || p.Lost != 1 || p.Lo != 0 || p.Hi != 2 {
		t.Errorf("%+v", p.Part)
	}
	if parts, _ = ask(t, a, m, AllSteps.For("r", "none")); parts[0].Bad != 0 || len(parts[0].Steps) != 1 || !(parts[0].Lo < parts[0].Hi) {
		t.Errorf("without buckets: %+v", parts[0].Part)
	}
	m["r/tfevents"] = m["r/tfevents"][:100]
	a.Forget()
	if parts, _ = ask(t, a, m, AllSteps.For("r", "w")); parts[0].Bad < 4 || !strings.Contains(parts[0].Why, "short") {
		t.Errorf("a file that was cut: %+v", parts[0].Part)
	}
}
