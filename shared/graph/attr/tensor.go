package attr

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/graph/pb"
)

// tensor writes the elements of a TensorProto, TensorFlow's or ONNX's, and returns its type and
// shape. Where one element stands for all (TensorFlow) it is written once.
func tensor(w *list, b []byte, onnx bool) (head string) {
	dtype, shape := uint64(0), "[]"
	var dims []string
	var raw []byte
	external := false
	pb.Each(b, 0, func(x pb.Field) bool {
		switch {
		case !onnx && x.Int(1), onnx && x.Int(2):
			dtype = x.V
		case !onnx && x.Is(2):
			shape = Shape(x.Body)
		case onnx && x.Num == 1:
			x.Packed(func(v uint64) bool {
				if len(dims) < maxDims {
					dims = append(dims, strconv.FormatInt(int64(v), 10))
				}
				return true
			})
		case !onnx && x.Is(4), onnx && x.Is(9):
			raw = x.Body
		case onnx && x.Int(14):
			external = x.V == 1
		}
		return true
	})
	name := Type(dtype)
	if onnx {
		name, shape = ONNXType(dtype), "["+strings.Join(dims, ",")+"]"
	}
	head = name + shape
	if external {
		head += ", in another file"
	}
	if len(raw) > 0 {
		rawElements(w, raw, name)
		return head
	}
	pb.Each(b, 0, func(x pb.Field) bool {
		if onnx {
			onnxElements(w, x, name)
		} else {
			elements(w, x, name)
		}
		return true
	})
	return head
}

// TensorHead is the type and shape of a TensorProto.
func TensorHead(b []byte, onnx bool) string { return tensor(&list{full: true}, b, onnx) }

func rawElements(w *list, raw []byte, name string) {
	size := int(Width(name))
	if size == 0 {
		size = 1
	}
	n := len(raw) / size
	from := min(max(w.offset, 0), n)
	w.total = from
	for i := from; i < n && w.wants(); i++ {
		w.item(element(raw[i*size:(i+1)*size], name))
	}
	w.total = n
}

func element(e []byte, name string) string {
	le := binary.LittleEndian
	switch name {
	case "float32":
		return float32Text(le.Uint32(e))
	case "float64":
		return strconv.FormatFloat(math.Float64frombits(le.Uint64(e)), 'g', -1, 64)
	case "float16":
		return strconv.FormatFloat(half(le.Uint16(e)), 'g', 6, 32)
	case "bfloat16":
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(le.Uint16(e))<<16)), 'g', 6, 32)
	case "complex64":
		return "(" + float32Text(le.Uint32(e)) + ", " + float32Text(le.Uint32(e[4:])) + ")"
	case "complex128":
		return "(" + strconv.FormatFloat(math.Float64frombits(le.Uint64(e)), 'g', -1, 64) + ", " + strconv.FormatFloat(math.Float64frombits(le.Uint64(e[8:])), 'g', -1, 64) + ")"
	case "bool":
		return strconv.FormatBool(e[0] != 0)
	case "int8", "qint8":
		return strconv.Itoa(int(int8(e[0])))
	}
	switch len(e) {
	case 2:
		if strings.HasPrefix(name, "int") || name == "qint16" {
			return strconv.Itoa(int(int16(le.Uint16(e))))
		}
		return strconv.Itoa(int(le.Uint16(e)))
	case 4:
		if strings.HasPrefix(name, "uint") {
			return strconv.FormatUint(uint64(le.Uint32(e)), 10)
		}
		return strconv.Itoa(int(int32(le.Uint32(e))))
	case 8:
		if strings.HasPrefix(name, "uint") {
			return strconv.FormatUint(le.Uint64(e), 10)
		}
		return strconv.FormatInt(int64(le.Uint64(e)), 10)
	}
	return strconv.Itoa(int(e[0]))
}

func half(h uint16) float64 {
	sign, exp, man := 1.0, int(h>>10&31), float64(h&1023)
	if h>>15 != 0 {
		sign = -1
	}
	switch exp {
	case 0:
		return sign * man * 0x1p-24
	case 31:
		if man != 0 {
			return math.NaN()
		}
		return sign * math.Inf(1)
	}
	return sign * (1 + man/1024) * math.Pow(2, float64(exp-15))
}

// elements writes one typed repeated field of TensorFlow's TensorProto.
func elements(w *list, x pb.Field, name string) {
	switch x.Num {
	case 5, 9: // float_val, scomplex_val
		fixed(w, x, 4)
	case 6, 12: // double_val, dcomplex_val
		fixed(w, x, 8)
	case 7, 10: // int_val, int64_val
		x.Packed(func(v uint64) bool { signed(w, v); return true })
	case 8:
		if x.Type == protowire.BytesType {
			text(w, x.Body)
		}
	case 11:
		x.Packed(func(v uint64) bool { w.item(strconv.FormatBool(v != 0)); return true })
	case 13:
		x.Packed(func(v uint64) bool {
			if w.wants() && name == "bfloat16" {
				w.item(strconv.FormatFloat(float64(math.Float32frombits(uint32(uint16(v))<<16)), 'g', 6, 32))
			} else {
				w.item(strconv.FormatFloat(half(uint16(v)), 'g', 6, 32))
			}
			return true
		})
	case 16, 17:
		x.Packed(func(v uint64) bool { w.item(strconv.FormatUint(v, 10)); return true })
	}
}

func onnxElements(w *list, x pb.Field, name string) {
	switch x.Num {
	case 4:
		fixed(w, x, 4)
	case 10:
		fixed(w, x, 8)
	case 5, 7:
		x.Packed(func(v uint64) bool {
			switch name {
			case "bool":
				w.item(strconv.FormatBool(v != 0))
			case "float16":
				w.item(strconv.FormatFloat(half(uint16(v)), 'g', 6, 32))
			default:
				signed(w, v)
			}
			return true
		})
	case 6:
		if x.Type == protowire.BytesType {
			text(w, x.Body)
		}
	case 11:
		x.Packed(func(v uint64) bool { w.item(strconv.FormatUint(v, 10)); return true })
	}
}

func text(w *list, b []byte) {
	if w.wants() {
		w.item(quote(b))
	} else {
		w.total++
	}
}

func signed(w *list, v uint64) {
	if w.wants() {
		w.item(strconv.FormatInt(int64(v), 10))
	} else {
		w.total++
	}
}

// fixed writes floats of 4 or 8 bytes, packed or not.
func fixed(w *list, x pb.Field, size int) {
	name := map[int]string{4: "float32", 8: "float64"}[size]
	switch x.Type {
	case protowire.BytesType:
		n, start := len(x.Body)/size, w.total
		for i := max(0, min(n, w.offset-start)); i < n; i++ {
			w.total = start + i
			if !w.wants() {
				break
			}
			w.item(element(x.Body[i*size:(i+1)*size], name))
		}
		w.total = start + n
	case protowire.Fixed32Type:
		w.item(float32Text(uint32(x.V)))
	case protowire.Fixed64Type:
		w.item(strconv.FormatFloat(math.Float64frombits(x.V), 'g', -1, 64))
	}
}
