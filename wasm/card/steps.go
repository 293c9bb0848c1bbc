package card

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/tensorbored/tensorbored-static/shared/session"
)

// Settings of all kinds whose cards show one step at a time.
var (
	// LinkSteps makes one step be shown on all such cards.
	LinkSteps = session.Switch("linkSteps", session.View, false).Linked("linkSteps").Pane()
	// LinkedStep is that step, as a decimal number; "" is each card's last one.
	LinkedStep = session.Text("linkedStep", session.View, "").Linked("linkedStep").Pane()
	// LinkedEnd is the other end of a range that begins at LinkedStep, on all cards of curves;
	// "" is none.
	LinkedEnd = session.Text("linkedEnd", session.View, "").Linked("linkedEnd").Pane()
	// Marks are the marked steps of cards of curves, one or the two ends of a range, by
	// CardID.String; they are shown where LinkSteps is off.
	Marks = session.Table("marks", session.Address, func(_ string, m []float64) bool { return len(m) == 1 || len(m) == 2 })
)

// LastMarked is the card whose steps were marked last, by CardID.String.
var LastMarked string

// Link makes one step be shown on all cards, or each card's own. Steps that are marked on a
// card by then are marked on all.
func Link(s *session.State, on bool) {
	LinkSteps.Set(s, on)
	own := Marks.Of(s)
	if !on || len(own) == 0 {
		return
	}
	m, ok := own[LastMarked]
	if !ok {
		m = own[slices.Sorted(maps.Keys(own))[0]]
	}
	SetLinked(s, m)
}

// SetLinked sets the step, or the range, of all cards.
func SetLinked(s *session.State, m []float64) {
	ends := [2]string{}
	for i, v := range m {
		ends[i] = strconv.FormatFloat(math.Round(v), 'f', 0, 64)
	}
	LinkedStep.Set(s, ends[0])
	LinkedEnd.Set(s, ends[1])
}

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
