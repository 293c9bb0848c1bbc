package card

import (
	"math"
	"slices"
)

// Timeline is where the one step of all cards may stand: the steps of values that cards show,
// each once, and, where there are curves, places that are spread evenly over their range.
type Timeline struct {
	steps  []int64 // ascending
	lo, hi int64   // of curves, where curves
	curves bool
	stops  []int64 // nil: to be made anew
}

const (
	spreadStops = 200  // places over the range of curves
	mostStops   = 2000 // more are no finer on the screen
	mostSteps   = 50_000
)

// Add adds the steps of values, ascending. Of very many every so manyth is kept.
func (t *Timeline) Add(steps []int64) {
	n := len(t.steps)
	if n > 0 && len(steps) > 0 && steps[0] >= t.steps[0] && steps[len(steps)-1] <= t.steps[n-1] && len(steps) <= n {
		known := true
		for _, s := range steps {
			if _, ok := slices.BinarySearch(t.steps, s); !ok {
				known = false
				break
			}
		}
		if known {
			return
		}
	}
	t.steps = append(t.steps, steps...)
	slices.Sort(t.steps)
	t.steps = evenly(slices.Compact(t.steps), mostSteps)
	t.stops = nil
}

// Span adds the range of a curve.
func (t *Timeline) Span(lo, hi float64) {
	if !(lo <= hi) || math.Abs(lo) > 1<<62 || math.Abs(hi) > 1<<62 {
		return
	}
	a, b := int64(math.Ceil(lo)), int64(math.Floor(hi))
	if !t.curves {
		t.lo, t.hi, t.curves, t.stops = a, b, true, nil
	}
	if a < t.lo || b > t.hi {
		t.lo, t.hi, t.stops = min(t.lo, a), max(t.hi, b), nil
	}
}

// Stops are the places, ascending, each once; the first and the last step are among them.
func (t *Timeline) Stops() []int64 {
	if t.stops != nil {
		return t.stops
	}
	out := slices.Clone(t.steps)
	if t.curves {
		n := min(int64(spreadStops), t.hi-t.lo)
		for i := range n + 1 {
			part := 0.0
			if n > 0 {
				part = float64(i) / float64(n)
			}
			out = append(out, t.lo+int64(math.Round(part*float64(t.hi-t.lo))))
		}
		slices.Sort(out)
		out = slices.Compact(out)
	}
	t.stops = evenly(out, mostStops)
	return t.stops
}

// At is the number of the stop that is nearest to a step; -1 if there are none.
func (t *Timeline) At(step int64) int {
	stops := t.Stops()
	i, ok := slices.BinarySearch(stops, step)
	if ok || i == 0 {
		return min(i, len(stops)-1)
	}
	if i == len(stops) || step-stops[i-1] <= stops[i]-step {
		return i - 1
	}
	return i
}

// evenly leaves at most n of a list, its ends among them.
func evenly(list []int64, n int) []int64 {
	if len(list) <= n {
		return list
	}
	out := make([]int64, n)
	for i := range out {
		out[i] = list[i*(len(list)-1)/(n-1)]
	}
	return out
}
