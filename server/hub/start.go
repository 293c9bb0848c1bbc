package hub

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/tensorbored/tensorbored-static/server"
	"github.com/tensorbored/tensorbored-static/server/clock"
	"github.com/tensorbored/tensorbored-static/server/hub/driver"
	"github.com/tensorbored/tensorbored-static/server/hub/state"
)

// maxContext is the most that --context may hold; Determined's has the same limit.
const maxContext = 96 << 20

// Request asks for an instance.
type Request struct {
	Experiments []ID         `json:"experimentIds,omitempty"`
	Trials      []ID         `json:"trialIds,omitempty"`
	Logdirs     []state.Root `json:"logdirs,omitempty"` // absolute
	Config      Settings     `json:"config,omitempty"`
	Context     string       `json:"context,omitempty"` // absolute
	New         bool         `json:"new,omitempty"`     // also if one with the same sources runs
}

// Started is the answer to a Request.
type Started struct {
	Instance
	Again bool `json:"again"` // it ran already
}

// RequestError says what is wrong with a request.
type RequestError struct{ Reason, Remedy string }

// Error names the reason and the remedy.
func (e *RequestError) Error() string {
	if e.Remedy == "" {
		return e.Reason
	}
	return e.Reason + ": " + e.Remedy
}

// ErrNothing is what a start without sources is told.
var ErrNothing = &RequestError{"Either experiment_ids or trial_ids must be specified.", ""}

// start starts an instance, or finds one that shows the same.
func (h *Hub) start(ctx context.Context, q Request) (Started, error) {
	if len(q.Experiments)+len(q.Trials)+len(q.Logdirs) == 0 {
		return Started{}, ErrNothing
	}
	if err := CheckStart(q.Config); err != nil {
		return Started{}, err
	}
	c, err := Over(h.o.Config, q.Config).Config("configuration")
	if err != nil {
		return Started{}, err
	}
	if _, err := h.o.Page(c.TensorboardArgs); err != nil {
		return Started{}, &RequestError{"tensorboard_args: " + err.Error(), "they may be --window_title, --reload_interval and --samples_per_plugin"}
	}
	if c.Driver == "" {
		c.Driver = "local"
	}
	d := h.drivers[c.Driver]
	if d == nil {
		return Started{}, &RequestError{"this hub has no driver " + c.Driver, "use --driver local"}
	}
	roots, err := sources(&c, q)
	if err != nil {
		return Started{}, err
	}
	if !q.New && q.Context == "" {
		if i, ok := h.same(c.Driver, roots); ok {
			return Started{i, true}, nil
		}
	}
	if c.Description == "" {
		c.Description = madeUp()
	}
	i, spec, err := h.prepare(q, c, roots)
	if err != nil {
		return Started{}, err
	}
	// From here on it is in the list, so that a hub that is asked to end it meanwhile does.
	h.mu.Lock()
	i.looking = true
	h.instances[i.ID] = i
	h.mu.Unlock()
	// Whoever asked may go away; the start goes on, or its end would not be known.
	ref, err := d.Start(context.WithoutCancel(ctx), spec)
	h.mu.Lock()
	i.looking, i.Taken = false, true
	var refused *driver.RefusedError
	switch {
	case errors.As(err, &refused):
		delete(h.instances, i.ID)
		h.mu.Unlock()
		os.RemoveAll(i.dir)
		return Started{}, err
	case err != nil:
		// It may have been started: it is ended, by its folder, and by name.
		h.o.Log.Printf("%s: %v", i.ID, err)
		i.Ending, i.Ref = err.Error(), ref
		i.State = Terminating
		h.save(i)
		h.mu.Unlock()
		_ = state.Over(i.dir)
		h.kick()
		return Started{}, err
	}
	i.Ref, i.Job = ref, ref.Job
	i.phase = driver.Queued
	if busy, _ := d.Poll(); busy > 0 {
		h.asked[i.Driver] = clock.Now() // its state is known
	} else {
		i.phase, i.Node = driver.Running, h.host
		if i.Ending == "" {
			i.State = Starting
		}
	}
	if i.Ending == "" {
		h.await(i)
	}
	h.save(i)
	shown := i.shown(clock.Now())
	h.mu.Unlock()
	h.o.Log.Printf("Started: %s %s by %s, job %s", i.ID, i.Description, i.Driver, ref.Job)
	h.kick()
	return Started{shown, false}, nil
}

// sources are what a request names, as directories with names.
func sources(c *Config, q Request) ([]state.Root, error) {
	var roots []state.Root
	if len(q.Experiments)+len(q.Trials) > 0 {
		found, err := c.Store().Find(texts(q.Experiments), texts(q.Trials))
		if err != nil {
			return nil, err
		}
		roots = found
	}
	for _, r := range q.Logdirs {
		if !filepath.IsAbs(r.Dir) {
			return nil, &RequestError{fmt.Sprintf("the logdir %q is not absolute", r.Dir), "the hub does not know where you are: give the whole path"}
		}
		f, err := os.Open(r.Dir)
		if errors.Is(err, fs.ErrPermission) {
			return nil, &RequestError{"the logdir " + r.Dir + " may not be read by you", "ask its owner for the permission"}
		}
		if err == nil {
			f.Close()
		}
		roots = append(roots, r)
	}
	// Several directories, or a context at the top, need a name each.
	for i := range roots {
		if roots[i].Name == "" && (len(roots) > 1 || q.Context != "") {
			name := filepath.Base(roots[i].Dir)
			for n := 2; slices.ContainsFunc(roots, func(r state.Root) bool { return r.Name == name }); n++ {
				name = fmt.Sprintf("%s-%d", filepath.Base(roots[i].Dir), n)
			}
			roots[i].Name = name
		}
	}
	return roots, nil
}

