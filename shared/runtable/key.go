// Package runtable is the table of runs: any hyperparameter and any number of a scalar as
// a column, sorted, filtered and grouped. It is plain arithmetic on columns of values; who
// shows it gets numbers of rows.
package runtable

import (
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/hparams"
	"github.com/tensorbored/tensorbored-static/shared/internal/query"
)

// Key says what a column shows. It is comparable; its text form is what settings keep.
type Key struct {
	Of    string // "param", a number of scalars as in shared/kind/hparams, or one of Facts
	Name  string // of the hyperparameter, or the tag
	Group string // of scalars: path of their run below the row's, "" = its own
	Step  int64  // of "at"; of "smoothed" thousandths of the weight
}

// Param is Key.Of of a hyperparameter.
const Param = "param"

// Facts are what columns show of runs themselves.
var Facts = []string{"status", "start", "duration", "tags", "note"}

// ParamKey is the column of a hyperparameter.
func ParamKey(name string) Key { return Key{Of: Param, Name: name} }

// IsScalar reports whether the column has numbers of scalars.
func (k Key) IsScalar() bool { return k.Name != "" && k.Of != Param }

// String returns the text form:
//
//	param?name=lr
//	min?name=loss&group=validation
//	at?name=loss&step=100
func (k Key) String() string {
	if k.Name == "" {
		return k.Of
	}
	s := k.Of + "?name=" + query.Escape(k.Name)
	if k.Group != "" {
		s += "&group=" + query.Escape(k.Group)
	}
	if k.Step != 0 {
		s += "&step=" + strconv.FormatInt(k.Step, 10)
	}
	return s
}

// ParseKey reads the text form. What is of an unknown sort is a key all the same, of a
// column in which nothing stands.
func ParseKey(text string) Key {
	of, rest, _ := strings.Cut(text, "?")
	v, _ := query.Parse(rest) // of what is wrong the right parts
	first := func(key string) string { return strings.Join(v[key][:min(1, len(v[key]))], "") }
	step, _ := strconv.ParseInt(first("step"), 10, 64)
	return Key{Of: of, Name: first("name"), Group: first("group"), Step: step}
}

// Title is what a column is called.
func (k Key) Title() string {
	if k.Name == "" {
		if k.Of == "" {
			return "?"
		}
		return strings.ToUpper(k.Of[:1]) + k.Of[1:]
	}
	name := k.Name
	if k.Group != "" {
		name = k.Group + ": " + name
	}
	switch k.Of {
	case Param, "last":
		return name
	case "laststep", "minstep", "maxstep":
		return name + " " + strings.TrimSuffix(k.Of, "step") + " step"
	case "smoothed":
		return name + ", smoothed by " + strconv.FormatFloat(float64(k.Step)/1000, 'g', -1, 64)
	case "at":
		return name + " at " + strconv.FormatInt(k.Step, 10)
	}
	return name + " " + k.Of
}

// Value is a cell.
type Value = hparams.Value
