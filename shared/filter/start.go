package filter

import (
	"errors"
	"regexp"
	"strings"
)

// Start is a regular expression of Python's that is matched at the beginning of a name, as
// re.match does: case counts, and what follows in the name may be anything. RE2 has no
// look-ahead; here it may stand anywhere outside of brackets, as in "loss(?!.*margin)": the
// expression is cut there, and each part must match where the one before it may have ended.
type Start struct {
	plain string
	any   [][]piece // nil: plain
	// Tests counts the expressions that were run, for those who must bound them.
	Tests int
}

// piece is a part of an alternative.
type piece struct {
	re   *regexp.Regexp
	look int // 0: it takes letters; 1: they must follow; -1: they must not
	here *regexp.Regexp
}

// maxLooks is how often a Start may look ahead.
const maxLooks = 6

// What a Start may be refused for besides mistakes.
var (
	errEmpty  = &Error{"it is empty: write .* for every tag"}
	errNested = &Error{"look-ahead is understood outside of brackets only"}
	errEdges  = &Error{`look-ahead is not understood together with \b, \B, or a $ or ^ in the middle`}
	errLooks  = &Error{"there is too much look-ahead in it"}
)

// ParseStart reads an expression; the error is an *Error.
func ParseStart(text string) (*Start, error) {
	if text == "" {
		return nil, errEmpty // as in TensorBoard
	}
	if plain(text) {
		return &Start{plain: text}, nil
	}
	text = strings.ReplaceAll(text, `\Z`, `\z`)
	if !strings.Contains(text, "(?!") && !strings.Contains(text, "(?=") {
		re, err := compileAs("^(?:", text, ")")
		if err != nil {
			return nil, err
		}
		return &Start{any: [][]piece{{{re: re}}}}, nil
	}
	flags := ""
	if end := strings.IndexByte(text, ')'); strings.HasPrefix(text, "(?") && end > 0 && strings.Trim(text[2:end], "ims") == "" {
		flags, text = text[:end+1], text[end+1:]
	}
	s := &Start{}
	for _, alt := range alternatives(text) {
		pieces, err := pieces(flags, alt)
		if err != nil {
			return nil, err
		}
		s.any = append(s.any, pieces)
	}
	return s, nil
}

// pieces cuts an alternative at its look-aheads.
func pieces(flags, text string) (out []piece, err error) {
	for _, form := range [...]string{"^((?!", "((?!", "^(?:(?!", "(?:(?!"} {
		inner, ok := strings.CutPrefix(text, form)
		if !ok {
			continue
		}
		if inner, ok = strings.CutSuffix(inner, ").)*$"); ok { // not anywhere
			re, err := compileAs(flags, inner, "")
			return []piece{{re: re, look: -1}}, err
		}
	}
	looks := 0
	for first := true; text != ""; first = false {
		end, look := nextLook(text)
		if part := text[:end]; part != "" {
			if !first || end < len(text) {
				if err := edges(part, first, end < len(text)); err != nil {
					return nil, err
				}
			}
			p := piece{}
			if p.re, err = compileAs(flags+"^(?:", part, ")$"); err != nil {
				return nil, err
			}
			if p.here, err = compileAs(flags+"^(?:", part, ")"); err != nil {
				return nil, err
			}
			out = append(out, p)
		}
		text = text[end:]
		if look == 0 {
			continue
		}
		n := closing(text)
		if n < 0 {
			return nil, &Error{"a bracket is not closed"}
		}
		if looks++; looks > maxLooks {
			return nil, errLooks
		}
		part := text[3:n]
		if err := edges(part, false, false); err != nil {
			return nil, err
		}
		re, err := compileAs(flags+"^(?:", part, ")")
		if err != nil {
			return nil, err
		}
		out = append(out, piece{re: re, look: look})
		if text = text[n+1:]; text != "" && strings.IndexByte("*+?{", text[0]) >= 0 {
			return nil, errNested
		}
	}
	return out, nil
}

// nextLook returns where the first look-ahead outside of brackets begins, and its piece.look;
// the end and 0 if there is none.
func nextLook(text string) (at, look int) {
	at = len(text)
	scan(text, func(i, depth int) bool {
		if depth == 0 {
			look = lookOf(text[i:])
		}
		if look != 0 {
			at = i
		}
		return look == 0
	})
	return at, look
}

// lookOf is the piece.look of the look-ahead that text begins with, 0 if it is none.
func lookOf(text string) int {
	switch {
	case strings.HasPrefix(text, "(?!"):
		return -1
	case strings.HasPrefix(text, "(?="):
		return 1
	}
	return 0
}

// edges refuses what means another thing in a part of a name than in all of it: "^" is
// understood at the beginning of the first part, "$" in the last one.
func edges(part string, first, more bool) (err error) {
	scan(part, func(i, _ int) bool {
		switch c := part[i]; {
		case c == '\\' && i+1 < len(part) && strings.IndexByte("bBAzZ", part[i+1]) >= 0,
			c == '^' && !(first && i == 0), c == '$' && more:
			err = errEdges
		case lookOf(part[i:]) != 0:
			err = errNested
		}
		return err == nil
	})
	return err
}

// Match reports whether a name begins with what the expression says.
func (s *Start) Match(name string) bool {
	s.Tests++
	if s.any == nil {
		return strings.HasPrefix(name, s.plain)
	}
	for _, alt := range s.any {
		if s.match(alt, name) {
			return true
		}
	}
	return false
}

// match finds out where each piece may end, in turn.
func (s *Start) match(pieces []piece, name string) bool {
	ends := make([]bool, len(name)+1)
	ends[0] = true
	for k, p := range pieces {
		last := k == len(pieces)-1
		next := make([]bool, len(name)+1)
		some := false
		for i := range ends {
			if !ends[i] {
				continue
			}
			s.Tests++
			switch {
			case p.look != 0:
				next[i] = p.re.MatchString(name[i:]) == (p.look > 0)
				some = some || next[i]
			case last && p.here == nil:
				return p.re.MatchString(name)
			case last:
				if p.here.MatchString(name[i:]) {
					return true
				}
			default:
				if !p.here.MatchString(name[i:]) {
					continue
				}
				for j := i; j <= len(name); j++ {
					s.Tests++
					if !next[j] && p.re.MatchString(name[i:j]) {
						next[j], some = true, true
					}
				}
			}
		}
		if ends = next; !some {
			return false
		}
	}
	return true
}

// compileAs compiles an expression between two texts.
func compileAs(before, text, after string) (*regexp.Regexp, error) {
	if _, err := compile(text); err != nil { // says it in the words of text alone
		var e *Error
		if errors.As(err, &e) && strings.Contains(e.Why, "at the beginning only") {
			if lookOf(e.Why) != 0 {
				return nil, errNested
			}
			e.Why = strings.SplitN(e.Why, " is understood", 2)[0] + " is not understood here: this is not Python's engine"
		}
		return nil, err
	}
	re, err := regexp.Compile(before + text + after)
	if err != nil {
		return nil, &Error{err.Error()}
	}
	return re, nil
}
