// Package profiles reads and writes the default profile of a logdir.
package profiles

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

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

// Write makes p the default profile of the logdir dir: it stands there whole, or what
// was there before does. Nothing outside dir is written, whatever links are in it. The
// error is a *profile.InvalidError or a *WriteError.
func Write(dir string, p *profile.Profile) error {
	text, err := profile.Encode(p)
	if err != nil {
		return err
	}
	if err := write(dir, text); err != nil {
		remedy := "check that there is room on the disk, and that the directory is there"
		if errors.Is(err, fs.ErrPermission) {
			remedy = "check that whoever runs this program may write there"
		}
		return &WriteError{dir, err, remedy}
	}
	return nil
}

// write puts text beside its place first, brings it to the disk, and gives it its name
// then, which the system does at once.
func write(dir string, text []byte) (err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	folder := path.Dir(profile.DefaultPath)
	if err := root.Mkdir(folder, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	half := path.Join(folder, ".profile-"+rand.Text()+".part")
	f, err := root.OpenFile(half, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = root.Remove(half) // it may not be there
		}
	}()
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	if err := root.Rename(half, profile.DefaultPath); err != nil {
		return err
	}
	// The name too; not every system can do that.
	if d, err := root.Open(folder); err == nil {
		_ = d.Sync()
		d.Close()
	}
	return nil
}

// Read returns the default profile of the logdir dir, and what is wrong with it. The
// error is fs.ErrNotExist if there is none, a *profile.Error if it is no profile.
func Read(dir string) (*profile.Profile, []profile.Problem, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	f, err := root.Open(profile.DefaultPath)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, profile.MaxBytes+1))
	if err != nil {
		return nil, nil, err
	}
	return profile.Decode(text)
}
