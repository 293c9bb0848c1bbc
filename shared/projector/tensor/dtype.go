package tensor

import (
	"encoding/binary"
	"math"
)

// DType is the type of a tensor's numbers, by NumPy's and TensorFlow's common name.
type DType string

// sizes are bytes for each number.
var sizes = map[DType]int64{
	"bool": 1, "int8": 1, "uint8": 1, "float8_e4m3fn": 1, "float8_e5m2": 1,
	"int16": 2, "uint16": 2, "float16": 2, "bfloat16": 2,
	"int32": 4, "uint32": 4, "float32": 4,
	"int64": 8, "uint64": 8, "float64": 8,
}

// Size is the number of bytes of one number; 0 if these are no numbers that can be points.
func (d DType) Size() int64 { return sizes[d] }

// Decode appends the numbers of b, whose length is a multiple of Size, as float32s: float64s and
// integers are rounded to the nearest. Types of size 0 give none.
func (d DType) Decode(to []float32, b []byte, order binary.ByteOrder) []float32 {
	switch d {
	case "bool":
		for _, x := range b {
			if x != 0 {
				x = 1
			}
			to = append(to, float32(x))
		}
	case "int8":
		for _, x := range b {
			to = append(to, float32(int8(x)))
		}
	case "uint8":
		for _, x := range b {
			to = append(to, float32(x))
		}
	case "float8_e4m3fn", "float8_e5m2":
		for _, x := range b {
			to = append(to, float8(x, d == "float8_e5m2"))
		}
	case "int16", "uint16", "float16", "bfloat16":
		for ; len(b) >= 2; b = b[2:] {
			x := order.Uint16(b)
			switch d {
			case "int16":
				to = append(to, float32(int16(x)))
			case "uint16":
				to = append(to, float32(x))
			case "float16":
				to = append(to, Float16(x))
			default:
				to = append(to, math.Float32frombits(uint32(x)<<16))
			}
		}
	case "float32":
		if order == binary.ByteOrder(binary.LittleEndian) {
			for ; len(b) >= 4; b = b[4:] {
				to = append(to, math.Float32frombits(binary.LittleEndian.Uint32(b)))
			}
		}
		for ; len(b) >= 4; b = b[4:] {
			to = append(to, math.Float32frombits(order.Uint32(b)))
		}
	case "int32":
		for ; len(b) >= 4; b = b[4:] {
			to = append(to, float32(int32(order.Uint32(b))))
		}
	case "uint32":
		for ; len(b) >= 4; b = b[4:] {
			to = append(to, float32(order.Uint32(b)))
		}
	case "int64":
		for ; len(b) >= 8; b = b[8:] {
			to = append(to, float32(int64(order.Uint64(b))))
		}
	case "uint64":
		for ; len(b) >= 8; b = b[8:] {
			to = append(to, float32(order.Uint64(b)))
		}
	case "float64":
		for ; len(b) >= 8; b = b[8:] {
			to = append(to, float32(math.Float64frombits(order.Uint64(b))))
		}
	}
	return to
}

// Float16 is the number of an IEEE 754 half.
func Float16(x uint16) float32 {
	sign, exp, frac := uint32(x>>15)<<31, uint32(x>>10)&31, uint32(x&0x3ff)
	switch exp {
	case 0:
		v := float32(frac) / (1 << 24)
		if sign != 0 {
			v = -v
		}
		return v
	case 31:
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
}

// float8 is the number of one of the two forms of "FP8 Formats for Deep Learning" (Micikevicius
// et al. 2022): e5m2 is a half cut short, e4m3fn has no infinities.
func float8(x byte, e5m2 bool) float32 {
	if e5m2 {
		return Float16(uint16(x) << 8)
	}
	exp, frac := int(x>>3)&15, float64(x&7)
	v := math.Ldexp(1+frac/8, exp-7)
	switch {
	case x&0x7f == 0x7f:
		return float32(math.NaN())
	case exp == 0:
		v = math.Ldexp(frac, -9)
	}
	if x&0x80 != 0 {
		v = -v
	}
	return float32(v)
}

// Elements is the product of a shape; false if it is absurd (negative, or beyond 2⁵³).
func Elements(shape []int64) (int64, bool) {
	n := int64(1)
	for _, d := range shape {
		if d < 0 || d > 0 && n > (1<<53)/d {
			return 0, false
		}
		n *= d
	}
	return n, true
}
