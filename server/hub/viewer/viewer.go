// Package viewer is what a driver runs: the server of package server for one instance,
// told by its folder (server/hub/state), on an address that it writes there.
//
// It is never an orphan. It ends when its folder says that it is over, or is gone, and
// when the hub's beat has rested for long: so a hub that is killed, a node that the
// scheduler has given up, and a job that begins after its user has ended it leave nothing
// behind for longer than that.
package viewer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tensorbored/tensorbored-static/server"
	"github.com/tensorbored/tensorbored-static/server/answer"
	"github.com/tensorbored/tensorbored-static/server/clock"
	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/guard"
	"github.com/tensorbored/tensorbored-static/server/hub/state"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

const (
	// watchEvery is how often the viewer looks whether it is over.
	watchEvery = 3 * time.Second
	// lastWords is how long requests may go on when it ends.
	lastWords = time.Second
)

// ReadyPath, below the prefix, answers 200 when the logs could be listed and hold a
// record, and 503 before.
const ReadyPath = "readyz"

// HubScript is the address, relative to the page, of the hub's script in it.
const HubScript = "hub.js"

// Config says how to run.
type Config struct {
	Dir  string                                // the instance's folder
	Site fs.FS                                 // the built page
	Page func(args []string) (api.Page, error) // what flags ask of the page
	// Near reads the files of a store for those who look; it ends when end is called. nil:
	// nothing does. args are those of Page.
	Near func(store *files.Store, roots []string, args []string) (h http.Handler, end func(), err error)
	Log  io.Writer
}

// Run serves until ctx ends or the viewer is over.
func Run(ctx context.Context, c Config) error {
	out := log.New(stamped{c.Log}, "", 0)
	hold, err := state.Hold(c.Dir)
	if err != nil {
		return err
	}
	defer hold.Close()
	if state.IsOver(c.Dir) {
		out.Print("This viewer was ended before it began.")
		return nil
	}
	var spec state.Spec
	if err := state.ReadJSON(c.Dir, state.SpecFile, &spec); err != nil {
		return fmt.Errorf("what to serve cannot be read: %w", err)
	}
	store, err := open(c, spec)
	if err != nil {
		return err
	}
	defer store.Close()
	var near http.Handler
	if c.Near != nil {
		var roots []string
		for _, r := range spec.Roots {
			roots = append(roots, r.Dir)
		}
		h, end, err := c.Near(store, roots, spec.Args)
		if err != nil {
			return err
		}
		defer end()
		near = h
	}
	handler, err := New(c.Site, spec, store, near)
	if err != nil {
		return err
	}
	listener, addresses, err := listen(spec)
	if err != nil {
		return err
	}
	host, _ := os.Hostname()
	s := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10, ErrorLog: out}
	served := make(chan error, 1)
	go func() { served <- s.Serve(listener) }()
	if err := state.Announce(c.Dir, &state.Endpoint{Addresses: addresses, Host: host, PID: os.Getpid()}); err != nil {
		s.Close()
		return err
	}
	for _, r := range spec.Roots {
		out.Printf("Serving %s", r.Dir)
	}
	out.Printf("Listening on %s at %s", host, strings.Join(addresses, ", "))
	over := make(chan string, 1)
	watching, stop := context.WithCancel(ctx)
	defer stop()
	go func() { over <- watch(watching, c.Dir, spec) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		out.Print("Told to end.")
	case reason := <-over:
		out.Print("Ends: " + reason)
		// The folder may be gone, or full; it ends in any case.
		_ = state.WriteJSON(c.Dir, state.EndFile, state.End{Reason: reason})
	}
	last, cancel := context.WithTimeout(context.Background(), lastWords)
	defer cancel()
	if s.Shutdown(last) != nil {
		s.Close()
	}
	return nil
}

// open opens the logs.
func open(c Config, spec state.Spec) (*files.Store, error) {
	page, err := c.Page(spec.Args)
	if err != nil {
		return nil, err
	}
	if page.Title == "" {
		page.Title = spec.Name
	}
	var roots []files.Root
	if _, err := os.Stat(filepath.Join(c.Dir, state.ContextDir)); err == nil {
		// The first default profile counts: this one's.
		roots = append(roots, files.Root{Dir: filepath.Join(c.Dir, state.ContextDir)})
	}
	var places []string
	for _, r := range spec.Roots {
		roots = append(roots, files.Root{Dir: r.Dir, Name: r.Name})
		places = append(places, r.Name+"\n"+r.Dir)
	}
	page.Kept = files.KeptName(places)
	return files.OpenRoots(roots, files.Options{Name: spec.Name, Follow: true, Later: true, Page: page})
}

