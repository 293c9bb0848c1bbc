package explore

import (
	"fmt"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/graph/hierarchy"
	"github.com/tensorbored/tensorbored-static/shared/graph/model"
)

// node is a node as scene, children and others give it; see the package comment.
type node struct {
	ID          string       `json:"id"`
	Name        string       `json:"name"`
	Kind        string       `json:"kind"`
	Op          string       `json:"op,omitempty"`
	Ops         int32        `json:"ops,omitempty"`
	Embedded    int32        `json:"embedded,omitempty"`
	Children    int32        `json:"children,omitempty"`
	All         int32        `json:"all,omitempty"`
	Device      string       `json:"device,omitempty"`
	Fingerprint string       `json:"fingerprint,omitempty"`
	Repeated    int32        `json:"repeated,omitempty"`
	Shape       string       `json:"shape,omitempty"`
	Parameters  float64      `json:"parameters,omitempty"`
	Call        string       `json:"call,omitempty"`
	Recursive   bool         `json:"recursive,omitempty"`
	Stateful    bool         `json:"stateful,omitempty"`
	Open        bool         `json:"open,omitempty"`
	Extracted   string       `json:"extracted,omitempty"`
	EmbeddedIn  string       `json:"embeddedIn,omitempty"`
	Time        float64      `json:"time,omitempty"`
	Memory      float64      `json:"memory,omitempty"`
	Marks       *marks       `json:"marks,omitempty"`
	In          []annotation `json:"in,omitempty"`
	InMore      int          `json:"inMore,omitempty"`
	Out         []annotation `json:"out,omitempty"`
	OutMore     int          `json:"outMore,omitempty"`
}

type marks struct {
	Added   int32 `json:"added,omitempty"`
	Removed int32 `json:"removed,omitempty"`
	Changed int32 `json:"changed,omitempty"`
	Same    int32 `json:"same,omitempty"` // the renamed ones are among them
	Renamed int32 `json:"renamed,omitempty"`
}

type annotation struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Kind string `json:"kind"`
	Op   string `json:"op,omitempty"`
}

// describer makes nodes for one answer: it keeps what is summed up for all of them.
type describer struct {
	v       *view
	o       *options
	devices []string
	marks   []marks
	mixed   []bool
}

func (v *view) describer(o *options) *describer { return &describer{v: v, o: o} }

// device is the device that everything inside has, "" if there are several or none.
func (d *describer) device(i int32) string {
	if d.devices == nil {
		v := d.v
		d.devices, d.mixed = make([]string, len(v.Nodes)), make([]bool, len(v.Nodes))
		for k := len(v.Order) - 1; k > 0; k-- {
			x := v.Order[k]
			n := &v.Nodes[x]
			if n.Op >= 0 {
				d.devices[x] = v.deviceOf(n.Op)
			}
			if n.Host >= 0 {
				continue
			}
			switch p := n.Parent; {
			case d.mixed[x]:
				d.mixed[p] = true
			case d.devices[x] == "":
			case d.devices[p] == "":
				d.devices[p] = d.devices[x]
			case d.devices[p] != d.devices[x]:
				d.mixed[p] = true
			}
		}
	}
	if d.mixed[i] {
		return ""
	}
	return model.Device(d.devices[i])
}

func (d *describer) marksOf(i int32) *marks {
	v := d.v
	if v.Marks == nil {
		return nil
	}
	if d.marks == nil {
		d.marks = make([]marks, len(v.Nodes))
		for k := len(v.Order) - 1; k >= 0; k-- {
			x := v.Order[k]
			n := &v.Nodes[x]
			m := &d.marks[x]
			if n.Op >= 0 {
				switch v.Marks[n.Op] {
				case model.Added:
					m.Added++
				case model.Removed:
					m.Removed++
				case model.Changed:
					m.Changed++
				default:
					m.Same++
					if v.G.Marks[n.Op] == model.Renamed {
						m.Renamed++
					}
				}
			}
			if n.Parent >= 0 {
				p := &d.marks[n.Parent]
				p.Added += m.Added
				p.Removed += m.Removed
				p.Changed += m.Changed
				p.Same += m.Same
				p.Renamed += m.Renamed
			}
		}
	}
	return &d.marks[i]
}

// class takes PyTorch's "Linear[fc]" apart.
func class(name string) (string, bool) {
	i := strings.IndexByte(name, '[')
	if i <= 0 || !strings.HasSuffix(name, "]") || i+1 > len(name)-1 {
		return "", false
	}
	for _, c := range name[:i] {
		if c != '_' && c != '.' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return "", false
		}
	}
	return name[:i], true
}

