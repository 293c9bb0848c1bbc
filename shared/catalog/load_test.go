package catalog

import (
	"context"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/api"
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

// TestLoadWhatIsGone: a file that cannot be read any more is a loss of its own, and the others
// are read.
func TestLoadWhatIsGone(t *testing.T) {
	b := file(t, summary.Options{}, steps(t, "a", 0, 1, 2))
	m := source.Mem{"a/tfevents": b, "b/tfevents": b, "c/tfevents": b}
	dir := m.Logdir()
	c := New()
	if _, err := c.Load(t.Context(), goneBetween{dir, m, "b/tfevents"}); err != nil {
		t.Fatal(err)
	}
	for _, run := range []string{"a", "c"} {
		wantSteps(t, run, read(t, c.Runs[run], "a"), 0, 1, 2)
		if l := c.Runs[run].Files[0].Losses(); len(l) != 0 {
			t.Errorf("%s: lost %v", run, l)
		}
	}
	if l := c.Runs["b"].Files[0].Losses(); len(l) != 1 || l[0].Bytes != int64(len(b)) || l[0].Kind != source.ErrGone.Error() {
		t.Errorf("lost %+v", l)
	}
}

// goneBetween loses a file after it has been listed.
type goneBetween struct {
	source.Logdir
	m    source.Mem
	path string
}

func (g goneBetween) List(ctx context.Context) (*api.Listing, error) {
	l, err := g.Logdir.List(ctx)
	delete(g.m, g.path)
	return l, err
}
