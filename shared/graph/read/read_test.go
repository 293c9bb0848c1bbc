package read_test

import (
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/graph/graphtest"
	"github.com/tensorbored/tensorbored-static/shared/graph/read"
)

// What the libraries wrote: form, graphs with their nodes, functions and edges, and no loss.
func TestRealFiles(t *testing.T) {
	for _, c := range []struct {
		file, form string
		graphs     [][3]int // nodes, functions, edges
	}{} {
		_ = c
	}
	for _, name := range graphtest.Names() {
		f, err := read.File(graphtest.File(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		t.Logf("%s %v losses %+v stats %d", name, f.Form, f.Losses, len(f.Stats))
		for _, g := range f.Graphs {
			t.Logf("   %q %d nodes %d functions %d edges", g.Name, len(g.Nodes), len(g.Functions), len(g.Inputs))
		}
	}
}
