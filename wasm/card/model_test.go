package card

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

func tagsOf(m map[string][]string) map[string]map[string]wire.Tag {
	out := map[string]map[string]wire.Tag{}
	for run, tags := range m {
		out[run] = map[string]wire.Tag{}
		for _, t := range tags {
			out[run][t] = wire.Tag{Plugin: "scalars", Points: 10, Kept: 5}
		}
	}
	return out
}

func all(string) bool { return true }

// curves is a kind with one card a tag, words one with a card for each run.
type curves struct{}

func (curves) Name() string                                  { return "scalars" }
func (curves) Settings() session.Schema                      { return nil }
func (curves) Empty() Empty                                  { return Empty{} }
func (curves) Cards(tag string, _ []string) []session.CardID { return ids("scalars", tag) }

type words struct{ curves }

func (words) Cards(tag string, runs []string) (out []session.CardID) {
	for _, r := range runs {
		out = append(out, session.CardOf("text", tag).OfRun(r, 0))
	}
	return out
}

func (words) Name() string { return "text" }

// form is another form of words.
type form struct{ curves }

func (form) Name() string   { return "form" }
func (form) Plugin() string { return "text" }
func (form) Cards(tag string, runs []string) (out []session.CardID) {
	for _, r := range runs {
		out = append(out, session.CardOf("form", tag).OfRun(r, 0))
	}
	return out
}

func ids(plugin string, tags ...string) (out []session.CardID) {
	for _, t := range tags {
		out = append(out, session.CardOf(plugin, t))
	}
	return out
}

