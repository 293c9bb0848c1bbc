package text

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// logged reads files that write makes, by run.
func logged(t *testing.T, runs map[string]func(w *summary.Buffer)) (*catalog.Catalog, source.Mem) {
	t.Helper()
	m := source.Mem{}
	for name, write := range runs {
		w := summary.NewBuffer(summary.Options{})
		write(w)
		m[name+"/tfevents"] = w.Bytes()
	}
	c := catalog.New()
	if _, err := c.Load(context.Background(), m.Logdir()); err != nil {
		t.Fatal(err)
	}
	return c, m
}

// ask runs a query and returns its answers.
func ask(t *testing.T, c *catalog.Catalog, m source.Mem, q wire.Query) (parts []Part) {
	t.Helper()
	j, err := Kind{}.Answerer(answer.World{Catalog: c}).Begin(&q)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Serve(t.Context(), m.Logdir(), j, func(out *answer.Out) error {
		parts = append(parts, out.Parts.([]Part)...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return parts
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestTexts(t *testing.T) {
	c, m := logged(t, map[string]func(w *summary.Buffer){"r": func(w *summary.Buffer) {
		for i := range int64(20) {
			must(t, w.Text("notes", fmt.Sprintf("*step* %d", i), i, summary.WallSeconds(100+float64(i))))
			must(t, w.Scalar("loss", 1, i))
		}
	}})
	for _, k := range []struct {
		q           Query
		first, last int64 // steps; last < first: none
	}{
		{Query{}, 0, -1}, {Query{Query: stored.Query{From: 3, N: 2}}, 3, 4}, {Query{Query: stored.Query{From: -1, N: 1}}, 19, 19}, {Query{Query: stored.Query{From: 18, N: 9}}, 18, 19},
		{Query{Query: stored.Query{From: -99, N: 1}}, 0, 0}, {Query{Query: stored.Query{From: 99, N: 1}}, 0, -1}, {Query{Query: stored.Query{From: 2, N: -4}}, 0, -1}, {Query{Query: stored.Query{N: math.MaxInt}}, 0, 19},
	} {
		parts := ask(t, c, m, k.q.For("r", "notes"))
		if len(parts) != 1 || len(parts[0].Steps) != 20 || parts[0].Run != "r" {
			t.Fatalf("%+v: %+v", k.q, parts)
		}
		p := parts[0]
		if int64(len(p.Items)) != k.last-k.first+1 {
			t.Errorf("%+v: %d items", k.q, len(p.Items))
			continue
		}
		for i, item := range p.Items {
			step := k.first + int64(i)
			if p.From != int(k.first) || item.Step != step || *item.Wall != 100+float64(step) || len(item.Texts) != 1 ||
				item.Texts[0] != fmt.Sprintf("*step* %d", step) || item.Error != "" || item.Cut {
				t.Errorf("%+v: item %d is %+v", k.q, i, item)
			}
		}
	}
	for _, q := range []wire.Query{Query{}.For("r", "nothing"), Query{}.For("nobody", "notes")} {
		if parts := ask(t, c, m, q); len(parts) != 0 {
			t.Errorf("%+v: %+v", q, parts)
		}
	}
	for _, q := range []wire.Query{{Kind: Name}, {Tags: []string{"a"}, Runs: []string{"a", "b"}}, wire.NewQuery(Name, []string{"a"}, []string{"r"}, "no object")} {
		if _, err := (Kind{}).Answerer(answer.World{Catalog: c}).Begin(&q); err == nil {
			t.Errorf("%+v was taken", q)
		}
	}
}

// A long text comes in parts of any size, none of which cuts a character, and they are the
// whole text; also where it ends within one, or is no UTF-8 at all.
func TestLongText(t *testing.T) {
	for name, long := range map[string]string{
		"plain": strings.Repeat("all work and no play\n", 5000), "umlauts": strings.Repeat("äöü€😀", 7000),
		"torn": strings.Repeat("é", 50_000) + "\xe2\x82", "no text": strings.Repeat("\xff\xfe", 40_000),
	} {
		c, m := logged(t, map[string]func(w *summary.Buffer){"r": func(w *summary.Buffer) { must(t, w.Text("notes", long, 1)) }})
		one := stored.Query{N: 1}
		first := ask(t, c, m, Query{Query: one, Max: 5000}.For("r", "notes"))[0].Items[0]
		got := first.Texts[0]
		if !first.Cut || first.Next == 0 || first.End > first.Size || first.End < first.Size-64 {
			t.Fatalf("%s: the first part says %d to %d of %d", name, first.Next, first.End, first.Size)
		}
		for next, size := first.Next, int64(7); next < first.End; size = size*3 + 1 {
			part := ask(t, c, m, Query{Query: one, Skip: next, Max: min(size, first.End-next)}.For("r", "notes"))[0].Items[0]
			if part.Skip != next || part.Error != "" {
				t.Fatalf("%s: from %d on: %+v", name, next, part)
			}
			if part.Next == next {
				break // nothing but the beginning of a character is left
			}
			got, next = got+part.Texts[0], part.Next
		}
		for strings.Contains(got, "\uFFFD\uFFFD") { // one stands for all bytes in a row that are no text
			got = strings.ReplaceAll(got, "\uFFFD\uFFFD", "\uFFFD")
		}
		if want := catalog.Text(strings.TrimSuffix(long, "\xe2\x82")); got != want {
			t.Errorf("%s: %d bytes came, want %d", name, len(got), len(want))
		}
	}
}

// All texts come in pieces that are bounded, in order.
func TestEvery(t *testing.T) {
	const n = 10
	big := strings.Repeat("x", maxAnswer/3)
	c, m := logged(t, map[string]func(w *summary.Buffer){"r": func(w *summary.Buffer) {
		for i := range int64(n) {
			must(t, w.Text("notes", fmt.Sprint(i)+big, i))
		}
	}})
	q := Query{}.For("r", "notes")
	q.Every = true
	parts := ask(t, c, m, q)
	at := 0
	for _, p := range parts {
		if p.From != at || len(p.Items) > 4 {
			t.Fatalf("a piece from %d with %d items, behind %d", p.From, len(p.Items), at)
		}
		for _, item := range p.Items {
			if item.Texts[0] != fmt.Sprint(at)+big {
				t.Errorf("text %d begins %.20q", at, item.Texts[0])
			}
			at++
		}
	}
	if at != n || len(parts) < 3 {
		t.Errorf("%d texts in %d pieces", at, len(parts))
	}
}

// A value that is no text, too long, or no longer in the file says so and leaves the
// others alone.
func TestBadValues(t *testing.T) {
	c, m := logged(t, map[string]func(w *summary.Buffer){"r": func(w *summary.Buffer) {
		meta := summary.Metadata{Plugin: "text"}
		must(t, w.Text("t", "good", 0))
		must(t, w.Raw(summary.Event{Step: 1, WallTime: math.NaN(), Values: []summary.Value{summary.TensorValue("t", summary.DoubleTensor([]int64{2}, 1, 2), meta)}}))
		must(t, w.Text("t", "\xff<script>", 2))
		must(t, w.Text("t", strings.Repeat("y", MaxItem+10), 3))
		must(t, w.Text("t", "gone", 4))
	}})
	b := m["r/tfevents"]
	m["r/tfevents"] = b[:len(b)-30]
	parts := ask(t, c, m, Query{Query: stored.Query{N: 9}}.For("r", "t"))
	var items []Item
	for _, p := range parts {
		items = append(items, p.Items...)
	}
	if len(items) != 5 || items[0].Texts[0] != "good" {
		t.Fatalf("%d items", len(items))
	}
	if items[1].Error == "" || items[1].Wall != nil || len(items[1].Texts) != 0 {
		t.Errorf("numbers are %+v", items[1])
	}
	if items[2].Texts[0] != "\uFFFD<script>" {
		t.Errorf("broken text is %q", items[2].Texts)
	}
	if !items[3].Cut || items[3].Error != "" || len(items[3].Texts) != 1 || len(items[3].Texts[0]) < MaxItem-100 {
		t.Errorf("a long text: cut %v, %s, %d texts", items[3].Cut, items[3].Error, len(items[3].Texts))
	}
	if items[4].Error == "" {
		t.Errorf("what the file does not hold any more is %+v", items[4])
	}
}

// A search looks into every step, whatever the case, and says how often; a value may be
// asked for in part.
func TestFind(t *testing.T) {
	c, m := logged(t, map[string]func(w *summary.Buffer){"r": func(w *summary.Buffer) {
		for i := range int64(2000) {
			text := "nothing here"
			if i%500 == 7 {
				text = strings.Repeat("The Needle, a needle; ", int(i/500)+1)
			}
			must(t, w.Text("notes", text, i))
		}
		must(t, w.TextTable("notes", [][]string{{"a", "NEEDLE"}, {"needles", "b"}}, 9999))
	}})
	parts := ask(t, c, m, Query{Find: "Needle"}.For("r", "notes"))
	if len(parts) != 1 || len(parts[0].Items) != 0 || parts[0].Count != 2001 || parts[0].More {
		t.Fatalf("%d parts: %+v", len(parts), parts[0].Head)
	}
	var got []string
	for _, h := range parts[0].Hits {
		got = append(got, fmt.Sprintf("%d:%d:%d", h.Number, h.Step, h.Times))
	}
	if want := "7:7:2 507:507:4 1007:1007:6 1507:1507:8 2000:9999:2"; strings.Join(got, " ") != want {
		t.Errorf("found %q, want %q", got, want)
	}
	if parts = ask(t, c, m, Query{Find: "of no text"}.For("r", "notes")); len(parts[0].Hits) != 0 {
		t.Errorf("%+v", parts[0].Hits)
	}
	parts = ask(t, c, m, Query{Query: stored.Query{From: 1507, N: 1}, Max: 30}.For("r", "notes"))
	if item := parts[0].Items[0]; !item.Cut || !strings.HasPrefix(item.Texts[0], "The Needle, a nee") || len(item.Texts[0]) > 30 || item.Size < 90 {
		t.Errorf("%+v", item)
	}
}
