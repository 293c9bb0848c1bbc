//go:build !js

// Package faulty stands between a page and its server and spoils answers, in the ways
// in which servers, proxies and login pages do. It is for tests.
package faulty

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Fault is a way to spoil an answer.
type Fault string

// The ways. None of them is an answer that the file's bytes could be taken for.
const (
	None         Fault = ""
	Login        Fault = "login page with status 200"
	Redirect     Fault = "redirect to a login page"
	Short        Fault = "206 with fewer bytes than it says"
	Shifted      Fault = "206 of another range"
	Mute         Fault = "206 that does not say which range"
	HTTP10       Fault = "body cut short, without a length"
	Abort        Fault = "connection that breaks within the body"
	Reset        Fault = "connection that breaks before the answer"
	Capped       Fault = "206 of at most 64 KiB"
	Unsatisfied  Fault = "416"
	Empty        Fault = "empty 200"
	Unauthorized Fault = "401"
	Forbidden    Fault = "403"
	Missing      Fault = "404"
	TooMany      Fault = "429 with Retry-After in seconds"
	Unavailable  Fault = "503 with Retry-After as a date"
	Failing      Fault = "500"
	Gateway      Fault = "502 of a proxy, in HTML"
)

// Faults are all of them, without None.
var Faults = []Fault{Login, Redirect, Short, Shifted, Mute, HTTP10, Abort, Reset, Capped, Unsatisfied, Empty,
	Unauthorized, Forbidden, Missing, TooMany, Unavailable, Failing, Gateway}

// Handler spoils the answers of Next to requests for bytes of files. Other requests
// pass.
type Handler struct {
	Next http.Handler
	// Choose says how the answer to a request is spoiled; n counts them, from 0.
	Choose func(r *http.Request, n int) Fault

	mu    sync.Mutex
	n     int
	given map[Fault]int
}

// Given returns how often each fault has been given.
func (h *Handler) Given() map[Fault]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := map[Fault]int{}
	for f, n := range h.given {
		out[f] = n
	}
	return out
}

// Seeded returns a Choose that spoils the first n answers with a chance, each in a way
// of its own, the same for the same seed.
func Seeded(seed uint64, n int, chance float64, ways []Fault) func(*http.Request, int) Fault {
	r := rand.New(rand.NewPCG(seed, 1))
	plan := make([]Fault, n)
	for i := range plan {
		if r.Float64() < chance {
			plan[i] = ways[r.IntN(len(ways))]
		}
	}
	return func(_ *http.Request, i int) Fault {
		if i < len(plan) {
			return plan[i]
		}
		return None
	}
}

// page is what a proxy answers that wants a login.
const page = "<!doctype html><title>Sign in</title><form><input name=user><input type=password></form>"

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/login" {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
		return
	}
	if !strings.Contains(r.URL.Path, "/files/") && !strings.HasSuffix(r.URL.Path, "/batch") {
		h.Next.ServeHTTP(w, r)
		return
	}
	h.mu.Lock()
	f := h.Choose(r, h.n)
	h.n++
	if h.given == nil {
		h.given = map[Fault]int{}
	}
	h.given[f]++
	h.mu.Unlock()
	h.spoil(f, w, r)
}

func (h *Handler) spoil(f Fault, w http.ResponseWriter, r *http.Request) {
	status := func(code int, kind, body string) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}
	switch f {
	case None:
		h.Next.ServeHTTP(w, r)
		return
	case Login:
		status(200, "text/html", page)
		return
	case Redirect:
		http.Redirect(w, r, "/login", http.StatusFound)
		return
	case Reset:
		panic(http.ErrAbortHandler)
	case Unsatisfied:
		status(416, "text/plain", "")
		return
	case Empty:
		w.WriteHeader(200)
		return
	case Unauthorized:
		status(401, "text/plain", "who are you?")
		return
	case Forbidden:
		status(403, "application/json", `{"error":"the file is locked","remedy":"unlock it"}`)
		return
	case Missing:
		status(404, "text/plain", "not found")
		return
	case TooMany:
		w.Header().Set("Retry-After", "2")
		status(429, "text/plain", "slow down")
		return
	case Unavailable:
		w.Header().Set("Retry-After", time.Now().Add(2*time.Second).UTC().Format(http.TimeFormat))
		status(503, "application/json", `{"error":"the disk is away","remedy":"it comes back by itself"}`)
		return
	case Failing:
		status(500, "text/plain", "out of order")
		return
	case Gateway:
		status(502, "text/html", "<html><h1>Bad gateway</h1></html>")
		return
	}
	// The others spoil an answer that is good.
	q := r.Clone(r.Context())
	switch f {
	case Shifted:
		q.Header.Set("Range", shift(r.Header.Get("Range")))
	case Capped:
		q.Header.Set("Range", limit(r.Header.Get("Range"), 64<<10))
	}
	got := httptest.NewRecorder()
	h.Next.ServeHTTP(got, q)
	body := got.Body.Bytes()
	for name, values := range got.Header() {
		w.Header()[name] = values
	}
	switch f {
	case Mute:
		w.Header().Del("Content-Range")
	case Short, HTTP10:
		w.Header().Del("Content-Length")
		body = body[:len(body)/2]
		if f == Short {
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		}
	case Abort:
		w.Header().Del("Content-Length")
	}
	w.WriteHeader(got.Code)
	if f == Abort {
		w.Write(body[:len(body)/2])
		if fl, ok := w.(http.Flusher); ok {
			fl.Flush()
		}
		panic(http.ErrAbortHandler)
	}
	w.Write(body)
}

// shift moves a range of bytes by seven, limit shortens it. What is no range stays.
func shift(header string) string {
	from, to, ok := span(header)
	if !ok {
		return header
	}
	return fmt.Sprintf("bytes=%d-%d", from+7, to+7)
}

func limit(header string, n int64) string {
	from, to, ok := span(header)
	if !ok {
		return header
	}
	return fmt.Sprintf("bytes=%d-%d", from, min(to, from+n-1))
}

func span(header string) (from, to int64, ok bool) {
	n, err := fmt.Sscanf(header, "bytes=%d-%d", &from, &to)
	return from, to, err == nil && n == 2
}
