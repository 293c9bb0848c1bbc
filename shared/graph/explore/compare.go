package explore

import (
	"errors"
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/graph/attr"
	"github.com/tensorbored/tensorbored-static/shared/graph/model"
)

// Compare makes an Explorer over two graphs at once, the first of each file: that of new, with
// marks of what was added, changed or renamed, and what only old has, where it stood. by is "name"
// or "structure": then nodes that have no partner of their name find one of the same type that is
// fed in the same way.
func Compare(old, new *Explorer, by string) (*Explorer, error) {
	return CompareGraphs(old, 0, new, 0, by)
}

// CompareGraphs compares a graph of one file with one of another, or of the same.
func CompareGraphs(old *Explorer, oldGraph int, new *Explorer, newGraph int, by string) (*Explorer, error) {
	if by != "name" && by != "structure" && by != "" {
		return nil, errors.New("graphs are compared by name or by structure")
	}
	if oldGraph < 0 || oldGraph >= len(old.graphs) || newGraph < 0 || newGraph >= len(new.graphs) {
		return nil, errors.New("there is no such graph: choose one of those that info lists")
	}
	u := union(old.graphs[oldGraph].Graph, new.graphs[newGraph].Graph, by == "structure")
	f := &model.File{Form: model.Union, Size: old.file.Size + new.file.Size, Graphs: []*model.Graph{u}, Stats: new.file.Stats}
	for _, l := range old.file.Losses.List {
		f.Losses.Add(l.Code, l.Offset, "Of the older graph: %s", l.Message)
	}
	for _, l := range new.file.Losses.List {
		f.Losses.Add(l.Code, l.Offset, "Of the newer graph: %s", l.Message)
	}
	name := new.name
	if old.name != "" && old.name != new.name {
		name = old.name + " and " + new.name
	}
	return &Explorer{file: f, name: name, graphs: []*graph{{Graph: u}}}, nil
}

// names of a node within its graph or function, for pairing: several of one name pair in order.
type nameKey struct {
	function, path string
}

func keyOf(g *model.Graph, i int32) nameKey {
	k := nameKey{path: g.PathOf(i)}
	if f := g.Nodes[i].Func; f >= 0 {
		k.function = "f:" + g.Functions[f].Name
	}
	return k
}

