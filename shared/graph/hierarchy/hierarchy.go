// Package hierarchy makes the tree of a graph that a reader opens scope by scope: scopes of names,
// series of ops that are alike, functions, and, where a scope is still too wide to be looked at,
// groups by type. It follows TensorBoard where that has a rule
// (tensorboard/plugins/graph/tf_graph_common/hierarchy.ts and graph.ts), so that a user finds the
// picture that he knows:
//
//   - a name's parts between slashes are scopes; an op whose name is a scope's too is a/(a) in it;
//   - constants that feed something and summaries are embedded: annotations of what they belong
//     to. They make no scope, and count apart;
//   - ops of one type in one scope, with names that differ by a number at their end and numbers
//     that follow each other, are a series if there are at least five;
//   - consecutive inputs from one node are one edge; what feeds an embedded node feeds its host.
//
// What TensorBoard lacks: constants without a reader are not dropped; PyTorch's
// parameters and ONNX's initialisers are embedded as constants are; scopes of more than 300 things are grouped, so that no layout has
// to be made of thousands.
//
// Everything is flat arrays by index, built in time linear in nodes, names and edges times depth.
// Nothing recurses. Children have higher indexes than their parents, except where a group or a
// series was put between; Order is one in which parents always come first.
package hierarchy

import (
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/graph/model"
)

// Kind is what a node of the hierarchy is; of Leaf the model's node knows more.
type Kind uint8

const (
	Leaf Kind = iota
	Scope
	Series
	Group
	Library
	Function
)

// Library's and functions' ids, as in TensorBoard.
const LibraryID = "__function_library__"

// MaxDepth is how deep scopes go; what is deeper is one name.
const MaxDepth = 1000

// Node is one thing of the hierarchy.
type Node struct {
	ID       string
	Name     string // what its scope calls it
	Parent   int32  // -1 of the root
	Op       int32  // the model's node, -1 of what is no leaf
	Host     int32  // of an embedded node: a node of the hierarchy that shows it; else -1
	First, N int32  // children: Children[First:First+N], in the file's order
	Shown    int32  // children that are not embedded
	Depth    int32
	Ops      int32 // leaves inside, itself if it is one
	Embedded int32 // of these, embedded
	Func     int32 // of a function: its index; else -1
	Kind     Kind
	Print    uint64 // fingerprint: the same for the same structure
	Type     string // of members of a series or group
}

// Options are the thresholds, see package explore.
type Options struct {
	Series         int
	SeriesOfScopes bool
	Ungroup, Group map[string]bool // series by id
	Level          int
	Constants      bool
	Parameters     bool
	Summaries      bool
}

// Defaults are TensorBoard's, and 300 for Level.
var Defaults = Options{Series: 5, Level: 300, Constants: true, Parameters: true, Summaries: true}

// Edge is a bundle between two children of a scope.
type Edge struct {
	From, To         int32
	First, N         int32 // base edges: Base[First:First+N]
	Control, Ref     int32
	AddedN, RemovedN int32
}

// BaseEdge is one edge between two leaves, or two that stand for embedded ones.
type BaseEdge struct {
	From, To int32 // nodes of the hierarchy
	Src      int32 // the model's node whose output it is
	Port     int32
	Control  bool
	Ref      bool
	Mark     model.Mark
}

// Hierarchy is the tree over a graph.
type Hierarchy struct {
	G        *model.Graph
	Opt      Options
	Nodes    []Node
	Children []int32
	Of       []int32 // by the model's node: its leaf
	Order    []int32 // parents first

	Base      []BaseEdge // sorted by the scope they are drawn in, then bundle
	Edges     []Edge     // bundles
	EdgeStart []int32    // by node: bundles inside it are Edges[EdgeStart[i]:EdgeStart[i+1]]

	Consumers      []int32 // by the model's node, in CSR: who reads it
	ConsumerStart  []int32
	FunctionByName map[string]int32 // node of the hierarchy
	Losses         model.Losses

	byID   *model.Index // but the root
	repeat map[uint64]int32
}

// Root is the index of the root.
const Root = 0

// ByID finds a node.
func (h *Hierarchy) ByID(id string) (int32, bool) {
	if id == "" {
		return Root, true
	}
	return h.byID.Find(0, id)
}

// Kids are the children of i.
func (h *Hierarchy) Kids(i int32) []int32 {
	n := &h.Nodes[i]
	return h.Children[n.First : n.First+n.N]
}

