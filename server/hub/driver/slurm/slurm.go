// Package slurm runs viewers as jobs of a Slurm cluster, by sbatch, squeue, scancel,
// scontrol and, where the cluster keeps accounts, sacct. What these print as text is the
// same in all releases from 22.05 to 24.11, which cannot be said of their JSON.
//
// What was met, each with its test against a real Slurm:
//
//   - A job is known by its working directory, which is its viewer's folder. So a hub that
//     was killed while sbatch ran finds the job, and one squeue call serves all viewers.
//   - sbatch copies its whole environment, credentials too, into the job. Told which
//     variables it may copy (--export=NIL, NONE or names), it has the node log the user in
//     to find the others, which takes a second and more. So sbatch itself is run with few
//     variables, and those that the user asks for come from a file with mode 0600.
//   - scancel of an unknown job succeeds without a word; squeue of one fails.
//   - Minutes after its end a job is gone from squeue. Its end is then what sacct says, or,
//     where there are no accounts, what the viewer has left in its folder.
//   - A log that cannot be opened ends a job without any log: JobLaunchFailure, 0:53.
//   - Where the controller does not answer, or the queue is full, the programs try again
//     for a minute and more. They are ended after 20 seconds.
//   - A job may be requeued, and then runs a second time: --no-requeue.
//   - Other users of a node can reach the viewer's port: it asks for a secret, which stands
//     in a file, since ps and scontrol show arguments to everybody.
package slurm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tensorbored/tensorbored-static/server/clock"
	"github.com/tensorbored/tensorbored-static/server/hub/driver"
	"github.com/tensorbored/tensorbored-static/server/hub/state"
)

// JobName is what all jobs are called, so that people, and one squeue call, find them.
const JobName = "tensorbored"

const (
	// busy and quiet are how often squeue is asked: it costs the controller, which many
	// people share, a call each time.
	busy, quiet = 2 * time.Second, 30 * time.Second
	// fresh is how old an answer of squeue may be.
	fresh = time.Second
	// lost is how long a job whose number the hub never heard may be missing: sbatch may
	// still be at work when the hub that ran it is gone.
	lost = callTime + 10*time.Second
)

// Driver runs viewers as jobs.
type Driver struct {
	user     string
	conf     string // SLURM_CONF
	callTime time.Duration
	calls    atomic.Int64

	mu      sync.Mutex
	at      time.Time // of the last answer
	jobs    map[string][]job
	ends    map[string]driver.State // by instance: what was found out once
	missing map[string]time.Time    // by instance: since when no job was found for it
}

// job is a line of squeue.
type job struct{ id, state, reason, node, exit string }

// Options say how Slurm's programs are run.
type Options struct {
	Conf     string        // SLURM_CONF for them; "" for that of this process
	CallTime time.Duration // how long one may take; 20 s without
}

// New returns the driver.
func New(o Options) *Driver {
	name := strconv.Itoa(os.Getuid())
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	if o.CallTime == 0 {
		o.CallTime = callTime
	}
	if o.Conf == "" {
		o.Conf = os.Getenv("SLURM_CONF")
	}
	return &Driver{user: name, conf: o.Conf, callTime: o.CallTime,
		ends: map[string]driver.State{}, missing: map[string]time.Time{}}
}

// Name is "slurm".
func (d *Driver) Name() string { return "slurm" }

// Calls is how many programs of Slurm were run.
func (d *Driver) Calls() int64 { return d.calls.Load() }

// Poll says how often squeue may be asked.
func (d *Driver) Poll() (time.Duration, time.Duration) { return busy, quiet }

// Changed is nil: Slurm tells nobody.
func (d *Driver) Changed() <-chan struct{} { return nil }

// envFile has the job's environment, in the viewer's folder, with mode 0600.
const envFile = "environment"

