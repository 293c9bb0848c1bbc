package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/profile"
)

// DefaultProfile opens the default profile of the first root that has one. It is
// fs.ErrNotExist if none has.
func (s *Store) DefaultProfile(ctx context.Context) (io.ReadCloser, error) {
	if _, err := s.snapshot(ctx); err != nil { // it may have come since the last one
		return nil, err
	}
	for _, r := range s.roots {
		f, err := s.Open(ctx, path.Join(r.Name, profile.DefaultPath))
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return nil, fs.ErrNotExist
}

// pageWith is what the page is asked to do, with the place of the default profile where
// the page does not look by itself.
func (s *Store) pageWith(found []entry) api.Page {
	page := s.page
	for _, r := range s.roots {
		p := path.Join(r.Name, profile.DefaultPath)
		if r.Name == "" || r.isPattern() {
			continue
		}
		if _, ok := (&snapshot{found: found}).find(p); ok {
			page.Profile = p
			break
		}
	}
	return page
}

// ProfileDir is the directory that a default profile is written to: the first root that
// is a directory and is there; "" if none is.
func (s *Store) ProfileDir() string {
	for _, r := range s.roots {
		if r.Origin != nil || r.isPattern() || r.look() != nil {
			continue
		}
		if now := r.now.Load(); now != nil && now.file == "" {
			return r.Dir
		}
	}
	return ""
}

// Look makes the next listing one of what there is then.
func (s *Store) Look() {
	if s.Remote() { // what is listed can be read until there is another listing
		s.forced.Store(true)
		return
	}
	s.mu.Lock()
	s.last.Store(nil)
	s.mu.Unlock()
}

// leadsOut reports whether a path is that of a default profile that a link leads to, out
// of its root. Links to runs are followed, since users gather runs so; but everybody who
// opens a logdir is shown its default profile, so whoever may write to it could show them
// any file that the server can read.
func (r *root) leadsOut(p string) bool {
	now := r.now.Load()
	if now == nil || !now.tree.follows() || p != profile.DefaultPath && !strings.HasSuffix(p, "/"+profile.DefaultPath) {
		return false
	}
	tree, ok := now.tree.(linked)
	if !ok {
		return false
	}
	top, err := filepath.EvalSymlinks(string(tree))
	if err != nil {
		return true
	}
	at, err := filepath.EvalSymlinks(tree.path(p))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	rel, err := filepath.Rel(top, at)
	return err != nil || !filepath.IsLocal(rel)
}

// errLeadsOut is why such a file is not given out.
var errLeadsOut = errors.New("is a link out of the logdir, and a default profile must stand in it: copy it there")
