//go:build !js

package browsertest

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
)

// Picture is what is visible on a page. A pixel is a CSS pixel: the tests' browsers have
// a ratio of 1.
type Picture struct{ *image.RGBA }

// Picture takes a picture of the page.
func (p *Page) Picture() Picture {
	p.t.Helper()
	return p.picture(nil)
}

// PictureOf takes a picture of a part of the page, which is faster. Its pixels have the
// places that they have on the page.
func (p *Page) PictureOf(part Box) Picture {
	p.t.Helper()
	x, y := math.Floor(part.X), math.Floor(part.Y)
	return p.picture(&Box{x, y, math.Ceil(part.X+part.Width) - x, math.Ceil(part.Y+part.Height) - y})
}

// Pixel returns the colour of a pixel of the page.
func (p *Page) Pixel(at Point) [3]float64 {
	p.t.Helper()
	return p.PictureOf(Box{at.X, at.Y, 1, 1}).At(at)
}

func (p *Page) picture(part *Box) Picture {
	p.t.Helper()
	shot, err := DecodePicture(p.shot(part))
	if err != nil {
		p.t.Fatalf("screenshot: %v", err)
	}
	if part != nil {
		shot.Rect = shot.Rect.Add(image.Pt(int(part.X), int(part.Y)).Sub(shot.Rect.Min))
	}
	return shot
}

// DecodePicture is the picture that a PNG holds.
func DecodePicture(b []byte) (Picture, error) {
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		return Picture{}, err
	}
	rgba := image.NewRGBA(img.Bounds())
	draw.Draw(rgba, rgba.Rect, img, rgba.Rect.Min, draw.Src)
	return Picture{rgba}, nil
}

// Hex is a colour as #rrggbb.
type Hex string

// RGB returns the colour's parts, 0…255.
func (h Hex) RGB() (c [3]float64) {
	for i := range c {
		for _, d := range h[1+2*i : 3+2*i] {
			v := d - '0'
			if d >= 'a' {
				v = d - 'a' + 10
			}
			c[i] = 16*c[i] + float64(v)
		}
	}
	return c
}

// At returns the colour of a pixel.
func (p Picture) At(at Point) [3]float64 {
	c := p.RGBAAt(int(at.X), int(at.Y))
	return parts(c)
}

func parts(c color.RGBA) [3]float64 { return [3]float64{float64(c.R), float64(c.G), float64(c.B)} }

// Cover says how much of a pixel a colour covers, 0…1, on a ground: how far it is on the
// way from the ground to the colour. It is 0 for what lies off that way.
func Cover(pixel, ground, ink [3]float64) float64 {
	along, length := 0.0, 0.0
	for i := range pixel {
		d := ink[i] - ground[i]
		along += (pixel[i] - ground[i]) * d
		length += d * d
	}
	part := along / length
	off := 0.0
	for i := range pixel {
		d := pixel[i] - ground[i] - part*(ink[i]-ground[i])
		off += d * d
	}
	if off > 24*24 || part < 0 {
		return 0
	}
	return math.Min(1, part)
}
