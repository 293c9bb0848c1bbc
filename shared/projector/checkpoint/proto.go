package checkpoint

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/internal/field"
	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// fields calls use with the fields of a message: v is a number of types 0, 1 and 5, b the bytes of
// type 2. false says that the message is damaged.
func fields(b []byte, use func(n protowire.Number, v uint64, b []byte) bool) bool {
	return field.Each(b, func(tag, v uint64, b []byte) error {
		n, typ := protowire.DecodeTag(tag)
		if typ != protowire.StartGroupType && !use(n, v, b) {
			return field.ErrMalformed
		}
		return nil
	}) == nil
}

// types are tensorflow/core/framework/types.proto's; references are 100 more.
var types = map[uint64]tensor.DType{1: "float32", 2: "float64", 3: "int32", 4: "uint8", 5: "int16", 6: "int8", 7: "string", 8: "complex64", 9: "int64", 10: "bool",
	11: "int8", 12: "uint8", 13: "int32", 14: "bfloat16", 15: "int16", 16: "uint16", 17: "uint16", 18: "complex128", 19: "float16", 20: "resource", 21: "variant", 22: "uint32", 23: "uint64",
	24: "float8_e5m2", 25: "float8_e4m3fn", 29: "int4", 30: "uint4"}

func dtype(n uint64) tensor.DType {
	if n > 100 {
		n -= 100
	}
	if d, ok := types[n]; ok {
		return d
	}
	return "unknown"
}

// mostDims is more than TensorFlow allows (254).
const mostDims = 256

// shape reads a TensorShapeProto: dim 2 { size 1 }.
func shape(b []byte) (list []int64, ok bool) {
	ok = fields(b, func(n protowire.Number, _ uint64, b []byte) bool {
		if n != 2 {
			return true
		}
		size := int64(0)
		ok := fields(b, func(n protowire.Number, v uint64, _ []byte) bool {
			if n == 1 {
				size = int64(v)
			}
			return true
		})
		list = append(list, size)
		return ok && len(list) <= mostDims
	})
	_, fine := tensor.Elements(list)
	return list, ok && fine
}

// extent is one dimension of a slice; length -1 stands for all.
type extent struct{ start, length int64 }

// slice reads a TensorSliceProto: extent 1 { start 1, length 2 }, where all of a dimension is left out.
func slice(b []byte) (list []extent, ok bool) {
	ok = fields(b, func(n protowire.Number, _ uint64, b []byte) bool {
		if n != 1 {
			return true
		}
		e := extent{length: -1}
		ok := fields(b, func(n protowire.Number, v uint64, _ []byte) bool {
			switch n {
			case 1:
				e.start = int64(v)
			case 2:
				e.length = int64(v)
			}
			return true
		})
		list = append(list, e)
		return ok && len(list) <= mostDims
	})
	return list, ok
}

// sliceKey is the key of a slice of a tensor (tensorflow/core/util/saved_tensor_slice_util.cc,
// EncodeTensorNameSlice), in the ordered code of tensorflow/core/lib/strings/ordered_code.cc.
func sliceKey(name string, s []extent) string {
	b := []byte(namePrefix(name))
	b = append(b, 1, byte(len(s)))
	if len(s) == 0 {
		b = b[:len(b)-1]
		b[len(b)-1] = 0
	}
	for _, e := range s {
		b = signed(b, e.start)
		b = signed(b, e.length)
	}
	return string(b)
}

// namePrefix is how the keys of a tensor's slices begin: the number 0, and the name, in which
// 0 and 255 are followed by a byte, with an end.
func namePrefix(name string) string {
	b := []byte{0}
	for i := range len(name) {
		switch c := name[i]; c {
		case 0:
			b = append(b, 0, 255)
		case 255:
			b = append(b, 255, 0)
		default:
			b = append(b, c)
		}
	}
	return string(append(b, 0, 1))
}

// signed is OrderedCode::WriteSignedNumIncreasing: as many bytes as are needed, how many is said
// by the first bits, and the bits of the number are such that they sort.
func signed(to []byte, v int64) []byte {
	x := uint64(v)
	if v < 0 {
		x = ^x
	}
	if x < 64 {
		return append(to, 0x80^byte(v))
	}
	bits := 64 - leadingZeros(x)
	n := bits/7 + 1
	var b [10]byte
	if v < 0 {
		b[0], b[1] = 255, 255
	}
	binary.BigEndian.PutUint64(b[2:], uint64(v))
	head := [11][2]byte{{}, {0x80}, {0xc0}, {0xe0}, {0xf0}, {0xf8}, {0xfc}, {0xfe}, {0xff}, {0xff, 0x80}, {0xff, 0xc0}}[n]
	out := b[10-n:]
	out[0] ^= head[0]
	out[1] ^= head[1]
	return append(to, out...)
}

func leadingZeros(x uint64) (n int) {
	for ; x>>63 == 0; x <<= 1 {
		n++
	}
	return n
}

// numbers appends the numbers of a TensorProto, in whichever field they stand. repeated says how
// many there are to be: a last one may stand for all further ones.
func numbers(to []float32, b []byte, count int64) ([]float32, bool) {
	var d tensor.DType
	start := len(to)
	ok := fields(b, func(n protowire.Number, v uint64, _ []byte) bool {
		if n == 1 {
			d = dtype(v)
		}
		return true
	})
	ok = ok && fields(b, func(n protowire.Number, v uint64, b []byte) bool {
		if n == 4 { // tensor_content
			if size := d.Size(); size > 0 {
				to = d.Decode(to, b[:int64(len(b))/size*size], binary.LittleEndian)
			}
			return true
		}
		varint := func(v uint64) float32 {
			switch n {
			case 13: // half_val, also of bfloat16
				if d == "bfloat16" {
					return math.Float32frombits(uint32(v) << 16)
				}
				return tensor.Float16(uint16(v))
			case 7:
				return float32(int32(v))
			case 10:
				return float32(int64(v))
			case 17:
				return float32(v)
			case 11:
				if v != 0 {
					return 1
				}
				return 0
			}
			return float32(uint32(v))
		}
		switch n {
		case 5: // float_val
			if b == nil {
				to = append(to, math.Float32frombits(uint32(v)))
			}
			for ; len(b) >= 4; b = b[4:] {
				to = append(to, math.Float32frombits(binary.LittleEndian.Uint32(b)))
			}
		case 6: // double_val
			if b == nil {
				to = append(to, float32(math.Float64frombits(v)))
			}
			for ; len(b) >= 8; b = b[8:] {
				to = append(to, float32(math.Float64frombits(binary.LittleEndian.Uint64(b))))
			}
		case 7, 10, 11, 13, 16, 17: // int_val, int64_val, bool_val, half_val, uint32_val, uint64_val
			if b == nil {
				to = append(to, varint(v))
			}
			for len(b) > 0 {
				v, n := protowire.ConsumeVarint(b)
				if n < 0 {
					return false
				}
				to = append(to, varint(v))
				b = b[n:]
			}
		}
		return true
	})
	return to, ok && int64(len(to)-start) == count
}
