//go:build linux

package hub_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/server/hub"
	"github.com/tensorbored/tensorbored-static/server/hub/driver"
	"github.com/tensorbored/tensorbored-static/server/hub/driver/local"
	"github.com/tensorbored/tensorbored-static/server/hub/driver/slurm"
	"github.com/tensorbored/tensorbored-static/server/hub/slurmtest"
	"github.com/tensorbored/tensorbored-static/server/hub/state"
)

// engine is what a driver runs viewers by, and how the suite brings about what happens to
// them there. Each place returns settings for the viewer to which it is to happen.
type engine struct {
	name string
	new  func() driver.Driver
	jobs func() int // the engine's jobs that have not ended

	// full makes the next viewer wait, until the function is called.
	full   func(t *testing.T) (place hub.Settings, free func(id string))
	queued hub.State // what it is then
	// The others happen to a viewer that runs.
	preempt, timeOut, loseNode func(t *testing.T, w *world, id string)
	lowPlace, timedPlace       hub.Settings
	crashed, preempted         string // parts of the exit status
	timedOut, lost             string
	refuse                     map[string]hub.Settings // a part of the error: settings
}

func localEngine(t *testing.T) *engine {
	kill := func(sig syscall.Signal) func(*testing.T, *world, string) {
		return func(t *testing.T, w *world, id string) {
			if err := syscall.Kill(w.pid(id), sig); err != nil {
				t.Error(err)
			}
		}
	}
	return &engine{
		name: "local",
		new:  func() driver.Driver { return local.New() },
		jobs: func() int { return 0 },
		// There is no queue.
		full:   func(t *testing.T) (hub.Settings, func(string)) { return nil, func(string) {} },
		queued: hub.Running,
		// What others do to a program: they ask it to end, end it after a time (as timeout
		// -s QUIT does), or it is gone with the machine.
		preempt:  kill(syscall.SIGTERM),
		timeOut:  kill(syscall.SIGQUIT),
		loseNode: func(t *testing.T, w *world, id string) { w.end(); kill(syscall.SIGKILL)(t, w, id); w.begin() },
		crashed:  "killed (signal 9)", preempted: "allocation exited successfully", timedOut: "exit status 2", lost: "ended while no hub looked after it",
	}
}

// slurmEngine is a cluster of two nodes where all is well, one that is filled up, and one
// that preempts and is lost.
func slurmEngine(t *testing.T, more ...string) (*engine, *slurmtest.Cluster) {
	c := slurmtest.Start(t, slurmtest.Options{Nodes: 4, More: append(more, "EnforcePartLimits=ALL", "PartitionName=short Nodes=n0 MaxTime=10",
		"PartitionName=reserved Nodes=n0 ReqResv=YES", "PartitionName=physics Nodes=n0 AllowAccounts=physics")})
	return &engine{
		name: "slurm",
		new:  func() driver.Driver { return slurm.New(slurm.Options{Conf: c.Conf}) },
		jobs: func() int { return len(c.Jobs()) },
		full: func(t *testing.T) (hub.Settings, func(string)) {
			filler := strings.TrimSpace(c.Run("sbatch", "--parsable", "--partition="+slurmtest.Alone, "--exclusive", "--output=/dev/null", "--wrap=sleep 600"))
			wait(t, "the filler", func() bool { return strings.Contains(c.Run("squeue", "-h", "-j", filler, "-o", "%T"), "RUNNING") })
			return hub.Settings{"slurm": hub.Settings{"cpus": 8, "partition": slurmtest.Alone}}, func(string) { c.Run("scancel", filler) }
		},
		queued:     hub.Queued,
		lowPlace:   hub.Settings{"slurm": hub.Settings{"partition": slurmtest.Low, "cpus": 8}},
		timedPlace: hub.Settings{"slurm": hub.Settings{"time": "10:00", "sbatch_args": []string{"--nodelist=n1"}}},
		preempt: func(t *testing.T, w *world, id string) {
			job := strings.TrimSpace(c.Run("sbatch", "--parsable", "--partition="+slurmtest.High, "--exclusive", "--output=/dev/null", "--wrap=sleep 600"))
			t.Cleanup(func() { _, _ = c.Output("scancel", job) })
			w.state(id, hub.Terminated)
			c.Run("scancel", job)
			wait(t, "the node to be free", func() bool { return strings.TrimSpace(c.Run("squeue", "-h", "--nodelist=n3", "-o", "%i")) == "" })
		},
		// Its limit is set to now; Slurm looks every half minute.
		timeOut: func(t *testing.T, w *world, id string) {
			c.EndTime(w.instance(id).Job)
		},
		loseNode: func(t *testing.T, w *world, id string) { c.LoseNode(3) },
		crashed:  "the job failed (exit code 0:9", preempted: "preempted", timedOut: "limit of time", lost: "lost its node",
		refuse: map[string]hub.Settings{
			"Invalid partition name specified":              {"slurm": hub.Settings{"partition": "nope"}},
			"Requested node configuration is not available": {"slurm": hub.Settings{"mem": "9T"}},
			"that partition takes no jobs now":              {"slurm": hub.Settings{"partition": slurmtest.Closed}},
			"is no name of a variable":                      {"slurm": hub.Settings{"export": "A=B"}},
			"slurm.time=1:00:00":                            {"slurm": hub.Settings{"time": "99-0", "partition": "short"}},
			"you may not do that":                           {"slurm": hub.Settings{"partition": "reserved"}},
			"Invalid account":                               {"slurm": hub.Settings{"partition": "physics"}},
		},
	}, c
}

