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

// Decl is a declared setting. It knows values of its type as any, so that what is done with
// all settings is there once, and not for each of their types: this is a twentieth of what
// a visitor of the page downloads.
type Decl struct {
	name   string
	scope  Scope
	link   string
	inPane bool
	def    any // of the setting's type; no value is ever of another one
	// fix puts a value within its limits; false: it cannot be understood. It may be nil.
	fix   func(any) (any, bool)
	write func(any) string
	read  func(string) (any, bool)
	keep  string // in a link: the value stays as it is
	// textOf and parseInto are its form in a link where it depends on other settings as
	// well; they take the place of write and read.
	textOf    func(*State) string
	parseInto func(*State, string)
	// others are the values of a choice besides its default.
	others []any
}

// Name is the setting's name in storage and profiles.
func (d *Decl) Name() string { return d.name }

// Scope says whom it belongs to.
func (d *Decl) Scope() Scope { return d.scope }

// InPane reports whether the user sees it in the settings, and resets it there.
func (d *Decl) InPane() bool { return d.inPane }

func (d *Decl) of(s *State) any {
	if v, ok := s.values[d.name]; ok {
		return v
	}
	return d.def
}

func (d *Decl) set(s *State, v any) {
	ok := true
	if d.fix != nil {
		v, ok = d.fix(v)
	}
	if !ok || reflect.DeepEqual(v, d.def) {
		d.Reset(s)
		return
	}
	if s.values == nil {
		s.values = make(map[string]any)
	}
	s.values[d.name] = v
}

// Reset makes it the default.
func (d *Decl) Reset(s *State) { delete(s.values, d.name) }

// Same reports whether two states agree about it.
func (d *Decl) Same(a, b *State) bool { return reflect.DeepEqual(d.of(a), d.of(b)) }

// Copy makes to agree with from.
func (d *Decl) Copy(to, from *State) { d.set(to, d.of(from)) }

// LinkedAs puts it into links under key, in a form of its own. text returns "" for the
// default; what parse is given may come from anybody, and "" is the default. It finds in s
// what was there before.
func (d *Decl) LinkedAs(key string, text func(*State) string, parse func(s *State, text string)) {
	d.link, d.textOf, d.parseInto, d.keep = key, text, parse, unlinked
}

// text is its form in a link; "" is the default.
func (d *Decl) text(s *State) string {
	if d.textOf != nil {
		return d.textOf(s)
	}
	if v, ok := s.values[d.name]; ok && d.write != nil {
		return d.write(v)
	}
	return ""
}

// parse takes what a link says; what cannot be understood becomes the default.
func (d *Decl) parse(s *State, text string) {
	if d.keep != "" && text == d.keep {
		return
	}
	if d.parseInto != nil {
		d.parseInto(s, text)
		return
	}
	d.Reset(s)
	if d.read != nil && text != "" {
		if v, ok := d.read(text); ok {
			d.set(s, v)
		}
	}
}

// encode is its JSON; false: it is the default.
func (d *Decl) encode(s *State) (json.RawMessage, bool) {
	v, ok := s.values[d.name]
	if !ok {
		return nil, false
	}
	b, err := json.Marshal(v)
	return b, err == nil // no setting can be NaN
}

// decode takes such JSON; what cannot be understood becomes the default.
func (d *Decl) decode(s *State, raw json.RawMessage) {
	d.Reset(s)
	v := reflect.New(reflect.TypeOf(d.def))
	if json.Unmarshal(raw, v.Interface()) == nil {
		d.set(s, v.Elem().Interface())
	}
}

// options are the values of a choice besides its default.
func (d *Decl) options() (out []json.RawMessage) {
	for _, v := range d.others {
		if raw, err := json.Marshal(v); err == nil {
			out = append(out, raw)
		}
	}
	return out
}

// Setting is a declared setting of type T.
type Setting[T any] struct{ *Decl }

// Default is the value that it has unless the user set another.
func (d *Setting[T]) Default() T { return d.def.(T) }

// Of returns its value. What it returns must not be changed.
func (d *Setting[T]) Of(s *State) T { return d.of(s).(T) }

// Set sets its value, within its limits; a value that cannot be understood sets the
// default. v must not be changed afterwards.
func (d *Setting[T]) Set(s *State, v T) { d.set(s, v) }

// Linked puts it into links under key and returns it.
func (d *Setting[T]) Linked(key string) *Setting[T] {
	d.link = key
	return d
}

// Pane says that the user sees it in the settings, and returns it.
func (d *Setting[T]) Pane() *Setting[T] {
	d.inPane = true
	return d
}

// Number declares a number in [lo, hi].
func Number(name string, scope Scope, def, lo, hi float64) *Setting[float64] {
	return &Setting[float64]{&Decl{name: name, scope: scope, def: def,
		fix: func(v any) (any, bool) {
			x := v.(float64)
			return min(hi, max(lo, x)), !math.IsNaN(x)
		},
		write: func(v any) string { return strconv.FormatFloat(v.(float64), 'g', -1, 64) },
		read: func(t string) (any, bool) {
			v, err := strconv.ParseFloat(t, 64)
			return v, err == nil
		},
	}}
}

