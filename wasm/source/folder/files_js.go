// Package folder reads a folder that the user dropped or picked. The page walks
// it (see Walker) and hands each file to a worker, which reads it (see Files).
package folder

import (
	"context"
	"fmt"
	"iter"
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

// Files reads files that the page handed over, in a worker. It reads them
// synchronously: measured in Chromium, FileReaderSync in two workers moves 800 to
// 1200 MB/s, and there is no request that could wait for another.
type Files struct {
	files  map[string]js.Value // File by path
	reader js.Value            // FileReaderSync
	buf    []byte
}

// NewFiles returns Files that holds none.
func NewFiles() *Files {
	return &Files{files: make(map[string]js.Value), reader: js.Global().Get("FileReaderSync").New()}
}

// Set hands over the file at path, or its newest snapshot: a File is what the
// file was when it was taken.
func (f *Files) Set(path string, file js.Value) { f.files[path] = file }

// List implements source.Logdir: the files that were handed over.
func (f *Files) List(context.Context) (*api.Listing, error) {
	l := &api.Listing{}
	for path, file := range f.files {
		l.Files = append(l.Files, api.File{Path: path, Size: int64(file.Get("size").Float()), MTime: int64(file.Get("lastModified").Float()), Kind: api.Event})
	}
	return l, nil
}

// Read implements source.Logdir.
func (f *Files) Read(ctx context.Context, ranges []source.Range) (iter.Seq2[int, source.Result], error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return func(yield func(int, source.Result) bool) {
		for i, r := range ranges {
			if !yield(i, f.read(r)) {
				return
			}
		}
	}, nil
}

func (f *Files) read(r source.Range) source.Result {
	file, ok := f.files[r.Path]
	if !ok {
		return source.Result{Size: -1, Err: source.ErrGone}
	}
	buffer, err := bridge.Try(func() js.Value {
		return f.reader.Call("readAsArrayBuffer", file.Call("slice", r.Offset, r.Offset+r.Length))
	})
	if err != nil {
		switch bridge.NameOf(err) {
		case "NotFoundError", "NS_ERROR_FILE_NOT_FOUND": // the latter is Firefox's
			err = source.ErrGone
		case "NotReadableError":
			// It changed since the snapshot was taken; the next walk takes a new one.
			err = fmt.Errorf("the file changed while it was read: %w", source.ErrAgain)
		}
		return source.Result{Size: -1, Err: err}
	}
	n := buffer.Get("byteLength").Int()
	if cap(f.buf) < n {
		f.buf = make([]byte, n)
	}
	b := f.buf[:n]
	bridge.Copy(b, buffer, 0)
	bridge.Free(buffer)
	return source.Result{Data: b, Size: -1}
}