func texts(ids []ID) []string {
	var all []string
	for _, id := range ids {
		all = append(all, string(id))
	}
	return all
}

// same is a live instance that shows the same.
func (h *Hub) same(driver string, roots []state.Root) (Instance, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, i := range h.instances {
		if i.Live() && i.Ending == "" && i.Driver == driver && slices.Equal(i.Sources, roots) {
			if _, err := os.Lstat(filepath.Join(i.dir, state.ContextDir)); err == nil {
				continue
			}
			i.last = clock.Now()
			return i.shown(clock.Now()), true
		}
	}
	return Instance{}, false
}

// prepare makes an instance's folder, with all that its viewer needs. The error is a
// *state.WriteError or a *RequestError, and then there is no folder.
func (h *Hub) prepare(q Request, c Config, roots []state.Root) (i *instance, spec driver.Spec, err error) {
	id := newID()
	dir := filepath.Join(h.o.Dir, "instances", id)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, spec, &state.WriteError{Path: dir, Err: err}
	}
	defer func() {
		if err != nil {
			os.RemoveAll(dir)
		}
	}()
	if q.Context != "" {
		if err := copyContext(q.Context, filepath.Join(dir, state.ContextDir)); err != nil {
			return nil, spec, err
		}
	}
	c.Port, c.PathPrefix, c.AllowedHosts, c.Base, c.Experiments = 0, "", nil, nil, nil
	c.IdleTimeout, c.HubTimeout = Duration{c.idle(), true}, Duration{c.alone(), true}
	text, err := yaml.Marshal(c)
	if err != nil {
		return nil, spec, err
	}
	i = newInstance(dir)
	i.secret, i.idle, i.last = rand.Text(), c.idle(), clock.Now()
	path := "proxy/" + id + "/"
	i.record = record{
		Instance: Instance{ID: id, Owner: h.o.Owner, Description: c.Description, State: Queued, Experiments: nonNil(q.Experiments), Trials: nonNil(q.Trials),
			Driver: c.Driver, Sources: roots, Path: path, Start: clock.Now(), Idle: c.idle().Seconds()},
		Ref:    driver.Ref{ID: id, Dir: dir},
		Config: string(text),
	}
	err = state.WriteJSON(dir, state.SpecFile, state.Spec{ID: id, Name: c.Description, Prefix: server.CleanPrefix(h.o.Prefix) + "/proxy/" + id, Secret: i.secret,
		Roots: roots, Args: c.TensorboardArgs, Hub: h.host, Bind: c.Slurm.Bind, Beat: filepath.Join(h.o.Dir, state.BeatFile), Alone: c.alone().Seconds()})
	if err == nil {
		err = state.Announce(dir, nil)
	}
	if err == nil {
		err = state.WriteJSON(dir, state.RecordFile, i.record)
	}
	if err != nil {
		return nil, spec, err
	}
	return i, driver.Spec{ID: id, Dir: dir, Command: append(slices.Clone(h.o.Command), dir), Name: c.Description, Slurm: c.slurm()}, nil
}

func nonNil(ids []ID) []ID {
	if ids == nil {
		return []ID{}
	}
	return ids
}

// copyContext copies a directory, or one profile, to be served with an instance: what the
// user does with it later changes nothing, and the viewer's node sees it. Links and what
// is no file are left out.
func copyContext(from, to string) error {
	fi, err := os.Stat(from)
	if err != nil {
		return &RequestError{"the context " + from + " cannot be read (" + err.Error() + ")", "give a directory, or a profile"}
	}
	left := int64(maxContext)
	one := func(from, to string) error {
		in, err := os.Open(from)
		if err != nil {
			return &RequestError{"the context's file " + from + " cannot be read (" + err.Error() + ")", "check its permissions"}
		}
		defer in.Close()
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return &state.WriteError{Path: to, Err: err}
		}
		out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return &state.WriteError{Path: to, Err: err}
		}
		n, err := io.Copy(out, io.LimitReader(in, left+1))
		if e := out.Close(); err == nil {
			err = e
		}
		if left -= n; left < 0 {
			return &RequestError{"the context " + from + " has more than 96 MB", "leave out what the viewer does not need"}
		}
		if err != nil {
			return &state.WriteError{Path: to, Err: err}
		}
		return nil
	}
	profile := filepath.Join(to, filepath.FromSlash(defaultProfile))
	if !fi.IsDir() {
		return one(from, profile)
	}
	err = filepath.WalkDir(from, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return &RequestError{"the context " + p + " cannot be read (" + err.Error() + ")", "check its permissions"}
		}
		rel, err := filepath.Rel(from, p)
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		return one(p, filepath.Join(to, rel))
	})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o700); err != nil {
		return &state.WriteError{Path: to, Err: err}
	}
	// A profile at the top is the default one, if there is no other.
	for _, name := range []string{"default_profile.json", "profile.json"} {
		if _, err := os.Lstat(profile); err == nil {
			break
		}
		if _, err := os.Lstat(filepath.Join(to, name)); err == nil {
			if err := one(filepath.Join(to, name), profile); err != nil {
				return err
			}
		}
	}
	return nil
}

// defaultProfile is where a logdir's default profile stands: shared/profile.DefaultPath.
const defaultProfile = ".tensorboard/default_profile.json"
