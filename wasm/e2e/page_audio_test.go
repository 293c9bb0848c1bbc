//go:build !js

package e2e

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// tone is a clip of a sine.
func tone(hertz, seconds float64, label string) summary.Clip {
	const rate = 8000
	c := summary.Clip{SampleRate: rate, Label: label}
	for i := range int(rate * seconds) {
		c.Samples = append(c.Samples, 0.8*math.Sin(2*math.Pi*hertz*float64(i)/rate))
	}
	return c
}

// Clips of every step with their labels, drawn, played from where one clicks, and saved.
func TestAudioBoard(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		for i := range 3 {
			clips := []summary.Clip{tone(200*float64(i+1), 0.5*float64(i+1), "what *one* hears")}
			if i == 2 {
				clips = append(clips, tone(3000, 0.25, "<img src=x onerror=owned=1>"))
			}
			if err := w.AudioClips("voice", clips, int64(10*i), summary.WallSeconds(epoch+float64(i))); err != nil {
				t.Fatal(err)
			}
		}
	})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := open(t, kind, serve(t, l.dir).URL+"#audio")
			card := v.Control("article", "voice, r")
			el := textCard("voice", "r")
			card.Control("status", "step 20").Wait()
			first, second := card.Control("group", "Clip 1 of 2"), card.Control("group", "Clip 2 of 2")
			first.Is(`e.dataset.seconds === "1.500" && e.dataset.drawn`)
			second.Is(`e.dataset.seconds === "0.250" && e.dataset.drawn`)
			first.Is(`e.innerText.includes("8000 Hz · mono · 1.5 s") && e.querySelector("em")?.innerText === "one"`)
			second.Is(`e.innerText.includes("<img src=x") && !e.querySelector("img")`)
			v.said(el, "audio")
			// A tone of 600 Hz is one bright line in the spectrogram, at 600 of 4000.
			v.Wait(`((c) => {
				const d = c.getContext("2d").getImageData(c.width / 2 | 0, 0, 1, c.height).data;
				let best = 0, y = 0;
				for (let i = 0; i < c.height; i++) { const s = d[4 * i] + d[4 * i + 1] + d[4 * i + 2]; if (s > best) { best = s; y = i; } }
				return Math.abs((1 - y / c.height) * 4000 - 600) < 250;
			})(` + el + `.querySelector(".sound-spectrum"))`)
			// The waveform is 0.8 of its height high.
			v.Wait(`((c) => {
				const d = c.getContext("2d").getImageData(c.width / 2 | 0, 0, 1, c.height).data;
				let n = 0;
				for (let i = 0; i < c.height; i++) if (d[4 * i + 3] > 128) n++;
				return Math.abs(n / c.height - 0.8) < 0.12;
			})(` + el + `.querySelector(".sound-wave"))`)
			// Another step is another clip.
			card.Control("slider", "Step").Slide(0)
			card.Control("status", "step 0").Wait()
			card.Control("group", "Clip 1 of 1").Is(`e.dataset.seconds === "0.500"`)
			v.Wait(el + `.querySelectorAll("audio").length === 1`)
			// A click on the picture plays from there.
			b := v.box(el + `.querySelector(".sound-picture")`)
			v.Wait(el + `.querySelector("audio").duration > 0.4`)
			v.Click(b.Part(0.5, 0.5))
			v.Wait(el + `.querySelector("audio").currentTime >= 0.2`)
			var owned any
			if v.Eval(`globalThis.owned ?? null`, &owned); owned != nil {
				t.Error("a label was run")
			}
			if kind != browsertest.Chromium {
				return
			}
			dir := v.Downloads()
			card.Control("button", "Download this clip").Click()
			v.Until(func() string {
				got, err := os.ReadFile(filepath.Join(dir, "voice_r_step0.wav"))
				if err != nil {
					return err.Error()
				}
				if !bytes.Equal(got, tone(200, 0.5, "").WAV()) {
					return "the clip that was saved is another one"
				}
				return ""
			})
		})
	}
}