func TestGroups(t *testing.T) {
	tags := tagsOf(map[string][]string{
		"a": {"train/loss", "train/lr", "lr", "layer_10/w", "layer_2/w", "loss"},
		"b": {"eval/loss", "train/loss"},
		"c": {"only/c"},
	})
	// groups are those that there are, with all their cards; a page of them is its beginning.
	type group struct {
		name  string
		cards []session.CardID
		tags  int
	}
	groups := func(sources []Source, runs []string, match func(string) bool) (out []group) {
		for _, g := range NewIndex(new(Order), sources, runs, nil).Groups(func(tag, low string) bool { return low == strings.ToLower(tag) && match(tag) }, nil) {
			first := g.First(1)
			every := g.First(1 << 30)
			if len(first) != 1 || first[0] != every[0] || g.Count != len(every) {
				t.Errorf("%s: %d cards are counted, and %v, first of all %v", g.Name, g.Count, every, first)
			}
			out = append(out, group{g.Name, every, len(g.Tags)})
		}
		return out
	}
	got := groups([]Source{{Model: curves{}, Tags: tags}}, []string{"a", "b"}, all)
	want := []group{
		{"eval", ids("scalars", "eval/loss"), 1},
		{"layer_2", ids("scalars", "layer_2/w"), 1},
		{"layer_10", ids("scalars", "layer_10/w"), 1},
		{Ungrouped, ids("scalars", "loss", "lr"), 2},
		{"train", ids("scalars", "train/loss", "train/lr"), 2},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	got = groups([]Source{{Model: curves{}, Tags: tags}}, []string{"a", "b", "c"}, func(s string) bool { return s == "only/c" })
	if !reflect.DeepEqual(got, []group{{"only", ids("scalars", "only/c"), 1}}) {
		t.Errorf("filtered: %v", got)
	}
	// Two kinds may share a tag; a kind may have a card for each run.
	got = groups([]Source{{Model: curves{}, Tags: tags}, {Model: words{}, Tags: tagsOf(map[string][]string{"b": {"loss", "x"}, "a": {"loss"}})}}, []string{"b", "a"},
		func(s string) bool { return s == "loss" || s == "x" })
	if want := []group{{Ungrouped, []session.CardID{
		session.CardOf("scalars", "loss"), session.CardOf("text", "loss").OfRun("b", 0), session.CardOf("text", "loss").OfRun("a", 0), session.CardOf("text", "x").OfRun("b", 0),
	}, 2}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
	// A tag may have a card for each part of its runs, in natural order, those in none last.
	folder := func(run string) string {
		name, _, ok := strings.Cut(run, "/")
		return session.PartOf(session.PartFolder, map[bool]string{true: name}[ok])
	}
	got = groups([]Source{{Model: curves{}, Tags: tagsOf(map[string][]string{"f10/b": {"x", "y"}, "c": {"y"}, "f2/a": {"y"}, "f10/a": {"y"}, "f2/b": {"y"}}), Part: folder}, {Model: words{}, Tags: tagsOf(map[string][]string{"c": {"y"}, "f2/b": {"y"}})}},
		[]string{"f10/b", "c", "f2/a", "f10/a", "f2/b"}, all)
	part := func(tag, name string) session.CardID {
		return session.CardID{Plugin: "scalars", Tag: tag, Part: session.PartOf(session.PartFolder, name)}
	}
	if want := []group{{Ungrouped, []session.CardID{
		part("x", "f10"), part("y", "f2"), part("y", "f10"), part("y", ""), session.CardOf("text", "y").OfRun("c", 0), session.CardOf("text", "y").OfRun("f2/b", 0),
	}, 2}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
	for part, want := range map[string]string{"folder:a/b": "a/b", "folder:": "in no folder", "group:": "in no group", "run:a:b": "a:b", "param?name=o%3Apt:x:y": "o:pt: x:y", "param?name=opt:": "without opt"} {
		if got := PartName(part); got != want {
			t.Errorf("%q is called %q", part, got)
		}
	}
	// Another form of a kind's cards is in their place, of the tags that are shown so.
	logged := tagsOf(map[string][]string{"b": {"w", "x"}, "a": {"w"}})
	got = groups(Merged([]Source{{Model: words{}, Tags: logged}, {Model: form{}, Tags: logged}}, map[string]bool{"w": true}), []string{"b", "a"}, all)
	if want := []group{{Ungrouped, []session.CardID{
		session.CardOf("form", "w").OfRun("b", 0), session.CardOf("form", "w").OfRun("a", 0), session.CardOf("text", "x").OfRun("b", 0),
	}, 2}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
	for _, o := range []struct {
		sources      []Source
		card, other  session.CardID
		swapped, has bool
	}{
		{Merged([]Source{{Model: words{}}, {Model: form{}}}, nil), session.CardOf("text", "w").OfRun("b", 0), session.CardOf("form", "w").OfRun("b", 0), true, true},
		{Merged([]Source{{Model: words{}}, {Model: form{}}}, nil), session.CardOf("form", "w").OfRun("b", 0), session.CardOf("text", "w").OfRun("b", 0), false, true},
		{Merged([]Source{{Model: form{}}}, nil), session.CardOf("form", "w").OfRun("b", 0), session.CardOf("form", "w").OfRun("b", 0), false, false},
		{Merged([]Source{{Model: words{}}, {Model: form{}}}, nil), session.CardOf("scalars", "w"), session.CardOf("scalars", "w"), false, false},
	} {
		if other, swapped, has := OtherForm(o.sources, o.card); other != o.other || swapped != o.swapped || has != o.has {
			t.Errorf("%v: the other form is %v, %v, %v", o.card, other, swapped, has)
		}
	}
	if got := groups([]Source{{Model: curves{}, Tags: tags}}, nil, all); got != nil {
		t.Errorf("no runs, but cards: %v", got)
	}
	if got := groups(nil, []string{"x"}, all); got != nil {
		t.Errorf("no tags, but cards: %v", got)
	}
}

// What was sorted before must not show, nor change the order of what is.
func TestOrderRemembers(t *testing.T) {
	var o Order
	for _, want := range [][]string{{"b2", "b10"}, {"a", "b2"}, {"a", "b2", "b3", "b10", "c"}, nil, {"b10"}} {
		set := map[string]int{}
		for _, s := range want {
			set[s] = 1
		}
		if got := o.Of(set, nil); !slices.Equal(got, want) {
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
	group := func(name string, n int) *Group { return &Group{Name: name, Count: n} }
	for _, c := range []struct {
		groups   []*Group
		chosen   map[string]bool
		filtered bool
		want     []bool
	}{
		{nil, nil, false, []bool{}},
		{[]*Group{group("a", 10000), group("b", 1)}, nil, false, []bool{true, false}},
		{[]*Group{group("a", 6), group("b", 6), group("c", 12), group("d", 1)}, nil, false, []bool{true, true, true, false}},
		{[]*Group{group("a", 6), group("b", 6)}, map[string]bool{"a": false, "b": true}, false, []bool{false, true}},
		{[]*Group{group("a", 40), group("b", 40), group("c", 40)}, nil, true, []bool{true, true, true}},
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
		"train/loss": "train_loss.csv", "../../etc": "_.._etc.csv", "": "data.csv", "...": "data.csv", "a\x00b<c>": "a_b_c_.csv",
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
		NewIndex(new(Order), []Source{{Model: curves{}, Tags: tags}}, []string{"a"}, nil).Groups(func(string, string) bool { return true }, nil)
	}
}

func TestOffers(t *testing.T) {
	tags := []string{"acc.top1", "loss", "train/Loss"}
	if got := Offers(tags, "LOSS"); !slices.Equal(got, []string{"loss", "train/Loss"}) {
		t.Errorf("%q", got)
	}
	if got := Offers(tags, "top"); !slices.Equal(got, []string{"acc.top1"}) {
		t.Errorf("%q", got)
	}
	if got := Offers(tags, `^acc\.top1$`); len(got) != 0 {
		t.Errorf("what stands there is offered: %q", got)
	}
	if got := Exactly("acc.top1"); got != `^acc\.top1$` {
		t.Errorf("%q", got)
	}
}

// Superimposed cards are of kinds that can, with data, and match by title or tag.
func TestSuper(t *testing.T) {
	var s session.State
	session.SuperimposedCards.Set(&s, []session.Superimposed{
		{ID: "1", Title: "Both", Tags: []string{"a", "b"}}, {ID: "2", Tags: []string{"none", "nor"}}, {ID: "3", Tags: []string{"a", "b"}}, {ID: "4"},
	})
	if n := len(session.SuperimposedCards.Of(&s)); n != 2 {
		t.Errorf("%d cards: those without tags, and those that are there, are left out", n)
	}
	sources := []Source{{Model: super{}, Tags: Tags{"r": {"b": {}}}}}
	all := func(string) bool { return true }
	g, ok := Super(&s, sources, []string{"r"}, all)
	if !ok || g.Count != 1 || g.First(2)[0] != session.CardOf("super", "a", "b") || SuperTitle(&s, g.First(1)[0]) != "Both" {
		t.Errorf("%+v", g)
	}
	if _, ok := Super(&s, sources, []string{"r"}, func(t string) bool { return t == "Both" }); !ok {
		t.Error("the title does not count")
	}
	if _, ok := Super(&s, sources, []string{"q"}, all); ok {
		t.Error("a card without data")
	}
}

type super struct{ Model }

func (super) Name() string       { return "super" }
func (super) Superimposes() bool { return true }

func TestChosenKinds(t *testing.T) {
	kinds := []string{"scalars", "images"}
	for want, chosen := range map[string]map[string]bool{
		"map[images:true scalars:true]": nil,
		"map[images:true]":              {"images": true, "text": true},
		// On a dashboard of others nothing would be left.
		"map[images:true scalars:true] ": {"text": true},
	} {
		if got := fmt.Sprint(ChosenKinds(chosen, kinds)); got != strings.TrimSpace(want) {
			t.Errorf("%v: %s", chosen, got)
		}
	}
}

// A card of a logged tag that looks like an expression is called as the tag is.
func TestMetaOfLoggedExpression(t *testing.T) {
	tags := Tags{"run": {"={loss}": {Points: 3}, "loss": {Points: 3}}}
	if m := MetaOf(tags, []string{"run"}, "={loss}"); m.Name != "={loss}" || m.Runs != 1 {
		t.Errorf("%+v", m)
	}
	if m := MetaOf(tags, []string{"run"}, "={loss}*{loss}"); m.Name != "loss*loss" {
		t.Errorf("%+v", m)
	}
}

// What a heading says its cards do not say again; where a slash is no group's the whole name
// stays.
func TestTitleIn(t *testing.T) {
	tags := Tags{"r": {}}
	for _, tag := range []string{"loss/2", "loss/10", "loss/1", "T-shirt/top", "avg.reward/ep.", "a/", "a/b", "/x", "/y", "plain"} {
		tags["r"][tag] = wire.Tag{Points: 1}
	}
	x := NewIndex(&Order{}, []Source{{Model: curves{}, Tags: tags}}, []string{"r"}, nil)
	var titles []string
	for _, g := range x.Groups(func(string, string) bool { return true }, nil) {
		for _, tag := range g.Tags {
			titles = append(titles, g.Name+":"+TitleIn(tag, x.InGroup(tag)))
		}
	}
	want := []string{":/x", ":/y", "a:a/", "a:b", "avg.reward:avg.reward/ep.", "loss:1", "loss:2", "loss:10", ":plain", "T-shirt:T-shirt/top"}
	slices.Sort(titles)
	slices.Sort(want)
	if !slices.Equal(titles, want) {
		t.Errorf("%q, want %q", titles, want)
	}
}

// Values of one step are told apart by their times, or by their number.
func TestStepText(t *testing.T) {
	steps := []int64{-5, 0, 0, 0, 12_000}
	at := func(w float64) *float64 { return &w }
	first, second := StepText(steps, 1, at(1.7e9)), StepText(steps, 2, at(1.7e9+0.25))
	if first == second || !strings.HasPrefix(first, "step 0, 2023-11-1") || !strings.HasSuffix(first, ".000") || !strings.HasSuffix(second, ".250") {
		t.Errorf("%q and %q", first, second)
	}
	for n, want := range []string{"step -5", "step 0, 1 of 3", "step 0, 2 of 3", "step 0, 3 of 3", "step 12,000", ""} {
		if got := StepText(steps, n, nil); got != want {
			t.Errorf("value %d: %q, want %q", n, got, want)
		}
	}
	if got := StepText(steps, 4, at(1.7e9)); got != "step 12,000" {
		t.Errorf("the only one of its step: %q", got)
	}
	if got := StepText(steps, 3, at(math.Inf(1))); got != "step 0, 3 of 3" {
		t.Errorf("of no time: %q", got)
	}
}
