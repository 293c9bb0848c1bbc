package guard

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHosts(t *testing.T) {
	local := Hosts{Names: []string{"127.0.0.1"}}
	named := Hosts{Names: []string{"gpu-node", "10.0.0.5", "proxy.example.org", ".below.example"}}
	all := Hosts{AnyAddress: true, Names: []string{"gpu-node"}}
	for _, c := range []struct {
		host              string
		local, named, all bool
	}{
		{"localhost", true, true, true},
		{"localhost:6006", true, true, true},
		{"LocalHost:6006", true, true, true},
		{"localhost.", true, true, true},
		{"app.localhost:1", true, true, true},
		{"127.0.0.1:6006", true, true, true},
		{"127.8.9.1", true, true, true},
		{"[::1]:6006", true, true, true},
		{"[::1]", true, true, true},
		{"[::ffff:127.0.0.1]:1", true, true, true},
		{"", false, false, false},
		{":6006", false, false, false},
		{"evil.example", false, false, false},
		{"evil.example:6006", false, false, false},
		{"localhost.evil.example", false, false, false},
		{"evil-localhost", false, false, false},
		{"127.0.0.1.evil.example", false, false, false},
		{"localhost:6006@evil.example", false, false, false},
		{"localhost:evil", false, false, false},
		{"2130706433", false, false, false},
		{"0x7f.1", false, false, false},
		{"[::1", false, false, false},
		{"::1", false, false, false},
		{"[::1]evil", false, false, false},
		{"10.0.0.5:6006", false, true, true},
		{"10.0.0.6", false, false, true},
		{"0.0.0.0", false, false, true},
		{"[fe80::1]", false, false, true},
		{"gpu-node:6006", false, true, true},
		{"gpu-node.evil.example", false, false, false},
		{"proxy.example.org", false, true, false},
		{"x.proxy.example.org", false, false, false},
		{"a.b.below.example", false, true, false},
		{"below.example", false, false, false},
		{"notbelow.example", false, false, false},
	} {
		for name, h := range map[string]struct {
			hosts Hosts
			want  bool
		}{"local": {local, c.local}, "named": {named, c.named}, "all": {all, c.all}} {
			if got := h.hosts.Allowed(c.host); got != h.want {
				t.Errorf("%s: Host %q: got %v", name, c.host, got)
			}
		}
	}
}

// A server that has a secret answers to any name that is one.
func TestAnyName(t *testing.T) {
	for host, want := range map[string]bool{"proxy.example": true, "localhost": true, "10.1.2.3:80": true, "": false, ":6006": false, "a:b": false} {
		if got := (Hosts{Names: []string{"*"}}).Allowed(host); got != want {
			t.Errorf("Host %q: got %v", host, got)
		}
	}
}

func guarded(t *testing.T, c Config) http.Handler {
	t.Helper()
	h, err := New(c, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("let through")) }))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func ask(h http.Handler, method, host string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "/data/batch", nil)
	r.Host = host
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestHeaders(t *testing.T) {
	for _, host := range []string{"localhost", "evil.example"} {
		h := ask(guarded(t, Config{}), "GET", host).Header()
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self' 'sha256-oryr/axykp1GL3uI9It3YhIOaK9ZWyTCM84tXn35wCY=' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; " +
				"media-src blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; " +
				"object-src 'none'; require-trusted-types-for 'script'; trusted-types app dompurify; frame-ancestors 'self'",
			"X-Content-Type-Options":       "nosniff",
			"Referrer-Policy":              "no-referrer",
			"Cross-Origin-Resource-Policy": "same-origin",
			"Access-Control-Allow-Origin":  "",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s: %q", host, name, got)
			}
		}
	}
}

