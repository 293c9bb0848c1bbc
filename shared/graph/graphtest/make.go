package graphtest

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// Node is a NodeDef to make.
type Node struct {
	Name, Op, Device string
	Inputs           []string
	Attrs            map[string][]byte // AttrValues
}

// Bytes is the NodeDef.
func (n Node) Bytes() (b []byte) {
	b = String(b, 1, n.Name)
	b = String(b, 2, n.Op)
	for _, in := range n.Inputs {
		b = String(b, 3, in)
	}
	if n.Device != "" {
		b = String(b, 4, n.Device)
	}
	for name, v := range n.Attrs {
		b = Message(b, 5, Message(String(nil, 1, name), 2, v))
	}
	return b
}

// GraphDef is a GraphDef of nodes.
func GraphDef(nodes ...Node) (b []byte) {
	for _, n := range nodes {
		b = Message(b, 1, n.Bytes())
	}
	return b
}

// String and Message append fields.
func String(b []byte, num protowire.Number, s string) []byte {
	return protowire.AppendString(protowire.AppendTag(b, num, protowire.BytesType), s)
}

func Message(b []byte, num protowire.Number, m []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, num, protowire.BytesType), m)
}

// Shapes is the AttrValue of a list of one shape.
func Shapes(dims ...int64) []byte {
	var s []byte
	for _, d := range dims {
		s = Message(s, 2, protowire.AppendVarint([]byte{1 << 3}, uint64(d)))
	}
	return Message(nil, 1, Message(nil, 7, s))
}

// Type is the AttrValue of a type.
func Type(t uint64) []byte { return protowire.AppendVarint([]byte{6 << 3}, t) }

// Large makes a model of layers as TensorFlow logs a transformer, with about n ops: some 20 in
// each layer with their constants and variables, and an optimizer's step for each of these.
func Large(n int) []byte {
	var b []byte
	count := 0
	put := func(name, op string, in ...string) string {
		count++
		b = Message(b, 1, Node{Name: name, Op: op, Inputs: in, Device: "/job:localhost/replica:0/task:0/device:GPU:0",
			Attrs: map[string][]byte{"T": Type(1), "_output_shapes": Shapes(-1, 128, 768)}}.Bytes())
		return name
	}
	x := put("input", "Placeholder")
	step := put("train/step", "Const")
	for layer := 0; count < n; layer++ {
		s := fmt.Sprintf("encoder/block_%d/layer_%d/", layer/12, layer)
		in := x
		for _, part := range []string{"query", "key", "value"} {
			w := put(s+"attention/"+part+"/kernel", "VariableV2")
			r := put(s+"attention/"+part+"/kernel/read", "Identity", w)
			x = put(s+"attention/"+part+"/MatMul", "MatMul", in, r)
			x = put(s+"attention/"+part+"/Reshape", "Reshape", x, put(s+"attention/"+part+"/Reshape/shape", "Const"))
			g := put("train/gradients/"+s+part+"/MatMul_grad/MatMul", "MatMul", x, r)
			put("train/update/"+s+part+"/Assign", "Assign", w, g, step)
		}
		x = put(s+"attention/Softmax", "Softmax", s+"attention/query/Reshape", s+"attention/key/Reshape")
		x = put(s+"attention/BatchMatMul", "BatchMatMulV2", x, s+"attention/value/Reshape")
		x = put(s+"add", "AddV2", x, in)
		x = put(s+"output/Relu", "Relu", x)
		put(s+"output/norm", "ScalarSummary", put(s+"output/norm/tags", "Const"), x)
	}
	return b
}

// Step is what one node did on a device.
type Step struct {
	Device, Node  string
	Micros, Bytes uint64
}

// Metadata is a RunMetadata with the statistics of steps.
func Metadata(steps ...Step) (b []byte) {
	number := func(b []byte, num protowire.Number, v uint64) []byte {
		return protowire.AppendVarint(protowire.AppendTag(b, num, protowire.VarintType), v)
	}
	for _, s := range steps {
		n := number(number(String(nil, 1, s.Node), 2, 1000), 5, s.Micros)
		n = Message(n, 6, number(String(nil, 1, "memory"), 2, s.Bytes))
		b = Message(b, 1, Message(nil, 1, Message(String(nil, 1, s.Device), 2, n)))
	}
	return b
}
