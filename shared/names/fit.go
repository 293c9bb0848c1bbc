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
	// From somewhat more characters than have room on the average.
	for width := min(int(room/widest*float64(chars)*1.3)+2, chars); ; width-- {
		out, common = by(names, max(width, Least))
		over := 0.0
		for _, s := range out {
			over = max(over, measure(s)-room)
		}
		if over <= 0 || width <= Least {
			return out, common
		}
		width -= int(over / (widest / float64(chars)) / 2) // several at once where much is missing
	}
}

// Title is Told as Fit takes it.
func Title(names []string, width int) ([]string, string) { return Told(names, width), "" }
