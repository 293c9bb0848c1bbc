package api

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// SyntaxError says where a listing, a batch request or an error body stops
// being the JSON that it should be.
type SyntaxError struct {
	Of     string // what it should be, e.g. "listing"
	Offset int    // byte where it was noticed
	What   string // what was expected there
	Remedy string // what the user can do; "" = nothing
}

// Error names the place and a remedy.
func (e *SyntaxError) Error() string {
	s := "not a valid " + e.Of + ": " + e.What + " at byte " + strconv.Itoa(e.Offset)
	if e.Remedy != "" {
		s += "; " + e.Remedy
	}
	return s
}

// scanner reads JSON from a string. Strings without escapes are cut out of it
// without a copy. The first failure sticks in err, and every method then does
// nothing, so that callers check once.
type scanner struct {
	s   string
	i   int
	err *SyntaxError
}

// scan returns a scanner of data. Bytes that are not UTF-8, which JSON must not
// have, become U+FFFD.
func scan(data []byte) *scanner {
	s := string(data)
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\ufffd")
	}
	return &scanner{s: s}
}

// maxNesting bounds the depth of values that are skipped.
const maxNesting = 64

func (p *scanner) fail(what string) {
	if p.err == nil {
		p.err = &SyntaxError{Offset: p.i, What: what}
	}
}

func (p *scanner) space() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\n', '\t', '\r':
			p.i++
		default:
			return
		}
	}
}

// peek returns the next byte that is not space; 0 at the end or after a failure.
func (p *scanner) peek() byte {
	if p.err != nil {
		return 0
	}
	p.space()
	if p.i == len(p.s) {
		return 0
	}
	return p.s[p.i]
}

func (p *scanner) eat(c byte) {
	if p.peek() != c {
		p.fail("expected '" + string(rune(c)) + "'")
		return
	}
	p.i++
}

// end fails unless only space is left. of and remedy are for the error.
func (p *scanner) end(of, remedy string) {
	if p.err == nil && p.peek() != 0 {
		p.fail("expected the end")
	}
	if p.err != nil {
		p.err.Of, p.err.Remedy = of, remedy
	}
}

// object calls f with every key of the next value, which must be an object; f
// must consume the value.
func (p *scanner) object(f func(key string)) {
	p.eat('{')
	if p.peek() == '}' {
		p.i++
		return
	}
	for p.err == nil {
		key := p.str()
		p.eat(':')
		if p.err != nil {
			return
		}
		f(key)
		if p.peek() == ',' {
			p.i++
			continue
		}
		p.eat('}')
		return
	}
}

// array calls f before every element of the next value, which must be an array
// or null; f must consume the element.
func (p *scanner) array(f func()) {
	if p.peek() == 'n' {
		p.skip(0)
		return
	}
	p.eat('[')
	if p.peek() == ']' {
		p.i++
		return
	}
	for p.err == nil {
		f()
		if p.peek() == ',' {
			p.i++
			continue
		}
		p.eat(']')
		return
	}
}

func (p *scanner) str() string {
	if p.peek() != '"' {
		p.fail("expected a string")
		return ""
	}
	p.i++
	rest := p.s[p.i:]
	n := strings.IndexByte(rest, '"')
	if n < 0 {
		p.fail("expected the end of a string")
		return ""
	}
	if strings.IndexByte(rest[:n], '\\') < 0 {
		p.i += n + 1
		return rest[:n]
	}
	return p.escaped()
}

// escaped reads the rest of a string that has escapes.
func (p *scanner) escaped() string {
	var b []byte
	for p.i < len(p.s) {
		c := p.s[p.i]
		p.i++
		if c == '"' {
			return string(b)
		}
		if c != '\\' {
			b = append(b, c)
			continue
		}
		if p.i == len(p.s) {
			break
		}
		c = p.s[p.i]
		p.i++
		switch c {
		case '"', '\\', '/':
			b = append(b, c)
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 't':
			b = append(b, '\t')
		case 'u':
			r := p.hex4()
			if utf16.IsSurrogate(r) {
				if strings.HasPrefix(p.s[p.i:], `\u`) {
					keep := p.i
					p.i += 2
					if both := utf16.DecodeRune(r, p.hex4()); both != utf8.RuneError {
						r = both
					} else {
						p.i = keep
					}
				}
			}
			b = utf8.AppendRune(b, r) // a lone surrogate becomes U+FFFD
		default:
			p.fail("unknown escape")
			return ""
		}
		if p.err != nil {
			return ""
		}
	}
	p.fail("expected the end of a string")
	return ""
}

func (p *scanner) hex4() rune {
	if len(p.s)-p.i < 4 {
		p.fail("expected four hexadecimal digits")
		return 0
	}
	v, err := strconv.ParseUint(p.s[p.i:p.i+4], 16, 16)
	if err != nil {
		p.fail("expected four hexadecimal digits")
		return 0
	}
	p.i += 4
	return rune(v)
}

// integer reads a number. A fraction is cut off: other programs write times so.
func (p *scanner) integer() int64 {
	p.peek()
	start := p.i
	whole := true
	for p.i < len(p.s) {
		c := p.s[p.i]
		if c == '.' || c == 'e' || c == 'E' || c == '+' {
			whole = false
		} else if c != '-' && (c < '0' || c > '9') {
			break
		}
		p.i++
	}
	text := p.s[start:p.i]
	if whole {
		if v, err := strconv.ParseInt(text, 10, 64); err == nil {
			return v
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.Abs(v) >= 1<<63 {
		p.i = start
		p.fail("expected a number")
		return 0
	}
	return int64(v)
}

// millis reads a number of milliseconds as nanoseconds. What is finer is cut off.
func (p *scanner) millis() int64 {
	p.peek()
	start := p.i
	i := start
	if i < len(p.s) && p.s[i] == '-' {
		i++
	}
	ns, digits, point := int64(0), 0, -1 // behind the point so many digits have come
	large := false
	for ; i < len(p.s); i++ {
		c := p.s[i]
		if c == '.' && point < 0 {
			point = 0
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		if point == 6 {
			continue
		}
		d := int64(c - '0')
		large = large || ns > (math.MaxInt64-d)/10
		if ns, digits = 10*ns+d, digits+1; point >= 0 {
			point++
		}
	}
	exponent := i < len(p.s) && (p.s[i] == 'e' || p.s[i] == 'E' || p.s[i] == '+')
	scale := int64(1)
	for range 6 - max(0, min(point, 6)) {
		scale *= 10
	}
	if digits == 0 || exponent || large || ns > math.MaxInt64/scale {
		// Another program's way to write it, or not a time.
		v := p.integer()
		if p.err != nil {
			return 0
		}
		return max(math.MinInt64/1_000_000, min(math.MaxInt64/1_000_000, v)) * 1_000_000
	}
	p.i = i
	if p.s[start] == '-' {
		scale = -scale
	}
	return ns * scale
}

// skip reads over a value of any type.
func (p *scanner) skip(depth int) {
	if depth > maxNesting {
		p.fail("nested too deeply")
		return
	}
	switch c := p.peek(); c {
	case '{':
		p.object(func(string) { p.skip(depth + 1) })
	case '[':
		p.array(func() { p.skip(depth + 1) })
	case '"':
		p.str()
	case 't', 'f', 'n':
		for _, word := range [...]string{"true", "false", "null"} {
			if strings.HasPrefix(p.s[p.i:], word) {
				p.i += len(word)
				return
			}
		}
		p.fail("expected a value")
	default:
		p.integer()
	}
}
