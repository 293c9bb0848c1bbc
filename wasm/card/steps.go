package card

import (
	"math"
	"strconv"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// Settings of all kinds whose cards show one step at a time.
var (
	// LinkSteps makes one step be shown on all such cards.
	LinkSteps = session.Switch("linkSteps", session.View, false).Linked("linkSteps").Pane()
	// LinkedStep is that step, as a decimal number; "" is each card's last one.
	LinkedStep = session.Text("linkedStep", session.View, "").Linked("linkedStep").Pane()
	// LinkedEnd is the other end of a range that begins at LinkedStep; "" is none.
	LinkedEnd = session.Text("linkedEnd", session.View, "").Linked("linkedEnd").Pane()
)

// linking are what kinds do when one step is to be shown on all cards.
var linking []func(*session.State)

// OnLink says what a kind does when one step is to be shown on all cards: one that a card
// shows by then may become that of all.
func OnLink(do func(*session.State)) { linking = append(linking, do) }

// Link makes one step be shown on all cards, or each card's own.
func Link(s *session.State, on bool) {
	LinkSteps.Set(s, on)
	if on {
		for _, do := range linking {
			do(s)
		}
	}
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

// StepText says which of the values at these steps is meant, number n, and when it was logged,
// seconds since 1970; nil if that is not known. Where several are of one step (a job was
// started again, or a writer logs step 0 again and again) their times tell them apart, or
// else their number.
func StepText(steps []int64, n int, wall *float64) string {
	if n < 0 || n >= len(steps) {
		return ""
	}
	text := "step " + widget.Thousands(steps[n])
	first, last := n, n
	for first > 0 && steps[first-1] == steps[n] {
		first--
	}
	for last < len(steps)-1 && steps[last+1] == steps[n] {
		last++
	}
	if first == last {
		return text
	}
	if wall != nil && *wall > -6e10 && *wall < 2e11 {
		return text + ", " + time.UnixMicro(int64(*wall*1e6)).Format("2006-01-02 15:04:05.000")
	}
	return text + ", " + strconv.Itoa(n-first+1) + " of " + strconv.Itoa(last-first+1)
}

// StepsSettings are those of a kind whose cards have Steps.
var StepsSettings = session.Schema{LinkSteps.Decl, LinkedStep.Decl}
