// Package source says where the bytes of a logdir come from, without saying how.
//
// A Logdir lists its files and reads ranges of them. There is one package per
// origin (the server or any static host, a dropped folder, the disk), and one
// suite, sourcetest, that each of them passes.
package source

import (
	"context"
	"errors"
	"iter"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/api"
)

// Range is a stretch of one listed file. Offset and Length are bytes.
type Range struct {
	Path   string
	Offset int64
	Length int64
	// Size is the file's size as it was listed, in bytes; 0 if that is not known. An
	// answer that does not say of which part of the file it is can be held against it.
	Size int64
	// Again says that the bytes have been read before, and that they will be held against the
	// version that they were read in: an origin may give them from a copy that it has, with the
	// version of that.
	Again bool
}

// Result is what a Read found for one range.
//
// Without Err it is proven: Data are the bytes of the range, all of them, and of one
// version of the file. They are fewer only where the origin says that the file ends
// before: then Size is known, and not beyond Offset plus their number. An answer that
// is merely short is an Err.
type Result struct {
	// Data may be used only until the next Result, of this Read or of another one.
	Data []byte
	// Size is the file's size in bytes when it was read; -1 if unknown.
	Size int64
	// Version tells the file that Data are of from what it was before and will be; ""
	// if the origin knows none. It changes when the file grows, too.
	Version string
	// Err says why the range could not be read; Data is empty then. It is an *Error
	// where the origin knows more than that.
	Err error
}

// ErrGone says that a file that was listed is not there any more. What was read of it
// stays; it is looked for at each listing.
var ErrGone = errors.New("the file is gone")

// ErrAgain says that the same read may well succeed if it is tried again.
var ErrAgain = errors.New("try again")

// Logdir is a directory of event files somewhere.
type Logdir interface {
	// List names the files that there are now. The paths of two calls are equal
	// for equal files.
	List(ctx context.Context) (*api.Listing, error)
	// Read asks for ranges and waits until their bytes are at hand. The sequence
	// that it returns gives the Result of each range in order, and must be used
	// once at most. Several Reads may be under way, and their sequences be used
	// later and by turns, but on one goroutine at a time.
	//
	// A range that cannot be read is a Result with Err; an error of Read itself
	// says that reading as a whole cannot go on: the server is gone, or ctx ended.
	Read(ctx context.Context, ranges []Range) (iter.Seq2[int, Result], error)
}

// Pace says how much to ask for at a time.
type Pace struct {
	Jobs  int   // Reads under way
	Bytes int64 // of each, about
	Files int   // of each, at most
}

// Paced is a Logdir that knows how much of it to ask for at a time.
type Paced interface {
	Pace() Pace
	// Slow reports whether bytes come more slowly than they can be used.
	Slow() bool
}

// RunOf returns the run of the event file at path: its directory relative to the
// logdir, "." for the logdir itself.
func RunOf(path string) string {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "."
	}
	return path[:i]
}

// HasData reports whether an event file is read. Names that end in
// ".profile-empty" only say that their directory is a run.
func HasData(path string) bool { return !strings.HasSuffix(path, ".profile-empty") }
