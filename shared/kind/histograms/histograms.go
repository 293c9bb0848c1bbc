// Package histograms is the kind of data "histograms": how values are distributed, step by
// step. A logged histogram, a slice, stays in its event file; a question reads those that
// the picture needs, and what was read is kept, within a bound, for the next one.
package histograms

import (
	"math"
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/histogram"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Name is the name of the kind, and of the plug-in whose tags it shows.
const Name = "histograms"

// Limits of what a question may ask for.
const (
	MaxSlices = 2000
	MaxBins   = 200
	// DefaultBins is TensorBoard's.
	DefaultBins = 30
)

// Query asks for the slices of a tag in one run, in common bins: the body of a wire.Query
// with one tag and one run. With wire.Query.Every all slices are answered as they were
// logged, in pieces; see Part.
type Query struct {
	// Slices is how many slices are wanted at most, spread evenly over all, the last one
	// among them; 0 stands for MaxSlices.
	Slices int `json:"slices,omitempty"`
	// Bins is how many bins; 0 stands for DefaultBins.
	Bins int `json:"bins,omitempty"`
	// From and To leave out slices of other steps, unless From > To.
	From int64 `json:"from"`
	To   int64 `json:"to"`
	// Lo and Hi are the range of values that the bins divide, if Hi is above Lo; else it
	// is that of all values.
	Lo float64 `json:"lo,omitempty"`
	Hi float64 `json:"hi,omitempty"`
}

// AllSteps is a Query for slices of all steps.
var AllSteps = Query{From: 0, To: -1}

// For makes the query for a run and a tag.
func (q Query) For(run, tag string) wire.Query {
	return wire.NewQuery(Name, []string{tag}, []string{run}, q)
}

// Part is what an answer's JSON holds, once, or not at all where the run has no such tag.
// The buffer holds float64s: the slices' wall times in seconds since 1970, then for each
// slice Bins counts of bins of equal width from Lo to Hi.
//
// Of a Query with Every it holds for each slice Buckets[i] times left edge, right edge and
// count instead.
type Part struct {
	Run   string  `json:"run"`
	Count int     `json:"count"` // slices that there are
	Steps []int64 `json:"steps"` // of those in the buffer
	// Values are how many values were counted in each.
	Values []float64 `json:"values"`
	Lo     float64   `json:"lo"`
	Hi     float64   `json:"hi"`
	Bins   int       `json:"bins"`
	// All is where values lie, if Lo and Hi were asked for.
	All     []float64 `json:"all,omitempty"`
	Buckets []int     `json:"buckets,omitempty"`
	// Bad is how many slices could not be read, Why says why the first could not.
	Bad int    `json:"bad,omitempty"`
	Why string `json:"why,omitempty"`
	// Lost is how many buckets were left out, because their edges or counts are no
	// numbers.
	Lost int `json:"lost,omitempty"`
}

// Kind is the kind of data.
type Kind struct{}

// Name implements answer.Kind.
func (Kind) Name() string { return Name }

// Plugins implements answer.Kind.
func (Kind) Plugins() []string { return []string{Name} }

// Answerer implements answer.Kind.
func (Kind) Answerer(w answer.World) answer.Answerer { return &answerer{w, NewCache()} }

type answerer struct {
	answer.World
	cache *Cache
}

// Forget implements answer.Answerer.
func (a *answerer) Forget() { a.cache.Forget() }

// Begin implements answer.Answerer.
func (a *answerer) Begin(w *wire.Query) (answer.Job, error) {
	q := AllSteps
	if err := stored.Parse(w, "histograms", &q); err != nil {
		return nil, err
	}
	if q.Slices <= 0 || q.Slices > MaxSlices {
		q.Slices = MaxSlices
	}
	if q.Bins <= 0 || q.Bins > MaxBins {
		q.Bins = DefaultBins
	}
	s := a.cache.Begin(a.Catalog, w)
	if !w.Every {
		s.Choose(q.Slices, q.From, q.To)
	}
	return &job{Slices: s, q: q, every: w.Every}, nil
}

// job answers a query.
type job struct {
	*Slices
	q     Query
	every bool

	// Of the answer that is being made:
	part  *Part
	whole []*Slice
	clean []histogram.Buckets // of so many of whole …
	where histogram.Range     // … and where they lie
	more  bool
	bins  []float64 // scratch
	at    int       // of clean, that have been binned
}

// Next implements answer.Job.
func (j *job) Next(out *answer.Out) answer.Step {
	if j.part == nil {
		if need := j.Need(j.every); len(need) > 0 {
			return answer.Step{Need: need}
		}
	}
	if j.part == nil {
		j.begin(out)
	}
	p := j.part
	if j.every {
		for _, s := range j.whole {
			p.Buckets = append(p.Buckets, len(s.Buckets))
			for _, k := range s.Buckets {
				out.Words = append(out.Words, math.Float64bits(k.Left), math.Float64bits(k.Right), math.Float64bits(k.Count))
			}
		}
	} else if !j.bin(out) {
		return answer.Step{Busy: true}
	}
	parts := []Part{}
	if j.Found {
		parts = append(parts, *p)
	}
	out.Parts, j.part = parts, nil
	return answer.Step{More: j.more}
}

// begin begins an answer with the slices that have been read.
func (j *job) begin(out *answer.Out) {
	p := &Part{Run: j.Run, Count: j.Count, Steps: []int64{}, Values: []float64{}, Bins: j.q.Bins}
	j.part, j.whole, j.clean, j.where, j.at = p, nil, nil, histogram.Nowhere, 0
	var list []*Slice
	list, j.more = j.Ready()
	for _, s := range list {
		if s.Err != nil {
			if p.Bad++; p.Why == "" {
				p.Why = s.Err.Error()
			}
			continue
		}
		j.whole = append(j.whole, s)
		p.Steps = append(p.Steps, s.Step)
		p.Values = append(p.Values, finite(s.Total()))
		out.Words = append(out.Words, math.Float64bits(s.Wall))
	}
}

// bin appends the slices in common bins, and says where these lie, for as long as its turn
// lasts; it reports whether that was all.
func (j *job) bin(out *answer.Out) bool {
	for begun := false; len(j.clean) < len(j.whole); begun = true {
		if begun && out.Late() {
			return false
		}
		b, n := j.whole[len(j.clean)].Clean()
		j.clean = append(j.clean, b)
		j.part.Lost += n
		j.where = j.where.With(b)
	}
	r := j.where.Drawn()
	if w := j.q.Hi/2 - j.q.Lo/2; w > 0 && w <= math.MaxFloat64 {
		j.part.All = []float64{r.Lo, r.Hi}
		r = histogram.Range{Lo: j.q.Lo, Hi: j.q.Hi}
	}
	j.part.Lo, j.part.Hi = r.Lo, r.Hi
	j.bins = slices.Grow(j.bins[:0], j.q.Bins)[:j.q.Bins]
	for begun := false; j.at < len(j.clean); j.at++ {
		if begun && out.Late() {
			return false
		}
		begun = true
		clear(j.bins)
		j.clean[j.at].Bin(r, j.bins)
		for _, x := range j.bins {
			out.Words = append(out.Words, math.Float64bits(x))
		}
	}
	return true
}

// finite is x where JSON has a form for it.
func finite(x float64) float64 {
	if x-x != 0 {
		return 0
	}
	return x
}
