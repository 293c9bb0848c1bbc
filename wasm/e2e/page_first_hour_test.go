//go:build !js

package e2e

import (
	"fmt"
	"math"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// A run that is pointed at in the list stands out in every card, also while new data change
// the range of the axes, and when the axes are changed by a setting; and the lines of the
// crosshair move with their step.
func TestPageHighlightStays(t *testing.T) {
	t.Parallel()
	l := pins(t)
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#timeseries&smoothing=0&outliers=false&tagFilter=level|up")
	const tag = "flat/level"
	// stands waits until alpha is strong and beta faint, each at its value, and nothing of
	// alpha stands where it was before.
	stands := func(to scale) {
		t.Helper()
		s.draws(tag, to, want{"alpha", 50, 2, false}, want{"beta", 50, 4, true})
		s.Until(func() string {
			p, ok := s.plotOf(tag)
			if !ok {
				return tag + " is not drawn"
			}
			y := p.y(2, to)
			for _, i := range p.column(s.Picture(), s.ground(), s.color("alpha"), p.x(50)) {
				if i.cover >= 0.6 && (y < i.top-3 || y > i.bottom+3) {
					return fmt.Sprintf("alpha is drawn at pixel %.0f too, not only at %.0f", i.top, y)
				}
			}
			return ""
		})
	}
	s.draws(tag, linear, want{"alpha", 50, 2, false}, want{"beta", 50, 4, false})
	row := s.Control("list", "Runs").Control("listitem", "alpha*")
	row.Hover()
	stands(linear)
	// The last values are five times as high: the range follows.
	for round := range 3 {
		l.add(l.path("alpha", "1700000000.host.1.0"), records(func(w *summary.Buffer) {
			for step := range 10 {
				at := int64(101 + 10*round + step)
				if err := w.Scalar("flat/level", float64(20*(round+1)), at, summary.WallSeconds(epoch+10*float64(at))); err != nil {
					t.Fatal(err)
				}
			}
		}))
		s.looks()
		s.draws(tag, linear, want{"alpha", float64(105 + 10*round), float64(20 * (round + 1)), false})
		stands(linear)
	}
	s.Press("y")
	stands(math.Log10)
	s.Press("y")
	s.Press("y")
	stands(linear)
	s.Control("searchbox", "Filter tags (regex)").Hover()
	s.draws(tag, linear, want{"alpha", 50, 2, false}, want{"beta", 50, 4, false})

	// The pointer rests in a card while others grow.
	p := s.still("line/up")
	s.Hover(p.at(50, 50))
	s.crossed(true, 50, "line/up", tag)
	l.add(l.path("beta", "1700000000.host.1.0"), records(func(w *summary.Buffer) {
		if err := w.Scalar("flat/level", 4, 300, summary.WallSeconds(epoch+9000)); err != nil {
			t.Fatal(err)
		}
	}))
	s.looks()
	s.draws(tag, linear, want{"beta", 250, 4, true})
	s.crossed(true, 50, "line/up", tag)
}

// A curve that is pointed at marks its run on the other cards; away from it nothing is
// marked.
func TestPageHoverMarks(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0&outliers=false&tagFilter=level|up")
	s.draws("flat/level", linear, want{"alpha", 50, 2, false}, want{"beta", 50, 4, false})
	p := s.still("line/up")
	s.Hover(p.at(30, 30))
	s.draws("flat/level", linear, want{"alpha", 50, 2, false}, want{"beta", 50, 4, true})
	s.Hover(p.at(30, 70))
	s.draws("flat/level", linear, want{"alpha", 50, 2, true}, want{"beta", 50, 4, false})
	// From a curve to a row of the list, and away.
	s.Control("list", "Runs").Control("listitem", "alpha*").Hover()
	s.draws("flat/level", linear, want{"alpha", 50, 2, false}, want{"beta", 50, 4, true})
	s.draws("line/up", linear, want{"alpha", 50, 50, false}, want{"beta", 30, 70, true})
	s.Hover(p.at(30, 70))
	s.Control("heading", "Settings").Hover()
	s.draws("flat/level", linear, want{"alpha", 50, 2, false}, want{"beta", 50, 4, false})
	s.draws("line/up", linear, want{"alpha", 30, 30, false}, want{"beta", 30, 70, false})
}

// The row of the run that is pointed at is marked where it is in sight; the list stays where it
// is.
func TestPageHoverMarksTheRow(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, crowd(t, 100).dir)
	s.fresh("#timeseries&smoothing=0")
	s.Control("list", "Runs").Control("listitem", "run_000*").Wait()
	seen := func(name string) {
		t.Helper()
		s.Until(func() string {
			var got string
			s.TryEval(`[...document.querySelectorAll("[role=list][aria-label=Runs] [role=listitem].near")].filter(e => (r => r.top >= 0 && r.bottom <= innerHeight)(e.getBoundingClientRect())).map(e => e.innerText.split("\n")[0]).join()`, &got)
			return differs(got, name)
		})
	}
	p := s.still("loss")
	s.Hover(p.at(1, 6))
	seen("run_005")
	s.Hover(p.at(1, 91))
	seen("")
	s.Control("list", "Runs").Is(`e.parentElement.scrollTop === 0`)
	s.Hover(p.at(1, 7))
	seen("run_006")
}
