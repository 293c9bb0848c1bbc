package explore_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/graph/explore"
	"github.com/tensorbored/tensorbored-static/shared/graph/graphtest"
)

type op = graphtest.Node

func open(t testing.TB, b []byte) *explore.Explorer {
	t.Helper()
	e, err := explore.Open(b, explore.Options{Name: "test.pb"})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

type infoAnswer struct {
	Form   string
	Graphs []struct {
		Name             string
		Nodes, Functions int
		Edges            int
	}
	Losses []struct {
		Code, Message string
		Offset, Count int
	}
	LossesTotal int
	Has         map[string]bool
}

// losses are codes and offsets, as "torn@123".
func losses(t testing.TB, e *explore.Explorer) (out []string) {
	var a infoAnswer
	ask(t, e, map[string]any{"ask": "info"}, &a)
	for _, l := range a.Losses {
		if l.Message == "" {
			t.Errorf("the loss %s has no message", l.Code)
		}
		out = append(out, fmt.Sprintf("%s@%d", l.Code, l.Offset))
	}
	return out
}

// walk goes over the whole tree by its children, some at a time, and counts the leaves by id.
func walk(t testing.TB, e *explore.Explorer, graph int, options map[string]any) (leaves map[string]int) {
	t.Helper()
	leaves = map[string]int{}
	todo := []string{""}
	ids := map[string]bool{"": true}
	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for offset := 0; ; {
			var a struct {
				Total, Next int
				Children    []nodeAnswer
			}
			ask(t, e, map[string]any{"ask": "children", "graph": graph, "id": id, "offset": offset, "limit": 1000, "options": options}, &a)
			for _, c := range a.Children {
				if ids[c.ID] {
					t.Fatalf("%q stands twice", c.ID)
				}
				ids[c.ID] = true
				switch {
				case c.All > 0:
					todo = append(todo, c.ID)
				case c.Ops > 0:
					leaves[c.ID]++
				}
			}
			if offset = a.Next; offset == 0 {
				break
			}
		}
	}
	return leaves
}

var noFunctions = map[string]any{"functions": false}

// Odd graphs are shown, every node once, and what is odd is told.
func TestOddGraphs(t *testing.T) {
	deep := strings.Repeat("s/", 5000) + "op"
	var wide op
	wide.Name, wide.Op = "wide", "AddN"
	nodes := []op{}
	for i := range 50_000 {
		name := fmt.Sprintf("in/x%d", i)
		nodes = append(nodes, op{Name: name, Op: "Placeholder"})
		wide.Inputs = append(wide.Inputs, name)
	}
	for name, c := range map[string]struct {
		nodes []op
		leaf  int
		loss  string // that must be among those told
		ids   []string
	}{
		"a cycle":             {[]op{{Name: "a", Op: "X", Inputs: []string{"c"}}, {Name: "b", Op: "X", Inputs: []string{"a"}}, {Name: "c", Op: "X", Inputs: []string{"b"}}}, 3, "cycle", []string{"a", "b", "c"}},
		"itself":              {[]op{{Name: "a", Op: "X", Inputs: []string{"a", "^a"}}}, 1, "cycle", []string{"a"}},
		"an edge to nothing":  {[]op{{Name: "a", Op: "X", Inputs: []string{"gone:1"}}}, 1, "missing-input", []string{"a"}},
		"two of one name":     {[]op{{Name: "a/b", Op: "X"}, {Name: "a/b", Op: "Y"}, {Name: "c", Op: "Z", Inputs: []string{"a/b"}}}, 3, "duplicate", []string{"a/b", "a/b (2)"}},
		"odd slashes":         {[]op{{Name: "/a", Op: "X"}, {Name: "a/", Op: "X"}, {Name: "a//b", Op: "X"}, {Name: "//", Op: "X"}, {Name: "/", Op: "X"}}, 5, "", nil},
		"an op and a scope":   {[]op{{Name: "a", Op: "X"}, {Name: "a/b", Op: "X"}, {Name: "a/(a)", Op: "X"}}, 3, "", []string{"a/b"}},
		"a loop":              {[]op{{Name: "merge", Op: "Merge", Inputs: []string{"next"}}, {Name: "next", Op: "NextIteration", Inputs: []string{"merge"}}}, 2, "", nil},
		"5000 scopes":         {[]op{{Name: deep, Op: "X"}, {Name: deep + "2", Op: "Y"}}, 2, "too-deep", nil},
		"50,000 inputs":       {append(nodes, wide), 50_001, "", []string{"wide"}},
		"a constant alone":    {[]op{{Name: "c", Op: "Const"}, {Name: "s/ScalarSummary", Op: "ScalarSummary"}}, 2, "", []string{"c"}},
		"constants in a ring": {[]op{{Name: "c", Op: "Const", Inputs: []string{"^d"}}, {Name: "d", Op: "Const", Inputs: []string{"^c"}}}, 2, "cycle", []string{"c", "d"}},
	} {
		t.Run(name, func(t *testing.T) {
			e := open(t, graphtest.GraphDef(c.nodes...))
			leaves := walk(t, e, 0, noFunctions)
			if len(leaves) != c.leaf {
				t.Errorf("%d leaves in the tree, want %d", len(leaves), c.leaf)
			}
			for _, id := range c.ids {
				if leaves[id] != 1 {
					t.Errorf("%q is not in the tree", id)
				}
			}
			got := strings.Join(losses(t, e), " ")
			if c.loss == "" && got != "" || !strings.Contains(got, c.loss) {
				t.Errorf("losses %q, want %q", got, c.loss)
			}
			var s sceneAnswer
			ask(t, e, map[string]any{"ask": "scene", "expanded": []string{"a", "in", "s", "s/s"}}, &s)
			for _, sc := range s.Scopes {
				if len(sc.Nodes) > 300 {
					t.Errorf("%q shows %d nodes", sc.ID, len(sc.Nodes))
				}
			}
		})
	}
}

