package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/graph/attr"
	"github.com/tensorbored/tensorbored-static/shared/graph/hierarchy"
	"github.com/tensorbored/tensorbored-static/shared/graph/model"
)

// rule is one of the user's own: what matches has the label.
type rule struct {
	Regex string `json:"regex"`
	Label string `json:"label"`
	In    string `json:"in"`
}

// hues are TensorBoard's, for structure and device.
var hues = [...]int{220, 100, 180, 40, 20, 340, 260, 300, 140, 60}

type legendLine struct {
	Label string `json:"label"`
	Ops   int    `json:"ops"`
	Hue   int    `json:"hue"`
	Color string `json:"color,omitempty"`
}

const legendTold = 200

type colored struct {
	By     string                  `json:"by"`
	Legend []legendLine            `json:"legend"`
	More   int                     `json:"legendMore"`
	Nodes  map[string][][2]float64 `json:"nodes"`
	Values map[string]float64      `json:"values,omitempty"`
	Min    float64                 `json:"min"`
	Max    float64                 `json:"max"`
	From   string                  `json:"from,omitempty"`
	To     string                  `json:"to,omitempty"`
}

func (e *Explorer) colors(q *question) (any, error) {
	v := e.view(q)
	l := v.open(q, q.limit(sceneLimit, 100_000))
	out := colored{By: q.By, Legend: []legendLine{}, Nodes: map[string][][2]float64{}}
	switch q.By {
	case "structure":
		v.byStructure(l, &out)
		return out, nil
	case "time", "memory":
		of := v.timeOf
		if q.By == "memory" {
			of = v.memoryOf
		}
		out.From, out.To, out.Values = "#fff5f0", "#fb6a4a", map[string]float64{}
		first := true
		v.shown(l, func(w *world, i int32) {
			x := of(i)
			if x <= 0 {
				return
			}
			out.Values[w.p.id(v.Nodes[i].ID)] = x
			if first || x < out.Min {
				out.Min = x
			}
			out.Max, first = max(out.Max, x), false
		})
		return out, nil
	}
	label, err := v.labels(q)
	if err != nil {
		return nil, err
	}
	// What every op has, as an index into names.
	index := map[string]int32{}
	var names []string
	var ops []int
	class := make([]int32, len(v.G.Nodes))
	for i := range v.G.Nodes {
		s := label(int32(i))
		if s == "" {
			class[i] = -1
			continue
		}
		k, ok := index[s]
		if !ok {
			k = int32(len(names))
			index[s] = k
			names, ops = append(names, s), append(ops, 0)
		}
		class[i] = k
		ops[k]++
	}
	// The legend: the most frequent first, of rules and of TPU in their own order.
	order := make([]int32, len(names))
	for k := range order {
		order[k] = int32(k)
	}
	rank := func(k int32) int { return -ops[k] }
	switch q.By {
	case "regex":
		rank = func(k int32) int {
			return slices.IndexFunc(q.Rules, func(r rule) bool { return r.name() == names[k] })
		}
	case "tpu":
		rank = func(k int32) int { return strings.Index("compatible incompatible", names[k]) }
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(names[a], names[b]))
	})
	place := make([]int, len(names))
	for n, k := range order {
		place[k] = n
		if n >= legendTold {
			out.More++
			continue
		}
		line := legendLine{Label: names[k], Ops: ops[k], Hue: hues[n%len(hues)]}
		if q.By == "tpu" {
			line.Color = map[string]string{"compatible": "#0f9d58", "incompatible": "#db4437"}[names[k]]
		}
		out.Legend = append(out.Legend, line)
	}
	for k := range l.worlds {
		v.shares(l, &l.worlds[k], class, place, &out)
	}
	return out, nil
}

func (r rule) name() string {
	if r.Label != "" {
		return r.Label
	}
	return r.Regex
}

// shown calls f for each node on the screen.
func (v *view) shown(l *layout, f func(w *world, i int32)) {
	for _, s := range l.scopes {
		if s.calls != nil {
			continue
		}
		for _, c := range v.Kids(s.node) {
			if v.Nodes[c].Host < 0 {
				f(&l.worlds[s.w], c)
			}
		}
	}
}

