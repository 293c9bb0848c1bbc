package onset

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Name is the name of the kind.
const Name = "onset"

const (
	mostListed = 100  // tags
	mostLooked = 4000 // points of a tag
)

// Query is the body of a wire.Query about one run.
type Query struct {
	Step float64 `json:"step"`
	// Tag is where the user looks: its last Window points before the step are how far back it
	// is looked.
	Tag string `json:"tag"`
}

// For makes the query for a run.
func (q Query) For(run string) wire.Query { return wire.NewQuery(Name, nil, []string{run}, q) }

// Part is the answer about the run.
type Part struct {
	Run     string  `json:"run"`
	From    float64 `json:"from"`    // the step from which on it was looked
	Checked int     `json:"checked"` // tags of scalars with points there
	Left    int     `json:"left"`    // how many of them left their usual range
	Thinned int     `json:"thinned"` // of those checked, how many have points that memory did not keep
	List    []Left  `json:"list"`    // the first by step, then by deviation
}

// Left is a tag that left its usual range.
type Left struct {
	Tag       string   `json:"tag"`
	Step      float64  `json:"step"`
	Value     *float64 `json:"value"` // null where it is not finite
	Lo        float64  `json:"lo"`
	Hi        float64  `json:"hi"`
	Deviation float64  `json:"deviation"`
}

// Kind is the kind of data.
type Kind struct{}

// Name implements answer.Kind.
func (Kind) Name() string { return Name }

// Plugins implements answer.Kind: no tag is shown by it.
func (Kind) Plugins() []string { return nil }

// Answerer implements answer.Kind.
func (Kind) Answerer(w answer.World) answer.Answerer { return answerer{w} }

type answerer struct{ w answer.World }

// Forget implements answer.Answerer: nothing is kept.
func (answerer) Forget() {}

// Begin implements answer.Answerer.
func (a answerer) Begin(w *wire.Query) (answer.Job, error) {
	var q Query
	if err := json.Unmarshal(w.Body, &q); err != nil {
		return nil, &wire.QueryError{What: err.Error()}
	}
	j := &job{q: q}
	for _, name := range w.Runs {
		if run := a.w.Runs[name]; run != nil && j.run == nil {
			j.run = run
			run.Tags(func(t *catalog.Tag, _ wire.Tag) {
				if t.Kind == catalog.Scalar {
					j.tags = append(j.tags, t)
				}
			})
			j.part = Part{Run: name, From: q.Step, List: []Left{}}
			j.part.From = j.back()
		}
	}
	return j, nil
}

// job goes over the tags of a run, for as long as its turn lasts.
type job struct {
	q      Query
	run    *catalog.Run
	tags   []*catalog.Tag // that are left
	points series.Columns
	part   Part
}

// back is the step from which on it is looked.
func (j *job) back() float64 {
	t := j.run.Lookup(j.q.Tag)
	if t == nil || t.Kind != catalog.Scalar {
		return j.q.Step
	}
	j.points.Reset()
	j.run.ShownWith(t, nil, &j.points)
	from, n := j.q.Step, 0
	for i := len(j.points.Step) - 1; i >= 0 && n < Window; i-- {
		if s := j.points.Step[i]; s <= j.q.Step {
			from = min(from, s)
			n++
		}
	}
	return from
}

// Take implements answer.Job; nothing is needed.
func (*job) Take(int, []byte) {}

// Fail implements answer.Job.
func (*job) Fail(int, error) {}

// Next implements answer.Job.
func (j *job) Next(out *answer.Out) answer.Step {
	for begun := false; len(j.tags) > 0; j.tags = j.tags[1:] {
		if begun && out.Late() {
			return answer.Step{Busy: true}
		}
		begun = true
		t := j.tags[0]
		j.points.Reset()
		logged, kept, _ := j.run.ShownWith(t, nil, &j.points)
		if !slices.ContainsFunc(j.points.Step, func(s float64) bool { return s >= j.part.From && s <= j.q.Step }) {
			continue
		}
		j.part.Checked++
		if kept < logged {
			j.part.Thinned++
		}
		steps, values := last(j.points.Step, j.points.Value, j.q.Step)
		o, ok := Find(steps, values, j.part.From, j.q.Step)
		if !ok {
			continue
		}
		left := Left{Tag: t.Shown, Step: steps[o.At], Lo: finite(o.Lo), Hi: finite(o.Hi), Deviation: o.Deviation}
		if v := values[o.At]; v-v == 0 {
			left.Value = &v
		}
		j.part.List = append(j.part.List, left)
	}
	out.Parts = []Part{}
	if j.run != nil {
		slices.SortFunc(j.part.List, func(a, b Left) int {
			return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(b.Deviation, a.Deviation), strings.Compare(a.Tag, b.Tag))
		})
		j.part.Left = len(j.part.List)
		j.part.List = j.part.List[:min(len(j.part.List), mostListed)]
		out.Parts = []Part{j.part}
	}
	return answer.Step{}
}

// last are the points up to a step, of very many the last mostLooked: a tag may be logged a
// thousand times as often as the one that the user looks at.
func last(steps, values []float64, to float64) (s, v []float64) {
	end := len(steps)
	for end > 0 && steps[end-1] > to {
		end--
	}
	from := max(0, end-mostLooked)
	return steps[from:end], values[from:end]
}

// finite is a number that JSON has.
func finite(v float64) float64 { return max(-math.MaxFloat64, min(v, math.MaxFloat64)) }
