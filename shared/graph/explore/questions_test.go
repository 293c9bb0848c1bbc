package explore_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/graph/explore"
	"github.com/tensorbored/tensorbored-static/shared/graph/graphtest"
)

// diamond: in → s/a → {s/b, s/c} → t/d → out; s/b holds t/d back.
func diamond() []op {
	return []op{
		{Name: "in", Op: "Placeholder", Attrs: map[string][]byte{"_output_shapes": graphtest.Shapes(-1, 8), "dtype": graphtest.Type(1)}},
		{Name: "s/k", Op: "Const"},
		{Name: "s/a", Op: "MatMul", Inputs: []string{"in", "s/k"}, Device: "/job:w/device:GPU:0", Attrs: map[string][]byte{"_output_shapes": graphtest.Shapes(-1, 4), "T": graphtest.Type(1)}},
		{Name: "s/b", Op: "Relu", Inputs: []string{"s/a"}, Device: "/job:w/device:CPU:0"},
		{Name: "s/c", Op: "Tanh", Inputs: []string{"s/a:0"}},
		{Name: "t/d", Op: "Add", Inputs: []string{"s/c", "^s/b"}},
		{Name: "out", Op: "Identity", Inputs: []string{"t/d"}},
		{Name: "norm", Op: "ScalarSummary", Inputs: []string{"s/k", "t/d"}},
		{Name: "alone/x", Op: "Relu"},
	}
}

func TestScene(t *testing.T) {
	e := open(t, graphtest.GraphDef(diamond()...))
	var s sceneAnswer
	ask(t, e, map[string]any{"ask": "scene", "expanded": []string{"s", "t", "gone", "in"}}, &s)
	if len(s.Scopes) != 3 || s.Scopes[1].ID != "s" || s.Scopes[1].Depth != 1 {
		t.Fatalf("%+v", s)
	}
	edges := func(k int) (out []string) {
		for _, x := range s.Scopes[k].Edges {
			out = append(out, fmt.Sprintf("%s>%s %d/%d %v", x.From, x.To, x.Count, x.Control, x.Shapes))
		}
		return out
	}
	if got := sorted(edges(0)); !slices.Equal(got, []string{"in>s 1/0 [float32[?,8]]", "s>t 2/1 []", "t>out 1/0 []"}) {
		t.Errorf("%q", got)
	}
	if got := sorted(edges(1)); !slices.Equal(got, []string{"s/a>s/b 1/0 [float32[?,4]]", "s/a>s/c 1/0 [float32[?,4]]"}) {
		t.Errorf("%q", got)
	}
	var bridges []string
	for _, k := range []int{1, 2} {
		for _, b := range s.Scopes[k].In {
			bridges = append(bridges, fmt.Sprintf("%s<%s %d/%d", b.Node, b.Other, b.Count, b.Control))
		}
		for _, b := range s.Scopes[k].Out {
			bridges = append(bridges, fmt.Sprintf("%s>%s %d/%d", b.Node, b.Other, b.Count, b.Control))
		}
	}
	want := []string{"s/a<in 1/0", "s/b>t/d 1/1", "s/c>t/d 1/0", "t/d<s/b 1/1", "t/d<s/c 1/0", "t/d>out 1/0"}
	if got := sorted(bridges); !slices.Equal(got, want) {
		t.Errorf("bridges %q", got)
	}
	nodes := map[string]nodeAnswer{}
	for _, sc := range s.Scopes {
		for _, n := range sc.Nodes {
			nodes[n.ID] = n
		}
	}
	if a := nodes["s/a"]; a.Device != "GPU:0" || len(a.In) != 1 || a.In[0].ID != "s/k" || a.In[0].Kind != "constant" || a.Shape != "float32[?,4]" {
		t.Errorf("%+v", a)
	}
	if d := nodes["t/d"]; len(d.Out) != 1 || d.Out[0].ID != "norm" || d.Out[0].Kind != "summary" {
		t.Errorf("%+v", d)
	}
	if n := nodes["s"]; !n.Open || n.Ops != 4 || n.Embedded != 1 || n.Children != 3 || n.All != 4 || n.Device != "" {
		t.Errorf("%+v", n)
	}
	if _, ok := nodes["s/k"]; ok {
		t.Error("an embedded constant is a node")
	}
	// The limit leaves a scope closed and says so.
	ask(t, e, map[string]any{"ask": "scene", "expanded": []string{"s", "t"}, "limit": 6}, &s)
	if fmt.Sprint(s.Left) != "[s]" || len(s.Scopes) != 2 || s.Nodes != 6 {
		t.Errorf("left %q of %d scopes and %d nodes", s.Left, len(s.Scopes), s.Nodes)
	}
}

