package demo

import (
	"image"
	"image/color"
	"math"
	"strconv"
)

// picture draws a digit, each pixel as zoom × zoom.
func (d *digit) picture(zoom int) *image.Gray {
	img := image.NewGray(image.Rect(0, 0, side*zoom, side*zoom))
	for y := range side * zoom {
		for x := range side * zoom {
			img.SetGray(x, y, color.Gray{uint8(255 * d.pixels[y/zoom*side+x/zoom])})
		}
	}
	return img
}

// weightsPicture draws what each unit of the first layer looks for: its 64
// weights in the place of their pixels, red for positive, blue for negative,
// full colour at the greatest size.
func weightsPicture(l *layer) image.Image {
	const zoom, columns = 5, 8
	const tile = side*zoom + 2
	rows := (l.out + columns - 1) / columns
	img := image.NewRGBA(image.Rect(0, 0, columns*tile, rows*tile))
	fill(img, img.Rect, color.RGBA{128, 128, 128, 255})
	greatest := 1e-12
	for _, w := range l.w {
		greatest = max(greatest, math.Abs(w))
	}
	for unit := range l.out {
		for p := range l.in {
			x := unit%columns*tile + p%side*zoom + 1
			y := unit/columns*tile + p/side*zoom + 1
			fill(img, image.Rect(x, y, x+zoom, y+zoom), signed(l.w[p*l.out+unit]/greatest))
		}
	}
	return img
}

// signed colours a number in [-1, 1] from blue over white to red. 16 shades a
// side keep the film of these pictures within the 256 colours of a GIF.
func signed(v float64) color.RGBA {
	pale := uint8(255 - 15.9375*math.Round(16*min(math.Abs(v), 1)))
	if v < 0 {
		return color.RGBA{pale, pale, 255, 255}
	}
	return color.RGBA{255, pale, pale, 255}
}

// confusionPicture draws how often each digit (row) was taken for each (column).
// The first row and column name the digits.
func confusionPicture(counts [classes][classes]int) image.Image {
	const cell = 22
	img := image.NewRGBA(image.Rect(0, 0, (classes+1)*cell, (classes+1)*cell))
	fill(img, img.Rect, color.RGBA{255, 255, 255, 255})
	grey, black, white := color.RGBA{110, 110, 110, 255}, color.RGBA{0, 0, 0, 255}, color.RGBA{255, 255, 255, 255}
	for i := range classes {
		number(img, i, (i+1)*cell, 0, cell, grey)
		number(img, i, 0, (i+1)*cell, cell, grey)
		total := 0
		for _, n := range counts[i] {
			total += n
		}
		for j, n := range counts[i] {
			share := float64(n) / float64(max(total, 1))
			r := image.Rect((j+1)*cell, (i+1)*cell, (j+2)*cell-1, (i+2)*cell-1)
			fill(img, r, color.RGBA{uint8(240 - 222*share), uint8(244 - 144*share), uint8(250 - 70*share), 255})
			if n > 0 {
				ink := black
				if share > 0.5 {
					ink = white
				}
				number(img, n, r.Min.X, r.Min.Y, cell-1, ink)
			}
		}
	}
	return img
}

func fill(img *image.RGBA, r image.Rectangle, c color.RGBA) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			img.SetRGBA(x, y, c)
		}
	}
}

// glyphs are the digits, 3 × 5, one octal digit per row.
var glyphs = [10]uint16{0o75557, 0o26227, 0o71747, 0o71717, 0o55711, 0o74717, 0o74757, 0o71122, 0o75757, 0o75717}

// number writes n in the middle of the square of the given size at (x, y).
func number(img *image.RGBA, n, x, y, size int, c color.RGBA) {
	text := strconv.Itoa(n)
	x += (size - 4*len(text) + 1) / 2
	y += (size - 5) / 2
	for i, char := range text {
		for bit := range 15 {
			if glyphs[char-'0']>>(14-bit)&1 == 1 {
				img.SetRGBA(x+4*i+bit%3, y+bit/3, c)
			}
		}
	}
}

// classColors tell the digits apart in point clouds.
var classColors = [classes][3]uint8{
	{31, 119, 180}, {255, 127, 14}, {44, 160, 44}, {214, 39, 40}, {148, 103, 189},
	{140, 86, 75}, {227, 119, 194}, {127, 127, 127}, {188, 189, 34}, {23, 190, 207},
}
