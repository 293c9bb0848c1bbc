// Package outfile writes a file that the user has named, so that a name given by
// mistake costs nothing.
//
// Event files, and anything inside the logdir, are never replaced. Another file that
// stands there is replaced if it is one that the same command wrote, and otherwise if
// the user forces it. A link is followed, and what it leads to is treated so. What is
// no regular file (a FIFO, a terminal, /dev/null, /dev/stdout) is written to and stays
// what it is. A regular file is written beside its place and gets its name when it is
// whole, with the mode and the owner of the one that it replaces (package part).
package outfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/server/part"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

// Rules say what may be replaced.
type Rules struct {
	// Logdirs are directories, event files and patterns (path/filepath.Match) that
	// nothing is written into.
	Logdirs []string
	// Ours reports whether a file that is not empty is one that the command wrote.
	Ours func(f io.ReaderAt, size int64) bool
	// Force replaces other files too, but no event file and nothing in a logdir.
	Force bool
}

// RefusedError says why nothing is written to a name.
type RefusedError struct {
	Name   string
	Reason string
	Remedy string
}

// Error names the file, the reason and the remedy.
func (e *RefusedError) Error() string { return e.Name + " " + e.Reason + ": " + e.Remedy }

// Place is where a file will be written.
type Place struct {
	name    string // as the user gave it
	at      string // where that leads, through links
	rules   Rules
	through bool // it is no regular file
	fd      int  // of this process, which the name stands for; -1: none
}

// Check finds out where a name leads and whether it may be written to. It changes
// nothing. The error is a *RefusedError, or what the system said.
func Check(name string, rules Rules) (*Place, error) {
	if name == "" {
		return nil, &RefusedError{"the file", "has no name", "give one"}
	}
	p := &Place{name: name, rules: rules, fd: descriptor(name)}
	if p.fd >= 0 {
		p.through = true
		return p, nil
	}
	var err error
	if p.at, err = target(name); err != nil {
		return nil, err
	}
	_, err = p.standing()
	return p, err
}

// Through reports whether what stands there is no regular file, such as a pipe or a
// terminal, and is written to as it is.
func (p *Place) Through() bool { return p.through }

// descriptor is the number of an open file of this process that a name stands for, as
// /dev/stdout does; -1 if it is none.
func descriptor(name string) int {
	switch name {
	case "/dev/stdin", "/dev/stdout", "/dev/stderr":
		return map[string]int{"in": 0, "out": 1, "err": 2}[name[len("/dev/std"):]]
	}
	for _, dir := range []string{"/dev/fd/", "/proc/self/fd/", "/proc/" + strconv.Itoa(os.Getpid()) + "/fd/"} {
		if rest, ok := strings.CutPrefix(name, dir); ok {
			if n, err := strconv.Atoi(rest); err == nil && n >= 0 {
				return n
			}
		}
	}
	return -1
}

// target is the path that a name leads to: of links what they lead to, whether it is
// there or not.
func target(name string) (string, error) {
	at := name
	for range 40 { // as many as Linux follows
		fi, err := os.Lstat(at)
		if err != nil || fi.Mode()&fs.ModeSymlink == 0 {
			break
		}
		to, err := os.Readlink(at)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Dir(at) + string(filepath.Separator) + to // not joined: .. is of what the link leads to
		}
		at = to
	}
	base := filepath.Base(at)
	if base == "." || base == ".." || base == string(filepath.Separator) || strings.HasSuffix(at, string(filepath.Separator)) {
		return "", &RefusedError{name, "is a directory", "give the name of a file"}
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(at))
	if err != nil {
		return "", fmt.Errorf("the directory of %s: %w", name, err)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", err
	}
	return filepath.Join(dir, base), nil
}

// standing applies the rules to what stands at the place now, and returns it; nil if
// nothing does.
func (p *Place) standing() (fs.FileInfo, error) {
	fi, err := os.Lstat(p.at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		fi = nil
	case err != nil:
		return nil, err
	case fi.IsDir():
		return nil, &RefusedError{p.name, "is a directory", "give the name of a file"}
	case fi.Mode()&fs.ModeSymlink != 0: // too many, or it has just come
		return nil, &RefusedError{p.name, "is a link that leads to no end", "give the name of a file"}
	case fi.Mode()&fs.ModeSocket != 0 || fi.Mode()&fs.ModeDevice != 0 && fi.Mode()&fs.ModeCharDevice == 0:
		return nil, &RefusedError{p.name, "is a disk or a socket", "give the name of a file"}
	case !fi.Mode().IsRegular():
		p.through = true
		return fi, nil
	}
	p.through = false
	if dir := p.inside(); dir != "" {
		return nil, &RefusedError{p.name, "is inside the logdir " + dir, "give a name elsewhere, a logdir is only read"}
	}
	if api.KindOf("", filepath.Base(p.at), false) == api.Event {
		return nil, &RefusedError{p.name, "has the name of an event file", "give a name without \"tfevents\""}
	}
	if fi == nil {
		return nil, nil
	}
	f, err := os.Open(p.at)
	if err != nil {
		if p.rules.Force && errors.Is(err, fs.ErrPermission) {
			return fi, nil
		}
		return nil, err
	}
	defer f.Close()
	if eventFile(f) {
		return nil, &RefusedError{p.name, "is an event file", "give another name"}
	}
	if p.rules.Force {
		return fi, nil
	}
	if fi.Size() > 0 && (p.rules.Ours == nil || !p.rules.Ours(f, fi.Size())) {
		return nil, &RefusedError{p.name, "is there already, and this command did not write it", "give another name, or --force to replace it"}
	}
	if fi.Mode()&0o222 == 0 {
		return nil, &RefusedError{p.name, "is there already, and may not be written to", "give another name, or --force to replace it"}
	}
	return fi, nil
}

