package hparams

import (
	"math"
	"strconv"
	"strings"
)

// FileName is the file beside the event files in which PyTorch Lightning keeps all
// hyperparameters of a run.
const FileName = "hparams.yaml"

// MaxFile is how large such a file may be, in bytes.
const MaxFile = 1 << 20

// maxFileParams is how many hyperparameters are read of it.
const maxFileParams = 10_000

// FromYAML reads the hyperparameters of a hparams.yaml. Those below others have names with
// "/" between, as Lightning logs them. It reads what Python's yaml.dump writes of plain
// values: mappings by indentation, null, booleans, numbers, plain and quoted texts, also
// over several lines; lists, flow collections and Python's objects are texts, as they
// stand in the file. What it does not understand is left out.
func FromYAML(text string) []Param {
	y := &yaml{}
	for _, l := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		l = strings.TrimRight(l, " \r\t")
		body := strings.TrimLeft(l, " ")
		if body == "" || body[0] == '#' || strings.HasPrefix(l, "---") || strings.HasPrefix(l, "...") || strings.HasPrefix(l, "%") {
			continue
		}
		y.lines = append(y.lines, yamlLine{len(l) - len(body), body})
	}
	y.mapping("", 0, 0)
	return tidy(y.params)
}

type yamlLine struct {
	indent int
	text   string
}

type yaml struct {
	lines  []yamlLine
	at     int
	params []Param
}

// mapping reads the lines of a mapping that are indented by at least indent.
func (y *yaml) mapping(above string, indent, depth int) {
	for y.at < len(y.lines) && len(y.params) < maxFileParams {
		l := y.lines[y.at]
		if l.indent < indent {
			return
		}
		y.at++
		name, rest, ok := yamlKey(l.text)
		if !ok || depth > deepest {
			continue
		}
		if above != "" {
			name = above + "/" + name
		}
		rest, tagged := yamlTag(rest)
		more := y.at < len(y.lines) && (y.lines[y.at].indent > l.indent || y.lines[y.at].indent == l.indent && strings.HasPrefix(y.lines[y.at].text, "- "))
		if !more || strings.HasPrefix(rest, "*") {
			y.put(name, yamlValue(rest))
			continue
		}
		if _, _, isMap := yamlKey(y.lines[y.at].text); rest == "" && !tagged && isMap {
			y.mapping(name, y.lines[y.at].indent, depth+1)
			continue
		}
		// A text over several lines, a list, or an object.
		list := rest == "" && strings.HasPrefix(y.lines[y.at].text, "-")
		parts := []string{}
		if rest != "" && !strings.ContainsAny(rest[:1], "|>") {
			parts = append(parts, rest)
		}
		for y.at < len(y.lines) && (y.lines[y.at].indent > l.indent || list && y.lines[y.at].indent == l.indent && strings.HasPrefix(y.lines[y.at].text, "-")) {
			part := y.lines[y.at].text
			if list {
				part = strings.TrimPrefix(part, "- ")
			}
			parts = append(parts, part)
			y.at++
		}
		switch {
		case list:
			y.put(name, Value{Kind: Text, Text: "[" + strings.Join(parts, ", ") + "]"})
		case rest != "" && strings.ContainsAny(rest[:1], "|"):
			y.put(name, Value{Kind: Text, Text: strings.Join(parts, "\n")})
		default:
			y.put(name, yamlValue(strings.Join(parts, " ")))
		}
	}
}

func (y *yaml) put(name string, v Value) {
	v.Text = text([]byte(v.Text))
	y.params = append(y.params, Param{Name: text([]byte(name)), Value: v})
}

// yamlKey splits "key: value" and "key:".
func yamlKey(s string) (key, rest string, ok bool) {
	if s[0] == '\'' || s[0] == '"' {
		end := yamlQuoted(s)
		if end < 0 || !strings.HasPrefix(s[end:], ":") {
			return "", "", false
		}
		return yamlValue(s[:end]).Text, strings.TrimSpace(s[end+1:]), true
	}
	if strings.HasPrefix(s, "- ") || s == "-" || s[0] == '[' || s[0] == '{' {
		return "", "", false
	}
	if key, ok = strings.CutSuffix(s, ":"); ok && !strings.Contains(key, ": ") {
		return key, "", true
	}
	key, rest, ok = strings.Cut(s, ": ")
	return key, strings.TrimSpace(rest), ok
}

// yamlTag takes a tag ("!!python/tuple") and an anchor ("&id001") off a value.
func yamlTag(s string) (rest string, tagged bool) {
	for s != "" && (s[0] == '!' || s[0] == '&') {
		tagged = tagged || s[0] == '!'
		_, s, _ = strings.Cut(s, " ")
		s = strings.TrimSpace(s)
	}
	return s, tagged
}

// yamlQuoted returns where the quoted text ends with which s begins, -1 if it does not.
func yamlQuoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[0] == '"' && s[i] == '\\':
			i++
		case s[i] == s[0] && s[0] == '\'' && i+1 < len(s) && s[i+1] == '\'':
			i++
		case s[i] == s[0]:
			return i + 1
		}
	}
	return -1
}

// yamlValue reads a scalar, by the rules of YAML 1.1 that Python follows.
func yamlValue(s string) Value {
	if s != "" && (s[0] == '\'' || s[0] == '"') {
		if end := yamlQuoted(s); end > 0 {
			if s[0] == '\'' {
				return Value{Kind: Text, Text: strings.ReplaceAll(s[1:end-1], "''", "'")}
			}
			if plain, err := strconv.Unquote(s[:end]); err == nil {
				return Value{Kind: Text, Text: plain}
			}
			return Value{Kind: Text, Text: s[1 : end-1]}
		}
	} else if i := strings.Index(s, " #"); i >= 0 {
		s = strings.TrimSpace(s[:i])
	}
	switch strings.ToLower(s) {
	case "", "~", "null":
		return Value{Kind: None}
	case "true", "yes", "on":
		return Value{Kind: Bool, Num: 1}
	case "false", "no", "off":
		return Value{Kind: Bool}
	case ".nan":
		return Value{Kind: Number, Num: math.NaN()}
	case ".inf", "+.inf":
		return Value{Kind: Number, Num: math.Inf(1)}
	case "-.inf":
		return Value{Kind: Number, Num: math.Inf(-1)}
	}
	if digits := strings.TrimLeft(s, "+-."); digits != "" && digits[0] >= '0' && digits[0] <= '9' && !strings.ContainsAny(s, "_xXpP") {
		// An exponent without a fraction is a text to Python, and a number to who wrote it.
		if x, err := strconv.ParseFloat(s, 64); err == nil {
			return Value{Kind: Number, Num: x}
		}
	}
	return Value{Kind: Text, Text: s}
}

// Complete adds hyperparameters that only a file has.
func (s *Session) Complete(file []Param) {
	s.Params = tidy(append(append([]Param(nil), file...), s.Params...))
}
