package files

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// display returns the form of a path that can stand in JSON and in a URL: bytes
// that are not UTF-8 are written as \xNN, as Go and Python write them.
func display(p string) string {
	if utf8.ValidString(p) {
		return p
	}
	var b strings.Builder
	for i := 0; i < len(p); {
		r, n := utf8.DecodeRuneInString(p[i:])
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, p[i])
		} else {
			b.WriteString(p[i : i+n])
		}
		i += n
	}
	return b.String()
}
