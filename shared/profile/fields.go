package profile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// known are the fields of a profile in the order in which they are written.
var known = []string{
	"version", "name", "lastModifiedTimestamp", "pinnedCards", "runColors", "groupColors",
	"superimposedCards", "runSelection", "tagFilter", "runFilter", "smoothing", "groupBy",
	"metricDescriptions", "yAxisScale", "xAxisScale", "tagAxisScales", "symlogLinearThreshold",
	"tagSymlogLinearThresholds", "expandedTagGroups", Own,
}

// maxTime is the last time that JavaScript's Date knows, ms.
const maxTime = 8.64e15

func (r *reader) profile(doc Fields) *Profile {
	p := &Profile{
		Name:      cleanName(need(r, doc, "name", "a text", "")),
		TagFilter: need(r, doc, "tagFilter", "a text", ""),
		RunFilter: need(r, doc, "runFilter", "a text", ""),
		Smoothing: DefaultSmoothing,
	}
	if p.Name == "" {
		if _, ok := doc["name"]; ok {
			r.minor("name", "it is empty; the profile is called %s", Untitled)
		}
		p.Name = Untitled
	}
	if raw, ok := doc["lastModifiedTimestamp"]; ok {
		if v, ok := r.number("lastModifiedTimestamp", raw, -maxTime, maxTime); ok {
			p.Modified = int64(v)
		}
	} else {
		r.minor("lastModifiedTimestamp", "it is missing; TensorBored refuses a profile without it")
	}
	if raw, ok := doc["smoothing"]; ok {
		if v, ok := r.number("smoothing", raw, 0, MaxSmoothing); ok {
			p.Smoothing = v
		}
	} else {
		r.minor("smoothing", "it is missing; TensorBored refuses a profile without it")
	}
	p.Pins = list(r, doc, "pinnedCards", true, MaxPins, r.pin)
	p.RunColors = list(r, doc, "runColors", true, MaxEntries, r.runColor)
	p.GroupColors = list(r, doc, "groupColors", true, MaxEntries, r.groupColor)
	p.Superimposed = list(r, doc, "superimposedCards", true, MaxPins, r.superimposed)
	p.RunSelection = list(r, doc, "runSelection", false, MaxEntries, r.selectedRun)
	p.Descriptions = table(r, doc, "metricDescriptions", "a text", func(at string, raw json.RawMessage) (string, bool) {
		return get[string](r, at, "a text", raw)
	})
	if o, ok := optional[Fields](r, doc, "groupBy", "an object or null"); ok {
		p.GroupBy = r.groupBy(o)
	}
	p.YScale = r.scale("yAxisScale", doc)
	p.XScale = r.scale("xAxisScale", doc)
	p.TagScales = table(r, doc, "tagAxisScales", "an object", r.tagScale)
	if raw, ok := doc["symlogLinearThreshold"]; ok {
		p.Symlog, _ = r.threshold("symlogLinearThreshold", raw)
	}
	p.TagSymlog = table(r, doc, "tagSymlogLinearThresholds", "a number", r.threshold)
	p.Groups = table(r, doc, "expandedTagGroups", "true or false", func(at string, raw json.RawMessage) (bool, bool) {
		return get[bool](r, at, "true or false", raw)
	})
	if o, ok := optional[Fields](r, doc, Own, "an object"); ok {
		r.own(p, o)
	}
	p.Extra = r.rest("", doc, known...)
	return p
}

// Untitled is the name of a profile that has none.
const Untitled = "Untitled"

// cleanName makes a name one line of at most MaxName bytes.
func cleanName(name string) string {
	name = strings.Map(func(c rune) rune {
		switch {
		case c == utf8.RuneError, 0x200e <= c && c <= 0x200f, 0x202a <= c && c <= 0x202e, 0x2066 <= c && c <= 0x2069, c == 0x61c:
			return -1 // marks of direction, with which a name can look like another one
		case unicode.IsControl(c):
			return ' '
		}
		return c
	}, name)
	name = strings.Join(strings.Fields(name), " ")
	for len(name) > MaxName {
		_, n := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-n]
	}
	return strings.TrimSpace(name)
}

func (r *reader) pin(at string, o Fields) (Pin, bool) {
	plugin, ok1 := get[string](r, at+".plugin", "a text", o["plugin"])
	tag, ok2 := get[string](r, at+".tag", "a text", o["tag"])
	if ok1 && plugin == "" {
		r.bad(at+".plugin", "it is empty")
		ok1 = false
	}
	p := Pin{Plugin: plugin, Tag: tag, Extra: r.rest(at, o, "plugin", "tag", "runId", "sample", "tags", "part", "title")}
	ok := ok1 && ok2
	if raw, there := o["runId"]; there && string(raw) != "null" {
		run, good := get[string](r, at+".runId", "a text", raw)
		p.Run, ok = run, ok && good
	}
	if raw, there := o["sample"]; there && string(raw) != "null" {
		sample, good := r.whole(at+".sample", raw, 0, math.MaxInt32)
		p.Sample, p.sampled, ok = sample, true, ok && good
	}
	if raw, there := o["tags"]; there && string(raw) != "null" {
		tags, good := r.tags(at+".tags", raw)
		p.Tags, ok = tags, ok && good
	}
	if raw, there := o["part"]; there && string(raw) != "null" {
		part, good := get[string](r, at+".part", "a text", raw)
		p.Part, ok = part, ok && good
	}
	if raw, there := o["title"]; there && string(raw) != "null" {
		p.Title, _ = get[string](r, at+".title", "a text", raw)
	}
	return p, ok
}