// eventFile reports whether a file begins with a record's length and its checksum.
func eventFile(f io.ReaderAt) bool {
	head := make([]byte, tfrecord.HeaderSize)
	n, _ := f.ReadAt(head, 0)
	return tfrecord.Find(head[:n], 0) == 0
}

// inside is the logdir that the place is in, or that it is; "" if none.
func (p *Place) inside() string {
	for _, given := range p.rules.Logdirs {
		all := []string{given}
		if _, err := os.Lstat(given); err != nil {
			all, _ = filepath.Glob(given)
		}
		for _, dir := range all {
			fi, err := os.Stat(dir)
			if err != nil {
				continue
			}
			for at := p.at; ; at = filepath.Dir(at) {
				if other, err := os.Stat(at); err == nil && os.SameFile(fi, other) {
					return given
				}
				if at == filepath.Dir(at) {
					break
				}
			}
		}
	}
	return ""
}

// File is a file that is being written. Commit ends it well, Discard otherwise.
type File struct {
	io.Writer
	place *Place
	out   *os.File   // what is written through
	part  *part.File // what is written beside its place
	root  *os.Root   // its directory
	stop  func() bool
}

// Create begins to write. With ctx ends what is waited for: a FIFO that nobody reads,
// for example.
func (p *Place) Create(ctx context.Context) (*File, error) {
	if p.through {
		return p.open(ctx)
	}
	was, err := p.standing()
	if err != nil || p.through {
		if err == nil {
			return p.open(ctx)
		}
		return nil, err
	}
	f := &File{place: p}
	if f.root, err = os.OpenRoot(filepath.Dir(p.at)); err != nil {
		return nil, err
	}
	mode := fs.FileMode(0o666)
	if was != nil {
		mode = 0o600 // until it has the owner of the one before
	}
	if f.part, err = part.Create(f.root, ".", mode); err != nil {
		f.root.Close()
		return nil, err
	}
	if was != nil {
		if err := keep(f.part.File, was); err != nil {
			f.Discard()
			return nil, &RefusedError{p.name, "belongs to somebody else, whom its new content cannot be given to (" + err.Error() + ")", "remove it first, or give another name"}
		}
	}
	f.Writer = f.part
	return f, nil
}

// open opens what is no regular file.
func (p *Place) open(ctx context.Context) (*File, error) {
	if p.fd >= 0 {
		out := os.NewFile(uintptr(p.fd), p.name)
		switch p.fd { // one that the collector does not close
		case 1:
			out = os.Stdout
		case 2:
			out = os.Stderr
		}
		if out == nil {
			return nil, &fs.PathError{Op: "open", Path: p.name, Err: fs.ErrInvalid}
		}
		return &File{Writer: out, place: p, out: out}, nil
	}
	type opened struct {
		f   *os.File
		err error
	}
	done := make(chan opened, 1)
	go func() { // waits until somebody reads a FIFO
		f, err := os.OpenFile(p.at, os.O_WRONLY, 0)
		done <- opened{f, err}
	}()
	select {
	case <-ctx.Done():
		go func() {
			if o := <-done; o.err == nil {
				o.f.Close()
			}
		}()
		return nil, ctx.Err()
	case o := <-done:
		if o.err != nil {
			return nil, o.err
		}
		f := &File{Writer: o.f, place: p, out: o.f}
		f.stop = context.AfterFunc(ctx, func() { _ = o.f.SetWriteDeadline(time.Now()) })
		return f, nil
	}
}

// Commit gives the file its name, or ends what was written through. The rules are
// applied again: what has come to stand there meanwhile is not replaced either.
func (f *File) Commit() error {
	defer f.Discard()
	if f.part == nil {
		return f.close()
	}
	if _, err := f.place.standing(); err != nil {
		return err
	}
	if f.place.through {
		return &RefusedError{f.place.name, "was replaced by somebody else meanwhile", "look what stands there, and try again"}
	}
	return f.part.Rename(filepath.Base(f.place.at))
}

// Discard ends the file without having written it, after an error: what was there
// stands as it was. After Commit it does nothing.
func (f *File) Discard() {
	if f.part != nil {
		f.part.Discard()
		f.root.Close()
		return
	}
	_ = f.close()
}

func (f *File) close() error {
	if f.stop != nil {
		f.stop()
	}
	if f.out == nil || f.place.fd >= 0 {
		return nil
	}
	out := f.out
	f.out = nil
	return out.Close()
}