// quote is a word for the shell.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// script is the job. It holds no secret: scontrol shows it to administrators.
func script(s driver.Spec) string {
	var b strings.Builder
	b.WriteString("#!/bin/bash\numask 077\nunset LC_ALL SLURM_TIME_FORMAT SLURM_JWT\n. " + quote(filepath.Join(s.Dir, envFile)) + "\nexec")
	for _, word := range s.Command {
		b.WriteString(" " + quote(word))
	}
	return b.String() + "\n"
}

// passed are the variables of the environment that a job gets.
var passed = []string{"PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TZ", "TMPDIR"}

// variable is a name of one.
var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// environment is what the job's script reads first. The error is a *driver.RefusedError.
func environment(s driver.Spec) (string, error) {
	var b strings.Builder
	for _, name := range append(slices.Clone(passed), s.Slurm.Export...) {
		if !variable.MatchString(name) {
			return "", &driver.RefusedError{Driver: "slurm", Reason: fmt.Sprintf("slurm.export: %q is no name of a variable", name), Remedy: "give names alone, such as AWS_PROFILE; their values are those of the hub"}
		}
		if v, ok := os.LookupEnv(name); ok {
			b.WriteString("export " + name + "=" + quote(v) + "\n")
		}
	}
	return b.String(), nil
}

// arguments are sbatch's.
func arguments(s driver.Spec) []string {
	cpus := max(1, s.Slurm.CPUs)
	args := []string{"--parsable", "--job-name=" + JobName, "--chdir=" + s.Dir,
		// A % in a file's name would be replaced.
		"--output=" + strings.ReplaceAll(filepath.Join(s.Dir, driver.LogFile), "%", "%%"), "--open-mode=append",
		"--no-requeue", "--ntasks=1", "--cpus-per-task=" + strconv.Itoa(cpus), "--export=ALL"}
	for _, o := range [][2]string{{"partition", s.Slurm.Partition}, {"account", s.Slurm.Account}, {"qos", s.Slurm.QOS}, {"time", s.Slurm.Time}, {"mem", s.Slurm.Memory}} {
		if o[1] != "" {
			args = append(args, "--"+o[0]+"="+o[1])
		}
	}
	// No --signal before the end of the time: the viewer would end by itself, and Slurm
	// would call that COMPLETED, which does not tell the user why it has gone.
	return append(args, s.Slurm.SbatchArgs...)
}

// remedies say what to do about what sbatch refuses, by a part of its words.
var remedies = []struct{ part, remedy string }{
	{"Invalid partition", "sinfo lists the partitions: --config slurm.partition=NAME"},
	{"Invalid account", "sacctmgr show associations user=$USER lists your accounts: --config slurm.account=NAME"},
	{"Invalid qos", "sacctmgr show qos lists them: --config slurm.qos=NAME"},
	{"Requested node configuration is not available", "ask for less: --config slurm.mem=512M --config slurm.cpus=1"},
	{"Requested time limit is invalid", "ask for less: --config slurm.time=1:00:00"},
	{"time limit", "ask for less: --config slurm.time=1:00:00"},
	{"partition not available", "that partition takes no jobs now; another one: --config slurm.partition=NAME"},
	{"not permitted to use this partition", "another one: --config slurm.partition=NAME"},
	{"permission", "you may not do that on this cluster: ask its administrators, or use another partition or account"},
	{"temporarily unable to accept job", "the cluster's queue is full: try again later, or use --driver local"},
	{"Limit", "the cluster's limits for you are reached: end another job (squeue --me), or use --driver local"},
	{"Unable to contact slurm controller", "is the cluster's controller up? Try sinfo; or use --driver local"},
}

func remedy(said string) string {
	for _, r := range remedies {
		if strings.Contains(strings.ToLower(said), strings.ToLower(r.part)) {
			return r.remedy
		}
	}
	return "try sbatch on the command line, or use --driver local"
}

