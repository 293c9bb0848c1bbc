package assets

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

func built() *Handler {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return New(fstest.MapFS{
		"index.html":                  file("<!doctype html>"),
		"assets/app.123456.wasm":      file("plain program"),
		"assets/app.123456.wasm.br":   file("br"),
		"assets/app.123456.wasm.gz":   file("gz"),
		"assets/boot.123456.js":       file("plain script"),
		"assets/boot.123456.js.gz":    file("gz"),
		"assets/icon.123456.svg":      file("<svg/>"),
		"assets/strange.123456.thing": file("?"),
		"pack.json":                   file("{}"),
	})
}

func ask(h http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "/", nil)
	r.URL.Path = path
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestCodings(t *testing.T) {
	h := built()
	for _, c := range []struct{ path, accept, coding, body string }{
		{"app.123456.wasm", "", "", "plain program"},
		{"app.123456.wasm", "gzip, deflate, br, zstd", "br", "br"},
		{"app.123456.wasm", "br;q=0.1, gzip;q=1", "br", "br"},
		{"app.123456.wasm", "gzip", "gzip", "gz"},
		{"app.123456.wasm", "GZIP", "gzip", "gz"},
		{"app.123456.wasm", "br;q=0, gzip;q=0.5", "gzip", "gz"},
		{"app.123456.wasm", "*", "br", "br"},
		{"app.123456.wasm", "*;q=0", "", "plain program"},
		{"app.123456.wasm", "br;q=0, *", "gzip", "gz"},
		{"app.123456.wasm", "zstd", "", "plain program"},
		{"app.123456.wasm", "br;q=nonsense", "", "plain program"},
		{"boot.123456.js", "br, gzip", "gzip", "gz"},
		{"boot.123456.js", "br", "", "plain script"},
		{"icon.123456.svg", "br, gzip", "", "<svg/>"},
	} {
		w := ask(h, "GET", "assets/"+c.path, "Accept-Encoding", c.accept)
		head := w.Header()
		if w.Code != 200 || head.Get("Content-Encoding") != c.coding || w.Body.String() != c.body {
			t.Errorf("%s, %q: %d %v %s", c.path, c.accept, w.Code, head, w.Body)
		}
		if head.Get("Vary") != "Accept-Encoding" || !strings.Contains(head.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %v", c.path, head)
		}
	}
}

// TestOneForm: forms that nobody asked for are not made, which the first visitor would wait for.
func TestOneForm(t *testing.T) {
	for accept, want := range map[string]string{"br": ".br", "gzip": ".gz", "": ""} {
		site := &noting{FS: built().site}
		const p = "assets/app.123456.wasm"
		if w := ask(New(site), "GET", p, "Accept-Encoding", accept); w.Code != 200 || w.Header().Get("Content-Length") != strconv.Itoa(w.Body.Len()) {
			t.Errorf("%q: %d %v", accept, w.Code, w.Header())
		}
		if want := []string{"index.html", p + want}; !slices.Equal(site.opened, want) {
			t.Errorf("%q: opened %q, want %q", accept, site.opened, want)
		}
	}
}

// noting notes what is opened.
type noting struct {
	fs.FS
	opened []string
}

func (n *noting) Open(name string) (fs.File, error) {
	n.opened = append(n.opened, name)
	return n.FS.Open(name)
}

func TestTypes(t *testing.T) {
	for path, want := range map[string]string{
		"": "text/html; charset=utf-8", "index.html": "text/html; charset=utf-8", "assets/app.123456.wasm": "application/wasm",
		"assets/boot.123456.js": "text/javascript; charset=utf-8", "assets/icon.123456.svg": "image/svg+xml",
	} {
		for _, method := range []string{"GET", "HEAD"} {
			w := ask(built(), method, path, "Accept-Encoding", "br")
			if w.Code != 200 || w.Header().Get("Content-Type") != want || (w.Body.Len() > 0) != (method == "GET") {
				t.Errorf("%s %s: %d %v, %d bytes", method, path, w.Code, w.Header(), w.Body.Len())
			}
		}
	}
}

func TestPageIsAskedForAgain(t *testing.T) {
	w := ask(built(), "GET", "")
	tag := w.Header().Get("ETag")
	if w.Header().Get("Cache-Control") != "no-cache" || tag == "" {
		t.Errorf("%v", w.Header())
	}
	if w := ask(built(), "GET", "", "If-None-Match", tag); w.Code != 304 {
		t.Errorf("%d", w.Code)
	}
}

func TestNotServed(t *testing.T) {
	for _, path := range []string{
		"assets/app.123456.wasm.br", "assets/app.123456.wasm.gz", "assets/strange.123456.thing", "pack.json", "assets", "assets/",
		"assets/../index.html", "assets/./boot.123456.js", "assets//boot.123456.js", "/assets/boot.123456.js", "favicon.ico", "assets/missing.js",
	} {
		if w := ask(built(), "GET", path); w.Code != 404 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	if w := ask(built(), "POST", ""); w.Code != 405 {
		t.Errorf("POST: %d", w.Code)
	}
}

func TestNotBuilt(t *testing.T) {
	w := ask(New(fstest.MapFS{".keep": {}}), "GET", "")
	if w.Code != 503 || !strings.Contains(w.Body.String(), "run: make") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
