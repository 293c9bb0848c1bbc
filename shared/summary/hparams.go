package summary

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"
)

// Tags of the hparams plug-in (tensorboard/plugins/hparams/metadata.py).
const (
	experimentTag   = "_hparams_/experiment"
	sessionStartTag = "_hparams_/session_start_info"
	sessionEndTag   = "_hparams_/session_end_info"
)

// HParamType is the type of a hyperparameter's values.
type HParamType int32

// The types.
const (
	HParamString HParamType = 1
	HParamBool   HParamType = 2
	HParamNumber HParamType = 3
)

// Dataset says what a metric was measured on.
type Dataset int32

// The data sets.
const (
	Training   Dataset = 1
	Validation Dataset = 2
)

// SessionResult is how a session ended.
type SessionResult int32

// The results.
const (
	Succeeded SessionResult = 1
	Failed    SessionResult = 2
	Running   SessionResult = 3
)

// Experiment describes hyperparameters and metrics of many sessions. It is
// optional: without one, readers infer it from the sessions.
type Experiment struct {
	Name, Description, User string
	Created                 time.Time
	HParams                 []HParamInfo
	Metrics                 []MetricInfo
}

// HParamInfo describes one hyperparameter, with at most one of the domains.
type HParamInfo struct {
	Name, DisplayName, Description string
	Type                           HParamType
	Values                         []any       // all values it can have: strings, bools, numbers
	Interval                       *[2]float64 // its least and greatest value
	Differs                        bool        // more than one value occurs
}

// MetricInfo describes one metric: the last value of the scalar Tag of the run
// Group below the session's run ("" for the session's own).
type MetricInfo struct {
	Group, Tag               string
	DisplayName, Description string
	Dataset                  Dataset
}

// Session is one training with one set of hyperparameters. Its run is the
// session's name.
type Session struct {
	// HParams has strings, bools and numbers of any Go type, and nil for Python's None.
	HParams map[string]any
	// Group joins sessions with the same hyperparameters into one row. "" means
	// a checksum of HParams, as TensorFlow does.
	Group                string
	ModelURI, MonitorURL string
	Start                time.Time
}

// HParams writes a run's hyperparameters: an experiment with them and the
// metrics (tags of scalars of this run), and the start of a session. Call
// HParamsEnd when it ends.
func (w *Writer) HParams(hparams map[string]any, metrics []string, opts ...Option) error {
	e := Experiment{}
	for _, name := range slices.Sorted(maps.Keys(hparams)) {
		info := HParamInfo{Name: name, Type: HParamNumber}
		switch reflect.ValueOf(hparams[name]).Kind() {
		case reflect.String:
			info.Type = HParamString
		case reflect.Bool:
			info.Type = HParamBool
		}
		e.HParams = append(e.HParams, info)
	}
	for _, tag := range metrics {
		e.Metrics = append(e.Metrics, MetricInfo{Tag: tag})
	}
	// First look whether the session can be written, so that it is both or none.
	if _, err := encodeHParams("HParams", hparams); err != nil {
		return err
	}
	if err := w.HParamsExperiment(e, opts...); err != nil {
		return err
	}
	return w.HParamsStart(Session{HParams: hparams}, opts...)
}

// HParamsExperiment writes e. Takes WallTime.
func (w *Writer) HParamsExperiment(e Experiment, opts ...Option) error {
	s, err := gather("HParamsExperiment", experimentTag, setWallTime, opts)
	if err != nil {
		return err
	}
	b := putString(nil, 1, e.Description)
	b = putString(b, 2, e.User)
	if !e.Created.IsZero() {
		b = putDouble(b, 3, seconds(e.Created))
	}
	for _, h := range e.HParams {
		info, err := h.encode()
		if err != nil {
			return err
		}
		b = mustBytes(b, 4, info)
	}
	for _, m := range e.Metrics {
		b = mustBytes(b, 5, m.encode())
	}
	b = putString(b, 6, e.Name)
	return w.hparams(experimentTag, mustBytes(nil, 2, b), &s)
}

