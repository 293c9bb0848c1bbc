package summary

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// counter tells apart the files that one process opens within a second.
var counter atomic.Int64

// NewWriter creates the run directory dir if needed, and in it a new event file
//
//	events.out.tfevents.<seconds since 1970, 10 digits>.<host>.<process>.<count><suffix>
//
// whose first event is FileVersion. It never opens a file that exists. The name
// is TensorBoard's (tensorboard/summary/writer/event_file_writer.py); files of
// a run are read in the order of their names. Errors are of type *WriteError.
func NewWriter(dir string, opts Options) (*Writer, error) {
	if dir == "" {
		dir = "."
	}
	name := opts.FileName
	if name == "" {
		host, err := os.Hostname()
		if err != nil || host == "" {
			host = "localhost"
		}
		// A host name with a separator or NUL in it would be another path.
		host = strings.NewReplacer("/", "_", "\\", "_", "\x00", "_").Replace(host)
		now := time.Now
		if opts.Clock != nil {
			now = opts.Clock
		}
		name = fmt.Sprintf("events.out.tfevents.%010d.%s.%d.%d%s",
			now().Unix(), host, os.Getpid(), counter.Add(1)-1, opts.Suffix)
	}
	path := filepath.Join(dir, name)
	if filepath.Base(path) != name {
		return nil, &WriteError{"create", path, errors.New("the file name or suffix holds a path separator")}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, &WriteError{"create", dir, err}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, &WriteError{"create", path, err}
	}
	w := newWriter(&file{f}, dir, opts)
	// A reader that lists the directory now should find the run, and a full
	// disk should be known now.
	if err := w.Flush(); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// Path returns the event file's path, or "" for a Writer on an io.Writer.
func (w *Writer) Path() string { return w.out.path() }

// file is a sink on disk.
type file struct{ f *os.File }

func (o *file) Write(b []byte) (int, error) { return o.f.Write(b) }
func (o *file) close() error                { return o.f.Close() }
func (o *file) path() string                { return o.f.Name() }

// check asks whether the path still names the file that is being written.
func (o *file) check() error {
	named, err := os.Stat(o.f.Name())
	if err != nil {
		return err
	}
	mine, err := o.f.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(named, mine) {
		return &fs.PathError{Op: "find", Path: o.f.Name(), Err: errors.New("another file has taken its place")}
	}
	return nil
}
