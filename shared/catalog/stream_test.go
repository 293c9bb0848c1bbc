package catalog

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// jobs is a run of three files: a job that is restarted twice, inside a file and with
// a new one, logs three tags in turn, with uneven steps, values of every kind and a
// clock that goes back.
func jobs(t *testing.T, n int64) source.Mem {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	m := source.Mem{}
	step := int64(0)
	for k := range 3 {
		m[fmt.Sprintf("r/events.out.tfevents.%d.a.1.0", k)] = file(t, summary.Options{}, func(w *summary.Buffer) {
			start := func(back int64) {
				step -= back
				if err := w.SessionStart(step, summary.WallSeconds(1e9+float64(step))); err != nil {
					t.Fatal(err)
				}
			}
			start(n / 10 * int64(k))
			for i := range n {
				if k == 1 && i == n/2 {
					start(n / 7)
				}
				v := math.Sin(float64(step)) + r.Float64()
				switch {
				case i%997 == 0:
					v = math.NaN()
				case i%1013 == 0:
					v = math.Inf(1)
				case i%499 == 0:
					v = float64(float32(v))
				}
				wall := summary.WallSeconds(1e9 + float64(step) + 5*math.Sin(float64(step)))
				for _, tag := range []string{"x", "y", "z"} {
					var o []summary.Option
					if tag == "x" && k == 1 {
						o = append(o, summary.Double())
					}
					if err := w.Scalar(tag, v, step, append(o, wall)...); err != nil {
						t.Fatal(err)
					}
				}
				if step++; i%1500 == 7 {
					step += 3
				}
			}
		})
	}
	return m
}

// drain reads a stream to its end and returns its points and pieces. Its bytes come
// from m; between two pieces happen is called.
func drain(t *testing.T, s *Stream, m source.Mem, most int, happen func(piece int)) (out series.Columns, read int64) {
	t.Helper()
	var c series.Columns
	for piece := 0; ; {
		need, done := s.Next(&c, most)
		if c.Len() > most {
			t.Fatalf("a piece of %d points, at most %d are asked for", c.Len(), most)
		}
		if need.Length > 0 {
			if need.Length > StreamWindow {
				t.Fatalf("%d bytes asked for at a time", need.Length)
			}
			b := m[need.Path]
			if b == nil {
				s.Fail()
				continue
			}
			from := min(need.Offset, int64(len(b)))
			read += need.Length
			s.Take(b[from:min(from+need.Length, int64(len(b)))])
			continue
		}
		if !done && c.Len() < most-series.ChunkPoints {
			t.Fatalf("piece %d has %d points, there was room for %d", piece, c.Len(), most)
		}
		out.Step, out.Wall, out.Value = append(out.Step, c.Step...), append(out.Wall, c.Wall...), append(out.Value, c.Value...)
		c.Reset()
		if done {
			return out, read
		}
		if piece++; happen != nil {
			happen(piece)
		}
	}
}

func same(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && (a[i] == a[i] || b[i] == b[i]) {
			return false
		}
	}
	return true
}

func wantPoints(t *testing.T, what string, got, want series.Columns) {
	t.Helper()
	if !same(got.Step, want.Step) || !same(got.Wall, want.Wall) || !same(got.Value, want.Value) {
		t.Errorf("%s: %d points are not the %d that there are", what, got.Len(), want.Len())
	}
}

// inside returns the points of c in a range, as an export has them.
func inside(c series.Columns, x wire.XAxis, x0, x1 float64) (out series.Columns) {
	for i := range c.Step {
		v := c.Step[i]
		switch x {
		case wire.ByWall:
			v = c.Wall[i]
		case wire.ByRelative:
			v = c.Wall[i] - c.Wall[0]
		}
		if x1 > x0 && !(v >= x0 && v <= x1) {
			continue
		}
		out.Step, out.Wall, out.Value = append(out.Step, c.Step[i]), append(out.Wall, c.Wall[i]), append(out.Value, c.Value[i])
	}
	return out
}

