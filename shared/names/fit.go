package names

import "unicode/utf8"

// Fit makes names fit into room, in the unit of measure, by Short or Told: with as many
// characters as have room where characters differ in width.
func Fit(names []string, room float64, measure func(string) float64, by func(names []string, width int) ([]string, string)) (out []string, common string) {
	widest, chars := 0.0, 0
	for _, name := range names {
		if w := measure(name); w > widest {
			widest, chars = w, utf8.RuneCountInString(name)
		}
	}
	if widest <= room {
		return append([]string(nil), names...), ""
	}
	// From somewhat more characters than have room on the average; then so many less as the
	// widest of them is too wide.
	for width := max(Least, min(int(room/widest*float64(chars)*1.3)+2, chars)); ; {
		out, common = by(names, width)
		most := 0.0
		for _, s := range out {
			most = max(most, measure(s))
		}
		if most <= room || width <= Least {
			return out, common
		}
		width = max(Least, min(width-1, int(float64(width)*room/most)))
	}
}

// Title is Told as Fit takes it.
func Title(names []string, width int) ([]string, string) { return Told(names, width), "" }
