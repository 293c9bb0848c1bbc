package summary_test

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

var update = flag.Bool("update", false, "write the golden files anew")

// picture is a small image whose pixels all differ.
func picture(w, h int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetRGBA(x, y, color.RGBA{uint8(40 * x), uint8(40 * y), 128, 255})
		}
	}
	return img
}

// everyKind calls each method of the writer, by the name that the golden file
// has for it.
var everyKind = []struct {
	name string
	call func(*summary.Writer) error
}{
	{"Scalar", func(w *summary.Writer) error { return w.Scalar("loss/train", 0.1, 7) }},
	{"Scalar, negative step, given time", func(w *summary.Writer) error {
		return w.Scalar("loss", math.Inf(-1), -1, summary.WallTime(time.Unix(1, 5e8)))
	}},
	{"Scalar, named", func(w *summary.Writer) error {
		return w.Scalar("loss", 1, 0, summary.DisplayName("Loss"), summary.Description("*Cross* entropy"))
	}},
	{"Scalar, AsTensor", func(w *summary.Writer) error { return w.Scalar("loss", 0.1, 1, summary.AsTensor()) }},
	{"Scalar, Double", func(w *summary.Writer) error {
		return w.Scalar("loss", 0.1, 1, summary.Double(), summary.Description("64 bits"))
	}},
	{"Scalar, Int64", func(w *summary.Writer) error { return w.Scalar("n", -3.9, 1, summary.As(summary.Int64)) }},
	{"Scalar, Uint8", func(w *summary.Writer) error { return w.Scalar("n", 200, 1, summary.As(summary.Uint8)) }},
	{"Scalar, Bool", func(w *summary.Writer) error { return w.Scalar("n", 5, 1, summary.As(summary.Bool)) }},
	{"Scalar, Float16", func(w *summary.Writer) error { return w.Scalar("n", 1.5, 1, summary.As(summary.Float16)) }},
	{"Scalar, BFloat16", func(w *summary.Writer) error { return w.Scalar("n", 1.5, 1, summary.As(summary.BFloat16)) }},
	{"Scalar, Uint64", func(w *summary.Writer) error { return w.Scalar("n", 7, 1, summary.As(summary.Uint64)) }},
	{"Scalar, Uint32", func(w *summary.Writer) error { return w.Scalar("n", 7, 1, summary.As(summary.Uint32)) }},
	{"SessionStart", func(w *summary.Writer) error { return w.SessionStart(40) }},
	{"Histogram, 4 buckets", func(w *summary.Writer) error {
		return w.Histogram("h", []float64{0, 1, 2, 3, 4, 4}, 1, summary.Buckets(4), summary.DisplayName("H"))
	}},
	{"Histogram, all equal", func(w *summary.Writer) error {
		return w.Histogram("h", []float64{2, 2}, 1, summary.Buckets(2))
	}},
	{"Histogram, empty", func(w *summary.Writer) error { return w.Histogram("h", nil, 1, summary.Buckets(2)) }},
	{"Histogram, no buckets", func(w *summary.Writer) error { return w.Histogram("h", []float64{1}, 1, summary.Buckets(0)) }},
	{"Histogram, bounds", func(w *summary.Writer) error {
		return w.Histogram("h", []float64{-5, 0, 0.5, 1, 9}, 1, summary.Bounds(0, 1, 2))
	}},
	{"Histogram, exponential", func(w *summary.Writer) error {
		return w.Histogram("h", []float64{1, 1.05, 1.3}, 1, summary.ExponentialBuckets())
	}},
	{"Histogram, legacy", func(w *summary.Writer) error {
		return w.Histogram("h", []float64{-1, 1, 1.2}, 1, summary.Legacy(), summary.Bounds(-1, 0, 2))
	}},
	{"Histogram, legacy, empty", func(w *summary.Writer) error { return w.Histogram("h", nil, 1, summary.Legacy()) }},
	{"HistogramRaw", func(w *summary.Writer) error {
		return w.HistogramRaw("h", summary.HistogramBuckets{{0, 1, 2}, {1, 3, 0.5}}, 1)
	}},
	{"LegacyHistogram", func(w *summary.Writer) error {
		return w.LegacyHistogram("h", summary.LegacyHistogram{Min: -1, Max: 2, Num: 3, Sum: 1, SumSquares: 5,
			Limits: []float64{0, math.MaxFloat64}, Counts: []float64{1, 2}}, 1)
	}},
	{"Image", func(w *summary.Writer) error { return w.Image("i", picture(3, 2), 1, summary.Description("d")) }},
	{"Image, legacy", func(w *summary.Writer) error {
		return w.Image("i", image.NewGray(image.Rect(5, 5, 8, 9)), 1, summary.Legacy())
	}},
	{"Images", func(w *summary.Writer) error {
		return w.Images("i", []image.Image{picture(3, 2), picture(3, 2)}, 1)
	}},
	{"EncodedImages", func(w *summary.Writer) error {
		return w.EncodedImages("i", []summary.EncodedImage{{Bytes: []byte("RIFF"), Width: 8, Height: 9}}, 1)
	}},
	{"Video", func(w *summary.Writer) error {
		return w.Video("v", []image.Image{picture(3, 2), image.NewGray(image.Rect(0, 0, 3, 2))}, 10, 1, summary.Legacy())
	}},
	{"Audio", func(w *summary.Writer) error {
		return w.Audio("a", summary.Clip{SampleRate: 8000, Samples: []float64{0, 1, -1, 2}, Label: "*l*"}, 1)
	}},
	{"Audio, legacy stereo", func(w *summary.Writer) error {
		return w.Audio("a", summary.Clip{SampleRate: 8000, Channels: 2, Samples: []float64{0, 1, -1, 2}}, 1, summary.Legacy())
	}},
	{"AudioClips", func(w *summary.Writer) error {
		return w.AudioClips("a", []summary.Clip{{Encoded: []byte("x")}, {Encoded: []byte("y"), Label: "z"}}, 1)
	}},
	{"Text", func(w *summary.Writer) error { return w.Text("t", "# Hi\x00", 1) }},
	{"TextTable", func(w *summary.Writer) error { return w.TextTable("t", [][]string{{"a", ""}, {"c", "d"}}, 1) }},
	{"Graph", func(w *summary.Writer) error {
		var g summary.GraphBuilder
		x := g.Node("x", "Placeholder").Shape(-1, 4).Device("/device:CPU:0").Text("note", "in").Int("n", 0).Float("f", 0.5).Name()
		y := g.Dense("fc", x, 4, 2, "Relu")
		g.Node("done", "NoOp").Inputs("^" + y)
		return w.Graph(g.Bytes(), 0)
	}},
	{"RunMetadata", func(w *summary.Writer) error { return w.RunMetadata("step1", []byte{10, 0}, 1) }},
	{"TraceGraph", func(w *summary.Writer) error { return w.TraceGraph("trace", []byte{10, 0}, 1) }},
	{"KerasModel", func(w *summary.Writer) error { return w.KerasModel("keras", []byte("{}"), 1) }},
	{"PRCurve", func(w *summary.Writer) error {
		return w.PRCurve("p", []bool{true, false, true}, []float64{1, 0.5, 0}, 1, summary.Thresholds(3), summary.Weights(1, 1, 2))
	}},
	{"PRCurveRaw", func(w *summary.Writer) error {
		return w.PRCurveRaw("p", summary.PRCounts{TruePositives: []float64{2, 1}, FalsePositives: []float64{2, 0},
			TrueNegatives: []float64{0, 2}, FalseNegatives: []float64{0, 1}}, 1)
	}},
	{"Mesh", func(w *summary.Writer) error {
		return w.Mesh("m", summary.Mesh{Vertices: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0.5}},
			Faces: [][3]int32{{0, 1, 2}}, Colors: [][3]uint8{{255, 0, 0}, {0, 255, 0}, {0, 0, 255}}}, `{"camera":{}}`, 1)
	}},
	{"Meshes, point clouds", func(w *summary.Writer) error {
		return w.Meshes("m", []summary.Mesh{{Vertices: [][3]float32{{1, 2, 3}}}, {Vertices: [][3]float32{{4, 5, 6}}}}, "", 1)
	}},
	{"HParams", func(w *summary.Writer) error {
		return w.HParams(map[string]any{"lr": 0.1, "layers": 0, "act": "relu", "bn": false}, []string{"acc"})
	}},
	{"HParamsExperiment", func(w *summary.Writer) error {
		return w.HParamsExperiment(summary.Experiment{Name: "e", Description: "d", User: "u", Created: start,
			HParams: []summary.HParamInfo{
				{Name: "act", Type: summary.HParamString, Values: []any{"relu", "sigmoid"}, Differs: true},
				{Name: "lr", DisplayName: "η", Description: "rate", Type: summary.HParamNumber, Interval: &[2]float64{0, 1}},
				{Name: "bn", Type: summary.HParamBool, Values: []any{true, uint8(0)}}},
			Metrics: []summary.MetricInfo{{Group: "validation", Tag: "acc", DisplayName: "A", Description: "a", Dataset: summary.Validation}}})
	}},
	{"HParamsStart", func(w *summary.Writer) error {
		return w.HParamsStart(summary.Session{HParams: map[string]any{"lr": 1}, Group: "g", ModelURI: "m", MonitorURL: "u", Start: start})
	}},
	{"HParamsEnd", func(w *summary.Writer) error { return w.HParamsEnd(summary.Failed) }},
	{"CustomScalars", func(w *summary.Writer) error {
		return w.CustomScalars(summary.Layout{Categories: []summary.Category{{Title: "c", Closed: true, Charts: []summary.Chart{
			{Title: "l", Lines: []string{"loss/.*", "x"}},
			{Title: "m", Margins: []summary.Margin{{Value: "v", Lower: "lo", Upper: "hi"}}}}}}})
	}},
	{"Raw", func(w *summary.Writer) error {
		return w.Raw(summary.Event{WallTime: 2, Step: 3, LogMessage: "old", Status: summary.SessionCheckpoint, CheckpointPath: "c", Message: "m",
			MetaGraph: []byte("g"), SourceWriter: "s", Values: []summary.Value{{NodeName: "node"}, {Tag: "only metadata", Metadata: summary.Metadata{Plugin: "p", Content: []byte("c"), DataClass: summary.TensorClass}}}})
	}},
}

