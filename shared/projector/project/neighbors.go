package project

import (
	"math"
	"math/rand/v2"
	"slices"
)

// nearest keeps the k nearest of what it is offered: a heap whose first is the farthest.
type nearest struct {
	rows []uint32
	dist []float32
	k    int
}

func (h *nearest) offer(row uint32, d float32) bool {
	if n := len(h.rows); n < h.k {
		h.rows, h.dist = append(h.rows, row), append(h.dist, d)
		for n > 0 && h.less((n-1)/2, n) {
			h.swap(n, (n-1)/2)
			n = (n - 1) / 2
		}
		return true
	}
	if h.k == 0 || d > h.dist[0] || d == h.dist[0] && row >= h.rows[0] {
		return false
	}
	h.rows[0], h.dist[0] = row, d
	for i := 0; ; {
		big := i
		if l := 2*i + 1; l < h.k && h.less(big, l) {
			big = l
		}
		if r := 2*i + 2; r < h.k && h.less(big, r) {
			big = r
		}
		if big == i {
			return true
		}
		h.swap(i, big)
		i = big
	}
}

// less orders by distance, then by row, so that the result does not depend on the order of offers.
func (h *nearest) less(i, j int) bool {
	return h.dist[i] < h.dist[j] || h.dist[i] == h.dist[j] && h.rows[i] < h.rows[j]
}

func (h *nearest) swap(i, j int) {
	h.rows[i], h.rows[j] = h.rows[j], h.rows[i]
	h.dist[i], h.dist[j] = h.dist[j], h.dist[i]
}

// sorted are what it kept, nearest first.
func (h *nearest) sorted() ([]uint32, []float32) {
	order := make([]int, len(h.rows))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if h.less(a, b) {
			return -1
		}
		return 1
	})
	rows, dist := make([]uint32, len(order)), make([]float32, len(order))
	for i, o := range order {
		rows[i], dist[i] = h.rows[o], h.dist[o]
	}
	return rows, dist
}

// Neighbors are the k points of a list that are nearest to a row, without that row: Euclidean distances, or
// 1 − cosine. center, which may be nil, is taken away first, and for Euclidean ones rows are then
// scaled to length 1, as Sphereize does.
func Neighbors(points []float32, dims, row, k int, euclid bool, center []float32, of []uint32, turn Turn) ([]uint32, []float32, error) {
	h := &nearest{k: max(0, min(k, len(of)))}
	at := make([]float32, dims)
	copy(at, points[row*dims:][:dims])
	buffer := make([]float32, dims)
	prepare := func(v []float32) {
		for i := range v {
			v[i] -= center[i]
		}
		if n := float32(math.Sqrt(float64(dot(v, v)))); n > 0 {
			for i := range v {
				v[i] /= n
			}
		}
	}
	if center != nil {
		prepare(at)
	}
	length := math.Sqrt(float64(dot(at, at)))
	for n, r := range of {
		if n&1023 == 0 {
			if err := turn(); err != nil {
				return nil, nil, err
			}
		}
		if int(r) == row {
			continue
		}
		v := points[int(r)*dims:][:dims]
		if center != nil {
			copy(buffer, v)
			prepare(buffer)
			v = buffer
		}
		if euclid {
			h.offer(r, square(at, v))
			continue
		}
		cos := 0.0
		if l := length * math.Sqrt(float64(dot(v, v))); l > 0 {
			cos = float64(dot(at, v)) / l
		}
		h.offer(r, float32(1-cos))
	}
	rows, dist := h.sorted()
	for i := range dist {
		if euclid {
			dist[i] = float32(math.Sqrt(float64(dist[i])))
		}
		dist[i] = max(0, dist[i])
	}
	return rows, dist, nil
}

// Graph holds the k nearest neighbours of each of n points, nearest first, without the point itself.
type Graph struct {
	K    int
	Rows []uint32
	Dist []float32 // squares of Euclidean distances
}

// exactUpTo is the work (points² × dimensions) up to which all pairs are looked at: some 20 s in a browser.
const exactUpTo = 2.5e10

