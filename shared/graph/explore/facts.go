package explore

import (
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/graph/attr"
	"github.com/tensorbored/tensorbored-static/shared/graph/hierarchy"
	"github.com/tensorbored/tensorbored-static/shared/graph/model"
	"github.com/tensorbored/tensorbored-static/shared/graph/pb"
)

// shapesOf tells the outputs of the model's node i, as "float32[?,10]", as far as the graph or its
// statistics know.
func (v *view) shapesOf(i int32) []string {
	if s := v.shapes[i]; len(s) > 0 {
		return s
	}
	g := v.G
	n := &g.Nodes[i]
	if g.FormOf(i) == model.ONNX {
		return v.onnxShapes(i)
	}
	if n.Op == "input_arg" || n.Op == "output_arg" {
		t := ""
		pb.Each(g.Bytes(i), 0, func(x pb.Field) bool {
			if x.Int(3) {
				t = attr.Type(x.V)
			}
			return true
		})
		if t == "" {
			return nil
		}
		return []string{t}
	}
	var shapes, other []string
	typ, head := "", ""
	attr.Each(g, i, func(a attr.Attr) bool {
		switch a.Name {
		case "_output_shapes":
			shapes = a.Shapes()
		case "shape", "batch_shape":
			if a.Type == "shape" {
				other = a.Shapes()
			}
		case "dtype":
			typ = a.TypeName()
		case "T", "DstT", "output_type":
			if t := a.TypeName(); t != "" && (typ == "" || a.Name != "T") {
				typ = t
			}
		case "value":
			if a.Type == "tensor" {
				head = a.Piece(1<<40, 16).Head
			}
		}
		return true
	})
	if head != "" {
		return []string{head}
	}
	if shapes == nil {
		shapes = other
	}
	if n.Op == "VarHandleOp" && len(other) > 0 {
		shapes = other
	}
	out := make([]string, len(shapes))
	for k, s := range shapes {
		out[k] = typ + s
	}
	return out
}

func (v *view) onnxShapes(i int32) (out []string) {
	g := v.G
	b := g.Bytes(i)
	switch g.Nodes[i].Kind {
	case model.Parameter:
		return []string{attr.TensorHead(b, true)}
	case model.Input, model.Output:
		if s := attr.ONNXShape(b, true); s != "" {
			return []string{s}
		}
		return nil
	}
	values, data := g.Values, g.Data
	if values == nil && g.After != nil {
		values, data = g.After.Values, g.After.Data
		if g.Nodes[i].Side == 1 {
			values, data = g.Before.Values, g.Before.Data
		}
	}
	pb.Each(b, 0, func(x pb.Field) bool {
		if x.Is(2) {
			s := ""
			if r, ok := values[string(x.Body)]; ok && r.Off >= 0 && r.Off+r.Len <= len(data) {
				s = attr.ONNXShape(data[r.Off:r.Off+r.Len], true)
			}
			out = append(out, s)
		}
		return true
	})
	for _, s := range out {
		if s != "" {
			return out
		}
	}
	return nil
}

func (v *view) shapeAt(i, port int32) string {
	if s := v.shapesOf(i); port >= 0 && int(port) < len(s) {
		return s[port]
	}
	return ""
}

// xla is the cluster of a node.
func (v *view) xla(i int32) string {
	if v.G.FormOf(i) == model.ONNX {
		return ""
	}
	if a, ok := attr.Find(v.G, i, "_XlaCluster"); ok {
		return a.Text()
	}
	return ""
}

// deviceOf is the full device of a node: the one that it ran on, or that it asks for.
func (v *view) deviceOf(i int32) string {
	if d := v.G.Nodes[i].Device; d != "" || v.device == nil {
		return d
	}
	return v.device[i]
}