func sorted(s []string) []string {
	s = slices.Clone(s)
	slices.Sort(s)
	return s
}

func TestTracePathSearch(t *testing.T) {
	e := open(t, graphtest.GraphDef(diamond()...))
	var tr struct {
		IDs   []string
		Edges [][2]string
		Ops   int
	}
	for _, c := range []struct {
		id, direction string
		control       bool
		expanded      []string
		ids           []string
		ops           int
	}{
		{"out", "in", true, nil, []string{"in", "s", "t"}, 6},
		{"out", "in", false, []string{"s"}, []string{"in", "s/a", "s/c", "t"}, 5},
		{"in", "out", true, []string{"s", "t"}, []string{"out", "s/a", "s/b", "s/c", "t/d"}, 6},
		{"s", "both", true, nil, []string{"in", "out", "t"}, 0},
	} {
		ask(t, e, map[string]any{"ask": "trace", "id": c.id, "direction": c.direction, "control": c.control, "expanded": c.expanded}, &tr)
		if got := sorted(tr.IDs); !slices.Equal(got, c.ids) || c.ops > 0 && tr.Ops != c.ops {
			t.Errorf("%s %s: %q %d", c.id, c.direction, got, tr.Ops)
		}
	}
	var p struct {
		Found     bool
		Length    int
		Direction string
		Steps     []struct {
			ID, Visible string
			Forward     bool
		}
		IDs []string
	}
	for _, c := range []struct {
		from, to, direction string
		control             bool
		steps               string
	}{
		{"in", "out", "forward", true, "in s/a s/b t/d out"},
		{"in", "out", "forward", false, "in s/a s/c t/d out"},
		{"out", "in", "either", false, "out t/d s/c s/a in"},
		{"s/b", "s/c", "either", true, ""},
		{"s/b", "s/c", "any", true, "s/b t/d s/c"},
		{"in", "alone", "any", true, ""},
		{"s", "s/b", "", true, "s/b"},
	} {
		ask(t, e, map[string]any{"ask": "path", "from": c.from, "to": c.to, "direction": c.direction, "control": c.control}, &p)
		var ids []string
		for _, s := range p.Steps {
			ids = append(ids, s.ID)
		}
		got := strings.Join(ids, " ")
		if c.direction == "any" && got == "s/b s/a s/c" {
			got = "s/b t/d s/c" // as short
		}
		if got != c.steps || p.Found != (c.steps != "") || p.Found && p.Length != len(ids)-1 {
			t.Errorf("%+v: %q %+v", c, got, p)
		}
	}
	var s struct {
		Total, Next int
		Hits        []struct {
			ID, Kind, In, Visible string
			Open                  []string
			At                    [2]int
		}
	}
	for _, c := range []struct {
		q    map[string]any
		hits string
	}{
		{map[string]any{"text": "RELU"}, "s/b[0 4]op alone/x[0 4]op"},
		{map[string]any{"text": "RELU", "case": true}, ""},
		{map[string]any{"text": "^s/[ab]$", "regex": true}, "s/a[0 3]name s/b[0 3]name"},
		{map[string]any{"text": "s/k"}, "s/k[0 3]name"},
		{map[string]any{"text": "relu", "in": []string{"name"}}, ""},
	} {
		c.q["ask"] = "search"
		ask(t, e, c.q, &s)
		var got []string
		for _, h := range s.Hits {
			got = append(got, fmt.Sprint(h.ID, h.At, h.In))
			if h.ID == "s/k" && (h.Visible != "s/a" || !slices.Equal(h.Open, []string{"s"})) {
				t.Errorf("%+v", h)
			}
		}
		if strings.Join(got, " ") != c.hits || s.Total != len(got) {
			t.Errorf("%v: %q", c.q, got)
		}
	}
	ask(t, e, map[string]any{"ask": "search", "text": "", "limit": 2, "offset": 2}, &s)
	if len(s.Hits) != 2 || s.Next != 4 || s.Total < 10 {
		t.Errorf("%+v", s)
	}
}

