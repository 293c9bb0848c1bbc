// Package static is what a web host needs: the page, its scripts and styles, and
// the program as WebAssembly.
//
// The sources stand in this directory. `go run ./static/pack` (part of `make
// build`) makes dist out of them: index.html, and assets whose names hold a hash
// of their content, packed with brotli. dist is embedded here; in a fresh clone it
// is empty but for .keep, so that everything compiles.
package static

import (
	"embed"
	"io/fs"
	"path"
	"strings"
	"sync"
)

// Report is the script that stands first in a report, which is the page in one file; see the command report, and lazy/report.
//
//go:embed lazy/reported/reported.js
var Report string

// Style, Theme and Icon are the page's own, for the pages of the hub, which look like it.
//
//go:embed app.css
var Style string

//go:embed theme.js
var Theme string

// PluginShim is the script that stands first in documents of plug-ins: see server/plugins.
//
//go:embed plugin/shim.js
var PluginShim string

// PluginWorker is the service worker of a plug-in at an origin of its own.
//
//go:embed plugin/worker.js
var PluginWorker string

//go:embed icon.svg
var Icon string

//go:embed all:dist
var dist embed.FS

// Dist returns the built site: index.html and assets/, in three forms each. Before
// the first build it has no index.html.
func Dist() fs.FS { return site() }

var site = sync.OnceValue(func() fs.FS {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // only for names that are not valid paths
	}
	return Forms(sub)
})

// Lazy returns what index.html lists as loaded when it is first needed (data-lazy), by name: of
// assets/graph.HASH.js the name is "graph", of assets/graphwork.HASH.wasm "graphwork.wasm".
func Lazy(list string) map[string]string {
	m := make(map[string]string)
	for _, address := range strings.Fields(list) {
		name, rest, _ := strings.Cut(path.Base(address), ".")
		if kind := path.Ext(rest); kind != ".js" {
			name += kind
		}
		m[name] = address
	}
	return m
}
