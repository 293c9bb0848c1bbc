// Package assets serves the built page: index.html, which is asked for every
// time, and assets whose names hold a hash of their content, which are kept for
// ever. Each is sent as its precompressed twin where there is one and the client
// takes it.
package assets

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/server/answer"
	"github.com/tensorbored/tensorbored-static/server/guard"
)

// Handler serves a built site.
type Handler struct {
	site fs.FS
	page []byte // index.html; nil when the site is not built
	tag  string // its ETag
}

// New returns the handler of a site as static.Dist gives it.
func New(site fs.FS) *Handler {
	h := &Handler{site: site}
	if page, err := fs.ReadFile(site, "index.html"); err == nil {
		sum := sha256.Sum256(page)
		h.page, h.tag = page, `"`+hex.EncodeToString(sum[:12])+`"`
	}
	return h
}

// codings are the content codings of the twins, best first.
var codings = []struct{ name, ext string }{{"br", ".br"}, {"gzip", ".gz"}}

// types are the content types of all that a build writes. The system's table is
// not asked: it differs between machines, and nosniff makes a wrong type fatal.
var types = map[string]string{
	".css":   "text/css; charset=utf-8",
	".html":  "text/html; charset=utf-8",
	".ico":   "image/x-icon",
	".js":    "text/javascript; charset=utf-8",
	".json":  "application/json",
	".png":   "image/png",
	".svg":   "image/svg+xml",
	".txt":   "text/plain; charset=utf-8",
	".wasm":  "application/wasm",
	".woff2": "font/woff2",
}

// ServeHTTP answers below the page's prefix, which the caller has cut off: "" and
// "index.html" are the page, the rest is "assets/<name>".
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !answer.Allow(w, r, http.MethodGet, http.MethodHead) {
		return
	}
	switch p := r.URL.Path; {
	case p == "" || p == "index.html":
		h.index(w, r)
	case strings.HasPrefix(p, "assets/") && fs.ValidPath(p):
		h.asset(w, r, p)
	default:
		http.NotFound(w, r)
	}
}

func (h *Handler) index(w http.ResponseWriter, r *http.Request) {
	if h.page == nil {
		http.Error(w, "The page is not built into this program.\nIn the source directory run: make\n", http.StatusServiceUnavailable)
		return
	}
	head := w.Header()
	head.Set("Content-Type", types[".html"])
	head.Set("Cache-Control", "no-cache") // it names the newest assets
	head.Set("ETag", h.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(h.page))
}

func (h *Handler) asset(w http.ResponseWriter, r *http.Request, p string) {
	contentType := types[path.Ext(p)]
	if contentType == "" { // the twins have no address of their own
		http.NotFound(w, r)
		return
	}
	f, coding, err := h.open(p, r)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.IsDir() {
		http.NotFound(w, r)
		return
	}
	head := w.Header()
	head.Set("Vary", "Accept-Encoding")
	if coding != "" {
		head.Set("Content-Encoding", coding)
	}
	head.Set("Content-Type", contentType)
	if path.Ext(p) == ".html" { // that of plug-ins' frames
		head.Set("Content-Security-Policy", guard.ServedFramePolicy)
		head.Set(guard.AllowlistHeader, guard.Allowlist)
	}
	head.Set("Cache-Control", "public, max-age=31536000, immutable")
	head.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	if r.Method == http.MethodGet {
		io.Copy(w, f)
	}
}

// open opens the best form of an asset that the client takes, and no other: those that the site
// makes when they are asked for take 0.1 s and more of the program.
func (h *Handler) open(p string, r *http.Request) (f fs.File, coding string, err error) {
	for _, c := range codings {
		if answer.Accepts(r, c.name) {
			if f, err := h.site.Open(p + c.ext); err == nil {
				return f, c.name, nil
			}
		}
	}
	f, err = h.site.Open(p)
	return f, "", err
}
