package scalars

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/derive"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// finish runs a job to its end and returns its last answer, how many it gave, and how many
// bytes it read of m; nil cannot be read.
func finish(t *testing.T, j answer.Job, m source.Mem) (parts Parts, answers, read int) {
	t.Helper()
	for {
		var out answer.Out
		s := j.Next(&out)
		for i, r := range s.Need {
			if m == nil {
				j.Fail(i, errors.New("gone"))
				continue
			}
			read += int(r.Length)
			j.Take(i, m[r.Path][r.Offset:r.Offset+r.Length])
		}
		if len(s.Need) > 0 {
			continue
		}
		parts, answers = out.Parts.(Parts), answers+1
		if !s.More {
			return parts, answers, read
		}
	}
}

// A zoom is answered at once and again with all points; what was read for it is not read a
// second time for the same tag, until it is forgotten. What cannot be read is said.
func TestZoomIsRemembered(t *testing.T) {
	m := source.Mem{}
	c := loggedIn(t, m, map[string][]point{"a": wave(20_000)})
	c.Fit(2000, 0)
	whole := true
	a := Kind{}.Answerer(answer.World{Catalog: c, Whole: func(string) bool { return whole }})
	for _, k := range []struct {
		what          string
		before        func()
		m             source.Mem
		answers       int
		reads, isFull bool
	}{
		{"gone", func() {}, nil, 2, false, false},
		{"first", func() {}, m, 2, true, true},
		{"again", func() {}, m, 1, false, true},
		{"of a run that is not whole", func() { whole = false }, m, 1, false, false},
		{"forgotten", func() { whole = true; a.Forget() }, m, 2, true, true},
	} {
		k.before()
		q := Curves{Tag: "t", Runs: []string{"none", "a"}, X: wire.ByStep, X0: 90_000, X1: 94_000, Pixels: 4000}.Query()
		j, err := a.Begin(&q)
		if err != nil {
			t.Fatal(err)
		}
		parts, answers, read := finish(t, j, k.m)
		if len(parts) != 1 || answers != k.answers || read > 0 != k.reads || parts[0].Full != k.isFull || k.isFull && parts[0].N < 401 {
			t.Errorf("%s: %d answers, %d bytes read, %+v", k.what, answers, read, parts)
		}
	}
	// An export of what cannot be read ends, and says so.
	q := Curves{Tag: "t", Runs: []string{"a"}}.Query()
	q.Every = true
	j, err := a.Begin(&q)
	if err != nil {
		t.Fatal(err)
	}
	if parts, _, _ := finish(t, j, nil); len(parts) != 1 || parts[0].Full || parts[0].Points != 20_000 {
		t.Errorf("an export of what is gone: %+v", parts)
	}
}

// An answer that takes several turns is the one that is given in one.
func TestTurns(t *testing.T) {
	c := logged(t, map[string][]point{"a": wave(7), "b": wave(5)})
	q := Curves{Tag: "t", Others: []string{"={t} * 2"}, Runs: []string{"a", "none", "b"}, X: wire.ByStep}.Query()
	a := Kind{}.Answerer(answer.World{Catalog: c})
	var once, turns answer.Out
	j, _ := a.Begin(&q)
	j.Next(&once)
	turns.Over = func() bool { return true }
	j, _ = a.Begin(&q)
	n := 1
	for j.Next(&turns).Busy {
		n++
	}
	if n != 6 || !slices.Equal(once.Words, turns.Words) || !slices.Equal(once.Parts.(Parts), turns.Parts.(Parts)) {
		t.Errorf("%d turns: %+v, want %+v", n, turns.Parts, once.Parts)
	}
	var of []int
	for _, p := range once.Parts.(Parts) {
		of = append(of, p.Tag, p.N)
	}
	if !slices.Equal(of, []int{0, 7, 0, 5, 1, 7, 1, 5}) {
		t.Errorf("tags and points %v", of)
	}
}

// A series of another run is looked up by step; its points that are missing, and a preview, are told.
func TestRefs(t *testing.T) {
	c := logged(t, map[string][]point{"a": {{1000, 1, 10}, {1001, 2, 20}, {1002, 3, 40}, {1003, 4, 80}}})
	bytes := func(list ...float64) (b []byte) {
		for _, v := range list {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		return b
	}
	e, err := derive.Of("={t} - ref({t})")
	if err != nil || len(e.Refs) != 1 {
		t.Fatal(e, err)
	}
	q := Curves{Tag: "={t} - ref({t})", Runs: []string{"a"}, X: wire.ByStep}
	if got := q.MissingRefs(); !slices.Equal(got, e.Refs) {
		t.Errorf("missing: %v", got)
	}
	var s curves
	if _, parts := s.answer(c, &q, nil, nil); parts != nil {
		t.Errorf("without the other run: %+v", parts)
	}
	q.Refs = []RefSeries{{Ref: e.Refs[0], Steps: bytes(4, 2, 3, 9), Values: bytes(7, 5, 1, 100), Missing: 6, Preview: true}}
	buf, parts := s.answer(c, &q, nil, nil)
	if len(parts) != 1 || parts[0].Kept != 3 || parts[0].Points != 9 || !parts[0].Preview || parts[0].Full || q.MissingRefs() != nil {
		t.Fatalf("%+v", parts)
	}
	if step, wall, value, _ := columns(t, buf, parts[0]); !slices.Equal(step, []float64{2, 3, 4}) || !slices.Equal(wall, []float64{1001, 1002, 1003}) || !slices.Equal(value, []float64{15, 39, 73}) {
		t.Errorf("%v, %v, %v", step, wall, value)
	}
}

// Windows of a preview end where points stand more than four times as far apart as they mostly do.
func TestWindows(t *testing.T) {
	for _, c := range []struct {
		steps []float64
		want  []int
	}{
		{[]float64{5}, []int{1}},
		{[]float64{5, 5, 5}, []int{3}},
		{[]float64{0, 2, 4, 12, 14}, []int{5}},
		{[]float64{0, 2, 4, 13, 15}, []int{3, 5}},
		{[]float64{20, 22, 24, 0, 2}, []int{3, 5}},
		{[]float64{0, 2, 2, 2, 2, 4, 30}, []int{6, 7}},
	} {
		if got := windows(c.steps); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.steps, got, c.want)
		}
	}
}

