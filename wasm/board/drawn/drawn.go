// Package drawn is a dashboard that a script draws: one that the first page has no word of
// but its name. The script, and what it brings along (libraries, a Go program for a worker
// of its own), come when the dashboard is first opened. What it shows is one setting, a text
// of the script's own form; so links, profiles, Back and other tabs have it without more.
//
// The contract with the script stands at NewView.
package drawn

import (
	"github.com/tensorbored/tensorbored-static/shared/kinds"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
)

// Board is such a dashboard.
type Board struct {
	board.Info
	// Script is a folder of static/lazy.
	Script string
	// Shown is the setting that holds what it shows.
	Shown *session.Setting[string]
	// Coming is what stands in its place until the script has come.
	Coming string
}

// About implements board.Model.
func (b Board) About() board.Info { return b.Info }

// Settings implements board.Model.
func (b Board) Settings() session.Schema { return session.Schema{b.Shown.Decl} }

// GraphView is what the dashboard of graphs shows: see static/lazy/graph/4-board.js.
var GraphView = session.Text("graph", session.View, "").Linked("graph")

// ProjectorView is what the projector shows: see static/lazy/projector.
var ProjectorView = session.Text("projector", session.View, "").Linked("projector")

// Projector is the dashboard of embeddings.
var Projector = Board{
	Info:   board.Info{ID: "projector", Title: "Projector", Plugins: kinds.Projector()},
	Script: "projector", Shown: ProjectorView, Coming: "Loading the projector…",
}

// Graphs is the dashboard of computation graphs.
var Graphs = Board{
	Info:   board.Info{ID: "graphs", Title: "Graphs", Plugins: kinds.Graphs()},
	Script: "graph", Shown: GraphView, Coming: "Loading the graph…",
}
