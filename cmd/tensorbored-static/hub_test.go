//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/server/hub"
	"github.com/tensorbored/tensorbored-static/server/hub/client"
	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// home is a user's: a hub's directory and configuration of its own. Commands run as
// programs, so the hub is one too.
type home struct {
	t    *testing.T
	dir  string // of the hub
	conf string
	base string
	env  []string
	exe  string
	as   *syscall.Credential // nil: who runs the test
}

// newHome makes one with experiments 7 (trials 12, 13) and 8 (trial 14). What is left of
// its hub and viewers at the end fails the test.
func newHome(t *testing.T) *home {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return homeIn(t, dir, exe, nil)
}

// homeIn makes one in a directory, for a user.
func homeIn(t *testing.T, dir, exe string, as *syscall.Credential, env ...string) *home {
	t.Helper()
	h := &home{t: t, dir: filepath.Join(dir, "hub"), conf: filepath.Join(dir, "hub.yaml"),
		base: filepath.Join(dir, "base"), exe: exe, as: as}
	for _, trial := range []string{"7/trial/12", "7/trial/13", "8/trial/14"} {
		h.trial(trial)
	}
	h.configure("")
	h.env = append(os.Environ(), beCommand+"=1", "TENSORBORED_HUB_DIR="+h.dir, "TENSORBORED_HUB_CONFIG="+h.conf,
		"SSH_CONNECTION=", "DISPLAY=", "WAYLAND_DISPLAY=", "HOME="+dir)
	h.env = append(h.env, env...)
	t.Cleanup(func() {
		h.run("kill", append([]string{"-f"}, strings.Fields(h.run("list", "-q").stdout)...)...)
		h.until("no viewer", func() bool { return len(h.viewers()) == 0 })
		h.run("hub", "--stop")
		// Its lock is free a moment before its process is gone, and one that it started may
		// look like itself or a viewer for a moment, until it runs its own program.
		left := func() []int { return append(h.viewers(), h.hubs()...) }
		for end := time.Now().Add(time.Minute); len(left()) > 0 && time.Now().Before(end); {
			time.Sleep(20 * time.Millisecond)
		}
		for _, pid := range left() {
			t.Errorf("the process %d is left", pid)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		if t.Failed() {
			text, _ := os.ReadFile(filepath.Join(h.dir, hub.LogFile))
			t.Logf("the hub's log:\n%s", text)
		}
	})
	return h
}

func (h *home) configure(more string) {
	h.t.Helper()
	if err := os.WriteFile(h.conf, []byte("base: "+h.base+"\n"+more), 0o666); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) trial(name string) {
	h.t.Helper()
	w, err := summary.NewWriter(filepath.Join(h.base, "a-cluster", "tensorboard", "experiment", name), summary.Options{})
	if err == nil {
		err = w.Scalar("Determined/loss", 1, 1)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// said is what a command has printed.
type said struct {
	code           int
	stdout, stderr string
}

func (h *home) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(h.exe, append([]string{name}, args...)...)
	if h.as != nil {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: h.as}
		c.Dir = "/"
	}
	c.Env = h.env
	return c
}

func (h *home) run(name string, args ...string) said {
	h.t.Helper()
	c := h.command(name, args...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		h.t.Fatal(err)
	}
	return said{c.ProcessState.ExitCode(), out.String(), errs.String()}
}

// started starts a viewer, and returns its ID.
func (h *home) started(args ...string) string {
	h.t.Helper()
	s := h.run("start", append([]string{"-d"}, args...)...)
	if s.code != 0 || !regexp.MustCompile(`^[0-9a-f-]{36}\n$`).MatchString(s.stdout) {
		h.t.Fatalf("start -d %q: %+v", args, s)
	}
	return strings.TrimSpace(s.stdout)
}

// check runs a command and compares.
func (h *home) check(code int, stdout, stderr string, name string, args ...string) said {
	h.t.Helper()
	s := h.run(name, args...)
	if s.code != code || !regexp.MustCompile(`(?s)^(?:`+stdout+`)$`).MatchString(s.stdout) || !strings.Contains(s.stderr, stderr) {
		h.t.Errorf("%s %q: code %d\nstdout %q\nstderr %q", name, args, s.code, s.stdout, s.stderr)
	}
	return s
}

func (h *home) until(what string, ok func() bool) {
	h.t.Helper()
	for end := time.Now().Add(3 * time.Minute); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			h.t.Fatalf("never: %s", what)
		}
	}
}