// Inside are the bundles that are drawn in i.
func (h *Hierarchy) Inside(i int32) []Edge { return h.Edges[h.EdgeStart[i]:h.EdgeStart[i+1]] }

// Readers are the nodes of the model that read i.
func (h *Hierarchy) Readers(i int32) []int32 {
	return h.Consumers[h.ConsumerStart[i]:h.ConsumerStart[i+1]]
}

// Repeated is how many nodes have the fingerprint of i.
func (h *Hierarchy) Repeated(i int32) int32 { return h.repeat[h.Nodes[i].Print] }

type builder struct {
	*Hierarchy
	steps, paths      []made
	byPart, byPath    *model.Index // of these
	embed             []bool       // by the model's node
	lastDir           string       // what dir was asked for last, and its answer
	lastRoot, lastGot int32
}

// Build makes the hierarchy of g.
func Build(g *model.Graph, o Options) *Hierarchy {
	b := &builder{Hierarchy: &Hierarchy{G: g, Opt: o, FunctionByName: map[string]int32{}}, lastRoot: -1}
	h := b.Hierarchy
	h.byID = model.NewIndex(len(g.Nodes)+len(g.Nodes)/2, func(i, _ int32, id string) bool { return h.Nodes[i].ID == id })
	b.byPart = model.NewIndex(len(g.Nodes)/8, func(i, from int32, part string) bool { return b.steps[i].from == from && b.steps[i].name == part })
	b.byPath = model.NewIndex(len(g.Nodes)/8, func(i, root int32, path string) bool { return b.paths[i].from == root && b.paths[i].name == path })
	b.steps, b.paths = make([]made, 0, len(g.Nodes)/2), make([]made, 0, len(g.Nodes)/2)
	b.Nodes = make([]Node, 1, 2*len(g.Nodes)+16)
	b.Nodes[0] = Node{Parent: -1, Op: -1, Host: -1, Func: -1, Kind: Scope}
	b.consumers()
	b.circle()
	b.embedded()
	b.names()
	b.children()
	b.series(false)
	if o.SeriesOfScopes && o.Series > 0 { // which are alike is told by what is in them, and how it is joined
		b.base()
		b.prints()
		b.series(true)
	}
	b.levels()
	b.base()
	b.prints()
	b.counts()
	return b.Hierarchy
}

// circle tells of nodes that feed each other in a circle. TensorFlow's loops go through a NextIteration, and are none.
func (h *builder) circle() {
	g := h.G
	if g.Form == model.Union {
		return // one graph may turn around what the other has
	}
	loop := func(i int32) bool { return strings.HasSuffix(g.Nodes[i].Op, "NextIteration") }
	wants := make([]int32, len(g.Nodes)) // inputs that have not come yet
	var ready []int32
	for i := range g.Nodes {
		for _, e := range g.In(int32(i)) {
			if e.From >= 0 && !loop(e.From) {
				wants[i]++
			}
		}
		if wants[i] == 0 {
			ready = append(ready, int32(i))
		}
	}
	for k := 0; k < len(ready); k++ {
		if loop(ready[k]) {
			continue
		}
		for _, r := range h.Readers(ready[k]) {
			if wants[r]--; wants[r] == 0 {
				ready = append(ready, r)
			}
		}
	}
	if len(ready) == len(g.Nodes) {
		return
	}
	// What still wants something is on a circle, or behind one: the way back leads into one.
	at := int32(slices.IndexFunc(wants, func(n int32) bool { return n > 0 }))
	var way []string
	met := map[int32]int{}
	for {
		if first, ok := met[at]; ok {
			way = append(way[first:], way[first])
			break
		}
		met[at] = len(way)
		way = append(way, model.Quote(g.PathOf(at)))
		in := g.In(at)
		at = in[slices.IndexFunc(in, func(e model.Edge) bool { return e.From >= 0 && !loop(e.From) && wants[e.From] > 0 })].From
	}
	slices.Reverse(way)
	if len(way) > 8 {
		way = append(append(way[:5:5], "…"), way[len(way)-2:]...)
	}
	h.Losses.Add("cycle", -1, "Nodes feed each other in a circle: %s. All edges are drawn, some against the direction of the others.", strings.Join(way, " → "))
}

