package dump

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/kinds"
)

// TestGoldenGraphs: of graphs we say what TensorBoard says, line by line. Only the order of
// attributes is not compared: TensorBoard gives them as its hash table has them.
func TestGoldenGraphs(t *testing.T) {
	type said struct {
		Info   map[string]any    `json:"graphs_info"`
		Graphs map[string]string `json:"graphs"`
	}
	b, err := os.ReadFile("testdata/graphs.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	var golden map[string]said
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err == nil {
		err = json.NewDecoder(z).Decode(&golden)
	}
	if err != nil || len(golden) != 3 {
		t.Fatal(err, len(golden))
	}
	for name, want := range golden {
		m := logdir(t, path.Join("testdata", name))
		c := catalog.New()
		if _, err := c.Load(context.Background(), m.Logdir()); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := Write(t.Context(), &b, c, m.Logdir(), kinds.All()); err != nil {
			t.Fatal(err)
		}
		var got said
		if err := json.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Info, want.Info) {
			t.Errorf("%s: %v, TensorBoard has %v", name, got.Info, want.Info)
		}
		if len(got.Graphs) != len(want.Graphs) || len(want.Graphs) == 0 {
			t.Errorf("%s: %d graphs, TensorBoard has %d", name, len(got.Graphs), len(want.Graphs))
		}
		for key, text := range want.Graphs {
			g, w := strings.Split(got.Graphs[key], "\n"), strings.Split(text, "\n")
			slices.Sort(g)
			slices.Sort(w)
			if !slices.Equal(g, w) {
				t.Errorf("%s, %s: %.500s, TensorBoard has %.500s", name, key, got.Graphs[key], text)
			}
		}
	}
}
