package explore

import (
	"github.com/tensorbored/tensorbored-static/shared/graph/attr"
	"github.com/tensorbored/tensorbored-static/shared/graph/hierarchy"
)

type edge struct {
	From       string   `json:"from"`
	To         string   `json:"to"`
	Count      int32    `json:"count"`
	Control    int32    `json:"control,omitempty"`
	Ref        int32    `json:"ref,omitempty"`
	Size       float64  `json:"size,omitempty"`
	Shapes     []string `json:"shapes,omitempty"`
	ShapesMore int      `json:"shapesMore,omitempty"`
	Added      int32    `json:"added,omitempty"`
	Removed    int32    `json:"removed,omitempty"`
	Back       bool     `json:"back,omitempty"`
}

type bridge struct {
	Node    string   `json:"node"`
	Other   string   `json:"other"`
	Count   int32    `json:"count"`
	Control int32    `json:"control,omitempty"`
	Size    float64  `json:"size,omitempty"`
	Shapes  []string `json:"shapes,omitempty"`
}

type scope struct {
	ID        string   `json:"id"`
	Depth     int      `json:"depth"`
	Nodes     []node   `json:"nodes"`
	Edges     []edge   `json:"edges"`
	In        []bridge `json:"in"`
	Out       []bridge `json:"out"`
	Extracted []string `json:"extracted"`
	Hidden    int      `json:"hidden"`
}

// world is the graph itself or the inside of an open call: where ids are told in one way, and
// edges stay.
type world struct {
	p    place
	root int32
	open map[int32]int // to its scope in the answer
}

// opened is a scope that the scene shows.
type opened struct {
	w     int   // its world
	node  int32 // its node in the hierarchy
	id    string
	depth int
	calls []string // functions whose scopes are all that is in it; node is the call then
}

const (
	shapesTold = 3    // of an edge
	shapesSeen = 64   // tensors of an edge that are looked at
	maxWorlds  = 200  // open calls
	sceneLimit = 5000 // nodes
)

// layout is which scopes are open.
type layout struct {
	worlds []world
	scopes []opened
	left   []string
	nodes  int // that the open scopes show
}

// open finds the scopes that expanded asks for, parents first, as long as limit nodes are not passed.
func (v *view) open(q *question, limit int) *layout {
	l := &layout{left: []string{}}
	want := set(q.Expanded)
	d := v.describer(&q.opt)
	l.worlds = append(l.worlds, world{root: hierarchy.Root, open: map[int32]int{}})
	l.scopes = append(l.scopes, opened{node: hierarchy.Root})
	l.nodes = int(v.Nodes[hierarchy.Root].Shown)
	for k := 0; k < len(l.scopes); k++ {
		s := l.scopes[k]
		if s.calls != nil {
			for _, name := range s.calls {
				id := s.id + "/" + name
				if f, ok := v.FunctionByName[name]; ok && want[id] {
					l.enter(v, f, id, s.depth+1, limit)
				}
			}
			continue
		}
		w := &l.worlds[s.w]
		w.open[s.node] = k
		p := w.p
		for _, c := range v.Kids(s.node) {
			n := &v.Nodes[c]
			if n.Host >= 0 {
				continue
			}
			id := p.id(n.ID)
			if !want[id] {
				continue
			}
			if n.Kind != hierarchy.Leaf {
				if l.nodes+int(n.Shown) > limit {
					l.left = append(l.left, id)
				} else {
					l.nodes += int(n.Shown)
					l.scopes = append(l.scopes, opened{w: s.w, node: c, id: id, depth: s.depth + 1})
				}
				continue
			}
			names := v.calls[n.Op]
			if len(names) == 0 || !q.opt.Functions || d.recursive(c, p) {
				continue
			}
			if len(names) > 1 {
				l.nodes += len(names)
				l.scopes = append(l.scopes, opened{w: s.w, node: c, id: id, depth: s.depth + 1, calls: names})
			} else if f, ok := v.FunctionByName[names[0]]; ok {
				l.enter(v, f, id, s.depth+1, limit)
			}
		}
	}
	return l
}

func (l *layout) enter(v *view, f int32, id string, depth, limit int) {
	if l.nodes+int(v.Nodes[f].Shown) > limit || len(l.worlds) >= maxWorlds {
		l.left = append(l.left, id)
		return
	}
	l.nodes += int(v.Nodes[f].Shown)
	l.worlds = append(l.worlds, world{p: place{id, v.Nodes[f].ID}, root: f, open: map[int32]int{}})
	l.scopes = append(l.scopes, opened{w: len(l.worlds) - 1, node: f, id: id, depth: depth})
}

