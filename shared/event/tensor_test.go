package event_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"testing"

	pw "google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/event"
)

// encoding is one way to write a number down as a tensor.
type encoding struct {
	name   string
	tensor []byte
	want   float64
	err    error
}

// le is v as it stands in tensor_content.
func le(v any) []byte {
	b, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		panic(err)
	}
	return b
}

// field appends a length-delimited field to b.
func field(b []byte, num pw.Number, content []byte) []byte {
	return pw.AppendBytes(pw.AppendTag(b, num, pw.BytesType), content)
}

// ofType begins a tensor. Each number in shape is the size of a dimension.
func ofType(d event.DType, shape ...int64) []byte {
	b := pw.AppendVarint(pw.AppendTag(nil, 1, pw.VarintType), uint64(d))
	if shape == nil {
		return b
	}
	var s []byte
	for _, size := range shape {
		s = field(s, 2, pw.AppendVarint(pw.AppendTag(nil, 1, pw.VarintType), uint64(size)))
	}
	return field(b, 2, s)
}

// element is the bytes of one element of a repeated field.
func element(wire pw.Type, bits uint64) []byte {
	switch wire {
	case pw.Fixed32Type:
		return pw.AppendFixed32(nil, uint32(bits))
	case pw.Fixed64Type:
		return pw.AppendFixed64(nil, bits)
	}
	return pw.AppendVarint(nil, bits)
}

