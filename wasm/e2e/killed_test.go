//go:build !js

package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tensorbored/tensorbored-static/server/objects/storetest"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// heldStore is a store whose answers a test holds: of files longer than a job of the reader the first
// range comes, and no other one until it is released.
type heldStore struct {
	*storetest.S3
	*logs
	release func()
	come    chan struct{} // closed when an answer is held
}

func newHeld(t *testing.T) *heldStore {
	h := &heldStore{S3: storetest.NewS3(t), logs: newLogs(t)}
	t.Cleanup(func() { h.release() })
	h.hold()
	return h
}

// hold holds answers from now on.
func (h *heldStore) hold() {
	on, come := make(chan struct{}), make(chan struct{})
	first := sync.OnceFunc(func() { close(come) })
	h.come, h.release = come, sync.OnceFunc(func() { close(on) })
	h.Faults(func(r *http.Request) storetest.Fault {
		if of := r.Header.Get("Range"); strings.Contains(r.URL.Path, "long") && of != "" && !strings.HasPrefix(of, "bytes=0-") {
			first()
			select {
			case <-on:
			case <-r.Context().Done(): // who asked was killed
			}
		}
		return storetest.None
	})
}

// held waits until an answer is held.
func (h *heldStore) held(v view) {
	h.t.Helper()
	come := h.come
	v.Until(func() string {
		select {
		case <-come:
			return ""
		default:
			return "nobody has read on in the long file"
		}
	})
}

// write writes a run: points at the beginning of its file, and at its end those of more, behind so
// many MiB of text.
func (h *heldStore) write(run string, seed, n, mb, more int) {
	h.t.Helper()
	path := h.file(run, "1700000000.host.1.0", func(w *summary.Buffer) {
		write(w, map[string][]point{"x": curve(seed, 0, n)})
		for step := range mb {
			if err := w.Text("words", strings.Repeat("x", 1<<20), int64(step)); err != nil {
				h.t.Fatal(err)
			}
		}
		write(w, map[string][]point{"x": curve(seed, n, more)})
	})
	h.S3.Put("exp/"+run+"/"+filepath.Base(path), h.logs.read(path))
	delete(h.want, run)
	h.expect(run, "x", curve(seed, 0, n+more)...)
}

// A server that reads is killed in the middle of that, and another one started at its address: the
// page says what is going on, goes on by itself, and has all that was written; if the logs are
// others by then, it has those, and nothing of the old ones.
func TestServerKilledWhileReading(t *testing.T) {
	t.Parallel()
	program := browsertest.Tagged(t, "s3")
	for _, replaced := range []bool{false, true} {
		for _, kind := range browsertest.Kinds {
			t.Run(fmt.Sprintf("%s replaced=%v", kind, replaced), func(t *testing.T) {
				h := newHeld(t)
				h.write("short", 1, 40, 1, 0)
				h.write("long", 2, 300, 12, 200)
				cache, port := t.TempDir(), "0"
				begin := func() *browsertest.Server {
					t.Helper()
					s := browsertest.ServingBy(t, program, "", "serve", "--logdir", h.Address("exp"), "--port", port,
						"--read", "server", "--cache", cache, "--reload-interval", "0.5")
					u, err := url.Parse(s.URL)
					if err != nil {
						t.Fatal(err)
					}
					port = u.Port()
					return s
				}
				s := begin()
				v := start(t, kind)
				for _, text := range []string{"Failed to load resource", "net::ERR", "WebSocket", "can’t establish", "interrupted", "NetworkError"} {
					v.Allow(text)
				}
				v.Open(s.URL)
				h.held(v)
				v.Wait(`window.tensorbored && tensorbored.status().phase === "reading"`)
				s.Kill()
				v.Wait(`document.body.innerText.includes("line to the server that reads the files is broken")`)
				h.hold()
				if replaced {
					h.write("short", 5, 25, 1, 0)
					h.write("long", 6, 70, 12, 30)
				}
				begin()
				h.held(v)
				v.Wait(`!tensorbored.status().error`)
				h.release()
				v.Wait(`tensorbored.status().phase === "exact"`)
				equal(t, v.all(), h.want)
			})
		}
	}
}
