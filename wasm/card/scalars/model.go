// Package scalars is the kind of cards that show curves: a card for each tag, with the
// curves of all shown runs.
package scalars

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/runtable"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/smooth"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/card"
)

// Scale is how an axis maps values, in the words of TensorBored's profiles.
type Scale string

const (
	Linear Scale = "linear"
	Log    Scale = "log10"    // values ≤ 0 lie on the lower edge, or off the left one
	Symlog Scale = "symlog10" // sign(v)·log10(|v|/c+1), linear within ±c
)

// older are the words that stood for scales before.
var older = map[Scale]Scale{"log": Log, "symlog": Symlog}

func (s Scale) known() bool { return s == Linear || s == Log || s == Symlog }

// AxisScales are a tag's own scales; "" is the page's.
type AxisScales struct {
	Y Scale `json:"y,omitempty"`
	X Scale `json:"x,omitempty"`
}

// UnmarshalJSON reads the form of profiles, and the single word for y that was kept once.
func (a *AxisScales) UnmarshalJSON(b []byte) error {
	type plain AxisScales
	if json.Unmarshal(b, &a.Y) != nil {
		if err := json.Unmarshal(b, (*plain)(a)); err != nil {
			return err
		}
	}
	for _, s := range []*Scale{&a.Y, &a.X} {
		if now, ok := older[*s]; ok {
			*s = now
		}
	}
	return nil
}

// TipOrder is the order of a tooltip's rows.
type TipOrder string

const (
	TipNearest      TipOrder = "nearest"  // by distance on the screen
	TipNearestY     TipOrder = "nearestY" // by distance up or down
	TipAscending    TipOrder = "ascending"
	TipDescending   TipOrder = "descending"
	TipAlphabetical TipOrder = "alphabetical"
)

// Grouping says which runs are shown as one line.
type Grouping string

const (
	EachRun  Grouping = "run"
	ByFolder Grouping = "folder" // runs of one folder
	ByColor  Grouping = "color"  // runs of one group of the regular expression for colours
	AllRuns  Grouping = "all"    // all runs, but the best ones where they stand by a number
)

// BandKind is what the band around a mean shows.
type BandKind string

const (
	BandStd   BandKind = "std"    // mean ± standard deviation of the runs
	BandError BandKind = "se"     // mean ± standard error
	Band95    BandKind = "ci95"   // where the true mean lies in 95 of 100 cases, by Student's t
	BandRange BandKind = "minmax" // least to greatest
	// BandQuantiles is where the middle half of the runs is, and where nine tenths are; the
	// line is their median.
	BandQuantiles BandKind = "quantiles"
)

// SplitOf is the way in which cards are split; "" if they are not, or a stranger's link names
// something by which they cannot be.
func SplitOf(s *session.State) string {
	switch way := Split.Of(s); way {
	case session.PartRun, session.PartFolder, session.PartGroup:
		return way
	default:
		if k := runtable.ParseKey(way); k.Name == "" || k.String() != way || strings.Contains(way, ":") {
			return ""
		}
		return way
	}
}

// SetTogether shows runs as one line each, or not. All of them are first shown by quantiles: of
// runs that differ in anything a deviation says little.
func SetTogether(s *session.State, g Grouping) {
	switch was := Together.Of(s); {
	case g == AllRuns && was != AllRuns && Band.Of(s) == BandStd:
		Band.Set(s, BandQuantiles)
	case g != AllRuns && was == AllRuns && Band.Of(s) == BandQuantiles:
		Band.Reset(s)
	}
	Together.Set(s, g)
}

// Spread says which runs are part of the one line of all: all but the best ones.
func Spread(runs, best []string) (of map[string]string) {
	of = make(map[string]string, len(runs))
	for _, run := range runs {
		if len(runs) <= 2*topLines || !slices.Contains(best, run) {
			of[run] = "All"
		}
	}
	return of
}

// topLines is how many lines are drawn over that of all runs.
const topLines = 3

