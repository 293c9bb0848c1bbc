package profile

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Encode writes a profile in the wrapper {"version", "data"}, in which files and servers
// have it, with line breaks. The error is an *InvalidError if TensorBored or Decode would
// refuse a part of it.
func Encode(p *Profile) ([]byte, error) {
	data, err := encodeBare(p)
	if err != nil {
		return nil, err
	}
	doc, err := write([]member{{"version", Version}, {"data", data}}, nil)
	if err != nil {
		return nil, err
	}
	return indent(doc)
}

// EncodeBare writes a profile without a wrapper, as browsers keep it, on one line.
func EncodeBare(p *Profile) ([]byte, error) { return encodeBare(p) }

func indent(raw json.RawMessage) ([]byte, error) {
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// Validate says what is wrong with a profile that was made in code: what Decode would say
// of it.
func Validate(p *Profile) []Problem {
	raw, err := encode(p)
	if err != nil {
		return []Problem{{"", err.Error(), false}}
	}
	_, problems, err := Decode(raw)
	if err != nil {
		problems = append(problems, Problem{"", err.Error(), false})
	}
	return problems
}

func encodeBare(p *Profile) (json.RawMessage, error) {
	raw, err := encode(p)
	if err != nil {
		return nil, &InvalidError{[]Problem{{"", err.Error(), false}}}
	}
	_, problems, err := Decode(raw)
	if err != nil {
		problems = append(problems, Problem{"", err.Error(), false})
	}
	problems = slices.DeleteFunc(problems, func(p Problem) bool { return p.Minor })
	if len(problems) > 0 {
		return nil, &InvalidError{problems}
	}
	return raw, nil
}

// encode writes all that a profile holds, right or wrong.
func encode(p *Profile) (json.RawMessage, error) {
	if p == nil {
		return nil, errors.New("there is no profile")
	}
	var fail error
	sub := func(members []member, rest Fields) json.RawMessage {
		raw, err := write(members, rest)
		if err != nil && fail == nil {
			fail = err
		}
		return raw
	}
	m := []member{{"version", Version}, {"name", p.Name}, {"lastModifiedTimestamp", p.Modified}}
	add := func(key string, v any) { m = append(m, member{key, v}) }

	pins := []json.RawMessage{}
	for _, c := range p.Pins {
		o := []member{{"plugin", c.Plugin}, {"tag", c.Tag}}
		if c.Run != "" {
			o = append(o, member{"runId", c.Run})
		}
		if c.sampled || c.Sample != 0 {
			o = append(o, member{"sample", c.Sample})
		}
		if len(c.Tags) > 0 {
			o = append(o, member{"tags", c.Tags})
		}
		if c.Title != "" {
			o = append(o, member{"title", c.Title})
		}
		pins = append(pins, sub(o, c.Extra))
	}
	add("pinnedCards", pins)
	colors := []json.RawMessage{}
	for _, c := range p.RunColors {
		colors = append(colors, sub([]member{{"runId", c.Run}, {"color", c.Color}}, c.Extra))
	}
	add("runColors", colors)
	groups := []json.RawMessage{}
	for _, c := range p.GroupColors {
		groups = append(groups, sub([]member{{"groupKey", c.Group}, {"colorId", c.Color}}, c.Extra))
	}
	add("groupColors", groups)
	cards := []json.RawMessage{}
	for _, c := range p.Superimposed {
		o := []member{{"id", c.ID}, {"title", c.Title}, {"tags", c.Tags}, {"runId", nil}}
		if c.Run != "" {
			o[3].value = c.Run
		}
		cards = append(cards, sub(o, c.Extra))
	}
	add("superimposedCards", cards)
	runs := []json.RawMessage{}
	for _, c := range p.RunSelection {
		kind := "RUN_NAME"
		if c.ByID {
			kind = "RUN_ID"
		}
		runs = append(runs, sub([]member{{"type", kind}, {"value", c.Run}, {"selected", c.Selected}}, c.Extra))
	}
	add("runSelection", runs)
	add("tagFilter", p.TagFilter)
	add("runFilter", p.RunFilter)
	add("smoothing", p.Smoothing)
	if g := p.GroupBy; g == nil {
		add("groupBy", nil)
	} else {
		o := []member{{"key", slices.Index(groupKeys, g.Key)}}
		if g.Regex != "" || g.Key == GroupRegex || g.Key == GroupRegexByExp {
			o = append(o, member{"regexString", g.Regex})
		}
		add("groupBy", sub(o, g.Extra))
	}
	if len(p.Descriptions) > 0 {
		add("metricDescriptions", p.Descriptions)
	}
	if p.YScale != "" {
		add("yAxisScale", p.YScale)
	}
	if p.XScale != "" {
		add("xAxisScale", p.XScale)
	}
	if len(p.TagScales) > 0 {
		scales := map[string]json.RawMessage{}
		for tag, s := range p.TagScales {
			var o []member
			if s.Y != "" {
				o = append(o, member{"y", s.Y})
			}
			if s.X != "" {
				o = append(o, member{"x", s.X})
			}
			scales[tag] = sub(o, s.Extra)
		}
		add("tagAxisScales", scales)
	}
	if p.Symlog != 0 {
		add("symlogLinearThreshold", p.Symlog)
	}
	if len(p.TagSymlog) > 0 {
		add("tagSymlogLinearThresholds", p.TagSymlog)
	}
	if len(p.Groups) > 0 {
		add("expandedTagGroups", p.Groups)
	}
	if len(p.View) > 0 || p.Data != nil || len(p.OwnExtra) > 0 {
		var o []member
		if len(p.View) > 0 {
			o = append(o, member{"view", map[string]json.RawMessage(p.View)})
		}
		if p.Data != nil {
			o = append(o, member{"data", p.Data})
		}
		add(Own, sub(o, p.OwnExtra))
	}
	raw, err := write(m, p.Extra)
	if fail == nil {
		fail = err
	}
	return raw, fail
}
