package profile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Decode reads a profile: bare, or in the wrapper {"version", "data"} in which scripts
// and servers have it. What is wrong in a part of it costs that part, and is named in
// problems. The error, an *Error, says that the text is no profile at all.
func Decode(text []byte) (*Profile, []Problem, error) { return DecodeResting(text, nil) }

// DecodeResting is Decode, which calls pause now and then, if it is not nil: ten thousand
// entries take a browser a fifth of a second. The text must not change meanwhile.
func DecodeResting(text []byte, pause func()) (*Profile, []Problem, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if err := limits(text); err != nil {
		return nil, nil, err
	}
	doc, err := outermost(text)
	if err != nil {
		return nil, nil, err
	}
	r := &reader{pause: pause}
	doc, err = r.unwrap(doc)
	if err != nil {
		return nil, r.problems, err
	}
	p := r.profile(doc)
	return p, r.problems, nil
}

// outermost reads the text's outermost object.
func outermost(text []byte) (Fields, error) {
	if !json.Valid(text) {
		var doc json.RawMessage
		err := json.Unmarshal(text, &doc)
		at, column := 1, 1
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			at, column = lineOf(text, syntax.Offset)
		}
		return nil, refuse(ErrNotJSON, "The file is not JSON: line %d, column %d: %v.", at, column, err)
	}
	var doc Fields
	if !into(bytes.TrimSpace(text), &doc) {
		return nil, refuse(ErrNone, "The file is not a profile: it should be an object { … }.")
	}
	return doc, nil
}

func lineOf(text []byte, offset int64) (line, column int) {
	before := text[:min(max(offset-1, 0), int64(len(text)))]
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
}

// unwrap returns the profile's own fields, whatever form the document has.
func (r *reader) unwrap(doc Fields) (Fields, error) {
	for range 2 {
		if err := r.version(doc); err != nil {
			return nil, err
		}
		raw, wrapped := doc["data"]
		if _, bare := doc["name"]; wrapped && !bare {
			var data Fields
			if !into(raw, &data) {
				return nil, refuse(ErrNone, "data: it should be the object that holds the profile.")
			}
			doc = data
			if err := r.version(doc); err != nil {
				return nil, err
			}
		}
		// A profile that was handed over as another one's name: TensorBored's
		// set_default_profile(logdir, create_profile(…)) wrote that.
		var inner Fields
		if raw, ok := doc["name"]; !ok || !into(raw, &inner) {
			break
		}
		r.problems = append(r.problems, Problem{"name", "a whole profile stands in the name; that one is used. In the script write it with write_profile(logdir, profile).", true})
		doc = inner
	}
	known := false
	for _, f := range []string{"name", "pinnedCards", "runColors", "smoothing", "tagFilter", Own} {
		_, ok := doc[f]
		known = known || ok
	}
	if !known {
		return nil, refuse(ErrNone, "The file is JSON but not a profile: it has none of a profile's fields, such as name and pinnedCards.")
	}
	r.migrate(doc)
	return doc, nil
}

// version checks the version of a document or of the profile in it.
func (r *reader) version(doc Fields) error {
	raw, ok := doc["version"]
	if !ok {
		return nil // migrate says so
	}
	var v float64
	if json.Unmarshal(raw, &v) != nil || string(raw) == "null" {
		return refuse(ErrNone, "version: it should be the number %d.", Version)
	}
	if v > Version {
		return refuse(ErrNewer, "version: the profile is of version %v, and this program knows version %d: a newer tensorbored-static is needed.", v, Version)
	}
	return nil
}

// migrate brings older forms to that of today. There has been one: without a list of
// selected runs, which no list stands for.
func (r *reader) migrate(doc Fields) {
	var v float64
	if raw, ok := doc["version"]; !ok || json.Unmarshal(raw, &v) != nil || v != Version {
		r.minor("version", "it is taken for version %d", Version)
	}
}

// reader reads fields and collects what is wrong with them.
type reader struct {
	problems []Problem
	more     bool
	pause    func() // nil: none
	steps    int
}

// rested is called for each entry.
func (r *reader) rested() {
	if r.steps++; r.steps%500 == 0 && r.pause != nil {
		r.pause()
	}
}

func (r *reader) add(p Problem) {
	switch {
	case len(r.problems) < MaxProblems:
		r.problems = append(r.problems, p)
	case !r.more:
		r.more = true
		r.problems = append(r.problems, Problem{"", "there are more problems than are named here", p.Minor})
	case !p.Minor:
		r.problems[len(r.problems)-1].Minor = false
	}
}

func (r *reader) bad(field, format string, a ...any) {
	r.add(Problem{field, fmt.Sprintf(format, a...), false})
}

