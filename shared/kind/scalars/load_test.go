package scalars

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/smooth"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// twoJobs is a run whose first job logs steps 0 to 4, dies, and whose second one begins
// again at step 3, 1000 s later. a is the step, b ten times it at even steps only, c falls
// and rises; each step takes 10 s, the second job 5 s before its first.
func twoJobs(t *testing.T) *catalog.Catalog {
	t.Helper()
	m := source.Mem{}
	put := func(file string, start float64, from, to int64) {
		w := summary.NewBuffer(summary.Options{Clock: func() time.Time { return time.Unix(int64(start), 0) }})
		if err := w.SessionStart(from, summary.WallSeconds(start)); err != nil {
			t.Fatal(err)
		}
		for s := from; s <= to; s++ {
			at := summary.WallSeconds(start + 5 + 10*float64(s-from))
			for tag, v := range map[string]float64{"a": float64(s), "b": 10 * float64(s), "c": math.Abs(float64(s) - 3)} {
				if tag == "b" && s%2 == 1 {
					continue
				}
				if err := w.Scalar(tag, v, s, at); err != nil {
					t.Fatal(err)
				}
			}
		}
		m["run/"+file] = w.Bytes()
	}
	put("events.out.tfevents.1.a", 1000, 0, 4)
	put("events.out.tfevents.2.a", 2045, 3, 6)
	c := catalog.New()
	if _, err := c.Load(context.Background(), m.Logdir()); err != nil {
		t.Fatal(err)
	}
	return c
}

// asked answers a query and returns steps, values and x of its parts.
func asked(t *testing.T, c *catalog.Catalog, q Curves) (step, value, x [][]float64) {
	t.Helper()
	q.Runs = []string{"run"}
	var s curves
	for range 2 { // what is kept between queries does not matter
		step, value, x = nil, nil, nil
		words, parts := s.answer(c, &q, nil, nil)
		for _, p := range parts {
			column := func(k int) (out []float64) {
				for i := range p.N {
					out = append(out, math.Float64frombits(words[p.Offset/8+k*p.N+i]))
				}
				return out
			}
			step, value = append(step, column(0)), append(value, column(2))
			if !q.X.Timed() {
				x = append(x, column(4))
			}
		}
	}
	return step, value, x
}

func TestOtherAxes(t *testing.T) {
	c := twoJobs(t)
	for _, w := range []struct {
		q       Curves
		step, x [][]float64
	}{
		{Curves{Tag: "a", X: wire.ByIndex}, [][]float64{{0, 1, 2, 3, 4, 5, 6}}, [][]float64{{0, 1, 2, 3, 4, 5, 6}}},
		{Curves{Tag: "b", X: wire.ByIndex}, [][]float64{{0, 2, 4, 6}}, [][]float64{{0, 1, 2, 3}}},
		// The first job was at work for 45 s; what its last steps did was done again.
		{Curves{Tag: "a", X: wire.ByProcess}, [][]float64{{0, 1, 2, 3, 4, 5, 6}}, [][]float64{{5, 15, 25, 50, 60, 70, 80}}},
		{Curves{Tag: "b", X: wire.ByProcess}, [][]float64{{0, 2, 4, 6}}, [][]float64{{5, 25, 60, 80}}},
		// Steps at which the other tag has no value are left out.
		{Curves{Tag: "a", X: wire.ByTag, XTag: "b"}, [][]float64{{0, 2, 4, 6}}, [][]float64{{0, 20, 40, 60}}},
		{Curves{Tag: "b", X: wire.ByTag, XTag: "c"}, [][]float64{{0, 2, 4, 6}}, [][]float64{{3, 1, 1, 3}}},
		{Curves{Tag: "a", X: wire.ByTag, XTag: "c", Partition: true}, [][]float64{{0, 1, 2, 3, 4, 5, 6}}, [][]float64{{3, 2, 1, 0, 1, 2, 3}}},
		{Curves{Tag: "a", X: wire.ByTag, XTag: "none"}, nil, nil},
	} {
		step, _, x := asked(t, c, w.q)
		if !slices.EqualFunc(step, w.step, slices.Equal) || !slices.EqualFunc(x, w.x, slices.Equal) {
			t.Errorf("%s by %s %s: steps %v, x %v; want %v, %v", w.q.Tag, w.q.X, w.q.XTag, step, x, w.step, w.x)
		}
	}
}

