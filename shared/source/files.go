package source

import (
	"context"
	"io"
	"iter"

	"github.com/tensorbored/tensorbored-static/shared/api"
)

// Opener opens a listed file for reading at any offset.
type Opener func(path string) (File, error)

// File is an open file.
type File interface {
	io.ReaderAt
	io.Closer
	// Size returns the file's present size in bytes and its present version, as
	// Result.Version.
	Size() (size int64, version string, err error)
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
	size, version, err := f.Size()
	if err != nil {
		return Result{Size: -1, Err: err}
	}
	n := min(r.Length, max(size-r.Offset, 0)) // never more than there is
	if int64(cap(s.buf)) < n {
		s.buf = make([]byte, n)
	}
	b := s.buf[:n]
	k, err := f.ReadAt(b, r.Offset)
	if int64(k) == n {
		return Result{Data: b, Size: size, Version: version}
	}
	if err == nil || err == io.EOF {
		err = &Error{Trouble: Changed, Reason: "the file became shorter while it was read"}
	}
	return Result{Size: -1, Err: err}
}
