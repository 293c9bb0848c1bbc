// Package local runs viewers as children of the hub, on its machine.
//
// A child is the leader of a session of its own, so a hub that ends, or is killed, leaves
// its viewers running, and the next hub finds them by the locks in their folders
// (server/hub/state). Of its own children it hears at once when they end; those of an
// earlier hub are looked at every five seconds.
package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/tensorbored/tensorbored-static/server/clock"
	"github.com/tensorbored/tensorbored-static/server/hub/driver"
	"github.com/tensorbored/tensorbored-static/server/hub/state"
)

const (
	// look is how often viewers of an earlier hub are looked at, lockLook how often by
	// their locks, since another process may have got the number of one that ended.
	look     = 5 * time.Second
	lockLook = 12 // looks
	// grace is how long after the hub's own start a viewer of an earlier hub may take to
	// lock its folder: that hub may have been killed in the moment in which it began it.
	grace = 3 * time.Second
)

// Driver runs viewers on this machine.
type Driver struct {
	created time.Time
	changed chan struct{}

	mu       sync.Mutex
	children map[string]*child  // by instance
	adopted  map[string]*foster // viewers of an earlier hub that are watched
	watching bool
}

type child struct {
	pid  int
	done bool
	end  string
}

type foster struct {
	dir string
	pid int
}

// New returns the driver.
func New() *Driver {
	d := &Driver{created: clock.Now(), changed: make(chan struct{}, 1), children: map[string]*child{}, adopted: map[string]*foster{}}
	time.AfterFunc(grace, d.change)
	return d
}

// Name is "local".
func (d *Driver) Name() string { return "local" }

// Poll says that it need not be asked.
func (d *Driver) Poll() (busy, quiet time.Duration) { return 0, 0 }

// Changed gets a value when a viewer has ended.
func (d *Driver) Changed() <-chan struct{} { return d.changed }

func (d *Driver) change() {
	select {
	case d.changed <- struct{}{}:
	default:
	}
}

// Start starts a child.
func (d *Driver) Start(_ context.Context, s driver.Spec) (driver.Ref, error) {
	ref := driver.Ref{ID: s.ID, Dir: s.Dir}
	log, err := os.OpenFile(filepath.Join(s.Dir, driver.LogFile), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return ref, &driver.RefusedError{Driver: "local", Reason: err.Error(), Remedy: "check the permissions of that directory"}
	}
	defer log.Close()
	cmd := exec.Command(s.Command[0], s.Command[1:]...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = detached()
	if err := cmd.Start(); err != nil {
		return ref, &driver.RefusedError{Driver: "local", Reason: err.Error(), Remedy: "end other programs, or raise your limit of processes (ulimit -u)"}
	}
	c := &child{pid: cmd.Process.Pid}
	ref.Job = strconv.Itoa(c.pid)
	d.mu.Lock()
	d.children[s.ID] = c
	d.mu.Unlock()
	go func() {
		end := ended(cmd.Wait())
		d.mu.Lock()
		c.done, c.end = true, end
		d.mu.Unlock()
		d.change()
	}()
	return ref, nil
}

// ended is what a process's end is called.
func ended(err error) string {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "allocation exited successfully"
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return fmt.Sprintf("the viewer failed with exit status %d: its log says why", exit.ExitCode())
	case errors.As(err, &exit) && exit.String() == "signal: killed":
		return "the viewer was killed (signal 9): by hand, or because memory ran out"
	}
	return "the viewer crashed (" + err.Error() + "): its log says more"
}

// States looks at the children and at the locks of other viewers.
func (d *Driver) States(_ context.Context, refs []driver.Ref) (map[string]driver.State, error) {
	host, _ := os.Hostname()
	all := map[string]driver.State{}
	d.mu.Lock()
	defer d.mu.Unlock()
	wanted := map[string]bool{}
	for _, r := range refs {
		wanted[r.ID] = true
		switch c := d.children[r.ID]; {
		case c != nil && c.done:
			all[r.ID] = driver.State{Phase: driver.Terminated, Reason: c.end, Node: host, Job: strconv.Itoa(c.pid)}
		case c != nil:
			all[r.ID] = driver.State{Phase: driver.Running, Node: host, Job: strconv.Itoa(c.pid)}
		default:
			all[r.ID] = d.foster(r, host)
		}
	}
	for id, c := range d.children {
		if c.done && !wanted[id] {
			delete(d.children, id)
		}
	}
	for id := range d.adopted {
		if !wanted[id] {
			delete(d.adopted, id)
		}
	}
	return all, nil
}

// foster looks at a viewer of an earlier hub.
func (d *Driver) foster(r driver.Ref, host string) driver.State {
	pid, alive := state.Alive(r.Dir)
	if alive {
		d.adopt(r, pid)
		return driver.State{Phase: driver.Running, Node: host, Job: strconv.Itoa(pid)}
	}
	delete(d.adopted, r.ID)
	if state.PID(r.Dir) == 0 && !state.IsOver(r.Dir) && clock.Since(d.created) < grace {
		return driver.State{Phase: driver.Running, Node: host} // it may be about to come
	}
	_ = state.Over(r.Dir) // should it come now it must not stay; a full disk is found by others
	if pid, alive := state.Alive(r.Dir); alive {
		d.adopt(r, pid)
		return driver.State{Phase: driver.Terminating, Node: host}
	}
	reason := "the viewer ended while no hub looked after it: its log may say why"
	if state.PID(r.Dir) == 0 {
		reason = "the hub was killed before it had started this viewer: start it again"
	}
	return driver.State{Phase: driver.Terminated, Reason: reason, Node: host}
}

// adopt watches a viewer of an earlier hub.
func (d *Driver) adopt(r driver.Ref, pid int) {
	d.adopted[r.ID] = &foster{r.Dir, pid}
	if !d.watching {
		d.watching = true
		go d.watch()
	}
}

// watch looks at the viewers of an earlier hub as long as there are any.
func (d *Driver) watch() {
	for n := 1; ; n++ {
		time.Sleep(look)
		d.mu.Lock()
		if len(d.adopted) == 0 {
			d.watching = false
			d.mu.Unlock()
			return
		}
		gone := false
		for id, f := range d.adopted {
			there := f.pid == 0 || running(f.pid)
			if f.pid == 0 || there && n%lockLook == 0 {
				f.pid, there = state.Alive(f.dir)
			}
			if !there {
				delete(d.adopted, id)
				gone = true
			}
		}
		d.mu.Unlock()
		if gone {
			d.change()
		}
	}
}

// Kill ends a viewer and whatever it has started.
func (d *Driver) Kill(_ context.Context, r driver.Ref, force bool) error {
	// Also one that is about to come: it looks for this when it has come.
	over := state.Over(r.Dir)
	d.mu.Lock()
	pid := 0
	if c := d.children[r.ID]; c != nil {
		if !c.done {
			pid = c.pid
		}
	} else if p, alive := state.Alive(r.Dir); alive {
		pid = p
	}
	// Its own group: a number that went to another process meanwhile leads none, as a rule.
	var err error
	if pid > 0 {
		err = signalGroup(pid, force)
	}
	d.mu.Unlock()
	d.change()
	if err != nil {
		return fmt.Errorf("process %d: %w", pid, err)
	}
	if pid > 0 {
		return nil
	}
	return over
}
