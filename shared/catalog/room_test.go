package catalog

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/event"
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

// namedLog is a file with so many tags whose names have so many bytes, each of them its own.
func namedLog(t testing.TB, prefix string, tags, length int) []byte {
	t.Helper()
	w := summary.NewBuffer(summary.Options{})
	for i := range tags {
		name := fmt.Sprintf("%s%d/", prefix, i)
		if err := w.Scalar(name+strings.Repeat("x", length-len(name)), 1, int64(i)); err != nil {
			t.Fatal(err)
		}
	}
	return w.Bytes()
}

// held adds up what the names of a catalog fill, from what it keeps.
func held(c *Catalog) (n int64) {
	for _, whole := range c.Runs {
		for _, r := range []*Run{whole, whole.shadow} {
			if r == nil {
				continue
			}
			for _, tag := range r.order {
				n += int64(len(tag.Name))
			}
			files := r.parts()
			for _, f := range files {
				for _, claim := range f.order {
					n += claim.size()
				}
			}
		}
	}
	return n
}

// The names of all files together have a bound: 13 files that are each within their own do
// not all stay. What does not fit is a loss of its file with its place, nothing is kept of it,
// and a file that goes makes room.
func TestNamesOfAllFilesAreBounded(t *testing.T) {
	c := New()
	c.Names = 500_000
	losses := 0
	for i := range 13 {
		f := c.Run(fmt.Sprint("run", i%3)).AddFile(fmt.Sprintf("run%d/tfevents.%02d", i%3, i))
		f.Feed(namedLog(t, fmt.Sprint(i, "/"), 10, 10_000), true)
		for _, l := range f.Losses() {
			losses += int(l.Count)
			if l.Kind != allNamesKind || l.Run != f.run.Name || l.File != f.Path || l.Offset == 0 || l.Bytes < l.Count*10_000 || l.Remedy == "" {
				t.Errorf("loss %+v", l)
			}
		}
		if got := held(c); got != c.room.held || got > c.Names {
			t.Fatalf("after file %d: %d bytes are kept, %d counted, of %d", i, got, c.room.held, c.Names)
		}
	}
	if losses < 80 || losses > 85 {
		t.Errorf("%d of 130 tags are lost, of which 50 fit", losses)
	}
	full := c.Runs["run0"].Files[0]
	c.Runs["run0"].Remove(full)
	if c.Runs["run0"].Lookup("0/0/"+strings.Repeat("x", 9996)) != nil || held(c) != c.room.held {
		t.Error("a file that has gone still holds its names")
	}
	f := c.Run("new").AddFile("new/tfevents")
	if f.Feed(namedLog(t, "new/", 10, 9_000), true); len(f.Losses()) > 0 || f.Crowded() {
		t.Errorf("there is no room where a file has gone: %+v", f.Losses())
	}
	// A file from the cache for which there is no room is read anew, up to where there is.
	big := New().Run("r").AddFile("r/tfevents")
	big.Feed(namedLog(t, "big/", 40, 10_000), true)
	f = c.Run("late").AddFile("late/tfevents")
	if err := f.Restore(big.AppendStored(nil)); err != ErrStored || held(c) != c.room.held {
		t.Errorf("from the cache: %v", err)
	}
	if f.Feed(namedLog(t, "big/", 40, 10_000), true); !f.Crowded() {
		t.Error("a file that was cut is taken for a whole one")
	}
	// Names that other files of the run have, and values of known tags, need no room.
	f = c.Run("new").AddFile("new/tfevents.2")
	if f.Feed(namedLog(t, "new/", 10, 9_000), true); len(f.Losses()) > 0 {
		t.Errorf("names that are there already need room: %+v", f.Losses())
	}
}

