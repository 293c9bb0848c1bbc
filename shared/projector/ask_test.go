package projector

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// put writes files of a logdir.
func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		p := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(p), 0o777)
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// grid is a table of n rows: i, i², 1.
func grid(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d\t%d\t1\n", i, i*i)
	}
	return b.String()
}

func codes(list []*tensor.Trouble) (out []string) {
	for _, p := range list {
		out = append(out, p.Code+" "+p.Path)
	}
	return out
}

// A config names tensors, metadata, sprites and bookmarks; what leads outside, or is missing, is named,
// and never read.
func TestConfigs(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{
		"r/projector_config.pbtxt": `embeddings { tensor_name: "a:00010" tensor_path: "sub/t.tsv" metadata_path: "sub/m.tsv" sprite { image_path: "s.png" single_image_dim: [4, 6] } }
			embeddings { tensor_name: "a:00020" tensor_path: "sub/t.tsv" metadata_path: "../../../secret.tsv" }
			embeddings { tensor_name: "out" tensor_path: "/etc/passwd" }
			embeddings { tensor_name: "gone" tensor_path: "gone.tsv" }
			embeddings { tensor_name: "in no checkpoint" }
			embeddings { tensor_name: "raw" tensor_path: "raw.bytes" tensor_shape: 2 tensor_shape: 3 }
			embeddings { tensor_name: "raw2" tensor_path: "raw.bytes" tensor_shape: 999999999 tensor_shape: 999999999 }`,
		"r/sub/t.tsv": grid(10), "r/sub/m.tsv": "n\tl\n1\tx\n", "r/s.png": "no picture", "r/raw.bytes": strings.Repeat("\x00\x00\x80\x3f", 6),
		"r/plugins/org_tensorflow_tensorboard_projector/projector_config.pbtxt": "embeddings { tensor_name: \"p\" tensor_path: \"t.tsv\" }\nembeddings {",
		"r/plugins/org_tensorflow_tensorboard_projector/t.tsv":                  grid(4),
		"alone.tsv": grid(5), "words.tsv": "a\nb\n",
	})
	p := newPage(t, dir)
	list, problems := p.list()
	if got := codes(problems); !reflect.DeepEqual(got, []string{"config r/plugins/org_tensorflow_tensorboard_projector/projector_config.pbtxt", "outside r/projector_config.pbtxt", "missing r/projector_config.pbtxt"}) {
		t.Errorf("%q", got)
	}
	const c = "r/projector_config.pbtxt#"
	a, b := list[c+"a:00010"], list[c+"a:00020"]
	if a.Step != 10 || b.Step != 20 || a.Of != b.Of || a.Metadata != "r/sub/m.tsv" || b.Metadata != "" || a.Sprite == nil || *a.Sprite != (Sprite{"r/s.png", 4, 6}) || a.Run != "r" {
		t.Errorf("%+v %+v", a, b)
	}
	for id, code := range map[string]string{c + "out": "outside", c + "gone": "missing", c + "raw2": "shape"} {
		if e := list[id].Error; e == nil || e.Code != code || e.Remedy == "" {
			t.Errorf("%s: %v", id, e)
		}
		if _, err := p.try("load", map[string]any{"tensor": id, "key": "x"}); err == nil || err.Code != code {
			t.Errorf("%s: %v", id, err)
		}
	}
	if e := list["r/plugins/org_tensorflow_tensorboard_projector/projector_config.pbtxt#p"]; e.Run != "r" {
		t.Errorf("%+v", e)
	}
	if _, ok := list["alone.tsv"]; !ok || len(list) != 8 {
		t.Errorf("%d: %+v", len(list), list)
	}
	r := p.ask("load", map[string]any{"tensor": c + "raw", "key": "r"})
	if !reflect.DeepEqual(r["points"], []float32{1, 1, 1, 1, 1, 1}) || r["rows"] != 2 {
		t.Errorf("%v", r)
	}
	// What is wrong beside the points.
	l := p.ask("load", map[string]any{"tensor": c + "a:00010", "key": "a"})
	if got := codes(l["problems"].([]*tensor.Trouble)); l["rows"] != 10 || l["dims"] != 3 || len(got) != 1 || !strings.HasPrefix(got[0], "constant") {
		t.Errorf("%v %v", l["rows"], got)
	}
	m := p.ask("metadata", map[string]any{"key": "a"})
	if got := codes(m["problems"].([]*tensor.Trouble)); len(got) != 1 || got[0] != "length r/sub/m.tsv" || m["of"] != int64(1) || m["label"] != "l" {
		t.Errorf("%v %v", got, m)
	}
	if _, err := p.try("sprite", map[string]any{"key": "a"}); err == nil || err.Code != "damaged" {
		t.Errorf("%v", err)
	}
	if gen := p.ask("list", map[string]any{"files": p.files()})["gen"]; gen != int64(1) {
		t.Errorf("%v looks", gen)
	}
	put(t, dir, map[string]string{"new.tsv": grid(3)})
	if a := p.ask("list", map[string]any{"files": p.files()}); a["gen"] != int64(2) || len(byID(a)) != 9 {
		t.Errorf("%v", a["gen"])
	}
	for path := range p.logs.read {
		if strings.Contains(path, "secret") || strings.Contains(path, "passwd") {
			t.Errorf("%s was read", path)
		}
	}
}

