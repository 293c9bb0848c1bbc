package catalog

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// view is everything that a run shows, as text that can be compared.
func view(r *Run) string {
	var out []string
	r.Tags(func(t *Tag, info wire.Tag) {
		line := fmt.Sprintf("%q shown %q kind %d guessed %v content %q %+v", t.Name, t.Shown, t.Kind, t.Guessed, t.Content, info)
		if t.Kind == Scalar {
			line += fmt.Sprint(columnsOf(r, t))
		} else {
			for _, p := range r.pieces(t.Name, false) {
				for _, ref := range p.s.Refs.Points {
					ref.Form &^= series.Merged
					line += fmt.Sprint(ref)
				}
			}
		}
		out = append(out, line)
	})
	sort.Strings(out)
	text := fmt.Sprintln("starts at", r.Start())
	for _, line := range out {
		text += line + "\n"
	}
	for _, f := range r.Files {
		for _, l := range f.Losses() {
			text += fmt.Sprintf("%+v\n", l)
		}
	}
	return text
}

// grow feeds a file that grows to the sizes, in windows that window gives.
func grow(f *File, b []byte, sizes []int, window func() int64) {
	r := Reader{File: f}
	for _, n := range sizes {
		r.Size = int64(n)
		for {
			w, more := r.Next()
			w.Length = min(w.Length, window())
			if !more || r.Take(b[w.Offset:w.Offset+w.Length], w) {
				break
			}
		}
	}
}

