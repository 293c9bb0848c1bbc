//go:build !js

// Package kindstest has logdirs with data of every kind, and everything that each kind can be
// asked, for tests.
package kindstest

import (
	"image"
	"io/fs"
	"math"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// Odd is a logdir with all kinds of data, whose numbers are those that are hard to write.
func Odd(t testing.TB) source.Mem {
	t.Helper()
	inf, nan := math.Inf(1), math.NaN()
	w := summary.NewBuffer(summary.Options{})
	check := func(err error) {
		if t.Helper(); err != nil {
			t.Fatal(err)
		}
	}
	for i, x := range []float64{0, inf, -inf, nan, 1e308, -1e308, 5e-324, 1} {
		check(w.Scalar("loss", x, int64(i)))
		check(w.Scalar("läuft <b>", -x, math.MaxInt64-int64(i), summary.WallTime(time.Unix(1<<40, 0))))
		check(w.HistogramRaw("h", summary.HistogramBuckets{{-1e308, 1e308, 1e308}, {0, 1e-320, 2}}, int64(i)))
		check(w.HistogramRaw("wide", summary.HistogramBuckets{{-inf, 0, 1}, {0, inf, nan}, {nan, nan, inf}}, int64(i)))
		check(w.HistogramRaw("none", nil, int64(i)))
		check(w.PRCurveRaw("pr", summary.PRCounts{TruePositives: []float64{x, 1}, FalsePositives: []float64{1, x}, TrueNegatives: []float64{0, nan}, FalseNegatives: []float64{inf, 1}, Precision: []float64{nan, x}, Recall: []float64{x, 0}}, int64(i)))
		check(w.Text("note", "bad \xff bytes\x00 <script>", int64(i)))
	}
	check(w.TextTensor("table", []int64{2, 2}, []string{"a", "", "\u2028", strings.Repeat("x", 1000)}, 1))
	check(w.Image("image", image.NewGray(image.Rect(0, 0, 3, 2)), 1))
	check(w.EncodedImages("odd image", []summary.EncodedImage{{Bytes: []byte("no picture"), Width: 1, Height: 1}}, 1))
	check(w.AudioClips("clip", []summary.Clip{{Encoded: []byte("no sound"), Label: "\xff"}}, 1))
	check(w.HParamsExperiment(summary.Experiment{HParams: []summary.HParamInfo{
		{Name: "lr", Type: summary.HParamNumber, Interval: &[2]float64{0, inf}},
		{Name: "any", Type: summary.HParamNumber, Interval: &[2]float64{-inf, nan}},
		{Name: "some", Values: []any{inf, -inf, nan, true, "x"}},
	}}))
	check(w.HParamsStart(summary.Session{HParams: map[string]any{"lr": inf, "any": nan, "x": "<&>"}, Start: time.Unix(1, 0)}))
	check(w.CustomScalars(summary.Layout{Categories: []summary.Category{{Title: "c", Charts: []summary.Chart{{Title: "\xff", Lines: []string{"lo.*", "("}}}}}}))
	return source.Mem{"tfevents": w.Bytes(), "a/b/tfevents": w.Bytes()}
}

// Logdirs are those that are asked about: Odd, and what real writers wrote, in the folders of
// real, which is the testdata of package dump.
func Logdirs(t testing.TB, real fs.FS) map[string]source.Mem {
	t.Helper()
	out := map[string]source.Mem{"odd": Odd(t)}
	for _, name := range []string{"pytorch", "tensorboardX", "tensorbored", "tensorflow", "demo"} {
		m := source.Mem{}
		err := fs.WalkDir(real, name, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.Contains(path.Base(p), "tfevents") {
				return err
			}
			b, err := fs.ReadFile(real, p)
			m[strings.TrimPrefix(p, name+"/")] = b
			return err
		})
		if err != nil || len(m) == 0 {
			t.Fatal(name, err)
		}
		out[name] = m
	}
	return out
}

// Bodies are what kinds are asked, beside nothing: everything that each understands.
var Bodies = map[string][]any{
	"scalars": {map[string]any{"x": "step", "pixels": 100, "weight": 0.9}, map[string]any{"x": "relative", "x0": 0, "x1": 5, "pixels": 10},
		map[string]any{"x": "index"}, map[string]any{"x": "process"}, map[string]any{"x": "tag", "xTag": "loss"}, map[string]any{"table": []int64{1, 3}}},
	"histograms":    {map[string]any{"slices": 3, "bins": 10}, map[string]any{"lo": -1, "hi": 1, "from": 0, "to": -1}, map[string]any{"lo": -1e308, "hi": 1.7e308}},
	"distributions": {map[string]any{"steps": 2}},
	"images":        {map[string]any{"from": 0, "n": 100}, map[string]any{"from": -1, "n": 1, "sample": 1, "samples": 1}},
	"audio":         {map[string]any{"from": 0, "n": 100}},
	"text":          {map[string]any{"from": 0, "n": 100}, map[string]any{"find": "a"}, map[string]any{"from": 0, "n": 3, "max": 7}, map[string]any{"numbers": []int{0, 5, -1}, "skip": 4}},
	"hparams":       {map[string]any{"columns": []map[string]any{{"tag": "loss", "of": "last"}, {"tag": "loss", "of": "mean"}, {"tag": "loss", "of": "at", "step": 3}}}},
	"values":        {map[string]any{"from": 0, "n": 100}, map[string]any{"from": -1, "n": 1, "at": 3, "max": 5}},
	"pr_curves":     {map[string]any{"over": true}, map[string]any{"step": 4}},
}