// open loads a table of points and metadata under the key "a".
func open(t *testing.T, tensor, metadata string) *page {
	dir := t.TempDir()
	put(t, dir, map[string]string{"t.tsv": tensor, "meta.txt": metadata})
	p := newPage(t, dir)
	p.list()
	p.ask("load", map[string]any{"tensor": "t.tsv", "key": "a"})
	if metadata != "" {
		p.ask("metadata", map[string]any{"key": "a", "path": "meta.txt"})
	}
	return p
}

// words are the texts of a column, row by row.
func words(a Answer) (list []string) {
	starts, bytes := a["starts"].([]uint32), a["words"].([]byte)
	for _, k := range a["codes"].([]uint32) {
		list = append(list, string(bytes[starts[k]:starts[k+1]]))
	}
	return list
}

// Metadata in all the forms that writers have, and names that look like forms.
func TestMetadata(t *testing.T) {
	for _, c := range []struct {
		name, text string
		rows       int
		want       []string
		problems   int
	}{
		{"one column", "x\ny\nz\n", 3, []string{"x", "y", "z"}, 0},
		{"CRLF and a mark", "\ufeffx\r\ny\r\nz", 3, []string{"x", "y", "z"}, 0},
		{"a header", "w\tn\nx\t1\ny\t2\nz\t3\n", 3, []string{"x", "y", "z"}, 0},
		{"quotes", "w\tn\n\"x \"\"q\"\"\"\t1\n\"y\"\t2\nz\t3\n", 3, []string{`x "q"`, "y", "z"}, 0},
		{"line ends in quotes", "w\tn\n\"x\nx\"\t1\ny\t2\nz\t3\n", 3, []string{"x\nx", "y", "z"}, 0},
		{"comments", "# made by\n# somebody\nx\ny\nz\n", 3, []string{"x", "y", "z"}, 0},
		{"words that look like comments", "#\n\"\n,\n", 3, []string{"#", `"`, ","}, 0},
		{"an empty word", "x\n\nz\n", 3, []string{"x", "", "z"}, 0},
		{"empty lines", "x\n\ny\n\nz\n\n", 3, []string{"x", "y", "z"}, 0},
		{"too few", "x\ny\n", 3, []string{"x", "y", ""}, 1},
		{"too many", "x\ny\nz\nu\n", 3, []string{"x", "y", "z"}, 1},
		{"ragged", "w\tn\nx\ny\t1\t2\nz\t3\n", 3, []string{"x", "y", "z"}, 1},
		{"no letters", "\xff\ny\nz\n", 3, []string{"\ufffd", "y", "z"}, 0},
	} {
		p := open(t, grid(c.rows), c.text)
		a := p.ask("metadata", map[string]any{"key": "a", "path": "meta.txt"})
		column := a["columns"].([]Answer)[0]
		if got := words(column); !reflect.DeepEqual(got, c.want) || len(a["problems"].([]*tensor.Trouble)) != c.problems {
			t.Errorf("%s: %q, %v", c.name, got, a["problems"])
		}
	}
	p := open(t, grid(4), "w\tn\nx\t1\nx\t-2.5\ny\t\nx\tnan\n")
	a := p.ask("metadata", map[string]any{"key": "a", "path": "meta.txt"})
	n := a["columns"].([]Answer)[1]
	if v := n["numbers"].([]float64); n["type"] != "number" || v[1] != -2.5 || !math.IsNaN(v[2]) || n["min"] != -2.5 || n["max"] != 1.0 || a["label"] != "w" {
		t.Errorf("%v", n)
	}
	if w := a["columns"].([]Answer)[0]; !reflect.DeepEqual(w["counts"], []uint32{3, 1}) || w["distinct"] != 2 || w["type"] != "text" {
		t.Errorf("%v", w)
	}
}