func TestCard(t *testing.T) {
	e := open(t, graphtest.GraphDef(append(diamond(), op{Name: "lost", Op: "X", Inputs: []string{"nowhere:3"}})...))
	type joint struct{ ID, Shape string }
	var c struct {
		Node                                           nodeAnswer
		Path                                           []string
		Full, Device                                   string
		Inputs, ControlInputs, Outputs, ControlOutputs []joint
		Missing                                        []string
		Types                                          []struct {
			Op    string
			Count int
		}
		OutputsTotal int
	}
	ask(t, e, map[string]any{"ask": "node", "id": "t/d"}, &c)
	if fmt.Sprint(c.Inputs, c.ControlInputs, c.Outputs) != "[{s/c }] [{s/b }] [{out } {norm }]" || fmt.Sprint(c.Path) != "[t]" {
		t.Errorf("%+v", c)
	}
	ask(t, e, map[string]any{"ask": "node", "id": "s"}, &c)
	if fmt.Sprint(c.Inputs, c.Outputs, c.ControlOutputs) != "[{in float32[?,8]}] [{t/d }] [{t/d }]" || len(c.Types) != 4 {
		t.Errorf("%+v", c)
	}
	ask(t, e, map[string]any{"ask": "node", "id": "lost"}, &c)
	if fmt.Sprint(c.Missing) != "[nowhere:3]" {
		t.Errorf("%+v", c)
	}
	ask(t, e, map[string]any{"ask": "node", "id": "s/a", "limit": 1}, &c)
	if c.OutputsTotal != 2 || len(c.Outputs) != 1 || c.Device != "/job:w/device:GPU:0" {
		t.Errorf("%+v", c)
	}
}

func TestColors(t *testing.T) {
	e := open(t, graphtest.GraphDef(diamond()...))
	var c struct {
		Legend []struct {
			Label, Color string
			Ops, Hue     int
		}
		Nodes map[string][][2]float64
	}
	ask(t, e, map[string]any{"ask": "colors", "by": "device", "expanded": []string{"s"}}, &c)
	if len(c.Legend) != 2 || c.Legend[0].Label != "CPU:0" || c.Legend[0].Hue != 220 || fmt.Sprint(c.Nodes["s/b"]) != "[[0 1]]" || fmt.Sprint(c.Nodes["s"]) != "[[0 0.25] [1 0.25]]" {
		t.Errorf("%+v", c)
	}
	ask(t, e, map[string]any{"ask": "colors", "by": "regex", "rules": []map[string]string{{"regex": "^t/", "label": "T"}, {"regex": "relu|tanh", "in": "op"}}}, &c)
	if c.Legend[0].Label != "T" || c.Legend[1].Ops != 3 || fmt.Sprint(c.Nodes["s"]) != "[[1 0.5]]" {
		t.Errorf("%+v", c)
	}
	e = open(t, graphtest.File(t, "tf_resnet50_train.pb"))
	ask(t, e, map[string]any{"ask": "colors", "by": "structure"}, &c)
	if a, b := c.Nodes["stage1"], c.Nodes["stage4"]; len(a) != 1 || fmt.Sprint(a) != fmt.Sprint(b) || c.Nodes["stage2"] != nil && fmt.Sprint(c.Nodes["stage2"]) == fmt.Sprint(a) {
		t.Errorf("%v %v %v", a, b, c.Nodes["stage2"])
	}
	ask(t, e, map[string]any{"ask": "colors", "by": "tpu"}, &c)
	if len(c.Legend) == 0 || c.Legend[0].Label != "compatible" || c.Legend[0].Color != "#0f9d58" {
		t.Errorf("%+v", c.Legend)
	}
}

