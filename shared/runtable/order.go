package runtable

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/filter"
	"github.com/tensorbored/tensorbored-static/shared/hparams"
	"github.com/tensorbored/tensorbored-static/shared/natural"
	"github.com/tensorbored/tensorbored-static/shared/session"
)

// Sort sorts rows by columns, the first of which counts most; those that are equal in all
// stay in their order. Rows without a value come last, whichever the direction. by are
// keys, with "-" before it for the greatest first.
func (d *Data) Sort(rows []int, by []string) {
	other := make([]int, len(rows))
	for i := len(by) - 1; i >= 0; i-- { // by counting, the least important column first
		key, down := strings.CutPrefix(by[i], "-")
		rank := d.Column(ParseKey(key)).ranks()
		most := int32(0)
		for _, r := range rows {
			most = max(most, rank[r])
		}
		place := func(r int) int32 {
			switch x := rank[r]; {
			case x < 0:
				return most + 1
			case down:
				return most - x
			default:
				return x
			}
		}
		begin := make([]int32, most+3)
		for _, r := range rows {
			begin[place(r)+1]++
		}
		for k := 1; k < len(begin); k++ {
			begin[k] += begin[k-1]
		}
		for _, r := range rows {
			p := place(r)
			other[begin[p]] = r
			begin[p]++
		}
		copy(rows, other)
	}
}

// Match returns which rows pass all filters; nil: all do. The error is that of an
// expression that cannot be understood, which lets everything pass.
func (d *Data) Match(filters map[string]session.ColumnFilter) (pass []bool, err error) {
	if len(filters) == 0 {
		return nil, nil
	}
	pass = make([]bool, len(d.Runs))
	for i := range pass {
		pass[i] = true
	}
	for text, f := range filters {
		key := ParseKey(text)
		c := d.Column(key)
		var re filter.Filter
		if e := re.Set(f.Regex); e != nil {
			err = e
		}
		values := make(map[string]bool, len(f.Values))
		for _, v := range f.Values {
			values[v] = true
		}
		for i, v := range c.Cells {
			if v.Kind == hparams.Missing {
				pass[i] = pass[i] && f.Missing
				continue
			}
			if !pass[i] {
				continue
			}
			number := v.Kind == hparams.Number || v.Kind == hparams.Bool
			switch {
			case (f.Lo != nil || f.Hi != nil) && !number,
				f.Lo != nil && !within(v.Num, *f.Lo, 1), f.Hi != nil && !within(v.Num, *f.Hi, -1),
				f.Only && !values[v.String()],
				f.Regex != "" && !re.Match(v.String()):
				pass[i] = false
			}
		}
	}
	return pass, err
}

// within reports whether x is at least a bound (sign 1) or at most (-1). A bound is typed
// as numbers are shown: 0.02 is as much as the float32 that is shown as 0.02.
func within(x, bound, sign float64) bool {
	return sign*x >= sign*bound || float64(float32(x)) == x && float64(float32(bound)) == x
}

// Group is some rows with an equal value in a column.
type Group struct {
	Value Value
	Rows  []int
}

// GroupBy puts rows together by their values in a column. Groups stand in the order of
// their values, or, where rows are sorted by numbers of another column, in that of their
// means there; rows stay in their order.
func (d *Data) GroupBy(rows []int, k Key, by []string) []Group {
	rank := d.Column(k).ranks()
	at := map[int32]int{}
	var out []Group
	for _, r := range rows {
		i, ok := at[rank[r]]
		if !ok {
			i = len(out)
			at[rank[r]] = i
			out = append(out, Group{Value: d.Column(k).Cells[r]})
		}
		out[i].Rows = append(out[i].Rows, r)
	}
	down, other := false, ""
	if len(by) > 0 {
		other, down = strings.CutPrefix(by[0], "-")
	}
	c := d.Column(ParseKey(other))
	compare := func(a, b *Group) int {
		sign := map[bool]int{true: -1, false: 1}[down]
		if other != "" && ParseKey(other) != k {
			x, y := c.Mean(a.Rows), c.Mean(b.Rows)
			switch {
			case x.N > 0 && y.N > 0 && x.Mean != y.Mean:
				return sign * cmp.Compare(x.Mean, y.Mean)
			case (x.N > 0) != (y.N > 0):
				return y.N - x.N
			}
			sign = 1
		}
		if (a.Value.Kind == hparams.Missing) != (b.Value.Kind == hparams.Missing) {
			return Compare(a.Value, b.Value)
		}
		return sign * Compare(a.Value, b.Value)
	}
	sort.SliceStable(out, func(i, j int) bool { return compare(&out[i], &out[j]) < 0 })
	return out
}

