package explore

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/graph/attr"
	"github.com/tensorbored/tensorbored-static/shared/graph/hierarchy"
	"github.com/tensorbored/tensorbored-static/shared/graph/model"
	"github.com/tensorbored/tensorbored-static/shared/graph/pb"
	"github.com/tensorbored/tensorbored-static/shared/graph/read"
)

// exported is the file that was made last: its pieces are asked for one after the other.
type exported struct {
	key  string
	file string
	typ  string
	data []byte
}

func (e *Explorer) export(q *question) (any, error) {
	key := fmt.Sprint(q.Form, q.Graph, q.By, q.Deep, q.Sort, q.Up, q.ID, string(q.Options), strings.Join(q.IDs, "\x00"), "\x01", strings.Join(q.Expanded, "\x00"))
	if e.made.key != key {
		x, err := e.make(q)
		if err != nil {
			return nil, err
		}
		x.key = key
		e.made = *x
	}
	x := e.made
	part, next := cut(x.data, q.Offset, q.limit(1<<20, 1<<24))
	out := struct {
		File   string `json:"file"`
		Type   string `json:"type"`
		Total  int    `json:"total"`
		Offset int    `json:"offset"`
		Data   string `json:"data"`
		Next   int    `json:"next,omitempty"`
	}{x.file, x.typ, len(x.data), q.Offset, base64.StdEncoding.EncodeToString(part), next}
	if next == 0 {
		e.made = exported{}
	}
	return out, nil
}

func (e *Explorer) make(q *question) (*exported, error) {
	v := e.view(q)
	base := strings.TrimSuffix(path.Base(e.name), path.Ext(e.name))
	if base == "" || base == "." || base == "/" {
		base = "graph"
	}
	switch q.Form {
	case "pb", "pbtxt":
		b, err := v.graphDef(q.IDs)
		if err != nil {
			return nil, err
		}
		if q.Form == "pbtxt" {
			return &exported{file: base + ".pbtxt", typ: "text/plain", data: read.Text(b)}, nil
		}
		return &exported{file: base + ".pb", typ: "application/octet-stream", data: b}, nil
	case "dot":
		return &exported{file: base + ".dot", typ: "text/vnd.graphviz", data: v.dot(q)}, nil
	case "csv":
		_, rows, err := v.sortedRows(q)
		if err != nil {
			return nil, err
		}
		return &exported{file: base + ".csv", typ: "text/csv", data: csv(rows, q.By)}, nil
	}
	return nil, faultf("bad-question", "Use pb, pbtxt, dot or csv.", "There is no form %s to export.", model.Quote(q.Form))
}

func csv(rows []row, by string) []byte {
	var w bytes.Buffer
	if by == "" {
		by = "type"
	}
	w.WriteString(by + ",ops,share,parameters,time_us,memory_bytes\n")
	num := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for _, r := range rows {
		w.WriteString(cell(r.Key) + "," + strconv.Itoa(r.Ops) + "," + num(r.Share) + "," + num(r.Parameters) + "," + num(r.Time) + "," + num(r.Memory) + "\n")
	}
	return w.Bytes()
}

// cell quotes a name. One that a spreadsheet would take for a formula gets a quote in front.
func cell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		s = "'" + s
	}
	if strings.ContainsAny(s, ",\"\n\r") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// selection are the ops inside of ids, in the file's order: those of the graph if there are any,
// else those of functions.
func (v *view) selection(ids []string) ([]int32, error) {
	if len(ids) == 0 {
		ids = []string{""}
	}
	var main, inside []int32
	seen := make([]bool, len(v.G.Nodes))
	for _, id := range ids {
		i, _, err := v.find(id)
		if err != nil {
			return nil, err
		}
		v.leaves(i, func(op int32) {
			if seen[op] {
				return
			}
			seen[op] = true
			if v.G.Nodes[op].Func < 0 {
				main = append(main, op)
			} else {
				inside = append(inside, op)
			}
		})
	}
	if len(main) == 0 {
		main = inside
	}
	slices.Sort(main)
	return main, nil
}

