package project

import (
	"math"
	"math/rand/v2"
)

// UMAP are the options of UMAP: McInnes, Healy, Melville, arXiv:1802.03426.
type UMAP struct {
	Dims      int     // 2 or 3
	Neighbors int     // 15, the point itself counted, as umap-learn does
	MinDist   float64 // 0.1
	Epochs    int     // 0: 500 up to 10,000 points, else 200
	Seed      uint64
}

// curve finds a and b such that 1/(1 + a·x^(2b)) is as near as can be to 1 up to minDist, and falls off
// exponentially from there, for x to 3: least squares by Gauss and Newton, damped.
func curve(minDist float64) (a, b float64) {
	a, b = 1.5, 0.9
	damp := 1e-3
	loss := func(a, b float64) (sum float64) {
		for i := range 300 {
			x := 3 * float64(i) / 299
			want := 1.0
			if x > minDist {
				want = math.Exp(-(x - minDist))
			}
			r := 1/(1+a*math.Pow(x, 2*b)) - want
			sum += r * r
		}
		return sum
	}
	for range 200 {
		var haa, hab, hbb, ga, gb float64
		for i := 1; i < 300; i++ {
			x := 3 * float64(i) / 299
			want := 1.0
			if x > minDist {
				want = math.Exp(-(x - minDist))
			}
			p := math.Pow(x, 2*b)
			f := 1 / (1 + a*p)
			da, db := -f*f*p, -f*f*a*p*2*math.Log(x)
			r := f - want
			haa += da * da
			hab += da * db
			hbb += db * db
			ga += da * r
			gb += db * r
		}
		haa, hbb = haa*(1+damp), hbb*(1+damp)
		det := haa*hbb - hab*hab
		if det == 0 {
			break
		}
		na, nb := a-(hbb*ga-hab*gb)/det, b-(haa*gb-hab*ga)/det
		if na > 0 && nb > 0 && loss(na, nb) < loss(a, b) {
			done := math.Abs(na-a)+math.Abs(nb-b) < 1e-10
			a, b, damp = na, nb, damp/3
			if done {
				break
			}
		} else {
			damp *= 4
		}
	}
	return a, b
}

// Layout is a UMAP under way.
type Layout struct {
	N, Dims, Epochs, Epoch int
	Y                      []float32
	a, b                   float32
	from, to               []int32
	every, next            []float32 // epochs between two uses of an edge, and the epoch of the next
	random                 *rand.Rand
}

// NewUMAP finds neighbours, and where the points begin.
func NewUMAP(m Matrix, o UMAP, turn Turn, progress func(done, of int) error) (*Layout, error) {
	if o.Dims != 3 {
		o.Dims = 2
	}
	if o.Neighbors <= 1 {
		o.Neighbors = 15
	}
	if o.MinDist <= 0 {
		o.MinDist = 0.1
	}
	if o.Epochs <= 0 {
		o.Epochs = 500
		if m.N > 10000 {
			o.Epochs = 200
		}
	}
	g, err := KNN(m, min(o.Neighbors, m.N)-1, o.Seed, progress)
	if err != nil {
		return nil, err
	}
	w := make([]float32, len(g.Rows))
	if err := fuzzy(g, w, turn); err != nil {
		return nil, err
	}
	s := symmetric(g, w, func(a, b float32) float32 { return a + b - a*b })
	l := &Layout{N: m.N, Dims: o.Dims, Epochs: o.Epochs, random: rand.New(rand.NewPCG(o.Seed, 5))}
	a, b := curve(o.MinDist)
	l.a, l.b = float32(a), float32(b)
	most := float32(0)
	for _, x := range s.w {
		most = max(most, x)
	}
	for i := range m.N {
		for e := s.starts[i]; e < s.starts[i+1]; e++ {
			if s.w[e] < most/float32(o.Epochs) || s.w[e] == 0 {
				continue
			}
			l.from, l.to = append(l.from, int32(i)), append(l.to, s.cols[e])
			l.every = append(l.every, most/s.w[e])
		}
	}
	l.next = append([]float32(nil), l.every...)
	if l.Y, err = spectral(m, s, o, l.random, turn); err != nil {
		return nil, err
	}
	return l, nil
}