// Calls of functions open in place: what is in them has ids below the call's.
func TestCalls(t *testing.T) {
	e := open(t, graphtest.File(t, "tf2_encoder.pb"))
	var s sceneAnswer
	var hits struct{ Hits []struct{ ID, Kind string } }
	ask(t, e, map[string]any{"ask": "search", "text": "PartitionedCall", "in": []string{"op"}}, &hits)
	if len(hits.Hits) == 0 {
		t.Fatal("no call")
	}
	call := hits.Hits[0].ID
	expanded := []string{call}
	for i := range call {
		if call[i] == '/' {
			expanded = append(expanded, call[:i])
		}
	}
	ask(t, e, map[string]any{"ask": "scene", "expanded": expanded}, &s)
	last := s.Scopes[len(s.Scopes)-1]
	if last.ID != call || len(last.Nodes) < 3 || len(last.Edges) < 2 {
		t.Fatalf("%+v", last)
	}
	for _, n := range last.Nodes {
		if !strings.HasPrefix(n.ID, call+"/") {
			t.Errorf("%q is not in the call", n.ID)
		}
		var c struct {
			Node nodeAnswer
			Path []string
		}
		ask(t, e, map[string]any{"ask": "node", "id": n.ID}, &c)
		if c.Node.ID != n.ID || len(c.Path) == 0 || c.Path[len(c.Path)-1] != call {
			t.Errorf("%+v", c)
		}
	}
	// The function itself tells where it is used.
	for _, sc := range s.Scopes {
		for _, n := range sc.Nodes {
			if n.ID == call {
				var c struct{ Uses []struct{ ID string } }
				ask(t, e, map[string]any{"ask": "node", "id": n.Call}, &c)
				if len(c.Uses) != 2 {
					t.Errorf("%s: uses %+v", n.Call, c.Uses)
				}
			}
		}
	}
}

func TestMetadata(t *testing.T) {
	e, err := explore.Open(graphtest.File(t, "tf1_small.pb"), explore.Options{Metadata: graphtest.File(t, "tf1_run_metadata.pb")})
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Time, Memory, OutputBytes float64
		Device                    string
	}
	ask(t, e, map[string]any{"ask": "node", "id": "y"}, &c)
	if c.Time <= 0 || c.Device == "" {
		t.Errorf("%+v", c)
	}
	var colors struct {
		Values   map[string]float64
		Min, Max float64
	}
	ask(t, e, map[string]any{"ask": "colors", "by": "time"}, &colors)
	if colors.Values["y"] <= 0 || colors.Max < colors.Values["y"] || colors.Min > colors.Values["y"] {
		t.Errorf("%+v", colors)
	}
}

