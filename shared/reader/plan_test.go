package reader_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// still is a world of some files, by the numbers of their points, that do not change by themselves.
func still(by identity, points map[string]int) *world {
	w := newWorld(1, by)
	clear(w.files)
	w.calm = true
	for path, n := range points {
		w.job++
		w.put(path, events(w.job, n))
		w.at[path] = dawn - int64(time.Hour)
	}
	return w
}

// planned is a visit whose options set changes.
func planned(t *testing.T, w *world, set func(o *reader.Options)) *visit {
	o := reader.Options{
		Dir: w, Catalog: catalog.New(), Context: t.Context(),
		Now: func() time.Duration { return w.clock + time.Second }, Wall: w.wall, Chance: w.r.Float64,
		Changed: func(string) {}, Lost: func() {}, PreviewFrom: 1 << 40,
	}
	set(&o)
	v := &visit{t: t, w: w, last: map[string]wire.File{}, plan: reader.New(o)}
	v.look()
	return v
}

// Of a large logdir previews come first, each window of them is told, and they have ended when
// the last one has been used; they are shown until their files have been read.
func TestPreviews(t *testing.T) {
	w := still(versions, map[string]int{"long/tfevents": 30_000, "longer/tfevents": 40_000, "short/tfevents": 7})
	w.wide = true
	told := map[string]int{}
	v := planned(t, w, func(o *reader.Options) {
		o.PreviewFrom, o.Workers = 1<<20, 1
		o.Changed = func(run string) { told[run]++ }
	})
	previews := []string{"long/tfevents", "longer/tfevents"}
	for _, path := range previews {
		if len(w.files[path]) < catalog.PreviewFrom {
			t.Fatalf("%s has %d bytes", path, len(w.files[path]))
		}
	}
	clear(told)
	windows := map[string]int{}
	j := v.plan.Next()
	for ; v.plan.Previewing(); j = v.plan.Next() {
		<-j.Ready
		v.plan.Use(j)
		for _, path := range j.Paths() {
			windows[path]++
		}
		if v.plan.Bytes > 0 {
			t.Fatalf("%d bytes count as read while there are previews to come", v.plan.Bytes)
		}
		if len(windows) > len(previews) {
			t.Fatalf("previews of %v", windows)
		}
	}
	for _, path := range previews {
		if run := source.RunOf(path); windows[path] < 3 || told[run] != windows[path] || told["short"] > 0 {
			t.Errorf("%s: %d windows, told %v", path, windows[path], told)
		}
	}
	if !v.plan.Previewed() {
		t.Error("nothing is previewed")
	}
	v.plan.PutBack(j)
	v.read()
	if v.plan.Previewed() || v.plan.Previewing() || v.points() != text(of(w.files)) || v.plan.Bytes != v.size {
		t.Errorf("read: previewed %v, previewing %v, %d of %d bytes", v.plan.Previewed(), v.plan.Previewing(), v.plan.Bytes, v.size)
	}
}

// An entry says how many points its reader could keep of a series: the lesser of both bounds
// that there are.
func TestEntryBudget(t *testing.T) {
	for _, o := range []struct{ budget, most, want int64 }{{0, 0, 0}, {0, 700, 700}, {1, 700, 1}, {500, 0, 500}, {900, 700, 700}, {300, 700, 300}} {
		w := still(versions, map[string]int{"r/tfevents": 5})
		v := planned(t, w, func(p *reader.Options) { p.Budget, p.Most = o.budget, o.most })
		v.read()
		if got := v.plan.Entry(v.plan.Files()["r/tfevents"]).Budget; got != o.want {
			t.Errorf("with a budget of %d and at most %d a series the entry says %d, want %d", o.budget, o.most, got, o.want)
		}
	}
}

// counted counts the reads that have begun.
type counted struct {
	*world
	reads atomic.Int64
}

func (c *counted) Read(ctx context.Context, ranges []source.Range) (iter.Seq2[int, source.Result], error) {
	c.reads.Add(1)
	return c.world.Read(ctx, ranges)
}