// Tables of numbers: what is no number, or is missing, stays in its row.
func TestVectors(t *testing.T) {
	p := open(t, "1\t2\n3\t4\n5\t6\n\n7\t8\n", "")
	a := p.ask("load", map[string]any{"tensor": "t.tsv", "key": "a"})
	if a["rows"] != 4 {
		t.Errorf("%v", a)
	}
	put(t, p.logs.dir, map[string]string{"t.tsv": "x\ty\n1\t2\n3\n5\tword\n1e400\t-1.5e-3\n1\t2\t3\n", "projector_config.pbtxt": `embeddings { tensor_path: "t.tsv" }`})
	p.list()
	a = p.ask("load", map[string]any{"tensor": "projector_config.pbtxt#", "key": "a"})
	v := a["points"].([]float32)
	if a["rows"] != 5 || v[3] == v[3] || v[5] == v[5] || !math.IsInf(float64(v[6]), 1) || v[7] != -1.5e-3 || v[9] != 2 || !reflect.DeepEqual(a["bad"], []uint32{1, 2, 3}) {
		t.Errorf("%v %v", a["points"], a["bad"])
	}
	if got := codes(a["problems"].([]*tensor.Trouble)); !reflect.DeepEqual(got, []string{"fields t.tsv", "fields t.tsv", "nan t.tsv", "constant t.tsv"}) {
		t.Errorf("%q", got)
	}
	if a := p.ask("load", map[string]any{"tensor": "projector_config.pbtxt#", "key": "a", "limit": 2}); a["rows"] != 2 {
		t.Errorf("%v", a["rows"])
	}
	if _, err := p.try("project", map[string]any{"key": "a", "method": "pca"}); err == nil || err.Code != "nothing-there" {
		t.Errorf("%v", err) // one row has numbers
	}
}

