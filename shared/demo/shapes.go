package demo

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

const (
	surfaceSide   = 13 // vertices along an edge of the loss surface
	surfaceSample = 60 // digits that each vertex is measured on
	surfaceReach  = 1.0
)

// lossSurface measures the loss around the network's weights, along two random
// directions in which each unit's weights have the length that they have in the
// network (Li et al., 2018, "Visualizing the Loss Landscape of Neural Nets"). The
// network stands in the middle. Height is the loss, in units of ln 10, the loss
// of guessing; it is cut at 2.
func (n *network) lossSurface(test []digit, seed uint64) summary.Mesh {
	x, truth := stack(test[:min(surfaceSample, len(test))], nil)
	rng := rand.New(rand.NewPCG(seed, 4))
	var middle [][]float64
	var directions [2][][]float64
	for _, l := range n.layers {
		middle = append(middle, slices.Clone(l.w))
		for d := range directions {
			directions[d] = append(directions[d], l.direction(rng))
		}
	}
	var m summary.Mesh
	for i := range surfaceSide {
		for j := range surfaceSide {
			u := surfaceReach * (2*float64(i)/(surfaceSide-1) - 1)
			v := surfaceReach * (2*float64(j)/(surfaceSide-1) - 1)
			for k, l := range n.layers {
				for p := range l.w {
					l.w[p] = middle[k][p] + u*directions[0][k][p] + v*directions[1][k][p]
				}
			}
			loss, _ := score(n.forward(x), truth)
			h := min(loss/math.Log(classes), 2)
			m.Vertices = append(m.Vertices, [3]float32{float32(u), float32(h), float32(v)})
			m.Colors = append(m.Colors, [3]uint8{uint8(127 * h), 110, uint8(255 - 127*h)})
		}
	}
	for k, l := range n.layers {
		copy(l.w, middle[k])
	}
	for i := range int32(surfaceSide - 1) {
		for j := range int32(surfaceSide - 1) {
			a := i*surfaceSide + j
			b, c, d := a+1, a+surfaceSide, a+surfaceSide+1
			m.Faces = append(m.Faces, [3]int32{a, b, c}, [3]int32{b, d, c})
		}
	}
	return m
}

// direction draws a random matrix whose columns, one per unit, are as long as
// the layer's.
func (l *layer) direction(rng *rand.Rand) []float64 {
	d := make([]float64, len(l.w))
	for k := range d {
		d[k] = rng.NormFloat64()
	}
	for j := range l.out {
		var mine, random float64
		for k := j; k < len(d); k += l.out {
			mine += l.w[k] * l.w[k]
			random += d[k] * d[k]
		}
		for k := j; k < len(d); k += l.out {
			d[k] *= math.Sqrt(mine / random)
		}
	}
	return d
}

// cloud places the test digits by the three directions in which the last hidden
// layer's outputs spread most (principal components), coloured by digit. The
// widest has length 1; a layer that gives nearly the same for all digits makes a
// tight cloud all the same, but its shape is noise.
func cloud(vectors [][]float64, test []digit) summary.Mesh {
	var m summary.Mesh
	points := principal(vectors, 3)
	widest := 1e-12
	for _, p := range points {
		widest = max(widest, math.Abs(p[0]), math.Abs(p[1]), math.Abs(p[2]))
	}
	for i, p := range points {
		m.Vertices = append(m.Vertices, [3]float32{float32(p[0] / widest), float32(p[1] / widest), float32(p[2] / widest)})
		m.Colors = append(m.Colors, classColors[test[i].class])
	}
	return m
}

// principal returns the first k principal components of each vector, found by
// power iteration. Their signs are arbitrary but stay the same.
func principal(vectors [][]float64, k int) [][]float64 {
	dims := len(vectors[0])
	mean := make([]float64, dims)
	for _, v := range vectors {
		for j, x := range v {
			mean[j] += x / float64(len(vectors))
		}
	}
	rest := make([][]float64, len(vectors))
	for i, v := range vectors {
		rest[i] = make([]float64, dims)
		for j, x := range v {
			rest[i][j] = x - mean[j]
		}
	}
	out := make([][]float64, len(vectors))
	for i := range out {
		out[i] = make([]float64, k)
	}
	for c := range k {
		axis := make([]float64, dims)
		for j := range axis {
			axis[j] = 1 / float64(1+(j+c)%dims) // anything that is not orthogonal to the answer
		}
		for range 60 {
			next := make([]float64, dims)
			for _, v := range rest {
				p := dot(v, axis)
				for j, x := range v {
					next[j] += p * x
				}
			}
			length := norm(next)
			if length == 0 {
				break // no spread is left
			}
			for j := range next {
				axis[j] = next[j] / length
			}
		}
		length := norm(axis)
		for i, v := range rest {
			p := dot(v, axis) / (length * length)
			out[i][c] = p * length
			for j := range v {
				v[j] -= p * axis[j]
			}
		}
	}
	return out
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// stack puts digits one behind the other: inputs [n, pixels] and classes. With
// indices, it takes those.
func stack(all []digit, indices []int) (x []float64, truth []int) {
	if indices == nil {
		for i := range all {
			x = append(x, all[i].pixels[:]...)
			truth = append(truth, all[i].class)
		}
		return x, truth
	}
	for _, i := range indices {
		x = append(x, all[i].pixels[:]...)
		truth = append(truth, all[i].class)
	}
	return x, truth
}
