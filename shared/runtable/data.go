package runtable

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/hparams"
	"github.com/tensorbored/tensorbored-static/shared/natural"
)

// Data are what columns are made of. Rows are runs, by number. What it is given must not
// be changed afterwards.
type Data struct {
	Runs     []string
	Sessions map[string]*hparams.Session // by run, of those that log one
	Notes    map[string]string           // the user's, by run
	Tags     map[string]string           // likewise
	Starts   map[string]float64          // of runs, seconds since 1970; 0 = unknown

	at      map[string]int
	owners  []string           // of rows: the run whose session they belong to, "" none …
	session []*hparams.Session // … and that session
	numbers map[Key][]uint64   // of scalars, by row: their bits, or nothing; keys without groups
	columns map[Key]*Column
	units   map[bool]*units // see Units
}

// Column is a column's cells and what follows from them.
type Column struct {
	Cells []Value
	rank  []int32 // in ascending order, equal ones the same; missing ones have -1
	look  *look   // how its numbers are written; nil = not found out
}

// SetRuns says which rows there are.
func (d *Data) SetRuns(runs []string) {
	if slices.Equal(runs, d.Runs) {
		return
	}
	old := d.Runs
	d.Runs = slices.Clone(runs)
	d.at = make(map[string]int, len(runs))
	for i, r := range runs {
		d.at[r] = i
	}
	for k, m := range d.numbers { // numbers stay with their runs
		d.numbers[k] = d.none()
		for i, x := range m {
			if to, ok := d.at[old[i]]; ok {
				d.numbers[k][to] = x
			}
		}
	}
	d.Changed()
}

// Changed says that something else of Data is different.
func (d *Data) Changed() { d.owners, d.session, d.columns, d.units = nil, nil, nil, nil }

// SetNumber sets the number of a run for a column of scalars without a group; ok is false
// where there is none. Columns follow.
func (d *Data) SetNumber(k Key, run string, x float64, ok bool) {
	d.SetNumbers([]Key{k})(run, []float64{x}, []bool{ok})
}

// SetNumbers is SetNumber for many runs: what it returns sets the numbers of a run, one for
// each of the columns.
func (d *Data) SetNumbers(columns []Key) func(run string, x []float64, ok []bool) {
	if d.numbers == nil {
		d.numbers = map[Key][]uint64{}
	}
	lists := make([][]uint64, len(columns))
	for i, k := range columns {
		if d.numbers[k] == nil {
			d.numbers[k] = d.none()
		}
		lists[i] = d.numbers[k]
	}
	changed := make([]bool, len(columns)) // once is enough
	return func(run string, x []float64, ok []bool) {
		at, known := d.at[run]
		if !known {
			return
		}
		for i, list := range lists {
			bits := uint64(nothing)
			if ok[i] {
				bits = math.Float64bits(x[i])
			}
			if list[at] == bits {
				continue
			}
			list[at] = bits
			if !changed[i] {
				changed[i] = true
				for key := range d.columns {
					if in := (Key{Of: key.Of, Name: key.Name, Step: key.Step}); in == columns[i] {
						delete(d.columns, key)
					}
				}
			}
		}
	}
}

// nothing stands for a number that there is not; see shared/kind/hparams.
const nothing = 0x7ff8_6e6f_7468_696e

// none is a number for each row, none of them there.
func (d *Data) none() []uint64 {
	m := make([]uint64, len(d.Runs))
	for i := range m {
		m[i] = nothing
	}
	return m
}

// Row returns the number of a run's row, -1 if it has none.
func (d *Data) Row(run string) int {
	if i, ok := d.at[run]; ok {
		return i
	}
	return -1
}

// Owner returns the run whose session a row belongs to, "" if there is none.
func (d *Data) Owner(row int) string {
	if d.owners == nil {
		d.owners, d.session = make([]string, len(d.Runs)), make([]*hparams.Session, len(d.Runs))
		for i, run := range d.Runs {
			d.owners[i], _ = hparams.Owner(run, func(r string) bool { return d.Sessions[r] != nil })
			d.session[i] = d.Sessions[d.owners[i]]
		}
	}
	return d.owners[row]
}