// tags reads a list of tags.
func (r *reader) tags(at string, raw json.RawMessage) ([]string, bool) {
	tags, ok := get[[]string](r, at, "a list of texts", raw)
	if len(tags) > MaxPins {
		r.bad(at, "it has %d tags; the first %d are used", len(tags), MaxPins)
		tags = tags[:MaxPins]
	}
	if len(tags) == 0 {
		tags = nil
	}
	return tags, ok
}

func (r *reader) runColor(at string, o Fields) (RunColor, bool) {
	run, ok1 := get[string](r, at+".runId", "a text", o["runId"])
	color, ok2 := get[string](r, at+".color", "a colour #rrggbb", o["color"])
	if ok2 {
		if c, ok := Color(color); ok {
			color = c
		} else {
			r.bad(at+".color", "%s is no colour; it should be #rrggbb", quote(color))
			ok2 = false
		}
	}
	return RunColor{run, color, r.rest(at, o, "runId", "color")}, ok1 && ok2
}

// Color returns a colour in the form #rrggbb; also #rgb is understood.
func Color(c string) (string, bool) {
	if len(c) == 4 && c[0] == '#' {
		c = string([]byte{'#', c[1], c[1], c[2], c[2], c[3], c[3]})
	}
	if len(c) != 7 || c[0] != '#' || strings.Trim(c[1:], "0123456789abcdefABCDEF") != "" {
		return "", false
	}
	return c, true
}

func (r *reader) groupColor(at string, o Fields) (GroupColor, bool) {
	key, ok1 := get[string](r, at+".groupKey", "a text", o["groupKey"])
	id, ok2 := r.whole(at+".colorId", o["colorId"], -1, math.MaxInt32)
	return GroupColor{key, id, r.rest(at, o, "groupKey", "colorId")}, ok1 && ok2
}

func (r *reader) superimposed(at string, o Fields) (Superimposed, bool) {
	s := Superimposed{Extra: r.rest(at, o, "id", "title", "tags", "runId")}
	var ok1, ok2, ok3 bool
	s.ID, ok1 = get[string](r, at+".id", "a text", o["id"])
	s.Title, ok2 = get[string](r, at+".title", "a text", o["title"])
	s.Tags, ok3 = r.tags(at+".tags", o["tags"])
	if ok3 && s.Tags == nil {
		r.bad(at+".tags", "it names no tag")
		ok3 = false
	}
	if raw, there := o["runId"]; there && string(raw) != "null" {
		s.Run, _ = get[string](r, at+".runId", "a text or null", raw)
	}
	return s, ok1 && ok2 && ok3
}

func (r *reader) selectedRun(at string, o Fields) (SelectedRun, bool) {
	kind, ok1 := get[string](r, at+".type", "RUN_ID or RUN_NAME", o["type"])
	if ok1 && kind != "RUN_ID" && kind != "RUN_NAME" {
		r.bad(at+".type", "it is %s; it should be RUN_ID or RUN_NAME", quote(kind))
		ok1 = false
	}
	value, ok2 := get[string](r, at+".value", "a text", o["value"])
	selected, ok3 := get[bool](r, at+".selected", "true or false", o["selected"])
	return SelectedRun{kind == "RUN_ID", value, selected, r.rest(at, o, "type", "value", "selected")}, ok1 && ok2 && ok3
}

func (r *reader) groupBy(o Fields) *GroupBy {
	g := &GroupBy{Extra: r.rest("groupBy", o, "key", "regexString")}
	raw := o["key"]
	var word string
	var n float64
	switch {
	case json.Unmarshal(raw, &word) == nil && string(raw) != "null":
		for _, k := range groupKeys {
			if strings.EqualFold(word, string(k)) {
				g.Key = k
			}
		}
	case json.Unmarshal(raw, &n) == nil && string(raw) != "null" && n == math.Trunc(n) && n >= 0 && int(n) < len(groupKeys):
		g.Key = groupKeys[int(n)]
	}
	if g.Key == "" {
		r.bad("groupBy.key", "it should be RUN, EXPERIMENT, REGEX or REGEX_BY_EXP, or its number 0 … 3")
		return nil
	}
	if raw, ok := o["regexString"]; ok && string(raw) != "null" {
		g.Regex, _ = get[string](r, "groupBy.regexString", "a text", raw)
	}
	return g
}

