// Package session is what is on the screen: settings, each declared once with its
// name, scope, default, limits and key in a link, and the state that holds those that
// differ from their default. Everything that is kept or sent is derived from the list
// of declarations (Schema): links (url.go), storage (store.go), reset and difference.
// Nothing else in the page keeps a setting.
//
// Settings of the whole page are in settings.go; a card kind declares its own.
package session

import (
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"strconv"
)

// Scope says whom a setting belongs to, and so where it is kept.
type Scope uint8

const (
	// View is what a profile and a link hold: what two people must share to see the same.
	View Scope = iota
	// Preference is of this browser, whatever is looked at.
	Preference
	// Here is of this logdir: what its runs and folders are to this user.
	Here
	// Address is of the page's address alone: what is looked at for the moment. It is in
	// links, and gone when the page is left.
	Address
)

// Scopes are those whose settings are kept.
var Scopes = []Scope{View, Preference, Here}

// State is everything that the user set, by the names of the settings. The zero value
// is every default. Values are never changed in place: a table is copied before a line
// of it changes, so that two states may share it.
type State struct {
	values map[string]any
}

// Clone returns a copy that can be changed.
func (s State) Clone() State { return State{maps.Clone(s.values)} }

// Decl is a declared setting, of whatever type.
type Decl interface {
	// Name is the setting's name in storage and profiles.
	Name() string
	Scope() Scope
	// InPane reports whether the user sees it in the settings, and resets it there.
	InPane() bool
	// Same reports whether two states agree about it.
	Same(a, b *State) bool
	// Copy makes to agree with from.
	Copy(to, from *State)
	// Reset makes it the default.
	Reset(s *State)

	key() string                             // in a link; "" = not in links
	text(s *State) string                    // for a link; "" = the default
	parse(s *State, text string)             // what cannot be understood becomes the default
	encode(s *State) (json.RawMessage, bool) // false: it is the default
	decode(s *State, raw json.RawMessage)    // likewise
	options() []json.RawMessage              // of a choice: the values besides its default
}

// Setting is a declared setting of type T.
type Setting[T any] struct {
	name   string
	scope  Scope
	link   string
	inPane bool
	def    T
	// fix puts a value within its limits; false: it cannot be understood.
	fix   func(T) (T, bool)
	write func(T) string
	read  func(string) (T, bool)
	keep  string // in a link: the value stays as it is
	// textOf and parseInto are its form in a link where it depends on other settings as
	// well; they take the place of write and read.
	textOf    func(*State) string
	parseInto func(*State, string)
	// others are the values of a choice besides its default.
	others []T
}

// Name implements Decl.
func (d *Setting[T]) Name() string { return d.name }

// Scope implements Decl.
func (d *Setting[T]) Scope() Scope { return d.scope }

// InPane implements Decl.
func (d *Setting[T]) InPane() bool { return d.inPane }

// Default is the value that it has unless the user set another.
func (d *Setting[T]) Default() T { return d.def }

// Of returns its value. What it returns must not be changed.
func (d *Setting[T]) Of(s *State) T {
	if v, ok := s.values[d.name].(T); ok {
		return v
	}
	return d.def
}

// Set sets its value, within its limits; a value that cannot be understood sets the
// default. v must not be changed afterwards.
func (d *Setting[T]) Set(s *State, v T) {
	if d.fix != nil {
		fixed, ok := d.fix(v)
		if !ok {
			d.Reset(s)
			return
		}
		v = fixed
	}
	if reflect.DeepEqual(v, d.def) {
		d.Reset(s)
		return
	}
	if s.values == nil {
		s.values = make(map[string]any)
	}
	s.values[d.name] = v
}

// Reset implements Decl.
func (d *Setting[T]) Reset(s *State) { delete(s.values, d.name) }

// Same implements Decl.
func (d *Setting[T]) Same(a, b *State) bool { return reflect.DeepEqual(d.Of(a), d.Of(b)) }

// Copy implements Decl.
func (d *Setting[T]) Copy(to, from *State) { d.Set(to, d.Of(from)) }

// Linked puts it into links under key and returns it.
func (d *Setting[T]) Linked(key string) *Setting[T] {
	d.link = key
	return d
}

// LinkedAs puts it into links under key, in a form of its own. text returns "" for the
// default; what parse is given may come from anybody, and "" is the default.
func (d *Setting[T]) LinkedAs(key string, text func(*State) string, parse func(s *State, text string)) {
	d.link, d.textOf, d.parseInto, d.keep = key, text, parse, unlinked
}

// Pane says that the user sees it in the settings, and returns it.
func (d *Setting[T]) Pane() *Setting[T] {
	d.inPane = true
	return d
}

func (d *Setting[T]) options() (out []json.RawMessage) {
	for _, v := range d.others {
		if raw, err := json.Marshal(v); err == nil {
			out = append(out, raw)
		}
	}
	return out
}

func (d *Setting[T]) key() string { return d.link }

func (d *Setting[T]) text(s *State) string {
	if d.textOf != nil {
		return d.textOf(s)
	}
	if _, ok := s.values[d.name]; !ok || d.write == nil {
		return ""
	}
	return d.write(d.Of(s))
}