// Start submits a job.
func (d *Driver) Start(ctx context.Context, s driver.Spec) (driver.Ref, error) {
	ref := driver.Ref{ID: s.ID, Dir: s.Dir}
	refuse := func(reason, remedy string) (driver.Ref, error) {
		return ref, &driver.RefusedError{Driver: "slurm", Reason: reason, Remedy: remedy}
	}
	if strings.ContainsAny(s.Dir, "\n|") {
		return refuse(fmt.Sprintf("the hub's directory %q has a character that squeue's lists cannot hold", s.Dir), "set TENSORBORED_HUB_DIR to another one")
	}
	env, err := environment(s)
	if err != nil {
		return ref, err
	}
	if err := state.Write(s.Dir, envFile, []byte(env)); err != nil {
		return refuse(err.Error(), "")
	}
	// Made here, as the user: on the node a missing directory would end the job wordless.
	log, err := os.OpenFile(filepath.Join(s.Dir, driver.LogFile), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return refuse(err.Error(), "check the permissions of that directory")
	}
	log.Close()
	o, err := d.call(ctx, script(s), "sbatch", arguments(s)...)
	var call *driver.CallError
	switch {
	case errors.As(err, &call):
		return refuse(call.Program+": "+call.Reason, call.Remedy)
	case err != nil:
		return ref, err
	case o.late && strings.Contains(o.stderr, "temporarily unable to accept job"):
		// It has said no, and waited: nothing was submitted.
		return refuse(o.said(), remedy(o.said()))
	case o.late:
		return ref, o.failed("sbatch", d.callTime)
	case o.code != 0:
		return refuse("sbatch: "+o.said(), remedy(o.said()))
	}
	id, _, _ := strings.Cut(strings.TrimSpace(o.stdout), ";") // a cluster's name may follow
	if _, err := strconv.ParseUint(id, 10, 64); err != nil {
		return ref, &driver.CallError{Program: "sbatch", Reason: fmt.Sprintf("it printed %q in place of a job's number", strings.TrimSpace(o.stdout)), Remedy: "leave --parsable and --quiet out of slurm.sbatch_args"}
	}
	ref.Job = id
	d.mu.Lock()
	d.at = time.Time{} // what squeue said before is old
	d.mu.Unlock()
	return ref, nil
}

// queue asks for all jobs at once, ended ones too as long as Slurm knows them.
func (d *Driver) queue(ctx context.Context) error {
	if clock.Since(d.at) < fresh {
		return nil
	}
	o, err := d.call(ctx, "", "squeue", "--noheader", "--user="+d.user, "--name="+JobName, "--states=all", "--format=%i|%T|%r|%N|%Z")
	if err == nil {
		err = o.failed("squeue", d.callTime)
	}
	if err != nil {
		return err
	}
	d.jobs = parseQueue(o.stdout)
	d.at = clock.Now()
	return nil
}

// parseQueue reads lines of queue's format: jobs by their working directory, which stands
// last since it may hold anything.
func parseQueue(text string) map[string][]job {
	jobs := map[string][]job{}
	for line := range strings.Lines(text) {
		f := strings.SplitN(strings.TrimRight(line, "\n"), "|", 5)
		if len(f) == 5 {
			jobs[filepath.Clean(f[4])] = append(jobs[filepath.Clean(f[4])], job{id: f[0], state: f[1], reason: f[2], node: f[3]})
		}
	}
	return jobs
}