// A careful plan has one read under way, of one file: who crashes knows then which one it was.
func TestCareful(t *testing.T) {
	for _, careful := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			dir := &counted{world: still(versions, map[string]int{"a/tfevents": 3, "b/tfevents": 5, "c/tfevents": 7, "d/tfevents": 300, "e/tfevents": 400})}
			dir.ahead = 1
			v := planned(t, dir.world, func(o *reader.Options) { o.Careful, o.Dir = careful, dir })
			most, files := int64(0), 0
			for used := int64(0); !v.plan.Done(); used++ {
				j := v.plan.Next()
				synctest.Wait() // until all that has been asked for has been counted
				most = max(most, dir.reads.Load()-used)
				paths := j.Paths()
				slices.Sort(paths)
				files = max(files, len(slices.Compact(paths)))
				<-j.Ready
				v.plan.Use(j)
			}
			if careful != (most == 1) || careful != (files == 1) {
				t.Errorf("careful %v: up to %d reads are under way, of up to %d files each", careful, most, files)
			}
			if v.points() != text(of(dir.files)) {
				t.Errorf("careful %v: not all is read", careful)
			}
		})
	}
}

// A run is whole unless one of its files has been given up; a run without files is.
func TestWhole(t *testing.T) {
	w := still(versions, map[string]int{"bad/tfevents": 3, "good/tfevents": 5})
	w.back = 1 << 62
	v := planned(t, w, func(*reader.Options) {})
	v.read()
	check := func(what string, want map[string]bool) {
		t.Helper()
		for run, whole := range want {
			if v.plan.Whole(run) != whole {
				t.Errorf("%s: run %s is whole: %v", what, run, !whole)
			}
		}
	}
	check("nothing can be read", map[string]bool{"bad": false, "good": false, "none": true})
	w.back = 0
	delete(w.files, "bad/tfevents")
	v.plan.Update(v.last["good/tfevents"])
	v.read()
	check("one can be read", map[string]bool{"bad": false, "good": true, "none": true})
	if n := v.plan.Unread(); n != 1 {
		t.Errorf("%d files are unread", n)
	}
	v.look()
	v.read()
	check("the other is gone", map[string]bool{"bad": true, "good": true, "none": true})
}

// A file is stored when it has been read whole, once, and again when it has grown, though not
// more often than every half a minute; not while it may be another one.
func TestStorable(t *testing.T) {
	const path = "r/tfevents"
	w := still(versions, map[string]int{path: 40})
	v := planned(t, w, func(*reader.Options) {})
	x := v.plan.Files()[path]
	check := func(what string, wantNow, wantLater bool) {
		t.Helper()
		if now, later := v.plan.Storable(x); now != wantNow || later != wantLater {
			t.Errorf("%s: it can be stored now: %v, and later: %v", what, now, later)
		}
	}
	check("unread", false, false)
	v.read()
	check("read", true, false)
	grow := func(n int) {
		w.put(path, slices.Concat(w.files[path], events(2, n)))
		v.look()
	}
	grow(3)
	check("grown", false, false)
	v.read()
	check("grown and read", true, false)
	v.plan.Stored(x)
	check("stored", false, false)
	grow(7)
	v.read()
	w.clock += 29 * time.Second
	check("grown since, stored 29 s ago", false, true)
	w.clock += 2 * time.Second
	check("grown since, stored 31 s ago", true, false)
	v.plan.Stored(x)

	// Of the same size, at the same time, by another version.
	w = still(versions, map[string]int{path: 40})
	v = planned(t, w, func(*reader.Options) {})
	x = v.plan.Files()[path]
	v.read()
	f := v.last[path]
	f.Version = "another"
	v.plan.Update(f)
	check("of another version", false, false)
	v.read()
	check("checked", true, false)
	f.Gone = true
	v.plan.Update(f)
	check("gone", false, false)
}

