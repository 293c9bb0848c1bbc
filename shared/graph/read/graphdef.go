package read

import (
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/tensorbored/tensorbored-static/shared/graph/model"
	"github.com/tensorbored/tensorbored-static/shared/graph/pb"
)

// part is a GraphDef in a file: its body, where that begins, and what its names are prefixed with.
type part struct {
	body   []byte
	base   int
	prefix string
}

// builder reads nodes of TensorFlow into a graph.
type builder struct {
	f      *model.File
	g      *model.Graph
	intern map[string]string
	last   [2]string    // what was interned last: types, devices
	byName *model.Index // of the graph or function that is read
	feeds  []feed       // by node since first: where its inputs stand
	first  int32        // its first node
	fn     int32
}

func newBuilder(f *model.File, data []byte, form model.Form, name string) *builder {
	return &builder{f: f, g: &model.Graph{Name: name, Form: form, Data: data}, intern: map[string]string{}, fn: -1}
}

// feed is the part of a node's message in which its inputs stand, as offsets in the file.
type feed struct{ from, to int }

// text is b as a string that is no copy: what is read stays in memory, and nothing changes it.
func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// again is same for what is often what it was the last time.
func (r *builder) again(which int, b []byte) string {
	if string(b) != r.last[which] {
		r.last[which] = r.same(b)
	}
	return r.last[which]
}

// same returns one string for all equal ones.
func (r *builder) same(b []byte) string {
	if s, ok := r.intern[string(b)]; ok {
		return s
	}
	s := model.Clean(string(b))
	r.intern[string(b)] = s
	return s
}

// graphDef reads one GraphDef, or several into one as TensorBoard merges those of a trace: the
// names of each begin with its prefix. data is the file that the parts are in.
func graphDef(f *model.File, data []byte, parts []part, form model.Form, name string) *model.Graph {
	r := newBuilder(f, data, form, name)
	count := 0
	for _, p := range parts {
		pb.Each(p.body, p.base, func(x pb.Field) bool {
			if x.Is(1) && len(x.Body) > 4 {
				count++
			}
			return count < 1<<17
		})
	}
	r.g.Nodes = make([]model.Node, 0, count)
	r.g.Inputs = make([]model.Edge, 0, count+count/2)
	for _, p := range parts {
		var libraries []pb.Field
		r.begin(-1, count)
		at := pb.Each(p.body, p.base, func(x pb.Field) bool {
			switch {
			case x.Is(1):
				r.node(x, p.prefix)
			case x.Is(2):
				libraries = append(libraries, x)
				r.g.Library = append(r.g.Library, model.Range{Off: x.Off, Len: len(x.Body)})
			case x.Is(4):
				r.g.Versions = model.Range{Off: x.Off, Len: len(x.Body)}
				pb.Each(x.Body, x.Off, func(y pb.Field) bool {
					if y.Int(1) {
						r.g.Producer = int(int32(y.V))
					}
					return true
				})
			}
			return true
		})
		if at != pb.Whole {
			torn(f, at, "a graph")
		}
		r.resolve(p.prefix)
		for _, l := range libraries {
			pb.Each(l.Body, l.Off, func(x pb.Field) bool {
				if x.Is(1) {
					r.function(x, p.prefix)
				}
				return true
			})
		}
	}
	return r.g
}

// maxNodes is how many nodes of a graph are read: with these it takes half a gigabyte.
const (
	maxNodes = 2 << 20
	maxEdges = 16 << 20
)

// begin starts a graph (-1) or a function of about so many nodes.
func (r *builder) begin(fn int32, room int) {
	r.fn, r.first, r.feeds = fn, int32(len(r.g.Nodes)), r.feeds[:0]
	nodes := &r.g.Nodes
	r.byName = model.NewIndex(room, func(i, _ int32, name string) bool { return (*nodes)[i].Name == name })
}

// add appends a node and gives it to its name, unless another has it.
func (r *builder) add(n model.Node, at int) int32 {
	i := int32(len(r.g.Nodes))
	n.Func = r.fn
	if !utf8.ValidString(n.Name) {
		n.Path = model.Clean(n.Name)
	}
	r.g.Nodes = append(r.g.Nodes, n)
	if _, ok := r.byName.Claim(0, n.Name, i); !ok {
		r.f.Losses.Add("duplicate", at, "Two nodes have the name %s. Both are shown; edges go to the first.", model.Quote(n.Name))
	}
	return i
}

