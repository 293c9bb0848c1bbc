package runtable

import (
	"math"

	"github.com/tensorbored/tensorbored-static/shared/hparams"
	"github.com/tensorbored/tensorbored-static/shared/session"
)

// Axis is a column as an axis of a plot: of numbers, or of names, its values in their
// order. At says by row where the row stands: its number, or the index of its name. Rows
// without one, NaN here, have a place of their own: those that are missing, and on an axis
// of numbers also None and numbers that are not finite.
type Axis struct {
	Numeric bool
	Names   []string
	At      []float64
}

// Axis makes the column an axis of some rows. It is one of numbers if numbers, None and
// nothing are all that it has.
func (c *Column) Axis(rows []int) (a Axis) {
	a.At = make([]float64, len(rows))
	finite := false
	a.Numeric = true
	for i, r := range rows {
		v := &c.Cells[r]
		a.At[i] = math.NaN()
		switch v.Kind {
		case hparams.Number:
			if v.Num-v.Num == 0 {
				a.At[i], finite = v.Num, true
			}
		case hparams.Bool, hparams.Text:
			a.Numeric = false
		}
	}
	if a.Numeric = a.Numeric && finite; a.Numeric {
		return a
	}
	name := make([]int, len(c.Cells)) // by rank: 1 if it is there, then its index
	of := make([]string, len(c.Cells))
	rank := c.ranks()
	for _, r := range rows {
		if k := rank[r]; k >= 0 && name[k] == 0 {
			name[k], of[k] = 1, c.Cells[r].String()
		}
	}
	for k, there := range name {
		if there > 0 {
			name[k] = len(a.Names)
			a.Names = append(a.Names, of[k])
		}
	}
	for i, r := range rows {
		if k := rank[r]; k >= 0 {
			a.At[i] = float64(name[k])
		} else {
			a.At[i] = math.NaN()
		}
	}
	return a
}

// MostBrushed is how many values a filter may list that was made by a brush.
const MostBrushed = 1000

// Brush returns the filter that lets pass what stands between lo and hi on the column's
// axis of rows, both included; with none also what stands in the place of those that have
// no number or name. An empty interval (lo > hi) is that place alone. ok is false if it
// would have to list too many values.
func (c *Column) Brush(rows []int, lo, hi float64, none bool) (f session.ColumnFilter, ok bool) {
	a := c.Axis(rows)
	f.Missing = none
	if !a.Numeric {
		f.Only = true
		for i := max(0, math.Ceil(lo)); i <= hi && i < float64(len(a.Names)); i++ {
			f.Values = append(f.Values, a.Names[int(i)])
		}
		return f, len(f.Values) <= MostBrushed
	}
	seen := map[string]bool{}
	add := func(r int) {
		if text := c.Cells[r].String(); !seen[text] {
			seen[text] = true
			f.Values = append(f.Values, text)
		}
	}
	if none {
		for i, r := range rows {
			if a.At[i] != a.At[i] && c.Cells[r].Kind != hparams.Missing { // None, NaN, infinite
				add(r)
			}
		}
	}
	switch {
	case lo > hi:
		f.Only = true
	case len(f.Values) == 0:
		f.Lo, f.Hi = &lo, &hi
	default: // an interval, and None: no bound says that
		f.Only = true
		for i, r := range rows {
			if x := a.At[i]; x == x && within(x, lo, 1) && within(x, hi, -1) {
				add(r)
			}
		}
	}
	return f, len(f.Values) <= MostBrushed
}