func TestDerived(t *testing.T) {
	c := twoJobs(t)
	for _, w := range []struct {
		tag         string
		step, value [][]float64
	}{
		{"={a} * 2 + 1", [][]float64{{0, 1, 2, 3, 4, 5, 6}}, [][]float64{{1, 3, 5, 7, 9, 11, 13}}},
		{"={b} - {a}", [][]float64{{0, 2, 4, 6}}, [][]float64{{0, 18, 36, 54}}},
		{"={a}/{a} + {b} - {b}", [][]float64{{0, 2, 4, 6}}, [][]float64{{math.NaN(), 1, 1, 1}}},
		{"={a} + {none}", nil, nil},
		{"={a} +", nil, nil},
	} {
		step, value, _ := asked(t, c, Curves{Tag: w.tag, X: wire.ByStep})
		same := func(a, b float64) bool { return a == b || a != a && b != b }
		if !slices.EqualFunc(step, w.step, slices.Equal) || !slices.EqualFunc(value, w.value, func(a, b []float64) bool { return slices.EqualFunc(a, b, same) }) {
			t.Errorf("%s: steps %v, values %v; want %v, %v", w.tag, step, value, w.step, w.value)
		}
	}
	// Over each other's values, zoomed, smoothed, as a table.
	if _, value, x := asked(t, c, Curves{Tag: "={b} - {a}", X: wire.ByTag, XTag: "={a}"}); value != nil || x != nil {
		t.Error("a derived series is no axis")
	}
	step, _, x := asked(t, c, Curves{Tag: "={b} - {a}", X: wire.ByTag, XTag: "c", X0: 0.5, X1: 1.5})
	if !slices.EqualFunc(x, [][]float64{{3, 1, 1, 3}}, slices.Equal) || len(step) != 1 {
		t.Errorf("zoomed: %v at %v", step, x)
	}
	var s curves
	words, parts := s.table(c, &Curves{Tag: "={b} - {a}", Runs: []string{"run"}, Table: []float64{2, 6}}, nil)
	if len(parts) != 1 || math.Float64frombits(words[AtValue]) != 18 || math.Float64frombits(words[MeanValue]) != 36 {
		t.Errorf("the table is of %+v: %v", parts, words)
	}
	whole := Curves{Tag: "={a}", Runs: []string{"run"}, X: wire.ByStep}.Query()
	whole.Every = true
	if _, err := (Kind{}).Answerer(answer.World{Catalog: c}).Begin(&whole); err == nil {
		t.Error("every point of a derived series was promised")
	}
}

// In a preview, whose windows lie far apart, the smoothed curve is about where it will be
// when all has been read: what one window says does not go into the next.
func TestSmoothedPreview(t *testing.T) {
	w := summary.NewBuffer(summary.Options{})
	for step := range int64(4000) {
		if err := w.Scalar("a", math.Floor(float64(step)/1000)*100+math.Sin(float64(step)), step, summary.WallSeconds(1000+float64(step))); err != nil {
			t.Fatal(err)
		}
	}
	all := w.Bytes()
	whole := catalog.New()
	if _, err := whole.Load(context.Background(), source.Mem{"run/events.out.tfevents.1.a": all}.Logdir()); err != nil {
		t.Fatal(err)
	}
	glimpsed := catalog.New()
	f := glimpsed.Run("run").AddFile("run/events.out.tfevents.1.a")
	for _, part := range []int64{0, 1, 3, 5, 7} {
		at := catalog.PreviewWindow{Offset: part * int64(len(all)) / 8, Length: 2 << 10}
		f.Preview(at, all[at.Offset:at.Offset+at.Length])
	}
	for _, kind := range []smooth.Kind{smooth.ByPoints, smooth.ByX, smooth.Mean, smooth.Gauss} {
		q := Curves{Tag: "a", Runs: []string{"run"}, X: wire.ByStep, Weight: 0.95, Smoother: kind}
		read := func(c *catalog.Catalog) map[float64]float64 {
			var s curves
			words, parts := s.answer(c, &q, nil, nil)
			if len(parts) != 1 {
				t.Fatalf("%d parts", len(parts))
			}
			if p := parts[0]; p.Preview != (c == glimpsed) {
				t.Fatalf("preview: %v", p.Preview)
			}
			out := map[float64]float64{}
			for i := range parts[0].N {
				out[math.Float64frombits(words[i])] = math.Float64frombits(words[3*parts[0].N+i])
			}
			return out
		}
		exact := read(whole)
		got := read(glimpsed)
		if len(got) < 100 || len(got) > 3000 {
			t.Fatalf("the preview has %d points", len(got))
		}
		// A step of the curve itself lies in no window: 100 high, it takes 100 points to settle.
		for step, v := range got {
			if math.Mod(step, 1000) > 100 && math.Mod(step, 1000) < 900 && math.Abs(v-exact[step]) > 3 {
				t.Errorf("%s: step %g is %g in the preview and %g then", kind, step, v, exact[step])
				break
			}
		}
	}
}