func (r *reader) minor(field, format string, a ...any) {
	r.add(Problem{field, fmt.Sprintf(format, a...), true})
}

// Names of JSON's types, for messages.
func typeOf(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}

// get reads raw as a T; what says what it should be.
func get[T any](r *reader, field, what string, raw json.RawMessage) (v T, ok bool) {
	if raw == nil {
		r.bad(field, "it is missing; it should be %s", what)
		return v, false
	}
	if string(raw) == "null" || !into(raw, &v) {
		r.bad(field, "it is %s; it should be %s", typeOf(raw), what)
		return v, false
	}
	return v, true
}

// need is get for a field without which TensorBored refuses the document.
func need[T any](r *reader, doc Fields, field, what string, def T) T {
	raw, ok := doc[field]
	if !ok {
		r.minor(field, "it is missing; TensorBored refuses a profile without it")
		return def
	}
	if v, ok := get[T](r, field, what, raw); ok {
		return v
	}
	return def
}

// optional is get for a field that may be missing or null.
func optional[T any](r *reader, doc Fields, field, what string) (v T, ok bool) {
	if raw, there := doc[field]; there && string(raw) != "null" {
		return get[T](r, field, what, raw)
	}
	return v, false
}

// list reads a list of objects; what each of them cannot be read costs that one.
func list[T any](r *reader, doc Fields, field string, required bool, most int, one func(field string, o Fields) (T, bool)) []T {
	raws, ok := []json.RawMessage(nil), false
	if required {
		raws = need[[]json.RawMessage](r, doc, field, "a list", nil)
	} else if raws, ok = optional[[]json.RawMessage](r, doc, field, "a list"); !ok {
		return nil
	}
	if len(raws) > most {
		r.bad(field, "it has %d entries; the first %d are used", len(raws), most)
		raws = raws[:most]
	}
	var out []T
	for i, raw := range raws {
		r.rested()
		at := field + "[" + strconv.Itoa(i) + "]"
		if o, ok := get[Fields](r, at, "an object", raw); ok {
			if v, ok := one(at, o); ok {
				out = append(out, v)
			}
		}
	}
	return out
}

// table reads a table of values by key.
func table[T any](r *reader, doc Fields, field, what string, one func(field string, raw json.RawMessage) (T, bool)) map[string]T {
	raws, ok := optional[Fields](r, doc, field, "an object")
	if !ok {
		return nil
	}
	var out map[string]T
	for i, k := range slices.Sorted(maps.Keys(raws)) {
		r.rested()
		if i >= MaxEntries {
			r.bad(field, "it has %d entries; %d are used", len(raws), MaxEntries)
			break
		}
		if reserved(k) {
			r.bad(field, "the key %s means something else to JavaScript; it is left out", k)
			continue
		}
		if v, ok := one(field+"["+quote(k)+"]", raws[k]); ok {
			if out == nil {
				out = map[string]T{}
			}
			out[k] = v
		}
	}
	return out
}

// quote makes a key short enough for a message.
func quote(k string) string {
	if len(k) > 60 {
		if r := []rune(k[:min(len(k), 4*61)]); len(r) > 60 {
			k = string(r[:60]) + "…"
		}
	}
	return strconv.Quote(k)
}

// reserved reports whether a key changes what an object is in JavaScript. Nothing here
// reads profiles with JavaScript, but those who get our files do.
func reserved(key string) bool { return key == "__proto__" }

// rest returns the fields that are not among known, as compact JSON.
func (r *reader) rest(field string, o Fields, known ...string) Fields {
	var out Fields
	for k, raw := range o {
		if slices.Contains(known, k) {
			continue
		}
		if reserved(k) {
			r.bad(strings.TrimPrefix(field+"."+k, "."), "this name means something else to JavaScript; it is left out")
			continue
		}
		var b bytes.Buffer
		if json.Compact(&b, raw) == nil {
			if out == nil {
				out = Fields{}
			}
			out[k] = b.Bytes()
		}
	}
	return out
}

// number reads a number within limits.
func (r *reader) number(field string, raw json.RawMessage, lo, hi float64) (float64, bool) {
	v, ok := get[float64](r, field, "a number", raw)
	if ok && (v < lo || v > hi) {
		r.bad(field, "it is %v; it should be from %v to %v", v, lo, hi)
		return min(hi, max(lo, v)), true
	}
	return v, ok
}

func (r *reader) whole(field string, raw json.RawMessage, lo, hi float64) (int, bool) {
	v, ok := get[float64](r, field, "a whole number", raw)
	if ok && (v != math.Trunc(v) || v < lo || v > hi) {
		r.bad(field, "it is %v; it should be a whole number from %v to %v", v, lo, hi)
		return 0, false
	}
	return int(v), ok
}
