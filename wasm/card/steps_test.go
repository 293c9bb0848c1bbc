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
