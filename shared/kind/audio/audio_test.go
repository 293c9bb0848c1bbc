package audio

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// Clips of both encodings, with their labels, byte by byte; what is none says so.
func TestClips(t *testing.T) {
	w := summary.NewBuffer(summary.Options{})
	clip := func(n int, label string) summary.Clip {
		return summary.Clip{SampleRate: 8000, Samples: make([]float64, n), Label: label}
	}
	meta := summary.Metadata{Plugin: "audio"}
	for _, err := range []error{
		w.AudioClips("new", []summary.Clip{clip(800, "*first*"), clip(1600, "\xffsecond")}, 3, summary.WallSeconds(100)),
		w.Audio("old", clip(4000, ""), 4, summary.Legacy()),
		w.Audio("bad", summary.Clip{Encoded: []byte("RIFF....WAVEfmt \x10\x00\x00\x00" + strings.Repeat("\x00", 16)), Label: strings.Repeat("x", 1<<20)}, 5),
		w.Raw(summary.Event{Values: []summary.Value{summary.TensorValue("plain", summary.StringTensor([]int64{2}, string(clip(80, "").WAV()), "no sound"), meta)}}),
		w.Raw(summary.Event{Values: []summary.Value{summary.TensorValue("floats", summary.FloatTensor([]int64{2}, 1, 2), meta)}}),
		w.Raw(summary.Event{Values: []summary.Value{summary.TensorValue("none", summary.StringTensor([]int64{0, 2}), meta)}}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	m := source.Mem{"r/tfevents": w.Bytes()}
	c := catalog.New()
	if _, err := c.Load(context.Background(), m.Logdir()); err != nil {
		t.Fatal(err)
	}
	ask := func(tag string) (item Item, blobs []byte) {
		q := Query{Query: stored.Query{From: -1, N: 1}}.For("r", tag)
		j, err := Kind{}.Answerer(answer.World{Catalog: c}).Begin(&q)
		if err != nil {
			t.Fatal(err)
		}
		if err := answer.Serve(t.Context(), m.Logdir(), j, func(out *answer.Out) error {
			item, blobs = out.Parts.([]Part)[0].Items[0], bytes.Clone(out.Bytes)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return item, blobs
	}
	item, b := ask("new")
	if len(item.Samples) != 2 || item.Step != 3 || item.Samples[0].Label != "*first*" || item.Samples[1].Label != "\uFFFDsecond" || item.Samples[1].Seconds != 0.2 ||
		!bytes.Equal(b[item.Samples[1].Offset:], clip(1600, "").WAV()) || item.Samples[0].Rate != 8000 || item.Samples[0].Error != "" {
		t.Errorf("new: %+v", item)
	}
	if item, _ = ask("old"); len(item.Samples) != 1 || item.Samples[0].Seconds != 0.5 || item.Samples[0].Type != "audio/wav" {
		t.Errorf("old: %+v", item)
	}
	if item, _ = ask("plain"); len(item.Samples) != 2 || item.Samples[0].Error != "" || !strings.Contains(item.Samples[1].Error, "no sound in a format") {
		t.Errorf("plain: %+v", item)
	}
	if item, _ = ask("bad"); len(item.Samples) != 1 || !strings.Contains(item.Samples[0].Error, "header is wrong") || len(item.Samples[0].Label) > maxLabel+10 {
		t.Errorf("bad: %+v", item.Samples[0].Error)
	}
	for _, tag := range []string{"floats", "none"} {
		if item, _ = ask(tag); item.Error == "" {
			t.Errorf("%s: %+v", tag, item)
		}
	}
}
