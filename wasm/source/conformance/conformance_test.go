//go:build !js

package main

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/server"
	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/shared/source/sourcetest"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

var site = browsertest.Site{Program: "./wasm/source/conformance"}

func TestMain(m *testing.M) {
	code := browsertest.Main(m)
	site.Remove()
	os.Exit(code)
}

// host makes a handler for the page and, below data/, for a logdir.
type host func(t *testing.T, site fs.FS, logdir string) http.Handler

// ours is our server.
func ours(t *testing.T, site fs.FS, logdir string) http.Handler {
	store, err := files.Open(logdir, "logs", true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	h, err := server.New(server.Config{Site: site, Logdir: store})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// withoutBatch is our server, saying that it has no batch.
func withoutBatch(t *testing.T, site fs.FS, logdir string) http.Handler {
	h := ours(t, site, logdir)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/data/listing.json" {
			h.ServeHTTP(w, r)
			return
		}
		got := httptest.NewRecorder()
		r.Header.Del("Accept-Encoding")
		h.ServeHTTP(got, r)
		w.Header().Set("ETag", got.Header().Get("ETag"))
		w.WriteHeader(got.Code)
		io.WriteString(w, strings.Replace(got.Body.String(), `"batch":"batch"`, `"batch":""`, 1))
	})
}

// static is a host that knows nothing of us: files, and a listing that was written
// once.
func static(t *testing.T, site fs.FS, logdir string) http.Handler {
	store, err := files.Open(logdir, "logs", true)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	l, err := store.List(t.Context(), "files/")
	if err != nil {
		t.Fatal(err)
	}
	page, data := http.FileServer(http.FS(site)), http.StripPrefix("/data/files", http.FileServer(http.Dir(logdir)))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/data/listing.json":
			w.Write(l.Append(nil))
		case strings.HasPrefix(r.URL.Path, "/data/files/"):
			data.ServeHTTP(w, r)
		default:
			page.ServeHTTP(w, r)
		}
	})
}

// rangeless is such a host that always sends whole files.
func rangeless(t *testing.T, site fs.FS, logdir string) http.Handler {
	h := static(t, site, logdir)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Range")
		h.ServeHTTP(w, r)
	})
}

// breaking is our server behind a line that breaks behind 5000 bytes of an answer.
func breaking(t *testing.T, site fs.FS, logdir string) http.Handler {
	h := ours(t, site, logdir)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/data/batch" || strings.HasPrefix(r.URL.Path, "/data/files/") {
			w = &short{w, 5000}
		}
		h.ServeHTTP(w, r)
	})
}

type short struct {
	http.ResponseWriter
	room int
}

func (s *short) Write(b []byte) (int, error) {
	if len(b) <= s.room {
		s.room -= len(b)
		return s.ResponseWriter.Write(b)
	}
	s.ResponseWriter.Write(b[:s.room])
	s.ResponseWriter.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// begin serves a logdir with the suite's files, over a slow line if told so, and opens
// the page.
func begin(t *testing.T, kind browsertest.Kind, h host, slow bool) (p *browsertest.Page, logdir string) {
	t.Helper()
	logdir = filepath.Join(t.TempDir(), "logs")
	real := func(path string) string { return filepath.Join(logdir, filepath.FromSlash(path)) }
	for path, b := range sourcetest.Files() {
		if err := os.MkdirAll(filepath.Dir(real(path)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(real(path), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	next := h(t, site.Files(t), logdir)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		what, ok := strings.CutPrefix(r.URL.Path, "/control/")
		if !ok {
			next.ServeHTTP(w, r)
			return
		}
		if err := change(what, real(r.URL.Query().Get("path")), r.Body); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}))
	t.Cleanup(s.Close)
	url := s.URL
	if slow {
		// 16 MB/s: slow enough to compress for, fast enough to wait for.
		url = browsertest.NewLink(t, url, 16e6, 4*time.Millisecond).URL
	}
	p = browsertest.Start(t, kind)
	// Files that are gone, and ranges behind the end, which browsers log.
	p.Allow("404")
	p.Allow("416")
	p.Open(url)
	p.Wait(`globalThis.begin`)
	return p, logdir
}

// change appends to a file or removes it.
func change(what, path string, data io.Reader) error {
	if what == "remove" {
		return os.Remove(path)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, data)
	return errors.Join(err, f.Close())
}

// how is what the page is told to do.
type how struct {
	Kind  string `json:"kind"`
	Lists bool   `json:"lists"`
	Grows bool   `json:"grows"`
}

// suite runs the suite, or the one case of kind "breaking" or "spoiled", on the page.
func suite(t *testing.T, p *browsertest.Page, h how) {
	t.Helper()
	b, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	p.Eval(`void (outcome.length = 0, begin(`+string(b)+`))`, nil)
	p.Wait(`outcome.at(-1)?.name === "end" || outcome.at(-1)?.dead`)
	var outcome []struct {
		Name, Wrong, Output string
		Dead                bool
	}
	p.Eval(`outcome`, &outcome)
	for _, o := range outcome {
		switch {
		case o.Dead:
			t.Errorf("the worker ended: %s", o.Output)
		case o.Wrong != "":
			t.Errorf("%s: %s", o.Name, o.Wrong)
		}
	}
	want := len(sourcetest.Cases)
	if h.Kind == "breaking" || h.Kind == "spoiled" {
		want = 1
	}
	if len(outcome) != want+1 {
		t.Errorf("%d cases were run, there are %d", len(outcome)-1, want)
	}
}

func TestHTTP(t *testing.T) {
	for _, c := range []struct {
		name string
		host host
		how  how
	}{
		{"our server", ours, how{"http", true, true}},
		{"our server without batch", withoutBatch, how{"http", true, true}},
		{"a static host", static, how{"http", false, true}},
		{"a host without ranges", rangeless, how{"http", false, true}},
	} {
		for _, kind := range browsertest.Kinds {
			t.Run(c.name+" in "+string(kind), func(t *testing.T) {
				p, _ := begin(t, kind, c.host, false)
				suite(t, p, c.how)
			})
		}
	}
}

func TestBrokenAnswers(t *testing.T) {
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			p, _ := begin(t, kind, breaking, false)
			p.Allow("ERR_") // as Chromium calls it
			suite(t, p, how{"breaking", true, true})
		})
	}
}