// graphDef makes a GraphDef of the ops inside of ids. What feeds them from outside becomes a
// Placeholder, so that the file is a whole graph; functions that are called come with it.
func (v *view) graphDef(ids []string) ([]byte, error) {
	ops, err := v.selection(ids)
	if err != nil {
		return nil, err
	}
	g := v.G
	chosen := make([]bool, len(g.Nodes))
	for _, op := range ops {
		chosen[op] = true
	}
	fed := map[int32]bool{}
	var out []byte
	for _, op := range ops {
		if g.Nodes[op].Op == "output_arg" && g.Nodes[op].Kind == model.Output {
			continue
		}
		n := v.nodeDef(op, func(from int32) {
			if !chosen[from] {
				fed[from] = true
			}
		})
		out = appendBytes(out, 1, n)
	}
	outside := make([]int32, 0, len(fed))
	for op := range fed {
		outside = append(outside, op)
	}
	slices.Sort(outside)
	for _, op := range outside {
		var n []byte
		n = appendString(n, 1, g.PathOf(op))
		n = appendString(n, 2, "Placeholder")
		typ := uint64(1)
		if s := v.shapesOf(op); len(s) > 0 {
			name, _, _ := strings.Cut(s[0], "[")
			if t := attr.TypeNumber(name); t != 0 {
				typ = t
			}
		}
		n = appendAttr(n, "dtype", protowire.AppendVarint(protowire.AppendTag(nil, 6, protowire.VarintType), typ))
		out = appendBytes(out, 1, n)
	}
	if lib := v.library(ops); len(lib) > 0 {
		out = appendBytes(out, 2, lib)
	}
	if r := g.Versions; r.Len > 0 && r.Off+r.Len <= len(g.Data) {
		out = appendBytes(out, 4, g.Data[r.Off:r.Off+r.Len])
	}
	return out, nil
}

// library are the functions that ops reach, as they stand in the file.
func (v *view) library(ops []int32) (out []byte) {
	g := v.G
	if g.Form == model.ONNX || g.Form == model.Union || len(g.Functions) == 0 {
		return nil
	}
	byName := map[string]int{}
	for i, f := range g.Functions {
		byName[f.Name] = i
	}
	want := make([]bool, len(g.Functions))
	var queue []int
	call := func(op int32) {
		for _, name := range v.calls[op] {
			if f := byName[name]; !want[f] {
				want[f] = true
				queue = append(queue, f)
			}
		}
	}
	for _, op := range ops {
		call(op)
	}
	for k := 0; k < len(queue); k++ {
		f := g.Functions[queue[k]]
		for op := f.First; op < f.Last; op++ {
			call(op)
		}
	}
	for i, f := range g.Functions {
		if want[i] && f.Raw.Off >= 0 && f.Raw.Off+f.Raw.Len <= len(g.Data) {
			out = appendBytes(out, 1, g.Data[f.Raw.Off:f.Raw.Off+f.Raw.Len])
		}
	}
	return out
}

// nodeDef makes the NodeDef of an op: names as the graph has them now, attributes as they are.
func (v *view) nodeDef(op int32, from func(int32)) (n []byte) {
	g := v.G
	x := &g.Nodes[op]
	typ := x.Op
	switch {
	case x.Kind == model.Input && (typ == "input_arg" || g.FormOf(op) == model.ONNX):
		typ = "Placeholder"
	case x.Kind == model.Parameter && g.FormOf(op) == model.ONNX:
		typ = "Const"
	}
	n = appendString(n, 1, g.PathOf(op))
	n = appendString(n, 2, typ)
	for _, e := range g.In(op) {
		if e.From < 0 || e.Mark == model.Removed && v.Marks[op] != model.Removed {
			continue
		}
		from(e.From)
		name := g.PathOf(e.From)
		switch {
		case e.Control:
			name = "^" + name
		case e.Port > 0:
			name += ":" + strconv.Itoa(int(e.Port))
		}
		n = appendString(n, 3, name)
	}
	if x.Device != "" {
		n = appendString(n, 4, x.Device)
	}
	if g.FormOf(op) != model.ONNX {
		if typ == "Placeholder" && x.Op == "input_arg" {
			return n
		}
		pb.Each(g.Bytes(op), 0, func(f pb.Field) bool {
			if f.Is(5) {
				n = appendBytes(n, 5, f.Body)
			}
			return true
		})
		return n
	}
	attr.Each(g, op, func(a attr.Attr) bool {
		if value := v.converted(a); value != nil {
			n = appendAttr(n, a.Name, value)
		}
		return true
	})
	return n
}

// converted is the AttrValue of an attribute of ONNX: numbers, strings and lists of them; of
// tensors and graphs what they are.
func (v *view) converted(a attr.Attr) (out []byte) {
	pb.Each(a.Value, 0, func(f pb.Field) bool {
		switch {
		case a.Type == "i" && f.Int(3):
			out = protowire.AppendVarint(protowire.AppendTag(nil, 3, protowire.VarintType), f.V)
		case a.Type == "f" && f.Num == 2 && f.Type == protowire.Fixed32Type:
			out = protowire.AppendFixed32(protowire.AppendTag(nil, 4, protowire.Fixed32Type), uint32(f.V))
		case a.Type == "s" && f.Is(4):
			out = appendBytes(nil, 2, f.Body)
		}
		return true
	})
	if out != nil {
		return out
	}
	if a.Type == "ints" {
		var list []byte
		pb.Each(a.Value, 0, func(f pb.Field) bool {
			if f.Num == 8 {
				f.Packed(func(x uint64) bool {
					list = protowire.AppendVarint(protowire.AppendTag(list, 3, protowire.VarintType), x)
					return true
				})
			}
			return true
		})
		return appendBytes(nil, 1, list)
	}
	p := a.Piece(0, 1024)
	return appendString(nil, 2, strings.TrimSpace(p.Head+" "+p.Text))
}

