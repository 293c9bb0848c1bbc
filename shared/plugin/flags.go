//go:build !js

package plugin

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func (m *Manifest) checkFlags() error {
	if len(m.Flags) > MaxList {
		return wrong("flags", "has more than %d flags", MaxList)
	}
	seen := map[string]bool{}
	for i := range m.Flags {
		f, at := &m.Flags[i], fmt.Sprintf("flags[%d].", i)
		switch {
		case strings.HasPrefix(f.Name, "__"):
			return wrong(at+"name", `begins with "__", which is reserved`)
		case !Name(f.Name) || f.Name != m.Name && !strings.HasPrefix(f.Name, m.Name+"_") && !strings.HasPrefix(f.Name, m.Name+"-"):
			return wrong(at+"name", "must begin with the plug-in's name: %s_%s", m.Name, f.Name)
		case seen[f.fold()]:
			return wrong(at+"name", "%s is there twice", f.Name)
		case !slices.Contains([]string{"string", "int", "float", "bool"}, f.Type):
			return wrong(at+"type", `must be "string", "int", "float" or "bool"`)
		case (f.Minimum != nil || f.Maximum != nil) && f.Type != "int" && f.Type != "float":
			return wrong(at+"minimum", "and maximum are for numbers")
		case f.Minimum != nil && f.Maximum != nil && *f.Minimum > *f.Maximum:
			return wrong(at+"minimum", "is above maximum")
		case (len(f.Enum) > 0 || f.Pattern != "") && f.Type != "string":
			return wrong(at+"enum", "and pattern are for texts")
		case len(f.Enum) > MaxList || len(f.Pattern) > 1000:
			return wrong(at+"enum", "or pattern is too long")
		}
		seen[f.fold()] = true
		if f.Pattern != "" {
			if _, err := regexp.Compile(f.whole()); err != nil {
				return wrong(at+"pattern", "is no regular expression: %v", err)
			}
		}
		if err := texts(at+"help", 1000, f.Help); err != nil {
			return err
		}
		if f.Default != nil {
			if _, err := f.Parse(fmt.Sprint(f.Default)); err != nil {
				return wrong(at+"default", "%v", err)
			}
		}
	}
	return nil
}

func (f *Flag) fold() string  { return strings.ReplaceAll(f.Name, "_", "-") }
func (f *Flag) whole() string { return "^(?:" + f.Pattern + ")$" }

// ValueError says what is wrong with a flag's value.
type ValueError struct{ Flag, Value, Why string }

// Error implements error.
func (e *ValueError) Error() string { return fmt.Sprintf("--%s %s: %s", e.Flag, e.Value, e.Why) }

// Parse reads a value as it is written on the command line. The error is a *ValueError.
func (f *Flag) Parse(text string) (any, error) {
	no := func(format string, args ...any) (any, error) {
		return nil, &ValueError{f.Name, strconv.Quote(text), fmt.Sprintf(format, args...)}
	}
	switch f.Type {
	case "bool":
		v, err := strconv.ParseBool(text)
		if err != nil {
			return no("must be true or false")
		}
		return v, nil
	case "int":
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return no("must be a whole number")
		}
		if why := f.outside(float64(v)); why != "" {
			return no("%s", why)
		}
		return v, nil
	case "float":
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return no("must be a number")
		}
		if why := f.outside(v); why != "" {
			return no("%s", why)
		}
		return v, nil
	}
	if len(f.Enum) > 0 && !slices.Contains(f.Enum, text) {
		return no("must be one of %s", strings.Join(f.Enum, ", "))
	}
	if f.Pattern != "" {
		if re, err := regexp.Compile(f.whole()); err != nil || !re.MatchString(text) {
			return no("must match %s", f.Pattern)
		}
	}
	return text, nil
}

func (f *Flag) outside(v float64) string {
	switch {
	case f.Minimum != nil && v < *f.Minimum:
		return fmt.Sprintf("must be %v or more", *f.Minimum)
	case f.Maximum != nil && v > *f.Maximum:
		return fmt.Sprintf("must be %v or less", *f.Maximum)
	}
	return ""
}

// Values makes the values of a plug-in's flags of those that were given, by name. The error is
// a *ValueError.
func (m *Manifest) Values(given map[string]string) (Values, error) {
	out := Values{}
	for i := range m.Flags {
		f := &m.Flags[i]
		text, ok := given[f.Name]
		switch {
		case !ok && f.Required:
			return nil, &ValueError{f.Name, "", "must be given: " + f.Help}
		case !ok && f.Default == nil:
			continue
		case !ok:
			text = fmt.Sprint(f.Default)
		}
		v, err := f.Parse(text)
		if err != nil {
			return nil, err
		}
		out[f.Name] = v
	}
	return out, nil
}
