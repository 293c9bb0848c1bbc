// Package part writes a file beside its place and gives it its name when it is whole.
//
// At the place stands what was there before or all that was written, whenever the
// program is killed and whatever the disk says. While a part is written its file is
// locked (flock). What a killed program has left behind is not locked any more, and
// Create removes it: so nothing lies about longer than until the next write to the same
// directory. Where locks are not to be had, that is once it has rested for a day.
package part

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"
)

// Names of parts begin and end so. Nobody else calls a file so.
const (
	Prefix = ".tensorbored-static."
	Suffix = ".part"
)

// rest is how long a part has not been written to that nobody writes any more, where
// locks do not tell.
const rest = 24 * time.Hour

// File is a part. It is written to as a file is, and ended by Rename or Discard.
type File struct {
	*os.File
	root   *os.Root
	name   string // relative to root
	placed bool
}

// Create begins a part in the directory dir, relative to root with "/" between parts
// ("." is root itself), with as many rights as the user's mask leaves of mode. It first
// removes what killed programs have left there.
func Create(root *os.Root, dir string, mode fs.FileMode) (*File, error) {
	Clear(root, dir)
	for range 100 {
		name := path.Join(dir, Prefix+rand.Text()+Suffix)
		f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if err != nil {
			return nil, err
		}
		// Another program may have taken it for one that was left before it was locked.
		_ = lock(f, true)
		if same(root, name, f) {
			return &File{File: f, root: root, name: name}, nil
		}
		f.Close()
	}
	return nil, errors.New("files are removed as soon as they are made")
}

// Name is the part's own, relative to its root.
func (f *File) Name() string { return f.name }

// Rename brings the part to the disk and gives it the name to, relative to its root, in
// place of what stands there.
func (f *File) Rename(to string) error {
	if err := f.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if closeFirst {
		if err := f.File.Close(); err != nil {
			return err
		}
	}
	if err := f.root.Rename(f.name, to); err != nil {
		return err
	}
	f.placed = true
	err := error(nil)
	if !closeFirst {
		err = f.File.Close()
	}
	// The name too; not every system can do that.
	if d, e := f.root.Open(path.Dir(to)); e == nil {
		_ = d.Sync()
		d.Close()
	}
	return err
}

// Discard removes the part, unless it has got its name. It may be called at any time.
func (f *File) Discard() {
	if f.placed {
		return
	}
	if closeFirst {
		f.File.Close()
	}
	_ = f.root.Remove(f.name) // it may not be there
	f.File.Close()
}

// Lock takes the lock of an open file or directory until it is closed. It is an error if
// another program has it; where there are no locks it does nothing.
func Lock(f *os.File) error {
	if err := lock(f, false); !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}

// Wait takes the lock of an open file or directory until it is closed, as soon as nobody
// else has it. Where there are no locks it does nothing.
func Wait(f *os.File) { _ = lock(f, true) }

// Is reports whether a file of this name is a part.
func Is(name string) bool {
	name, ok := strings.CutPrefix(name, Prefix)
	if !ok {
		return false
	}
	name, ok = strings.CutSuffix(name, Suffix)
	return ok && len(name) == len("ABCDEFGHIJKLMNOPQRSTUVWXYZ") && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// Clear removes the parts in dir that nobody writes any more.
func Clear(root *os.Root, dir string) {
	d, err := root.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	for {
		entries, err := d.ReadDir(1000)
		for _, e := range entries {
			if e.Type().IsRegular() && Is(e.Name()) {
				clear1(root, path.Join(dir, e.Name()))
			}
		}
		if err != nil || len(entries) == 0 {
			return
		}
	}
}

// clear1 removes one part, unless it is being written.
func clear1(root *os.Root, name string) {
	f, err := root.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer f.Close()
	err = lock(f, false)
	if errors.Is(err, errors.ErrUnsupported) {
		fi, e := f.Stat()
		if e != nil || time.Since(fi.ModTime()) < rest {
			return
		}
		err = nil
	}
	if err != nil || !same(root, name, f) {
		return
	}
	if closeFirst {
		f.Close()
	}
	_ = root.Remove(name) // tried again at the next write
}

// same reports whether f is what stands at name.
func same(root *os.Root, name string, f *os.File) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := root.Lstat(name)
	return err == nil && os.SameFile(a, b)
}
