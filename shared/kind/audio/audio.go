// Package audio is the kind of data "audio": clips of sound. A value holds any number of
// them, each with a label; it stays in its event file and is read when it is looked at.
package audio

import (
	"errors"
	"fmt"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/sound"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Name is the name of the kind, and of the plug-in whose tags it shows.
const Name = "audio"

// limits of what is read: an hour of sound may be 600 MB, of which nobody waits for all.
var limits = stored.Limits{Value: 256 << 20, Answer: 16 << 20}

// Query asks for a tag's clips in one run: the body of a wire.Query with one tag and one
// run. With wire.Query.Every all values are answered, in pieces.
type Query stored.SamplesQuery

// For makes the query for a run and a tag.
func (q Query) For(run, tag string) wire.Query {
	return wire.NewQuery(Name, []string{tag}, []string{run}, q)
}

// Part is what an answer's JSON holds.
type Part = stored.Part[Sample]

// Item is one logged value.
type Item = stored.Item[Sample]

// Sample is one clip.
type Sample struct {
	stored.Place
	Label    string       `json:"label"`  // Markdown; untrusted
	Type     string       `json:"type"`   // media type as the writer says
	Format   sound.Format `json:"format"` // by its bytes; "" if it is not known
	Rate     int          `json:"rate"`   // of WAV: frames per second
	Channels int          `json:"channels"`
	Seconds  float64      `json:"seconds"`
	Short    bool         `json:"short,omitempty"` // the header promises more than there is
	Error    string       `json:"error,omitempty"` // why it cannot be played
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
	return stored.Codec[Sample]{Noun: "clips", Split: split, Look: describe}.Begin(a.c, w, limits)
}

// errNone says that a value has no clip.
var errNone = errors.New("this value holds no clip")

// split returns the clips of a value: a tensor of strings of shape [k, 2], clip and label,
// or [k], clips alone.
func split(v *stored.Value) (out []stored.Encoded, err error) {
	if v.Is(event.Audio) {
		m, err := event.DecodeAudio(v.Body)
		if err != nil {
			return nil, fmt.Errorf("this value cannot be read: %w", err)
		}
		return []stored.Encoded{{Bytes: m.Encoded, Type: m.ContentType}}, nil
	}
	shape, elements, err := event.Strings(v.Body)
	if err != nil {
		return nil, fmt.Errorf("this value cannot be played: %w", err)
	}
	if len(elements) == 0 {
		return nil, errNone
	}
	stride := 1
	if len(shape) == 2 && shape[1] == 2 {
		stride = 2
	}
	for i := 0; i+stride <= len(elements); i += stride {
		e := stored.Encoded{Bytes: elements[i], Type: string(sound.WAV)}
		if stride == 2 {
			e.Label = catalog.Text(string(elements[i+1]))
		}
		out = append(out, e)
	}
	return out, nil
}

// describe says what a clip is, and why it cannot be played.
func describe(e stored.Encoded, at stored.Place) Sample {
	i, err := sound.Look(e.Bytes)
	s := Sample{Place: at, Label: e.Label, Type: catalog.Text(e.Type), Format: i.Format, Rate: i.Rate, Channels: i.Channels, Seconds: i.Seconds, Short: i.Short}
	if s.Label = e.Label; len(s.Label) > maxLabel {
		s.Label = catalog.Text(s.Label[:maxLabel]) + " …"
	}
	if err != nil {
		s.Error = err.Error()
	}
	return s
}

// maxLabel is how many bytes of a label are answered.
const maxLabel = 20_000
