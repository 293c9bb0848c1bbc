package explore

import (
	"cmp"
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/graph/attr"
	"github.com/tensorbored/tensorbored-static/shared/graph/hierarchy"
	"github.com/tensorbored/tensorbored-static/shared/graph/model"
)

func (e *Explorer) children(q *question) (any, error) {
	v := e.view(q)
	out := struct {
		ID       string `json:"id"`
		Total    int    `json:"total"`
		Children []node `json:"children"`
		Next     int    `json:"next,omitempty"`
	}{ID: q.ID, Children: []node{}}
	i, p, err := v.find(q.ID)
	if err != nil {
		return nil, err
	}
	d := v.describer(&q.opt)
	limit := q.limit(100, 1000)
	if n := &v.Nodes[i]; n.Kind == hierarchy.Leaf {
		names := v.calls[n.Op]
		if len(names) == 0 || !q.opt.Functions || d.recursive(i, p) {
			return out, nil
		}
		if len(names) > 1 {
			out.Total = len(names)
			var part []string
			part, out.Next = cut(names, q.Offset, limit)
			for _, name := range part {
				if f, ok := v.FunctionByName[name]; ok {
					out.Children = append(out.Children, d.describe(f, place{q.ID + "/" + name, v.Nodes[f].ID}))
				}
			}
			return out, nil
		}
		f, ok := v.FunctionByName[names[0]]
		if !ok {
			return out, nil
		}
		i, p = f, place{p.id(n.ID), v.Nodes[f].ID}
	}
	kids := v.Kids(i)
	out.Total = len(kids)
	kids, out.Next = cut(kids, q.Offset, limit)
	for _, c := range kids {
		n := d.describe(c, p)
		d.embedded(&n, c, p)
		out.Children = append(out.Children, n)
	}
	return out, nil
}

type attribute struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Text  string `json:"text"`
	Head  string `json:"head,omitempty"`
	Bytes int    `json:"bytes"`
	Large bool   `json:"large"`
}

// joint is a node on the other side of an edge.
type joint struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Port  int32  `json:"port"`
	Shape string `json:"shape,omitempty"`
	Op    string `json:"op,omitempty"`
	Mark  string `json:"mark,omitempty"`
	Count int    `json:"count,omitempty"` // of edges of a scope, if there are several
}

type counted struct {
	Op     string `json:"op,omitempty"`
	Device string `json:"device,omitempty"`
	Count  int    `json:"count"`
}

