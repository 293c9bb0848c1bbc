package scalars

import (
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// The answer with every point is that of a catalog without a budget, run after run, in
// pieces that are bounded, and with it what it holds.
func TestEvery(t *testing.T) {
	const n = 200_000
	m := source.Mem{}
	c := loggedIn(t, m, map[string][]point{"a": wave(n), "b": wave(3), "c": wave(70_000)})
	want := map[string]series.Columns{}
	for name, r := range c.Runs {
		var p series.Columns
		r.Scalars(r.Lookup("t"), &p)
		want[name] = p
	}
	c.Fit(5000, 0)
	q := Curves{Tag: "t", Runs: []string{"c", "nobody", "b", "a"}, Weight: 0.9, Pixels: 100}
	e := newEvery(c, q)
	got := map[string]*series.Columns{}
	var order []string
	pieces, most := 0, 0
	var buf []uint64
	for more := true; more; {
		var parts []Part
		var need source.Range
		buf, parts, more, need = e.next(buf[:0])
		most = max(most, cap(e.points.Step))
		if need.Length > 0 {
			if len(buf) > 0 || len(parts) > 0 || !more {
				t.Fatal("bytes are needed, and there is a piece")
			}
			e.take(m[need.Path][need.Offset : need.Offset+need.Length])
			continue
		}
		pieces++
		for _, p := range parts {
			if p.N > PiecePoints || !p.Full || p.Preview || p.Points != int64(len(want[p.Run].Step)) {
				t.Fatalf("piece %+v", p)
			}
			if got[p.Run] == nil {
				got[p.Run] = &series.Columns{}
				order = append(order, p.Run)
			} else if order[len(order)-1] != p.Run {
				t.Errorf("%s goes on behind %s", p.Run, order[len(order)-1])
			}
			g := got[p.Run]
			step, wall, value, smoothed := columns(t, buf, p)
			g.Step, g.Wall, g.Value = append(g.Step, step...), append(g.Wall, wall...), append(g.Value, value...)
			if !slices.Equal(value, smoothed) {
				t.Error("an export is smoothed")
			}
		}
	}
	if !slices.Equal(order, []string{"c", "b", "a"}) {
		t.Errorf("order %v", order)
	}
	for name, w := range want {
		if g := got[name]; !slices.Equal(g.Step, w.Step) || !slices.Equal(g.Wall, w.Wall) || !slices.Equal(g.Value, w.Value) {
			t.Errorf("%s: %d points are not the %d that there are", name, g.Len(), w.Len())
		}
	}
	if pieces != 2+1+4 || most > 2*PiecePoints {
		t.Errorf("%d pieces, %d points held", pieces, most)
	}

	// A range without points leaves a run with none; a tag without points no run.
	q.X0, q.X1 = -29, -25
	_, parts, more, _ := newEvery(c, q).next(nil)
	if len(parts) != 1 || parts[0].Run != "c" || parts[0].N != 0 || !more {
		t.Errorf("of an empty range: %+v, %v", parts, more)
	}
	q.Tag = "words"
	if buf, parts, more, need := newEvery(c, q).next(nil); len(buf)+len(parts) > 0 || more || need.Length > 0 {
		t.Errorf("of what is no curve: %v, %v", parts, more)
	}
	// What cannot be read is said to be missing.
	q.Tag, q.X0, q.X1 = "t", 0, 0
	e = newEvery(c, q)
	for {
		_, parts, _, need := e.next(nil)
		if need.Length == 0 {
			if len(parts) != 1 || parts[0].Full || parts[0].N == 0 || parts[0].N > 10_000 {
				t.Errorf("of a file that is gone: %+v", parts)
			}
			return
		}
		e.fail()
	}
}
