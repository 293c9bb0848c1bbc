//go:build peers

// Package peers proves the writer by programs that this project has no part in:
// TensorBoard over HTTP (Python loader), TensorBoard's record reader, and
// tbparse. It needs Python 3 and a package index:
//
//	go test -tags peers -count 1 -v ./shared/summary/peers
//
// The environment variable PEERS_PYTHON may name an interpreter that has
// tensorboard, setuptools<81 and tbparse already; else they are installed into a
// directory that is thrown away.
package peers

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// python returns an interpreter that has the peers.
func python(t *testing.T) string {
	if p := os.Getenv("PEERS_PYTHON"); p != "" {
		return p
	}
	venv := filepath.Join(t.TempDir(), "venv")
	bin := filepath.Join(venv, "bin", "python")
	if runtime.GOOS == "windows" {
		bin = filepath.Join(venv, "Scripts", "python.exe")
	}
	for _, c := range [][]string{
		{"python3", "-m", "venv", venv},
		{bin, "-m", "pip", "install", "--quiet", "tensorboard", "setuptools<81", "tbparse"},
	} {
		if out, err := exec.Command(c[0], c[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", c, err, out)
		}
	}
	return bin
}

type (
	byTag[T any] map[string][]T
	byRun[T any] map[string]byTag[T]
)

// point is what a peer must read: JSON has NaN and infinities as text.
type point struct {
	Step  int64   `json:"step"`
	Wall  float64 `json:"wall"`
	Value any     `json:"value"`
}

type bucketsAt struct {
	Step    int64        `json:"step"`
	Buckets [][3]float64 `json:"buckets"`
	Exact   bool         `json:"exact"` // else float32, as the reader converts old histograms
}

type blobs struct {
	Step   int64    `json:"step"`
	SHA256 []string `json:"sha256"` // of each sample
}

type textAt struct {
	Step  int64  `json:"step"`
	Holds string `json:"holds"` // in the HTML
	Raw   string `json:"raw"`   // for readers that do not make HTML; "" to skip
}

type rows struct {
	Step int64                `json:"step"`
	Rows map[string][]float64 `json:"rows"`
}

type meshAt struct {
	Step  int64             `json:"step"`
	Parts map[string]string `json:"parts"` // content type → SHA-256 of the bytes
}

// expected is everything that was written, for check.py.
type expected struct {
	Events     map[string]int            `json:"events"` // path → events in the file
	Scalars    byRun[point]              `json:"scalars"`
	Histograms byRun[bucketsAt]          `json:"histograms"`
	Images     byRun[blobs]              `json:"images"`
	Audio      byRun[blobs]              `json:"audio"`
	Text       byRun[textAt]             `json:"text"`
	PRCurves   byRun[rows]               `json:"pr_curves"`
	Meshes     byRun[meshAt]             `json:"meshes"`
	GraphNodes []string                  `json:"graph_nodes"`
	Keras      string                    `json:"keras"`
	Layout     map[string]any            `json:"layout"`
	HParams    map[string]any            `json:"hparams"`
	Metric     string                    `json:"metric"`
	Embedding  map[string]any            `json:"embedding"`
	Tooltips   map[string]map[string]any `json:"tooltips"`
}

const run = "all"

var start = time.Unix(1_700_000_000, 0)

func TestPeers(t *testing.T) {
	logdir := filepath.Join(t.TempDir(), "logs")
	want := write(t, logdir)
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(t.TempDir(), "expected.json")
	if err := os.WriteFile(list, b, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python(t), "check.py", logdir, list)
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, logdir string) *expected {
	want := &expected{Events: map[string]int{}, Scalars: byRun[point]{run: {}}, Histograms: byRun[bucketsAt]{run: {}},
		Images: byRun[blobs]{run: {}}, Audio: byRun[blobs]{run: {}}, Text: byRun[textAt]{run: {}}, PRCurves: byRun[rows]{run: {}}, Meshes: byRun[meshAt]{run: {}}}
	events := 1
	w, err := summary.NewWriter(filepath.Join(logdir, run), summary.Options{Clock: func() time.Time { return start }})
	if err != nil {
		t.Fatal(err)
	}
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		events++
	}

	do(w.SessionStart(0))
	curve := []float64{0.1, -2.5, math.NaN(), math.Inf(1), math.Inf(-1), 1e-30}
	for form, opts := range map[string][]summary.Option{
		"simple": nil, "tensor": {summary.AsTensor(), summary.DisplayName("A tensor"), summary.Description("**bold**")},
		"double": {summary.Double()}, "half": {summary.As(summary.Float16)}, "int64": {summary.As(summary.Int64)},
	} {
		for i, v := range curve {
			if form == "int64" || form == "half" {
				v = float64(i) - 3
			}
			step, wall := int64(10*i), float64(start.Unix())+float64(i)/4
			do(w.Scalar("scalar/"+form, v, step, append(opts, summary.WallSeconds(wall))...))
			var shown any = v
			if form != "double" {
				shown = float64(float32(v))
			}
			switch {
			case math.IsNaN(v):
				shown = "NaN"
			case math.IsInf(v, 0):
				shown = map[bool]string{true: "Infinity", false: "-Infinity"}[v > 0]
			}
			want.Scalars[run]["scalar/"+form] = append(want.Scalars[run]["scalar/"+form], point{step, wall, shown})
		}
	}
	want.Tooltips = map[string]map[string]any{"scalar/tensor": {"displayName": "A tensor", "description": "<p><strong>bold</strong></p>"}}
	if err := w.Scalars("multi/x", map[string]float64{"a": 1, "b": 2}, 5); err != nil {
		t.Fatal(err)
	}
	for key, v := range map[string]float64{"a": 1, "b": 2} {
		want.Scalars[run+"/multi_x_"+key] = byTag[point]{"multi/x": {{5, float64(start.Unix()), v}}}
	}

	values := []float64{0, 1, 2, 3, 4, 4}
	do(w.Histogram("h/width", values, 1, summary.Buckets(4)))
	want.Histograms[run]["h/width"] = []bucketsAt{{1, [][3]float64{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 3}}, true}}
	do(w.Histogram("h/empty", nil, 1, summary.Buckets(2)))
	want.Histograms[run]["h/empty"] = []bucketsAt{{1, [][3]float64{{0, 0, 0}, {0, 0, 0}}, true}}
	do(w.Histogram("h/bounds", []float64{-1, 1, 1.2}, 1, summary.Legacy(), summary.Bounds(-1, 0, 2)))
	want.Histograms[run]["h/bounds"] = []bucketsAt{{1, [][3]float64{{-1, 0, 1}, {0, 1.2, 2}}, false}}
	do(w.Histogram("h/legacy empty", nil, 1, summary.Legacy()))
	want.Histograms[run]["h/legacy empty"] = []bucketsAt{{1, [][3]float64{}, false}}
	do(w.Histogram("h/pytorch", []float64{1, 1, 1}, 1, summary.Legacy()))
	want.Histograms[run]["h/pytorch"] = []bucketsAt{{1, [][3]float64{{1, 1, 3}}, false}}

	images := [][]byte{picturePNG(t, 3), picturePNG(t, 4)}
	encoded := []summary.EncodedImage{{Bytes: images[0]}, {Bytes: images[1]}}
	do(w.EncodedImages("i/two", encoded, 2))
	want.Images[run]["i/two"] = []blobs{{2, []string{sum(images[0]), sum(images[1])}}}
	do(w.EncodedImages("i/legacy", encoded[:1], 2, summary.Legacy()))
	want.Images[run]["i/legacy"] = []blobs{{2, []string{sum(images[0])}}}

	clip := summary.Clip{SampleRate: 8000, Samples: []float64{0, 0.5, -0.5}, Label: "hear"}
	do(w.AudioClips("a/two", []summary.Clip{clip, clip}, 2))
	want.Audio[run]["a/two"] = []blobs{{2, []string{sum(clip.WAV()), sum(clip.WAV())}}}
	do(w.Audio("a/legacy", clip, 2, summary.Legacy()))
	want.Audio[run]["a/legacy"] = []blobs{{2, []string{sum(clip.WAV())}}}

	do(w.Text("t/one", "some **bold** text", 1))
	want.Text[run]["t/one"] = []textAt{{1, "<strong>bold</strong>", "some **bold** text"}}
	table, err := summary.NewWriter(filepath.Join(logdir, "table"), summary.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := table.TextTable("t/table", [][]string{{"a", "b"}, {"c", "d"}}, 1); err != nil {
		t.Fatal(err)
	}
	if err := table.Close(); err != nil {
		t.Fatal(err)
	}
	want.Scalars["table"] = byTag[point]{}
	want.Text["table"] = byTag[textAt]{"t/table": {{1, "<td><p>d</p></td>", ""}}}

	do(w.PRCurve("p", []bool{true, false, true}, []float64{1, 0.5, 0}, 1, summary.Thresholds(3), summary.Weights(1, 1, 2)))
	want.PRCurves[run]["p"] = []rows{{1, map[string][]float64{
		"true_positives": {3, 1, 1}, "false_positives": {1, 1, 0}, "true_negatives": {0, 0, 1}, "false_negatives": {0, 2, 2},
		"precision": {0.75, 0.5, 1}, "recall": {1, 1.0 / 3, 1.0 / 3}, "thresholds": {0, 0.5, 1}}}}

	do(w.Mesh("m", summary.Mesh{Vertices: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0.5}}, Faces: [][3]int32{{0, 1, 2}},
		Colors: [][3]uint8{{255, 0, 0}, {0, 255, 0}, {0, 0, 255}}}, `{"camera":{"cls":"PerspectiveCamera","fov":75}}`, 3))
	want.Meshes[run]["m"] = []meshAt{{3, map[string]string{
		"VERTEX": sum([]byte("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80?\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80?\x00\x00\x00?")),
		"FACE":   sum([]byte("\x00\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00")),
		"COLOR":  sum([]byte("\xff\x00\x00\x00\xff\x00\x00\x00\xff"))}}}

	var g summary.GraphBuilder
	x := g.Node("x", "Placeholder").Shape(-1, 4).Name()
	g.Dense("fc", x, 4, 2, "Relu")
	do(w.Graph(g.Bytes(), 0))
	want.GraphNodes = []string{"x", "fc/weights", "fc/biases", "fc/MatMul", "fc/BiasAdd", "fc/Relu"}
	do(w.KerasModel("keras", []byte(`{"class_name":"Sequential","config":{"name":"net","layers":[{"class_name":"Dense","config":{"name":"dense_one","dtype":"float32"}}]}}`), 0))
	want.Keras = "dense_one"

	do(w.CustomScalars(summary.Layout{Categories: []summary.Category{{Title: "c", Closed: true, Charts: []summary.Chart{
		{Title: "lines", Lines: []string{"scalar/.*"}}, {Title: "band", Margins: []summary.Margin{{Value: "v", Lower: "lo", Upper: "hi"}}}}}}}))
	want.Layout = map[string]any{"category": []any{map[string]any{"title": "c", "closed": true, "chart": []any{
		map[string]any{"title": "lines", "multiline": map[string]any{"tag": []any{"scalar/.*"}}},
		map[string]any{"title": "band", "margin": map[string]any{"series": []any{map[string]any{"value": "v", "lower": "lo", "upper": "hi"}}}}}}}}

	want.HParams = map[string]any{"lr": 0.125, "act": "relu", "bn": false, "layers": 3.0}
	want.Metric = "scalar/int64"
	do(w.HParams(map[string]any{"lr": 0.125, "act": "relu", "bn": false, "layers": 3}, []string{want.Metric}))
	events++ // HParams writes two
	do(w.HParamsEnd(summary.Succeeded))

	if err := w.Embedding("e/x", summary.Embedding{Vectors: [][]float64{{1, 2}, {3, 4.5}, {5, 6}},
		Metadata: [][]string{{"a", "1"}, {"b", "2"}, {"c", "3"}}, Header: []string{"name", "n"},
		Sprites: []image.Image{image.NewGray(image.Rect(0, 0, 2, 2)), image.NewGray(image.Rect(0, 0, 2, 2)), image.NewGray(image.Rect(0, 0, 2, 2))}}, 7); err != nil {
		t.Fatal(err)
	}
	want.Embedding = map[string]any{"name": "e/x:00007", "vectors": []float64{1, 2, 3, 4.5, 5, 6}, "metadata": "name\tn\na\t1\nb\t2\nc\t3\n"}

	want.Events[w.Path()] = events
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return want
}

// picturePNG is an image of its own for each size.
func picturePNG(t *testing.T, n int) []byte {
	img := image.NewRGBA(image.Rect(0, 0, n, n))
	img.SetRGBA(1, 1, color.RGBA{255, 0, 0, 255})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}
