package files

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tensorbored/tensorbored-static/server/clock"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// Store is one logdir, which may have several roots: its listing, and the files that
// the listing names.
type Store struct {
	roots []*root
	name  string        // shown
	page  api.Page      // goes into the listing
	rest  time.Duration // a listing younger than this is given out again

	last   atomic.Pointer[snapshot] // nil before the first walk
	early  early
	doubt  atomic.Bool // a file was found to be another than listed that is not asked at every walk
	stale  atomic.Bool // the same of an object: the next listing is a new one
	forced atomic.Bool // the next listing is a new one at once
	links  bool        // browsers are sent to the store's own addresses

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
		if r.Origin != nil {
			all = append(all, r.Origin.Close())
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

// snapshot returns a listing that is not older than age allows. Callers that come while
// a walk is under way share it.
func (s *Store) snapshot(ctx context.Context) (*snapshot, error) {
	s.mu.Lock()
	if last := s.last.Load(); last != nil && clock.Since(last.at) < s.age(last) {
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
	begun := clock.Now()
	s.stale.Store(false)
	s.forced.Store(false)
	snap, err := s.everything(context.Background(), s.last.Load())
	var said *source.Error
	switch {
	case errors.As(err, &said):
		f.err = &DirError{s.name, "cannot be listed (" + said.Reason + ")", cmp.Or(said.Remedy, "it is tried again by itself")}
	case err != nil:
		f.err = &DirError{s.name, "cannot be read any more (" + reason(err) + ")", "check that it still exists and that its file system is there"}
	}
	if snap != nil {
		snap.took = clock.Since(begun)
	} else {
		s.forced.Store(true) // the one before counts for nobody who asks anew
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

// content is what can be read of a file.
type content interface {
	io.ReadSeeker
	io.ReaderAt
	io.Closer
}

// File is a file that is open.
type File struct {
	content
	size    int64
	version uint64
	// Version is what the listing of now would say.
	Version string

	object *object // of an origin; nil: it is on this machine
	onDisk *os.File
}

// Size returns the file's length in bytes when it was opened.
func (f *File) Size() int64 { return f.size }

// Name returns its path on this machine; "" if it is not there.
func (f *File) Name() string {
	if f.onDisk == nil {
		return ""
	}
	return f.onDisk.Name()
}

// Reader is what it is read by where the system has a quick way to copy files.
func (f *File) Reader() io.Reader { return f.content }

// Open opens a file that the last listing names. It never makes a listing itself
// except the first, so that requests for unknown names cost nothing. The error is
// a *FileError.
func (s *Store) Open(ctx context.Context, path string) (*File, error) {
	e, err := s.entry(ctx, path)
	if err != nil {
		return nil, err
	}
	if e.root.Origin != nil {
		return s.openObject(ctx, e), nil
	}
	if e.root.leadsOut(e.real) {
		return nil, &FileError{path, fs.ErrPermission, "it " + errLeadsOut.Error()}
	}
	// Look before opening: to open a device can already do something.
	tree := e.root.now.Load().tree
	fi, err := tree.stat(e.real)
	if err == nil && !fi.Mode().IsRegular() {
		return nil, notRegular(path)
	}
	var f *os.File
	if err == nil {
		f, err = tree.open(e.real)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &FileError{path, fs.ErrNotExist, "it was deleted since the last listing; reload it"}
	case errors.Is(err, fs.ErrPermission):
		return nil, &FileError{path, fs.ErrPermission, "change its mode, or run as its owner"}
	case err != nil:
		return nil, &FileError{path, errors.New(reason(err)), "check its file system"}
	}
	// And after it: it may have been replaced in between.
	if fi, err = f.Stat(); err != nil || !fi.Mode().IsRegular() {
		f.Close()
		return nil, notRegular(path)
	}
	v := version(fi)
	if listed := time.Unix(0, e.MTime); clock.Since(listed) > restsAfter && api.VersionText(v) != e.Version {
		s.doubt.Store(true)
	}
	return &File{content: f, size: fi.Size(), version: v, Version: api.VersionText(v), onDisk: f}, nil
}

// entry looks a path up in the last listing. The error is a *FileError.
func (s *Store) entry(ctx context.Context, path string) (entry, error) {
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
			return entry{}, &FileError{path, err, "reload the listing"}
		}
	}
	e, ok := snap.find(path)
	if !ok {
		return e, &FileError{path, fs.ErrNotExist, "only files that the listing names can be read; reload it"}
	}
	return e, nil
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
