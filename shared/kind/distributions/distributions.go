// Package distributions is the kind of data "distributions": nine percentiles of each
// logged histogram, over the steps.
package distributions

import (
	"math"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/histogram"
	"github.com/tensorbored/tensorbored-static/shared/kind/histograms"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Name is the name of the kind. The plug-in whose tags it shows is that of histograms.
const Name = "distributions"

// MaxSteps is how many steps are answered at most.
const MaxSteps = 2000

// Query asks for the percentiles of a tag in one run: the body of a wire.Query with one tag
// and one run. With wire.Query.Every those of all steps are answered, in pieces.
type Query struct {
	// Steps is how many steps are wanted at most, spread evenly over all, the last one
	// among them; 0 stands for MaxSteps.
	Steps int `json:"steps,omitempty"`
	// From and To leave out other steps, unless From > To.
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// AllSteps is a Query for all steps.
var AllSteps = Query{From: 0, To: -1}

// For makes the query for a run and a tag.
func (q Query) For(run, tag string) wire.Query {
	return wire.NewQuery(Name, []string{tag}, []string{run}, q)
}

// Part is what an answer's JSON holds, once, or not at all where the run has no such tag.
// The buffer holds eleven columns of N float64s: step, wall time in seconds since 1970, and
// the value at each of histogram.Points.
type Part struct {
	Run   string `json:"run"`
	Count int    `json:"count"` // steps that there are
	N     int    `json:"n"`     // steps in the buffer
	// Bad is how many histograms could not be read or have no place, Why says why the
	// first has none.
	Bad int    `json:"bad,omitempty"`
	Why string `json:"why,omitempty"`
}

// Columns is how many columns a Part has.
const Columns = 2 + len(histogram.Points)

// Kind is the kind of data.
type Kind struct{}

// Name implements answer.Kind.
func (Kind) Name() string { return Name }

// Plugins implements answer.Kind.
func (Kind) Plugins() []string { return []string{histograms.Name} }

// Answerer implements answer.Kind.
func (Kind) Answerer(w answer.World) answer.Answerer { return &answerer{w, histograms.NewCache()} }

type answerer struct {
	answer.World
	cache *histograms.Cache
}

// Forget implements answer.Answerer.
func (a *answerer) Forget() { a.cache.Forget() }

// Begin implements answer.Answerer.
func (a *answerer) Begin(w *wire.Query) (answer.Job, error) {
	q := AllSteps
	if err := stored.Parse(w, "distributions", &q); err != nil {
		return nil, err
	}
	if q.Steps <= 0 || q.Steps > MaxSteps {
		q.Steps = MaxSteps
	}
	s := a.cache.Begin(a.Catalog, w)
	if !w.Every {
		s.Choose(q.Steps, q.From, q.To)
	}
	return &job{Slices: s, every: w.Every}, nil
}

// job answers a query.
type job struct {
	*histograms.Slices
	every bool

	// Of the answer that is being made:
	part *Part
	list []*histograms.Slice // that are left
	rows [][Columns]float64
	more bool
}

// Next implements answer.Job.
func (j *job) Next(out *answer.Out) answer.Step {
	if j.part == nil {
		if need := j.Need(j.every); len(need) > 0 {
			return answer.Step{Need: need}
		}
		j.part, j.rows = &Part{Run: j.Run, Count: j.Count}, nil
		j.list, j.more = j.Ready()
	}
	p := j.part
	for begun := false; len(j.list) > 0; begun = true {
		if begun && out.Late() {
			return answer.Step{Busy: true}
		}
		s := j.list[0]
		j.list = j.list[1:]
		if s.Err != nil {
			if p.Bad++; p.Why == "" {
				p.Why = s.Err.Error()
			}
			continue
		}
		b := s.Buckets
		if !j.every { // TensorBoard's are of what was logged, whether it can be drawn or not
			var lost int
			if b, lost = s.Clean(); lost > 0 {
				if p.Bad++; p.Why == "" {
					p.Why = "the edges or counts of some buckets are no numbers"
				}
			}
			if len(b) == 0 && (lost > 0 || len(s.Buckets) > 0) {
				continue
			}
		}
		row := [Columns]float64{float64(s.Step), s.Wall}
		points := b.Percentiles()
		copy(row[2:], points[:])
		j.rows = append(j.rows, row)
	}
	p.N = len(j.rows)
	for c := range Columns {
		for _, row := range j.rows {
			out.Words = append(out.Words, math.Float64bits(row[c]))
		}
	}
	parts := []Part{}
	if j.Found {
		parts = append(parts, *p)
	}
	out.Parts, j.part = parts, nil
	return answer.Step{More: j.more}
}
