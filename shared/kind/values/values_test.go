//go:build !js

package values

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// said is what was answered of a value.
type said struct {
	items []Item
	bytes []byte
}

// ask returns what is answered, by number, and the most that was read and answered at a time.
func ask(t *testing.T, c *catalog.Catalog, m source.Mem, q wire.Query) (out map[int]*said, read, piece int64) {
	t.Helper()
	j, err := Kind{}.Answerer(answer.World{Catalog: c}).Begin(&q)
	if err != nil {
		t.Fatal(err)
	}
	out = map[int]*said{}
	err = answer.Serve(t.Context(), m.Logdir(), &watched{j, &read}, func(o *answer.Out) error {
		piece = max(piece, int64(len(o.Bytes)))
		for _, p := range o.Parts.([]Part) {
			for _, i := range p.Items {
				s := out[i.Number]
				if s == nil {
					s = &said{}
					out[i.Number] = s
				}
				if q.Every && i.Error == "" && i.At != int64(len(s.bytes)) {
					t.Errorf("a piece at %d follows %d bytes", i.At, len(s.bytes))
				}
				s.items = append(s.items, i)
				s.bytes = append(s.bytes, o.Bytes[i.Offset:i.Offset+i.Length]...)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, read, piece
}

// watched notes the largest range that a job needs.
type watched struct {
	answer.Job
	most *int64
}

func (w *watched) Next(out *answer.Out) answer.Step {
	s := w.Job.Next(out)
	for _, r := range s.Need {
		*w.most = max(*w.most, r.Length)
	}
	return s
}

func TestValues(t *testing.T) {
	long := make([]byte, 41<<20)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range long {
		long[i] = byte('a' + r.IntN(26))
	}
	w := summary.NewBuffer(summary.Options{})
	for _, err := range []error{w.Text("note", "one", 1), w.Text("note", string(long), 2), w.Text("note", "", 3), w.Graph([]byte("\x0a\x03\x0a\x01x"), 0), w.Scalar("loss", 1, 1)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	m := source.Mem{"run/tfevents": w.Bytes()}
	c := catalog.New()
	if _, err := c.Load(t.Context(), m.Logdir()); err != nil {
		t.Fatal(err)
	}
	text := func(b []byte) string {
		_, list, err := event.Strings(b)
		if err != nil || len(list) != 1 {
			t.Fatalf("%v, %d texts", err, len(list))
		}
		return string(list[0])
	}
	all := Query{Query: stored.Query{N: 100}}
	// In pieces: no more than a piece is ever held, whatever the size.
	q := all.For("run", "note")
	q.Every = true
	got, read, piece := ask(t, c, m, q)
	if len(got) != 3 || text(got[0].bytes) != "one" || text(got[1].bytes) != string(long) || text(got[2].bytes) != "" {
		t.Errorf("%d values", len(got))
	}
	if piece > PieceBytes || read > PieceBytes || len(got[1].items) < 10 || got[1].items[0].Size != int64(len(got[1].bytes)) || got[1].items[0].Form != "tensor" {
		t.Errorf("%d bytes are read and %d answered at a time, %d pieces", read, piece, len(got[1].items))
	}
	whole := got[1].bytes
	// At once: what fits, and the others all the same.
	got, read, _ = ask(t, c, m, all.For("run", "note"))
	if text(got[0].bytes) != "one" || got[1].items[0].Error == "" || len(got[1].bytes) > 0 || text(got[2].bytes) != "" {
		t.Errorf("%+v", got[1].items)
	}
	for _, part := range []Query{{Query: stored.Query{From: 1, N: 1}, At: 5, Max: 7}, {Query: stored.Query{From: -2, N: 1}, At: 11 << 20, Max: 13 << 20}, {Query: stored.Query{From: 1, N: 1}, At: 1 << 40}} {
		got, read, _ = ask(t, c, m, part.For("run", "note"))
		from := min(part.At, int64(len(whole)))
		if want := whole[from:min(int64(len(whole)), from+part.Max)]; !bytes.Equal(got[1].bytes, want) || got[1].items[0].At != from || read > PieceBytes {
			t.Errorf("%+v: %d bytes, want %d; %d read at a time", part, len(got[1].bytes), len(want), read)
		}
	}
	// Whatever stays in a file has bytes, a number that is kept has none.
	seen := 0
	c.Runs["run"].Tags(func(tag *catalog.Tag, _ wire.Tag) {
		got, _, _ := ask(t, c, m, all.For("run", tag.Shown))
		for _, s := range got {
			if seen++; s.items[0].Form == "graph" && string(s.bytes) != "\x0a\x03\x0a\x01x" {
				t.Errorf("the graph is %q", s.bytes)
			}
		}
	})
	if seen != 4 {
		t.Errorf("%d values", seen)
	}
	if got, _, _ := ask(t, c, m, all.For("run", "no such tag")); len(got) != 0 {
		t.Error(got)
	}
	// A file that is shorter by now.
	cut := source.Mem{"run/tfevents": w.Bytes()[:1<<20]}
	q.Every = true
	if got, _, _ := ask(t, c, cut, q); got[1].items[len(got[1].items)-1].Error == "" || text(got[0].bytes) != "one" {
		t.Errorf("%+v", got[1].items)
	}
}
