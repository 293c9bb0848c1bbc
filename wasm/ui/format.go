package ui

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
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

// letter is the key that was pressed, as KeyboardEvent.key has it: of a keyboard that writes
// other letters than Latin ones the Latin letter in the same place (code), since commands go
// by those.
func letter(key, code string, shift bool) string {
	_, n := utf8.DecodeRuneInString(key)
	latin, ok := strings.CutPrefix(code, "Key")
	switch {
	case n != len(key) || n < 2 || !ok || len(latin) != 1:
		return key
	case shift:
		return latin
	}
	return strings.ToLower(latin)
}
