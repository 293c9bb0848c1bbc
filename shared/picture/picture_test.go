package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
)

func encoded(t testing.TB, f func(b *bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gray(w, h int) image.Image { return image.NewGray(image.Rect(0, 0, w, h)) }

// pngOf has a header of any size, whatever its pixels are.
func pngOf(w, h uint32) []byte {
	b := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR")
	b = binary.BigEndian.AppendUint32(b, w)
	b = binary.BigEndian.AppendUint32(b, h)
	return append(b, 8, 0, 0, 0, 0, 1, 2, 3, 4)
}

func chunk(name string, body ...byte) string {
	return string(binary.BigEndian.AppendUint32(nil, uint32(len(body)))) + name + string(body) + "crc!"
}

func riff(chunks ...string) string {
	all := "WEBP" + strings.Join(chunks, "")
	return "RIFF" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(all)))) + all
}

func webpChunk(name, body string) string {
	if len(body)%2 == 1 {
		return name + string(binary.LittleEndian.AppendUint32(nil, uint32(len(body)))) + body + "\x00"
	}
	return name + string(binary.LittleEndian.AppendUint32(nil, uint32(len(body)))) + body
}

func seeds(t testing.TB) map[string]struct {
	b    []byte
	want Info
	err  error
} {
	frames := func(n int) []byte {
		g := &gif.GIF{}
		for range n {
			g.Image = append(g.Image, image.NewPaletted(image.Rect(0, 0, 9, 7), color.Palette{color.Black, color.White}))
			g.Delay = append(g.Delay, 10)
		}
		return encoded(t, func(b *bytes.Buffer) error { return gif.EncodeAll(b, g) })
	}
	still := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, gray(5, 3)) })
	photo := encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, gray(31, 17), nil) })
	wide := frames(1)
	binary.LittleEndian.PutUint16(wide[bytes.IndexByte(wide[13:], 0x2c)+13+5:], 40000) // its frame is wider than its screen
	bitmap := func(w, h int32) []byte {
		b := append([]byte("BM"), make([]byte, 12)...)
		b = binary.LittleEndian.AppendUint32(b, 40)
		b = binary.LittleEndian.AppendUint32(b, uint32(w))
		return binary.LittleEndian.AppendUint32(b, uint32(h))
	}
	type s = struct {
		b    []byte
		want Info
		err  error
	}
	return map[string]s{
		"png":                     {still, Info{PNG, 5, 3, false}, nil},
		"png of a wall":           {pngOf(30000, 30000), Info{PNG, 30000, 30000, false}, nil},
		"png beyond an int32":     {pngOf(1<<32-1, 1), Info{PNG, 1 << 30, 1, false}, nil},
		"png without pixels":      {pngOf(0, 4), Info{PNG, 0, 4, false}, ErrNoSize},
		"png, torn":               {still[:20], Info{Format: PNG}, ErrTorn},
		"png, animated":           {append(pngOf(2, 2), chunk("acTL", 0, 0, 0, 3, 0, 0, 0, 0)...), Info{PNG, 2, 2, true}, nil},
		"png, acTL of one frame":  {append(pngOf(2, 2), chunk("acTL", 0, 0, 0, 1, 0, 0, 0, 0)...), Info{PNG, 2, 2, false}, nil},
		"png, acTL behind pixels": {append(pngOf(2, 2), chunk("IDAT")+chunk("acTL", 0, 0, 0, 3)...), Info{PNG, 2, 2, false}, nil},
		"jpeg":                    {photo, Info{JPEG, 31, 17, false}, nil},
		"jpeg, torn":              {photo[:20], Info{Format: JPEG}, ErrTorn},
		"jpeg with two frames":    {[]byte("\xff\xd8\xff\xc0\x00\x09\x08\x00\x02\x00\x03\x01\x00\xff\xc2\x00\x09\x08\x75\x30\x75\x30\x01\x00"), Info{JPEG, 30000, 30000, false}, nil},
		"gif":                     {frames(1), Info{GIF, 9, 7, false}, nil},
		"gif, animated":           {frames(3), Info{GIF, 9, 7, true}, nil},
		"gif, torn":               {frames(3)[:11], Info{Format: GIF}, ErrTorn},
		"gif beyond its screen":   {wide, Info{GIF, 40000, 7, false}, nil},
		"webp":                    {[]byte(riff(webpChunk("VP8 ", "\x10\x00\x00\x9d\x01\x2a\x0c\x00\x22\x00"))), Info{WebP, 12, 34, false}, nil},
		"webp, lossless":          {[]byte(riff(webpChunk("VP8L", "\x2f\x03\xc0\x02\x00"))), Info{WebP, 4, 12, false}, nil},
		"webp, animated":          {[]byte(riff(webpChunk("VP8X", "\x02\x00\x00\x00\x09\x00\x00\x13\x00\x00"))), Info{WebP, 10, 20, true}, nil},
		"webp, torn":              {[]byte(riff()), Info{Format: WebP}, ErrTorn},
		"bmp":                     {bitmap(6, 5), Info{BMP, 6, 5, false}, nil},
		"bmp from the top":        {bitmap(6, -5), Info{BMP, 6, 5, false}, nil},
		"bmp, the least height":   {bitmap(1, -1<<31), Info{BMP, 1, 1 << 30, false}, nil},
		"bmp of no width":         {bitmap(-1, 5), Info{BMP, 0, 5, false}, ErrNoSize},
		"avif":                    {[]byte("\x00\x00\x00\x1cftypavif\x00\x00\x00\x00....\x00\x00\x00\x14ispe\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x80"), Info{AVIF, 256, 128, false}, nil},
		"mp4":                     {[]byte("\x00\x00\x00\x20ftypisom\x00\x00\x02\x00isom"), Info{Format: MP4}, nil},
		"webm":                    {[]byte("\x1a\x45\xdf\xa3\x9f"), Info{Format: WebM}, nil},
		"svg":                     {[]byte("\ufeff<?xml version='1.0'?>\n<!DOCTYPE svg>\n<svg xmlns='http://www.w3.org/2000/svg'><foreignObject><body/></foreignObject></svg>"), Info{Format: SVG}, nil},
		"web page":                {[]byte("<!doctype html><title>x</title><svg/>"), Info{}, ErrHTML},
		"web page in capitals":    {[]byte("\n <HTML>"), Info{}, ErrHTML},
		"text":                    {[]byte("hello"), Info{}, ErrUnknown},
		"tag":                     {[]byte("<a>"), Info{}, ErrUnknown},
		"nothing":                 {nil, Info{}, ErrEmpty},
		"BM, a word":              {[]byte("BM what is this, then"), Info{}, ErrUnknown},
	}
}

