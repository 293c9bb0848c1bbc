package session

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
)

// Keys of the browser's storage, one entry a scope. That of Here holds a table from the
// name of a logdir to its settings.
const (
	// Key is that of the preferences. static/theme.js reads "theme" from it before the
	// program has begun.
	Key     = "tensorbored-static.session"
	ViewKey = "tensorbored-static.view"
	HereKey = "tensorbored-static.here"
)

// storedVersion of an entry. A newer form than this one is not read: what it means is
// not known here. Version 1 held all scopes in one entry, under Key.
const storedVersion = 2

// MaxLogdirs is how many logdirs have an entry of their own; those that were used
// longest ago go.
const MaxLogdirs = 100

// Schema is a list of settings.
type Schema []*Decl

// fields is an entry of storage: settings by name, and "version".
type fields map[string]json.RawMessage

// read returns the fields of an entry; none if it is of a newer version or no entry.
func read(text string) fields {
	var f fields
	if text == "" || json.Unmarshal([]byte(text), &f) != nil {
		return fields{}
	}
	version := 0
	if raw, ok := f["version"]; ok && (json.Unmarshal(raw, &version) != nil || version > storedVersion) {
		return fields{}
	}
	delete(f, "version")
	f.rename()
	return f
}

// rename gives settings the names that they have now.
func (f fields) rename() {
	for old, name := range renamed {
		if raw, ok := f[old]; ok && f[name] == nil {
			f[name] = raw
		}
		delete(f, old)
	}
}

// renamed are names that settings had in earlier entries of the same version.
var renamed = map[string]string{"colors": "runColors", "y": "yAxisScale", "tagY": "tagAxisScales"}

func (f fields) String() string {
	f["version"] = json.RawMessage{'0' + storedVersion}
	b, err := json.Marshal(f)
	delete(f, "version")
	if err != nil {
		return ""
	}
	return string(b)
}

// Decode sets the settings of a scope as an entry of storage has them: those that it
// lacks, or that cannot be understood, to their defaults.
func (l Schema) Decode(scope Scope, s *State, text string) {
	l.decode(scope, s, read(text))
}

func (l Schema) decode(scope Scope, s *State, f fields) {
	for _, d := range l {
		if d.Scope() != scope {
			continue
		}
		if raw, ok := f[d.Name()]; ok {
			d.decode(s, raw)
		} else {
			d.Reset(s)
		}
	}
}

// Encode returns the entry of a scope.
func (l Schema) Encode(scope Scope, s *State) string {
	return l.Patch(scope, "", l, s)
}

// Patch returns an entry of storage, of which text is the present form, in which the
// settings of changed that are of this scope are as in s. What another tab, or another
// version of the program, has put there stays.
func (l Schema) Patch(scope Scope, text string, changed []*Decl, s *State) string {
	f := read(text)
	f.patch(scope, changed, s)
	return f.String()
}

func (f fields) patch(scope Scope, changed []*Decl, s *State) {
	for _, d := range changed {
		if d.Scope() != scope {
			continue
		}
		if raw, ok := d.encode(s); ok {
			f[d.Name()] = raw
		} else {
			delete(f, d.Name())
		}
	}
}

// logdirs is the entry of Here.
type logdirs struct {
	Version int               `json:"version"`
	Logdirs map[string]fields `json:"logdirs"`
	Order   []string          `json:"order"` // used last comes last
}

func readLogdirs(text string) logdirs {
	var all logdirs
	if text != "" && (json.Unmarshal([]byte(text), &all) != nil || all.Version > storedVersion) {
		all = logdirs{}
	}
	all.Version = storedVersion
	if all.Logdirs == nil {
		all.Logdirs = make(map[string]fields)
	}
	return all
}

// everywhere is the name under which stands what was of all logdirs once: it holds for
// each of them until it is changed there.
const everywhere = ""

// TakeOver moves settings that belong to a logdir, and stood in the entry of View when they
// were of all, into the entry of Here. ok is false if there are none.
func (l Schema) TakeOver(view, here string) (newView, newHere string, ok bool) {
	f, all := read(view), readLogdirs(here)
	old := fields{}
	maps.Copy(old, all.Logdirs[everywhere])
	for _, d := range l {
		if raw, there := f[d.name]; there && d.scope == Here {
			old[d.name], ok = raw, true
			delete(f, d.name)
		}
	}
	if !ok {
		return view, here, false
	}
	all.Logdirs[everywhere] = old
	b, err := json.Marshal(all)
	return f.String(), string(b), err == nil
}

