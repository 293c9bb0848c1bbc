//go:build linux

package hub_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/server/hub"
	"github.com/tensorbored/tensorbored-static/server/hub/driver"
	"github.com/tensorbored/tensorbored-static/server/hub/driver/slurm"
	"github.com/tensorbored/tensorbored-static/server/hub/slurmtest"
)

// job submits a command as a viewer, and returns what names it.
func job(t *testing.T, d *slurm.Driver, o driver.Slurm, command ...string) driver.Ref {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ref, err := d.Start(context.Background(), driver.Spec{ID: dir, Dir: dir, Command: command, Slurm: o})
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

// end waits for a job's end, and returns how it ended.
func end(t *testing.T, d *slurm.Driver, ref driver.Ref) (s driver.State) {
	t.Helper()
	wait(t, "the job's end", func() bool {
		all, err := d.States(context.Background(), []driver.Ref{ref})
		if err != nil {
			t.Fatal(err)
		}
		s = all[ref.ID]
		return s.Phase == driver.Terminated
	})
	return s
}

// slurmTraps are what Slurm does that a driver must know, each tried on the real one.
func slurmTraps(t *testing.T, e *engine, c *slurmtest.Cluster) {
	ctx := context.Background()
	d := slurm.New(slurm.Options{Conf: c.Conf})

	t.Run("exit codes", func(t *testing.T) {
		t.Parallel()
		fails := job(t, d, driver.Slurm{}, "/bin/sh", "-c", "echo last words; exit 7")
		missing := job(t, d, driver.Slurm{}, "/no/such/program")
		unwritable := job(t, d, driver.Slurm{SbatchArgs: []string{"--hold"}}, "/bin/true")
		// The log's place is taken before the job begins.
		log := filepath.Join(unwritable.Dir, driver.LogFile)
		if err := errors.Join(os.Remove(log), os.Mkdir(log, 0o700)); err != nil {
			t.Fatal(err)
		}
		c.Run("scontrol", "release", unwritable.Job)
		quoted := job(t, d, driver.Slurm{}, "/bin/sh", "-c", `echo "it's $0 $(echo sub)"; exit 3`, "a b")
		for _, x := range []struct {
			ref  driver.Ref
			want string
		}{{fails, "exit code 7:0"}, {missing, "cannot run this program"}, {unwritable, "cannot write to the hub's directory"}, {quoted, "exit code 3:0"}} {
			if s := end(t, d, x.ref); !strings.Contains(s.Reason, x.want) {
				t.Errorf("%q does not say %q", s.Reason, x.want)
			}
		}
		for ref, want := range map[driver.Ref]string{fails: "last words\n", quoted: "it's a b sub\n"} {
			if text, err := os.ReadFile(filepath.Join(ref.Dir, driver.LogFile)); err != nil || string(text) != want {
				t.Errorf("log %q, %v", text, err)
			}
		}
	})

	t.Run("secrets", func(t *testing.T) {
		t.Parallel()
		os.Setenv("CLOUD_SECRET_KEY", "of the user")
		os.Setenv("WANTED_IN_JOB", "yes")
		defer os.Unsetenv("CLOUD_SECRET_KEY")
		defer os.Unsetenv("WANTED_IN_JOB")
		ref := job(t, d, driver.Slurm{Export: []string{"WANTED_IN_JOB"}}, "/usr/bin/env")
		end(t, d, ref)
		text, _ := os.ReadFile(filepath.Join(ref.Dir, driver.LogFile))
		if strings.Contains(string(text), "CLOUD_SECRET_KEY") || !strings.Contains(string(text), "WANTED_IN_JOB=yes") || !strings.Contains(string(text), "PATH=") {
			t.Errorf("the job's environment is %s", text)
		}
		// Nor did the node log the user in, which takes a second, to find more of them.
		if strings.Contains(string(text), "SLURM_GET_USER_ENV=") || strings.Contains(string(text), "LC_ALL=C") {
			t.Errorf("the job's environment is %s", text)
		}
		// What a viewer asks for is in no argument and no script: both are shown to others.
		w := e.world(t)
		s := w.start(hub.Request{Logdirs: of(logs(t, "a")), Config: e.with()})
		i := w.state(s.ID, hub.Running)
		spec, err := os.ReadFile(filepath.Join(w.dir, "instances", s.ID, "spec.json"))
		if err != nil {
			t.Fatal(err)
		}
		_, secret, _ := strings.Cut(string(spec), `"secret":"`)
		secret, _, _ = strings.Cut(secret, `"`)
		shown := c.Run("scontrol", "show", "job", i.Job) + c.Run("scontrol", "write", "batch_script", i.Job, "-")
		if len(secret) < 20 || strings.Contains(shown, secret) {
			t.Errorf("the secret %q is in what Slurm shows", secret)
		}
		if fi, err := os.Stat(filepath.Join(w.dir, "instances", s.ID, "spec.json")); err != nil || fi.Mode().Perm() != 0o600 {
			t.Errorf("spec.json: %v, %v", fi.Mode(), err)
		}
		w.kill(s.ID)
	})

	t.Run("unknown jobs", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		if err := d.Kill(ctx, driver.Ref{ID: "x", Dir: dir, Job: "999999"}, false); err != nil {
			t.Errorf("kill: %v", err)
		}
		s := end(t, d, driver.Ref{ID: "y", Dir: dir, Job: "999999"})
		if !strings.Contains(s.Reason, "gone from the cluster's queue") || !strings.Contains(s.Reason, "keeps no accounts") {
			t.Errorf("%+v", s)
		}
	})

	t.Run("one call of squeue for all", func(t *testing.T) {
		t.Parallel()
		d := slurm.New(slurm.Options{Conf: c.Conf})
		var refs []driver.Ref
		for range 20 {
			refs = append(refs, job(t, d, driver.Slurm{SbatchArgs: []string{"--hold"}}, "/bin/true"))
		}
		before := d.Calls()
		all, err := d.States(ctx, refs)
		if err != nil || len(all) != len(refs) {
			t.Fatalf("%d of %d, %v", len(all), len(refs), err)
		}
		for id, s := range all {
			if s.Phase != driver.Queued || s.Reason != "JobHeldUser" {
				t.Errorf("%s: %+v", id, s)
			}
		}
		if n := d.Calls() - before; n != 1 {
			t.Errorf("%d programs were run", n)
		}
		for _, r := range refs {
			if err := d.Kill(ctx, r, false); err != nil {
				t.Error(err)
			}
		}
		for _, r := range refs {
			if s := end(t, d, r); !strings.Contains(s.Reason, "cancelled") {
				t.Errorf("%+v", s)
			}
		}
	})

	t.Run("without Slurm's configuration", func(t *testing.T) {
		t.Parallel()
		d := slurm.New(slurm.Options{Conf: "/does/not/exist"})
		begin := time.Now()
		_, err := d.Start(ctx, driver.Spec{ID: "x", Dir: t.TempDir(), Command: []string{"/bin/true"}})
		var refused *driver.RefusedError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), "SLURM_CONF") {
			t.Errorf("%v", err)
		}
		if _, err := d.States(ctx, []driver.Ref{{ID: "x", Dir: "/x", Job: "1"}}); err == nil || time.Since(begin) > 10*time.Second {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
	})
}