// encodings are all forms in which a scalar can stand in a tensor, and some that
// only look like one.
func encodings() (all []encoding) {
	add := func(name string, tensor []byte, want float64, err error) {
		all = append(all, encoding{name, tensor, want, err})
	}
	const minus = ^uint64(0) // -1 as int32 and int64 fields have it
	for _, c := range []struct {
		d       event.DType
		content []byte
		want    float64
		num     pw.Number
		wire    pw.Type
		bits    uint64
	}{
		{event.Float, le(float32(0.1)), float64(float32(0.1)), 5, pw.Fixed32Type, uint64(math.Float32bits(0.1))},
		{event.Float, le(float32(math.Inf(-1))), math.Inf(-1), 5, pw.Fixed32Type, uint64(math.Float32bits(float32(math.Inf(-1))))},
		{event.Float, le(float32(math.NaN())), math.NaN(), 5, pw.Fixed32Type, uint64(math.Float32bits(float32(math.NaN())))},
		{event.Double, le(0.1), 0.1, 6, pw.Fixed64Type, math.Float64bits(0.1)},
		{event.Double, le(1e300), 1e300, 6, pw.Fixed64Type, math.Float64bits(1e300)},
		{event.Int32, le(int32(-1)), -1, 7, pw.VarintType, minus},
		{event.Int32, le(int32(math.MinInt32)), math.MinInt32, 7, pw.VarintType, 0xffffffff80000000},
		{event.Uint8, le(uint8(200)), 200, 7, pw.VarintType, 200},
		{event.Int16, le(int16(-300)), -300, 7, pw.VarintType, minus - 299},
		{event.Int8, le(int8(-128)), -128, 7, pw.VarintType, minus - 127},
		{event.Uint16, le(uint16(65535)), 65535, 7, pw.VarintType, 65535},
		{event.Int64, le(int64(-1)), -1, 10, pw.VarintType, minus},
		{event.Int64, le(int64(1 << 53)), 1 << 53, 10, pw.VarintType, 1 << 53},
		{event.Bool, []byte{1}, 1, 11, pw.VarintType, 1},
		{event.Uint32, le(uint32(math.MaxUint32)), math.MaxUint32, 16, pw.VarintType, math.MaxUint32},
		{event.Uint64, le(uint64(math.MaxUint64)), math.MaxUint64, 17, pw.VarintType, math.MaxUint64},
		{event.Half, le(uint16(0x3e00)), 1.5, 13, pw.VarintType, 0x3e00},
		{event.Half, le(uint16(0x0001)), math.Ldexp(1, -24), 13, pw.VarintType, 1},
		{event.Half, le(uint16(0xfbff)), -65504, 13, pw.VarintType, 0xfbff},
		{event.Half, le(uint16(0xfc00)), math.Inf(-1), 13, pw.VarintType, 0xfc00},
		{event.Half, le(uint16(0x7e00)), math.NaN(), 13, pw.VarintType, 0x7e00},
		{event.Half, le(uint16(0xc000)), -2, 13, pw.VarintType, 0xffffffffffffc000}, // sign-extended
		{event.BFloat16, le(uint16(0x3fc0)), 1.5, 13, pw.VarintType, 0x3fc0},
		{event.BFloat16, le(uint16(0xff80)), math.Inf(-1), 13, pw.VarintType, 0xff80},
	} {
		value := element(c.wire, c.bits)
		unpacked := func(b []byte) []byte { return append(pw.AppendTag(b, c.num, c.wire), value...) }
		for _, d := range []event.DType{c.d, c.d + 100} { // TF1's references
			name := fmt.Sprintf("dtype %d of %v", d, c.want)
			for shape, sizes := range map[string][]int64{"no": nil, "rank 0": {}, "[1]": {1}, "[1, 1]": {1, 1}} {
				add(name+", content, shape "+shape, field(ofType(d, sizes...), 4, c.content), c.want, nil)
				add(name+", packed, shape "+shape, field(ofType(d, sizes...), c.num, value), c.want, nil)
				add(name+", unpacked, shape "+shape, unpacked(ofType(d, sizes...)), c.want, nil)
			}
			add(name+", dtype last", append(unpacked(nil), ofType(d)...), c.want, nil)
			add(name+", content wins", field(unpacked(ofType(d)), 4, c.content), c.want, nil)
			add(name+", nothing is zero", ofType(d), 0, nil)
			add(name+", two elements", field(ofType(d, 2), 4, append(c.content, c.content...)), 0, event.ErrNotScalar)
			add(name+", two in one", unpacked(unpacked(ofType(d))), 0, event.ErrNotScalar)
			add(name+", one stands for two", unpacked(ofType(d, 2)), 0, event.ErrNotScalar)
			add(name+", none", ofType(d, 0), 0, event.ErrNotScalar)
			add(name+", any number", unpacked(ofType(d, -1)), 0, event.ErrNotScalar)
			add(name+", content too long", field(ofType(d), 4, append(c.content, 0)), 0, event.ErrNotScalar)
			add(name+", unknown rank", field(unpacked(ofType(d)), 2, []byte{3<<3 | 0, 1}), 0, event.ErrNotScalar)
			add(name+", shape in two pieces", field(field(unpacked(ofType(d)), 2, []byte{2<<3 | 2, 2, 8, 1}), 2, []byte{2<<3 | 2, 2, 8, 3}), 0, event.ErrNotScalar)
		}
	}
	bits := uint64(math.Float32bits(-0.7))
	for _, d := range []event.DType{event.Half, event.BFloat16} {
		add("PyTorch's float32 in half_val", field(ofType(d), 13, pw.AppendVarint(nil, bits)), float64(float32(-0.7)), nil)
		add("the same, sign-extended", field(ofType(d), 13, pw.AppendVarint(nil, bits|0xffffffff00000000)), float64(float32(-0.7)), nil)
	}
	add("string", field(ofType(event.String), 8, []byte("7")), 0, event.ErrNotScalar)
	add("complex", field(ofType(event.Complex64), 9, make([]byte, 8)), 0, event.ErrNotScalar)
	add("no dtype", field(nil, 5, le(float32(1))), 0, event.ErrNotScalar)
	add("dtype of the future", field(ofType(77), 5, le(float32(1))), 0, event.ErrNotScalar)
	add("other type's field", field(ofType(event.Double), 5, le(float32(1))), 0, nil)
	add("dtype as fixed32", append([]byte{1<<3 | 5, 1, 0, 0, 0}, ofType(event.Int8)...), 0, nil)
	add("torn", []byte{8, 2, 6<<3 | 1, 0, 0}, 0, event.ErrMalformed)
	add("torn inside packed", field(ofType(event.Double), 6, make([]byte, 7)), 0, event.ErrMalformed)
	add("torn shape", field(ofType(event.Float), 2, []byte{2<<3 | 2, 9}), 0, event.ErrMalformed)
	return all
}

func TestScalar(t *testing.T) {
	for _, c := range encodings() {
		x, isFloat32, err := event.Scalar(c.tensor)
		if !errors.Is(err, c.err) || err == nil && !equal(x, c.want) {
			t.Errorf("%s: %x gives %v, %v", c.name, c.tensor, x, err)
		}
		if err == nil && isFloat32 != equal(float64(float32(c.want)), c.want) {
			t.Errorf("%s: a float32: %v", c.name, isFloat32)
		}
		if m, err := schema.Decode("TensorProto", c.tensor); err == nil {
			agreeScalar(t, c.tensor, m)
		} else if c.err != event.ErrMalformed {
			t.Errorf("%s: the oracle: %v", c.name, err)
		}
	}
}

// All 16-bit floats.
func TestHalf(t *testing.T) {
	for bits := range 1 << 16 {
		for d, want := range map[event.DType]float64{event.Half: ieee(uint16(bits)), event.BFloat16: brain(uint16(bits))} {
			x, isFloat32, err := event.Scalar(field(ofType(d), 4, le(uint16(bits))))
			if err != nil || !isFloat32 || !equal(x, want) || math.Signbit(x) != math.Signbit(want) && x == x {
				t.Fatalf("%#x of dtype %d is %v, not %v: %v", bits, d, x, want, err)
			}
		}
	}
}
