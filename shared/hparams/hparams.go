// Package hparams reads what the hparams plug-in logs: experiments, and the starts and
// ends of sessions, each an HParamsPluginData in the metadata of a summary's value
// (tensorboard/plugins/hparams/plugin_data.proto and api.proto). A session is a run; its
// hyperparameters are also those of the runs in its directory.
//
// Messages are read by hand on protowire's encoding. Unknown fields are skipped, a field
// of another type than its own is an unknown one, and no length from a file sizes an
// allocation.
package hparams

import (
	"errors"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tensorbored/tensorbored-static/shared/internal/field"
)

// Name is the name of the plug-in.
const Name = "hparams"

// Tags under which its data stand (tensorboard/plugins/hparams/metadata.py).
const (
	ExperimentTag = "_hparams_/experiment"
	StartTag      = "_hparams_/session_start_info"
	EndTag        = "_hparams_/session_end_info"
)

// ErrMalformed says that the plug-in's data are no HParamsPluginData.
var ErrMalformed = errors.New("these are no hyperparameters: the message is damaged")

// Kind says what a Value is.
type Kind uint8

const (
	Missing Kind = iota // there is none
	None                // Python's None: a google.protobuf.Value that is null
	Bool
	Number
	Text // also what is a list or a struct, as JSON
)

// Value is a value of a hyperparameter.
type Value struct {
	Kind Kind
	Num  float64 // of Number; of Bool 0 or 1
	Text string  // of Text; UTF-8
}

// String is the value as it is written.
func (v Value) String() string {
	switch v.Kind {
	case None:
		return "None"
	case Bool:
		return strconv.FormatBool(v.Num != 0)
	case Number:
		return FormatNumber(v.Num)
	}
	return v.Text
}

