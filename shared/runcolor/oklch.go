package runcolor

import (
	"fmt"
	"math"
	"strconv"
)

// Hex converts an OKLCH colour (lightness 0…1, chroma, hue in degrees) to
// sRGB as #rrggbb. Colours that sRGB does not have are clamped by channel.
func Hex(l, c, hue float64) string {
	r := toRGB(l, c, hue)
	return fmt.Sprintf("#%02x%02x%02x", r[0], r[1], r[2])
}

// toRGB is Hex in bytes.
func toRGB(l, c, hue float64) [3]uint8 {
	sin, cos := math.Sincos(hue * math.Pi / 180)
	a, b := c*cos, c*sin
	l0 := cube(l + 0.3963377774*a + 0.2158037573*b)
	m0 := cube(l - 0.1055613458*a - 0.0638541728*b)
	s0 := cube(l - 0.0894841775*a - 1.2914855480*b)
	return [3]uint8{
		channel(4.0767416621*l0 - 3.3077115913*m0 + 0.2309699292*s0),
		channel(-1.2684380046*l0 + 2.6097574011*m0 - 0.3413193965*s0),
		channel(-0.0041960863*l0 - 0.7034186147*m0 + 1.7076147010*s0),
	}
}

// channel turns a linear channel into an sRGB byte.
func channel(x float64) uint8 {
	if x <= 0.0031308 {
		x *= 12.92
	} else {
		x = 1.055*math.Pow(x, 1/2.4) - 0.055
	}
	return uint8(math.Round(255 * min(1, max(0, x))))
}

func cube(x float64) float64 { return x * x * x }

// Lab is a colour in OKLab, where distances are about as large as they look.
type Lab struct{ L, A, B float64 }

// LabOf returns a #rrggbb in OKLab; ok is false if it is none.
func LabOf(hex string) (lab Lab, ok bool) {
	rgb, ok := rgbOf(hex)
	if !ok {
		return lab, false
	}
	return labOf(rgb), true
}

func rgbOf(hex string) (rgb [3]uint8, ok bool) {
	if len(hex) != 7 || hex[0] != '#' {
		return rgb, false
	}
	v, err := strconv.ParseUint(hex[1:], 16, 32)
	return [3]uint8{uint8(v >> 16), uint8(v >> 8), uint8(v)}, err == nil
}

func labOf(rgb [3]uint8) Lab { return labOfLinear(linear(rgb[0]), linear(rgb[1]), linear(rgb[2])) }

// labOfLinear is labOf for linear channels, 0 to 1.
func labOfLinear(r, g, b float64) Lab {
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return Lab{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

// linear is the inverse of channel.
func linear(c uint8) float64 {
	x := float64(c) / 255
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

// Distance is how far two colours are apart: 0.02 can just be seen between areas,
// lines need twice that.
func Distance(a, b Lab) float64 {
	l, x, y := a.L-b.L, a.A-b.A, a.B-b.B
	return math.Sqrt(l*l + x*x + y*y)
}
