// Package board is what a dashboard is. Each is a folder below this one, with
// a model that is pure Go and tested natively, and a view for the browser
// (files named *_js.go). wasm/boards lists them.
package board

// Info says what a dashboard is called and which data it shows.
type Info struct {
	ID      string   // in the URL, and the name of its plug-in in TensorBoard
	Title   string   // on its tab
	Plugins []string // plug-in names of the tags that it reads
}