// What ran on a device can be left out of time and memory, and counts again.
func TestDevices(t *testing.T) {
	e, err := explore.Open(graphtest.GraphDef(op{Name: "a/x", Op: "X"}, op{Name: "a/y", Op: "X", Inputs: []string{"a/x"}}), explore.Options{Metadata: graphtest.Metadata(
		graphtest.Step{Device: "/job:w/device:GPU:0", Node: "a/x", Micros: 5, Bytes: 100},
		graphtest.Step{Device: "/job:w/device:CPU:0", Node: "a/x", Micros: 9, Bytes: 10},
		graphtest.Step{Device: "/job:w/device:CPU:0", Node: "a/y", Micros: 3, Bytes: 1},
		graphtest.Step{Device: "/job:w/device:CPU:0", Node: "gone", Micros: 3, Bytes: 1},
	)})
	if err != nil {
		t.Fatal(err)
	}
	var info struct {
		Devices     []string
		LossesTotal int
	}
	look := func(want string, without ...string) {
		t.Helper()
		var c struct{ Time, Memory float64 }
		ask(t, e, map[string]any{"ask": "node", "id": "a", "options": map[string]any{"without": without}}, &c)
		if got := fmt.Sprint(c.Time, c.Memory); got != want {
			t.Errorf("without %q: %s, want %s", without, got, want)
		}
	}
	look("12 111")
	look("5 100", "CPU:0")
	look("12 11", "GPU:0")
	look("0 0", "GPU:0", "CPU:0")
	look("12 111")
	ask(t, e, map[string]any{"ask": "info"}, &info)
	if fmt.Sprint(info.Devices) != "[CPU:0 GPU:0]" || info.LossesTotal != 1 {
		t.Errorf("%+v", info)
	}
}

// What feeds a scope many times, or is fed by it, is told once, with the number of edges.
func TestCardOfScope(t *testing.T) {
	e := open(t, graphtest.GraphDef(op{Name: "in", Op: "X"},
		op{Name: "s/a", Op: "X", Inputs: []string{"in"}}, op{Name: "s/b", Op: "X", Inputs: []string{"in"}}, op{Name: "s/c", Op: "X", Inputs: []string{"in:1"}},
		op{Name: "s/d", Op: "X", Inputs: []string{"^in"}}, op{Name: "out", Op: "Y", Inputs: []string{"s/a", "s/b", "^s/c", "^s/d"}}))
	type joint struct {
		ID          string
		Port, Count int
	}
	var c struct {
		Inputs, ControlInputs, Outputs, ControlOutputs []joint
		InputsTotal, ControlOutputsTotal               int
	}
	ask(t, e, map[string]any{"ask": "node", "id": "s"}, &c)
	if fmt.Sprint(c.Inputs, c.ControlInputs, c.Outputs, c.ControlOutputs) != "[{in 0 2} {in 1 0}] [{in 0 0}] [{out 0 2}] [{out 0 2}]" || c.InputsTotal != 2 || c.ControlOutputsTotal != 1 {
		t.Errorf("%+v", c)
	}
}

func TestStats(t *testing.T) {
	var s struct {
		Ops, Edges, Scopes, Total  int
		Parameters, ParameterBytes float64
		ParametersKnown            bool
		Rows                       []struct {
			Key        string
			Ops        int
			Parameters float64
		}
	}
	// ResNet-50 has 25,502,912 weights in convolutions, norms (gamma and beta) and the last
	// product (without its bias): counted by hand from its layers.
	e := open(t, graphtest.File(t, "tf_resnet50_train.pb"))
	ask(t, e, map[string]any{"ask": "stats"}, &s)
	want := resnetParameters()
	if s.Parameters != want || s.ParameterBytes != 4*want || s.Rows[0].Ops < s.Rows[1].Ops {
		t.Errorf("%+v, want %v parameters", s, want)
	}
	e = open(t, graphtest.File(t, "onnx_mobilenet_v2.onnx"))
	ask(t, e, map[string]any{"ask": "stats", "by": "scope", "sort": "parameters"}, &s)
	// torchvision says 3,504,872; the exporter joins each norm (gamma, beta) with its convolution,
	// whose bias replaces both: 17,056 channels fewer.
	if s.Parameters < 3_400_000 || s.Parameters > 3_504_872+100 || s.Rows[0].Parameters < s.Rows[1].Parameters {
		t.Errorf("%v: %+v", s.Parameters, s.Rows[:2])
	}
}

