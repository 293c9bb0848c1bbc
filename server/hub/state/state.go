// Package state is the folder of an instance: what the hub writes for a viewer, and what
// the viewer writes for the hub. Where a viewer is a job of a cluster both machines see it.
//
//	spec.json      hub → viewer   what it serves; mode 0600, since it holds the secret
//	record.json    hub            the instance as the hub knows it
//	over           hub → viewer   it must not run (any more)
//	alive          viewer         locked as long as its process lives
//	pid            viewer         its process
//	endpoint.json  viewer → hub   where it listens
//	end.json       viewer → hub   why it ended by itself
//	log            viewer         what it prints
//
// A file appears whole, by its name's change; but endpoint.json is there from the
// beginning, and what the viewer writes comes into it. A network file system may remember
// for a minute that a name was not there, or what it led to; a file that was there before
// is asked for anew whenever it is opened. No clock of another machine is believed:
// the folder's beat (Beat) is a file whose content changes.
package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/tensorbored/tensorbored-static/server/part"
)

// Names in an instance's folder.
const (
	SpecFile     = "spec.json"
	RecordFile   = "record.json"
	OverFile     = "over"
	AliveFile    = "alive"
	PIDFile      = "pid"
	EndpointFile = "endpoint.json"
	EndFile      = "end.json"
	ContextDir   = "context"
)

// BeatFile is the name of the hub's beat in its own folder: a number that grows as long
// as the hub lives.
const BeatFile = "beat"

// Spec is what a viewer serves, and for whom.
type Spec struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`   // the instance's description
	Prefix string   `json:"prefix"` // path before every address
	Secret string   `json:"secret"` // asked of whoever reads the logs
	Roots  []Root   `json:"roots"`
	Args   []string `json:"args,omitempty"` // flags of serve
	// Profile is a file that is given out as the logdir's default profile; "" for the
	// logdir's own.
	Profile string `json:"profile,omitempty"`
	// Hub is the name of the hub's machine: a viewer on it listens on loopback.
	Hub  string `json:"hub"`
	Bind string `json:"bind,omitempty"` // address or interface to listen on elsewhere
	Beat string `json:"beat"`           // the hub's beat
	// Alone is for how many seconds the beat may rest before the viewer ends itself.
	Alone float64 `json:"alone"`
}

// Root is a directory to show, and the name that its runs stand below.
type Root struct {
	Dir  string `json:"dir"`
	Name string `json:"name,omitempty"`
}

// Endpoint is where a viewer listens.
type Endpoint struct {
	Addresses []string `json:"addresses"` // host:port, the best first
	Host      string   `json:"host"`      // name of its machine
	PID       int      `json:"pid"`
}

// End is why a viewer ended by itself.
type End struct {
	Reason string `json:"reason"`
}

// WriteError says what could not be written to a hub's folder.
type WriteError struct {
	Path string
	Err  error
}

// Error names the file, the cause, and what to do.
func (e *WriteError) Error() string {
	remedy := "check who owns the directory, and its permissions"
	if errors.Is(e.Err, syscall.ENOSPC) || errors.Is(e.Err, syscall.EDQUOT) || errors.Is(e.Err, syscall.EFBIG) {
		remedy = "make room on that disk, or point TENSORBORED_HUB_DIR at another one"
	}
	return fmt.Sprintf("cannot write %s: %v: %s", e.Path, cause(e.Err), remedy)
}

// Unwrap gives the cause to errors.Is.
func (e *WriteError) Unwrap() error { return e.Err }

// cause cuts the repeated path off a file's error.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// Write writes a file of dir whole, readable by its owner alone. The error is a
// *WriteError.
func Write(dir, name string, data []byte) error {
	at := filepath.Join(dir, name)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return &WriteError{at, err}
	}
	defer root.Close()
	f, err := part.Create(root, ".", 0o600)
	if err != nil {
		return &WriteError{at, err}
	}
	defer f.Discard()
	if _, err = f.Write(data); err == nil {
		err = f.Rename(name)
	}
	if err != nil {
		return &WriteError{at, err}
	}
	return nil
}

// WriteJSON is Write for a value.
func WriteJSON(dir, name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return Write(dir, name, data)
}

// Announce writes where a viewer listens, into the file that was there before; nil makes
// that file. A reader may meet a part of it, which is no JSON. The error is a *WriteError.
func Announce(dir string, e *Endpoint) error {
	at := filepath.Join(dir, EndpointFile)
	var text []byte
	if e != nil {
		var err error
		if text, err = json.Marshal(e); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return &WriteError{at, err}
	}
	_, err = f.Write(text)
	if e := f.Close(); err == nil { // where a network file system says that a disk is full
		err = e
	}
	if err != nil {
		return &WriteError{at, err}
	}
	return nil
}

// ReadJSON reads a file of dir into v. It is fs.ErrNotExist if there is none.
func ReadJSON(dir, name string, v any) error {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := json.NewDecoder(f).Decode(v); err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	return nil
}

// Over marks a viewer as one that must not run.
func Over(dir string) error {
	if IsOver(dir) {
		return nil
	}
	if err := os.WriteFile(filepath.Join(dir, OverFile), nil, 0o600); err != nil {
		return &WriteError{filepath.Join(dir, OverFile), err}
	}
	return nil
}

// IsOver reports whether the viewer of dir must not run: so it is marked, or its folder
// is gone.
func IsOver(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, OverFile)); err == nil {
		return true
	}
	_, err := os.Lstat(dir)
	return errors.Is(err, fs.ErrNotExist)
}

// Hold takes the lock of a viewer's life, which the system gives back when the process
// ends, and writes who it is. The order matters: after it the viewer looks whether it is
// over, and whoever writes that looks at the lock afterwards; so no viewer slips through.
func Hold(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, AliveFile), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	// Whoever looks whether it is alive has the lock for a moment.
	for try := 0; part.Lock(f) != nil; try++ {
		if try == 40 {
			f.Close()
			return nil, errors.New("a viewer runs in this folder already")
		}
		time.Sleep(25 * time.Millisecond)
	}
	if err := Write(dir, PIDFile, []byte(strconv.Itoa(os.Getpid()))); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Alive reports whether a viewer of dir runs on this machine, and its process; 0 while it
// has not written it yet.
func Alive(dir string) (pid int, alive bool) {
	f, err := os.OpenFile(filepath.Join(dir, AliveFile), os.O_RDWR, 0)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	if part.Lock(f) == nil {
		return 0, false
	}
	return PID(dir), true
}

// PID is the process that a viewer has written; 0 if there is none.
func PID(dir string) int {
	text, _ := os.ReadFile(filepath.Join(dir, PIDFile))
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return pid
}