// Stats are the mean of N numbers and their deviation (the sample's, 0 of a single one).
type Stats struct {
	N               int
	Mean, Deviation float64
}

// Mean returns the mean of the finite numbers of rows.
func (c *Column) Mean(rows []int) (s Stats) {
	squares := 0.0
	for _, r := range rows {
		v := c.Cells[r]
		if v.Kind != hparams.Number || v.Num-v.Num != 0 {
			continue
		}
		s.N++
		d := v.Num - s.Mean
		s.Mean += d / float64(s.N)
		squares += d * (v.Num - s.Mean)
	}
	if s.N > 1 {
		s.Deviation = math.Sqrt(squares / float64(s.N-1))
	}
	return s
}

// Summary writes what a column has in some rows: their common value; of numbers the mean
// and the deviation; otherwise how many values there are.
func (c *Column) Summary(k Key, rows []int) string {
	if len(rows) == 0 {
		return ""
	}
	if !c.Differs(rows) {
		return c.Format(k, c.Cells[rows[0]], false)
	}
	if s := c.Mean(rows); s.N > 0 && k.Of != "start" {
		text := strconv.FormatFloat(s.Mean, 'g', fewDigits, 64) + " ± " + strconv.FormatFloat(s.Deviation, 'g', 2, 64)
		if s.N < len(rows) {
			text += " (" + strconv.Itoa(s.N) + ")"
		}
		return text
	}
	seen := map[int32]bool{}
	for _, r := range rows {
		if x := c.ranks()[r]; x >= 0 {
			seen[x] = true
		}
	}
	return strconv.Itoa(len(seen)) + " values"
}

// Numeric reports whether the first value of a column is a number.
func (d *Data) Numeric(k Key) bool {
	for i, run := range d.Runs {
		if v := d.cell(k, i, run, nil); v.Kind != hparams.Missing {
			return v.Kind == hparams.Number
		}
	}
	return false
}

// Choice is a value that a column has, and in how many rows.
type Choice struct {
	Text string `json:"text"`
	N    int    `json:"n"`
}

// maxChoices is how many values are listed.
const maxChoices = 200

// Choices lists a column's values in their order, at most maxChoices, and its least and
// greatest finite number; numbers is how many it has, missing how many rows have none.
func (c *Column) Choices() (list []Choice, lo, hi float64, numbers, missing int) {
	at := map[int32]int{}
	var order []int
	for i, r := range c.ranks() {
		v := c.Cells[i]
		if r < 0 {
			missing++
			continue
		}
		if v.Kind == hparams.Number && v.Num-v.Num == 0 {
			if numbers == 0 {
				lo, hi = v.Num, v.Num
			}
			lo, hi = min(lo, v.Num), max(hi, v.Num)
			numbers++
		}
		if _, ok := at[r]; !ok {
			at[r] = len(list)
			order = append(order, int(r))
			list = append(list, Choice{Text: v.String()})
		}
		list[at[r]].N++
	}
	slices.SortFunc(order, func(a, b int) int { return a - b })
	out := make([]Choice, 0, min(len(order), maxChoices))
	for _, r := range order[:min(len(order), maxChoices)] {
		out = append(out, list[at[int32(r)]])
	}
	return out, lo, hi, numbers, missing
}

// Units returns the rows of the table, each a session with all runs below it, or a run
// that belongs to none, and the runs of each. Where there are sessions the others are left
// out unless all is set. What it returns must not be changed.
func (d *Data) Units(all bool) (rows []int, members map[int][]string) {
	if u := d.units[all]; u != nil {
		return u.rows, u.members
	}
	members = map[int][]string{}
	for i, run := range d.Runs {
		row := i
		if owner := d.Owner(i); owner != "" {
			row = d.Row(owner)
		} else if !all && len(d.Sessions) > 0 {
			continue
		}
		if row < 0 {
			row = i // the session's run has gone
		}
		if members[row] == nil {
			rows = append(rows, row)
		}
		members[row] = append(members[row], run)
	}
	if d.units == nil {
		d.units = map[bool]*units{}
	}
	d.units[all] = &units{rows, members}
	return rows, members
}

// units is what Units has found.
type units struct {
	rows    []int
	members map[int][]string
}

