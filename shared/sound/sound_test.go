package sound

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// header is a WAV file of which some fields are others.
func header(change func(b []byte)) []byte {
	b := summary.Clip{SampleRate: 8000, Channels: 2, Samples: make([]float64, 1600)}.WAV()
	if change != nil {
		change(b)
	}
	return b
}

func TestLook(t *testing.T) {
	le := binary.LittleEndian
	good := Info{WAV, 8000, 2, 16, 0.1, false}
	for name, c := range map[string]struct {
		b    []byte
		want Info
		says string // of the error
	}{
		"wav":           {header(nil), good, ""},
		"torn":          {header(nil)[:20], Info{Format: WAV}, "torn"},
		"no fmt":        {[]byte("RIFF\x04\x00\x00\x00WAVE"), Info{Format: WAV}, "torn"},
		"half of it":    {header(nil)[:44+1600], Info{WAV, 8000, 2, 16, 0.05, true}, ""},
		"no data":       {header(nil)[:36], Info{Format: WAV}, "no sound"},
		"empty data":    {header(nil)[:44], Info{Format: WAV}, "no sound"},
		"rate 0":        {header(func(b []byte) { le.PutUint32(b[24:], 0) }), Info{Format: WAV}, "rate is 0"},
		"huge rate":     {header(func(b []byte) { le.PutUint32(b[24:], 1<<31) }), Info{Format: WAV}, "rate is"},
		"no channels":   {header(func(b []byte) { le.PutUint16(b[22:], 0) }), Info{Format: WAV}, "no channels"},
		"many channels": {header(func(b []byte) { le.PutUint16(b[22:], 60000) }), Info{Format: WAV}, "60000 channels"},
		"odd bits":      {header(func(b []byte) { le.PutUint16(b[34:], 13) }), Info{Format: WAV}, "13 bits"},
		"odd code":      {header(func(b []byte) { le.PutUint16(b[20:], 99) }), Info{Format: WAV}, "code 99"},
		"no order":      {[]byte("RIFF....WAVEdata\x02\x00\x00\x00xx"), Info{Format: WAV}, "before"},
		"chunk beyond":  {[]byte("RIFF....WAVEjunk\xff\xff\xff\xffxx"), Info{Format: WAV}, "torn"},
		"nothing":       {nil, Info{}, "no bytes"},
		"text":          {[]byte("hello"), Info{}, "no sound in a format"},
		"html":          {[]byte("<html>"), Info{}, "no sound in a format"},
		"mp3":           {[]byte("\xff\xfb\x90\x00"), Info{Format: MP3}, ""},
		"mp3 with tags": {[]byte("ID3\x04"), Info{Format: MP3}, ""},
		"ogg":           {[]byte("OggS\x00"), Info{Format: Ogg}, ""},
		"flac":          {[]byte("fLaC\x00"), Info{Format: FLAC}, ""},
		"mp4":           {[]byte("\x00\x00\x00\x20ftypM4A "), Info{Format: MP4}, ""},
	} {
		got, err := Look(c.b)
		if c.says == "" && (err != nil || got != c.want) || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) || got.Format != c.want.Format {
			t.Errorf("%s: %+v, %v; want %+v, %q", name, got, err, c.want, c.says)
		}
		if got.Format != "" && got.Format.Ext() == "" {
			t.Errorf("files of %s have no name", got.Format)
		}
	}
	var h *HeaderError
	if _, err := Look(header(func(b []byte) { le.PutUint16(b[22:], 0) })); !errors.As(err, &h) {
		t.Error(err)
	}
}

func FuzzLook(f *testing.F) {
	f.Add(header(nil))
	f.Add([]byte("OggS"))
	f.Fuzz(func(t *testing.T, b []byte) {
		i, err := Look(b)
		if err == nil && i.Format == WAV && (i.Rate <= 0 || i.Channels <= 0 || !(i.Seconds > 0) || i.Seconds > float64(len(b))) {
			t.Fatalf("%+v of %d bytes", i, len(b))
		}
	})
}
