// Package profile is the document that holds a view of the dashboards: which cards are
// pinned, which runs are shown in which colours, filters, smoothing, scales. It can be
// kept, mailed, and written by a training script.
//
// The form is version 1 of TensorBored's profiles, so that files go both ways. What
// TensorBored has no field for stands in one field of our own (Own), which it ignores;
// fields that we do not know are kept.
//
// A script writes a profile so:
//
//	p := profile.New("Loss study")
//	p.PinScalar("train/loss")
//	p.SetRunColor("baseline", "#2196F3")
//	p.Smoothing = 0.8
//	text, err := profile.Encode(p) // into LOGDIR/.tensorboard/default_profile.json
package profile

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/tensorbored/tensorbored-static/shared/session"
)

// Version is the version of the form that is read and written.
const Version = 1

// DefaultPath is where a logdir has the profile that everybody gets who has chosen no
// other: a path below the logdir, with slashes.
const DefaultPath = ".tensorboard/default_profile.json"

// Own is the field for what TensorBored has none for.
const Own = "tensorboredStatic"

// Limits of a document. Whatever a file holds beyond them is left out and named.
const (
	MaxBytes   = 2 << 20 // of the text: what a page can read in a moment, and ten thousand runs need half of
	MaxDepth   = 32      // of objects and lists in each other
	MaxPins    = session.MaxPins
	MaxName    = 200    // bytes
	MaxEntries = 10_000 // of any other list or table
	// MaxProblems is how many problems are named; a file can have millions.
	MaxProblems = 50
)

// DefaultSmoothing is that of a profile that does not say.
const DefaultSmoothing = 0.6

// MaxSmoothing is the greatest weight.
const MaxSmoothing = 0.999

// Fields are members of an object that nobody here knows, each as compact JSON.
type Fields map[string]json.RawMessage

// Profile is a profile. Lists keep their order; nil lists and tables are empty ones.
type Profile struct {
	Name     string
	Modified int64 // ms since 1970
	// Pins are the pinned cards in their order.
	Pins        []Pin
	RunColors   []RunColor
	GroupColors []GroupColor
	// Superimposed are cards that show several tags.
	Superimposed []Superimposed
	// RunSelection says which runs are shown; see Selection.
	RunSelection []SelectedRun
	// TagFilter and RunFilter are regular expressions.
	TagFilter, RunFilter string
	// Descriptions are texts in Markdown by tag.
	Descriptions map[string]string
	Smoothing    float64 // 0 … MaxSmoothing
	// GroupBy says what runs share a colour; nil: each has its own.
	GroupBy *GroupBy
	// YScale and XScale are those of all cards, "" if the profile does not say;
	// TagScales are those of single tags, which win.
	YScale, XScale Scale
	TagScales      map[string]TagScale
	// Symlog is how far symlog10 scales are linear on either side of 0, in units of
	// the axis; 0 if the profile does not say. TagSymlog is that of single tags.
	Symlog    float64
	TagSymlog map[string]float64
	// Groups are the groups of tags that are open (true) or closed.
	Groups map[string]bool

	// View are our own settings by their name (see package session), for those that
	// have no field above; kept in Own.
	View Fields
	// Data says where the data are that the profile was made for; kept in Own.
	Data *Data
	// Extra are fields that are not known here, OwnExtra those in Own. They are kept.
	Extra, OwnExtra Fields
}

// Pin is a pinned card.
type Pin struct {
	Plugin string   // "scalars", "histograms", "images", …
	Tag    string   // of several tags, the first
	Run    string   // id or name; "" for a card of all runs
	Sample int      // of a value of several, from 0
	Tags   []string // of a card that shows several
	Part   string   // of a card of some runs: session.PartOf
	Title  string
	Extra  Fields
	// sampled says that the file had a sample, which then may be 0.
	sampled bool
}

// RunColor is a colour that the user gave to a run.
type RunColor struct {
	Run   string // id or name
	Color string // #rrggbb
	Extra Fields
}

