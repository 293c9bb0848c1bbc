package runcolor

import (
	"fmt"
	"math"
)

// What follows makes palettes for scripts: the functions of TensorBored's
// color_sampler, with its results (python/tests/golden.json). Lightness goes from 0
// to 1, chroma from 0, grey, to some 0.3; hues are degrees.

// Sample returns n colours of one lightness and chroma whose hues are equally far
// apart, the first of hue start, over span degrees. TensorBored's defaults are 0.7,
// 0.15, 0 and 360.
func Sample(n int, lightness, chroma, start, span float64) []string {
	var out []string
	for i := range n {
		out = append(out, Hex(lightness, chroma, turn(start+float64(i)*span/float64(n))))
	}
	return out
}

// SampleVaried returns n colours of which neighbours differ in lightness (0.55 to 0.8)
// and chroma (0.12 to 0.18) too: of more than eight, hues alone are hard to tell apart.
func SampleVaried(n int) []string {
	const dark, light, pale, full = 0.55, 0.8, 0.12, 0.18
	var out []string
	for i := range n {
		t := part(i, n)
		l, c := dark+(light-dark)*(0.5+t*0.5), full-(full-pale)*t*0.5
		if i%2 == 0 {
			l, c = dark+(light-dark)*(1-t*0.5), pale+(full-pale)*t
		}
		out = append(out, Hex(l, c, turn(float64(i)*360/float64(n))))
	}
	return out
}

// ForRuns returns a colour for each run, as profiles take them.
func ForRuns(runs []string) map[string]string {
	colors := Sample(len(runs), 0.7, 0.15, 0, 360)
	if len(runs) > 8 {
		colors = SampleVaried(len(runs))
	}
	out := map[string]string{}
	for i, run := range runs {
		out[run] = colors[i]
	}
	return out
}

// Categorical returns n strong colours, for names without an order.
func Categorical(n int) []string { return Sample(n, 0.65, 0.18, 0, 360) }

// Sequential returns n colours of one hue from light to dark; TensorBored's is 250.
func Sequential(n int, hue float64) []string {
	var out []string
	for i := range n {
		t := part(i, n)
		out = append(out, Hex(0.9-t*0.55, 0.08+t*0.12, hue))
	}
	return out
}

// Diverging returns n colours from one hue over grey to another; TensorBored's are 250
// and 30.
func Diverging(n int, low, high float64) []string {
	middle := float64(n-1) / 2
	var out []string
	for i := range n {
		hue, t := low, 0.0
		if float64(i) > middle {
			hue = high
		}
		if float64(i) != middle {
			t = math.Abs(float64(i)-middle) / middle
		}
		out = append(out, Hex(0.9-t*0.45, 0.18*t, hue))
	}
	return out
}

// Lighten raises the lightness of a #rrggbb by amount, or lowers it by a negative one,
// within 0 and 1.
func Lighten(hex string, amount float64) (string, error) {
	lab, ok := LabOf(hex)
	if !ok {
		return "", fmt.Errorf("%q is no colour: write #rrggbb", hex)
	}
	hue := turn(math.Atan2(lab.B, lab.A) * 180 / math.Pi)
	return Hex(min(1, max(0, lab.L+amount)), math.Hypot(lab.A, lab.B), hue), nil
}

// part is how far i is on the way through n, from 0 to 1.
func part(i, n int) float64 { return float64(i) / float64(max(n-1, 1)) }

// turn brings degrees into [0, 360).
func turn(hue float64) float64 {
	if hue = math.Mod(hue, 360); hue < 0 {
		hue += 360
	}
	return hue
}