// New returns the handler of an instance.
func New(site fs.FS, spec state.Spec, store *files.Store, near http.Handler) (http.Handler, error) {
	if spec.Secret == "" {
		return nil, errors.New("a viewer without a secret would show its logs to everybody on this machine")
	}
	token := guard.Token(spec.Secret)
	// The hub calls it localhost, wherever it is.
	pages, err := server.New(server.Config{Site: withScript(site), Logdir: store, Prefix: spec.Prefix, Token: token, Near: near})
	if err != nil {
		return nil, err
	}
	r := &ready{store: store, token: token}
	at := server.CleanPrefix(spec.Prefix) + "/" + ReadyPath
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == at {
			r.ServeHTTP(w, q)
			return
		}
		pages.ServeHTTP(w, q)
	}), nil
}

// ready tells whether there is something to see.
type ready struct {
	store *files.Store
	token guard.Token
	yes   atomic.Bool
}

func (r *ready) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if !r.token.Allow(w, q) {
		return
	}
	why := ""
	if !r.yes.Load() {
		if why = r.look(q.Context()); why == "" {
			r.yes.Store(true)
		}
	}
	if why != "" {
		answer.Fail(w, http.StatusServiceUnavailable, why, "")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, `{"ready":true}`)
}

// look returns why there is nothing to see, or "". One record will do.
func (r *ready) look(ctx context.Context) string {
	l, err := r.store.List(ctx, "")
	if err != nil {
		return err.Error()
	}
	trouble := ""
	for _, f := range l.Files {
		if f.Kind != api.Event || f.Size < tfrecord.HeaderSize {
			continue
		}
		in, err := r.store.Open(ctx, f.Path)
		if err != nil {
			trouble = err.Error()
			continue
		}
		head := make([]byte, tfrecord.HeaderSize)
		_, err = io.ReadFull(in, head)
		in.Close()
		if err == nil && tfrecord.Find(head, 0) == 0 {
			return ""
		}
	}
	for _, p := range l.Problems {
		trouble = p.Path + ": " + p.Error
	}
	if trouble != "" {
		return "waiting for metrics: " + trouble
	}
	return "waiting for metrics"
}

// watch returns why the viewer is over.
func watch(ctx context.Context, dir string, spec state.Spec) string {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	last, heard := []byte(nil), clock.Now()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return ""
		case <-tick.C:
		}
		if state.IsOver(dir) {
			return "the hub has ended it"
		}
		if spec.Alone <= 0 || n%8 != 0 && clock.Since(heard).Seconds() < spec.Alone {
			continue
		}
		// What it says is not compared with any clock: it must change.
		if now, err := os.ReadFile(spec.Beat); err == nil && !bytes.Equal(now, last) {
			last, heard = now, clock.Now()
		}
		if clock.Since(heard).Seconds() >= spec.Alone {
			return fmt.Sprintf("no hub was heard of for %v", clock.Since(heard).Round(time.Second))
		}
	}
}

// listen opens a port. Beside the hub it is one of loopback, and elsewhere one of the
// machine's address, never of all addresses unless there is no other way.
func listen(spec state.Spec) (net.Listener, []string, error) {
	host, _ := os.Hostname()
	at := ""
	switch {
	case spec.Bind != "":
		at = address(spec.Bind)
	case host == spec.Hub:
		at = "127.0.0.1"
	default:
		ips, _ := net.LookupIP(host)
		for _, ip := range ips {
			if !ip.IsLoopback() && !ip.IsLinkLocalUnicast() && (at == "" || ip.To4() != nil) {
				at = ip.String()
			}
		}
	}
	l, err := net.Listen("tcp", net.JoinHostPort(at, "0"))
	if err != nil {
		return nil, nil, fmt.Errorf("cannot listen on %q: %w: set slurm.bind to an address or interface of the nodes", at, err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	var addresses []string
	if at != "" {
		return l, []string{net.JoinHostPort(at, port)}, nil
	}
	addresses = append(addresses, net.JoinHostPort(host, port))
	all, _ := net.InterfaceAddrs()
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() {
			addresses = append(addresses, net.JoinHostPort(n.IP.String(), port))
		}
	}
	return l, addresses, nil
}

// address is the first address of an interface of that name, or the text itself.
func address(text string) string {
	i, err := net.InterfaceByName(text)
	if err != nil {
		return text
	}
	all, _ := i.Addrs()
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLinkLocalUnicast() {
			return n.IP.String()
		}
	}
	return text
}

// stamped writes each line with its time, in UTC, as the command logs shows it.
type stamped struct{ w io.Writer }

func (s stamped) Write(line []byte) (int, error) {
	_, err := s.w.Write(append([]byte(clock.Now().UTC().Format("2006-01-02T15:04:05.000000Z ")), line...))
	return len(line), err
}
