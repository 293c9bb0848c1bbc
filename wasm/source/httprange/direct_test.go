//go:build !js

package httprange

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"time"
)

// direct makes requests to a handler, without a network: so the clock of a test can
// jump. It gives what fetch would.
type direct struct{ handler http.Handler }

func (direct) now() time.Time { return time.Now() }

func (direct) resolve(ref, base string) string {
	b, err := url.Parse(base)
	if err != nil {
		panic(err)
	}
	u, err := b.Parse(ref)
	if err != nil {
		panic(err)
	}
	return u.String()
}

func (d direct) send(ctx context.Context, q request) (reply, error) {
	asked := q.url
	for range 5 {
		method, body := "GET", ""
		if q.post != "" {
			method, body = "POST", q.post
		}
		r := httptest.NewRequest(method, q.url, strings.NewReader(body)).WithContext(ctx)
		if q.spans != "" {
			r.Header.Set("Range", q.spans)
		}
		if q.post != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		w := httptest.NewRecorder()
		aborted := call(d.handler, w, r)
		if aborted && w.Body.Len() == 0 {
			return nil, errors.New("NetworkError: connection reset")
		}
		if to := w.Header().Get("Location"); w.Code/100 == 3 && to != "" {
			q = request{url: d.resolve(to, q.url)}
			continue
		}
		return &recorded{w.Result(), w.Body.Bytes(), aborted, path(asked) != path(q.url)}, nil
	}
	return nil, errors.New("too many redirects")
}

func path(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		panic(err)
	}
	return u.Path
}

// call reports whether the handler broke the connection off.
func call(h http.Handler, w http.ResponseWriter, r *http.Request) (aborted bool) {
	defer func() {
		if e := recover(); e == http.ErrAbortHandler {
			aborted = true
		} else if e != nil {
			panic(e)
		}
	}()
	h.ServeHTTP(w, r)
	return false
}

// recorded is an answer that is at hand.
type recorded struct {
	r       *http.Response
	data    []byte
	aborted bool
	moved   bool
}

func (r *recorded) head() Head {
	get := r.r.Header.Get
	return Head{Status: r.r.StatusCode, Moved: r.moved, Range: get("Content-Range"), Length: get("Content-Length"), Encoding: get("Content-Encoding"),
		Type: get("Content-Type"), ETag: get("ETag"), Modified: get("Last-Modified"), RetryAfter: get("Retry-After")}
}

func (r *recorded) read(most int64) (body, Sample, error) {
	if r.aborted {
		return nil, Sample{}, io.ErrUnexpectedEOF
	}
	b := r.data[:min(most, int64(len(r.data)))]
	return memory(bytes.Clone(b)), Sample{Bytes: int64(len(b)), Time: time.Microsecond, Wait: time.Microsecond}, nil
}

func (r *recorded) all() (body, error) {
	if r.aborted {
		return nil, io.ErrUnexpectedEOF
	}
	return memory(bytes.Clone(r.data)), nil
}

func (r *recorded) text() []byte { return r.data }
func (r *recorded) drop()        {}

type memory []byte

func (m memory) size() int                   { return len(m) }
func (m memory) copy(dst []byte, offset int) { copy(dst, m[offset:offset+len(dst)]) }
func (m memory) done()                       {}