// FormatNumber writes a number with all its digits, and no more than tell it from its
// neighbours.
func FormatNumber(x float64) string {
	if a := math.Abs(x); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// Param is a hyperparameter of a session.
type Param struct {
	Name  string
	Value Value
}

// Status is how a session stands.
type Status uint8

const (
	Unknown Status = iota
	Success
	Failure
	Running
)

// String names the status; "" for Unknown.
func (s Status) String() string {
	return [...]string{"", "success", "failure", "running"}[min(s, Running)]
}

// Session is what a run's data say of it. Times are seconds since 1970, 0 if there is
// none.
type Session struct {
	Params   []Param // sorted by name, each once: the last of those that stand twice
	Group    string  // sessions of one group are repetitions
	ModelURI string
	Monitor  string // a URL
	Start    float64
	Status   Status
	End      float64
}

// Equal reports whether two sessions, each of which may be missing, say the same.
func (s *Session) Equal(other *Session) bool {
	if s == nil || other == nil {
		return s == other
	}
	return s.Group == other.Group && s.ModelURI == other.ModelURI && s.Monitor == other.Monitor && s.Start == other.Start && s.Status == other.Status && s.End == other.End &&
		slices.EqualFunc(s.Params, other.Params, func(a, b Param) bool {
			x, y := a.Value, b.Value
			return a.Name == b.Name && x.Kind == y.Kind && x.Text == y.Text && (x.Num == y.Num || x.Num != x.Num && y.Num != y.Num) // a NaN is one
		})
}

// Experiment says which hyperparameters and metrics its writer wants to see, and how they
// are called.
type Experiment struct {
	Name, Description, User string
	Created                 float64 // seconds since 1970
	Params                  []ParamInfo
	Metrics                 []MetricInfo
}

// Type is the type of a hyperparameter's values: 1 text, 2 bool, 3 number.
type Type uint8

// ParamInfo describes a hyperparameter.
type ParamInfo struct {
	Name, Title, Description string
	Type                     Type
	Discrete                 []Value   // the values that it can have, if they are known
	Interval                 *Interval // or their least and greatest
	Differs                  bool
}

// MetricInfo describes a metric: the scalars of Tag in the run Group below the session's;
// "" is the session's own.
type MetricInfo struct {
	Group, Tag         string
	Title, Description string
	Dataset            int // 0 unknown, 1 training, 2 validation
}

// Data is an HParamsPluginData: one of these, or none.
type Data struct {
	Experiment *Experiment
	Start      *Session // without Status and End
	End        *Session // Status and End alone
}

// Decode reads the plug-in's own data. Of a oneof that is set twice the last counts.
func Decode(b []byte) (d Data, err error) {
	err = fields(b, func(tag, _ uint64, body []byte) error {
		var err error
		switch tag {
		case 2<<3 | 2:
			d = Data{Experiment: &Experiment{}}
			err = d.Experiment.decode(body)
		case 3<<3 | 2:
			d = Data{Start: &Session{}}
			err = d.Start.decodeStart(body)
		case 4<<3 | 2:
			d = Data{End: &Session{}}
			err = fields(body, func(tag, v uint64, _ []byte) error {
				switch tag {
				case 1<<3 | 0:
					if v <= uint64(Running) {
						d.End.Status = Status(v)
					}
				case 2<<3 | 1:
					d.End.End = finite(v)
				}
				return nil
			})
		}
		return err
	})
	if err != nil {
		return Data{}, err
	}
	return d, nil
}

func (s *Session) decodeStart(b []byte) error {
	err := fields(b, func(tag, v uint64, body []byte) error {
		switch tag {
		case 1<<3 | 2:
			var p Param
			err := fields(body, func(tag, _ uint64, body []byte) (err error) {
				switch tag {
				case 1<<3 | 2:
					p.Name = text(body)
				case 2<<3 | 2:
					p.Value, err = value(body, 0)
				}
				return err
			})
			if err != nil {
				return err
			}
			if p.Value.Kind == Missing {
				p.Value.Kind = None
			}
			s.Params = append(s.Params, p)
		case 2<<3 | 2:
			s.ModelURI = text(body)
		case 3<<3 | 2:
			s.Monitor = text(body)
		case 4<<3 | 2:
			s.Group = text(body)
		case 5<<3 | 1:
			s.Start = finite(v)
		}
		return nil
	})
	s.Params = tidy(s.Params)
	return err
}

// tidy sorts params by name; of those of one name the last stays.
func tidy(params []Param) []Param {
	sort.SliceStable(params, func(i, j int) bool { return params[i].Name < params[j].Name })
	out := params[:0]
	for i, p := range params {
		if i+1 < len(params) && params[i+1].Name == p.Name {
			continue
		}
		out = append(out, p)
	}
	return out
}

func (e *Experiment) decode(b []byte) error {
	return fields(b, func(tag, v uint64, body []byte) error {
		switch tag {
		case 1<<3 | 2:
			e.Description = text(body)
		case 2<<3 | 2:
			e.User = text(body)
		case 3<<3 | 1:
			e.Created = finite(v)
		case 4<<3 | 2:
			var p ParamInfo
			if err := p.decode(body); err != nil {
				return err
			}
			e.Params = append(e.Params, p)
		case 5<<3 | 2:
			var m MetricInfo
			if err := m.decode(body); err != nil {
				return err
			}
			e.Metrics = append(e.Metrics, m)
		case 6<<3 | 2:
			e.Name = text(body)
		}
		return nil
	})
}

func (p *ParamInfo) decode(b []byte) error {
	return fields(b, func(tag, v uint64, body []byte) error {
		switch tag {
		case 1<<3 | 2:
			p.Name = text(body)
		case 2<<3 | 2:
			p.Title = text(body)
		case 3<<3 | 2:
			p.Description = text(body)
		case 4<<3 | 0:
			if v <= 3 {
				p.Type = Type(v)
			}
		case 5<<3 | 2: // a ListValue
			p.Discrete, p.Interval = []Value{}, nil
			return fields(body, func(tag, _ uint64, body []byte) error {
				if tag != 1<<3|2 {
					return nil
				}
				v, err := value(body, 0)
				p.Discrete = append(p.Discrete, v)
				return err
			})
		case 6<<3 | 2:
			p.Discrete, p.Interval = nil, new(Interval)
			return fields(body, func(tag, v uint64, _ []byte) error {
				if tag == 1<<3|1 || tag == 2<<3|1 {
					p.Interval[tag>>3-1] = math.Float64frombits(v)
				}
				return nil
			})
		case 7<<3 | 0:
			p.Differs = v != 0
		}
		return nil
	})
}

func (m *MetricInfo) decode(b []byte) error {
	return fields(b, func(tag, v uint64, body []byte) error {
		switch tag {
		case 1<<3 | 2:
			return fields(body, func(tag, _ uint64, body []byte) error {
				switch tag {
				case 1<<3 | 2:
					m.Group = text(body)
				case 2<<3 | 2:
					m.Tag = text(body)
				}
				return nil
			})
		case 3<<3 | 2:
			m.Title = text(body)
		case 4<<3 | 2:
			m.Description = text(body)
		case 5<<3 | 0:
			if v <= 2 {
				m.Dataset = int(v)
			}
		}
		return nil
	})
}

// deepest is how far lists and structs may be nested.
const deepest = 16

// value reads a google.protobuf.Value. One in which nothing is set is None.
func value(b []byte, depth int) (v Value, err error) {
	v.Kind = None
	err = fields(b, func(tag, bits uint64, body []byte) (err error) {
		switch tag {
		case 1<<3 | 0:
			v = Value{Kind: None}
		case 2<<3 | 1:
			v = Value{Kind: Number, Num: math.Float64frombits(bits)}
		case 3<<3 | 2:
			v = Value{Kind: Text, Text: text(body)}
		case 4<<3 | 0:
			v = Value{Kind: Bool}
			if bits != 0 {
				v.Num = 1
			}
		case 5<<3 | 2, 6<<3 | 2:
			if depth == deepest {
				return ErrMalformed
			}
			v = Value{Kind: Text}
			v.Text, err = nested(tag>>3 == 5, body, depth+1)
		}
		return err
	})
	return v, err
}

// nested writes a Struct or a ListValue as JSON.
func nested(isStruct bool, b []byte, depth int) (string, error) {
	var out []byte
	put := func(v Value) {
		if v.Kind == Text && !(strings.HasPrefix(v.Text, "[") || strings.HasPrefix(v.Text, "{")) {
			out = strconv.AppendQuote(out, v.Text)
		} else {
			out = append(out, v.String()...)
		}
	}
	err := fields(b, func(tag, _ uint64, body []byte) error {
		if tag != 1<<3|2 {
			return nil
		}
		if len(out) > 0 {
			out = append(out, ", "...)
		}
		if !isStruct {
			v, err := value(body, depth)
			put(v)
			return err
		}
		var name string
		v := Value{Kind: None}
		err := fields(body, func(tag, _ uint64, body []byte) (err error) {
			switch tag {
			case 1<<3 | 2:
				name = text(body)
			case 2<<3 | 2:
				v, err = value(body, depth)
			}
			return err
		})
		out = append(strconv.AppendQuote(out, name), ": "...)
		put(v)
		return err
	})
	if isStruct {
		return "{" + string(out) + "}", err
	}
	return "[" + string(out) + "]", err
}

// finite returns a time; 0 if it is none.
func finite(bits uint64) float64 {
	if x := math.Float64frombits(bits); x-x == 0 {
		return x
	}
	return 0
}

// text returns a string as it can be shown.
func text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}

// fields is field.Each in the words of this package.
func fields(b []byte, f func(tag, v uint64, body []byte) error) error {
	err := field.Each(b, f)
	if err == field.ErrMalformed {
		return ErrMalformed
	}
	return err
}
