package hierarchy

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/graph/model"
)

// member is an op that may be part of a series: its name without the number at its end.
type member struct {
	node int32
	num  int64
}

type seriesKey struct {
	typ, prefix string
	suffixed    bool // the number was there; without it is the zeroth of its own series
}

// series puts ops of one type, whose names end in numbers that follow each other, into a series,
// as TensorBoard does (detectSeriesUsingNumericSuffixes): the name up to the number must have no
// digit, a name without a number is the zeroth. Of Keras and ONNX, whose layers are often numbered through the
// whole model, those are none that others stand between: a picture of them would be torn apart. With scopes it does so with scopes
// of one fingerprint; then the name may have digits elsewhere.
func (h *builder) series(scopes bool) {
	if h.Opt.Series <= 0 {
		return
	}
	min := max(2, h.Opt.Series)
	made := false
	n := len(h.Order)
	for k := 0; k < n; k++ {
		s := h.Order[k]
		if kind := h.Nodes[s].Kind; kind == Leaf || kind == Series || kind == Library {
			continue
		}
		if n := int(h.Nodes[s].N); n < 2 || n < min && len(h.Opt.Group) == 0 {
			continue
		}
		candidates := map[seriesKey][]member{}
		var order []seriesKey
		for _, c := range h.Kids(s) {
			x := &h.Nodes[c]
			var typ string
			if !scopes {
				if x.Kind != Leaf || x.Host >= 0 {
					continue
				}
				if typ = h.G.Nodes[x.Op].Op; typ == "" {
					continue
				}
			} else {
				if x.Kind != Scope {
					continue
				}
				typ = strconv.FormatUint(x.Print, 16)
			}
			leaf := x.ID[strings.LastIndexByte(x.ID, '/')+1:]
			prefix, num, ok := number(leaf, scopes)
			if !ok && scopes {
				continue
			}
			id := seriesKey{typ, prefix, ok}
			if _, seen := candidates[id]; !seen {
				order = append(order, id)
			}
			candidates[id] = append(candidates[id], member{c, num})
		}
		for _, id := range order {
			ms := candidates[id]
			if len(ms) < 2 {
				continue
			}
			slices.SortStableFunc(ms, func(a, b member) int { return cmp.Compare(a.num, b.num) })
			for i := 0; i < len(ms); {
				j := i + 1
				for j < len(ms) && ms[j].num == ms[j-1].num+1 {
					j++
				}
				if j-i >= 2 {
					made = h.oneSeries(s, id.prefix, ms[i:j], min, scopes) || made
				}
				i = j
			}
		}
	}
	if made {
		h.children()
	}
}

// number takes the number off the end of a name. TensorBoard wants no other digit in it.
func number(leaf string, digits bool) (prefix string, num int64, ok bool) {
	i := len(leaf)
	for i > 0 && leaf[i-1] >= '0' && leaf[i-1] <= '9' {
		i--
	}
	if i == len(leaf) || len(leaf)-i > 15 || !digits && strings.ContainsAny(leaf[:i], "0123456789") {
		return leaf, 0, false
	}
	num, _ = strconv.ParseInt(leaf[i:], 10, 64)
	return leaf[:i], num, true
}

// oneSeries makes the series of ms in scope s, unless it is too short or was taken apart.
func (h *builder) oneSeries(s int32, prefix string, ms []member, least int, scopes bool) bool {
	first := &h.Nodes[ms[0].node]
	parent := ""
	if i := strings.LastIndexByte(first.ID, '/'); i >= 0 {
		parent = first.ID[:i+1]
	}
	name := prefix + "[" + strconv.FormatInt(ms[0].num, 10) + "-" + strconv.FormatInt(ms[len(ms)-1].num, 10) + "]"
	id := parent + name
	if h.Opt.Ungroup[id] || len(ms) < least && !h.Opt.Group[id] {
		return false
	}
	if h.taken(id) { // two types by one pattern
		return false
	}
	if !scopes && h.between(ms) {
		return false
	}
	typ := ""
	if !scopes {
		typ = h.G.Nodes[first.Op].Op
	}
	i := h.add(Node{ID: id, Name: name, Parent: s, Op: -1, Kind: Series, Type: typ})
	for _, m := range ms {
		h.Nodes[m.node].Parent = i
	}
	return true
}

