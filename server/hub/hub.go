// Package hub looks after a user's viewers: it starts them by a driver, on this machine or
// as jobs of a cluster, stands in front of them on one port of loopback, and ends those
// that nobody looks at.
//
// One user has one hub. Its directory holds all that it knows, so it may be ended, killed
// or started anew at any time: viewers go on without it, and the next hub takes them over.
//
//	beat             a number that grows as long as it lives
//	hub.json         where it is
//	lock             locked as long as its process lives
//	token            opens its port
//	instances/<id>/  see package state
//
// What always holds:
//
//   - An instance's record is on disk before anything is started for it. So whatever runs
//     has a folder that is looked at again, and what the folder says is over ends.
//   - An instance has ended when its driver says so, and not before: until then it is told
//     to end, again and again, at last by force.
//   - No clock but the hub's own is read, and its monotonic one for all that is waited for.
package hub

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tensorbored/tensorbored-static/server/clock"
	"github.com/tensorbored/tensorbored-static/server/guard"
	"github.com/tensorbored/tensorbored-static/server/hub/driver"
	"github.com/tensorbored/tensorbored-static/server/hub/state"
	"github.com/tensorbored/tensorbored-static/shared/api"
)

const (
	// kept is how long an instance stays in the list after its end.
	kept = 24 * time.Hour
	// tick is how often the hub looks whether somebody looks.
	tick = 5 * time.Second
	// beatEvery is how often the hub shows that it lives.
	beatEvery = 15 * time.Second
	// rare is how often a driver is asked that tells of changes by itself.
	rare = time.Minute
	// patience is how long an instance may take to end before it is told by force.
	patience = 5 * time.Second
)

// Options say how a hub runs.
type Options struct {
	Dir      string   // its directory
	Config   Settings // of the files
	Owner    string   // the user's name
	Command  []string // what runs a viewer; the instance's folder is added to it
	Drivers  []driver.Driver
	Page     func(args []string) (api.Page, error) // checks tensorboard_args
	Log      *log.Logger
	Prefix   string // before all addresses
	Hosts    guard.Hosts
	Token    guard.Token
	Stop     func()        // for hub --stop
	HostName func() string // of this machine, in tests; nil: os.Hostname
}

// Hub is a user's hub.
type Hub struct {
	o         Options
	host      string
	drivers   map[string]driver.Driver
	wake      chan struct{}
	transport *http.Transport

	mu        sync.Mutex
	instances map[string]*instance
	asked     map[string]time.Time // by driver: when its States were asked last
	trouble   map[string]string    // by driver: why it cannot be asked
	used      time.Time            // a request came
	awaiting  int                  // instances that are waited for
}

// New returns the hub of a directory, with the viewers that earlier hubs have left. Run
// must be called. The error is a *state.WriteError, or one of reading.
func New(o Options) (*Hub, error) {
	h := &Hub{o: o, drivers: map[string]driver.Driver{}, wake: make(chan struct{}, 1), instances: map[string]*instance{},
		asked: map[string]time.Time{}, trouble: map[string]string{}, used: clock.Now()}
	h.host, _ = os.Hostname()
	if o.HostName != nil {
		h.host = o.HostName()
	}
	for _, d := range o.Drivers {
		h.drivers[d.Name()] = d
	}
	h.transport = &http.Transport{MaxIdleConnsPerHost: 4, IdleConnTimeout: 30 * time.Second, DisableCompression: true, ResponseHeaderTimeout: 5 * time.Minute}
	if err := os.MkdirAll(filepath.Join(o.Dir, "instances"), 0o700); err != nil {
		return nil, &state.WriteError{Path: o.Dir, Err: err}
	}
	return h, h.adopt()
}

// Run looks after the viewers until ctx ends, which ends none of them.
func (h *Hub) Run(ctx context.Context) {
	h.beat(0)
	changes := make(chan struct{}, 1)
	for name, d := range h.drivers {
		if c := d.Changed(); c != nil {
			go func() {
				for {
					select {
					case <-ctx.Done():
						return
					case <-c:
					}
					h.mu.Lock()
					h.asked[name] = time.Time{}
					h.mu.Unlock()
					select {
					case changes <- struct{}{}:
					default:
					}
				}
			}()
		}
	}
	lastBeat, n := clock.Now(), 0
	for {
		wait := h.look(ctx, false)
		if since := clock.Since(lastBeat); since >= beatEvery {
			n++
			h.beat(n)
			lastBeat, wait = clock.Now(), min(wait, beatEvery)
		} else {
			wait = min(wait, beatEvery-since)
		}
		t := time.NewTimer(max(wait, 10*time.Millisecond))
		select {
		case <-ctx.Done():
			t.Stop()
			h.transport.CloseIdleConnections()
			return
		case <-changes:
		case <-h.wake:
		case <-t.C:
		}
		t.Stop()
	}
}

