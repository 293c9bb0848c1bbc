// Package access writes a line for each request that was answered.
package access

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// New returns next with a log of its answers on w:
//
//	2026-01-02T15:04:05.000Z 10.0.0.7 GET "/data/files/a" bytes=0-99 206 100 0.3ms
//
// These are the time of the answer's end, who asked, method, path, Range, status,
// bytes of the body, and how long it took. Queries are left out, since one may hold
// the token; what comes from the client is quoted.
func New(w io.Writer, next http.Handler) http.Handler {
	var mu sync.Mutex
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		c := &counter{ResponseWriter: rw}
		path := r.URL.Path // a handler may change r
		defer func() {
			host, _, err := net.SplitHostPort(r.RemoteAddr)
			if err != nil {
				host = r.RemoteAddr
			}
			asked := "-"
			if s := r.Header.Get("Range"); s != "" {
				asked = plain(s)
			}
			status := c.status
			if status == 0 {
				status = http.StatusOK
			}
			end := time.Now()
			mu.Lock()
			defer mu.Unlock()
			fmt.Fprintf(w, "%s %s %s %q %s %d %d %.1fms\n", end.UTC().Format("2006-01-02T15:04:05.000Z"), host, plain(r.Method), path, asked, status, c.bytes,
				float64(end.Sub(begin))/float64(time.Millisecond))
		}()
		next.ServeHTTP(c, r)
	})
}

// plain quotes s unless it is a word.
func plain(s string) string {
	for _, c := range s {
		if c <= ' ' || c >= 0x7f || c == '"' {
			return strconv.Quote(s)
		}
	}
	return s
}

// counter counts what is sent.
type counter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// Unwrap is for http.ResponseController.
func (c *counter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// WriteHeader notes the final status.
func (c *counter) WriteHeader(status int) {
	if c.status == 0 && status >= 200 {
		c.status = status
	}
	c.ResponseWriter.WriteHeader(status)
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.bytes += int64(n)
	return n, err
}

// ReadFrom leaves it to the connection to send a file's bytes without copying them.
func (c *counter) ReadFrom(r io.Reader) (int64, error) {
	n, err := io.Copy(c.ResponseWriter, r)
	c.bytes += n
	return n, err
}
