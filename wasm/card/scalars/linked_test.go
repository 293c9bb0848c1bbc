package scalars

import (
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/card"
)

// A card whose tags change keeps what it has of its own.
func TestMoveCard(t *testing.T) {
	var s session.State
	from, to := session.CardOf("scalars", "a", "b"), session.CardOf("scalars", "a", "c")
	session.Pin(&s, from)
	SetScales(&s, from.Tag, AxisScales{Y: Log, X: Log})
	OwnSmoothing.Put(&s, from.Tag, 0.25)
	zoom := Zoom{X0: 1, X1: 2, Y0: 3, Y1: 4, Axis: axisOf(&s, from.Tag)}
	SetZoom(&s, from, zoom)
	session.MoveCards(&s, [2]session.CardID{from, to})
	if !session.Pinned(&s, to) || zoomOf(&s, to) != zoom || ScaleOf(&s, to.Tag) != Log || SmoothingOf(&s, to.Tag) != 0.25 {
		t.Errorf("%+v", s)
	}
	if dropStale(&s) || session.Pinned(&s, from) || zoomOf(&s, from) != (Zoom{}) || ScaleOf(&s, from.Tag) != Linear {
		t.Errorf("left behind: %+v", s)
	}
}

// Below 0 a log axis has no place for a zoom.
func TestZoomOf(t *testing.T) {
	var s session.State
	id := session.CardOf("scalars", "a")
	SetZoom(&s, id, Zoom{X0: 1, X1: 2, Y0: 0, Y1: 4, Axis: axisOf(&s, id.Tag)})
	for y, want := range map[Scale][2]float64{Linear: {0, 4}, Symlog: {0, 4}, Log: {0, 0}} {
		Y.Set(&s, y)
		if z := zoomOf(&s, id); z.Y0 != want[0] || z.Y1 != want[1] || z.X1 != 2 {
			t.Errorf("%s: %+v", y, z)
		}
	}
}

// Links name curves by their tag alone, whoever wrote them.
func TestLinkNamesCurves(t *testing.T) {
	if session.Curves != scalars.Name {
		t.Errorf("a tag alone is a card of %q in pins, and one of %q in zooms", session.Curves, scalars.Name)
	}
}

// Marked steps are in a link, and go along with their card.
func TestMarksInLink(t *testing.T) {
	var s session.State
	a, b := session.CardOf("scalars", "a:b"), session.CardOf("scalars", "x", "y")
	Marks.Put(&s, a.String(), []float64{1000000, 5})
	Marks.Put(&s, b.String(), []float64{7})
	schema := session.Schema{session.Board.Decl, X.Decl, Over.Decl, XTag.Decl, card.LinkSteps.Decl, Marks.Decl}
	link := schema.Hash(&s)
	if !strings.Contains(link, "marks=a%253Ab:1000000:5,") {
		t.Error(link)
	}
	var got session.State
	schema.ReadHash(&got, link+",:1,bad:x,many:1:2:3", "")
	if m := marksOf(&got, a); !slices.Equal(m, marks{1000000, 5}) {
		t.Errorf("%v", m)
	}
	if m := marksOf(&got, b); !slices.Equal(m, marks{7}) || len(Marks.Of(&got)) != 3 {
		t.Errorf("%v", Marks.Of(&got))
	}
	X.Set(&got, wire.ByWall)
	if m := marksOf(&got, a); m != nil {
		t.Errorf("over times: %v", m)
	}
}

// To mark steps on all cards takes over what is marked on one: the one that was marked last.
func TestLinkMarks(t *testing.T) {
	var s session.State
	card.LinkedStep.Set(&s, "5")
	if card.Link(&s, true); card.LinkedStep.Of(&s) != "5" {
		t.Error("nothing is marked anywhere else")
	}
	card.Link(&s, false)
	Marks.Put(&s, "scalars?tag=a", []float64{1, 9.6})
	Marks.Put(&s, "scalars?tag=b", []float64{3})
	defer func() { lastMarked = "" }()
	for last, want := range map[string][2]string{"": {"1", "10"}, "scalars?tag=b": {"3", ""}} {
		lastMarked = last
		card.Link(&s, true)
		if got := [2]string{card.LinkedStep.Of(&s), card.LinkedEnd.Of(&s)}; got != want {
			t.Errorf("after %q: %q, not %q", last, got, want)
		}
	}
}

// All cards take over the stretch that one shows, and each keeps it when they part.
func TestLinkZooms(t *testing.T) {
	var s session.State
	a, b := session.CardOf("scalars", "a"), session.CardOf("scalars", "b")
	SetZoom(&s, b, Zoom{X0: 1, X1: 2, Y0: 3, Y1: 4, Axis: axisOf(&s, "b")})
	linkZooms(&s, true, []session.CardID{a, b})
	if z, w := zoomOf(&s, a), zoomOf(&s, b); z.X0 != 1 || z.X1 != 2 || z.Y1 != 0 || w.X1 != 2 || w.Y1 != 4 {
		t.Errorf("together: %+v, %+v", z, w)
	}
	linkZooms(&s, false, []session.CardID{a, b})
	if z, w := zoomOf(&s, a), zoomOf(&s, b); LinkZoom.Of(&s) || z.X0 != 1 || z.X1 != 2 || w.X1 != 2 || w.Y1 != 4 || len(Zooms.Of(&s)) != 2 {
		t.Errorf("apart: %+v", Zooms.Of(&s))
	}
	SetZoom(&s, a, Zoom{})
	SetZoom(&s, b, Zoom{})
	linkZooms(&s, true, []session.CardID{a, b})
	linkZooms(&s, false, []session.CardID{a, b})
	if len(Zooms.Of(&s)) != 0 {
		t.Errorf("of nothing: %+v", Zooms.Of(&s))
	}
}