// slurmAnew is what goes on when Slurm itself does not.
func slurmAnew(t *testing.T, e *engine, c *slurmtest.Cluster) {
	t.Run("controller and node daemons anew", func(t *testing.T) {
		w := newWorld(t, hub.Settings{"driver": "slurm"}, func() []driver.Driver {
			return []driver.Driver{slurm.New(slurm.Options{Conf: c.Conf, CallTime: 2 * time.Second})}
		})
		s := w.start(hub.Request{Logdirs: of(logs(t, "a")), Config: e.with(hub.Settings{"slurm": hub.Settings{"sbatch_args": "--nodelist=n1"}})})
		w.state(s.ID, hub.Running)
		c.StopController()
		code, text := w.call("GET", "api/instances", nil)
		wait(t, "what is wrong, in the list", func() bool {
			code, text = w.call("GET", "api/instances", nil)
			return strings.Contains(text, "may be old")
		})
		if code != 200 || !strings.Contains(text, `"state":"RUNNING"`) {
			t.Errorf("without the controller: %d %s", code, text)
		}
		if code, _ := w.call("GET", s.Path+"data/listing.json", nil); code != 200 {
			t.Errorf("the viewer, without the controller: %d", code)
		}
		code, text = w.call("POST", "api/instances", hub.Request{Logdirs: of(logs(t, "b")), Config: e.with()})
		if code/100 == 2 || !strings.Contains(text, "controller up") {
			t.Errorf("a start without the controller: %d %s", code, text)
		}
		c.Controller()
		c.FindNode(3) // the one that was lost: now it is known to be there again
		pid := w.pid(s.ID)
		wait(t, "the list to be right", func() bool {
			_, text := w.call("GET", "api/instances", nil)
			return !strings.Contains(text, "may be old")
		})
		if i := w.instance(s.ID); i.State != hub.Running || w.pid(s.ID) != pid {
			t.Errorf("with it again: %+v", i)
		}
		w.kill(s.ID)
	})
}

// A queue that takes no more says so, and nothing is left behind. Slurm itself would try
// for a quarter of an hour.
func TestSlurmQueueIsFull(t *testing.T) {
	t.Parallel()
	c := slurmtest.Start(t, slurmtest.Options{Nodes: 1, NoNodes: true, MaxJobs: 2})
	w := newWorld(t, hub.Settings{"driver": "slurm"}, func() []driver.Driver {
		return []driver.Driver{slurm.New(slurm.Options{Conf: c.Conf, CallTime: 2 * time.Second})}
	})
	s := w.start(hub.Request{Logdirs: of(logs(t, "a"))})
	w.until(s.ID, "waiting", func(i hub.Instance) bool { return i.State == hub.Queued && i.Reason != "" })
	code, text := w.call("POST", "api/instances", hub.Request{Logdirs: of(logs(t, "b"))})
	if code != 409 || !strings.Contains(text, "queue is full") {
		t.Errorf("%d %s", code, text)
	}
	if l := w.list(); len(l) != 1 || l[0].ID != s.ID {
		t.Errorf("%+v", l)
	}
	if jobs := c.Jobs(); len(jobs) != 1 {
		t.Errorf("%q", jobs)
	}
	w.kill(s.ID)
	if jobs := c.Jobs(); len(jobs) != 0 {
		t.Errorf("%q are left", jobs)
	}
}