// asked counts the batches that a compressed answer was asked for.
func asked(h host, count *atomic.Int64) host {
	return func(t *testing.T, site fs.FS, logdir string) http.Handler {
		next := h(t, site, logdir)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/data/batch" && r.URL.Query().Get("z") != "" {
				count.Add(1)
			}
			next.ServeHTTP(w, r)
		})
	}
}

// Over a slow line answers come compressed, and are the same.
func TestSlowLine(t *testing.T) {
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			var n atomic.Int64
			p, _ := begin(t, kind, asked(ours, &n), true)
			suite(t, p, how{"http", true, true})
			if n.Load() == 0 {
				t.Error("nothing was asked for compressed")
			}
		})
	}
}

// answering is our server with another way to answer what is to be compressed.
func answering(answer func(w http.ResponseWriter, r *http.Request, next http.Handler)) host {
	return func(t *testing.T, site fs.FS, logdir string) http.Handler {
		next := ours(t, site, logdir)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/data/batch" && r.URL.Query().Get("z") != "" {
				answer(w, r, next)
			} else {
				next.ServeHTTP(w, r)
			}
		})
	}
}

// What spoils compressed answers costs a further try.
func TestSpoiledAnswers(t *testing.T) {
	// sent changes the whole of a compressed answer.
	sent := func(coding string, change func(h http.Header, body []byte) []byte) host {
		return answering(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			r.Header.Set("Accept-Encoding", coding)
			got := httptest.NewRecorder()
			next.ServeHTTP(got, r)
			h := w.Header()
			maps.Copy(h, got.Header())
			body := change(h, got.Body.Bytes())
			w.WriteHeader(got.Code)
			w.Write(body)
		})
	}
	strip := func(h http.Header, body []byte) []byte {
		h.Del("Content-Encoding")
		return body
	}
	cut := func(_ http.Header, body []byte) []byte { return body[:len(body)/2] }
	cases := []struct {
		name string
		host host
	}{
		{"a proxy that forgets the coding of gzip", sent("gzip", strip)},
		{"a proxy that forgets the coding of brotli", sent("br", strip)},
		{"gzip that ends early", sent("gzip", cut)},
		{"brotli that ends early", sent("br", cut)},
		{"a coding that is another", sent("br", func(h http.Header, body []byte) []byte {
			h.Set("Content-Encoding", "gzip")
			return body
		})},
		{"no bytes at all", sent("br", func(http.Header, []byte) []byte { return nil })},
		{"a line that breaks", answering(func(w http.ResponseWriter, r *http.Request, next http.Handler) { next.ServeHTTP(&short{w, 5000}, r) })},
		{"a proxy that refuses", answering(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			http.Error(w, "no", http.StatusForbidden)
		})},
		{"a server that does not know how to compress", answering(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			r.URL.RawQuery = ""
			next.ServeHTTP(w, r)
		})},
	}
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			var n atomic.Int64
			var now atomic.Pointer[http.Handler]
			made := make([]http.Handler, len(cases))
			p, _ := begin(t, kind, func(t *testing.T, site fs.FS, logdir string) http.Handler {
				for i, c := range cases {
					made[i] = asked(c.host, &n)(t, site, logdir)
				}
				now.Store(&made[0])
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*now.Load()).ServeHTTP(w, r) })
			}, true)
			p.Allow("ERR_")
			p.Allow("403")
			for i, c := range cases {
				now.Store(&made[i])
				n.Store(0)
				suite(t, p, how{"spoiled", true, true})
				if n.Load() == 0 {
					t.Error("nothing was asked for compressed")
				}
				if t.Failed() {
					t.Fatalf("that was %s", c.name)
				}
			}
		})
	}
}

func TestFolder(t *testing.T) {
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			p, logdir := begin(t, kind, static, false)
			p.SetFiles("#folder", logdir)
			p.Wait(`document.getElementById("folder").files.length > 0`)
			suite(t, p, how{"folder", false, false})
		})
	}
}
