package engine

import (
	"errors"
	"fmt"
	"path"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/kind/files"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

// Beside is a file beside a run's event files.
type Beside struct {
	Path string
	Size int64
	// Version is text that changes with the file.
	Version string
}

// Beside lists the files of that name that stand in directories of runs, by run.
func (e *Engine) Beside(name string) map[string]Beside {
	out := map[string]Beside{}
	if e.Last() == nil {
		return out
	}
	for _, f := range e.Last().Files {
		if f.Kind == api.Companion && path.Base(f.Path) == name {
			out[source.RunOf(f.Path)] = Beside{f.Path, f.Size, fmt.Sprintf("%d %d %d %s", e.Gen(), f.Size, f.MTime, f.Version)}
		}
	}
	return out
}

// FileError says why a file beside event files could not be read.
type FileError struct {
	What string
	// Again says that it may be read another time: what stood in the way may pass.
	Again bool
}

func (e *FileError) Error() string { return e.What }

// IsAgain reports whether an error of ReadFiles may pass.
func IsAgain(err error) bool {
	var f *FileError
	return errors.As(err, &f) && f.Again
}

// File is what was read of a file.
type File struct {
	Bytes []byte // from its beginning; nil if Err
	Err   error  // a *FileError
}

// ReadFiles reads files beside event files, as the workers read everything: of one version,
// tried again, and no more than most bytes of each. It must be called on a goroutine.
func (e *Engine) ReadFiles(paths []string, most int64) []File {
	got := make(chan Reply, 2)
	e.Ask(files.Query{Max: most}.For(paths...), func(r Reply) { got <- r })
	r := <-got
	read := make(map[string]File, len(paths))
	for _, c := range r.Chunks {
		for _, p := range Parts[files.Part](c) {
			f := File{Bytes: make([]byte, p.Length)}
			if p.Error != "" {
				f = File{Err: &FileError{p.Path + " could not be read: " + p.Error, p.Again}}
			} else {
				bridge.Copy(f.Bytes, c.Buffer, p.Offset)
			}
			read[p.Path] = f
		}
	}
	out := make([]File, len(paths))
	for i, p := range paths {
		f, ok := read[p]
		if !ok { // its reader has ended, or another logdir has been opened
			f.Err = &FileError{p + " could not be read: its reader has ended", true}
		}
		out[i] = f
	}
	return out
}
