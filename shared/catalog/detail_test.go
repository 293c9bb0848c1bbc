package catalog

import (
	"fmt"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// fill reads a detail's stretch of b.
func fill(d *Detail, t *Tag, b []byte) bool {
	for {
		w, more := d.Next(t)
		if !more {
			return d.Filled()
		}
		d.Take(t, b[w.Offset:w.Offset+w.Length], w)
	}
}

// TestDetails: what a budget has thinned away is read again from the file, point for
// point, from no more of the file than the range needs.
func TestDetails(t *testing.T) {
	const n = 20_000
	b := file(t, summary.Options{}, func(w *summary.Buffer) {
		for i := range int64(n) {
			for _, tag := range []string{"x", "y", "z"} {
				if err := w.Scalar(tag, float64(10*i), i, summary.Double()); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	c := New()
	f := c.Run("r").AddFile("f")
	feed(f, b, 1<<20)
	run, x := f.run, f.run.Lookup("x")
	if d := run.Details(x, wire.ByStep, 5000, 5100); d != nil {
		t.Fatalf("nothing is missing, yet %d details", len(d))
	}
	cap := c.Fit(6000, 0)
	if _, kept := run.Points(); kept > 6600 || kept < 600 {
		t.Fatalf("%d points kept of %d with a budget of 6000", kept, 3*n)
	}
	if again := c.Fit(6000, cap); again != cap {
		t.Errorf("the cap fell from %d to %d with no new points", cap, again)
	}
	for _, r := range []struct{ x0, x1 float64 }{{5000, 5100}, {0, 10}, {19_990, 30_000}, {4090, 4100}, {-5, -1}, {0, 0}} {
		details := run.Details(x, wire.ByStep, r.x0, r.x1)
		bytes := int64(0)
		for _, d := range details {
			if !fill(d, x, b) {
				t.Errorf("%v: %d points read of %d", r, d.Points.Len(), d.To-d.From)
			}
			bytes += d.Length
		}
		all := r.x0 == r.x1
		if !all && bytes > int64(len(b))/5 {
			t.Errorf("%v: %d of %d bytes read again", r, bytes, len(b))
		}
		var c series.Columns
		points, _, _ := run.ShownWith(x, details, &c)
		if points != n {
			t.Errorf("%v: %d points logged", r, points)
		}
		have := make(map[int64]bool)
		for i, s := range c.Step {
			if c.Value[i] != 10*s || i > 0 && c.Step[i-1] >= s {
				t.Fatalf("%v: point %d is %g at %g", r, i, c.Value[i], s)
			}
			have[int64(s)] = true
		}
		for s := range int64(n) {
			if (all || float64(s) >= r.x0 && float64(s) <= r.x1) && !have[s] {
				t.Fatalf("%v: step %d is missing", r, s)
			}
		}
	}
	// The file was replaced: what is read does not fit, and what is kept is shown.
	d := run.Details(x, wire.ByStep, 5000, 5100)
	if fill(d[0], x, make([]byte, len(b))) {
		t.Error("zeros pass for the points")
	}
}

// TestFitDoesNotDependOnOrder: the points that stay are the same whatever the order
// of files and the moments of thinning.
func TestFitDoesNotDependOnOrder(t *testing.T) {
	files := map[string][]byte{}
	for i := range 4 {
		files[fmt.Sprintf("r%d", i)] = file(t, summary.Options{}, func(w *summary.Buffer) {
			for s := range int64(3000 * (i + 1)) {
				if err := w.Scalar("x", float64(s*7919%1000), s); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	read := func(order []string, every bool) string {
		c, cap := New(), int64(0)
		for _, name := range order {
			feed(c.Run(name).AddFile(name+"/f"), files[name], 5000)
			if every {
				cap = c.Fit(9000, cap)
			}
		}
		c.Fit(9000, cap)
		out := ""
		for i := range 4 {
			r := c.Run(fmt.Sprintf("r%d", i))
			var p series.Columns
			r.Scalars(r.Lookup("x"), &p)
			out += fmt.Sprintln(p.Len(), p)
		}
		return out
	}
	want := read([]string{"r0", "r1", "r2", "r3"}, false)
	for _, order := range [][]string{{"r3", "r2", "r1", "r0"}, {"r1", "r3", "r0", "r2"}} {
		for _, every := range []bool{false, true} {
			if got := read(order, every); got != want {
				t.Errorf("order %v, thinned as it is read %v: other points stay", order, every)
			}
		}
	}
}

// TestDetailsJoin: neighbouring stretches of one segment are read as one, those of
// different segments and files are not, and only a stretch of the same points of the same
// file is the same.
func TestDetailsJoin(t *testing.T) {
	const n = 9000
	b := file(t, summary.Options{}, func(w *summary.Buffer) {
		for i := range int64(n) {
			if i == n/3 {
				if err := w.SessionStart(i); err != nil {
					t.Fatal(err)
				}
			}
			for _, tag := range []string{"x", "y"} {
				if err := w.Scalar(tag, float64(10*i), i); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	c := New()
	for _, name := range []string{"f1", "f2"} {
		feed(c.Run("r").AddFile(name), b, 1<<20)
	}
	c.Fit(2000, 0)
	r := c.Runs["r"]
	x := r.Lookup("x")
	all := r.Details(x, wire.ByStep, 0, 0)
	if len(all) != 4 {
		t.Fatalf("%d stretches of two files with two segments each", len(all))
	}
	for i, d := range all {
		if want := map[int]int64{0: n / 3, 1: n - n/3}[i%2]; d.From != 0 || d.To != want {
			t.Errorf("stretch %d has the points %d to %d, want %d", i, d.From, d.To, want)
		}
		for k, o := range all {
			if d.Same(o) != (i == k) {
				t.Errorf("Same of stretches %d and %d", i, k)
			}
		}
		if !fill(d, x, b) {
			t.Errorf("stretch %d: %d points read", i, d.Points.Len())
		}
		for k, v := range d.Points.Value {
			if v != 10*d.Points.Step[k] {
				t.Fatalf("stretch %d: %g at %g", i, v, d.Points.Step[k])
			}
		}
	}
	again := r.Details(x, wire.ByStep, 0, 0)
	part := r.Details(x, wire.ByStep, 0, 1500)
	for i := range all {
		if !all[i].Same(again[i]) {
			t.Errorf("stretch %d is another one when it is asked for again", i)
		}
	}
	if len(part) == 0 || part[0].To >= all[0].To || part[0].Same(all[0]) {
		t.Errorf("a shorter stretch is the same: %+v", part)
	}
	// Two stretches with a gap between them stay two.
	ends := r.Details(x, wire.ByStep, 100, 100.5)
	far := r.Details(x, wire.ByStep, n-100, n-99.5)
	if len(ends) == 0 || len(far) == 0 || ends[0].Same(far[0]) || ends[0].To > 2*series.ChunkPoints {
		t.Errorf("%+v and %+v", ends, far)
	}
}

// TestDetailsOfDamage: damage inside a stretch is read as it was the first time, even if
// only bytes behind the stretch say what it is.
func TestDetailsOfDamage(t *testing.T) {
	const n = 6000
	whole := file(t, summary.Options{}, steps(t, "x", upTo(n)...))
	for name, b := range map[string][]byte{
		"payload":                 damage.BadPayload(whole, 2048),
		"length":                  damage.BadLength(whole, 2048),
		"a lie":                   damage.HugeLength(whole, 2048, 100_000), // far beyond the stretch
		"a lie about the end":     damage.HugeLength(whole, 2048, 1<<25),
		"the last of the stretch": damage.HugeLength(whole, 1024, 500),
	} {
		c := New()
		f := c.Run("r").AddFile("f")
		feed(f, b, 1<<20)
		x := f.run.Lookup("x")
		want := read(t, f.run, "x")
		if len(want) != n-1 {
			t.Fatalf("%s: %d points", name, len(want))
		}
		c.Fit(1000, 0)
		details := f.run.Details(x, wire.ByStep, 0, 0)
		if len(details) == 0 {
			t.Fatalf("%s: nothing is missing", name)
		}
		for _, d := range append(details, f.run.Details(x, wire.ByStep, 1500, 1600)...) {
			if !fill(d, x, b) {
				t.Errorf("%s: points %d to %d: %d read", name, d.From, d.To, d.Points.Len())
			}
		}
		var got series.Columns
		f.run.ShownWith(x, details, &got)
		if got.Len() != n-1 {
			t.Errorf("%s: %d points are shown", name, got.Len())
		}
		for i, s := range got.Step {
			if int64(s) != want[i] {
				t.Fatalf("%s: point %d is at %g, not %d", name, i, s, want[i])
			}
		}
	}
}

// TestDetailsUnderRestarts: what restarts orphaned does not come back with the details,
// by either rule; and two stretches of a segment with a gap between them stay two.
func TestDetailsUnderRestarts(t *testing.T) {
	var at []int64 // up, far away, and back to where it was
	for i := range int64(9000) {
		switch {
		case i < 3000:
			at = append(at, i)
		case i < 6000:
			at = append(at, 100_000+i)
		default:
			at = append(at, i-3500)
		}
	}
	modern := file(t, summary.Options{}, func(w *summary.Buffer) {
		for i, s := range at {
			if i == 10 || i == 8000 {
				if err := w.SessionStart(int64(i) / 3); err != nil {
					t.Fatal(err)
				}
			}
			steps(t, "x", s)(w)
		}
	})
	none := file(t, summary.Options{}, steps(t, "x", at...))
	for name, b := range map[string][]byte{"no start": none, "starts": modern, "steps that go back": none[damage.Records(none)[1].Offset:]} {
		c := New()
		f := c.Run("r").AddFile("f")
		feed(f, b, 1<<20)
		x := f.run.Lookup("x")
		all := columnsOf(f.run, x)
		if name != "no start" && all.Len() > 8000 {
			t.Fatalf("%s: nothing is orphaned", name)
		}
		c.Fit(1000, 0)
		details := f.run.Details(x, wire.ByStep, 0, 3100)
		for _, d := range details {
			if !fill(d, x, b) {
				t.Fatalf("%s: %d points read of %d", name, d.Points.Len(), d.To-d.From)
			}
			if d.From < 3072 && d.To > 3072 {
				t.Errorf("%s: a stretch of the points %d to %d", name, d.From, d.To)
			}
		}
		var got series.Columns
		f.run.ShownWith(x, details, &got)
		near := func(c series.Columns) (out []float64) {
			for i, s := range c.Step {
				if s <= 3000 {
					out = append(out, s, c.Value[i])
				}
			}
			return out
		}
		if !same(near(got), near(all)) {
			t.Errorf("%s: %d points are shown, want %d", name, len(near(got))/2, len(near(all))/2)
		}
	}
}
