package scalars

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// A query comes back as it was made; a part has the names that scripts read.
func TestQueryRoundTrip(t *testing.T) {
	c := Curves{Tag: "<t>", Runs: []string{"a", "b"}, Weight: 0.6, X: wire.ByRelative, X0: -1, X1: 1e300, Pixels: 3}
	q := c.Query()
	if got, err := read(&q); err != nil || !reflect.DeepEqual(got, c) {
		t.Errorf("%+v comes back as %+v, %v", c, got, err)
	}
	// Scripts ask by these names.
	q = wire.NewQuery(Name, []string{c.Tag}, c.Runs, c)
	if string(q.Body) != `{"weight":0.6,"x":"relative","x0":-1,"x1":1e+300,"pixels":3}` {
		t.Errorf("body %s", q.Body)
	}
	if got, err := read(&q); err != nil || !reflect.DeepEqual(got, c) {
		t.Errorf("%+v comes back as %+v, %v", c, got, err)
	}
	p := Part{Run: "a", Offset: 8, N: 1, Kept: 2, Points: 3, Start: 4, Preview: true, Full: true, Narrow: NarrowWall, WallBase: 5}
	b, err := json.Marshal(p)
	if want := `{"run":"a","offset":8,"n":1,"kept":2,"points":3,"start":4,"preview":true,"narrow":2,"wallBase":5,"full":true}`; err != nil || string(b) != want {
		t.Errorf("part %s, want %s", b, want)
	}
	for _, bad := range []wire.Query{{Kind: Name}, {Tags: []string{"a", "b"}, Every: true}, {Tags: []string{"a"}, Body: json.RawMessage(`{"x":7}`)}} {
		if _, err := (Kind{}).Answerer(answer.World{}).Begin(&bad); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}
