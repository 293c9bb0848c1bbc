package widget

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Moment writes a time, seconds since 1970, in the reader's zone.
func Moment(wall float64) string {
	if !(wall > -6e10 && wall < 2e11) {
		return ""
	}
	return time.UnixMicro(int64(wall * 1e6)).Format("2006-01-02 15:04:05")
}

// Thousands writes a count with its thousands apart: 48,210.
func Thousands[T int | int64](n T) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Count writes a count with its thousands apart, and its noun.
func Count[T int | int64](n T, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(n) + " " + many
}

// Some names the first of a list, and says how many others there are.
func Some(names []string, most int) string {
	text := strings.Join(names[:min(len(names), most)], ", ")
	if n := len(names) - most; n > 0 {
		text += " and " + strconv.Itoa(n) + " more"
	}
	return text
}

// longName is how many bytes of a name are shown at most: the browser lays out what does
// not fit as well, and one of 100,000 characters holds it for seconds.
const longName = 1000

// Short is a name, or of one that is longer than anybody reads its beginning and its end,
// and how long it is.
func Short(name string) string {
	if len(name) <= longName {
		return name
	}
	const half = longName / 4
	return strings.ToValidUTF8(name[:half], "") + "… (" + Thousands(len(name)) + " bytes) …" + strings.ToValidUTF8(name[len(name)-half:], "")
}

// backLength is how many characters of the end of a name are always seen.
const backLength = 8

// cut parts a long name in two, of which the front gives way where there is no room: the
// end tells names apart as well.
func cut(name string) (front, back string) {
	name = Short(name)
	r := []rune(name)
	if len(r) <= 2*backLength {
		return name, ""
	}
	return string(r[:len(r)-backLength]), string(r[len(r)-backLength:])
}
