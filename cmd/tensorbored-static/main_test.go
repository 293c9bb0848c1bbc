package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tensorbored/tensorbored-static/server/clock"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/static"
)

// With this in its environment the test program is the command.
const beCommand = "TENSORBORED_TEST_BE_COMMAND"

// skewVariable says by how much the command's clock is wrong.
const skewVariable = "TENSORBORED_TEST_SKEW"

func TestMain(m *testing.M) {
	// A job of a cluster has an environment of its own: there the command is known by its name.
	if os.Getenv(beCommand) != "" || len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		clock.Skew, _ = time.ParseDuration(os.Getenv(skewVariable))
		main()
	}
	if socket := os.Getenv("TENSORBORED_TEST_ASK"); socket != "" {
		fmt.Print(askSocket(socket))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// call runs the command to its end.
func call(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = run(args, &out, &err)
	return code, out.String(), err.String()
}

// anyPort is --port 0.
var anyPort = portFlag{given: true}

// started runs the server, returns its address, and ends it with the test. It
// fails if the address is not the only line.
func started(t *testing.T, f serveFlags) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	var stderr bytes.Buffer
	done := make(chan int, 1)
	go func() {
		done <- serve(ctx, f, w, &stderr)
		w.Close()
	}()
	out := bufio.NewReader(r)
	line, err := out.ReadString('\n')
	if err != nil {
		t.Fatalf("no address: %v, %s", err, stderr.String())
	}
	t.Cleanup(func() {
		cancel()
		more, err := io.ReadAll(out)
		if code := <-done; code != 0 || err != nil || len(more) > 0 {
			t.Errorf("ended with %d; more output %q, %v", code, more, err)
		}
	})
	return strings.TrimSuffix(line, "\n")
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

func logs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"a b/tfevents.1": "one", "c/tfevents.2": "two", "c/notes.txt": "not listed"} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestServe(t *testing.T) {
	url := started(t, serveFlags{logdirs: []string{logs(t)}, port: anyPort, prefix: "tb"})
	if !strings.HasPrefix(url, "http://127.0.0.1:") || !strings.HasSuffix(url, "/tb/") {
		t.Errorf("address %q", url)
	}
	if code, body := get(t, url+"data/listing.json"); code != 200 || !strings.Contains(body, "tfevents.2") || !strings.Contains(body, `"kept":"`) {
		t.Errorf("listing: %d %s", code, body)
	}
	if code, body := get(t, url+"data/files/a%20b/tfevents.1"); code != 200 || body != "one" {
		t.Errorf("file: %d %s", code, body)
	}
}

func TestServeDemo(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Run("serve", func(t *testing.T) {
		url := started(t, serveFlags{demo: true, port: anyPort})
		for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
			if _, body := get(t, url+"data/listing.json"); strings.Contains(body, `"logdir":"demo"`) && strings.Contains(body, "tfevents") {
				break
			} else if time.Now().After(end) {
				t.Fatalf("the demo writes nothing: %s", body)
			}
		}
	})
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("the demo left %v, %v", left, err)
	}
}

func TestServeEmptyLogdir(t *testing.T) {
	url := started(t, serveFlags{logdirs: []string{t.TempDir()}, host: "localhost", port: anyPort})
	if code, body := get(t, url+"data/listing.json"); code != 200 || !strings.Contains(body, `"files":[]`) || strings.Contains(body, "kept") {
		t.Errorf("listing: %d %s", code, body)
	}
}

func TestPortTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	// Given by the user: an error that says what to do.
	code, stdout, stderr := call("--port", fmt.Sprint(port))
	if code != exitFailed || stdout != "" || !strings.Contains(stderr, "leave --port out") {
		t.Errorf("code %d, %q, %q", code, stdout, stderr)
	}
	// Not given: the next one.
	next, err := listen(context.Background(), "127.0.0.1", port, false)
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	if got := next.Addr().(*net.TCPAddr).Port; got <= port || got >= port+portTries {
		t.Errorf("port %d after %d", got, port)
	}
}