// Sites that may frame the page are in its policy, and nothing else is.
func TestEmbed(t *testing.T) {
	sites := []string{"http://localhost:*", "https://*.example.org", "http://10.0.0.1:8888", "vscode-webview:", "*"}
	got := ask(guarded(t, Config{Embed: sites}), "GET", "localhost").Header().Get("Content-Security-Policy")
	if got != Policy+" http://localhost:* https://*.example.org http://10.0.0.1:8888 vscode-webview: *" {
		t.Errorf("policy %q", got)
	}
	for _, bad := range []string{"", "**", "http:", "https:", "'none'", "https://*", "https://*:8888", "https://a.*.org", "https://example.org/", "https://example.org/x", "example.org",
		"https://example.org https://b.example", "https://example.org; script-src *", "https://a.example,b", "//example.org", "https://user@example.org", "data:text"} {
		var wrong *EmbedError
		if _, err := New(Config{Embed: []string{bad}}, nil); !errors.As(err, &wrong) || wrong.Site != bad {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// The matrix of requests from elsewhere.
func TestOrigins(t *testing.T) {
	plain := guarded(t, Config{})
	open := guarded(t, Config{Origins: []string{"https://good.example"}})
	for _, c := range []struct {
		name           string
		method, host   string
		headers        []string
		want, wantOpen int
	}{
		{"page", "GET", "localhost:6006", nil, 200, 200},
		{"rebinding", "GET", "evil.example:6006", nil, 403, 403},
		{"rebinding post", "POST", "evil.example", []string{"Origin", "http://evil.example", "Sec-Fetch-Site", "same-origin"}, 403, 403},
		{"own post", "POST", "localhost:6006", []string{"Origin", "http://localhost:6006", "Sec-Fetch-Site", "same-origin"}, 200, 200},
		{"own post, old browser", "POST", "localhost:6006", []string{"Origin", "http://localhost:6006"}, 200, 200},
		{"no browser", "POST", "localhost:6006", nil, 200, 200},
		{"foreign post", "POST", "localhost:6006", []string{"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"}, 403, 403},
		{"foreign post, old browser", "POST", "localhost:6006", []string{"Origin", "https://evil.example"}, 403, 403},
		{"other port", "POST", "localhost:6006", []string{"Origin", "http://localhost:8888", "Sec-Fetch-Site", "same-site"}, 403, 403},
		{"sandboxed frame", "POST", "localhost:6006", []string{"Origin", "null"}, 403, 403},
		{"allowed origin", "POST", "localhost:6006", []string{"Origin", "https://good.example", "Sec-Fetch-Site", "cross-site"}, 403, 200},
		{"own line", "GET", "localhost:6006", []string{"Upgrade", "websocket", "Origin", "http://localhost:6006"}, 200, 200},
		{"no browser's line", "GET", "localhost:6006", []string{"Upgrade", "websocket"}, 200, 200},
		{"rebinding line", "GET", "evil.example", []string{"Upgrade", "websocket", "Origin", "http://evil.example"}, 403, 403},
		{"foreign line", "GET", "localhost:6006", []string{"Upgrade", "websocket", "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"}, 403, 403},
		{"foreign line, old browser", "GET", "localhost:6006", []string{"Upgrade", "WebSocket", "Origin", "https://evil.example"}, 403, 403},
		{"line of a sandboxed frame", "GET", "localhost:6006", []string{"Upgrade", "websocket", "Origin", "null"}, 403, 403},
		{"line of an allowed origin", "GET", "localhost:6006", []string{"Upgrade", "websocket", "Origin", "https://good.example", "Sec-Fetch-Site", "cross-site"}, 403, 200},
		{"allowed origin, wrong scheme", "POST", "localhost:6006", []string{"Origin", "http://good.example"}, 403, 403},
	} {
		if got := ask(plain, c.method, c.host, c.headers...).Code; got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
		if got := ask(open, c.method, c.host, c.headers...).Code; got != c.wantOpen {
			t.Errorf("%s, with an allowed origin: %d, want %d", c.name, got, c.wantOpen)
		}
	}
}

func TestCORS(t *testing.T) {
	open := guarded(t, Config{Origins: []string{"https://good.example"}})
	w := ask(open, "OPTIONS", "localhost", "Origin", "https://good.example", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-type")
	if w.Code != 204 || w.Header().Get("Access-Control-Allow-Origin") != "https://good.example" || !strings.Contains(w.Header().Get("Access-Control-Allow-Headers"), "Content-Type") {
		t.Errorf("preflight: %d %v", w.Code, w.Header())
	}
	w = ask(open, "GET", "localhost", "Origin", "https://good.example")
	if w.Code != 200 || w.Header().Get("Access-Control-Allow-Origin") != "https://good.example" || w.Header().Get("Vary") != "Origin" ||
		w.Header().Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("get: %d %v", w.Code, w.Header())
	}
	for _, origin := range []string{"https://evil.example", "null", "https://good.example.evil.example", ""} {
		for _, method := range []string{"GET", "OPTIONS"} {
			w := ask(open, method, "localhost", "Origin", origin, "Access-Control-Request-Method", "POST")
			for name := range w.Header() {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("%s of %q: %s", method, origin, name)
				}
			}
		}
	}
	// A name that rebinding could use is refused with an allowed origin too.
	if w := ask(open, "GET", "evil.example", "Origin", "https://good.example"); w.Code != 403 {
		t.Errorf("rebinding: %d", w.Code)
	}
}

func TestBadOrigins(t *testing.T) {
	for _, o := range []string{"*", "good.example", "https://good.example/", "https://good.example/path", ""} {
		var oe *OriginError
		if _, err := New(Config{Origins: []string{o}}, http.NotFoundHandler()); !errors.As(err, &oe) {
			t.Errorf("%q: %v", o, err)
		}
	}
}
