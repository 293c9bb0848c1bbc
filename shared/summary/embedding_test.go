package summary_test

import (
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

func TestEmbedding(t *testing.T) {
	dir := t.TempDir()
	w, err := summary.NewWriter(dir, summary.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var sprites []image.Image
	for i := range 3 {
		img := image.NewGray(image.Rect(1, 1, 3, 3))
		img.SetGray(1, 1, color.Gray{uint8(100 + i)})
		sprites = append(sprites, img)
	}
	e := summary.Embedding{
		Vectors:  [][]float64{{0.1, -2}, {3, 1e-20}, {5, 6}},
		Metadata: [][]string{{"a\tb", "1"}, {"c\n", "2"}, {"d", "3"}},
		Header:   []string{"name", "n"},
		Sprites:  sprites,
	}
	if err := w.Embedding("last/hidden", e, 7); err != nil {
		t.Fatal(err)
	}
	if err := w.Embedding("..", summary.Embedding{Vectors: [][]float64{{1}}, Metadata: [][]string{{"only"}}}, 7); err != nil {
		t.Fatal(err)
	}
	if err := w.Embedding("last/hidden", e, 7); err != nil { // again: no second entry
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"00007/last%2fhidden/tensors.tsv":  "0.1\t-2\n3\t1e-20\n5\t6\n",
		"00007/last%2fhidden/metadata.tsv": "name\tn\na b\t1\nc \t2\nd\t3\n",
		"00007/%2e./metadata.tsv":          "only\n",
		"projector_config.pbtxt": `embeddings {
  tensor_name: "last/hidden:00007"
  tensor_path: "00007/last%2fhidden/tensors.tsv"
  metadata_path: "00007/last%2fhidden/metadata.tsv"
  sprite {
    image_path: "00007/last%2fhidden/sprite.png"
    single_image_dim: 2
    single_image_dim: 2
  }
}
embeddings {
  tensor_name: "..:00007"
  tensor_path: "00007/%2e./tensors.tsv"
  metadata_path: "00007/%2e./metadata.tsv"
}
`,
	} {
		if got, _ := os.ReadFile(filepath.Join(dir, name)); string(got) != want {
			t.Errorf("%s:\n%s", name, got)
		}
	}
	f, err := os.Open(filepath.Join(dir, "00007/last%2fhidden/sprite.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sheet, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if r, _, _, _ := sheet.At(0, 2).RGBA(); sheet.Bounds().Dx() != 4 || sheet.Bounds().Dy() != 4 || r>>8 != 102 {
		t.Errorf("sheet %v, third sprite begins with %d", sheet.Bounds(), r>>8)
	}
	w.Close()

	// A later process in the same run keeps what is there.
	w, err = summary.NewWriter(dir, summary.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Embedding(`q"\`, summary.Embedding{Vectors: [][]float64{{1}}}, 8); err != nil {
		t.Fatal(err)
	}
	config, _ := os.ReadFile(filepath.Join(dir, "projector_config.pbtxt"))
	if n := strings.Count(string(config), "embeddings {"); n != 3 || !strings.Contains(string(config), `"q\"\\:00008"`) {
		t.Errorf("%d entries:\n%s", n, config)
	}
	w.Close()
	if err := w.Embedding("a", e, 1); !errors.Is(err, summary.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestEmbeddingRefusals(t *testing.T) {
	w, err := summary.NewWriter(t.TempDir(), summary.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	one := [][]float64{{1}}
	big := image.NewGray(image.Rect(0, 0, 8193, 1))
	for name, e := range map[string]summary.Embedding{
		"nothing":         {},
		"no dimension":    {Vectors: [][]float64{{}}},
		"ragged":          {Vectors: [][]float64{{1}, {1, 2}}},
		"NaN":             {Vectors: [][]float64{{math.NaN()}}},
		"beyond 32 bits":  {Vectors: [][]float64{{1e300}}},
		"metadata":        {Vectors: one, Metadata: [][]string{{"a"}, {"b"}}},
		"no header":       {Vectors: one, Metadata: [][]string{{"a", "b"}}},
		"empty row":       {Vectors: one, Metadata: [][]string{{}}},
		"sprites":         {Vectors: one, Sprites: []image.Image{picture(1, 1), picture(1, 1)}},
		"sprite 0 × 0":    {Vectors: one, Sprites: []image.Image{picture(0, 0)}},
		"sprite too wide": {Vectors: one, Sprites: []image.Image{big}},
	} {
		var bad *summary.ValueError
		if err := w.Embedding("a", e, 1); !errors.As(err, &bad) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestScalars checks directories, tags and that one call has one wall time.
func TestScalars(t *testing.T) {
	dir := t.TempDir()
	w, err := summary.NewWriter(dir, fixed())
	if err != nil {
		t.Fatal(err)
	}
	for step := range int64(2) {
		if err := w.Scalars("a/b", map[string]float64{"x": 1, "../y": 2}, step); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	times := map[float64]int{}
	for _, run := range []string{"a_b_x", "a_b_.._y"} {
		files, _ := filepath.Glob(filepath.Join(dir, run, "*tfevents*"))
		if len(files) != 1 {
			t.Fatalf("%s has %d files", run, len(files))
		}
		b, _ := os.ReadFile(files[0])
		for _, p := range payloads(t, b)[1:] {
			m := decode(t, "Event", p)
			if tag := get(m, "summary", "value", 0, "tag").String(); tag != "a/b" {
				t.Errorf("tag %q", tag)
			}
			times[get(m, "wall_time").Float()]++
		}
	}
	if len(times) != 2 {
		t.Errorf("wall times %v", times)
	}
}
