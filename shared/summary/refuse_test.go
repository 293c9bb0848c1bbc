package summary_test

import (
	"bytes"
	"errors"
	"image"
	"math"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// TestRefusals checks that what a kind cannot hold is a typed error and leaves
// no trace in the file.
func TestRefusals(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	point := [][3]float32{{0, 0, 0}}
	w := summary.NewBuffer(fixed())
	before := w.Bytes()
	for name, err := range map[string]error{
		"wall time NaN":         w.Scalar("a", 1, 1, summary.WallSeconds(nan)),
		"string scalar":         w.Scalar("a", 1, 1, summary.As(summary.String)),
		"negative buckets":      w.Histogram("a", nil, 1, summary.Buckets(-1)),
		"one edge":              w.Histogram("a", nil, 1, summary.Bounds(1)),
		"edges that fall":       w.Histogram("a", nil, 1, summary.Bounds(1, 1)),
		"infinite edge":         w.Histogram("a", nil, 1, summary.Bounds(1, inf)),
		"limits without counts": w.LegacyHistogram("a", summary.LegacyHistogram{Limits: []float64{1}}, 1),
		"image 0 × 0":           w.Image("a", image.NewRGBA(image.Rectangle{}), 1),
		"image 0 × 3":           w.Image("a", image.NewRGBA(image.Rect(0, 0, 0, 3)), 1),
		"nil image":             w.Image("a", nil, 1),
		"no image":              w.Images("a", nil, 1),
		"two legacy images":     w.Images("a", []image.Image{picture(1, 1), picture(1, 1)}, 1, summary.Legacy()),
		"unknown format":        w.EncodedImages("a", []summary.EncodedImage{{Bytes: []byte("?")}}, 1),
		"no frames":             w.Video("a", nil, 1, 1),
		"frames of two sizes":   w.Video("a", []image.Image{picture(1, 1), picture(2, 1)}, 1, 1),
		"frame rate 0":          w.Video("a", []image.Image{picture(1, 1)}, 0, 1),
		"no clips":              w.AudioClips("a", nil, 1),
		"sample rate 0":         w.Audio("a", summary.Clip{Samples: []float64{0}}, 1),
		"half a frame":          w.Audio("a", summary.Clip{SampleRate: 1, Channels: 2, Samples: []float64{0}}, 1),
		"NaN sample":            w.Audio("a", summary.Clip{SampleRate: 1, Samples: []float64{nan}}, 1),
		"ragged table":          w.TextTable("a", [][]string{{"x"}, {}}, 1),
		"unfilled shape":        w.TextTensor("a", []int64{2}, []string{"x"}, 1),
		"empty graph":           w.Graph(nil, 1),
		"one threshold":         w.PRCurve("a", nil, nil, 1, summary.Thresholds(1)),
		"prediction 1.1":        w.PRCurve("a", []bool{true}, []float64{1.1}, 1),
		"prediction NaN":        w.PRCurve("a", []bool{true}, []float64{nan}, 1),
		"labels missing":        w.PRCurve("a", nil, []float64{1}, 1),
		"ragged counts":         w.PRCurveRaw("a", summary.PRCounts{TruePositives: []float64{1}}, 1),
		"no vertices":           w.Mesh("a", summary.Mesh{}, "", 1),
		"vertex NaN":            w.Mesh("a", summary.Mesh{Vertices: [][3]float32{{float32(nan), 0, 0}}}, "", 1),
		"face beyond":           w.Mesh("a", summary.Mesh{Vertices: point, Faces: [][3]int32{{0, 0, 1}}}, "", 1),
		"colours missing":       w.Mesh("a", summary.Mesh{Vertices: point, Colors: make([][3]uint8, 2)}, "", 1),
		"meshes that differ":    w.Meshes("a", []summary.Mesh{{Vertices: point}, {}}, "", 1),
		"config no JSON":        w.Mesh("a", summary.Mesh{Vertices: point}, "{", 1),
		"hparam of no type":     w.HParams(map[string]any{"a": []int{1}}, nil),
		"domain of no type":     w.HParamsExperiment(summary.Experiment{HParams: []summary.HParamInfo{{Values: []any{nil}}}}),
		"two domains":           w.HParamsExperiment(summary.Experiment{HParams: []summary.HParamInfo{{Values: []any{1}, Interval: &[2]float64{}}}}),
		"chart of two kinds":    w.CustomScalars(summary.Layout{Categories: []summary.Category{{Charts: []summary.Chart{{Lines: []string{"a"}, Margins: []summary.Margin{{}}}}}}}),
	} {
		var bad *summary.ValueError
		if !errors.As(err, &bad) || bad.Problem == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, err := range map[string]error{
		"Image, Double":        w.Image("a", picture(1, 1), 1, summary.Double()),
		"Scalar, Legacy":       w.Scalar("a", 1, 1, summary.Legacy()),
		"SessionStart, name":   w.SessionStart(1, summary.DisplayName("x")),
		"Text, Buckets":        w.Text("a", "b", 1, summary.Buckets(3)),
		"PRCurve, Bounds":      w.PRCurve("a", nil, nil, 1, summary.Bounds(1, 2)),
		"Graph, Description":   w.Graph([]byte{1}, 1, summary.Description("x")),
		"HistogramRaw, Legacy": w.HistogramRaw("a", nil, 1, summary.Legacy()),
	} {
		var bad *summary.OptionError
		if !errors.As(err, &bad) || bad.Option == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, err := range map[string]error{
		"Scalars":   w.Scalars("a", nil, 1),
		"Embedding": w.Embedding("a", summary.Embedding{Vectors: [][]float64{{1}}}, 1),
	} {
		var bad *summary.NoDirectoryError
		if !errors.As(err, &bad) || bad.Call != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !bytes.Equal(before, w.Bytes()) {
		t.Error("something was written")
	}
}

// TestNonFiniteHistogram checks that the finite values are written and the
// others counted.
func TestNonFiniteHistogram(t *testing.T) {
	w := summary.NewBuffer(summary.Options{NoVersion: true})
	err := w.Histogram("h", []float64{1, math.NaN(), 2, math.Inf(1), math.Inf(-1)}, 1, summary.Buckets(1))
	var bad *summary.NonFiniteError
	if !errors.As(err, &bad) || bad.Count != 3 || bad.Of != 5 {
		t.Errorf("error: %v", err)
	}
	m := decode(t, "Event", payloads(t, w.Bytes())[0])
	if got := get(m, "summary", "value", 0, "tensor", "double_val").List(); got.Len() != 3 || got.Get(0).Float() != 1 || got.Get(1).Float() != 2 || got.Get(2).Float() != 2 {
		t.Errorf("bucket is %v", got)
	}
}

// TestStepsGoBack checks that the writer stores steps as they come.
func TestStepsGoBack(t *testing.T) {
	w := summary.NewBuffer(summary.Options{NoVersion: true})
	steps := []int64{5, 3, math.MaxInt64, math.MinInt64, 0}
	for _, s := range steps {
		if err := w.Scalar("a", 1, s); err != nil {
			t.Error(err)
		}
	}
	for i, p := range payloads(t, w.Bytes()) {
		if got := get(decode(t, "Event", p), "step").Int(); got != steps[i] {
			t.Errorf("step %d is %d", steps[i], got)
		}
	}
}
