// Package filter narrows a list by a regular expression that is being typed.
//
// An expression is RE2's, case ignored, found anywhere in a name, with two things more,
// because what a user leaves out matters as often as what they look for:
//
//   - parts that begin with "!" leave names out: "loss !train !^eval" are the names with
//     loss that have neither train nor eval at their beginning; "!train" are all without
//     train. A space stands before each but the first.
//   - look-ahead at the beginning of an expression or of one of its alternatives, as
//     TensorBoard's users write it: "^(?!.*eval)", "^(?=.*loss)(?!train)", and
//     "^((?!eval).)*$". It counts from the beginning of the name.
package filter

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"
)

// Filter holds an expression. While one cannot be understood, because it is half typed,
// everything matches: nothing is left out for a reason that nobody sees. The zero value
// matches everything.
type Filter struct {
	text string
	ok   bool // text was looked at
	err  error
	all  []part // each must hold
}

// part is what a name must have, or must not.
type part struct {
	not bool
	any []alternative // one of these suffices
}

// alternative is an expression between two "|", and what look-ahead demands besides.
type alternative struct {
	low  string // plain text in lower case …
	re   *regexp.Regexp
	with []ahead
}

type ahead struct {
	not bool
	re  *regexp.Regexp
}

// Error says why an expression cannot be understood.
type Error struct{ Why string }

func (e *Error) Error() string { return e.Why }

// Set takes the expression and returns why it cannot be understood: an *Error.
func (f *Filter) Set(text string) error {
	if f.ok && f.text == text {
		return f.err
	}
	*f = Filter{text: text, ok: true}
	var all []part
	for _, p := range split(text) {
		p, err := parse(p)
		if err != nil {
			f.err = err
			return err
		}
		all = append(all, p)
	}
	f.all = all
	return nil
}

// Match reports whether a name is to be shown.
func (f *Filter) Match(s string) bool { return f.MatchLow(s, strings.ToLower(s)) }

// MatchLow is Match for a name of which low is strings.ToLower: of ten thousand that are
// looked through at every key it takes half as long.
func (f *Filter) MatchLow(s, low string) bool {
	for i := range f.all {
		if f.all[i].matchLow(s, low) == f.all[i].not {
			return false
		}
	}
	return true
}

// Any reports whether what has these names is to be shown: each part is looked for in all
// of them.
func (f *Filter) Any(names ...string) bool {
	for i := range f.all {
		if f.all[i].match(names) == f.all[i].not {
			return false
		}
	}
	return true
}

// All reports whether everything matches.
func (f *Filter) All() bool { return len(f.all) == 0 }

func (p *part) match(names []string) bool {
	for _, s := range names {
		if p.matchLow(s, strings.ToLower(s)) {
			return true
		}
	}
	return false
}

func (p *part) matchLow(s, low string) bool {
	for i := range p.any {
		if p.any[i].match(s, low) {
			return true
		}
	}
	return false
}

func (a *alternative) match(s, low string) bool {
	for _, w := range a.with {
		if w.re.MatchString(s) == w.not {
			return false
		}
	}
	if a.re != nil {
		return a.re.MatchString(s)
	}
	return strings.Contains(low, a.low)
}

// split cuts an expression before each "!" that begins it or follows a space.
func split(text string) (parts []string) {
	from := 0
	for i := range text {
		if text[i] == '!' && i > 0 && text[i-1] == ' ' {
			parts = append(parts, strings.TrimRight(text[from:i], " "))
			from = i
		}
	}
	parts = append(parts, text[from:])
	out := parts[:0]
	for _, p := range parts {
		if p != "" && p != "!" {
			out = append(out, p)
		}
	}
	return out
}

func parse(text string) (p part, err error) {
	text, p.not = strings.CutPrefix(text, "!")
	if plain(strings.ReplaceAll(text, "|", "")) {
		// Most searches are plain text, or some with "|" between them: expressions are slow
		// to build and to match in a browser.
		for t := range strings.SplitSeq(strings.ToLower(text), "|") {
			p.any = append(p.any, alternative{low: t})
		}
		return p, nil
	}
	if !strings.Contains(text, "(?!") && !strings.Contains(text, "(?=") {
		re, err := compile(text)
		p.any = []alternative{{re: re}}
		return p, err
	}
	for _, t := range alternatives(text) {
		a, err := parseAhead(t)
		if err != nil {
			return p, err
		}
		p.any = append(p.any, a)
	}
	return p, nil
}

