package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/server/archive"
	"github.com/tensorbored/tensorbored-static/server/files"
)

// store is an object store that logdirs can be in.
type store struct {
	scheme, tag, name string
	// open opens a place in it; nil: this program was built without. See stores_s3.go and
	// its neighbours.
	open func(ctx context.Context, address string) (files.Origin, error)
}

var stores = []*store{
	{scheme: "s3", tag: "s3", name: "S3"},
	{scheme: "gs", tag: "gcs", name: "Google Cloud Storage"},
	{scheme: "azblob", tag: "azure", name: "Azure Blob Storage"},
}

// storeNamed is the store of a scheme.
func storeNamed(scheme string) *store {
	return stores[slices.IndexFunc(stores, func(s *store) bool { return s.scheme == scheme })]
}

// storeOf is the store of an address. The error is a *SpecError.
func storeOf(address string) (*store, error) {
	name, _, _ := strings.Cut(address, "://")
	i := slices.IndexFunc(stores, func(s *store) bool { return s.scheme == name })
	if i < 0 {
		return nil, &SpecError{bare(address), "is an address that nothing here reads",
			"mount or copy it; of object stores s3://, gs:// and azblob:// are known"}
	}
	if s := stores[i]; s.open == nil {
		return nil, &SpecError{bare(address), "is in " + s.name + ", and this program was built without " + s.tag,
			"build one with: make clouds, or go build -tags " + s.tag + " ./cmd/tensorbored-static"}
	}
	return stores[i], nil
}

// isAddress reports whether a logdir is one, and no path.
func isAddress(dir string) bool { return scheme.MatchString(dir) }

// bare is an address without its options, for everybody to see.
func bare(address string) string {
	address, _, _ = strings.Cut(address, "?")
	return address
}

// openTimeout is how long it may take to find credentials.
const openTimeout = 30 * time.Second

// openRoots opens roots that logdirRoots made, each where it is.
func openRoots(roots []files.Root, o files.Options) (*files.Store, error) {
	ctx, cancel := context.WithTimeout(context.Background(), openTimeout)
	defer cancel()
	roots = slices.Clone(roots)
	for i := range roots {
		r := &roots[i]
		if r.Origin == nil && archive.Is(r.Dir) {
			r.Origin = archive.Open(r.Dir)
		}
		if r.Origin != nil || !isAddress(r.Dir) {
			continue
		}
		s, err := storeOf(r.Dir)
		if err == nil {
			r.Origin, err = s.open(ctx, r.Dir)
		}
		if err != nil {
			for _, r := range roots[:i] {
				if r.Origin != nil {
					r.Origin.Close()
				}
			}
			return nil, err
		}
		r.Dir = bare(r.Dir)
	}
	return files.OpenRoots(roots, o)
}

// openOne opens one logdir.
func openOne(logdir string, follow bool) (*files.Store, error) {
	dir := expandHome(logdir)
	return openRoots([]files.Root{{Dir: dir}}, files.Options{Name: displayName(logdir), Follow: follow})
}

// signing has browsers read the files of object stores there, and returns the origins that
// the page is sent to for it.
func signing(store *files.Store) ([]string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), openTimeout)
	defer cancel()
	origins, err := store.LinkOrigins(ctx)
	if err == nil && len(origins) == 0 {
		err = errors.New("the logdir is in no object store: leave --read out")
	}
	if err != nil {
		return nil, fmt.Errorf("--read signed: %w", err)
	}
	return origins, nil
}

// storeName is the part of an address that a root is called by.
func storeName(address string) string {
	_, rest, _ := strings.Cut(bare(address), "://")
	return cmp.Or(strings.Trim(rest, "/"), address)
}