func (d *describer) kind(i int32) string {
	v := d.v
	n := &v.Nodes[i]
	switch n.Kind {
	case hierarchy.Scope:
		if v.G.Form == model.Keras {
			return "model"
		}
		if _, ok := class(n.Name); ok {
			return "module"
		}
		return "scope"
	case hierarchy.Series:
		return "series"
	case hierarchy.Group:
		return "group"
	case hierarchy.Library:
		return "library"
	case hierarchy.Function:
		return "function"
	}
	if len(v.calls[n.Op]) > 0 && d.o.Functions {
		return "call"
	}
	m := &v.G.Nodes[n.Op]
	switch m.Op {
	case "prim::Constant", "prim::ListConstruct", "prim::TupleConstruct":
		if n.Host >= 0 {
			return "constant"
		}
	case "prim::GetAttr":
		return "parameter"
	}
	return m.Kind.String()
}

// stateful are TensorFlow's ops that keep something from one run to the next.
func stateful(op string) bool {
	switch op {
	case "VarHandleOp", "VariableV2", "Variable", "HashTableV2", "MutableHashTableV2", "FIFOQueueV2", "RandomShuffleQueueV2", "Stack", "StackV2", "TensorArrayV3", "Barrier", "Iterator", "IteratorV2":
		return true
	}
	return false
}

// describe makes the node i as it is met in p. expandable says whether calls of the same
// function are around it already.
func (d *describer) describe(i int32, p place) node {
	v := d.v
	n := &v.Nodes[i]
	out := node{
		ID: p.id(n.ID), Name: n.Name, Kind: d.kind(i), Op: n.Type, Ops: n.Ops, Embedded: n.Embedded,
		Children: n.Shown, All: n.N, Device: d.device(i), Fingerprint: fmt.Sprintf("%016x", n.Print),
		Time: v.timeOf(i), Memory: v.memoryOf(i), Marks: d.marksOf(i),
	}
	out.Parameters = v.parameters()[i]
	if n.Kind != hierarchy.Leaf {
		if r := v.Repeated(i); r > 1 {
			out.Repeated = r
		}
		if c, ok := class(n.Name); ok && out.Op == "" && out.Kind == "module" {
			out.Op = c
		}
		return out
	}
	m := &v.G.Nodes[n.Op]
	out.Op = m.Op
	out.Stateful = stateful(m.Op)
	if s := v.shapesOf(n.Op); len(s) > 0 {
		out.Shape = s[0]
	}
	if n.Host >= 0 {
		out.EmbeddedIn = p.id(v.Nodes[n.Host].ID)
	}
	if out.Kind == "call" {
		names := v.calls[n.Op]
		if f, ok := v.FunctionByName[names[0]]; ok {
			out.Call = v.Nodes[f].ID
			out.Op = names[0]
			if d.recursive(i, p) {
				out.Recursive = true
			} else if len(names) == 1 {
				out.Children, out.All = v.Nodes[f].Shown, v.Nodes[f].N
			} else {
				out.Children, out.All = int32(len(names)), int32(len(names))
			}
		}
	}
	return out
}

// recursive: a call inside the function that it calls, or inside many calls.
func (d *describer) recursive(i int32, p place) bool {
	v := d.v
	for x := v.Nodes[i].Parent; x >= 0; x = v.Nodes[x].Parent {
		if v.Nodes[x].Kind == hierarchy.Function {
			name := v.Functions[v.Nodes[x].Func].Name
			for _, c := range v.calls[v.Nodes[i].Op] {
				if c == name {
					return true
				}
			}
		}
	}
	return strings.Count(p.call, "/") > 4*maxCalls
}

func (d *describer) annotation(i int32, p place, kind string) annotation {
	n := &d.v.Nodes[i]
	a := annotation{ID: p.id(n.ID), Name: n.Name, Kind: kind, Op: n.Type}
	if n.Op >= 0 {
		a.Op = d.v.G.Nodes[n.Op].Op
	}
	if kind == "" {
		a.Kind = d.kind(i)
	}
	return a
}

// embedded gives a node the annotations of what is embedded in it.
func (d *describer) embedded(out *node, i int32, p place) {
	v := d.v
	n := &v.Nodes[i]
	if n.Op < 0 || n.Host >= 0 {
		return
	}
	last := int32(-1)
	for _, e := range v.G.In(n.Op) {
		if e.From < 0 || e.From == last {
			continue
		}
		last = e.From
		if x := v.Of[e.From]; v.Nodes[x].Host >= 0 && v.G.Nodes[e.From].Kind != model.Summary {
			d.annotate(&out.In, &out.InMore, d.annotation(x, p, ""))
		}
	}
	last = -1
	for _, c := range v.Readers(n.Op) {
		if c == last {
			continue
		}
		last = c
		if x := v.Of[c]; v.Nodes[x].Host >= 0 && v.G.Nodes[c].Kind == model.Summary {
			d.annotate(&out.Out, &out.OutMore, d.annotation(x, p, ""))
		}
	}
}

func (d *describer) annotate(list *[]annotation, more *int, a annotation) {
	if len(*list) >= max(d.o.Annotations, 0) {
		*more++
	} else {
		*list = append(*list, a)
	}
}