// viewers and hubs are the processes of this home that live.
func (h *home) viewers() []int { return withArgument(h.dir + "/instances/") }

func (h *home) hubs() []int {
	var found []int
	for _, pid := range withArgument("hub\x00--background") {
		if env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)); bytes.Contains(env, []byte("TENSORBORED_HUB_DIR="+h.dir+"\x00")) {
			found = append(found, pid)
		}
	}
	return found
}

func withArgument(part string) []int {
	var found []int
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil && pid != os.Getpid() {
			if text, _ := os.ReadFile("/proc/" + e.Name() + "/cmdline"); bytes.Contains(text, []byte(part)) {
				found = append(found, pid)
			}
		}
	}
	return found
}

const anID = `[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`

// The commands, as Determined's: what they print, and their statuses.
func TestViewerCommands(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.check(0, " Id +\\| Owner.*Exit Status\n-+\\+.*\n", "", "list")
	if len(h.hubs()) != 0 {
		t.Error("a list of nothing starts a hub")
	}
	s := h.check(0, `Launched tensorboard \(id: `+anID+`, name: TensorBoard \([a-z]+-[a-z]+-[a-z]+\)\)\.
Waiting for tensorboard to become ready
tensorboard \(id: `+anID+`\) is ready\.
Tensorboard is running at: http://127\.0\.0\.1:\d+/proxy/`+anID+`/\?token=\w+
`, "", "start", "7")
	link := s.stdout[strings.Index(s.stdout, "http://") : len(s.stdout)-1]
	if _, body := get(t, strings.Replace(link, "/?", "/data/listing.json?", 1)); strings.Contains(body, "tfevents") {
		t.Errorf("the token in the address of data opens them: %s", body)
	}
	if listing := h.fetch(link, "data/listing.json"); !strings.Contains(listing, "experiment/7/trial/12/") || strings.Contains(listing, "experiment/8") {
		t.Errorf("listing: %s", listing)
	}
	// A trial that starts later appears.
	h.trial("7/trial/99")
	h.until("the new trial", func() bool { return strings.Contains(h.fetch(link, "data/listing.json"), "experiment/7/trial/99/") })

	h.check(0, "A viewer of the same runs is there .*Tensorboard is running at: .*", "", "start", "7")
	one := strings.Fields(h.run("list", "-q").stdout)[0]
	two := h.started("-t", "12", "14")
	if two == one {
		t.Error("other runs, and the same viewer")
	}
	h.check(0, ".*"+one+" .*\\| RUNNING +\\| \\[7\\] +\\| \\[\\] +\\| N/A\n.*"+two+" .*\\| \\[12, 14\\] .*", "", "list")
	var all []hub.Instance
	if err := json.Unmarshal([]byte(h.run("list", "--json").stdout), &all); err != nil || len(all) != 2 || all[1].Trials[1] != "14" || all[0].Experiments[0] != "7" {
		t.Errorf("--json: %+v, %v", all, err)
	}
	if rows, err := csv.NewReader(strings.NewReader(h.run("list", "--csv", "--order-by", "desc").stdout)).ReadAll(); err != nil || len(rows) != 3 || rows[1][0] != two || rows[0][6] != "Exit Status" {
		t.Errorf("--csv: %q, %v", rows, err)
	}
	h.check(2, "", "--sort-by is one of", "list", "--sort-by", "x")
	h.check(0, "http://127.*/proxy/"+one+"/.token=.*\n", "", "open", one[:8])
	h.check(0, ".*idle_timeout: 5m0s.*", "", "config", one[:8])
	h.check(0, `(\[20\d\d-\d\d-\d\dT[\d:.]+Z\] `+one[:8]+` \|\| .+\n){2}`, "", "logs", one)
	h.check(0, `\[.*\] `+one[:8]+` \|\| Listening on .*\n`, "", "logs", one, "--tail", "1")
	h.check(0, `\[.*\] `+one[:8]+` \|\| Serving .*\n`, "", "logs", one, "--head", "1")
	h.check(1, "", "partial UUID 'zz' not found", "logs", "zz")
	h.check(1, "", "unknown experiment 9", "start", "9")
	h.check(1, "", "trial 14 is of experiment 8, not of 7", "start", "7", "-t", "14")
	h.check(1, "", "unknown trial 77", "start", "-t", "77")

	// What a shell offers. It waits two seconds for the hub, then goes on without: on a
	// machine that has much to do the next key offers it.
	h.until("completion of an ID", func() bool {
		return strings.HasPrefix(h.run("__complete", "kill", one[:3]).stdout, one+"\tRUNNING ")
	})
	if s := h.run("__complete", "start", ""); !strings.HasPrefix(s.stdout, "7\n8\n") {
		t.Errorf("completion of an experiment: %+v", s)
	}

	// logs -f ends with the viewer.
	follow := h.command("logs", "-f", two)
	out, err := follow.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := follow.Start(); err != nil {
		t.Fatal(err)
	}
	h.check(1, "Killed tensorboard "+two+"\n", "Cowardly not killing "+one+"\ntensorbored-static: Failed to kill TensorBoard instance: partial UUID 'zz' not found", "kill", two, "zz", one)
	text, _ := io.ReadAll(out)
	if err := follow.Wait(); err != nil || !strings.Contains(string(text), "Told to end.") {
		t.Errorf("logs -f: %v, %s", err, text)
	}
	h.check(1, "", "Tensorboard has ended (killed by", "open", two)
	h.check(0, ".*"+two+".*TERMINATED .*killed by .*", "", "list")
	h.check(0, "Killed tensorboard "+one+"\n", "Skipping: tensorboard 'zz'", "kill", "-f", "zz", one)

	// What is waited for can be interrupted.
	wait := h.command("start", "--logdir", filepath.Join(h.base, "none"), "--config", "hub_timeout=1h")
	var errs bytes.Buffer
	wait.Stderr = &errs
	if err := wait.Run(); err != nil || !strings.Contains(errs.String(), "does not exist so far") {
		t.Errorf("a logdir that is to come: %v, %s", err, errs.String())
	}
	id := strings.Fields(h.run("list", "-q").stdout)[2]
	follow = h.command("logs", "-f", id)
	errs.Reset()
	follow.Stderr = &errs
	out, _ = follow.StdoutPipe()
	if err := follow.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 10)); err != nil {
		t.Error(err)
	}
	_ = follow.Process.Signal(os.Interrupt)
	io.Copy(io.Discard, out)
	if err := follow.Wait(); follow.ProcessState.ExitCode() != exitInterrupted || !strings.Contains(errs.String(), "Interrupting...") {
		t.Errorf("interrupted: %v, %s", err, errs.String())
	}
}

