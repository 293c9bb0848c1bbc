package session

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func pinsOf(ids ...CardID) *State {
	s := &State{}
	for _, id := range ids {
		Pin(s, id)
	}
	return s
}

// Pins keep their order through a link, whatever is in their tags.
func TestPinsInLinks(t *testing.T) {
	want := pinsOf(CardOf("scalars", "train/loss"), CardOf("scalars", "a,b?c%[~"), CardOf("scalars", "~"), CardOf("images", "x").OfRun("a/b", 3),
		CardOf("scalars", "one", "two"), CardOf("text", "né & #").OfRun("r=1", 0), CardOf("scalars", "[]"))
	got := &State{}
	hash := Page.Hash(want)
	Page.ReadHash(got, hash, "")
	if !reflect.DeepEqual(Pins.Of(got), Pins.Of(want)) || len(Pins.Of(got)) != 7 {
		t.Errorf("the link %s gives %q", hash, Pins.Of(got))
	}
	if short := Page.Hash(pinsOf(CardOf("scalars", "loss"))); short != "#timeseries&pins=loss" {
		t.Errorf("the link of one pin is %s", short)
	}
}

// TensorBoard's links are understood: what it would drop is dropped.
func TestPinnedCards(t *testing.T) {
	query := `?pinnedCards=%5B%7B%22plugin%22%3A%22scalars%22%2C%22tag%22%3A%22loss%22%7D%2C` +
		`%7B%22plugin%22%3A%22images%22%2C%22tag%22%3A%22i%22%2C%22runId%22%3A%22defaultExperimentId%2Fa%2Fb%22%2C%22sample%22%3A2%7D%5D`
	s := &State{}
	Page.ReadHash(s, "#timeseries", query)
	want := []string{"scalars?tag=loss", "images?tag=i&run=a%2Fb&sample=2"}
	if !reflect.DeepEqual(Pins.Of(s), want) {
		t.Errorf("got %q", Pins.Of(s))
	}
	for _, bad := range []string{`[{"plugin":"who","tag":"a"}]`, `[{"plugin":"images","tag":"a"}]`, `[{"plugin":"scalars","tag":"a","runId":"r"}]`,
		`[{"plugin":"images","tag":"a","runId":"r","sample":-1}]`, `[{"plugin":"images","tag":"a","runId":"r","sample":0.5}]`, `[7,null,"x"]`, `[{"plugin":"scalars"}]`} {
		if got, ok := readPins(bad); ok {
			t.Errorf("%s was read as %q", bad, got)
		}
	}
	Page.ReadHash(s, "#timeseries&pins=ours", query)
	if got := Pins.Of(s); !reflect.DeepEqual(got, []string{"scalars?tag=ours"}) {
		t.Errorf("the hash does not win: %q", got)
	}
}

// A link's pins are the first that cards can be pinned of, each once, whatever stands between.
func TestPinsOfALink(t *testing.T) {
	var link strings.Builder
	link.WriteString("images,same,same,?,%zz,,images?tag=i&run=r")
	want := []string{"scalars?tag=images", "scalars?tag=same", "images?tag=i&run=r"}
	for i := range 3 * MaxPins {
		fmt.Fprintf(&link, ",same,t%d", i)
		want = append(want, fmt.Sprintf("scalars?tag=t%d", i))
	}
	got, ok := readPins(link.String())
	if want = want[:MaxPins]; !ok || !slices.Equal(got, want) {
		t.Errorf("%d pins, the first are %q", len(got), got[:min(4, len(got))])
	}
	if got = fixPins(append(append([]string{"images", "", want[0]}, want...), "text?tag=last")); !slices.Equal(got, want) {
		t.Errorf("%d pins are kept, the first are %q", len(got), got[:min(4, len(got))])
	}
}

