package config

import (
	"reflect"
	"strings"
	"testing"
)

// Every form that the text format has for the same.
func TestParse(t *testing.T) {
	c, err := Parse("c", []byte("\ufeff# a comment\nmodel_checkpoint_path: 'model.ckpt-1' ; model_checkpoint_dir:\"d\"\n"+`embeddings {
  tensor_name: "a\"b\x41\102\u00e9" "c" # glued
  metadata_path: "m.tsv", bookmarks_path: "b.txt"
  sprite: < image_path: "s.png" single_image_dim: [ 28, 0x1c ] >
  unknown { x: 1.5e-3 y: -inf z { } list: [{}, {a:1}] }
  [some.extension]: true
}
embeddings: [{tensor_path: "t.tsv" tensor_shape: 10 tensor_shape: 3}, {}]`))
	want := Config{CheckpointPath: "model.ckpt-1", CheckpointDir: "d", Embeddings: []Embedding{
		{TensorName: "a\"bABéc", MetadataPath: "m.tsv", BookmarksPath: "b.txt", SpritePath: "s.png", SpriteDim: []int64{28, 28}},
		{TensorPath: "t.tsv", Shape: []int64{10, 3}}, {},
	}}
	if err != nil || !reflect.DeepEqual(c, want) {
		t.Errorf("%v\n%+v", err, c)
	}
}

// What is wrong is named with its line, and what came before is kept.
func TestParseWrong(t *testing.T) {
	for text, line := range map[string]string{
		"embeddings { tensor_name: \"a\" }\nembeddings {":                  "Line 2",
		"embeddings { tensor_name: \"a\" }\n\ntensor":                      "Line 3",
		"embeddings { tensor_name: \"a\" }\n{":                             "Line 2",
		"embeddings { tensor_name: \"a\"\n tensor_shape: -1 }":             "Line 2",
		"embeddings { tensor_name: \"a\" metadata_path: \"b\n\" }":         "Line 1",
		"embeddings { tensor_name: \"a\" }" + strings.Repeat("a{", 100000): "Line 1",
	} {
		c, err := Parse("c", []byte(text))
		if err == nil || !strings.HasPrefix(err.Message, line+":") || len(c.Embeddings) == 0 || c.Embeddings[0].TensorName != "a" {
			t.Errorf("%.60q: %v %+v", text, err, c)
		}
	}
}

// Nothing leads out of the logdir; absolute paths are found again if the files were moved here.
func TestInside(t *testing.T) {
	known := func(p string) bool { return p == "run/sub/m.tsv" }
	for _, c := range []struct{ dir, path, want string }{
		{"run", "m.tsv", "run/m.tsv"}, {"run", "../m.tsv", "m.tsv"}, {".", "m.tsv", "m.tsv"}, {"run", "a\\b.tsv", "run/a/b.tsv"},
		{"run", "../../m.tsv", ""}, {".", "../m.tsv", ""}, {"run", "/etc/passwd", ""}, {"run", "C:\\x.tsv", ""}, {"run", "a/../../../b", ""}, {"run", "a\x00", ""},
		{"run", "/home/me/run/sub/m.tsv", "run/sub/m.tsv"},
	} {
		got, err := Inside(c.dir, c.path, known)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q in %q: %q %v", c.path, c.dir, got, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`embeddings { tensor_name: "a" sprite { single_image_dim: [1,2] } }`))
	f.Add([]byte("a{b<c:[1,{x:'\\377'}]>}#"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, _ := Parse("c", b)
		size := 0
		for _, e := range c.Embeddings {
			size += len(e.TensorName) + len(e.MetadataPath) + len(e.TensorPath) + len(e.BookmarksPath) + len(e.SpritePath) + len(e.Shape) + len(e.SpriteDim) + 1
			for _, p := range []string{e.MetadataPath, e.TensorPath} {
				if at, err := Inside("a/b", p, func(string) bool { return false }); err == nil && (strings.HasPrefix(at, "..") && at[2:3] == "/" || strings.HasPrefix(at, "/")) {
					t.Errorf("%q leads to %q", p, at)
				}
			}
		}
		if size > 4*len(b) {
			t.Errorf("%d bytes of %d", size, len(b))
		}
	})
}
