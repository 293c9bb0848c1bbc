package card

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Stops are the steps that were added, ascending and each once; both ends stay, however many
// there are.
func TestTimeline(t *testing.T) {
	var l Timeline
	if got := l.Stops(); len(got) != 0 || l.At(5) != -1 {
		t.Errorf("without steps: %v, %d", got, l.At(5))
	}
	l.Add([]int64{10, 20, 20, 40})
	l.Add([]int64{0, 10})
	if got := l.Stops(); !slices.Equal(got, []int64{0, 10, 20, 40}) {
		t.Errorf("stops %v", got)
	}
	for step, want := range map[int64]int{-5: 0, 4: 0, 6: 1, 10: 1, 29: 2, 31: 3, 99: 3} {
		if got := l.At(step); got != want {
			t.Errorf("%d is at stop %d, want %d", step, got, want)
		}
	}
	l.Span(math.NaN(), 3)
	l.Span(0, math.Inf(1))
	l.Span(2, 1)
	if got := l.Stops(); len(got) != 4 {
		t.Errorf("no curve: %v", got)
	}
	l.Span(-2, 43.5)
	if got := l.Stops(); got[0] != -2 || got[len(got)-1] != 43 || len(got) != 46 {
		t.Errorf("with a short curve: %v", got)
	}
	l.Span(0, 1e9)
	got := l.Stops()
	if got[0] != -2 || got[len(got)-1] != 1e9 || len(got) > 210 || !slices.Contains(got, 20) {
		t.Errorf("with a long curve: %d stops, %v", len(got), got)
	}
	var many []int64
	for range 30_000 {
		many = append(many, rand.Int64N(1e12))
	}
	slices.Sort(many)
	l.Add(many)
	got = l.Stops()
	if len(got) > mostStops || got[0] != -2 || got[len(got)-1] != max(1e9, many[len(many)-1]) || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
		t.Errorf("of many: %d stops", len(got))
	}
}
