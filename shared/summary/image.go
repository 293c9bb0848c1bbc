package summary

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/gif"  // EncodedImage asks these for the size of a picture
	_ "image/jpeg" //
	"image/png"
	"strconv"
)

const imageOptions = common | setLegacy

// Image writes one picture, as PNG.
func (w *Writer) Image(tag string, img image.Image, step int64, opts ...Option) error {
	return w.Images(tag, []image.Image{img}, step, opts...)
}

// Images writes several pictures of one tag and step, as PNG; readers call them
// samples. Their sizes may differ; the event tells the first one's. No picture,
// or one without pixels, is a *ValueError, and so is more than one with Legacy.
func (w *Writer) Images(tag string, imgs []image.Image, step int64, opts ...Option) error {
	all := make([]EncodedImage, len(imgs))
	for i, img := range imgs {
		var err error
		if all[i], err = encodePNG(img); err != nil {
			return &ValueError{"Image", tag, fmt.Sprintf("picture %d: %v", i, err)}
		}
	}
	return w.EncodedImages(tag, all, step, opts...)
}

// EncodedImage is a picture in a file format. Pages show PNG, JPEG, GIF and BMP
// everywhere; anything else depends on reader and browser.
type EncodedImage struct {
	Bytes         []byte
	Width, Height int // pixels; 0 to look into Bytes, which works for PNG, JPEG and GIF
	Channels      int // 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA; 0 means 3
}

// EncodedImages writes pictures that were encoded elsewhere, byte by byte.
func (w *Writer) EncodedImages(tag string, imgs []EncodedImage, step int64, opts ...Option) error {
	s, err := gather("Image", tag, imageOptions, opts)
	if err != nil {
		return err
	}
	if len(imgs) == 0 {
		return &ValueError{"Image", tag, "there is no picture"}
	}
	if s.has(setLegacy) && len(imgs) > 1 {
		return &ValueError{"Image", tag, "the old style holds one picture"}
	}
	imgs = append([]EncodedImage{}, imgs...)
	for i := range imgs {
		img := &imgs[i]
		if img.Width == 0 && img.Height == 0 {
			c, _, err := image.DecodeConfig(bytes.NewReader(img.Bytes))
			if err != nil {
				return &ValueError{"Image", tag, fmt.Sprintf("picture %d: cannot find its size, give Width and Height: %v", i, err)}
			}
			img.Width, img.Height, img.Channels = c.Width, c.Height, channels(c.ColorModel)
		}
		if img.Width <= 0 || img.Height <= 0 {
			return &ValueError{"Image", tag, fmt.Sprintf("picture %d has no pixels: %d × %d", i, img.Width, img.Height)}
		}
	}
	if s.has(setLegacy) {
		v := imgs[0].Value(tag)
		v.Metadata = s.metadata("", nil)
		return w.value(v, step, &s)
	}
	m := s.metadata("images", nil)
	return w.value(TensorValue(tag, imagesTensor(imgs), m), step, &s)
}

// imagesTensor has strings: width, height (decimal), picture, picture, ….
func imagesTensor(imgs []EncodedImage) Tensor {
	strs := []string{strconv.Itoa(imgs[0].Width), strconv.Itoa(imgs[0].Height)}
	for _, img := range imgs {
		strs = append(strs, string(img.Bytes))
	}
	return StringTensor([]int64{int64(len(strs))}, strs...)
}

// Value makes the old-style value of one picture without any check.
func (img EncodedImage) Value(tag string) Value {
	if img.Channels == 0 {
		img.Channels = 3
	}
	p := putVarint(nil, 1, int64(img.Height))
	p = putVarint(p, 2, int64(img.Width))
	p = putVarint(p, 3, int64(img.Channels))
	p = putBytes(p, 4, img.Bytes)
	return Value{Tag: tag, Field: FieldImage, Payload: p}
}

func encodePNG(img image.Image) (EncodedImage, error) {
	if img == nil {
		return EncodedImage{}, fmt.Errorf("is nil")
	}
	size := img.Bounds().Size()
	if size.X <= 0 || size.Y <= 0 {
		return EncodedImage{}, fmt.Errorf("has no pixels: %d × %d", size.X, size.Y)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return EncodedImage{}, err
	}
	return EncodedImage{b.Bytes(), size.X, size.Y, channels(img.ColorModel())}, nil
}

func channels(m color.Model) int {
	switch m {
	case color.GrayModel, color.Gray16Model:
		return 1
	case color.YCbCrModel, color.CMYKModel:
		return 3
	}
	return 4
}