// Searches, neighbours, edits, and what is saved.
func TestAsk(t *testing.T) {
	p := open(t, "0\t0\n1\t0\n0\t2\n5\t5\n", "w\tn\nCat\t1\ndog\t2\ncatfish\t3\nÄmter\t12\n")
	search := func(of map[string]any) []uint32 {
		of["key"] = "a"
		return p.ask("search", of)["rows"].([]uint32)
	}
	for _, c := range []struct {
		of   map[string]any
		want []uint32
	}{
		{map[string]any{"text": "cat"}, []uint32{0, 2}},
		{map[string]any{"text": "ämt"}, []uint32{3}},
		{map[string]any{"text": "a.", "column": "w"}, []uint32{}},
		{map[string]any{"text": "^c.*h$", "regex": true}, []uint32{2}},
		{map[string]any{"text": "2"}, []uint32{1, 3}},
		{map[string]any{"text": "2", "column": "w"}, []uint32{}},
		{map[string]any{"text": "", "limit": 2}, []uint32{0, 1}},
	} {
		if got := search(c.of); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %v", c.of, got)
		}
	}
	if _, err := p.try("search", map[string]any{"key": "a", "text": "(", "regex": true}); err == nil || err.Code != "bad-regex" {
		t.Errorf("%v", err)
	}
	n := p.ask("neighbors", map[string]any{"key": "a", "row": 1, "k": 2, "metric": "euclid"})
	if !reflect.DeepEqual(n["rows"], []uint32{0, 2}) || !reflect.DeepEqual(n["distances"], []float32{1, float32(math.Sqrt(5))}) {
		t.Errorf("%v", n)
	}
	n = p.ask("neighbors", map[string]any{"key": "a", "row": 1, "metric": "cosine", "rows": []uint32{2, 3}})
	if d := n["distances"].([]float32); !reflect.DeepEqual(n["rows"], []uint32{3, 2}) || math.Abs(float64(d[0])-(1-math.Sqrt(0.5))) > 1e-6 || d[1] != 1 {
		t.Errorf("%v", n)
	}
	p.ask("edit", map[string]any{"key": "a", "rows": []uint32{0, 3}, "column": "w", "value": "a\tnew"})
	p.ask("edit", map[string]any{"key": "a", "rows": []uint32{1}, "column": "mine", "value": "x", "add": true})
	if got := search(map[string]any{"text": "new"}); !reflect.DeepEqual(got, []uint32{0, 3}) {
		t.Errorf("%v", got)
	}
	if got := string(p.ask("save", map[string]any{"key": "a", "what": "metadata"})["bytes"].([]byte)); got != "w\tn\tmine\na new\t1\t\ndog\t2\tx\ncatfish\t3\t\na new\t12\t\n" {
		t.Errorf("%q", got)
	}
	p.ask("project", map[string]any{"key": "a", "method": "custom", "axes": []any{
		map[string]any{"left": map[string]any{"rows": []int{0}}, "right": map[string]any{"search": map[string]any{"text": "dog"}}},
		map[string]any{"left": map[string]any{"rows": []int{0}}, "right": map[string]any{"search": map[string]any{"text": "catfish"}}}}})
	s := p.ask("save", map[string]any{"key": "a", "what": "positions", "method": "custom", "metadata": true, "rows": []uint32{1, 3}})
	if got := string(s["bytes"].([]byte)); got != "row\tx\ty\tw\tn\tmine\n1\t1\t0\tdog\t2\tx\n3\t5\t5\ta new\t12\t\n" || s["lines"] != 2 {
		t.Errorf("%q", got)
	}
	if got := string(p.ask("save", map[string]any{"key": "a", "what": "tensor"})["bytes"].([]byte)); got != "0\t0\n1\t0\n0\t2\n5\t5\n" {
		t.Errorf("%q", got)
	}
	// Bookmarks go out in the peer's form and come back.
	states := []map[string]any{{"label": "one", "selectedPoints": []int{1, 2}, "tSNEPerplexity": 5, "cameraDef": map[string]any{"zoom": 2},
		"projections": map[string]any{"tsne": map[string]any{"dims": 2, "positions": []float64{1, 2, 3, 4}, "rows": []int{0, 3}}}}}
	b := p.ask("bookmark", map[string]any{"key": "a", "states": states})["bytes"].([]byte)
	if !strings.Contains(string(b), `"projections":[{"tsne-0":1,"tsne-1":2},{},{},{"tsne-0":3,"tsne-1":4}]`) {
		t.Errorf("%s", b)
	}
	back := p.ask("bookmarks", map[string]any{"key": "a", "bytes": b})["states"].([]Answer)
	pos := back[0]["projections"].(Answer)["tsne"].(Answer)
	if !reflect.DeepEqual(back[0]["selectedPoints"], []uint32{1, 2}) || !reflect.DeepEqual(pos["positions"], []float32{1, 2, 3, 4}) || !reflect.DeepEqual(pos["rows"], []uint32{0, 3}) {
		t.Errorf("%v", back)
	}
	// Where points are filtered, TensorBoard counts positions and selected points among those, and custom axes are
	// called linear-x and linear-y (getCurrentState and getProjectionComponents of vz_projector).
	peers := []byte(`[{"label":"p","selectedProjection":"custom","filteredPoints":[3,1,9],"selectedPoints":[1],"projections":[{"linear-x":7,"linear-y":8},{"pca-0":1},{"linear-x":0}],"odd":{"a":1}}]`)
	theirs := p.ask("bookmarks", map[string]any{"key": "a", "bytes": peers})
	pos = theirs["states"].([]Answer)[0]["projections"].(Answer)["custom"].(Answer)
	if !reflect.DeepEqual(theirs["states"].([]Answer)[0]["selectedPoints"], []uint32{1}) || !reflect.DeepEqual(theirs["states"].([]Answer)[0]["filteredPoints"], []uint32{3, 1}) ||
		!reflect.DeepEqual(pos["positions"], []float32{7, 8}) || !reflect.DeepEqual(pos["rows"], []uint32{3}) || len(theirs["problems"].([]*tensor.Trouble)) != 1 {
		t.Errorf("%v", theirs)
	}
	states = []map[string]any{{"label": "f", "filteredPoints": []int{3, 1}, "selectedPoints": []int{1, 2}, "projections": map[string]any{"custom": map[string]any{"dims": 2, "positions": []float64{7, 8, 5, 6}, "rows": []int{3, 0}}}}}
	if b := p.ask("bookmark", map[string]any{"key": "a", "states": states})["bytes"].([]byte); !strings.Contains(string(b), `"projections":[{"linear-x":7,"linear-y":8},{}]`) || !strings.Contains(string(b), `"selectedPoints":[1]`) {
		t.Errorf("%s", b)
	}
	for do, of := range map[string]map[string]any{"neighbors": {"row": 4}, "edit": {"rows": []uint32{9}, "column": "w"}, "project": {"method": "none"}, "nonsense": {}, "pause": {"job": 77}} {
		of["key"] = "a"
		if _, err := p.try(do, of); err == nil || err.Code == "internal" {
			t.Errorf("%s: %v", do, err)
		}
	}
}