// wait waits until ok.
func wait(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience()); !ok(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

// with puts settings over each other; the driver's is among them.
func (e *engine) with(more ...hub.Settings) hub.Settings {
	all := hub.Settings{"driver": e.name}
	for _, m := range more {
		all = hub.Over(all, m)
	}
	return all
}

func (e *engine) world(t *testing.T) *world {
	return newWorld(t, hub.Settings{"driver": e.name}, func() []driver.Driver { return []driver.Driver{e.new()} })
}

func TestLocal(t *testing.T) {
	t.Parallel()
	conform(t, localEngine(t), func(*testing.T) {})
}

func TestSlurm(t *testing.T) {
	t.Parallel()
	e, c := slurmEngine(t)
	conform(t, e, func(t *testing.T) { slurmTraps(t, e, c) })
	slurmAnew(t, e, c)
	if left := e.jobs(); left != 0 {
		t.Errorf("%d jobs are left: %q", left, c.Jobs())
	}
}

// conform is what every driver must do.
func conform(t *testing.T, e *engine, more func(*testing.T)) {
	// What takes long goes on beside the rest.
	timed := e.world(t)
	timedOut := timed.start(hub.Request{Logdirs: of(logs(t, "a")), Config: e.with(e.timedPlace)}).ID
	timed.state(timedOut, hub.Running)
	e.timeOut(t, timed, timedOut)

	t.Run("all", func(t *testing.T) {
		conformAll(t, e)
		more(t)
	})
	t.Run("ended by time", func(t *testing.T) { timed.ended(timedOut, e.timedOut) })
}

// conformAll is all that goes on at the same time.
func conformAll(t *testing.T, e *engine) {
	t.Run("start to end", func(t *testing.T) {
		t.Parallel()
		w := e.world(t)
		dir := logs(t, "a")
		q := hub.Request{Logdirs: of(dir), Config: e.with(hub.Settings{"description": "mine"})}
		s := w.start(q)
		if s.Again || !s.Live() || s.Description != "mine" || s.Driver != e.name || s.ExitStatus != nil || s.Owner != "tester" {
			t.Errorf("%+v", s)
		}
		i := w.state(s.ID, hub.Running)
		if i.Job == "" || i.Node == "" || i.Ready == nil {
			t.Errorf("%+v", i)
		}
		if l := w.list(); len(l) != 1 || l[0].ID != s.ID {
			t.Errorf("list: %+v", l)
		}
		if got := w.instance(s.ID[:6]); got.ID != s.ID {
			t.Errorf("by the beginning of its ID: %+v", got)
		}
		if code, text := w.call("GET", s.Path+"data/listing.json", nil); code != 200 || !strings.Contains(text, `"a/`) {
			t.Errorf("listing: %d %s", code, text)
		}
		if code, text := w.call("GET", s.Path, nil); code != 200 || !strings.Contains(text, `<script src="hub.js" defer></script>`) {
			t.Errorf("page: %d %s", code, text)
		}
		if code, text := w.call("GET", "api/instances/"+s.ID+"/logs", nil); code != 200 || !strings.Contains(text, "Listening on") {
			t.Errorf("logs: %d %s", code, text)
		}
		if _, text := w.call("GET", "api/instances/"+s.ID+"/config", nil); !strings.Contains(text, "description: mine") || !strings.Contains(text, "driver: "+e.name) {
			t.Errorf("config: %s", text)
		}
		if again := w.start(q); !again.Again || again.ID != s.ID {
			t.Errorf("the same sources start %+v", again)
		}
		q.New = true
		other := w.start(q)
		if other.Again || other.ID == s.ID {
			t.Errorf("with new: %+v", other)
		}
		for _, id := range []string{s.ID, other.ID} {
			if code, text := w.call("POST", "api/instances/"+id+"/kill", struct{}{}); code != 200 {
				t.Errorf("kill: %d %s", code, text)
			}
		}
		for _, id := range []string{s.ID, other.ID} {
			w.ended(id, "killed by tester")
		}
		// Killing what has ended is no error, and changes nothing.
		if code, _ := w.call("POST", "api/instances/"+s.ID+"/kill", struct{}{}); code != 200 {
			t.Errorf("kill again: %d", code)
		}
		if code, text := w.call("GET", s.Path+"data/listing.json", nil); code != http.StatusGone || !strings.Contains(text, "killed by tester") {
			t.Errorf("after the end: %d %s", code, text)
		}
		if code, text := w.call("GET", "api/instances/"+s.ID+"/logs?follow=1", nil); code != 200 || !strings.Contains(text, "Listening on") {
			t.Errorf("the log of an ended one: %d %s", code, text)
		}
		if l := w.list(); len(l) != 2 {
			t.Errorf("ended ones are listed: %+v", l)
		}
	})

	t.Run("crash", func(t *testing.T) {
		t.Parallel()
		w := e.world(t)
		s := w.start(hub.Request{Logdirs: of(logs(t, "a")), Config: e.with()})
		w.state(s.ID, hub.Running)
		if err := syscall.Kill(w.pid(s.ID), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		w.ended(s.ID, e.crashed)
	})

	t.Run("waits for a record", func(t *testing.T) {
		t.Parallel()
		w := e.world(t)
		dir := t.TempDir()
		s := w.start(hub.Request{Logdirs: of(dir), Config: e.with()})
		w.state(s.ID, hub.Waiting)
		record(t, filepath.Join(dir, "late"))
		w.state(s.ID, hub.Running)
		w.kill(s.ID)
	})

	t.Run("waits in the queue", func(t *testing.T) {
		t.Parallel()
		w := e.world(t)
		place, free := e.full(t)
		s := w.start(hub.Request{Logdirs: of(logs(t, "a")), Config: e.with(place)})
		waits := w.until(s.ID, "waiting", func(i hub.Instance) bool { return i.State == e.queued && (i.Reason != "" || e.queued != hub.Queued) })
		if e.queued == hub.Queued {
			if code, text := w.call("GET", s.Path+"data/listing.json", nil); code != 503 || !strings.Contains(text, "not there yet") {
				t.Errorf("meanwhile: %d %s", code, text)
			}
			// One that waits can be ended, and never runs.
			other := w.start(hub.Request{Logdirs: of(logs(t, "b")), Config: e.with(place)})
			w.state(other.ID, hub.Queued)
			w.kill(other.ID)
			t.Logf("waits: %s", waits.Reason)
		}
		free(s.ID)
		w.state(s.ID, hub.Running)
		w.kill(s.ID)
	})

	t.Run("preempted, then without its node", func(t *testing.T) {
		t.Parallel()
		w := e.world(t)
		s := w.start(hub.Request{Logdirs: of(logs(t, "a")), Config: e.with(e.lowPlace)})
		w.state(s.ID, hub.Running)
		e.preempt(t, w, s.ID)
		w.ended(s.ID, e.preempted)
		s = w.start(hub.Request{Logdirs: of(logs(t, "a")), Config: e.with(e.lowPlace), New: true})
		w.state(s.ID, hub.Running)
		e.loseNode(t, w, s.ID)
		w.ended(s.ID, e.lost)
	})

	t.Run("idle", func(t *testing.T) {
		t.Parallel()
		w := e.world(t)
		idle := func(d string) hub.Settings { return e.with(hub.Settings{"idle_timeout": d}) }
		looked := w.start(hub.Request{Logdirs: of(logs(t, "a")), Config: idle("8s")})
		alone := w.start(hub.Request{Logdirs: of(logs(t, "b")), Config: idle("2s")})
		never := w.start(hub.Request{Logdirs: of(logs(t, "c")), Config: idle("never")})
		beat := func() {
			code, text := w.call("POST", looked.Path+"heartbeat", struct{}{})
			var said struct{ Every float64 }
			if err := json.Unmarshal([]byte(text), &said); err != nil || code != 200 || said.Every < 2 || said.Every > 4 {
				t.Errorf("heartbeat: %d %s", code, text)
			}
		}
		for _, id := range []string{alone.ID, never.ID, looked.ID} {
			w.until(id, "ready", func(i hub.Instance) bool { beat(); return i.Ready != nil })
		}
		// A tab that is hidden has its line to the reader all the time.
		r, err := http.NewRequest("GET", w.server.URL+"/"+alone.Path+"data/near", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		line, err := http.DefaultClient.Do(r)
		if err != nil || line.StatusCode != 200 {
			t.Fatal(line, err)
		}
		defer line.Body.Close()
		w.until(alone.ID, "idle", func(i hub.Instance) bool { beat(); return i.State == hub.Terminated })
		w.ended(alone.ID, "idle for more than 2s: service is inactive")
		// A visible tab keeps it for longer than its timeout.
		ready := w.instance(looked.ID).Ready
		w.until(looked.ID, "older than its timeout", func(i hub.Instance) bool { beat(); return time.Since(*ready) > 10*time.Second })
		for _, id := range []string{looked.ID, never.ID} {
			if i := w.instance(id); i.State != hub.Running {
				t.Errorf("%+v", i)
			}
		}
		w.ended(looked.ID, "idle for more than 8s")
		w.kill(never.ID)
	})

	t.Run("the hub anew", func(t *testing.T) {
		t.Parallel()
		w := e.world(t)
		s := w.start(hub.Request{Logdirs: of(logs(t, "a")), Config: e.with()})
		w.state(s.ID, hub.Running)
		pid := w.pid(s.ID)
		w.again()
		i := w.instance(s.ID)
		if i.State != hub.Running || w.pid(s.ID) != pid {
			t.Errorf("after it: %+v, process %d", i, w.pid(s.ID))
		}
		wait(t, "the viewer behind the new hub", func() bool {
			code, _ := w.call("GET", s.Path+"data/listing.json", nil)
			return code == 200
		})
		w.kill(s.ID)
		// Ended ones outlast it too.
		w.again()
		if i := w.instance(s.ID); i.State != hub.Terminated || i.ExitStatus == nil || *i.ExitStatus != "killed by tester" {
			t.Errorf("an ended one after it: %+v", i)
		}
	})

	t.Run("killed while it starts one", func(t *testing.T) {
		t.Parallel()
		// A hub that was killed after it had asked the engine, and before it had heard its
		// answer, leaves a record without a job: of a viewer that comes, or of none.
		w := e.world(t)
		s := w.start(hub.Request{Logdirs: of(logs(t, "a")), Config: e.with()})
		w.end()
		forget(t, filepath.Join(w.dir, "instances", s.ID))
		w.begin()
		w.state(s.ID, hub.Running)
		w.kill(s.ID)
	})

	t.Run("refused", func(t *testing.T) {
		t.Parallel()
		w := e.world(t)
		for part, place := range e.refuse {
			code, text := w.call("POST", "api/instances", hub.Request{Logdirs: of(logs(t, "a")), Config: e.with(place)})
			if code != http.StatusConflict || !strings.Contains(text, part) {
				t.Errorf("%v: %d %s", place, code, text)
			}
		}
		if l := w.list(); len(l) != 0 {
			t.Errorf("left in the list: %+v", l)
		}
		if left, _ := os.ReadDir(filepath.Join(w.dir, "instances")); len(left) != 0 {
			t.Errorf("left in the directory: %v", left)
		}
	})
}

// kill ends an instance and waits for its end.
func (w *world) kill(id string) {
	w.t.Helper()
	if code, text := w.call("POST", "api/instances/"+id+"/kill", struct{}{}); code != 200 {
		w.t.Errorf("kill: %d %s", code, text)
	}
	w.ended(id, "killed by tester")
}

// forget takes from a record what the hub learned of the engine.
func forget(t *testing.T, dir string) {
	t.Helper()
	var r map[string]any
	if err := state.ReadJSON(dir, state.RecordFile, &r); err != nil {
		t.Fatal(err)
	}
	delete(r, "job")
	delete(r["ref"].(map[string]any), "job")
	r["taken"], r["state"] = false, "QUEUED"
	delete(r, "readyTime")
	if err := state.WriteJSON(dir, state.RecordFile, r); err != nil {
		t.Fatal(err)
	}
}