// Of more clips than a card plays it says how many there are.
func TestAudioLeftOut(t *testing.T) {
	t.Parallel()
	clips := make([]summary.Clip, 1003)
	for i := range clips {
		clips[i] = tone(300, 0.01, "")
	}
	l := newLogs(t)
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		if err := w.AudioClips("many", clips, 0, summary.WallSeconds(epoch)); err != nil {
			t.Fatal(err)
		}
	})
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL+"#audio")
	card := v.Control("article", "many, r")
	card.Control("group", "Clip 1000 of 1000").Is(`e.dataset.seconds === "0.010"`)
	card.Is(`e.innerText.includes("the first 1000 of 1,003 clips")`)
}

// A WAV file with a wrong header, or none at all, says so; the others play.
func TestHostileAudio(t *testing.T) {
	t.Parallel()
	wrong := func(change func(b []byte)) []byte {
		b := tone(400, 0.2, "").WAV()
		change(b)
		return b
	}
	all := map[string]struct {
		bytes []byte
		says  string
	}{
		"rate":     {wrong(func(b []byte) { binary.LittleEndian.PutUint32(b[24:], 0) }), "header is wrong"},
		"channels": {wrong(func(b []byte) { binary.LittleEndian.PutUint16(b[22:], 0) }), "no channels"},
		"torn":     {tone(400, 0.2, "").WAV()[:30], "torn"},
		"html":     {[]byte("<!doctype html><script>owned = 1</script>"), "no sound in a format"},
		"empty":    {nil, "no bytes"},
		"fake":     {append([]byte("OggS"), make([]byte, 400)...), "cannot play"},
		"short":    {tone(400, 0.2, "").WAV()[:1000], "shorter than its header says"},
	}
	l := newLogs(t)
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		for _, name := range sortedKeys(all) {
			b := all[name].bytes
			w.Raw(summary.Event{WallTime: epoch, Values: []summary.Value{summary.TensorValue(name, summary.StringTensor([]int64{1, 2}, string(b), ""), summary.Metadata{Plugin: "audio"})}})
		}
		if err := w.Audio("good", tone(400, 0.2, ""), 0, summary.WallSeconds(epoch)); err != nil {
			t.Fatal(err)
		}
	})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := open(t, kind, serve(t, l.dir).URL+"#audio")
			v.Resize(1280, 1400)
			for _, name := range sortedKeys(all) {
				v.Wait(textCard(name, "r") + `?.innerText.includes(` + quote(all[name].says) + `)`)
			}
			v.Control("article", "good, r").Control("group", "Clip 1 of 1").Is(`e.dataset.seconds === "0.200" && e.dataset.drawn`)
		})
	}
}

// Samples that are no numbers are silent, and the rest of the clip is drawn.
func TestAudioWithoutNumbers(t *testing.T) {
	t.Parallel()
	samples := tone(600, 0.5, "").Samples
	var b bytes.Buffer
	b.WriteString("RIFF")
	put := func(all ...any) {
		for _, x := range all {
			if err := binary.Write(&b, binary.LittleEndian, x); err != nil {
				t.Fatal(err)
			}
		}
	}
	put(uint32(36 + 4*len(samples)))
	b.WriteString("WAVEfmt ")
	put(uint32(16), uint16(3), uint16(1), uint32(8000), uint32(32000), uint16(4), uint16(32)) // floats
	b.WriteString("data")
	put(uint32(4 * len(samples)))
	for i, x := range samples {
		if i%1000 == 0 {
			x = math.NaN()
		}
		put(float32(x))
	}
	l := newLogs(t)
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		w.Raw(summary.Event{WallTime: epoch, Values: []summary.Value{summary.TensorValue("odd", summary.StringTensor([]int64{1, 2}, b.String(), ""), summary.Metadata{Plugin: "audio"})}})
	})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := open(t, kind, serve(t, l.dir).URL+"#audio")
			v.Control("article", "odd, r").Control("group", "Clip 1 of 1").Is(`e.dataset.seconds === "0.500" && e.dataset.drawn`)
		})
	}
}
