package card

import (
	"strconv"

	"github.com/tensorbored/tensorbored-static/shared/session"
)

// Settings of all kinds whose cards show one step at a time.
var (
	// LinkSteps makes one step be shown on all such cards.
	LinkSteps = session.Switch("linkSteps", session.View, false).Linked("linkSteps").Pane()
	// LinkedStep is that step, as a decimal number; "" is each card's last one.
	LinkedStep = session.Text("linkedStep", session.View, "").Linked("linkedStep").Pane()
)

// linked returns the linked step; ok is false where each card has its own, or its last.
func linked(s *session.State) (step int64, ok bool) {
	if !LinkSteps.Of(s) {
		return 0, false
	}
	step, err := strconv.ParseInt(LinkedStep.Of(s), 10, 64)
	return step, err == nil
}

// StepsSettings are those of a kind whose cards have Steps.
var StepsSettings = session.Schema{LinkSteps.Decl, LinkedStep.Decl}