func (d *Setting[T]) parse(s *State, text string) {
	if d.keep != "" && text == d.keep {
		return
	}
	d.Reset(s)
	if d.parseInto != nil {
		d.parseInto(s, text)
		return
	}
	if d.read == nil || text == "" {
		return
	}
	if v, ok := d.read(text); ok {
		d.Set(s, v)
	}
}

func (d *Setting[T]) encode(s *State) (json.RawMessage, bool) {
	v, ok := s.values[d.name]
	if !ok {
		return nil, false
	}
	b, err := json.Marshal(v)
	return b, err == nil // no setting can be NaN
}

func (d *Setting[T]) decode(s *State, raw json.RawMessage) {
	d.Reset(s)
	var v T
	if json.Unmarshal(raw, &v) == nil {
		d.Set(s, v)
	}
}

// Number declares a number in [lo, hi].
func Number(name string, scope Scope, def, lo, hi float64) *Setting[float64] {
	return &Setting[float64]{name: name, scope: scope, def: def,
		fix:   func(v float64) (float64, bool) { return min(hi, max(lo, v)), !math.IsNaN(v) },
		write: func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) },
		read: func(t string) (float64, bool) {
			v, err := strconv.ParseFloat(t, 64)
			return v, err == nil
		},
	}
}

// Count declares a whole number in [lo, hi]. A def outside of that is a value of its
// own, such as 0 for automatic.
func Count(name string, scope Scope, def, lo, hi int) *Setting[int] {
	return &Setting[int]{name: name, scope: scope, def: def,
		fix: func(v int) (int, bool) {
			if v == def {
				return v, true
			}
			return min(hi, max(lo, v)), true
		},
		write: strconv.Itoa,
		read: func(t string) (int, bool) {
			v, err := strconv.Atoi(t)
			return v, err == nil
		},
	}
}

// Switch declares what is on or off.
func Switch(name string, scope Scope, def bool) *Setting[bool] {
	return &Setting[bool]{name: name, scope: scope, def: def,
		write: strconv.FormatBool,
		read: func(t string) (bool, bool) {
			v, err := strconv.ParseBool(t)
			return v, err == nil
		},
	}
}

// Older makes words that stood for values of a choice once stand for them still, in what
// was kept and in links.
func Older[T comparable](d *Setting[T], words map[T]T) *Setting[T] {
	fix := d.fix
	d.fix = func(v T) (T, bool) {
		if now, ok := words[v]; ok {
			v = now
		}
		return fix(v)
	}
	return d
}

// Text declares a text.
func Text(name string, scope Scope, def string) *Setting[string] {
	return &Setting[string]{name: name, scope: scope, def: def,
		write: func(v string) string { return v },
		read:  func(t string) (string, bool) { return t, true },
	}
}

// Choice declares one of several values.
func Choice[T ~string](name string, scope Scope, def T, others ...T) *Setting[T] {
	return &Setting[T]{name: name, scope: scope, def: def, others: others,
		fix: func(v T) (T, bool) {
			for _, o := range others {
				if v == o {
					return v, true
				}
			}
			return v, v == def
		},
		write: func(v T) string { return string(v) },
		read:  func(t string) (T, bool) { return T(t), true },
	}
}

// Table declares values by key, none at first. Lines that ok refuses are left out; ok
// may be nil.
func Table[V any](name string, scope Scope, ok func(key string, v V) bool) *TableSetting[V] {
	return &TableSetting[V]{Setting[map[string]V]{name: name, scope: scope,
		fix: func(m map[string]V) (map[string]V, bool) {
			bad := func(k string, v V) bool { return ok != nil && !ok(k, v) }
			for k, v := range m {
				if bad(k, v) {
					m = maps.Clone(m)
					maps.DeleteFunc(m, bad)
					break
				}
			}
			return m, len(m) > 0
		},
	}}
}

// TableSetting is a setting with a value for each of any number of keys.
type TableSetting[V any] struct{ Setting[map[string]V] }

// Get returns the value of key; ok is false if it has none.
func (d *TableSetting[V]) Get(s *State, key string) (v V, ok bool) {
	v, ok = d.Of(s)[key]
	return v, ok
}

// Put sets the value of a key.
func (d *TableSetting[V]) Put(s *State, key string, v V) {
	m := maps.Clone(d.Of(s))
	if m == nil {
		m = make(map[string]V, 1)
	}
	m[key] = v
	d.Set(s, m)
}

// Drop takes a key's value away.
func (d *TableSetting[V]) Drop(s *State, key string) {
	if _, ok := d.Get(s, key); !ok {
		return
	}
	m := maps.Clone(d.Of(s))
	delete(m, key)
	d.Set(s, m)
}

// Pane is Setting.Pane.
func (d *TableSetting[V]) Pane() *TableSetting[V] {
	d.inPane = true
	return d
}

// Form declares a value of any form, which fix puts within its limits; the zero value is
// its default.
func Form[T any](name string, scope Scope, fix func(T) (T, bool)) *Setting[T] {
	return &Setting[T]{name: name, scope: scope, fix: fix}
}