// parseAhead takes look-ahead off the beginning of an alternative.
func parseAhead(text string) (a alternative, err error) {
	for _, form := range [...][2]string{{"^((?!", ").)*$"}, {"^(?:(?!", ").)*$"}, {"^((?!", ").)*"}, {"^(?:(?!", ").)*"}, {"^((?!", ").)+$"}, {"^(?:(?!", ").)+$"}} {
		inner, ok := strings.CutPrefix(text, form[0])
		if !ok {
			continue
		}
		if inner, ok = strings.CutSuffix(inner, form[1]); ok {
			re, err := compile(inner)
			a.with = []ahead{{not: true, re: re}}
			return a, err
		}
	}
	rest, anchored := strings.CutPrefix(text, "^")
	for strings.HasPrefix(rest, "(?!") || strings.HasPrefix(rest, "(?=") {
		end := closing(rest)
		if end < 0 {
			return a, &Error{"a bracket is not closed"}
		}
		re, err := compile("^(?:" + rest[3:end] + ")")
		if err != nil {
			return a, err
		}
		a.with = append(a.with, ahead{not: rest[2] == '!', re: re})
		rest, anchored = rest[end+1:], true
	}
	if anchored && rest != "" && rest != ".*" && rest != ".*$" {
		rest = "^(?:" + rest + ")"
	} else {
		rest = ""
	}
	if len(a.with) == 0 {
		rest = text
	}
	if rest != "" {
		a.re, err = compile(rest)
	}
	return a, err
}

// scan goes over an expression and calls at for each bracket, "|", "^", "$" and backslash
// that is an operator, with the depth of brackets that it stands in, until at returns false.
func scan(text string, at func(i, depth int) bool) {
	depth, class := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case class && c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
			if strings.HasPrefix(text[i+1:], "]") || strings.HasPrefix(text[i+1:], "^]") {
				i += strings.IndexByte(text[i+1:], ']') + 1
			}
		case strings.IndexByte(`()|^$\`, c) >= 0:
			if c == ')' {
				depth--
			}
			if !at(i, depth) {
				return
			}
			if c == '(' {
				depth++
			}
			if c == '\\' {
				i++
			}
		}
	}
}

// closing returns where the bracket is closed that text begins with, -1 if it is not.
func closing(text string) (end int) {
	end = -1
	scan(text, func(i, depth int) bool {
		if depth == 0 && text[i] == ')' {
			end = i
		}
		return end < 0
	})
	return end
}

// alternatives cuts an expression at each "|" outside of brackets.
func alternatives(text string) (out []string) {
	from := 0
	scan(text, func(i, depth int) bool {
		if depth == 0 && text[i] == '|' {
			out, from = append(out, text[from:i]), i+1
		}
		return true
	})
	return append(out, text[from:])
}

func compile(text string) (*regexp.Regexp, error) {
	re, err := regexp.Compile("(?i)" + text)
	if err == nil {
		return re, nil
	}
	return nil, Explain(err, "is understood at the beginning only; to leave names out write !name")
}

// Explain says why package regexp does not understand an expression; perl is what there is to
// say of a form that other languages have, as look-ahead, after the form itself.
func Explain(err error, perl string) *Error {
	var s *syntax.Error
	if !errors.As(err, &s) {
		return &Error{err.Error()}
	}
	switch s.Code {
	case syntax.ErrMissingParen, syntax.ErrUnexpectedParen:
		return &Error{"the brackets do not match: write \\( for a bracket itself"}
	case syntax.ErrMissingBracket:
		return &Error{"a [ is not closed: write \\[ for the sign itself"}
	case syntax.ErrMissingRepeatArgument, syntax.ErrInvalidRepeatOp:
		return &Error{s.Expr + " repeats nothing: write \\" + s.Expr + " for the sign itself"}
	case syntax.ErrTrailingBackslash:
		return &Error{"something must follow the \\"}
	case syntax.ErrInvalidPerlOp, syntax.ErrInvalidNamedCapture:
		return &Error{s.Expr + " " + perl}
	}
	return &Error{s.Code.String() + ": " + s.Expr}
}

// plain: nothing in it is an operator, and lower case is a matter of ASCII.
func plain(text string) bool {
	for _, r := range text {
		if r >= 0x80 || strings.ContainsRune(`\.+*?()|[]{}^$`, r) {
			return false
		}
	}
	return true
}