// Constants with many inputs and many readers, which would multiply, end at a bound.
func TestManyThroughConstants(t *testing.T) {
	const n = 3000
	hub := op{Name: "hub", Op: "Const"}
	nodes := []op{}
	for i := range n {
		nodes = append(nodes, op{Name: fmt.Sprintf("a%dx", i), Op: "X"}, op{Name: fmt.Sprintf("b%dx", i), Op: "Y", Inputs: []string{"hub"}})
		hub.Inputs = append(hub.Inputs, fmt.Sprintf("^a%dx", i))
	}
	e := open(t, graphtest.GraphDef(append(nodes, hub)...))
	if got := losses(t, e); len(got) != 1 || got[0] != "too-many@-1" {
		t.Errorf("%q", got)
	}
	if l := walk(t, e, 0, nil); len(l) != 2*n+1 {
		t.Errorf("%d leaves", len(l))
	}
}

// A cycle is told by the edge that closes it; the others go forward.
func TestBackEdges(t *testing.T) {
	e := open(t, graphtest.GraphDef(op{Name: "in", Op: "X"}, op{Name: "a", Op: "X", Inputs: []string{"in", "c"}}, op{Name: "b", Op: "X", Inputs: []string{"a"}}, op{Name: "c", Op: "X", Inputs: []string{"b"}}))
	var s sceneAnswer
	ask(t, e, map[string]any{"ask": "scene"}, &s)
	for _, x := range s.Scopes[0].Edges {
		if want := x.From == "c" && x.To == "a"; x.Back != want {
			t.Errorf("%s > %s: back %v", x.From, x.To, x.Back)
		}
	}
}

