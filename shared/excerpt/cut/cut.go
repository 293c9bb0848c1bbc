// Package cut leaves out of profiles, and of layouts of charts, what names runs and tags that are
// not in an excerpt: it tells of what is in it, and of nothing else. What is said of a run or a tag
// goes with it. Words of the user's own (a note, a filter, a title) go if they name a run or a tag
// that is not in the excerpt: one that was left out of the profile, or that the caller knows of.
package cut

import (
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tensorbored/tensorbored-static/shared/derive"
	"github.com/tensorbored/tensorbored-static/shared/filter"
	"github.com/tensorbored/tensorbored-static/shared/kind/customscalars"
	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/shared/runtable"
	"github.com/tensorbored/tensorbored-static/shared/session"
)

// Cut is what stays of profiles and layouts.
type Cut struct {
	runs, tags map[string]bool
	others     map[string]bool     // names that are known and not in the excerpt
	forms      map[string][]string // of these, as they may be written, by the first word
}

// New returns what cuts to an excerpt of runs and tags. others are names of runs and
// tags of the logdir that are not in it.
func New(runs, tags, others []string) *Cut {
	c := &Cut{set(runs), set(tags), map[string]bool{}, map[string][]string{}}
	for _, name := range others {
		c.other(name)
	}
	return c
}

func set(names []string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, name := range names {
		m[name] = true
	}
	return m
}

// other remembers a name that must not be told.
func (c *Cut) other(name string) {
	if name == "" || name == "." || c.runs[name] || c.tags[name] || c.others[name] {
		return
	}
	c.others[name] = true
	forms := []string{name, regexp.QuoteMeta(name), strings.TrimSuffix(strings.TrimPrefix(derive.Braced(name), "{"), "}")}
	slices.Sort(forms)
	for _, form := range slices.Compact(forms) {
		c.forms[firstWord(form)] = append(c.forms[firstWord(form)], form)
	}
}

// run reports whether what is said of a run stays.
func (c *Cut) run(id string) bool {
	if c.runs[profile.KnownRun(id, func(r string) bool { return c.runs[r] })] {
		return true
	}
	c.other(profile.RunName(id))
	return false
}

// tag reports whether what is said of a tag, or of an expression over tags, stays.
func (c *Cut) tag(name string) bool {
	if c.tags[name] {
		return true
	}
	if derive.IsName(name) {
		if x, err := derive.Of(name); err == nil {
			ok := true
			for _, t := range x.Tags {
				ok = c.tag(t) && ok
			}
			for _, r := range x.Refs {
				ok = c.tag(r.Tag) && (r.Run == "" || c.run(r.Run)) && ok
			}
			return ok
		}
	}
	c.other(name)
	return false
}

// tagsOf are the tags that stay.
func (c *Cut) tagsOf(tags []string) []string {
	tags = slices.Clone(tags) // others may share them
	keep(&tags, func(i int) bool { return c.tag(tags[i]) })
	return tags
}

func (c *Cut) all(tags []string) bool {
	ok := true
	for _, t := range tags {
		ok = c.tag(t) && ok
	}
	return ok
}

// says reports whether a text of the user's names nothing that is not in the excerpt.
func (c *Cut) says(text string) bool {
	if c.runs[text] || c.tags[text] {
		return true
	}
	// A name stands in a text as words of its own: its first word begins where one of the
	// text's does, and its last one ends where one ends.
	for i, before := 0, rune(0); i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !wordy(r) || !wordy(before) {
			for _, form := range c.forms[firstWord(text[i:])] {
				if rest, ok := strings.CutPrefix(text[i:], form); ok {
					last, _ := utf8.DecodeLastRuneInString(form)
					after, _ := utf8.DecodeRuneInString(rest)
					if !wordy(last) || !wordy(after) {
						return false
					}
				}
			}
		}
		before = r
		i += size
	}
	return true
}

// firstWord is the word that a text begins with, or else its first character.
func firstWord(text string) string {
	if r, size := utf8.DecodeRuneInString(text); !wordy(r) {
		return text[:size]
	}
	if i := strings.IndexFunc(text, func(r rune) bool { return !wordy(r) }); i >= 0 {
		return text[:i]
	}
	return text
}