func TestBadUse(t *testing.T) {
	file := filepath.Join(logs(t), "c", "tfevents.2")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--logdir hdfs://bucket/logs", exitUsage, "s3://, gs:// and azblob:// are known"},
		{"--logdir " + filepath.Join(filepath.Dir(file), "notes.txt"), exitUsage, "is not a directory"},
		{"--logdir_spec a/../b:runs", exitUsage, "no path of a run"},
		{"--port 70000", exitUsage, "from 0 (any free port) to 65535"},
		{"--port x", exitUsage, "from 0 (any free port) to 65535"},
		{"--host 203.0.113.7 --port 0", exitFailed, "give an address of this machine"},
		{"--host 127.0.0.1 --bind_all", exitUsage, "exclude each other"},
		{"--token env --port 0", exitUsage, "TENSORBORED_TOKEN: set it"},
		{"--demo --logdir x", exitUsage, "exclude each other"},
		{"--reload_interval -1", exitUsage, "in seconds"},
		{"--reload_interval NaN", exitUsage, "in seconds"},
		{"--samples_per_plugin scalars", exitUsage, "is not plugin=number"},
		{"--samples_per_plugin scalars=-1", exitUsage, "is not plugin=number"},
		{"--nonsense", exitUsage, "unknown flag --nonsense: see tensorbored-static --help"},
		{"--logdri x", exitUsage, "did you mean --logdir?"},
		{"--path_perfix /x", exitUsage, "did you mean --path-prefix?"},
		{"-logdir x", exitUsage, "write --logdir"},
		{"pages --logdirs x", exitUsage, "did you mean --logdir?"},
		{"dmup x", exitUsage, "did you mean dump?"},
		{"--logdir", exitUsage, "needs an argument"},
		{"--allow-origin * --port 0", exitUsage, "is not one"},
		{"--allow-frame * --token random --port 0", exitUsage, "give a --path-prefix"},
		{"--allow-frame https: --port 0", exitUsage, "site https: is not one"},
		{"--allow-frame https://a.example/b --port 0", exitUsage, "without a path"},
		{"--allow-frame https://a.example;default-src --port 0", exitUsage, "is not one"},
		{"--allowed-host * --port 0", exitUsage, "give --token too"},
		{"--allowed-host * --path-prefix / --token none --port 0", exitUsage, "give --token too"},
		{"runs/mine", exitUsage, "tensorbored-static --logdir runs/mine"},
		{"serve runs/mine", exitUsage, "write --logdir runs/mine"},
		{"list a b", exitUsage, "give one logdir"},
		{"list --base x", exitUsage, "give one logdir"},
		{"list -q a", exitUsage, "leave the logdir out"},
		{"start", exitUsage, "Either experiment_ids or trial_ids must be specified."},
		{"start 7 --config nonsense", exitUsage, "is not key=value"},
		{"start 7 --config nonsense=1", exitUsage, "there are allowed_hosts"},
		{"start 7 --config port=1", exitUsage, "how the hub runs"},
		{"start 7 --driver nomad", exitUsage, "local or slurm"},
		{"start 7 --idle-timeout soon", exitUsage, "is no duration"},
		{"kill", exitUsage, "give IDs"},
		{"logs x --head 1 --tail 1", exitUsage, "exclude each other"},
		{"list /does/not/exist", exitUsage, "does not exist"},
		{"pages", exitUsage, "give one directory"},
	} {
		code, stdout, stderr := call(strings.Fields(c.args)...)
		if code != c.code || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: code %d, stdout %q, stderr %q", c.args, code, stdout, stderr)
		}
	}
}