// A file that is torn anywhere shows all nodes that were whole before the tear, and says where.
func TestTorn(t *testing.T) {
	for _, name := range []string{"tf1_small.pb", "tf2_encoder.pb", "tf1_meta.pb", "tf1_run_metadata.pb", "onnx_if.onnx", "tf1_small.pbtxt"} {
		t.Run(name, func(t *testing.T) {
			whole := graphtest.File(t, name)
			last := 0
			step := max(1, len(whole)/60)
			for n := step; n < len(whole); n += step {
				e, err := explore.Open(whole[:n:n], explore.Options{})
				if err != nil {
					if last > 0 {
						t.Fatalf("%d of %d bytes: %v, but fewer had %d nodes", n, len(whole), err, last)
					}
					continue
				}
				var a infoAnswer
				ask(t, e, map[string]any{"ask": "info"}, &a)
				nodes := 0
				for _, g := range a.Graphs {
					nodes += g.Nodes
				}
				if nodes < last {
					t.Errorf("%d of %d bytes: %d nodes, fewer had %d", n, len(whole), nodes, last)
				}
				last = nodes
				torn := false
				for _, l := range a.Losses {
					torn = torn || l.Code == "torn" && l.Offset >= 0 && l.Offset <= n
				}
				if !torn && name != "tf1_small.pb" && name != "tf1_small.pbtxt" && name != "onnx_if.onnx" {
					t.Errorf("%d of %d bytes: no loss is told: %+v", n, len(whole), a.Losses)
				}
			}
			if last == 0 {
				t.Error("no part could be opened")
			}
		})
	}
	// The exact place: the tear is in the third node, which begins after the two that are whole.
	two := graphtest.GraphDef(op{Name: "a", Op: "X"}, op{Name: "b", Op: "Y", Inputs: []string{"a"}})
	three := append(append([]byte(nil), two...), graphtest.GraphDef(op{Name: "c", Op: "Z"})...)
	e := open(t, three[:len(three)-2])
	if got := losses(t, e); len(got) != 1 || got[0] != fmt.Sprintf("torn@%d", len(two)) {
		t.Errorf("losses %q, want torn@%d", got, len(two))
	}
	if l := walk(t, e, 0, nil); len(l) != 2 {
		t.Errorf("%v", l)
	}
}

// A constant of 100 MB costs nothing until it is looked at, and then a piece.
func TestLargeAttribute(t *testing.T) {
	big := make([]byte, 100<<20)
	copy(big[4*1_000_000:], []byte{0, 0, 0x80, 0x3f}) // 1.0
	tensor := graphtest.Message(graphtest.Message([]byte{8, 1}, 2, nil), 4, big)
	b := graphtest.GraphDef(op{Name: "c", Op: "Const", Attrs: map[string][]byte{"value": graphtest.Message(nil, 8, tensor)}}, op{Name: "a", Op: "X", Inputs: []string{"c"}})
	allocated := testing.AllocsPerRun(1, func() {
		e := open(t, b)
		var s sceneAnswer
		ask(t, e, map[string]any{"ask": "scene"}, &s)
	})
	if allocated > 20_000 {
		t.Errorf("%v allocations", allocated)
	}
	e := open(t, b)
	var card struct {
		Attributes []struct {
			Name, Type, Text, Head string
			Bytes                  int
			Large                  bool
		}
	}
	ask(t, e, map[string]any{"ask": "node", "id": "c"}, &card)
	if len(card.Attributes) != 1 || !card.Attributes[0].Large || card.Attributes[0].Bytes < 100<<20 || len(card.Attributes[0].Text) > 1024 {
		t.Errorf("%+v", card)
	}
	var piece struct {
		Unit, Text  string
		Total, Next int
	}
	ask(t, e, map[string]any{"ask": "attribute", "id": "c", "name": "value", "offset": 1_000_000, "limit": 64}, &piece)
	if piece.Unit != "elements" || piece.Total != 25<<20 || !strings.HasPrefix(piece.Text, "1, 0, 0") || piece.Next <= 1_000_000 || len(piece.Text) > 64 {
		t.Errorf("%+v", piece)
	}
}

// What is asked badly gets an answer that says so.
func TestBadQuestions(t *testing.T) {
	e := open(t, graphtest.GraphDef(op{Name: "a", Op: "X"}))
	for q, code := range map[string]string{
		`{`: "bad-question", `{"ask":"?"}`: "unknown-question", `{"ask":"scene","graph":7}`: "unknown-graph",
		`{"ask":"node","id":"b"}`: "unknown-id", `{"ask":"node","id":"a/b"}`: "unknown-id", `{"ask":"search","text":"(","regex":true}`: "bad-regex",
		`{"ask":"compare"}`: "nothing-there", `{"ask":"attribute","id":"a","name":"x"}`: "nothing-there", `{"ask":"attribute","id":"","name":"x"}`: "nothing-there",
		`{"ask":"colors","by":"mood"}`: "bad-question", `{"ask":"export","form":"exe"}`: "bad-question", `{"ask":"stats","sort":"x"}`: "bad-question",
		`{"ask":"trace","id":"a","direction":"x"}`: "bad-question", `{"ask":"path","from":1,"to":"a"}`: "bad-question", `{"ask":"scene","options":3}`: "bad-question",
	} {
		var a struct {
			Error struct{ Code, Message string }
		}
		if err := json.Unmarshal(e.Ask([]byte(q)), &a); err != nil || a.Error.Code != code || a.Error.Message == "" {
			t.Errorf("%s: %+v, %v; want %s", q, a.Error, err, code)
		}
	}
	for _, b := range [][]byte{nil, []byte("hello"), []byte(`{"a":1}`), make([]byte, 100), []byte("node {")} {
		if _, err := explore.Open(b, explore.Options{}); err == nil {
			t.Errorf("%q was opened", b)
		}
	}
}

