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

// Who shows one step on all cards asks the kinds for it; who ends that asks nobody.
func TestLink(t *testing.T) {
	defer func(before []func(*session.State)) { linking = before }(linking)
	linking = nil
	OnLink(func(s *session.State) { SetLinked(s, []float64{1, 9.6}) })
	var s session.State
	Link(&s, false)
	if LinkSteps.Of(&s) || LinkedStep.Of(&s) != "" {
		t.Error("asked, but nothing is linked")
	}
	Link(&s, true)
	if got := [2]string{LinkedStep.Of(&s), LinkedEnd.Of(&s)}; got != [2]string{"1", "10"} || !LinkSteps.Of(&s) {
		t.Errorf("%q", got)
	}
}