// Every help fits a terminal of 24 lines of 80 characters, with a line for the prompt,
// and names every command or flag.
func TestHelpFits(t *testing.T) {
	see := func(c *cobra.Command, args ...string) string {
		t.Helper()
		code, stdout, stderr := call(args...)
		if code != 0 || stderr != "" {
			t.Errorf("%q: code %d, stderr %q", args, code, stderr)
		}
		for i, line := range strings.Split(strings.TrimSuffix(stdout, "\n"), "\n") {
			if i >= 23 || utf8.RuneCountInString(line) > 80 {
				t.Errorf("%q: line %d does not fit: %q", args, i+1, line)
			}
		}
		return stdout
	}
	root := newRoot()
	overview := see(root, "--help")
	for _, arg := range []string{"help", "-h"} {
		if see(root, arg) != overview {
			t.Errorf("%s prints another help", arg)
		}
	}
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			continue
		}
		if !strings.Contains(overview, c.Name()) {
			t.Errorf("the help does not name %s", c.Name())
		}
		text := see(c, c.Name(), "--help")
		if see(c, "help", c.Name()) != text {
			t.Errorf("help %s prints another help", c.Name())
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" && !strings.Contains(text, "--"+f.Name) {
				t.Errorf("%s --help does not name --%s", c.Name(), f.Name)
			}
		})
		for _, sub := range c.Commands() {
			if c.Name() == "profile" {
				if own := see(sub, c.Name(), sub.Name(), "--help"); !strings.Contains(own, "profile "+sub.Name()) || !strings.Contains(text, sub.Name()) {
					t.Errorf("no help for %s", sub.CommandPath())
				}
			}
		}
	}
	for _, arg := range []string{"version", "--version"} {
		if code, stdout, _ := call(arg); code != 0 || !strings.HasPrefix(stdout, "tensorbored-static ") || strings.Count(stdout, "\n") != 1 {
			t.Errorf("%s: %d %s", arg, code, stdout)
		}
	}
}

// A shell completes commands, flags and directories.
func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if code, stdout, _ := call("completion", shell); code != 0 || !strings.Contains(stdout, "tensorbored-static") {
			t.Errorf("%s: %d, %d bytes", shell, code, len(stdout))
		}
	}
	for typed, want := range map[string]string{"du": "dump", "--window": "--window-title", "pages --no-d": "--no-demo"} {
		if _, stdout, _ := call(append([]string{"__complete"}, strings.Fields(typed)...)...); !strings.HasPrefix(stdout, want) {
			t.Errorf("%s is completed to %s", typed, stdout)
		}
	}
}

// Every flag of tensorboard is accepted, with underscores and with hyphens, and each
// that does nothing here is answered by one line.
func TestPeerFlags(t *testing.T) {
	// As in tensorboard/plugins/core/core_plugin.py of TensorBoard 2.20; a value where
	// it wants one.
	all := "logdir=x logdir_spec=a:x host=127.0.0.1 port=0 reuse_port=false load_fast=auto extra_data_server_flags=--x grpc_creds_type=local " +
		"grpc_data_provider=x purge_orphaned_data=true db=x db_import path_prefix=/x window_title=x max_reload_threads=2 reload_interval=5 " +
		"reload_task=auto reload_multifile=true reload_multifile_inactive_secs=5 generic_data=auto samples_per_plugin=scalars=5 detect_file_replacement=true " +
		"bind_all"
	for _, flag := range strings.Fields(all) {
		name, value, wants := strings.Cut(flag, "=")
		forms := [][]string{{"--" + name}}
		if wants {
			forms = [][]string{{"--" + name, value}, {"--" + name + "=" + value}, {"--" + strings.ReplaceAll(name, "_", "-"), value}}
		}
		for _, args := range forms {
			c := newServe()
			c.SetGlobalNormalizationFunc(hyphens)
			if err := c.ParseFlags(args); err != nil {
				t.Errorf("%q: %v", args, err)
				continue
			}
			var lines bytes.Buffer
			sayPeerFlags(c.Flags(), &lines)
			want := 0
			if f := c.Flags().Lookup(strings.ReplaceAll(name, "_", "-")); f.Hidden {
				want = 1
			}
			if strings.Count(lines.String(), "\n") != want || want > 0 && !strings.Contains(lines.String(), f2h(name)) {
				t.Errorf("%q is answered by %q", args, lines.String())
			}
		}
	}
}

