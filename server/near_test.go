package server

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/coder/websocket"

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/guard"
	"github.com/tensorbored/tensorbored-static/server/near"
)

// silent is a reader that says nothing.
type silent struct{ met int }

func (s *silent) Meet() near.Viewer { s.met++; return s }

func (*silent) Hear([]byte) error { return nil }
func (*silent) Leave()            {}
func (*silent) Next(ctx context.Context) ([][]byte, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// Who may not read may not ask either: without the token, from a page of another site, by a name
// that is not ours, and over whichever way; and where nobody reads nothing answers.
func TestWhoMayAsk(t *testing.T) {
	store, err := files.Open(t.TempDir(), "logs", true)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	reader := &silent{}
	c := Config{Site: fstest.MapFS{"index.html": {Data: []byte("page")}}, Logdir: store, Token: "secret",
		Near: near.New(near.Config{Reader: reader, MaxMessage: 100, Greet: func(string) (string, bool) { return "hello", true }})}
	h, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	defer s.Close()
	at := s.URL + "/data/near"
	for _, one := range []struct {
		name    string
		headers []string
		ok      bool
	}{
		{"the token", []string{"Authorization", "Bearer secret"}, true},
		{"the token, our page", []string{"Authorization", "Bearer secret", "Origin", s.URL}, true},
		{"no token", nil, false},
		{"another token", []string{"Authorization", "Bearer secrets"}, false},
		{"a foreign page", []string{"Authorization", "Bearer secret", "Origin", "https://evil.example"}, false},
		{"a foreign page, says the browser", []string{"Authorization", "Bearer secret", "Sec-Fetch-Site", "cross-site", "Origin", "null"}, false},
		{"a name that was rebound", []string{"Authorization", "Bearer secret", "Host", "evil.example", "Origin", "http://evil.example"}, false},
	} {
		head := http.Header{}
		host := ""
		for i := 0; i < len(one.headers); i += 2 {
			if one.headers[i] == "Host" {
				host = one.headers[i+1]
				continue
			}
			head.Set(one.headers[i], one.headers[i+1])
		}
		before := reader.met
		line, _, err := websocket.Dial(t.Context(), at, &websocket.DialOptions{HTTPHeader: head, Host: host})
		if (err == nil) != one.ok {
			t.Errorf("%s: a WebSocket: %v", one.name, err)
		}
		if err == nil {
			line.CloseNow()
		}
		for _, method := range []string{"POST", "GET"} {
			r, err := http.NewRequest(method, at+map[string]string{"GET": "?s=x&n=0"}[method], strings.NewReader("hello"))
			if err != nil {
				t.Fatal(err)
			}
			r.Header, r.Host = head.Clone(), host
			a, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			b, _ := io.ReadAll(a.Body)
			a.Body.Close()
			if refused := a.StatusCode == 401 || a.StatusCode == 403; refused == one.ok && !(method == "GET" && one.headers != nil && len(one.headers) > 2 && a.StatusCode == 410) {
				t.Errorf("%s: %s: %d %s", one.name, method, a.StatusCode, b)
			}
		}
		if !one.ok && reader.met != before {
			t.Errorf("%s: it was let in", one.name)
		}
	}
	c.Near, c.Token = nil, guard.Token("")
	if w := ask(t, c, "/data/near"); w.Code != 404 {
		t.Errorf("nobody reads: %d", w.Code)
	}
}
