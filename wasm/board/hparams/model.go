// Package hparams is the dashboard of hyperparameters: the table of runs over the whole
// page. Its rows, their order and what stands in them are Go's; static/lazy/hparams draws
// them.
package hparams

import (
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
)

// ID is the dashboard's name in links.
const ID = "hparams"

// Board is the dashboard.
type Board struct{}

// About implements board.Model.
func (Board) About() board.Info {
	return board.Info{ID: ID, Title: "Hyperparameters", Plugins: []string{"hparams"}}
}

// Settings implements board.Model: those of the table are the page's.
func (Board) Settings() session.Schema { return nil }
