package access

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A line says what was asked and answered, without the query, and nothing that a
// client sends can write a line of its own.
func TestLines(t *testing.T) {
	var log bytes.Buffer
	h := New(&log, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/none":
		case "/missing":
			http.NotFound(w, r)
		default:
			http.ServeContent(w, r, "", time.Time{}, strings.NewReader("0123456789"))
		}
	}))
	for _, c := range []struct{ method, url, asked, want string }{
		{"GET", "/x?token=secret", "", `GET "/x" - 200 10 `},
		{"GET", "/x", "bytes=2-4", `GET "/x" bytes=2-4 206 3 `},
		{"HEAD", "/x", "", `HEAD "/x" - 200 0 `},
		{"GET", "/missing", "", `GET "/missing" - 404 19 `},
		{"GET", "/none", "", `GET "/none" - 200 0 `},
		{"GET", "/a%0a2026%22%1b", "bytes=0-0\n\x1b", `GET "/a\n2026\"\x1b" "bytes=0-0\n\x1b" `},
	} {
		log.Reset()
		r := httptest.NewRequest(c.method, c.url, nil)
		if c.asked != "" {
			r.Header.Set("Range", c.asked)
		}
		h.ServeHTTP(httptest.NewRecorder(), r)
		line := log.String()
		if strings.Count(line, "\n") != 1 || !strings.Contains(line, " 192.0.2.1 "+c.want) || strings.Contains(line, "secret") ||
			!regexp.MustCompile(`^\d{4}-\d\d-\d\dT[0-9:.]+Z .* \d+\.\dms\n$`).MatchString(line) {
			t.Errorf("%s %s: %q", c.method, c.url, line)
		}
	}
}

// reading counts the bytes that were copied by the program itself.
type reading struct {
	http.ResponseWriter
	sent, written int64
}

func (r *reading) Write(b []byte) (int, error) {
	r.written += int64(len(b))
	return len(b), nil
}

func (r *reading) ReadFrom(src io.Reader) (int64, error) {
	n, err := io.Copy(io.Discard, src)
	r.sent += n
	return n, err
}

// Files are still sent by the connection, which need not copy them.
func TestSends(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, make([]byte, 100_000), 0o666); err != nil {
		t.Fatal(err)
	}
	h := New(io.Discard, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, file) }))
	w := &reading{ResponseWriter: httptest.NewRecorder()}
	h.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if w.sent != 100_000 || w.written != 0 {
		t.Errorf("%d bytes sent, %d written", w.sent, w.written)
	}
}