func wordy(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// keep leaves what does not stay out of a list, to which list points. It is there once, and not for
// each type of list: the page has it, too.
func keep(list any, stays func(i int) bool) {
	v := reflect.ValueOf(list).Elem()
	n := 0
	for i := range v.Len() {
		if stays(i) {
			v.Index(n).Set(v.Index(i))
			n++
		}
	}
	if v.SetLen(n); n == 0 {
		v.SetZero()
	}
}

// Profile returns p cut to the excerpt, under another name if its own tells of what is
// not in it.
func (c *Cut) Profile(p *profile.Profile, name string) *profile.Profile {
	p = p.Clone()
	p.Data = nil // the excerpt stands for itself
	// Twice: what the first time leaves out are names that the second time knows.
	for range 2 {
		c.profile(p, name)
	}
	return p
}

func (c *Cut) profile(p *profile.Profile, name string) {
	if !c.says(p.Name) {
		p.Rename(name)
	}
	keep(&p.Pins, func(i int) bool {
		pin := &p.Pins[i]
		pin.Extra = c.fields(pin.Extra)
		if !c.says(pin.Title) {
			pin.Title = ""
		}
		ok := c.tag(pin.Tag)
		ok = (pin.Run == "" || c.run(pin.Run)) && c.part(pin.Part) && ok
		return c.all(pin.Tags) && ok
	})
	keep(&p.RunColors, func(i int) bool {
		r := &p.RunColors[i]
		r.Extra = c.fields(r.Extra)
		return c.run(r.Run)
	})
	keep(&p.RunSelection, func(i int) bool {
		r := &p.RunSelection[i]
		r.Extra = c.fields(r.Extra)
		return c.run(r.Run)
	})
	keep(&p.GroupColors, func(i int) bool {
		g := &p.GroupColors[i]
		g.Extra = c.fields(g.Extra)
		return c.ofRuns(g.Group)
	})
	keep(&p.Superimposed, func(i int) bool {
		s := &p.Superimposed[i]
		s.Extra, s.Tags = c.fields(s.Extra), c.tagsOf(s.Tags)
		if !c.says(s.Title) {
			s.Title = ""
		}
		if !c.says(s.ID) {
			s.ID = ""
		}
		return len(s.Tags) > 0 && (s.Run == "" || c.run(s.Run))
	})
	for _, f := range []*string{&p.TagFilter, &p.RunFilter} {
		if !c.says(*f) {
			*f = "" // what it chose is what there is
		}
	}
	for tag, text := range p.Descriptions {
		if !c.tag(tag) || !c.says(text) {
			delete(p.Descriptions, tag)
		}
	}
	for tag := range p.TagScales {
		if !c.tag(tag) {
			delete(p.TagScales, tag)
		}
	}
	for tag := range p.TagSymlog {
		if !c.tag(tag) {
			delete(p.TagSymlog, tag)
		}
	}
	if p.GroupBy != nil && !c.says(p.GroupBy.Regex) {
		p.GroupBy = nil
	}
	for group := range p.Groups {
		if !c.ofTags(group) {
			delete(p.Groups, group)
		}
	}
	p.Extra, p.OwnExtra = c.fields(p.Extra), c.fields(p.OwnExtra)
	view := maps.Clone(p.View)
	for name, raw := range p.View {
		if view[name] = c.setting(name, raw); view[name] == nil {
			delete(view, name)
		}
	}
	p.View = view
}

// ofRuns reports whether a group's name is made of words of runs that are there.
func (c *Cut) ofRuns(group string) bool {
	for _, word := range strings.FieldsFunc(group, func(r rune) bool { return !wordy(r) }) {
		ok := false
		for run := range c.runs {
			ok = ok || strings.Contains(run, word)
		}
		if !ok {
			c.other(group)
			return false
		}
	}
	return c.says(group)
}

// ofTags reports whether tags that are there stand in a group, or it is none of tags.
func (c *Cut) ofTags(group string) bool {
	for tag := range c.tags {
		if strings.HasPrefix(tag, group) {
			return true
		}
	}
	return false
}

// setting cuts a setting of the view; nil: nothing of it stays.
func (c *Cut) setting(name string, raw json.RawMessage) json.RawMessage {
	switch name {
	case "xTag":
		return stays(raw, func(tag string) bool { return tag == "" || c.tag(tag) })
	case session.Baseline.Name():
		return stays(raw, func(run string) bool { return run == "" || c.run(run) })
	case "customLayout":
		var e customscalars.Edit
		if json.Unmarshal(raw, &e) != nil {
			return nil
		}
		e.Categories = c.Layout(customscalars.Layout{Categories: e.Categories}).Categories
		keep(&e.Gone, func(i int) bool { return c.says(e.Gone[i]) })
		if e, ok := e.Fix(); ok {
			return encoded(e)
		}
		return nil
	case "rightTags":
		var table map[string][]string
		if json.Unmarshal(raw, &table) != nil {
			return nil
		}
		for card, tags := range table {
			if tags = c.tagsOf(tags); len(tags) == 0 || !c.says(card) || !c.text(card) {
				delete(table, card)
			} else {
				table[card] = tags
			}
		}
		return encoded(table)
	case session.Introductions.Name():
		var table map[string]string
		if json.Unmarshal(raw, &table) != nil {
			return nil
		}
		maps.DeleteFunc(table, func(_, text string) bool { return !c.says(text) })
		return encoded(table)
	case "groupColors":
		var table map[string]json.RawMessage
		if json.Unmarshal(raw, &table) != nil {
			return nil
		}
		maps.DeleteFunc(table, func(group string, _ json.RawMessage) bool { return !c.ofRuns(group) })
		return encoded(table)
	}
	if i := slices.IndexFunc(session.RunWords, func(d *session.Decl) bool { return d.Name() == name }); i >= 0 {
		var table map[string]json.RawMessage
		if json.Unmarshal(raw, &table) != nil {
			return nil
		}
		for run, words := range table {
			if words = c.value(words); words == nil || !c.run(run) {
				delete(table, run)
			} else {
				table[run] = words
			}
		}
		return encoded(table)
	}
	return c.value(raw)
}

// stays is a text, or nil if it does not stay.
func stays(raw json.RawMessage, ok func(string) bool) json.RawMessage {
	var text string
	if json.Unmarshal(raw, &text) != nil || !ok(text) {
		return nil
	}
	return raw
}

// part reports whether what is said of a part of the runs stays.
func (c *Cut) part(part string) bool {
	way, name := session.CutPart(part)
	switch {
	case name == "":
		return true
	case way == session.PartRun:
		return c.run(name)
	case way == session.PartFolder:
		for run := range c.runs {
			if strings.HasPrefix(run, name+"/") {
				return true
			}
		}
		return false
	}
	if _, err := strconv.ParseFloat(name, 64); err == nil || len(c.forms) == 0 {
		return true // of a number, or nothing is left out
	}
	return c.ofRuns(name)
}

// text reports whether a text of the view stays: a card, a column, or any other.
func (c *Cut) text(text string) bool {
	switch card, err := session.ParseCardID(text); {
	case derive.IsName(text):
		return c.tag(text)
	case err == nil:
		ok := (card.Run == "" || c.run(card.Run)) && c.part(card.Part)
		return c.all(card.Tags()) && ok
	case strings.Contains(text, "?name="):
		k := runtable.ParseKey(strings.TrimPrefix(text, "-"))
		if k.IsScalar() {
			return c.tag(k.Name)
		}
		return c.says(k.Name)
	}
	return c.says(text)
}

// fields cuts fields that nobody here knows.
func (c *Cut) fields(f profile.Fields) profile.Fields {
	if f == nil {
		return nil
	}
	out := profile.Fields{}
	for name, raw := range f {
		if raw = c.value(raw); raw != nil && c.says(name) {
			out[name] = raw
		}
	}
	return out
}

// value cuts any JSON: texts, members and elements that do not stay are left out. It is
// nil if nothing stays.
func (c *Cut) value(raw json.RawMessage) json.RawMessage {
	raw = []byte(strings.TrimSpace(string(raw)))
	if len(raw) == 0 {
		return nil
	}
	switch raw[0] {
	case '"':
		return stays(raw, c.text)
	case '{':
		var table map[string]json.RawMessage
		if json.Unmarshal(raw, &table) != nil {
			return nil
		}
		for name, x := range table {
			if x = c.value(x); x == nil || !c.text(name) {
				delete(table, name)
			} else {
				table[name] = x
			}
		}
		return encoded(table)
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			return nil
		}
		out := []json.RawMessage{}
		for _, x := range list {
			if x = c.value(x); x != nil {
				out = append(out, x)
			}
		}
		return encoded(out)
	}
	return raw
}