func f2h(name string) string { return "--" + strings.ReplaceAll(name, "_", "-") + " " }

// What the flags ask of the page stands in the listing.
func TestPageFlags(t *testing.T) {
	for _, c := range []struct {
		f    serveFlags
		want api.Page
	}{
		{serveFlags{}, api.Page{}},
		{serveFlags{title: "T", reload: 2.5, reloadGiven: true, samples: "scalars=0, images=7,text=all"},
			api.Page{Title: "T", Reload: 2500, Samples: []api.Samples{{Plugin: "images", Most: 7}, {Plugin: "scalars"}, {Plugin: "text"}}}},
		{serveFlags{reload: 0, reloadGiven: true}, api.Page{Reload: api.Never}},
		{serveFlags{reload: 1e-9, reloadGiven: true}, api.Page{Reload: 1}},
	} {
		c.f.logdirs, c.f.port = []string{logs(t)}, anyPort
		c.f.near.ask(&c.want)
		url := started(t, c.f)
		_, body := get(t, url+"data/listing.json")
		if l, err := api.Parse([]byte(body)); err != nil || !reflect.DeepEqual(l.Page, c.want) {
			t.Errorf("%+v, %v; want %+v", l, err, c.want)
		}
	}
}

// A logdir that does not exist yet is served, and said to be missing.
func TestServeLater(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "later")
	var stderr bytes.Buffer
	store, err := (&serveFlags{logdirs: []string{dir}}).openLogdir(&stderr)
	if err != nil {
		t.Fatal(err)
	}
	store.Close()
	if !strings.Contains(stderr.String(), "does not exist so far") || strings.Count(stderr.String(), "\n") != 1 {
		t.Errorf("stderr %q", stderr.String())
	}
	url := started(t, serveFlags{logdirs: []string{dir}, port: anyPort})
	if _, body := get(t, url+"data/listing.json"); !strings.Contains(body, "does not exist so far") {
		t.Errorf("before: %s", body)
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "tfevents"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if _, body := get(t, url+"data/listing.json"); strings.Contains(body, "tfevents") {
			break
		} else if time.Now().After(end) {
			t.Fatalf("it does not appear: %s", body)
		}
	}
}

func TestOtherAddressWarns(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	words := func(f serveFlags) (address, stderr string) {
		t.Helper()
		var out, err bytes.Buffer
		f.port = anyPort
		if code := serve(ctx, f, &out, &err); code != 0 || strings.Count(out.String(), "\n") != 1 {
			t.Errorf("code %d, %q, %q", code, out.String(), err.String())
		}
		return out.String(), err.String()
	}
	for _, c := range []struct {
		f            serveFlags
		token, warns string // parts of what is printed
	}{
		{serveFlags{}, "", ""},
		{serveFlags{token: "secret"}, "token=secret", ""},
		{serveFlags{token: "random"}, "token=", ""},
		{serveFlags{bindAll: true}, "token=", "anyone with the link"},
		{serveFlags{host: "0.0.0.0"}, "token=", "anyone with the link"},
		{serveFlags{bindAll: true, token: "a b&c"}, "token=a+b%26c", "anyone with the link"},
		{serveFlags{bindAll: true, token: "none"}, "", "everybody who reaches"},
	} {
		address, stderr := words(c.f)
		if strings.Contains(address, "token=") != (c.token != "") || !strings.Contains(address, c.token) {
			t.Errorf("%+v: %s", c.f, address)
		}
		if (stderr != "") != (c.warns != "") || !strings.Contains(stderr, c.warns) || strings.Count(stderr, "\n") > 1 {
			t.Errorf("%+v: %q", c.f, stderr)
		}
	}
	a, _ := words(serveFlags{bindAll: true})
	if b, _ := words(serveFlags{bindAll: true}); len(a) < len("http://x:1/?token=")+26 || a[strings.Index(a, "token="):] == b[strings.Index(b, "token="):] {
		t.Errorf("tokens can be guessed: %s, %s", a, b)
	}
}

