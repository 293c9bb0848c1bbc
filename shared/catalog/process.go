package catalog

import (
	"math"
	"slices"
	"sort"
)

// ProcessTimes appends, for wall times, how long the run's jobs had been at work by then,
// in seconds: the time since the run's first event, less the pauses between the end of one
// job's events and the beginning of the next one's. A job is what stands in one file, or
// between two starts in it.
func (r *Run) ProcessTimes(dst, wall []float64) []float64 {
	type span struct{ from, to float64 }
	var jobs []span
	for _, f := range r.parts() {
		begun := f.firstWall
		for _, g := range f.segments {
			s := span{math.Inf(1), math.Inf(-1)}
			reach := func(w float64) {
				if w-w == 0 {
					s.from, s.to = min(s.from, w), max(s.to, w)
				}
			}
			for _, x := range g.order {
				if x.Scalars.Len() > 0 {
					_, first, _ := x.Scalars.First()
					_, last, _ := x.Scalars.Last()
					reach(first)
					reach(last)
				}
			}
			if s.to >= s.from {
				reach(begun) // the file's first event is of its first job that logged
				begun = math.NaN()
				jobs = append(jobs, s)
			}
		}
	}
	sort.SliceStable(jobs, func(i, j int) bool { return jobs[i].from < jobs[j].from })
	// pauses: from when on how much is to be taken off.
	type pause struct{ at, sum float64 }
	var pauses []pause
	start, end, sum := r.Start(), math.Inf(-1), 0.0
	if len(jobs) > 0 {
		start = jobs[0].from
	}
	for i, j := range jobs {
		if i > 0 && j.from > end {
			sum += j.from - end
			pauses = append(pauses, pause{j.from, sum})
		}
		end = max(end, j.to)
	}
	for _, w := range wall {
		k, _ := slices.BinarySearchFunc(pauses, w, func(p pause, w float64) int {
			if p.at <= w {
				return -1
			}
			return 1
		})
		t := w - start
		if k > 0 {
			t -= pauses[k-1].sum
		}
		dst = append(dst, t)
	}
	return dst
}
