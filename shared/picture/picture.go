// Package picture reads what an encoded picture says of itself, and nothing more: its
// format, its size, whether it moves. So a picture that would take gigabytes is refused
// before anything decodes it, and what is no picture is named.
//
// Formats: PNG (W3C PNG, with the acTL chunk of APNG), JPEG (ITU T.81), GIF89a, WebP (RFC
// 9649), BMP, AVIF and MP4 (ISO 14496-12, by their ftyp box), WebM (EBML), SVG.
package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// Format is a format by its media type.
type Format string

const (
	PNG  Format = "image/png"
	JPEG Format = "image/jpeg"
	GIF  Format = "image/gif"
	WebP Format = "image/webp"
	BMP  Format = "image/bmp"
	AVIF Format = "image/avif"
	SVG  Format = "image/svg+xml"
	MP4  Format = "video/mp4"
	WebM Format = "video/webm"
)

// Ext is how names of files of the format end.
func (f Format) Ext() string {
	return map[Format]string{PNG: "png", JPEG: "jpg", GIF: "gif", WebP: "webp", BMP: "bmp", AVIF: "avif", SVG: "svg", MP4: "mp4", WebM: "webm"}[f]
}

// Info is what a picture says of itself.
type Info struct {
	Format Format
	// Width and Height are in pixels, the greatest that a decoder may make of it; 0 for
	// videos and SVG, which have no pixels before they are shown.
	Width, Height int
	Animated      bool // it has more than one frame
}

// Pixels is how many pixels one frame has.
func (i Info) Pixels() int64 { return int64(i.Width) * int64(i.Height) }

// Errors of Look. The messages are for users.
var (
	ErrEmpty   = errors.New("this picture has no bytes")
	ErrHTML    = errors.New("this is a web page and no picture")
	ErrUnknown = errors.New("this is no picture in a format that browsers know")
	ErrTorn    = errors.New("this picture is torn: it ends before it says how large it is")
	ErrNoSize  = errors.New("this picture says that it has no pixels")
)

// Look reads what b says of itself. The error is one of this package's; the format may be
// known all the same.
func Look(b []byte) (Info, error) {
	if len(b) == 0 {
		return Info{}, ErrEmpty
	}
	for _, k := range formats {
		if !k.is(b) {
			continue
		}
		i := Info{Format: k.format}
		if k.look == nil {
			return i, nil
		}
		if !k.look(b, &i) {
			return i, ErrTorn
		}
		if i.Width <= 0 || i.Height <= 0 {
			return i, ErrNoSize
		}
		return i, nil
	}
	return markup(b)
}

var formats = []struct {
	format Format
	is     func(b []byte) bool
	look   func(b []byte, i *Info) (ok bool) // nil: it has no size of its own
}{
	{PNG, starts("\x89PNG\r\n\x1a\n"), lookPNG},
	{JPEG, starts("\xff\xd8\xff"), lookJPEG},
	{GIF, starts("GIF8"), lookGIF},
	{WebP, func(b []byte) bool { return starts("RIFF")(b) && len(b) >= 12 && string(b[8:12]) == "WEBP" }, lookWebP},
	{BMP, func(b []byte) bool {
		// Two letters alone may be anything: the header's size has few values.
		return starts("BM")(b) && (len(b) < 18 || b[15] == 0 && b[16] == 0 && b[17] == 0)
	}, lookBMP},
	{AVIF, func(b []byte) bool { return brand(b, "avif") || brand(b, "avis") }, lookAVIF},
	{MP4, func(b []byte) bool { return brand(b, "") }, nil},
	{WebM, starts("\x1a\x45\xdf\xa3"), nil},
}

func starts(with string) func([]byte) bool {
	return func(b []byte) bool { return len(b) >= len(with) && string(b[:len(with)]) == with }
}

// brand reports whether b begins with a file type box of a brand, "" for any.
func brand(b []byte, name string) bool {
	return len(b) >= 12 && string(b[4:8]) == "ftyp" && (name == "" || string(b[8:12]) == name)
}

// markup tells SVG from other text.
func markup(b []byte) (Info, error) {
	head := bytes.ToLower(bytes.TrimLeft(bytes.TrimPrefix(b[:min(len(b), 4096)], []byte("\xef\xbb\xbf")), " \t\r\n"))
	if len(head) == 0 || head[0] != '<' {
		return Info{}, ErrUnknown
	}
	// What comes first decides: a page may hold an SVG, and an SVG a piece of a page.
	at, html := bytes.Index(head, []byte("<svg")), -1
	for _, tag := range []string{"<html", "<!doctype html", "<head", "<body", "<script", "<div", "<p>"} {
		if k := bytes.Index(head, []byte(tag)); k >= 0 && (html < 0 || k < html) {
			html = k
		}
	}
	switch {
	case at >= 0 && (html < 0 || at < html):
		return Info{Format: SVG}, nil
	case html >= 0:
		return Info{}, ErrHTML
	}
	return Info{}, ErrUnknown
}

// grow makes the size at least w × h.
func (i *Info) grow(w, h int) { i.Width, i.Height = max(i.Width, w), max(i.Height, h) }

func be16(b []byte) int { return int(binary.BigEndian.Uint16(b)) }
func le16(b []byte) int { return int(binary.LittleEndian.Uint16(b)) }
func le24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// limit keeps a size from a file within what an int of any platform multiplies safely.
func limit(v uint32) int { return int(min(v, 1<<30)) }