// FuzzExplore: whatever the bytes are, nothing panics, every node is in the tree exactly once,
// every node a scene shows can be asked about, and what the beginning of the bytes gave is still
// there when more follows.
func FuzzExplore(f *testing.F) {
	for _, name := range graphtest.Names() {
		if b := graphtest.File(f, name); len(b) < 40_000 {
			f.Add(b)
		}
	}
	f.Add(graphtest.GraphDef(op{Name: "/a", Op: "X"}, op{Name: "a//", Op: "Const"}, op{Name: "a", Op: "X", Inputs: []string{"a//", "^a", "b:1:2"}}))
	f.Add([]byte("node { name: 'a' op: 'X' attr { key: 'v' value { list { i: [1, 2] } } } }"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<17 {
			return
		}
		e, err := explore.Open(b, explore.Options{})
		if err != nil {
			return
		}
		var info infoAnswer
		ask(t, e, map[string]any{"ask": "info"}, &info)
		for g := range info.Graphs {
			for _, o := range []map[string]any{noFunctions, {"functions": false, "level": 20, "series": 2, "seriesOfScopes": true, "constants": false}} {
				leaves := walk(t, e, g, o)
				if len(leaves) != info.Graphs[g].Nodes {
					t.Fatalf("%d leaves, %d nodes", len(leaves), info.Graphs[g].Nodes)
				}
			}
			var s sceneAnswer
			ask(t, e, map[string]any{"ask": "scene", "graph": g}, &s)
			var expanded []string
			for _, n := range s.Scopes[0].Nodes {
				expanded = append(expanded, n.ID)
			}
			ask(t, e, map[string]any{"ask": "scene", "graph": g, "expanded": expanded}, &s)
			asked := 0
			for _, sc := range s.Scopes {
				here := map[string]bool{}
				for _, n := range sc.Nodes {
					here[n.ID] = true
					if asked++; asked < 20 {
						var out map[string]any
						ask(t, e, map[string]any{"ask": "node", "graph": g, "id": n.ID}, &out)
						ask(t, e, map[string]any{"ask": "trace", "graph": g, "id": n.ID, "direction": "both"}, &out)
					}
				}
				for _, x := range sc.Edges {
					if !here[x.From] || !here[x.To] || x.From == x.To || x.Count <= 0 {
						t.Fatalf("edge %+v in %q", x, sc.ID)
					}
				}
				for _, x := range append(sc.In, sc.Out...) {
					if !here[x.Node] || here[x.Other] {
						t.Fatalf("bridge %+v in %q", x, sc.ID)
					}
				}
			}
			var out map[string]any
			for _, by := range []string{"structure", "device", "xla", "time", "memory", "tpu", "shape", "type"} {
				ask(t, e, map[string]any{"ask": "colors", "graph": g, "by": by, "expanded": expanded}, &out)
			}
			for _, form := range []string{"pb", "pbtxt", "dot", "csv"} {
				ask(t, e, map[string]any{"ask": "export", "graph": g, "form": form, "expanded": expanded}, &out)
			}
		}
		// A beginning has no more nodes than the whole.
		if half, err := explore.Open(b[:len(b)/2:len(b)/2], explore.Options{}); err == nil && info.Form == "graphdef" && len(info.Graphs) == 1 {
			var h infoAnswer
			ask(t, half, map[string]any{"ask": "info"}, &h)
			if h.Form == "graphdef" && h.Graphs[0].Nodes > info.Graphs[0].Nodes {
				t.Fatalf("%d nodes in the first half, %d in all", h.Graphs[0].Nodes, info.Graphs[0].Nodes)
			}
		}
	})
}
