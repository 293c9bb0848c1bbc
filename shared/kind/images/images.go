// Package images is the kind of data "images": pictures and short films. A value holds any
// number of them, its samples, as encoded files; it stays in its event file and is read
// when it is looked at. What a picture says of itself is read here, so that nobody decodes
// one that would take gigabytes.
package images

import (
	"errors"
	"fmt"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/picture"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Name is the name of the kind, and of the plug-in whose tags it shows.
const Name = "images"

const (
	// MaxPixels is how many pixels a picture may have that is decoded: 8192 × 8192, which
	// take 256 MiB.
	MaxPixels = 1 << 26
	// MaxSamples is how many samples of a value are answered at a time.
	MaxSamples = 1000
)

// limits of what is read: a value may be a film.
var limits = stored.Limits{Value: 256 << 20, Answer: 16 << 20}

// Query asks for a tag's pictures in one run: the body of a wire.Query with one tag and
// one run. With wire.Query.Every all values are answered, in pieces.
type Query struct {
	stored.Query
	// Sample is the first of a value's samples that is wanted, Samples how many of them;
	// 0 stands for MaxSamples.
	Sample  int `json:"sample,omitempty"`
	Samples int `json:"samples,omitempty"`
}

// For makes the query for a run and a tag.
func (q Query) For(run, tag string) wire.Query {
	return wire.NewQuery(Name, []string{tag}, []string{run}, q)
}

// Part is what an answer's JSON holds, once, or not at all where the run has no such tag.
// The buffer holds the samples' bytes as they were logged.
type Part struct {
	stored.Head
	Items []Item `json:"items"`
}

// Item is one logged value.
type Item struct {
	Step    int64    `json:"step"`
	Wall    *float64 `json:"wall"`  // seconds since 1970; null if it is no time
	Count   int      `json:"count"` // samples that the value has
	Samples []Sample `json:"samples"`
	Error   string   `json:"error,omitempty"` // why there are none
}

// Sample is one picture.
type Sample struct {
	Offset   int            `json:"offset"` // in the buffer, bytes
	Length   int            `json:"length"` // bytes
	Format   picture.Format `json:"format"` // by its bytes; "" if it is not known
	Width    int            `json:"width"`  // pixels, as the picture says; 0 for SVG and videos
	Height   int            `json:"height"`
	Animated bool           `json:"animated,omitempty"`
	Error    string         `json:"error,omitempty"` // why it must not be decoded
}

// Kind is the kind of data.
type Kind struct{}

// Name implements answer.Kind.
func (Kind) Name() string { return Name }

// Plugins implements answer.Kind.
func (Kind) Plugins() []string { return []string{Name} }

// Answerer implements answer.Kind.
func (Kind) Answerer(w answer.World) answer.Answerer { return answerer{w.Catalog} }

type answerer struct{ c *catalog.Catalog }

// Forget implements answer.Answerer: nothing is kept.
func (answerer) Forget() {}

// Begin implements answer.Answerer.
func (a answerer) Begin(w *wire.Query) (answer.Job, error) {
	var q Query
	if err := stored.Parse(w, "images", &q); err != nil {
		return nil, err
	}
	if q.Samples <= 0 || q.Samples > MaxSamples {
		q.Samples = MaxSamples
	}
	return &job{Job: stored.New(a.c, w, q.Query, limits), q: q}, nil
}

// job answers a query.
type job struct {
	*stored.Job
	q     Query
	items []Item
	bytes []byte // of the samples of items
	have  bool   // what is needed has come
}

// Next implements answer.Job.
func (j *job) Next(out *answer.Out) answer.Step {
	step := j.Step(j.have, func() bool {
		part := Part{Items: j.items}
		var more bool
		if part.Head, more = j.Done(); part.Items == nil {
			part.Items = []Item{}
		}
		parts := []Part{}
		if j.Found {
			parts = append(parts, part)
		}
		out.Parts, out.Bytes = parts, append(out.Bytes, j.bytes...)
		j.items, j.bytes, j.have = nil, j.bytes[:0], false
		return more
	})
	if len(step.Need) > 0 {
		j.items = make([]Item, len(step.Need))
	}
	return step
}

// Take implements answer.Job.
func (j *job) Take(i int, data []byte) { j.set(i, j.Value(i, data, nil)) }

// Fail implements answer.Job.
func (j *job) Fail(i int, err error) { j.set(i, j.Value(i, nil, err)) }

// errNone says that a value has no picture.
var errNone = errors.New("this value holds no picture")

// samples are the encoded pictures of a value.
func samples(v *stored.Value) ([][]byte, error) {
	switch {
	case v.Err != nil:
		return nil, v.Err
	case v.Cut:
		return nil, fmt.Errorf("this value has more than %d MiB, which is more than is read", limits.Value>>20)
	}
	if v.Is(event.Image) {
		m, err := event.DecodeImage(v.Body)
		if err != nil {
			return nil, fmt.Errorf("this value cannot be read: %w", err)
		}
		return [][]byte{m.Encoded}, nil
	}
	// Strings: width, height, picture, picture, ….
	_, elements, err := event.Strings(v.Body)
	if err != nil {
		return nil, fmt.Errorf("this value cannot be shown as pictures: %w", err)
	}
	if len(elements) < 3 {
		return nil, errNone
	}
	return elements[2:], nil
}

// set answers number i of what was needed.
func (j *job) set(i int, v stored.Value) {
	j.have = true
	item := Item{Step: v.Step, Wall: v.WallTime(), Samples: []Sample{}}
	all, err := samples(&v)
	if err != nil {
		item.Error = err.Error()
	}
	item.Count = len(all)
	from := min(max(j.q.Sample, 0), len(all))
	for _, b := range all[from:min(len(all), from+j.q.Samples)] {
		s := Sample{Offset: len(j.bytes), Length: len(b)}
		info, err := picture.Look(b)
		s.Format, s.Width, s.Height, s.Animated = info.Format, info.Width, info.Height, info.Animated
		switch {
		case err != nil:
			s.Error = err.Error()
		case info.Pixels() > MaxPixels:
			s.Error = fmt.Sprintf("this picture says that it has %d × %d pixels: more than are decoded here; download it", info.Width, info.Height)
		}
		j.bytes = append(j.bytes, b...)
		item.Samples = append(item.Samples, s)
	}
	j.items[i] = item
}
