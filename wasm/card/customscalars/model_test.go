package customscalars

import (
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/kind/customscalars"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars"
)

func chart(title string, lines ...string) customscalars.Chart {
	return customscalars.Chart{Title: title, Lines: lines}
}

// Charts stand in the order of the layout, are told apart where they have one title, and are
// found by what stands in them.
func TestGroups(t *testing.T) {
	logged := map[string]customscalars.Part{
		"b": {Layout: customscalars.Layout{Categories: []customscalars.Category{{Title: "", Charts: []customscalars.Chart{chart("", "x")}}}}},
		"a": {Layout: customscalars.Layout{Categories: []customscalars.Category{{Title: "zed", Closed: true, Charts: []customscalars.Chart{
			chart("same", "loss"), chart("first", "acc"), chart("same", "lr"),
			{Title: "m", Margins: []customscalars.Margin{{Value: "v", Lower: "low", Upper: "u"}}}}}, {Title: "none"}}}},
	}
	var l layout
	l.set(logged, customscalars.Edit{})
	l.newTags(card.Tags{"r": {"loss": {}, "loss/b": {}, "lr": {}, "v": {}}})
	groups := l.groups(func(string) bool { return true })
	if len(groups) != 2 || groups[0].Title != "zed" || !groups[0].Fold || groups[1].Title != "Untitled" || groups[1].Fold {
		t.Fatalf("%+v", groups)
	}
	var got []string
	for _, g := range groups {
		for _, id := range g.First(10) {
			got = append(got, id.String()+" "+strings.Join(l.show(id).Tags, ","))
		}
	}
	want := []string{"custom_scalars?tag=zed&tag=same loss,loss/b", "custom_scalars?tag=zed&tag=first ", "custom_scalars?tag=zed&tag=same&sample=1 lr", "custom_scalars?tag=zed&tag=m v", "custom_scalars?tag=&tag= "}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for word, count := range map[string]int{"ze": 4, "sam": 2, "lr": 1, "low": 1, "nothing": 0} {
		n := 0
		for _, g := range l.groups(func(w string) bool { return strings.Contains(w, word) }) {
			n += g.Count
		}
		if n != count {
			t.Errorf("%q finds %d charts", word, n)
		}
	}
	// A card is found again by its text form, and its chart where it stands.
	for _, text := range want {
		id, err := session.ParseCardID(strings.Fields(text)[0])
		if err != nil || l.at[id] == nil {
			t.Errorf("%s is not found again: %v", text, err)
		}
	}
	id := session.CardOf(customscalars.Name, "zed", "same").OfRun("", 1)
	if i, k, ok := l.place(id); i != 0 || k != 2 || !ok {
		t.Error(i, k, ok)
	}
	// Categories that the user gives one name stay two, and so do their charts.
	l.edit(customscalars.Edit{Categories: []customscalars.Category{{Title: "zed", Charts: []customscalars.Chart{chart("same", "lr")}}, {Title: "zed", From: "zed"}}})
	groups = l.groups(func(string) bool { return true })
	if len(groups) != 3 || groups[0].Name == groups[1].Name || groups[0].First(1)[0] == groups[1].First(1)[0] || groups[1].Count != 4 {
		t.Errorf("%+v %+v", groups[0], groups[1])
	}
	// One that is hidden is not there.
	l.edit(customscalars.Edit{Categories: []customscalars.Category{{Title: "zed", From: "zed", Charts: []customscalars.Chart{{Title: "same", From: customscalars.Key("zed", "same", 0), Hidden: true}}}}})
	if g := l.groups(func(string) bool { return true }); g[0].Count != 3 {
		t.Errorf("%d charts", g[0].Count)
	}
}

// A chart that is renamed keeps all that its card has: pin, width, zoom, marks, limits and tags of
// the right axis, scales and smoothing; two may take each other's titles; and there is a way back.
func TestRenamedChartKeepsAll(t *testing.T) {
	loss, other := session.CardOf(customscalars.Name, "train", "loss"), session.CardOf(customscalars.Name, "train", "other")
	var s session.State
	session.Pin(&s, loss)
	session.Wide.Put(&s, loss.String(), true)
	scalars.Zooms.Put(&s, loss.String(), scalars.Zoom{X0: 1, X1: 2})
	scalars.Marks.Put(&s, loss.String(), []float64{7})
	scalars.RightTags.Put(&s, loss.String(), []string{"lr"})
	scalars.RightLimits.Put(&s, loss.String(), scalars.AxisLimits{Lo: 3, Hi: 4})
	scalars.TagScales.Put(&s, loss.Tag, scalars.AxisScales{Y: scalars.Log})
	scalars.OwnSmoothing.Put(&s, loss.Tag, 0.25)
	scalars.OwnSmoother.Put(&s, loss.Tag, "exponential")
	whose := func(what string, id session.CardID) {
		t.Helper()
		wide, _ := session.Wide.Get(&s, id.String())
		zoom, _ := scalars.Zooms.Get(&s, id.String())
		marks, _ := scalars.Marks.Get(&s, id.String())
		tags, _ := scalars.RightTags.Get(&s, id.String())
		limits, _ := scalars.RightLimits.Get(&s, id.String())
		own, _ := scalars.OwnSmoothing.Get(&s, id.Tag)
		kind, _ := scalars.OwnSmoother.Get(&s, id.Tag)
		if !session.Pinned(&s, id) || !wide || zoom.X1 != 2 || !slices.Equal(marks, []float64{7}) || !slices.Equal(tags, []string{"lr"}) ||
			limits.Hi != 4 || scalars.ScaleOf(&s, id.Tag) != scalars.Log || own != 0.25 || kind != "exponential" {
			t.Errorf("%s: %+v", what, s)
		}
	}
	moves, back := movesOf([][2]string{{loss.String(), other.String()}, {other.String(), loss.String()}, {"nonsense", ""}})
	session.MoveCards(&s, moves...)
	whose("renamed", other)
	if len(scalars.Zooms.Of(&s)) != 1 || len(scalars.Marks.Of(&s)) != 1 || len(session.PinnedCards(&s)) != 1 {
		t.Errorf("left behind: %+v", s)
	}
	session.MoveCards(&s, back...)
	whose("undone", loss)
}

// The dialogs hear the cards' names as session.CardID writes them.
func TestIDsOfAnEdit(t *testing.T) {
	got := idsOf(&customscalars.Edit{Categories: []customscalars.Category{{Title: "a b", Charts: []customscalars.Chart{chart("x'"), chart("x'")}}, {Title: ""}}})
	if len(got) != 2 || !slices.Equal(got[0], []string{"custom_scalars?tag=a+b&tag=x%27", "custom_scalars?tag=a+b&tag=x%27&sample=1"}) || got[1] == nil || len(got[1]) != 0 {
		t.Errorf("%q", got)
	}
}
