//go:build linux

package hub_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/tensorbored/tensorbored-static/server/clock"
	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/guard"
	"github.com/tensorbored/tensorbored-static/server/hub"
	"github.com/tensorbored/tensorbored-static/server/hub/driver"
	"github.com/tensorbored/tensorbored-static/server/hub/state"
	"github.com/tensorbored/tensorbored-static/server/hub/viewer"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// site stands for the built page.
var site = fstest.MapFS{"index.html": &fstest.MapFile{Data: []byte("<html><head></head><body>page</body></html>")}}

func noPage([]string) (api.Page, error) { return api.Page{}, nil }

// held stands for the line to a reader, which lasts as long as its page.
func held(*files.Store, []string, []string) (http.Handler, func(), error) {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}), func() {}, nil
}

// skewVariable says by how much a viewer's clock is wrong.
const skewVariable = "TENSORBORED_TEST_SKEW"

// The test program is the viewer too, told by its arguments, which a job of a cluster gets
// as well. A name in the folder's way says how it is to fail.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "viewer" {
		clock.Skew, _ = time.ParseDuration(os.Getenv(skewVariable))
		ctx, end := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		defer end()
		if err := viewer.Run(ctx, viewer.Config{Dir: os.Args[3], Site: site, Page: noPage, Near: held, Log: os.Stdout}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	// Nearly all of the time is waiting for Slurm.
	flag.Parse()
	flag.Set("test.parallel", "8")
	os.Exit(m.Run())
}

// world is a hub with a port, over a directory that outlives it.
type world struct {
	t       testing.TB
	dir     string
	drivers func() []driver.Driver
	config  hub.Settings
	host    func() string // the name of the hub's machine; nil: its own
	skew    string        // by how much the clock of viewers is wrong

	hub    *hub.Hub
	server *httptest.Server
	end    func() // waits until nothing of the hub is under way
	log    *lockedBuffer
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

const token = "the-token-of-the-test"

func newWorld(t testing.TB, config hub.Settings, drivers func() []driver.Driver) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: dir, drivers: drivers, config: config, log: &lockedBuffer{}}
	w.begin()
	t.Cleanup(func() {
		w.end()
		if t.Failed() {
			t.Logf("the hub's log:\n%s", w.log)
		}
		for _, pid := range w.processes() {
			t.Errorf("the process %d is left", pid)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return w
}

// begin starts a hub, the first or the next.
func (w *world) begin() {
	w.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		w.t.Fatal(err)
	}
	command := []string{exe, "viewer", "--dir"}
	if w.skew != "" {
		command = append([]string{"/usr/bin/env", skewVariable + "=" + w.skew}, command...)
	}
	h, err := hub.New(hub.Options{Dir: w.dir, Config: w.config, Owner: "tester", HostName: w.host, Command: command, Drivers: w.drivers(),
		Page: noPage, Log: log.New(w.log, "", log.Lmicroseconds), Token: guard.Token(token)})
	if err != nil {
		w.t.Fatal(err)
	}
	handler, err := h.Handler()
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() {
		h.Run(ctx)
		close(over)
	}()
	w.hub, w.server = h, httptest.NewServer(handler)
	w.end = func() {
		cancel()
		<-over
		w.server.Close()
	}
}

// again ends the hub, none of its viewers, and starts the next.
func (w *world) again() {
	w.t.Helper()
	w.end()
	w.begin()
}

// call asks the hub, and returns status and body.
func (w *world) call(method, path string, body any) (int, string) {
	w.t.Helper()
	var in io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			w.t.Fatal(err)
		}
		in = bytes.NewReader(text)
	}
	r, err := http.NewRequest(method, w.server.URL+"/"+path, in)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

func (w *world) start(q hub.Request) hub.Started {
	w.t.Helper()
	status, text := w.call("POST", "api/instances", q)
	var s hub.Started
	if err := json.Unmarshal([]byte(text), &s); err != nil || status != http.StatusOK {
		w.t.Fatalf("start: %d %s", status, text)
	}
	return s
}

