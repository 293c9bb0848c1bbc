package summary

import (
	"maps"
	"slices"
)

// GraphBuilder describes a network as a GraphDef:
//
//	var g summary.GraphBuilder
//	x := g.Node("input", "Placeholder").Shape(-1, 64).Name()
//	h := g.Dense("hidden1", x, 64, 32, "Relu")
//	g.Dense("output", h, 32, 10, "Softmax")
//	w.Graph(g.Bytes(), 0)
//
// Names with "/" make scopes, which readers draw as boxes that open.
type GraphBuilder struct {
	nodes []*GraphNode
}

// GraphNode is one operation of a graph.
type GraphNode struct {
	name, op, device string
	inputs           []string
	attrs            map[string][]byte // encoded AttrValue by name
}

// Node adds a node. An input is the name of a node, or "name:slot", or "^name"
// for a control dependency; the node may come later.
func (g *GraphBuilder) Node(name, op string, inputs ...string) *GraphNode {
	n := &GraphNode{name: name, op: op, inputs: inputs, attrs: map[string][]byte{}}
	g.nodes = append(g.nodes, n)
	return n
}

// Dense adds a fully connected layer in a scope of its own: weights of shape
// [in, out], biases, matrix product, sum, and the activation if it is not "",
// by its name in TensorFlow ("Relu", "Sigmoid", "Tanh", "Softmax"). It returns
// the name of the layer's output.
func (g *GraphBuilder) Dense(name, input string, in, out int64, activation string) string {
	weights := g.Node(name+"/weights", "VariableV2").DType("dtype", Float32).Shape(in, out).Name()
	biases := g.Node(name+"/biases", "VariableV2").DType("dtype", Float32).Shape(out).Name()
	y := g.Node(name+"/MatMul", "MatMul", input, weights).DType("T", Float32).Shape(-1, out).Name()
	y = g.Node(name+"/BiasAdd", "BiasAdd", y, biases).DType("T", Float32).Shape(-1, out).Name()
	if activation != "" {
		y = g.Node(name+"/"+activation, activation, y).DType("T", Float32).Shape(-1, out).Name()
	}
	return y
}

// Name returns the node's name, as an input of other nodes.
func (n *GraphNode) Name() string { return n.name }

// Inputs adds inputs.
func (n *GraphNode) Inputs(names ...string) *GraphNode {
	n.inputs = append(slices.Clip(n.inputs), names...)
	return n
}

// Device names where the node runs, e.g. "/device:GPU:0".
func (n *GraphNode) Device(name string) *GraphNode {
	n.device = name
	return n
}

// Shape says what shape the node's first output has; -1 is a size that is not
// known. It is the attribute _output_shapes, from which edges get their labels.
func (n *GraphNode) Shape(sizes ...int64) *GraphNode {
	var shape []byte
	for _, size := range sizes {
		shape = mustBytes(shape, 2, putVarint(nil, 1, size))
	}
	return n.attr("_output_shapes", mustBytes(nil, 1, mustBytes(nil, 7, shape)))
}

// Text sets an attribute to a string.
func (n *GraphNode) Text(key, v string) *GraphNode { return n.attr(key, mustString(nil, 2, v)) }

// Int sets an attribute to an integer.
func (n *GraphNode) Int(key string, v int64) *GraphNode { return n.attr(key, mustVarint(nil, 3, v)) }

// Float sets an attribute to a number.
func (n *GraphNode) Float(key string, v float32) *GraphNode { return n.attr(key, mustFloat(nil, 4, v)) }

// DType sets an attribute to an element type.
func (n *GraphNode) DType(key string, v DType) *GraphNode {
	return n.attr(key, mustVarint(nil, 6, int64(v)))
}

func (n *GraphNode) attr(key string, value []byte) *GraphNode {
	n.attrs[key] = value
	return n
}

// producer is the GraphDef version that PyTorch writes too; readers refuse to
// join graphs of different ones.
const producer = 22

// Bytes returns the GraphDef, attributes in the order of their names.
func (g *GraphBuilder) Bytes() []byte {
	var b []byte
	for _, n := range g.nodes {
		node := putString(nil, 1, n.name)
		node = putString(node, 2, n.op)
		for _, in := range n.inputs {
			node = mustString(node, 3, in)
		}
		node = putString(node, 4, n.device)
		for _, key := range slices.Sorted(maps.Keys(n.attrs)) {
			node = mustBytes(node, 5, mustBytes(mustString(nil, 1, key), 2, n.attrs[key]))
		}
		b = mustBytes(b, 1, node)
	}
	return mustBytes(b, 4, mustVarint(nil, 1, producer))
}
