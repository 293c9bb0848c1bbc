package mesh

import (
	"reflect"
	"testing"

	logged "github.com/tensorbored/tensorbored-static/shared/mesh"
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
	for _, tag := range []string{"a_VERTEX", "a/b_FACE", "_COLOR", "a_vertex", "a_FACE_COLOR", ""} {
		if want, _ := logged.Split(tag); (Kind{}).NameOf(tag) != want {
			t.Errorf("%q is of %q", tag, Kind{}.NameOf(tag))
		}
	}
	got := card.Joined(Kind{}, card.Tags{"r": {"m_VERTEX": {Points: 3}, "m_FACE": {Points: 2, Description: "a mesh"}, "n_COLOR": {Points: 1}}})
	if want := (card.Tags{"r": {"m": wire.Tag{DisplayName: "m", Points: 3, Description: "a mesh"}, "n": {DisplayName: "n", Points: 1}}}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}
