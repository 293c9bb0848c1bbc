package profiles

import (
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/shared/session"
)

// A view comes from the first of these that there is:
//
//  1. the address: what it names, and a profile in it;
//  2. the active profile of this browser;
//  3. the default profile of the logdir;
//  4. what this browser was left with.
//
// The view that a profile was shown with and that was changed since is kept as it is: a
// page that is loaded anew shows what it showed, marked as changed.

// Kinds of what session.Profile says.
const (
	OfSaved   = "saved"
	OfDefault = "default"
	OfLink    = "link"
)

// Of makes the value of session.Profile.
func Of(kind, name string) string { return kind + ":" + name }

// Origin reads the value of session.Profile.
func Origin(s *session.State) (kind, name string) {
	kind, name, _ = strings.Cut(session.Profile.Of(s), ":")
	return kind, name
}

// Begin returns the view that the page begins with, before its address is looked at. kept
// is what the browser was left with. saved is the active profile, nil if there is none or
// it cannot be read (yet); name is its name, "" if none is active.
func Begin(l session.Schema, kept *session.State, name string, saved *profile.Profile) session.State {
	kind, of := Origin(kept)
	switch {
	case name == "" && kind == OfSaved:
		// Another tab, or TensorBored, has left it.
		next := kept.Clone()
		session.Profile.Reset(&next)
		return next
	case name == "" || kind == OfSaved && of == name || saved == nil:
		return kept.Clone()
	}
	next := Apply(l, saved, kept, nil)
	session.Profile.Set(&next, Of(OfSaved, name))
	return next
}

// Decision is what to do about the default profile of a logdir.
type Decision int

const (
	// Leave: another profile is shown, or the user does not want it.
	Leave Decision = iota
	// Show it.
	Show
	// Same: it is what is shown already, changed or not.
	Same
	// Ask: it is another one than that which is shown, and the view was changed.
	Ask
)

// Default decides about the default profile p of the logdir that is open. base is the one
// that the view on screen is of, if it is of a default profile.
func Default(l session.Schema, s *session.State, p, base *profile.Profile) Decision {
	kind, _ := Origin(s)
	switch {
	case kind == OfSaved || kind == OfLink || session.NoDefault.Of(s):
		return Leave
	case kind != OfDefault || base == nil:
		return Show
	case p.Name == base.Name && len(profile.Diff(base, p)) == 0:
		return Same
	case len(Changes(l, base, s)) == 0:
		return Show
	}
	return Ask
}

// Without returns the view s without what the profile p brought to it: what is still as p says
// becomes as it is in own, the view before. What was changed since stays, and so does what
// belongs to the logdir.
func Without(l session.Schema, p *profile.Profile, s, own *session.State) session.State {
	shown, next := Apply(l, p, s, nil), s.Clone()
	for _, d := range l {
		if d.Scope() == session.View && d != session.Board.Decl && d.Same(&shown, s) {
			d.Copy(&next, own)
		}
	}
	session.Profile.Reset(&next)
	return next
}
