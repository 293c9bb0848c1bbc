// Package profiles reads and writes the default profile of a logdir.
package profiles

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/tensorbored/tensorbored-static/server/part"
	"github.com/tensorbored/tensorbored-static/shared/profile"
)

// WriteError says why a profile could not be written, and what to do.
type WriteError struct {
	Dir    string // the logdir
	Err    error  // what the system said
	Remedy string
}

func (e *WriteError) Error() string {
	return fmt.Sprintf("the profile in %s cannot be written (%v): %s", e.Dir, e.Err, e.Remedy)
}

// Unwrap returns what the system said.
func (e *WriteError) Unwrap() error { return e.Err }

// ChangedError says that the default profile is another one than the writer has seen.
type ChangedError struct {
	Dir  string
	Text []byte // what stands there now; nil: nothing
}

func (e *ChangedError) Error() string {
	return fmt.Sprintf("the default profile of %s was changed by somebody else meanwhile: look at it, and try again", e.Dir)
}

// Any is what Replace expects where it may replace whatever stands there.
const Any = "*"

// Write makes p the default profile of the logdir dir: it stands there whole, or what
// was there before does. Nothing outside dir is written, whatever links are in it. The
// error is a *profile.InvalidError or a *WriteError.
func Write(dir string, p *profile.Profile) error {
	_, err := Replace(dir, p, Any)
	return err
}

// Replace is Write where the text that stands there has the version expected
// (profile.TextVersion; "" expects that there is none, Any takes all). It returns the version
// of the new text. Of several programs that replace the same one the others get a
// *ChangedError. A nil p removes the default profile.
func Replace(dir string, p *profile.Profile, expected string) (version string, err error) {
	var text []byte
	if p != nil {
		if text, err = profile.Encode(p); err != nil {
			return "", err
		}
		version = profile.TextVersion(text)
	}
	_, err = replace(dir, text, expected)
	return version, err
}

// replace is Replace with a text, nil for none. It returns what stood there before, nil for
// nothing.
func replace(dir string, text []byte, expected string) (before []byte, err error) {
	before, err = write(dir, text, expected)
	var changed *ChangedError
	if err == nil || errors.As(err, &changed) {
		return before, err
	}
	remedy := "check that there is room on the disk, and that the directory is there"
	if errors.Is(err, fs.ErrPermission) {
		remedy = "check that whoever runs this program may write there"
	}
	return nil, &WriteError{dir, err, remedy}
}

// write puts text beside its place first, and gives it its name then (package part).
// Between reading what stands there, which it returns, and that, the directory is locked.
func write(dir string, text []byte, expected string) (before []byte, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	folder := path.Dir(profile.DefaultPath)
	if err := root.Mkdir(folder, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	f, err := part.Create(root, folder, 0o666)
	if err != nil {
		return nil, err
	}
	defer f.Discard()
	if _, err := f.Write(text); err != nil {
		return nil, err
	}
	if d, err := root.Open(folder); err == nil {
		defer d.Close()
		part.Wait(d)
	}
	before, err = readText(root)
	switch version := profile.TextVersion(before); {
	case err != nil && errors.Is(err, fs.ErrNotExist):
		if before = nil; expected != Any && expected != "" {
			return nil, &ChangedError{dir, nil}
		}
	case err != nil && expected == Any:
		before = nil // it is replaced all the same
	case expected == Any:
	case err != nil:
		return nil, err
	case expected != version:
		return nil, &ChangedError{dir, before}
	}
	if text == nil {
		if err := root.Remove(profile.DefaultPath); !errors.Is(err, fs.ErrNotExist) {
			return before, err
		}
		return before, nil
	}
	return before, f.Rename(profile.DefaultPath)
}

// readText reads the default profile's file. It is fs.ErrNotExist if there is none.
func readText(root *os.Root) ([]byte, error) {
	f, err := root.Open(profile.DefaultPath)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, profile.MaxBytes+1))
}

// Read returns the default profile of the logdir dir, and what is wrong with it. The
// error is fs.ErrNotExist if there is none, a *profile.Error if it is no profile.
func Read(dir string) (*profile.Profile, []profile.Problem, error) {
	p, problems, _, err := ReadVersion(dir)
	return p, problems, err
}

// ReadVersion is Read with the version of what stands there, "" if nothing does.
func ReadVersion(dir string) (p *profile.Profile, problems []profile.Problem, version string, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, "", err
	}
	defer root.Close()
	text, err := readText(root)
	if err != nil {
		return nil, nil, "", err
	}
	p, problems, err = profile.Decode(text)
	return p, problems, profile.TextVersion(text), err
}
