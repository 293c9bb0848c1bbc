// Package derive makes series of other series by an expression: exp({train/loss}),
// {train/loss} - {eval/loss}. Series meet by step.
//
// A derived series goes by a name of its own wherever a tag does: "=" and the expression,
// in which every tag stands in braces (see Name). What a user types may leave the braces
// out: the longest tag that is known wins; see Canon.
//
//	sum     = product {("+" | "-") product}
//	product = power {("*" | "/" | "%") power}
//	power   = ["-" | "+"] power | value ["^" power]     -2^2 is -4, 2^-1 is a half
//	value   = number | tag | constant | function "(" sum {"," sum} ")" | "(" sum ")"
//	        | "ref" "(" sum ["," '"' run '"'] ")"
//
// In ref(…) tags are those of another run, at the same step: of the one that is named, or of
// the baseline run of the view.
//
// Go's own parser was measured, and govaluate and expr: they add 121, 285 and 559 kB
// compressed to the browser's program, this some 5.
package derive

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

// Limits of an expression, which may come from a link.
const (
	maxText  = 2000
	maxDepth = 100
	maxTags  = 20
)

// Error says what is wrong with an expression, and where: the byte At of its text.
type Error struct {
	At  int
	Why string
}

func (e *Error) Error() string { return e.Why }

// Expr is an expression that can be computed.
type Expr struct {
	// Tags are those that it needs at each step, each once.
	Tags []string
	// Refs are those that it needs of other runs.
	Refs []Ref
	root node
}

// Ref is a tag in another run; Run "" is the baseline.
type Ref struct {
	Tag string `json:"tag"`
	Run string `json:"run,omitempty"`
}

// node computes a value of those of Expr.Tags and Expr.Refs.
type node func(v []float64) float64

// Eval computes the value of those of Tags, in their order, and then of Refs.
func (e *Expr) Eval(values []float64) float64 { return e.root(values) }

// IsName reports whether a name is that of a derived series. What was logged has precedence
// over what is computed: a tag in event files that begins with "=" is that tag, once
// SetLogged has told of it. Code that has the event files at hand looks there first.
func IsName(tag string) bool {
	if !strings.HasPrefix(tag, "=") {
		return false
	}
	of := logged.Load()
	return of == nil || !(*of)[tag]
}

// logged are the tags in event files that begin with "=".
var logged atomic.Pointer[map[string]bool]

// SetLogged says which tags in event files begin with "=", in place of what was said before.
// The page says so of the logdir that is open, and adds to the map on its one thread.
func SetLogged(tags map[string]bool) { logged.Store(&tags) }

// Name is the name of the series of an expression in the form of Canon.
func Name(canon string) string { return "=" + canon }

// Text is a series' name as people read it: of a derived one the expression, with braces
// only where a tag could not be told without.
func Text(tag string) string {
	if !IsName(tag) || len(tag) > maxText {
		return tag
	}
	var b strings.Builder
	p := parser{text: tag[1:]}
	for p.at < len(p.text) {
		from := p.at
		if p.text[p.at] == '"' {
			_, _ = p.enclosed('"') // a run's name stays as it is
		} else if p.text[p.at] != '{' {
			p.at++
		} else if name, err := p.enclosed('}'); err == nil && name != "" && !strings.ContainsAny(name, "\"{} +*^%(),-") {
			b.WriteString(name)
			continue
		}
		b.WriteString(p.text[from:max(p.at, from+1)])
		p.at = max(p.at, from+1)
	}
	return b.String()
}

// Parse reads an expression whose tags all stand in braces.
func Parse(canon string) (*Expr, error) {
	e, _, err := parse(canon, nil)
	return e, err
}

// Of reads the expression of a derived series' name.
func Of(name string) (*Expr, error) { return Parse(strings.TrimPrefix(name, "=")) }

// Canon reads what a user typed, who knows these tags, and returns it with every tag in
// braces. The error is an *Error.
func Canon(text string, tags []string) (string, error) {
	sorted := slices.Clone(tags)
	slices.SortFunc(sorted, func(a, b string) int { return len(b) - len(a) })
	_, canon, err := parse(text, sorted)
	return canon, err
}

func parse(text string, tags []string) (*Expr, string, error) {
	p := &parser{text: text, tags: tags, expr: &Expr{}}
	if len(text) > maxText {
		return nil, "", &Error{maxText, "This is too long."}
	}
	root, err := p.sum()
	if err == nil && p.peek() != 0 {
		err = p.wrong("An operator is missing here: %s", "+ - * / ^ %")
	}
	if err == nil && len(p.expr.Tags) == 0 {
		err = &Error{0, map[bool]string{false: "Name at least one tag.", true: "Name at least one tag outside ref(…)."}[len(p.expr.Refs) > 0]}
	}
	if err != nil {
		return nil, "", err
	}
	p.expr.root = root
	return p.expr, strings.TrimSpace(p.out.String() + text[p.copied:]), nil
}

