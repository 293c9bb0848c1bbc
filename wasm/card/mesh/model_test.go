package mesh

import (
	"reflect"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/card"
)

func TestCards(t *testing.T) {
	got := Kind{}.Cards("t", []string{"b", "a"})
	if want := []session.CardID{{Plugin: "mesh", Tag: "t", Run: "b"}, {Plugin: "mesh", Tag: "t", Run: "a"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

// The tags of a mesh are one, by the same rule as everywhere.
func TestJoined(t *testing.T) {
	for tag, want := range map[string]string{"a_VERTEX": "a", "a/b_FACE": "a/b", "_COLOR": "", "a_vertex": "a_vertex", "a_FACE_COLOR": "a_FACE", "": ""} {
		if got := (Kind{}).NameOf(tag); got != want {
			t.Errorf("%q is of %q, want %q", tag, got, want)
		}
	}
	got := card.Joined(Kind{}, card.Tags{"r": {"m_VERTEX": {Points: 3}, "m_FACE": {Points: 2, Description: "a mesh"}, "n_COLOR": {Points: 1}}})
	if want := (card.Tags{"r": {"m": wire.Tag{DisplayName: "m", Points: 3, Description: "a mesh"}, "n": {DisplayName: "n", Points: 1}}}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}
