package read

import (
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/graph/model"
	"github.com/tensorbored/tensorbored-static/shared/graph/pb"
)

// An ONNX ModelProto (onnx/onnx.proto; fields by number). Its edges are values by name: a node's
// outputs name values, inputs of others use these names. Initialisers and the graph's inputs and
// outputs become nodes. A subgraph, in an attribute of If, Loop or Scan, sees the values around
// it; its nodes stand under their node, as node/attribute/…. Functions of the model are a library.
//
// PyTorch's exporter names nodes /features/features.0/Conv: the slash in front is left out.

type onnxReader struct {
	*builder
	todo []subgraph
}

// scope are the values that a graph's nodes may use.
type scope struct {
	values map[string]model.Edge
	up     *scope
	depth  int
}

const maxGraphs = 64 // subgraphs within each other

func (s *scope) find(name string) (model.Edge, bool) {
	for ; s != nil; s = s.up {
		if e, ok := s.values[name]; ok {
			return e, true
		}
	}
	return model.Edge{}, false
}

type subgraph struct {
	x     pb.Field
	path  string
	scope *scope
	fn    int32
	outer int32 // the node whose attribute it is; -1 of the model's graph
}

// wanted is an input of a node, by name.
type wanted struct {
	node  int32
	names []string
	scope *scope
}

func onnx(f *model.File, b []byte) {
	r := &onnxReader{builder: newBuilder(f, b, model.ONNX, "")}
	r.g.Values = map[string]model.Range{}
	var graph pb.Field
	var functions []pb.Field
	at := pb.Each(b, 0, func(x pb.Field) bool {
		switch {
		case x.Is(7):
			graph = x
		case x.Is(25):
			functions = append(functions, x)
		case x.Int(1):
			r.g.Producer = int(int32(x.V))
		}
		return true
	})
	var wants []wanted
	r.begin(-1, 0)
	r.todo = append(r.todo, subgraph{x: graph, outer: -1, fn: -1})
	for len(r.todo) > 0 {
		s := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		wants = r.graph(s, wants)
	}
	r.link(wants)
	for _, x := range functions {
		r.onnxFunction(x)
	}
	if at != pb.Whole {
		torn(f, at, "an ONNX model")
	}
	r.f.Graphs = append(r.f.Graphs, r.g)
}

// graph reads a GraphProto.
func (r *onnxReader) graph(s subgraph, wants []wanted) []wanted {
	sc := &scope{values: map[string]model.Edge{}, up: s.scope}
	if s.scope != nil {
		sc.depth = s.scope.depth + 1
	}
	prefix := s.path
	type tensor struct {
		name string
		x    pb.Field
	}
	var inits, ins, outs []tensor
	var nodes []pb.Field
	at := pb.Each(s.x.Body, s.x.Off, func(x pb.Field) bool {
		if x.Torn && !x.Is(1) {
			return false
		}
		switch {
		case x.Is(1):
			if !x.Torn {
				nodes = append(nodes, x)
			}
		case x.Is(2) && s.outer < 0:
			r.g.Name = string(x.Body)
		case x.Is(5):
			inits = append(inits, tensor{stringAt(x, 8), x})
		case x.Is(11):
			ins = append(ins, tensor{stringAt(x, 1), x})
		case x.Is(12):
			outs = append(outs, tensor{stringAt(x, 1), x})
		case x.Is(13):
			r.g.Values[stringAt(x, 1)] = model.Range{Off: x.Off, Len: len(x.Body)}
		}
		return true
	})
	if at != pb.Whole && s.outer < 0 && !s.x.Torn {
		torn(r.f, at, "a graph")
	}
	for _, t := range inits {
		i := r.put(model.Node{Name: t.name, Path: prefix + t.name, Op: "Initializer", Kind: model.Parameter, Raw: rangeOf(t.x)})
		sc.values[t.name] = model.Edge{From: i}
	}
	for _, t := range ins {
		r.g.Values[t.name] = rangeOf(t.x)
		if _, ok := sc.values[t.name]; ok {
			continue // an input with a default, as the first versions wrote all initialisers
		}
		i := r.put(model.Node{Name: t.name, Path: prefix + t.name, Op: "Input", Kind: model.Input, Raw: rangeOf(t.x)})
		sc.values[t.name] = model.Edge{From: i}
	}
	for k, x := range nodes {
		w, subs := r.onnxNode(x, prefix, sc, k)
		wants = append(wants, w)
		for _, sub := range subs {
			if sc.depth >= maxGraphs {
				r.f.Losses.Add("too-deep", sub.x.Start, "A graph within %d others is left out.", maxGraphs)
				continue
			}
			r.todo = append(r.todo, sub)
		}
	}
	for _, t := range outs {
		r.g.Values[t.name] = rangeOf(t.x)
		i := r.put(model.Node{Name: t.name, Path: prefix + t.name, Op: "Output", Kind: model.Output, Raw: rangeOf(t.x)})
		wants = append(wants, wanted{i, []string{t.name}, sc})
	}
	return wants
}

func rangeOf(x pb.Field) model.Range { return model.Range{Off: x.Off, Len: len(x.Body)} }

