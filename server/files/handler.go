// Package files hands out one logdir, read-only: a listing of the files that the
// viewer can use, and the bytes of those files, by Range or several at a time.
// Nothing is parsed here.
//
// What can be read is exactly what the last listing names: a path is looked up in
// it and never joined to anything before. See walk.go for what is listed and for
// links.
package files

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/server/answer"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// ServeHTTP answers below the data prefix, which the caller has cut off: the
// paths "listing.json", "files/<path>" and "batch".
func (s *Store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p := r.URL.Path
	if path, ok := strings.CutPrefix(p, "files/"); ok {
		if answer.Allow(w, r, http.MethodGet, http.MethodHead) {
			s.file(w, r, path)
		}
		return
	}
	switch p {
	case "listing.json":
		if answer.Allow(w, r, http.MethodGet, http.MethodHead) {
			s.listing(w, r)
		}
	case "batch":
		if answer.Allow(w, r, http.MethodPost) {
			s.batch(w, r)
		}
	default:
		answer.Fail(w, http.StatusNotFound, "no such data route", "use listing.json, files/ or batch")
	}
}

func (s *Store) listing(w http.ResponseWriter, r *http.Request) {
	get := s.snapshot
	if r.URL.Query().Has(api.SoonParameter) {
		get = s.soon
	}
	snap, err := get(r.Context())
	if err != nil {
		if r.Context().Err() == nil {
			failDir(w, err)
		}
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-cache") // kept, but asked for every time
	h.Set("Vary", "Accept-Encoding")
	body, tag := snap.body, snap.tag
	if len(body) >= minGzip && answer.Accepts(r, "gzip") {
		// A strong ETag names these very bytes, so each coding has its own.
		body, tag = snap.gzipped(), tag+"-gz"
	}
	h.Set("ETag", `"`+tag+`"`)
	if matches(r.Header.Get("If-None-Match"), snap.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if tag != snap.tag {
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body)
}

func failDir(w http.ResponseWriter, err error) {
	var de *DirError
	if errors.As(err, &de) {
		answer.Fail(w, http.StatusServiceUnavailable, "logdir "+de.Dir+" "+de.Reason, de.Remedy)
		return
	}
	answer.Fail(w, http.StatusServiceUnavailable, err.Error(), "")
}

// matches reports whether an If-None-Match header names tag in either coding.
// Proxies make ETags weak, which says nothing about our bytes.
func matches(header, tag string) bool {
	for part := range strings.SplitSeq(header, ",") {
		part = strings.TrimPrefix(strings.TrimSpace(part), "W/")
		if part == "*" || part == `"`+tag+`"` || part == `"`+tag+`-gz"` {
			return true
		}
	}
	return false
}

func (s *Store) file(w http.ResponseWriter, r *http.Request, path string) {
	f, err := s.Open(r.Context(), path)
	if err != nil {
		failFile(w, r.Context(), err)
		return
	}
	defer f.Close()
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	// With nosniff this keeps logged bytes from ever being a page of ours.
	h.Set("Content-Disposition", "attachment")
	// The reader keeps what it needs; a copy in the browser's cache would cost
	// a write of every byte.
	h.Set("Cache-Control", "no-store")
	if f.object != nil && r.Method == http.MethodGet && s.begun(w, r, f) {
		return
	}
	h.Set("ETag", `"`+f.Version+`"`)
	// No modification time, hence no Last-Modified: seconds are too coarse for
	// files that are being written. ServeContent takes the size when it starts,
	// so a file that grows meanwhile is sent up to there.
	http.ServeContent(w, r, "", time.Time{}, f.content)
}

// begun begins to read what is asked for of an object, so that what the store says
// against it can be said with a status and in words. It reports whether the request is
// answered: by these, or by the address that the store itself hands the object out at.
func (s *Store) begun(w http.ResponseWriter, r *http.Request, f *File) bool {
	o := f.object
	if s.links {
		link, err := o.origin.Link(r.Context(), o.of)
		if err != nil {
			failFile(w, r.Context(), err)
			return true
		}
		if link != "" {
			w.Header().Set("Location", link)
			w.WriteHeader(http.StatusTemporaryRedirect)
			return true
		}
	}
	from, to := oneRange(r.Header.Get("Range"))
	if from >= f.size {
		return false // ServeContent says so
	}
	o.until = to
	if err := o.begin(from, min(f.size, to)); err != nil {
		failFile(w, r.Context(), err)
		return true
	}
	return false
}

// oneRange is where what a Range header asks for begins and ends, if it asks for one
// stretch by its bytes; else all of the file.
func oneRange(header string) (from, to int64) {
	a, b, ok := strings.Cut(strings.TrimPrefix(header, "bytes="), "-")
	from, err := strconv.ParseInt(a, 10, 64)
	if !ok || err != nil || from < 0 {
		return 0, math.MaxInt64
	}
	if to, err = strconv.ParseInt(b, 10, 64); err != nil || to < from || to == math.MaxInt64 {
		return from, math.MaxInt64
	}
	return from, to + 1
}

// troubleStatus is what an error of an Origin is answered with. One that has changed is
// gone as what was listed: the page lists anew.
var troubleStatus = map[source.Trouble]int{
	source.Broken: http.StatusBadGateway, source.Silent: http.StatusBadGateway, source.Busy: http.StatusServiceUnavailable,
	source.Changed: http.StatusNotFound, source.Gone: http.StatusNotFound, source.Refused: http.StatusForbidden,
}

func failFile(w http.ResponseWriter, ctx context.Context, err error) {
	if ctx.Err() != nil {
		return // nobody reads the answer
	}
	var fe *FileError
	var se *source.Error
	status, message, remedy := http.StatusInternalServerError, err.Error(), ""
	if errors.As(err, &se) {
		status, message, remedy = troubleStatus[se.Trouble], se.Reason, se.Remedy
		if se.After > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int((se.After+time.Second-1)/time.Second)))
		}
	} else if errors.As(err, &fe) {
		message, remedy = fe.Path+": "+fe.Err.Error(), fe.Remedy
		switch {
		case errors.Is(err, fs.ErrNotExist):
			status = http.StatusNotFound
		case errors.Is(err, fs.ErrPermission):
			status = http.StatusForbidden
		}
	}
	answer.Fail(w, status, message, remedy)
}