// FolderOf is the folder that a run is in; ok is false for one that is in none.
func FolderOf(run string) (folder string, ok bool) {
	i := strings.LastIndexByte(run, '/')
	if i <= 0 {
		return "", false
	}
	return run[:i], true
}

// Limits of what a setting may be.
const (
	MaxSmoothing = 0.999
	MaxTipRows   = 100
)

func init() {
	session.OfCards(RightTags.Decl, RightLimits.Decl, Zooms.Decl, Marks.Decl)
	session.OfTags(OwnSmoothing.Decl, OwnSmoother.Decl, TagScales.Decl)
	card.OnLink(linkMarks)
}

// The kind's settings.
var (
	Smoothing = session.Number("smoothing", session.View, 0.6, 0, MaxSmoothing).Linked("smoothing").Pane()
	// OwnSmoothing are the weights of cards that have their own, by the tags of their CardID.
	OwnSmoothing = session.Table("ownSmoothing", session.View, func(_ string, v float64) bool { return v >= 0 && v <= MaxSmoothing }).Pane()
	// Smoother is how it smooths.
	Smoother = session.Choice("smoother", session.View, smooth.ByPoints, smooth.ByX, smooth.Mean, smooth.Gauss, smooth.None).Linked("smoother").Pane()
	// OwnSmoother are the kinds of smoothing of cards that have their own, as OwnSmoothing;
	// TensorBoard's is "exponential".
	OwnSmoother = session.Table("ownSmoother", session.View, func(_ string, kind string) bool {
		return slices.ContainsFunc(smoothers, func(o [2]string) bool { return ownKind(o[0]) == kind })
	}).Pane()
	X = session.Choice("x", session.View, wire.ByStep, wire.ByRelative, wire.ByWall).Linked("x").Pane()
	// XScale and Y are the scales of cards without their own.
	XScale = session.Choice("xAxisScale", session.View, Linear, Log, Symlog).Linked("xScale").Pane()
	Y      = session.Older(session.Choice("yAxisScale", session.View, Linear, Log, Symlog), older).Linked("y").Pane()
	// Over is what curves are drawn over instead of X, and XTag the tag where it is one.
	Over = session.Choice("over", session.View, wire.XAxis(""), wire.ByProcess, wire.ByIndex, wire.ByTag).Linked("over").Pane()
	XTag = session.Text("xTag", session.View, "").Linked("xTag").Pane()
	// RightTags are the tags on the right axis of a card of several, by CardID.String.
	RightTags = session.Table("rightTags", session.View, func(_ string, tags []string) bool { return len(tags) > 0 })
	// RightLimits are the ends of right axes that do not follow the data, by CardID.String.
	RightLimits = session.Table("rightLimits", session.View, func(_ string, l AxisLimits) bool { return l.Hi > l.Lo && l.Hi-l.Lo <= math.MaxFloat64 })
	// TagScales are tags' own scales.
	TagScales = session.Table("tagAxisScales", session.View, func(_ string, a AxisScales) bool {
		return (a.X == "" || a.X.known()) && (a.Y == "" || a.Y.known()) && a != AxisScales{}
	}).Pane()
	// Zooms are the ranges that cards show, by CardID.String.
	Zooms = session.Table[Zoom]("zooms", session.Address, nil)
	// Marks are the marked steps of cards, one or the two ends of a range, by CardID.String; they
	// are shown where card.LinkSteps is off.
	Marks = session.Table("marks", session.Address, func(_ string, m []float64) bool { return len(m) == 1 || len(m) == 2 })
	// SymlogZone is how far from 0 a symlog axis is linear; 0: by the data.
	SymlogZone = session.Number("symlogZone", session.View, 0, 0, 1e30).Linked("zone").Pane()
	// Partition draws a line anew where steps, or times, go back.
	Partition = session.Switch("partition", session.View, true).Linked("partition").Pane()
	// LinkZoom shows the same stretch of the horizontal axis on all cards.
	LinkZoom = session.Switch("linkZoom", session.View, false).Linked("linkZoom").Pane()
	// Split is the way in which runs are split into parts, of which a tag has a card each:
	// session.PartRun and its like, or a column; "" = one card for all runs.
	Split = session.Text("split", session.View, "").Linked("split").Pane()
	// Together says which runs are shown as one line, their mean, and Band what is around it.
	Together = session.Choice("together", session.View, EachRun, ByFolder, ByColor, AllRuns).Linked("together").Pane()
	Band     = session.Choice("band", session.View, BandStd, BandError, Band95, BandRange, BandQuantiles).Linked("band").Pane()
	// Expanded are the groups of runs that are shown run by run all the same.
	Expanded = session.Table("expandedRuns", session.View, func(_ string, on bool) bool { return on }).Pane()
	// Baseline is the run from which values are also told as differences; "" is none.
	Baseline = session.Baseline
	// StepNotes are words at steps, which every card over steps shows.
	StepNotes = session.Table("stepNotes", session.View, func(step, text string) bool {
		_, err := strconv.ParseInt(step, 10, 64)
		return err == nil && strings.TrimSpace(text) != "" && utf8.RuneCountInString(text) <= MaxNote
	})
	// Envelope shows the raw values behind a smoothed line as a band, not as a line.
	Envelope = session.Switch("envelope", session.View, false).Linked("envelope").Pane()
	// EndNames writes the names of lines at their ends.
	EndNames = session.Switch("endNames", session.View, true).Linked("endNames").Pane()
	// Outliers leaves the outermost 5 % at each end out of the axis range.
	Outliers = session.Switch("outliers", session.View, true).Linked("outliers").Pane()
	TipSort  = session.Choice("tipOrder", session.Preference, TipNearest, TipNearestY, TipAscending, TipDescending, TipAlphabetical).Pane()
	// TipRows are the rows of a tooltip that is not pinned.
	TipRows = session.Count("tipRows", session.Preference, 10, 1, MaxTipRows).Pane()
)

