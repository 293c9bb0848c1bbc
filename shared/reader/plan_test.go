package reader_test

import (
	"context"
	"iter"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
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