// A projection is paused, goes on, is moved and stopped; others are answered meanwhile; and the same seed
// gives the same map.
func TestJobs(t *testing.T) {
	var b strings.Builder
	for i := range 600 {
		fmt.Fprintf(&b, "%d\t%d\t%d\n", i%5*10, i%7, i*i%11)
	}
	p := open(t, b.String(), "")
	id, got := p.begin("project", map[string]any{"key": "a", "method": "tsne", "iterations": 0, "seed": 1})
	steps := make(chan int, 100000)
	var first Answer
	done := make(chan Answer)
	go func() {
		a, err := p.end(got, func(a Answer) {
			if a["positions"] != nil && first == nil {
				first = a
			}
			steps <- a["progress"].(Answer)["step"].(int)
		})
		if err != nil {
			t.Error(err)
		}
		done <- a
	}()
	until := func(n int) {
		for s := range steps {
			if s >= n {
				return
			}
		}
	}
	until(5)
	p.ask("pause", map[string]any{"job": id})
	for len(steps) > 0 {
		<-steps
	}
	time.Sleep(300 * time.Millisecond)
	if n := len(steps); n > 1 {
		t.Errorf("%d steps while it was paused", n)
	}
	p.ask("perturb", map[string]any{"job": id})
	p.ask("resume", map[string]any{"job": id})
	until(300)
	p.ask("stop", map[string]any{"job": id})
	a := <-done
	if a["stage"] != "stopped" || a["step"].(int) < 300 || len(a["positions"].([]float32)) != 1200 || first == nil || len(first["rows"].([]uint32)) != 600 {
		t.Errorf("%v %v", a["stage"], a["step"])
	}
	if _, err := p.try("stop", map[string]any{"job": id}); err == nil || err.Code != "unknown-job" {
		t.Errorf("%v", err)
	}
	for _, of := range []map[string]any{
		{"method": "tsne", "iterations": 60, "seed": 4, "sample": 100}, {"method": "umap", "epochs": 30, "seed": 4, "sphereize": true},
		{"method": "tsne", "iterations": 20, "dims": 3, "supervise": map[string]any{"column": "index", "factor": 0.5}},
	} {
		of["key"] = "a"
		x, y := p.ask("project", of), p.ask("project", of)
		if !reflect.DeepEqual(x["positions"], y["positions"]) || !reflect.DeepEqual(x["rows"], y["rows"]) {
			t.Errorf("%v differs from itself", of)
		}
		if n := of["sample"]; n != nil && len(x["rows"].([]uint32)) != n {
			t.Errorf("%d of %v", len(x["rows"].([]uint32)), n)
		}
	}
}

// Rows without numbers have no place, and constant columns and equal points spoil nothing.
func TestOddPoints(t *testing.T) {
	var b strings.Builder
	b.WriteString("nan\t1\t2\n")
	for i := range 40 {
		fmt.Fprintf(&b, "%d\t3\t%d\n", i/20, i/20)
	}
	b.WriteString("inf\t1\t2\n")
	p := open(t, b.String(), "")
	for _, method := range []string{"pca", "tsne", "umap"} {
		a := p.ask("project", map[string]any{"key": "a", "method": method, "iterations": 50, "epochs": 50, "sphereize": method == "pca"})
		if rows := a["rows"].([]uint32); len(rows) != 40 || rows[0] != 1 {
			t.Errorf("%s: %v", method, rows)
		}
		for _, x := range a["positions"].([]float32) {
			if x != x || math.IsInf(float64(x), 0) {
				t.Fatalf("%s: %v", method, x)
			}
		}
	}
}
