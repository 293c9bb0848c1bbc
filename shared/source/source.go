// Package source says where the bytes of a logdir come from, without saying how.
//
// A Logdir lists its files and reads ranges of them. There is one package per
// origin (the server or any static host, a dropped folder, the disk), and one
// suite, sourcetest, that each of them passes.
package source

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/api"
)

// Range is a stretch of one listed file. Offset and Length are bytes.
type Range struct {
	Path   string
	Offset int64
	Length int64
}

// Result is what a Read found for one range.
type Result struct {
	// Data are the bytes of the range, fewer if the file ends before. They may
	// be used only until the next Result.
	Data []byte
	// Size is the file's size in bytes when it was read; -1 if unknown.
	Size int64
	// Err says why the range could not be read. Data may hold what came before.
	// An error that wraps ErrGone means that the file is not there any more.
	Err error
}

// ErrGone says that a file that was listed is not there any more, or may not be
// read any more. What was read of it stays; it is looked for at each listing.
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
	// later, but not two at a time.
	//
	// A range that cannot be read is a Result with Err; an error of Read itself
	// says that reading as a whole cannot go on: the server is gone, or ctx ended.
	Read(ctx context.Context, ranges []Range) (iter.Seq2[int, Result], error)
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

// Opener opens a listed file for reading at any offset.
type Opener func(path string) (File, error)

// File is an open file.
type File interface {
	io.ReaderAt
	io.Closer
	Size() (int64, error)
}

// FromFiles is the Logdir of a file system that can open files: Lister lists it,
// Open opens one file.
type FromFiles struct {
	Lister func(ctx context.Context) (*api.Listing, error)
	Open   Opener

	buf []byte
}

// List implements Logdir.
func (s *FromFiles) List(ctx context.Context) (*api.Listing, error) { return s.Lister(ctx) }

// Read implements Logdir.
func (s *FromFiles) Read(ctx context.Context, ranges []Range) (iter.Seq2[int, Result], error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return func(yield func(int, Result) bool) {
		for i, r := range ranges {
			if !yield(i, s.read(r)) {
				return
			}
		}
	}, nil
}

func (s *FromFiles) read(r Range) Result {
	f, err := s.Open(r.Path)
	if err != nil {
		return Result{Size: -1, Err: err}
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return Result{Size: -1, Err: err}
	}
	n := min(r.Length, max(size-r.Offset, 0)) // never more than there is
	if int64(cap(s.buf)) < n {
		s.buf = make([]byte, n)
	}
	b := s.buf[:n]
	k, err := f.ReadAt(b, r.Offset)
	if err == io.EOF {
		err = nil
	}
	return Result{Data: b[:k], Size: size, Err: err}
}