// fuzzy makes weights of distances: the nearest neighbour has 1, the others fall off such that
// their sum is log₂ of the number of neighbours (smooth_knn_dist of umap-learn).
func fuzzy(g *Graph, w []float32, turn Turn) error {
	k := g.K
	n := len(g.Rows) / max(1, k)
	want := math.Log2(float64(k + 1))
	total := 0.0
	for _, d := range g.Dist {
		total += math.Sqrt(float64(d))
	}
	for i := range n {
		dist := g.Dist[i*k : (i+1)*k]
		rho, own := 0.0, 0.0
		for _, d := range dist {
			x := math.Sqrt(float64(d))
			own += x
			if rho == 0 {
				rho = x
			}
		}
		lo, hi, sigma := 0.0, math.Inf(1), 1.0
		for range 64 {
			sum := 0.0
			for _, d := range dist {
				if x := math.Sqrt(float64(d)) - rho; x > 0 {
					sum += math.Exp(-x / sigma)
				} else {
					sum++
				}
			}
			if math.Abs(sum-want) < 1e-5 {
				break
			}
			if sum > want {
				hi = sigma
				sigma = (lo + hi) / 2
			} else {
				lo = sigma
				if math.IsInf(hi, 1) {
					sigma *= 2
				} else {
					sigma = (lo + hi) / 2
				}
			}
		}
		if rho > 0 {
			sigma = max(sigma, 1e-3*own/float64(k+1))
		} else {
			sigma = max(sigma, 1e-3*total/float64(n*(k+1)))
		}
		for j, d := range dist {
			x := math.Sqrt(float64(d)) - rho
			w[i*k+j] = 1
			if x > 0 && sigma > 0 {
				w[i*k+j] = float32(math.Exp(-x / sigma))
			}
		}
		if i&127 == 0 {
			if err := turn(); err != nil {
				return err
			}
		}
	}
	return nil
}

// spectral begins with the eigenvectors of the graph's Laplacian that vary least, as far as some
// rounds find them: they need not be exact. Of a graph in many pieces, which has no such
// picture, PCA is the beginning.
func spectral(m Matrix, s sparse, o UMAP, random *rand.Rand, turn Turn) ([]float32, error) {
	n := m.N
	if pieces(s) > 1 || n < 4*o.Dims {
		y, err := initial(m, o.Dims, 3, random, turn)
		return y, err
	}
	root := make([]float64, n)
	for i := range n {
		for e := s.starts[i]; e < s.starts[i+1]; e++ {
			root[i] += float64(s.w[e])
		}
		root[i] = 1 / math.Sqrt(root[i])
	}
	// (1 + D^-½ W D^-½)/2 has values from 0 to 1; the greatest, whose vector is known, tells nothing.
	mul := func(v, to []float64) error {
		for i := range n {
			sum := 0.0
			for e := s.starts[i]; e < s.starts[i+1]; e++ {
				j := s.cols[e]
				sum += float64(s.w[e]) * root[j] * v[j]
			}
			to[i] = (v[i] + sum*root[i]) / 2
			if i&1023 == 0 {
				if err := turn(); err != nil {
					return err
				}
			}
		}
		return nil
	}
	_, vectors, _, err := top(n, o.Dims+1, mul, 1e-4, 12, o.Seed, turn)
	if err != nil {
		return nil, err
	}
	y := make([]float32, n*o.Dims)
	most := 0.0
	for _, x := range vectors[n:] {
		most = max(most, math.Abs(x))
	}
	for k := range o.Dims {
		for i := range n {
			y[i*o.Dims+k] = float32(vectors[(k+1)*n+i]*10/most + random.NormFloat64()*1e-4)
		}
	}
	// Each coordinate from 0 to 10, as umap-learn scales it.
	for k := range o.Dims {
		lo, hi := float32(math.Inf(1)), float32(math.Inf(-1))
		for i := range n {
			lo, hi = min(lo, y[i*o.Dims+k]), max(hi, y[i*o.Dims+k])
		}
		for i := range n {
			y[i*o.Dims+k] = 10 * (y[i*o.Dims+k] - lo) / max(hi-lo, 1e-9)
		}
	}
	return y, nil
}