func union(a, b *model.Graph, structure bool) *model.Graph {
	if a.Form == model.Union {
		a = a.After
	}
	if b.Form == model.Union {
		b = b.After
	}
	u := &model.Graph{Name: b.Name, Form: model.Union, Data: b.Data, Before: a, After: b, Library: b.Library, Versions: b.Versions, Producer: b.Producer, Missing: slices.Clone(b.Missing)}
	u.Functions = slices.Clone(b.Functions)
	partner := make([]int32, len(a.Nodes)) // in b
	u.Old = make([]int32, len(b.Nodes))
	for i := range partner {
		partner[i] = -1
	}
	for i := range u.Old {
		u.Old[i] = -1
	}
	byName := make(map[nameKey][]int32, len(a.Nodes))
	for i := range a.Nodes {
		k := keyOf(a, int32(i))
		byName[k] = append(byName[k], int32(i))
	}
	for i := range b.Nodes {
		k := keyOf(b, int32(i))
		if list := byName[k]; len(list) > 0 {
			u.Old[i], partner[list[0]] = list[0], int32(i)
			byName[k] = list[1:]
		}
	}
	renamed := make([]bool, len(b.Nodes))
	if structure {
		pairByStructure(a, b, partner, u.Old, renamed)
	}
	// The nodes of b, then those that only a has. Functions that only a has are functions too.
	u.Nodes = slices.Clone(b.Nodes)
	functions := map[string]int32{}
	for i, f := range b.Functions {
		functions[f.Name] = int32(i)
	}
	at := make([]int32, len(a.Nodes)) // in u
	for i := range a.Nodes {
		if partner[i] >= 0 {
			at[i] = partner[i]
			continue
		}
		n := a.Nodes[i]
		n.Side = 1
		if n.Func >= 0 {
			f := a.Functions[n.Func]
			k, ok := functions[f.Name]
			if !ok {
				k = int32(len(u.Functions))
				functions[f.Name] = k
				u.Functions = append(u.Functions, model.Function{Name: f.Name})
			}
			n.Func = k
		}
		at[i] = int32(len(u.Nodes))
		u.Nodes = append(u.Nodes, n)
		u.Old = append(u.Old, int32(i))
	}
	u.Marks = make([]model.Mark, len(u.Nodes))
	type from struct {
		node, port int32
		control    bool
	}
	for i := range u.Nodes {
		n := &u.Nodes[i]
		in0 := int32(len(u.Inputs))
		if i < len(b.Nodes) {
			now := b.In(int32(i))
			if o := u.Old[i]; o < 0 {
				u.Marks[i] = model.Added
				for _, e := range now {
					e.Mark = model.Added
					u.Inputs = append(u.Inputs, e)
				}
			} else {
				left := map[from]int{}
				for _, e := range a.In(o) {
					if e.From >= 0 {
						left[from{at[e.From], e.Port, e.Control}]++
					}
				}
				differ := false
				for _, e := range now {
					k := from{e.From, e.Port, e.Control}
					if e.From >= 0 {
						if left[k] > 0 {
							left[k]--
						} else {
							e.Mark, differ = model.Added, true
						}
					}
					u.Inputs = append(u.Inputs, e)
				}
				for _, e := range a.In(o) {
					if e.From < 0 {
						continue
					}
					e.From = at[e.From]
					if k := (from{e.From, e.Port, e.Control}); left[k] > 0 {
						left[k]--
						e.Mark, differ = model.Removed, true
						u.Inputs = append(u.Inputs, e)
					}
				}
				switch {
				case differ || different(a, o, b, int32(i)):
					u.Marks[i] = model.Changed
				case renamed[i]:
					u.Marks[i] = model.Renamed
				}
			}
		} else {
			u.Marks[i] = model.Removed
			for _, e := range a.In(u.Old[i]) {
				if e.From >= 0 {
					e.From = at[e.From]
				}
				e.Mark = model.Removed
				u.Inputs = append(u.Inputs, e)
			}
		}
		n.In0, n.InN = in0, int32(len(u.Inputs))-in0
	}
	for i := len(b.Nodes); i < len(u.Nodes); i++ {
		u.Old[i] = -1
	}
	return u
}

// different tells whether two nodes differ in type, device or attributes.
func different(a *model.Graph, i int32, b *model.Graph, j int32) bool {
	x, y := &a.Nodes[i], &b.Nodes[j]
	if x.Op != y.Op || x.Device != y.Device {
		return true
	}
	if a.Form != b.Form && (a.Form == model.ONNX || b.Form == model.ONNX) {
		return false // attributes of two languages
	}
	if string(a.Bytes(i)) == string(b.Bytes(j)) {
		return false
	}
	values := map[string]attr.Attr{}
	attr.Each(a, i, func(t attr.Attr) bool { values[t.Name] = t; return true })
	same, n := true, 0
	attr.Each(b, j, func(t attr.Attr) bool {
		n++
		old, ok := values[t.Name]
		same = ok && sameValue(old, t)
		return same
	})
	return !same || n != len(values)
}

// radius is how many steps up and down are looked at.
const radius = 3

// pairByStructure pairs nodes without a partner that are alike: same type and, three steps up
// and down, the same types around them. Of several that are alike, the first pairs with the
// first. Near what has changed fewer steps must do, two or one: then a node pairs only where
// there is but one such in both graphs.
func pairByStructure(a, b *model.Graph, partner, old []int32, renamed []bool) {
	la, lb := labels(a), labels(b)
	for r := radius - 1; r >= 0; r-- {
		free, wanted := map[uint64][]int32{}, map[uint64]int{}
		for i := range a.Nodes {
			if partner[i] < 0 {
				free[la[r][i]] = append(free[la[r][i]], int32(i))
			}
		}
		for j := range b.Nodes {
			if old[j] < 0 {
				wanted[lb[r][j]]++
			}
		}
		for j := range b.Nodes {
			label := lb[r][j]
			list := free[label]
			if old[j] >= 0 || len(list) == 0 || r < radius-1 && (len(list) > 1 || wanted[label] > 1) {
				continue
			}
			old[j], partner[list[0]], renamed[j] = list[0], int32(j), true
			free[label] = list[1:]
		}
	}
}