// between says whether a way leads from a member of a series of layers over others back to a member. Layers stand
// in the order of the computation, so what stands behind the last member leads nowhere.
func (h *builder) between(ms []member) bool {
	form := h.G.FormOf(h.Nodes[ms[0].node].Op)
	if form != model.Keras && form != model.ONNX {
		return false
	}
	const inside = 1
	seen, last := map[int32]int{}, int32(0)
	for _, m := range ms {
		op := h.Nodes[m.node].Op
		seen[op] = inside
		last = max(last, op)
	}
	var queue []int32
	add := func(from int32) (back bool) {
		for _, r := range h.Readers(from) {
			what, met := seen[r]
			if what == inside && seen[from] != inside {
				return true
			}
			if !met && r < last {
				seen[r] = 2
				queue = append(queue, r)
			}
		}
		return false
	}
	for _, m := range ms {
		add(h.Nodes[m.node].Op)
	}
	for k := 0; k < len(queue); k++ {
		if add(queue[k]) {
			return true
		}
	}
	return false
}

// levels groups what is in scopes that are too wide: ops by their type, scopes together, and
// what is still too many in parts, in the file's order. No scope, group or part shows more than
// Level things then.
func (h *builder) levels() {
	if h.Opt.Level <= 0 {
		return
	}
	level := max(20, h.Opt.Level)
	made := false
	n := len(h.Order)
	for k := 0; k < n; k++ {
		s := h.Order[k]
		if h.Nodes[s].Kind == Leaf || int(h.Nodes[s].N) <= level {
			continue
		}
		var shown []int32
		for _, c := range h.Kids(s) {
			if h.Nodes[c].Host < 0 {
				shown = append(shown, c)
			}
		}
		if len(shown) <= level {
			continue
		}
		made = true
		by := map[string][]int32{}
		var order []string
		for _, c := range shown {
			t := "scopes"
			switch x := &h.Nodes[c]; x.Kind {
			case Leaf:
				if t = h.G.Nodes[x.Op].Op; t == "" {
					t = "no type"
				}
			case Series:
				t = "series"
			case Function:
				t = "functions"
			case Library:
				continue
			}
			if by[t] == nil {
				order = append(order, t)
			}
			by[t] = append(by[t], c)
		}
		prefix := h.Nodes[s].ID
		if s != Root {
			prefix += "/"
		}
		if len(order) == 1 && h.Nodes[s].Kind != Scope || len(order) > level {
			h.parts(s, prefix, shown, level)
			continue
		}
		for _, t := range order {
			if len(by[t]) < 2 {
				continue
			}
			g := h.group(s, prefix+"("+t+")", "("+t+")", t, by[t])
			if len(by[t]) > level {
				h.parts(g, h.Nodes[g].ID+"/", by[t], level)
			}
		}
	}
	if made {
		h.children()
	}
}

func (h *builder) group(s int32, id, name, typ string, members []int32) int32 {
	for k, base := 2, id; h.taken(id); k++ {
		id = base + " " + itoa(k)
	}
	g := h.add(Node{ID: id, Name: name, Parent: s, Op: -1, Kind: Group, Type: typ})
	for _, c := range members {
		h.Nodes[c].Parent = g
	}
	return g
}

// parts splits members of s into parts of level, these into parts of level, until s has no more
// than level.
func (h *builder) parts(s int32, prefix string, members []int32, level int) {
	step := 1
	typ := h.Nodes[s].Type
	for len(members) > level {
		step *= level
		var next []int32
		for i := 0; i < len(members); i += level {
			end := min(len(members), i+level)
			from := i/level*step + 1
			name := "(" + itoa(from) + "-" + itoa(from+step-1) + ")"
			next = append(next, h.group(s, prefix+name, name, typ, members[i:end]))
		}
		members = next
	}
}
