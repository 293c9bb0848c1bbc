// Package prcurves is the kind of data "pr_curves": precision over recall of binary
// classifiers, step by step. Curves stay in their event files; a question reads those that
// it needs.
package prcurves

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Name is the name of the kind, and of the plug-in whose tags it shows.
const Name = "pr_curves"

// MaxOver is of how many steps of a run the measures are answered.
const MaxOver = 500

// Query asks for the curves of a tag in several runs, one of each: the body of a wire.Query
// with one tag. With wire.Query.Every all curves are answered, in pieces.
type Query struct {
	// Step is the step that is wanted, or the nearest of each run; nil is its last.
	Step *int64 `json:"step,omitempty"`
	// Over asks for the measures of MaxOver steps, too.
	Over bool `json:"over,omitempty"`
}

// For makes the query for runs and a tag.
func (q Query) For(runs []string, tag string) wire.Query {
	return wire.NewQuery(Name, []string{tag}, runs, q)
}

// Part is what an answer's JSON holds for each run that has the tag. The buffer holds
// float64s, part by part: for each curve Columns columns of N numbers (threshold, true
// positives, false positives, true negatives, false negatives, precision, recall, F1, false
// positive rate, true positive rate) and its Measures in their order; then 2 + 5 columns of
// Over numbers: step, wall time in seconds since 1970, and the measures there.
type Part struct {
	stored.Head
	Curves []Item `json:"curves"`
	Over   int    `json:"over"`
}

// Item is one curve. N is 0 where there is an error.
type Item struct {
	Step  int64    `json:"step"`
	Wall  *float64 `json:"wall"` // seconds since 1970; null if it is no time
	N     int      `json:"n"`
	Error string   `json:"error,omitempty"` // why there is no curve
}

// Columns is how many columns a curve has in the buffer.
const Columns = 10

// Kind is the kind of data.
type Kind struct{}

// Name implements answer.Kind.
func (Kind) Name() string { return Name }

// Plugins implements answer.Kind.
func (Kind) Plugins() []string { return []string{Name} }

// Answerer implements answer.Kind.
func (Kind) Answerer(w answer.World) answer.Answerer { return &answerer{World: w} }

type answerer struct {
	answer.World
	// measured are measures that were computed, by where the curves stand: a run that
	// grows is asked for again and again.
	measured map[place]Measures
}

type place struct {
	path   string
	offset int64
}

// maxMeasured is how many are kept, of some 100 bytes each.
const maxMeasured = 1 << 16

// Forget implements answer.Answerer.
func (a *answerer) Forget() { a.measured = nil }

// limits: a curve of more than 170,000 thresholds is none.
var limits = stored.Limits{Value: 4 << 20, Answer: 4 << 20, Values: 512}

// Begin implements answer.Answerer.
func (a *answerer) Begin(w *wire.Query) (answer.Job, error) {
	var q Query
	if len(w.Body) > 0 {
		if err := json.Unmarshal(w.Body, &q); err != nil {
			return nil, &wire.QueryError{What: err.Error()}
		}
	}
	if len(w.Tags) != 1 {
		return nil, &wire.QueryError{What: "PR curves are asked for by runs and one tag"}
	}
	j := &job{a: a, every: w.Every}
	for _, name := range w.Runs {
		one := *w
		one.Runs = []string{name}
		r := &run{Job: stored.New(a.Catalog, &one, stored.Query{}, limits), shown: -1}
		if !r.Found {
			continue
		}
		j.runs = append(j.runs, r)
		if w.Every {
			r.SelectAll()
			continue
		}
		r.choose(a, q)
	}
	return j, nil
}

// run is a run's part of a job.
type run struct {
	*stored.Job
	shown  int   // number of the value that is wanted; -1 with Every: each
	over   []int // numbers of those whose measures are wanted
	under  bool  // values are being read
	more   bool
	curves []curve
}

// curve is one that was read.
type curve struct {
	Curve
	Item
}

// choose selects what must be read.
func (r *run) choose(a *answerer, q Query) {
	values := r.Values()
	n := len(values)
	if n == 0 {
		return
	}
	r.shown = n - 1
	if q.Step != nil {
		r.shown = stored.Nearest(r.Head.Steps, *q.Step)
	}
	order := []int{r.shown}
	if q.Over {
		stride := (n + MaxOver - 1) / MaxOver
		for i := n - 1; i >= 0; i -= stride { // the last one among them
			r.over = append(r.over, i)
			if _, ok := a.measured[placeOf(&values[i])]; !ok && i != r.shown {
				order = append(order, i)
			}
		}
	}
	r.Select(order)
}

