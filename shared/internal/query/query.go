// Package query escapes texts for the query or the fragment of an address, and reads them
// again, as net/url does and with the same answers (tested). That package brings network
// addresses and a table of unique values with it, which are 9 KB of the browser's program.
package query

import (
	"errors"
	"strings"
)

// ErrEscape says that a % is not followed by two hexadecimal digits, or that pairs are parted
// by a semicolon.
var ErrEscape = errors.New("an escape in an address is broken")

const digits = "0123456789ABCDEF"

// Escape is url.QueryEscape.
func Escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-_.~", c) >= 0:
			b.WriteByte(c)
		case c == ' ':
			b.WriteByte('+')
		default:
			b.WriteString("%" + digits[c>>4:c>>4+1] + digits[c&15:c&15+1])
		}
	}
	return b.String()
}

// Unescape is url.QueryUnescape.
func Unescape(s string) (string, error) { return PathUnescape(strings.ReplaceAll(s, "+", " ")) }

// PathUnescape is url.PathUnescape: a + stands for itself.
func PathUnescape(s string) (string, error) {
	if strings.IndexByte(s, '%') < 0 {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' {
			if i+2 >= len(s) {
				return "", ErrEscape
			}
			hi, lo := digit(s[i+1]), digit(s[i+2])
			if hi < 0 || lo < 0 {
				return "", ErrEscape
			}
			c = byte(hi<<4 | lo)
			i += 2
		}
		b.WriteByte(c)
	}
	return b.String(), nil
}

func digit(c byte) int {
	if 'a' <= c && c <= 'f' {
		c -= 'a' - 'A'
	}
	return strings.IndexByte(digits, c)
}

// Parse is url.ParseQuery: the values of each key in their order. With an error it returns
// those that could be read.
func Parse(s string) (map[string][]string, error) {
	out := map[string][]string{}
	var err error
	for _, pair := range strings.Split(s, "&") {
		if pair == "" {
			continue
		}
		k, v, _ := strings.Cut(pair, "=")
		key, bad := Unescape(k)
		value, worse := Unescape(v)
		if bad != nil || worse != nil || strings.Contains(pair, ";") {
			err = ErrEscape
			continue
		}
		out[key] = append(out[key], value)
	}
	return out, err
}
