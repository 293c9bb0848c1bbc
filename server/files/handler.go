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
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/server/answer"
	"github.com/tensorbored/tensorbored-static/shared/api"
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
	f, fi, err := s.Open(r.Context(), path)
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
	h.Set("ETag", fileTag(fi))
	// No modification time, hence no Last-Modified: seconds are too coarse for
	// files that are being written. ServeContent takes the size when it starts,
	// so a file that grows meanwhile is sent up to there.
	http.ServeContent(w, r, "", time.Time{}, f)
}

func failFile(w http.ResponseWriter, ctx context.Context, err error) {
	if ctx.Err() != nil {
		return // nobody reads the answer
	}
	var fe *FileError
	status, message, remedy := http.StatusInternalServerError, err.Error(), ""
	if errors.As(err, &fe) {
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
