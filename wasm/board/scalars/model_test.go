package scalars

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

func tagsOf(m map[string][]string) map[string]map[string]wire.Tag {
	out := map[string]map[string]wire.Tag{}
	for run, tags := range m {
		out[run] = map[string]wire.Tag{}
		for _, t := range tags {
			out[run][t] = wire.Tag{Plugin: Plugin, Points: 10, Kept: 5}
		}
	}
	return out
}

func all(string) bool { return true }

func TestGroups(t *testing.T) {
	tags := tagsOf(map[string][]string{
		"a": {"train/loss", "train/lr", "lr", "layer_10/w", "layer_2/w", "loss"},
		"b": {"eval/loss", "train/loss"},
		"c": {"only/c"},
	})
	got := Groups(new(Order), tags, []string{"a", "b"}, all)
	want := []Group{
		{"eval", []string{"eval/loss"}},
		{"layer_2", []string{"layer_2/w"}},
		{"layer_10", []string{"layer_10/w"}},
		{Ungrouped, []string{"loss", "lr"}},
		{"train", []string{"train/loss", "train/lr"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	got = Groups(new(Order), tags, []string{"a", "b", "c"}, func(s string) bool { return s == "only/c" })
	if !reflect.DeepEqual(got, []Group{{"only", []string{"only/c"}}}) {
		t.Errorf("filtered: %q", got)
	}
	if got := Groups(new(Order), tags, nil, all); got != nil {
		t.Errorf("no runs, but cards: %q", got)
	}
	if got := Groups(new(Order), nil, []string{"x"}, all); got != nil {
		t.Errorf("no tags, but cards: %q", got)
	}
}

// What was sorted before must not show, nor change the order of what is.
func TestOrderRemembers(t *testing.T) {
	var o Order
	for _, want := range [][]string{{"b2", "b10"}, {"a", "b2"}, {"a", "b2", "b3", "b10", "c"}, nil, {"b10"}} {
		set := map[string]bool{}
		for _, s := range want {
			set[s] = true
		}
		if got := o.Of(set); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestGroupOf(t *testing.T) {
	for tag, want := range map[string]string{"a/b/c": "a", "a": Ungrouped, "/a": "", "": Ungrouped, "a/": "a"} {
		if got := GroupOf(tag); got != want {
			t.Errorf("%q: %q, want %q", tag, got, want)
		}
	}
}

func TestOpen(t *testing.T) {
	group := func(name string, n int) Group { return Group{name, make([]string, n)} }
	for _, c := range []struct {
		groups   []Group
		chosen   map[string]bool
		filtered bool
		want     []bool
	}{
		{nil, nil, false, []bool{}},
		{[]Group{group("a", 10000), group("b", 1)}, nil, false, []bool{true, false}},
		{[]Group{group("a", 6), group("b", 6), group("c", 12), group("d", 1)}, nil, false, []bool{true, true, true, false}},
		{[]Group{group("a", 6), group("b", 6)}, map[string]bool{"a": false, "b": true}, false, []bool{false, true}},
		{[]Group{group("a", 40), group("b", 40), group("c", 40)}, nil, true, []bool{true, true, true}},
	} {
		if got := Open(c.groups, c.chosen, c.filtered); !slices.Equal(got, c.want) {
			t.Errorf("%v: got %v, want %v", c.chosen, got, c.want)
		}
	}
}

func TestMetaOf(t *testing.T) {
	tags := tagsOf(map[string][]string{"a": {"x"}, "b": {"x"}, "c": {"y"}})
	tags["b"]["x"] = wire.Tag{DisplayName: "Ex", Description: "about x", Points: 7, Kept: 7}
	got := MetaOf(tags, []string{"a", "b", "c"}, "x")
	if want := (Meta{"Ex", "about x", 2, 17, 12}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := MetaOf(tags, []string{"a"}, "x").Name; got != "x" {
		t.Errorf("without a display name: %q", got)
	}
	if got := TagRuns(tags, []string{"c", "b", "a"}, "x"); !slices.Equal(got, []string{"b", "a"}) {
		t.Errorf("runs: %q", got)
	}
}

func TestFileName(t *testing.T) {
	for tag, want := range map[string]string{
		"train/loss": "train_loss.csv", "../../etc": "_.._etc.csv", "": "scalars.csv", "...": "scalars.csv", "a\x00b<c>": "a_b_c_.csv",
	} {
		if got := FileName(tag, "csv"); got != want {
			t.Errorf("%q: %q, want %q", tag, got, want)
		}
	}
}

func BenchmarkGroups10000(b *testing.B) {
	list := make([]string, 10000)
	for i := range list {
		list[i] = fmt.Sprintf("group_%d/tag_%d", i%100, i)
	}
	tags := tagsOf(map[string][]string{"a": list})
	for b.Loop() {
		Groups(new(Order), tags, []string{"a"}, all)
	}
}
