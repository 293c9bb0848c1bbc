package catalog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// states are files in every state that a stored form holds.
func states(t *testing.T) map[string][]byte {
	t.Helper()
	some := file(t, summary.Options{}, func(w *summary.Buffer) {
		check := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		for i := range int64(30) {
			check(w.Scalar("even", float64(i), i, summary.Description("about")))
			check(w.Scalar("odd", math.Sin(float64(i)), i*i%17, summary.Double()))
			if i%10 == 3 {
				check(w.Text("note", "text", i))
				check(w.SessionStart(i))
			}
		}
	})
	last := damage.Records(some)[40].Offset
	return map[string][]byte{
		"whole":    some,
		"searched": append(bytes.Clone(some), bytes.Repeat([]byte{7}, 99)...),
		"zeros":    append(bytes.Clone(some), make([]byte, 99)...),
		"a tail":   damage.HugeLength(some, 40, 1<<20),
		"lost":     damage.Flip(damage.BadPayload(some, 20), last, 4),
		"old":      some[damage.Records(some)[1].Offset:],
		"long":     file(t, summary.Options{}, steps(t, "x", upTo(1500)...)),
	}
}

// use does with f what is done with files, and reports what does not fit together.
func use(f *File) error {
	r := f.run
	if len(f.segments) == 0 || f.cur != f.segments[len(f.segments)-1] || f.Offset < 0 {
		return errors.New("no segment, or a strange place")
	}
	text := view(r)
	var c series.Columns
	for _, t := range r.order {
		t = r.Lookup(t.Shown)
		points, kept, _ := r.ShownWith(t, nil, &c)
		if points < kept {
			return fmt.Errorf("%d points of %d are kept", kept, points)
		}
		for _, p := range r.pieces(t.Name, true) {
			s := &p.s.Scalars
			c.Reset()
			s.AppendTo(&c, series.Whole)
			if int64(c.Len()) != s.Kept() || len(c.Wall) != c.Len() || len(c.Value) != c.Len() {
				return errors.New("columns differ in length")
			}
			for _, m := range s.Marks() {
				if m.Offset < 0 || m.Offset >= p.file.Offset {
					return fmt.Errorf("a mark at %d", m.Offset)
				}
			}
			for _, ref := range p.s.Refs.Points {
				if ref.Offset < 0 || ref.Length < 0 || ref.Offset+int64(ref.Length) > p.file.Offset {
					return fmt.Errorf("a reference to %d", ref.Offset)
				}
			}
		}
		for _, d := range r.Details(t, wire.ByStep, 0, 0) {
			if d.Offset < 0 || d.Length < 0 || d.From >= d.To {
				return fmt.Errorf("a detail %+v", d.Range)
			}
		}
	}
	form := f.AppendStored(nil)
	again := NewRun("r").AddFile("f")
	if err := again.Restore(form); err != nil {
		return fmt.Errorf("it cannot be restored a second time: %w", err)
	}
	if got := view(again.run); got != text {
		return fmt.Errorf("restored a second time it shows\n%s\nnot\n%s", got, text)
	}
	cat := New()
	cat.Runs["r"] = r
	cat.Fit(64, 0)
	for _, g := range f.segments {
		for _, s := range g.order {
			for i := range int64(1100) {
				s.Scalars.Append(i, float64(i), float64(i), true, f.Offset+i)
			}
		}
	}
	cat.Fit(64, 0)
	f.settle()
	view(r)
	return nil
}