func lookPNG(b []byte, i *Info) bool {
	if len(b) < 24 || string(b[12:16]) != "IHDR" {
		return false
	}
	i.grow(limit(binary.BigEndian.Uint32(b[16:])), limit(binary.BigEndian.Uint32(b[20:])))
	// acTL stands before the first IDAT.
	for at := int64(8); at+8 <= int64(len(b)); {
		n := int64(binary.BigEndian.Uint32(b[at:]))
		switch string(b[at+4 : at+8]) {
		case "acTL":
			i.Animated = at+12 <= int64(len(b)) && binary.BigEndian.Uint32(b[at+8:]) > 1
			return true
		case "IDAT", "IEND":
			return true
		}
		at += 12 + n
	}
	return true
}

// lookJPEG looks at the frame headers up to the first scan. More than one is not allowed; a
// decoder may take either.
func lookJPEG(b []byte, i *Info) bool {
	found := false
	for at := 2; at+4 <= len(b); {
		if b[at] != 0xff {
			at++ // decoders look for the next marker too
			continue
		}
		m := b[at+1]
		if m == 0xff || m == 0 || m == 1 || m >= 0xd0 && m <= 0xd8 { // fill, or no segment
			at++
			continue
		}
		if m == 0xda || m == 0xd9 { // scan, end
			break
		}
		n := be16(b[at+2:])
		// SOF0 to SOF15, but for the tables DHT, JPG and DAC in between.
		if m >= 0xc0 && m <= 0xcf && m != 0xc4 && m != 0xc8 && m != 0xcc {
			if at+9 > len(b) {
				return found
			}
			found = true
			i.grow(be16(b[at+7:]), be16(b[at+5:]))
		}
		at += 2 + max(n, 2)
	}
	return found
}

// lookGIF looks at the screen and at every frame, which may be larger than it.
func lookGIF(b []byte, i *Info) bool {
	if len(b) < 13 {
		return false
	}
	i.grow(le16(b[6:]), le16(b[8:]))
	at := 13
	if b[10]&0x80 != 0 {
		at += 3 << (b[10]&7 + 1)
	}
	frames := 0
	for at < len(b) {
		switch b[at] {
		case 0x2c: // a frame
			if at+10 > len(b) {
				return true
			}
			if frames++; frames > 1 {
				i.Animated = true
			}
			i.grow(le16(b[at+1:])+le16(b[at+5:]), le16(b[at+3:])+le16(b[at+7:]))
			flags := b[at+9]
			at += 10
			if flags&0x80 != 0 {
				at += 3 << (flags&7 + 1)
			}
			at++ // code size
		case 0x21: // an extension
			at += 2
		default: // the end, or damage
			return true
		}
		for at < len(b) && b[at] != 0 {
			at += 1 + int(b[at])
		}
		at++
	}
	return true
}

// lookWebP looks at the chunks: the canvas of VP8X, and the frames' own sizes.
func lookWebP(b []byte, i *Info) bool {
	found := false
	for at := int64(12); at+8 <= int64(len(b)); {
		n := int64(binary.LittleEndian.Uint32(b[at+4:]))
		body := b[at+8:]
		switch string(b[at : at+4]) {
		case "VP8X":
			if len(body) >= 10 {
				found = true
				i.Animated = body[0]&2 != 0
				i.grow(le24(body[4:])+1, le24(body[7:])+1)
			}
		case "VP8 ":
			if len(body) >= 10 && string(body[3:6]) == "\x9d\x01\x2a" {
				found = true
				i.grow(le16(body[6:])&0x3fff, le16(body[8:])&0x3fff)
			}
		case "VP8L":
			if len(body) >= 5 && body[0] == 0x2f {
				found = true
				bits := binary.LittleEndian.Uint32(body[1:])
				i.grow(int(bits&0x3fff)+1, int(bits>>14&0x3fff)+1)
			}
		}
		at += 8 + n + n&1
	}
	return found
}

func lookBMP(b []byte, i *Info) bool {
	switch {
	case len(b) >= 22 && b[14] == 12: // BITMAPCOREHEADER
		i.grow(le16(b[18:]), le16(b[20:]))
	case len(b) >= 26:
		w, h := int32(binary.LittleEndian.Uint32(b[18:])), int32(binary.LittleEndian.Uint32(b[22:]))
		if h < 0 { // rows from the top; the least int32 has no positive one
			h = -max(h, -1<<30)
		}
		i.grow(limit(uint32(max(w, 0))), limit(uint32(h)))
	default:
		return false
	}
	return true
}

// lookAVIF takes the greatest of the image spatial extents (ispe) that stand in the first
// part, where the meta box is.
func lookAVIF(b []byte, i *Info) bool {
	i.Animated = brand(b, "avis")
	rest := b[:min(len(b), 1<<16)]
	found := false
	for {
		at := bytes.Index(rest, []byte("ispe"))
		if at < 0 || at+16 > len(rest) {
			return found
		}
		found = true
		i.grow(limit(binary.BigEndian.Uint32(rest[at+8:])), limit(binary.BigEndian.Uint32(rest[at+12:])))
		rest = rest[at+16:]
	}
}
