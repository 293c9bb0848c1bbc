package hparams

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
)

// JSON has no form for NaN and infinities, and a domain may well have them: learning rates
// from 0 to infinity are legal. They are the strings that TensorBoard's own routes send:
// "NaN", "Infinity", "-Infinity".

// Interval is the least and the greatest value that a hyperparameter can have: any
// numbers, as they were logged.
type Interval [2]float64

// MarshalJSON implements json.Marshaler.
func (i Interval) MarshalJSON() ([]byte, error) {
	return append(appendNumber(append(appendNumber([]byte{'['}, i[0]), ','), i[1]), ']'), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (i *Interval) UnmarshalJSON(b []byte) error {
	var list [2]json.RawMessage
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	for k := range list {
		var err error
		if i[k], err = parseNumber(list[k]); err != nil {
			return err
		}
	}
	return nil
}

// MarshalJSON implements json.Marshaler.
func (v Value) MarshalJSON() ([]byte, error) {
	b := strconv.AppendInt([]byte(`{"Kind":`), int64(v.Kind), 10)
	b = appendNumber(append(b, `,"Num":`...), v.Num)
	text, err := json.Marshal(v.Text)
	return append(append(append(b, `,"Text":`...), text...), '}'), err
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *Value) UnmarshalJSON(b []byte) error {
	var parts struct {
		Kind Kind
		Num  json.RawMessage
		Text string
	}
	err := json.Unmarshal(b, &parts)
	if err == nil {
		v.Kind, v.Text = parts.Kind, parts.Text
		v.Num, err = parseNumber(parts.Num)
	}
	return err
}

// appendNumber writes any number.
func appendNumber(b []byte, x float64) []byte {
	switch {
	case math.IsNaN(x):
		return append(b, `"NaN"`...)
	case math.IsInf(x, 1):
		return append(b, `"Infinity"`...)
	case math.IsInf(x, -1):
		return append(b, `"-Infinity"`...)
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}

var errNumber = errors.New("this is no number")

// parseNumber reads it back; nothing is 0.
func parseNumber(b []byte) (x float64, err error) {
	switch string(b) {
	case "":
		return 0, nil
	case `"NaN"`:
		return math.NaN(), nil
	case `"Infinity"`:
		return math.Inf(1), nil
	case `"-Infinity"`:
		return math.Inf(-1), nil
	}
	if x, err = strconv.ParseFloat(string(b), 64); err != nil || x-x != 0 {
		return 0, errNumber
	}
	return x, nil
}