// shares counts, for each node on the screen, which part of the ops inside belongs to which line.
func (v *view) shares(l *layout, w *world, class []int32, place []int, out *colored) {
	type cell struct{ node, class int32 }
	count := map[cell]int{}
	total := map[int32]int{}
	show := make([]int32, len(v.Nodes)) // what shows each node, found from the outside in
	for _, i := range v.Order {
		p := v.Nodes[i].Parent
		show[i] = -1
		if p < 0 {
			continue
		}
		if _, ok := w.open[p]; ok {
			show[i] = i
		} else {
			show[i] = show[p]
		}
	}
	for op := range class {
		i := v.Of[op]
		x := show[i]
		if x < 0 {
			continue
		}
		total[x]++
		if class[op] >= 0 {
			count[cell{x, class[op]}]++
		}
	}
	// Open scopes have the sum of what is in them.
	var order []int32
	for x := range total {
		order = append(order, x)
	}
	cells := make([]cell, 0, len(count))
	for c := range count {
		cells = append(cells, c)
	}
	for _, x := range order {
		for p := v.Nodes[x].Parent; p > 0 && p != w.root; p = v.Nodes[p].Parent {
			total[p] += total[x]
		}
	}
	for _, c := range cells {
		n := count[c]
		for p := v.Nodes[c.node].Parent; p > 0 && p != w.root; p = v.Nodes[p].Parent {
			count[cell{p, c.class}] += n
		}
	}
	for c, n := range count {
		if k := place[c.class]; k < legendTold && v.Nodes[c.node].Host < 0 {
			id := w.p.id(v.Nodes[c.node].ID)
			out.Nodes[id] = append(out.Nodes[id], [2]float64{float64(k), float64(n) / float64(total[c.node])})
		}
	}
	for _, list := range out.Nodes {
		slices.SortFunc(list, func(a, b [2]float64) int { return cmp.Or(cmp.Compare(b[1], a[1]), cmp.Compare(a[0], b[0])) })
	}
}

// byStructure gives each fingerprint that stands at least twice in the graph a hue: those that
// are met first from the outside in come first, so that what is on the screen together differs.
func (v *view) byStructure(l *layout, out *colored) {
	line := map[uint64]int{}
	for _, i := range v.Order {
		n := &v.Nodes[i]
		if n.Kind == hierarchy.Leaf || n.Parent < 0 || v.Repeated(i) < 2 {
			continue
		}
		if k, ok := line[n.Print]; ok {
			if k < legendTold {
				out.Legend[k].Ops += int(n.Ops)
			}
			continue
		}
		k := len(line)
		line[n.Print] = k
		if k < legendTold {
			out.Legend = append(out.Legend, legendLine{Label: fmt.Sprintf("%s and %d more", n.Name, v.Repeated(i)-1), Ops: int(n.Ops), Hue: hues[k%len(hues)]})
		} else {
			out.More++
		}
	}
	v.shown(l, func(w *world, i int32) {
		n := &v.Nodes[i]
		print := n.Print
		if n.Kind == hierarchy.Leaf {
			names := v.calls[n.Op]
			if len(names) == 0 {
				return
			}
			f, ok := v.FunctionByName[names[0]]
			if !ok {
				return
			}
			print = v.Nodes[f].Print
		}
		if k, ok := line[print]; ok && k < legendTold {
			out.Nodes[w.p.id(n.ID)] = [][2]float64{{float64(k), 1}}
		}
	})
}

// labels is what the ops are told apart by.
func (v *view) labels(q *question) (func(op int32) string, error) {
	switch q.By {
	case "device":
		return func(op int32) string { return model.Device(v.deviceOf(op)) }, nil
	case "xla":
		return v.xla, nil
	case "type":
		return func(op int32) string { return v.G.Nodes[op].Op }, nil
	case "shape":
		return func(op int32) string { return v.shapeAt(op, 0) }, nil
	case "tpu":
		return func(op int32) string {
			if v.G.Nodes[op].Func >= 0 || compatible(v.G.Nodes[op].Op, v.G.Nodes[op].Device, v.FunctionByName) {
				return "compatible"
			}
			return "incompatible"
		}, nil
	case "regex":
		type compiled struct {
			find func(string) (int, int)
			rule
		}
		var rules []compiled
		for _, r := range q.Rules {
			find, err := matcher(r.Regex, true, false)
			if err != nil {
				return nil, err
			}
			rules = append(rules, compiled{find, r})
		}
		return func(op int32) string {
			n := &v.G.Nodes[op]
			for _, r := range rules {
				hit := -1
				switch r.In {
				case "", "name":
					hit, _ = r.find(v.Nodes[v.Of[op]].ID)
				case "op":
					hit, _ = r.find(n.Op)
				case "device":
					hit, _ = r.find(v.deviceOf(op))
				case "attribute":
					attr.Each(v.G, op, func(a attr.Attr) bool {
						hit, _ = r.find(a.Name + "=" + a.Piece(0, 256).Text)
						return hit < 0
					})
				}
				if hit >= 0 {
					return r.name()
				}
			}
			return ""
		}, nil
	}
	return nil, faultf("bad-question", "Use structure, device, xla, time, memory, tpu, shape, type or regex.", "There is no colouring by %s.", model.Quote(q.By))
}
