//go:build !js

package browsertest

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tensorbored/tensorbored-static/server"
)

// These tests are of index.html, boot.js, run.js, theme.js and worker.js, with a
// program of a page in the place of ours.

var roles = Site{Program: "./wasm/browsertest/testdata/roles"}

func TestMain(m *testing.M) {
	code := Main(m)
	roles.Remove()
	os.Exit(code)
}

func site(t *testing.T) fs.FS {
	t.Helper()
	return roles.Files(t)
}

// onDisk is a directory with all of the site's files.
func onDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, site(t)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// ours serves the site as our server does, with all its headers.
func ours(t *testing.T) string {
	t.Helper()
	h, err := server.New(server.Config{Site: site(t), Prefix: "/some/prefix"})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL + "/some/prefix/"
}

// typeless serves the site as a host that knows no types but the commonest, and
// refuses the paths that end with missing.
func typeless(t *testing.T, missing string) string {
	t.Helper()
	plain := http.FileServer(http.FS(site(t)))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if missing != "" && strings.HasSuffix(r.URL.Path, missing) {
			http.NotFound(w, r)
			return
		}
		if strings.HasSuffix(r.URL.Path, ".wasm") {
			w.Header().Set("Content-Type", "application/octet-stream")
		}
		plain.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/"
}

func TestBoot(t *testing.T) {
	each(t, func(t *testing.T, kind Kind) {
		p := Start(t, kind)
		p.Allow("404") // there is no listing
		for _, host := range []string{ours(t), typeless(t, ""), StaticHost(t, onDisk(t))} {
			p.Open(host)
			// The second message came before the program had its handler, the
			// third after it.
			p.Wait(`globalThis.got?.length === 1`)
			p.Eval(`send("third")`, nil)
			p.Wait(`got.length === 2`)
			var got []string
			if p.Eval(`got`, &got); got[0] != "got second after first" || got[1] != "got third after first" {
				t.Errorf("%s: %q", host, got)
			}
			p.Wait(`document.getElementById("app").textContent === "` + host + `data/listing.json"`)
			p.Wait(`["dark", "light"].includes(document.documentElement.dataset.theme)`)
			p.Wait(`document.getElementById("boot").hidden`)
		}
		p.Open(ours(t) + "?logdir=../elsewhere/x.json")
		p.Wait(`document.getElementById("app").textContent.endsWith("/some/elsewhere/x.json")`)
		p.Eval(`localStorage.setItem("tensorbored-static.session", '{"theme":"dark"}')`, nil)
		p.Eval(`void location.reload()`, nil)
		p.Wait(`document.documentElement.dataset.theme === "dark"`)
	})
}

func TestWorkerCrash(t *testing.T) {
	each(t, func(t *testing.T, kind Kind) {
		p := Start(t, kind)
		p.Open(ours(t))
		p.Wait(`globalThis.got?.length === 1`)
		p.Eval(`send("crash")`, nil)
		p.Wait(`got.length === 2`)
		var dead struct {
			Dead   bool
			Code   int
			Output string
		}
		p.Eval(`got[1]`, &dead)
		if !dead.Dead || dead.Code != 2 || !strings.Contains(dead.Output, "worker told to crash") {
			t.Errorf("the page was told %+v", dead)
		}
	})
}

// shown waits until the page says in plain words what is wrong.
func shown(p *Page, text string) {
	p.t.Helper()
	p.Wait(`!document.getElementById("boot").hidden`)
	var said string
	if p.Eval(`document.getElementById("boot").innerText`, &said); !strings.Contains(said, text) {
		p.t.Errorf("the page says %q, not %q", said, text)
	}
}

func TestPageCrash(t *testing.T) {
	each(t, func(t *testing.T, kind Kind) {
		p := Start(t, kind)
		p.Open(ours(t))
		p.Wait(`globalThis.crash`)
		p.Allow("already exited") // the worker still calls it
		p.Eval(`void crash()`, nil)
		shown(p, "page told to crash")
	})
}

func TestProgramMissing(t *testing.T) {
	each(t, func(t *testing.T, kind Kind) {
		p := Start(t, kind)
		p.Allow("404")
		p.Open(typeless(t, ".wasm"))
		shown(p, "answered 404")
	})
}

