package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// Source gives the logdir to programs that read it themselves, by the same listing
// and the same rules for links as the server: what they read is what the page
// would be handed.
func (s *Store) Source() source.Logdir {
	return &source.FromFiles{
		Lister: func(ctx context.Context) (*api.Listing, error) { return s.List(ctx, "") },
		Open:   s.open,
	}
}

// open opens a listed file. What the server answers with 403 or 404 is gone.
func (s *Store) open(path string) (source.File, error) {
	f, err := s.Open(context.Background(), path)
	if err == nil && f.onDisk != nil {
		return file{f.onDisk}, nil
	}
	if err == nil {
		return listedObject{f}, nil
	}
	var fe *FileError
	if errors.As(err, &fe) && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)) {
		return nil, fmt.Errorf("%w (%v): %s", source.ErrGone, fe.Err, fe.Remedy)
	}
	return nil, err
}

// file is an open file as readers of ranges want it.
type file struct{ *os.File }

// Size returns the file's present size in bytes, and its version as it is listed.
func (f file) Size() (int64, string, error) {
	fi, err := f.Stat()
	if err != nil {
		return 0, "", err
	}
	return fi.Size(), api.VersionText(version(fi)), nil
}

// listedObject is the same of an object, which is the one that was listed or fails.
type listedObject struct{ *File }

// Size returns what the listing said.
func (f listedObject) Size() (int64, string, error) { return f.size, f.Version, nil }
