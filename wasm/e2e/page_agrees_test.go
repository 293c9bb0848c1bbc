//go:build !js

package e2e

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

//go:embed testdata/peer/golden.json
var peerSays []byte

// peerCard is what TensorBoard's page makes of a tag: see testdata/peer.
type peerCard struct {
	Extent *[2]float64                // of the vertical axis; nil: there is no finite value
	Runs   map[string][][][3]*float64 // by run its curves, of each point step, smoothed value, ms after the first
}

// The page says of real logs what TensorBoard's page says of them: the order of tags,
// smoothed values, relative times, and what an axis shows where outliers are left out.
func TestPageAgrees(t *testing.T) {
	t.Parallel()
	var peer map[string]struct {
		Tags  []string
		Cards map[string]peerCard
	}
	if err := json.Unmarshal(peerSays, &peer); err != nil {
		t.Fatal(err)
	}
	for name, says := range peer {
		t.Run(name, func(t *testing.T) {
			s := come(t, browsertest.Chromium, "../../shared/dump/testdata/"+name)
			s.fresh("#timeseries&smoothing=0.6&kinds=scalars&tagFilter=.")
			grouped := func(tags []string) (in, none []string) {
				for _, tag := range tags {
					if strings.Contains(tag, "/") {
						in = append(in, tag)
					} else {
						none = append(none, tag)
					}
				}
				return in, none
			}
			want, alone := grouped(says.Tags)
			s.Until(func() string {
				var got []string
				s.TryEval(`[...document.querySelectorAll("main article")].map(e => e.ariaLabel)`, &got)
				in, none := grouped(got)
				if !slices.Equal(in, want) || !slices.Equal(none, alone) {
					return fmt.Sprintf("the cards are %q, not %q", got, says.Tags)
				}
				return ""
			})
			for _, tag := range says.Tags {
				s.agrees(tag, says.Cards[tag])
			}
		})
	}
}

// agrees looks at a card's values, at the last point and at others, and at its axis.
func (s *screen) agrees(tag string, peer peerCard) {
	s.t.Helper()
	card := s.Control("article", tag)
	card.Get(`(e.scrollIntoView({block: "center"}), e.focus())`, nil)
	s.still(tag)
	s.Press("Enter")
	table := s.Control("dialog", "Values")
	for _, key := range []string{"", "ArrowLeft", "ArrowLeft", "Home"} {
		if key != "" {
			s.Press(key)
		}
		s.Until(func() string {
			var text string
			if err := s.TryEval(`(box => {
				getSelection().selectAllChildren(box.querySelector("table"));
				const event = new ClipboardEvent("copy", {clipboardData: new DataTransfer(), bubbles: true, cancelable: true});
				box.querySelector("table").dispatchEvent(event);
				return event.clipboardData.getData("text/plain");
			})([...document.querySelectorAll("[role=dialog]")].find(e => e.checkVisibility() && e.querySelector("table")))`, &text); err != nil {
				return err.Error()
			}
			lines := strings.Split(strings.TrimSpace(text), "\n")
			head := strings.Split(lines[0], "\t")
			at := func(column string) int { return slices.Index(head, column) }
			if at("Smoothed") < 0 || at("Step") < 0 || at("Relative") < 0 || len(lines) < 2 {
				return fmt.Sprintf("%s: the table is %q", tag, text)
			}
			for _, line := range lines[1:] {
				cells := strings.Split(line, "\t")
				if why := peer.knows(cells[at("Run")], value(cells[at("Step")]), value(cells[at("Smoothed")]), value(cells[at("Relative")])); why != "" {
					return tag + ": " + why
				}
			}
			return ""
		})
	}
	s.Press("Escape")
	table.Gone()
	if peer.Extent == nil || peer.Extent[0] == peer.Extent[1] {
		return
	}
	s.Until(func() string {
		p, ok := s.plotOf(tag)
		if !ok || len(p.ys) < 2 {
			return tag + " is not drawn"
		}
		a, b := p.ys[0], p.ys[len(p.ys)-1]
		back := func(y float64) float64 {
			return value(a.Text) + (y-a.Y)/(b.Y-a.Y)*(value(b.Text)-value(a.Text))
		}
		lo, hi := back(p.Box.Y+p.Box.Height), back(p.Box.Y)
		span := peer.Extent[1] - peer.Extent[0]
		if lo > peer.Extent[0]+span/100 || hi < peer.Extent[1]-span/100 || hi-lo > 1.6*span {
			return fmt.Sprintf("%s shows %g to %g, its values without outliers are %g to %g", tag, lo, hi, peer.Extent[0], peer.Extent[1])
		}
		return ""
	})
}

// knows says why there is no such point.
func (c peerCard) knows(run string, step, smoothed, relative float64) string {
	var at []string
	for _, curve := range c.Runs[run] {
		for _, p := range curve {
			if *p[0] != step {
				continue
			}
			same := p[1] == nil && (math.IsNaN(smoothed) || math.IsInf(smoothed, 0)) ||
				p[1] != nil && math.Abs(*p[1]-smoothed) <= 1e-6*max(1, math.Abs(*p[1]))
			if same && math.Abs(*p[2]/1000-relative) <= 0.0011 {
				return ""
			}
			if p[1] != nil {
				at = append(at, fmt.Sprintf("%g after %g s", *p[1], *p[2]/1000))
			}
		}
	}
	return fmt.Sprintf("%s is %g at step %g, %g s after its first; TensorBoard says %s", run, smoothed, step, relative, strings.Join(at, " or "))
}