// A file that is replaced names most of its tags again: until it has been read anew they are
// there, in their places. Those that it does not name any more go then, and that is told.
func TestTagsStayWhileTheirFileIsReadAnew(t *testing.T) {
	c := New()
	r := c.Run("r")
	f := r.AddFile("r/tfevents")
	f.Feed(namedLog(t, "t/", 10, 20), true)
	tags := slices.Clone(r.order)
	count := r.TagCount()
	f.Restart()
	if r.Lookup(tags[3].Name) != tags[3] || held(c) != c.room.held {
		t.Fatal("a tag is gone while its file is read anew")
	}
	log := namedLog(t, "t/", 7, 20)
	other := r.AddFile("r/tfevents.2") // reaching its end says nothing of the first
	other.Feed(namedLog(t, "u/", 1, 20), true)
	f.Feed(log[:len(log)/2], false)
	if r.Lookup(tags[9].Name) != tags[9] {
		t.Error("a tag is gone before its file has been read to the end")
	}
	f.Feed(log[f.Offset:], true)
	if !slices.Equal(r.order[:7], tags[:7]) || len(r.order) != 8 || r.Lookup(tags[7].Name) != nil {
		t.Errorf("%d tags are left", len(r.order))
	}
	if got := r.TagCount(); got != count+1+3 {
		t.Errorf("one tag is new and three are gone: %d changes", got-count)
	}
	// They hold no room that others need.
	c.room.most = c.room.held
	f.Restart()
	if f.Feed(namedLog(t, "v/", 7, 20), true); f.Crowded() || held(c) != c.room.held {
		t.Errorf("%d bytes are kept, %d counted, of %d: %+v", held(c), c.room.held, c.room.most, f.Losses())
	}
}

// What is said of tags that have a name already has the bounds too.
func TestMetadataIsBounded(t *testing.T) {
	c := New()
	c.Names = 100_000
	f := c.Run("r").AddFile("r/tfevents")
	w := summary.NewBuffer(summary.Options{})
	for i := range 20 {
		w.Scalar(fmt.Sprint(i), 1, 1)
	}
	f.Feed(w.Bytes(), true)
	for i := range 20 {
		v := &event.Value{Tag: []byte(fmt.Sprint(i)), Form: event.Simple}
		// SummaryMetadata.summary_description
		v.Meta = append(binary.AppendUvarint([]byte{3<<3 | 2}, 10_000), bytes.Repeat([]byte("d"), 10_000)...)
		f.add(v, nil, 1000)
	}
	l := f.Losses()
	if len(l) != 1 || l[0].Kind != allNamesKind || l[0].Count < 10 || l[0].Count > 12 || held(c) != c.room.held || held(c) > c.Names {
		t.Errorf("%d bytes are kept, %+v is lost", held(c), l)
	}
}

// Whatever becomes of files, what is counted is what is kept, and nothing of it when they
// have gone.
func TestNamesAreCounted(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	c := New()
	c.Names = 20_000
	var logs [][]byte
	for i := range 6 {
		logs = append(logs, namedLog(t, fmt.Sprint(i/2, "/"), 4+i, 200+100*i))
	}
	var files []*File
	for step := range 2000 {
		if len(files) < 8 {
			n := rnd.IntN(3)
			files = append(files, c.Run(fmt.Sprint(n)).AddFile(fmt.Sprintf("%d/%05d", n, step)))
		}
		f := files[rnd.IntN(len(files))]
		b := logs[rnd.IntN(len(logs))]
		switch rnd.IntN(6) {
		case 0, 1:
			f.Restart()
			f.Feed(b, true)
		case 2:
			f.Restart()
			f.Feed(b[:len(b)-300], true)
			damaged := bytes.Clone(b)
			damaged[len(b)-250] ^= 1 // it has a tail then
			f.Feed(damaged[f.Offset:], true)
		case 3:
			f.EndPreview()
			f.Preview(PreviewWindow{0, 4000}, b[:min(len(b), 4000)])
		case 4:
			other := New().Run("x").AddFile("x")
			other.Feed(b, true)
			_ = f.Restore(other.AppendStored(nil)) // there may be no room
		default:
			f.EndPreview()
			f.run.Remove(f)
			files = slices.DeleteFunc(files, func(g *File) bool { return g == f })
		}
		if got := held(c); got != c.room.held || got > c.Names {
			t.Fatalf("step %d: %d bytes are kept, %d counted", step, got, c.room.held)
		}
	}
	for _, f := range files {
		f.EndPreview()
		f.run.Remove(f)
	}
	if c.room.held != 0 || held(c) != 0 {
		t.Errorf("%d bytes are left", c.room.held)
	}
	for _, r := range c.Runs {
		if len(r.tags)+len(r.order)+len(r.doubts) > 0 {
			t.Errorf("run %s still has %d tags", r.Name, len(r.tags))
		}
	}
}

// Names have the room that points would have, and one file's always.
func TestNamesFor(t *testing.T) {
	for _, c := range []struct{ points, want int64 }{
		{0, 512 << 20}, {50_000, 64 << 20}, {25 << 20, 100 << 20}, {1 << 40, 512 << 20}, {1 << 62, 512 << 20},
	} {
		if got := NamesFor(c.points); got != c.want {
			t.Errorf("%d points: %d bytes, not %d", c.points, got, c.want)
		}
	}
}
