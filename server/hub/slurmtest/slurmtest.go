//go:build unix

// Package slurmtest starts a real Slurm for tests: munged with a key of its own, a
// slurmctld, and two slurmd on this one machine, all in a temporary directory and ended
// with the test. It needs no rights, no cgroups and no database; the programs are those
// that .ci/install-slurm.sh installs.
//
// What each setting is for, and what goes wrong without it, was tried with Slurm 22.05 and
// 24.11:
//
//   - proctrack/linuxproc, task/none and jobacct_gather/none do without cgroups; slurmd
//     opens its cgroup plugin all the same, and 22.05 knows none that is "disabled".
//   - AuthInfo's socket, and munged's --force, let munge work below a closed directory.
//   - Each slurmd has a name, port, spool directory and log of its own (-N, %n), and
//     config_overrides lets a node have more processors than this machine.
//   - preempt/partition_prio and a partition for each thing that a test is about.
package slurmtest

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/server/ports"
)

// Cluster is a running Slurm.
type Cluster struct {
	Dir  string
	Conf string // for SLURM_CONF
	t    testing.TB
	mu   sync.Mutex
	on   map[string]*exec.Cmd
	logs []string

	apart    int    // the node that is on another machine; -1
	near, ip string // addresses of this machine and of that one on the line between them
}

// Options are what differs from test to test.
type Options struct {
	Nodes   int      // 2 without
	MaxJobs int      // MaxJobCount; Slurm's default without
	More    []string // further lines of slurm.conf
	NoNodes bool     // no slurmd is started
	// Accounts has slurmdbd keep what became of jobs, and slurmctld forget them soon.
	Accounts bool
	// Apart puts the last node onto a machine of its own, but for the disk: it has its own
	// network, host name and clock. Only where CanBeApart.
	Apart bool
}

// Partitions of the cluster: main has the first two nodes; alone has the third, and low,
// which is preempted by high, the fourth, if there are so many; closed takes no jobs.
const (
	Main   = "main"
	Alone  = "alone"
	Low    = "low"
	High   = "high"
	Closed = "closed"
)

// Start starts a cluster, which ends with the test. A machine without Slurm fails it.
func Start(t testing.TB, o Options) *Cluster {
	t.Helper()
	if o.Nodes == 0 {
		o.Nodes = 2
	}
	os.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin:/sbin")
	for _, program := range []string{"munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("%s is not installed: this test needs a real Slurm. Run .ci/install-slurm.sh, as make test does.", program)
		}
	}
	// A short name: munge's socket stands in it.
	dir, err := os.MkdirTemp("", "slurm")
	if err != nil {
		t.Fatal(err)
	}
	c := &Cluster{Dir: dir, Conf: filepath.Join(dir, "slurm.conf"), t: t, on: map[string]*exec.Cmd{}, apart: -1, near: "127.0.0.1"}
	t.Cleanup(c.end)
	if o.Apart {
		c.apart = o.Nodes - 1
		c.choose()
	}
	if err := c.write(o); err != nil {
		t.Fatal(err)
	}
	c.run("munged", "munged", "--foreground", "--force", "--key-file="+c.at("munge/key"), "--socket="+c.at("munge.socket"), "--pid-file="+c.at("munged.pid"), "--log-file="+c.at("munged.log"), "--seed-file="+c.at("munge/seed"))
	c.until("munged", func() error { return c.command("munge", "-n", "--socket="+c.at("munge.socket")) })
	if o.Apart {
		c.runApart()
	}
	if o.Accounts {
		c.keep(c.accounts())
	}
	c.Controller()
	if !o.NoNodes {
		for n := range o.Nodes {
			c.Node(n)
		}
		c.until("every slurmd", func() error {
			out, err := c.Output("sinfo", "--noheader", "--Node", "--states=idle", "--format=%N")
			if err != nil {
				return err
			}
			idle := map[string]bool{}
			for _, name := range strings.Fields(out) {
				idle[name] = true
			}
			if len(idle) != o.Nodes {
				return fmt.Errorf("%q of %d nodes are idle", strings.Fields(out), o.Nodes)
			}
			return nil
		})
	}
	return c
}

