//go:build !js

package hparams

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/hparams"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Dump implements dump.Kind: of a session's start its hyperparameters, of its end the
// status; null for anything else. They stand in the sections of DumpWhole in TensorBoard's
// form.
func (k Kind) Dump(w answer.Writer, run, tag string, ask answer.Asker) error {
	return ask(Query{}.For([]string{run}), func(out *answer.Out) error {
		for _, p := range out.Parts.([]Part) {
			s := Sessions(p, bytesOf(out.Words))[run]
			switch {
			case s != nil && tag == hparams.StartTag:
				write(w, params(s))
				return nil
			case s != nil && tag == hparams.EndTag:
				write(w, statusOf(s.Status))
				return nil
			}
		}
		w.Raw("null")
		return nil
	})
}

// bytesOf are words as they cross to the page.
func bytesOf(words []uint64) []byte {
	b := make([]byte, 0, 8*len(words))
	for _, x := range words {
		for i := range 8 {
			b = append(b, byte(x>>(8*i)))
		}
	}
	return b
}

// write writes what can always be written: texts and finite numbers.
func write(w answer.Writer, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic("hparams: internal error: " + err.Error())
	}
	w.Raw(string(b))
}

// DumpWhole implements dump.Whole: the answers of TensorBoard's routes "experiment" and
// "session_groups", with all hyperparameters and metrics. The experiment is the union of
// all that were logged, where TensorBoard takes the first; without one it is made of the
// sessions, as there.
func (Kind) DumpWhole(w answer.Writer, c *catalog.Catalog, _ answer.Asker, section func(name string)) error {
	l := load(c)
	section("hparams_experiment")
	write(w, l.experimentJSON())
	section("hparams_session_groups")
	groups := l.groups()
	write(w, map[string]any{"sessionGroups": groups, "totalSize": len(groups)})
	return nil
}

// logdir is all that a dump needs.
type logdir struct {
	c          *catalog.Catalog
	runs       []string // sorted
	sessions   map[string]*hparams.Session
	experiment hparams.Experiment
	points     series.Columns
}

func load(c *catalog.Catalog) *logdir {
	l := &logdir{c: c, runs: slices.Sorted(maps.Keys(c.Runs)), sessions: map[string]*hparams.Session{}}
	found := false
	for _, name := range l.runs {
		run := c.Runs[name]
		if s, _ := session(run); s != nil {
			l.sessions[name] = s
		}
		if t := run.Lookup(hparams.ExperimentTag); t != nil {
			if d, err := hparams.Decode(t.Content); err == nil && d.Experiment != nil {
				if !found {
					l.experiment, found = *d.Experiment, true
				} else {
					l.experiment.Union(*d.Experiment)
				}
			}
		}
	}
	inferred := hparams.Infer(l.sessions)
	if !found {
		l.experiment.Metrics = l.metrics()
	}
	// Hyperparameters that no experiment names are columns too.
	l.experiment.Union(hparams.Experiment{Params: slices.DeleteFunc(inferred, func(p hparams.ParamInfo) bool {
		return slices.ContainsFunc(l.experiment.Params, func(q hparams.ParamInfo) bool { return q.Name == p.Name })
	})})
	slices.SortStableFunc(l.experiment.Params, func(a, b hparams.ParamInfo) int { return strings.Compare(a.Name, b.Name) })
	return l
}

// metrics are the tags of scalars of all runs that belong to sessions.
func (l *logdir) metrics() (list []hparams.MetricInfo) {
	seen := map[hparams.MetricInfo]bool{}
	for _, name := range l.runs {
		owner, ok := hparams.Owner(name, func(run string) bool { return l.sessions[run] != nil })
		if !ok {
			continue
		}
		l.c.Runs[name].Tags(func(t *catalog.Tag, _ wire.Tag) {
			m := hparams.MetricInfo{Group: hparams.GroupOf(owner, name), Tag: t.Shown}
			if t.Kind == catalog.Scalar && !seen[m] {
				seen[m] = true
				list = append(list, m)
			}
		})
	}
	slices.SortFunc(list, func(a, b hparams.MetricInfo) int {
		return cmp.Or(strings.Compare(a.Tag, b.Tag), strings.Compare(a.Group, b.Group))
	})
	return list
}

func (l *logdir) experimentJSON() any {
	e := &l.experiment
	infos := []any{}
	for _, p := range e.Params {
		info := map[string]any{"name": p.Name, "displayName": p.Title, "description": p.Description, "differs": p.Differs,
			"type": [...]string{"DATA_TYPE_UNSET", "DATA_TYPE_STRING", "DATA_TYPE_BOOL", "DATA_TYPE_FLOAT64"}[p.Type]}
		if p.Discrete != nil {
			values := []any{}
			for _, v := range p.Discrete {
				values = append(values, plain(v))
			}
			info["domainDiscrete"] = values
		}
		if p.Interval != nil {
			info["domainInterval"] = map[string]any{"minValue": plainNumber(p.Interval[0]), "maxValue": plainNumber(p.Interval[1])}
		}
		infos = append(infos, info)
	}
	metrics := []any{}
	for _, m := range e.Metrics {
		metrics = append(metrics, map[string]any{"name": nameOf(m), "displayName": m.Title, "description": m.Description,
			"datasetType": [...]string{"DATASET_UNKNOWN", "DATASET_TRAINING", "DATASET_VALIDATION"}[m.Dataset]})
	}
	return map[string]any{"name": e.Name, "description": e.Description, "user": e.User, "timeCreatedSecs": e.Created, "hparamInfos": infos, "metricInfos": metrics}
}

