package scalars

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/smooth"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// point is one logged point.
type point struct {
	wall  float64
	step  int64
	value float64
}

// logged makes a catalog whose runs have a tag "t" with the given points.
func logged(t *testing.T, runs map[string][]point) *catalog.Catalog {
	t.Helper()
	return loggedIn(t, source.Mem{}, runs)
}

// loggedIn is logged, with the files in m.
func loggedIn(t *testing.T, m source.Mem, runs map[string][]point) *catalog.Catalog {
	t.Helper()
	for name, points := range runs {
		w := summary.NewBuffer(summary.Options{})
		for _, p := range points {
			v := summary.TensorValue("t", summary.DoubleTensor(nil, p.value), summary.Metadata{Plugin: "scalars"})
			if err := w.Raw(summary.Event{WallTime: p.wall, Step: p.step, Values: []summary.Value{v}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Text("words", "not a curve", 1); err != nil {
			t.Fatal(err)
		}
		m[name+"/tfevents"] = w.Bytes()
	}
	c := catalog.New()
	if _, err := c.Load(context.Background(), m.Logdir()); err != nil {
		t.Fatal(err)
	}
	return c
}

// wave is n points: step 10·i at wall time 1000+i.
func wave(n int) []point {
	out := make([]point, n)
	for i := range out {
		out[i] = point{1000 + float64(i), int64(10 * i), math.Sin(float64(i)) * float64(i%37)}
	}
	return out
}

// columns cuts a part's columns out of the buffer.
func columns(t *testing.T, buf []uint64, p Part) (step, wall, value, smoothed []float64) {
	t.Helper()
	_, c := cut(t, buf, p)
	return c[0], c[1], c[2], c[3]
}

// cut returns what follows a part in the buffer, and its columns.
func cut(t *testing.T, buf []uint64, p Part) (rest []uint64, columns [4][]float64) {
	t.Helper()
	if p.Offset%8 != 0 || p.Offset/8 > len(buf) {
		t.Fatalf("part %+v of %d words", p, len(buf))
	}
	rest = buf[p.Offset/8:]
	for k := range columns {
		narrow, base := p.Narrow&(1<<k) != 0, 0.0
		size := p.N
		if narrow {
			size = (p.N + 1) / 2
			if k == 1 {
				base = p.WallBase
			}
		}
		if size > len(rest) {
			t.Fatalf("part %+v: column %d reaches beyond the buffer", p, k)
		}
		for i := range p.N {
			if narrow {
				columns[k] = append(columns[k], base+float64(math.Float32frombits(uint32(rest[i/2]>>(32*(i%2))))))
			} else {
				columns[k] = append(columns[k], math.Float64frombits(rest[i]))
			}
		}
		rest = rest[size:]
	}
	return rest, columns
}

func TestLayout(t *testing.T) {
	runs := map[string][]point{"a": wave(100), "b": wave(3), "c": wave(1)}
	c := logged(t, runs)
	var s curves
	q := Curves{Tag: "t", Runs: []string{"b", "nobody", "a", "c"}, Weight: 0.6}
	buf, parts := s.answer(c, &q, nil, []uint64{77}) // behind what is there already
	if len(parts) != 3 || parts[0].Run != "b" || parts[1].Run != "a" || parts[2].Run != "c" || parts[0].Offset != 8 || buf[0] != 77 {
		t.Fatalf("parts %+v", parts)
	}
	if rest, _ := cut(t, buf, parts[2]); len(rest) != 0 {
		t.Errorf("%d words behind the last part", len(rest))
	}
	for _, p := range parts {
		step, wall, value, smoothed := columns(t, buf, p)
		want := runs[p.Run]
		if p.N != len(want) || p.Kept != int64(len(want)) || p.Points != p.Kept || p.Start != 1000 || p.Preview {
			t.Fatalf("part %+v", p)
		}
		calm := make([]float64, p.N)
		smooth.Exponential(calm, value, 0.6)
		for i, w := range want {
			if step[i] != float64(w.step) || wall[i] != w.wall || value[i] != w.value || smoothed[i] != calm[i] {
				t.Fatalf("%s: point %d is (%v, %v, %v, %v)", p.Run, i, step[i], wall[i], value[i], smoothed[i])
			}
		}
	}
	// The same Scalars answers again, into the same memory.
	again, same := s.answer(c, &q, nil, buf[:1])
	if !slices.Equal(again, buf) || !slices.Equal(same, parts) {
		t.Error("the second answer differs")
	}
}

func TestUnknown(t *testing.T) {
	c := logged(t, map[string][]point{"a": wave(3)})
	var s curves
	for _, q := range []Curves{
		{Tag: "nothing", Runs: []string{"a"}}, {Tag: "t", Runs: []string{"nobody"}}, {Tag: "t"}, {Tag: "words", Runs: []string{"a"}}, {},
	} {
		if buf, parts := s.answer(c, &q, nil, nil); len(buf)+len(parts) > 0 {
			t.Errorf("%+v is answered by %v, %v", q, buf, parts)
		}
	}
	if buf, parts := s.answer(catalog.New(), &Curves{Tag: "t", Runs: []string{"a"}}, nil, nil); len(buf)+len(parts) > 0 {
		t.Errorf("an empty catalog answers %v, %v", buf, parts)
	}
}

// TestThinning: thinned answers hold points of the whole answer, the extremes among
// them, smoothed as if nothing had been thinned.
func TestThinning(t *testing.T) {
	points := wave(20_000)
	points[7777].value = 1e6
	points[7778].value = -1e6
	c := logged(t, map[string][]point{"a": points})
	var s curves
	q := Curves{Tag: "t", Runs: []string{"a"}, Weight: 0.9}
	buf, parts := s.answer(c, &q, nil, nil)
	step, _, value, smoothed := columns(t, buf, parts[0])
	whole := map[float64][2]float64{}
	for i := range step {
		whole[step[i]] = [2]float64{value[i], smoothed[i]}
	}
	q.Pixels = 300
	buf, parts = s.answer(c, &q, nil, nil)
	step, wall, value, smoothed := columns(t, buf, parts[0])
	p := parts[0]
	if p.N > 7*301 || p.N < 4*300 || p.Kept != 20_000 || p.Points != 20_000 {
		t.Errorf("part %+v", p)
	}
	for i := range step {
		if whole[step[i]] != [2]float64{value[i], smoothed[i]} || wall[i] != 1000+step[i]/10 {
			t.Fatalf("point at step %v is (%v, %v, %v)", step[i], wall[i], value[i], smoothed[i])
		}
	}
	if step[0] != 0 || step[p.N-1] != 199_990 || slices.Max(value) != 1e6 || slices.Min(value) != -1e6 {
		t.Error("an end or an extreme is missing")
	}
}

func TestZoom(t *testing.T) {
	c := logged(t, map[string][]point{"a": wave(100)})
	var s curves
	for _, k := range []struct {
		x           wire.XAxis
		x0, x1      float64
		pixels      int
		first, last float64 // steps; a neighbour on either side
		n           int
	}{
		{wire.ByStep, 100, 200, 500, 90, 210, 13},
		{wire.ByStep, 101, 109, 500, 100, 110, 2},
		{wire.ByStep, 100, 200, 0, 90, 210, 13},
		{wire.ByWall, 1010, 1020, 500, 90, 210, 13},
		{wire.ByRelative, 10, 20, 500, 90, 210, 13},
		{wire.ByRelative, -5, 0.5, 500, 0, 10, 2},
		{wire.ByStep, 5000, 6000, 500, 0, 0, 0},
		{wire.ByStep, 0, 0, 5000, 0, 990, 100},
	} {
		q := Curves{Tag: "t", Runs: []string{"a"}, X: k.x, X0: k.x0, X1: k.x1, Pixels: k.pixels}
		buf, parts := s.answer(c, &q, nil, nil)
		if len(parts) != 1 || parts[0].N != k.n || parts[0].Points != 100 {
			t.Errorf("%+v: %+v", k, parts)
			continue
		}
		if rest, _ := cut(t, buf, parts[0]); len(rest) != 0 {
			t.Errorf("%+v: %d words too many", k, len(rest))
		}
		var fresh curves // whose scratch is still nil
		if first, _ := fresh.answer(c, &q, nil, nil); len(first) != len(buf) {
			t.Errorf("%+v: the first answer has %d words, a later one %d", k, len(first), len(buf))
		}
		if step, _, _, _ := columns(t, buf, parts[0]); k.n > 0 && (step[0] != k.first || step[k.n-1] != k.last) {
			t.Errorf("%+v: steps %v", k, step)
		}
	}
}

func TestOddPoints(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	c := logged(t, map[string][]point{
		"a":    {{nan, -3, nan}, {inf, -2, inf}, {50, -1, 1}, {51, 0, 2}, {49, 1 << 60, -inf}, {52, 1, 3}},
		"lost": {{nan, 0, 1}, {inf, 1, 2}},
	})
	var s curves
	for _, x := range []wire.XAxis{wire.ByStep, wire.ByRelative, wire.ByWall} {
		for _, pixels := range []int{0, 10} {
			q := Curves{Tag: "t", Runs: []string{"a", "lost"}, X: x, Pixels: pixels, Weight: 0.6}
			buf, parts := s.answer(c, &q, nil, nil)
			if len(parts) != 2 || parts[0].Start != 50 || parts[1].Start != 0 {
				t.Fatalf("%s: %+v", x, parts)
			}
			step, _, value, _ := columns(t, buf, parts[0])
			for i, v := range map[float64]float64{-1: 1, 0: 2, 1: 3} {
				if k := slices.Index(step, i); k < 0 || value[k] != v {
					t.Errorf("%s, %d pixels: step %v is lost among %v", x, pixels, i, step)
				}
			}
		}
	}
	q := Curves{Tag: "t", Runs: []string{"a"}, X: wire.ByRelative, X0: 0.5, X1: 1.5}
	buf, parts := s.answer(c, &q, nil, nil)
	if step, _, _, _ := columns(t, buf, parts[0]); !slices.Contains(step, 0) {
		t.Errorf("relative to a bad clock: %v", step)
	}
}

// TestNarrow: columns are halved where nothing is lost by it, and only for pixels.
func TestNarrow(t *testing.T) {
	plain, far, fine := wave(50), wave(50), wave(50)
	for i := range plain {
		v := float64(float32(plain[i].value))
		plain[i].value, far[i].value, fine[i].value = v, v, v
		far[i].step += 1<<40 + int64(i%2)
	}
	fine[30].value = 0.1 // no float32
	c := logged(t, map[string][]point{"plain": plain, "far": far, "fine": fine})
	var s curves
	const all = NarrowStep | NarrowWall | NarrowValue | NarrowSmoothed
	for _, k := range []struct {
		run    string
		points []point
		x      wire.XAxis
		pixels int
		narrow int
	}{
		{"plain", plain, wire.ByStep, 0, 0},
		{"plain", plain, wire.ByStep, 400, all},
		{"plain", plain, wire.ByWall, 400, all &^ NarrowWall},
		{"plain", plain, wire.ByRelative, 400, all &^ NarrowWall},
		{"far", far, wire.ByStep, 400, all &^ NarrowStep},
		{"fine", fine, wire.ByStep, 400, NarrowStep | NarrowWall},
	} {
		buf, parts := s.answer(c, &Curves{Tag: "t", Runs: []string{k.run}, X: k.x, Pixels: k.pixels}, nil, nil)
		if parts[0].Narrow != k.narrow || parts[0].N != len(k.points) {
			t.Errorf("%s by %s: %+v, want %b", k.run, k.x, parts[0], k.narrow)
			continue
		}
		step, wall, value, smoothed := columns(t, buf, parts[0])
		for i, p := range k.points {
			if step[i] != float64(p.step) || math.Abs(wall[i]-p.wall) > 1e-5 || value[i] != p.value || smoothed[i] != p.value {
				t.Fatalf("%s by %s: point %d is (%v, %v, %v, %v), logged %+v", k.run, k.x, i, step[i], wall[i], value[i], smoothed[i], p)
			}
		}
	}
}

func TestPreview(t *testing.T) {
	w := summary.NewBuffer(summary.Options{})
	for step := range int64(40_000) {
		if err := w.Scalar("t", float64(step), step); err != nil {
			t.Fatal(err)
		}
	}
	b := w.Bytes()
	c := catalog.New()
	f := c.Run("r").AddFile("r/tfevents")
	windows := catalog.PreviewWindows(int64(len(b)), 1)
	if len(windows) == 0 {
		t.Fatalf("a file of %d bytes has no preview", len(b))
	}
	for _, v := range windows {
		f.Preview(v, b[v.Offset:v.Offset+v.Length])
	}
	var s curves
	q := Curves{Tag: "t", Runs: []string{"r"}}
	buf, parts := s.answer(c, &q, nil, nil)
	if len(parts) != 1 || !parts[0].Preview || parts[0].Points != 0 {
		t.Fatalf("%+v", parts)
	}
	if step, _, _, _ := columns(t, buf, parts[0]); step[0] != 0 || step[len(step)-1] != 39_999 || !slices.IsSorted(step) {
		t.Errorf("previewed %v to %v", step[0], step[len(step)-1])
	}
	f.Feed(b, true)
	f.EndPreview()
	if _, parts = s.answer(c, &q, nil, nil); parts[0].Preview || parts[0].N != 40_000 {
		t.Errorf("%+v", parts)
	}
}

func BenchmarkAnswer(b *testing.B) {
	w := summary.NewBuffer(summary.Options{})
	for step := range int64(100_000) {
		w.Scalar("t", math.Sin(float64(step)), step)
	}
	c := catalog.New()
	c.Run("r").AddFile("r/tfevents").Feed(w.Bytes(), true)
	var s curves
	var buf []uint64
	q := Curves{Tag: "t", Runs: []string{"r"}, Weight: 0.6, Pixels: 600}
	for b.Loop() {
		buf, _ = s.answer(c, &q, nil, buf[:0])
	}
}

// With Even the first point of each stretch is there beside the extremes, whatever its value:
// the same ones in all runs, zoomed or not, over a log axis too. Where every point is there
// anyway, or the curve goes back, none is added.
func TestEven(t *testing.T) {
	other, back := wave(20_000), wave(20_000)
	for i := range other {
		other[i].value = -other[i].value * other[i].value
	}
	for i := range back {
		back[i].step = int64(i % 5000)
	}
	c := logged(t, map[string][]point{"a": wave(20_000), "b": other, "back": back, "short": wave(300)})
	var s curves
	for _, q := range []Curves{{}, {Weight: 0.9}, {X0: 20_000, X1: 120_000}, {XScale: "symlog"}, {XScale: "log"}, {X: wire.ByRelative}} {
		q.Tag, q.Runs, q.Pixels = "t", []string{"a", "b", "back", "short"}, 300
		_, plain := s.answer(c, &q, nil, nil)
		q.Even = true
		buf, parts := s.answer(c, &q, nil, nil)
		for i, p := range parts[:2] {
			if !(p.Every > 0) || p.Every != math.Exp2(math.Round(math.Log2(p.Every))) || p.N <= plain[i].N || p.N > plain[i].N+300 || plain[i].Every != 0 {
				t.Fatalf("%+v: part %+v, without Even %+v", q, p, plain[i])
			}
			step, _, _, _ := columns(t, buf, p)
			to, last := mapping(q.XScale), math.NaN()
			for at := step[0]; at <= step[len(step)-1]; at += 10 {
				x := at
				if q.X == wire.ByRelative {
					x /= 10
				}
				if to != nil {
					x = to(x)
				}
				if f := math.Floor(x / p.Every); f != last && f == f {
					if last = f; !slices.Contains(step, at) {
						t.Fatalf("%+v: %s: step %v is the first of its stretch and missing", q, p.Run, at)
					}
				}
			}
		}
		if p, was := parts[2], plain[2]; q.X == "" && (p.Every != 0 || p.N != was.N) {
			t.Errorf("%+v: part %+v, without Even %+v", q, p, was)
		}
		if p, was := parts[3], plain[3]; q.XScale == "" && (p.Every != 0 || p.N != was.N) {
			t.Errorf("%+v: part %+v, without Even %+v", q, p, was)
		}
	}
}

// Scales of the horizontal axis, as the painter has them.
func TestMapping(t *testing.T) {
	for _, c := range []struct {
		scale   string
		v, want float64
	}{
		{"log", 100, 2}, {"symlog", 9, 1}, {"symlog", -9, -1}, {"symlog:0.01", 0.99, 2}, {"symlog:20", -180, -1}, {"symlog:-3", 9, 1},
	} {
		if got := mapping(c.scale)(c.v); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s of %v is %v, not %v", c.scale, c.v, got, c.want)
		}
	}
	if mapping("linear") != nil {
		t.Error("linear")
	}
}
