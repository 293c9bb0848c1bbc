//go:build !js

package browsertest

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/static"
)

// Root returns the root of the source tree.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", fmt.Errorf("no go.mod above the working directory: run the tests in the source tree")
		}
		dir = up
	}
}

// making is held while make works in the source tree: two at a time take each other's files away.
var making sync.Mutex

// build runs `make build` once per test program. After `make test` has done so
// there is nothing left to do for it.
var build = sync.OnceValues(func() (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	making.Lock()
	defer making.Unlock()
	cmd := exec.Command("make", "build")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("make build: %w\n%s", err, out)
	}
	return filepath.Join(root, "bin", "tensorbored-static"), nil
})

// Binary returns the path of the built program.
func Binary(t testing.TB) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Tagged builds the program with tags, such as "s3", and returns its path. It is removed when the
// test ends.
func Tagged(t testing.TB, tags string) string {
	t.Helper()
	Dist(t) // the page, which the program holds
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "tensorbored-static")
	cmd := exec.Command("go", "build", "-tags", tags, "-o", path, "./cmd/tensorbored-static")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return path
}

// Dist returns the built page, which it brings up to date once per test program. It is
// less work than Binary.
func Dist(t testing.TB) fs.FS {
	t.Helper()
	site, err := wasm()
	if err != nil {
		t.Fatal(err)
	}
	return site
}

var wasm = sync.OnceValues(func() (fs.FS, error) {
	root, err := Root()
	if err != nil {
		return nil, err
	}
	making.Lock()
	defer making.Unlock()
	cmd := exec.Command("make", "wasm")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("make wasm: %w\n%s", err, out)
	}
	return static.Forms(os.DirFS(filepath.Join(root, "static", "dist"))), nil
})

// Site is our page with another program in the place of ours. It is built when a test
// asks for it first, and must be removed when all have ended.
type Site struct {
	Program string // package, relative to the root of the source tree

	once  sync.Once
	dir   string
	files fs.FS
	err   error
}

// Files returns the site's files.
func (s *Site) Files(t testing.TB) fs.FS {
	t.Helper()
	s.once.Do(func() { s.err = s.build() })
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s.files
}

func (s *Site) build() error {
	root, err := Root()
	if err != nil {
		return err
	}
	if s.dir, err = os.MkdirTemp("", "site"); err != nil {
		return err
	}
	s.files = static.Forms(os.DirFS(filepath.Join(s.dir, "dist")))
	cmd := exec.Command("go", "run", "./static/pack", "-brotli", "1", "-dist", filepath.Join(s.dir, "dist"), "-work", s.dir, "-program", s.Program)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", cmd, err, out)
	}
	return nil
}

// Remove removes the site's files, if there are any.
func (s *Site) Remove() {
	if s.dir != "" {
		os.RemoveAll(s.dir)
	}
}

// Server is a running tensorbored-static.
type Server struct {
	URL string // its address, with a slash at the end

	cmd  *exec.Cmd
	once sync.Once
}

// Serve starts the built program on a free port with further flags, e.g.
// "--logdir", dir. It ends with the test.
func Serve(t testing.TB, flags ...string) *Server {
	t.Helper()
	return Serving(t, "", append([]string{"serve", "--port", "0"}, flags...)...)
}

// Serving starts the built program with args, of which the first is a command that serves, in dir; "" is
// the test's. It ends with the test.
func Serving(t testing.TB, dir string, args ...string) *Server {
	t.Helper()
	return ServingBy(t, Binary(t), dir, args...)
}

// ServingBy is Serving by another program, such as Tagged's.
func ServingBy(t testing.TB, program, dir string, args ...string) *Server {
	t.Helper()
	s := &Server{cmd: exec.Command(program, args...)}
	s.cmd.Dir = dir
	var stderr bytes.Buffer
	s.cmd.Stderr = &stderr
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	line, err := bufio.NewReader(stdout).ReadString('\n')
	s.URL = strings.TrimSpace(line)
	if err != nil || !strings.HasPrefix(s.URL, "http://") {
		s.Stop()
		t.Fatalf("the server printed %q instead of its address (%v); it says: %s", line, err, stderr.String())
	}
	return s
}

// PID is the number of the server's process.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Kill ends the server in the middle of whatever it does: it is not told.
func (s *Server) Kill() {
	s.once.Do(func() {
		s.cmd.Process.Kill()
		s.cmd.Wait()
	})
}

// Stop ends the server, for tests of what the page then does.
func (s *Server) Stop() {
	s.once.Do(func() {
		s.cmd.Process.Signal(os.Interrupt)
		kill := time.AfterFunc(stepTime, func() { s.cmd.Process.Kill() })
		s.cmd.Wait()
		kill.Stop()
	})
}

// Pages writes the whole site with the logdir's files, as for a static host, and
// returns its directory. An empty logdir leaves the files out. Flags are those of the
// command.
func Pages(t testing.TB, logdir string, flags ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "site")
	args := append([]string{"pages", out}, flags...)
	if logdir != "" {
		args = append(args, "--logdir", logdir)
	}
	if text, err := exec.Command(Binary(t), args...).CombinedOutput(); err != nil {
		t.Fatalf("pages: %v\n%s", err, text)
	}
	return out
}

// StaticHost serves a directory as a host does that knows nothing of us, below a
// path, and returns the address. It ends with the test.
func StaticHost(t testing.TB, dir string) string {
	t.Helper()
	s := httptest.NewServer(http.StripPrefix("/some/where", http.FileServer(http.Dir(dir))))
	t.Cleanup(s.Close)
	return s.URL + "/some/where/"
}