func nameOf(m hparams.MetricInfo) any { return map[string]any{"group": m.Group, "tag": m.Tag} }

// metric is a metric's value in a session, in TensorBoard's form.
type metric struct {
	Name         any   `json:"name"`
	TrainingStep int64 `json:"trainingStep"`
	Value        any   `json:"value"`
	Wall         any   `json:"wallTimeSecs"`

	step, value, wall float64
}

func (m *metric) finish() {
	m.TrainingStep, m.Value, m.Wall = int64(m.step), plainNumber(m.value), plainNumber(m.wall)
}

// metricsOf are the last values of the experiment's metrics in a session.
func (l *logdir) metricsOf(run string) []metric {
	out := []metric{}
	for _, m := range l.experiment.Metrics {
		r := l.c.Runs[hparams.RunOf(run, m.Group)]
		if r == nil {
			continue
		}
		t := r.Lookup(m.Tag)
		if t == nil || t.Kind != catalog.Scalar {
			continue
		}
		l.points.Reset()
		r.Scalars(t, &l.points)
		if n := l.points.Len(); n > 0 {
			v := metric{Name: nameOf(m), step: l.points.Step[n-1], value: l.points.Value[n-1], wall: l.points.Wall[n-1]}
			v.finish()
			out = append(out, v)
		}
	}
	return out
}

// groups are the groups of sessions, sorted by name. A group's hyperparameters are those
// of its first session, its metrics the mean over its sessions.
func (l *logdir) groups() []any {
	members := map[string][]string{}
	for _, run := range l.runs {
		if s := l.sessions[run]; s != nil {
			name := cmp.Or(s.Group, run)
			members[name] = append(members[name], run)
		}
	}
	out := []any{}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		sessions := []any{}
		var sums []metric
		counts := map[any]int{}
		for _, run := range members[name] {
			s := l.sessions[run]
			values := l.metricsOf(run)
			sessions = append(sessions, map[string]any{"name": run, "startTimeSecs": s.Start, "endTimeSecs": s.End, "status": statusOf(s.Status),
				"modelUri": s.ModelURI, "monitorUrl": s.Monitor, "metricValues": values})
			for _, v := range values {
				key := [2]any{v.Name.(map[string]any)["group"], v.Name.(map[string]any)["tag"]}
				i := slices.IndexFunc(sums, func(o metric) bool {
					return [2]any{o.Name.(map[string]any)["group"], o.Name.(map[string]any)["tag"]} == key
				})
				if i < 0 {
					i = len(sums)
					sums = append(sums, metric{Name: v.Name})
				}
				counts[key]++
				o := &sums[i]
				n := float64(counts[key])
				o.step, o.value, o.wall = o.step+(v.step-o.step)/n, o.value+(v.value-o.value)/n, o.wall+(v.wall-o.wall)/n
				o.finish()
			}
		}
		if sums == nil {
			sums = []metric{}
		}
		first := l.sessions[members[name][0]]
		out = append(out, map[string]any{"name": name, "hparams": params(first), "monitorUrl": first.Monitor, "sessions": sessions, "metricValues": sums})
	}
	return out
}

func statusOf(s hparams.Status) string {
	return [...]string{"STATUS_UNKNOWN", "STATUS_SUCCESS", "STATUS_FAILURE", "STATUS_RUNNING"}[s]
}

// params are a session's hyperparameters; numbers that JSON does not have are left out, as
// TensorBoard does.
func params(s *hparams.Session) map[string]any {
	m := map[string]any{}
	for _, p := range s.Params {
		if v := p.Value; v.Kind != hparams.Number || v.Num == v.Num {
			m[p.Name] = plain(v)
		}
	}
	return m
}

// plain is a value as JSON has it.
func plain(v hparams.Value) any {
	switch v.Kind {
	case hparams.Bool:
		return v.Num != 0
	case hparams.Number:
		return plainNumber(v.Num)
	case hparams.Text:
		return v.Text
	}
	return nil
}

func plainNumber(x float64) any {
	switch {
	case x != x:
		return "NaN"
	case math.IsInf(x, 0):
		return map[bool]string{true: "Infinity", false: "-Infinity"}[x > 0]
	}
	return number(x)
}

// number is written with a fraction, as TensorBoard does: a reader can tell numbers of
// double precision from counts.
type number float64

// MarshalJSON implements json.Marshaler.
func (x number) MarshalJSON() ([]byte, error) {
	b, err := json.Marshal(float64(x))
	if err == nil && !bytes.ContainsAny(b, ".e") {
		b = append(b, ".0"...)
	}
	return b, err
}
