// Command rawscalars is the back end of an example: it answers as TensorBoard's
// example_raw_scalars does.
package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/tbplugin"
)

type raw struct{}

// Routes implements tbplugin.Plugin.
func (raw) Routes() map[string]tbplugin.Handler {
	return map[string]tbplugin.Handler{"/tags": tags, "/scalars": scalars}
}

// tags answers {run: {tag: {}}}.
func tags(_ context.Context, r *tbplugin.Request) (*tbplugin.Response, error) {
	all, err := r.Data.ListScalars(tbplugin.Query{Plugin: "scalars"})
	if err != nil {
		return nil, err
	}
	out := map[string]map[string]struct{}{}
	for run, of := range all {
		out[run] = map[string]struct{}{}
		for tag := range of {
			out[run][tag] = struct{}{}
		}
	}
	return tbplugin.JSON(out)
}

// scalars answers [[wall time, step, value], …], or as CSV with format=csv.
func scalars(_ context.Context, r *tbplugin.Request) (*tbplugin.Response, error) {
	run, tag := r.Get("run"), r.Get("tag")
	got, err := r.Data.ReadScalars(tbplugin.Query{Plugin: "scalars", Runs: []string{run}, Tags: []string{tag}, Downsample: 5000})
	if err != nil {
		return nil, err
	}
	s, ok := got[run][tag]
	if !ok {
		return nil, tbplugin.Errorf(404, "Not found: No scalar data for run='%s', tag='%s'", run, tag)
	}
	if r.Get("format") == "csv" {
		var b strings.Builder
		b.WriteString("Wall time,Step,Value\r\n")
		for i := range s.Values {
			fmt.Fprintf(&b, "%v,%v,%v\r\n", s.WallTimes[i], int64(s.Steps[i]), s.Values[i])
		}
		return tbplugin.Bytes("text/csv", []byte(b.String())), nil
	}
	out := make([][3]any, len(s.Values))
	for i, v := range s.Values {
		out[i] = [3]any{s.WallTimes[i], int64(s.Steps[i]), v}
		if math.IsNaN(v) || math.IsInf(v, 0) { // as TensorBoard writes what JSON lacks
			out[i][2] = strings.NewReplacer("+Inf", "Infinity", "-Inf", "-Infinity").Replace(fmt.Sprint(v))
		}
	}
	return tbplugin.JSON(out)
}

func init() { tbplugin.Register(raw{}) }

func main() { tbplugin.Serve() }