// What is in either of two lists is in their union once, in order.
func TestUnion(t *testing.T) {
	for _, c := range [][3][]int32{
		{{1, 4, 9}, {2, 4, 11, 12}, {1, 2, 4, 9, 11, 12}}, {nil, {3, 5}, {3, 5}}, {{3, 5}, nil, {3, 5}}, {{7}, {7}, {7}}, {{5, 6}, {1}, {1, 5, 6}},
	} {
		if got := union(nil, c[0], c[1]); !slices.Equal(got, c[2]) {
			t.Errorf("%v and %v: %v", c[0], c[1], got)
		}
	}
}

// What is shown is a preview where the curve itself, or what it is computed of, drawn over or
// bounded by, comes from a file of which only windows have been read.
func TestPreviewOfOthers(t *testing.T) {
	file := func(n int64, tags ...string) []byte {
		w := summary.NewBuffer(summary.Options{})
		for step := range n {
			for k, tag := range tags {
				if err := w.Scalar(tag, float64(step*int64(k+2)), step); err != nil {
					t.Fatal(err)
				}
			}
		}
		return w.Bytes()
	}
	c := catalog.New()
	c.Run("a").AddFile("a/events.out.tfevents.1.x").Feed(file(50, "v", "w"), true)
	seen, f := file(30_000, "edge", "more"), c.Run("a").AddFile("a/events.out.tfevents.2.x")
	for _, at := range catalog.PreviewWindows(int64(len(seen)), 1) {
		f.Preview(at, seen[at.Offset:at.Offset+at.Length])
	}
	for _, k := range []struct {
		q    Curves
		want bool
	}{
		{Curves{Tag: "v"}, false},
		{Curves{Tag: "edge"}, true},
		{Curves{Tag: "v", Bands: [][2]string{{"w", "v"}}}, false},
		{Curves{Tag: "v", Bands: [][2]string{{"edge", "w"}}}, true},
		{Curves{Tag: "v", Bands: [][2]string{{"w", "edge"}}}, true},
		{Curves{Tag: "v", X: wire.ByTag, XTag: "w"}, false},
		{Curves{Tag: "v", X: wire.ByTag, XTag: "edge"}, true},
		{Curves{Tag: "={v} + {w}"}, false},
		{Curves{Tag: "={v} + {edge}"}, true},
		{Curves{Tag: "={edge} + {v}"}, true},
	} {
		if k.q.Runs = []string{"a"}; k.q.X == "" {
			k.q.X = wire.ByStep
		}
		var s curves
		if _, parts := s.answer(c, &k.q, nil, nil); len(parts) != 1 || parts[0].Preview != k.want || parts[0].Full == k.want {
			t.Errorf("%s over %q, %q: %+v", k.q.Tag, k.q.XTag, k.q.Bands, parts)
		}
	}
}

// A single point is answered with its own wall time, and its number is 0 whatever memory lacks.
func TestOnePoint(t *testing.T) {
	c := logged(t, map[string][]point{"a": {{1234.5, 70, 0.25}}})
	var s curves
	for _, x := range []wire.XAxis{wire.ByStep, wire.ByWall, wire.ByRelative, wire.ByIndex} {
		buf, parts := s.answer(c, &Curves{Tag: "t", Runs: []string{"a"}, X: x, Pixels: 300}, nil, nil)
		if len(parts) != 1 || parts[0].N != 1 || parts[0].Start != 1234.5 {
			t.Fatalf("%s: %+v", x, parts)
		}
		if step, wall, value, _ := columns(t, buf, parts[0]); step[0] != 70 || wall[0] != 1234.5 || value[0] != 0.25 {
			t.Errorf("%s: %v, %v, %v", x, step, wall, value)
		}
	}
}

// What is told of a whole run is told with the first of its pieces alone: sums stay right.
func TestPiecesTellOnce(t *testing.T) {
	c := logged(t, map[string][]point{"a": {{1000, 5, 1}, {1003, 9, 2}, {900, 12, 4}, {904, 15, 8}, {905, 17, 3}}, "one": {{3, 6, 1}, {4, 7, 2}}})
	var s curves
	_, parts := s.answer(c, &Curves{Tag: "t", Runs: []string{"a", "one"}, X: wire.ByWall, Partition: true, Bands: [][2]string{{"none", "t"}}}, nil, nil)
	var got [][5]int64
	for _, p := range parts {
		got = append(got, [5]int64{int64(p.Piece), int64(p.N), p.Points, p.Kept, p.Unmatched})
	}
	if !slices.Equal(got, [][5]int64{{1, 2, 5, 5, 5}, {2, 3, 0, 0, 0}, {0, 2, 2, 2, 2}}) {
		t.Errorf("piece, points, logged, kept, without an edge: %v", got)
	}
}
