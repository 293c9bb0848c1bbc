package series

import "sort"

// NoCut is the step below which every step is.
const NoCut = int64(1<<63 - 1)

// Cut says which points of a series count. It is laid over them when they are asked
// for, so that none goes for good: whether one is orphaned may depend on what is read
// later.
type Cut struct {
	Step  int64  // points with this step or a greater one are orphaned; NoCut = none is
	Drops []Drop // further ones, of which each reaches back from a place in the series
}

// Drop says that points which stand before a place are orphaned.
type Drop struct {
	Points int64 // of Scalars: those with a number below this one, …
	Refs   int64 // … and of Refs: those below this one,
	Step   int64 // which have this step or a greater one
}

// Whole is the cut that leaves every point.
var Whole = Cut{Step: NoCut}

// Before appends d, which comes after all of drops in the file. Those that d covers
// go: so steps ascend, and there are no more than are needed.
func Before(drops []Drop, d Drop) []Drop {
	for len(drops) > 0 && drops[len(drops)-1].Step >= d.Step {
		drops = drops[:len(drops)-1]
	}
	return append(drops, d)
}

// at returns the step from which on point n is orphaned.
func (c *Cut) at(n int64) int64 {
	at, _ := c.over(n, n+1)
	return at
}

// over returns that step for the points of [from, to), if it is the same for all.
func (c *Cut) over(from, to int64) (at int64, even bool) {
	if len(c.Drops) == 0 {
		return c.Step, true
	}
	// Steps ascend, so of the drops behind a point the next one reaches furthest.
	i := sort.Search(len(c.Drops), func(i int) bool { return c.Drops[i].Points > from })
	if i == len(c.Drops) {
		return c.Step, true
	}
	return min(c.Step, c.Drops[i].Step), c.Drops[i].Points >= to
}

// Keeps reports whether point n of a series of scalars, which has that step, counts.
func (c *Cut) Keeps(n int64, step float64) bool {
	at := c.at(n)
	return at == NoCut || step < float64(at)
}