type parser struct {
	text   string
	tags   []string // known, the longest first
	at     int
	depth  int
	expr   *Expr
	out    strings.Builder // the canonical text …
	copied int             // … of so many bytes
	within bool            // ref(…)
}

func (p *parser) wrong(format string, args ...any) error {
	return &Error{p.at, fmt.Sprintf(format, args...)}
}

// peek skips spaces and returns the next byte, 0 at the end.
func (p *parser) peek() byte {
	for p.at < len(p.text) {
		if c := p.text[p.at]; c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c
		}
		p.at++
	}
	return 0
}

func (p *parser) sum() (node, error) {
	return p.chain("+-", func() (node, error) { return p.chain("*/%", p.power) })
}

// chain reads operands with any of the operators between them.
func (p *parser) chain(operators string, operand func() (node, error)) (node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.wrong("There are too many brackets.")
	}
	defer func() { p.depth-- }()
	a, err := operand()
	for err == nil {
		op := p.peek()
		if op == 0 || strings.IndexByte(operators, op) < 0 {
			break
		}
		p.at++
		var b node
		if b, err = operand(); err == nil {
			a = binary(op, a, b)
		}
	}
	return a, err
}

func binary(op byte, a, b node) node {
	switch op {
	case '+':
		return func(v []float64) float64 { return a(v) + b(v) }
	case '-':
		return func(v []float64) float64 { return a(v) - b(v) }
	case '*':
		return func(v []float64) float64 { return a(v) * b(v) }
	case '/':
		return func(v []float64) float64 { return a(v) / b(v) }
	case '%':
		return func(v []float64) float64 { return math.Mod(a(v), b(v)) }
	}
	return func(v []float64) float64 { return math.Pow(a(v), b(v)) }
}

func (p *parser) power() (node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.wrong("There are too many signs or powers.")
	}
	defer func() { p.depth-- }()
	switch p.peek() {
	case '-':
		p.at++
		a, err := p.power()
		return func(v []float64) float64 { return -a(v) }, err
	case '+':
		p.at++
		return p.power()
	}
	a, err := p.value()
	if err == nil && p.peek() == '^' {
		p.at++
		var b node
		if b, err = p.power(); err == nil {
			return binary('^', a, b), nil
		}
	}
	return a, err
}

func (p *parser) value() (node, error) {
	c := p.peek()
	if c == '(' {
		p.at++
		a, err := p.sum()
		if err == nil {
			err = p.close()
		}
		return a, err
	}
	if c == '{' {
		from := p.at
		name, err := p.enclosed('}')
		if err != nil {
			return nil, err
		}
		return p.tag(name, from)
	}
	number, n := p.number()
	word := p.word()
	from := p.at
	if word == "ref" && strings.HasPrefix(strings.TrimLeft(p.text[p.at+len(word):], " "), "(") {
		p.at += len(word)
		p.peek()
		p.at++
		return p.ref()
	}
	if f, ok := functions[word]; ok && strings.HasPrefix(strings.TrimLeft(p.text[p.at+len(word):], " "), "(") {
		p.at += len(word)
		p.peek()
		p.at++
		return p.call(word, f)
	}
	if name := p.known(); len(name) > n {
		p.at += len(name)
		return p.tag(name, from)
	}
	if v, ok := constants[word]; ok {
		p.at += len(word)
		number, n = v, 1
	} else {
		p.at += n
	}
	switch {
	case n > 0:
		return func([]float64) float64 { return number }, nil
	case c == 0:
		return nil, p.wrong("Something is missing at the end.")
	case word != "":
		return nil, p.wrong("No tag or function is called %s. Tags with odd letters stand in braces: {…}", word)
	}
	return nil, p.wrong("A tag, a number or a function belongs here.")
}

func (p *parser) close() error {
	if p.peek() != ')' {
		return p.wrong("A closing bracket is missing.")
	}
	p.at++
	return nil
}

// ref reads what is of another run; its bracket is open.
func (p *parser) ref() (node, error) {
	if p.within {
		return nil, p.wrong("ref(…) cannot stand in another.")
	}
	p.within = true
	from := len(p.expr.Refs)
	a, err := p.sum()
	p.within = false
	if err == nil && p.peek() == ',' {
		if p.at++; p.peek() != '"' {
			return nil, p.wrong(`The name of a run stands in quotes: ref(loss, "run").`)
		}
		var run string
		run, err = p.enclosed('"')
		for i := range p.expr.Refs[from:] {
			p.expr.Refs[from+i].Run = run
		}
	}
	if err == nil {
		err = p.close()
	}
	return a, err
}