// node reads a NodeDef.
func (r *builder) node(x pb.Field, prefix string) {
	if x.Torn {
		return // the loss is told by whoever met the end
	}
	n := model.Node{Raw: model.Range{Off: x.Off, Len: len(x.Body)}}
	named, in := false, feed{}
	at := pb.Each(x.Body, x.Off, func(y pb.Field) bool {
		switch {
		case y.Is(1):
			n.Name, named = text(y.Body), true
		case y.Is(2):
			n.Op = r.again(0, y.Body)
		case y.Is(3):
			if in.to == 0 {
				in.from = y.Start
			}
			in.to = y.Off + len(y.Body)
		case y.Is(4):
			n.Device = r.again(1, y.Body)
		}
		return true
	})
	if at != pb.Whole {
		what := "A node"
		if named {
			what = "The node " + model.Quote(n.Name)
		}
		damaged(r.f, at, what)
		return
	}
	if n.Name == "" && n.Op == "" {
		damaged(r.f, x.Start, "A node without name and type")
		return
	}
	if len(r.g.Nodes) >= maxNodes {
		r.f.Losses.Add("too-many", x.Start, "The graph has more than %d nodes; the others are left out, to keep within memory.", maxNodes)
		return
	}
	if prefix != "" {
		n.Name = prefix + n.Name
	}
	n.Kind = model.KindOf(n.Op)
	if n.Op == "IO Node" { // PyTorch's inputs and outputs
		if n.Kind = model.Input; strings.HasPrefix(n.Name, "output/") || strings.HasPrefix(n.Name, "output.") {
			n.Kind = model.Output
		}
	}
	i := r.add(n, x.Start)
	for int(i-r.first) > len(r.feeds) { // nodes that are no NodeDefs have none
		r.feeds = append(r.feeds, feed{})
	}
	r.feeds = append(r.feeds, in)
}

// resolve finds what the inputs of the nodes since begin name.
func (r *builder) resolve(prefix string) {
	var key []byte
	for i := r.first; i < int32(len(r.g.Nodes)); i++ {
		n := &r.g.Nodes[i]
		n.In0 = int32(len(r.g.Inputs))
		if int(i-r.first) >= len(r.feeds) || r.feeds[i-r.first].to == 0 {
			continue
		}
		in := r.feeds[i-r.first]
		pb.Each(r.g.Data[in.from:in.to], in.from, func(y pb.Field) bool {
			if !y.Is(3) {
				return true
			}
			name, port, control := cutInput(y.Body)
			from, ok := int32(0), false
			if len(name) != len(y.Body) && !control { // a name may have a colon in it
				if from, ok = r.find(prefix, y.Body, &key); ok {
					port = 0
				}
			}
			if !ok {
				from, ok = r.find(prefix, name, &key)
			}
			e := model.Edge{From: from, Port: port, Control: control}
			if control {
				e.Port = -1
			}
			if !ok {
				e.From = -1
				r.missing(i, string(y.Body), y.Start)
			}
			if len(r.g.Inputs) >= maxEdges {
				r.f.Losses.Add("too-many", y.Start, "The graph has more than %d edges; the others are left out, to keep within memory.", maxEdges)
				return false
			}
			r.g.Inputs = append(r.g.Inputs, e)
			return true
		})
		n.InN = int32(len(r.g.Inputs)) - n.In0
	}
}

// find finds a node by the name that an input has; room is for what stands before it.
func (r *builder) find(prefix string, name []byte, room *[]byte) (int32, bool) {
	if prefix != "" {
		*room = append(append((*room)[:0], prefix...), name...)
		name = *room
	}
	return r.byName.Find(0, text(name))
}

func (r *builder) missing(node int32, input string, at int) {
	if op := r.g.Nodes[node].Op; op == "prim::GetAttr" {
		return // PyTorch writes the module that it takes a parameter of, which is no node
	}
	r.g.Missing = append(r.g.Missing, model.Missing{Node: node, Input: input})
	r.f.Losses.Add("missing-input", at, "The node %s has the input %s, which names no node. The edge is left out.", model.Quote(r.g.Nodes[node].Name), model.Quote(input))
}

// cutInput takes apart "name", "name:port", "name:output:port" and "^name".
func cutInput(b []byte) (name []byte, port int32, control bool) {
	if len(b) > 0 && b[0] == '^' {
		return b[1:], 0, true
	}
	i := len(b)
	for i > 0 && b[i-1] >= '0' && b[i-1] <= '9' {
		i--
	}
	if i == len(b) || i == 0 || b[i-1] != ':' {
		return b, 0, false
	}
	for _, c := range b[i:] {
		if port < 1<<24 {
			port = port*10 + int32(c-'0')
		}
	}
	name = b[:i-1]
	for j := len(name) - 1; j > 0; j-- { // the name of the output, of nodes in functions
		c := name[j]
		if c == ':' {
			return name[:j], port, false
		}
		if c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			break
		}
	}
	return name, port, false
}

