package catalog

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// file makes an event file by what f writes.
func file(t *testing.T, opts summary.Options, f func(w *summary.Buffer)) []byte {
	t.Helper()
	w := summary.NewBuffer(opts)
	f(w)
	return w.Bytes()
}

// steps writes scalars of tag at the steps, with value = 10 × step.
func steps(t *testing.T, tag string, at ...int64) func(w *summary.Buffer) {
	return func(w *summary.Buffer) {
		for _, s := range at {
			if err := w.Scalar(tag, float64(10*s), s); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// load reads a logdir in memory.
func load(t *testing.T, m source.Mem) *Catalog {
	t.Helper()
	c := New()
	if _, err := c.Load(context.Background(), m.Logdir()); err != nil {
		t.Fatal(err)
	}
	return c
}

// read returns the steps of a tag of run r, and checks the values.
func read(t *testing.T, r *Run, tag string) []int64 {
	t.Helper()
	x := r.Lookup(tag)
	if x == nil {
		return nil
	}
	var c series.Columns
	r.Scalars(x, &c)
	out := []int64{}
	for i, s := range c.Step {
		out = append(out, int64(s))
		if c.Value[i] != 10*s {
			t.Errorf("%s: value %g at step %g", tag, c.Value[i], s)
		}
	}
	return out
}

func wantSteps(t *testing.T, what string, got []int64, want ...int64) {
	t.Helper()
	if len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
		t.Errorf("%s: steps %v, want %v", what, got, want)
	}
}

func upTo(n int64) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(i)
	}
	return out
}

func TestRestart(t *testing.T) {
	v2 := summary.Options{}
	first := file(t, v2, func(w *summary.Buffer) {
		steps(t, "a", 0, 1, 2, 3, 4)(w)
		steps(t, "b", 0, 3)(w)
	})
	start := func(step int64) func(w *summary.Buffer) {
		return func(w *summary.Buffer) {
			if err := w.SessionStart(step); err != nil {
				t.Fatal(err)
			}
		}
	}
	second := file(t, v2, func(w *summary.Buffer) {
		start(3)(w)
		steps(t, "a", 3, 4, 5)(w)
	})
	third := file(t, v2, func(w *summary.Buffer) {
		start(4)(w)
		steps(t, "a", 4, 5, 6)(w)
	})
	one := load(t, source.Mem{"r/tfevents.1": first, "r/tfevents.2": second}).Runs["r"]
	wantSteps(t, "the first start purges nothing", read(t, one, "a"), 0, 1, 2, 3, 4, 3, 4, 5)
	two := load(t, source.Mem{"r/tfevents.1": first, "r/tfevents.2": second, "r/tfevents.3": third}).Runs["r"]
	wantSteps(t, "the second purges every tag before it", read(t, two, "a"), 0, 1, 2, 3, 3, 4, 5, 6)
	wantSteps(t, "also tags that it does not log", read(t, two, "b"), 0, 3)

	within := file(t, v2, func(w *summary.Buffer) {
		start(0)(w)
		steps(t, "a", 0, 1, 2, 3)(w)
		start(2)(w)
		steps(t, "a", 2, 3, 4)(w)
	})
	wantSteps(t, "inside one file", read(t, load(t, source.Mem{"r/tfevents": within}).Runs["r"], "a"), 0, 1, 2, 3, 4)

	old := file(t, summary.Options{NoVersion: true}, func(w *summary.Buffer) {
		steps(t, "a", 0, 1, 2, 3)(w)
		steps(t, "b", 3)(w)
		steps(t, "a", 2, 3)(w)
	})
	r := load(t, source.Mem{"r/tfevents": old}).Runs["r"]
	wantSteps(t, "without a version a step back purges its own tag", read(t, r, "a"), 0, 1, 2, 3)
	wantSteps(t, "and no other", read(t, r, "b"), 3)
}

// TestAnyOrder: whatever the order in which files and windows are read, the view is
// that of reading everything from the beginning.
func TestAnyOrder(t *testing.T) {
	a := file(t, summary.Options{}, steps(t, "x", upTo(50)...))
	b := file(t, summary.Options{}, steps(t, "x", 50, 51, 52))
	want := append(upTo(50), 50, 51, 52)
	for _, window := range []int{1, 7, 16, 100, 1 << 20} {
		r := NewRun("r")
		second, first := r.AddFile("tfevents.2"), r.AddFile("tfevents.1")
		feed(second, b, window)
		feed(first, a, window)
		wantSteps(t, fmt.Sprintf("windows of %d bytes", window), read(t, r, "x"), want...)
		if first.Offset != int64(len(a)) || len(first.Losses()) != 0 {
			t.Errorf("offset %d of %d, losses %v", first.Offset, len(a), first.Losses())
		}
	}
}

