//go:build !js

package e2e

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Nothing is asked of anybody but the page's own host, and neither the page nor
// its workers could.
func TestOneOrigin(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("r", map[string][]point{"x": curve(1, 0, 3)})
	s := serve(t, l.dir)
	elsewhere := serve(t, "")
	v := open(t, browsertest.Chromium, s.URL)
	v.all()
	v.settle()
	var urls []string
	v.Eval(`performance.getEntriesByType("resource").map((e) => e.name)`, &urls)
	if len(urls) < 3 {
		t.Errorf("only %q was loaded", urls)
	}
	for _, u := range urls {
		if !strings.HasPrefix(u, s.URL) {
			t.Errorf("%s was loaded", u)
		}
	}
	v.Allow("connect-src")
	v.Allow("violates")
	if err := v.TryEval(`fetch(`+quote(elsewhere.URL)+`, {mode: "no-cors"})`, nil); err == nil {
		t.Error("the page may ask another host")
	}
	// A worker obeys the policy that its script came with.
	workers := 0
	for _, p := range s.paths() {
		if !strings.HasPrefix(p, "/assets/worker") {
			continue
		}
		workers++
		r, err := http.Get(strings.TrimSuffix(s.URL, "/") + p)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if policy := r.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "connect-src 'self'") {
			t.Errorf("%s came with the policy %q", p, policy)
		}
	}
	if workers == 0 {
		t.Errorf("no worker among %q", s.paths())
	}
	if asked := elsewhere.paths(); len(asked) > 0 {
		t.Errorf("the other host was asked for %q", asked)
	}
}

// When the server ends, what was read stays and the page says what is wrong; when
// it is back, reading goes on.
func TestServerStops(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	path := l.run("r", map[string][]point{"x": curve(1, 0, 300), "y": curve(2, 0, 300)})
	s := serve(t, l.dir)
	v := open(t, browsertest.Chromium, s.URL)
	s.stop()
	v.Allow("ERR_CONNECTION") // the browser's own words for each request
	v.Allow("ERR_EMPTY_RESPONSE")
	v.Wait(`(tensorbored.reload(), tensorbored.status().error)`)
	if st := v.status(); !strings.Contains(st.Error, "server") || st.Phase != "exact" || st.Points != 600 {
		t.Errorf("status %+v", st)
	}
	equal(t, v.all(), l.want)
	l.add(path, more("x", 1, 300, 5))
	l.expect("r", "x", curve(1, 300, 5)...)
	s.start()
	v.points(605)
	equal(t, v.all(), l.want)
	if st := v.status(); st.Error != "" || len(st.Lost) != 0 {
		t.Errorf("status %+v", st)
	}
}

// A server that fails while files are read costs time and nothing else.
func TestServerFails(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("a", map[string][]point{"x": curve(1, 0, 300)})
	l.run("b", map[string][]point{"x": curve(2, 0, 300)})
	s := serve(t, l.dir)
	var ill atomic.Bool
	well := s.handler
	s.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ill.Load() && (r.URL.Path == "/data/batch" || strings.HasPrefix(r.URL.Path, "/data/files/")) {
			http.Error(w, "out of order", http.StatusInternalServerError)
			return
		}
		well.ServeHTTP(w, r)
	})
	ill.Store(true)
	v := start(t, browsertest.Chromium)
	v.Allow("500")
	v.Open(s.URL)
	v.Wait(`window.tensorbored?.status().error`)
	if st := v.status(); st.Phase == "exact" || st.Runs != 2 {
		t.Errorf("status %+v", st)
	}
	ill.Store(false)
	v.Eval(`tensorbored.ready`, nil)
	equal(t, v.all(), l.want)
	if st := v.status(); st.Error != "" || len(st.Lost) != 0 || st.BytesRead != st.BytesTotal {
		t.Errorf("status %+v", st)
	}
}
