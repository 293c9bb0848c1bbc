//go:build !js

package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// written waits until a card's picture says some words, and none of others.
func (s *screen) written(card string, want, none []string) {
	s.t.Helper()
	s.Until(func() string {
		var said []string
		if err := s.TryEval(`tbSaid(`+card+`.querySelector("canvas")).map(x => x.text)`, &said); err != nil {
			return err.Error()
		}
		for _, w := range want {
			if !slices.Contains(said, w) {
				return fmt.Sprintf("%q is not written: %q", w, said)
			}
		}
		for _, w := range none {
			if slices.Contains(said, w) {
				return fmt.Sprintf("%q is written: %q", w, said)
			}
		}
		return ""
	})
}

// Slices stand at their step, their time since the first, or their time of day, the last in
// front; counts may be logarithmic.
func TestHistogramLooks(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		// Step 0 has 10 values at the left, the last one 1000 at the right, an hour later.
		for i, b := range []summary.HistogramBuckets{{{0, 1, 10}, {1, 2, 0}}, {{0, 1, 0}, {1, 2, 1000}}} {
			if err := w.HistogramRaw("w", b, int64(50*i), summary.WallSeconds(epoch+3600*float64(i))); err != nil {
				t.Fatal(err)
			}
		}
	})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := come(t, kind, l.dir)
			s.Before(drawing)
			s.fresh("#histograms")
			card := textCard("w", "r")
			s.Control("article", "w, r").Control("img", "Histograms of 2*").Wait()
			s.written(card, []string{"0", "20", "40"}, nil)
			// At a hundredth of the greatest count the first slice cannot be told from nothing;
			// in logarithms it is an eighth as high.
			step := func(x, y float64) string {
				var text string
				s.Hover(s.overPlot("w", "r", x, y))
				s.Eval(card+`.querySelector("[role=status]").textContent`, &text)
				return text
			}
			ink := func(x, y float64) float64 {
				at, ground := s.Pixel(s.overPlot("w", "r", x, y)), s.Pixel(s.overPlot("w", "r", 0.9, 0.02))
				d := 0.0
				for i := range at {
					d += max(at[i]-ground[i], ground[i]-at[i])
				}
				return d
			}
			if got := step(0.75, 0.8); len(got) < 7 || got[:7] != "step 50" {
				t.Errorf("in front stands %q", got)
			}
			s.drawn(card, "histogram-pointed")
			s.Hover(browsertest.Point{X: 5, Y: 5})
			s.drawn(card, "histogram")
			s.said(card, "histogram")
			linear := ink(0.27, 0.375) // the first slice's base is at 0.4 of the height
			s.Control("checkbox", "Log counts").Click()
			s.Until(func() string {
				if log := ink(0.27, 0.375); log < linear+20 {
					return fmt.Sprintf("%v dark with linear counts, %v with logarithmic ones", linear, log)
				}
				return ""
			})
			// Older slices are paler.
			if first, last := ink(0.27, 0.375), ink(0.75, 0.8); first > 0.8*last {
				t.Errorf("the first slice is %v dark, the last one %v", first, last)
			}
			s.Control("radio", "Overlay").Click()
			s.written(card, []string{"0", "1", "10"}, []string{"20"})
			s.drawn(card, "histogram-overlay-log")
			s.Control("checkbox", "Log counts").Click()
			s.written(card, []string{"0", "20", "60"}, []string{"10"})
			s.drawn(card, "histogram-overlay")
			s.Control("radio", "Offset").Click()
			axis := s.Control("radiogroup", "Horizontal axis")
			axis.Control("radio", "Relative").Click()
			s.written(card, []string{"0 s", "1 h"}, []string{"40"})
			s.drawn(card, "histogram-relative")
			axis.Control("radio", "Wall").Click()
			s.written(card, nil, []string{"40", "1 h", "0 s"})
			s.hash("#histograms&x=wall")
			// The first slice stands behind the last whatever the depth is.
			if got := step(0.75, 0.8); len(got) < 7 || got[:7] != "step 50" {
				t.Errorf("in front stands %q", got)
			}
		})
	}
}