// feed gives a whole file in windows.
func feed(f *File, b []byte, window int) {
	r := Reader{File: f, Size: int64(len(b))}
	for r.At() < r.Size {
		w := source.Range{Offset: r.At(), Length: min(int64(window), r.Size-r.At())}
		if r.Take(b[w.Offset:w.Offset+w.Length], w) {
			return
		}
	}
}

// TestGrow plays a file that grows byte by byte: each record appears exactly once,
// and never a loss.
func TestGrow(t *testing.T) {
	b := file(t, summary.Options{}, steps(t, "x", upTo(12)...))
	f := NewRun("r").AddFile("f")
	r := Reader{File: f}
	for n := 1; n <= len(b); n++ {
		r.Size = int64(n)
		for {
			w, more := r.Next()
			if !more || r.Take(b[w.Offset:w.Offset+w.Length], w) {
				break
			}
		}
		if l := f.Losses(); len(l) > 0 {
			t.Fatalf("%d bytes: %v", n, l)
		}
	}
	wantSteps(t, "grown", read(t, f.run, "x"), upTo(12)...)
}

// TestDamage: a damaged record costs itself and is named.
func TestDamage(t *testing.T) {
	const n = 30
	whole := file(t, summary.Options{}, steps(t, "x", upTo(n)...))
	records := damage.Records(whole)
	without := func(skip int64) []int64 {
		var out []int64
		for i := range int64(n) {
			if i != skip {
				out = append(out, i)
			}
		}
		return out
	}
	hit := 11 // record 0 is the version: this is step 10
	size := int64(records[hit+1].Offset - records[hit].Offset)
	for _, c := range []struct {
		name  string
		b     []byte
		bytes int64
		kind  string
	}{
		{"payload bit", damage.BadPayload(whole, hit), size, "bad payload checksum"},
		{"length bit", damage.BadLength(whole, hit), size, "bad length"},
		{"10 GB length", damage.HugeLength(whole, hit, 10<<30), size, "bad length"},
		{"length of 2^64-4", damage.HugeLength(whole, hit, 1<<64-4), size, "bad length"},
		{"length beyond the file", damage.HugeLength(whole, hit, 1<<20), size, "bad length"},
		{"header of zeros", damage.Zero(whole, records[hit].Offset, 12), size, "bad length"},
	} {
		for _, window := range []int{13, 64, 1 << 20} {
			f := NewRun("r").AddFile("f")
			feed(f, c.b, window)
			name := fmt.Sprintf("%s, windows of %d", c.name, window)
			wantSteps(t, name, read(t, f.run, "x"), without(10)...)
			l := f.Losses()
			if len(l) != 1 || l[0].Offset != int64(records[hit].Offset) || l[0].Bytes != c.bytes || l[0].Kind != c.kind || l[0].Count != 1 || l[0].Remedy == "" {
				t.Errorf("%s: losses %+v, want one of %d bytes at %d", name, l, c.bytes, records[hit].Offset)
			}
		}
	}
	f := NewRun("r").AddFile("f")
	feed(f, damage.BadLengthCRC(whole, hit), 64)
	wantSteps(t, "checksum of the length", read(t, f.run, "x"), upTo(n)...)
	if l := f.Losses(); len(l) != 1 || l[0].Bytes != 0 {
		t.Errorf("checksum of the length: losses %+v, want one of 0 bytes", l)
	}
}

// TestFlipEveryBit: at most the record that is hit is lost.
func TestFlipEveryBit(t *testing.T) {
	const n = 30
	whole := file(t, summary.Options{}, steps(t, "x", upTo(n)...))
	for i := range whole {
		f := NewRun("r").AddFile("f")
		feed(f, damage.Flip(whole, i, uint(i%8)), 100)
		got := len(read(t, f.run, "x"))
		if l := f.Losses(); got < n-1 || len(l) == 0 && i < len(whole)-16 {
			t.Errorf("byte %d: %d points, losses %v", i, got, l)
		}
	}
}

