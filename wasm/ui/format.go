package ui

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

var units = []string{"B", "KB", "MB", "GB", "TB", "PB"}

// bytesText writes a size in decimal units: "1.1 GB".
func bytesText(n int64) string {
	v, u := scaled(n)
	return v + " " + units[u]
}

// ofText writes a part of a whole in the whole's unit: "0.7 of 1.1 GB".
func ofText(part, whole int64) string {
	v, u := scaled(whole)
	return trim(float64(part)/math.Pow(1000, float64(u)), u) + " of " + v + " " + units[u]
}

func scaled(n int64) (string, int) {
	u := 0
	for v := float64(n); v >= 999.5 && u < len(units)-1; v /= 1000 {
		u++
	}
	return trim(float64(n)/math.Pow(1000, float64(u)), u), u
}

func trim(v float64, unit int) string {
	if unit == 0 || v >= 99.95 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 1, 64)
}

// countText writes a count with its thousands apart, and its noun.
func countText[T int | int64](n T, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(int64(n)) + " " + many
}

func thousands(n int64) string { return widget.Thousands(n) }

// leftText writes how long reading will go on, roughly: "about 3 s left".
func leftText(seconds float64) string {
	switch {
	case !(seconds > 0) || seconds > 48*3600:
		return ""
	case seconds < 90:
		return fmt.Sprintf("about %.0f s left", max(1, seconds))
	case seconds < 90*60:
		return fmt.Sprintf("about %.0f min left", seconds/60)
	}
	return fmt.Sprintf("about %.0f h left", seconds/3600)
}

// startText writes a time of the reader's own zone, in seconds since 1970; 0 is unknown.
func startText(seconds float64) string {
	if !(seconds > 0) || seconds > 1e11 {
		return ""
	}
	return time.Unix(int64(seconds), 0).Local().Format("Jan 2 15:04")
}

// backLength is how many characters of the end of a name are always seen.
const backLength = 8

// cutName parts a long name in two, of which the front gives way where there is no room:
// the end tells names apart as well.
func cutName(name string) (front, back string) {
	r := []rune(name)
	if len(r) <= 2*backLength {
		return name, ""
	}
	return string(r[:len(r)-backLength]), string(r[len(r)-backLength:])
}
