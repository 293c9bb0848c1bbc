package explore_test

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/graph/explore"
	"github.com/tensorbored/tensorbored-static/shared/graph/graphtest"
)

//go:embed testdata/peer/golden.json.gz
var peerBytes []byte

type peerScope struct {
	Ops   int      `json:"ops"`
	Nodes []string `json:"nodes"`
	Edges [][5]int `json:"edges"` // from, to (indexes of nodes), base edges, control, references
	In    []string `json:"in"`
	Out   []string `json:"out"`
}

type peerGraph struct {
	Scopes    map[string]peerScope `json:"scopes"`
	Templates [][]string           `json:"templates"`
}

func peer(t testing.TB) (golden map[string]peerGraph) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(peerBytes))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &golden); err != nil {
		t.Fatal(err)
	}
	return golden
}

// TestPeer: with every scope open, each shows what TensorBoard shows in it: children, numbers of
// ops, edges and their numbers, what is taken out. PyTorch's parameters, which TensorBoard does
// not embed, are switched off.
func TestPeer(t *testing.T) {
	for name, want := range peer(t) {
		t.Run(name, func(t *testing.T) {
			e, err := explore.Open(graphtest.File(t, name), explore.Options{Name: name})
			if err != nil {
				t.Fatal(err)
			}
			var expanded []string
			for id := range want.Scopes {
				expanded = append(expanded, id)
			}
			q := map[string]any{"ask": "scene", "expanded": expanded, "limit": 100_000,
				"options": map[string]any{"level": 0, "functions": false, "parameters": false, "annotations": 0}}
			var got sceneAnswer
			ask(t, e, q, &got)
			ops := map[string]int{"": want.Scopes[""].Ops}
			for _, s := range got.Scopes {
				for _, n := range s.Nodes {
					ops[n.ID] = n.Ops - n.Embedded
				}
			}
			seen := 0
			for _, s := range got.Scopes {
				w, ok := want.Scopes[s.ID]
				if !ok {
					t.Errorf("%q is no scope there", s.ID)
					continue
				}
				seen++
				if ops[s.ID] != w.Ops {
					t.Errorf("%q: %d ops, want %d", s.ID, ops[s.ID], w.Ops)
				}
				var nodes, in, out []string
				for _, n := range s.Nodes {
					if n.Kind == "library" {
						continue
					}
					nodes = append(nodes, n.ID)
					switch n.Extracted {
					case "in":
						in = append(in, n.ID)
					case "out":
						out = append(out, n.ID)
					}
				}
				slices.Sort(nodes)
				slices.Sort(in)
				slices.Sort(out)
				if !slices.Equal(nodes, w.Nodes) {
					t.Errorf("%q: children\n%q, want\n%q", s.ID, nodes, w.Nodes)
					continue
				}
				if !slices.Equal(in, w.In) || !slices.Equal(out, w.Out) {
					t.Errorf("%q: aside in %q out %q, want in %q out %q", s.ID, in, out, w.In, w.Out)
				}
				// Edges that are drawn are among TensorBoard's, with the same numbers.
				theirs := map[string]string{}
				for _, e := range w.Edges {
					theirs[w.Nodes[e[0]]+" > "+w.Nodes[e[1]]] = fmt.Sprint(e[2], e[3], e[4])
				}
				for _, e := range s.Edges {
					k := e.From + " > " + e.To
					if g := fmt.Sprint(e.Count, e.Control, e.Ref); g != theirs[k] {
						t.Errorf("%q: edge %s %s, want %s", s.ID, k, g, theirs[k])
					}
					delete(theirs, k)
				}
				// The others became annotations.
				if s.Hidden != len(theirs) {
					t.Errorf("%q: %d edges as annotations, want %d: %q", s.ID, s.Hidden, len(theirs), theirs)
				}
			}
			if seen != len(want.Scopes) {
				t.Errorf("%d scopes, want %d", seen, len(want.Scopes))
			}
		})
	}
}

// TestPeerTemplates: scopes that TensorBoard gives one colour have one fingerprint. Ours join some
// that it tells apart, since its signature depends on the order in which the file has the types:
// these must be equal in all that TensorBoard shows of them.
func TestPeerTemplates(t *testing.T) {
	for name, want := range peer(t) {
		t.Run(name, func(t *testing.T) {
			e, err := explore.Open(graphtest.File(t, name), explore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			prints := map[string]string{}
			for id := range want.Scopes {
				if id == "" {
					continue
				}
				var card struct {
					Node nodeAnswer `json:"node"`
				}
				ask(t, e, map[string]any{"ask": "node", "id": id, "options": map[string]any{"level": 0, "parameters": false}}, &card)
				if card.Node.Kind != "series" {
					prints[id] = card.Node.Fingerprint
				}
			}
			theirs := map[string]int{}
			for k, ids := range want.Templates {
				first := ""
				for _, id := range ids {
					p, ok := prints[id]
					if !ok {
						continue
					}
					if first == "" {
						first = p
					}
					if p != first {
						t.Errorf("%q and %q are alike there", id, ids[0])
					}
					theirs[id] = k + 1
				}
			}
			by := map[string][]string{}
			for id, p := range prints {
				by[p] = append(by[p], id)
			}
			for _, ids := range by {
				for _, id := range ids[1:] {
					a, b := want.Scopes[id], want.Scopes[ids[0]]
					if theirs[id] != 0 && theirs[id] == theirs[ids[0]] {
						continue
					}
					if a.Ops != b.Ops || len(a.Nodes) != len(b.Nodes) || len(a.Edges) != len(b.Edges) {
						t.Errorf("%q and %q are not alike", id, ids[0])
					}
				}
			}
		})
	}
}