// consumers turns inputs around.
func (h *builder) consumers() {
	g := h.G
	h.ConsumerStart = make([]int32, len(g.Nodes)+1)
	for _, e := range g.Inputs {
		if e.From >= 0 {
			h.ConsumerStart[e.From+1]++
		}
	}
	for i := range g.Nodes {
		h.ConsumerStart[i+1] += h.ConsumerStart[i]
	}
	h.Consumers = make([]int32, h.ConsumerStart[len(g.Nodes)])
	at := append([]int32(nil), h.ConsumerStart[:len(g.Nodes)]...)
	for i := range g.Nodes {
		for _, e := range g.In(int32(i)) {
			if e.From >= 0 {
				h.Consumers[at[e.From]] = int32(i)
				at[e.From]++
			}
		}
	}
}

// embedded says which nodes are annotations of others: constants somebody reads, and summaries
// of something.
func (h *builder) embedded() {
	g := h.G
	h.embed = make([]bool, len(g.Nodes))
	for i := range g.Nodes {
		n := &g.Nodes[i]
		switch {
		case h.constant(int32(i)):
			h.embed[i] = true
		case n.Kind == model.Summary && h.Opt.Summaries:
			h.embed[i] = true
		}
	}
	// Only what reaches a node that is shown is embedded in it: the others are shown themselves.
	for i := range g.Nodes {
		if h.embed[i] && h.hostOf(int32(i)) < 0 {
			h.embed[i] = false
		}
	}
}

// constant: TensorBoard takes every type with "Const" in it for one, which makes PyTorch's
// prim::Constant one, and prim::ListConstruct, the lists that its ops take.
func (h *builder) constant(i int32) bool {
	n := &h.G.Nodes[i]
	if len(h.Readers(i)) == 0 {
		return false
	}
	switch n.Op {
	case "prim::GetAttr", "Initializer":
		return h.Opt.Parameters
	}
	return h.Opt.Constants && strings.Contains(n.Op, "Const")
}

const hostTries = 64 // readers of a constant that are looked at, each for one that is shown

// hostOf is the model's node that shows the embedded node i: its first reader, or what it is a
// summary of. Through other embedded nodes it goes some steps on.
func (h *builder) hostOf(i int32) int32 {
	for step := 0; step < 16; step++ {
		next := int32(-1)
		if h.G.Nodes[i].Kind == model.Summary {
			for _, e := range h.G.In(i) {
				if e.From >= 0 && e.From != i && (!h.embed[e.From] || h.G.Nodes[e.From].Kind == model.Summary) {
					next = e.From
					break
				}
			}
		} else {
			for k, c := range h.Readers(i) {
				if k >= hostTries {
					break
				}
				if c != i && (next < 0 || !h.embed[c]) {
					if next = c; !h.embed[c] {
						break
					}
				}
			}
		}
		if next < 0 || next == i {
			return -1
		}
		if !h.embed[next] {
			return next
		}
		i = next
	}
	return -1
}

// names puts every node of the model into its scope.
func (h *builder) names() {
	g := h.G
	h.Of = make([]int32, len(g.Nodes))
	roots := h.functions()
	leaf := make([]int32, len(g.Nodes)) // the scope, until it has its node
	for pass := 0; pass < 2; pass++ {   // embedded nodes find scopes, and make none
		for i := range g.Nodes {
			if h.embed[i] != (pass == 1) {
				continue
			}
			path, root := g.PathOf(int32(i)), int32(Root)
			if f := g.Nodes[i].Func; f >= 0 {
				root = roots[f]
			}
			leaf[i] = h.dir(root, path, pass == 0)
		}
	}
	// Now that all scopes are known, ops get their ids.
	again := map[string]int{} // of names that many nodes have: the number to go on with
	for pass := 0; pass < 2; pass++ {
		for i := range g.Nodes {
			if h.embed[i] != (pass == 1) {
				continue
			}
			path := g.PathOf(int32(i))
			parent := leaf[i]
			id := path
			if f := g.Nodes[i].Func; f >= 0 {
				id = h.Nodes[roots[f]].ID + "/" + path
			}
			if id == "" {
				id = "(no name)"
			}
			next := int32(len(h.Nodes))
			s, free := h.byID.Claim(0, id, next)
			if !free {
				strict := id + "/(" + id[strings.LastIndexByte(id, '/')+1:] + ")"
				if h.Nodes[s].Kind != Leaf && !h.taken(strict) {
					parent, id = s, strict // a/b is a scope: the op is a/b/(b) in it
				}
				base, k := id, max(2, again[id])
				for ; h.taken(id); k++ {
					id = base + " (" + itoa(k) + ")"
				}
				again[base] = k
				h.byID.Claim(0, id, next)
			}
			h.Of[i] = h.put(Node{ID: id, Name: h.nameIn(parent, id), Parent: parent, Op: int32(i), Kind: Leaf})
		}
	}
	for i := range g.Nodes {
		if h.embed[i] {
			h.Nodes[h.Of[i]].Host = h.Of[h.hostOf(int32(i))]
		}
	}
}

