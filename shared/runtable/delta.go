package runtable

import (
	"math"
	"strconv"

	"github.com/tensorbored/tensorbored-static/shared/hparams"
)

// Delta writes by how much a number differs from a baseline's, and by how many per cent of
// that: "+0.02, +4 %". It is "" where one of the two is no finite number, or they are equal;
// of a baseline of zero there is no part.
func Delta(v, base Value) string {
	d := v.Num - base.Num
	if v.Kind != hparams.Number || base.Kind != hparams.Number || d-d != 0 || d == 0 {
		return ""
	}
	sign := func(x float64, digits int) string {
		text := hparams.FormatNumber(rounded(x, digits))
		if x > 0 {
			text = "+" + text
		}
		return text
	}
	text := sign(d, 4)
	if part := 100 * d / math.Abs(base.Num); base.Num != 0 && math.Abs(part) < 1e6 {
		text += ", " + sign(part, 3) + " %"
	}
	return text
}

// rounded is x with so many significant digits.
func rounded(x float64, digits int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	if err != nil {
		return x // out of range
	}
	return r
}