// TestEveryKind compares what the oracle reads from each call with
// testdata/kinds.txt; go test ./shared/summary -run EveryKind -update writes it.
func TestEveryKind(t *testing.T) {
	var got strings.Builder
	for _, k := range everyKind {
		w := summary.NewBuffer(summary.Options{Clock: func() time.Time { return start }, NoVersion: true})
		if err := k.call(w.Writer); err != nil {
			t.Errorf("%s: %v", k.name, err)
		}
		fmt.Fprintf(&got, "== %s\n", k.name)
		for _, p := range payloads(t, w.Bytes()) {
			m := decode(t, "Event", p)
			got.WriteString(show(t, m, "  "))
			for i := range get(m, "summary", "value").List().Len() {
				if v := get(m, "summary", "value", i).Message(); get(v, "metadata", "plugin_data", "plugin_name").String() == "custom_scalars" {
					got.WriteString("  Layout\n" + show(t, decode(t, "Layout", get(v, "tensor", "string_val", 0).Bytes()), "    "))
				}
			}
		}
	}
	const golden = "testdata/kinds.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(gotLines), len(wantLines)) {
		if i >= len(gotLines) || i >= len(wantLines) || gotLines[i] != wantLines[i] {
			t.Fatalf("%s:%d differs; what is written now:\n%s", golden, i+1, strings.Join(gotLines[max(i-5, 0):min(i+5, len(gotLines))], "\n"))
		}
	}
}

// TestVideoPixels checks that few colours come through exactly, and many at all.
func TestVideoPixels(t *testing.T) {
	for _, n := range []int{6, 40} {
		w := summary.NewBuffer(summary.Options{NoVersion: true})
		frame := picture(n, n)
		if err := w.Video("v", []image.Image{frame, frame}, 5, 1); err != nil {
			t.Fatal(err)
		}
		m := decode(t, "Event", payloads(t, w.Bytes())[0])
		movie, err := gif.DecodeAll(bytes.NewReader(get(m, "summary", "value", 0, "tensor", "string_val", 2).Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if len(movie.Image) != 2 || movie.Delay[1] != 20 || movie.LoopCount != 0 {
			t.Errorf("%d frames, delays %v, loop %d", len(movie.Image), movie.Delay, movie.LoopCount)
		}
		if r, g, b, _ := movie.Image[1].At(3, 2).RGBA(); n == 6 && (r>>8 != 120 || g>>8 != 80 || b>>8 != 128) {
			t.Errorf("pixel is %d %d %d", r>>8, g>>8, b>>8)
		}
	}
}
