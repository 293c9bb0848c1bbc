package audio

import (
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/kind/audio"
	"github.com/tensorbored/tensorbored-static/shared/sound"
)

func TestAbout(t *testing.T) {
	for want, s := range map[string]audio.Sample{
		"16000 Hz · stereo · 2.5 s":                              {Format: sound.WAV, Rate: 16000, Channels: 2, Seconds: 2.5},
		"8000 Hz · mono · 0.01 s · shorter than its header says": {Format: sound.WAV, Rate: 8000, Channels: 1, Seconds: 0.01, Short: true},
		"44100 Hz · 6 channels · 1 s":                            {Format: sound.WAV, Rate: 44100, Channels: 6, Seconds: 1},
		"audio/ogg":                                              {Format: sound.Ogg},
	} {
		if got := about(&s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := fileName("a/b", "r", 3, 1, 2, &audio.Sample{Format: sound.MP3}); got != "a_b_r_step3_1.mp3" {
		t.Error(got)
	}
}
