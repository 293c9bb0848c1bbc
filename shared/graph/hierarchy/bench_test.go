package hierarchy_test

import (
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/graph/graphtest"
	"github.com/tensorbored/tensorbored-static/shared/graph/hierarchy"
	"github.com/tensorbored/tensorbored-static/shared/graph/read"
)

func TestPrint(t *testing.T) {
	for _, name := range graphtest.Names() {
		f, err := read.File(graphtest.File(t, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range f.Graphs {
			h := hierarchy.Build(g, hierarchy.Defaults)
			t.Logf("%s %s: %d nodes, %d base, %d bundles; root %d shown %d ops %d embedded", name, g.Name, len(h.Nodes), len(h.Base), len(h.Edges), h.Nodes[0].Shown, h.Nodes[0].Ops, h.Nodes[0].Embedded)
			for _, c := range h.Kids(0) {
				if h.Nodes[c].Host < 0 && h.Nodes[c].Shown > 0 {
					t.Logf("     %s ops %d shown %d repeated %d", h.Nodes[c].ID, h.Nodes[c].Ops, h.Nodes[c].Shown, h.Repeated(c))
				}
			}
		}
	}
}
