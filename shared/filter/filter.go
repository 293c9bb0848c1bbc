// Package filter narrows a list by a regular expression that is being typed.
package filter

import (
	"regexp"
	"strings"
)

// Filter holds the last expression that could be understood. While one is half
// typed, the list stays as it was. The zero value matches everything.
type Filter struct {
	text string
	ok   bool // text was looked at
	err  error
	re   *regexp.Regexp
	low  string // the expression in lower case, when it is plain text
}

// Set takes the expression (RE2, case ignored, found anywhere in the name) and
// returns why it cannot be understood.
func (f *Filter) Set(text string) error {
	if f.ok && f.text == text {
		return f.err
	}
	f.text, f.ok, f.err = text, true, nil
	// Most searches are plain text, and building expressions is slow in a browser.
	if plain(text) {
		f.re, f.low = nil, strings.ToLower(text)
		return nil
	}
	re, err := regexp.Compile("(?i)" + text)
	if err != nil {
		f.err = err
		return err
	}
	f.re, f.low = re, ""
	return nil
}

// Match reports whether the last good expression is found in s.
func (f *Filter) Match(s string) bool {
	if f.re != nil {
		return f.re.MatchString(s)
	}
	return f.low == "" || strings.Contains(strings.ToLower(s), f.low)
}

// All reports whether everything matches.
func (f *Filter) All() bool { return f.re == nil && f.low == "" }

// plain: nothing in it is an operator, and lower case is a matter of ASCII.
func plain(text string) bool {
	for _, r := range text {
		if r >= 0x80 || strings.ContainsRune(`\.+*?()|[]{}^$`, r) {
			return false
		}
	}
	return true
}
