package source

import "time"

// Trouble is the kind of an Error: what can be hoped for.
type Trouble int

const (
	// Broken: what came is not, or not all of, what was asked for. Another try may
	// bring it.
	Broken Trouble = iota
	// Silent: the origin does not answer at all.
	Silent
	// Busy: the origin asks for patience, or has trouble of its own.
	Busy
	// Changed: the file is another one, or shorter, than what was listed or read.
	Changed
	// Gone: the file is not there.
	Gone
	// Refused: the origin does not hand the file out, or answers with something that
	// is no part of it.
	Refused
)

// Error says why a range could not be read.
type Error struct {
	Trouble Trouble
	Reason  string        // what is wrong, in the origin's own words if it has some
	Remedy  string        // what the user can do; "" = nothing but to wait
	After   time.Duration // how long the origin asks to wait before the next try; 0 = it does not
}

// Error names the reason and the remedy.
func (e *Error) Error() string {
	if e.Remedy == "" {
		return e.Reason
	}
	return e.Reason + ": " + e.Remedy
}

// Is makes a file that is gone an ErrGone and everything that may pass an ErrAgain.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrGone:
		return e.Trouble == Gone
	case ErrAgain:
		return e.Trouble == Broken || e.Trouble == Silent || e.Trouble == Busy || e.Trouble == Changed
	}
	return false
}
