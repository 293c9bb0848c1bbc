package catalog

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// restarted are the files of a run whose job began again at step 7000 of 9000, and in a file
// of its own at 8000.
func restarted(t *testing.T) [][]byte {
	write := func(w *summary.Buffer, tag string, from, to int64) {
		for i := from; i < to; i++ {
			if err := w.Scalar(tag, float64(i*7919%1013)-float64(i%3)/7, i, summary.Double()); err != nil {
				t.Fatal(err)
			}
		}
	}
	return [][]byte{
		file(t, summary.Options{}, func(w *summary.Buffer) {
			if err := w.SessionStart(0); err != nil {
				t.Fatal(err)
			}
			write(w, "loss", 0, 9000)
			write(w, "short", 0, 5)
			if err := w.Histogram("weights", []float64{1, 2}, 3); err != nil {
				t.Fatal(err)
			}
			if err := w.SessionStart(7000); err != nil {
				t.Fatal(err)
			}
			write(w, "loss", 7000, 8500)
		}),
		file(t, summary.Options{}, func(w *summary.Buffer) {
			if err := w.SessionStart(8000); err != nil {
				t.Fatal(err)
			}
			write(w, "loss", 8000, 12000)
			write(w, "late", 8000, 8100)
		}),
	}
}

// shown is what is shown of a tag.
func shown(r *Run, tag string) (c series.Columns, points, kept int64, glimpse Glimpse) {
	t := r.Lookup(tag)
	if t == nil {
		return
	}
	points, kept, glimpse = r.ShownWith(t, nil, &c)
	return
}

// about reports whether so many points are counted: of a stretch of which some points are gone
// it is not known how many of them a restart cuts off.
func about(points, logged int64) bool { return max(points-logged, logged-points) <= logged/50 }

// TestSketch: a run that is shown by sketches has the tags, the ends, the extremes and the
// restarts of the run itself, and none of its points counts; what follows is exact.
func TestSketch(t *testing.T) {
	whole, sketch := NewRun("run"), NewRun("run")
	var stored [][]byte
	for i, b := range restarted(t) {
		f := whole.AddFile(fmt.Sprint("run/tfevents.", i))
		f.Feed(b, true)
		before := state(f)
		s := f.AppendSketch(nil)
		if after := state(f); after != before {
			t.Fatal("a file is another one after a sketch was made of it")
		}
		stored = append(stored, f.AppendStored(nil))
		if len(s) > len(stored[i])/8 {
			t.Errorf("the sketch has %d bytes, the stored form %d", len(s), len(stored[i]))
		}
		g := sketch.AddFile(f.Path)
		if err := g.Sketch(s); err != nil {
			t.Fatal(err)
		}
		for k := range s {
			b := slices.Clone(s)
			b[k] ^= 1 << (k % 8)
			other := NewRun("run").AddFile(f.Path)
			if err := other.Sketch(b); !errors.Is(err, ErrStored) || other.HasPreview() || len(other.run.shadow.Files) > 0 {
				t.Fatalf("byte %d is another one: %v", k, err)
			}
		}
	}
	var tags []string
	sketch.Tags(func(tag *Tag, info wire.Tag) {
		tags = append(tags, tag.Name)
		if info.Points != 0 || info.Plugin != Points {
			t.Errorf("%s: %+v", tag.Name, info)
		}
	})
	if fmt.Sprint(tags) != "[loss short late]" {
		t.Errorf("tags %v", tags)
	}
	if points, kept := sketch.Points(); points != 0 || kept != 0 {
		t.Errorf("%d points count, %d kept", points, kept)
	}
	if sketch.Start() != whole.Start() {
		t.Errorf("it starts at %g, not %g", sketch.Start(), whole.Start())
	}
	for _, tag := range []string{"loss", "short", "late"} {
		want, logged, _, exact := shown(whole, tag)
		got, points, kept, glimpse := shown(sketch, tag)
		if exact != Exact || glimpse != Sketched || !about(points, logged) || kept != int64(got.Len()) {
			t.Errorf("%s: glimpse %d, %d points and %d kept, of %d; glimpse %d of the whole", tag, glimpse, points, kept, logged, exact)
		}
		if got.Len() > 5*SketchPoints {
			t.Errorf("%s: %d points", tag, got.Len())
		}
		at := 0
		for i := range got.Step {
			for at < want.Len() && want.Step[at] != got.Step[i] {
				at++
			}
			if at == want.Len() || want.Value[at] != got.Value[i] || want.Wall[at] != got.Wall[i] {
				t.Fatalf("%s: point %d, step %g, is not one that is shown", tag, i, got.Step[i])
			}
		}
		if got.Step[0] != want.Step[0] || got.Step[got.Len()-1] != want.Step[want.Len()-1] ||
			slices.Min(got.Value) != slices.Min(want.Value) || slices.Max(got.Value) != slices.Max(want.Value) {
			t.Errorf("%s: from step %g to %g, from %g to %g", tag, got.Step[0], got.Step[got.Len()-1], slices.Min(got.Value), slices.Max(got.Value))
		}
		last := math.Inf(-1)
		for _, s := range got.Step {
			if s <= last {
				t.Errorf("%s: step %g after %g", tag, s, last)
			}
			last = s
		}
	}
	for i, f := range sketch.Files { // in the other order, and one after the other
		if f = sketch.Files[len(sketch.Files)-1-i]; !f.HasPreview() {
			t.Errorf("%s has no preview", f.Path)
		}
		f.EndPreview()
		if err := f.Restore(stored[len(stored)-1-i]); err != nil {
			t.Fatal(err)
		}
		got, _, _, glimpse := shown(sketch, "loss")
		if want := map[int]Glimpse{0: Sketched, 1: Exact}[i]; glimpse != want || got.Step[0] != 0 || got.Step[got.Len()-1] != 11999 {
			t.Errorf("after %d files: glimpse %d, from step %g to %g", i+1, glimpse, got.Step[0], got.Step[got.Len()-1])
		}
	}
	if got, want := len(sketch.shadow.Files), 0; got != want {
		t.Errorf("%d sketches are left", got)
	}
	want, _, _, _ := shown(whole, "loss")
	if got, _, _, _ := shown(sketch, "loss"); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Error("what follows is not exact")
	}
}

// A run of an older writer, whose steps go back without a word of it.
func TestSketchOld(t *testing.T) {
	b := file(t, summary.Options{}, func(w *summary.Buffer) {
		for _, from := range []int64{0, 3000} {
			for i := from; i < 5000; i++ {
				if err := w.Scalar("loss", float64(i*i%977), i); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	b = b[damage.Records(b)[1].Offset:] // without the version
	whole := NewRun("run").AddFile("run/tfevents")
	whole.Feed(b, true)
	f := NewRun("run").AddFile("run/tfevents")
	if err := f.Sketch(whole.AppendSketch(nil)); err != nil {
		t.Fatal(err)
	}
	want, logged, _, _ := shown(whole.run, "loss")
	got, points, _, _ := shown(f.run, "loss")
	if !slices.IsSorted(got.Step) || !about(points, logged) || got.Step[got.Len()-1] != want.Step[want.Len()-1] {
		t.Errorf("%d points of %d, to step %g", points, logged, got.Step[got.Len()-1])
	}
}