// What comes from the cache whole has no preview; what does not has one.
func TestPreviewsBesideTheCache(t *testing.T) {
	const kept, other = "kept/tfevents", "other/tfevents"
	w := still(versions, map[string]int{kept: 30_000, other: 40_000})
	w.wide = true
	first := planned(t, w, func(*reader.Options) {})
	first.read()
	entries := first.entries()
	if len(entries) != 2 {
		t.Fatalf("%d entries", len(entries))
	}
	delete(entries, other)
	var asked []*reader.File
	v := planned(t, w, func(o *reader.Options) {
		o.PreviewFrom, o.Workers = 1<<20, 1
		o.Lookup = func(x *reader.File) bool { asked = append(asked, x); return true }
	})
	for _, x := range asked {
		var e *reader.Entry
		if b := entries[x.Path]; b != nil {
			var err error
			if e, err = reader.ParseEntry(b); err != nil {
				t.Fatal(err)
			}
		}
		if used := v.plan.Adopt(x, e); used != (e != nil) {
			t.Errorf("%s: used %v", x.Path, used)
		}
	}
	previewed := map[string]bool{}
	for !v.plan.Done() {
		j := v.plan.Next()
		<-j.Ready
		v.plan.Use(j)
		for path, x := range v.plan.Files() {
			previewed[path] = previewed[path] || x.Catalog().HasPreview()
		}
	}
	if previewed[kept] || !previewed[other] {
		t.Errorf("previews: %v", previewed)
	}
	if v.points() != text(of(w.files)) || v.plan.Cached != int64(len(w.files[kept])) || v.plan.Bytes != v.size {
		t.Errorf("%d of %d bytes are said to be read, %d of them from the cache", v.plan.Bytes, v.size, v.plan.Cached)
	}
}

// asking notes what is read.
type asking struct {
	*world
	ranges []source.Range
	jobs   []int64 // bytes that were asked for together
	err    error   // what comes of everything, if it is set
}

func (a *asking) Read(ctx context.Context, ranges []source.Range) (iter.Seq2[int, source.Result], error) {
	a.mu.Lock()
	a.ranges = append(a.ranges, ranges...)
	sum := int64(0)
	for _, r := range ranges {
		sum += r.Length
	}
	a.jobs = append(a.jobs, sum)
	err := a.err
	a.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return a.world.Read(ctx, ranges)
}

// A look at files that have not changed asks for nothing where their origin tells versions or
// times; of files of which nothing tells which they are samples are read, no more.
func TestLooksAtWhatIsRead(t *testing.T) {
	for by, most := range map[identity]int64{versions: 0, times: 0, tags: 1500, nothing: 1500} {
		dir := &asking{world: still(by, map[string]int{"a/tfevents": 500, "b/tfevents": 900})}
		v := planned(t, dir.world, func(o *reader.Options) { o.Dir = dir })
		v.read()
		dir.ranges = nil
		v.look()
		v.read()
		sum := int64(0)
		for _, r := range dir.ranges {
			sum += r.Length
		}
		if sum > most || (sum > 0) != (most > 0) {
			t.Errorf("origin %d: a look reads %d bytes anew", by, sum)
		}
	}
}

// No more is asked for at a time than the origin's pace says, though a record may be longer.
func TestPaceIsKept(t *testing.T) {
	b := summary.NewBuffer(summary.Options{})
	for step := range int64(400) {
		if err := b.Scalar("loss", float64(step%13), step); err != nil {
			t.Fatal(err)
		}
		if step == 170 {
			if err := b.Text("words", strings.Repeat("long ", 1700), step); err != nil {
				t.Fatal(err)
			}
		}
	}
	dir := &asking{world: still(versions, map[string]int{"a/tfevents": 300, "c/tfevents": 24, "d/tfevents": 25, "e/tfevents": 26, "f/tfevents": 3})}
	dir.put("b/tfevents", b.Bytes())
	pace := dir.Pace().Bytes
	v := planned(t, dir.world, func(o *reader.Options) { o.Dir = dir })
	v.read()
	if v.points() != text(of(dir.files)) || len(v.losses()) > 0 {
		t.Errorf("losses %+v", v.losses())
	}
	for _, n := range dir.jobs {
		if n > pace {
			t.Errorf("%d bytes are asked for at a time, more than %d", n, pace)
		}
	}
	if len(dir.jobs) >= len(dir.ranges) {
		t.Errorf("%d ranges are asked for by %d jobs: no small files together", len(dir.ranges), len(dir.jobs))
	}
}

