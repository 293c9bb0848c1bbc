package customscalars

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/answer/answertest"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
)

func file(t *testing.T, write func(w *summary.Buffer) error) []byte {
	t.Helper()
	w := summary.NewBuffer(summary.Options{})
	if err := write(w); err != nil {
		t.Fatal(err)
	}
	return w.Bytes()
}

func logged(t *testing.T, layouts ...summary.Layout) []byte {
	t.Helper()
	return file(t, func(w *summary.Buffer) error {
		for _, l := range layouts {
			if err := w.CustomScalars(l); err != nil {
				return err
			}
		}
		return nil
	})
}

func ask(t *testing.T, m source.Mem, runs ...string) (parts []Part) {
	t.Helper()
	c := catalog.New()
	if _, err := c.Load(context.Background(), m.Logdir()); err != nil {
		t.Fatal(err)
	}
	q := Query(runs)
	j, err := Kind{}.Answerer(answer.World{Catalog: c}).Begin(&q)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Serve(t.Context(), m.Logdir(), j, func(out *answer.Out) error {
		parts = out.Parts.([]Part)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return parts
}

func lines(title string, lines ...string) summary.Chart {
	return summary.Chart{Title: title, Lines: lines}
}

func chart(title string, lines ...string) Chart { return Chart{Title: title, Lines: lines} }

// What was written is answered, of several the last, and of runs without one nothing.
func TestAsk(t *testing.T) {
	m := source.Mem{
		"a/tfevents": logged(t, summary.Layout{Categories: []summary.Category{{Title: "old", Charts: []summary.Chart{lines("x", "y")}}}},
			summary.Layout{Categories: []summary.Category{{Title: "Ünï", Closed: true, Charts: []summary.Chart{
				lines("both", "loss(?!.*m)", "acc"),
				{Title: "m", Margins: []summary.Margin{{Value: "v", Lower: "l", Upper: "u"}, {Value: "w", Lower: "l", Upper: "u"}}},
			}}, {Title: ""}}}),
		"b/tfevents": file(t, func(w *summary.Buffer) error { return w.Scalar("loss", 1, 1) }),
		"c/tfevents": logged(t, summary.Layout{}),
	}
	got := ask(t, m, "a", "b", "c", "none")
	want := []Part{{Run: "a", Layout: Layout{Categories: []Category{{Title: "Ünï", Closed: true, Charts: []Chart{
		chart("both", "loss(?!.*m)", "acc"), {Title: "m", Margins: []Margin{{"v", "l", "u"}, {"w", "l", "u"}}}}}, {}}}}, {Run: "c"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

// What is no layout says so, and the layouts of other runs are there.
func TestHostile(t *testing.T) {
	meta := summary.Metadata{Plugin: Name}
	raw := func(tensor summary.Tensor) []byte {
		return file(t, func(w *summary.Buffer) error {
			return w.Raw(summary.Event{WallTime: 1, Values: []summary.Value{summary.TensorValue(Tag, tensor, meta)}})
		})
	}
	many := summary.Layout{Categories: []summary.Category{{Title: "c"}, {Title: "d", Charts: []summary.Chart{lines("x")}}}}
	for i := range MaxCharts {
		many.Categories[0].Charts = append(many.Categories[0].Charts, lines(fmt.Sprint(i)))
	}
	long := summary.Chart{Title: "long"}
	for range MaxParts + 1 {
		long.Lines = append(long.Lines, "a")
	}
	m := source.Mem{
		"bytes/tfevents":   raw(summary.StringTensor(nil, "\x12\xff\xff\xff\xff\x0f")),
		"cut/tfevents":     raw(summary.StringTensor(nil, "\x12\x04\x0a\x01ax")),
		"numbers/tfevents": raw(summary.FloatTensor(nil, 1)),
		"two/tfevents":     raw(summary.StringTensor([]int64{2}, "", "")),
		"many/tfevents":    logged(t, many),
		"long/tfevents":    logged(t, summary.Layout{Categories: []summary.Category{{Charts: []summary.Chart{long}}}}),
		"large/tfevents":   raw(summary.StringTensor(nil, strings.Repeat("x", 5<<20))),
		"good/tfevents":    logged(t, summary.Layout{Categories: []summary.Category{{Title: "<b>"}}}),
	}
	want := map[string]error{"bytes": ErrLayout, "cut": ErrLayout, "numbers": event.ErrNotText, "two": errOne, "many": errCharts, "long": errParts, "large": errLong, "good": nil}
	var runs []string
	for r := range want {
		runs = append(runs, r)
	}
	got := ask(t, m, runs...)
	if len(got) != len(want) {
		t.Fatalf("%d of %d runs", len(got), len(want))
	}
	for _, p := range got {
		if w := want[p.Run]; w == nil && p.Error != "" || w != nil && p.Error != w.Error() {
			t.Errorf("%s: %q", p.Run, p.Error)
		}
		if p.Run == "many" && (len(p.Layout.Categories[0].Charts) != MaxCharts || len(p.Layout.Categories[1].Charts) != 0) || p.Run == "long" && len(p.Layout.Categories[0].Charts[0].Lines) != MaxParts {
			t.Errorf("%s: what is within the limits is not there", p.Run)
		}
		if _, err := json.Marshal(p); err != nil {
			t.Error(err)
		}
	}
}

// Whatever bytes: no crash, and no more than there are bytes for.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("\x12\x10\x0a\x01c\x12\x09\x0a\x01t\x12\x04\x0a\x02ab\x18\x01"))
	f.Add([]byte("\x12\x0a\x12\x08\x1a\x06\x0a\x04\x0a\x02ab"))
	f.Fuzz(func(t *testing.T, b []byte) {
		l, _ := Decode(b)
		n := 0
		for _, c := range l.Categories {
			n++
			for _, k := range c.Charts {
				n += 1 + len(k.Lines) + len(k.Margins)
				k.Shown([]string{"loss", "loss/a"}, func(string) bool { return true })
			}
		}
		if n > len(b) {
			t.Errorf("%d parts of %d bytes", n, len(b))
		}
	})
}

// Layouts of several runs are one: charts that the others have already are not there twice.
func TestUnion(t *testing.T) {
	got := Union(
		Layout{Categories: []Category{{Title: "a", Charts: []Chart{chart("1", "x"), chart("1", "x")}}}},
		Layout{Categories: []Category{{Title: "b", Closed: true, Charts: []Chart{chart("1", "x")}}, {Title: "a", Closed: true, Charts: []Chart{chart("1", "x"), chart("1", "y"), chart("2", "x")}}}},
		Layout{Categories: []Category{{Title: "b", Charts: []Chart{chart("1", "x"), {Title: "1", Margins: []Margin{{"x", "", ""}}}}}}},
	)
	want := Layout{Categories: []Category{
		{Title: "a", Charts: []Chart{chart("1", "x"), chart("1", "x"), chart("1", "y"), chart("2", "x")}},
		{Title: "b", Closed: true, Charts: []Chart{chart("1", "x"), {Title: "1", Margins: []Margin{{"x", "", ""}}}}}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

// titles are the charts of a layout, hidden ones in brackets.
func titles(l Layout) string {
	var out []string
	for _, c := range l.Categories {
		list := []string{}
		for _, k := range c.Charts {
			t := k.Title + "=" + strings.Join(k.Lines, ",")
			if k.Hidden {
				t = "(" + t + ")"
			}
			list = append(list, t)
		}
		out = append(out, c.Title+": "+strings.Join(list, " "))
	}
	return strings.Join(out, "; ")
}

// What the user made of a layout stays while the log grows, and what is logged later is
// shown too.
func TestEdit(t *testing.T) {
	first := Layout{Categories: []Category{{Title: "a", Charts: []Chart{chart("1", "x"), chart("2", "y"), chart("2", "z")}}, {Title: "b", Charts: []Chart{chart("3", "x")}}}}
	l := Edit{}.Apply(first)
	if got := titles(l); got != "a: 1=x 2=y 2=z; b: 3=x" {
		t.Fatal(got)
	}
	// Renamed, moved, hidden, with content of its own, taken out, and a new one.
	a, b := l.Categories[0], l.Categories[1]
	a.Title = "A"
	one, two, second := a.Charts[0], a.Charts[1], a.Charts[2]
	one.Title, one.Hidden = "one", true
	two.Own, two.Lines = true, []string{"mine"}
	b.Charts = []Chart{second, chart("new", "n")}
	a.Charts = []Chart{two, one}
	e := Edit{Categories: []Category{b, a}, Gone: []string{Key("b", "3", 0)}}
	if got := titles(e.Apply(first)); got != "b: 2=z new=n; A: 2=mine (one=x)" {
		t.Error(got)
	}
	// It goes through JSON, and is the same when it is applied to what it made.
	text, err := json.Marshal(e)
	var again Edit
	if err != nil || json.Unmarshal(text, &again) != nil || !reflect.DeepEqual(again, e) {
		t.Errorf("%s %v", text, err)
	}
	later := Layout{Categories: []Category{{Title: "a", Charts: []Chart{chart("1", "X"), chart("2", "Y"), chart("4", "v")}}, {Title: "c", Closed: true, Charts: []Chart{chart("5", "u")}}, {Title: "b", Charts: []Chart{chart("3", "x")}}}}
	got := e.Apply(later)
	if titles(got) != "b: 2=z new=n; A: 2=mine (one=X) 4=v; c: 5=u" || !got.Categories[2].Closed {
		t.Error(titles(got))
	}
	if _, ok := (Edit{}).Fix(); ok {
		t.Error("nothing is no edit")
	}
	if _, ok := (Edit{Categories: []Category{{Charts: make([]Chart, MaxCharts)}, {Charts: make([]Chart, 1)}}}).Fix(); ok {
		t.Error("too many charts are kept")
	}
}

func TestShown(t *testing.T) {
	tags := []string{"acc", "loss", "loss/eval", "loss/margin", "train/loss"}
	has := func(t string) bool { return slices.Contains(tags, t) }
	s := (&Chart{Lines: []string{"loss(?!.*margin.*)", "acc", "lo", "nothing", "("}}).Shown(tags, has)
	if !slices.Equal(s.Tags, []string{"loss", "loss/eval", "acc", "loss/margin"}) || s.Bands != nil || len(s.Problems) != 2 ||
		s.Problems[0] != "No tag matches “nothing”." || !strings.Contains(s.Problems[1], "“(” is not understood: the brackets") {
		t.Errorf("%+v", s)
	}
	s = (&Chart{Margins: []Margin{{"loss", "acc", "gone"}, {"away", "acc", "acc"}, {"acc", "loss", "loss"}}}).Shown(tags, has)
	if !slices.Equal(s.Tags, []string{"loss", "acc"}) || !slices.Equal(s.Bands, [][2]string{{"acc", "gone"}, {"loss", "loss"}}) || len(s.Problems) != 1 || s.Problems[0] != "There are no tags “gone”, “away”." {
		t.Errorf("%+v", s)
	}
	var many []string
	for i := range 20_000 {
		many = append(many, fmt.Sprintf("t%05d", i))
	}
	s = (&Chart{Lines: []string{"t"}}).Shown(many, has)
	if len(s.Tags) != MaxShown || len(s.Problems) != 1 || !strings.HasPrefix(s.Problems[0], "19900 more tags") {
		t.Errorf("%d tags, %q", len(s.Tags), s.Problems)
	}
	s = (&Chart{Lines: []string{"t.*(?!a).*(?!b).*(?!c)"}}).Shown(many, has)
	if len(s.Problems) == 0 || !strings.Contains(s.Problems[len(s.Problems)-1], "too long") {
		t.Errorf("no end: %q", s.Problems)
	}
	if s = (&Chart{}).Shown(tags, has); len(s.Problems) != 1 {
		t.Errorf("%+v", s)
	}
}

// Asked again, a layout is read again only where it is another one.
func TestAskAgain(t *testing.T) {
	one := func(title string) summary.Layout {
		return summary.Layout{Categories: []summary.Category{{Title: title}}}
	}
	m := source.Mem{"a/tfevents": logged(t, one("first")), "b/tfevents": logged(t, one("other"))}
	c := catalog.New()
	var a answer.Answerer
	read := func(want string, reads int) {
		t.Helper()
		if _, err := c.Load(context.Background(), m.Logdir()); err != nil {
			t.Fatal(err)
		}
		if a == nil {
			a = Kind{}.Answerer(answer.World{Catalog: c})
		}
		q := Query([]string{"a", "b"})
		j, err := a.Begin(&q)
		if err != nil {
			t.Fatal(err)
		}
		n, got := 0, map[string]string{}
		if err := answer.Serve(t.Context(), m.Logdir(), answertest.Counting(j, &n), func(out *answer.Out) error {
			for _, p := range out.Parts.([]Part) {
				got[p.Run] = p.Layout.Categories[0].Title
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if n != reads || got["a"] != want || got["b"] != "other" {
			t.Errorf("%d reads: %v", n, got)
		}
	}
	read("first", 2)
	read("first", 0)
	more := summary.NewBuffer(summary.Options{NoVersion: true})
	if err := more.CustomScalars(one("second")); err != nil {
		t.Fatal(err)
	}
	m["a/tfevents"] = append(m["a/tfevents"], more.Bytes()...)
	read("second", 1)
	a.Forget()
	read("second", 2)
}