// MaxNotes is how many steps have a note at most, and MaxNote how long one is, in letters.
const MaxNotes, MaxNote = 100, 120

// StepNote is a note at a step.
type StepNote struct {
	Step int64
	Text string
}

// NotesOf are the notes, by step.
func NotesOf(s *session.State) (out []StepNote) {
	for step, text := range StepNotes.Of(s) {
		if at, err := strconv.ParseInt(step, 10, 64); err == nil {
			out = append(out, StepNote{at, text})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Step < out[j].Step }) // not compiled anew for the type
	return out[:min(len(out), MaxNotes)]
}

// SetNote puts a note at a step, or with "" takes it away; false if there are too many.
func SetNote(s *session.State, step int64, text string) bool {
	text, key := strings.TrimSpace(text), strconv.FormatInt(step, 10)
	if text == "" {
		StepNotes.Drop(s, key)
		return true
	}
	if _, had := StepNotes.Get(s, key); !had && len(StepNotes.Of(s)) >= MaxNotes {
		return false
	}
	if letters := []rune(text); len(letters) > MaxNote {
		text = string(letters[:MaxNote])
	}
	StepNotes.Put(s, key, text)
	return true
}

// smoothers are the kinds of smoothing, each with its name on the page.
var smoothers = [][2]string{{string(smooth.ByPoints), "Exponential (TensorBoard's)"}, {string(smooth.ByX), "Exponential by distance"}, {string(smooth.Mean), "Running mean, centred"}, {string(smooth.Gauss), "Gaussian, centred"}, {string(smooth.None), "None"}}

// ownKind is a kind of smoothing as OwnSmoother has it.
func ownKind(kind string) string { return cmp.Or(kind, "exponential") }

// SmootherOf returns the kind of smoothing of a card.
func SmootherOf(s *session.State, tag string) smooth.Kind {
	own, ok := OwnSmoother.Get(s, tag)
	switch {
	case !ok:
		return Smoother.Of(s)
	case own == ownKind(""):
		return smooth.ByPoints
	}
	return smooth.Kind(own)
}

