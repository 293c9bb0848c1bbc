package profile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tensorbored/tensorbored-static/shared/internal/query"
	"github.com/tensorbored/tensorbored-static/shared/session"
)

// New returns an empty profile of this name.
func New(name string) *Profile {
	p := &Profile{Smoothing: DefaultSmoothing}
	p.Rename(name)
	return p
}

// Rename gives it another name. Line breaks become spaces; an empty name is Untitled.
func (p *Profile) Rename(name string) {
	if p.Name = cleanName(name); p.Name == "" {
		p.Name = Untitled
	}
}

// Touch says that it was changed at that time.
func (p *Profile) Touch(at time.Time) { p.Modified = at.UnixMilli() }

// Clone returns a copy that shares nothing that is ever changed in place.
func (p *Profile) Clone() *Profile {
	c := *p
	c.Pins = slices.Clone(p.Pins)
	c.RunColors = slices.Clone(p.RunColors)
	c.GroupColors = slices.Clone(p.GroupColors)
	c.Superimposed = slices.Clone(p.Superimposed)
	c.RunSelection = slices.Clone(p.RunSelection)
	c.Descriptions = maps.Clone(p.Descriptions)
	c.TagScales = maps.Clone(p.TagScales)
	c.TagSymlog = maps.Clone(p.TagSymlog)
	c.Groups = maps.Clone(p.Groups)
	c.View = maps.Clone(p.View)
	c.Extra = maps.Clone(p.Extra)
	c.OwnExtra = maps.Clone(p.OwnExtra)
	if p.GroupBy != nil {
		g := *p.GroupBy
		c.GroupBy = &g
	}
	if p.Data != nil {
		d := *p.Data
		c.Data = &d
	}
	return &c
}

// ErrTooManyPins says that there are MaxPins already.
var ErrTooManyPins = fmt.Errorf("there are %d pinned cards already: unpin one first", MaxPins)

// AddPin pins a card behind those that are pinned; one that is pinned already stays
// where it is.
func (p *Profile) AddPin(c Pin) error {
	id := c.Card()
	for _, have := range p.Pins {
		if have.Card() == id {
			return nil
		}
	}
	if len(p.Pins) >= MaxPins {
		return ErrTooManyPins
	}
	p.Pins = append(p.Pins, c)
	return nil
}

// Unpin takes a card's pin away; false if it was not pinned.
func (p *Profile) Unpin(c Pin) bool {
	id, n := c.Card(), len(p.Pins)
	p.Pins = slices.DeleteFunc(slices.Clone(p.Pins), func(have Pin) bool { return have.Card() == id })
	return len(p.Pins) < n
}

// PinScalar pins the curves of a tag.
func (p *Profile) PinScalar(tag string) error { return p.AddPin(Pin{Plugin: "scalars", Tag: tag}) }

// PinHistogram pins the histograms of a tag of a run.
func (p *Profile) PinHistogram(tag, run string) error {
	return p.AddPin(Pin{Plugin: "histograms", Tag: tag, Run: RunID(run)})
}

// PinImage pins an image of a tag of a run; sample counts the images of a step from 0.
func (p *Profile) PinImage(tag, run string, sample int) error {
	return p.AddPin(Pin{Plugin: "images", Tag: tag, Run: RunID(run), Sample: sample, sampled: true})
}

// PinOf returns the pin of a card.
func PinOf(card session.CardID) Pin {
	tags := card.Tags()
	p := Pin{Plugin: card.Plugin, Tag: tags[0], Sample: card.Sample, Part: card.Part, sampled: card.Plugin == "images"}
	if card.Run != "" {
		p.Run = RunID(card.Run)
	}
	if len(tags) > 1 {
		p.Tags = tags
	}
	return p
}

// Card returns the card that is pinned.
func (c Pin) Card() session.CardID {
	tags := []string{c.Tag}
	if len(c.Tags) > 0 {
		tags = c.Tags
	}
	id := session.CardOf(c.Plugin, tags...).OfRun(RunName(c.Run), c.Sample)
	id.Part = c.Part
	return id
}

// SetRunColor gives a run a colour #rrggbb.
func (p *Profile) SetRunColor(run, color string) error {
	c, ok := Color(color)
	if !ok {
		return fmt.Errorf("%s is no colour: write #rrggbb", quote(color))
	}
	for i, have := range p.RunColors {
		if RunName(have.Run) == RunName(run) {
			p.RunColors[i].Color = c
			return nil
		}
	}
	p.RunColors = append(p.RunColors, RunColor{Run: RunID(run), Color: c})
	return nil
}

// SelectRuns shows these runs and hides all others.
func (p *Profile) SelectRuns(names ...string) {
	p.RunSelection = nil
	for _, n := range names {
		p.RunSelection = append(p.RunSelection, SelectedRun{Run: n, Selected: true})
	}
}

// AddSuperimposed adds a card that shows several tags, of all runs if run is "", and
// returns its id.
func (p *Profile) AddSuperimposed(title, run string, tags ...string) string {
	used := map[string]bool{}
	for _, c := range p.Superimposed {
		used[c.ID] = true
	}
	id := ""
	for n := len(p.Superimposed) + 1; id == "" || used[id]; n++ {
		id = fmt.Sprintf("superimposed-%d", n)
	}
	p.Superimposed = append(p.Superimposed, Superimposed{ID: id, Title: title, Tags: tags, Run: run})
	return id
}

