package hparams

import (
	"math"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/hparams"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/smooth"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Kind is the kind of data.
type Kind struct{}

// Name implements answer.Kind.
func (Kind) Name() string { return hparams.Name }

// Plugins implements answer.Kind.
func (Kind) Plugins() []string { return []string{hparams.Name} }

// Answerer implements answer.Kind.
func (Kind) Answerer(w answer.World) answer.Answerer {
	return &answerer{c: w.Catalog, known: map[*catalog.Tag]*sum{}}
}

// answerer remembers the sums of series that have not changed: a table asks again
// whenever some run has new points.
type answerer struct {
	c      *catalog.Catalog
	known  map[*catalog.Tag]*sum
	points series.Columns
}

// sum is what is known of a tag's points.
type sum struct {
	points, kept           int64
	preview                bool
	n                      int // finite ones
	last, first            float64
	least, greatest, total float64
	steps                  [3]float64 // of last, least, greatest
	has                    bool       // there are points
}

// Forget implements answer.Answerer.
func (a *answerer) Forget() { clear(a.known) }

// Begin implements answer.Answerer.
func (a *answerer) Begin(w *wire.Query) (answer.Job, error) {
	q, err := read(w)
	if err != nil {
		return nil, err
	}
	return &job{a: a, q: q, runs: w.Runs}, nil
}

// job answers run by run, for as long as its turn lasts.
type job struct {
	a    *answerer
	q    Query
	runs []string // that are left
	part Part

	names, texts map[string]uint64 // numbers of those in part
	seen         map[string]bool   // experiments, as they were logged
}

// Take implements answer.Job; nothing is needed.
func (*job) Take(int, []byte) {}

// Fail implements answer.Job.
func (*job) Fail(int, error) {}

// Next implements answer.Job.
func (j *job) Next(out *answer.Out) answer.Step {
	p := &j.part
	for begun := false; len(j.runs) > 0; j.runs = j.runs[1:] {
		if begun && out.Late() {
			return answer.Step{Busy: true}
		}
		begun = true
		run := j.a.c.Runs[j.runs[0]]
		switch {
		case run == nil:
		case len(j.q.Columns) > 0:
			j.numbers(p, run, out)
		default:
			j.session(p, run, out)
		}
	}
	parts := []Part{}
	if len(p.Runs)+len(p.Experiments)+len(p.Damaged) > 0 {
		parts = append(parts, *p)
	}
	out.Parts = parts
	return answer.Step{}
}

func (j *job) numbers(p *Part, run *catalog.Run, out *answer.Out) {
	p.Runs = append(p.Runs, run.Name)
	for _, c := range j.q.Columns {
		x, thinned, ok := j.a.number(run, c)
		bits := math.Float64bits(x)
		if !ok {
			bits = Nothing
		}
		if thinned {
			p.Thinned++
		}
		out.Words = append(out.Words, bits)
	}
}

// number returns what a column asks for of a run.
func (a *answerer) number(run *catalog.Run, c Column) (x float64, thinned, ok bool) {
	t := run.Lookup(c.Tag)
	if t == nil || t.Kind != catalog.Scalar {
		return 0, false, false
	}
	if c.Of == At {
		a.points.Reset()
		points, kept, _ := run.ShownWith(t, nil, &a.points)
		best, least := -1, math.Inf(1)
		for i, s := range a.points.Step {
			// Of equally close steps the smaller; of several points of one the last.
			if d := math.Abs(s - float64(c.Step)); d < least || d == least && s <= a.points.Step[best] {
				best, least = i, d
			}
		}
		if best < 0 {
			return 0, false, false
		}
		return a.points.Value[best], kept < points, true
	}
	if c.Of == Smoothed {
		a.points.Reset()
		points, kept, _ := run.ShownWith(t, nil, &a.points)
		if a.points.Len() == 0 {
			return 0, false, false
		}
		smooth.Exponential(a.points.Value, a.points.Value, float64(c.Step)/1000)
		return a.points.Value[a.points.Len()-1], kept < points, true
	}
	s := a.sum(run, t)
	thinned = s.kept < s.points && c.Of == Mean // thinning keeps the others
	switch c.Of {
	case Last:
		return s.last, thinned, s.has
	case First:
		return s.first, thinned, s.has
	case Least:
		return s.least, thinned, s.n > 0
	case Greatest:
		return s.greatest, thinned, s.n > 0
	case LastStep:
		return s.steps[0], false, s.has
	case LeastStep:
		return s.steps[1], false, s.n > 0
	case GreatestStep:
		return s.steps[2], false, s.n > 0
	}
	return s.total / float64(s.n), thinned, s.n > 0
}

// sum returns the sums of a tag's points.
func (a *answerer) sum(run *catalog.Run, t *catalog.Tag) *sum {
	points, kept := run.Count(t)
	if s := a.known[t]; s != nil && s.points == points && s.kept == kept && !s.preview {
		return s
	}
	s := &sum{}
	a.points.Reset()
	_, _, glimpse := run.ShownWith(t, nil, &a.points)
	s.preview = glimpse != catalog.Exact
	s.points, s.kept = points, kept
	if n := a.points.Len(); n > 0 {
		s.has, s.first, s.last = true, a.points.Value[0], a.points.Value[n-1]
		s.steps[0] = a.points.Step[n-1]
	}
	for i, v := range a.points.Value {
		if v-v != 0 {
			continue
		}
		if s.n == 0 || v < s.least {
			s.least, s.steps[1] = v, a.points.Step[i]
		}
		if s.n == 0 || v > s.greatest {
			s.greatest, s.steps[2] = v, a.points.Step[i]
		}
		s.n++
		s.total += v
	}
	a.known[t] = s
	return s
}

func (j *job) session(p *Part, run *catalog.Run, out *answer.Out) {
	if j.names == nil {
		j.names, j.texts, j.seen = map[string]uint64{}, map[string]uint64{}, map[string]bool{}
	}
	number := func(of map[string]uint64, list *[]string) func(string) uint64 {
		return func(s string) uint64 {
			n, ok := of[s]
			if !ok {
				n = uint64(len(of))
				of[s] = n
				*list = append(*list, s)
			}
			return n
		}
	}
	s, damaged := session(run)
	if s != nil {
		p.Runs = append(p.Runs, run.Name)
		out.Words = appendSession(out.Words, s, number(j.texts, &p.Texts), number(j.names, &p.Names))
	}
	// Many writers log the same experiment with each run.
	if t := run.Lookup(hparams.ExperimentTag); t != nil && !j.seen[string(t.Content)] {
		j.seen[string(t.Content)] = true
		if d, err := hparams.Decode(t.Content); err != nil || d.Experiment == nil {
			damaged = true
		} else {
			p.Experiments = append(p.Experiments, *d.Experiment)
		}
	}
	if damaged {
		p.Damaged = append(p.Damaged, run.Name)
	}
}

// session returns what a run's tags say of its session; nil if it has none.
func session(run *catalog.Run) (s *hparams.Session, damaged bool) {
	t := run.Lookup(hparams.StartTag)
	if t == nil {
		return nil, false
	}
	d, err := hparams.Decode(t.Content)
	if err != nil || d.Start == nil {
		return nil, true
	}
	s = d.Start
	if t := run.Lookup(hparams.EndTag); t != nil {
		if d, err := hparams.Decode(t.Content); err != nil || d.End == nil {
			damaged = true
		} else {
			s.Status, s.End = d.End.Status, d.End.End
		}
	}
	return s, damaged
}