// GroupColor is a colour that the user gave to a group of runs.
type GroupColor struct {
	Group string // the key of package runcolor's groups
	Color int    // number in TensorBoard's palette of 7; -1 inactive; above 6 by hash
	Extra Fields
}

// Superimposed is a card that shows several tags.
type Superimposed struct {
	ID, Title string
	Tags      []string
	Run       string // "" for all runs
	Extra     Fields
}

// SelectedRun says of a run whether it is shown.
type SelectedRun struct {
	ByID     bool   // Run is an id (RUN_ID), not a name (RUN_NAME)
	Run      string // id or name
	Selected bool
	Extra    Fields
}

// GroupKey says what runs that share a colour have in common.
type GroupKey string

// Keys of groups. TensorBored's page writes them as numbers from 0 in this order, its
// Python module as these words, its documentation in lower case. All are read; numbers
// are written, because its page understands no other.
const (
	GroupRun        GroupKey = "RUN"
	GroupExperiment GroupKey = "EXPERIMENT"
	GroupRegex      GroupKey = "REGEX"
	GroupRegexByExp GroupKey = "REGEX_BY_EXP"
)

var groupKeys = []GroupKey{GroupRun, GroupExperiment, GroupRegex, GroupRegexByExp}

// GroupBy says which runs share a colour.
type GroupBy struct {
	Key   GroupKey
	Regex string // of GroupRegex and GroupRegexByExp; runs with equal captures are a group
	Extra Fields
}

// Scale is how an axis maps values.
type Scale string

// Scales of an axis.
const (
	Linear Scale = "linear"
	Log10  Scale = "log10"
	Symlog Scale = "symlog10" // linear around 0, logarithmic beyond
)

func (s Scale) known() bool { return s == Linear || s == Log10 || s == Symlog }

// TagScale are the scales of a tag's axes; "" leaves an axis as all have it.
type TagScale struct {
	Y, X  Scale
	Extra Fields
}

// Data says where data are: at a URL, or, of a folder, what it looks like.
type Data struct {
	URL    string   `json:"url,omitempty"`    // of a listing that the page can open
	Folder string   `json:"folder,omitempty"` // name of the logdir's folder
	Runs   []string `json:"runs,omitempty"`   // names of some of its runs
	Total  int      `json:"total,omitempty"`  // how many runs there were
}

// MaxDataRuns is how many runs Data names.
const MaxDataRuns = 20

// Problem is something in a document that is not as it should be.
type Problem struct {
	Field string // as in pinnedCards[3].tag; "" is the document
	What  string // what is wrong, and what to do
	// Minor says that nothing of the document was left out for it.
	Minor bool
}

func (p Problem) String() string {
	if p.Field == "" {
		return p.What
	}
	return p.Field + ": " + p.What
}

// Reasons why a text is no profile at all, for errors.Is.
var (
	ErrTooLarge = errors.New("too large for a profile")
	ErrTooDeep  = errors.New("nested too deeply for a profile")
	ErrNotJSON  = errors.New("not JSON")
	ErrNone     = errors.New("not a profile")
	ErrNewer    = errors.New("of a newer version")
)

// Error says why a text is no profile, with a remedy.
type Error struct {
	Reason error // one of those above
	Text   string
}

func (e *Error) Error() string { return e.Text }

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Reason }

func refuse(reason error, format string, a ...any) error {
	return &Error{reason, fmt.Sprintf(format, a...)}
}

// InvalidError says that a profile cannot be written as it is.
type InvalidError struct{ Problems []Problem }

func (e *InvalidError) Error() string {
	text := "this profile cannot be written: " + e.Problems[0].String()
	if n := len(e.Problems) - 1; n > 0 {
		text += fmt.Sprintf(" (and %d more)", n)
	}
	return text
}

// TextVersion tells the text of a profile's file from others: FNV-1a of its bytes, in
// hexadecimal digits. Our server has it as the ETag of the default profile.
func TextVersion(text []byte) string {
	h := uint64(14695981039346656037)
	for _, b := range text {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return strconv.FormatUint(h, 16)
}
