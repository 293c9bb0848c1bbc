//go:build !js

package e2e

import (
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// A zoom on one card is one on all, if one wants; a click on a name in a pinned table shows
// that run alone.
func TestPageLinked(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0&tagFilter=line|stairs")
	s.whole()
	link := s.Control("checkbox", "Zoom all cards together")
	link.Click()
	s.hash("#timeseries&tagFilter=line%7Cstairs&smoothing=0&linkZoom=true")
	p := s.still("line/up")
	s.Drag(p.at(20, 50), p.at(60, 50))
	s.shows("line/up", 20, 60, nan, nan)
	s.shows("stairs/up", 20, 60, nan, nan)
	s.Control("article", "stairs/up").Control("button", "Fit to the data (double click)").Click()
	s.shows("stairs/up", -1.5, 101.5, nan, nan)
	s.whole()
	link.Click()
	p = s.still("line/up")
	s.Drag(p.at(20, 50), p.at(60, 50))
	s.shows("line/up", 20, 60, nan, nan)
	s.shows("stairs/up", -1.5, 101.5, nan, nan)
	// What is seen on one is taken over by all, and stays on each.
	link.Click()
	s.shows("stairs/up", 20, 60, nan, nan)
	link.Click()
	s.shows("line/up", 20, 60, nan, nan)
	s.shows("stairs/up", 20, 60, nan, nan)

	s.Click(p.Box.Part(0.5, 0.5))
	table := s.Control("dialog", "Values")
	table.Control("button", "Only beta").Click()
	s.shown("1 of 6 runs shown")
	s.list(on("alpha", "solo/x", "s1", "s2", "s3")...)
	table.Control("button", "Only beta").Click()
	s.shown("6 of 6 runs shown")
}