// enclosed reads a tag in braces, or a run in quotes; \ stands before an end that is part of
// it. If there is no end it does not go on.
func (p *parser) enclosed(end byte) (string, error) {
	var b strings.Builder
	for i := p.at + 1; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '\\' && i+1 < len(p.text):
			i++
			b.WriteByte(p.text[i])
		case c == end:
			p.at = i + 1
			return b.String(), nil
		default:
			b.WriteByte(c)
		}
	}
	return "", p.wrong("The closing %c is missing.", end)
}

var bracing = strings.NewReplacer(`\`, `\\`, `{`, `\{`, `}`, `\}`)

// Braced writes a tag as it stands in an expression.
func Braced(tag string) string { return "{" + bracing.Replace(tag) + "}" }

// tag is the value of a tag whose text began at a place and has been read.
func (p *parser) tag(name string, from int) (node, error) {
	p.out.WriteString(p.text[p.copied:from] + Braced(name))
	p.copied = p.at
	e := p.expr
	i := slices.Index(e.Tags, name)
	if (i < 0 || p.within) && len(e.Tags)+len(e.Refs) == maxTags {
		return nil, p.wrong("These are too many tags: %d are possible.", maxTags)
	}
	if p.within {
		i = len(e.Refs)
		e.Refs = append(e.Refs, Ref{Tag: name})
		return func(v []float64) float64 { return v[len(e.Tags)+i] }, nil
	}
	if i < 0 {
		i = len(e.Tags)
		e.Tags = append(e.Tags, name)
	}
	return func(v []float64) float64 { return v[i] }, nil
}

// known returns the longest known tag that stands here, and does not go on.
func (p *parser) known() string {
	rest := p.text[p.at:]
	for _, t := range p.tags {
		if t == "" || !strings.HasPrefix(rest, t) {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(t)
		if next, _ := utf8.DecodeRuneInString(rest[len(t):]); len(rest) > len(t) && wordy(last) && wordy(next) {
			continue
		}
		return t
	}
	return ""
}

func wordy(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= utf8.RuneSelf
}

// word returns the name that stands here, "" if it is none.
func (p *parser) word() string {
	rest := p.text[p.at:]
	for i, r := range rest {
		if !wordy(r) || i == 0 && r >= '0' && r <= '9' {
			return rest[:i]
		}
	}
	return rest
}

// number returns the number that stands here and how many bytes it has.
func (p *parser) number() (v float64, n int) {
	rest := p.text[p.at:]
	for n < len(rest) && (rest[n] >= '0' && rest[n] <= '9' || rest[n] == '.' || n > 0 && (rest[n] == 'e' || rest[n] == 'E' || (rest[n] == '+' || rest[n] == '-') && (rest[n-1] == 'e' || rest[n-1] == 'E'))) {
		n++
	}
	for ; n > 0; n-- { // of "2e" the 2
		if v, err := strconv.ParseFloat(rest[:n], 64); err == nil {
			return v, n
		}
	}
	return 0, 0
}

var constants = map[string]float64{"pi": math.Pi, "e": math.E}

// function takes from least to most arguments.
type function struct {
	least, most int
	of          func(a []float64) float64
}

func one(f func(float64) float64) function {
	return function{1, 1, func(a []float64) float64 { return f(a[0]) }}
}

var functions = map[string]function{
	"abs": one(math.Abs), "ceil": one(math.Ceil), "exp": one(math.Exp), "floor": one(math.Floor),
	"log": one(math.Log), "log2": one(math.Log2), "log10": one(math.Log10), "round": one(math.Round),
	"sqrt": one(math.Sqrt), "tanh": one(math.Tanh), "sigmoid": one(func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }),
	"pow": {2, 2, func(a []float64) float64 { return math.Pow(a[0], a[1]) }},
	"min": {1, maxTags, func(a []float64) float64 { return slices.Min(a) }},
	"max": {1, maxTags, func(a []float64) float64 { return slices.Max(a) }},
}

// Functions are the names of the functions that there are.
func Functions() []string {
	var out []string
	for name := range functions {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// call reads the arguments of a function, whose bracket is open.
func (p *parser) call(name string, f function) (node, error) {
	var args []node
	for {
		a, err := p.sum()
		if err != nil {
			return nil, err
		}
		if args = append(args, a); p.peek() != ',' {
			break
		}
		p.at++
	}
	if len(args) < f.least || len(args) > f.most {
		return nil, p.wrong("%s takes %d, not %d.", name, f.least, len(args))
	}
	scratch := make([]float64, len(args))
	return func(v []float64) float64 {
		for i, a := range args {
			scratch[i] = a(v)
		}
		return f.of(scratch)
	}, p.close()
}