// Describe gives a tag a description in Markdown.
func (p *Profile) Describe(tag, markdown string) {
	if p.Descriptions == nil {
		p.Descriptions = map[string]string{}
	}
	p.Descriptions[tag] = markdown
}

// Introduce puts words in Markdown above the cards of a dashboard (its name in links; "" is
// the one that the profile opens): what is to be seen there. No words take them away. It is an
// error if they are longer than session.MaxIntroduction.
func (p *Profile) Introduce(board, markdown string) error {
	if utf8.RuneCountInString(markdown) > session.MaxIntroduction {
		return fmt.Errorf("an introduction has %d characters at most: shorten this one", session.MaxIntroduction)
	}
	if board == "" {
		board = session.Board.Default()
		if raw, ok := p.View[session.Board.Name()]; ok {
			_ = json.Unmarshal(raw, &board) // what is odd is no dashboard
		}
	}
	all := p.Introductions()
	if all[board] = markdown; strings.TrimSpace(markdown) == "" {
		delete(all, board)
	}
	if p.View == nil {
		p.View = Fields{}
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return err
	}
	if p.View[session.Introductions.Name()] = raw; len(all) == 0 {
		delete(p.View, session.Introductions.Name())
	}
	return nil
}

// Introductions are what Introduce has put above the cards, by dashboard.
func (p *Profile) Introductions() map[string]string {
	all := map[string]string{}
	if raw, ok := p.View[session.Introductions.Name()]; ok {
		_ = json.Unmarshal(raw, &all) // what is no text is none
	}
	return all
}

// SetTagScale sets the scales of a tag's axes; "" leaves an axis as all have it.
func (p *Profile) SetTagScale(tag string, y, x Scale) {
	if p.TagScales == nil {
		p.TagScales = map[string]TagScale{}
	}
	p.TagScales[tag] = TagScale{Y: y, X: x}
}

// RunID returns the id by which TensorBored's page knows a run of a local logdir.
func RunID(name string) string { return session.RunID(name) }

// RunName returns the name of the run that a profile means: scripts write names,
// TensorBored's page writes ids.
func RunName(id string) string { return session.RunName(id) }

// KnownRun is RunName where the runs are known: an id of any experiment, as a server of
// several has them, names the run behind it, unless there is a run of the whole name.
func KnownRun(id string, known func(run string) bool) string {
	name := RunName(id)
	if !known(name) {
		if _, rest, ok := strings.Cut(name, "/"); ok && known(rest) {
			return rest
		}
	}
	return name
}

// Selection says which runs a list of selected runs shows: those that it names, by name;
// and whether runs that it does not name are hidden, which they are as soon as it selects
// any. A list that only hides some leaves the others alone.
func Selection(list []SelectedRun) (runs map[string]bool, hideOthers bool) {
	for _, s := range list {
		if runs == nil {
			runs = map[string]bool{}
		}
		runs[RunName(s.Run)] = s.Selected
		hideOthers = hideOthers || s.Selected
	}
	return runs, hideOthers
}

// UniqueName returns name, or name (1), name (2), … if it is taken.
func UniqueName(name string, taken func(string) bool) string {
	if name = cleanName(name); name == "" {
		name = Untitled
	}
	if !taken(name) {
		return name
	}
	for n := 1; ; n++ {
		tail := fmt.Sprintf(" (%d)", n)
		if next := cleanName(name[:min(len(name), MaxName-len(tail))]) + tail; !taken(next) {
			return next
		}
	}
}

// FileName is the name of a profile's file: its own, with what not every system takes in
// a name replaced, and .json.
func FileName(name string) string {
	clean := strings.Map(func(c rune) rune {
		if c < ' ' || strings.ContainsRune(`/\:*?"<>|`, c) {
			return '_'
		}
		return c
	}, name)
	if clean = strings.Trim(clean, ". "); clean == "" {
		clean = "profile"
	}
	return clean + ".json"
}

// Scales of colours: each value has one of its own, or they go from low to high, by the numbers or
// by their logarithms.
const (
	ScaleNone   = ""
	ScaleLinear = session.ScaleLinear
	ScaleLog    = session.ScaleLog
)

// ColorByParam gives runs the colours of a hyperparameter's values, on one of the Scales. No name
// gives each run its own again. Another scale is an error.
func (p *Profile) ColorByParam(name, scale string) error { return p.colorBy("param", name, scale) }

// ColorByMetric gives runs colours by the last value of a tag of scalars, on a scale that is not
// ScaleNone. No tag gives each run its own again.
func (p *Profile) ColorByMetric(tag, scale string) error {
	if scale == ScaleNone && tag != "" {
		return fmt.Errorf("hardly two runs have the same last value of %q: choose %q or %q", tag, ScaleLinear, ScaleLog)
	}
	return p.colorBy("last", tag, scale)
}

func (p *Profile) colorBy(of, name, scale string) error {
	if scale != ScaleNone && scale != ScaleLinear && scale != ScaleLog {
		return fmt.Errorf("there is no scale of colours %q: choose %q or %q", scale, ScaleLinear, ScaleLog)
	}
	column := ""
	if name != "" {
		column = of + "?name=" + query.Escape(name)
	} else {
		scale = ScaleNone
	}
	for key, text := range map[string]string{session.GroupColumn.Name(): column, session.GroupScale.Name(): scale} {
		if text == "" {
			delete(p.View, key)
			continue
		}
		raw, err := json.Marshal(text)
		if err != nil {
			return err
		}
		if p.View == nil {
			p.View = Fields{}
		}
		p.View[key] = raw
	}
	return nil
}
