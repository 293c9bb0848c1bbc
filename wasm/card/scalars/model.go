// Package scalars is the kind of cards that show curves: a card for each tag, with the
// curves of all shown runs.
package scalars

import (
	"github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/card"
)

// Scale is how a vertical axis maps values.
type Scale string

const (
	Linear Scale = "linear"
	Log    Scale = "log"    // base 10; values ≤ 0 lie on the lower edge
	Symlog Scale = "symlog" // sign(v)·log10(|v|+1)
)

// TipOrder is the order of a tooltip's rows.
type TipOrder string

const (
	TipNearest      TipOrder = "nearest" // by distance on the screen
	TipAscending    TipOrder = "ascending"
	TipDescending   TipOrder = "descending"
	TipAlphabetical TipOrder = "alphabetical"
)

// Limits of what a setting may be.
const (
	MaxSmoothing = 0.999
	MaxTipRows   = 100
)

// The kind's settings.
var (
	Smoothing = session.Number("smoothing", session.View, 0.6, 0, MaxSmoothing).Linked("smoothing").Pane()
	X         = session.Choice("x", session.View, wire.ByStep, wire.ByRelative, wire.ByWall).Linked("x").Pane()
	Y         = session.Choice("y", session.View, Linear, Log, Symlog).Linked("y").Pane() // of cards without an own scale
	// TagY is a card's own scale, by tag.
	TagY = session.Table("tagY", session.View, func(_ string, y Scale) bool { return y == Linear || y == Log || y == Symlog }).Pane()
	// Outliers leaves the outermost 5 % at each end out of the axis range.
	Outliers = session.Switch("outliers", session.View, true).Pane()
	TipSort  = session.Choice("tipOrder", session.Preference, TipNearest, TipAscending, TipDescending, TipAlphabetical).Pane()
	// TipRows are the rows of a tooltip that is not pinned.
	TipRows = session.Count("tipRows", session.Preference, 10, 1, MaxTipRows).Pane()
)

// ScaleOf returns the vertical scale of a tag's card.
func ScaleOf(s *session.State, tag string) Scale {
	if y, ok := TagY.Get(s, tag); ok {
		return y
	}
	return Y.Of(s)
}

// Kind is the kind of cards.
type Kind struct{}

// Name implements card.Model.
func (Kind) Name() string { return scalars.Name }

// Cards implements card.Model: one for all runs.
func (Kind) Cards(tag string, _ []string) []session.CardID {
	return []session.CardID{session.CardOf(scalars.Name, tag)}
}

// Settings implements card.Model.
func (Kind) Settings() session.Schema {
	return session.Schema{Smoothing, X, Y, TagY, Outliers, TipSort, TipRows}
}

// Empty implements card.Model.
func (Kind) Empty() card.Empty {
	return card.Empty{Nouns: "scalars", How: "writer.add_scalar (PyTorch) or tf.summary.scalar (TensorFlow)"}
}