// own are the parameters that a node itself holds.
func (v *view) own(i int32) float64 {
	n := &v.G.Nodes[i]
	shape := ""
	switch {
	case n.Kind == model.Variable:
		for _, name := range []string{"shape", "_output_shapes"} {
			if a, ok := attr.Find(v.G, i, name); ok {
				if s := a.Shapes(); len(s) > 0 {
					shape = s[0]
					break
				}
			}
		}
	case n.Kind == model.Layer:
		if a, ok := attr.Find(v.G, i, attr.Parameters); ok {
			return float64(a.Int())
		}
	case n.Kind == model.Parameter:
		shape = attr.TensorHead(v.G.Bytes(i), true)
	case n.Op == "prim::GetAttr":
		if s := v.shapesOf(i); len(s) > 0 {
			shape = s[0]
		}
	}
	if shape == "" {
		return 0
	}
	if p, exact := attr.Elements(shape); exact {
		return p
	}
	return 0
}

// sum adds a value of leaves up the hierarchy.
func (v *view) sum(of func(op int32) float64) []float64 {
	out := make([]float64, len(v.Nodes))
	for k := len(v.Order) - 1; k >= 0; k-- {
		i := v.Order[k]
		n := &v.Nodes[i]
		if n.Op >= 0 {
			out[i] += of(n.Op)
		}
		if n.Parent >= 0 {
			out[n.Parent] += out[i]
		}
	}
	return out
}

func (v *view) parameters() []float64 {
	if v.param == nil {
		v.param = v.sum(v.own)
	}
	return v.param
}

func (v *view) timeOf(i int32) float64 {
	if v.time == nil {
		return 0
	}
	if v.times == nil {
		v.times = v.sum(func(op int32) float64 { return float64(v.time[op]) })
	}
	return v.times[i]
}

func (v *view) memoryOf(i int32) float64 {
	if v.memory == nil {
		return 0
	}
	if v.bytes == nil {
		v.bytes = v.sum(func(op int32) float64 { return v.memory[op] })
	}
	return v.bytes[i]
}

// place is where a node is met: in the graph itself, or inside a call, where the function's id is
// replaced by that of the call.
type place struct {
	call, function string // ids; both empty in the graph itself
}

func (p place) id(id string) string {
	if p.function == "" || len(id) < len(p.function) {
		return id
	}
	return p.call + id[len(p.function):]
}

const maxCalls = 64 // calls inside calls that can be opened

// find finds a node by id, also inside calls.
func (v *view) find(id string) (i int32, p place, err error) {
	whole := id
	for depth := 0; depth < maxCalls; depth++ {
		if i, ok := v.ByID(id); ok {
			return i, p, nil
		}
		// The longest beginning that is a call.
		for at := len(id) - 1; ; at-- {
			at = strings.LastIndexByte(id[:at+1], '/')
			if at <= 0 {
				return 0, p, unknownID(whole)
			}
			c, ok := v.ByID(id[:at])
			if !ok || v.Nodes[c].Kind != hierarchy.Leaf {
				continue
			}
			names := v.calls[v.Nodes[c].Op]
			if len(names) == 0 {
				continue
			}
			rest, call := id[at:], p.id(id[:at])
			if len(names) > 1 {
				found := false
				for _, name := range names {
					if rest == "/"+name || strings.HasPrefix(rest, "/"+name+"/") {
						call, rest, names, found = call+"/"+name, rest[1+len(name):], []string{name}, true
						break
					}
				}
				if !found {
					return 0, p, unknownID(whole)
				}
			}
			f, ok := v.FunctionByName[names[0]]
			if !ok {
				return 0, p, unknownID(whole)
			}
			fid := v.Nodes[f].ID
			p = place{call, fid}
			id = fid + rest
			break
		}
	}
	return 0, p, unknownID(whole)
}

// leaves calls f for each op inside a node of the hierarchy.
func (v *view) leaves(i int32, f func(op int32)) {
	stack := []int32{i}
	for len(stack) > 0 {
		k := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n := &v.Nodes[k]; n.Op >= 0 {
			f(n.Op)
		}
		kids := v.Kids(k)
		for c := len(kids) - 1; c >= 0; c-- {
			stack = append(stack, kids[c])
		}
	}
}