func (h HParamInfo) encode() ([]byte, error) {
	b := putString(nil, 1, h.Name)
	b = putString(b, 2, h.DisplayName)
	b = putString(b, 3, h.Description)
	b = putVarint(b, 4, int64(h.Type))
	switch {
	case h.Values != nil && h.Interval != nil:
		return nil, &ValueError{"HParamsExperiment", h.Name, "has both Values and an Interval"}
	case h.Values != nil:
		var list []byte
		for _, v := range h.Values {
			encoded, ok := encodeValue(v)
			if !ok || v == nil {
				return nil, &ValueError{"HParamsExperiment", h.Name, fmt.Sprintf("%T is no string, bool or number", v)}
			}
			list = mustBytes(list, 1, encoded)
		}
		b = mustBytes(b, 5, list)
	case h.Interval != nil:
		b = mustBytes(b, 6, putDouble(putDouble(nil, 1, h.Interval[0]), 2, h.Interval[1]))
	}
	return putBool(b, 7, h.Differs), nil
}

func (m MetricInfo) encode() []byte {
	b := mustBytes(nil, 1, putString(putString(nil, 1, m.Group), 2, m.Tag))
	b = putString(b, 3, m.DisplayName)
	b = putString(b, 4, m.Description)
	return putVarint(b, 5, int64(m.Dataset))
}

// HParamsStart writes the start of a session. Takes WallTime.
func (w *Writer) HParamsStart(session Session, opts ...Option) error {
	s, err := gather("HParamsStart", sessionStartTag, setWallTime, opts)
	if err != nil {
		return err
	}
	b, err := encodeHParams("HParamsStart", session.HParams)
	if err != nil {
		return err
	}
	if session.Group == "" {
		session.Group = groupName(session.HParams)
	}
	if session.Start.IsZero() {
		// One time for both, so that they agree.
		s.wall, s.given = w.now(&s), s.given|setWallTime
		b = putString(putString(b, 2, session.ModelURI), 3, session.MonitorURL)
		b = putDouble(putString(b, 4, session.Group), 5, s.wall)
	} else {
		b = putString(putString(b, 2, session.ModelURI), 3, session.MonitorURL)
		b = putDouble(putString(b, 4, session.Group), 5, seconds(session.Start))
	}
	return w.hparams(sessionStartTag, mustBytes(nil, 3, b), &s)
}

// HParamsEnd writes the end of a session, at the event's wall time.
func (w *Writer) HParamsEnd(result SessionResult, opts ...Option) error {
	s, err := gather("HParamsEnd", sessionEndTag, setWallTime, opts)
	if err != nil {
		return err
	}
	s.wall, s.given = w.now(&s), s.given|setWallTime
	b := putDouble(putVarint(nil, 1, int64(result)), 2, s.wall)
	return w.hparams(sessionEndTag, mustBytes(nil, 4, b), &s)
}

// hparams writes an HParamsPluginData. It stands in the metadata; the tensor is
// empty.
func (w *Writer) hparams(tag string, content []byte, s *settings) error {
	m := Metadata{Plugin: "hparams", Content: content}
	return w.value(TensorValue(tag, FloatTensor([]int64{0}), m), 0, s)
}

// encodeHParams returns a map<string, google.protobuf.Value> as field 1, in the
// order of the names.
func encodeHParams(call string, hparams map[string]any) ([]byte, error) {
	var b []byte
	for _, name := range slices.Sorted(maps.Keys(hparams)) {
		v, ok := encodeValue(hparams[name])
		if !ok {
			return nil, &ValueError{call, name, fmt.Sprintf("%T is no string, bool or number", hparams[name])}
		}
		b = mustBytes(b, 1, mustBytes(mustString(nil, 1, name), 2, v))
	}
	return b, nil
}

// encodeValue returns a google.protobuf.Value.
func encodeValue(v any) ([]byte, bool) {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Invalid: // nil
		return mustVarint(nil, 1, 0), true
	case reflect.String:
		return mustString(nil, 3, r.String()), true
	case reflect.Bool:
		bit := int64(0)
		if r.Bool() {
			bit = 1
		}
		return mustVarint(nil, 4, bit), true
	default:
		if r.CanFloat() {
			return mustDouble(nil, 2, r.Float()), true
		}
		if r.CanInt() {
			return mustDouble(nil, 2, float64(r.Int())), true
		}
		if r.CanUint() {
			return mustDouble(nil, 2, float64(r.Uint())), true
		}
	}
	return nil, false
}

// groupName is the SHA-256 of the hyperparameters as compact JSON with sorted
// names, in hexadecimal. Values that JSON cannot hold are taken as text.
func groupName(hparams map[string]any) string {
	text, err := json.Marshal(hparams)
	if err != nil {
		text = fmt.Append(nil, hparams)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
