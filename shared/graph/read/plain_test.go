package read_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/graph/graphtest"
	"github.com/tensorbored/tensorbored-static/shared/graph/read"
)

// texts is what TensorBoard makes of files of shared/graph/testdata; see
// testdata/make_texts.py.
func texts(t *testing.T) (all map[string]string) {
	t.Helper()
	b, err := os.ReadFile("testdata/texts.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err == nil {
		err = json.NewDecoder(z).Decode(&all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// lines of a text, sorted: protocol buffers give the entries of a map in any order.
func lines(s string) []string {
	l := strings.Split(s, "\n")
	slices.Sort(l)
	return l
}

// TestPlain: a trace is told in TensorBoard's own words.
func TestPlain(t *testing.T) {
	all := texts(t)
	if len(all["tf2_trace.pb"]) < 200_000 {
		t.Fatal("there is nothing to compare with")
	}
	for name, want := range all {
		got, err := read.Traced(graphtest.File(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		g, w := lines(string(got)), lines(want)
		for i := range min(len(g), len(w)) {
			if g[i] != w[i] {
				t.Errorf("%s: %q, TensorBoard has %q", name, g[i], w[i])
				break
			}
		}
		if len(g) != len(w) {
			t.Errorf("%s: %d lines, TensorBoard has %d", name, len(g), len(w))
		}
	}
}

// TestConceptual: of each layer of a Keras model its name, inputs and class are told, also
// of the forms at which TensorBoard fails (inbound_nodes of Keras 3).
func TestConceptual(t *testing.T) {
	for name, layers := range map[string]int{"keras_functional.json": 32, "keras_sequential.json": 4, "keras_nested.json": 7} {
		got, err := read.Conceptual(graphtest.File(t, name))
		if err != nil || strings.Count(string(got), `key: "keras_class"`) != layers || strings.Contains(string(got), "op:") || strings.Contains(string(got), `key: "units"`) {
			t.Errorf("%s: %v, %.300s", name, err, got)
		}
	}
	if _, err := read.Conceptual([]byte(`{"a": 1}`)); err == nil {
		t.Error("a JSON that is no model is told as one")
	}
}

// TestPlainJoined: several functions of a trace become one graph, as in TensorBoard's
// graph_util.merge_graph_defs.
func TestPlainJoined(t *testing.T) {
	one := func(producer byte) []byte {
		versions := []byte{1 << 3, producer}
		fun := field(nil, 10, field(nil, 1, []byte("inner")))
		call := field(field(field(nil, 1, []byte("call")), 2, []byte("PartitionedCall")), 3, []byte("^x"))
		call = field(call, 5, field(field(nil, 1, []byte("f")), 2, fun))
		library := field(field(nil, 1, field(nil, 1, field(nil, 1, []byte("inner")))), 2, field(field(nil, 1, []byte("inner")), 2, []byte("grad")))
		g := field(field(field(nil, 1, call), 2, library), 4, versions)
		return field(nil, 4, field(nil, 2, g))
	}
	got, err := read.Traced(append(one(7), one(7)...))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`name: "graph_1/call"`, `name: "graph_2/call"`, `input: "graph_2/^x"`, `name: "graph_2_inner"`, `function_name: "graph_1_inner"`, `gradient_func: "graph_1_grad"`, "producer: 7"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if strings.Count(string(got), `"graph_1_inner"`) != 3 || strings.Count(string(got), "versions") != 1 {
		t.Errorf("%s", got)
	}
	if _, err := read.Traced(append(one(7), one(8)...)); err == nil || !strings.Contains(err.Error(), "different versions") {
		t.Errorf("two versions: %v", err)
	}
	whole := one(7)
	if _, err := read.Traced(whole[:len(whole)-3]); err == nil || !strings.Contains(err.Error(), "torn") {
		t.Errorf("torn: %v", err)
	}
}

func field(b []byte, num protowire.Number, body []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, num, protowire.BytesType), body)
}
