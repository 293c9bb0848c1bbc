package project

import (
	"math"
	"math/rand/v2"
	"slices"
)

// TSNE are the options of t-SNE, Barnes-Hut's form: van der Maaten, "Accelerating t-SNE using
// tree-based algorithms", JMLR 15 (2014). What is not given has a default.
type TSNE struct {
	Dims         int     // 2 or 3
	Perplexity   float64 // 0: max(5, ⌈√n/4⌉), as TensorBoard's projector chooses
	Rate         float64 // 0: max(n/exaggeration/4, 50): Belkina et al., Nature Communications 10 (2019)
	Theta        float64 // 0.5
	Exaggeration float64 // 12, for the first 250 iterations
	Seed         uint64
	From         []float32 // positions to begin with; nil: the first components of PCA
	// Labels, one a point and -1 for none, and Factor from 0 to 1 draw points of a label together:
	// likeness of points of different labels is taken times 1 − Factor.
	Labels []int32
	Factor float64
}

// early is how many iterations likeness is exaggerated, and the momentum is small.
const early = 250

// Map is a t-SNE under way.
type Map struct {
	N, Dims    int
	Y          []float32 // positions
	Iteration  int
	Perplexity float64
	Rate       float64
	Error      float64 // Kullback-Leibler divergence at the last iteration
	o          TSNE
	starts     []int32 // likeness: of point i stands at starts[i] to starts[i+1]
	cols       []int32
	p          []float32
	velocity   []float32
	gains      []float32
	force      []float32
	tree       tree
	random     *rand.Rand
}

// NewTSNE finds neighbours and their likeness.
func NewTSNE(m Matrix, o TSNE, turn Turn, progress func(done, of int) error) (*Map, error) {
	if o.Dims != 3 {
		o.Dims = 2
	}
	if o.Theta <= 0 {
		o.Theta = 0.5
	}
	if o.Exaggeration <= 0 {
		o.Exaggeration = 12
	}
	if o.Perplexity <= 0 {
		o.Perplexity = max(5, math.Ceil(math.Sqrt(float64(m.N))/4))
	}
	o.Perplexity = max(1, min(o.Perplexity, float64(m.N-1)/3))
	if o.Rate <= 0 {
		o.Rate = max(float64(m.N)/o.Exaggeration/4, 50)
	}
	t := &Map{N: m.N, Dims: o.Dims, Perplexity: o.Perplexity, Rate: o.Rate, o: o, random: rand.New(rand.NewPCG(o.Seed, 3))}
	k := min(m.N-1, int(3*o.Perplexity+1))
	g, err := KNN(m, k, o.Seed, progress)
	if err != nil {
		return nil, err
	}
	if err := t.likeness(g, turn); err != nil {
		return nil, err
	}
	size := m.N * o.Dims
	t.velocity, t.gains, t.force = make([]float32, size), make([]float32, size), make([]float32, size)
	for i := range t.gains {
		t.gains[i] = 1
	}
	if len(o.From) == size {
		t.Y = slices.Clone(o.From)
		return t, nil
	}
	t.Y, err = initial(m, o.Dims, 1e-4, t.random, turn)
	return t, err
}

// initial are the first components of PCA, the first with the standard deviation scale, and a little noise
// so that equal points part.
func initial(m Matrix, dims int, scale float64, random *rand.Rand, turn Turn) ([]float32, error) {
	c, err := PCA(m, dims, turn)
	if err != nil {
		return nil, err
	}
	sum := 0.0
	for i := range m.N {
		x := float64(c.Positions[i*c.K])
		sum += x * x
	}
	by := 1.0
	if sum > 0 {
		by = scale / math.Sqrt(sum/float64(m.N))
	}
	y := make([]float32, m.N*dims)
	for i := range m.N {
		for k := range dims {
			if k < c.K {
				y[i*dims+k] = float32(float64(c.Positions[i*c.K+k]) * by)
			}
			y[i*dims+k] += float32(random.NormFloat64() * scale / 100)
		}
	}
	return y, nil
}

// likeness makes of distances the probabilities that points choose each other: a Gaussian for each point,
// of the width that gives the perplexity, then the mean of both ways.
func (t *Map) likeness(g *Graph, turn Turn) error {
	n, k := t.N, g.K
	cond := make([]float32, n*k)
	want := math.Log(t.Perplexity)
	for i := range n {
		dist, p := g.Dist[i*k:(i+1)*k], cond[i*k:(i+1)*k]
		lo, hi, beta := 0.0, math.Inf(1), 1.0
		if mean := float64(dist[k/2]); mean > 0 {
			beta = 1 / mean
		}
		for range 100 {
			sum, weighted := 0.0, 0.0
			for j, d := range dist {
				e := math.Exp(-beta * float64(d-dist[0]))
				p[j] = float32(e)
				sum += e
				weighted += e * float64(d-dist[0])
			}
			for j := range p {
				p[j] /= float32(sum)
			}
			entropy := math.Log(sum) + beta*weighted/sum
			if math.Abs(entropy-want) < 1e-5 {
				break
			}
			if entropy > want {
				lo = beta
				if math.IsInf(hi, 1) {
					beta *= 2
				} else {
					beta = (lo + hi) / 2
				}
			} else {
				hi = beta
				beta = (lo + hi) / 2
			}
		}
		if i&63 == 0 {
			if err := turn(); err != nil {
				return err
			}
		}
	}
	edges := symmetric(g, cond, func(a, b float32) float32 { return a + b })
	t.starts, t.cols, t.p = edges.starts, edges.cols, edges.w
	if t.o.Factor > 0 && len(t.o.Labels) == n {
		for i := range n {
			for e := t.starts[i]; e < t.starts[i+1]; e++ {
				if a, b := t.o.Labels[i], t.o.Labels[t.cols[e]]; a != b && a >= 0 && b >= 0 {
					t.p[e] *= float32(1 - min(1, t.o.Factor))
				}
			}
		}
	}
	sum := 0.0
	for _, x := range t.p {
		sum += float64(x)
	}
	for i := range t.p {
		t.p[i] = float32(float64(t.p[i]) / sum)
	}
	return turn()
}

