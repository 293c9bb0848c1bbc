// Package prcurves is the kind of cards that show how well a classifier does at all its
// thresholds: a card for each tag, with all runs.
package prcurves

import (
	"slices"
	"sort"

	"github.com/tensorbored/tensorbored-static/shared/kind/prcurves"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/card"
)

// Mode is what is drawn.
type Mode string

const (
	PR    Mode = "pr"    // precision over recall
	ROC   Mode = "roc"   // true over false positive rate
	Steps Mode = "steps" // a measure over the steps
)

// Measure is what is drawn over the steps.
type Measure string

// The measures of prcurves.Measures.
const (
	AP      Measure = "ap"
	AreaPR  Measure = "pr"
	AreaROC Measure = "roc"
	F1      Measure = "f1"
)

// The kind's settings.
var (
	ModeOf    = session.Choice("prCurveMode", session.View, PR, ROC, Steps).Linked("prCurveMode").Pane()
	MeasureOf = session.Choice("prCurveMeasure", session.View, AP, AreaPR, AreaROC, F1).Linked("prCurveMeasure").Pane()
)

// Kind is the kind of cards.
type Kind struct{}

// Name implements card.Model.
func (Kind) Name() string { return prcurves.Name }

// Cards implements card.Model: one for all runs.
func (Kind) Cards(tag string, _ []string) []session.CardID {
	return []session.CardID{session.CardOf(prcurves.Name, tag)}
}

// Settings implements card.Model.
func (Kind) Settings() session.Schema {
	return append(session.Schema{ModeOf.Decl, MeasureOf.Decl}, card.StepsSettings...)
}

// Empty implements card.Model.
func (Kind) Empty() card.Empty {
	return card.Empty{Nouns: "PR curves", How: "writer.add_pr_curve (PyTorch) or the pr_curve summary (TensorBoard)"}
}

// union is the steps of several runs, each once, in order.
func union(runs [][]int64) []int64 {
	all := slices.Concat(runs...)
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
	return slices.Compact(all)
}
