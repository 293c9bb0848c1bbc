package catalog

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
)

// mixed makes a file with everything that a stored form holds.
func mixed(t *testing.T) []byte {
	b := file(t, summary.Options{}, func(w *summary.Buffer) {
		check := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		check(w.SessionStart(0))
		for i := range int64(3000) {
			check(w.Scalar("even", float64(i)/3, i, summary.Description("about *this*")))
			if i%7 == 0 {
				check(w.Scalar("odd", math.Sin(float64(i)), i*i%911-300, summary.Double(), summary.DisplayName("Odd")))
			}
			if i%500 == 0 {
				check(w.Histogram("weights", []float64{1, 2, float64(i)}, i))
				check(w.Text("note", "text", i))
			}
		}
		check(w.SessionStart(2500))
		check(w.Scalar("even", 1, 2500))
	})
	return b
}

// state is everything that a file's series hold, as text.
func state(f *File) string {
	out := fmt.Sprintln(f.Offset, f.modern, f.firstWall, f.firstStep, f.lastStep, f.Losses(), len(f.segments))
	for _, g := range f.segments {
		out += fmt.Sprintln(g.starts, g.startStep)
		for _, s := range g.order {
			var c series.Columns
			s.Scalars.AppendTo(&c, series.Whole)
			out += fmt.Sprintln(s.Tag.Name, claimText(s.claim), s.Scalars.Len(), s.Scalars.Kept(), s.Scalars.Level(), s.Scalars.Marks(), c, s.Refs.Points)
		}
	}
	return out
}

func TestStored(t *testing.T) {
	b := mixed(t)
	half := damage.Records(b)[2000].Offset
	b = damage.BadPayload(b, 100)
	for _, budget := range []int64{0, 500} {
		whole, part := New(), New()
		f := whole.Run("r").AddFile("f")
		feed(f, b, 1<<20)
		g := part.Run("r").AddFile("f")
		feed(g, b[:half], 1<<20)
		if budget > 0 {
			budget += f.names / nameWeight // of points alone
			whole.Fit(budget, 0)
			part.Fit(budget, 0)
		}
		form := f.AppendStored(nil)
		again := New().Run("r").AddFile("f")
		if err := again.Restore(form); err != nil {
			t.Fatal(err)
		}
		if got, want := state(again), state(f); got != want {
			t.Errorf("budget %d: restored differs:\n%.2000s\nwant\n%.2000s", budget, got, want)
		}
		if !bytes.Equal(again.AppendStored(nil), form) {
			t.Errorf("budget %d: storing again gives other bytes", budget)
		}
		// A file that was stored half read goes on where it ended.
		c := New()
		rest := c.Run("r").AddFile("f")
		if err := rest.Restore(g.AppendStored(nil)); err != nil {
			t.Fatal(err)
		}
		r := Reader{File: rest, Size: int64(len(b))}
		w, _ := r.Next()
		r.Take(b[w.Offset:w.Offset+w.Length], w)
		if budget > 0 {
			c.Fit(budget, 0)
			whole.Fit(budget, 0)
		}
		if a, z := rest.run.Lookup("odd"), f.run.Lookup("odd"); a == nil || fmt.Sprint(columnsOf(rest.run, a)) != fmt.Sprint(columnsOf(f.run, z)) {
			t.Errorf("budget %d: going on from the half differs", budget)
		}
		if rest.Offset != f.Offset {
			t.Errorf("budget %d: offset %d, want %d", budget, rest.Offset, f.Offset)
		}
	}
}

func columnsOf(r *Run, t *Tag) series.Columns {
	var c series.Columns
	r.Scalars(t, &c)
	return c
}

// FuzzRestore: damaged or foreign bytes never panic, and leave nothing behind.
func FuzzRestore(f *testing.F) {
	var t testing.T
	g := New().Run("r").AddFile("f")
	feed(g, file(&t, summary.Options{}, steps(&t, "x", upTo(40)...)), 1<<20)
	form := g.AppendStored(nil)
	f.Add(form, 3, false)
	f.Add(form[:20], 0, true)
	f.Fuzz(func(t *testing.T, b []byte, at int, sign bool) {
		b = bytes.Clone(b)
		if len(b) > 8 && at >= 0 && at < len(b)-4 {
			b[at] ^= 0x41
			if sign { // so that the damage gets behind the checksum
				b = b[:len(b)-4]
				b = appendCRC(b)
			}
		}
		x := New().Run("r").AddFile("f")
		if err := x.Restore(b); err != nil && (x.Offset != 0 || len(x.segments) != 1 || len(x.segments[0].order) != 0) {
			t.Error("a failed restore left something behind")
		}
		x.AppendStored(nil)
	})
}

func appendCRC(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

func claimText(c *claim) string {
	return fmt.Sprintf("%q", []any{c.Tag.Name, c.plugin, c.content, c.displayName, c.description, fmt.Sprint(c.described, c.valued, c.simple, c.scalars, c.tensor)})
}