// States asks squeue once, and about each job that has just ended, once, how it ended.
func (d *Driver) States(ctx context.Context, refs []driver.Ref) (map[string]driver.State, error) {
	all := map[string]driver.State{}
	if len(refs) == 0 {
		return all, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.queue(ctx); err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	for _, r := range refs {
		wanted[r.ID] = true
		if s, ok := d.ends[r.ID]; ok {
			all[r.ID] = s
			continue
		}
		s := d.look(ctx, r)
		if s.Phase == driver.Terminated {
			d.ends[r.ID] = s
		}
		all[r.ID] = s
	}
	for id := range d.ends {
		if !wanted[id] {
			delete(d.ends, id)
		}
	}
	for id := range d.missing {
		if !wanted[id] {
			delete(d.missing, id)
		}
	}
	return all, nil
}

// look makes a state of what squeue said.
func (d *Driver) look(ctx context.Context, r driver.Ref) driver.State {
	j, ok := pick(d.jobs[filepath.Clean(r.Dir)], r.Job)
	if !ok {
		if r.Job != "" {
			return d.gone(ctx, r)
		}
		// When that hub began is by the clock of whichever machine it was on: how long the
		// job has been missing is measured here.
		if _, ok := d.missing[r.ID]; !ok {
			d.missing[r.ID] = clock.Now()
		}
		if clock.Since(d.missing[r.ID]) < lost {
			return driver.State{Phase: driver.Queued, Reason: "sbatch is at work"}
		}
		_ = state.Over(r.Dir)
		return driver.State{Phase: driver.Terminated, Reason: "the hub was killed before the cluster had taken this viewer: start it again"}
	}
	s := driver.State{Phase: phase(j.state), Node: j.node, Job: j.id}
	switch s.Phase {
	case driver.Queued:
		s.Reason = j.reason
	case driver.Terminated:
		s.Reason = d.reason(ctx, j)
		s.Time = j.state == "TIMEOUT" || j.state == "DEADLINE"
	}
	return s
}

// pick is the job of a viewer: that with its number, else the newest in its folder.
func pick(jobs []job, id string) (job, bool) {
	for _, j := range jobs {
		if j.id == id {
			return j, true
		}
	}
	if id != "" || len(jobs) == 0 {
		return job{}, false
	}
	return slices.MaxFunc(jobs, func(a, b job) int {
		x, _ := strconv.Atoi(a.id)
		y, _ := strconv.Atoi(b.id)
		return x - y
	}), true
}

// phase is what a state of squeue means. States that are not known here are those of a
// newer Slurm: the job has not ended as long as squeue does not say so.
func phase(s string) driver.Phase {
	switch s {
	case "PENDING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD", "SUSPENDED":
		return driver.Queued
	case "CONFIGURING", "POWER_UP_NODE":
		return driver.Pulling
	case "COMPLETING", "STAGE_OUT", "STOPPED", "SIGNALING":
		return driver.Terminating
	case "CANCELLED", "COMPLETED", "FAILED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "BOOT_FAIL", "DEADLINE", "REVOKED", "LAUNCH_FAILED":
		return driver.Terminated
	}
	return driver.Running
}

// words of job ends, in the user's language; the rest of the sentence is Slurm's.
var words = map[string]string{
	"COMPLETED":     "allocation exited successfully",
	"CANCELLED":     "the job was cancelled",
	"FAILED":        "the job failed",
	"TIMEOUT":       "the job reached its limit of time: ask for more with --config slurm.time=8:00:00",
	"DEADLINE":      "the job reached its deadline",
	"NODE_FAIL":     "the job lost its node: start it again",
	"OUT_OF_MEMORY": "the job needed more memory than it had: ask for more with --config slurm.mem=2G",
	"PREEMPTED":     "the job was preempted by one that comes before it: start it again, or in another partition",
	"BOOT_FAIL":     "the job's node did not start: start it again",
}

// reason is how a job that squeue still lists has ended.
func (d *Driver) reason(ctx context.Context, j job) string {
	code, why := "", j.reason
	if o, err := d.call(ctx, "", "scontrol", "show", "job", j.id); err == nil && o.code == 0 && !o.late {
		code, why = field(o.stdout, "ExitCode"), field(o.stdout, "Reason")
	}
	return endText(j.state, code, why)
}

// endText puts a job's end in words.
func endText(state, code, why string) string {
	text := words[state]
	if text == "" {
		text = "the job ended as " + state
	}
	var more []string
	if state == "FAILED" || state == "OUT_OF_MEMORY" {
		more = append(more, "exit code "+code)
	}
	if why != "" && why != "None" && why != "NonZeroExitCode" && state != "COMPLETED" && state != "TIMEOUT" {
		more = append(more, why)
	}
	if len(more) > 0 {
		text += " (" + strings.Join(more, ", ") + ")"
	}
	if state == "FAILED" {
		switch {
		case why == "JobLaunchFailure" || code == "0:53":
			text += ": its node cannot write to the hub's directory, so there is no log; is that directory the same on all nodes?"
		case code == "127:0" || code == "126:0":
			text += ": its node cannot run this program; is it at the same path on all nodes?"
		default:
			text += ": its log says why"
		}
	}
	return text
}

// field is a value of scontrol's Name=value lists.
func field(text, name string) string {
	for word := range strings.FieldsSeq(text) {
		if v, ok := strings.CutPrefix(word, name+"="); ok {
			return v
		}
	}
	return ""
}

// gone is a job that squeue does not list any more.
func (d *Driver) gone(ctx context.Context, r driver.Ref) driver.State {
	s := driver.State{Phase: driver.Terminated, Job: r.Job}
	o, err := d.call(ctx, "", "sacct", "--noheader", "--parsable2", "--allocations", "--jobs="+r.Job, "--format=State,ExitCode,Reason,NodeList")
	if err == nil && o.code == 0 && !o.late {
		if f := strings.Split(strings.TrimSpace(o.stdout), "|"); len(f) == 4 {
			word, _, _ := strings.Cut(f[0], " ") // CANCELLED by 1000
			if phase(word) == driver.Terminated {
				s.Reason, s.Node, s.Time = endText(word, f[1], f[2]), f[3], word == "TIMEOUT"
				return s
			}
		}
	}
	s.Reason = "the job is gone from the cluster's queue, and the cluster keeps no accounts (sacct): its log may say why"
	return s
}

// Kill cancels the job, or whichever there is in the folder.
func (d *Driver) Kill(ctx context.Context, r driver.Ref, force bool) error {
	// A job that has not begun yet looks for this when it does.
	over := state.Over(r.Dir)
	d.mu.Lock()
	defer d.mu.Unlock()
	id := r.Job
	if id == "" {
		d.at = time.Time{}
		if err := d.queue(ctx); err != nil {
			return err
		}
		if j, ok := pick(d.jobs[filepath.Clean(r.Dir)], ""); ok {
			id = j.id
		}
	}
	if id == "" {
		return over
	}
	if force {
		// Its answer says nothing: of a job that has not begun it is an error.
		if _, err := d.call(ctx, "", "scancel", "--signal=KILL", "--full", id); err != nil {
			return err
		}
	}
	o, err := d.call(ctx, "", "scancel", id)
	d.at = time.Time{}
	if err != nil {
		return err
	}
	if strings.Contains(o.stderr, "Invalid job id") || strings.Contains(o.stderr, "already completing or completed") {
		return nil
	}
	return o.failed("scancel", d.callTime)
}

// Other is another user's viewer, as far as the cluster tells.
type Other struct{ ID, User, Job, Phase, Node string }

// Others are the viewers of all users that wait or run. Clusters may hide them.
func (d *Driver) Others(ctx context.Context) ([]Other, error) {
	o, err := d.call(ctx, "", "squeue", "--noheader", "--name="+JobName, "--format=%i|%T|%u|%N|%Z")
	if err == nil {
		err = o.failed("squeue", d.callTime)
	}
	if err != nil {
		return nil, err
	}
	var all []Other
	for line := range strings.Lines(o.stdout) {
		f := strings.SplitN(strings.TrimRight(line, "\n"), "|", 5)
		if len(f) == 5 && f[2] != d.user {
			all = append(all, Other{ID: filepath.Base(f[4]), User: f[2], Job: f[0], Phase: string(phase(f[1])), Node: f[3]})
		}
	}
	return all, nil
}
