package runcolor

import (
	"fmt"
	"math"
)

// Hex converts an OKLCH colour (lightness 0…1, chroma, hue in degrees) to
// sRGB as #rrggbb. Colours that sRGB does not have are clamped by channel.
func Hex(l, c, hue float64) string {
	sin, cos := math.Sincos(hue * math.Pi / 180)
	a, b := c*cos, c*sin
	l0 := cube(l + 0.3963377774*a + 0.2158037573*b)
	m0 := cube(l - 0.1055613458*a - 0.0638541728*b)
	s0 := cube(l - 0.0894841775*a - 1.2914855480*b)
	return fmt.Sprintf("#%02x%02x%02x",
		channel(4.0767416621*l0-3.3077115913*m0+0.2309699292*s0),
		channel(-1.2684380046*l0+2.6097574011*m0-0.3413193965*s0),
		channel(-0.0041960863*l0-0.7034186147*m0+1.7076147010*s0))
}

// channel turns a linear channel into an sRGB byte.
func channel(x float64) int {
	if x <= 0.0031308 {
		x *= 12.92
	} else {
		x = 1.055*math.Pow(x, 1/2.4) - 0.055
	}
	return int(math.Round(255 * min(1, max(0, x))))
}

func cube(x float64) float64 { return x * x * x }