// TestSpoiledForms: a stored form with any bit turned, and a checksum that was made
// afterwards, is refused, or gives a file with which everything can be done. Cut off
// anywhere or with bytes left over it is refused.
func TestSpoiledForms(t *testing.T) {
	sum := func(b []byte) []byte {
		return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	}
	want := map[string]string{
		"whole": "false false false 0", "searched": "false true false 0", "zeros": "false false true 0", "a tail": "true false false 0",
		"lost": "false false false 2", "old": "false false false 0", "long": "false false false 0",
	}
	refused, taken := 0, 0
	for name, b := range states(t) {
		f := NewRun("r").AddFile("f")
		feed(f, b, 1000)
		if name == "long" {
			c := New()
			c.Runs["r"] = f.run
			c.Fit(300, 0)
		}
		if has := fmt.Sprint(f.tail != nil, f.pending != nil, f.idle != nil, len(f.losses)); has != want[name] {
			t.Fatalf("%s: tail, stretch, zeros, losses %s", name, has)
		}
		form := f.AppendStored(nil)
		restore := func(b []byte) (g *File, err error) {
			g = NewRun("r").AddFile("f")
			err = g.Restore(b)
			if err != nil && (!errors.Is(err, ErrStored) || g.Offset != 0 || len(g.segments) != 1 || len(g.segments[0].order)+len(g.order)+len(g.losses) != 0 || g.tail != nil || g.pending != nil || g.idle != nil) {
				t.Fatalf("%s: %v, and something is left behind", name, err)
			}
			return g, err
		}
		g, err := restore(form)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if a, z := view(g.run), view(f.run); a != z {
			t.Fatalf("%s: restored\n%s\nwant\n%s", name, a, z)
		}
		if err := use(g); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		body := form[:len(form)-4]
		if _, err := restore(form[:len(form)-1]); err == nil {
			t.Errorf("%s: a form without its last byte is taken", name)
		}
		step := 1 + len(body)/300
		for at := 0; at < len(body); at += step {
			if _, err := restore(sum(bytes.Clone(body[:at]))); err == nil {
				t.Errorf("%s: a form of %d bytes of %d is taken", name, at, len(body))
			}
			bad := bytes.Clone(body)
			bad[at] ^= 1 << (at / step % 8)
			if _, err := restore(append(bad, form[len(body):]...)); err == nil {
				t.Fatalf("%s: byte %d is spoiled, and the checksum fits", name, at)
			}
			g, err := restore(sum(bad[:len(body)]))
			if err != nil {
				refused++
				continue
			}
			taken++
			if err := use(g); err != nil {
				t.Fatalf("%s, byte %d: %v", name, at, err)
			}
		}
		for _, more := range [][]byte{{0}, {0, 0, 0, 0}, body} {
			if _, err := restore(sum(append(bytes.Clone(body), more...))); err == nil {
				t.Errorf("%s: a form with %d bytes left over is taken", name, len(more))
			}
		}
	}
	if refused < taken/10 || taken == 0 {
		t.Errorf("%d forms were refused, %d taken", refused, taken)
	}
}

// TestImpossibleForms: what no file can have given is refused, whole as its form may be.
func TestImpossibleForms(t *testing.T) {
	b := states(t)
	for name, spoil := range map[string]func(f *File){
		"nothing":                      nil,
		"an offset before the file":    func(f *File) { f.Offset = -1 },
		"an offset before its points":  func(f *File) { f.Offset = 100 },
		"a reference behind the end":   func(f *File) { f.segments[0].series["note"].Refs.Points[0].Offset = f.Offset },
		"a reference before the file":  func(f *File) { f.segments[0].series["note"].Refs.Points[0].Offset = -1 },
		"a negative length":            func(f *File) { f.segments[0].series["note"].Refs.Points[0].Length = -1 },
		"an unknown form":              func(f *File) { f.segments[0].series["note"].Refs.Points[0].Form = 60 },
		"a tag twice":                  func(f *File) { f.order[1].Tag = f.order[0].Tag },
		"a tag once more":              func(f *File) { f.order = append(f.order, &claim{Tag: f.order[0].Tag}) },
		"a series twice in a segment":  func(f *File) { f.segments[0].order[1].claim = f.segments[0].order[0].claim },
		"a tag that is not there":      func(f *File) { f.segments[0].order[0].claim = &claim{}; f.order = f.order[1:] },
		"no segment":                   func(f *File) { f.segments = nil },
		"a first start without a stop": func(f *File) { f.segments[0].starts = true },
		"a segment without a start":    func(f *File) { f.segments[1].starts = false },
		"a start that cannot count":    func(f *File) { f.modern = false },
		"drops that do not ascend": func(f *File) {
			f.segments[0].order[0].drops = []series.Drop{{Points: 1, Step: 5}, {Points: 2, Step: 5}}
		},
		"drops that go back": func(f *File) {
			f.segments[0].order[0].drops = []series.Drop{{Points: 2, Step: 4}, {Points: 1, Step: 5}}
		},
		"a drop behind the points": func(f *File) { f.segments[0].order[0].drops = []series.Drop{{Points: 1 << 40}} },
		"a drop behind the texts":  func(f *File) { f.segments[0].order[0].drops = []series.Drop{{Refs: 1 << 40}} },
		"a value of no plug-in":    func(f *File) { f.order[0].valued, f.order[0].plugin = true, "" },
		"a loss of no kind":        func(f *File) { f.losses = []loss{{count: 1}} },
		"a loss of nothing":        func(f *File) { f.losses = []loss{{kind: "k"}} },
		"a stretch elsewhere":      func(f *File) { f.pending = &stretch{offset: 5, searched: 7, zeros: 5} },
		"a stretch of no cause":    func(f *File) { f.pending = &stretch{searched: f.Offset, cause: causes} },
		"a tail before its file":   func(f *File) { f.tail = newFile(f.run, "f") },
		"a tail of a tail": func(f *File) {
			f.tail = newFile(f.run, "f")
			f.tail.tail = newFile(f.run, "f")
			f.tail.Offset, f.tail.tail.Offset = f.Offset, f.Offset
		},
	} {
		f := NewRun("r").AddFile("f")
		feed(f, b["whole"], 1<<20)
		if spoil != nil {
			spoil(f)
		}
		if err := NewRun("r").AddFile("f").Restore(f.AppendStored(nil)); (err == nil) != (spoil == nil) || err != nil && !errors.Is(err, ErrStored) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
