package event

import (
	"encoding/binary"
	"errors"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// DType is a tensor's element type, numbered as in tensorboard/compat/proto/types.proto.
type DType int32

// The element types that occur in event files. Package summary writes them.
const (
	Float      DType = 1
	Double     DType = 2
	Int32      DType = 3
	Uint8      DType = 4
	Int16      DType = 5
	Int8       DType = 6
	String     DType = 7
	Complex64  DType = 8
	Int64      DType = 9
	Bool       DType = 10
	BFloat16   DType = 14
	Uint16     DType = 17
	Complex128 DType = 18
	Half       DType = 19
	Uint32     DType = 22
	Uint64     DType = 23
)

// refOffset is added to a dtype's number by TF1 reference types.
const refOffset = 100

// ErrNotScalar says that a tensor is not one real number. The value is lost and
// counted; the rest of its record is not touched.
var ErrNotScalar = errors.New("tensor is not one real number")

// Scalar returns the number in a serialised TensorProto that holds exactly one
// element of a real type, as float64. float32 reports that the number is a
// float32 (or a type that a float32 holds exactly), so that it may be kept in
// four bytes.
//
// A tensor keeps its elements in tensor_content (little endian), or else in the
// repeated field of its type (wire-level form: packed or not).
func Scalar(tensor []byte) (x float64, isFloat32 bool, err error) {
	// The form that nearly every TF2 and PyTorch scalar has: dtype, an empty
	// shape, and one float_val or four bytes of content.
	if v, ok := plainFloat(tensor); ok {
		return float64(v), true, nil
	}
	var t tensorFields
	if err := t.decode(tensor); err != nil {
		return 0, false, err
	}
	return t.scalar()
}

// plainFloat recognises 08 01, then any of 12 00 (shape), then 2a 04 <float>
// (float_val, packed), 2d <float> (float_val, not packed) or 22 04 <float>
// (tensor_content), and nothing else.
func plainFloat(b []byte) (float32, bool) {
	if len(b) < 2 || b[0] != 1<<3|0 || b[1] != byte(Float) {
		return 0, false
	}
	b = b[2:]
	if len(b) >= 2 && b[0] == 2<<3|2 && b[1] == 0 {
		b = b[2:]
	}
	switch {
	case len(b) == 6 && (b[0] == 5<<3|2 || b[0] == 4<<3|2) && b[1] == 4:
		return math.Float32frombits(binary.LittleEndian.Uint32(b[2:])), true
	case len(b) == 5 && b[0] == 5<<3|5:
		return math.Float32frombits(binary.LittleEndian.Uint32(b[1:])), true
	}
	return 0, false
}

// tensorFields is what Scalar needs of a TensorProto.
type tensorFields struct {
	dtype   DType
	content []byte
	one     bool // the shape is that of one element
	// The last element of the typed field and how many there are.
	bits  uint64
	count int
}

// valField maps a dtype to the number of its repeated field and that field's
// element wire type.
func valField(d DType) (protowire.Number, protowire.Type) {
	switch d {
	case Float:
		return 5, protowire.Fixed32Type
	case Double:
		return 6, protowire.Fixed64Type
	case Int32, Uint8, Int16, Int8, Uint16:
		return 7, protowire.VarintType
	case Int64:
		return 10, protowire.VarintType
	case Bool:
		return 11, protowire.VarintType
	case Half, BFloat16:
		return 13, protowire.VarintType
	case Uint32:
		return 16, protowire.VarintType
	case Uint64:
		return 17, protowire.VarintType
	}
	return 0, 0
}

func (t *tensorFields) decode(b []byte) error {
	var shape []byte
	// The dtype may stand behind the values: find it first.
	err := fields(b, func(tag, v uint64, body []byte) {
		switch tag {
		case 1<<3 | 0:
			t.dtype = DType(int32(v))
		case 2<<3 | 2:
			shape = append(shape, body...) // merge; see the package comment
		case 4<<3 | 2:
			t.content = body
		}
	})
	if err != nil {
		return err
	}
	if t.one, err = oneElement(shape); err != nil {
		return err
	}
	if !t.one {
		return ErrNotScalar // its elements, which may be many, need not be looked at
	}
	if t.dtype > refOffset {
		t.dtype -= refOffset
	}
	field, wire := valField(t.dtype)
	if field == 0 {
		return ErrNotScalar
	}
	bad := false
	single, packed := protowire.EncodeTag(field, wire), protowire.EncodeTag(field, protowire.BytesType)
	err = fields(b, func(tag, v uint64, body []byte) {
		switch tag {
		case single:
			t.bits, t.count = v, t.count+1
		case packed:
			bad = bad || !t.packed(wire, body)
		}
	})
	if bad {
		return ErrMalformed
	}
	return err
}

// packed counts the elements of a packed field and keeps the last.
func (t *tensorFields) packed(wire protowire.Type, b []byte) (ok bool) {
	for len(b) > 0 {
		n := -1
		switch wire {
		case protowire.Fixed32Type:
			var w uint32
			w, n = protowire.ConsumeFixed32(b)
			t.bits = uint64(w)
		case protowire.Fixed64Type:
			t.bits, n = protowire.ConsumeFixed64(b)
		case protowire.VarintType:
			t.bits, n = protowire.ConsumeVarint(b)
		}
		if n < 0 {
			return false
		}
		t.count++
		b = b[n:]
	}
	return true
}

// oneElement reports whether a serialised TensorShapeProto is that of one element:
// no dimensions, or only such of size 1.
func oneElement(shape []byte) (one bool, err error) {
	one = true
	unknown, bad := false, false
	err = fields(shape, func(tag, v uint64, body []byte) {
		switch tag {
		case 2<<3 | 2: // dim
			size := int64(0)
			if fields(body, func(tag, v uint64, _ []byte) {
				if tag == 1<<3|0 {
					size = int64(v)
				}
			}) != nil {
				bad = true
			}
			one = one && size == 1
		case 3<<3 | 0: // unknown_rank
			unknown = v != 0
		}
	})
	if bad {
		err = ErrMalformed
	}
	return one && !unknown, err
}

func (t *tensorFields) scalar() (x float64, isFloat32 bool, err error) {
	bits := t.bits
	if len(t.content) > 0 {
		if len(t.content) != size(t.dtype) {
			return 0, false, ErrNotScalar
		}
		var full [8]byte
		copy(full[:], t.content)
		bits = binary.LittleEndian.Uint64(full[:])
	} else if t.count > 1 {
		return 0, false, ErrNotScalar
	}
	// No content and no element is a zero: proto3 writers leave defaults out.
	switch t.dtype {
	case Float:
		return float64(math.Float32frombits(uint32(bits))), true, nil
	case Double:
		x = math.Float64frombits(bits)
	case Int32:
		x = float64(int32(bits))
	case Uint8:
		x = float64(uint8(bits))
	case Int8:
		x = float64(int8(bits))
	case Int16:
		x = float64(int16(bits))
	case Uint16:
		x = float64(uint16(bits))
	case Uint32:
		x = float64(uint32(bits))
	case Int64:
		x = float64(int64(bits))
	case Uint64:
		x = float64(bits)
	case Bool:
		if bits != 0 {
			x = 1
		}
	case Half, BFloat16:
		x = half(t.dtype, uint32(bits))
	default:
		return 0, false, ErrNotScalar
	}
	return x, float64(float32(x)) == x || x != x, nil
}

// size is the bytes of one element in tensor_content.
func size(d DType) int {
	switch d {
	case Uint8, Int8, Bool:
		return 1
	case Int16, Uint16, Half, BFloat16:
		return 2
	case Float, Int32, Uint32:
		return 4
	}
	return 8
}

// half returns the number of an element of half_val, where 16 bits stand in an int32.
// PyTorch's add_tensor puts the 32 bits of a float32 there: those are told by bits
// in the upper half that are not those of a 16-bit number with its sign extended.
func half(d DType, bits uint32) float64 {
	if upper := bits >> 16; upper != 0 && upper != 0xffff {
		return float64(math.Float32frombits(bits))
	}
	if d == BFloat16 {
		return float64(math.Float32frombits(bits << 16))
	}
	return halfToFloat(uint16(bits))
}

// halfToFloat widens an IEEE 754 binary16.
func halfToFloat(h uint16) float64 {
	sign := 1.0
	if h&0x8000 != 0 {
		sign = -1
	}
	exp, frac := int(h>>10&0x1f), float64(h&0x3ff)
	switch exp {
	case 0:
		return sign * math.Ldexp(frac, -24)
	case 0x1f:
		if frac != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+frac, exp-25)
}