func (r *reader) scale(field string, doc Fields) Scale {
	text, ok := optional[string](r, doc, field, "linear, log10 or symlog10")
	if !ok {
		return ""
	}
	s := Scale(text)
	if !s.known() {
		r.bad(field, "it is %s; it should be linear, log10 or symlog10", quote(text))
		return ""
	}
	return s
}

func (r *reader) tagScale(at string, raw json.RawMessage) (TagScale, bool) {
	o, ok := get[Fields](r, at, "an object with y or x", raw)
	if !ok {
		return TagScale{}, false
	}
	sub := &reader{}
	s := TagScale{Y: sub.scale("y", o), X: sub.scale("x", o), Extra: r.rest(at, o, "y", "x")}
	for _, p := range sub.problems {
		r.bad(at+"."+p.Field, "%s", p.What)
	}
	return s, s.Y != "" || s.X != "" || s.Extra != nil
}

// threshold reads how far a symlog scale is linear. TensorBored writes 1 for its default.
func (r *reader) threshold(at string, raw json.RawMessage) (float64, bool) {
	v, ok := get[float64](r, at, "a number above 0", raw)
	if ok && v <= 0 {
		r.bad(at, "it is %v; it should be above 0", v)
		return 0, false
	}
	return v, ok
}

func (r *reader) own(p *Profile, o Fields) {
	view, _ := optional[Fields](r, o, "view", "an object")
	p.View = r.rest(Own+".view", view)
	if raw, ok := o["data"]; ok && string(raw) != "null" {
		if d, ok := get[Data](r, Own+".data", "an object with url, folder, runs", raw); ok {
			p.Data = r.data(d)
		}
	}
	p.OwnExtra = r.rest(Own, o, "view", "data")
}

// isAddress reports whether text is a web address without a user's name in it. It is no
// parser: package net/url's is 30 KB of program.
func isAddress(text string) bool {
	rest, ok := strings.CutPrefix(text, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(text, "http://")
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return ok && rest != "" && !strings.ContainsAny(rest, "@\\ ") && strings.IndexFunc(text, func(c rune) bool { return c <= ' ' || unicode.IsControl(c) }) < 0
}

// data checks where the data are said to be.
func (r *reader) data(d Data) *Data {
	if d.URL != "" {
		if !isAddress(d.URL) {
			r.bad(Own+".data.url", "it should be an address that begins with http:// or https://")
			d.URL = ""
		}
	}
	if len(d.Runs) > MaxDataRuns {
		d.Runs = d.Runs[:MaxDataRuns]
	}
	if len(d.Runs) == 0 {
		d.Runs = nil
	}
	d.Folder = cleanName(d.Folder)
	d.Total = max(0, d.Total)
	if d.URL == "" && d.Folder == "" && d.Runs == nil {
		return nil
	}
	return &d
}

// built is JSON that an object has written: it is right, and on one line.
type built []byte

// object is an object that is being written.
type object struct {
	b    bytes.Buffer
	fail *error // of the whole document, the first one
}

// put adds a field. Fields are written in the order in which they are put.
func (o *object) put(key string, value any) {
	before := byte(',')
	if o.b.Len() == 0 {
		before = '{'
	}
	o.b.WriteByte(before)
	o.write(key, key)
	o.b.WriteByte(':')
	o.write(key, value)
}

// write adds the value of a field. What most of a large profile consists of does not go through
// package json, which took a quarter of a second of the page's thread for 10,000 runs.
func (o *object) write(key string, value any) {
	switch v := value.(type) {
	case built:
		o.b.Write(v)
		return
	case bool:
		o.b.WriteString(strconv.FormatBool(v))
		return
	case string:
		if strings.IndexFunc(v, func(c rune) bool { return c < ' ' || c > '~' || c == '"' || c == '\\' }) < 0 {
			o.b.WriteByte('"')
			o.b.WriteString(v)
			o.b.WriteByte('"')
			return
		}
	}
	raw, err := marshal(value)
	if err != nil && *o.fail == nil {
		*o.fail = fmt.Errorf("%s: %w", key, err)
	}
	o.b.Write(raw)
}

// text adds a text if there is one.
func (o *object) text(key, value string) {
	if value != "" {
		o.put(key, value)
	}
}

// end adds the rest by name, and returns the object.
func (o *object) end(rest Fields) built {
	if len(rest) > 0 {
		for _, k := range sortedKeys(rest) {
			o.put(k, rest[k])
		}
	}
	if o.b.Len() == 0 {
		o.b.WriteByte('{')
	}
	o.b.WriteByte('}')
	return o.b.Bytes()
}

// objects writes a list of objects; never null.
func objects[T any](list []T, fail *error, one func(*object, T) built) built {
	out := built{'['}
	for i, v := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, one(&object{fail: fail}, v)...)
	}
	return append(out, ']')
}

// marshal is json.Marshal that leaves < and > as they are: nothing puts a profile into
// HTML, and people read it.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
