package plugins

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/plugin"
)

const ownManifest = `{"manifest_version": 1, "name": "NAME", "isolation": "origin", "frontend_metadata": {"es_module_path": "/index.js"}}`

// At its own origin a plug-in's files are given, those of no other, and nothing else; none but the
// viewer may frame it or learn the key.
func TestOwn(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"one", "two"} {
		write(t, filepath.Join(dir, name), map[string]string{"plugin.json": strings.ReplaceAll(ownManifest, "NAME", name), "index.js": name, "page.html": "<p>x", "other.js": "x"})
	}
	write(t, filepath.Join(dir, "sealed"), map[string]string{"plugin.json": strings.ReplaceAll(manifest, "NAME", "sealed"), "index.js": "x"})
	s := open(t, dir)
	for _, bad := range []string{"", "https://plugins.example.org", "https://*", "*.example.org", "https://*.example.org/", "https://*.example.org/x", "https://*.a;b", "https://a.*.org", "ftp://*.example.org"} {
		var wrong *PatternError
		if _, err := NewOwn(s, bad, ""); !errors.As(err, &wrong) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	o, err := NewOwn(s, "http://*.localhost:6007", "worker()")
	if err != nil {
		t.Fatal(err)
	}
	s.Own = o
	const viewer = "127.0.0.1:6006"
	ask := func(h http.Handler, host, path string, head ...string) *httptest.ResponseRecorder {
		t.Helper()
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Host = host
		for i := 0; i < len(head); i += 2 {
			r.Header.Set(head[i], head[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	one, two := label("one")+".localhost:6007", label("two")+".localhost"
	if got := o.Address("one"); got != "http://"+one+"/plugins/one/" {
		t.Error(got)
	}
	if a := ask(o, one, "/plugins/one/tensorbored_own.json", "Origin", "http://"+viewer); a.Code != 200 || a.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Error("a page that was never served may read the key")
	}
	var l plugin.Listing
	if err := json.Unmarshal(ask(http.StripPrefix("/plugins/", s), viewer, "/plugins/index.json").Body.Bytes(), &l); err != nil {
		t.Fatal(err)
	}
	for _, p := range l.Plugins {
		if (p.Origin != "") != (p.Name != "sealed") || (p.Key != "") != (p.Name != "sealed") {
			t.Errorf("%s: %q %q", p.Name, p.Origin, p.Key)
		}
	}
	for _, c := range []struct {
		host, path string
		code       int
		has        string
	}{
		{one, "/plugins/one/index.js", 200, "one"},
		{strings.ToUpper(one), "/plugins/one/index.js", 200, "one"},
		{two, "/plugins/two/index.js", 200, "two"}, // a tunnel's port is its own
		{one, "/plugins/one/page.html", 200, "<script>shim()</script><p>x"},
		{one, "/plugins/one/tensorbored_entry.html", 200, "tbPlugin.start"},
		{one, "/plugins/one/tensorbored_worker.js", 200, "worker()"},
		{one, "/plugins/one/tensorbored_own.json", 200, o.key},
		{one, "/plugins/two/index.js", 404, "no plug-in"},
		{two, "/plugins/one/tensorbored_own.json", 404, "no plug-in"},
		{label("sealed") + ".localhost", "/plugins/sealed/index.js", 404, "no plug-in"},
		{"localhost:6007", "/plugins/one/index.js", 404, "no plug-in"},
		{"127.0.0.1:6007", "/plugins/one/index.js", 404, "no plug-in"},
		{label("one") + ".localhost.example.org", "/plugins/one/index.js", 404, "no plug-in"},
		{one, "/plugins/one/plugin.json", 404, ""},
		{one, "/plugins/one/../two/index.js", 404, ""},
		{one, "/plugins/index.json", 404, "no plug-in"},
		{one, "/plugins/one", 404, "no plug-in"},
		{one, "/data/listing.json", 404, "no plug-in"},
		{one, "/", 404, "no plug-in"},
	} {
		a := ask(o, c.host, c.path)
		if a.Code != c.code || !strings.Contains(a.Body.String(), c.has) {
			t.Errorf("%s%s: %d %q", c.host, c.path, a.Code, a.Body)
		}
		policy := a.Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "sandbox allow-scripts allow-same-origin; default-src 'none';") || !strings.HasSuffix(policy, "; frame-ancestors 'self' http://"+viewer+" https://"+viewer) {
			t.Errorf("%s%s: %s", c.host, c.path, policy)
		}
		if a.Header().Get("Access-Control-Allow-Origin") != "" || a.Header().Get("Cross-Origin-Resource-Policy") != "same-origin" {
			t.Errorf("%s%s is given to others", c.host, c.path)
		}
	}
	o.Embed = []string{"https://wiki.example.org", "http://localhost:*"}
	if policy := ask(o, one, "/").Header().Get("Content-Security-Policy"); !strings.HasSuffix(policy, " https://"+viewer+" https://wiki.example.org http://localhost:*") {
		t.Errorf("a viewer that is framed may not frame it: %s", policy)
	}
	if a := ask(o, one, "/plugins/one/tensorbored_own.json", "Origin", "http://"+viewer); a.Header().Get("Access-Control-Allow-Origin") != "http://"+viewer {
		t.Error("the viewer may not read the key")
	}
	for _, origin := range []string{"https://example.org", "https://wiki.example.org"} {
		if a := ask(o, one, "/plugins/one/tensorbored_own.json", "Origin", origin); a.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s may read the key", origin)
		}
	}
	if a := ask(o, one, "/plugins/one/other.js", "Service-Worker", "script"); a.Code != 403 {
		t.Errorf("a service worker of its own: %d", a.Code)
	}
	if a := ask(o, one, "/plugins/one/tensorbored_worker.js", "Service-Worker", "script"); a.Code != 200 {
		t.Errorf("the service worker: %d", a.Code)
	}
	r := httptest.NewRequest(http.MethodPost, "/plugins/one/index.js", nil)
	r.Host = one
	w := httptest.NewRecorder()
	if o.ServeHTTP(w, r); w.Code != 405 {
		t.Errorf("POST: %d", w.Code)
	}
	for _, odd := range []string{"a b", "x;script-src *", "[::1]:6006", ""} {
		o.saw(odd)
	}
	for i := range 40 {
		o.saw(strings.Repeat("a", i+1))
	}
	if len(o.viewers) != mostViewers || strings.Contains(strings.Join(o.ancestors(), " "), ";") {
		t.Error(o.viewers)
	}
	// At the viewer's own port these files are as ever.
	if a := ask(http.StripPrefix("/plugins/", s), viewer, "/plugins/one/tensorbored_worker.js"); a.Code != 404 {
		t.Error(a.Code)
	}
}
