package images

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

func logged(t *testing.T, write func(w *summary.Buffer)) (*catalog.Catalog, source.Mem) {
	t.Helper()
	w := summary.NewBuffer(summary.Options{})
	write(w)
	m := source.Mem{"r/tfevents": w.Bytes()}
	c := catalog.New()
	if _, err := c.Load(context.Background(), m.Logdir()); err != nil {
		t.Fatal(err)
	}
	return c, m
}

// shown is a sample as an answer gives it.
type shown struct {
	Sample
	bytes []byte
}

func ask(t *testing.T, c *catalog.Catalog, m source.Mem, q wire.Query) (parts []Part, got [][]shown) {
	t.Helper()
	j, err := Kind{}.Answerer(answer.World{Catalog: c}).Begin(&q)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Serve(t.Context(), m.Logdir(), j, func(out *answer.Out) error {
		for _, p := range out.Parts.([]Part) {
			parts = append(parts, p)
			for _, item := range p.Items {
				var list []shown
				for _, s := range item.Samples {
					list = append(list, shown{s, slices.Clone(out.Bytes[s.Offset : s.Offset+s.Length])})
				}
				got = append(got, list)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return parts, got
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// flat is a picture of one colour.
func flat(w, h int, v uint8) image.Image {
	m := image.NewGray(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = v
	}
	return m
}

// Every value by number, both encodings, with as many samples as it has.
func TestImages(t *testing.T) {
	for _, old := range []bool{false, true} {
		var opts []summary.Option
		if old {
			opts = append(opts, summary.Legacy())
		}
		c, m := logged(t, func(w *summary.Buffer) {
			for i := range 12 {
				var list []image.Image
				for k := range 1 + i%3 {
					if k == 0 || !old {
						list = append(list, flat(4+i, 3+k, uint8(16*i+k)))
					}
				}
				must(t, w.Images("pics", list, int64(10*i), append(opts, summary.WallSeconds(100+float64(i)))...))
			}
		})
		check := func(q Query, from, n int) {
			t.Helper()
			parts, got := ask(t, c, m, q.For("r", "pics"))
			if len(parts) != 1 || parts[0].Count != 12 || len(parts[0].Steps) != 12 || parts[0].From != from || len(got) != n {
				t.Fatalf("%+v: %+v", q, parts)
			}
			for k, item := range parts[0].Items {
				i := from + k
				want := 1 + i%3
				if old {
					want = 1
				}
				if item.Step != int64(10*i) || *item.Wall != 100+float64(i) || item.Count != want || len(got[k]) != want {
					t.Errorf("value %d: %+v", i, item)
				}
				for s, g := range got[k] {
					img, err := png.Decode(bytes.NewReader(g.bytes))
					if err != nil || g.Error != "" || g.Format != "image/png" || img.Bounds().Dx() != 4+i || g.Width != 4+i || g.Height != 3+s ||
						img.At(0, 0) != (color.Gray{uint8(16*i + s)}) {
						t.Errorf("value %d, sample %d: %+v, %v", i, s, g.Sample, err)
					}
				}
			}
		}
		check(Query{Query: stored.Query{From: -1, N: 1}}, 11, 1)
		check(Query{Query: stored.Query{From: 3, N: 4}}, 3, 4)
		check(Query{}, 0, 0)
		check(Query{Query: stored.Query{From: 99, N: 9}}, 12, 0)
	}
}

// One sample of many, and what is known already is not said again.
func TestSamplesAndSteps(t *testing.T) {
	write := func(n int) func(w *summary.Buffer) {
		return func(w *summary.Buffer) {
			for i := range n {
				must(t, w.Images("pics", []image.Image{flat(1, 1, 0), flat(2, 1, 0), flat(3, 1, 0)}, int64(i), summary.WallSeconds(float64(100+i))))
			}
		}
	}
	c, m := logged(t, write(5))
	parts, got := ask(t, c, m, Query{Query: stored.Query{From: 0, N: 1}, Sample: 1, Samples: 1}.For("r", "pics"))
	if len(got) != 1 || len(got[0]) != 1 || got[0][0].Width != 2 || parts[0].Items[0].Count != 3 {
		t.Errorf("%+v", parts)
	}
	known := stored.Query{From: -1, N: 1, Have: 5, Version: parts[0].Version}
	again, _ := ask(t, c, m, Query{Query: known}.For("r", "pics"))
	if p := again[0]; !p.Same || len(p.Steps) != 0 || p.Version != known.Version || p.Items[0].Step != 4 {
		t.Errorf("the same again: %+v", p)
	}
	c.Run("r").Files[0].Others++ // another file with values at the same bytes, of the same times
	anew, _ := ask(t, c, m, Query{Query: known}.For("r", "pics"))
	if p := anew[0]; p.Same || p.Version == known.Version || len(p.Steps) != 5 {
		t.Errorf("another file: %+v", p)
	}
	c, m = logged(t, write(7)) // it has grown
	more, _ := ask(t, c, m, Query{Query: known}.For("r", "pics"))
	if p := more[0]; !p.Same || !slices.Equal(p.Steps, []int64{5, 6}) || p.Version == known.Version || p.Count != 7 {
		t.Errorf("grown: %+v", p)
	}
	c, m = logged(t, func(w *summary.Buffer) { // it is another one
		for i := range 7 {
			must(t, w.Images("pics", []image.Image{flat(1, 1, 0)}, int64(i), summary.WallSeconds(float64(900+i))))
		}
	})
	other, _ := ask(t, c, m, Query{Query: known}.For("r", "pics"))
	if p := other[0]; p.Same || len(p.Steps) != 7 {
		t.Errorf("another one: %+v", p)
	}
}

// What must not be decoded says why, and leaves the others alone.
func TestHostile(t *testing.T) {
	bomb := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x75\x30\x00\x00\x75\x30\x08\x00\x00\x00\x00abcd")
	var good bytes.Buffer
	must(t, png.Encode(&good, flat(3, 2, 9)))
	c, m := logged(t, func(w *summary.Buffer) {
		enc := func(tag string, all ...[]byte) {
			var list []summary.EncodedImage
			for _, b := range all {
				list = append(list, summary.EncodedImage{Bytes: b, Width: 1, Height: 1})
			}
			must(t, w.EncodedImages(tag, list, 0))
		}
		enc("mixed", bomb, good.Bytes(), []byte("<html>x"), good.Bytes()[:15], nil)
		must(t, w.Text("pics-as-text", "x", 0))
		meta := summary.Metadata{Plugin: "images"}
		for name, tensor := range map[string]summary.Tensor{
			"none": summary.StringTensor([]int64{2}, "1", "1"), "empty": summary.StringTensor([]int64{0}),
			"floats": summary.FloatTensor([]int64{2}, 1, 2), "odd size": summary.StringTensor([]int64{3}, "wide", "", good.String()),
		} {
			w.Raw(summary.Event{Values: []summary.Value{summary.TensorValue(name, tensor, meta)}})
		}
	})
	_, got := ask(t, c, m, Query{Query: stored.Query{N: 1}}.For("r", "mixed"))
	for i, want := range []string{"30000 × 30000", "", "web page", "torn", "no bytes"} {
		if s := got[0][i]; !strings.Contains(s.Error, want) || (want == "") != (s.Error == "") {
			t.Errorf("sample %d: %q, want %q", i, s.Error, want)
		}
	}
	if !bytes.Equal(got[0][0].bytes, bomb) {
		t.Error("a refused picture cannot be downloaded")
	}
	for tag, want := range map[string]string{"none": "no picture", "empty": "no picture", "floats": "cannot be shown", "odd size": ""} {
		parts, _ := ask(t, c, m, Query{Query: stored.Query{N: 1}}.For("r", tag))
		if e := parts[0].Items[0].Error; !strings.Contains(e, want) || (want == "") != (e == "") {
			t.Errorf("%s: %q, want %q", tag, e, want)
		}
	}
	for _, q := range []wire.Query{{Kind: Name}, {Kind: Name, Runs: []string{"r"}, Tags: []string{"a", "b"}}, {Kind: Name, Runs: []string{"r"}, Tags: []string{"a"}, Body: []byte(`{"n":"x"}`)}} {
		if _, err := (Kind{}).Answerer(answer.World{Catalog: c}).Begin(&q); err == nil {
			t.Errorf("%+v is answered", q)
		}
	}
}

// Everything comes in pieces of a bounded size, in order, and a file that has become
// shorter costs its values alone.
func TestEvery(t *testing.T) {
	big := make([]byte, 3<<20)
	copy(big, "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00abcd")
	c, m := logged(t, func(w *summary.Buffer) {
		for i := range 20 {
			must(t, w.EncodedImages("pics", []summary.EncodedImage{{Bytes: append(big, byte(i)), Width: 1, Height: 1}}, int64(i)))
		}
	})
	q := Query{}.For("r", "pics")
	q.Every = true
	parts, got := ask(t, c, m, q)
	if len(parts) < 3 || len(got) != 20 || len(parts[0].Steps) != 20 || len(parts[1].Steps) != 0 {
		t.Errorf("%d pieces, %d values", len(parts), len(got))
	}
	for i, list := range got {
		if len(list) != 1 || list[0].bytes[len(big)] != byte(i) {
			t.Errorf("value %d is another one", i)
		}
	}
	m["r/tfevents"] = m["r/tfevents"][:40<<20]
	_, got = ask(t, c, m, q)
	whole := 0
	for _, list := range got {
		whole += len(list)
	}
	if len(got) != 20 || whole < 12 || whole > 13 {
		t.Errorf("%d of %d values of a file that was cut", whole, len(got))
	}
}

func ExampleQuery_For() {
	q := Query{Query: stored.Query{From: -1, N: 1}}.For("train", "digits")
	fmt.Println(q.Kind, q.Runs, q.Tags, string(q.Body))
	// Output: images [train] [digits] {"from":-1,"n":1}
}