func (w *world) list() []hub.Instance {
	w.t.Helper()
	status, text := w.call("GET", "api/instances", nil)
	var l hub.Listed
	if err := json.Unmarshal([]byte(text), &l); err != nil || status != http.StatusOK {
		w.t.Fatalf("list: %d %s", status, text)
	}
	return l.Instances
}

func (w *world) instance(id string) hub.Instance {
	w.t.Helper()
	status, text := w.call("GET", "api/instances/"+id, nil)
	var i hub.Instance
	if err := json.Unmarshal([]byte(text), &i); err != nil || status != http.StatusOK {
		w.t.Fatalf("instance: %d %s", status, text)
	}
	return i
}

// until waits until an instance is as it should be.
func (w *world) until(id, what string, ok func(hub.Instance) bool) hub.Instance {
	w.t.Helper()
	for end := time.Now().Add(patience()); ; time.Sleep(20 * time.Millisecond) {
		i := w.instance(id)
		if ok(i) {
			return i
		}
		if time.Now().After(end) {
			_, said := w.call("GET", "api/instances/"+id+"/logs", nil)
			status := ""
			if i.ExitStatus != nil {
				status = *i.ExitStatus
			}
			w.t.Fatalf("%s: never %s: %+v %s\nits log: %s", id, what, i, status, said)
		}
	}
}

// patience is how long a wait may take: PATIENCE=10s ends a vain one sooner.
func patience() time.Duration {
	if d, err := time.ParseDuration(os.Getenv("PATIENCE")); err == nil {
		return d
	}
	return 3 * time.Minute
}

func (w *world) state(id string, s hub.State) hub.Instance {
	w.t.Helper()
	return w.until(id, string(s), func(i hub.Instance) bool { return i.State == s })
}

// ended waits for an instance's end, and checks its exit status.
func (w *world) ended(id, want string) {
	w.t.Helper()
	i := w.state(id, hub.Terminated)
	if i.ExitStatus == nil || !strings.Contains(*i.ExitStatus, want) || i.End == nil {
		said := "null"
		if i.ExitStatus != nil {
			said = *i.ExitStatus
		}
		w.t.Errorf("exit status %q does not say %q", said, want)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		left := w.processes(id)
		if len(left) == 0 {
			return
		}
		if time.Now().After(end) {
			w.t.Errorf("%s has ended, and its processes %d are left", id, left)
			return
		}
	}
}

// processes are the viewers below the world's directory that live, of all instances or
// those with these IDs.
func (w *world) processes(ids ...string) []int {
	return viewersBelow(w.dir, ids...)
}

func viewersBelow(dir string, ids ...string) []int {
	var found []int
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		text, _ := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if !bytes.Contains(text, []byte(dir+"/instances/")) {
			continue
		}
		mine := len(ids) == 0
		for _, id := range ids {
			mine = mine || bytes.Contains(text, []byte(id))
		}
		if mine {
			found = append(found, pid)
		}
	}
	return found
}

// pid is the process of an instance's viewer.
func (w *world) pid(id string) int {
	w.t.Helper()
	pid := state.PID(filepath.Join(w.dir, "instances", id))
	if pid == 0 {
		w.t.Fatalf("%s has no process", id)
	}
	return pid
}

// logs makes a logdir with a run of that name.
func logs(t testing.TB, runs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, run := range runs {
		record(t, filepath.Join(dir, run))
	}
	return dir
}

// record writes an event file with a scalar.
func record(t testing.TB, dir string) {
	t.Helper()
	w, err := summary.NewWriter(dir, summary.Options{})
	if err == nil {
		err = w.Scalar("loss", 1, 1)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func of(dirs ...string) []state.Root {
	var all []state.Root
	for _, d := range dirs {
		all = append(all, state.Root{Dir: d})
	}
	return all
}
