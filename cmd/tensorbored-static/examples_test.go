//go:build linux

package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/tensorbored/tensorbored-static/server/ports"
)

// The examples for administrators, tried by the programs that will read them.

const examples = "../../docs/cluster/"

// systemd takes the unit without a word. Of a key that it does not know it only warns.
func TestSystemdUnit(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(examples + "tensorbored-static-hub.service")
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	verify := func(text string) string {
		dir := t.TempDir()
		unit := filepath.Join(dir, "tensorbored-static-hub.service")
		if err := os.WriteFile(unit, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		c := exec.Command("systemd-analyze", "--user", "verify", unit)
		c.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir)
		out, err := c.CombinedOutput()
		if err != nil {
			return fmt.Sprintf("%v: %s", err, out)
		}
		return string(out)
	}
	here := strings.Replace(string(text), "/usr/local/bin/tensorbored-static", exe, 1)
	if here == string(text) {
		t.Error("the unit does not run the program")
	}
	if said := verify(here); said != "" {
		t.Errorf("systemd-analyze says: %s", said)
	}
	if said := verify(strings.Replace(here, "KillMode=process", "KillMode=proces", 1)); said == "" {
		t.Error("systemd-analyze takes anything")
	}
}

// render renders a template of Open OnDemand by the language that it is in.
func render(t *testing.T, name, logdir string) string {
	t.Helper()
	const program = `require "erb"; require "shellwords"
context = Struct.new(:logdir).new(ARGV[1])
host, port, token = "node-1.example", 4711, "abc"
print ERB.new(File.read(ARGV[0]), trim_mode: "-").result(binding)`
	out, err := exec.Command("ruby", "-e", program, examples+"ondemand/"+name, logdir).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", name, err, out)
	}
	return string(out)
}

// The form of Open OnDemand: its files are what they should be, and the job that it makes
// serves what the button opens.
func TestOnDemand(t *testing.T) {
	t.Parallel()
	logdir := t.TempDir() + "/it's my $HOME; runs"
	if err := os.Mkdir(logdir, 0o755); err != nil {
		t.Fatal(err)
	}
	part := func(text string, keys ...string) any {
		t.Helper()
		var v any
		if err := yaml.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		for _, k := range keys {
			m, _ := v.(map[string]any)
			v = m[k]
		}
		return v
	}
	read := func(name string) string {
		text, err := os.ReadFile(examples + "ondemand/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	form := read("form.yml")
	fields, _ := part(form, "form").([]any)
	attributes, _ := part(form, "attributes").(map[string]any)
	for name := range attributes {
		if !strings.Contains(fmt.Sprint(fields), name) {
			t.Errorf("%s is no field of the form: %v", name, fields)
		}
	}
	if part(form, "cluster") == nil || part(read("manifest.yml"), "role") != "batch_connect" {
		t.Error("the form has no cluster, or the app is none")
	}
	submit := render(t, "submit.yml.erb", logdir)
	if part(submit, "batch_connect", "template") != "basic" ||
		fmt.Sprint(part(submit, "batch_connect", "conn_params")) != "[token]" || part(submit, "script", "native") == nil {
		t.Errorf("submit: %s", submit)
	}
	button := render(t, "view.html.erb", logdir)
	if !strings.Contains(button, `href="/node/node-1.example/4711/?token=abc"`) {
		t.Errorf("the button: %s", button)
	}

	// What the basic template of batch_connect does with both scripts.
	dir := t.TempDir()
	for _, name := range []string{"before.sh", "script.sh"} {
		text := render(t, "template/"+name+".erb", logdir)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(exe, filepath.Join(dir, "tensorbored-static")); err != nil {
		t.Fatal(err)
	}
	wrapper := `set -u
cd "$1"
export host port
find_port() { echo "$port_of_the_test"; }
create_passwd() { tr -cd '[:alnum:]' </dev/urandom 2>/dev/null | head "-c${1:-32}"; }
host=$(hostname)
source before.sh
(umask 077; echo "$host $port $token" >connection)
exec ./script.sh`
	free, err := ports.Free(1)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("bash", "-c", wrapper, "bash", dir)
	c.Env = append(os.Environ(), beCommand+"=1", fmt.Sprintf("port_of_the_test=%d", free[0]),
		"PATH="+dir+":"+os.Getenv("PATH"))
	var said strings.Builder
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	stop := func() {
		_ = c.Process.Signal(syscall.SIGTERM) // it may have ended
		if err := <-ended; t.Failed() {
			t.Logf("%v: %s", err, said.String())
		}
	}
	defer stop()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		text, _ := os.ReadFile(filepath.Join(dir, "connection"))
		f := strings.Fields(string(text))
		if len(f) == 3 && len(f[2]) == 32 {
			r, _ := http.NewRequest("GET", fmt.Sprintf("http://%s:%s/node/%[1]s/%[2]s/data/listing.json", f[0], f[1]), nil)
			r.Host = "ondemand.example.edu"
			open, err := http.DefaultClient.Do(r)
			if err == nil {
				open.Body.Close()
				r.Header.Set("Authorization", "Bearer "+f[2])
				if open.StatusCode != http.StatusUnauthorized {
					t.Errorf("without the token: %d", open.StatusCode)
				}
				answer, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				text, _ := io.ReadAll(answer.Body)
				answer.Body.Close()
				if answer.StatusCode != 200 {
					t.Errorf("with the token: %d %s", answer.StatusCode, text)
				}
				return
			}
		}
		if time.Now().After(end) {
			t.Fatal("it does not answer")
		}
	}
}
