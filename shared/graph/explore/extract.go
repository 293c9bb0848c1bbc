package explore

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/graph/hierarchy"
)

// extraction takes nodes out of the picture of one scope by TensorBoard's rules
// (tensorboard/plugins/graph/tf_graph_common/render.ts, extractHighDegrees):
//
//   - what the user set aside;
//   - NoOps, and scopes whose op of the same name is one: sinks;
//   - in scopes of 15 nodes or more, those whose inputs from others are above the third quartile
//     by more than one quartile distance, and at least 5; for outputs by more than four of them;
//   - where a node has more than 4 control edges, these are not drawn.
//
// A node that has lost all its edges so stands aside; one that has annotations on one side only
// and no edge, too.
type extraction struct {
	v      *view
	o      *options
	scope  int32
	nodes  []int32
	edges  []hierarchy.Edge
	hidden []bool
	at     [][]int32 // edges by node
	side   []string
	in     []bool
	out    []bool
	index  map[int32]int
}

func newExtraction(v *view, o *options, s int32, index map[int32]int) *extraction {
	x := &extraction{v: v, o: o, scope: s, index: index, edges: v.Inside(s)}
	n := len(index)
	x.nodes, x.at, x.side = make([]int32, n), make([][]int32, n), make([]string, n)
	x.in, x.out = make([]bool, n), make([]bool, n)
	for c, i := range index {
		x.nodes[i] = c
	}
	x.hidden = make([]bool, len(x.edges))
	for k, e := range x.edges {
		a, b := index[e.From], index[e.To]
		x.at[a] = append(x.at[a], int32(k))
		x.at[b] = append(x.at[b], int32(k))
	}
	return x
}

// take hides all edges of node i.
func (x *extraction) take(i int, side string) {
	for _, k := range x.at[i] {
		x.hidden[k] = true
	}
	if side == "in" {
		x.in[i] = true
	} else {
		x.out[i] = true
	}
}

func (x *extraction) degree(i int) (n int) {
	for _, k := range x.at[i] {
		if !x.hidden[k] {
			n++
		}
	}
	return n
}

// regular reports whether an edge carries a tensor.
func regular(e *hierarchy.Edge) bool { return e.N > e.Control }

func (x *extraction) run(p place, main, aside map[string]bool) {
	v := x.v
	if k := v.Nodes[x.scope].Kind; k != hierarchy.Scope && k != hierarchy.Function {
		return
	}
	fixed := make([]bool, len(x.nodes)) // the user or the rules have decided
	for i, c := range x.nodes {
		id := p.id(v.Nodes[c].ID)
		switch {
		case v.Nodes[c].Kind == hierarchy.Library:
			fixed[i] = true
		case aside[id]:
			fixed[i] = true
			ins, outs := 0, 0
			for _, k := range x.at[i] {
				if x.edges[k].From == c {
					outs++
				} else {
					ins++
				}
			}
			side := "in"
			if outs > ins {
				side = "out"
			}
			x.take(i, side)
			x.side[i] = side
		case main[id]:
			fixed[i] = true
		}
	}
	if x.o.Extract {
		for i, c := range x.nodes {
			if !fixed[i] && x.sink(c) {
				x.take(i, "out")
				x.side[i] = "out"
				fixed[i] = true
			}
		}
		x.high(fixed)
	}
	if x.o.ControlDegree > 0 {
		x.control()
	}
	if !x.o.Extract {
		return
	}
	for i := range x.nodes {
		if fixed[i] || x.degree(i) > 0 {
			continue
		}
		switch {
		case x.in[i]:
			x.side[i] = "in"
		case x.out[i]:
			x.side[i] = "out"
		default:
			ins, outs := x.annotations(i)
			if outs && !ins {
				x.side[i] = "in"
			} else if ins && !outs {
				x.side[i] = "out"
			}
		}
	}
}

// annotations says on which sides a node without edges has annotations.
func (x *extraction) annotations(i int) (ins, outs bool) {
	for _, k := range x.at[i] {
		if x.edges[k].From == x.nodes[i] {
			outs = true
		} else {
			ins = true
		}
	}
	var n node
	d := describer{v: x.v, o: x.o}
	d.embedded(&n, x.nodes[i], place{})
	return ins || len(n.In)+n.InMore > 0, outs || len(n.Out)+n.OutMore > 0
}

// sink: NoOp, and a scope whose op of its own name is one.
func (x *extraction) sink(c int32) bool {
	v := x.v
	n := &v.Nodes[c]
	if n.Op >= 0 {
		return v.G.Nodes[n.Op].Op == "NoOp"
	}
	if n.Kind != hierarchy.Scope {
		return false
	}
	if r, ok := v.ByID(n.ID + "/(" + n.ID[strings.LastIndexByte(n.ID, '/')+1:] + ")"); ok && v.Nodes[r].Op >= 0 {
		return v.G.Nodes[v.Nodes[r].Op].Op == "NoOp"
	}
	return false
}

func (x *extraction) high(fixed []bool) {
	type degree struct{ node, n int }
	var ins, outs []degree
	for i, c := range x.nodes {
		if fixed[i] {
			continue
		}
		var in, out, allIn, allOut int
		for _, k := range x.at[i] {
			if x.hidden[k] {
				continue
			}
			e := &x.edges[k]
			if e.To == c {
				allIn++
				if regular(e) {
					in++
				}
			} else {
				allOut++
				if regular(e) {
					out++
				}
			}
		}
		if in == 0 {
			in = allIn
		}
		if out == 0 {
			out = allOut
		}
		ins, outs = append(ins, degree{i, in}), append(outs, degree{i, out})
	}
	n := len(ins)
	if n < x.o.ExtractFrom || n == 0 {
		return
	}
	q1, q3 := min(n-1, int(math.Floor(float64(n)*0.25+0.5))), min(n-1, int(math.Floor(float64(n)*0.75+0.5)))
	by := func(a, b degree) int { return cmp.Compare(a.n, b.n) }
	slices.SortStableFunc(ins, by)
	bound := max(ins[q3].n+ins[q3].n-ins[q1].n, x.o.InDegree-1)
	for i := n - 1; i >= 0 && ins[i].n > bound; i-- {
		x.take(ins[i].node, "in")
	}
	slices.SortStableFunc(outs, by)
	bound = max(outs[q3].n+(outs[q3].n-outs[q1].n)*4, x.o.OutDegree-1)
	for i := n - 1; i >= 0 && outs[i].n > bound; i-- {
		if !x.in[outs[i].node] {
			x.take(outs[i].node, "out")
		}
	}
}

// control hides the control edges of nodes that have many.
func (x *extraction) control() {
	count := make([]int, len(x.nodes))
	for k := range x.edges {
		if e := &x.edges[k]; !x.hidden[k] && !regular(e) {
			count[x.index[e.From]]++
			count[x.index[e.To]]++
		}
	}
	for k := range x.edges {
		if e := &x.edges[k]; !x.hidden[k] && !regular(e) && (count[x.index[e.From]] > x.o.ControlDegree || count[x.index[e.To]] > x.o.ControlDegree) {
			x.hidden[k] = true
		}
	}
}
