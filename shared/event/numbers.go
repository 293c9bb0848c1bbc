package event

import (
	"encoding/binary"
	"errors"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// ErrNotNumbers says that a tensor does not hold real numbers, as many as its shape says.
var ErrNotNumbers = errors.New("tensor holds no numbers, or not as many as its shape says")

// maxRepeat is how many elements a tensor may have that writes one for all of them: its
// bytes do not bound them.
const maxRepeat = 1 << 16

// Numbers appends the elements of a serialised TensorProto of a real type to dst, row by
// row, as float64s, and returns its shape. Elements are little endian in tensor_content or
// in the field of their type, where a single one stands for all (tensorboard/util/
// tensor_util.py).
func Numbers(tensor []byte, dst []float64) (shape []int64, out []float64, err error) {
	var dims, content []byte
	dtype := DType(0)
	err = fields(tensor, func(tag, v uint64, body []byte) {
		switch tag {
		case 1<<3 | 0:
			dtype = DType(int32(v))
		case 2<<3 | 2:
			dims = append(dims, body...) // merge; see the package comment
		case 4<<3 | 2:
			content = body
		}
	})
	if err != nil {
		return nil, dst, err
	}
	if dtype > refOffset {
		dtype -= refOffset
	}
	field, wire := valField(dtype)
	if field == 0 {
		return nil, dst, ErrNotNumbers
	}
	shape, n, ok := dimensions(dims)
	if !ok {
		return nil, dst, ErrNotNumbers
	}
	begin := len(dst)
	if len(content) > 0 {
		k := size(dtype)
		if len(content)%k != 0 {
			return nil, dst, ErrNotNumbers
		}
		for ; len(content) > 0; content = content[k:] {
			var full [8]byte
			copy(full[:], content[:k])
			dst = append(dst, number(dtype, binary.LittleEndian.Uint64(full[:])))
		}
	} else {
		single, packed := protowire.EncodeTag(field, wire), protowire.EncodeTag(field, protowire.BytesType)
		bad := false
		err = fields(tensor, func(tag, v uint64, body []byte) {
			switch tag {
			case single:
				dst = append(dst, number(dtype, v))
			case packed:
				for len(body) > 0 && !bad {
					v, k := element(wire, body)
					if bad = k < 0; !bad {
						dst, body = append(dst, number(dtype, v)), body[k:]
					}
				}
			}
		})
		if bad || err != nil {
			return nil, dst[:begin], ErrMalformed
		}
		if got := len(dst) - begin; got == 1 && n > 1 && n <= maxRepeat {
			for len(dst)-begin < int(n) {
				dst = append(dst, dst[begin])
			}
		}
	}
	if int64(len(dst)-begin) != n {
		return nil, dst[:begin], ErrNotNumbers
	}
	return shape, dst, nil
}

// element reads one element of a packed field; n < 0: there is none.
func element(wire protowire.Type, b []byte) (v uint64, n int) {
	switch wire {
	case protowire.Fixed32Type:
		w, n := protowire.ConsumeFixed32(b)
		return uint64(w), n
	case protowire.Fixed64Type:
		return protowire.ConsumeFixed64(b)
	}
	return protowire.ConsumeVarint(b)
}

// dimensions reads a serialised TensorShapeProto; n is the number of elements.
func dimensions(b []byte) (shape []int64, n int64, ok bool) {
	shape, n, ok = []int64{}, 1, true
	err := fields(b, func(tag, v uint64, body []byte) {
		switch tag {
		case 3<<3 | 0:
			ok = ok && v == 0 // of unknown rank
		case 2<<3 | 2:
			size := int64(0)
			if fields(body, func(tag, v uint64, _ []byte) {
				if tag == 1<<3|0 {
					size = int64(v)
				}
			}) != nil || size < 0 || size > 0 && n > math.MaxInt64/size {
				ok = false
				return
			}
			shape, n = append(shape, size), n*size
		}
	})
	return shape, n, ok && err == nil
}

// number is an element's value; bits are as in tensor_content or in its field.
func number(d DType, bits uint64) float64 {
	x, _, _ := (&tensorFields{dtype: d, bits: bits}).scalar()
	return x
}

// Histogram is a decoded HistogramProto (tensorboard/compat/proto/histogram.proto).
type Histogram struct {
	Min, Max      float64
	Limits, Count []float64 // right edge and count of each bucket
}

// DecodeHistogram decodes a serialised HistogramProto.
func DecodeHistogram(b []byte) (h Histogram, err error) {
	bad := false
	list := func(dst []float64, body []byte) []float64 {
		if bad = bad || len(body)%8 != 0; bad {
			return dst
		}
		for ; len(body) > 0; body = body[8:] {
			dst = append(dst, math.Float64frombits(binary.LittleEndian.Uint64(body)))
		}
		return dst
	}
	err = fields(b, func(tag, v uint64, body []byte) {
		switch tag {
		case 1<<3 | 1:
			h.Min = math.Float64frombits(v)
		case 2<<3 | 1:
			h.Max = math.Float64frombits(v)
		case 6<<3 | 1:
			h.Limits = append(h.Limits, math.Float64frombits(v))
		case 6<<3 | 2:
			h.Limits = list(h.Limits, body)
		case 7<<3 | 1:
			h.Count = append(h.Count, math.Float64frombits(v))
		case 7<<3 | 2:
			h.Count = list(h.Count, body)
		}
	})
	if bad {
		err = ErrMalformed
	}
	return h, err
}
