package catalog

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

// Names of tags count toward the budget, and those that memory has no room for are a loss
// that is said; the tags before them stay, and go on.
func TestNamesAreBounded(t *testing.T) {
	defer func(was int64) { mostNames = was }(mostNames)
	mostNames = 100_000
	w := summary.NewBuffer(summary.Options{})
	name := func(i int) string { return fmt.Sprintf("%d/%s", i, strings.Repeat("x", 9990)) }
	for i := range 50 {
		w.Scalar(name(i), 1, 1)
		w.Scalar(name(0), 2, int64(i))
	}
	c := New()
	f := c.Run("r").AddFile("r/tfevents")
	f.Feed(w.Bytes(), true)
	tags := 0
	for i := range 50 {
		if c.Run("r").Lookup(name(i)) != nil {
			tags++
		}
	}
	if tags != 10 { // and what is said of them
		t.Errorf("%d tags", tags)
	}
	losses := f.Losses()
	if len(losses) != 1 || losses[0].Count != 40 || !strings.Contains(losses[0].Kind, "names") || losses[0].Offset == 0 {
		t.Errorf("losses %+v", losses)
	}
	if s := f.claims[name(0)]; s == nil || f.cur.series[name(0)].Scalars.Len() != 51 {
		t.Error("a tag that was there before did not go on")
	}
	if w := c.Weight(); w < 90_000/nameWeight {
		t.Errorf("the weight is %d", w)
	}
	g := New().Run("r").AddFile("r/tfevents")
	if err := g.Restore(f.AppendStored(nil)); err != nil || g.names != f.names || g.names < 90_000 {
		t.Errorf("from the cache: %d bytes of names, read %d", g.names, f.names)
	}
}

// A record that is longer than memory has room for is not asked for: it is named with its
// place and size, and what follows is read. One that only says so is a bad length.
func TestLongRecord(t *testing.T) {
	w := summary.NewBuffer(summary.Options{})
	w.Scalar("a", 1, 1)
	rest := summary.NewBuffer(summary.Options{NoVersion: true})
	rest.Scalar("b", 1, 2)
	for _, c := range []struct {
		longest, zeros int64
		kind           string
	}{
		{0, tfrecord.MaxPayload + 1 + 4, "record longer than 256 MB"},
		{0, 5000, "bad length"},
		// The limit follows the memory that may be used.
		{16 << 20, 16<<20 + 1 + 4, "record longer than 16 MB"},
		{16 << 20, 5000, "bad length"},
	} {
		var header [12]byte
		binary.LittleEndian.PutUint64(header[:], uint64(cmp.Or(c.longest, tfrecord.MaxPayload)+1))
		binary.LittleEndian.PutUint32(header[8:], tfrecord.MaskedCRC(header[:8]))
		head := append(bytes.Clone(w.Bytes()), header[:]...)
		cat := New()
		cat.Longest = c.longest
		run := cat.Run("r")
		f := run.AddFile("r/tfevents")
		size := int64(len(head)) + c.zeros + int64(len(rest.Bytes()))
		// window is the file from an offset on, 8 MB of it at most.
		window := func(from int64) []byte {
			b := make([]byte, min(8<<20, size-from))
			for i, at := range []int64{0, int64(len(head)) + c.zeros} {
				part := [][]byte{head, rest.Bytes()}[i]
				if at >= from {
					if at-from < int64(len(b)) {
						copy(b[at-from:], part)
					}
				} else if from-at < int64(len(part)) {
					copy(b, part[from-at:])
				}
			}
			return b
		}
		for looks := 0; f.Offset < size; looks++ {
			b := window(f.Offset)
			if need := f.Feed(b, f.Offset+int64(len(b)) == size); need > 8<<20 || looks > 100 {
				t.Fatalf("%d bytes are asked for at %d", need, f.Offset)
			}
		}
		l := f.Losses()
		if len(l) != 1 || l[0].Kind != c.kind || l[0].Offset != int64(len(head)-12) || l[0].Bytes != c.zeros+12 {
			t.Errorf("losses %+v", l)
		}
		if run.Lookup("a") == nil || run.Lookup("b") == nil {
			t.Error("its neighbours are not read")
		}
		if refused := f.Refused(); refused != (c.kind == "record longer than 16 MB") {
			t.Errorf("%s: refused is %v", c.kind, refused)
		}
	}
}

// A reader that may keep few points reads shorter records, but images and graphs always.
func TestLongestFor(t *testing.T) {
	for _, c := range []struct{ points, want int64 }{
		{0, 256 << 20}, {50_000, 64 << 20}, {1 << 22, 20 << 22}, {1 << 30, 256 << 20}, {1 << 62, 256 << 20},
	} {
		if got := LongestFor(c.points); got != c.want {
			t.Errorf("%d points: %d bytes, not %d", c.points, got, c.want)
		}
	}
}
