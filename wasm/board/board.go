// Package board is what a dashboard is: a grid of cards of some kinds (package card), or
// one view that has the page for itself. wasm/boards lists them.
package board

import "github.com/tensorbored/tensorbored-static/shared/session"

// Info says what a dashboard is called and which data it shows.
type Info struct {
	ID      string   // in the URL, and the name of its plug-in in TensorBoard
	Title   string   // on its tab
	Plugins []string // plug-in names of the tags that it reads
}

// Model is the half of a dashboard that needs no browser.
type Model interface {
	About() Info
	// Settings are those of the dashboard's own.
	Settings() session.Schema
}
