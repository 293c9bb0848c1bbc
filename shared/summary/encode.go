package summary

import (
	"math"

	pw "google.golang.org/protobuf/encoding/protowire"
)

// The put functions append one field. As proto3 has it, a field with the zero
// value is left out; the must forms write it all the same, for fields whose
// presence means something (members of a oneof, elements of a list).

func putVarint(dst []byte, num pw.Number, v int64) []byte {
	if v == 0 {
		return dst
	}
	return mustVarint(dst, num, v)
}

func mustVarint(dst []byte, num pw.Number, v int64) []byte {
	return pw.AppendVarint(pw.AppendTag(dst, num, pw.VarintType), uint64(v))
}

func putBool(dst []byte, num pw.Number, v bool) []byte {
	if !v {
		return dst
	}
	return mustVarint(dst, num, 1)
}

func putDouble(dst []byte, num pw.Number, v float64) []byte {
	// Compare bits: -0 is not the default value.
	if math.Float64bits(v) == 0 {
		return dst
	}
	return mustDouble(dst, num, v)
}

func mustDouble(dst []byte, num pw.Number, v float64) []byte {
	return pw.AppendFixed64(pw.AppendTag(dst, num, pw.Fixed64Type), math.Float64bits(v))
}

func mustFloat(dst []byte, num pw.Number, v float32) []byte {
	return pw.AppendFixed32(pw.AppendTag(dst, num, pw.Fixed32Type), math.Float32bits(v))
}

func putString(dst []byte, num pw.Number, v string) []byte {
	if v == "" {
		return dst
	}
	return mustString(dst, num, v)
}

func mustString(dst []byte, num pw.Number, v string) []byte {
	return pw.AppendString(pw.AppendTag(dst, num, pw.BytesType), v)
}

func putBytes(dst []byte, num pw.Number, v []byte) []byte {
	if len(v) == 0 {
		return dst
	}
	return mustBytes(dst, num, v)
}

// mustBytes also appends a sub-message whose encoding is v.
func mustBytes(dst []byte, num pw.Number, v []byte) []byte {
	return pw.AppendBytes(pw.AppendTag(dst, num, pw.BytesType), v)
}

// putDoubles appends a packed repeated double.
func putDoubles(dst []byte, num pw.Number, v []float64) []byte {
	if len(v) == 0 {
		return dst
	}
	dst = pw.AppendVarint(pw.AppendTag(dst, num, pw.BytesType), uint64(8*len(v)))
	for _, x := range v {
		dst = pw.AppendFixed64(dst, math.Float64bits(x))
	}
	return dst
}

// putFloats appends a packed repeated float.
func putFloats(dst []byte, num pw.Number, v []float32) []byte {
	if len(v) == 0 {
		return dst
	}
	dst = pw.AppendVarint(pw.AppendTag(dst, num, pw.BytesType), uint64(4*len(v)))
	for _, x := range v {
		dst = pw.AppendFixed32(dst, math.Float32bits(x))
	}
	return dst
}

// putVarints appends a packed repeated integer. Negative values take ten bytes,
// as int32 and int64 fields have it.
func putVarints[T ~int32 | ~int64 | ~uint32 | ~uint64](dst []byte, num pw.Number, v []T) []byte {
	if len(v) == 0 {
		return dst
	}
	var packed []byte
	for _, x := range v {
		packed = pw.AppendVarint(packed, uint64(int64(x)))
	}
	return mustBytes(dst, num, packed)
}