// Count declares a whole number in [lo, hi]. A def outside of that is a value of its
// own, such as 0 for automatic.
func Count(name string, scope Scope, def, lo, hi int) *Setting[int] {
	return &Setting[int]{&Decl{name: name, scope: scope, def: def,
		fix: func(v any) (any, bool) {
			if v == any(def) {
				return v, true
			}
			return min(hi, max(lo, v.(int))), true
		},
		write: func(v any) string { return strconv.Itoa(v.(int)) },
		read: func(t string) (any, bool) {
			v, err := strconv.Atoi(t)
			return v, err == nil
		},
	}}
}

// Switch declares what is on or off.
func Switch(name string, scope Scope, def bool) *Setting[bool] {
	return &Setting[bool]{&Decl{name: name, scope: scope, def: def,
		write: func(v any) string { return strconv.FormatBool(v.(bool)) },
		read: func(t string) (any, bool) {
			v, err := strconv.ParseBool(t)
			return v, err == nil
		},
	}}
}

// Text declares a text.
func Text(name string, scope Scope, def string) *Setting[string] {
	return &Setting[string]{&Decl{name: name, scope: scope, def: def,
		write: func(v any) string { return v.(string) },
		read:  func(t string) (any, bool) { return t, true },
	}}
}

// Choice declares one of several values.
func Choice[T ~string](name string, scope Scope, def T, others ...T) *Setting[T] {
	list := make([]any, len(others))
	for i, o := range others {
		list[i] = o
	}
	return &Setting[T]{choice(name, scope, def, list)}
}

// choice is Choice for values of any type of text.
func choice(name string, scope Scope, def any, others []any) *Decl {
	return &Decl{name: name, scope: scope, def: def, others: others,
		fix: func(v any) (any, bool) {
			for _, o := range others {
				if v == o {
					return v, true
				}
			}
			return v, v == def
		},
		write: func(v any) string { return reflect.ValueOf(v).String() },
		read: func(t string) (any, bool) {
			v := reflect.New(reflect.TypeOf(def)).Elem()
			v.SetString(t)
			return v.Interface(), true
		},
	}
}

// Older makes words that stood for values of a choice once stand for them still, in what
// was kept and in links.
func Older[T comparable](d *Setting[T], words map[T]T) *Setting[T] {
	fix := d.fix
	d.fix = func(v any) (any, bool) {
		if now, ok := words[v.(T)]; ok {
			v = now
		}
		return fix(v)
	}
	return d
}

// Form declares a value of any form, which fix puts within its limits; the zero value is
// its default.
func Form[T any](name string, scope Scope, fix func(T) (T, bool)) *Setting[T] {
	var def T
	return &Setting[T]{&Decl{name: name, scope: scope, def: def, fix: func(v any) (any, bool) { return fix(v.(T)) }}}
}

// Table declares values by key, none at first. Lines that ok refuses are left out; ok
// may be nil.
func Table[V any](name string, scope Scope, ok func(key string, v V) bool) *TableSetting[V] {
	return &TableSetting[V]{*Form(name, scope, func(m map[string]V) (map[string]V, bool) {
		if ok != nil {
			for k, v := range m {
				if !ok(k, v) {
					m = part(m, ok)
					break
				}
			}
		}
		return m, len(m) > 0
	})}
}

// part copies the lines of a table that ok takes.
func part[V any](m map[string]V, ok func(key string, v V) bool) map[string]V {
	out := make(map[string]V, len(m)+1)
	for k, v := range m {
		if ok(k, v) {
			out[k] = v
		}
	}
	return out
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
	m := part(d.Of(s), func(string, V) bool { return true })
	m[key] = v
	d.Set(s, m)
}

// Drop takes a key's value away.
func (d *TableSetting[V]) Drop(s *State, key string) {
	if _, ok := d.Get(s, key); ok {
		d.Set(s, part(d.Of(s), func(k string, _ V) bool { return k != key }))
	}
}

// Pane is Setting.Pane.
func (d *TableSetting[V]) Pane() *TableSetting[V] {
	d.inPane = true
	return d
}

// Move gives what a table has for one key to another; what that one had is gone.
func (d *Decl) Move(s *State, from, to string) { d.rename(s, map[string]string{from: to}) }

// rename gives what a table has for keys to others, all at once: two may take each other's
// place. What a key had that is taken by another one is gone. It is there once, not for each
// type of table.
func (d *Decl) rename(s *State, to map[string]string) {
	old := reflect.ValueOf(d.of(s))
	renamed, moved := reflect.MakeMap(old.Type()), false
	for _, change := range []bool{false, true} { // those that change win
		for all := old.MapRange(); all.Next(); {
			key := all.Key().String()
			if now, ok := to[key]; ok && now != key {
				if change {
					renamed.SetMapIndex(reflect.ValueOf(now), all.Value())
					moved = true
				}
			} else if !change {
				renamed.SetMapIndex(all.Key(), all.Value())
			}
		}
	}
	if moved {
		d.set(s, renamed.Interface())
	}
}