// labels tell nodes apart by their surroundings, without names: by one step, by two, by three.
func labels(g *model.Graph) (of [radius][]uint64) {
	cur := make([]uint64, len(g.Nodes))
	for i := range g.Nodes {
		h := uint64(14695981039346656037)
		op := g.Nodes[i].Op
		for k := 0; k < len(op); k++ {
			h = (h ^ uint64(op[k])) * 1099511628211
		}
		cur[i] = h
	}
	up, down := make([]uint64, len(cur)), make([]uint64, len(cur))
	for r := range of {
		for i := range cur {
			up[i], down[i] = 0, 0
		}
		for i := range g.Nodes {
			for k, e := range g.In(int32(i)) {
				if e.From < 0 {
					continue
				}
				up[i] += scramble(cur[e.From] + uint64(k)*0x9e3779b97f4a7c15)
				down[e.From] += scramble(cur[i] ^ 0x5851f42d4c957f2d)
			}
		}
		next := make([]uint64, len(cur))
		for i := range cur {
			next[i] = scramble(cur[i]*31 + up[i] + scramble(down[i]))
		}
		of[r], cur = next, next
	}
	return of
}

func scramble(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

type difference struct {
	ID      string   `json:"id"`
	What    string   `json:"what"`
	Op      string   `json:"op"`
	Old     string   `json:"old,omitempty"`
	Changes []change `json:"changes,omitempty"`
}

func (e *Explorer) compare(q *question) (any, error) {
	v := e.view(q)
	if v.Marks == nil {
		return nil, faultf("nothing-there", "Choose a second graph.", "Only one graph is open.")
	}
	root, _, err := v.find(q.ID)
	if err != nil {
		return nil, err
	}
	var want model.Mark
	switch q.List {
	case "":
	case "added":
		want = model.Added
	case "removed":
		want = model.Removed
	case "changed":
		want = model.Changed
	case "renamed":
		want = model.Renamed
	default:
		return nil, faultf("bad-question", "Use added, removed, changed or renamed.", "There is no list %s.", model.Quote(q.List))
	}
	out := struct {
		Added        int          `json:"added"`
		Removed      int          `json:"removed"`
		Changed      int          `json:"changed"`
		Renamed      int          `json:"renamed"`
		Same         int          `json:"same"`
		EdgesAdded   int          `json:"edgesAdded"`
		EdgesRemoved int          `json:"edgesRemoved"`
		Items        []difference `json:"items"`
		Total        int          `json:"total"`
		Next         int          `json:"next,omitempty"`
	}{Items: []difference{}}
	limit := q.limit(100, 1000)
	ops := v.starts(root)
	slices.Sort(ops)
	for _, op := range ops {
		m := v.Marks[op]
		switch m {
		case model.Added:
			out.Added++
		case model.Removed:
			out.Removed++
		case model.Changed:
			out.Changed++
		case model.Renamed:
			out.Renamed++
		default:
			out.Same++
		}
		for _, in := range v.G.In(op) {
			if in.From >= 0 && in.Mark == model.Added {
				out.EdgesAdded++
			} else if in.From >= 0 && in.Mark == model.Removed {
				out.EdgesRemoved++
			}
		}
		if m == model.Same || want != model.Same && m != want {
			continue
		}
		if out.Total >= q.Offset && len(out.Items) < limit {
			d := difference{ID: v.Nodes[v.Of[op]].ID, What: m.String(), Op: v.G.Nodes[op].Op}
			if o := v.Old[op]; o >= 0 {
				if name := v.Before.PathOf(o); name != v.G.PathOf(op) {
					d.Old = name
				}
				d.Changes = v.changes(op)
			}
			out.Items = append(out.Items, d)
		}
		out.Total++
	}
	if q.Offset+len(out.Items) < out.Total {
		out.Next = q.Offset + len(out.Items)
	}
	return out, nil
}