// bmp is a picture of one colour, as BMP.
func bmp(side int, c color.RGBA) []byte {
	row := (3*side + 3) / 4 * 4
	b := append([]byte("BM"), make([]byte, 52)...)
	binary.LittleEndian.PutUint32(b[2:], uint32(54+row*side))
	binary.LittleEndian.PutUint32(b[10:], 54)
	binary.LittleEndian.PutUint32(b[14:], 40)
	binary.LittleEndian.PutUint32(b[18:], uint32(side))
	binary.LittleEndian.PutUint32(b[22:], uint32(side))
	b[26], b[28] = 1, 24
	for range side {
		line := make([]byte, row)
		for x := range side {
			copy(line[3*x:], []byte{c.B, c.G, c.R})
		}
		b = append(b, line...)
	}
	return b
}

// Every format that a browser knows is drawn, by what the bytes are and not by what the
// writer says of their size; contrast, and enlarged pictures smooth or pixel by pixel.
func TestImageLooks(t *testing.T) {
	t.Parallel()
	want := color.RGBA{40, 160, 90, 255}
	img := flat(12, 12, want)
	encode := func(f func(b *bytes.Buffer) error) []byte {
		var b bytes.Buffer
		if err := f(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	half := image.NewRGBA(image.Rect(0, 0, 2, 1)) // black beside white
	half.Set(0, 0, color.Black)
	half.Set(1, 0, color.White)
	l := newLogs(t)
	l.run("r", map[string][]point{"x": curve(0, 0, 3)})
	maker := start(t, browsertest.Chromium)
	maker.Open(serve(t, l.dir).URL)
	var webp string
	maker.Eval(`(() => { const c = Object.assign(document.createElement("canvas"), {width: 12, height: 12}), x = c.getContext("2d"); x.fillStyle = "rgb(40 160 90)"; x.fillRect(0, 0, 12, 12); return c.toDataURL("image/webp", 1).replace(/^data:image.webp;base64,/, ""); })()`, &webp)
	web, err := base64.StdEncoding.DecodeString(webp)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{
		"png":  encode(func(b *bytes.Buffer) error { return png.Encode(b, img) }),
		"jpeg": encode(func(b *bytes.Buffer) error { return jpeg.Encode(b, img, &jpeg.Options{Quality: 100}) }),
		"gif":  encode(func(b *bytes.Buffer) error { return gif.Encode(b, img, nil) }),
		"bmp":  bmp(12, want), "webp": web,
	}
	l.file("p", "1700000000.host.1.0", func(w *summary.Buffer) {
		for _, name := range sortedKeys(all) {
			if err := w.EncodedImages(name, []summary.EncodedImage{{Bytes: all[name], Width: 4000, Height: 1}}, 0, summary.WallSeconds(epoch)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Image("half", half, 0, summary.WallSeconds(epoch)); err != nil {
			t.Fatal(err)
		}
	})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := open(t, kind, serve(t, l.dir).URL+"#images")
			v.Resize(1280, 1200)
			for _, name := range sortedKeys(all) {
				v.Control("article", name+", p").Control("button", "Picture 1 of 1, 12 × 12 pixels*").Wait()
				c := want
				if name == "gif" { // the nearest of its colours
					v.Wait(textCard(name, "p") + `.querySelector("canvas")`)
					continue
				}
				v.middle(textCard(name, "p")+`.querySelector("canvas")`, c)
			}
			// Grey between black and white where it is smooth, an edge where it is not.
			between := func() (n int) {
				b := v.box(textCard("half", "p") + `.querySelector("canvas")`)
				p := v.Picture()
				for x := 0.3; x < 0.7; x += 0.02 {
					if c := p.At(b.Part(x, 0.5)); c[0] > 40 && c[0] < 215 {
						n++
					}
				}
				return n
			}
			v.Until(func() string {
				if n := between(); n > 2 {
					return fmt.Sprintf("%d of 20 places are grey", n)
				}
				return ""
			})
			v.Control("checkbox", "Smooth enlarged images").Click()
			v.Until(func() string {
				if n := between(); n < 4 {
					return fmt.Sprintf("%d of 20 places are grey", n)
				}
				return ""
			})
			v.Wait(`location.hash.includes("smooth=true")`)
			v.Control("spinbutton", "Contrast factor").Fill("0")
			v.middle(textCard("png", "p")+`.querySelector("canvas")`, color.RGBA{128, 128, 128, 255})
			v.Wait(`location.hash.includes("contrast=0")`)
		})
	}
}