// SmoothingOf returns the smoothing weight of a card.
func SmoothingOf(s *session.State, tag string) float64 {
	if SmootherOf(s, tag) == smooth.None {
		return 0
	}
	if v, ok := OwnSmoothing.Get(s, tag); ok {
		return v
	}
	return Smoothing.Of(s)
}

// ScaleOf returns the vertical scale of a tag's card.
func ScaleOf(s *session.State, tag string) Scale {
	if a, _ := TagScales.Get(s, tag); a.Y != "" {
		return a.Y
	}
	return Y.Of(s)
}

// XOf returns what curves are drawn over.
func XOf(s *session.State) wire.XAxis {
	if over := Over.Of(s); over != "" && (over != wire.ByTag || XTag.Of(s) != "") {
		return over
	}
	return X.Of(s)
}

// curveScale returns the horizontal scale of a card of curves.
func curveScale(s *session.State, tag string) Scale {
	if XOf(s) == wire.ByWall {
		return Linear
	}
	return ownXScale(s, tag)
}

// XScaleOf returns the horizontal scale of a tag's card over X. Times of day have no logarithm.
func XScaleOf(s *session.State, tag string) Scale {
	if X.Of(s) == wire.ByWall {
		return Linear
	}
	return ownXScale(s, tag)
}

func ownXScale(s *session.State, tag string) Scale {
	if a, _ := TagScales.Get(s, tag); a.X != "" {
		return a.X
	}
	return XScale.Of(s)
}

// Reach is over how many points to each side a card's envelope goes: as far as smoothing by
// its weight looks back, about; 0 is none.
func Reach(s *session.State, tag string) int {
	if !Envelope.Of(s) {
		return 0
	}
	return int(math.Round(1 / (1 - SmoothingOf(s, tag))))
}

// SetScales gives a tag scales of its own; those that the page has anyway are not kept.
func SetScales(s *session.State, tag string, a AxisScales) {
	if a.X == XScale.Of(s) {
		a.X = ""
	}
	if a.Y == Y.Of(s) {
		a.Y = ""
	}
	if a == (AxisScales{}) {
		TagScales.Drop(s, tag)
	} else {
		TagScales.Put(s, tag, a)
	}
}

// SetAll gives all cards a scale and ends their own of that axis.
func SetAll(s *session.State, axis *session.Setting[Scale], v Scale) {
	own := map[string]AxisScales{}
	for tag, a := range TagScales.Of(s) {
		if axis == XScale {
			a.X = ""
		} else {
			a.Y = ""
		}
		if a != (AxisScales{}) {
			own[tag] = a
		}
	}
	axis.Set(s, v)
	TagScales.Set(s, own)
}

// Kind is the kind of cards.
type Kind struct{}

// Name implements card.Model.
func (Kind) Name() string { return scalars.Name }

// Cards implements card.Model: one for all runs.
func (Kind) Cards(tag string, _ []string) []session.CardID {
	return []session.CardID{session.CardOf(scalars.Name, tag)}
}

// Superimposes implements card.Superimposer.
func (Kind) Superimposes() bool { return true }

// Settings implements card.Model.
func (Kind) Settings() session.Schema {
	return session.Schema{Smoothing.Decl, OwnSmoothing.Decl, Smoother.Decl, OwnSmoother.Decl, Envelope.Decl, EndNames.Decl, X.Decl, Over.Decl, XTag.Decl, RightTags.Decl, RightLimits.Decl, XScale.Decl, Y.Decl, TagScales.Decl, SymlogZone.Decl, Partition.Decl, card.LinkSteps.Decl, card.LinkedStep.Decl, card.LinkedEnd.Decl, Marks.Decl, LinkZoom.Decl, Split.Decl, Together.Decl, Band.Decl, Expanded.Decl, Baseline.Decl, StepNotes.Decl, Outliers.Decl, TipSort.Decl, TipRows.Decl,
		Zooms.Decl} // behind what axes are: see axisOf
}

// Empty implements card.Model.
func (Kind) Empty() card.Empty {
	return card.Empty{Nouns: "scalars", How: "writer.add_scalar (PyTorch) or tf.summary.scalar (TensorFlow)"}
}
