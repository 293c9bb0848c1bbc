package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
)

// Store is one logdir, which may have several roots: its listing, and the files that
// the listing names.
type Store struct {
	roots []*root
	name  string        // shown
	page  api.Page      // goes into the listing
	rest  time.Duration // a listing younger than this is given out again

	last  atomic.Pointer[snapshot] // nil before the first walk
	early early
	doubt atomic.Bool // a file was found to be another than listed that is not asked at every walk

	mu     sync.Mutex
	flight *flight // the walk under way, or nil
}

// MinAge is how long a listing is given out again without a new walk: several
// tabs that reload at the same time cost one walk.
const MinAge = 250 * time.Millisecond

// flight is a walk that several requests may wait for.
type flight struct {
	done chan struct{}
	snap *snapshot
	err  error
}

// Close ends the use of the logdir. Files that are open stay so.
func (s *Store) Close() error {
	var all []error
	for _, r := range s.roots {
		if now := r.now.Load(); now != nil {
			all = append(all, now.tree.close())
		}
		r.mu.Lock()
		for _, sub := range r.subs {
			if now := sub.now.Load(); now != nil {
				all = append(all, now.tree.close())
			}
		}
		r.mu.Unlock()
	}
	return errors.Join(all...)
}

// snapshot returns a listing that is at most s.rest old. Callers that come while
// a walk is under way share it.
func (s *Store) snapshot(ctx context.Context) (*snapshot, error) {
	s.mu.Lock()
	if last := s.last.Load(); last != nil && time.Since(last.at) < s.rest {
		s.mu.Unlock()
		return last, nil
	}
	f := s.flight
	if f == nil {
		f = &flight{done: make(chan struct{})}
		s.flight = f
		go s.walk(f)
	}
	s.mu.Unlock()
	select {
	case <-f.done:
		return f.snap, f.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// walk makes a snapshot for f. It does not end with a request, since others may
// wait for it and the next one will want it anyway.
func (s *Store) walk(f *flight) {
	snap, err := s.everything(context.Background(), s.last.Load())
	if err != nil {
		f.err = &DirError{s.name, "cannot be read any more (" + reason(err) + ")", "check that it still exists and that its file system is there"}
	}
	f.snap = snap
	s.mu.Lock()
	if f.snap != nil {
		s.last.Store(f.snap)
	}
	s.early.end()
	s.flight = nil
	s.mu.Unlock()
	close(f.done)
}

// List returns the listing as it is now, with base as its Base and no batch URL,
// for a static host. The error is a *DirError.
func (s *Store) List(ctx context.Context, base string) (*api.Listing, error) {
	snap, err := s.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	l := &api.Listing{Logdir: s.name, Base: base, ETag: snap.tag, Page: s.page, Problems: snap.problems}
	for _, e := range snap.found {
		l.Files = append(l.Files, e.File)
	}
	return l, nil
}

// FileError says why a file is not given out.
type FileError struct {
	Path   string
	Err    error // fs.ErrNotExist, fs.ErrPermission or what the system said
	Remedy string
}

// Error names the path, the reason and the remedy.
func (e *FileError) Error() string { return e.Path + ": " + e.Err.Error() + ": " + e.Remedy }

// Unwrap gives the reason to errors.Is.
func (e *FileError) Unwrap() error { return e.Err }

// Open opens a file that the last listing names. It never makes a listing itself
// except the first, so that requests for unknown names cost nothing. The error is
// a *FileError.
func (s *Store) Open(ctx context.Context, path string) (*os.File, fs.FileInfo, error) {
	snap := s.last.Load()
	if snap == nil {
		// Before the first listing is complete, what it has named already.
		if part := s.early.given.Load(); part != nil {
			if _, ok := part.find(path); ok {
				snap = part
			}
		}
	}
	if snap == nil {
		var err error
		if snap, err = s.snapshot(ctx); err != nil {
			return nil, nil, &FileError{path, err, "reload the listing"}
		}
	}
	e, ok := snap.find(path)
	if !ok {
		return nil, nil, &FileError{path, fs.ErrNotExist, "only files that the listing names can be read; reload it"}
	}
	if e.root.leadsOut(e.real) {
		return nil, nil, &FileError{path, fs.ErrPermission, "it " + errLeadsOut.Error()}
	}
	// Look before opening: to open a device can already do something.
	tree := e.root.now.Load().tree
	fi, err := tree.stat(e.real)
	if err == nil && !fi.Mode().IsRegular() {
		return nil, nil, notRegular(path)
	}
	var f *os.File
	if err == nil {
		f, err = tree.open(e.real)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, &FileError{path, fs.ErrNotExist, "it was deleted since the last listing; reload it"}
	case errors.Is(err, fs.ErrPermission):
		return nil, nil, &FileError{path, fs.ErrPermission, "change its mode, or run as its owner"}
	case err != nil:
		return nil, nil, &FileError{path, errors.New(reason(err)), "check its file system"}
	}
	// And after it: it may have been replaced in between.
	if fi, err = f.Stat(); err != nil || !fi.Mode().IsRegular() {
		f.Close()
		return nil, nil, notRegular(path)
	}
	if listed := time.Unix(0, e.MTime); time.Since(listed) > restsAfter && api.VersionText(version(fi)) != e.Version {
		s.doubt.Store(true)
	}
	return f, fi, nil
}

// notRegular is for a listed file that something else has replaced: as gone as a
// deleted one.
func notRegular(path string) *FileError {
	return &FileError{path, fs.ErrNotExist, "it is not a regular file any more; reload the listing"}
}

// find looks a listed path up.
func (s *snapshot) find(path string) (entry, bool) {
	i, ok := slices.BinarySearchFunc(s.found, path, func(e entry, p string) int { return strings.Compare(e.Path, p) })
	if !ok {
		return entry{}, false
	}
	return s.found[i], true
}
