package files

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/api"
)

// put writes a file below dir, with its directories.
func put(t testing.TB, dir, name, text string) string {
	t.Helper()
	p := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return p
}

func link(t testing.TB, target, dir, name string) {
	t.Helper()
	p := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, p); err != nil {
		t.Fatal(err)
	}
}

// open opens dir; every listing is made anew.
func open(t testing.TB, dir string, follow bool) *Store {
	t.Helper()
	s, err := Open(dir, "logs", follow)
	if err != nil {
		t.Fatal(err)
	}
	s.rest = 0
	t.Cleanup(func() { s.Close() })
	return s
}

// paths returns the listed paths and those with problems.
func paths(t testing.TB, s *Store) (files, problems string) {
	t.Helper()
	l, err := s.List(context.Background(), "files/")
	if err != nil {
		t.Fatal(err)
	}
	var a, b []string
	for _, f := range l.Files {
		a = append(a, f.Path)
	}
	for _, p := range l.Problems {
		b = append(b, p.Path)
		if p.Error == "" {
			t.Errorf("problem of %s says nothing", p.Path)
		}
	}
	return strings.Join(a, " "), strings.Join(b, " ")
}

// ask sends a request to s. Headers are name, value, name, value….
func ask(t testing.TB, s http.Handler, method, path string, body string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, "/", strings.NewReader(body))
	r.URL.Path = path
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// failure checks that w is an api.Failure with status.
func failure(t testing.TB, w *httptest.ResponseRecorder, status int) {
	t.Helper()
	f, ok := api.ParseFailure(w.Body.Bytes())
	if w.Code != status || !ok || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("got %d %+v %v, want %d", w.Code, f, w.Header(), status)
	}
}

// batch sends a batch and returns its parts.
func batch(t testing.TB, s http.Handler, ranges ...api.Range) []part {
	t.Helper()
	w := ask(t, s, "POST", "batch", string(api.AppendBatchRequest(nil, ranges)), "Content-Type", "application/json")
	if w.Code != 200 {
		t.Fatalf("batch: %d %s", w.Code, w.Body)
	}
	return cutParts(t, w.Body.Bytes())
}

type part struct {
	api.BatchHeader
	data string
}

func cutParts(t testing.TB, body []byte) []part {
	t.Helper()
	var parts []part
	for len(body) > 0 {
		h, rest, ok := api.CutBatchHeader(body)
		n := max(h.Count, 0)
		if !ok || int64(len(rest)) < n {
			t.Fatalf("the batch ends early, after %d parts", len(parts))
		}
		parts = append(parts, part{h, string(rest[:n])})
		body = rest[n:]
	}
	return parts
}

func TestMethods(t *testing.T) {
	s := open(t, t.TempDir(), true)
	for path, methods := range map[string]string{
		"listing.json": "POST PUT DELETE", "files/a": "POST PUT DELETE PATCH", "batch": "GET HEAD PUT DELETE",
	} {
		for _, m := range strings.Fields(methods) {
			w := ask(t, s, m, path, "")
			failure(t, w, http.StatusMethodNotAllowed)
			if w.Header().Get("Allow") == "" {
				t.Errorf("%s %s: no Allow", m, path)
			}
		}
	}
	for _, path := range []string{"", "files", "listing", "listing.json/", "Batch", "../listing.json"} {
		failure(t, ask(t, s, "GET", path, ""), http.StatusNotFound)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	file := put(t, dir, "x.txt", "")
	for _, c := range []struct{ dir, want string }{
		{filepath.Join(dir, "missing"), "does not exist"},
		{file, "is not a directory"},
	} {
		for _, follow := range []bool{true, false} {
			_, err := Open(c.dir, "x", follow)
			if de, ok := err.(*DirError); !ok || !strings.Contains(de.Reason, c.want) || de.Remedy == "" {
				t.Errorf("%s: %v", c.dir, err)
			}
		}
	}
}

func TestLogdirVanishes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	put(t, dir, "tfevents.1", "abc")
	s := open(t, dir, true)
	if w := ask(t, s, "GET", "listing.json", ""); w.Code != 200 {
		t.Fatal(w.Code)
	}
	if err := os.Rename(dir, dir+"2"); err != nil {
		t.Fatal(err)
	}
	failure(t, ask(t, s, "GET", "listing.json", ""), http.StatusServiceUnavailable)
	if err := os.Rename(dir+"2", dir); err != nil {
		t.Fatal(err)
	}
	if w := ask(t, s, "GET", "listing.json", ""); w.Code != 200 || !bytes.Contains(w.Body.Bytes(), []byte("tfevents.1")) {
		t.Errorf("after it came back: %d %s", w.Code, w.Body)
	}
}
