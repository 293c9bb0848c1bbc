// Package boards is the list of dashboards, in the order of their tabs.
package boards

import (
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/board/scalars"
)

// All returns the dashboards in the order of their tabs.
func All() []board.Board {
	return []board.Board{
		scalars.Board{},
	}
}
