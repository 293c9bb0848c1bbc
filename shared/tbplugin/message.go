package tbplugin

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"strconv"
)

// A message between host and back end is four bytes of a header's length, little endian, the
// header as JSON, and raw bytes. In a header {"$": [type, offset, count]} stands for an array in
// the raw bytes; a number that JSON lacks is a text.

var errTorn = errors.New("tbplugin: a message of the host is torn")

// cut splits a message.
func cut(m []byte) (head, raw []byte, err error) {
	if len(m) < 4 {
		return nil, nil, errTorn
	}
	n := uint64(binary.LittleEndian.Uint32(m))
	if n > uint64(len(m)-4) {
		return nil, nil, errTorn
	}
	return m[4 : 4+n], m[4+n:], nil
}

// message1 makes a message.
func message1(head any, raw []byte) []byte {
	text, err := json.Marshal(head)
	if err != nil {
		text, raw = []byte(`{"status":500,"error":"the answer cannot be written as JSON"}`), nil
	}
	out := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(text)+len(raw)), uint32(len(text)))
	return append(append(out, text...), raw...)
}

// array is one in the raw bytes.
type array struct {
	kind  string
	at, n int
}

// UnmarshalJSON reads {"$": [type, offset, count]}; anything else is none.
func (a *array) UnmarshalJSON(b []byte) error {
	var o struct {
		Ref []any `json:"$"`
	}
	if json.Unmarshal(b, &o) != nil || len(o.Ref) != 3 {
		return nil
	}
	kind, _ := o.Ref[0].(string)
	at, _ := o.Ref[1].(float64)
	n, _ := o.Ref[2].(float64)
	*a = array{kind, int(at), int(n)}
	return nil
}

// bytes are those of n elements of a size; nil if they are not there.
func (a array) bytes(raw []byte, size int) []byte {
	if a.at < 0 || a.n < 0 || a.at > len(raw) || a.n > (len(raw)-a.at)/size {
		return nil
	}
	return raw[a.at : a.at+a.n*size]
}

// value is the array as a slice of its type; byte strings as [][]byte.
func (a array) value(raw []byte) any {
	switch a.kind {
	case "f8":
		return each(a.bytes(raw, 8), 8, func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) })
	case "f4":
		return each(a.bytes(raw, 4), 4, func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) })
	case "i8":
		return each(a.bytes(raw, 8), 8, func(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b)) })
	case "i4":
		return each(a.bytes(raw, 4), 4, func(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) })
	case "u1":
		return a.bytes(raw, 1)
	case "s":
		var out [][]byte
		rest := raw[min(max(a.at, 0), len(raw)):]
		for range a.n {
			if len(rest) < 4 || uint64(binary.LittleEndian.Uint32(rest)) > uint64(len(rest)-4) {
				return out
			}
			n := 4 + int(binary.LittleEndian.Uint32(rest))
			out, rest = append(out, rest[4:n:n]), rest[n:]
		}
		return out
	}
	return nil
}

func each[T any](b []byte, size int, f func([]byte) T) []T {
	out := make([]T, 0, len(b)/size)
	for ; len(b) >= size; b = b[size:] {
		out = append(out, f(b))
	}
	return out
}

// number is one that may be a text where JSON lacks it.
type number float64

// UnmarshalJSON reads both.
func (n *number) UnmarshalJSON(b []byte) error {
	text := string(b)
	if len(b) > 1 && b[0] == '"' {
		text = string(b[1 : len(b)-1])
	}
	if text == "null" {
		*n = number(math.NaN())
		return nil
	}
	v, err := strconv.ParseFloat(text, 64)
	*n = number(v)
	return err
}