// put appends a node; names of values are no names of nodes, so equal ones are no fault.
func (r *onnxReader) put(n model.Node) int32 {
	n.Func = r.fn
	n.Path = model.Clean(strings.TrimPrefix(n.Path, "/"))
	if n.Path == "" {
		n.Path = n.Op
	}
	if len(r.g.Nodes) >= maxNodes {
		r.f.Losses.Add("too-many", n.Raw.Off, "The model has more than %d nodes; the others are left out, to keep within memory.", maxNodes)
		return maxNodes - 1
	}
	r.g.Nodes = append(r.g.Nodes, n)
	return int32(len(r.g.Nodes) - 1)
}

// onnxNode reads a NodeProto, the k-th of its graph.
func (r *onnxReader) onnxNode(x pb.Field, prefix string, sc *scope, k int) (w wanted, subs []subgraph) {
	n := model.Node{Raw: rangeOf(x)}
	var outs []string
	at := pb.Each(x.Body, x.Off, func(y pb.Field) bool {
		switch {
		case y.Is(1):
			w.names = append(w.names, string(y.Body))
		case y.Is(2):
			outs = append(outs, string(y.Body))
		case y.Is(3):
			n.Name = string(y.Body)
		case y.Is(4):
			n.Op = r.same(y.Body)
		}
		return true
	})
	if at != pb.Whole {
		damaged(r.f, x.Start, "A node "+model.Quote(n.Name))
	}
	if n.Op == "Constant" {
		n.Kind = model.Constant
	}
	if n.Name == "" {
		n.Name = n.Op + "_" + strconv.Itoa(k)
	}
	path := n.Name
	if !strings.HasPrefix(path, prefix) {
		path = prefix + strings.TrimPrefix(path, "/")
	}
	n.Path = path
	i := r.put(n)
	w.node, w.scope = i, sc
	for port, o := range outs {
		if o != "" {
			sc.values[o] = model.Edge{From: i, Port: int32(port)}
		}
	}
	pb.Each(x.Body, x.Off, func(y pb.Field) bool {
		if !y.Is(5) {
			return true
		}
		name := ""
		pb.Each(y.Body, y.Off, func(z pb.Field) bool {
			switch {
			case z.Is(1):
				name = string(z.Body)
			case z.Is(6), z.Is(11):
				subs = append(subs, subgraph{x: z, path: strings.TrimPrefix(path, "/") + "/" + name + "/", scope: sc, outer: i, fn: r.fn})
			}
			return true
		})
		return true
	})
	return w, subs
}

// link finds the values that the inputs name.
func (r *onnxReader) link(wants []wanted) {
	for _, w := range wants {
		n := &r.g.Nodes[w.node]
		n.In0 = int32(len(r.g.Inputs))
		for _, name := range w.names {
			if name == "" { // an input that was left out
				continue
			}
			e, ok := w.scope.find(name)
			if !ok || e.From == w.node {
				e.From = -1
				r.missing(w.node, name, n.Raw.Off)
			}
			r.g.Inputs = append(r.g.Inputs, e)
			if ok && e.From >= 0 {
				if p := &r.g.Nodes[e.From]; p.Kind == model.Parameter && !strings.Contains(p.Path, "/") {
					// An initialiser stands in the scope of its first reader.
					if d := strings.LastIndexByte(n.Path, '/'); d > 0 {
						p.Path = n.Path[:d+1] + model.Clean(p.Name)
					}
				}
			}
		}
		n.InN = int32(len(r.g.Inputs)) - n.In0
	}
}

// onnxFunction reads a FunctionProto.
func (r *onnxReader) onnxFunction(x pb.Field) {
	fn := model.Function{Name: model.Clean(stringAt(x, 1)), First: int32(len(r.g.Nodes)), Raw: rangeOf(x)}
	r.fn = int32(len(r.g.Functions))
	sc := &scope{values: map[string]model.Edge{}}
	var wants []wanted
	var outs []string
	k := 0
	pb.Each(x.Body, x.Off, func(y pb.Field) bool {
		if y.Is(4) && !y.Torn {
			name := string(y.Body)
			sc.values[name] = model.Edge{From: r.put(model.Node{Name: name, Path: name, Op: "Input", Kind: model.Input})}
		}
		return true
	})
	pb.Each(x.Body, x.Off, func(y pb.Field) bool {
		switch {
		case y.Torn:
		case y.Is(5):
			outs = append(outs, string(y.Body))
		case y.Is(7):
			w, subs := r.onnxNode(y, "", sc, k)
			k++
			wants = append(wants, w)
			r.todo = append(r.todo, subs...)
		}
		return true
	})
	for len(r.todo) > 0 {
		s := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		if s.scope.depth < maxGraphs {
			wants = r.graph(s, wants)
		}
	}
	for _, name := range outs {
		wants = append(wants, wanted{r.put(model.Node{Name: name, Path: name, Op: "Output", Kind: model.Output}), []string{name}, sc})
	}
	r.link(wants)
	fn.Last = int32(len(r.g.Nodes))
	r.g.Functions = append(r.g.Functions, fn)
}

// stringAt is the string in field num of a message.
func stringAt(x pb.Field, num int32) (s string) {
	pb.Each(x.Body, x.Off, func(y pb.Field) bool {
		if int32(y.Num) == num && y.Is(y.Num) {
			s = string(y.Body)
		}
		return true
	})
	return s
}