// sparse is a symmetric matrix: of row i stand columns and weights at starts[i] to starts[i+1].
type sparse struct {
	starts, cols []int32
	w            []float32
}

// symmetric makes one of a graph whose edges have weights: join makes one of both ways, 0 being a
// way that is not there.
func symmetric(g *Graph, w []float32, join func(a, b float32) float32) sparse {
	n := len(g.Rows) / max(1, g.K)
	counts := make([]int32, n+1)
	back := func(i, j int) (float32, bool) {
		for e := j * g.K; e < (j+1)*g.K; e++ {
			if int(g.Rows[e]) == i {
				return w[e], true
			}
		}
		return 0, false
	}
	for pass := range 2 {
		var s sparse
		var next []int32
		if pass == 1 {
			s.starts = make([]int32, n+1)
			for i := range n {
				s.starts[i+1] = s.starts[i] + counts[i]
			}
			s.cols, s.w = make([]int32, s.starts[n]), make([]float32, s.starts[n])
			next = slices.Clone(s.starts)
		}
		put := func(i, j int, x float32) {
			if pass == 0 {
				counts[i]++
				return
			}
			s.cols[next[i]], s.w[next[i]] = int32(j), x
			next[i]++
		}
		for i := range n {
			for e := i * g.K; e < (i+1)*g.K; e++ {
				j := int(g.Rows[e])
				if pass == 0 {
					if _, ok := back(i, j); !ok {
						put(j, i, 0)
					}
					put(i, j, 0)
					continue
				}
				b, ok := back(i, j)
				x := join(w[e], b)
				put(i, j, x)
				if !ok {
					put(j, i, x)
				}
			}
		}
		if pass == 1 {
			return s
		}
	}
	panic("unreachable")
}

// Step makes an iteration. rates are of the option or of the present one.
func (t *Map) Step(turn Turn) error {
	n, d := t.N, t.Dims
	t.tree.build(t.Y, n, d)
	theta2 := float32(t.o.Theta * t.o.Theta)
	z := 0.0
	for i := range n {
		var f [3]float32
		z += float64(t.tree.repel(t.Y[i*d:(i+1)*d], theta2, &f))
		copy(t.force[i*d:(i+1)*d], f[:d])
		if i&255 == 0 {
			if err := turn(); err != nil {
				return err
			}
		}
	}
	z = max(z, 1e-12)
	exaggeration, momentum := float32(1), float32(0.8)
	if t.Iteration < early {
		exaggeration, momentum = float32(t.o.Exaggeration), 0.5
	}
	count := t.Iteration%50 == 49
	loss := 0.0
	scale := float32(1 / z)
	rate := float32(4 * t.Rate)
	step := make([]float32, d)
	for i := range n {
		var a [3]float32
		yi := t.Y[i*d : (i+1)*d]
		for e := t.starts[i]; e < t.starts[i+1]; e++ {
			yj := t.Y[int(t.cols[e])*d:][:d]
			var diff [3]float32
			dist := float32(1)
			for k := range yi {
				diff[k] = yi[k] - yj[k]
				dist += diff[k] * diff[k]
			}
			p := t.p[e]
			by := p / dist
			for k := range yi {
				a[k] += by * diff[k]
			}
			if count && p > 0 {
				loss += float64(p) * math.Log(float64(p)*float64(dist)*z)
			}
		}
		force := t.force[i*d : (i+1)*d]
		for k := range step {
			force[k] = exaggeration*a[k] - force[k]*scale
		}
		if i&255 == 0 {
			if err := turn(); err != nil {
				return err
			}
		}
	}
	var mean [3]float64
	for i, g := range t.force {
		if (g > 0) != (t.velocity[i] > 0) {
			t.gains[i] += 0.2
		} else {
			t.gains[i] = max(0.01, t.gains[i]*0.8)
		}
		t.velocity[i] = momentum*t.velocity[i] - rate*t.gains[i]*g
		t.Y[i] += t.velocity[i]
		mean[i%d] += float64(t.Y[i])
	}
	for i := range t.Y {
		t.Y[i] -= float32(mean[i%d] / float64(n))
	}
	if count {
		t.Error = loss
	}
	t.Iteration++
	return turn()
}

// Perturb moves all points a little, to get out of a poor place.
func (t *Map) Perturb() {
	var size float64
	for _, y := range t.Y {
		size += float64(y) * float64(y)
	}
	size = math.Sqrt(size / float64(len(t.Y)))
	for i := range t.Y {
		t.Y[i] += float32(t.random.NormFloat64() * size / 10)
	}
}
