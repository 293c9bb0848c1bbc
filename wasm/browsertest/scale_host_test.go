//go:build !js

package browsertest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/tensorbored/tensorbored-static/server"
	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/static"
)

// These tests are of logdirs that are too big for memory, or for reading them twice.

// read is a stretch of a file that the page asked for.
type read struct {
	path   string
	offset int64
	length int64
}

// host is our server in this process, so that a test sees what the page asks for.
type host struct {
	url  string
	dir  string             // the logdir
	gate func(reads []read) // called before bytes are sent; nil = no gate

	mu       sync.Mutex
	hasty    bool   // each listing is of this moment
	prelude  string // JavaScript that runs before the page's and the workers' own
	reads    []read
	answered []read      // those whose answers are written
	listings map[int]int // answers by status
	batches  []batch
}

// batch is a request for several stretches at once.
type batch struct {
	packed bool // a compressed answer was asked for
	reads  []read
}

// newHost serves dir, and ends with the test.
func newHost(t *testing.T, dir string) *host {
	t.Helper()
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	Binary(t)
	h := &host{dir: dir, listings: map[int]int{}}
	// A server gives a listing out again for a quarter of a second. A hasty test has
	// a server of its own for each.
	begin := func() (http.Handler, func() error) {
		store, err := files.Open(dir, "logs", true)
		if err != nil {
			t.Fatal(err)
		}
		inner, err := server.New(server.Config{Site: static.Forms(os.DirFS(filepath.Join(root, "static", "dist"))), Logdir: store})
		if err != nil {
			t.Fatal(err)
		}
		return inner, store.Close
	}
	inner, end := begin()
	t.Cleanup(func() { end() })
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		if h.hasty && r.URL.Path == "/data/listing.json" {
			end()
			inner, end = begin()
		}
		now := inner
		h.mu.Unlock()
		h.serve(now, w, r)
	}))
	t.Cleanup(s.Close)
	h.url = s.URL + "/"
	return h
}

func (h *host) serve(inner http.Handler, w http.ResponseWriter, r *http.Request) {
	p := r.URL.Path
	var reads []read
	switch {
	case strings.HasPrefix(p, "/assets/worker.") || strings.HasPrefix(p, "/assets/boot."):
		r.Header.Del("Accept-Encoding")
		got := httptest.NewRecorder()
		inner.ServeHTTP(got, r)
		h.mu.Lock()
		text := h.prelude + "\n" + got.Body.String()
		h.mu.Unlock()
		w.Header().Set("Content-Type", "text/javascript")
		w.Header().Set("Cache-Control", "no-store")
		if csp := got.Header().Get("Content-Security-Policy"); csp != "" {
			w.Header().Set("Content-Security-Policy", csp)
		}
		io.WriteString(w, text)
		return
	case p == "/data/listing.json":
		s := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		inner.ServeHTTP(s, r)
		h.mu.Lock()
		h.listings[s.status]++
		h.mu.Unlock()
		return
	case p == "/data/batch":
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		ranges, _ := api.ParseBatchRequest(body)
		for _, g := range ranges {
			reads = append(reads, read{g.Path, g.Offset, g.Length})
		}
		h.mu.Lock()
		h.batches = append(h.batches, batch{r.URL.Query().Get("z") == "1", reads})
		h.mu.Unlock()
	case strings.HasPrefix(p, "/data/files/"):
		var from, to int64
		fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to)
		reads = []read{{strings.TrimPrefix(p, "/data/files/"), from, to - from + 1}}
	}
	h.mu.Lock()
	h.reads = append(h.reads, reads...)
	h.mu.Unlock()
	if len(reads) > 0 && h.gate != nil {
		h.gate(reads)
	}
	inner.ServeHTTP(w, r)
	h.mu.Lock()
	h.answered = append(h.answered, reads...)
	h.mu.Unlock()
}

// given is how many bytes from the start of the files under prefix have been written as
// answers. Requests overtake each other: what was asked for first may come last.
func (h *host) given(prefix string) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	var n int64
	for more := true; more; {
		more = false
		for _, r := range h.answered {
			if strings.HasPrefix(r.path, prefix) && r.offset <= n && r.offset+r.length > n {
				n, more = r.offset+r.length, true
			}
		}
	}
	return n
}

type statusWriter struct {
	http.ResponseWriter
	status int
}

func (s *statusWriter) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// taken returns the reads since the last call.
func (h *host) taken() []read {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := h.reads
	h.reads = nil
	return out
}

// batched returns the batches since the last call.
func (h *host) batched() []batch {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := h.batches
	h.batches = nil
	return out
}

// listed returns the listings' answers by status since the last call.
func (h *host) listed() map[int]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := h.listings
	h.listings = map[int]int{}
	return out
}

// set makes scripts begin with JavaScript text, from the next load on.
func (h *host) set(prelude ...string) {
	h.mu.Lock()
	h.prelude = strings.Join(prelude, "\n")
	h.mu.Unlock()
}

// stored is a prelude that makes the page find settings in its storage: preferences and
// those of the view, each of which it takes from its own entry.
func stored(json string) string {
	text := strconv.Quote(json)
	return `if (globalThis.document) for (const entry of ["session", "view"]) localStorage.setItem("tensorbored-static." + entry, ` + text + `);`
}

// previewing is a prelude that makes small logdirs have a preview.
const previewing = `if (globalThis.document) Object.defineProperty(globalThis, "tbBoot", {set(v) { globalThis.tbBooted = {...v, previewFrom: 1}; }, get() { return globalThis.tbBooted; }});`

const exact = `globalThis.tensorbored?.status().phase === "exact"`

// sawtooth is the value of run number r at a step: it has spikes that thinning must
// keep.
func sawtooth(r int, step int64) float64 {
	if step%9973 == 7 {
		return float64(1000 * (r + 1))
	}
	return float64(r) + float64(step%100)/100
}

// longRuns writes runs with one point of each tag a step.
func longRuns(t *testing.T, dir string, runs int, steps int64, tags ...string) {
	t.Helper()
	for r := range runs {
		writeRun(t, dir, fmt.Sprintf("run_%02d", r), func(w *summary.Writer) error {
			for step := range steps {
				for _, tag := range tags {
					if err := w.Scalar(tag, sawtooth(r, step), step, summary.WallSeconds(1.7e9+float64(step))); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
}

// card is a JavaScript expression for the chart of a tag.
func card(tag string) string {
	return `[...tbPaint.charts].find(c => c.host.closest("[data-tag]").dataset.tag === ` + strconv.Quote(tag) + `)`
}

func note(tag string) string {
	return `document.querySelector('[data-tag=` + strconv.Quote(tag) + `] .card-note')?.textContent`
}
