package text

import (
	"reflect"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/session"
)

func TestGrid(t *testing.T) {
	for _, c := range []struct {
		shape []int64
		texts []string
		rows  [][]string
		cut   bool
	}{
		{nil, []string{"a"}, [][]string{{"a"}}, false},
		{[]int64{2}, []string{"a", "b"}, [][]string{{"a"}, {"b"}}, false},
		{[]int64{2, 2}, []string{"a", "b", "c", "d"}, [][]string{{"a", "b"}, {"c", "d"}}, false},
		{[]int64{2, 1, 2}, []string{"a", "b", "c", "d"}, [][]string{{"a", "b"}}, true},
		{[]int64{3, 0}, nil, nil, false},
	} {
		if rows, cut := grid(c.shape, c.texts); !reflect.DeepEqual(rows, c.rows) || cut != c.cut {
			t.Errorf("%v: %q, %v", c.shape, rows, cut)
		}
	}
	if rows, cut := grid([]int64{1 << 20}, make([]string, 1<<20)); len(rows) != maxCells || !cut {
		t.Errorf("%d rows of a long vector, %v", len(rows), cut)
	}
	if !plain([]int64{}, []string{"a"}) || !plain([]int64{1}, []string{"a"}) || plain([]int64{1, 1}, []string{"a"}) || plain([]int64{2}, []string{"a", "b"}) {
		t.Error("what is one text")
	}
}

func TestCards(t *testing.T) {
	got := Kind{}.Cards("t", []string{"b", "a"})
	if want := []session.CardID{{Plugin: "text", Tag: "t", Run: "b"}, {Plugin: "text", Tag: "t", Run: "a"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestWindow(t *testing.T) {
	for _, c := range []struct {
		top, height float64
		n, from, to int
	}{{0, 200, 10000, 0, 6}, {96 * 500, 200, 10000, 497, 506}, {96 * 9998, 200, 10000, 9995, 10000}, {1e9, 200, 3, 3, 3}, {0, 200, 0, 0, 0}} {
		if from, to := window(c.top, c.height, c.n); from != c.from || to != c.to {
			t.Errorf("%+v: rows %d to %d", c, from, to)
		}
	}
}
