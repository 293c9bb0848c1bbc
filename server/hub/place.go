package hub

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/server/hub/state"
)

// Files in the hub's directory.
const (
	AtFile    = "hub.json"
	LockFile  = "lock"
	TokenFile = "token"
	LogFile   = "hub.log"
)

// At is where a hub is: the file hub.json.
type At struct {
	Host    string `json:"host"`
	PID     int    `json:"pid"`
	Socket  string `json:"socket"`
	Address string `json:"address"` // of its page, without the token
	Version string `json:"version"`
}

// Dir is the directory of the user's hub: TENSORBORED_HUB_DIR, or else one of those where
// programs keep what they must not lose, in the home directory, since a cluster's nodes
// must see it.
func Dir() (string, error) {
	dir := os.Getenv("TENSORBORED_HUB_DIR")
	if dir == "" {
		if dir = os.Getenv("XDG_STATE_HOME"); dir == "" {
			home, err := os.UserHomeDir()
			if err != nil {
				return "", fmt.Errorf("%w: set TENSORBORED_HUB_DIR to a directory of your own", err)
			}
			dir = filepath.Join(home, ".local", "state")
		}
		dir = filepath.Join(dir, "tensorbored-static")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if resolved, err := filepath.EvalSymlinks(abs); err == nil {
		abs = resolved // squeue tells the resolved path of a job's directory
	}
	return abs, nil
}

// maxSocket is how long a unix socket's path may be, with a reserve: 108 bytes on Linux,
// 104 on macOS.
const maxSocket = 100

// socketPath is where a new hub listens: in the user's runtime folder, which is this
// machine's own and nobody else's, else in the hub's directory, else, where that has too
// long a name, below /tmp.
func socketPath(dir string) (string, error) {
	if run := os.Getenv("XDG_RUNTIME_DIR"); run != "" && os.Getenv("TENSORBORED_HUB_DIR") == "" {
		at := filepath.Join(run, "tensorbored-static")
		if os.MkdirAll(at, 0o700) == nil && Own(at) == nil {
			return filepath.Join(at, "hub.sock"), nil
		}
	}
	if at := filepath.Join(dir, "hub.sock"); len(at) < maxSocket {
		return at, nil
	}
	sum := sha256.Sum256([]byte(dir))
	at := filepath.Join("/tmp", fmt.Sprintf("tensorbored-static-%d-%s", os.Getuid(), hex.EncodeToString(sum[:6])))
	if err := os.Mkdir(at, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", &state.WriteError{Path: at, Err: err}
	}
	if err := Own(at); err != nil {
		return "", err
	}
	return filepath.Join(at, "hub.sock"), nil
}

// StrangerError says that something in the hub's place is another user's.
type StrangerError struct {
	Path  string
	Owner string
}

// Error names the file and its owner.
func (e *StrangerError) Error() string {
	return fmt.Sprintf("%s belongs to %s, not to you: nothing was asked of it. Set TENSORBORED_HUB_DIR to a directory of your own", e.Path, e.Owner)
}

// OpenError says that others may write where the hub's secrets are.
type OpenError struct{ Path string }

// Error says what to do.
func (e *OpenError) Error() string {
	return e.Path + " can be written to by others: chmod 700 " + e.Path
}

// Token reads the hub's token, or makes one.
func readToken(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, TokenFile))
	if token := strings.TrimSpace(string(text)); err == nil && token != "" {
		return token, nil
	}
	token := rand.Text()
	return token, state.Write(dir, TokenFile, []byte(token+"\n"))
}

// fileTime is the time by which files below dir are dated now. The error is a
// *state.WriteError.
func fileTime(dir string) (time.Time, error) {
	probe, err := os.CreateTemp(dir, ".probe-")
	if err != nil {
		return time.Time{}, &state.WriteError{Path: dir, Err: err}
	}
	defer os.Remove(probe.Name())
	_, _ = probe.Write([]byte{1}) // where a disk is full the making of it is what counts
	_ = probe.Sync()
	now, err := probe.Stat()
	probe.Close()
	if err != nil {
		return time.Time{}, &state.WriteError{Path: dir, Err: err}
	}
	return now.ModTime(), nil
}

// elsewhere is the hub on another machine that has this directory, if it lives: nil if
// there is none. Its beat is compared with a file that is written now, in the same
// directory: both times are the file system's, so no two machines' clocks are compared.
func elsewhere(dir string) *At {
	var at At
	host, _ := os.Hostname()
	if state.ReadJSON(dir, AtFile, &at) != nil || at.Host == host || at.Host == "" {
		return nil
	}
	beat, err := os.Stat(filepath.Join(dir, state.BeatFile))
	if err != nil {
		return nil
	}
	now, err := fileTime(dir)
	if err != nil || now.Sub(beat.ModTime()) > 4*beatEvery+10*time.Second {
		return nil
	}
	return &at
}

// ElsewhereError says that the user's hub is on another machine.
type ElsewhereError struct{ At At }

// Error names it.
func (e *ElsewhereError) Error() string {
	return fmt.Sprintf("your hub runs on %s: log in there (ssh %s), or end it there with tensorbored-static hub --stop; its viewers go on", e.At.Host, e.At.Host)
}
