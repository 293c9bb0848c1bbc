package profiles

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/profile"
)

// Keys of the browser's storage. These four are documented; what stands under them is
// what TensorBored documents: names, and profiles without a wrapper.
const (
	PinsKey   = "tb-saved-pins"             // the pinned cards on screen, as in pinnedCards
	IndexKey  = "tb-profile-index"          // list of the names of profiles
	ProfileOf = "tb-profile-"               // + name: a profile
	ActiveKey = "tb-active-profile"         // name of the profile that is shown
	BaseKey   = "tensorbored-static.base"   // the profile that is shown and not kept: the logdir's, or of a link
	asideKey  = "tensorbored-static.aside." // + name: what stood where a profile should
)

// small is the size, in bytes, up to which a profile stands in localStorage, where
// everybody looks for it but all pages of an origin share 5 MB.
const small = 256 << 10

// Store keeps texts by key: localStorage, a table of the browser's database, or memory.
type Store interface {
	// Get returns the text of a key, "" if there is none.
	Get(key string) (string, error)
	Set(key, text string) error
	Remove(key string) error
	Keys() ([]string, error)
}

// Memory is a Store that ends with the page.
type Memory struct{ texts map[string]string }

// NewMemory returns an empty one.
func NewMemory() *Memory { return &Memory{map[string]string{}} }

// Get implements Store.
func (m *Memory) Get(key string) (string, error) { return m.texts[key], nil }

// Set implements Store.
func (m *Memory) Set(key, text string) error { m.texts[key] = text; return nil }

// Remove implements Store.
func (m *Memory) Remove(key string) error { delete(m.texts, key); return nil }

// Keys implements Store.
func (m *Memory) Keys() ([]string, error) { return sortedKeys(m.texts), nil }

// Shelf keeps profiles. Each stands under a key of its own, written by one call: a save is
// done or not done, and tabs that save different profiles at once lose neither. The list
// of them is made by looking which keys there are; the index is kept for others that read
// it.
type Shelf struct {
	// Local is looked in and written to first. Large takes what Local refuses, or what
	// is large; it may be nil.
	Local, Large Store
	memory       *Memory
	seen         map[string]string // what stood under a name when this page read or wrote it last
}

// Entry is a profile on the shelf.
type Entry struct {
	Name     string
	Modified int64  // ms since 1970
	Broken   string // why it cannot be read; "" if it can
	// Session says that it ends with the page: the browser refuses to keep it.
	Session bool
}

// ConflictError says that another tab has saved the same profile since this one read it.
type ConflictError struct{ Name string }

func (e *ConflictError) Error() string {
	return fmt.Sprintf("“%s” was changed in another tab since it was loaded here: load it again, save under another name, or save over it", e.Name)
}

// SessionError says that a profile is kept as long as the page is open, and why.
type SessionError struct{ Err error }

func (e *SessionError) Error() string {
	return "the browser refuses to keep it, so it is there until this page is closed: export it to keep it"
}

// Unwrap returns the browser's reason.
func (e *SessionError) Unwrap() error { return e.Err }

// MissingError says that there is no profile of a name.
type MissingError struct{ Name string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("there is no profile “%s” here any more", e.Name)
}

// BrokenError says that what is kept under a name is no profile.
type BrokenError struct {
	Name string
	Err  error
}

func (e *BrokenError) Error() string {
	return fmt.Sprintf("what is kept as the profile “%s” cannot be read (%v); it was left as it is", e.Name, e.Err)
}

// Unwrap returns what is wrong.
func (e *BrokenError) Unwrap() error { return e.Err }

// keyOf is where a profile stands. The index has the key of a profile of that name, which
// therefore has another.
func keyOf(name string) string {
	if key := ProfileOf + name; key != IndexKey {
		return key
	}
	return ProfileOf + "%69ndex"
}

// nameOf is the name of the profile under a key.
func nameOf(key string) (string, bool) {
	name, ok := strings.CutPrefix(key, ProfileOf)
	if !ok || key == IndexKey {
		return "", false
	}
	if name == "%69ndex" {
		name = "index"
	}
	return name, true
}