// TestStream: every point that the files hold, whatever the budget has left of them,
// in pieces of bounded size; and of the files no more than the range needs.
func TestStream(t *testing.T) {
	const n = 30_000
	m := jobs(t, n)
	whole := load(t, m).Run("r")
	var want series.Columns
	whole.Scalars(whole.Lookup("x"), &want)
	if want.Len() < n || want.Len() >= 3*n {
		t.Fatalf("%d points are left after restarts", want.Len())
	}
	bytes := int64(0)
	for _, b := range m {
		bytes += int64(len(b))
	}
	for _, budget := range []int64{0, 150_000, 20_000, 2000} {
		c := load(t, m)
		if budget > 0 {
			c.Fit(budget, 0)
		}
		r := c.Run("r")
		x := r.Lookup("x")
		for _, g := range []struct {
			x      wire.XAxis
			x0, x1 float64
		}{{wire.ByStep, 0, 0}, {wire.ByStep, 20_000, 20_500}, {wire.ByStep, -9, 1e9}, {wire.ByStep, 5, 2000}, {wire.ByStep, -2, -1},
			{wire.ByWall, 1e9 + 30_000, 1e9 + 40_000.5}, {wire.ByRelative, 100, 25_000}, {wire.ByRelative, 3e4, 1e9}} {
			for _, most := range []int{series.ChunkPoints, 5000, 1 << 20} {
				what := fmt.Sprintf("budget %d, %v, pieces of %d", budget, g, most)
				s := r.Stream(x, g.x, g.x0, g.x1)
				got, read := drain(t, s, m, most, nil)
				wantPoints(t, what, got, inside(want, g.x, g.x0, g.x1))
				logged, _ := r.count(r.Lookup("x"))
				if !s.Full() || !s.Some || s.Points != logged || s.Start != want.Wall[0] {
					t.Errorf("%s: full %v, some %v, %d points, start %v", what, s.Full(), s.Some, s.Points, s.Start)
				}
				if budget == 0 && read > 0 || g.x1-g.x0 < 600 && g.x1 > g.x0 && read > bytes/10 || read > bytes+StreamWindow {
					t.Errorf("%s: %d of %d bytes read", what, read, bytes)
				}
			}
		}
	}
}

// What happens to the catalog while a stream goes on makes no difference to it.
func TestStreamOfWhatChanges(t *testing.T) {
	m := jobs(t, 20_000)
	for _, budget := range []int64{0, 9000} {
		c := load(t, m)
		r := c.Run("r")
		var want series.Columns
		r.Scalars(r.Lookup("x"), &want)
		cap := int64(0)
		if budget > 0 {
			cap = c.Fit(budget, cap)
		}
		f := r.Files[2]
		more := file(t, summary.Options{}, func(w *summary.Buffer) {
			if err := w.SessionStart(3); err != nil { // purges nearly all
				t.Fatal(err)
			}
			for i := range int64(5000) {
				if err := w.Scalar("x", 1, i); err != nil {
					t.Fatal(err)
				}
			}
		})
		grown := append(bytes.Clone(m[f.Path]), more...)
		s := r.Stream(r.Lookup("x"), wire.ByStep, 0, 0)
		got, _ := drain(t, s, source.Mem{r.Files[0].Path: m[r.Files[0].Path], r.Files[1].Path: m[r.Files[1].Path], f.Path: grown}, 4096, func(piece int) {
			switch piece {
			case 2:
				feed(f, grown, 1<<16)
			case 4:
				cap = c.Fit(3000, cap)
			}
		})
		wantPoints(t, fmt.Sprint("budget ", budget), got, want)
		if !s.Full() {
			t.Errorf("budget %d: not full", budget)
		}
	}
}

// TestStreamFails: what cannot be read any more is given as it was kept, and the
// stream says so.
func TestStreamFails(t *testing.T) {
	m := jobs(t, 20_000)
	c := load(t, m)
	r := c.Run("r")
	x := r.Lookup("x")
	var all, kept series.Columns
	r.Scalars(x, &all)
	c.Fit(9000, 0)
	r.Scalars(x, &kept)
	part := func(what string, now source.Mem, least int, happen func(piece int)) {
		t.Helper()
		s := r.Stream(x, wire.ByStep, 0, 0)
		got, _ := drain(t, s, now, 4096, happen)
		if s.Full() {
			t.Errorf("%s: it is said to be full", what)
		}
		// In order, among all points, and all of the kept ones.
		i, k := 0, 0
		for j := range got.Step {
			for i < all.Len() && (all.Step[i] != got.Step[j] || all.Wall[i] != got.Wall[j] || !same(all.Value[i:i+1], got.Value[j:j+1])) {
				i++
			}
			if k < kept.Len() && kept.Step[k] == got.Step[j] && kept.Wall[k] == got.Wall[j] {
				k++
			}
		}
		if i >= all.Len() || k != kept.Len() || got.Len() < least || got.Len() >= all.Len() {
			t.Errorf("%s: %d points given of %d, %d of %d kept ones", what, got.Len(), all.Len(), k, kept.Len())
		}
	}
	one, two, three := r.Files[0].Path, r.Files[1].Path, r.Files[2].Path
	part("all gone", source.Mem{}, kept.Len(), nil)
	part("one gone", source.Mem{one: m[one], three: m[three]}, 15_000, nil)
	part("cut", source.Mem{one: m[one][:len(m[one])/2], two: m[two], three: m[three]}, 20_000, nil)
	other := jobs(t, 15_000)
	part("replaced", source.Mem{one: m[one], two: other[two], three: m[three]}, 15_000, nil)
	part("zeros", source.Mem{one: make([]byte, len(m[one])), two: m[two], three: m[three]}, 15_000, nil)
	broken := m[three]
	for _, i := range []int{30_002, 30_001, 30_000} { // one of each tag
		from, _ := damage.Records(m[three])[i].Payload()
		broken = damage.Flip(broken, from, 0)
	}
	part("damaged since", source.Mem{one: m[one], two: m[two], three: broken}, 20_000, nil)
	now := source.Mem{one: m[one], two: m[two], three: m[three]}
	part("read anew meanwhile", now, 10_000, func(piece int) {
		if piece == 3 {
			r.Files[1].Restart()
			now[two] = other[two]
		}
	})
}

