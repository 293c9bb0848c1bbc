package catalog

import (
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
)

// TestLoadTornTail: a file that ends inside a record is read up to there, and
// loading ends.
func TestLoadTornTail(t *testing.T) {
	b := file(t, summary.Options{}, steps(t, "a", 0, 1, 2))
	for cut := 1; cut < 40; cut++ {
		c := load(t, source.Mem{"tfevents.1": damage.Drop(b, cut), "tfevents.2": b})
		wantSteps(t, "behind the torn file", read(t, c.Runs["."], "a"), 0, 1, 0, 1, 2)
		if l := c.Runs["."].Files[0].Losses(); len(l) != 0 {
			t.Errorf("%d bytes short: lost %v", cut, l)
		}
	}
}
