// Package page is what the hub shows by itself: the list of viewers, the page that waits
// for one, and the script that viewers' pages have from it. The look is that of the
// viewer, by its own style sheet.
//
// It is small, and no part of what a visitor of a viewer downloads first, but for
// viewer.js. Whatever comes from names, logs and errors reaches the page as text.
package page

import (
	"bytes"
	"embed"
	"net/http"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/server/answer"
	"github.com/tensorbored/tensorbored-static/static"
)

//go:embed index.html wait.html hub.css hub.js list.js wait.js viewer.js
var own embed.FS

var types = map[string]string{
	"css":  "text/css; charset=utf-8",
	"html": "text/html; charset=utf-8",
	"js":   "text/javascript; charset=utf-8",
	"svg":  "image/svg+xml",
}

// File is one of the hub's files; nil if there is none of this name.
func File(name string) []byte {
	switch name {
	case "app.css":
		return []byte(static.Style)
	case "theme.js":
		return []byte(static.Theme)
	case "icon.svg":
		return []byte(static.Icon)
	}
	if strings.HasSuffix(name, ".go") {
		return nil
	}
	data, err := own.ReadFile(name)
	if err != nil {
		return nil
	}
	return data
}

// Serve answers with one of the files.
func Serve(w http.ResponseWriter, r *http.Request, name string) {
	if !answer.Allow(w, r, http.MethodGet, http.MethodHead) {
		return
	}
	data := File(name)
	if data == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", types[name[strings.LastIndexByte(name, '.')+1:]])
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}
