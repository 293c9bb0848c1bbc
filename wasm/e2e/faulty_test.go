//go:build !js

package e2e

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest/faulty"
)

// faults is a logdir behind a server that spoils answers. Files are long enough to be
// cached and to be read in several windows.
func faults(t *testing.T, choose func(*http.Request, int) faulty.Fault) (*logs, *host) {
	l := newLogs(t)
	for i, n := range []int{30_000, 12_000, 200, 200, 3} {
		l.run([]string{"long", "middle", "short", "also short", "tiny"}[i], map[string][]point{"x": curve(i, 0, n)})
	}
	s := serve(t, l.dir)
	s.handler = &faulty.Handler{Next: s.handler, Choose: choose}
	return l, s
}

// begin opens the page of a server that spoils answers, which browsers log.
func begin(t *testing.T, kind browsertest.Kind, url string) view {
	t.Helper()
	v := start(t, kind)
	v.Allow("Failed to load resource")
	v.Allow("ERR_")
	v.Open(url)
	v.Wait(`window.tensorbored`)
	return v
}

// whole checks that everything is shown and nothing is said to be missing.
func (v view) whole(l *logs) {
	v.t.Helper()
	v.Wait(`tensorbored.status().phase === "exact"`)
	equal(v.t, v.all(), l.want)
	if st := v.status(); len(st.Lost) != 0 || st.Error != "" || st.Unread != 0 || st.BytesRead != st.BytesTotal {
		v.t.Errorf("status %+v", st)
	}
}

// What goes wrong for four seconds costs these, and nothing else: it comes right by
// itself. And what was kept meanwhile is no less at the next visit.
func TestFaultsThatPass(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind browsertest.Kind
		ways []faulty.Fault
	}{
		{browsertest.Chromium, []faulty.Fault{faulty.Login}},
		{browsertest.Chromium, []faulty.Fault{faulty.Unavailable}},
		{browsertest.Chromium, faulty.Faults},
		{browsertest.Firefox, faulty.Faults},
	} {
		t.Run(string(c.kind)+"/"+string(c.ways[0]), func(t *testing.T) {
			var first atomic.Int64
			seeded := faulty.Seeded(3, 1000, 0.9, c.ways)
			l, s := faults(t, func(r *http.Request, n int) faulty.Fault {
				first.CompareAndSwap(0, time.Now().UnixNano())
				if time.Since(time.Unix(0, first.Load())) > 4*time.Second {
					return faulty.None
				}
				return seeded(r, n)
			})
			v := begin(t, c.kind, s.URL)
			v.whole(l)
			v.Open(s.URL)
			v.Wait(`window.tensorbored`)
			v.whole(l)
		})
	}
}

// While something is wrong it is said what is missing, and why; the next look after
// that brings everything, and so does a new page in between.
func TestFaultsThatStay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		way   faulty.Fault
		words string
	}{
		{faulty.Login, "not the file"},
		{faulty.Redirect, "another page"},
		{faulty.Short, ""},
		{faulty.Forbidden, "the file is locked"},
	} {
		t.Run(string(c.way), func(t *testing.T) {
			var ill atomic.Bool
			ill.Store(true)
			l, s := faults(t, func(r *http.Request, n int) faulty.Fault {
				// Two answers of three, and all to a file that is asked for alone.
				if ill.Load() && (n%3 > 0 || strings.Contains(r.URL.Path, "/files/")) {
					return c.way
				}
				return faulty.None
			})
			v := begin(t, browsertest.Chromium, s.URL)
			v.Wait(`tensorbored.status().phase === "incomplete"`)
			st := v.status()
			named := slices.ContainsFunc(st.Lost, func(l loss) bool { return strings.Contains(l.Kind, c.words) && l.Remedy != "" })
			if st.Unread == 0 || len(st.Lost) < st.Unread || !named || st.BytesRead >= st.BytesTotal {
				t.Errorf("status %+v", st)
			}
			v.Wait(`document.querySelector(".status-text").textContent.includes("not read whole")`)
			ill.Store(false)
			v.Eval(`void tensorbored.reload()`, nil)
			v.whole(l)

			ill.Store(true)
			v.Open(s.URL)
			v.Wait(`["exact", "incomplete"].includes(window.tensorbored?.status().phase)`)
			ill.Store(false)
			v.Open(s.URL)
			v.Wait(`window.tensorbored`)
			v.whole(l)
		})
	}
}

// A host that never sends more than 64 KiB at a time is asked for so much, and not
// many times more often than that needs.
func TestCappedAnswers(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("long", map[string][]point{"x": curve(1, 0, 40_000)})
	f := &faulty.Handler{Next: http.FileServer(http.Dir(browsertest.Pages(t, l.dir))), Choose: func(*http.Request, int) faulty.Fault { return faulty.Capped }}
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	v := begin(t, browsertest.Chromium, s.URL+"/")
	v.whole(l)
	size := len(l.read(l.path("long", "1700000000.host.1.0")))
	if n := f.Given()[faulty.Capped]; n < size/(64<<10) || n > 3*size/(64<<10)+10 {
		t.Errorf("%d requests for %d bytes", n, size)
	}
}

// A logdir that the address names and that is not there is an error, in the server's
// words where it has some; and so is one that answers with something else.
func TestNamedListing(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("r", map[string][]point{"x": curve(1, 0, 3)})
	s := serve(t, l.dir)
	well := s.handler
	s.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/closed.json":
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(403)
			w.Write([]byte(`{"error":"the disk is locked","remedy":"unlock it first"}`))
		case "/page.json":
			w.Write([]byte("<!doctype html><title>Sign in</title>"))
		default:
			well.ServeHTTP(w, r)
		}
	})
	for name, words := range map[string][]string{
		"missing.json": {"no listing at", "logdir="}, "closed.json": {"the disk is locked", "unlock it first"}, "page.json": {"page", "log in"},
	} {
		v := begin(t, browsertest.Chromium, s.URL+"?logdir="+name)
		v.Wait(`tensorbored.status().error`)
		got := v.status().Error
		for _, w := range words {
			if !strings.Contains(strings.ToLower(got), strings.ToLower(w)) && !(w == "log in" && strings.Contains(got, "login")) {
				t.Errorf("%s: %q does not say %q", name, got, w)
			}
		}
	}
}