func TestLook(t *testing.T) {
	for name, s := range seeds(t) {
		got, err := Look(s.b)
		if !errors.Is(err, s.err) || err == nil != (s.err == nil) {
			t.Errorf("%s: error %v, want %v", name, err, s.err)
		}
		if s.err == nil && got != s.want || got.Format != s.want.Format {
			t.Errorf("%s: %+v, want %+v", name, got, s.want)
		}
		if err == nil && got.Format.Ext() == "" {
			t.Errorf("%s: files of %s have no name", name, got.Format)
		}
	}
}

// Whatever the bytes are: no panic, and no size that would be multiplied into another.
// What Go's own decoders make of them is not larger than what was said.
func FuzzLook(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s.b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		i, err := Look(b)
		if i.Width < 0 || i.Height < 0 || i.Width > 1<<30 || i.Height > 1<<30 {
			t.Fatalf("%+v", i)
		}
		if err != nil {
			return
		}
		c, _, err := image.DecodeConfig(bytes.NewReader(b))
		if err == nil && (i.Format == PNG || i.Format == JPEG || i.Format == GIF) && (c.Width > i.Width || c.Height > i.Height) {
			t.Fatalf("said %d × %d, is %d × %d", i.Width, i.Height, c.Width, c.Height)
		}
	})
}