func (c *Cluster) at(name string) string { return filepath.Join(c.Dir, name) }

func (c *Cluster) write(o Options) error {
	free, err := ports.Free(1 + o.Nodes)
	if err != nil {
		return err
	}
	me, err := user.Current()
	if err != nil {
		return err
	}
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	host, _, _ = strings.Cut(host, ".")
	for _, d := range []string{"munge", "state"} {
		if err := os.Mkdir(c.at(d), 0o700); err != nil {
			return err
		}
	}
	// The scripts of jobs stand there, of other users too.
	if err := os.Mkdir(c.at("spool"), 0o755); err != nil {
		return err
	}
	key := make([]byte, 1024)
	rand.Read(key)
	if err := os.WriteFile(c.at("munge/key"), key, 0o600); err != nil {
		return err
	}
	// Others must reach the socket and the configuration, where a test acts as another user.
	if err := os.Chmod(c.Dir, 0o755); err != nil {
		return err
	}
	listen := ""
	if ips, err := net.LookupHost(host); err == nil && strings.HasPrefix(ips[0], "127.") && !o.Apart {
		listen = "CommunicationParameters=NoCtldInAddrAny,NoInAddrAny\n"
	}
	conf := fmt.Sprintf(`ClusterName=test%[2]d
SlurmctldHost=%[1]s(%[6]s)
SlurmctldPort=%[2]d
SlurmUser=%[3]s
SlurmdUser=%[3]s
AuthType=auth/munge
AuthInfo=socket=%[4]s/munge.socket
CredType=cred/munge
%[5]sProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
MpiDefault=none
ReturnToService=2
KillWait=2
InactiveLimit=0
SlurmctldTimeout=30
SlurmdTimeout=10
SlurmdParameters=config_overrides
StateSaveLocation=%[4]s/state
SlurmdSpoolDir=%[4]s/spool/%%n
SlurmctldPidFile=%[4]s/slurmctld.pid
SlurmdPidFile=%[4]s/slurmd.%%n.pid
SlurmctldDebug=info
SlurmdDebug=info
`, host, free[0], me.Username, c.Dir, listen, c.near)
	if o.MaxJobs > 0 {
		conf += fmt.Sprintf("MaxJobCount=%d\n", o.MaxJobs)
	}
	if o.Accounts {
		conf += "MinJobAge=2\n"
	} else {
		conf += "MinJobAge=300\nAccountingStorageType=accounting_storage/none\n"
	}
	for _, line := range o.More {
		conf += line + "\n"
	}
	for n := range o.Nodes {
		if err := os.Mkdir(c.at(fmt.Sprintf("spool/n%d", n)), 0o755); err != nil {
			return err
		}
		on, at := host, "127.0.0.1"
		if n == c.apart {
			on, at = FarHost, c.ip
		}
		conf += fmt.Sprintf("NodeName=n%d NodeHostname=%s NodeAddr=%s Port=%d CPUs=8 RealMemory=1024 State=UNKNOWN\n", n, on, at, free[1+n])
	}
	both := "n[0-1]"
	if o.Nodes == 1 {
		both = "n0"
	}
	last := fmt.Sprintf("n%d", o.Nodes-1)
	conf += "PartitionName=" + Main + " Nodes=" + both + " Default=YES MaxTime=INFINITE State=UP\n" +
		"PartitionName=" + Alone + fmt.Sprintf(" Nodes=n%d State=UP\n", min(2, o.Nodes-1)) +
		"PartitionName=" + Low + " Nodes=" + last + " PriorityTier=1 State=UP\n" +
		"PartitionName=" + High + " Nodes=" + last + " PriorityTier=10 PreemptMode=OFF State=UP\n" +
		"PartitionName=" + Closed + " Nodes=" + last + " State=INACTIVE\n"
	if err := os.WriteFile(c.Conf, []byte(conf), 0o644); err != nil {
		return err
	}
	// Nothing uses it, and it is opened all the same. The v1 plugin touches nothing until it
	// is used; v2 asks systemd for a scope.
	cgroup := "CgroupPlugin=disabled\n"
	if out, err := exec.Command("slurmd", "-V").Output(); err == nil {
		if _, v, ok := strings.Cut(string(out), " "); ok {
			if major, _ := strconv.Atoi(strings.SplitN(v, ".", 2)[0]); major < 23 {
				cgroup = "CgroupPlugin=cgroup/v1\n"
			}
		}
	}
	return os.WriteFile(c.at("cgroup.conf"), []byte(cgroup), 0o644)
}