type change struct {
	What string `json:"what"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

type use struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type card struct {
	Node            node        `json:"node"`
	Path            []string    `json:"path"`
	Full            string      `json:"full"`
	Device          string      `json:"device"`
	Attributes      []attribute `json:"attributes"`
	AttributesTotal int         `json:"attributesTotal"`
	Inputs          []joint     `json:"inputs"`
	InputsTotal     int         `json:"inputsTotal"`
	ControlInputs   []joint     `json:"controlInputs"`
	ControlInTotal  int         `json:"controlInputsTotal"`
	Outputs         []joint     `json:"outputs"`
	OutputsTotal    int         `json:"outputsTotal"`
	ControlOutputs  []joint     `json:"controlOutputs"`
	ControlOutTotal int         `json:"controlOutputsTotal"`
	Missing         []string    `json:"missing"`
	MissingTotal    int         `json:"missingTotal"`
	Shapes          []string    `json:"shapes"`
	ShapesTotal     int         `json:"shapesTotal"`
	Uses            []use       `json:"uses"`
	UsesTotal       int         `json:"usesTotal"`
	Time            float64     `json:"time"`
	Memory          float64     `json:"memory"`
	OutputBytes     float64     `json:"outputBytes"`
	Types           []counted   `json:"types"`
	TypesTotal      int         `json:"typesTotal"`
	Devices         []counted   `json:"devices"`
	Changes         []change    `json:"changes,omitempty"`
	Mark            string      `json:"mark,omitempty"`
}

const (
	textOnCard = 1024 // bytes of an attribute
)

// bounded collects a part of a list, and counts all.
type bounded[T any] struct {
	offset, limit, total int
	list                 []T
}

func (b *bounded[T]) add(make func() T) {
	if b.total >= b.offset && len(b.list) < b.limit {
		b.list = append(b.list, make())
	}
	b.total++
}

func listOf[T any](b *bounded[T]) ([]T, int) {
	if b.list == nil {
		return []T{}, b.total
	}
	return b.list, b.total
}

func (e *Explorer) card(q *question) (any, error) {
	v := e.view(q)
	i, p, err := v.find(q.ID)
	if err != nil {
		return nil, err
	}
	limit := q.limit(50, 1000)
	d := v.describer(&q.opt)
	c := card{Node: d.describe(i, p), Path: v.ancestors(i, p), Full: v.Nodes[i].ID, Time: v.timeOf(i), Memory: v.memoryOf(i)}
	d.embedded(&c.Node, i, p)
	list := func() bounded[joint] { return bounded[joint]{offset: q.Offset, limit: limit} }
	ins, cins, outs, couts := list(), list(), list(), list()
	missing := bounded[string]{offset: q.Offset, limit: limit}
	shapes := bounded[string]{offset: q.Offset, limit: limit}
	attrs := bounded[attribute]{offset: q.Offset, limit: limit}
	uses := bounded[use]{offset: q.Offset, limit: limit}
	types := bounded[counted]{offset: q.Offset, limit: limit}
	join := func(op, port int32, mark model.Mark) func() joint {
		return func() joint {
			x := v.Of[op]
			j := joint{ID: p.id(v.Nodes[x].ID), Name: v.G.PathOf(op), Port: max(port, 0), Op: v.G.Nodes[op].Op, Shape: v.shapeAt(op, max(port, 0))}
			if v.Marks != nil && mark != model.Same {
				j.Mark = mark.String()
			}
			return j
		}
	}
	if op := v.Nodes[i].Op; op >= 0 {
		g := v.G
		c.Full = g.Nodes[op].Name
		c.Device = v.deviceOf(op)
		if v.output != nil {
			c.OutputBytes = v.output[op]
		}
		attr.Each(g, op, func(a attr.Attr) bool {
			attrs.add(func() attribute {
				t := a.Piece(0, textOnCard)
				return attribute{Name: a.Name, Type: a.Type, Text: t.Text, Head: t.Head, Bytes: len(a.Value), Large: t.Next < t.Total}
			})
			return true
		})
		for _, in := range g.In(op) {
			if in.From < 0 {
				continue
			}
			if in.Control {
				cins.add(join(in.From, -1, in.Mark))
			} else {
				ins.add(join(in.From, in.Port, in.Mark))
			}
		}
		last := int32(-1)
		for _, r := range v.Readers(op) {
			if r == last {
				continue
			}
			last = r
			for _, in := range g.In(r) {
				if in.From != op {
					continue
				}
				if in.Control {
					couts.add(join(r, -1, in.Mark))
				} else {
					j := join(r, 0, in.Mark)
					port := in.Port
					outs.add(func() joint { x := j(); x.Port = port; x.Shape = v.shapeAt(op, port); return x })
				}
			}
		}
		for _, m := range g.Missing {
			if m.Node == op {
				missing.add(func() string { return m.Input })
			}
		}
		for _, s := range v.shapesOf(op) {
			shapes.add(func() string { return s })
		}
		if v.Marks != nil {
			c.Mark = v.Marks[op].String()
			c.Changes = v.changes(op)
		}
	} else {
		c.Device = d.device(i)
		// What many nodes inside are joined to is told once.
		type end struct {
			op, src, port int32
			in, control   bool
			mark          model.Mark
		}
		index, n := map[end]int{}, []int{}
		var ends []end
		v.crossings(i, func(b *hierarchy.BaseEdge, in bool) {
			x := end{src: b.Src, port: max(b.Port, 0), in: in, control: b.Control, mark: b.Mark}
			if x.op = v.Nodes[b.To].Op; in {
				x.op = v.Nodes[b.From].Op
			}
			if x.op < 0 {
				return
			}
			key := x
			if !in || x.control {
				key.src, key.port = 0, 0
			}
			k, ok := index[key]
			if !ok {
				k = len(ends)
				index[key] = k
				ends, n = append(ends, x), append(n, 0)
			}
			n[k]++
		})
		for k, x := range ends {
			l := &outs
			switch {
			case x.in && x.control:
				l = &cins
			case x.in:
				l = &ins
			case x.control:
				l = &couts
			}
			l.add(func() joint {
				j := join(x.op, 0, x.mark)()
				j.Port, j.Shape = x.port, ""
				if !x.control && (x.in || n[k] == 1) {
					j.Shape = v.shapeAt(x.src, x.port)
				}
				if n[k] > 1 {
					j.Count = n[k]
				}
				return j
			})
		}
		if f := v.Nodes[i].Func; f >= 0 {
			name := v.Functions[f].Name
			for op := range v.G.Nodes {
				if slices.Contains(v.calls[int32(op)], name) {
					uses.add(func() use { return use{v.Nodes[v.Of[op]].ID, v.G.PathOf(int32(op))} })
				}
			}
		}
	}
	byType, byDevice := map[string]int{}, map[string]int{}
	v.leaves(i, func(op int32) {
		byType[v.G.Nodes[op].Op]++
		if dev := v.deviceOf(op); dev != "" {
			byDevice[model.Device(dev)]++
		}
	})
	for _, t := range most(byType) {
		types.add(func() counted { return counted{Op: t, Count: byType[t]} })
	}
	c.Devices = []counted{}
	for _, dev := range most(byDevice) {
		if len(c.Devices) < limit {
			c.Devices = append(c.Devices, counted{Device: dev, Count: byDevice[dev]})
		}
	}
	c.Attributes, c.AttributesTotal = listOf(&attrs)
	c.Inputs, c.InputsTotal = listOf(&ins)
	c.ControlInputs, c.ControlInTotal = listOf(&cins)
	c.Outputs, c.OutputsTotal = listOf(&outs)
	c.ControlOutputs, c.ControlOutTotal = listOf(&couts)
	c.Missing, c.MissingTotal = listOf(&missing)
	c.Shapes, c.ShapesTotal = listOf(&shapes)
	c.Uses, c.UsesTotal = listOf(&uses)
	c.Types, c.TypesTotal = listOf(&types)
	return c, nil
}

// most are the keys, the most frequent first.
func most(m map[string]int) []string {
	keys := make([]string, 0, 16)
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int {
		if m[a] != m[b] {
			return cmp.Compare(m[b], m[a])
		}
		return cmp.Compare(a, b)
	})
	return keys
}

// ancestors are the ids that must be open for i to be seen, from the outside in.
func (v *view) ancestors(i int32, p place) []string {
	ids := []string{}
	for x := v.Nodes[i].Parent; x > 0; x = v.Nodes[x].Parent {
		id := v.Nodes[x].ID
		if p.function != "" && len(id) < len(p.function) {
			break
		}
		ids = append(ids, p.id(id))
	}
	slices.Reverse(ids)
	if p.call != "" { // and the calls around it
		if c, outer, err := v.find(p.call); err == nil && p.call != v.Nodes[c].ID {
			return append(v.ancestors(c, outer), ids...)
		} else if err == nil {
			return append(v.ancestors(c, place{}), ids...)
		}
	}
	return ids
}

// crossings calls f for each edge between the inside of i and the rest.
func (v *view) crossings(i int32, f func(b *hierarchy.BaseEdge, in bool)) {
	inside := func(x int32) bool {
		for ; x >= 0 && v.Nodes[x].Depth >= v.Nodes[i].Depth; x = v.Nodes[x].Parent {
			if x == i {
				return true
			}
		}
		return false
	}
	// Only scopes around i have bundles that cross it.
	for s := v.Nodes[i].Parent; s >= 0; s = v.Nodes[s].Parent {
		for _, e := range v.Inside(s) {
			fromAround, toAround := around(v, e.From, i), around(v, e.To, i)
			if !fromAround && !toAround {
				continue
			}
			for k := e.First; k < e.First+e.N; k++ {
				b := &v.Base[k]
				if fromAround && inside(b.From) {
					f(b, false)
				} else if toAround && inside(b.To) {
					f(b, true)
				}
			}
		}
	}
}

// around says whether x is i or a scope around it.
func around(v *view, x, i int32) bool {
	for ; i >= 0 && v.Nodes[i].Depth >= v.Nodes[x].Depth; i = v.Nodes[i].Parent {
		if i == x {
			return true
		}
	}
	return false
}

func (e *Explorer) attribute(q *question) (any, error) {
	v := e.view(q)
	i, _, err := v.find(q.ID)
	if err != nil {
		return nil, err
	}
	op := v.Nodes[i].Op
	if op < 0 {
		return nil, faultf("nothing-there", "Ask an op inside.", "%s is no op and has no attributes.", model.Quote(q.ID))
	}
	a, ok := attr.Find(v.G, op, q.Name)
	if !ok {
		return nil, faultf("nothing-there", "", "%s has no attribute %s.", model.Quote(q.ID), model.Quote(q.Name))
	}
	p := a.Piece(q.Offset, q.limit(1<<16, 1<<20))
	out := struct {
		Name  string `json:"name"`
		Type  string `json:"type"`
		Bytes int    `json:"bytes"`
		Head  string `json:"head"`
		Unit  string `json:"unit"`
		Total int    `json:"total"`
		Text  string `json:"text"`
		Next  int    `json:"next,omitempty"`
	}{a.Name, a.Type, len(a.Value), p.Head, p.Unit, p.Total, p.Text, p.Next}
	if p.Next >= p.Total {
		out.Next = 0
	}
	return out, nil
}

// changes tells what is different between a node and its partner in the older graph.
func (v *view) changes(op int32) (list []change) {
	g := v.G
	if g.Old == nil || g.Old[op] < 0 {
		return nil
	}
	return differences(g.Before, g.Old[op], g.After, op, g)
}

const changesTold = 50

// differences compares node a of one graph with node b of another; union has the marks of b's
// inputs.
func differences(ga *model.Graph, a int32, gb *model.Graph, b int32, union *model.Graph) (list []change) {
	add := func(what, old, new string) {
		if old != new && len(list) < changesTold {
			list = append(list, change{what, old, new})
		}
	}
	na, nb := &ga.Nodes[a], &gb.Nodes[b]
	add("name", ga.PathOf(a), gb.PathOf(b))
	add("op", na.Op, nb.Op)
	add("device", na.Device, nb.Device)
	values := map[string]attr.Attr{}
	attr.Each(ga, a, func(x attr.Attr) bool { values[x.Name] = x; return true })
	text := func(x attr.Attr) string {
		p := x.Piece(0, 200)
		return p.Head + p.Text
	}
	attr.Each(gb, b, func(x attr.Attr) bool {
		old, ok := values[x.Name]
		delete(values, x.Name)
		switch {
		case !ok:
			add("attribute "+x.Name, "", text(x))
		case !sameValue(old, x):
			o, n := text(old), text(x)
			if o == n {
				n += " (different further on)"
			}
			add("attribute "+x.Name, o, n)
		}
		return true
	})
	for _, name := range sortedKeys(values) {
		add("attribute "+name, text(values[name]), "")
	}
	if union != nil {
		for _, in := range union.In(b) {
			switch in.Mark {
			case model.Added:
				add("input", "", union.PathOf(in.From))
			case model.Removed:
				add("input", union.PathOf(in.From), "")
			}
		}
	}
	return list
}

func sortedKeys(m map[string]attr.Attr) []string {
	keys := make([]string, 0, 8)
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// sameValue compares two values, whose encodings may differ: lists of numbers are packed or not.
func sameValue(a, b attr.Attr) bool {
	if string(a.Value) == string(b.Value) {
		return true
	}
	if a.Type != b.Type {
		return false
	}
	x, y := a.Piece(0, comparedText), b.Piece(0, comparedText)
	return x == y && x.Next >= x.Total
}

const comparedText = 1 << 16 // bytes of a value's text; longer values are the same if their bytes are