// Damage that was met when the file was read for the first time costs a stream no more
// than it did then.
func TestStreamOfDamage(t *testing.T) {
	m := jobs(t, 20_000)
	for path, b := range m {
		records := damage.Records(b)
		from, _ := records[7000].Payload()
		m[path] = damage.Flip(damage.Flip(b, from, 0), records[15_000].Offset, 4)
	}
	c := load(t, m)
	r := c.Run("r")
	var want series.Columns
	r.Scalars(r.Lookup("x"), &want)
	if len(r.Files[0].Losses()) != 2 {
		t.Fatalf("losses %v", r.Files[0].Losses())
	}
	c.Fit(5000, 0)
	s := r.Stream(r.Lookup("x"), wire.ByStep, 0, 0)
	got, _ := drain(t, s, m, 4096, nil)
	wantPoints(t, "damaged", got, want)
	if !s.Full() {
		t.Error("not full")
	}
}

// Files without a version: points that went by the older rule do not come back.
func TestStreamOfOldFiles(t *testing.T) {
	b := file(t, summary.Options{}, func(w *summary.Buffer) {
		for i := range int64(30_000) {
			step := i
			if i >= 20_000 {
				step -= 10_000
			}
			if err := w.Scalar("x", float64(10*step), step); err != nil {
				t.Fatal(err)
			}
		}
	})
	b = b[damage.Records(b)[1].Offset:] // without the version
	c := New()
	f := c.Run("r").AddFile("r/f")
	feed(f, b, 1<<16)
	r := f.run
	wantSteps(t, "logged", read(t, r, "x"), upTo(20_000)...)
	c.Fit(3000, 0)
	kept := read(t, r, "x")
	s := r.Stream(r.Lookup("x"), wire.ByStep, 0, 0)
	got, _ := drain(t, s, source.Mem{"r/f": b}, 4096, nil)
	seen := map[float64]bool{}
	for i, step := range got.Step {
		if got.Value[i] != 10*step || i > 0 && step <= got.Step[i-1] {
			t.Fatalf("point %d is %g at %g", i, got.Value[i], step)
		}
		seen[step] = true
	}
	for _, step := range kept {
		if !seen[float64(step)] {
			t.Fatalf("step %d is kept, and not exported", step)
		}
	}
	if s.Full() != (got.Len() == 20_000) {
		t.Errorf("%d points, full %v", got.Len(), s.Full())
	}
}

// Points of a preview are not exported.
func TestStreamOfPreview(t *testing.T) {
	m := jobs(t, 20_000)
	c := New()
	r := c.Run("r")
	for _, path := range []string{"r/events.out.tfevents.0.a.1.0", "r/events.out.tfevents.1.a.1.0"} {
		f := r.AddFile(path)
		for _, w := range PreviewWindows(int64(len(m[path])), 2) {
			f.Preview(w, m[path][w.Offset:w.Offset+w.Length])
		}
	}
	feed(r.Files[0], m[r.Files[0].Path], 1<<20)
	r.Files[0].EndPreview()
	if !r.Files[1].HasPreview() {
		t.Fatal("no preview")
	}
	s := r.Stream(r.Lookup("x"), wire.ByStep, 0, 0)
	got, _ := drain(t, s, m, 4096, nil)
	var want series.Columns
	r.Scalars(r.Lookup("x"), &want)
	wantPoints(t, "exact ones", got, want)
	if s.Full() || !s.Preview || !s.Some {
		t.Error("a preview is not said to be one")
	}
}