func itoa(k int) string {
	var b [20]byte
	i := len(b)
	for {
		i--
		b[i] = byte('0' + k%10)
		if k /= 10; k == 0 {
			return string(b[i:])
		}
	}
}

func (h *builder) nameIn(parent int32, id string) string {
	name := id
	if p := h.Nodes[parent].ID; parent != Root && len(id) > len(p) && id[:len(p)] == p && id[len(p)] == '/' {
		name = id[len(p)+1:]
	}
	if name == "" {
		return "(empty)"
	}
	return name
}

func (h *builder) taken(id string) bool {
	if id == "" {
		return true
	}
	_, ok := h.byID.Find(0, id)
	return ok
}

// add appends a node whose id is not taken. Its Host and Func are none.
func (h *builder) add(n Node) int32 {
	h.byID.Claim(0, n.ID, int32(len(h.Nodes)))
	return h.put(n)
}

// put is add of a node that has its id already.
func (h *builder) put(n Node) int32 {
	i := int32(len(h.Nodes))
	n.Host, n.Func = -1, -1
	if n.Parent >= 0 {
		n.Depth = h.Nodes[n.Parent].Depth + 1
	}
	h.Nodes = append(h.Nodes, n)
	return i
}

// functions makes the library, and gives the node of each function.
func (h *builder) functions() []int32 {
	fs := h.G.Functions
	if len(fs) == 0 {
		return nil
	}
	lib := h.add(Node{ID: LibraryID, Name: "functions", Parent: Root, Op: -1, Kind: Library})
	roots := make([]int32, len(fs))
	used := map[string]bool{}
	for i, f := range fs {
		id := LibraryID + "/" + f.Name
		for k := 2; used[id]; k++ {
			id = LibraryID + "/" + f.Name + " (" + itoa(k) + ")"
		}
		used[id] = true
		roots[i] = h.add(Node{ID: id, Name: id[len(LibraryID)+1:], Parent: lib, Op: -1, Kind: Function})
		h.Nodes[roots[i]].Func = int32(i)
		if _, ok := h.FunctionByName[f.Name]; !ok {
			h.FunctionByName[f.Name] = roots[i]
		}
	}
	return roots
}

// children lists who is whose, in the order in which the nodes were made: that of the file, with
// a scope where its first op is. Depth and Order follow.
func (h *builder) children() {
	n := len(h.Nodes)
	for i := range h.Nodes {
		h.Nodes[i].N, h.Nodes[i].Shown = 0, 0
	}
	for i := 1; i < n; i++ {
		h.Nodes[h.Nodes[i].Parent].N++
	}
	start := int32(0)
	for i := range h.Nodes {
		h.Nodes[i].First = start
		start += h.Nodes[i].N
		h.Nodes[i].N = 0
	}
	h.Children = make([]int32, start)
	put := func(i int32) {
		p := &h.Nodes[h.Nodes[i].Parent]
		h.Children[p.First+p.N] = i
		p.N++
	}
	for i := 1; i < n; i++ {
		put(int32(i))
	}
	h.Order = append(h.Order[:0], Root)
	h.Nodes[Root].Depth = 0
	for k := 0; k < len(h.Order); k++ {
		for _, c := range h.Kids(h.Order[k]) {
			h.Nodes[c].Depth = h.Nodes[h.Order[k]].Depth + 1
			h.Order = append(h.Order, c)
		}
	}
}

// counts sums up what is inside.
func (h *builder) counts() {
	for i := range h.Nodes {
		n := &h.Nodes[i]
		n.Ops, n.Embedded, n.Shown = 0, 0, 0
		if n.Kind == Leaf {
			n.Ops = 1
			if n.Host >= 0 {
				n.Embedded = 1
			}
		}
	}
	for k := len(h.Order) - 1; k > 0; k-- {
		n := &h.Nodes[h.Order[k]]
		p := &h.Nodes[n.Parent]
		p.Ops += n.Ops
		p.Embedded += n.Embedded
		if n.Host < 0 {
			p.Shown++
		}
	}
}
