package session

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/internal/query"
)

// MaxPins is how many cards may be pinned.
const MaxPins = 1000

// maxLinked is how long a list in a link may be, in bytes. A longer one is not
// written: who opens the link keeps his own. A profile has room for all.
const maxLinked = 4000

// unlinked stands in a link for a list that it has no room for.
const unlinked = "~"

// localExperiment stands before the names of runs in TensorBoard's ids for the runs of a
// local logdir.
const localExperiment = "defaultExperimentId/"

// RunName returns the name of a run that is named by its name, or by TensorBoard's id.
func RunName(id string) string { return strings.TrimPrefix(id, localExperiment) }

// RunID returns TensorBoard's id of a run of a local logdir.
func RunID(name string) string {
	if name == "" || strings.HasPrefix(name, localExperiment) {
		return name
	}
	return localExperiment + name
}

// pins declares a list of cards, each once, by CardID.String.
func pins(name string, scope Scope) *Setting[[]string] {
	d := Form(name, scope, func(list []string) ([]string, bool) { return fixPins(list), len(list) > 0 })
	d.write = func(v any) string { return writePins(v.([]string)) }
	d.read = func(text string) (any, bool) { return readPins(text) }
	d.keep = unlinked
	return d
}

// fixPins leaves out what is no card, what is there twice, and what is too many.
func fixPins(list []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, text := range list {
		if len(out) == MaxPins {
			break // of a million no more is looked at
		}
		id, err := ParseCardID(text)
		if err != nil {
			continue
		}
		if text = id.String(); !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}

// PinnedCards returns the pinned cards in their order.
func PinnedCards(s *State) []CardID {
	list := Pins.Of(s)
	out := make([]CardID, 0, len(list))
	for _, text := range list {
		if id, err := ParseCardID(text); err == nil {
			out = append(out, id)
		}
	}
	return out
}

// Pinned reports whether a card is pinned.
func Pinned(s *State, id CardID) bool { return slices.Contains(Pins.Of(s), id.String()) }

// Pin pins a card behind the others; false if there are too many.
func Pin(s *State, id CardID) bool {
	list := Pins.Of(s)
	if slices.Contains(list, id.String()) {
		return true
	}
	if len(list) >= MaxPins {
		return false
	}
	Pins.Set(s, append(slices.Clone(list), id.String()))
	return true
}

// Unpin takes the pin of a card away.
func Unpin(s *State, id CardID) {
	Pins.Set(s, slices.DeleteFunc(slices.Clone(Pins.Of(s)), func(t string) bool { return t == id.String() }))
}

// MovePin puts a pinned card before another one; behind all if that one is not pinned.
func MovePin(s *State, id, before CardID) {
	list := slices.Clone(Pins.Of(s))
	from := slices.Index(list, id.String())
	if from < 0 || id == before {
		return
	}
	list = slices.Delete(list, from, from+1)
	to := slices.Index(list, before.String())
	if to < 0 {
		to = len(list)
	}
	Pins.Set(s, slices.Insert(list, to, id.String()))
}

// Tables of what a card has of its own are keyed by CardID.String, and tables of what all cards
// of the same tags have by CardID.Tag. A table that is declared must be named to OfCards or to
// OfTags: then MoveCards moves what is in it.
var ofCards, ofTags []*Decl

// OfCards says that the keys of tables are cards, by CardID.String.
func OfCards(tables ...*Decl) { ofCards = append(ofCards, tables...) }

// OfTags says that the keys of tables are the tags of cards, by CardID.Tag.
func OfTags(tables ...*Decl) { ofTags = append(ofTags, tables...) }

func init() { OfCards(Wide.Decl) }

// MoveCards gives all that cards have, pins too, to those that take their places: [from, to].
// Two may take each other's.
func MoveCards(s *State, moves ...[2]CardID) {
	cards, tags := make(map[string]string, len(moves)), make(map[string]string, len(moves))
	for _, m := range moves {
		cards[m[0].String()] = m[1].String()
		tags[m[0].Tag] = m[1].Tag
	}
	pins := slices.Clone(Pins.Of(s))
	for i, p := range pins {
		if to, ok := cards[p]; ok {
			pins[i] = to
		}
	}
	Pins.Set(s, pins)
	for _, d := range ofCards {
		d.rename(s, cards)
	}
	for _, d := range ofTags {
		d.rename(s, tags)
	}
}

// Curves is the plug-in of the cards that links name by their tag alone, as did all that was
// written before cards were of several plug-ins. That is part of these forms, whatever kinds
// of cards there are.
const Curves = "scalars"

// In a link pins stand one behind the other with commas between: curves by their tag,
// which is what most are, the others in their text form.
//
//	pins=train/loss,images?tag=digits&run=adam

// linkTag makes a tag a pin of a link.
var linkTag = strings.NewReplacer("%", "%25", ",", "%2C", "?", "%3F", "[", "%5B", "~", "%7E")

func writePins(list []string) string {
	out := make([]string, 0, len(list))
	for _, text := range list {
		id, err := ParseCardID(text)
		if err != nil {
			continue
		}
		if t := linkTag.Replace(id.Tag); id == CardOf(Curves, id.Tag) && t != "" {
			text = t
		}
		out = append(out, text)
	}
	text := strings.Join(out, ",")
	if len(text) > maxLinked {
		return unlinked
	}
	return text
}

// readPins reads the pins of a link: ours, or TensorBoard's pinnedCards. It reads as far as
// cards can be pinned.
func readPins(text string) ([]string, bool) {
	if strings.HasPrefix(text, "[") {
		return readPinnedCards(text)
	}
	seen := map[string]bool{}
	var out []string
	for t := range strings.SplitSeq(text, ",") {
		if len(out) == MaxPins {
			break
		}
		if seen[t] {
			continue
		}
		seen[t] = true
		if strings.Contains(t, "?") {
			if _, err := ParseCardID(t); err == nil {
				out = append(out, t)
			}
		} else if tag, err := query.PathUnescape(t); err == nil && tag != "" {
			out = append(out, CardOf(Curves, tag).String())
		}
	}
	return out, len(out) > 0
}

// TheirPins are the plug-ins whose cards TensorBoard pins, and whether each is of one run.
var TheirPins = map[string]bool{"scalars": false, "histograms": true, "images": true}

// readPinnedCards reads the JSON of TensorBoard's pinnedCards. Like there, what it does
// not know is left out: another plug-in, a run where there is none or none where there
// is one, a sample that is no count.
func readPinnedCards(text string) ([]string, bool) {
	var raw []json.RawMessage
	if json.Unmarshal([]byte(text), &raw) != nil {
		return nil, false
	}
	var out []string
	for _, r := range raw {
		var c struct {
			Plugin string   `json:"plugin"`
			Tag    string   `json:"tag"`
			Run    string   `json:"runId"`
			Sample *float64 `json:"sample"`
		}
		if json.Unmarshal(r, &c) != nil {
			continue
		}
		run, known := TheirPins[c.Plugin]
		if !known || c.Tag == "" || run != (c.Run != "") {
			continue
		}
		sample := 0
		if c.Sample != nil {
			if c.Plugin != "images" || *c.Sample != math.Trunc(*c.Sample) || *c.Sample < 0 || *c.Sample > math.MaxInt32 {
				continue
			}
			sample = int(*c.Sample)
		}
		out = append(out, CardOf(c.Plugin, c.Tag).OfRun(RunName(c.Run), sample).String())
	}
	return out, len(out) > 0
}