// pieces counts the connected parts of a graph.
func pieces(s sparse) (n int) {
	seen := make([]bool, len(s.starts)-1)
	var stack []int32
	for i := range seen {
		if seen[i] {
			continue
		}
		n++
		seen[i] = true
		stack = append(stack[:0], int32(i))
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, j := range s.cols[s.starts[at]:s.starts[at+1]] {
				if !seen[j] {
					seen[j] = true
					stack = append(stack, j)
				}
			}
		}
	}
	return n
}

// negatives is how many points push for each one that draws.
const negatives = 5

// Step makes an epoch. Points have three coordinates here, the last 0 in a plane: so nothing loops over
// them. The random numbers are xorshift's (Marsaglia 2003): PCG multiplies 128 bits, which WebAssembly
// has not.
func (l *Layout) Step(turn Turn) error {
	d := l.Dims
	pos := make([][3]float32, l.N)
	for i := range pos {
		copy(pos[i][:], l.Y[i*d:(i+1)*d])
	}
	x, n := l.random.Uint64()|1, uint64(l.N)
	alpha := float32(1 - float64(l.Epoch)/float64(l.Epochs))
	now := float32(l.Epoch + 1)
	drawn, pushed := -2*l.a*l.b, 2*l.b
	for e, at := range l.from {
		if e&1023 == 0 {
			if err := turn(); err != nil {
				return err
			}
		}
		if l.next[e] > now {
			continue
		}
		l.next[e] += l.every[e]
		a, b := &pos[at], &pos[l.to[e]]
		a0, a1, a2 := a[0], a[1], a[2]
		d0, d1, d2 := a0-b[0], a1-b[1], a2-b[2]
		if dist := d0*d0 + d1*d1 + d2*d2; dist > 0 {
			p := pow(dist, l.b)
			by := drawn * p / (dist * (1 + l.a*p))
			g0, g1, g2 := clip(by*d0)*alpha, clip(by*d1)*alpha, clip(by*d2)*alpha
			a0, a1, a2 = a0+g0, a1+g1, a2+g2
			b[0], b[1], b[2] = b[0]-g0, b[1]-g1, b[2]-g2
		}
		for range negatives {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			j := x >> 32 * n >> 32
			b := &pos[j]
			d0, d1, d2 := a0-b[0], a1-b[1], a2-b[2]
			dist := d0*d0 + d1*d1 + d2*d2
			if dist <= 0 || int32(j) == at {
				continue
			}
			by := pushed / ((0.001 + dist) * (1 + l.a*pow(dist, l.b)))
			a0, a1, a2 = a0+clip(by*d0)*alpha, a1+clip(by*d1)*alpha, a2+clip(by*d2)*alpha
		}
		a[0], a[1], a[2] = a0, a1, a2
	}
	for i := range pos {
		copy(l.Y[i*d:(i+1)*d], pos[i][:])
	}
	l.Epoch++
	return turn()
}

func clip(x float32) float32 {
	if x > 4 {
		return 4
	}
	if x < -4 {
		return -4
	}
	return x
}

// Tables of log₂ of 1 to 2 and of 2ˣ of 0 to 1, between whose entries lines are drawn: powers are right
// to one part in 10⁵, which is more than such a step needs, and take a fifth of the time.
const tableBits = 10

var logTable, expTable = func() (l, e [1<<tableBits + 1]float32) {
	for i := range l {
		x := float64(i) / (1 << tableBits)
		l[i], e[i] = float32(math.Log2(1+x)), float32(math.Exp2(x))
	}
	return
}()

// pow is x to the power of y for an x above 0.
func pow(x, y float32) float32 {
	bits := math.Float32bits(x)
	m := bits & (1<<23 - 1)
	i, f := m>>(23-tableBits), float32(m&(1<<(23-tableBits)-1))*(1.0/(1<<(23-tableBits)))
	l := float32(int32(bits>>23)-127) + logTable[i] + f*(logTable[i+1]-logTable[i])
	l *= y
	if l < -126 {
		return 0
	}
	if l > 127 {
		return math.MaxFloat32
	}
	whole := int32(l)
	if float32(whole) > l {
		whole--
	}
	f = (l - float32(whole)) * (1 << tableBits)
	k := int32(f)
	f -= float32(k)
	return math.Float32frombits(uint32(whole+127)<<23) * (expTable[k] + f*(expTable[min(k+1, 1<<tableBits)]-expTable[k]))
}