func TestZerosAtTheEnd(t *testing.T) {
	// A network file system can show a file's new length before its bytes.
	b := file(t, summary.Options{}, steps(t, "x", upTo(6)...))
	cut := damage.Records(b)[4].Offset
	f := NewRun("r").AddFile("f")
	r := Reader{File: f}
	show := func(b []byte) {
		r.Size = int64(len(b))
		for {
			w, more := r.Next()
			if !more || r.Take(b[w.Offset:w.Offset+w.Length], w) {
				return
			}
		}
	}
	show(append(append([]byte{}, b[:cut]...), make([]byte, len(b)-cut)...))
	wantSteps(t, "before", read(t, f.run, "x"), 0, 1, 2)
	if l := f.Losses(); len(l) != 1 || l[0].Kind != "zeros: preallocated, not written" || l[0].Offset != int64(cut) || l[0].Bytes != 0 {
		t.Errorf("zeros at the end: losses %+v", l)
	}
	// The bytes come, a part first, in the place of the zeros; and then more behind.
	for _, n := range []int{cut + 7, cut + 30, len(b) - 3, len(b)} {
		grown := append(append([]byte{}, b[:n]...), make([]byte, len(b)-n)...)
		r.Resume()
		show(grown)
	}
	show(append(append([]byte{}, b...), b[cut:]...))
	wantSteps(t, "after", read(t, f.run, "x"), 0, 1, 2, 3, 4, 5, 3, 4, 5)
	if l := f.Losses(); len(l) != 0 {
		t.Errorf("all written: losses %+v", l)
	}
}

func TestNotAnEvent(t *testing.T) {
	good := file(t, summary.Options{}, steps(t, "x", 1))
	rec := damage.Records(good)[1]
	b := append(append([]byte{}, good...), tfrecord.Append(nil, []byte{0xff, 0xff, 0xff})...)
	b = append(b, good[rec.Offset:]...)
	f := NewRun("r").AddFile("f")
	feed(f, b, 1<<20)
	wantSteps(t, "around it", read(t, f.run, "x"), 1, 1)
	if l := f.Losses(); len(l) != 1 || !strings.Contains(l[0].Kind, "not an event") || l[0].Bytes != 16+3 {
		t.Errorf("losses %+v", l)
	}
}

func TestOddValues(t *testing.T) {
	b := file(t, summary.Options{}, func(w *summary.Buffer) {
		for i, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1e-300} {
			if err := w.Scalar("x", v, int64(-i), summary.Double()); err != nil {
				t.Fatal(err)
			}
		}
	})
	f := NewRun("r").AddFile("f")
	feed(f, b, 1<<20)
	var c series.Columns
	f.run.Scalars(f.run.Lookup("x"), &c)
	if fmt.Sprint(c.Value) != "[NaN +Inf -Inf 0 -1e-300]" || fmt.Sprint(c.Step) != "[0 -1 -2 -3 -4]" {
		t.Errorf("values %v at steps %v", c.Value, c.Step)
	}
}

// TestWindowLetGo: a file that has been read keeps none of its bytes.
func TestWindowLetGo(t *testing.T) {
	b := file(t, summary.Options{}, steps(t, "x", 1, 2))
	f := NewRun("r").AddFile("f")
	feed(f, b, 1<<20)
	if f.ev.Body != nil || f.value.Tag != nil || f.value.Body != nil {
		t.Error("the scratch still points into the window")
	}
}

// FuzzFeed: any bytes, in any windows, give the same points and losses, never more
// bytes lost than there are, and never a panic.
func FuzzFeed(f *testing.F) {
	var seed testing.T
	whole := file(&seed, summary.Options{}, steps(&seed, "x", upTo(8)...))
	f.Add(whole, uint8(9))
	f.Add(damage.BadLength(whole, 3), uint8(1))
	f.Add(damage.BadPayload(whole, 3), uint8(40))
	f.Add(bytes.Repeat([]byte{0}, 100), uint8(30))
	f.Fuzz(func(t *testing.T, b []byte, window uint8) {
		one, many := NewRun("r").AddFile("f"), NewRun("r").AddFile("f")
		feed(one, b, 1<<20)
		feed(many, b, int(window)+1)
		var p, q series.Columns
		for _, tag := range one.run.order {
			one.run.Scalars(tag, &p)
		}
		for _, tag := range many.run.order {
			many.run.Scalars(tag, &q)
		}
		if fmt.Sprint(p) != fmt.Sprint(q) || fmt.Sprint(one.Losses()) != fmt.Sprint(many.Losses()) {
			t.Errorf("one window: %v %v\nmany: %v %v", p, one.Losses(), q, many.Losses())
		}
		lost := int64(0)
		for _, l := range one.Losses() {
			lost += l.Bytes
		}
		if lost > int64(len(b)) {
			t.Errorf("%d bytes lost of %d", lost, len(b))
		}
	})
}

