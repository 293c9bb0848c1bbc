package runcolor

import (
	"fmt"
	"math"
)

// Stops are the colours of a scale from low to high, on a light and on a dark ground: violet,
// blue, teal, green and amber, each lighter than the one before, so that anyone who cannot tell
// colours apart sees the order all the same. static/lazy/hparams has the same ones for its plots.
var Stops = [2][5]string{
	{"#31167e", "#0050a2", "#00808d", "#519741", "#cb8900"},
	{"#7359db", "#3d8fe4", "#17bac8", "#7eda82", "#fad957"},
}

// Ramp is the colour at a place of the scale, from 0 to 1, as #rrggbb.
func Ramp(at float64, dark bool) string {
	stops := &Stops[0]
	if dark {
		stops = &Stops[1]
	}
	u := min(1, max(0, at)) * float64(len(stops)-1)
	k := min(len(stops)-2, int(u))
	low, _ := rgbOf(stops[k])
	high, _ := rgbOf(stops[k+1])
	var c [3]uint8
	for i := range c {
		c[i] = uint8(math.Round(float64(low[i]) + (float64(high[i])-float64(low[i]))*(u-float64(k))))
	}
	return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2])
}

// Scale colours runs from low to high by a number of each. Runs without one have no place, and are
// grey.
type Scale struct {
	at          map[string]float64 // 0 to 1
	Least, Most string             // runs at its ends
}

// NewScale makes the scale from the least value of the shown runs to the greatest; what lies beyond
// is at its ends. log goes by the logarithms of values, which those that are not above 0 do not
// have. It is nil where no shown run has a place.
func NewScale(values map[string]float64, shown []string, log bool) *Scale {
	s := &Scale{at: make(map[string]float64, len(values))}
	for run, x := range values {
		if log {
			x = math.Log(x)
		}
		if x-x == 0 {
			s.at[run] = x
		}
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, run := range shown {
		x, ok := s.at[run]
		if ok && x < lo {
			lo, s.Least = x, run
		}
		if ok && x > hi {
			hi, s.Most = x, run
		}
	}
	if s.Least == "" {
		return nil
	}
	for run, x := range s.at {
		s.at[run] = 0.5
		if hi > lo {
			s.at[run] = (x/2 - lo/2) / (hi/2 - lo/2) // of halves: the whole may be too large for a number
		}
	}
	return s
}

// Has reports whether a run has a place on the scale.
func (s *Scale) Has(run string) bool {
	_, ok := s.at[run]
	return ok
}

// hex is a run's colour.
func (s *Scale) hex(run string, dark bool) string {
	at, ok := s.at[run]
	if !ok {
		return Inactive(dark)
	}
	return Ramp(at, dark)
}
