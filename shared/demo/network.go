package demo

import (
	"math"
	"math/rand/v2"
	"strconv"
)

// activation is what a hidden unit does with its input.
type activation string

const (
	sigmoid activation = "sigmoid"
	relu    activation = "relu"
)

func (f activation) of(z float64) float64 {
	if f == relu {
		return max(z, 0)
	}
	return 1 / (1 + math.Exp(-z))
}

// slope is the derivative where the unit's output is a. For sigmoid it is at
// most ¼: that is the whole story of vanishing gradients.
func (f activation) slope(a float64) float64 {
	if f == relu {
		if a > 0 {
			return 1
		}
		return 0
	}
	return a * (1 - a)
}

// layer is a fully connected layer. Matrices are row major.
type layer struct {
	name    string
	in, out int
	w, b    []float64 // weights [in, out], biases [out]
	gw, gb  []float64 // gradients of the loss by them
	a       []float64 // outputs of the last forward pass [n, out]
	delta   []float64 // gradient by the layer's sums [n, out]
}

// network is a multi-layer perceptron with softmax at its end.
type network struct {
	hidden activation
	layers []*layer
}

// newNetwork draws weights as Glorot and Bengio (2010) do: uniform, of variance
// 2/(in+out), which is made to keep activations and gradients level at the
// start. Biases are 0. The draw does not depend on the activation.
func newNetwork(hidden activation, seed uint64) *network {
	rng := rand.New(rand.NewPCG(seed, 3))
	n := &network{hidden: hidden}
	in := pixels
	for i := range hiddenCount + 1 {
		name, out := "hidden"+strconv.Itoa(i+1), hiddenSize
		if i == hiddenCount {
			name, out = "output", classes
		}
		l := &layer{name: name, in: in, out: out,
			w: make([]float64, in*out), b: make([]float64, out),
			gw: make([]float64, in*out), gb: make([]float64, out)}
		limit := math.Sqrt(6 / float64(in+out))
		for k := range l.w {
			l.w[k] = limit * (2*rng.Float64() - 1)
		}
		n.layers = append(n.layers, l)
		in = out
	}
	return n
}

// forward returns the probabilities [rows, classes] that the network gives for
// the inputs x [rows, pixels]. They are only good until the next call.
func (n *network) forward(x []float64) []float64 {
	rows := len(x) / pixels
	for i, l := range n.layers {
		if cap(l.a) < rows*l.out {
			l.a = make([]float64, rows*l.out)
		}
		l.a = l.a[:rows*l.out]
		for r := range rows {
			y := l.a[r*l.out : (r+1)*l.out]
			copy(y, l.b)
			for k, v := range x[r*l.in : (r+1)*l.in] {
				if v == 0 {
					continue // a third of the pixels and half of the ReLUs
				}
				for j, w := range l.w[k*l.out : (k+1)*l.out] {
					y[j] += v * w
				}
			}
			if i == len(n.layers)-1 {
				softmax(y)
				continue
			}
			for j := range y {
				y[j] = n.hidden.of(y[j])
			}
		}
		x = l.a
	}
	return x
}

// softmax turns scores into probabilities, in place.
func softmax(y []float64) {
	top := y[0]
	for _, v := range y {
		top = max(top, v)
	}
	sum := 0.0
	for j := range y {
		y[j] = math.Exp(y[j] - top) // no overflow: the greatest is 1
		sum += y[j]
	}
	for j := range y {
		y[j] /= sum
	}
}

// backward computes the gradients of the mean cross-entropy over the rows of x,
// whose forward pass was the last one, with the given truth.
func (n *network) backward(x []float64, truth []int) {
	rows := len(truth)
	last := n.layers[len(n.layers)-1]
	last.delta = append(last.delta[:0], last.a...)
	for r, class := range truth {
		last.delta[r*classes+class]--
	}
	for k := range last.delta {
		last.delta[k] /= float64(rows)
	}
	for i := len(n.layers) - 1; i >= 0; i-- {
		l, input := n.layers[i], x
		if i > 0 {
			input = n.layers[i-1].a
		}
		clear(l.gw)
		clear(l.gb)
		for r := range rows {
			d := l.delta[r*l.out : (r+1)*l.out]
			for j, v := range d {
				l.gb[j] += v
			}
			for k, v := range input[r*l.in : (r+1)*l.in] {
				if v == 0 {
					continue
				}
				g := l.gw[k*l.out : (k+1)*l.out]
				for j, e := range d {
					g[j] += v * e
				}
			}
		}
		if i == 0 {
			return
		}
		below := n.layers[i-1]
		below.delta = append(below.delta[:0], below.a...)
		for r := range rows {
			d := l.delta[r*l.out : (r+1)*l.out]
			for k := range l.in {
				sum := 0.0
				for j, w := range l.w[k*l.out : (k+1)*l.out] {
					sum += w * d[j]
				}
				at := r*l.in + k
				below.delta[at] = sum * n.hidden.slope(below.a[at])
			}
		}
	}
}

// descend makes one step of plain gradient descent.
func (n *network) descend(rate float64) {
	for _, l := range n.layers {
		for k, g := range l.gw {
			l.w[k] -= rate * g
		}
		for j, g := range l.gb {
			l.b[j] -= rate * g
		}
	}
}

// score returns the mean cross-entropy and the share of right answers.
func score(probabilities []float64, truth []int) (loss, accuracy float64) {
	for r, class := range truth {
		row := probabilities[r*classes : (r+1)*classes]
		loss -= math.Log(max(row[class], 1e-300)) // a probability can underflow
		if best(row) == class {
			accuracy++
		}
	}
	return loss / float64(len(truth)), accuracy / float64(len(truth))
}

// best returns the index of the greatest element.
func best(row []float64) int {
	at := 0
	for j, v := range row {
		if v > row[at] {
			at = j
		}
	}
	return at
}

// norm is the Euclidean length of v.
func norm(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum)
}