// TestPreview: on a well-formed file the points of a preview are points of the
// file, they reach from its beginning to its end, and they give way to the exact
// read without a trace.
func TestPreview(t *testing.T) {
	const n = 60_000
	b := file(t, summary.Options{}, func(w *summary.Buffer) {
		for i := range int64(n) {
			for _, tag := range []string{"x", "y"} {
				if err := w.Scalar(tag, float64(10*i), i, summary.Double()); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	f := NewRun("r").AddFile("f")
	windows := PreviewWindows(int64(len(b)), 1)
	end := int64(0)
	for _, w := range windows {
		if w.Offset < end || w.Offset+w.Length > int64(len(b)) {
			t.Fatalf("window %+v begins before %d or ends behind %d", w, end, len(b))
		}
		end = w.Offset + w.Length
		f.Preview(w, b[w.Offset:end])
	}
	shown := func() ([]int64, bool) {
		var c series.Columns
		x := f.run.Lookup("x")
		points, kept, preview := f.run.ShownWith(x, nil, &c)
		if p, k := f.run.Count(x); points != p || kept != k {
			t.Errorf("with the preview %d points are counted and %d kept, but %d and %d are read", points, kept, p, k)
		}
		out := make([]int64, c.Len())
		for i, s := range c.Step {
			out[i] = int64(s)
			if c.Value[i] != 10*s || i > 0 && c.Step[i-1] >= s {
				t.Fatalf("point %d: value %g at step %g", i, c.Value[i], s)
			}
		}
		return out, preview != Exact
	}
	got, preview := shown()
	if !preview || got[0] != 0 || got[len(got)-1] != n-1 || len(got) > n/10 {
		t.Errorf("preview %v: %d points from %d to %d", preview, len(got), got[0], got[len(got)-1])
	}
	if points, kept := f.run.Points(); points != 0 || kept != 0 || len(f.Losses()) != 0 {
		t.Errorf("a preview counts: %d points, %d kept, losses %v", points, kept, f.Losses())
	}
	tags := 0
	f.run.Tags(func(tag *Tag, _ wire.Tag) { tags++ })
	if tags != 2 {
		t.Errorf("%d tags", tags)
	}
	// Half of the file has been read: the other half is still the preview's.
	r := Reader{File: f, Size: int64(len(b))}
	half := source.Range{Length: int64(len(b) / 2)}
	r.Take(b[:half.Length], half)
	got, preview = shown()
	if !preview || len(got) < n/2 || got[len(got)-1] != n-1 {
		t.Errorf("half read: preview %v, %d points to %d", preview, len(got), got[len(got)-1])
	}
	r.Take(b[half.Length:], source.Range{Offset: half.Length, Length: r.Size - half.Length})
	f.EndPreview()
	if got, preview = shown(); preview || len(got) != n {
		t.Errorf("all read: preview %v, %d points", preview, len(got))
	}
}

// TestPreviewOfRubbish: windows of zeros, of noise and of a single long record show
// nothing and break nothing.
func TestPreviewOfRubbish(t *testing.T) {
	noise := make([]byte, 1<<20)
	for i := range noise {
		noise[i] = byte(i*i>>3 + i*7)
	}
	for name, b := range map[string][]byte{"zeros": make([]byte, 1<<20), "noise": noise, "one record": tfrecord.Append(nil, noise)} {
		f := NewRun("r").AddFile("f")
		for _, w := range PreviewWindows(int64(len(b)), 1) {
			f.Preview(w, b[w.Offset:w.Offset+w.Length])
		}
		f.run.Tags(func(tag *Tag, _ wire.Tag) { t.Errorf("%s: tag %q", name, tag.Name) })
	}
}

// What a preview showed is not held any longer than it is shown: of 10,000 runs it was a
// quarter of the memory.
func TestEndPreviewFrees(t *testing.T) {
	w := summary.NewBuffer(summary.Options{})
	for i := range int64(50_000) {
		w.Scalar("loss", float64(i%97), i)
	}
	c := New()
	f := c.Run("r").AddFile("r/tfevents")
	for _, at := range PreviewWindows(int64(len(w.Bytes())), 1) {
		f.Preview(at, w.Bytes()[at.Offset:at.Offset+at.Length])
	}
	shown := weak.Make(f.glimpse.file)
	if shown.Value().Offset != 0 || f.run.shadow.Lookup("loss") == nil {
		t.Fatal("there is no preview")
	}
	f.Feed(w.Bytes(), true)
	f.EndPreview()
	for range 3 { // what is scanned already stays for one more
		runtime.GC()
	}
	if shown.Value() != nil {
		t.Error("what the preview showed is still held")
	}
	runtime.KeepAlive(c)
}