// visible is the node that shows i in a world: i itself, or what it is closed into. -1 if i is
// elsewhere. A scope is open only if all around it are.
func (w *world) visible(v *view, i int32) int32 {
	if h := v.Nodes[i].Host; h >= 0 {
		i = h
	}
	for {
		p := v.Nodes[i].Parent
		if p < 0 {
			return -1
		}
		if _, ok := w.open[p]; ok {
			return i
		}
		i = p
	}
}

func (e *Explorer) scene(q *question) (any, error) {
	v := e.view(q)
	l := v.open(q, q.limit(sceneLimit, 100_000))
	d := v.describer(&q.opt)
	out := struct {
		Scopes []scope  `json:"scopes"`
		Nodes  int      `json:"nodes"`
		Edges  int      `json:"edges"`
		Left   []string `json:"left"`
	}{Left: l.left}
	main, aside := set(q.opt.Main), set(q.opt.Aside)
	for _, s := range l.scopes {
		sc := scope{ID: s.id, Depth: s.depth, Nodes: []node{}, Edges: []edge{}, In: []bridge{}, Out: []bridge{}, Extracted: []string{}}
		if s.calls != nil {
			for _, name := range s.calls {
				if f, ok := v.FunctionByName[name]; ok {
					n := d.describe(f, place{s.id + "/" + name, v.Nodes[f].ID})
					n.Open = l.has(n.ID)
					sc.Nodes = append(sc.Nodes, n)
				}
			}
		} else {
			d.fill(&sc, l, s, main, aside)
		}
		out.Nodes += len(sc.Nodes)
		out.Edges += len(sc.Edges)
		out.Scopes = append(out.Scopes, sc)
	}
	for w := range l.worlds {
		d.bridges(out.Scopes, &l.worlds[w])
	}
	return out, nil
}

func (l *layout) has(id string) bool {
	for _, s := range l.scopes {
		if s.id == id {
			return true
		}
	}
	return false
}

// fill describes the inside of a scope: its nodes, and its edges after the nodes of high degree
// have been taken out.
func (d *describer) fill(sc *scope, l *layout, s opened, main, aside map[string]bool) {
	v := d.v
	p := l.worlds[s.w].p
	index := map[int32]int{}
	openIDs := map[string]bool{}
	for _, x := range l.scopes {
		openIDs[x.id] = true
	}
	for _, c := range v.Kids(s.node) {
		if v.Nodes[c].Host >= 0 {
			continue
		}
		n := d.describe(c, p)
		n.Open = openIDs[n.ID]
		d.embedded(&n, c, p)
		index[c] = len(sc.Nodes)
		sc.Nodes = append(sc.Nodes, n)
	}
	ex := newExtraction(v, d.o, s.node, index)
	ex.run(p, main, aside)
	for i, side := range ex.side {
		if side != "" {
			sc.Nodes[i].Extracted = side
			sc.Extracted = append(sc.Extracted, sc.Nodes[i].ID)
		}
	}
	kind := func(other int) string {
		if ex.side[other] != "" {
			return "extracted"
		}
		return "elsewhere"
	}
	drawn := make([]hierarchy.Edge, 0, len(ex.edges))
	for k, e := range ex.edges {
		a, b := index[e.From], index[e.To]
		if ex.hidden[k] {
			sc.Hidden++
			d.annotate(&sc.Nodes[a].Out, &sc.Nodes[a].OutMore, d.annotation(e.To, p, kind(b)))
			d.annotate(&sc.Nodes[b].In, &sc.Nodes[b].InMore, d.annotation(e.From, p, kind(a)))
			continue
		}
		drawn = append(drawn, e)
	}
	back := cycles(drawn, index, len(sc.Nodes))
	for k, e := range drawn {
		x := edge{From: sc.Nodes[index[e.From]].ID, To: sc.Nodes[index[e.To]].ID, Count: e.N, Control: e.Control, Ref: e.Ref, Added: e.AddedN, Removed: e.RemovedN, Back: back[k]}
		x.Shapes, x.ShapesMore, x.Size = v.tensors(v.Base[e.First : e.First+e.N])
		sc.Edges = append(sc.Edges, x)
	}
}

