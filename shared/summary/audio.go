package summary

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Clip is a piece of sound.
type Clip struct {
	SampleRate int       // frames per second
	Channels   int       // 0 means 1
	Samples    []float64 // in [-1, 1], one channel after the other in each frame; beyond is clipped
	Label      string    // Markdown shown beside the clip; not in the old style
	// Encoded is a WAV file that is written as it is, instead of Samples.
	Encoded []byte
}

// wav is the only value of AudioPluginData's encoding besides UNKNOWN.
const wav = 11

// Audio writes one clip, as 16-bit WAV.
func (w *Writer) Audio(tag string, clip Clip, step int64, opts ...Option) error {
	return w.AudioClips(tag, []Clip{clip}, step, opts...)
}

// AudioClips writes several clips of one tag and step; readers call them
// samples. No clip, or a sample that is not finite, is a *ValueError, and so is
// more than one clip with Legacy.
func (w *Writer) AudioClips(tag string, clips []Clip, step int64, opts ...Option) error {
	s, err := gather("Audio", tag, common|setLegacy, opts)
	if err != nil {
		return err
	}
	if len(clips) == 0 {
		return &ValueError{"Audio", tag, "there is no clip"}
	}
	if s.has(setLegacy) && len(clips) > 1 {
		return &ValueError{"Audio", tag, "the old style holds one clip"}
	}
	var strs []string
	for i, c := range clips {
		if c.Encoded == nil {
			if problem := c.check(); problem != "" {
				return &ValueError{"Audio", tag, fmt.Sprintf("clip %d: %s", i, problem)}
			}
			c.Encoded = c.WAV()
		}
		if s.has(setLegacy) {
			v := c.Value(tag)
			v.Metadata = s.metadata("", nil)
			return w.value(v, step, &s)
		}
		strs = append(strs, string(c.Encoded), c.Label)
	}
	m := s.metadata("audio", putVarint(nil, 2, wav))
	return w.value(TensorValue(tag, StringTensor([]int64{int64(len(clips)), 2}, strs...), m), step, &s)
}

// Value makes the old-style value of one clip without any check.
func (c Clip) Value(tag string) Value {
	encoded := c.Encoded
	if encoded == nil {
		encoded = c.WAV()
	}
	var p []byte
	if c.SampleRate != 0 {
		p = mustFloat(p, 1, float32(c.SampleRate))
	}
	p = putVarint(p, 2, int64(c.channels()))
	p = putVarint(p, 3, int64(len(c.Samples)/c.channels()))
	p = putBytes(p, 4, encoded)
	p = putString(p, 5, "audio/wav")
	return Value{Tag: tag, Field: FieldAudio, Payload: p}
}

func (c Clip) channels() int { return max(c.Channels, 1) }

func (c Clip) check() string {
	switch {
	case c.SampleRate <= 0:
		return "the sample rate is not positive"
	case len(c.Samples)%c.channels() != 0:
		return fmt.Sprintf("%d samples are no whole number of frames of %d channels", len(c.Samples), c.channels())
	case c.channels() > math.MaxUint16/2 || len(c.Samples) > math.MaxInt32/2-44:
		return "is too long for WAV"
	}
	for i, x := range c.Samples {
		if notFinite(x) {
			return fmt.Sprintf("sample %d is not finite", i)
		}
	}
	return ""
}

// WAV encodes the clip's samples as a RIFF file of 16-bit PCM.
func (c Clip) WAV() []byte {
	const bytesPerSample = 2
	le := binary.LittleEndian
	frame := c.channels() * bytesPerSample
	size := len(c.Samples) * bytesPerSample
	b := make([]byte, 0, 44+size)
	b = append(b, "RIFF"...)
	b = le.AppendUint32(b, uint32(36+size)) // all behind this field
	b = append(b, "WAVEfmt "...)
	b = le.AppendUint32(b, 16) // size of the fmt chunk
	b = le.AppendUint16(b, 1)  // PCM
	b = le.AppendUint16(b, uint16(c.channels()))
	b = le.AppendUint32(b, uint32(c.SampleRate))
	b = le.AppendUint32(b, uint32(c.SampleRate*frame)) // bytes per second
	b = le.AppendUint16(b, uint16(frame))
	b = le.AppendUint16(b, 8*bytesPerSample)
	b = append(b, "data"...)
	b = le.AppendUint32(b, uint32(size))
	for _, x := range c.Samples {
		b = le.AppendUint16(b, uint16(int16(math.Round(min(max(x, -1), 1)*math.MaxInt16))))
	}
	return b
}
