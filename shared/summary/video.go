package summary

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/color/palette"
	"image/draw"
	"image/gif"
	"math"
)

// Video writes frames, all of the same size, as one animated GIF that repeats
// for ever; that is how PyTorch's add_video does it. perSecond is the rate of
// frames; GIF counts in hundredths of a second and browsers slow down anything
// beyond 50 frames per second. At most 256 colours are kept as they are;
// beyond, frames are dithered to a fixed palette.
func (w *Writer) Video(tag string, frames []image.Image, perSecond float64, step int64, opts ...Option) error {
	if !(perSecond > 0) || math.IsInf(perSecond, 0) {
		return &ValueError{"Video", tag, "the rate of frames is not positive"}
	}
	if len(frames) == 0 {
		return &ValueError{"Video", tag, "there is no frame"}
	}
	size := frames[0].Bounds().Size()
	for i, f := range frames {
		if s := f.Bounds().Size(); s != size || s.X <= 0 || s.Y <= 0 {
			return &ValueError{"Video", tag, fmt.Sprintf("frame %d is %d × %d, the first is %d × %d", i, s.X, s.Y, size.X, size.Y)}
		}
	}
	colours, exact := coloursOf(frames)
	movie := gif.GIF{}
	for _, f := range frames {
		p := image.NewPaletted(image.Rectangle{Max: size}, colours)
		if exact {
			draw.Draw(p, p.Rect, f, f.Bounds().Min, draw.Src)
		} else {
			draw.FloydSteinberg.Draw(p, p.Rect, f, f.Bounds().Min)
		}
		movie.Image = append(movie.Image, p)
		movie.Delay = append(movie.Delay, max(2, int(math.Round(min(100/perSecond, 65535)))))
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &movie); err != nil {
		return &ValueError{"Video", tag, err.Error()}
	}
	return w.EncodedImages(tag, []EncodedImage{{b.Bytes(), size.X, size.Y, 3}}, step, opts...)
}

// coloursOf returns the frames' own colours if they are at most 256, else a
// palette that covers all colours.
func coloursOf(frames []image.Image) (p color.Palette, exact bool) {
	seen := map[color.RGBA]bool{}
	for _, f := range frames {
		r := f.Bounds()
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				c := color.RGBAModel.Convert(f.At(x, y)).(color.RGBA)
				if seen[c] {
					continue
				}
				if len(p) == 256 {
					return palette.Plan9, false
				}
				seen[c] = true
				p = append(p, c)
			}
		}
	}
	return p, true
}