func resnetParameters() (n float64) {
	conv := func(in, out, size int) { n += float64(in*out*size*size + 2*out) }
	conv(3, 64, 7)
	in := 64
	for s, blocks := range []int{3, 4, 6, 3} {
		f := 64 << s
		for b := range blocks {
			conv(in, f, 1)
			conv(f, f, 3)
			conv(f, 4*f, 1)
			if b == 0 {
				conv(in, 4*f, 1)
			}
			in = 4 * f
		}
	}
	return n + 2048*1000
}

func TestCompare(t *testing.T) {
	old := diamond()
	now := diamond()
	now[3].Op = "Gelu"                     // s/b: another type
	now[5].Inputs = []string{"s/b", "s/c"} // t/d: another edge
	now = append(now, op{Name: "new", Op: "Softmax", Inputs: []string{"out"}})
	now = slices.DeleteFunc(now, func(o op) bool { return o.Name == "alone/x" })
	u, err := explore.Compare(open(t, graphtest.GraphDef(old...)), open(t, graphtest.GraphDef(now...)), "name")
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Added, Removed, Changed, Renamed, Same, EdgesAdded, EdgesRemoved int
		Items                                                            []struct {
			ID, What, Old string
			Changes       []struct{ What, Old, New string }
		}
	}
	ask(t, u, map[string]any{"ask": "compare"}, &c)
	got := map[string]string{}
	for _, i := range c.Items {
		got[i.ID] = i.What
	}
	if fmt.Sprint(got) != "map[alone/x:removed new:added s/b:changed t/d:changed]" || c.Same != 6 || c.EdgesAdded != 2 || c.EdgesRemoved != 1 {
		t.Errorf("%v %+v", got, c)
	}
	ask(t, u, map[string]any{"ask": "compare", "list": "changed", "id": "s"}, &c)
	if len(c.Items) != 1 || fmt.Sprint(c.Items[0].Changes) != "[{op Relu Gelu}]" {
		t.Errorf("%+v", c.Items)
	}
	var s sceneAnswer
	ask(t, u, map[string]any{"ask": "scene", "expanded": []string{"alone"}}, &s)
	found := false
	for _, n := range s.Scopes[0].Nodes {
		if n.ID == "alone" {
			found = n.Marks != nil && n.Marks.Removed == 1
		}
		if n.ID == "s" && (n.Marks.Changed != 1 || n.Marks.Same != 3) {
			t.Errorf("%+v", n.Marks)
		}
	}
	if !found {
		t.Error("what was removed is not in the picture")
	}
	// The same graph under other names is the same by structure.
	renamed := diamond()
	for i := range renamed {
		renamed[i].Name = "model/" + renamed[i].Name
		for j, in := range renamed[i].Inputs {
			renamed[i].Inputs[j] = strings.Replace("model/"+in, "model/^", "^model/", 1)
		}
	}
	u, err = explore.Compare(open(t, graphtest.GraphDef(diamond()...)), open(t, graphtest.GraphDef(renamed...)), "structure")
	if err != nil {
		t.Fatal(err)
	}
	ask(t, u, map[string]any{"ask": "compare"}, &c)
	if c.Renamed != len(renamed) || c.Added+c.Removed+c.Changed != 0 {
		t.Errorf("%+v", c)
	}
}

// download puts the pieces of an export together.
func download(t testing.TB, e *explore.Explorer, q map[string]any) (out []byte) {
	q["ask"], q["limit"] = "export", 10_000
	for {
		var a struct {
			Data        string
			Next, Total int
		}
		ask(t, e, q, &a)
		b, err := base64.StdEncoding.DecodeString(a.Data)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b...)
		if a.Next == 0 {
			if len(out) != a.Total {
				t.Fatalf("%d bytes of %d", len(out), a.Total)
			}
			return out
		}
		q["offset"] = a.Next
	}
}

