package hierarchy

import (
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/graph/model"
)

// made is a scope as names lead to it: by one part from the scope around it, or by all parts from a root.
type made struct {
	name string
	from int32
	node int32 // ^node if that is only the last scope on the way to where the name leads
}

// reached is a scope to which all parts of a name led, or not all.
func reached(name string, from, node int32, whole bool) made {
	if !whole {
		node = ^node
	}
	return made{name, from, node}
}

func (m made) reached() (node int32, whole bool) {
	if m.node < 0 {
		return ^m.node, false
	}
	return m.node, true
}

// dir finds the scope of a path below root, and makes those that are missing if it may. Most paths lead
// into a scope that another led to, or into one beside that: so only few are walked part by part.
func (h *builder) dir(root int32, path string, make bool) int32 {
	slash := strings.LastIndexByte(path, '/')
	if slash < 0 {
		return root
	}
	dir := path[:slash]
	if dir == h.lastDir && root == h.lastRoot {
		return h.lastGot
	}
	got, _ := h.known(root, dir, make)
	h.lastDir, h.lastRoot, h.lastGot = dir, root, got
	return got
}

// known is the scope that dir leads to. whole is false if that is only one around it.
func (h *builder) known(root int32, dir string, make bool) (at int32, whole bool) {
	if i, ok := h.byPath.Find(root, dir); ok {
		return h.paths[i].reached()
	}
	at, whole = root, true
	from := strings.LastIndexByte(dir, '/') + 1
	if from > 0 {
		if i, ok := h.byPath.Find(root, dir[:from-1]); ok {
			at, whole = h.paths[i].reached()
		} else {
			at, whole = h.scope(root, root, dir[:from-1], 0, make)
			h.remember(root, dir[:from-1], at, whole)
		}
	}
	if whole {
		at, whole = h.scope(root, at, dir, from, make)
	}
	h.remember(root, dir, at, whole)
	return at, whole
}

func (h *builder) remember(root int32, dir string, node int32, whole bool) {
	h.paths = append(h.paths, reached(dir, root, node, whole))
	h.byPath.Claim(root, dir, int32(len(h.paths)-1))
}

// scope goes from the scope at, which dir[:from] leads to, along the rest of dir, and makes scopes that are
// missing if it may. It returns where it came, and whether that is the end.
func (h *builder) scope(root, at int32, dir string, from int, make bool) (int32, bool) {
	depth := int(h.Nodes[at].Depth - h.Nodes[root].Depth)
	for from <= len(dir) {
		end := strings.IndexByte(dir[from:], '/')
		if end < 0 {
			end = len(dir) - from
		}
		if depth++; depth > MaxDepth {
			if make {
				h.Losses.Add("too-deep", -1, "Scopes more than %d deep are shown as one: %s.", MaxDepth, model.Quote(dir))
			}
			return at, false
		}
		part := dir[from : from+end]
		i, ok := h.byPart.Find(at, part)
		if !ok {
			if !make {
				return at, false
			}
			i = int32(len(h.steps))
			h.steps = append(h.steps, made{part, at, h.newScope(root, at, dir[:from+end], part)})
			h.byPart.Claim(at, part, i)
		}
		at, from = h.steps[i].node, from+end+1
	}
	return at, true
}

// newScope makes the scope of a path, which is called part in the one around it.
func (h *builder) newScope(root, around int32, path, part string) int32 {
	id := path
	if root != Root {
		id = h.Nodes[root].ID + "/" + path
	}
	if id == "" { // a leading slash: the root has the empty id
		id = "(empty)"
	}
	for n, base := 2, id; h.taken(id); n++ {
		id = base + " (" + itoa(n) + ")"
	}
	if part == "" {
		part = "(empty)"
	}
	return h.add(Node{ID: id, Name: part, Parent: around, Op: -1, Kind: Scope})
}
