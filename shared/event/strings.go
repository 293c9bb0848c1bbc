package event

import (
	"errors"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// ErrNotText says that a tensor does not hold texts.
var ErrNotText = errors.New("tensor holds no texts")

// Strings returns the elements of a serialised TensorProto of DT_STRING, row by row, and
// its shape. A shape that does not fit the number of elements is taken for that of a
// vector: what was logged is shown, and no length in the file reserves memory. The
// elements are parts of tensor.
func Strings(tensor []byte) (shape []int64, elements [][]byte, err error) {
	dtype := DType(0)
	var dims []byte
	err = fields(tensor, func(tag, v uint64, body []byte) {
		switch tag {
		case 1<<3 | 0:
			dtype = DType(int32(v))
		case 2<<3 | 2:
			dims = append(dims, body...) // merge; see the package comment
		case protowire.EncodeTag(8, protowire.BytesType):
			elements = append(elements, body)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	if dtype != String && dtype != String+refOffset {
		return nil, nil, ErrNotText
	}
	shape, product := []int64{}, int64(1)
	err = fields(dims, func(tag, _ uint64, body []byte) {
		if tag != 2<<3|2 {
			return
		}
		size := int64(0)
		if fields(body, func(tag, v uint64, _ []byte) {
			if tag == 1<<3|0 {
				size = int64(v)
			}
		}) != nil {
			product = -1
		}
		shape = append(shape, size)
		switch {
		case product < 0 || size < 0:
			product = -1
		case size > 0 && product > math.MaxInt64/size:
			product = -1
		default:
			product *= size
		}
	})
	if err != nil {
		return nil, nil, err
	}
	if product != int64(len(elements)) {
		shape = []int64{int64(len(elements))}
	}
	return shape, elements, nil
}

// CutStrings returns the elements of a TensorProto of which only the beginning was read,
// the last of them cut.
func CutStrings(tensor []byte) (elements [][]byte) {
	for len(tensor) > 0 {
		tag, rest := cutTag(tensor)
		if tag != 8<<3|2 {
			n := skip(tensor)
			if n < 0 {
				return elements
			}
			tensor = tensor[n:]
			continue
		}
		if body, n := lengthDelimited(rest); n >= 0 {
			elements, tensor = append(elements, body), rest[n:]
			continue
		}
		if _, n := protowire.ConsumeVarint(rest); n > 0 {
			elements = append(elements, rest[n:])
		}
		return elements
	}
	return elements
}

// CutAt returns where the last element of such a TensorProto ends, counted from the
// beginning of it: behind what was read, if that is the one that was cut, by as much as its
// length says, which nothing has proven. ok is false if it was not cut.
func CutAt(tensor []byte) (end int64, ok bool) {
	for at := tensor; len(at) > 0; {
		tag, rest := cutTag(at)
		if tag != 8<<3|2 {
			n := skip(at)
			if n < 0 {
				return 0, false
			}
			at = at[n:]
			continue
		}
		if _, n := lengthDelimited(rest); n >= 0 {
			at = rest[n:]
			continue
		}
		length, n := protowire.ConsumeVarint(rest)
		if n < 0 || length > math.MaxInt64/2 {
			return 0, false
		}
		return int64(len(tensor)-len(rest)+n) + int64(length), true
	}
	return 0, false
}
