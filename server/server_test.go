package server

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/guard"
	"github.com/tensorbored/tensorbored-static/server/plugins"
	"github.com/tensorbored/tensorbored-static/shared/api"
)

func ask(t *testing.T, c Config, path string) *httptest.ResponseRecorder {
	t.Helper()
	c.Site = fstest.MapFS{"index.html": {Data: []byte("page")}, "assets/a.1.js": {Data: []byte("script")}}
	h, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("GET", "/", nil)
	r.URL.Path = path
	r.Host = "localhost"
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// A site that may frame the page can find out whether the browser reaches this server, below the prefix
// alone, and nothing else of it.
func TestHere(t *testing.T) {
	framed := Config{Prefix: "/secret", Guard: guard.Config{Embed: []string{"http://localhost:*"}}}
	if w := ask(t, framed, "/secret/here"); w.Code != 204 || w.Header().Get("Access-Control-Allow-Origin") != "*" || w.Body.Len() > 0 {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	for path, c := range map[string]Config{"/here": framed, "/secret/": framed, "/secret/data/listing.json": framed, "/x/here": {Prefix: "/x"}} {
		if w := ask(t, c, path); w.Header().Get("Cross-Origin-Resource-Policy") != "same-origin" || w.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
}

func TestRoutes(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tfevents"), []byte("events"), 0o666); err != nil {
		t.Fatal(err)
	}
	logdir, err := files.Open(dir, "logs", true)
	if err != nil {
		t.Fatal(err)
	}
	for _, prefix := range []string{"", "/", "/tb", "tb/", "/a/b/"} {
		c := Config{Logdir: logdir, Prefix: prefix}
		clean := CleanPrefix(prefix)
		for path, want := range map[string]string{"/": "page", "/assets/a.1.js": "script", "/data/files/tfevents": "events", "/data/listing.json": "tfevents"} {
			if w := ask(t, c, clean+path); w.Code != 200 || !strings.Contains(w.Body.String(), want) {
				t.Errorf("prefix %q, %s: %d %s", prefix, path, w.Code, w.Body)
			}
		}
		for _, path := range []string{"/data", "/data/", "/data/x", "//", "/../", "/assets/../index.html", "/data/files/../listing.json", "/data/../"} {
			if w := ask(t, c, clean+path); w.Code != 404 {
				t.Errorf("prefix %q, %s: %d %s", prefix, path, w.Code, w.Body)
			}
		}
		if clean != "" {
			if w := ask(t, c, clean); w.Code != 307 || w.Header().Get("Location") != clean+"/" {
				t.Errorf("%s: %d %v", clean, w.Code, w.Header())
			}
			if w := ask(t, c, "/"); w.Code != 404 {
				t.Errorf("outside the prefix: %d", w.Code)
			}
		}
	}
}

// Without a logdir the page is served, and the data routes say so.
func TestBare(t *testing.T) {
	if w := ask(t, Config{}, "/"); w.Code != 200 {
		t.Errorf("page: %d", w.Code)
	}
	// No error, which would stand in the console of a page that misses nothing.
	if w := ask(t, Config{}, "/data/listing.json"); w.Code != http.StatusNoContent || w.Body.Len() > 0 {
		t.Errorf("listing: %d %q", w.Code, w.Body)
	}
	w := ask(t, Config{}, "/data/files/tfevents")
	f, ok := api.ParseFailure(w.Body.Bytes())
	if w.Code != http.StatusNotFound || !ok || !strings.Contains(f.Remedy, "--logdir") {
		t.Errorf("a file: %d %+v", w.Code, f)
	}
}

// With a token every data route, also of a prefix and for any method, needs it, and
// the page itself does not.
func TestTokenRoutes(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tfevents"), []byte("events"), 0o666); err != nil {
		t.Fatal(err)
	}
	logdir, err := files.Open(dir, "logs", true)
	if err != nil {
		t.Fatal(err)
	}
	for _, prefix := range []string{"", "/tb"} {
		h, err := New(Config{Site: fstest.MapFS{"index.html": {Data: []byte("page")}}, Logdir: logdir, Prefix: prefix, Token: "secret", Plugins: &plugins.Store{}})
		if err != nil {
			t.Fatal(err)
		}
		ask := func(method, path string, header ...string) *httptest.ResponseRecorder {
			r := httptest.NewRequest(method, prefix+path, strings.NewReader("{}"))
			r.Host = "localhost"
			if len(header) > 0 {
				r.Header.Set("Authorization", header[0])
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w
		}
		for _, path := range []string{"/data/listing.json", "/data/files/tfevents", "/data/batch", "/data/x", "/data/", "/data/files/../listing.json",
			"/data/listing.json?token=secret", "/data/%6cisting.json", "/plugins/index.json", "//data/listing.json", "/assets/../data/listing.json"} {
			for _, method := range []string{"GET", "HEAD", "POST", "OPTIONS", "PUT"} {
				if w := ask(method, path); w.Code < 400 || strings.Contains(w.Body.String(), "tfevents") {
					t.Errorf("%s %s: %d %s", method, path, w.Code, w.Body)
				}
			}
		}
		if w := ask("GET", "/data/listing.json"); w.Code != http.StatusUnauthorized {
			t.Errorf("listing: %d", w.Code)
		} else if f, ok := api.ParseFailure(w.Body.Bytes()); !ok || !strings.Contains(f.Remedy, "link") {
			t.Errorf("the page is told %s", w.Body)
		}
		if w := ask("GET", "/data/listing.json", "Bearer secret"); w.Code != 200 {
			t.Errorf("with the token: %d", w.Code)
		}
		if w := ask("GET", "/"); w.Code != 200 || w.Body.String() != "page" {
			t.Errorf("page: %d", w.Code)
		}
		if w := ask("GET", "/?token=secret"); w.Code != http.StatusSeeOther || w.Header().Get("Location") != prefix+"/" {
			t.Errorf("link: %d %v", w.Code, w.Header())
		}
	}
}
