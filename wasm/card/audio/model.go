// Package audio is the kind of cards that play clips of sound: a card for each tag and run,
// with all clips of a step and a slider over all steps.
package audio

import (
	"fmt"

	"github.com/tensorbored/tensorbored-static/shared/kind/audio"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/card"
)

// Kind is the kind of cards.
type Kind struct{}

// Name implements card.Model.
func (Kind) Name() string { return audio.Name }

// Cards implements card.Model: one for each run.
func (Kind) Cards(tag string, runs []string) []session.CardID {
	out := make([]session.CardID, len(runs))
	for i, r := range runs {
		out[i] = session.CardOf(audio.Name, tag).OfRun(r, 0)
	}
	return out
}

// Settings implements card.Model.
func (Kind) Settings() session.Schema { return card.StepsSettings }

// Empty implements card.Model.
func (Kind) Empty() card.Empty {
	return card.Empty{Nouns: "audio", How: "writer.add_audio (PyTorch) or tf.summary.audio (TensorFlow)"}
}

// about says what a clip is: "16,000 Hz · stereo · 2.5 s".
func about(s *audio.Sample) string {
	if s.Rate == 0 {
		return string(s.Format)
	}
	channels := fmt.Sprintf("%d channels", s.Channels)
	switch s.Channels {
	case 1:
		channels = "mono"
	case 2:
		channels = "stereo"
	}
	text := fmt.Sprintf("%d Hz · %s · %.3g s", s.Rate, channels, s.Seconds)
	if s.Short {
		text += " · shorter than its header says"
	}
	return text
}

// fileName is the name of a downloaded clip.
func fileName(tag, run string, step int64, sample, samples int, s *audio.Sample) string {
	ext := s.Format.Ext()
	if ext == "" {
		ext = "bin"
	}
	name := fmt.Sprintf("%s_%s_step%d", tag, run, step)
	if samples > 1 {
		name += fmt.Sprintf("_%d", sample)
	}
	return card.FileName(name, ext)
}
