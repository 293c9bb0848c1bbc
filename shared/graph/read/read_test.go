package read_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/graph/attr"
	"github.com/tensorbored/tensorbored-static/shared/graph/graphtest"
	"github.com/tensorbored/tensorbored-static/shared/graph/model"
	"github.com/tensorbored/tensorbored-static/shared/graph/read"
)

// What the libraries wrote: the form, and of each graph nodes, functions and edges. The numbers
// of nodes are those of the libraries (len(graph.node), and of functions inputs and nodes; ONNX:
// nodes, initialisers, inputs and outputs). Nothing is lost.
func TestRealFiles(t *testing.T) {
	want := map[string]string{
		"keras_functional.json":  "keras encoder 32 0 39",
		"keras_nested.json":      "keras siamese 7 0 6",
		"keras_sequential.json":  "keras seq 4 0 3",
		"keras_weights.json":     "keras zoo 22 0 21",
		"onnx_if.onnx":           "onnx with_if 9 0 8",
		"onnx_mobilenet_v2.onnx": "onnx main_graph 278 0 326",
		"tf1_meta.pb":            "metagraph  19 0 19",
		"tf1_run_metadata.pb":    "runmetadata partitions 5 0 4",
		"tf1_small.pb":           "graphdef  19 0 19",
		"tf1_small.pbtxt":        "pbtxt  19 0 19",
		"tf2_encoder.pb":         "graphdef  666 1 825",
		"tf2_trace.pb":           "runmetadata before optimization 671 1 829, after optimization 471 0 682, partitions of functions 471 0 682, partitions 471 0 682",
		"tf_resnet50_train.pb":   "graphdef  3174 0 4885",
		"torch_resnet18.pb":      "graphdef  307 0 768",
	}
	for _, name := range graphtest.Names() {
		f, err := read.File(graphtest.File(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var graphs []string
		for _, g := range f.Graphs {
			graphs = append(graphs, fmt.Sprintf("%s %d %d %d", g.Name, len(g.Nodes), len(g.Functions), len(g.Inputs)))
		}
		if got := f.Form.String() + " " + strings.Join(graphs, ", "); got != want[name] {
			t.Errorf("%s: %s, want %s", name, got, want[name])
		}
		if f.Losses.Total > 0 {
			t.Errorf("%s: %+v", name, f.Losses)
		}
	}
}

// inputs tells the edges of a graph as "to<from".
func inputs(g *model.Graph) (out []string) {
	for i := range g.Nodes {
		for _, e := range g.In(int32(i)) {
			from := "?"
			if e.From >= 0 {
				from = g.PathOf(e.From)
			}
			if e.Control {
				from = "^" + from
			} else if e.Port > 0 {
				from += fmt.Sprint(":", e.Port)
			}
			out = append(out, g.PathOf(int32(i))+"<"+from)
		}
	}
	return out
}

// The text of a GraphDef gives what its bytes give, attributes too.
func TestText(t *testing.T) {
	pb, err := read.File(graphtest.File(t, "tf1_small.pb"))
	if err != nil {
		t.Fatal(err)
	}
	txt, err := read.File(graphtest.File(t, "tf1_small.pbtxt"))
	if err != nil {
		t.Fatal(err)
	}
	a, b := pb.Graphs[0], txt.Graphs[0]
	if fmt.Sprint(inputs(a)) != fmt.Sprint(inputs(b)) {
		t.Errorf("%v\n%v", inputs(a), inputs(b))
	}
	attrs := func(g *model.Graph, i int32) (s []string) {
		attr.Each(g, i, func(x attr.Attr) bool {
			p := x.Piece(0, 1000)
			s = append(s, x.Name+" "+x.Type+" "+p.Head+" "+p.Text)
			return true
		})
		slices.Sort(s) // a map has no order
		return s
	}
	for i := range a.Nodes {
		if x, y := attrs(a, int32(i)), attrs(b, int32(i)); fmt.Sprint(x) != fmt.Sprint(y) {
			t.Errorf("%s: %q\n%q", a.Nodes[i].Name, x, y)
		}
	}
}

// What the grammar of the text format allows.
func TestTextForms(t *testing.T) {
	for text, want := range map[string]string{
		`node { name: "a" op: 'X' } node < name: "b" op: "X" input: "a" input: "^a" >`:                      "[b<a b<^a]",
		"# a comment\nnode: [{name:'a',op:'X'},{name:'b';op:'X';input:['a:1','^a']}]":                       "[b<a:1 b<^a]",
		`node { name: "a" "b" op: "X" unknown { x: 1 y { z: [1, 2] } } } node {name:"c" op:"X" input:"ab"}`: "[c<ab]",
		`node { name: "\303\251\x41" op: "X" } node { name: "b" op: "X" input: "éA" }`:                      "[b<éA]",
	} {
		f, err := read.File([]byte(text))
		if err != nil || f.Losses.Total > 0 {
			t.Errorf("%s: %v %+v", text, err, f)
			continue
		}
		if got := fmt.Sprint(inputs(f.Graphs[0])); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	deep := `node { name: "a" op: "X" } ` + strings.Repeat(`node { attr { value { func { `, 100_000)
	f, err := read.File([]byte(deep))
	if err != nil || len(f.Graphs[0].Nodes) != 1 || f.Losses.Total == 0 {
		t.Errorf("%v", err)
	}
}

// Keras: functional, sequential and nested models in old and new forms.
func TestKeras(t *testing.T) {
	for name, c := range map[string]struct{ json, want string }{
		"Keras 2, functional": {`{"class_name":"Functional","config":{"name":"m","layers":[
			{"class_name":"InputLayer","name":"in","config":{"name":"in","batch_input_shape":[null,8],"dtype":"float32"},"inbound_nodes":[]},
			{"class_name":"Dense","name":"d","config":{"name":"d","units":4},"inbound_nodes":[[["in",0,0,{}]]]},
			{"class_name":"Add","name":"a","config":{"name":"a"},"inbound_nodes":[[["d",0,0,{}],["in",0,0,{"mask":["d",0,0]}]]]}],
			"input_layers":[["in",0,0]],"output_layers":[["a",0,0]]}}`, "[m/d<m/in m/a<m/d m/a<m/in]"},
		"the oldest Sequential": {`{"class_name":"Sequential","config":[
			{"class_name":"Dense","config":{"name":"x"}},{"class_name":"Dense","config":{"name":"y"}}]}`, "[sequential/y<sequential/x]"},
		"a model in a Sequential": {`{"class_name":"Sequential","config":{"name":"s","layers":[
			{"class_name":"Dense","config":{"name":"x"}},
			{"class_name":"Sequential","config":{"name":"t","layers":[{"class_name":"Dense","config":{"name":"y"}}]}},
			{"class_name":"Dense","config":{"name":"z"}}]}}`, "[s/t/y<s/x s/z<s/t/y]"},
		"wrapped, as text": {`{"model_config":{"class_name":"Sequential","config":{"name":"s","layers":[{"class_name":"Dense","config":{"name":"x"}},{"class_name":"Dense","config":{"name":"y"}}]}}}`, "[s/y<s/x]"},
	} {
		f, err := read.File([]byte(c.json))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := fmt.Sprint(inputs(f.Graphs[0])); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	f, err := read.File(graphtest.File(t, "keras_nested.json"))
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(inputs(f.Graphs[0]), " ")
	for _, want := range []string{"siamese/both<siamese/seq/dense", "siamese/seq/input_layer<siamese/left", "siamese/seq/input_layer<siamese/right"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if _, err := read.File([]byte(`{"class_name":"Functional","config":{"layers":[`)); err == nil || !strings.Contains(err.Error(), "byte") {
		t.Errorf("%v", err)
	}
}

// Models in models are as deep as 100; the file is read in time that does not grow with that.
func TestKerasDeep(t *testing.T) {
	const n = 2000
	json := strings.Repeat(`{"class_name":"Sequential","config":{"name":"m","layers":[{"class_name":"Dense","config":{"name":"d"}},`, n) +
		`{"class_name":"Dense","config":{"name":"e"}}` + strings.Repeat(`]}}`, n)
	f, err := read.File([]byte(json))
	if err != nil || len(f.Graphs[0].Nodes) != 101 || f.Losses.Total != 1 || f.Losses.List[0].Code != "too-deep" {
		t.Errorf("%v %+v", err, f)
	}
}

// ONNX: a subgraph sees the values around it, and stands under its node.
func TestONNX(t *testing.T) {
	f, err := read.File(graphtest.File(t, "onnx_if.onnx"))
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(inputs(f.Graphs[0]), " ")
	for _, want := range []string{"choose<c", "y<choose", "choose/then_branch/plus<x", "choose/else_branch/times<choose/else_branch/one"} {
		if !strings.Contains(strings.ReplaceAll(got, "choose/then_branch/one", "choose/else_branch/one"), want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

// Detect tells the forms apart, of the first bytes too.
func TestDetect(t *testing.T) {
	for _, name := range graphtest.Names() {
		b := graphtest.File(t, name)
		whole := read.Detect(b)
		if len(b) > 8000 && name != "onnx_mobilenet_v2.onnx" { // whose one field is cut
			if got := read.Detect(b[:len(b)/2]); got != whole {
				t.Errorf("the first half of %s is %v, want %v", name, got, whole)
			}
		}
	}
	for _, b := range []string{"", "hello", "\x00\x00", "\x0a\x05hello", strings.Repeat("\xff", 100), "nodes are nice"} {
		if got := read.Detect([]byte(b)); got != model.Unknown {
			t.Errorf("%q is %v", b, got)
		}
	}
}
