// Command greetings is the back end of an example: it answers as TensorBoard's example_basic
// does, of tensors of strings that were logged under its name. docs/PLUGINS.md goes through it.
package main

import (
	"context"

	"github.com/tensorbored/tensorbored-static/shared/tbplugin"
)

const name = "example_basic"

type greetings struct{}

// Routes implements tbplugin.Plugin.
func (greetings) Routes() map[string]tbplugin.Handler {
	return map[string]tbplugin.Handler{"/tags": tags, "/greetings": texts}
}

// FixFlags implements tbplugin.FlagFixer.
func (greetings) FixFlags(flags map[string]any) error {
	if flags["example_basic_limit"] == 13.0 {
		return tbplugin.Errorf(400, "example_basic_limit 13 brings bad luck: choose another")
	}
	return nil
}

// tags answers {run: {tag: {"description"}}}.
func tags(_ context.Context, r *tbplugin.Request) (*tbplugin.Response, error) {
	all, err := r.Data.ListTensors(tbplugin.Query{Plugin: name})
	if err != nil {
		return nil, err
	}
	out := map[string]map[string]map[string]string{}
	for run, of := range all {
		out[run] = map[string]map[string]string{}
		for tag, facts := range of {
			out[run][tag] = map[string]string{"description": facts.Description}
		}
	}
	return tbplugin.JSON(out)
}

// texts answers a list of greetings.
func texts(_ context.Context, r *tbplugin.Request) (*tbplugin.Response, error) {
	run, tag := r.Get("run"), r.Get("tag")
	if run == "" || tag == "" {
		return nil, tbplugin.Errorf(400, "Must specify run and tag")
	}
	limit, ok := r.Flags["example_basic_limit"].(float64)
	if !ok {
		limit = 1000
	}
	got, err := r.Data.ReadTensors(tbplugin.Query{Plugin: name, Runs: []string{run}, Tags: []string{tag}, Downsample: int(limit)})
	if err != nil {
		return nil, err
	}
	list, ok := got[run][tag]
	if !ok {
		return nil, tbplugin.Errorf(404, "Not found: No greetings data for run='%s', tag='%s'", run, tag)
	}
	out := []string{}
	for _, t := range list {
		if words, ok := t.Data.([][]byte); ok && len(words) > 0 {
			out = append(out, string(words[0]))
		}
	}
	return tbplugin.JSON(out)
}

func init() { tbplugin.Register(greetings{}) }

func main() { tbplugin.Serve() }
