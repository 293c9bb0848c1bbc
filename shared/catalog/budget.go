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
	sum := c.references()
	c.each(func(s *series.Scalars) { sum += s.Kept() + index(s) })
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

// references is what all references and names weigh.
func (c *Catalog) references() int64 {
	n, names := 0, int64(0)
	for _, r := range c.Runs {
		for _, f := range r.parts() {
			names += f.names
			for _, g := range f.segments {
				for _, s := range g.order {
					n += len(s.Refs.Points)
				}
			}
		}
	}
	return int64(n)*refWeight + names/nameWeight
}

// Fit thins until the weight is about limit. cap is what the last call returned, 0 at
// first.
func (c *Catalog) Fit(limit, cap int64) int64 {
	if cap == 0 {
		cap = limit
	}
	fixed := c.references()
	total := func(cap int64) int64 {
		sum := fixed
		c.each(func(s *series.Scalars) {
			sum += series.Estimate(s.Len(), series.LevelFor(s.Len(), cap)) + index(s)
		})
		return sum
	}
	for cap > minCap && total(cap) > limit {
		cap /= 2
	}
	c.each(func(s *series.Scalars) { s.ThinTo(cap) })
	return cap
}

// Most thins each series to about most points, whatever the budget, and reports whether
// that changed anything.
func (c *Catalog) Most(most int64) (changed bool) {
	most = max(most, minCap)
	c.each(func(s *series.Scalars) {
		was := s.Level()
		s.ThinTo(most)
		changed = changed || s.Level() != was
	})
	return changed
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

// minCap is where thinning ends: fewer points a series would be no curve.
const minCap = 64

// each calls f for every series of scalars.
func (c *Catalog) each(f func(s *series.Scalars)) {
	for _, r := range c.Runs {
		for _, file := range r.parts() {
			for _, g := range file.segments {
				for _, s := range g.order {
					if s.Scalars.Len() > 0 {
						f(&s.Scalars)
					}
				}
			}
		}
	}
}