// stores are those that there are, the first to look in first.
func (s *Shelf) stores() []Store {
	if s.memory == nil {
		s.memory, s.seen = NewMemory(), map[string]string{}
	}
	out := make([]Store, 0, 3)
	for _, st := range []Store{s.Local, s.Large} {
		if st != nil {
			out = append(out, st)
		}
	}
	return append(out, s.memory)
}

// text returns what is kept under a name; the newest if it stands in several places, as a
// save that was cut short may leave it.
func (s *Shelf) text(name string) string {
	var best string
	var modified int64 = -1 << 63
	for _, st := range s.stores() {
		text, err := st.Get(keyOf(name))
		if err != nil || text == "" {
			continue
		}
		at := int64(-1<<63) + 1
		if p, _, err := profile.Decode([]byte(text)); err == nil {
			at = p.Modified
		}
		if at > modified {
			best, modified = text, at
		}
	}
	return best
}

// List returns what is on the shelf: the profiles, newest first, then what is broken. A
// store that cannot be read has nothing.
func (s *Shelf) List() []Entry {
	where := map[string]Store{}
	for _, st := range s.stores() {
		keys, err := st.Keys()
		if err != nil {
			continue
		}
		for _, k := range keys {
			if name, ok := nameOf(k); ok && where[name] == nil {
				where[name] = st
			}
		}
	}
	var out []Entry
	for name, st := range where {
		e := Entry{Name: name, Session: st == Store(s.memory)}
		p, _, err := profile.Decode([]byte(s.text(name)))
		if err != nil {
			e.Broken = err.Error()
		} else {
			e.Modified = p.Modified
		}
		out = append(out, e)
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		switch {
		case (a.Broken == "") != (b.Broken == ""):
			return a.Broken == ""
		case a.Modified != b.Modified:
			return a.Modified > b.Modified
		}
		return a.Name < b.Name
	})
	return out
}

// Has reports whether anything is kept under a name.
func (s *Shelf) Has(name string) bool { return s.text(name) != "" }

// Load returns the profile of a name, and what is wrong with it. The error is a
// *MissingError or a *BrokenError.
func (s *Shelf) Load(name string) (*profile.Profile, []profile.Problem, error) {
	text := s.text(name)
	if text == "" {
		return nil, nil, &MissingError{name}
	}
	p, problems, err := profile.Decode([]byte(text))
	if err != nil {
		return nil, nil, &BrokenError{name, err}
	}
	p.Name = name // the key is what it is called by
	s.seen[name] = text
	return p, problems, nil
}

// Save keeps a profile under its name. It is kept whole, or as it was before. force saves
// over what another tab has saved; otherwise that is a *ConflictError. A *SessionError
// says that it is kept until the page is closed only.
func (s *Shelf) Save(p *profile.Profile, force bool) error {
	raw, err := profile.EncodeBare(p)
	if err != nil {
		return err
	}
	s.stores()
	key, now := keyOf(p.Name), s.text(p.Name)
	if was, ok := s.seen[p.Name]; !force && now != "" && ok && was != now {
		return &ConflictError{p.Name}
	}
	if now != "" {
		if _, _, err := profile.Decode([]byte(now)); err != nil {
			s.putAside(p.Name, now)
		}
	}
	text := string(raw)
	kept, err := s.put(key, text)
	if err != nil && !errors.As(err, new(*SessionError)) {
		return err
	}
	// The same profile elsewhere is older now.
	for _, st := range s.stores() {
		if st != kept {
			if old, e := st.Get(key); e == nil && old != "" {
				_ = st.Remove(key) // else the newest is taken
			}
		}
	}
	s.seen[p.Name] = text
	s.writeIndex()
	return err
}

// put keeps a text in the first store that takes it.
func (s *Shelf) put(key, text string) (Store, error) {
	var why error
	order := []Store{s.Local, s.Large}
	if len(text) > small {
		order = []Store{s.Large, s.Local}
	}
	for _, st := range order {
		if st == nil {
			continue
		}
		err := st.Set(key, text)
		if err == nil {
			return st, nil
		}
		if why == nil {
			why = err
		}
	}
	if why == nil {
		why = errors.New("there is no storage")
	}
	_ = s.memory.Set(key, text)
	return s.memory, &SessionError{why}
}