// A problem of the origin is told as long as something waits for its end, and not when all has
// been given up: that is told as losses, and what goes wrong then has words of its own.
func TestProblemEnds(t *testing.T) {
	dir := &asking{world: still(versions, map[string]int{"a/tfevents": 3, "b/tfevents": 5})}
	dir.err = &source.Error{Trouble: source.Busy, Reason: "the server is busy"}
	v := planned(t, dir.world, func(o *reader.Options) { o.Dir = dir })
	met := map[int]bool{}
	for !v.plan.Done() {
		if j := v.plan.Next(); j != nil {
			<-j.Ready
			v.plan.Use(j)
		}
		unread := v.plan.Unread()
		if at, ok := v.plan.Due(); ok {
			met[unread] = true
			if p := v.plan.Problem(); p != "the server is busy" && !(p == "" && at <= v.w.clock+time.Second) {
				t.Errorf("%d files are given up, and %q is said to be the problem", unread, p)
			}
			v.w.clock = max(v.w.clock, at-time.Second)
		}
	}
	if !met[0] || !met[1] || v.plan.Unread() != 2 || v.plan.Problem() != "" {
		t.Errorf("states %v; then %d files are given up, with the problem %q", met, v.plan.Unread(), v.plan.Problem())
	}
	dir.err = &source.Error{Trouble: source.Refused, Reason: "the right to read has ended"}
	v.look()
	j := v.plan.Next()
	<-j.Ready
	v.plan.Use(j)
	if p := v.plan.Problem(); p != "" || v.plan.Done() {
		t.Errorf("%q is said to be the problem", p)
	}
}

// A file that another one replaces while a long record of it is read is read anew, though
// all before that record is the same.
func TestReplacedInARecord(t *testing.T) {
	written := func(tail string) []byte {
		b := summary.NewBuffer(summary.Options{NoVersion: true})
		b.Raw(summary.Event{WallTime: 1e9, FileVersion: summary.FileVersion})
		for step := range int64(3) {
			if err := b.Scalar("loss", float64(step), step, summary.WallSeconds(1e9)); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.Text("words", strings.Repeat("a", 2755)+strings.Repeat(tail, 4000), 3, summary.WallSeconds(1e9)); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	old, young := written("b"), written("c")
	window := int(new(world).Pace().Bytes)
	same := 0
	for old[same] == young[same] {
		same++
	}
	if len(old) != len(young) || same < window-64 || same > window-8 {
		t.Fatalf("%d of %d and %d bytes are the same", same, len(old), len(young))
	}
	w := still(versions, nil)
	w.put("r/tfevents", old)
	v := planned(t, w, func(*reader.Options) {})
	j := v.plan.Next()
	<-j.Ready
	v.plan.Use(j)
	w.put("r/tfevents", young)
	v.read()
	if got := v.plan.Catalog.Runs["r"]; len(v.losses()) > 0 || got.Lookup("words") == nil || v.points() != text(of(w.files)) {
		t.Errorf("losses %+v", v.losses())
	}
}

// A digest is an entry of a file that was read whole, with few points of each series.
func TestDigest(t *testing.T) {
	w := still(versions, map[string]int{"r/tfevents": 9000})
	w.wide = true
	l, err := w.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f := wire.File{Path: l.Files[0].Path, Size: l.Files[0].Size, MTime: l.Files[0].MTime, Version: l.Files[0].Version}
	b, err := reader.Digest(t.Context(), w, f, 100)
	if err != nil {
		t.Fatal(err)
	}
	e, err := reader.ParseEntry(b)
	if err != nil || e.Size != f.Size || e.Offset != f.Size || e.Version != f.Version || e.Budget != 100 {
		t.Fatalf("%+v, %v", e, err)
	}
	r := catalog.New().Run("r")
	if err := r.AddFile(f.Path).Restore(e.Data); err != nil {
		t.Fatal(err)
	}
	if logged, kept := r.Points(); logged != 9000 || kept < 30 || kept > 200 {
		t.Errorf("%d points of %d are kept", kept, logged)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if b, err := reader.Digest(ended, w, f, 100); !errors.Is(err, context.Canceled) {
		t.Errorf("%d bytes and %v", len(b), err)
	}
}
