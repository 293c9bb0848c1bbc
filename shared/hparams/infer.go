//go:build !js

package hparams

import (
	"maps"
	"slices"
	"strings"
)

// Infer describes the hyperparameters of sessions as TensorBoard does where no experiment
// was logged: the common type of all values, text where they differ; of texts and booleans
// the values that occur, of numbers the least and the greatest
// (tensorboard/plugins/hparams/backend_context.py). They are sorted by name.
func Infer(sessions map[string]*Session) []ParamInfo {
	values := map[string][]Value{}
	for _, run := range slices.Sorted(maps.Keys(sessions)) {
		for _, p := range sessions[run].Params {
			if p.Value.Kind != None {
				values[p.Name] = append(values[p.Name], p.Value)
			}
		}
	}
	var out []ParamInfo
	for _, name := range slices.Sorted(maps.Keys(values)) {
		list := values[name]
		p := ParamInfo{Name: name, Type: [...]Type{Bool: 2, Number: 3, Text: 1}[list[0].Kind]}
		for _, v := range list {
			if v.Kind != list[0].Kind {
				p.Type = 1
			}
			p.Differs = p.Differs || v != list[0]
		}
		switch p.Type {
		case 3:
			p.Interval = &Interval{list[0].Num, list[0].Num}
			for _, v := range list {
				p.Interval[0], p.Interval[1] = min(p.Interval[0], v.Num), max(p.Interval[1], v.Num)
			}
		default:
			for _, v := range list {
				if p.Type == 1 && v.Kind != Text {
					v = Value{Kind: Text, Text: v.String()}
				}
				if !slices.Contains(p.Discrete, v) {
					p.Discrete = append(p.Discrete, v)
				}
			}
			slices.SortFunc(p.Discrete, func(a, b Value) int { return strings.Compare(a.String(), b.String()) })
		}
		out = append(out, p)
	}
	return out
}