// keep adds lines to the configuration, and the cluster to the accounts.
func (c *Cluster) keep(lines string) {
	c.t.Helper()
	text, err := os.ReadFile(c.Conf)
	if err == nil {
		err = os.WriteFile(c.Conf, append(text, lines...), 0o644)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(string(text), "ClusterName="), "\n") // its first line
	c.until("the accounts", func() error { return c.command("sacctmgr", "--immediate", "add", "cluster", name) })
}

// run starts a daemon. It is in a group of its own, so that Ctrl c of a test does not end
// it before its turn.
func (c *Cluster) run(name, program string, args ...string) {
	c.t.Helper()
	out, err := os.OpenFile(c.at(name+".log"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		c.t.Fatal(err)
	}
	defer out.Close()
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.Dir = c.Dir
	cmd.Env = append(os.Environ(), "SLURM_CONF="+c.Conf)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.on[name] = cmd
	c.logs = append(c.logs, name)
}

// stop ends a daemon and waits for it.
func (c *Cluster) stop(name string, sig syscall.Signal) {
	c.mu.Lock()
	cmd := c.on[name]
	delete(c.on, name)
	c.mu.Unlock()
	if cmd == nil {
		return
	}
	_ = cmd.Process.Signal(sig) // it may have ended
	kill := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait() // how it ended matters to nobody
	kill.Stop()
}

// Controller starts slurmctld, the first time or again.
func (c *Cluster) Controller() {
	c.t.Helper()
	c.run("slurmctld", "slurmctld", "-D", "-i", "-f", c.Conf)
	c.until("slurmctld", func() error { return c.command("scontrol", "ping") })
}

// StopController ends slurmctld; jobs run on.
func (c *Cluster) StopController() { c.stop("slurmctld", syscall.SIGTERM) }

// Node starts the slurmd of node n.
func (c *Cluster) Node(n int) {
	c.t.Helper()
	name := fmt.Sprintf("n%d", n)
	if n == c.apart {
		if err := os.WriteFile(c.at("far"), nil, 0o644); err != nil {
			c.t.Fatal(err)
		}
		return
	}
	c.run("slurmd."+name, "slurmd", "-D", "-f", c.Conf, "-N", name)
}

// LoseNode kills the slurmd of node n and takes it as down, as the controller does by
// itself after SlurmdTimeout.
func (c *Cluster) LoseNode(n int) {
	c.t.Helper()
	name := fmt.Sprintf("n%d", n)
	c.stop("slurmd."+name, syscall.SIGKILL)
	c.Run("scontrol", "update", "NodeName="+name, "State=DOWN", "Reason=lost")
}

// FindNode starts the slurmd of node n again.
func (c *Cluster) FindNode(n int) {
	c.t.Helper()
	c.Node(n)
	name := fmt.Sprintf("n%d", n)
	c.until("slurmd on "+name, func() error {
		out, err := c.Output("sinfo", "--noheader", "--nodes="+name, "--format=%T")
		if err == nil && !strings.HasPrefix(out, "idle") && !strings.HasPrefix(out, "mixed") && !strings.HasPrefix(out, "allocated") {
			_ = c.command("scontrol", "update", "NodeName="+name, "State=RESUME")
			err = errors.New(strings.TrimSpace(out))
		}
		return err
	})
}

func (c *Cluster) cmd(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "SLURM_CONF="+c.Conf)
	return cmd
}

