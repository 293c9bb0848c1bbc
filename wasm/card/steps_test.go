package card

import (
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/session"
)

func TestLinked(t *testing.T) {
	var s session.State
	if _, ok := linked(&s); ok {
		t.Error("linked from the beginning")
	}
	LinkedStep.Set(&s, "-7")
	if _, ok := linked(&s); ok {
		t.Error("linked, but no card is")
	}
	LinkSteps.Set(&s, true)
	if step, ok := linked(&s); !ok || step != -7 {
		t.Error(step, ok)
	}
	LinkedStep.Set(&s, "seven")
	if _, ok := linked(&s); ok {
		t.Error("linked to no number")
	}
}

// To mark steps on all cards takes over what is marked on one: the one that was marked last.
func TestLink(t *testing.T) {
	var s session.State
	LinkedStep.Set(&s, "5")
	Link(&s, true)
	if LinkedStep.Of(&s) != "5" || !LinkSteps.Of(&s) {
		t.Error("nothing is marked anywhere else")
	}
	Link(&s, false)
	Marks.Put(&s, "scalars?tag=a", []float64{1, 9.6})
	Marks.Put(&s, "scalars?tag=b", []float64{3})
	for last, want := range map[string][2]string{"": {"1", "10"}, "scalars?tag=b": {"3", ""}} {
		LastMarked = last
		Link(&s, true)
		if got := [2]string{LinkedStep.Of(&s), LinkedEnd.Of(&s)}; got != want {
			t.Errorf("after %q: %q, not %q", last, got, want)
		}
	}
	LastMarked = ""
}
