package customscalars

import (
	"fmt"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/filter"
)

// Shown is what a chart shows of the tags that there are.
type Shown struct {
	Tags []string // of its curves
	// Bands are the tags of the lower and the upper edge of each curve's margin; nil in a
	// chart of lines.
	Bands    [][2]string
	Problems []string // what there is not, or is not understood; for the user
}

const (
	// MaxShown is how many tags a chart shows: no two dashes of more are told apart.
	MaxShown = 100
	// maxTests bounds the work on a chart: expressions are slow in a browser.
	maxTests = 300_000
)

// Shown finds the tags of a chart among tags, which stand in the order in which they are to
// be shown; has says whether there is one.
func (c *Chart) Shown(tags []string, has func(tag string) bool) (s Shown) {
	say := func(format string, args ...any) { s.Problems = append(s.Problems, fmt.Sprintf(format, args...)) }
	if len(c.Margins) > 0 {
		s.margins(c.Margins, has)
		return s
	}
	if len(c.Lines) == 0 {
		say("This chart names no tags.")
	}
	seen := map[string]bool{}
	more, tests := 0, 0
	for _, text := range c.Lines {
		start, err := filter.ParseStart(text)
		if err != nil {
			say("“%s” is not understood: %v.", text, err)
			continue
		}
		some := false
		for _, t := range tags {
			if tests+start.Tests > maxTests {
				say("“%s” takes too long: write it more simply.", text)
				return s
			}
			if !start.Match(t) {
				continue
			}
			some = true
			switch {
			case seen[t]:
			case len(s.Tags) == MaxShown:
				seen[t] = true
				more++
			default:
				seen[t] = true
				s.Tags = append(s.Tags, t)
			}
		}
		tests += start.Tests
		if !some {
			say("No tag matches “%s”.", text)
		}
	}
	if more > 0 {
		say("%d more tags match: the first %d are shown.", more, MaxShown)
	}
	return s
}

func (s *Shown) margins(list []Margin, has func(tag string) bool) {
	var missing []string
	for _, m := range list[:min(len(list), MaxShown)] {
		for _, t := range []string{m.Value, m.Lower, m.Upper} {
			if !has(t) {
				missing = append(missing, "“"+t+"”")
			}
		}
		if has(m.Value) {
			s.Tags = append(s.Tags, m.Value)
			s.Bands = append(s.Bands, [2]string{m.Lower, m.Upper})
		}
	}
	if len(missing) > 0 {
		s.Problems = append(s.Problems, "There are no tags "+strings.Join(missing, ", ")+".")
	}
}
