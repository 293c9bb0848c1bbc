package dump

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/graph/read"
	"github.com/tensorbored/tensorbored-static/shared/kind/values"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Plug-ins of graphs, by their names in metadata.
const (
	graphPlugin   = "graphs"
	tracePlugin   = "graph_run_metadata_graph"
	profilePlugin = "graph_run_metadata"
	kerasPlugin   = "graph_keras_model"
	taggedPlugin  = "graph_tagged_run_metadata"
)

// runGraphs is what TensorBoard's route "info" of graphs says of a run.
type runGraphs struct {
	Run      string               `json:"run"`
	RunGraph bool                 `json:"run_graph"`
	Tags     map[string]*tagGraph `json:"tags"`
}

type tagGraph struct {
	Tag        string `json:"tag"`
	Conceptual bool   `json:"conceptual_graph"` // a Keras model
	Op         bool   `json:"op_graph"`         // a traced function
	Profile    bool   `json:"profile"`          // statistics of a step
}

// graphs writes the sections "graphs_info" and "graphs": what runs have, as TensorBoard's
// route "info" of graphs gives it, and each graph as the route "graph" gives it, a text of a
// GraphDef: {run: text} of a run's own graph, {"run|tag|op_graph": text} and
// {"run|tag|conceptual_graph": text} of tagged ones. Of several steps it is the last. What
// could not be read is {"error": message}.
func (w *writer) graphs(c *catalog.Catalog, ask answer.Asker) error {
	type graph struct {
		key, run, tag string
		form          string // of the values that count; "" for any
		text          func([]byte) ([]byte, error)
	}
	info, all := map[string]*runGraphs{}, []graph(nil)
	for _, name := range slices.Sorted(maps.Keys(c.Runs)) {
		run := catalog.Text(name)
		row := func() *runGraphs {
			if info[run] == nil {
				info[run] = &runGraphs{Run: run, Tags: map[string]*tagGraph{}}
			}
			return info[run]
		}
		tag := func(tag string) *tagGraph {
			tags := row().Tags
			if tags[tag] == nil {
				tags[tag] = &tagGraph{Tag: tag}
			}
			return tags[tag]
		}
		c.Runs[name].Tags(func(t *catalog.Tag, is wire.Tag) {
			if is.Points == 0 {
				return
			}
			key := run + "|" + t.Shown
			switch is.Plugin {
			case graphPlugin:
				if t.Shown == catalog.GraphTag {
					all = append(all, graph{run, name, t.Shown, "graph", read.Plain})
				}
			case kerasPlugin:
				tag(t.Shown).Conceptual = true
				all = append(all, graph{key + "|conceptual_graph", name, t.Shown, "", read.Conceptual})
			case profilePlugin, tracePlugin:
				x := tag(t.Shown)
				x.Op, x.Profile = true, x.Profile || is.Plugin == profilePlugin
				all = append(all, graph{key + "|op_graph", name, t.Shown, "", read.Traced})
			case taggedPlugin:
				tag(t.Shown).Profile = true
			}
		})
	}
	// A run's graph is its last GraphDef; TensorBoard shows no MetaGraphDef.
	last := make([]int, len(all))
	kept := 0
	for _, g := range all {
		n := -1
		if g.form != "" {
			var err error
			if n, err = lastOf(ask, g.run, g.tag, g.form); err != nil {
				return err
			}
			if n < 0 {
				continue
			}
			if info[g.key] == nil {
				info[g.key] = &runGraphs{Run: g.key, Tags: map[string]*tagGraph{}}
			}
			info[g.key].RunGraph = true
		}
		all[kept], last[kept] = g, n
		kept++
	}
	all = all[:kept]
	b, err := json.Marshal(info)
	if err != nil {
		return err
	}
	w.Raw(",\n\"graphs_info\": " + string(b) + ",\n\"graphs\": {")
	for i, g := range all {
		if i > 0 {
			w.Raw(",")
		}
		w.Raw("\n")
		w.Text(g.key)
		w.Raw(": ")
		b, err := readValue(ask, g.run, g.tag, last[i])
		if err != nil && !errors.As(err, new(valueError)) {
			return err
		}
		if err == nil {
			b, err = g.text(b)
		}
		if err != nil {
			w.Raw(`{"error": `)
			w.Text(err.Error())
			w.Raw("}")
			continue
		}
		w.Text(string(b))
	}
	w.Raw("\n}")
	return w.Flush()
}

// lastOf is the number of the last value of a tag that has a form; -1 if there is none.
func lastOf(ask answer.Asker, run, tag, form string) (int, error) {
	steps := 0
	err := ask(values.Query{}.For(run, tag), func(out *answer.Out) error {
		for _, p := range out.Parts.([]values.Part) {
			steps = max(steps, len(p.Steps))
		}
		return nil
	})
	for n := steps - 1; n >= 0 && err == nil; n-- {
		is := ""
		err = ask(values.Query{Query: stored.Query{From: n, N: 1}, Max: 1}.For(run, tag), func(out *answer.Out) error {
			for _, p := range out.Parts.([]values.Part) {
				for _, item := range p.Items {
					is = item.Form
				}
			}
			return nil
		})
		if is == form && err == nil {
			return n, nil
		}
	}
	return -1, err
}

// valueError says why one value could not be read.
type valueError string

func (e valueError) Error() string { return string(e) }

// readValue reads the bytes of value number n of a tag; -1 is the last.
func readValue(ask answer.Asker, run, tag string, n int) (all []byte, err error) {
	q := values.Query{Query: stored.Query{From: n, N: 1}}.For(run, tag)
	q.Every = true
	var fault error
	tensor := false
	err = ask(q, func(out *answer.Out) error {
		for _, p := range out.Parts.([]values.Part) {
			for _, item := range p.Items {
				if item.Error != "" {
					fault = valueError(item.Error)
				}
				tensor = item.Form == "tensor"
				all = append(all, out.Bytes[item.Offset:item.Offset+item.Length]...)
			}
		}
		return nil
	})
	if err == nil {
		err = fault
	}
	if err == nil && tensor {
		texts := event.CutStrings(all)
		if len(texts) == 0 {
			return nil, valueError("this value is a tensor that holds no graph")
		}
		all = texts[0]
	}
	return all, err
}
