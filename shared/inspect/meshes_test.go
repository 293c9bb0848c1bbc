package inspect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// Meshes are told by their parts, with the shapes that TensorFlow logged and what their scenes are
// configured with.
func TestMeshes(t *testing.T) {
	paths, err := filepath.Glob("../dump/testdata/tensorflow_mesh/batch/*tfevents*")
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	b, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	odd := summary.NewBuffer(summary.Options{NoVersion: true})
	m := summary.Mesh{Vertices: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, Faces: [][3]int32{{0, 1, 2}}}
	for step := range int64(2) {
		if err := odd.Meshes("a\x1b/m", []summary.Mesh{m, m}, `{"camera":{"fov":60},"lights":[]}`, step); err != nil {
			t.Fatal(err)
		}
	}
	var text strings.Builder
	if err := feed("r", "", 1<<20, b, odd.Bytes()).Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`mesh "a\x1b/m": vertices 2 × 3 × 3, 2 values; faces 2 × 1 × 3, 2 values; its scene's configuration: camera, lights`,
		"mesh two/all: vertices 2 × 5 × 3, 3 values; faces 2 × 4 × 3, 3 values; colours 2 × 5 × 3, 3 values; its scene's configuration: material",
		"mesh two/cloud: vertices 2 × 5 × 3, 3 values\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, &text)
		}
	}
}