func encoded(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return raw
}

// Layout returns a layout of charts cut to the excerpt. Of a line that names other tags,
// too, the tags stay that are there.
func (c *Cut) Layout(l customscalars.Layout) (out customscalars.Layout) {
	for _, category := range l.Categories {
		charts := category.Charts
		category.Charts = nil
		for _, chart := range charts {
			some := len(chart.Lines)+len(chart.Margins) > 0
			var lines []string
			for _, line := range chart.Lines {
				lines = append(lines, c.line(line)...)
			}
			chart.Lines = lines
			chart.Margins = slices.Clone(chart.Margins)
			keep(&chart.Margins, func(i int) bool {
				m := &chart.Margins[i]
				return c.all([]string{m.Value, m.Lower, m.Upper})
			})
			if !c.says(chart.From) {
				chart.From = ""
			}
			if (!some || len(chart.Lines)+len(chart.Margins) > 0) && c.says(chart.Title) {
				category.Charts = append(category.Charts, chart)
			}
		}
		if !c.says(category.From) {
			category.From = ""
		}
		if (len(charts) == 0 || len(category.Charts) > 0) && c.says(category.Title) {
			out.Categories = append(out.Categories, category)
		}
	}
	return out
}

// line is what stays of a line of a chart: where anything is left out, the tags that it
// matches, since an expression may name tags that nobody knows of here.
func (c *Cut) line(line string) []string {
	start, err := filter.ParseStart(line)
	if err != nil && len(c.others) > 0 {
		return nil
	}
	if len(c.others) == 0 {
		return []string{line}
	}
	var matched []string
	for tag := range c.tags {
		if start.Match(tag) {
			matched = append(matched, regexp.QuoteMeta(tag)+"$")
		}
	}
	slices.Sort(matched)
	return matched
}