func placeOf(v *catalog.Stored) place { return place{v.Path, v.Offset} }

// job answers a query.
type job struct {
	a     *answerer
	runs  []*run
	every bool
	have  bool   // a piece has been read
	parts []Part // of the answer that is being made; nil if none is
	asked []struct {
		r *run
		i int
	}
}

// Next implements answer.Job.
func (j *job) Next(out *answer.Out) answer.Step {
	if j.parts == nil {
		if need := j.need(); len(need) > 0 {
			return answer.Step{Need: need}
		}
		j.parts = []Part{}
	}
	more := false
	for begun := false; len(j.parts) < len(j.runs); begun = true {
		if begun && out.Late() {
			return answer.Step{Busy: true}
		}
		j.parts = append(j.parts, j.runs[len(j.parts)].part(j.a, out))
	}
	for _, r := range j.runs {
		more = more || r.more
	}
	out.Parts, j.parts, j.have = j.parts, nil, false
	return answer.Step{More: more}
}

// need returns what must be read for the next answer.
func (j *job) need() []source.Range {
	for _, r := range j.runs {
		if r.under {
			_, r.more = r.Done()
			r.under = false
		}
	}
	if j.every && j.have {
		return nil
	}
	var need []source.Range
	j.asked = j.asked[:0]
	for _, r := range j.runs {
		ranges := r.Need()
		r.under = len(ranges) > 0
		for i := range ranges {
			j.asked = append(j.asked, struct {
				r *run
				i int
			}{r, i})
		}
		need = append(need, ranges...)
	}
	j.have = len(need) > 0
	return need
}

// Take implements answer.Job.
func (j *job) Take(i int, data []byte) {
	j.set(j.asked[i].r, j.asked[i].r.Value(j.asked[i].i, data, nil))
}

// Fail implements answer.Job.
func (j *job) Fail(i int, err error) { j.set(j.asked[i].r, j.asked[i].r.Value(j.asked[i].i, nil, err)) }

var errLong = errors.New("this PR curve is larger than what is read")

func (j *job) set(r *run, v stored.Value) {
	c := curve{Item: Item{Step: v.Step, Wall: v.WallTime()}}
	err := v.Err
	switch {
	case err != nil:
	case v.Cut:
		err = errLong
	default:
		if c.Curve, err = Decode(v.Body); err == nil && !j.every {
			err = c.Check()
		}
		if err != nil {
			err = fmt.Errorf("this value cannot be shown as a PR curve: %w", err)
		}
	}
	nan := math.NaN()
	m := Measures{nan, nan, nan, nan, nan}
	if err != nil {
		c.Error = err.Error()
		c.Curve = Curve{}
	} else {
		m = c.Measures()
	}
	c.N = len(c.TP)
	if !j.every && v.Err == nil {
		if j.a.measured == nil || len(j.a.measured) >= maxMeasured {
			j.a.measured = map[place]Measures{}
		}
		j.a.measured[placeOf(&v.Stored)] = m
	}
	if j.every || v.Number == r.shown {
		r.curves = append(r.curves, c)
	}
}

// part writes what was read into an answer.
func (r *run) part(a *answerer, out *answer.Out) Part {
	p := Part{Head: r.Head, Curves: []Item{}}
	put := func(x ...float64) {
		for _, v := range x {
			out.Words = append(out.Words, math.Float64bits(v))
		}
	}
	for i := range r.curves {
		c := &r.curves[i]
		p.Curves = append(p.Curves, c.Item)
		var threshold, f1, fpr, tpr []float64
		for k := range c.N {
			x, y := c.Rates(k)
			threshold, f1, fpr, tpr = append(threshold, c.Threshold(k)), append(f1, c.F1(k)), append(fpr, x), append(tpr, y)
		}
		for _, column := range [Columns][]float64{threshold, c.TP, c.FP, c.TN, c.FN, c.Precision, c.Recall, f1, fpr, tpr} {
			put(column...)
		}
		if c.N > 0 {
			m := c.Measures()
			put(m.AP, m.PR, m.ROC, m.F1, m.At)
		}
	}
	var rows [7][]float64
	values := r.Values()
	for k := len(r.over) - 1; k >= 0; k-- {
		v := &values[r.over[k]]
		if m, ok := a.measured[placeOf(v)]; ok {
			for i, x := range [7]float64{float64(v.Step), v.Wall, m.AP, m.PR, m.ROC, m.F1, m.At} {
				rows[i] = append(rows[i], x)
			}
		}
	}
	p.Over = len(rows[0])
	for _, row := range rows {
		put(row...)
	}
	r.curves = nil
	return p
}
