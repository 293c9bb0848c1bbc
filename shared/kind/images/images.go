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

// MaxPixels is how many pixels a picture may have that is decoded: 8192 × 8192, which take
// 256 MiB.
const MaxPixels = 1 << 26

// limits of what is read: a value may be a film.
var limits = stored.Limits{Value: 256 << 20, Answer: 16 << 20}

// Query asks for a tag's pictures in one run: the body of a wire.Query with one tag and
// one run. With wire.Query.Every all values are answered, in pieces.
type Query stored.SamplesQuery

// For makes the query for a run and a tag.
func (q Query) For(run, tag string) wire.Query {
	return wire.NewQuery(Name, []string{tag}, []string{run}, q)
}

// Part is what an answer's JSON holds.
type Part = stored.Part[Sample]

// Item is one logged value.
type Item = stored.Item[Sample]

// Sample is one picture.
type Sample struct {
	stored.Place
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
	return stored.Codec[Sample]{Noun: "images", Split: split, Look: describe}.Begin(a.c, w, limits)
}

// errNone says that a value has no picture.
var errNone = errors.New("this value holds no picture")

// split returns the encoded pictures of a value.
func split(v *stored.Value) (out []stored.Encoded, err error) {
	if v.Is(event.Image) {
		m, err := event.DecodeImage(v.Body)
		if err != nil {
			return nil, fmt.Errorf("this value cannot be read: %w", err)
		}
		return []stored.Encoded{{Bytes: m.Encoded}}, nil
	}
	// Strings: width, height, picture, picture, ….
	_, elements, err := event.Strings(v.Body)
	if err != nil {
		return nil, fmt.Errorf("this value cannot be shown as pictures: %w", err)
	}
	if len(elements) < 3 {
		return nil, errNone
	}
	for _, e := range elements[2:] {
		out = append(out, stored.Encoded{Bytes: e})
	}
	return out, nil
}

// describe says what a picture is, and why it must not be decoded.
func describe(e stored.Encoded, at stored.Place) Sample {
	info, err := picture.Look(e.Bytes)
	s := Sample{Place: at, Format: info.Format, Width: info.Width, Height: info.Height, Animated: info.Animated}
	switch {
	case err != nil:
		s.Error = err.Error()
	case info.Pixels() > MaxPixels:
		s.Error = fmt.Sprintf("this picture says that it has %d × %d pixels: more than are decoded here; download it", info.Width, info.Height)
	}
	return s
}
