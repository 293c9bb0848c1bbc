// Package histograms is the kind of cards that show how values are distributed, step by
// step: a card for each tag and run.
package histograms

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/kind/histograms"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars"
)

// Mode is how slices stand to each other.
type Mode string

const (
	Offset  Mode = "offset"  // one behind the other
	Overlay Mode = "overlay" // lines over each other
)

// The kind's settings. The depth of the slices is scalars.X.
var (
	ModeOf = session.Choice("histogramMode", session.View, Offset, Overlay).Linked("histogramMode").Pane()
	// LogCounts makes heights logarithmic: ln(1 + count).
	LogCounts = session.Switch("histogramLog", session.View, false).Linked("histogramLog").Pane()
	Bins      = session.Count("histogramBins", session.View, histograms.DefaultBins, 5, histograms.MaxBins).Linked("histogramBins").Pane()
	// Range is the steps that are shown, "from:to" inclusive; "" is all.
	Range = session.Text("histogramSteps", session.View, "").Linked("histogramSteps").Pane()
)

// rangeOf reads Range; from > to is all steps.
func rangeOf(text string) (from, to int64) {
	a, b, ok := strings.Cut(text, ":")
	from, err := strconv.ParseInt(a, 10, 64)
	to, err2 := strconv.ParseInt(b, 10, 64)
	if !ok || err != nil || err2 != nil || from > to {
		return 0, -1
	}
	return from, to
}

// rangeText is the form that rangeOf reads.
func rangeText(from, to int64) string { return fmt.Sprintf("%d:%d", from, to) }

// Kind is the kind of cards.
type Kind struct{}

// Name implements card.Model.
func (Kind) Name() string { return histograms.Name }

// Cards implements card.Model: one for each run.
func (Kind) Cards(tag string, runs []string) []session.CardID {
	out := make([]session.CardID, len(runs))
	for i, r := range runs {
		out[i] = session.CardOf(histograms.Name, tag).OfRun(r, 0)
	}
	return out
}

// Settings implements card.Model.
func (Kind) Settings() session.Schema {
	return append(session.Schema{ModeOf.Decl, LogCounts.Decl, Bins.Decl, Range.Decl, scalars.X.Decl}, card.StepsSettings...)
}

// Empty implements card.Model.
func (Kind) Empty() card.Empty {
	return card.Empty{Nouns: "histograms", How: "writer.add_histogram (PyTorch) or tf.summary.histogram (TensorFlow)"}
}

// slicesOf is how many slices a plot of that height in CSS pixels can tell apart.
func slicesOf(height float64) int { return max(50, min(1000, int(height)*2)) }
