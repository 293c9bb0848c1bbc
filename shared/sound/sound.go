// Package sound reads what an encoded piece of sound says of itself: its format, and of a
// WAV file (RIFF, Microsoft's WAVEFORMATEX) rate, channels and length. What cannot be
// played is named before anything tries to.
package sound

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Format is a format by its media type.
type Format string

const (
	WAV  Format = "audio/wav"
	MP3  Format = "audio/mpeg"
	Ogg  Format = "audio/ogg"
	FLAC Format = "audio/flac"
	MP4  Format = "audio/mp4"
	WebM Format = "audio/webm"
)

// Ext is how names of files of the format end.
func (f Format) Ext() string {
	return map[Format]string{WAV: "wav", MP3: "mp3", Ogg: "ogg", FLAC: "flac", MP4: "m4a", WebM: "webm"}[f]
}

// Info is what a piece of sound says of itself. Only WAV says more than its format.
type Info struct {
	Format   Format
	Rate     int     // frames per second
	Channels int     //
	Bits     int     // of a sample of one channel
	Seconds  float64 // that there are bytes for
	// Short says that the header promises more than there is.
	Short bool
}

// Errors of Look. The messages are for users.
var (
	ErrEmpty   = errors.New("this clip has no bytes")
	ErrUnknown = errors.New("this is no sound in a format that browsers know")
	ErrTorn    = errors.New("this WAV file is torn: it ends before it says how it is to be played")
	ErrNoData  = errors.New("this WAV file holds no sound")
)

// HeaderError says what is wrong with a WAV file's header.
type HeaderError struct{ What string }

// Error says it.
func (e *HeaderError) Error() string { return "this WAV file's header is wrong: " + e.What }

// Look reads what b says of itself; the format may be known where there is an error.
func Look(b []byte) (Info, error) {
	is := func(at int, text string) bool { return len(b) >= at+len(text) && string(b[at:at+len(text)]) == text }
	switch {
	case len(b) == 0:
		return Info{}, ErrEmpty
	case is(0, "RIFF") && is(8, "WAVE"):
		return wav(b)
	case is(0, "OggS"):
		return Info{Format: Ogg}, nil
	case is(0, "fLaC"):
		return Info{Format: FLAC}, nil
	case is(0, "ID3"), len(b) > 1 && b[0] == 0xff && b[1]&0xe6 == 0xe2: // frame sync, layer III
		return Info{Format: MP3}, nil
	case is(4, "ftyp"):
		return Info{Format: MP4}, nil
	case is(0, "\x1a\x45\xdf\xa3"):
		return Info{Format: WebM}, nil
	}
	return Info{}, ErrUnknown
}

// Codes of WAVEFORMATEX that browsers play: PCM, IEEE float, A-law, µ-law, extensible.
const (
	pcm        = 1
	float      = 3
	aLaw       = 6
	muLaw      = 7
	extensible = 0xfffe
)

func wav(b []byte) (Info, error) {
	i := Info{Format: WAV}
	le := binary.LittleEndian
	code := 0
	for at := int64(12); at+8 <= int64(len(b)); {
		n := int64(le.Uint32(b[at+4:]))
		body := b[at+8:]
		switch string(b[at : at+4]) {
		case "fmt ":
			if n < 16 || len(body) < 16 {
				return i, ErrTorn
			}
			code = int(le.Uint16(body))
			i.Channels, i.Rate, i.Bits = int(le.Uint16(body[2:])), int(le.Uint32(body[4:])), int(le.Uint16(body[14:]))
			if code == extensible && len(body) >= 26 {
				code = int(le.Uint16(body[24:]))
			}
			switch {
			case code != pcm && code != float && code != aLaw && code != muLaw:
				return i, &HeaderError{fmt.Sprintf("its code %d is of no format that browsers play", code)}
			case i.Channels == 0:
				return i, &HeaderError{"it has no channels"}
			case i.Channels > 32:
				return i, &HeaderError{fmt.Sprintf("it has %d channels", i.Channels)}
			case i.Rate < 1000 || i.Rate > 768000:
				return i, &HeaderError{fmt.Sprintf("its rate is %d per second", i.Rate)}
			case i.Bits != 8 && i.Bits != 16 && i.Bits != 24 && i.Bits != 32 && i.Bits != 64:
				return i, &HeaderError{fmt.Sprintf("its samples have %d bits", i.Bits)}
			}
		case "data":
			if i.Rate == 0 {
				return i, &HeaderError{"its sound comes before its format"}
			}
			have := min(n, int64(len(body)))
			i.Short = have < n
			if have == 0 {
				return i, ErrNoData
			}
			i.Seconds = float64(have) / float64(i.Channels*i.Bits/8) / float64(i.Rate)
			return i, nil
		}
		at += 8 + n + n&1
	}
	if i.Rate == 0 {
		return i, ErrTorn
	}
	return i, ErrNoData
}
