package catalog

import (
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
// place and size, and what follows is read.
func TestLongRecord(t *testing.T) {
	w := summary.NewBuffer(summary.Options{})
	w.Scalar("a", 1, 1)
	head := w.Bytes()
	var long [12]byte
	binary.LittleEndian.PutUint64(long[:], tfrecord.MaxPayload+1)
	binary.LittleEndian.PutUint32(long[8:], tfrecord.MaskedCRC(long[:8]))
	rest := summary.NewBuffer(summary.Options{NoVersion: true})
	rest.Scalar("b", 1, 2)
	b := append(append(append([]byte{}, head...), long[:]...), make([]byte, 5000)...)
	b = append(b, rest.Bytes()...)
	run := New().Run("r")
	f := run.AddFile("r/tfevents")
	if need := f.Feed(b, false); need > 1<<20 {
		t.Errorf("%d bytes are asked for", need)
	}
	f.Feed(b[f.Offset:], true)
	l := f.Losses()
	if len(l) != 1 || l[0].Kind != "record longer than 256 MB" || l[0].Offset != int64(len(head)) || l[0].Bytes != 5012 {
		t.Errorf("losses %+v", l)
	}
	if run.Lookup("a") == nil || run.Lookup("b") == nil {
		t.Error("its neighbours are not read")
	}
}
