package catalog

import (
	"bytes"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// field appends a length-delimited field.
func field(num protowire.Number, parts ...[]byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, num, protowire.BytesType), bytes.Join(parts, nil))
}

// TestReferences: what a reference names in the file are the bytes of its value, also
// where a message came in several parts, of which the value is the merge.
func TestReferences(t *testing.T) {
	tag := field(1, []byte("t"))
	a, b := field(1, []byte("first half")), field(2, []byte("second half"))
	image := append(protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 7), field(4, []byte("pixels"))...)
	other := field(1, field(1, []byte("other")), field(4, []byte("no")))
	for name, c := range map[string]struct {
		event  []byte
		want   []byte
		merged bool
	}{
		"one message":             {field(5, other, field(1, tag, field(4, image))), image, false},
		"an image in two parts":   {field(5, other, field(1, tag, field(4, image[:2]), field(4, image[2:]))), image, true},
		"a tensor in two parts":   {field(5, field(1, field(8, a), tag, field(8, b)), other), append(bytes.Clone(a), b...), true},
		"a summary in two parts":  {append(field(5, other), field(5, field(1, tag, field(8, a)))...), a, true},
		"an empty tensor":         {field(5, field(1, tag, field(8))), nil, false},
		"an old op's node name":   {field(5, field(1, field(7, []byte("t")), field(8, a), field(8, b))), append(bytes.Clone(a), b...), true},
		"run metadata in parts":   {append(field(8, tag), field(8, field(2, []byte("metadata")))...), []byte("metadata"), true},
		"run metadata in one":     {field(8, tag, field(2, []byte("metadata"))), []byte("metadata"), false},
		"the last graph of two":   {append(field(4, []byte("old")), field(4, []byte("new"))...), []byte("new"), false},
		"a graph of another kind": {field(9, []byte("meta graph")), []byte("meta graph"), false},
	} {
		file := tfrecord.Append(tfrecord.Append(nil, nil), c.event)
		f := NewRun("r").AddFile("f")
		feed(f, file, 1<<20)
		x := f.run.Lookup("t")
		if x == nil {
			x = f.run.Lookup(GraphTag)
		}
		if x == nil {
			t.Errorf("%s: no tag", name)
			continue
		}
		refs := f.cur.series[x.Name].Refs.Points
		if len(refs) != 1 {
			t.Errorf("%s: %d references", name, len(refs))
			continue
		}
		r := refs[0]
		if (r.Form&series.Merged != 0) != c.merged {
			t.Errorf("%s: form %d", name, r.Form)
		}
		got, err := x.Body(r, file[r.Offset:r.Offset+int64(r.Length)])
		if err != nil || !bytes.Equal(got, c.want) {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
		// And so it is after a visit to the cache.
		g := NewRun("r").AddFile("f")
		if err := g.Restore(f.AppendStored(nil)); err != nil || g.cur.series[x.Name].Refs.Points[0] != r {
			t.Errorf("%s: restored: %v", name, err)
		}
	}
	r := series.Ref{Form: uint8(event.Image) | series.Merged}
	for _, b := range [][]byte{nil, {0xff}, field(5, other)} {
		if got, err := (&Tag{Name: "t"}).Body(r, b); err == nil {
			t.Errorf("%q holds the value %q", b, got)
		}
	}
}

// TestRestartOfReferences: a restart orphans texts as it does scalars.
func TestRestartOfReferences(t *testing.T) {
	b := file(t, summary.Options{}, func(w *summary.Buffer) {
		for _, s := range []int64{0, 1, 2, 3, -1, 2, 3, 4, -1, 1} {
			err := error(nil)
			if s < 0 {
				err = w.SessionStart(2)
			} else {
				err = w.Text("text", "words", s)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	count := func(m source.Mem) (points, kept int64) {
		load(t, m).Runs["."].Tags(func(_ *Tag, info wire.Tag) { points, kept = info.Points, info.Kept })
		return points, kept
	}
	if points, kept := count(source.Mem{"tfevents": b}); points != 3 || kept != 3 {
		t.Errorf("%d texts, %d kept, after two starts", points, kept)
	}
	// Without a version steps that go back tell: 0 1 · 2 3 go, then all from 1 on.
	version := int(tfrecord.Overhead) + 24
	if points, _ := count(source.Mem{"tfevents": b[version:]}); points != 2 {
		t.Errorf("%d texts without a version", points)
	}
}
