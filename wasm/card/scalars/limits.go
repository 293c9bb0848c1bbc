package scalars

import (
	"strconv"
	"strings"
)

// limitsOf reads the ends of the axes as they were typed: x0, x1, y0, y1. An end that is
// empty is that of the fitted axis, and an axis of two of them is fitted. why is what is
// wrong, for the user.
func limitsOf(ends [4]string, fitted Zoom, x, y Scale) (z Zoom, why string) {
	v := [4]float64{fitted.X0, fitted.X1, fitted.Y0, fitted.Y1}
	for i, scale := range []Scale{x, y} {
		lo, hi := &v[2*i], &v[2*i+1]
		if ends[2*i] == "" && ends[2*i+1] == "" {
			*lo, *hi = 0, 0
			continue
		}
		for k, end := range []*float64{lo, hi} {
			text := ends[2*i+k]
			if text == "" {
				continue
			}
			n, ok := number(text)
			if !ok {
				return z, "“" + text + "” is not a number. An end that is left empty follows the data."
			}
			*end = n
		}
		if scale == Log && *lo <= 0 {
			return z, "A log axis has no 0 and nothing below it: type a number above 0, or choose Symlog."
		}
		if *lo >= *hi {
			return z, "The first number of an axis must be the smaller one."
		}
	}
	return Zoom{X0: v[0], X1: v[1], Y0: v[2], Y1: v[3]}, ""
}

// number reads a number, also with its thousands apart.
func number(text string) (v float64, ok bool) {
	text = strings.TrimSpace(text)
	whole, _, _ := strings.Cut(text, ".")
	groups := strings.Split(whole, ",")
	thousands := strings.Trim(groups[0], "+-0") != "" // 0,5 is meant otherwise
	for _, g := range groups[1:] {
		thousands = thousands && len(g) == 3
	}
	if thousands {
		text = strings.ReplaceAll(text, ",", "")
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && v-v == 0
}

// plain writes a number so that it can be read again.
func plain(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
