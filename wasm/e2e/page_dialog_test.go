//go:build !js

package e2e

import (
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// A dialog closes by a click beside it: not on its edge, nor where a text is let go of that was
// selected in it.
func TestPageDialog(t *testing.T) {
	t.Parallel()
	l := named(t, "few")
	l.run("r", map[string][]point{"x": curve(1, 0, 5)})
	s := come(t, browsertest.Chromium, l.dir)
	s.Resize(1200, 800)
	s.fresh("#timeseries")
	// beside clicks in and around a dialog that open opens.
	beside := func(open func() browsertest.Control) {
		t.Helper()
		d := open()
		b := d.Box()
		inside, edge := b.Middle(), browsertest.Point{X: b.X + 5, Y: b.Middle().Y}
		outside := browsertest.Point{X: b.X / 2, Y: b.Middle().Y}
		s.Click(edge)
		s.Drag(inside, outside)
		s.Drag(outside, inside)
		s.Rest()
		d.Wait()
		s.Click(outside)
		d.Gone()
	}
	beside(func() browsertest.Control {
		s.choose("picture of all cards", "Picture of all cards, or print them…")
		return s.Control("dialog", "All cards")
	})
	s.Control("button", "Custom scalars").Click()
	s.Control("heading", "No layout of charts in this logdir").Wait()
	beside(func() browsertest.Control {
		s.Press("n")
		return s.Control("dialog", "New chart")
	})
}