// Column returns a column; it is kept until something changes.
func (d *Data) Column(k Key) *Column {
	if c := d.columns[k]; c != nil {
		return c
	}
	c := &Column{Cells: make([]Value, len(d.Runs))}
	hint := 0
	for i, run := range d.Runs {
		c.Cells[i] = d.cell(k, i, run, &hint)
	}
	if d.columns == nil {
		d.columns = map[Key]*Column{}
	}
	d.columns[k] = c
	return c
}

// cell is the value of a row; hint, if any, is where the last one found a hyperparameter:
// most sessions have it at the same place.
func (d *Data) cell(k Key, row int, run string, hint *int) Value {
	if k.IsScalar() {
		from, in := row, k
		if in.Group = ""; k.Group != "" {
			var ok bool
			if from, ok = d.at[hparams.RunOf(run, k.Group)]; !ok {
				if from = row; !strings.HasSuffix(run, "/"+k.Group) && run != k.Group {
					return Value{}
				}
			}
		}
		if m := d.numbers[in]; m != nil && m[from] != nothing {
			return Value{Kind: hparams.Number, Num: math.Float64frombits(m[from])}
		}
		return Value{}
	}
	text := func(s string) Value {
		if s == "" {
			return Value{}
		}
		return Value{Kind: hparams.Text, Text: s}
	}
	switch k.Of {
	case "run":
		return text(run)
	case "note":
		return text(d.Notes[run])
	case "tags":
		return text(d.Tags[run])
	}
	d.Owner(row)
	s := d.session[row]
	if k.Of == "start" {
		start := d.Starts[run]
		if s != nil && s.Start > 0 {
			start = s.Start
		}
		if start > 0 {
			return Value{Kind: hparams.Number, Num: start}
		}
		return Value{}
	}
	if s == nil {
		return Value{}
	}
	switch k.Of {
	case Param:
		if hint != nil && *hint < len(s.Params) && s.Params[*hint].Name == k.Name {
			return s.Params[*hint].Value
		}
		if i, ok := slices.BinarySearchFunc(s.Params, k.Name, func(p hparams.Param, name string) int { return strings.Compare(p.Name, name) }); ok {
			if hint != nil {
				*hint = i
			}
			return s.Params[i].Value
		}
	case "status":
		return text(s.Status.String())
	case "duration":
		if s.End > s.Start && s.Start > 0 {
			return Value{Kind: hparams.Number, Num: s.End - s.Start}
		}
	}
	return Value{}
}

// Compare orders values: numbers, then booleans, texts as a reader expects, None, and
// what is missing. NaN comes behind all numbers.
func Compare(a, b Value) int {
	order := [...]int{hparams.Number: 0, hparams.Bool: 1, hparams.Text: 2, hparams.None: 3, hparams.Missing: 4}
	if x, y := order[a.Kind], order[b.Kind]; x != y {
		return x - y
	}
	switch a.Kind {
	case hparams.Number, hparams.Bool:
		switch x, y := a.Num == a.Num, b.Num == b.Num; {
		case x && !y:
			return -1
		case y && !x:
			return 1
		}
		return cmp.Compare(a.Num, b.Num)
	case hparams.Text:
		return natural.Compare(a.Text, b.Text)
	}
	return 0
}

// ranks returns each row's place among the distinct values; missing ones have -1.
func (c *Column) ranks() []int32 {
	if c.rank != nil {
		return c.rank
	}
	order := make([]int, 0, len(c.Cells))
	c.rank = make([]int32, len(c.Cells))
	for i, v := range c.Cells {
		if c.rank[i] = -1; v.Kind != hparams.Missing {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return Compare(c.Cells[a], c.Cells[b]) })
	n := int32(0)
	for k, i := range order {
		if k > 0 && Compare(c.Cells[order[k-1]], c.Cells[i]) != 0 {
			n++
		}
		c.rank[i] = n
	}
	return c.rank
}

// Differs reports whether rows have more than one value here, to be without one being one
// of them.
func (c *Column) Differs(rows []int) bool {
	for _, r := range rows {
		if differ(&c.Cells[r], &c.Cells[rows[0]]) {
			return true
		}
	}
	return false
}

// differ reports whether two values are not the same; NaN is the same as NaN.
func differ(a, b *Value) bool {
	return a.Kind != b.Kind || a.Text != b.Text || a.Num != b.Num && (a.Num == a.Num || b.Num == b.Num)
}
