// Package distributions is the kind of cards that show nine percentiles of logged
// histograms over the steps: a card for each tag and run. Axes, zoom and table of values
// are those of curves.
package distributions

import (
	"github.com/tensorbored/tensorbored-static/shared/kind/distributions"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars"
)

// Kind is the kind of cards.
type Kind struct{}

// Name implements card.Model.
func (Kind) Name() string { return distributions.Name }

// Plugin implements card.Sourced: the tags are those of histograms.
func (Kind) Plugin() string { return "histograms" }

// Cards implements card.Model: one for each run.
func (Kind) Cards(tag string, runs []string) []session.CardID {
	out := make([]session.CardID, len(runs))
	for i, r := range runs {
		out[i] = session.CardOf(distributions.Name, tag).OfRun(r, 0)
	}
	return out
}

// Settings implements card.Model: the axes of curves.
func (Kind) Settings() session.Schema {
	return session.Schema{scalars.X.Decl, scalars.XScale.Decl, scalars.Y.Decl, scalars.TagScales.Decl, scalars.SymlogZone.Decl}
}

// Empty implements card.Model.
func (Kind) Empty() card.Empty {
	return card.Empty{Nouns: "distributions", How: "writer.add_histogram (PyTorch) or tf.summary.histogram (TensorFlow)"}
}

// stepsOf is how many steps are asked for: two for each pixel of the plot, and no fewer
// than TensorBoard shows.
func stepsOf(pixels int) int { return max(500, min(distributions.MaxSteps, 2*pixels)) }