// fetch reads below a viewer's link, with its token as a program sends it.
func (h *home) fetch(link, path string) string {
	h.t.Helper()
	address, token, _ := strings.Cut(link, "?token=")
	r, err := http.NewRequest("GET", address+path, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return string(text)
}

// A hub that is killed at any moment of a start leaves nothing: each viewer is in the list
// of the next hub, and runs, or is not there and does not.
func TestHubKilled(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.started("8")
	for n, after := range []time.Duration{0, 2, 5, 10, 15, 20, 30, 50, 80} {
		start := h.command("start", "--new", "-d", "7")
		if err := start.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(after * time.Millisecond)
		for _, pid := range h.hubs() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		_ = start.Wait() // it may say that the hub has gone
		// The socket is stale now; the next command finds that, and starts a hub.
		h.until("each viewer to be known", func() bool {
			var all []hub.Instance
			s := h.run("list", "--json")
			if strings.Contains(s.stderr, "does not answer") {
				return false // it has met the one that was being killed
			}
			if json.Unmarshal([]byte(s.stdout), &all) != nil {
				t.Fatalf("after %d: %+v", n, s)
			}
			live := 0
			for _, i := range all {
				switch {
				case i.State == hub.Running:
					live++
				case i.State != hub.Terminated:
					return false
				}
			}
			return live == len(h.viewers()) && len(h.hubs()) == 1
		})
	}
}

// Some starts at once, and no hub: each starts one, one of them gets the lock and serves, and the others
// end. A command may be answered by the first before its own has found that out.
func TestHubsAtOnce(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	var all []*exec.Cmd
	for range 4 {
		c := h.command("start", "--new", "-d", "7")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	for _, c := range all {
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
	h.until("one hub to be left", func() bool { return len(h.hubs()) == 1 })
	text, err := os.ReadFile(filepath.Join(h.dir, hub.LogFile))
	if n := bytes.Count(text, []byte("The hub is at ")); err != nil || n != 1 {
		t.Errorf("%d hubs have served: %v", n, err)
	}
	if n := len(strings.Fields(h.run("list", "-q").stdout)); n != 4 {
		t.Errorf("%d viewers in the list", n)
	}
}

// What stands in the hub's place and is not the user's is not asked.
func TestStrangersHub(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.started("7")
	ctx := context.Background()
	c, err := client.Dial(ctx, h.dir)
	if err != nil {
		t.Fatal(err)
	}
	// Without the token, and with another one, the port gives nothing.
	for _, header := range []string{"", "Bearer other"} {
		r, _ := http.NewRequest("GET", c.At.Address+"api/instances", nil)
		r.Header.Set("Authorization", header)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != http.StatusUnauthorized || !strings.Contains(string(text), "?token=") {
			t.Errorf("%q: %d %s", header, answer.StatusCode, text)
		}
	}
	if answer, err := http.Get(c.At.Address + "?token=other"); err != nil || answer.StatusCode != http.StatusForbidden {
		t.Errorf("a link with another token: %v, %v", answer, err)
	}
	// The directory must be the user's alone.
	if err := os.Chmod(h.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	h.check(1, "", "chmod 700", "list")
	if err := os.Chmod(h.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{hub.TokenFile, "hub.sock", "instances"} {
		if fi, err := os.Stat(filepath.Join(h.dir, name)); err != nil || fi.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", name, fi.Mode(), err)
		}
	}
	if os.Getuid() != 0 {
		return // the rest needs a second user
	}
	// A second user meets a hub that is not theirs.
	if err := os.Chown(h.dir, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	h.check(1, "", "belongs to nobody, not to you", "list")
	if err := os.Chown(h.dir, 0, 0); err != nil {
		t.Fatal(err)
	}
	h.asNobody(c.At.Socket)
}

// asNobody connects to the socket as another user, who was let into its directory.
func (h *home) asNobody(socket string) {
	h.t.Helper()
	open := os.TempDir() + "/s" + filepath.Base(filepath.Dir(filepath.Dir(h.dir)))
	if err := os.Mkdir(open, 0o755); err != nil {
		h.t.Fatal(err)
	}
	defer os.RemoveAll(open)
	// A second name of the socket, in a directory that all may enter.
	if err := os.Link(socket, open+"/s"); err != nil {
		h.t.Fatal(err)
	}
	if err := os.Chmod(socket, 0o666); err != nil {
		h.t.Fatal(err)
	}
	defer os.Chmod(socket, 0o600)
	exe, _ := os.Executable()
	if err := copyProgram(exe, open+"/program"); err != nil {
		h.t.Fatal(err)
	}
	c := exec.Command(open + "/program")
	c.Env = []string{"TENSORBORED_TEST_ASK=" + open + "/s"}
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	c.Dir = "/"
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "403") || !strings.Contains(string(out), "another user's hub") {
		h.t.Errorf("as another user: %v, %s", err, out)
	}
}

// Two users with one base: each has a hub and viewers of their own, and writes nothing
// into the base.
func TestTwoUsersOfABase(t *testing.T) {
	t.Parallel()
	a, b := newHome(t), newHome(t)
	b.base = a.base
	b.configure("")
	if err := filepath.WalkDir(a.base, func(p string, e os.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			err = os.Chmod(p, 0o555)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	defer filepath.WalkDir(a.base, func(p string, e os.DirEntry, err error) error { return os.Chmod(p, 0o755) })
	before := tree(t, a.base)
	for _, h := range []*home{a, b} {
		h.check(0, ".*is ready.*", "", "start", "7")
	}
	ofA, ofB := strings.Fields(a.run("list", "-q").stdout), strings.Fields(b.run("list", "-q").stdout)
	if len(ofA) != 1 || len(ofB) != 1 || ofA[0] == ofB[0] {
		t.Errorf("%q and %q", ofA, ofB)
	}
	b.check(1, "", "not found", "kill", ofA[0])
	if after := tree(t, a.base); after != before {
		t.Errorf("the base was written to: %s, was %s", after, before)
	}
}

func tree(t *testing.T, dir string) string {
	var b strings.Builder
	if err := filepath.WalkDir(dir, func(p string, e os.DirEntry, err error) error {
		fmt.Fprintln(&b, p)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Where nothing can be written nothing is started, and it is said.
func TestHubOnAFullDisk(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.started("7")
	viewers := len(h.viewers())
	// The hub's files are limited to what they are now, which is what a full disk is.
	for _, pid := range h.hubs() {
		limit := exec.Command("prlimit", "--pid", strconv.Itoa(pid), "--fsize=64:64")
		if out, err := limit.CombinedOutput(); err != nil {
			t.Fatalf("prlimit: %v %s", err, out)
		}
	}
	h.check(1, "", "cannot write", "start", "8")
	s := h.run("start", "8")
	if !strings.Contains(s.stderr, "make room on that disk") {
		t.Errorf("%+v", s)
	}
	if n := len(h.viewers()); n != viewers {
		t.Errorf("%d viewers run, %d did", n, viewers)
	}
	if left, _ := os.ReadDir(filepath.Join(h.dir, "instances")); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
	if s := h.run("list", "-q"); len(strings.Fields(s.stdout)) != 1 {
		t.Errorf("list: %+v", s)
	}
}

// A context's profile is the one that the viewer shows first, kept as it was.
func TestStartWithContext(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	dir := t.TempDir()
	profile := filepath.Join(dir, "profile.json")
	if err := os.WriteFile(profile, []byte(`{"version":1,"name":"of the context"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, context := range []string{profile, dir} {
		s := h.run("start", "7", "--context", context)
		link := s.stdout[strings.Index(s.stdout, "http://") : len(s.stdout)-1]
		if text := h.fetch(link, "data/profile"); !strings.Contains(text, "of the context") {
			t.Errorf("%s: %s", context, text)
		}
		if text := h.fetch(link, "data/listing.json"); !strings.Contains(text, "experiment/7/trial/12") {
			t.Errorf("%s: %s", context, text)
		}
	}
	h.check(1, "", "the context "+dir+"/none cannot be read", "start", "7", "--context", dir+"/none")
}