// More pins than a link has room for do not go into it, and are not lost by it.
func TestManyPinsAndLinks(t *testing.T) {
	s := &State{}
	for i := range MaxPins {
		if !Pin(s, CardOf("scalars", fmt.Sprintf("some/longer/tag/%d", i))) {
			t.Fatalf("pin %d refused", i)
		}
	}
	if Pin(s, CardOf("scalars", "one more")) || len(Pins.Of(s)) != MaxPins {
		t.Errorf("%d pins", len(Pins.Of(s)))
	}
	hash := Page.Hash(s)
	if len(hash) > 100 {
		t.Errorf("the link has %d bytes", len(hash))
	}
	again := s.Clone()
	Page.ReadHash(&again, hash, "")
	if !Pins.Same(s, &again) {
		t.Errorf("the page's own link left %d pins", len(Pins.Of(&again)))
	}
	// Another link without pins takes them away: who opens it sees what its sender saw.
	Page.ReadHash(&again, "#timeseries&tagFilter=a", "")
	if len(Pins.Of(&again)) != 0 {
		t.Error("pins stayed that the sender has not")
	}
}

// A pin that moves is put before the other, and none is lost or doubled.
func TestMovePin(t *testing.T) {
	tags := strings.Split("abcd", "")
	for i, moved := range tags {
		for _, before := range append(tags, "no pin") {
			var ids []CardID
			for _, tag := range tags {
				ids = append(ids, CardOf("scalars", tag))
			}
			s := pinsOf(ids...)
			MovePin(s, ids[i], CardOf("scalars", before))
			var got []string
			for _, id := range PinnedCards(s) {
				got = append(got, id.Tag)
			}
			rest := strings.Replace("abcd", moved, "", 1)
			want := strings.Replace(rest, before, moved+before, 1)
			if before == "no pin" {
				want = rest + moved
			} else if before == moved {
				want = "abcd"
			}
			if strings.Join(got, "") != want {
				t.Errorf("%s before %s: %v, want %s", moved, before, got, want)
			}
		}
	}
	s := pinsOf(CardOf("scalars", "a"), CardOf("scalars", "b"))
	Unpin(s, CardOf("scalars", "a"))
	if Pinned(s, CardOf("scalars", "a")) || !Pinned(s, CardOf("scalars", "b")) {
		t.Errorf("%v", Pins.Of(s))
	}
}

// What is kept of pins is not trusted.
func TestPinsAreChecked(t *testing.T) {
	s := &State{}
	Page.Decode(View, s, `{"version":2,"pins":["scalars?tag=a","no card","scalars?tag=a",""]}`)
	if got := Pins.Of(s); !reflect.DeepEqual(got, []string{"scalars?tag=a"}) {
		t.Errorf("%q", got)
	}
	Page.Decode(View, s, `{"version":2,"pins":{"a":1}}`)
	if Pins.Of(s) != nil {
		t.Errorf("%q", Pins.Of(s))
	}
}

// A card that takes another's place has its pin, in its place, and its width.
func TestMoveCards(t *testing.T) {
	var s State
	a, b, c := CardOf("scalars", "a", "b"), CardOf("scalars", "c"), CardOf("scalars", "a", "d")
	Pin(&s, a)
	Pin(&s, b)
	Wide.Put(&s, a.String(), true)
	before := s.Clone()
	MoveCards(&s, [2]CardID{a, c})
	if got := PinnedCards(&s); !slices.Equal(got, []CardID{c, b}) {
		t.Errorf("%v", got)
	}
	if on, _ := Wide.Get(&s, c.String()); !on || len(Wide.Of(&s)) != 1 {
		t.Errorf("%v", Wide.Of(&s))
	}
	// Two take each other's place.
	MoveCards(&s, [2]CardID{c, b}, [2]CardID{b, c})
	if got := PinnedCards(&s); !slices.Equal(got, []CardID{b, c}) {
		t.Errorf("%v", got)
	}
	if on, _ := Wide.Get(&s, b.String()); !on || len(Wide.Of(&s)) != 1 {
		t.Errorf("%v", Wide.Of(&s))
	}
	MoveCards(&s, [2]CardID{CardOf("scalars", "none"), a})
	if Pinned(&s, a) || !Pinned(&before, a) {
		t.Error("a card that is not there was moved, or a state that was copied has changed")
	}
}