// What is exported can be opened again, and is the same graph.
func TestExport(t *testing.T) {
	for _, name := range graphtest.Names() {
		if strings.HasSuffix(name, "metadata.pb") || strings.HasSuffix(name, "trace.pb") {
			continue
		}
		for _, form := range []string{"pb", "pbtxt"} {
			e := open(t, graphtest.File(t, name))
			again := open(t, download(t, e, map[string]any{"form": form}))
			a, b := walk(t, e, 0, noFunctions), walk(t, again, 0, noFunctions)
			if strings.HasPrefix(name, "onnx") {
				if len(a) != len(b) {
					t.Errorf("%s as %s: %d nodes, want %d", name, form, len(b), len(a))
				}
				continue
			}
			for id := range a {
				if b[id] != 1 {
					t.Fatalf("%s as %s: %q is missing", name, form, id)
				}
			}
			u, err := explore.Compare(e, again, "name")
			if err != nil {
				t.Fatal(err)
			}
			var c struct{ Added, Removed, Changed, Same, EdgesAdded, EdgesRemoved int }
			ask(t, u, map[string]any{"ask": "compare"}, &c)
			if c.Added+c.Removed+c.Changed+c.EdgesAdded+c.EdgesRemoved != 0 || c.Same == 0 {
				t.Errorf("%s as %s: %+v", name, form, c)
			}
		}
	}
	e := open(t, graphtest.GraphDef(diamond()...))
	part := walk(t, open(t, download(t, e, map[string]any{"form": "pb", "ids": []string{"t"}})), 0, nil)
	if fmt.Sprint(len(part), part["t/d"], part["s/b"], part["s/c"]) != "3 1 1 1" {
		t.Errorf("%v", part)
	}
	dot := string(download(t, e, map[string]any{"form": "dot", "expanded": []string{"s"}}))
	for _, want := range []string{`"s/a" -> "s/b"`, `"in" -> "s/a"`, `subgraph "cluster_s"`, `"s/b" -> "t" [style=dashed]`} {
		if !strings.Contains(dot, want) {
			t.Errorf("no %s in\n%s", want, dot)
		}
	}
	csv := string(download(t, open(t, graphtest.GraphDef(op{Name: "a", Op: "=cmd|x"}, op{Name: "b", Op: `q",r`})), map[string]any{"form": "csv"}))
	if !strings.Contains(csv, "\n'=cmd|x,1,") || !strings.Contains(csv, "\n\"q\"\",r\",1,") {
		t.Errorf("%s", csv)
	}
}

// A node that has another name is found by its structure beside one that has changed, where
// fewer of its surroundings are the same.
func TestCompareByStructureBesideAChange(t *testing.T) {
	old := open(t, graphtest.GraphDef(
		graphtest.Node{Name: "in", Op: "Placeholder"}, graphtest.Node{Name: "mul", Op: "MatMul", Inputs: []string{"in"}}, graphtest.Node{Name: "old", Op: "Tanh", Inputs: []string{"in"}},
		graphtest.Node{Name: "a", Op: "Relu", Inputs: []string{"mul"}}))
	new := open(t, graphtest.GraphDef(
		graphtest.Node{Name: "in", Op: "Placeholder"}, graphtest.Node{Name: "mul", Op: "Conv2D", Inputs: []string{"in"}}, graphtest.Node{Name: "new", Op: "Tanh", Inputs: []string{"in"}},
		graphtest.Node{Name: "b", Op: "Relu", Inputs: []string{"mul"}}, graphtest.Node{Name: "c", Op: "Relu", Inputs: []string{"mul"}}))
	for by, want := range map[string]string{"name": "3 added 2 removed 0 renamed", "structure": "2 added 1 removed 1 renamed"} {
		e, err := explore.Compare(old, new, by)
		if err != nil {
			t.Fatal(err)
		}
		var a struct{ Added, Removed, Renamed int }
		ask(t, e, map[string]any{"ask": "compare"}, &a)
		if got := fmt.Sprintf("%d added %d removed %d renamed", a.Added, a.Removed, a.Renamed); got != want {
			t.Errorf("by %s: %s, not %s", by, got, want)
		}
	}
}