const (
	firstParams  = 12 // hyperparameters that are columns at first …
	firstMetrics = 8  // … and metrics
)

// FirstColumns are the columns of a table in which nobody has chosen any: hyperparameters
// that differ in the rows (or all that they have, if none does), in the order of the
// experiment, and its metrics. Where no experiment names a metric that the rows have, they
// are inferred, as TensorBoard does: the scalars of the rows' runs, those that most rows
// have first. tags are the scalars by run and tag.
func FirstColumns[T any](d *Data, e *hparams.Experiment, rows []int, tags map[string]map[string]T) []Key {
	params := d.Params(e)
	out := d.Differing(params, rows)
	if len(out) == 0 {
		for _, name := range params {
			k := ParamKey(name)
			if c := d.Column(k); slices.ContainsFunc(rows, func(r int) bool { return c.Cells[r].Kind != hparams.Missing }) {
				out = append(out, k)
			}
		}
	}
	out = out[:min(len(out), firstParams)]
	n := 0
	for _, m := range e.Metrics {
		logged := slices.ContainsFunc(rows, func(r int) bool {
			_, ok := tags[hparams.RunOf(d.Runs[r], m.Group)][m.Tag]
			return ok
		})
		if logged && n < firstMetrics {
			n++
			out = append(out, Key{Of: "last", Name: m.Tag, Group: m.Group})
		}
	}
	if n > 0 {
		return out
	}
	return append(out, inferred(d, rows, tags)...)
}

// inferred are columns of scalars that the rows' runs have.
func inferred[T any](d *Data, rows []int, tags map[string]map[string]T) []Key {
	count := map[Key]int{}
	_, members := d.Units(true)
	for _, row := range rows {
		for _, run := range members[row] {
			for tag := range tags[run] {
				count[Key{Of: "last", Name: tag, Group: hparams.GroupOf(d.Runs[row], run)}]++
			}
		}
	}
	order := func(a, b Key) int {
		return cmp.Or(natural.Compare(a.Name, b.Name), natural.Compare(a.Group, b.Group))
	}
	list := make([]Key, 0, firstMetrics+1)
	for k := range count { // of 100,000 tags the first few
		at, _ := slices.BinarySearchFunc(list, k, func(a, b Key) int { return cmp.Or(count[b]-count[a], order(a, b)) })
		if list = slices.Insert(list, at, k); len(list) > firstMetrics {
			list = list[:firstMetrics]
		}
	}
	slices.SortFunc(list, order)
	return list
}

// Params are the names of all hyperparameters: those of the experiment in its order, then
// the others as a reader expects.
func (d *Data) Params(e *hparams.Experiment) []string {
	seen := map[string]bool{}
	var out []string
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	for _, p := range e.Params {
		add(p.Name)
	}
	n := len(out)
	var last []hparams.Param
	for _, s := range d.Sessions {
		// Most sessions have the same ones.
		if !slices.EqualFunc(s.Params, last, func(a, b hparams.Param) bool { return a.Name == b.Name }) {
			last = s.Params
			for _, p := range last {
				add(p.Name)
			}
		}
	}
	slices.SortFunc(out[n:], natural.Compare)
	return out
}

// Differing are the columns of those hyperparameters that are not the same in all rows.
func (d *Data) Differing(params []string, rows []int) (out []Key) {
	for _, name := range params {
		k, hint := ParamKey(name), 0
		var a Value
		for i, r := range rows {
			b := d.cell(k, r, "", &hint)
			if i == 0 {
				a = b
			}
			if differ(&a, &b) {
				out = append(out, k)
				break
			}
		}
	}
	return out
}

// Numbers returns a column's values of some rows as numbers: texts by their place in the
// order of all, NaN for what is missing; ordinal says that all are numbers or booleans.
func (c *Column) Numbers(rows []int) (x []float64, ordinal bool) {
	ordinal = true
	for _, r := range rows {
		v := c.Cells[r]
		switch v.Kind {
		case hparams.Number, hparams.Bool:
		case hparams.Missing, hparams.None:
			v.Num = math.NaN()
		default:
			ordinal = false
		}
		x = append(x, v.Num)
	}
	if !ordinal {
		for i, r := range rows {
			if x[i] = float64(c.ranks()[r]); c.Cells[r].Kind == hparams.Missing {
				x[i] = math.NaN()
			}
		}
	}
	return x, ordinal
}