// DecodeHere is Decode for the settings of one logdir.
func (l Schema) DecodeHere(logdir string, s *State, text string) {
	all, f := readLogdirs(text), fields{}
	maps.Copy(f, all.Logdirs[everywhere])
	maps.Copy(f, all.Logdirs[logdir])
	l.decode(Here, s, f)
}

// PatchHere is Patch for the settings of one logdir.
func (l Schema) PatchHere(logdir, text string, changed []*Decl, s *State) string {
	all := readLogdirs(text)
	f := all.Logdirs[logdir]
	if f == nil {
		f = fields{}
	}
	f.patch(Here, changed, s)
	for _, d := range changed {
		if d.scope == Here && f[d.name] == nil && all.Logdirs[everywhere][d.name] != nil {
			f[d.name] = json.RawMessage("null") // the default here, and not what was of all
		}
	}
	order := all.Order[:0]
	for _, name := range all.Order {
		if name != logdir && all.Logdirs[name] != nil {
			order = append(order, name)
		}
	}
	delete(all.Logdirs, logdir)
	if len(f) > 0 {
		all.Logdirs[logdir], order = f, append(order, logdir)
	}
	for len(order) > MaxLogdirs {
		delete(all.Logdirs, order[0])
		order = order[1:]
	}
	all.Order = order
	b, err := json.Marshal(all)
	if err != nil {
		return text
	}
	return string(b)
}

// Migrate turns an entry of version 1 into those of today. ok is false if text is none.
func (l Schema) Migrate(text string) (preferences, view, here string, ok bool) {
	var f fields
	if json.Unmarshal([]byte(text), &f) != nil || string(f["version"]) != "1" {
		return "", "", "", false
	}
	f.rename()
	var s State
	for _, scope := range Scopes {
		l.decode(scope, &s, f)
	}
	// Cards were named by their tag, being of one plug-in.
	wide := make(map[string]bool)
	for tag, on := range Wide.Of(&s) {
		wide[CardOf(Curves, tag).String()] = on
	}
	Wide.Set(&s, wide)
	var logdir string
	if json.Unmarshal(f["logdir"], &logdir) == nil && logdir != "" {
		here = l.PatchHere(logdir, "", l, &s)
	}
	return l.Encode(Preference, &s), l.Encode(View, &s), here, true
}

// Changed returns the settings about which two states differ.
func (l Schema) Changed(a, b *State) []*Decl {
	var out []*Decl
	for _, d := range l {
		if !d.Same(a, b) {
			out = append(out, d)
		}
	}
	return out
}

// ResetPane makes those settings that the user sees their defaults.
func (l Schema) ResetPane(s *State) {
	for _, d := range l {
		if d.InPane() {
			d.Reset(s)
		}
	}
}

// Find returns the setting of a name; nil if there is none.
func (l Schema) Find(name string) *Decl {
	for _, d := range l {
		if d.Name() == name {
			return d
		}
	}
	return nil
}

// Value returns the JSON of a setting that is not its default; ok is false if it is.
func Value(d *Decl, s *State) (raw json.RawMessage, ok bool) { return d.encode(s) }

// Options returns the values of a choice besides its default, as JSON; nil of another
// setting.
func Options(d *Decl) []json.RawMessage { return d.options() }

// SetValue sets a setting by its JSON; what cannot be understood sets the default.
func SetValue(d *Decl, s *State, raw json.RawMessage) { d.decode(s, raw) }

// SetAs is SetValue for a value of the setting's own type, which must not be changed
// afterwards. ok is false of any other value, and nothing is set then.
func SetAs(d *Decl, s *State, v any) (ok bool) {
	if reflect.TypeOf(v) != reflect.TypeOf(d.def) {
		return false
	}
	d.set(s, v)
	return true
}

// Customised reports whether the view has anything that the user arranged.
func (l Schema) Customised(s *State) bool {
	for _, d := range l {
		if (d.Scope() == View || slices.Contains(RunWords, d)) && d != Board.Decl && d != Profile.Decl && !d.Same(s, &State{}) {
			return true
		}
	}
	return false
}
