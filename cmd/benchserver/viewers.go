package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/server/hub"
	"github.com/tensorbored/tensorbored-static/server/hub/driver"
	"github.com/tensorbored/tensorbored-static/server/hub/state"
)

// viewers measures the hub: how soon a viewer is ready, and what a thousand cost.
func viewers(logdir string) error {
	dir, err := os.MkdirTemp("", "hub")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "hub.yaml"), []byte("{}\n"), 0o600); err != nil {
		return err
	}
	command := func(hubDir string, args ...string) *exec.Cmd {
		c := exec.Command(*program, args...)
		c.Env = append(os.Environ(), "TENSORBORED_HUB_DIR="+filepath.Join(dir, hubDir), "TENSORBORED_HUB_CONFIG="+filepath.Join(dir, "hub.yaml"), "SSH_CONNECTION=", "DISPLAY=")
		return c
	}
	run := func(args ...string) (time.Duration, string, error) {
		began := time.Now()
		out, err := command("few", args...).Output()
		return time.Since(began), string(out), err
	}
	end := func() error {
		_, ids, err := run("list", "-q")
		if err == nil {
			_, _, err = run(append([]string{"kill", "-f"}, strings.Fields(ids)...)...)
		}
		for err == nil {
			_, all, e := run("list", "--csv")
			if err = e; err == nil && strings.Count(all, "TERMINATED") == strings.Count(all, "\n")-1 {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		_, _, e := run("hub", "--stop")
		return errors.Join(err, e)
	}
	cold, _, err := run("start", "--logdir", logdir, "--no-browser")
	if err != nil {
		return err
	}
	line("start: no hub to a viewer that is ready", cold, "≤ 500 ms")
	warm, err := median(func() (time.Duration, error) {
		d, _, err := run("start", "--new", "--logdir", logdir, "--no-browser")
		return d, err
	})
	if err != nil {
		return errors.Join(err, end())
	}
	line("start: a further viewer that is ready", warm, "≤ 500 ms")
	if err := end(); err != nil {
		return err
	}
	return thousand(filepath.Join(dir, "many"), command)
}

// thousand measures a hub that takes over a thousand viewers. They are this process: it
// holds their locks and answers for all of them.
func thousand(dir string, command func(string, ...string) *exec.Cmd) error {
	const n = 1000
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer l.Close()
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(`{"ready":true}`)) }))
	host, _ := os.Hostname()
	now := time.Now()
	for k := range n {
		id := fmt.Sprintf("%08x-0000-4000-8000-%012x", k, k)
		at := filepath.Join(dir, "instances", id)
		if err := os.MkdirAll(at, 0o700); err != nil {
			return err
		}
		hold, err := state.Hold(at)
		if err != nil {
			return err
		}
		defer hold.Close()
		record := struct {
			hub.Instance
			Ref   driver.Ref `json:"ref"`
			Taken bool       `json:"taken"`
		}{hub.Instance{ID: id, Description: fmt.Sprint("viewer ", k), State: hub.Running, Driver: "local", Path: "proxy/" + id + "/", Start: now, Ready: &now,
			Sources: []state.Root{{Dir: "/shared/checkpoints/cluster/tensorboard/experiment/" + strconv.Itoa(k), Name: "experiment/" + strconv.Itoa(k)}}},
			driver.Ref{ID: id, Dir: at, Job: strconv.Itoa(os.Getpid())}, true}
		err = errors.Join(state.WriteJSON(at, state.RecordFile, record), state.WriteJSON(at, state.SpecFile, state.Spec{ID: id, Secret: "secret"}),
			state.Announce(at, &state.Endpoint{Addresses: []string{l.Addr().String()}, Host: host, PID: os.Getpid()}))
		if err != nil {
			return err
		}
	}
	h := command("many", "hub")
	h.Stderr = os.Stderr
	if err := h.Start(); err != nil {
		return err
	}
	defer func() {
		h.Process.Signal(os.Interrupt) // its viewers go on: they are this process
		h.Wait()
	}()
	var took time.Duration
	for tries := 0; ; tries++ {
		began := time.Now()
		out, err := command("many", "list", "--json").Output()
		took = time.Since(began)
		var all []hub.Instance
		running := 0
		if err == nil {
			err = json.Unmarshal(out, &all)
		}
		for _, i := range all {
			if i.State == hub.Running {
				running++
			}
		}
		if err == nil && running == n {
			break
		}
		if tries == 200 {
			return fmt.Errorf("the hub lists %d of %d viewers (%v)", running, n, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	line("list: 1000 viewers", took, "")
	time.Sleep(5 * time.Second) // it has asked each once
	before, err := spent(h.Process.Pid)
	if err != nil {
		return err
	}
	const long = 20 * time.Second
	time.Sleep(long)
	after, err := spent(h.Process.Pid)
	if err != nil {
		return err
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", h.Process.Pid))
	if err != nil {
		return err
	}
	memory := "unknown"
	for l := range strings.Lines(string(status)) {
		if v, ok := strings.CutPrefix(l, "VmRSS:"); ok {
			memory = strings.TrimSpace(v)
		}
	}
	fmt.Printf("%-58s %9s      ≤ 100 MB\n", "the hub of 1000 viewers: memory", memory)
	fmt.Printf("%-58s %9.2f %%    ≤ 0.5 %%\n", "the hub of 1000 viewers, idle: processor", 100*float64(after-before)/float64(long))
	return nil
}

// spent is the processor time of a process, in hundredths of a second as the system counts.
func spent(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	f := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	user, err := strconv.Atoi(f[11])
	system, e := strconv.Atoi(f[12])
	return time.Duration(user+system) * 10 * time.Millisecond, errors.Join(err, e)
}
