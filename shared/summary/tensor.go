package summary

import (
	"math"

	pw "google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/event"
)

// DType is TensorFlow's number for an element type.
type DType = event.DType

// The element types that occur in event files.
const (
	Float32    = event.Float
	Float64    = event.Double
	Int32      = event.Int32
	Uint8      = event.Uint8
	Int16      = event.Int16
	Int8       = event.Int8
	String     = event.String
	Complex64  = event.Complex64
	Int64      = event.Int64
	Bool       = event.Bool
	BFloat16   = event.BFloat16
	Uint16     = event.Uint16
	Complex128 = event.Complex128
	Float16    = event.Half
	Uint32     = event.Uint32
	Uint64     = event.Uint64
)

// Fields of TensorProto (tensorboard/compat/proto/tensor.proto).
const (
	tensorDType   pw.Number = 1
	tensorShape   pw.Number = 2
	tensorContent pw.Number = 4
	tensorFloat   pw.Number = 5
	tensorDouble  pw.Number = 6
	tensorInt     pw.Number = 7
	tensorString  pw.Number = 8
	tensorInt64   pw.Number = 10
	tensorBool    pw.Number = 11
	tensorHalf    pw.Number = 13
	tensorUint32  pw.Number = 16
	tensorUint64  pw.Number = 17
)

// Tensor is a TensorProto. Shape has one size per axis; nil is rank 0, a
// single element. Fields holds the encoded value field, as the functions below
// make it: the number of elements in it need not fit Shape, so that tests can
// make tensors that do not.
type Tensor struct {
	DType  DType
	Shape  []int64
	Fields []byte
}

// append appends the TensorProto without tag and length.
func (t Tensor) append(dst []byte) []byte {
	dst = putVarint(dst, tensorDType, int64(t.DType))
	var shape []byte
	for _, size := range t.Shape {
		shape = mustBytes(shape, 2, putVarint(nil, 1, size))
	}
	// An empty shape message is what writers give for rank 0.
	dst = mustBytes(dst, tensorShape, shape)
	return append(dst, t.Fields...)
}

// FloatTensor holds float32 elements, row major, in float_val.
func FloatTensor(shape []int64, v ...float32) Tensor {
	return Tensor{Float32, shape, putFloats(nil, tensorFloat, v)}
}

// DoubleTensor holds float64 elements, row major, in double_val.
func DoubleTensor(shape []int64, v ...float64) Tensor {
	return Tensor{Float64, shape, putDoubles(nil, tensorDouble, v)}
}

// StringTensor holds byte strings, row major, in string_val.
func StringTensor(shape []int64, v ...string) Tensor {
	var f []byte
	for _, s := range v {
		f = mustString(f, tensorString, s)
	}
	return Tensor{String, shape, f}
}

// ContentTensor holds all elements as raw bytes, little endian and row major,
// in tensor_content.
func ContentTensor(dtype DType, shape []int64, content []byte) Tensor {
	return Tensor{dtype, shape, putBytes(nil, tensorContent, content)}
}

// ScalarTensor is a rank-0 tensor of any real type, with the value in the typed
// field that TensorFlow uses for it. Integers take the value truncated towards
// zero, Bool takes value ≠ 0, the 16-bit floats the nearest value. ok is false
// for types that hold no real number.
func ScalarTensor(dtype DType, value float64) (t Tensor, ok bool) {
	t.DType = dtype
	switch dtype {
	case Float32:
		t.Fields = putFloats(nil, tensorFloat, []float32{float32(value)})
	case Float64:
		t.Fields = putDoubles(nil, tensorDouble, []float64{value})
	case Int32, Int16, Int8, Uint16, Uint8:
		t.Fields = putVarints(nil, tensorInt, []int32{int32(value)})
	case Int64:
		t.Fields = putVarints(nil, tensorInt64, []int64{int64(value)})
	case Uint32:
		t.Fields = putVarints(nil, tensorUint32, []uint32{uint32(value)})
	case Uint64:
		t.Fields = putVarints(nil, tensorUint64, []uint64{uint64(value)})
	case Bool:
		bit := int32(0)
		if value != 0 {
			bit = 1
		}
		t.Fields = putVarints(nil, tensorBool, []int32{bit})
	case Float16:
		t.Fields = putVarints(nil, tensorHalf, []int32{int32(smallFloat(value, 10, 5))})
	case BFloat16:
		t.Fields = putVarints(nil, tensorHalf, []int32{int32(smallFloat(value, 7, 8))})
	default:
		return Tensor{}, false
	}
	return t, true
}

// smallFloat returns the 16-bit IEEE pattern with the given number of fraction
// and exponent bits that is nearest to x, ties to even. It rounds once, from
// float64: going through float32 would round some values twice.
func smallFloat(x float64, fraction, exponent uint) uint16 {
	bias := 1<<(exponent-1) - 1
	inf := uint16(1<<exponent-1) << fraction
	var sign uint16
	if math.Signbit(x) {
		sign = 1 << 15
	}
	a := math.Abs(x)
	switch {
	case math.IsNaN(x):
		return sign | inf | 1<<(fraction-1)
	case math.IsInf(x, 0):
		return sign | inf
	case a < math.Ldexp(1, 1-bias): // zero and subnormal: a fixed unit
		return sign | uint16(math.RoundToEven(math.Ldexp(a, bias-1+int(fraction))))
	}
	f, e := math.Frexp(a) // a = f·2^e, f in [½, 1)
	// The significand has fraction+1 bits. When it rounds up to the next power
	// of two, the addition carries into the exponent, as it must.
	m := uint32(math.RoundToEven(math.Ldexp(f, int(fraction)+1)))
	bits := uint32(e-2+bias)<<fraction + m
	if e-1 > bias || bits >= uint32(inf) {
		return sign | inf
	}
	return sign | uint16(bits)
}
