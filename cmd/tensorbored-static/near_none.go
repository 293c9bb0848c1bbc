//go:build noreader

package main

import (
	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/shared/api"
)

// hasReader says whether this program can read event files for pages elsewhere. This one hands
// out bytes and parses none.
const hasReader = false

func (n *nearFlags) reader(*files.Store, []string, *api.Page, bool) (*readingHere, error) {
	return nil, nil
}
