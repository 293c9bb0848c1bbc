// Package attr reads attributes of nodes, whose values stay in the bytes of the graph: their
// names, their types, a first piece as text, and any later piece when somebody wants it.
//
// Values are told as TensorFlow and ONNX write them: types by their names, shapes as
// float32[?,224,224,3], strings as they are, tensors element by element.
package attr

import (
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/graph/pb"
)

// types are TensorFlow's DataType, by number; a reference type is the number + 100.
var types = [...]string{"invalid", "float32", "float64", "int32", "uint8", "int16", "int8", "string", "complex64", "int64", "bool",
	"qint8", "quint8", "qint32", "bfloat16", "qint16", "quint16", "uint16", "complex128", "float16", "resource", "variant",
	"uint32", "uint64", "float8_e5m2", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz",
	"int4", "uint4", "int2", "uint2", "float4_e2m1fn"}

// onnxTypes are ONNX's TensorProto.DataType, by number.
var onnxTypes = [...]string{"undefined", "float32", "uint8", "int8", "uint16", "int16", "int32", "int64", "string", "bool",
	"float16", "float64", "uint32", "uint64", "complex64", "complex128", "bfloat16", "float8_e4m3fn", "float8_e4m3fnuz",
	"float8_e5m2", "float8_e5m2fnuz", "uint4", "int4", "float4_e2m1"}

// Type names TensorFlow's DataType v.
func Type(v uint64) string {
	ref := ""
	if v > 100 && v < 200 {
		v, ref = v-100, "_ref"
	}
	if v < uint64(len(types)) {
		return types[v] + ref
	}
	return "type " + strconv.FormatUint(v, 10)
}

// TypeNumber is the DataType that has this name, 0 if none has.
func TypeNumber(name string) uint64 {
	for i, t := range types {
		if t == name && i > 0 {
			return uint64(i)
		}
	}
	return 0
}

// ONNXType names ONNX's DataType v.
func ONNXType(v uint64) string {
	if v < uint64(len(onnxTypes)) {
		return onnxTypes[v]
	}
	return "type " + strconv.FormatUint(v, 10)
}

const maxDims = 64 // of a shape that are told

// Shape tells a TensorShapeProto: "[?,3]", and "[…]" for an unknown rank.
func Shape(b []byte) string {
	var s strings.Builder
	s.WriteByte('[')
	n, unknown := 0, false
	pb.Each(b, 0, func(x pb.Field) bool {
		switch {
		case x.Is(2):
			if n > 0 {
				s.WriteByte(',')
			}
			if n++; n > maxDims {
				s.WriteString("…")
				return false
			}
			size := int64(0)
			pb.Each(x.Body, 0, func(y pb.Field) bool {
				if y.Int(1) {
					size = int64(y.V)
				}
				return true
			})
			if size < 0 {
				s.WriteByte('?')
			} else {
				s.WriteString(strconv.FormatInt(size, 10))
			}
		case x.Int(3):
			unknown = unknown || x.V != 0
		}
		return true
	})
	if unknown {
		return "[…]"
	}
	s.WriteByte(']')
	return s.String()
}

// ONNXShape tells a ValueInfoProto's type, or a TypeProto's if value is false: "float32[N,3]".
func ONNXShape(b []byte, value bool) string {
	if value {
		var t []byte
		pb.Each(b, 0, func(x pb.Field) bool {
			if x.Is(2) {
				t = x.Body
			}
			return true
		})
		b = t
	}
	wrap := ""
	for depth := 0; depth < 8; depth++ {
		var next []byte
		out := ""
		pb.Each(b, 0, func(x pb.Field) bool {
			switch {
			case x.Is(1), x.Is(8): // tensor, sparse tensor
				out = onnxTensor(x.Body)
			case x.Is(4), x.Is(9): // sequence, optional
				pb.Each(x.Body, 0, func(y pb.Field) bool {
					if y.Is(1) {
						next = y.Body
					}
					return true
				})
				wrap += map[bool]string{true: "sequence of ", false: "optional "}[x.Num == 4]
			}
			return true
		})
		if next == nil {
			if out == "" {
				return ""
			}
			return wrap + out
		}
		b = next
	}
	return ""
}

func onnxTensor(b []byte) string {
	elem, dims := "", ""
	pb.Each(b, 0, func(x pb.Field) bool {
		switch {
		case x.Int(1):
			elem = ONNXType(x.V)
		case x.Is(2):
			var s strings.Builder
			n := 0
			pb.Each(x.Body, 0, func(y pb.Field) bool {
				if !y.Is(1) {
					return true
				}
				if n++; n > maxDims {
					return false
				}
				if n > 1 {
					s.WriteByte(',')
				}
				d := "?"
				pb.Each(y.Body, 0, func(z pb.Field) bool {
					if z.Int(1) {
						d = strconv.FormatInt(int64(z.V), 10)
					} else if z.Is(2) && len(z.Body) > 0 {
						d = strings.ToValidUTF8(string(z.Body[:min(len(z.Body), 60)]), "?")
					}
					return true
				})
				s.WriteString(d)
				return true
			})
			dims = "[" + s.String() + "]"
		}
		return true
	})
	return elem + dims
}

// Elements is how many elements a tensor of this shape has, unknown dimensions taken as 1;
// 0 where nothing is known.
func Elements(shape string) (n float64, exact bool) {
	i := strings.IndexByte(shape, '[')
	if i < 0 || !strings.HasSuffix(shape, "]") || strings.HasSuffix(shape, "…]") {
		return 0, false
	}
	n, exact = 1, true
	dims := shape[i+1 : len(shape)-1]
	for dims != "" {
		d, rest, _ := strings.Cut(dims, ",")
		dims = rest
		if v, err := strconv.ParseFloat(d, 64); err == nil && v >= 0 {
			n *= v
		} else {
			exact = false
		}
	}
	return n, exact
}

// Width is the bytes of one element of a type, 0 if that is not fixed.
func Width(dtype string) float64 {
	dtype = strings.TrimSuffix(dtype, "_ref")
	switch dtype {
	case "float64", "int64", "uint64", "complex64":
		return 8
	case "complex128":
		return 16
	case "float32", "int32", "uint32", "qint32":
		return 4
	case "bfloat16", "float16", "int16", "uint16", "qint16", "quint16":
		return 2
	case "bool", "int8", "uint8", "qint8", "quint8":
		return 1
	}
	if strings.HasPrefix(dtype, "float8") {
		return 1
	}
	return 0
}
