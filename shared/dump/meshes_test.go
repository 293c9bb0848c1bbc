package dump

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/kinds"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// meshesOf is the section of meshes.
func meshesOf(t *testing.T, m source.Mem) map[string]map[string][][]map[string]any {
	t.Helper()
	c := catalog.New()
	if _, err := c.Load(t.Context(), m.Logdir()); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(t.Context(), &b, c, m.Logdir(), kinds.All()); err != nil {
		t.Fatal(err)
	}
	var all struct {
		Mesh map[string]map[string][][]map[string]any
	}
	if err := json.Unmarshal(b.Bytes(), &all); err != nil {
		t.Fatal(err)
	}
	return all.Mesh
}

// TestGoldenMeshes: of meshes we say what TensorBoard says, part by part, and read its numbers
// to the byte: of PyTorch (all float32s), of tensorboardX, and of TensorFlow with several
// steps and samples. See testdata/meshes.py.
func TestGoldenMeshes(t *testing.T) {
	var golden map[string]any
	if unpack(t, "meshes.json.gz", &golden); len(golden) != 3 {
		t.Fatal(len(golden))
	}
	n := 0
	for name, want := range golden {
		var got any
		b, err := json.Marshal(meshesOf(t, logdir(t, path.Join("testdata", name))))
		if err == nil {
			err = json.Unmarshal(b, &got)
		}
		if err != nil {
			t.Fatal(err)
		}
		if where := differ(got, want, name, &n); where != "" {
			t.Error(where)
		}
	}
	if n < 300 {
		t.Errorf("only %d values compared", n)
	}
}

// What our writer wrote is read again; a value that is no mesh says so, and the others stay.
func TestMeshes(t *testing.T) {
	w := summary.NewBuffer(summary.Options{})
	m := summary.Mesh{Vertices: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, Faces: [][3]int32{{0, 1, 2}}, Colors: [][3]uint8{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}}
	for step := range int64(2) {
		if err := w.Meshes("a/m", []summary.Mesh{m, m, m}, `{"camera":{"fov":60}}`, step); err != nil {
			t.Fatal(err)
		}
	}
	plugin := summary.Metadata{Plugin: "mesh"}
	for step, x := range []summary.Tensor{summary.FloatTensor([]int64{1, 1, 3}, 1, 2, 3), summary.FloatTensor([]int64{2}, 1, 2), summary.StringTensor(nil, "x")} {
		w.Raw(summary.Event{Step: int64(step), Values: []summary.Value{summary.TensorValue("odd_VERTEX", x, plugin)}})
	}
	w.Raw(summary.Event{Values: []summary.Value{summary.TensorValue("alone", summary.FloatTensor([]int64{1, 1, 3}, 1, 2, 3), plugin)}})
	got := meshesOf(t, source.Mem{"r/tfevents": w.Bytes()})["r"]
	if len(got) != 3 || len(got["a/m"]) != 3 || len(got["a/m"][2]) != 6 || len(got["alone"][0]) != 1 {
		t.Fatalf("%v", got)
	}
	for i, p := range got["a/m"][1] {
		data, _ := p["data"].(map[string]any)
		if want := []float64{36, 12, 9}[i%3]; p["step"] != float64(i/3) || p["content_type"] != float64(1+i%3) || p["components"] != 14.0 || p["config"] != `{"camera":{"fov":60}}` || data["bytes"] != want {
			t.Errorf("%v", p)
		}
	}
	odd := got["odd"][0]
	if len(odd) != 3 || odd[0]["data"] == nil {
		t.Fatalf("%v", odd)
	}
	for i, want := range []string{"", "shape is not", "no numbers"} {
		if text, _ := odd[i]["error"].(string); !strings.Contains(text, want) || (want == "") != (text == "") {
			t.Errorf("step %d: %q", i, text)
		}
	}
}