// How a job ended that the queue has forgotten is what the cluster's accounts say: a hub
// may have been away for longer than Slurm remembers.
func TestSlurmAccounts(t *testing.T) {
	t.Parallel()
	c := slurmtest.Start(t, slurmtest.Options{Nodes: 1, Accounts: true})
	d := slurm.New(slurm.Options{Conf: c.Conf})
	fails := job(t, d, driver.Slurm{}, "/bin/sh", "-c", "exit 7")
	missing := job(t, d, driver.Slurm{}, "/no/such/program")
	well := job(t, d, driver.Slurm{}, "/bin/true")
	cancelled := job(t, d, driver.Slurm{}, "/bin/sleep", "600")
	killed := job(t, d, driver.Slurm{}, "/bin/sh", "-c", "kill -9 $$")
	late := job(t, d, driver.Slurm{Time: "10:00"}, "/bin/sleep", "600")
	for _, r := range []driver.Ref{cancelled, late} {
		wait(t, "both to run", func() bool {
			return strings.Contains(c.Run("squeue", "-h", "-j", r.Job, "-o", "%T"), "RUNNING")
		})
	}
	c.Run("scancel", cancelled.Job)
	c.EndTime(late.Job)
	// Nobody asks until the controller has forgotten them.
	wait(t, "the queue to forget", func() bool {
		return strings.TrimSpace(c.Run("squeue", "-h", "--states=all", "-o", "%i")) == ""
	})
	for _, x := range []struct {
		ref  driver.Ref
		want string
	}{{fails, "exit code 7:0"}, {missing, "cannot run this program"}, {well, "exited successfully"}, {cancelled, "was cancelled"},
		{killed, "0:9"}, {late, "limit of time"}} {
		s := end(t, d, x.ref)
		if !strings.Contains(s.Reason, x.want) || s.Node != "n0" || s.Job != x.ref.Job {
			t.Errorf("%+v does not say %q", s, x.want)
		}
		if s.Time != (x.ref == late) {
			t.Errorf("ended by time: %+v", s)
		}
	}
	// A number that no job ever had.
	if s := end(t, d, driver.Ref{ID: "x", Dir: t.TempDir(), Job: "999999"}); !strings.Contains(s.Reason, "gone from the cluster's queue") {
		t.Errorf("%+v", s)
	}
}

// The example of an epilog, run by slurmd as it is: what a job has left of its viewer on the
// node ends, and nothing else does.
func TestSlurmEpilog(t *testing.T) {
	t.Parallel()
	epilog, err := filepath.Abs("../../docs/cluster/epilog.sh")
	if err != nil {
		t.Fatal(err)
	}
	c := slurmtest.Start(t, slurmtest.Options{Nodes: 1, More: []string{"Epilog=" + epilog}})
	d := slurm.New(slurm.Options{Conf: c.Conf})
	held := job(t, d, driver.Slurm{SbatchArgs: []string{"--hold"}}, "/bin/true")
	// A process that is no longer below the job's own is not Slurm's to find.
	name := strings.TrimSpace(c.Run("scontrol", "show", "config"))
	name = regexp.MustCompile(`ClusterName\s*=\s*(\S+)`).FindStringSubmatch(name)[1]
	left := func(id, cluster string) *exec.Cmd {
		p := exec.Command("/bin/sh", "-c", "while :; do sleep 0.1; done", "viewer", "--dir", held.Dir)
		p.Env = append(os.Environ(), "SLURM_JOB_ID="+id, "SLURM_CLUSTER_NAME="+cluster)
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		return p
	}
	its := left(held.Job, name)
	for what, other := range map[string]*exec.Cmd{"another job's": left(held.Job+"1", name), "another cluster's": left(held.Job, name+"0")} {
		defer func() {
			_ = other.Process.Kill() // it must have lived until now
			if err := other.Wait(); err == nil || err.Error() != "signal: killed" {
				t.Errorf("%s process ended: %v", what, err)
			}
		}()
	}
	defer time.AfterFunc(patience(), func() { _ = its.Process.Kill() }).Stop()
	c.Run("scontrol", "release", held.Job)
	if err := its.Wait(); err == nil || err.Error() != "signal: terminated" {
		t.Errorf("what was left of the job: %v", err)
	}
	if s := end(t, d, held); !strings.Contains(s.Reason, "exited successfully") {
		t.Errorf("%+v", s)
	}
	// An epilog that fails drains its node.
	wait(t, "the node to be idle", func() bool { return strings.TrimSpace(c.Run("sinfo", "-h", "-o", "%T")) == "idle" })
}
