package scalars

import (
	"math"
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/smooth"
)

// Numbers of a run in an answer to a query with Table, in the order in which they stand
// in the buffer. "At" is the point whose step is closest to the step asked for, of two to the
// lesser; of equally close ones the smaller, and of several of one step the last. Those behind
// it are of a range: "end" is closest to the greater step; the others are over all points between
// the two that are finite, of the smoothed curve where there is one.
const (
	AtStep = iota
	AtWall
	AtValue
	AtSmoothed
	EndStep
	EndWall
	EndValue
	EndSmoothed
	LeastValue
	LeastStep
	GreatestValue
	GreatestStep
	MeanValue
	RangePoints // how many they are
	TableNumbers
)

// table appends the numbers of every run that q names and c has, and describes them: N is
// TableNumbers and Offset where they begin.
func (s *curves) table(c *catalog.Catalog, q *Curves, buf []uint64) ([]uint64, []Part) {
	var parts []Part
	for _, name := range q.Runs {
		p := Part{Run: name, Offset: 8 * len(buf), N: TableNumbers}
		if !s.load(c, q, &p, nil) {
			continue
		}
		p.Full = !p.Preview && p.Kept == p.Points
		smoothed := s.points.Value
		ends, from := s.stretches(q), 0
		// Relative times are since the start of the stretch, as on the axis and in tooltips.
		at := closest(s.points.Step, slices.Min(q.Table))
		for _, end := range ends {
			if end <= at {
				from = end
			}
		}
		p.Start = start(s.points.Wall[from:])
		if q.Weight > 0 {
			s.smoothed = append(s.smoothed[:0], s.points.Value...)
			smoothed = s.smoothed
			from := 0
			for _, end := range ends {
				stretch := series.Columns{Step: s.points.Step[from:end], Wall: s.points.Wall[from:end], Value: s.points.Value[from:end]}
				s.scratch = smooth.Of(q.Smoother, smoothed[from:end], axis(q.X, stretch), stretch.Value, q.Weight, s.scratch)
				from = end
			}
		}
		for _, v := range tableOf(&s.points, smoothed, q.Table) {
			buf = append(buf, math.Float64bits(v))
		}
		parts = append(parts, p)
	}
	return buf, parts
}

// tableOf computes a run's numbers; those of a range are NaN without a second step.
func tableOf(points *series.Columns, smoothed []float64, steps []float64) (out [TableNumbers]float64) {
	for i := range out {
		out[i] = math.NaN()
	}
	put := func(at, i int) {
		out[at], out[at+1], out[at+2], out[at+3] = points.Step[i], points.Wall[i], points.Value[i], smoothed[i]
	}
	lo, hi := slices.Min(steps), slices.Max(steps)
	put(AtStep, closest(points.Step, lo))
	if len(steps) < 2 {
		return out
	}
	put(EndStep, closest(points.Step, hi))
	n, sum := 0, 0.0
	for i, step := range points.Step {
		y := smoothed[i]
		if !(step >= lo && step <= hi) || y-y != 0 {
			continue
		}
		if n == 0 || y < out[LeastValue] {
			out[LeastValue], out[LeastStep] = y, step
		}
		if n == 0 || y > out[GreatestValue] {
			out[GreatestValue], out[GreatestStep] = y, step
		}
		n++
		sum += y
	}
	out[RangePoints] = float64(n)
	if n > 0 {
		out[MeanValue] = sum / float64(n)
	}
	return out
}

// closest returns the number of the point whose step is closest to a step.
func closest(steps []float64, step float64) (best int) {
	least := math.Inf(1)
	for i, s := range steps {
		d := math.Abs(s - step)
		if d < least || d == least && s <= steps[best] {
			best, least = i, d
		}
	}
	return best
}