// beat writes in place, so a full disk does not stop it.
func (h *Hub) beat(n int) {
	f, err := os.OpenFile(filepath.Join(h.o.Dir, state.BeatFile), os.O_WRONLY|os.O_CREATE, 0o600)
	if err == nil {
		_, err = f.WriteAt(fmt.Appendf(nil, "%020d %020d\n", clock.Now().UnixNano(), n), 0)
		f.Close()
	}
	if err != nil {
		h.o.Log.Printf("The hub cannot show its viewers that it lives (%v): they will end.", err)
	}
}

// kick makes Run look at once.
func (h *Hub) kick() {
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// look asks the drivers whose turn it is, ends what is to end, and returns when to look
// again. fresh asks all drivers.
func (h *Hub) look(ctx context.Context, fresh bool) time.Duration {
	next := beatEvery
	for name, d := range h.drivers {
		busy, quiet := d.Poll()
		h.mu.Lock()
		refs, restless := h.refs(name)
		since := clock.Since(h.asked[name])
		wait := quiet
		switch {
		case busy == 0:
			wait = rare
		case restless:
			wait = busy
		}
		due := len(refs) > 0 && (fresh || since >= wait)
		if due {
			h.asked[name] = clock.Now()
		}
		h.mu.Unlock()
		if len(refs) == 0 {
			continue
		}
		if !due {
			next = min(next, wait-since)
			continue
		}
		if busy > 0 {
			next = min(next, wait)
		}
		states, err := d.States(ctx, refs)
		if ctx.Err() != nil {
			return next
		}
		h.mu.Lock()
		if err != nil {
			// What ran may well run on: nothing is concluded.
			if h.trouble[name] != err.Error() {
				h.o.Log.Printf("The state of viewers is not known: %v", err)
			}
			h.trouble[name] = err.Error()
		} else {
			h.trouble[name] = ""
			for _, r := range refs {
				if i := h.instances[r.ID]; i != nil && i.Live() {
					h.take(i, states[r.ID])
				}
			}
		}
		h.mu.Unlock()
	}
	return min(next, h.end(ctx))
}

// refs are the live instances of a driver, and whether something is about to change.
func (h *Hub) refs(name string) (refs []driver.Ref, restless bool) {
	for _, i := range h.instances {
		if i.Driver != name || !i.Live() || !i.Taken && i.looking {
			continue
		}
		refs = append(refs, i.Ref)
		restless = restless || i.State != Running && i.State != Waiting
	}
	return refs, restless
}

// take makes an instance's state of what its driver says.
func (h *Hub) take(i *instance, s driver.State) {
	if s.Phase == "" || s.Phase == driver.Lost {
		return
	}
	before := i.Instance
	if i.answers != "" && (s.Phase == driver.Queued || s.Phase == driver.Pulling) {
		s.Phase = driver.Running // it answers: what the engine said is a moment old
	}
	if s.Phase == driver.Running && i.phase != driver.Running {
		i.expect()
	}
	i.phase = s.Phase
	if s.Job != "" && i.Ref.Job == "" {
		i.Ref.Job, i.Taken = s.Job, true
	}
	if s.Job != "" {
		i.Job = s.Job
	}
	if s.Node != "" {
		i.Node = s.Node
	}
	i.Reason = ""
	if s.Phase == driver.Queued {
		i.Reason = s.Reason
	}
	if s.Phase == driver.Terminated {
		h.ended(i, s.Reason)
		return
	}
	i.State = i.state()
	if i.State != before.State || i.Job != before.Job || i.Node != before.Node {
		h.save(i)
	}
	if i.Ending == "" {
		h.await(i)
	}
}

// state is what a user sees.
func (i *instance) state() State {
	switch {
	case i.Ending != "" || i.phase == driver.Terminating:
		return Terminating
	case i.phase == driver.Pulling:
		return Pulling
	case i.phase == driver.Running && i.ready:
		return Running
	case i.phase == driver.Running && i.waits:
		return Waiting
	case i.phase == driver.Running:
		return Starting
	}
	return Queued
}

// ended notes an instance's end.
func (h *Hub) ended(i *instance, reason string) {
	var end state.End
	if i.Ending != "" {
		reason = i.Ending
	} else if state.ReadJSON(i.dir, state.EndFile, &end) == nil && end.Reason != "" {
		reason = end.Reason
	}
	now := clock.Now()
	i.State, i.Reason, i.ExitStatus, i.End, i.over = Terminated, "", &reason, &now, now
	// For a process that only seems to have gone: one on a node that was given up.
	if err := state.Over(i.dir); err != nil {
		h.o.Log.Print(err)
	}
	h.save(i)
	h.o.Log.Printf("Ended: %s %s: %s", i.ID, i.Description, reason)
}

// save writes an instance's record. What cannot be written now is written at the next
// change; until then a new hub finds the viewer by its folder.
func (h *Hub) save(i *instance) {
	if err := state.WriteJSON(i.dir, state.RecordFile, i.record); err != nil {
		h.o.Log.Print(err)
	}
}

// end ends what nobody looks at, tells again what does not end, and forgets what ended
// long ago. It returns when to look again.
func (h *Hub) end(ctx context.Context) time.Duration {
	now := clock.Now()
	next := time.Hour
	type order struct {
		i     *instance
		d     driver.Driver
		ref   driver.Ref
		force bool
	}
	var orders []order
	h.mu.Lock()
	for id, i := range h.instances {
		switch {
		case !i.Live():
			if now.Sub(i.over) >= kept {
				delete(h.instances, id)
				os.RemoveAll(i.dir)
			}
			continue
		case i.Ending != "":
		case i.idle > 0 && i.open == 0 && i.phase == driver.Running && (i.ready || i.waits):
			left := i.idle - now.Sub(i.last)
			if left > 0 {
				next = min(next, max(left, min(tick, i.idle)))
				continue
			}
			i.Ending = fmt.Sprintf("idle for more than %v: service is inactive", short(i.idle))
			i.State = Terminating
			h.save(i)
		default:
			continue
		}
		if !i.Taken && i.looking {
			continue // its start is under way, and ends it
		}
		if left := patience - now.Sub(i.killed); left > 0 && i.tries > 0 {
			next = min(next, left)
			continue
		}
		i.killed = now
		i.tries++
		next = min(next, patience)
		if d := h.drivers[i.Driver]; d != nil {
			orders = append(orders, order{i, d, i.Ref, i.tries > 1})
		}
	}
	h.mu.Unlock()
	for _, o := range orders {
		if err := o.d.Kill(ctx, o.ref, o.force); err != nil && ctx.Err() == nil {
			h.o.Log.Printf("%s could not be ended, and is told again: %v", o.ref.ID, err)
		}
		h.mu.Lock()
		h.asked[o.i.Driver] = time.Time{}
		h.mu.Unlock()
	}
	if len(orders) > 0 {
		return min(next, 100*time.Millisecond)
	}
	return next
}

// short is a duration as Go writes it: 5m0s.
func short(d time.Duration) string { return d.String() }

// Live is how many instances have not ended, and how long ago the last request came.
func (h *Hub) Live() (n int, quiet time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, i := range h.instances {
		if i.Live() {
			n++
		}
	}
	return n, clock.Since(h.used)
}

// list are all instances, the oldest first.
func (h *Hub) list() []Instance {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := clock.Now()
	all := make([]Instance, 0, len(h.instances))
	for _, i := range h.instances {
		all = append(all, i.shown(now))
	}
	slices.SortFunc(all, func(a, b Instance) int {
		if c := a.Start.Compare(b.Start); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return all
}

// NotFoundError says that there is no such instance.
type NotFoundError struct {
	ID     string
	Unique bool // false: there are several that begin so
}

// Error is Determined's.
func (e *NotFoundError) Error() string {
	if !e.Unique {
		return fmt.Sprintf("partial UUID '%s' not unique", e.ID)
	}
	return fmt.Sprintf("partial UUID '%s' not found", e.ID)
}

// find is the instance that an ID, or the beginning of one, names. The error is a
// *NotFoundError.
func (h *Hub) find(prefix string) (*instance, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i := h.instances[prefix]; i != nil {
		return i, nil
	}
	var found *instance
	for id, i := range h.instances {
		if prefix != "" && strings.HasPrefix(id, strings.ToLower(prefix)) {
			if found != nil {
				return nil, &NotFoundError{prefix, false}
			}
			found = i
		}
	}
	if found == nil {
		return nil, &NotFoundError{prefix, true}
	}
	return found, nil
}

// kill ends an instance.
func (h *Hub) kill(i *instance, reason string) {
	h.mu.Lock()
	if i.Live() && i.Ending == "" {
		i.Ending, i.State = reason, Terminating
		h.save(i)
	}
	h.mu.Unlock()
	h.kick()
}
