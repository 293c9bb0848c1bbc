//go:build !js

package e2e

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tensorbored/tensorbored-static/server"
	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/ports"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// host is our server in the test's own process, where it can be watched and
// stopped. TestServer uses the program itself.
type host struct {
	URL string

	t       *testing.T
	address string
	handler http.Handler

	mu    sync.Mutex
	held  chan struct{} // the page itself is not handed out before it is closed; nil: at once
	data  int64         // bytes of event files that were sent
	asked []string      // paths that were asked for
	srv   *httptest.Server
}

// serve serves a logdir; "" serves the bare page.
func serve(t *testing.T, logdir string) *host {
	t.Helper()
	c := server.Config{Site: browsertest.Dist(t)}
	if logdir != "" {
		store, err := files.Open(logdir, filepath.Base(logdir), true)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { store.Close() })
		c.Logdir = store
	}
	h, err := server.New(c)
	if err != nil {
		t.Fatal(err)
	}
	s := &host{t: t, handler: h}
	s.start()
	t.Cleanup(s.stop)
	return s
}

// start listens, again on the same address after a stop.
func (s *host) start() {
	s.t.Helper()
	var l net.Listener
	var err error
	if s.address == "" {
		l, err = ports.Listen()
	} else {
		l, err = net.Listen("tcp", s.address)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.address = l.Addr().String()
	s.srv = &httptest.Server{Listener: l, Config: &http.Server{Handler: s}}
	s.srv.Start()
	s.URL = s.srv.URL + "/"
}

// stop ends the server and every connection to it.
func (s *host) stop() {
	if s.srv != nil {
		s.srv.CloseClientConnections()
		s.srv.Close()
		s.srv = nil
	}
}

// ServeHTTP counts, and hands on.
func (s *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked = append(s.asked, r.URL.Path)
	held := s.held
	s.mu.Unlock()
	if r.URL.Path == "/" && held != nil {
		<-held
	}
	if strings.HasPrefix(r.URL.Path, "/blank") { // a page of this origin that does nothing
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<link rel=icon href="data:,">`)
		return
	}
	if strings.HasPrefix(r.URL.Path, "/data/files/") || r.URL.Path == "/data/batch" {
		w = &counter{w, s}
	}
	s.handler.ServeHTTP(w, r)
}

// hold keeps the page back until release is called.
func (s *host) hold() (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	held := make(chan struct{})
	s.held = held
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.held = nil
		close(held)
	})
}

// sent returns how many bytes of event files have been sent so far, with what
// frames them in a batch.
func (s *host) sent() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.data
}

// paths returns every path that was asked for.
func (s *host) paths() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asked...)
}

type counter struct {
	http.ResponseWriter
	host *host
}

// Write counts.
func (c *counter) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.host.mu.Lock()
	c.host.data += int64(n)
	c.host.mu.Unlock()
	return n, err
}
