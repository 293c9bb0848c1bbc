package explore

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/graph/model"
)

type hit struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Op      string   `json:"op,omitempty"`
	Kind    string   `json:"kind"`
	Open    []string `json:"open"`
	At      [2]int   `json:"at"`
	In      string   `json:"in"`
	Visible string   `json:"visible,omitempty"`
}

const lookedAtOnce = 50_000 // nodes that one question looks at

// matcher finds a text or an expression.
func matcher(text string, regex, exact bool) (func(s string) (from, to int), error) {
	if regex {
		if !exact {
			text = "(?i)" + text
		}
		re, err := regexp.Compile(text)
		if err != nil {
			return nil, faultf("bad-regex", "Correct it; its syntax is RE2's.", "The expression is not right: %v.", err)
		}
		return func(s string) (int, int) {
			if at := re.FindStringIndex(s); at != nil {
				return at[0], at[1]
			}
			return -1, -1
		}, nil
	}
	if exact {
		return func(s string) (int, int) { i := strings.Index(s, text); return i, i + len(text) }, nil
	}
	// Without capitals, by the bytes of ASCII and otherwise by an expression: lower case may have
	// another length.
	ascii := true
	for i := range len(text) {
		ascii = ascii && text[i] < 0x80
	}
	if !ascii {
		re := regexp.MustCompile("(?i)" + regexp.QuoteMeta(text))
		return func(s string) (int, int) {
			if at := re.FindStringIndex(s); at != nil {
				return at[0], at[1]
			}
			return -1, -1
		}, nil
	}
	low := strings.ToLower(text)
	if low == "" {
		return func(string) (int, int) { return 0, 0 }, nil
	}
	first := low[0]
	return func(s string) (int, int) {
		for i := 0; i+len(low) <= len(s); i++ {
			if lower(s[i]) != first {
				continue
			}
			k := 1
			for k < len(low) && lower(s[i+k]) == low[k] {
				k++
			}
			if k == len(low) {
				return i, i + k
			}
		}
		return -1, -1
	}, nil
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func (e *Explorer) search(q *question) (any, error) {
	v := e.view(q)
	find, err := matcher(q.Text, q.Regex, q.Case)
	if err != nil {
		return nil, err
	}
	name, op := len(q.In) == 0, len(q.In) == 0
	for _, in := range q.In {
		name, op = name || in == "name", op || in == "op"
	}
	from := 0
	if len(q.FromAt) > 0 && json.Unmarshal(q.FromAt, &from) != nil {
		return nil, faultf("bad-question", "", "\"from\" is a number.")
	}
	limit := q.limit(42, 5000)
	out := struct {
		Total  int   `json:"total"`
		Hits   []hit `json:"hits"`
		Next   int   `json:"next,omitempty"`
		Looked int   `json:"looked"`
		Of     int   `json:"of"`
	}{Hits: []hit{}, Of: len(v.Order) - 1}
	d := v.describer(&q.opt)
	from = min(max(from, 0), out.Of)
	end := min(out.Of, from+lookedAtOnce)
	types := map[string][2]int{} // whether a type matches is found out once
	for _, i := range v.Order[1+from : 1+end] {
		n := &v.Nodes[i]
		a, b, in := -1, -1, "name"
		if name {
			a, b = find(n.ID)
		}
		if a < 0 && op {
			typ := n.Type
			if n.Op >= 0 {
				typ = v.G.Nodes[n.Op].Op
			}
			if typ != "" {
				t, ok := types[typ]
				if !ok {
					t[0], t[1] = find(typ)
					types[typ] = t
				}
				a, b, in = t[0], t[1], "op"
			}
		}
		if a < 0 {
			continue
		}
		if out.Total >= q.Offset && len(out.Hits) < limit {
			h := hit{ID: n.ID, Name: n.ID, Op: n.Type, Kind: d.kind(i), At: [2]int{a, b}, In: in}
			if n.Op >= 0 {
				h.Op = v.G.Nodes[n.Op].Op
			}
			shown := i
			if n.Host >= 0 {
				shown = n.Host
				h.Visible = v.Nodes[n.Host].ID
			}
			h.Open = v.ancestors(shown, place{})
			out.Hits = append(out.Hits, h)
		}
		out.Total++
	}
	out.Looked = end
	if q.Offset+len(out.Hits) < out.Total {
		out.Next = q.Offset + len(out.Hits)
	}
	return out, nil
}

// starts are the model's nodes inside i, or the one itself.
func (v *view) starts(i int32) (ops []int32) {
	v.leaves(i, func(op int32) { ops = append(ops, op) })
	return ops
}

// step calls f for the nodes that op reads (back), or that read it.
func (v *view) step(op int32, back, control bool, f func(next int32)) {
	if back {
		for _, e := range v.G.In(op) {
			if e.From >= 0 && (control || !e.Control) {
				f(e.From)
			}
		}
		return
	}
	for _, r := range v.Readers(op) {
		if control {
			f(r)
			continue
		}
		for _, e := range v.G.In(r) {
			if e.From == op && !e.Control {
				f(r)
				break
			}
		}
	}
}

const tracedEdges = 20_000

func (e *Explorer) trace(q *question) (any, error) {
	v := e.view(q)
	i, p, err := v.find(q.ID)
	if err != nil {
		return nil, err
	}
	control := q.Control == nil || *q.Control
	w := v.worldOf(q, p)
	start := v.starts(i)
	reached := make([]bool, len(v.G.Nodes))
	count := 0
	walk := func(back bool) {
		seen := make([]bool, len(v.G.Nodes))
		queue := append([]int32(nil), start...)
		for _, s := range start {
			seen[s] = true
		}
		for k := 0; k < len(queue); k++ {
			v.step(queue[k], back, control, func(next int32) {
				if !seen[next] {
					seen[next] = true
					queue = append(queue, next)
					if !reached[next] {
						reached[next] = true
						count++
					}
				}
			})
		}
	}
	switch q.Direction {
	case "", "in":
		walk(true)
	case "out":
		walk(false)
	case "both":
		walk(true)
		walk(false)
	default:
		return nil, faultf("bad-question", "Use in, out or both.", "There is no direction %s.", model.Quote(q.Direction))
	}
	out := struct {
		IDs   []string    `json:"ids"`
		Edges [][2]string `json:"edges"`
		Ops   int         `json:"ops"`
		Total int         `json:"total"`
	}{IDs: []string{}, Edges: [][2]string{}, Ops: count}
	for _, s := range start {
		reached[s] = true
	}
	mine := make([]int32, len(v.G.Nodes)) // what shows it, -1 if it is not on the trace
	told := make([]bool, len(v.Nodes))
	for op := range reached {
		mine[op] = -1
		if !reached[op] {
			continue
		}
		x := w.visible(v, v.Of[op])
		mine[op] = x
		if x >= 0 && !told[x] && !around(v, x, i) {
			told[x] = true
			out.IDs = append(out.IDs, w.p.id(v.Nodes[x].ID))
		}
	}
	pairs := map[[2]int32]bool{}
	for op := range reached {
		if mine[op] < 0 {
			continue
		}
		for _, in := range v.G.In(int32(op)) {
			if in.From < 0 || mine[in.From] < 0 || mine[in.From] == mine[op] || !control && in.Control {
				continue
			}
			k := [2]int32{mine[in.From], mine[op]}
			if !pairs[k] && len(pairs) < tracedEdges {
				pairs[k] = true
				out.Edges = append(out.Edges, [2]string{w.p.id(v.Nodes[k[0]].ID), w.p.id(v.Nodes[k[1]].ID)})
			}
		}
	}
	out.Total = len(out.IDs)
	return out, nil
}

// worldOf is the world, under the question's expansion, that a place is in.
func (v *view) worldOf(q *question, p place) *world {
	l := v.open(q, q.limit(sceneLimit, 100_000))
	for k := range l.worlds {
		if l.worlds[k].p == p {
			return &l.worlds[k]
		}
	}
	if p.function != "" { // a call that is not open: what is in it is seen as if it was
		f, _ := v.ByID(p.function)
		return &world{p: p, root: f, open: map[int32]int{f: 0}}
	}
	return &l.worlds[0]
}

type pathStep struct {
	ID      string `json:"id"`
	Op      string `json:"op,omitempty"`
	Visible string `json:"visible"`
	Forward bool   `json:"forward"`
}

func (e *Explorer) path(q *question) (any, error) {
	v := e.view(q)
	var fromID string
	if json.Unmarshal(q.FromAt, &fromID) != nil {
		return nil, faultf("bad-question", "", "\"from\" is an id.")
	}
	a, p, err := v.find(fromID)
	if err != nil {
		return nil, err
	}
	b, _, err := v.find(q.To)
	if err != nil {
		return nil, err
	}
	control := q.Control == nil || *q.Control
	type answer struct {
		Found     bool       `json:"found"`
		Length    int        `json:"length"`
		Direction string     `json:"direction"`
		Steps     []pathStep `json:"steps"`
		IDs       []string   `json:"ids"`
	}
	out := answer{Steps: []pathStep{}, IDs: []string{}}
	var ways []string
	switch q.Direction {
	case "", "either":
		ways = []string{"forward", "backward"}
	case "forward", "backward", "any":
		ways = []string{q.Direction}
	default:
		return nil, faultf("bad-question", "Use forward, backward, either or any.", "There is no direction %s.", model.Quote(q.Direction))
	}
	w := v.worldOf(q, p)
	for _, way := range ways {
		ops, forward := v.shortest(v.starts(a), v.starts(b), way, control)
		if ops == nil {
			continue
		}
		out.Found, out.Length, out.Direction = true, len(ops)-1, way
		for k, op := range ops {
			x := v.Of[op]
			s := pathStep{ID: w.p.id(v.Nodes[x].ID), Op: v.G.Nodes[op].Op, Forward: forward[k]}
			if y := w.visible(v, x); y >= 0 {
				s.Visible = w.p.id(v.Nodes[y].ID)
				if len(out.IDs) == 0 || out.IDs[len(out.IDs)-1] != s.Visible {
					out.IDs = append(out.IDs, s.Visible)
				}
			}
			out.Steps = append(out.Steps, s)
		}
		break
	}
	return out, nil
}

// shortest is a shortest path from one of a to one of b: its ops, and for each whether the edge
// that leads to it goes forward. nil if there is none.
func (v *view) shortest(a, b []int32, way string, control bool) (ops []int32, forward []bool) {
	goal := make([]bool, len(v.G.Nodes))
	for _, x := range b {
		goal[x] = true
	}
	const unseen = -2
	from := make([]int32, len(v.G.Nodes))
	dir := make([]bool, len(v.G.Nodes))
	for k := range from {
		from[k] = unseen
	}
	queue := append([]int32(nil), a...)
	for _, x := range a {
		from[x] = -1
		if goal[x] {
			return []int32{x}, []bool{true}
		}
	}
	for k := 0; k < len(queue); k++ {
		x := queue[k]
		end := int32(-1)
		visit := func(fwd bool) func(int32) {
			return func(next int32) {
				if from[next] != unseen || end >= 0 {
					return
				}
				from[next], dir[next] = x, fwd
				queue = append(queue, next)
				if goal[next] {
					end = next
				}
			}
		}
		if way != "backward" {
			v.step(x, false, control, visit(true))
		}
		if way != "forward" && end < 0 {
			v.step(x, true, control, visit(false))
		}
		if end < 0 {
			continue
		}
		for y := end; y >= 0; y = from[y] {
			ops, forward = append(ops, y), append(forward, dir[y] || from[y] < 0)
		}
		for i, j := 0, len(ops)-1; i < j; i, j = i+1, j-1 {
			ops[i], ops[j] = ops[j], ops[i]
			forward[i], forward[j] = forward[j], forward[i]
		}
		return ops, forward
	}
	return nil, nil
}