func (c *Cluster) command(program string, args ...string) error {
	out, err := c.cmd(program, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, bytes.TrimSpace(out))
	}
	if program == "scontrol" && len(args) == 1 && args[0] == "ping" && bytes.Contains(out, []byte("DOWN")) {
		return errors.New(string(bytes.TrimSpace(out)))
	}
	return nil
}

// Output runs one of Slurm's programs.
func (c *Cluster) Output(program string, args ...string) (string, error) {
	out, err := c.cmd(program, args...).Output()
	return string(out), err
}

// Run is Output, and fails the test if the program does.
func (c *Cluster) Run(program string, args ...string) string {
	c.t.Helper()
	out, err := c.cmd(program, args...).CombinedOutput()
	if err != nil {
		c.t.Fatalf("%s %s: %v: %s", program, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// EndTime ends a running job as if its time had run out. Slurm refuses an end that has passed, and
// "now", which it knows in whole seconds, has if one begins before the controller hears of it.
func (c *Cluster) EndTime(job string) {
	c.t.Helper()
	c.until("the end of job "+job+"'s time", func() error {
		out, err := c.cmd("scontrol", "update", "JobId="+job, "EndTime=now").CombinedOutput()
		if err != nil && !strings.Contains(string(out), "Invalid time specified") {
			c.t.Fatalf("scontrol update: %v: %s", err, out)
		}
		return err
	})
}

// Jobs are the lines of squeue that have not ended.
func (c *Cluster) Jobs() []string {
	c.t.Helper()
	return strings.Fields(c.Run("squeue", "--noheader", "--format=%i:%T"))
}

func (c *Cluster) until(what string, ok func() error) {
	c.t.Helper()
	var err error
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if err = ok(); err == nil {
			return
		}
	}
	c.t.Fatalf("a minute was not enough for %s: %v\n%s", what, err, c.tails())
}

// tails are the ends of the daemons' logs.
func (c *Cluster) tails() string {
	var b strings.Builder
	for _, name := range c.logs {
		text, _ := os.ReadFile(c.at(name + ".log"))
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		fmt.Fprintf(&b, "%s:\n%s\n", name, strings.Join(lines[max(0, len(lines)-4):], "\n"))
	}
	return b.String()
}

// end cancels what is left, ends the daemons, munged last since the others sign their last
// words with it, and removes the directory.
func (c *Cluster) end() {
	if c.t.Failed() {
		c.t.Logf("the cluster's logs:\n%s", c.tails())
	}
	if c.command("scontrol", "ping") == nil {
		_ = c.command("scancel", "--state=PENDING", "--user="+strconv.Itoa(os.Getuid()))
		_ = c.command("scancel", "--full", "--signal=KILL", "--user="+strconv.Itoa(os.Getuid()))
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
			if out, err := c.Output("squeue", "--noheader", "--format=%i"); err != nil || strings.TrimSpace(out) == "" {
				break
			}
		}
	}
	c.mu.Lock()
	var nodes []string
	for name := range c.on {
		if strings.HasPrefix(name, "slurmd.") {
			nodes = append(nodes, name)
		}
	}
	c.mu.Unlock()
	for _, name := range append(nodes, "slurmctld") {
		c.stop(name, syscall.SIGTERM)
	}
	c.endAccounts()
	c.stop("munged", syscall.SIGTERM)
	if err := os.RemoveAll(c.Dir); err != nil {
		c.t.Error(err)
	}
}
