package project

// tree is a quadtree or octree of points, with the centre of mass of each cell, laid out depth
// first: a cell that is far enough is passed over by one step to skip.
type tree struct {
	dims  int
	cells []cell
	kids  []int32 // while it is built: 1<<dims for each of nodes
	nodes []node
}

type node struct {
	center [3]float32
	half   float32
	sum    [3]float32
	count  int32
	point  int32 // of a leaf
	leaf   bool
}

type cell struct {
	at    [3]float32 // centre of mass
	width float32    // squared
	count float32
	skip  int32
}

const deepest = 40 // points closer than that share a leaf

// build makes the tree of n points of dims coordinates.
func (t *tree) build(y []float32, n, dims int) {
	t.dims = dims
	t.nodes, t.kids, t.cells = t.nodes[:0], t.kids[:0], t.cells[:0]
	var lo, hi [3]float32
	for k := range dims {
		lo[k], hi[k] = y[k], y[k]
	}
	for i := range n {
		for k, x := range y[i*dims : (i+1)*dims] {
			lo[k], hi[k] = min(lo[k], x), max(hi[k], x)
		}
	}
	root := node{leaf: true, point: -1}
	for k := range dims {
		root.center[k] = (lo[k] + hi[k]) / 2
		root.half = max(root.half, (hi[k]-lo[k])/2)
	}
	root.half = root.half*1.0001 + 1e-20
	t.push(root)
	for i := range n {
		t.insert(y, int32(i))
	}
	t.flatten(0)
}

func (t *tree) push(n node) int32 {
	t.nodes = append(t.nodes, n)
	for range 1 << t.dims {
		t.kids = append(t.kids, -1)
	}
	return int32(len(t.nodes) - 1)
}

func (t *tree) insert(y []float32, i int32) {
	at, d := int32(0), t.dims
	p := y[int(i)*d : int(i)*d+d]
	for depth := 0; ; depth++ {
		n := &t.nodes[at]
		for k, x := range p {
			n.sum[k] += x
		}
		n.count++
		if n.leaf {
			if n.count == 1 {
				n.point = i
				return
			}
			if depth >= deepest {
				return
			}
			// What was here goes one down.
			old := n.point
			n.leaf, n.point = false, -1
			if old >= 0 {
				q := y[int(old)*d : int(old)*d+d]
				c := t.child(at, q)
				k := &t.nodes[c]
				copy(k.sum[:], q)
				k.count, k.point = 1, old
			}
		}
		at = t.child(at, p)
	}
}

// child is the cell in a cell where a point belongs, made if it is not there.
func (t *tree) child(at int32, p []float32) int32 {
	n := t.nodes[at]
	which, half := 0, n.half/2
	center := n.center
	for k, x := range p {
		if x > n.center[k] {
			which |= 1 << k
			center[k] += half
		} else {
			center[k] -= half
		}
	}
	slot := int(at)<<t.dims + which
	if c := t.kids[slot]; c >= 0 {
		return c
	}
	c := t.push(node{center: center, half: half, leaf: true, point: -1})
	t.kids[slot] = c
	return c
}

func (t *tree) flatten(at int32) {
	n := t.nodes[at]
	i := len(t.cells)
	c := cell{width: 4 * n.half * n.half, count: float32(n.count)}
	for k := range t.dims {
		c.at[k] = n.sum[k] / float32(n.count)
	}
	if n.leaf {
		c.width = 0
	}
	t.cells = append(t.cells, c)
	if !n.leaf {
		for k := range 1 << t.dims {
			if kid := t.kids[int(at)<<t.dims+k]; kid >= 0 {
				t.flatten(kid)
			}
		}
	}
	t.cells[i].skip = int32(len(t.cells))
}

// repel sums what pushes a point away: Σ q² (y − z) into force, and returns Σ q, q being 1/(1+|y−z|²),
// the point's own share taken away. Cells whose width is below theta × their distance count as one.
func (t *tree) repel(p []float32, theta2 float32, force *[3]float32) (sum float32) {
	cells := t.cells
	x, y := p[0], p[1]
	if t.dims == 2 {
		var fx, fy float32
		for i := 0; i < len(cells); {
			c := &cells[i]
			dx, dy := x-c.at[0], y-c.at[1]
			d := dx*dx + dy*dy
			if c.width > theta2*d {
				i++
				continue
			}
			q := 1 / (1 + d)
			s := c.count * q
			sum += s
			s *= q
			fx += s * dx
			fy += s * dy
			i = int(c.skip)
		}
		force[0], force[1] = fx, fy
		return sum - 1
	}
	z := p[2]
	var fx, fy, fz float32
	for i := 0; i < len(cells); {
		c := &cells[i]
		dx, dy, dz := x-c.at[0], y-c.at[1], z-c.at[2]
		d := dx*dx + dy*dy + dz*dz
		if c.width > theta2*d {
			i++
			continue
		}
		q := 1 / (1 + d)
		s := c.count * q
		sum += s
		s *= q
		fx += s * dx
		fy += s * dy
		fz += s * dz
		i = int(c.skip)
	}
	force[0], force[1], force[2] = fx, fy, fz
	return sum - 1
}