// KNN finds the k nearest of all points: exactly, or by descent (Dong, Moses, Li: "Efficient k-nearest
// neighbor graph construction for generic similarity measures", 2011) where there are very many.
func KNN(m Matrix, k int, seed uint64, turn func(done, of int) error) (*Graph, error) {
	k = min(k, m.N-1)
	heaps := make([]nearest, m.N)
	for i := range heaps {
		heaps[i] = nearest{k: k}
	}
	var err error
	if float64(m.N)*float64(m.N)*float64(m.D) <= exactUpTo {
		err = allPairs(m, heaps, turn)
	} else {
		err = descend(m, heaps, k, seed, turn)
	}
	if err != nil {
		return nil, err
	}
	g := &Graph{K: k, Rows: make([]uint32, 0, m.N*k), Dist: make([]float32, 0, m.N*k)}
	for i := range heaps {
		rows, dist := heaps[i].sorted()
		g.Rows, g.Dist = append(g.Rows, rows...), append(g.Dist, dist...)
	}
	return g, nil
}

// allPairs looks at blocks of rows against blocks of rows, which stay in the cache.
func allPairs(m Matrix, heaps []nearest, turn func(done, of int) error) error {
	const block = 64
	for i0 := 0; i0 < m.N; i0 += block {
		i1 := min(i0+block, m.N)
		for j0 := 0; j0 <= i0; j0 += block {
			for i := i0; i < i1; i++ {
				a := m.Row(i)
				for j := j0; j < min(j0+block, i); j++ {
					d := square(a, m.Row(j))
					if len(heaps[i].rows) < heaps[i].k || d <= heaps[i].dist[0] {
						heaps[i].offer(uint32(j), d)
					}
					if len(heaps[j].rows) < heaps[j].k || d <= heaps[j].dist[0] {
						heaps[j].offer(uint32(i), d)
					}
				}
			}
			if err := turn(i0/2*(i0/block), m.N/2*(m.N/block)); err != nil {
				return err
			}
		}
	}
	return nil
}

// descend begins with random neighbours, and offers to each other the neighbours of each point, those
// that are new since the last round, until hardly any are better.
func descend(m Matrix, heaps []nearest, k int, seed uint64, turn func(done, of int) error) error {
	const rounds = 15
	random := rand.New(rand.NewPCG(seed, 7))
	k2 := min(k, 30)
	fresh := make([]map[uint32]bool, m.N)
	has := func(i int, j uint32) bool { return slices.Contains(heaps[i].rows, j) }
	for i := range heaps {
		fresh[i] = map[uint32]bool{}
		for len(heaps[i].rows) < k {
			j := uint32(random.IntN(m.N))
			if int(j) == i || has(i, j) {
				continue
			}
			heaps[i].offer(j, square(m.Row(i), m.Row(int(j))))
			fresh[i][j] = true
		}
		if i&255 == 0 {
			if err := turn(0, rounds); err != nil {
				return err
			}
		}
	}
	for round := range rounds {
		young, old := make([][]uint32, m.N), make([][]uint32, m.N)
		put := func(list [][]uint32, i int, j uint32) {
			if len(list[i]) < 2*k2 {
				list[i] = append(list[i], j)
			} else if at := random.IntN(4 * k2); at < 2*k2 {
				list[i][at] = j
			}
		}
		for i := range heaps {
			for _, j := range heaps[i].rows {
				if fresh[i][j] {
					put(young, i, j)
					put(young, int(j), uint32(i))
					delete(fresh[i], j)
				} else {
					put(old, i, j)
					put(old, int(j), uint32(i))
				}
			}
		}
		better := 0
		try := func(a, b uint32) {
			if a == b {
				return
			}
			d := square(m.Row(int(a)), m.Row(int(b)))
			for range 2 {
				if d < heaps[a].dist[0] && !has(int(a), b) && heaps[a].offer(b, d) {
					fresh[a][b] = true
					better++
				}
				a, b = b, a
			}
		}
		for i := range heaps {
			for x, a := range young[i] {
				for _, b := range young[i][x+1:] {
					try(a, b)
				}
				for _, b := range old[i] {
					try(a, b)
				}
			}
			if i&15 == 0 {
				if err := turn(round*m.N+i, rounds*m.N); err != nil {
					return err
				}
			}
		}
		if better*1000 < k*m.N {
			break
		}
	}
	return nil
}
