package hub

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/server"
	"github.com/tensorbored/tensorbored-static/server/clock"
	"github.com/tensorbored/tensorbored-static/server/guard"
	"github.com/tensorbored/tensorbored-static/server/hub/state"
	"github.com/tensorbored/tensorbored-static/server/part"
)

// RunningError says that the directory has a hub.
type RunningError struct{ Dir string }

// Error names the directory.
func (e *RunningError) Error() string {
	return "a hub runs in " + e.Dir + " already: tensorbored-static list speaks with it, tensorbored-static hub --stop ends it"
}

// Serve runs the user's hub in o.Dir until ctx ends, or, if idle is not 0, until it has had
// no viewer and no request for so long. It takes the place of a hub that was killed, its
// port and its token too. ready is called when it answers.
func Serve(ctx context.Context, o Options, version string, idle time.Duration, ready func(At)) error {
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return &state.WriteError{Path: o.Dir, Err: err}
	}
	if err := Own(o.Dir); err != nil {
		return err
	}
	lock, err := os.OpenFile(filepath.Join(o.Dir, LockFile), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return &state.WriteError{Path: o.Dir, Err: err}
	}
	defer lock.Close()
	// Whoever looks whether it is free has the lock for a moment. But one that lost against
	// another must not wait for that one's end.
	for try := 0; part.Lock(lock) != nil; try++ {
		if try == 20 || answers(o.Dir) {
			return &RunningError{o.Dir}
		}
		time.Sleep(25 * time.Millisecond)
	}
	if at := elsewhere(o.Dir); at != nil {
		return &ElsewhereError{*at}
	}
	c, err := o.Config.Config("configuration")
	if err != nil {
		return err
	}
	token, err := readToken(o.Dir)
	if err != nil {
		return err
	}
	var before At
	_ = state.ReadJSON(o.Dir, AtFile, &before) // the first hub finds none
	port, err := listenPort(c.Port, before.Address)
	if err != nil {
		return err
	}
	defer port.Close()
	path, err := socketPath(o.Dir)
	if err != nil {
		return err
	}
	// We have the lock: whatever stands there is what a killed hub has left.
	_ = os.Remove(path)
	undo := private()
	socket, err := net.Listen("unix", path)
	undo()
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w: set TENSORBORED_HUB_DIR to a directory on a disk of this machine", path, err)
	}
	defer socket.Close()

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	o.Token, o.Prefix, o.Stop = guard.Token(token), c.PathPrefix, stop
	o.Hosts = guard.Hosts{Names: c.AllowedHosts}
	h, err := New(o)
	if err != nil {
		return err
	}
	pages, err := h.Handler()
	if err != nil {
		return err
	}
	host, _ := os.Hostname()
	at := At{Host: host, PID: os.Getpid(), Socket: path, Address: "http://" + port.Addr().String() + server.CleanPrefix(c.PathPrefix) + "/", Version: version}
	h.beat(0)
	if err := state.WriteJSON(o.Dir, AtFile, at); err != nil {
		return err
	}
	serve := func(l net.Listener, handler http.Handler) *http.Server {
		s := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10, ErrorLog: o.Log}
		go s.Serve(l) // ends when it is closed
		return s
	}
	outside, inside := serve(port, pages), serve(&ownListener{socket}, h.SocketHandler())
	o.Log.Printf("The hub is at %s, its socket at %s.", at.Address, path)
	if idle > 0 {
		go h.leave(ctx, idle, stop)
	}
	ready(at)
	h.Run(ctx)
	last, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	for _, s := range []*http.Server{inside, outside} {
		if s.Shutdown(last) != nil {
			s.Close()
		}
	}
	_ = os.Remove(path)
	return nil
}

// answers reports whether a hub listens.
func answers(dir string) bool {
	var at At
	if state.ReadJSON(dir, AtFile, &at) != nil {
		return false
	}
	c, err := net.Dial("unix", at.Socket)
	if err != nil {
		return false
	}
	c.Close()
	return true
}

// Free reports whether no hub's process is left in a directory.
func Free(dir string) bool {
	lock, err := os.OpenFile(filepath.Join(dir, LockFile), os.O_RDWR, 0)
	if err != nil {
		return true
	}
	defer lock.Close()
	return part.Lock(lock) == nil
}

// leave ends a hub that nobody needs.
func (h *Hub) leave(ctx context.Context, idle time.Duration, stop func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(max(idle/10, time.Second)):
		}
		if live, quiet := h.Live(); live == 0 && quiet >= idle {
			h.o.Log.Print("No viewer is left: the hub ends. The next command starts it again.")
			stop()
			return
		}
	}
}

// listenPort opens the hub's port: the configured one, or that of the hub before, so that
// open pages go on, or any free one.
func listenPort(configured int, before string) (net.Listener, error) {
	if configured != 0 {
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(configured)))
		if err != nil {
			return nil, fmt.Errorf("the hub cannot listen on port %d: %w: end the program that uses it, or set port to another one in %s", configured, cause(err), UserConfig())
		}
		return l, nil
	}
	if rest, ok := strings.CutPrefix(before, "http://127.0.0.1:"); ok {
		port, _, _ := strings.Cut(rest, "/")
		if l, err := net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			return l, nil
		}
	}
	return net.Listen("tcp", "127.0.0.1:0")
}

func cause(err error) error {
	var se *os.SyscallError
	if errors.As(err, &se) {
		return se.Err
	}
	return err
}

// ownListener takes connections of this user alone.
type ownListener struct{ net.Listener }

// Accept tells others why it closes.
func (l *ownListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil || sameUser(c) {
			return c, err
		}
		_ = c.SetWriteDeadline(clock.Now().Add(time.Second))
		const text = "this is another user's hub\n"
		fmt.Fprintf(c, "HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", len(text), text)
		c.Close()
	}
}
