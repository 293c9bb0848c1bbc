package stored

import (
	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// MaxSamples is how many samples of a value are answered at a time.
const MaxSamples = 1000

// SamplesQuery asks for values that hold encoded files, their samples.
type SamplesQuery struct {
	Query
	// Sample is the first of a value's samples that is wanted, Samples how many of them;
	// 0 stands for MaxSamples.
	Sample  int `json:"sample,omitempty"`
	Samples int `json:"samples,omitempty"`
}

// Part is what an answer's JSON holds, once, or not at all where the run has no such tag.
// The buffer holds the samples' bytes as they were logged.
type Part[S any] struct {
	Head
	Items []Item[S] `json:"items"`
}

// Item is one logged value. S describes a sample.
type Item[S any] struct {
	Step    int64    `json:"step"`
	Wall    *float64 `json:"wall"`  // seconds since 1970; null if it is no time
	Count   int      `json:"count"` // samples that the value has
	Samples []S      `json:"samples"`
	Error   string   `json:"error,omitempty"` // why there are none
}

// Place is where a sample stands in an answer's buffer, in bytes.
type Place struct {
	Offset int `json:"offset"`
	Length int `json:"length"`
}

// Encoded is a sample as it was logged.
type Encoded struct {
	Bytes []byte
	Label string // Markdown; untrusted
	Type  string // media type as the writer says; "" if it does not
}

// Codec is what a kind knows of its samples.
type Codec[S any] struct {
	Noun string // what it calls its values
	// Split returns the samples of a value that was read whole.
	Split func(v *Value) ([]Encoded, error)
	// Look describes a sample.
	Look func(e Encoded, at Place) S
}

// Begin begins to answer a query.
func (k Codec[S]) Begin(c *catalog.Catalog, w *wire.Query, limits Limits) (answer.Job, error) {
	var q SamplesQuery
	if err := Parse(w, k.Noun, &q); err != nil {
		return nil, err
	}
	if q.Samples <= 0 || q.Samples > MaxSamples {
		q.Samples = MaxSamples
	}
	return &samples[S]{Job: New(c, w, q.Query, limits), k: k, q: q}, nil
}

// samples answers a query.
type samples[S any] struct {
	*Job
	k     Codec[S]
	q     SamplesQuery
	items []Item[S]
	bytes []byte // of the samples of items
	have  bool   // what is needed has come
}

// Next implements answer.Job.
func (j *samples[S]) Next(out *answer.Out) answer.Step {
	if !j.have {
		if need := j.Need(); len(need) > 0 {
			j.items = make([]Item[S], len(need))
			return answer.Step{Need: need}
		}
	}
	part := Part[S]{Items: j.items}
	var more bool
	if part.Head, more = j.Done(); part.Items == nil {
		part.Items = []Item[S]{}
	}
	parts := []Part[S]{}
	if j.Found {
		parts = append(parts, part)
	}
	out.Parts, out.Bytes = parts, append(out.Bytes, j.bytes...)
	j.items, j.bytes, j.have = nil, j.bytes[:0], false
	return answer.Step{More: more}
}

// Take implements answer.Job.
func (j *samples[S]) Take(i int, data []byte) { j.set(i, j.Value(i, data, nil)) }

// Fail implements answer.Job.
func (j *samples[S]) Fail(i int, err error) { j.set(i, j.Value(i, nil, err)) }

// set answers number i of what was needed.
func (j *samples[S]) set(i int, v Value) {
	j.have = true
	item := Item[S]{Step: v.Step, Wall: v.WallTime(), Samples: []S{}}
	var all []Encoded
	err := v.Err
	switch {
	case err != nil:
	case v.Cut:
		err = errLong
	default:
		all, err = j.k.Split(&v)
	}
	if err != nil {
		item.Error = err.Error()
	}
	item.Count = len(all)
	from := min(max(j.q.Sample, 0), len(all))
	for _, e := range all[from:min(len(all), from+j.q.Samples)] {
		item.Samples = append(item.Samples, j.k.Look(e, Place{len(j.bytes), len(e.Bytes)}))
		j.bytes = append(j.bytes, e.Bytes...)
	}
	j.items[i] = item
}
