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
	data, err := encodeBare(p, nil)
	if err != nil {
		return nil, err
	}
	o := object{fail: &err}
	o.put("version", Version)
	o.put("data", data)
	doc := o.end(nil)
	if err != nil {
		return nil, err
	}
	return indent(doc)
}

// EncodeBare writes a profile without a wrapper, as browsers keep it, on one line.
func EncodeBare(p *Profile) ([]byte, error) { return encodeBare(p, nil) }

// EncodeResting is EncodeBare, which calls pause now and then; the profile must not change
// meanwhile.
func EncodeResting(p *Profile, pause func()) ([]byte, error) { return encodeBare(p, pause) }

func indent(raw []byte) ([]byte, error) {
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

func encodeBare(p *Profile, pause func()) (built, error) {
	raw, err := encode(p)
	if err != nil {
		return nil, &InvalidError{[]Problem{{"", err.Error(), false}}}
	}
	if pause != nil {
		pause()
	}
	_, problems, err := DecodeResting(raw, pause)
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
func encode(p *Profile) (built, error) {
	if p == nil {
		return nil, errors.New("there is no profile")
	}
	var fail error
	o := object{fail: &fail}
	o.put("version", Version)
	o.put("name", p.Name)
	o.put("lastModifiedTimestamp", p.Modified)
	o.put("pinnedCards", objects(p.Pins, &fail, (*object).pin))
	o.put("runColors", objects(p.RunColors, &fail, func(o *object, c RunColor) built {
		o.put("runId", c.Run)
		o.put("color", c.Color)
		return o.end(c.Extra)
	}))
	o.put("groupColors", objects(p.GroupColors, &fail, func(o *object, c GroupColor) built {
		o.put("groupKey", c.Group)
		o.put("colorId", c.Color)
		return o.end(c.Extra)
	}))
	o.put("superimposedCards", objects(p.Superimposed, &fail, (*object).superimposed))
	o.put("runSelection", objects(p.RunSelection, &fail, func(o *object, c SelectedRun) built {
		by := "RUN_NAME"
		if c.ByID {
			by = "RUN_ID"
		}
		o.put("type", by)
		o.put("value", c.Run)
		o.put("selected", c.Selected)
		return o.end(c.Extra)
	}))
	o.put("tagFilter", p.TagFilter)
	o.put("runFilter", p.RunFilter)
	o.put("smoothing", p.Smoothing)
	o.groupBy(p.GroupBy)
	if len(p.Descriptions) > 0 {
		o.put("metricDescriptions", p.Descriptions)
	}
	o.text("yAxisScale", string(p.YScale))
	o.text("xAxisScale", string(p.XScale))
	if len(p.TagScales) > 0 {
		scales := object{fail: &fail}
		for _, tag := range sortedKeys(p.TagScales) {
			s := object{fail: &fail}
			s.text("y", string(p.TagScales[tag].Y))
			s.text("x", string(p.TagScales[tag].X))
			scales.put(tag, s.end(p.TagScales[tag].Extra))
		}
		o.put("tagAxisScales", scales.end(nil))
	}
	if p.Symlog != 0 {
		o.put("symlogLinearThreshold", p.Symlog)
	}
	if len(p.TagSymlog) > 0 {
		o.put("tagSymlogLinearThresholds", p.TagSymlog)
	}
	if len(p.Groups) > 0 {
		o.put("expandedTagGroups", p.Groups)
	}
	if len(p.View) > 0 || p.Data != nil || len(p.OwnExtra) > 0 {
		own := object{fail: &fail}
		if len(p.View) > 0 {
			own.put("view", p.View)
		}
		if p.Data != nil {
			own.put("data", p.Data)
		}
		o.put(Own, own.end(p.OwnExtra))
	}
	return o.end(p.Extra), fail
}

func (o *object) pin(c Pin) built {
	o.put("plugin", c.Plugin)
	o.put("tag", c.Tag)
	o.text("runId", c.Run)
	if c.sampled || c.Sample != 0 {
		o.put("sample", c.Sample)
	}
	if len(c.Tags) > 0 {
		o.put("tags", c.Tags)
	}
	o.text("part", c.Part)
	o.text("title", c.Title)
	return o.end(c.Extra)
}

func (o *object) superimposed(c Superimposed) built {
	o.put("id", c.ID)
	o.put("title", c.Title)
	o.put("tags", c.Tags)
	if c.Run == "" {
		o.put("runId", nil)
	} else {
		o.put("runId", c.Run)
	}
	return o.end(c.Extra)
}

func (o *object) groupBy(g *GroupBy) {
	if g == nil {
		o.put("groupBy", nil)
		return
	}
	s := object{fail: o.fail}
	s.put("key", slices.Index(groupKeys, g.Key))
	if g.Regex != "" || g.Key == GroupRegex || g.Key == GroupRegexByExp {
		s.put("regexString", g.Regex)
	}
	o.put("groupBy", s.end(g.Extra))
}