// A browser that opens the link reads the logs, and its address bar has no token; one
// that has only the address does not.
func TestToken(t *testing.T) {
	link := started(t, serveFlags{logdirs: []string{logs(t)}, port: anyPort, prefix: "/tb", token: "s&cret ü"})
	address, _, _ := strings.Cut(link, "?")
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	status := func(c *http.Client, url string) int {
		t.Helper()
		r, err := c.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		if strings.Contains(r.Request.URL.String(), "token") && r.StatusCode < 400 {
			t.Errorf("%s stays at %s", url, r.Request.URL)
		}
		return r.StatusCode
	}
	data := address + "data/listing.json"
	if got := status(browser, data); got != http.StatusUnauthorized {
		t.Errorf("without the link: %d", got)
	}
	if got := status(browser, address+"?token=wrong"); got != http.StatusForbidden {
		t.Errorf("wrong link: %d", got)
	}
	if got := status(browser, data); got != http.StatusUnauthorized {
		t.Errorf("after a wrong link: %d", got)
	}
	status(browser, link)
	if got := status(browser, data); got != http.StatusOK {
		t.Errorf("with the link: %d", got)
	}
	if got := status(http.DefaultClient, data); got != http.StatusUnauthorized {
		t.Errorf("another browser: %d", got)
	}
}

func TestAllowedHosts(t *testing.T) {
	tcp := func(ip string) net.Addr { return &net.TCPAddr{IP: net.ParseIP(ip), Port: 6006} }
	if h := allowedHosts("127.0.0.1", tcp("127.0.0.1"), nil); h.AnyAddress || h.Allowed("10.1.2.3") || !h.Allowed("localhost:1") {
		t.Errorf("loopback: %+v", h)
	}
	if h := allowedHosts("", tcp("::"), []string{"Proxy.Example"}); !h.Allowed("10.1.2.3:6006") || h.Allowed("evil.example") || !h.Allowed("proxy.example") {
		t.Errorf("all addresses: %+v", h)
	}
	if h := allowedHosts("gpu-node", tcp("10.1.2.3"), nil); !h.Allowed("gpu-node:6006") || !h.Allowed("10.1.2.3") || h.Allowed("10.1.2.4") {
		t.Errorf("one address: %+v", h)
	}
}