func TestProgramBlocked(t *testing.T) {
	each(t, func(t *testing.T, kind Kind) {
		p := Start(t, kind)
		p.Allow("ontent") // "Content Security Policy", as each browser writes it
		p.Allow("404")    // there is no listing
		plain := http.FileServer(http.FS(site(t)))
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", "script-src 'self'")
			plain.ServeHTTP(w, r)
		}))
		t.Cleanup(s.Close)
		p.Open(s.URL)
		shown(p, "The program could not be loaded")
	})
}

// A script of which only a part has come is not taken for one, and is asked for again when it is needed
// again.
func TestScriptCut(t *testing.T) {
	each(t, func(t *testing.T, kind Kind) {
		p := Start(t, kind)
		p.Allow("404") // there is no listing
		p.Allow("SyntaxError")
		plain := http.FileServer(http.FS(site(t)))
		asked := atomic.Int32{}
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.URL.Path, "/assets/walk.") || asked.Add(1) > 1 {
				plain.ServeHTTP(w, r)
				return
			}
			whole := httptest.NewRecorder()
			r.Header.Del("Accept-Encoding")
			plain.ServeHTTP(whole, r)
			w.Header().Set("Content-Type", "text/javascript")
			w.Header().Set("Cache-Control", "no-store")
			w.Write(whole.Body.Bytes()[:whole.Body.Len()*2/3])
		}))
		t.Cleanup(s.Close)
		p.Open(s.URL)
		p.Wait(`globalThis.tbBoot`)
		const load = `tbBoot.load("walk").then(() => "came", (e) => e.message)`
		var first, second string
		p.Eval(load, &first)
		p.Eval(load, &second)
		if !strings.Contains(first, "could not be loaded") || second != "came" || asked.Load() != 2 {
			t.Errorf("%q, then %q, after %d questions", first, second, asked.Load())
		}
	})
}

func TestFromFile(t *testing.T) {
	each(t, func(t *testing.T, kind Kind) {
		p := Start(t, kind)
		p.Allow("") // each browser refuses other things of a file
		p.Open("file://" + filepath.Join(onDisk(t), "index.html"))
		shown(p, "This page needs a web server")
	})
}

// While the program is on its way the page asks for the listing, once, and starts its
// workers: the program is held back here until both have been asked for.
func TestNothingWaitsForTheProgram(t *testing.T) {
	each(t, func(t *testing.T, kind Kind) {
		p := Start(t, kind)
		p.Allow("404") // there is no listing
		plain := http.FileServer(http.FS(site(t)))
		listed, worker := make(chan bool, 9), make(chan bool, 9)
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasSuffix(r.URL.Path, "listing.json"):
				listed <- true
			case strings.Contains(r.URL.Path, "/worker."):
				select {
				case worker <- true:
				default:
				}
			case strings.HasSuffix(r.URL.Path, ".wasm"):
				for _, asked := range []chan bool{listed, worker} {
					select {
					case <-asked:
					case <-r.Context().Done():
						return
					}
				}
			}
			plain.ServeHTTP(w, r)
		}))
		t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
		p.Open(s.URL)
		p.Wait(`globalThis.got?.length === 1`)
		if n := len(listed); n > 0 {
			t.Errorf("the listing was asked for %d times", n+1)
		}
	})
}

// The program is asked for once, by a script, with the document's first lines: the script that starts it is
// held back here until it is. Of what a link has asked for as a preload Chromium does not use the compiled form that it
// has kept, so that a large logdir's page, in a browser that was started anew, came a tenth of a second later.
func TestProgramIsAskedFirst(t *testing.T) {
	each(t, func(t *testing.T, kind Kind) {
		p := Start(t, kind)
		p.Allow("404") // there is no listing
		plain := http.FileServer(http.FS(site(t)))
		asked := make(chan bool)
		first := sync.OnceFunc(func() { close(asked) })
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasSuffix(r.URL.Path, ".wasm"):
				first()
			case strings.Contains(r.URL.Path, "/boot."):
				select {
				case <-asked:
				case <-r.Context().Done():
					return
				}
			}
			plain.ServeHTTP(w, r)
		}))
		t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
		p.Open(s.URL)
		p.Wait(`globalThis.got?.length === 1`)
		var by []string
		if p.Eval(`performance.getEntriesByType("resource").filter((e) => e.name.endsWith(".wasm")).map((e) => e.initiatorType)`, &by); !slices.Equal(by, []string{"fetch"}) {
			t.Errorf("the program was asked for by %q", by)
		}
	})
}
