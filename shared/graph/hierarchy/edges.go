package hierarchy

import (
	"cmp"
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/graph/model"
)

// reference are the inputs that TensorBoard draws as references: the first one of these types.
func reference(op string, input int) bool {
	if input != 0 {
		return false
	}
	switch op {
	case "Assign", "AssignAdd", "AssignSub", "assign", "assign_add", "assign_sub", "count_up_to",
		"ScatterAdd", "ScatterSub", "ScatterUpdate", "scatter_add", "scatter_sub", "scatter_update":
		return true
	}
	return false
}

// base makes the edges and bundles them by the scope that both ends have in common.
func (h *builder) base() {
	g := h.G
	type placed struct {
		e        BaseEdge
		in       int32 // scope
		from, to int32
	}
	list := make([]placed, 0, len(g.Inputs))
	add := func(e BaseEdge) {
		if e.From == e.To {
			return
		}
		a, b := e.From, e.To
		da, db := h.Nodes[a].Depth, h.Nodes[b].Depth
		for da > db {
			a = h.Nodes[a].Parent
			da--
		}
		for db > da {
			b = h.Nodes[b].Parent
			db--
		}
		for h.Nodes[a].Parent != h.Nodes[b].Parent {
			a, b = h.Nodes[a].Parent, h.Nodes[b].Parent
		}
		if a != b {
			list = append(list, placed{e, h.Nodes[a].Parent, a, b})
		}
	}
	// Embedded nodes with many inputs and many readers could multiply them without bound.
	moved, mostMoved := 0, 4*len(g.Inputs)+100_000
	for i := range g.Nodes {
		if h.embed[i] {
			continue
		}
		to := h.Of[i]
		last := int32(-1)
		k := -1 // index among the inputs as TensorBoard counts them
		for _, e := range g.In(int32(i)) {
			if e.From == last && e.Mark == model.Same {
				continue
			}
			last = e.From
			k++
			if e.From < 0 {
				continue
			}
			base := BaseEdge{From: h.Of[e.From], To: to, Src: e.From, Port: e.Port, Control: e.Control, Ref: reference(g.Nodes[i].Op, k), Mark: e.Mark}
			if !h.embed[e.From] {
				add(base)
				continue
			}
			// What feeds an embedded node feeds the one that it is embedded in.
			prev := int32(-1)
			for _, f := range g.In(e.From) {
				if f.From < 0 || f.From == prev || f.From == int32(i) {
					continue
				}
				if prev = f.From; h.embed[f.From] {
					continue
				}
				if moved++; moved > mostMoved {
					if moved == mostMoved+1 {
						h.Losses.Add("too-many", -1, "More than %d edges lead through constants and summaries; the others are left out, to keep within memory.", mostMoved)
					}
					break
				}
				inner := base
				inner.From, inner.Src, inner.Port, inner.Control = h.Of[f.From], f.From, f.Port, f.Control || base.Control
				add(inner)
			}
		}
	}
	// By scope first (counting), then by the bundle within it.
	h.EdgeStart = make([]int32, len(h.Nodes)+1)
	for i := range list {
		h.EdgeStart[list[i].in+1]++
	}
	for i := range h.Nodes {
		h.EdgeStart[i+1] += h.EdgeStart[i]
	}
	at := append([]int32(nil), h.EdgeStart[:len(h.Nodes)]...)
	sorted := make([]int32, len(list))
	for i := range list {
		sorted[at[list[i].in]] = int32(i)
		at[list[i].in]++
	}
	h.Base = make([]BaseEdge, len(sorted))
	h.Edges = slices.Grow(h.Edges[:0], len(sorted)/2)
	starts := make([]int32, len(h.Nodes)+1)
	for s := range h.Nodes {
		starts[s] = int32(len(h.Edges))
		part := sorted[h.EdgeStart[s]:h.EdgeStart[s+1]]
		if len(part) == 0 {
			continue
		}
		if len(part) > 1 {
			slices.SortFunc(part, func(i, j int32) int {
				a, b := &list[i], &list[j]
				if a.from != b.from {
					return cmp.Compare(a.from, b.from)
				}
				return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(i, j))
			})
		}
		for k := range part {
			p := &list[part[k]]
			i := h.EdgeStart[s] + int32(k)
			h.Base[i] = p.e
			if k == 0 || h.Edges[len(h.Edges)-1].From != p.from || h.Edges[len(h.Edges)-1].To != p.to {
				h.Edges = append(h.Edges, Edge{From: p.from, To: p.to, First: i})
			}
			e := &h.Edges[len(h.Edges)-1]
			e.N++
			if p.e.Control {
				e.Control++
			}
			if p.e.Ref {
				e.Ref++
			}
			switch p.e.Mark {
			case model.Added:
				e.AddedN++
			case model.Removed:
				e.RemovedN++
			}
		}
	}
	starts[len(h.Nodes)] = int32(len(h.Edges))
	h.EdgeStart = starts
}

// mix is a step of a hash whose results may be added up.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

func hashString(s string) uint64 {
	v := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		v = (v ^ uint64(s[i])) * 1099511628211
	}
	return mix(v)
}

// prints gives every node its fingerprint: of an op its type, of a scope what is in it and how
// that is joined. It refines labels by their neighbours three times (Weisfeiler and Leman), which
// tells apart what TensorBoard's templates do (same counts, same degrees, same walk), and is equal
// for equal structures in all files. Embedded nodes do not count, as there.
func (h *builder) prints() {
	types := map[string]uint64{}
	for i := range h.Nodes {
		n := &h.Nodes[i]
		if n.Kind != Leaf {
			continue
		}
		op := h.G.Nodes[n.Op].Op
		v, ok := types[op]
		if !ok {
			v = hashString(op)
			types[op] = v
		}
		n.Print = v
	}
	label := make([]uint64, len(h.Nodes))
	sum := make([]uint64, len(h.Nodes))
	for k := len(h.Order) - 1; k >= 0; k-- {
		i := h.Order[k]
		n := &h.Nodes[i]
		if n.Kind == Leaf {
			continue
		}
		kids := h.Kids(i)
		for _, c := range kids {
			label[c] = h.Nodes[c].Print
		}
		inside := h.Inside(i)
		for round := 0; round < 3 && len(inside) > 0; round++ {
			for _, c := range kids {
				sum[c] = 0
			}
			for _, e := range inside {
				way := uint64(e.N)<<1 | 1
				if e.Control == e.N {
					way = uint64(e.N) << 33
				}
				sum[e.To] += mix(label[e.From] + way*0x9e3779b97f4a7c15)
				sum[e.From] += mix(label[e.To]^0x5851f42d4c957f2d) * (way | 1)
			}
			for _, c := range kids {
				label[c] = mix(label[c]*31 + sum[c])
			}
		}
		v, shown := uint64(0), uint64(0)
		for _, c := range kids {
			if h.Nodes[c].Host < 0 {
				v += mix(label[c])
				shown++
			}
		}
		n.Print = mix(v + shown*0x9e3779b97f4a7c15 + uint64(n.Kind)<<56)
	}
	h.repeat = make(map[uint64]int32, 64)
	for i := range h.Nodes {
		if h.Nodes[i].Kind != Leaf && i != Root {
			h.repeat[h.Nodes[i].Print]++
		}
	}
}