// A signal ends it with code 0, even while an answer is on its way, and so does the end of standard
// input, if that is asked for.
func TestSignal(t *testing.T) {
	dir := logs(t)
	if err := os.Truncate(filepath.Join(dir, "c", "tfevents.2"), 1<<30); err != nil {
		t.Fatal(err)
	}
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, nil} {
		cmd := exec.Command(os.Args[0], "--logdir", dir, "--port", "0")
		cmd.Env = append(os.Environ(), beCommand+"=1")
		if sig == nil {
			cmd.Args = append(cmd.Args, "--end-with-stdin")
		}
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		end := stdin.Close
		if sig != nil {
			if err := stdin.Close(); err != nil {
				t.Fatal(err)
			}
			end = func() error { return cmd.Process.Signal(sig) }
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		url, err := bufio.NewReader(stdout).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.Get(strings.TrimSpace(url) + "data/files/c/tfevents.2")
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		begin := time.Now()
		if err := end(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil || time.Since(begin) > lastWords+5*time.Second {
			t.Errorf("%v: ended after %v with %v", sig, time.Since(begin), err)
		}
	}
}

func TestList(t *testing.T) {
	dir := logs(t)
	for base, want := range map[string]string{"": "files/", "../logs": "../logs/", "https://host.example/x/": "https://host.example/x/"} {
		args := []string{"list", dir}
		if base != "" {
			args = append(args, "--base", base)
		}
		code, stdout, stderr := call(args...)
		l, err := api.Parse([]byte(stdout))
		if code != 0 || err != nil || l.Base != want || l.Batch != "" || len(l.Files) != 2 || l.Files[0].Path != "a b/tfevents.1" {
			t.Errorf("base %q: %d %+v %v %s", base, code, l, err, stderr)
		}
	}
}

func TestPagesData(t *testing.T) {
	dir, out := logs(t), filepath.Join(t.TempDir(), "new", "site")
	if _, err := static.Dist().Open("index.html"); err != nil {
		code, _, stderr := call("pages", out, "--logdir", dir)
		if code != exitFailed || !strings.Contains(stderr, "run make") {
			t.Errorf("not built: %d %s", code, stderr)
		}
		return
	}
	for _, base := range []string{"files/", "files-1/", "files/"} { // again over the one before
		if code, _, stderr := call("pages", out, "--logdir", dir); code != 0 {
			t.Fatalf("%d %s", code, stderr)
		}
		data, err := os.ReadFile(filepath.Join(out, "data", "listing.json"))
		if err != nil {
			t.Fatal(err)
		}
		l, err := api.Parse(data)
		if err != nil || len(l.Files) != 2 || l.Base != base || l.Batch != "" {
			t.Errorf("%+v %v", l, err)
		}
		for _, f := range l.Files {
			fi, err := os.Stat(filepath.Join(out, "data", filepath.FromSlash(l.Base+f.Path)))
			if err != nil || fi.Size() != f.Size || fi.ModTime().UnixNano() != f.MTime {
				t.Errorf("%+v: %v %v", f, fi, err)
			}
		}
		if _, err := os.Stat(filepath.Join(out, "index.html")); err != nil {
			t.Error(err)
		}
	}
}

func TestPagesDemo(t *testing.T) {
	if _, err := static.Dist().Open("index.html"); err != nil {
		return // not built: TestPagesData says so
	}
	out := filepath.Join(t.TempDir(), "site")
	index := func(flags ...string) string {
		t.Helper()
		if code, _, stderr := call(append([]string{"pages", out}, flags...)...); code != 0 {
			t.Fatalf("%d %s", code, stderr)
		}
		b, err := os.ReadFile(filepath.Join(out, "index.html"))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if s := index(); !strings.Contains(s, ` data-demo="demo/listing.json" `) {
		t.Errorf("the page offers no demo: %s", s)
	}
	data, err := os.ReadFile(filepath.Join(out, "demo", "listing.json"))
	if err != nil {
		t.Fatal(err)
	}
	events := 0
	l, err := api.Parse(data)
	for _, f := range l.Files {
		if f.Kind == api.Event {
			events++
		}
	}
	if err != nil || events != 4 {
		t.Errorf("%d event files, %v", events, err)
	}
	// A site with a logdir has nothing left of it, and so one that wants none.
	for _, flags := range [][]string{{"--logdir", logs(t)}, {"--no-demo"}} {
		s := index(flags...)
		if _, err := os.Stat(filepath.Join(out, "demo")); strings.Contains(s, "data-demo") || err == nil {
			t.Errorf("%v: there is a demo", flags)
		}
	}
}

func TestPagesRefuses(t *testing.T) {
	dir := logs(t)
	for out, want := range map[string]string{
		dir:                                "is inside the logdir",
		filepath.Join(dir, "site"):         "is inside the logdir",
		filepath.Dir(os.Args[0]):           "holds something else",
		filepath.Join(dir, "c/tfevents.2"): "cannot be used",
	} {
		logdir := dir
		if strings.HasPrefix(want, "cannot") {
			logdir = t.TempDir()
		}
		code, _, stderr := call("pages", out, "--logdir", logdir)
		if code != exitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: %d %s", out, code, stderr)
		}
	}
}
