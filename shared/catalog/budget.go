package catalog

import "github.com/tensorbored/tensorbored-static/shared/series"

// Budget
//
// Memory is bounded by a number of points, see Weight. As long as all fit, all are kept. Then
// the longest series are thinned (see series.Scalars.Thin): a cap is halved until
// the points that stay, of every series at most cap, fit. The cap follows from the
// numbers of points alone and only ever falls as they grow, so which points stay
// depends on what the files hold and not on the order in which they were read.

// Weight returns how much of the budget is used up, in points: the points of scalars
// that are kept, the sparse index, the references to values that stay in their files, and
// names of tags with what is said of them. The latter three stay however much is thinned.
func (c *Catalog) Weight() int64 {
	sum := int64(0)
	for _, r := range c.Runs {
		sum += r.Weight()
	}
	return sum
}

// Weight is what the run has of the catalog's Weight.
func (r *Run) Weight() int64 {
	sum := r.references()
	r.each(func(s *series.Scalars) bool { sum += s.Kept() + index(s); return true })
	return sum
}

// index is what the sparse index of a series weighs, in points: a line has 40 bytes,
// a point 10 with what the collector leaves lying.
func index(s *series.Scalars) int64 { return s.Len() / series.ChunkPoints * 4 }

// refWeight is what a reference weighs, in points: it has 32 bytes.
const refWeight = 3

// nameWeight is how many bytes of names weigh as much as a point: they are held twice, and
// packed for the page.
const nameWeight = 4

// references is what the run's references and names weigh.
func (r *Run) references() int64 {
	n, names := 0, int64(0)
	for _, f := range r.parts() {
		names += f.names
		for _, g := range f.segments {
			for _, s := range g.order {
				n += len(s.Refs.Points)
			}
		}
	}
	return int64(n)*refWeight + names/nameWeight
}

// Fit thins until the weight is about limit. cap is what the last call returned, 0 at
// first.
func (c *Catalog) Fit(limit, cap int64) int64 {
	cap = c.Cap(limit, cap)
	for _, r := range c.Runs {
		r.ThinTo(cap, nil)
	}
	return cap
}

// Cap is how many points a series may keep so that the weight is about limit; cap is what the
// last call returned, 0 at first. Nothing is thinned.
func (c *Catalog) Cap(limit, cap int64) int64 {
	if cap == 0 {
		cap = limit
	}
	fixed := int64(0)
	var lengths []int64
	for _, r := range c.Runs {
		fixed += r.references()
		r.each(func(s *series.Scalars) bool {
			fixed += index(s)
			lengths = append(lengths, s.Len())
			return true
		})
	}
	for ; cap > MinCap; cap /= 2 {
		sum := fixed
		for _, n := range lengths {
			sum += series.Estimate(n, series.LevelFor(n, cap))
		}
		if sum <= limit {
			break
		}
	}
	return cap
}

// ThinTo thins each series of the run to about most points; what has them is left as it is.
// After each that it thins it asks late, which may be nil, whether its turn is over, and
// reports whether it came to the end.
func (r *Run) ThinTo(most int64, late func() bool) bool {
	done := true
	r.each(func(s *series.Scalars) bool {
		was := s.Level()
		s.ThinTo(most)
		done = s.Level() == was || late == nil || !late()
		return done
	})
	return done
}

// Most thins each series to about most points, whatever the budget.
func (c *Catalog) Most(most int64) {
	for _, r := range c.Runs {
		r.ThinTo(max(most, MinCap), nil)
	}
}

// Thinned reports whether some of the file's points of scalars are not kept.
func (f *File) Thinned() bool {
	for _, g := range f.segments {
		for _, s := range g.order {
			if s.Scalars.Kept() < s.Scalars.Len() {
				return true
			}
		}
	}
	return f.tail != nil && f.tail.Thinned()
}

// MinCap is where thinning ends: fewer points a series would be no curve.
const MinCap = 64

// each calls f for every series of scalars, until it says that it has enough.
func (r *Run) each(f func(s *series.Scalars) bool) {
	for _, file := range r.parts() {
		for _, g := range file.segments {
			for _, s := range g.order {
				if s.Scalars.Len() > 0 && !f(&s.Scalars) {
					return
				}
			}
		}
	}
}
