package projector

import (
	"path"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// Listed is a file beside event files as the page lists it; a local one has a path that begins with
// "local:".
type Listed struct {
	Path    string  `json:"path"`
	Size    int64   `json:"size"`
	MTime   float64 `json:"mtime"`
	Version string  `json:"version"`
}

// Port reads files for a Service: from the page, or from disk. It may block.
type Port interface {
	Read(path string, from, n int64) ([]byte, error)
}

// file is a listed file as readers read it.
type file struct {
	s  *Service
	is Listed
}

func (f file) Path() string { return f.is.Path }
func (f file) Size() int64  { return f.is.Size }

// Read lets others work while it waits.
func (f file) Read(from, n int64) ([]byte, error) {
	if from < 0 || n < 0 || from > f.is.Size {
		return nil, tensor.Wrong("torn", f.is.Path, "Copy it again, or wait until it is written.", "The file ends before byte %d.", from)
	}
	n = min(n, f.is.Size-from)
	if n == 0 {
		return nil, nil
	}
	f.s.turn.Unlock()
	b, err := f.s.port.Read(f.is.Path, from, n)
	f.s.turn.Lock()
	f.s.read += int64(len(b))
	return b, err
}

const local = "local:"

// file returns a listed file.
func (s *Service) file(p string) (file, bool) {
	is, ok := s.local[p]
	if !ok {
		is, ok = s.listed[p]
	}
	return file{s, is}, ok
}

// runOf is the run that files of a directory belong to: the directory, without that of the
// plug-in.
func runOf(p string) string {
	if strings.HasPrefix(p, local) {
		return ""
	}
	dir := path.Dir(p)
	if base := path.Base(dir); base == "org_tensorflow_tensorboard_projector" {
		dir = path.Dir(dir)
		if path.Base(dir) == "plugins" {
			dir = path.Dir(dir)
		}
	}
	return dir
}
