// Package pb goes over the fields of serialised protocol buffers that may be torn or damaged, and
// knows where in the file it is. It differs from shared/internal/field in two ways: it gives
// offsets, and what it could read before the damage has been handed over.
package pb

import (
	"google.golang.org/protobuf/encoding/protowire"
)

// Field is one field of a message.
type Field struct {
	Num   protowire.Number
	Type  protowire.Type
	V     uint64 // the bits of a number
	Body  []byte // what is delimited by a length; cut short if Torn
	Start int    // offset of the field's tag in the file
	Off   int    // offset of Body in the file
	Torn  bool   // the length goes beyond the end of the message
}

// Whole is what Each returns when nothing is missing.
const Whole = -1

// Each calls f for each field of b, a message that stands at offset base of its file, until f
// returns false. It returns Whole, or the offset of the first field that could not be read. A
// delimited field that goes beyond the end is handed over with what is there of it, and Torn: a
// container may be read on, a leaf not.
func Each(b []byte, base int, f func(Field) bool) int {
	for i := 0; i < len(b); {
		start := i
		num, typ, n := protowire.ConsumeTag(b[i:])
		if n < 0 {
			return base + start
		}
		i += n
		x := Field{Num: num, Type: typ, Start: base + start}
		switch typ {
		case protowire.VarintType:
			x.V, n = protowire.ConsumeVarint(b[i:])
		case protowire.Fixed64Type:
			x.V, n = protowire.ConsumeFixed64(b[i:])
		case protowire.Fixed32Type:
			var w uint32
			w, n = protowire.ConsumeFixed32(b[i:])
			x.V = uint64(w)
		case protowire.BytesType:
			var l uint64
			l, n = protowire.ConsumeVarint(b[i:])
			if n < 0 {
				return base + start
			}
			i += n
			x.Off = base + i
			if l > uint64(len(b)-i) {
				x.Body, x.Torn = b[i:], true
				f(x)
				return base + start
			}
			x.Body = b[i : i+int(l) : i+int(l)]
			n = int(l)
		default:
			n = protowire.ConsumeFieldValue(num, typ, b[i:])
		}
		if n < 0 {
			return base + start
		}
		i += n
		if !f(x) {
			return Whole
		}
	}
	return Whole
}

// Is reports whether the field has this number and holds bytes.
func (f *Field) Is(num protowire.Number) bool {
	return f.Num == num && f.Type == protowire.BytesType
}

// Int reports whether the field has this number and holds a varint.
func (f *Field) Int(num protowire.Number) bool {
	return f.Num == num && f.Type == protowire.VarintType
}

// Packed calls f for each varint of a repeated field that may be packed or not.
func (f *Field) Packed(each func(v uint64) bool) bool {
	if f.Type == protowire.VarintType {
		return each(f.V)
	}
	if f.Type != protowire.BytesType {
		return true
	}
	for b := f.Body; len(b) > 0; {
		v, n := protowire.ConsumeVarint(b)
		if n < 0 || !each(v) {
			return n >= 0
		}
		b = b[n:]
	}
	return true
}

// Valid reports whether b is a whole message, as far as its own fields go.
func Valid(b []byte) bool {
	whole := true
	return Each(b, 0, func(f Field) bool { whole = whole && !f.Torn; return true }) == Whole && whole
}
