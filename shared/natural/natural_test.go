package natural

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestOrder(t *testing.T) {
	for _, want := range [][]string{
		{"a", "b"},
		{"a1", "a2", "a10", "a10b"},
		{"layer_2", "layer_10", "layer_10/w"},
		{"a/b", "ab"},  // a break before any letter
		{"a_b", "abc"}, // likewise
		{"lr=1e-4", "lr=3e-4", "lr=1e-3", "lr=0.1"},
		{"v1.5", "v1.10e1", "v20"},
		{"x3e", "x3f"},
		{"", "a"},
		{"train/loss", "train/loss_2", "train/lr"},
		{"é1", "é2", "é10"},
		{"a01", "a1"}, // the same number: by bytes
	} {
		got := slices.Clone(want)
		rand.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		slices.SortFunc(got, Compare)
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The order must be total, or sorting the tags of two reads could differ.
func FuzzCompare(f *testing.F) {
	f.Add("a1", "a01", "a1b")
	f.Add("1e", "1e5", "1.")
	f.Add("\xff", "é", "9999999999999999999999e999")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		sign := func(n int) int { return min(1, max(-1, n)) }
		if sign(Compare(a, b)) != -sign(Compare(b, a)) {
			t.Errorf("not antisymmetric: %q %q", a, b)
		}
		if (Compare(a, b) == 0) != (a == b) {
			t.Errorf("equal order of different names: %q %q", a, b)
		}
	})
}