// logged makes a file of scalars, each with a step of its own, between texts of up to
// some kilobytes; some texts are event files, whose tag is "nested".
func logged(t *testing.T, r *rand.Rand, n int) []byte {
	return file(t, summary.Options{}, func(w *summary.Buffer) {
		for i := range int64(n) {
			var err error
			switch k := r.IntN(12); {
			case k == 0:
				err = w.Text("text", string(bytes.Repeat([]byte{'t'}, r.IntN(4000))), i)
			case k == 1 && r.IntN(3) == 0:
				err = w.Text("file", string(file(t, summary.Options{}, steps(t, "nested", upTo(int64(r.IntN(20)))...))), i)
			case k < 6:
				err = w.Scalar("tensor", float64(10*i), i, summary.AsTensor())
			default:
				err = w.Scalar("x", float64(10*i), i)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// spoil damages b in some places, in every way in which disks, copies and writers do.
func spoil(r *rand.Rand, b []byte) ([]byte, string) {
	plan := ""
	for range 1 + r.IntN(3) {
		at := r.IntN(len(b))
		n := min(r.IntN(1+r.IntN(3000)), len(b)-at)
		switch k := r.IntN(8); k {
		case 0, 1:
			b, plan = damage.Cut(b, at, n), plan+fmt.Sprintf(" cut %d at %d", n, at)
		case 2:
			noise := make([]byte, n)
			for i := range noise {
				noise[i] = byte(r.Uint32())
			}
			b, plan = damage.Insert(b, at, noise), plan+fmt.Sprintf(" insert %d at %d", n, at)
		case 3:
			b, plan = damage.Zero(b, at, n), plan+fmt.Sprintf(" zero %d at %d", n, at)
		case 4:
			b, plan = damage.Insert(b, at, bytes.Clone(b[at:at+n])), plan+fmt.Sprintf(" twice %d at %d", n, at)
		case 5:
			b, plan = damage.Flip(b, at, uint(r.IntN(8))), plan+fmt.Sprintf(" flip at %d", at)
		default: // a length that lies, with a checksum that fits
			i := tfrecord.Find(b, at)
			if i < 0 {
				continue
			}
			lie := uint64(r.IntN(1 << (1 + r.IntN(30))))
			b = bytes.Clone(b)
			binary.LittleEndian.PutUint64(b[i:], lie)
			binary.LittleEndian.PutUint32(b[i+8:], tfrecord.MaskedCRC(b[i:i+8]))
			plan += fmt.Sprintf(" length %d at %d", lie, i)
		}
		if len(b) == 0 {
			return b, plan
		}
	}
	return b, plan
}

// wholeRecords returns where whole records stand in b that are in no whole record's
// payload, found by looking at every place; and those of them whose length's checksum
// is right too: the others may go unnoticed behind other damage.
func wholeRecords(b []byte) (out, sound []damage.Record) {
	for at := 0; at < len(b); at++ {
		if _, size, s := tfrecord.Cut(b[at:]); s == tfrecord.OK || s == tfrecord.BadLengthCRC {
			out = append(out, damage.Record{Offset: at, Size: size})
			if s == tfrecord.OK {
				sound = append(sound, out[len(out)-1])
			}
			at += size - 1
		}
	}
	return out, sound
}

// stepsOf returns the step of each scalar of the tags x and tensor in the records,
// counted.
func stepsOf(b []byte, records []damage.Record) map[int64]int {
	out := make(map[int64]int)
	for _, rec := range records {
		from, to := rec.Payload()
		if p, ok := event.Plain(b[from:to]); ok {
			if tag := string(b[from+p.Tag0 : from+p.Tag1]); tag == "x" || tag == "tensor" {
				out[p.Step]++
			}
		}
	}
	return out
}

// TestEveryWholeRecord: whatever became of a file, every record of it that is whole is
// read, nothing is invented, and what is lost is counted to the byte.
func TestEveryWholeRecord(t *testing.T) {
	files := 3000
	if testing.Short() {
		files = 300
	}
	lostSome, exact := 0, 0
	for seed := range files {
		r := rand.New(rand.NewPCG(uint64(seed), 9))
		b, plan := spoil(r, logged(t, r, 20+r.IntN(200)))
		f := NewRun("r").AddFile("f")
		feed(f, b, 1<<20)
		whole, sound := wholeRecords(b)
		most, want, got := stepsOf(b, whole), stepsOf(b, sound), make(map[int64]int)
		for _, tag := range []string{"x", "tensor"} {
			for _, s := range read(t, f.run, tag) {
				got[s]++
			}
		}
		missing := 0
		for s, n := range want {
			if got[s] < n {
				missing++
			}
		}
		for s, n := range got {
			if n > most[s] {
				t.Fatalf("seed %d,%s: step %d is read %d times and stands there %d times", seed, plan, s, n, most[s])
			}
		}
		if missing > 0 {
			t.Fatalf("seed %d,%s: %d of %d whole records are not read; losses %+v", seed, plan, missing, len(want), f.Losses())
		}
		end, used, lost := f.Offset, int64(0), int64(0)
		if f.tail != nil {
			end = f.tail.Offset
		}
		inner := f.run.Lookup("nested") != nil || len(whole) > len(sound)
		for _, rec := range whole {
			used += int64(rec.Size)
			inner = inner || rec.Size < 80 && (bytes.Contains(b[rec.Offset:rec.Offset+rec.Size], []byte("nested")) ||
				rec.Offset > 0 && bytes.Contains(b[rec.Offset:rec.Offset+rec.Size], []byte("brain.Event")))
		}
		for _, l := range f.Losses() {
			if long, _ := causeLong.kind(f); l.Kind == noRecord || l.Kind == long && l.Offset+l.Bytes == int64(len(b)) {
				end = int64(len(b))
			}
			lost += l.Bytes
			lostSome++
		}
		if !inner { // else a damaged record holds frames, and whether they are taken for records depends
			exact++
			if used+lost != end {
				t.Fatalf("seed %d,%s: %d bytes used and %d lost of %d; losses %+v", seed, plan, used, lost, end, f.Losses())
			}
		}
	}
	if lostSome < files || exact < files*3/4 {
		t.Errorf("%d losses, %d files looked at to the byte: this proves little", lostSome, exact)
	}
}

// TestBytesAloneDecide: a damaged file is shown alike however its bytes come: in one
// window or many, at once or as it grew, in one session or taken up from the cache.
func TestBytesAloneDecide(t *testing.T) {
	files := 400
	if testing.Short() {
		files = 60
	}
	for seed := range files {
		r := rand.New(rand.NewPCG(uint64(seed), 10))
		b, plan := spoil(r, logged(t, r, 20+r.IntN(100)))
		f := NewRun("r").AddFile("f")
		feed(f, b, 1<<20)
		want := view(f.run)
		check := func(what string, r *Run) {
			t.Helper()
			if got := view(r); got != want {
				t.Fatalf("seed %d,%s: %s shows\n%.3000s\nwant\n%.3000s", seed, plan, what, got, want)
			}
		}
		for range 6 {
			g := NewRun("r").AddFile("f")
			var sizes []int
			for range r.IntN(6) {
				sizes = append(sizes, r.IntN(len(b)+1))
			}
			sort.Ints(sizes)
			most := 1 + r.IntN(1+r.IntN(3*len(b)))
			stop := r.IntN(len(sizes) + 1)
			windows := func() int64 { return int64(1 + r.IntN(most)) }
			what := fmt.Sprintf("growth by %v, windows of at most %d", sizes, most)
			if r.IntN(2) == 0 {
				grow(g, b, append(sizes, len(b)), windows)
				check(what, g.run)
				continue
			}
			grow(g, b, sizes[:stop], windows)
			h := NewRun("r").AddFile("f")
			if err := h.Restore(g.AppendStored(nil)); err != nil {
				t.Fatalf("seed %d,%s: %v", seed, plan, err)
			}
			if a, z := view(h.run), view(g.run); a != z {
				t.Fatalf("seed %d,%s: restored it shows\n%.3000s\nwant\n%.3000s", seed, plan, a, z)
			}
			grow(h, b, append(sizes[stop:], len(b)), windows)
			check(what+", restored", h.run)
		}
	}
}

// TestDiskFull: twenty bytes of a record of half a megabyte were written; then there
// was room again. Only that record is lost.
func TestDiskFull(t *testing.T) {
	const n = 20_000
	b := file(t, summary.Options{}, func(w *summary.Buffer) {
		steps(t, "x", upTo(10)...)(w)
		if err := w.Text("t", string(make([]byte, 500_000)), 10); err != nil {
			t.Fatal(err)
		}
		for i := range int64(n) {
			steps(t, "x", 10+i)(w)
		}
	})
	rec := damage.Records(b)[11]
	b = damage.Cut(b, rec.Offset+20, rec.Size-20)
	f := NewRun("r").AddFile("f")
	feed(f, b, 1<<16)
	wantSteps(t, "all others", read(t, f.run, "x"), upTo(10+n)...)
	if l := f.Losses(); len(l) != 1 || l[0].Bytes != 20 || l[0].Offset != int64(rec.Offset) || l[0].Kind != "record cut short" {
		t.Errorf("losses %+v", l)
	}
}

// TestFramesInFrames: an event file that was logged as a text is no part of the run,
// not even if the record that holds it is damaged, or its file torn and grown.
func TestFramesInFrames(t *testing.T) {
	inner := file(t, summary.Options{}, steps(t, "nested", upTo(30)...))
	b := file(t, summary.Options{}, func(w *summary.Buffer) {
		steps(t, "x", 0)(w)
		if err := w.Text("file", string(inner), 1); err != nil {
			t.Fatal(err)
		}
		steps(t, "x", 1)(w)
	})
	at := bytes.Index(b, inner)
	for name, c := range map[string][]byte{
		"whole": b, "its own bytes are damaged": damage.Flip(b, at-20, 3), "an inner record is damaged": damage.Flip(b, at+200, 3),
	} {
		f := NewRun("r").AddFile("f")
		grow(f, c, []int{at + 700, len(c)}, func() int64 { return 100 })
		wantSteps(t, name, read(t, f.run, "x"), 0, 1)
		if x := f.run.Lookup("nested"); x != nil && x.Kind != Unknown {
			t.Errorf("%s: the frames inside are read", name)
		}
	}
}

// TestPreallocated: a file of zeros is no damage: nothing is lost, and what is written
// in their place later is read.
func TestPreallocated(t *testing.T) {
	const size = 1 << 20
	b := file(t, summary.Options{}, steps(t, "x", upTo(50)...))
	torn := len(b) - 17
	for _, n := range []int{0, torn, len(b)} {
		f := NewRun("r").AddFile("f")
		r := Reader{File: f}
		show := func(b []byte) {
			r.Size = int64(len(b))
			r.Resume()
			for {
				w, more := r.Next()
				if w.Length = min(w.Length, 10_000); !more || r.Take(b[w.Offset:w.Offset+w.Length], w) {
					return
				}
			}
		}
		show(append(bytes.Clone(b[:n]), make([]byte, size-n)...))
		points := len(read(t, f.run, "x"))
		l := f.Losses()
		if n == torn {
			if len(l) != 1 || l[0].Kind != noRecord {
				t.Errorf("a torn record before zeros: losses %+v", l)
			}
		} else if len(l) != 1 || l[0].Kind != zerosAtEnd || l[0].Bytes != 0 || l[0].Offset != int64(n) {
			t.Errorf("%d bytes written: losses %+v", n, l)
		}
		if want := map[int]int{0: 0, torn: 49, len(b): 50}[n]; points != want {
			t.Errorf("%d bytes written: %d points, want %d", n, points, want)
		}
		show(append(bytes.Clone(b), make([]byte, size-len(b))...))
		wantSteps(t, fmt.Sprint("written from ", n), read(t, f.run, "x"), upTo(50)...)
		if l := f.Losses(); len(l) != 1 || l[0].Kind != zerosAtEnd || l[0].Offset != int64(len(b)) {
			t.Errorf("written from %d: losses %+v", n, l)
		}
	}
	// A hole in the middle did cost records.
	two := append(append(bytes.Clone(b), make([]byte, 5000)...), b...)
	f := NewRun("r").AddFile("f")
	feed(f, two, 700)
	if l := f.Losses(); len(l) != 1 || l[0].Kind != zerosBetween || l[0].Bytes != 5000 || l[0].Offset != int64(len(b)) {
		t.Errorf("a hole: losses %+v", l)
	}
}

// TestLiesAreBounded: lengths that lie, each about the rest of the file, cost a few
// looks at it and not its square.
func TestLiesAreBounded(t *testing.T) {
	const size = 16 << 20
	b := make([]byte, size)
	for i := range b {
		b[i] = 'x'
	}
	for at := 0; at+1<<16 < size; at += 64 {
		binary.LittleEndian.PutUint64(b[at:], uint64(size-at-100))
		binary.LittleEndian.PutUint32(b[at+8:], tfrecord.MaskedCRC(b[at:at+8]))
	}
	tail := file(t, summary.Options{}, steps(t, "x", upTo(5)...))
	b = append(b, tail...)
	f := NewRun("r").AddFile("f")
	feed(f, b, 8<<20)
	wantSteps(t, "behind the lies", read(t, f.run, "x"), upTo(5)...)
	if most := int64(5*len(b) + tfrecord.MaxPayload + 256<<20); f.wasted > most {
		t.Errorf("%d bytes were looked at for nothing, %d of a file are too many", f.wasted, most)
	}
}

// BenchmarkZeros reads a preallocated file.
func BenchmarkZeros(b *testing.B) {
	zeros := make([]byte, Window)
	const size = 1 << 30
	b.SetBytes(size)
	for b.Loop() {
		f := NewRun("r").AddFile("f")
		r := Reader{File: f, Size: size}
		for end := false; !end; {
			w, _ := r.Next()
			end = r.Take(zeros[:w.Length], w)
		}
		if l := f.Losses(); len(l) != 1 {
			b.Fatal(l)
		}
	}
}

// BenchmarkDamaged reads a file that holds one damaged record of 256 MiB.
func BenchmarkDamaged(b *testing.B) {
	data := damage.Flip(tfrecord.Append(scalarFile(1, 100), make([]byte, 256<<20)), 10_000_000, 1)
	data = append(data, scalarFile(1, 100)...)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		f := NewRun("r").AddFile("f")
		r := Reader{File: f, Size: int64(len(data))}
		for end := false; !end; {
			w, _ := r.Next()
			w.Length = min(w.Length, Window)
			end = r.Take(data[w.Offset:w.Offset+w.Length], w)
		}
	}
}

// TestOneByte: a byte too many between any two records costs nothing but itself.
func TestOneByte(t *testing.T) {
	const n = 20
	whole := file(t, summary.Options{}, steps(t, "x", upTo(n)...))
	for _, rec := range damage.Records(whole) {
		for _, x := range []byte{0, 1, 0x2f, 0xff} {
			f := NewRun("r").AddFile("f")
			feed(f, damage.Insert(whole, rec.Offset, []byte{x}), 1<<20)
			wantSteps(t, fmt.Sprintf("%#x before %d", x, rec.Offset), read(t, f.run, "x"), upTo(n)...)
			if l := f.Losses(); len(l) != 1 || l[0].Bytes != 1 || l[0].Offset != int64(rec.Offset) {
				t.Errorf("%#x before %d: losses %+v", x, rec.Offset, l)
			}
		}
	}
}

// TestCrossing: a record was cut short, and where it should have ended, inside a later
// whole record, stands a header that fits: that of an event file in a text. The whole
// record is the one that is read.
func TestCrossing(t *testing.T) {
	inner := file(t, summary.Options{}, steps(t, "nested", 1, 2))
	b := file(t, summary.Options{}, func(w *summary.Buffer) {
		steps(t, "x", 0)(w)
		if err := w.Text("cut", string(bytes.Repeat([]byte{'c'}, 300)), 1); err != nil {
			t.Fatal(err)
		}
		steps(t, "x", 1)(w)
		if err := w.Text("file", string(inner), 2); err != nil {
			t.Fatal(err)
		}
		steps(t, "x", 2)(w)
	})
	cut := damage.Records(b)[2]
	end := cut.Offset + cut.Size
	b = damage.Cut(b, cut.Offset+40, bytes.Index(b, inner)-end) // so that inner begins where cut ends
	if tfrecord.Find(b[end:end+tfrecord.HeaderSize], 0) != 0 {
		t.Fatal("no header stands there")
	}
	for _, window := range []int{50, 1 << 20} {
		f := NewRun("r").AddFile("f")
		feed(f, b, window)
		wantSteps(t, "around it", read(t, f.run, "x"), 0, 1, 2)
		if x := f.run.Lookup("nested"); x != nil {
			t.Errorf("the frames inside are read: %+v", x)
		}
		if x := f.run.Lookup("file"); x == nil {
			t.Error("the whole record is not read")
		}
	}
}

// TestLossesAddUp: losses of one kind are one line, from the first of them on.
func TestLossesAddUp(t *testing.T) {
	b := file(t, summary.Options{}, steps(t, "x", upTo(30)...))
	rec := damage.Records(b)
	b = damage.BadPayload(b, 7)
	b = damage.Flip(damage.Flip(b, rec[20].Offset+30, 1), rec[25].Offset, 4)
	f := NewRun("r").AddFile("f")
	feed(f, b, 100)
	want := fmt.Sprint([]wire.Loss{
		{Run: "r", File: "f", Offset: int64(rec[7].Offset), Bytes: int64(rec[7].Size + rec[20].Size), Kind: "bad payload checksum", Count: 2, Remedy: "the record was skipped; its neighbours are whole"},
		{Run: "r", File: "f", Offset: int64(rec[25].Offset), Bytes: int64(rec[25].Size), Kind: "bad length", Count: 1, Remedy: "reading went on at the next record that could be found"},
	})
	if got := fmt.Sprint(f.Losses()); got != want {
		t.Errorf("losses\n%s, want\n%s", got, want)
	}
	// That a file cannot be read is no property of its bytes: it is not stored.
	f.Fail("no permission", "try again", 5)
	count := f.LossCount()
	g := NewRun("r").AddFile("f")
	if err := g.Restore(f.AppendStored(nil)); err != nil || fmt.Sprint(g.Losses()) != want {
		t.Errorf("restored: %v, losses %+v", err, g.Losses())
	}
	f.Recover("bad length") // of the same name as a loss, but no failure
	f.Recover("no permission")
	if got := fmt.Sprint(f.Losses()); got != want || f.LossCount() == count {
		t.Errorf("recovered: losses\n%s, want\n%s", got, want)
	}
}

// TestLossCountTells: the count tells that losses are others, however many records become bad
// while a value turns out to be of another kind than its tag.
func TestLossCountTells(t *testing.T) {
	b := file(t, summary.Options{}, func(w *summary.Buffer) {
		steps(t, "x", upTo(30)...)(w)
		if err := w.Text("x", "no scalar", 31); err != nil {
			t.Fatal(err)
		}
	})
	rec := damage.Records(b)
	for bad := range 9 {
		broken := b
		for i := range bad {
			broken = damage.Flip(broken, rec[11+2*i].Offset+30, 1)
		}
		f := NewRun("r").AddFile("f")
		f.Feed(broken[:rec[10].Offset], true)
		count, losses := f.LossCount(), fmt.Sprint(f.Losses())
		f.Feed(broken[rec[10].Offset:], true)
		if now := fmt.Sprint(f.Losses()); now == losses || f.LossCount() == count {
			t.Errorf("%d bad records: the count stays %d, losses were %s and are %s", bad, count, losses, now)
		}
	}
}

// TestWrittenInPlace: a file's length was there before its last record's bytes were. The
// record is read when they have come, though its checksum was wrong before.
func TestWrittenInPlace(t *testing.T) {
	b := file(t, summary.Options{}, steps(t, "x", upTo(6)...))
	last := damage.Records(b)[5]
	end := last.Offset + last.Size
	early := damage.Zero(b, end-20, 20)[:end+5] // and five bytes of the next one
	f := NewRun("r").AddFile("f")
	grow(f, early, []int{len(early)}, func() int64 { return max(1, int64(end)-f.Offset) })
	wantSteps(t, "before", read(t, f.run, "x"), 0, 1, 2, 3)
	if l := f.Losses(); len(l) != 1 || l[0].Bytes != int64(last.Size) {
		t.Errorf("before: losses %+v", l)
	}
	grow(f, b, []int{len(b)}, func() int64 { return 1 << 20 })
	wantSteps(t, "after", read(t, f.run, "x"), upTo(6)...)
	if l := f.Losses(); len(l) != 0 {
		t.Errorf("after: losses %+v", l)
	}
}