func appendBytes(b []byte, num protowire.Number, m []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, num, protowire.BytesType), m)
}

func appendString(b []byte, num protowire.Number, s string) []byte {
	return protowire.AppendString(protowire.AppendTag(b, num, protowire.BytesType), s)
}

func appendAttr(b []byte, name string, value []byte) []byte {
	return appendBytes(b, 5, appendBytes(appendString(nil, 1, name), 2, value))
}

// dot writes what is on the screen in Graphviz's language: open scopes are clusters.
func (v *view) dot(q *question) []byte {
	l := v.open(q, q.limit(sceneLimit, 100_000))
	want := set(q.IDs)
	var w bytes.Buffer
	w.WriteString("digraph graph_ {\n  rankdir=BT;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n")
	// Scopes are written as clusters within clusters; a scope ends when the next is not in it.
	byParent := map[string][]int{}
	for k, s := range l.scopes {
		if k == 0 {
			continue
		}
		parent := 0
		for j := range l.scopes[:k] {
			if l.scopes[j].depth == s.depth-1 && (j == 0 || v.holds(l, j, k)) {
				parent = j
			}
		}
		byParent[strconv.Itoa(parent)] = append(byParent[strconv.Itoa(parent)], k)
	}
	type todo struct {
		scope int
		end   bool
	}
	stack := []todo{{0, false}}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if t.end {
			w.WriteString("  }\n")
			continue
		}
		s := l.scopes[t.scope]
		if t.scope > 0 {
			fmt.Fprintf(&w, "  subgraph %s {\n  label=%s;\n", dotID("cluster_"+s.id), dotID(s.id[strings.LastIndexByte(s.id, '/')+1:]))
			stack = append(stack, todo{t.scope, true})
		}
		for _, k := range byParent[strconv.Itoa(t.scope)] {
			stack = append(stack, todo{k, false})
		}
		if s.calls != nil {
			continue
		}
		p := l.worlds[s.w].p
		for _, c := range v.Kids(s.node) {
			n := &v.Nodes[c]
			id := p.id(n.ID)
			if n.Host >= 0 || l.has(id) || !chosen(want, id) {
				continue
			}
			shape := ""
			switch n.Kind {
			case hierarchy.Leaf:
				shape = ", shape=ellipse"
			case hierarchy.Series, hierarchy.Group:
				shape = ", peripheries=2"
			}
			fmt.Fprintf(&w, "  %s [label=%s%s];\n", dotID(id), dotID(n.Name), shape)
		}
	}
	for k := range l.worlds {
		wd := &l.worlds[k]
		seen := map[[2]int32]bool{}
		for i := range v.Base {
			b := &v.Base[i]
			x, y := wd.visible(v, b.From), wd.visible(v, b.To)
			if x < 0 || y < 0 || x == y || seen[[2]int32{x, y}] {
				continue
			}
			from, to := wd.p.id(v.Nodes[x].ID), wd.p.id(v.Nodes[y].ID)
			if !chosen(want, from) || !chosen(want, to) || l.has(from) || l.has(to) {
				continue
			}
			seen[[2]int32{x, y}] = true
			style := ""
			if b.Control {
				style = " [style=dashed]"
			}
			fmt.Fprintf(&w, "  %s -> %s%s;\n", dotID(from), dotID(to), style)
		}
	}
	w.WriteString("}\n")
	return w.Bytes()
}

// holds tells whether open scope j is directly around open scope k.
func (v *view) holds(l *layout, j, k int) bool {
	a, b := l.scopes[j], l.scopes[k]
	if a.w == b.w && a.calls == nil {
		return v.Nodes[b.node].Parent == a.node
	}
	return strings.HasPrefix(b.id, a.id+"/") || strings.HasPrefix(b.id, a.id)
}

// chosen tells whether an id is one of those chosen or in it; without a choice all are.
func chosen(want map[string]bool, id string) bool {
	if len(want) == 0 || want[id] {
		return true
	}
	for i := len(id) - 1; i > 0; i-- {
		if id[i] == '/' && want[id[:i]] {
			return true
		}
	}
	return false
}

func dotID(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	s = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(s)
	return `"` + s + `"`
}