// A sketch is spread over the whole curve: it is smoothed as one, across what was not logged,
// and by index its ends are those of the curve.
func TestSmoothedSketch(t *testing.T) {
	w := summary.NewBuffer(summary.Options{})
	for i := range int64(6000) {
		step := i
		if i >= 3000 {
			step += 50_000
		}
		if err := w.Scalar("a", float64(i/3000)*100+math.Sin(float64(i)), step, summary.WallSeconds(1000+float64(step))); err != nil {
			t.Fatal(err)
		}
	}
	whole, sketched := catalog.New(), catalog.New()
	if _, err := whole.Load(context.Background(), source.Mem{"run/events.out.tfevents.1.a": w.Bytes()}.Logdir()); err != nil {
		t.Fatal(err)
	}
	f := sketched.Run("run").AddFile("run/events.out.tfevents.1.a")
	if err := f.Sketch(whole.Run("run").Files[0].AppendSketch(nil)); err != nil {
		t.Fatal(err)
	}
	var s curves
	q := Curves{Tag: "a", Runs: []string{"run"}, X: wire.ByStep, Weight: 0.9, Smoother: smooth.ByPoints}
	words, parts := s.answer(sketched, &q, nil, nil)
	if len(parts) != 1 || !parts[0].Preview || parts[0].Full || parts[0].Points != 6000 || parts[0].N > 400 {
		t.Fatalf("parts %+v", parts)
	}
	n := parts[0].N
	column := func(k int) (out []float64) {
		for _, w := range words[k*n : (k+1)*n] {
			out = append(out, math.Float64frombits(w))
		}
		return out
	}
	steps, values, smoothed := column(0), column(2), column(3)
	want := make([]float64, n)
	smooth.Exponential(want, values, 0.9)
	for i := range want {
		if math.Abs(smoothed[i]-want[i]) > 1e-9 {
			t.Fatalf("step %g is smoothed to %g, not %g", steps[i], smoothed[i], want[i])
		}
	}
	q.X = wire.ByIndex
	words, parts = s.answer(sketched, &q, nil, nil)
	if x := math.Float64frombits(words[4*parts[0].N+parts[0].N-1]); x != 5999 {
		t.Errorf("the last of 6000 points has the number %g", x)
	}
}

// A card of several tags shows every point of a zoomed range, as one of a single tag does:
// those that memory has no room for are read again.
func TestZoomOfSeveralTags(t *testing.T) {
	const n = 20_000
	w := summary.NewBuffer(summary.Options{})
	value := map[string]func(step int64) float64{"a": func(s int64) float64 { return float64(s % 7) }, "b": func(s int64) float64 { return float64(s % 11) }}
	for step := range int64(n) {
		for _, tag := range []string{"a", "b"} {
			if err := w.Scalar(tag, value[tag](step), step, summary.WallSeconds(1000+float64(step))); err != nil {
				t.Fatal(err)
			}
		}
	}
	all := w.Bytes()
	c := catalog.New()
	if _, err := c.Load(context.Background(), source.Mem{"run/events.out.tfevents.1.a": all}.Logdir()); err != nil {
		t.Fatal(err)
	}
	c.Fit(2000, 0)
	asked := Curves{Tag: "a", Others: []string{"b", "={a} + {b}"}, Runs: []string{"run"}, X: wire.ByStep, X0: 9000, X1: 9400, Pixels: 4000}.Query()
	job, err := Kind{}.Answerer(answer.World{Catalog: c}).Begin(&asked)
	if err != nil {
		t.Fatal(err)
	}
	reads := 0
	for {
		out := &answer.Out{}
		step := job.Next(out)
		for i, r := range step.Need {
			reads++
			job.Take(i, all[r.Offset:r.Offset+r.Length])
		}
		if len(step.Need) > 0 || step.More {
			continue
		}
		parts := out.Parts.(Parts)
		if len(parts) != 3 || reads == 0 {
			t.Fatalf("%d parts after %d reads", len(parts), reads)
		}
		for _, p := range parts[:2] {
			if p.N < 400 || !p.Full || p.Narrow&(NarrowStep|NarrowValue) != NarrowStep|NarrowValue {
				t.Fatalf("%+v", p)
			}
			of := value[[]string{"a", "b"}[p.Tag]]
			at := func(column, i int) float64 { // columns of float32s, each padded to 8 bytes
				word := out.Words[p.Offset/8+column*((p.N+1)/2)+i/2]
				return float64(math.Float32frombits(uint32(word >> (32 * (i % 2)))))
			}
			for i := range p.N {
				if step := at(0, i); at(2, i) != of(int64(step)) {
					t.Fatalf("tag %d at step %g is %g", p.Tag, step, at(2, i))
				}
			}
		}
		if parts[2].Full {
			t.Error("what is computed of kept points says that it is of all")
		}
		return
	}
}