// tensors tells the shapes that go along some edges.
func (v *view) tensors(base []hierarchy.BaseEdge) (shapes []string, more int, size float64) {
	for k := range base {
		if k >= shapesSeen {
			break
		}
		b := &base[k]
		if b.Control {
			continue
		}
		s := v.shapeAt(b.Src, b.Port)
		if s == "" {
			continue
		}
		n, _ := attr.Elements(s)
		size = max(size, n)
		known := false
		for _, t := range shapes {
			known = known || t == s
		}
		switch {
		case known:
		case len(shapes) < shapesTold:
			shapes = append(shapes, s)
		default:
			more++
		}
	}
	return shapes, more, size
}

// bridges finds the edges that leave or enter the open scopes of a world. An edge between two
// children of one scope costs one comparison; of others only the open scopes on the way count.
func (d *describer) bridges(scopes []scope, w *world) {
	v := d.v
	if len(w.open) <= 1 {
		return
	}
	type end struct {
		scope       int
		node, other int32
		out         bool
	}
	at := map[end]int{}
	add := func(e end, b *hierarchy.BaseEdge) {
		list := &scopes[e.scope].In
		if e.out {
			list = &scopes[e.scope].Out
		}
		k, ok := at[e]
		if !ok {
			k = len(*list)
			at[e] = k
			*list = append(*list, bridge{Node: w.p.id(v.Nodes[e.node].ID), Other: w.p.id(v.Nodes[e.other].ID)})
		}
		x := &(*list)[k]
		x.Count++
		if b.Control {
			x.Control++
			return
		}
		if x.Count > shapesSeen {
			return
		}
		shapes, _, size := v.tensors([]hierarchy.BaseEdge{*b})
		x.Size = max(x.Size, size)
		for _, s := range shapes {
			known := len(x.Shapes) >= shapesTold
			for _, t := range x.Shapes {
				known = known || t == s
			}
			if !known {
				x.Shapes = append(x.Shapes, s)
			}
		}
	}
	// side goes from one end up to the scope of both.
	side := func(x, top, other int32, out bool, b *hierarchy.BaseEdge) {
		seen := int32(-2)
		for x != top {
			p := v.Nodes[x].Parent
			if s, ok := w.open[p]; ok {
				if seen == -2 {
					seen = w.visible(v, other)
				}
				if seen >= 0 {
					add(end{s, x, seen, out}, b)
				}
			}
			x = p
		}
	}
	for s := range v.Nodes {
		if _, ok := w.open[int32(s)]; !ok {
			continue // what is joined in a closed scope crosses no open one
		}
		for _, e := range v.Inside(int32(s)) {
			_, fromOpen := w.open[e.From]
			_, toOpen := w.open[e.To]
			if !fromOpen && !toOpen {
				continue
			}
			for k := e.First; k < e.First+e.N; k++ {
				b := &v.Base[k]
				if fromOpen {
					side(b.From, e.From, b.To, true, b)
				}
				if toOpen {
					side(b.To, e.To, b.From, false, b)
				}
			}
		}
	}
}

// cycles says which of the edges go back to a node that they can be reached from, in a walk from
// the first nodes on. Without these there is no cycle.
func cycles(edges []hierarchy.Edge, index map[int32]int, n int) []bool {
	back := make([]bool, len(edges))
	start := make([]int32, n+1)
	for _, e := range edges {
		start[index[e.From]+1]++
	}
	for i := range n {
		start[i+1] += start[i]
	}
	out := make([]int32, len(edges))
	at := append([]int32(nil), start[:n]...)
	into := make([]bool, n)
	for k, e := range edges {
		f := index[e.From]
		out[at[f]] = int32(k)
		at[f]++
		into[index[e.To]] = true
	}
	const (
		fresh = iota
		within
		done
	)
	state := make([]uint8, n)
	copy(at, start[:n])
	for pass := 0; pass < 2; pass++ { // sources first, then what only cycles reach
		for r := range n {
			if state[r] != fresh || pass == 0 && into[r] {
				continue
			}
			stack := []int32{int32(r)}
			state[r] = within
			for len(stack) > 0 {
				x := stack[len(stack)-1]
				if at[x] == start[x+1] {
					state[x] = done
					stack = stack[:len(stack)-1]
					continue
				}
				k := out[at[x]]
				at[x]++
				to := int32(index[edges[k].To])
				switch state[to] {
				case fresh:
					state[to] = within
					stack = append(stack, to)
				case within:
					back[k] = true
				}
			}
		}
	}
	return back
}