// function reads a FunctionDef: its inputs become nodes, as do its outputs where no node has
// their name.
func (r *builder) function(x pb.Field, prefix string) {
	fn := model.Function{First: int32(len(r.g.Nodes)), Raw: model.Range{Off: x.Off, Len: len(x.Body)}}
	var sig pb.Field
	if at := pb.Each(x.Body, x.Off, func(y pb.Field) bool {
		if y.Is(1) {
			sig = y
		}
		return true
	}); at != pb.Whole && sig.Body == nil {
		return
	}
	type arg struct {
		name string
		raw  pb.Field
	}
	var ins, outs []arg
	pb.Each(sig.Body, sig.Off, func(y pb.Field) bool {
		switch {
		case y.Is(1):
			fn.Name = model.Clean(string(y.Body))
		case y.Is(2), y.Is(3):
			a := arg{raw: y}
			pb.Each(y.Body, y.Off, func(z pb.Field) bool {
				if z.Is(1) {
					a.name = string(z.Body)
				}
				return true
			})
			if y.Num == 2 {
				ins = append(ins, a)
			} else {
				outs = append(outs, a)
			}
		}
		return true
	})
	if prefix != "" {
		fn.Name = strings.TrimSuffix(prefix, "/") + "_" + fn.Name
	}
	r.begin(int32(len(r.g.Functions)), 0)
	for _, a := range ins {
		r.add(model.Node{Name: a.name, Op: "input_arg", Kind: model.Input, Raw: model.Range{Off: a.raw.Off, Len: len(a.raw.Body)}}, a.raw.Start)
	}
	rets := map[string]pb.Field{}
	pb.Each(x.Body, x.Off, func(y pb.Field) bool {
		switch {
		case y.Is(3):
			r.node(y, "")
		case y.Is(4):
			var k string
			var v pb.Field
			pb.Each(y.Body, y.Off, func(z pb.Field) bool {
				if z.Is(1) {
					k = string(z.Body)
				} else if z.Is(2) {
					v = z
				}
				return true
			})
			rets[k] = v
		}
		return true
	})
	r.resolve("")
	for _, a := range outs {
		ret, ok := rets[a.name]
		if _, taken := r.byName.Find(0, a.name); taken || !ok {
			continue
		}
		i := r.add(model.Node{Name: a.name, Op: "output_arg", Kind: model.Output, Raw: model.Range{Off: a.raw.Off, Len: len(a.raw.Body)}, In0: int32(len(r.g.Inputs))}, a.raw.Start)
		name, port, _ := cutInput(ret.Body)
		if from, ok := r.byName.Find(0, text(name)); ok {
			r.g.Inputs = append(r.g.Inputs, model.Edge{From: from, Port: port})
			r.g.Nodes[i].InN = 1
		} else {
			r.missing(i, string(ret.Body), ret.Start)
		}
	}
	fn.Last = int32(len(r.g.Nodes))
	r.g.Functions = append(r.g.Functions, fn)
}

// metaGraph reads a MetaGraphDef that stands at offset base of data.
func metaGraph(f *model.File, data, b []byte, base int, form model.Form) {
	var tags []string
	var graphs []pb.Field
	lost := f.Losses.Total
	at := pb.Each(b, base, func(x pb.Field) bool {
		switch {
		case x.Is(1):
			pb.Each(x.Body, x.Off, func(y pb.Field) bool {
				if y.Is(4) {
					tags = append(tags, string(y.Body))
				}
				return true
			})
		case x.Is(2):
			graphs = append(graphs, x)
		}
		return true
	})
	for _, x := range graphs {
		f.Graphs = append(f.Graphs, graphDef(f, data, []part{{body: x.Body, base: x.Off}}, form, strings.Join(tags, ",")))
	}
	if at != pb.Whole && f.Losses.Total == lost {
		torn(f, at, "a MetaGraphDef")
	}
}

// savedModel reads a SavedModel: several MetaGraphDefs.
func savedModel(f *model.File, b []byte) {
	lost := f.Losses.Total
	at := pb.Each(b, 0, func(x pb.Field) bool {
		if x.Is(2) {
			metaGraph(f, b, x.Body, x.Off, model.SavedModel)
		}
		return true
	})
	if at != pb.Whole && f.Losses.Total == lost {
		torn(f, at, "a SavedModel")
	}
}