// putAside keeps what is no profile, and would be written over, under a key of its own.
func (s *Shelf) putAside(name, text string) {
	for _, st := range []Store{s.Local, s.Large} {
		if st != nil && st.Set(asideKey+name, text) == nil {
			return
		}
	}
}

// Delete takes a profile away and returns what was kept, for Restore.
func (s *Shelf) Delete(name string) (text string, err error) {
	text = s.text(name)
	for _, st := range s.stores() {
		if old, e := st.Get(keyOf(name)); e != nil || old == "" {
			continue
		}
		if e := st.Remove(keyOf(name)); e != nil && err == nil {
			err = e
		}
	}
	delete(s.seen, name)
	s.writeIndex()
	return text, err
}

// Restore keeps a text under a name again.
func (s *Shelf) Restore(name, text string) error {
	s.stores()
	_, err := s.put(keyOf(name), text)
	s.seen[name] = text
	s.writeIndex()
	return err
}

// Rename gives a profile another name, which must be free. The old one goes when the new
// one is kept.
func (s *Shelf) Rename(old, name string) (*profile.Profile, error) {
	p, _, err := s.Load(old)
	if err != nil {
		return nil, err
	}
	p.Rename(name)
	if p.Name == old {
		return p, nil
	}
	if s.Has(p.Name) {
		return nil, fmt.Errorf("there is a profile “%s” already: choose another name", p.Name)
	}
	if err = s.Save(p, true); err != nil && !errors.As(err, new(*SessionError)) {
		return nil, err
	}
	if _, e := s.Delete(old); e != nil && err == nil {
		err = e
	}
	return p, err
}

// writeIndex writes the list of names for others that read it.
func (s *Shelf) writeIndex() {
	names := []string{}
	for _, e := range s.List() {
		if e.Broken == "" && !e.Session {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	if raw, err := json.Marshal(names); err == nil && s.Local != nil {
		_ = s.Local.Set(IndexKey, string(raw)) // only others need it
	}
}

// Active is the name of the profile that is shown; "" if none is. It never waits.
func (s *Shelf) Active() string {
	s.stores()
	if s.Local != nil {
		if name, err := s.Local.Get(ActiveKey); err == nil && name != "" {
			return name
		}
	}
	return s.memory.texts[ActiveKey]
}

// SetActive says which profile is shown; "" none. It never waits. kept is false if the
// store that answers at once refuses it: then KeepActive should be called.
func (s *Shelf) SetActive(name string) (kept bool) {
	s.stores()
	_ = s.memory.Remove(ActiveKey)
	if s.Local != nil {
		if name == "" && s.Local.Remove(ActiveKey) == nil || name != "" && s.Local.Set(ActiveKey, name) == nil {
			return true
		}
		_ = s.Local.Remove(ActiveKey) // the one before is not shown any more
	}
	if name != "" {
		_ = s.memory.Set(ActiveKey, name)
	}
	return false
}

// KeepActive keeps in Large which profile is shown, where Local refused it; kept is what
// SetActive said.
func (s *Shelf) KeepActive(name string, kept bool) {
	if s.Large == nil {
		return
	}
	if was, err := s.Large.Get(ActiveKey); err != nil || kept && was == "" {
		return
	}
	if kept || name == "" {
		_ = s.Large.Remove(ActiveKey)
		return
	}
	_ = s.Large.Set(ActiveKey, name) // it holds while the page is open
}

// KeptActive is Active, and looks in Large too.
func (s *Shelf) KeptActive() string {
	name := s.Active()
	if name == "" && s.Large != nil {
		name, _ = s.Large.Get(ActiveKey)
	}
	return name
}

// Heard tells that another tab has written a key. It returns the name of the profile that
// is another one now; "" if none is.
func (s *Shelf) Heard(key string) string {
	name, ok := nameOf(key)
	if !ok {
		return ""
	}
	s.stores()
	if was, read := s.seen[name]; !read || was == s.text(name) {
		return ""
	}
	return name
}
