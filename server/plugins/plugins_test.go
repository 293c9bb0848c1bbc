package plugins

import (
	"bufio"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/server/guard"
	"github.com/tensorbored/tensorbored-static/shared/plugin"
)

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

const manifest = `{"manifest_version": 1, "name": "NAME", "frontend_metadata": {"es_module_path": "/index.js"}, "flags": [{"name": "NAME_n", "type": "int", "default": 3, "minimum": 1}]}`

func open(t *testing.T, dirs ...string) *Store {
	t.Helper()
	s, err := Open(dirs)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.Shim = "shim()"
	return s
}

// A broken plug-in is left out with the field's name, the others are there; two of one name are
// an error that names both folders.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"good/plugin.json": strings.ReplaceAll(manifest, "NAME", "good"), "good/index.js": "x", "good/.hidden": "x", "good/sub/page.HTML": "<!DOCTYPE html>\n<p>hi",
		"bad/plugin.json":  `{"manifest_version": 1, "name": "bad", "frontend_metadata": {"es_module_path": "index.js"}}`,
		"gone/plugin.json": strings.ReplaceAll(manifest, "NAME", "gone"), "other/file": "x",
		"sum/plugin.json": `{"manifest_version": 1, "name": "sum", "frontend_metadata": {"es_module_path": "/index.js"}, "routes": ["/x"], "backend": {"type": "module", "path": "/index.js", "sha256": "` + strings.Repeat("0", 64) + `"}}`,
		"sum/index.js":    "x",
	})
	s := open(t, dir)
	if len(s.Plugins) != 1 || s.Plugins[0].Name != "good" || len(s.Problems) != 3 {
		t.Fatalf("%v %q", s.Plugins, s.Problems)
	}
	for _, want := range []string{"frontend_metadata.es_module_path: must begin", "/index.js is not there", "backend.sha256: is not that of /index.js"} {
		if !strings.Contains(strings.Join(s.Problems, "\n"), want) {
			t.Errorf("%q is not among %q", want, s.Problems)
		}
	}
	again := t.TempDir()
	write(t, again, map[string]string{"plugin.json": strings.ReplaceAll(manifest, "NAME", "Good"), "index.js": "x"})
	_, err := Open([]string{dir, again})
	var twice *TwiceError
	if !errors.As(err, &twice) || !strings.Contains(err.Error(), filepath.Join(dir, "good")) || !strings.Contains(err.Error(), again) {
		t.Error(err)
	}
	if _, err := Open([]string{filepath.Join(dir, "nowhere")}); err == nil {
		t.Error("a directory that is not there")
	}
	if err := s.SetValues(map[string]string{"good_n": "0"}); err == nil || !strings.Contains(err.Error(), "--good_n") {
		t.Error(err)
	}
}

// Files are given with the policy of plug-ins, the shim stands first in documents, and nothing
// outside the folder is given.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"secret": "s", "p/plugin.json": strings.ReplaceAll(manifest, "NAME", "p"), "p/index.js": "x", "p/.hidden": "h", "p/a b.html": "<!doctype html><p>hi", "p/plain.htm": "<p>hi", "p/x.wasm": "w"})
	if err := os.Symlink(filepath.Join(dir, "secret"), filepath.Join(dir, "p/link.txt")); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	if err := s.SetValues(nil); err != nil {
		t.Fatal(err)
	}
	get := func(path string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", "/x", nil)
		r.URL.Path = path
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	var l plugin.Listing
	if err := json.Unmarshal(get("index.json").Body.Bytes(), &l); err != nil || len(l.Plugins) != 1 || l.Plugins[0].Values["p_n"] != 3.0 {
		t.Fatalf("%+v %v", l, err)
	}
	if got := strings.Join(l.Plugins[0].Files, ","); got != "a b.html,index.js,plain.htm,x.wasm" {
		t.Error(got)
	}
	for path, want := range map[string]string{"p/index.js": "x", "p/a b.html": "<!doctype html><script>shim()</script><p>hi", "p/plain.htm": "<script>shim()</script><p>hi"} {
		w := get(path)
		h := w.Header()
		if w.Code != 200 || w.Body.String() != want || h.Get("Content-Security-Policy") != guard.PluginPolicy || h.Get("Access-Control-Allow-Origin") != "*" ||
			h.Get("Cross-Origin-Resource-Policy") != "cross-origin" || h.Get(guard.AllowlistHeader) != guard.Allowlist {
			t.Errorf("%s: %d %q %v", path, w.Code, w.Body, h)
		}
	}
	if w := get("p/" + plugin.Entry); !strings.Contains(w.Body.String(), `<!doctype html><script>shim()</script>`) || !strings.Contains(w.Body.String(), `tbPlugin.start("index.js")`) {
		t.Error(w.Body)
	}
	if w := get("p/x.wasm"); w.Header().Get("Content-Type") != "application/wasm" {
		t.Error(w.Header())
	}
	for _, path := range []string{"p/../secret", "p/link.txt", "p/plugin.json", "p/.hidden", "p/", "q/index.js", "p//index.js", "p/.live", "p/none.html"} {
		if w := get(path); w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), "s\n") {
			t.Errorf("%s: %d %q", path, w.Code, w.Body)
		}
	}
	if data, err := s.Read(s.Plugins[0], "plain.htm", `default-src "x"`); err != nil || string(data) != `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src &#34;x&#34;"><script>shim()</script><p>hi` {
		t.Errorf("%s %v", data, err)
	}
}

// While a plug-in is written, its page hears that a file has changed.
func TestLive(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"plugin.json": strings.ReplaceAll(manifest, "NAME", "p"), "index.js": "x"})
	s := open(t, dir)
	s.Live = true
	web := httptest.NewServer(http.StripPrefix("/", s))
	defer web.Close()
	a, err := http.Get(web.URL + "/p/.live")
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	lines := bufio.NewScanner(a.Body)
	for first := true; lines.Scan(); {
		if first {
			write(t, dir, map[string]string{"index.js": "another"})
			first = false
		}
		if strings.HasPrefix(lines.Text(), "data: ") {
			return
		}
	}
	t.Error("nothing was told")
}
