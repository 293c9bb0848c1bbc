package explore

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/graph/attr"
	"github.com/tensorbored/tensorbored-static/shared/graph/hierarchy"
	"github.com/tensorbored/tensorbored-static/shared/graph/model"
)

// row is a line of the statistics.
type row struct {
	Key        string  `json:"key"`
	ID         string  `json:"id"`
	Ops        int     `json:"ops"`
	Share      float64 `json:"share"`
	Parameters float64 `json:"parameters"`
	Time       float64 `json:"time"`
	Memory     float64 `json:"memory"`
}

// rows are the statistics of what is inside i, by type or device of its ops, by its children, or
// (deep) by every scope in it.
func (v *view) rows(i int32, by string, deep bool) ([]row, error) {
	all := max(1, float64(v.Nodes[i].Ops))
	var rows []row
	param := v.parameters()
	line := func(x int32) row {
		n := &v.Nodes[x]
		return row{Key: n.ID, ID: n.ID, Ops: int(n.Ops), Share: float64(n.Ops) / all, Parameters: param[x], Time: v.timeOf(x), Memory: v.memoryOf(x)}
	}
	switch by {
	case "scope":
		stack := []int32{i}
		for len(stack) > 0 {
			x := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, c := range v.Kids(x) {
				if v.Nodes[c].Host >= 0 || deep && v.Nodes[c].Kind == hierarchy.Leaf {
					continue
				}
				rows = append(rows, line(c))
				if deep {
					stack = append(stack, c)
				}
			}
		}
	case "", "type", "device":
		index := map[string]int{}
		v.leaves(i, func(op int32) {
			key := v.G.Nodes[op].Op
			if by == "device" {
				key = model.Device(v.deviceOf(op))
			}
			k, ok := index[key]
			if !ok {
				k = len(rows)
				index[key] = k
				rows = append(rows, row{Key: key})
			}
			r := &rows[k]
			x := v.Of[op]
			r.Ops++
			r.Parameters += param[x]
			r.Time += v.timeOf(x)
			r.Memory += v.memoryOf(x)
		})
		for k := range rows {
			rows[k].Share = float64(rows[k].Ops) / all
		}
	default:
		return nil, faultf("bad-question", "Use type, scope or device.", "There are no statistics by %s.", model.Quote(by))
	}
	return rows, nil
}

func sortRows(rows []row, by string, up bool) error {
	var of func(a, b row) int
	switch by {
	case "", "ops":
		of = func(a, b row) int { return cmp.Compare(a.Ops, b.Ops) }
	case "key":
		of = func(a, b row) int { return -cmp.Compare(a.Key, b.Key) }
	case "parameters":
		of = func(a, b row) int { return cmp.Compare(a.Parameters, b.Parameters) }
	case "time":
		of = func(a, b row) int { return cmp.Compare(a.Time, b.Time) }
	case "memory":
		of = func(a, b row) int { return cmp.Compare(a.Memory, b.Memory) }
	default:
		return faultf("bad-question", "Use ops, key, parameters, time or memory.", "Statistics have no column %s.", model.Quote(by))
	}
	sign := -1
	if up {
		sign = 1
	}
	if by == "key" {
		sign = -sign // names go from A on, unless they are turned around
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Or(sign*of(a, b), strings.Compare(a.Key, b.Key)) })
	return nil
}

// sortedRows are the rows that a question asks for, in its order, and the node that it is of.
func (v *view) sortedRows(q *question) (of int32, rows []row, err error) {
	if of, _, err = v.find(q.ID); err != nil {
		return of, nil, err
	}
	if rows, err = v.rows(of, q.By, q.Deep); err != nil {
		return of, nil, err
	}
	return of, rows, sortRows(rows, q.Sort, q.Up)
}

func (e *Explorer) stats(q *question) (any, error) {
	v := e.view(q)
	i, rows, err := v.sortedRows(q)
	if err != nil {
		return nil, err
	}
	out := struct {
		Ops             int     `json:"ops"`
		Edges           int     `json:"edges"`
		ControlEdges    int     `json:"controlEdges"`
		Scopes          int     `json:"scopes"`
		Depth           int     `json:"depth"`
		Functions       int     `json:"functions"`
		Parameters      float64 `json:"parameters"`
		ParametersKnown bool    `json:"parametersKnown"`
		ParameterBytes  float64 `json:"parameterBytes"`
		Time            float64 `json:"time"`
		Memory          float64 `json:"memory"`
		Rows            []row   `json:"rows"`
		Total           int     `json:"total"`
		Next            int     `json:"next,omitempty"`
	}{Ops: int(v.Nodes[i].Ops), Functions: len(v.Functions), Parameters: v.parameters()[i], Time: v.timeOf(i), Memory: v.memoryOf(i), Rows: []row{}, Total: len(rows)}
	v.leaves(i, func(op int32) {
		for _, in := range v.G.In(op) {
			if in.From >= 0 {
				out.Edges++
				if in.Control {
					out.ControlEdges++
				}
			}
		}
		if v.parameters()[v.Of[op]] > 0 {
			out.ParametersKnown = true
			out.ParameterBytes += v.parameters()[v.Of[op]] * v.width(op)
		}
	})
	stack := []int32{i}
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		out.Depth = max(out.Depth, int(v.Nodes[x].Depth-v.Nodes[i].Depth))
		for _, c := range v.Kids(x) {
			if v.Nodes[c].Kind == hierarchy.Scope {
				out.Scopes++
			}
			stack = append(stack, c)
		}
	}
	var part []row
	part, out.Next = cut(rows, q.Offset, q.limit(100, 10_000))
	out.Rows = append(out.Rows, part...)
	return out, nil
}

// width is the bytes of one parameter of a node.
func (v *view) width(op int32) float64 {
	typ := ""
	switch n := &v.G.Nodes[op]; {
	case n.Kind == model.Variable:
		if a, ok := attr.Find(v.G, op, "dtype"); ok {
			typ = a.TypeName()
		}
	default:
		if s := v.shapesOf(op); len(s) > 0 {
			typ, _, _ = strings.Cut(s[0], "[")
		}
	}
	return attr.Width(typ)
}
