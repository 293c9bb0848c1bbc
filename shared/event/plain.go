package event

import (
	"encoding/binary"
	"math"
)

// PlainScalar is an event that holds one scalar of a common form and nothing else.
// Positions are in the payload.
type PlainScalar struct {
	WallTime     float64
	Step         int64
	Value        float32
	Step0, Step1 int  // the step's varint; equal when it is left out
	Value0       int  // the value's four bytes
	Tag0, Tag1   int  // the tag's bytes
	Meta0, Meta1 int  // the metadata's bytes; equal when there are none
	IsTensor     bool // rather than a simple_value
}

// Plain recognises the two forms in which nearly all scalars are written, byte for
// byte: PyTorch's and tensorboardX's
//
//	wall_time, step, summary{value{tag, simple_value}}
//
// and TensorFlow 2's
//
//	wall_time, step, summary{value{tag, tensor{DT_FLOAT, one float}, metadata}}
//
// A step of 0 may be left out. For anything else ok is false and Decode has to
// look at the payload; what Plain accepts, Decode and NextValue read alike (a fuzz
// test holds them against each other). It exists for speed: no pointer is stored,
// so there are no write barriers, and a scalar takes a quarter of the time.
func Plain(b []byte) (p PlainScalar, ok bool) {
	if len(b) < 9+2+2+2 || b[0] != 1<<3|1 {
		return p, false
	}
	p.WallTime = math.Float64frombits(binary.LittleEndian.Uint64(b[1:9]))
	i := 9
	if b[i] == 2<<3|0 {
		v, shift := uint64(0), uint(0)
		for i++; ; i++ {
			if i >= len(b) || shift > 63 {
				return p, false
			}
			c := b[i]
			v |= uint64(c&0x7f) << shift
			shift += 7
			if c < 0x80 {
				if shift > 63 && c > 1 {
					return p, false
				}
				break
			}
		}
		i++
		p.Step, p.Step0, p.Step1 = int64(v), 10, i
	}
	// The summary fills the rest of the event, its one value the summary. First the
	// form without metadata whose lengths are single bytes, without a call: half of
	// the time of this function.
	if r := len(b) - i - 2; r < 0x80 && r >= 9 &&
		b[i] == 5<<3|2 && int(b[i+1]) == r && b[i+2] == 1<<3|2 && int(b[i+3]) == r-2 && b[i+4] == 1<<3|2 {
		if t := i + 6 + int(b[i+5]); t+5 == len(b) && b[t] == 2<<3|5 {
			p.Tag0, p.Tag1, p.Value0 = i+6, t, t+1
			p.Value = math.Float32frombits(binary.LittleEndian.Uint32(b[t+1:]))
			return p, true
		}
	}
	if i = enter(b, i, 5<<3|2); i < 0 {
		return p, false
	}
	if i = enter(b, i, 1<<3|2); i < 0 {
		return p, false
	}
	t0, t1 := part(b, i, 1<<3|2)
	if t0 < 0 {
		return p, false
	}
	p.Tag0, p.Tag1 = t0, t1
	i = t1
	if len(b)-i == 5 && b[i] == 2<<3|5 {
		p.Value0 = i + 1
		p.Value = math.Float32frombits(binary.LittleEndian.Uint32(b[i+1:]))
		return p, true
	}
	v0, v1 := part(b, i, 8<<3|2)
	if v0 < 0 {
		return p, false
	}
	if p.Value, ok = plainFloat(b[v0:v1]); !ok {
		return p, false
	}
	p.IsTensor, p.Value0 = true, v1-4
	if v1 == len(b) {
		return p, true
	}
	p.Meta0, p.Meta1 = part(b, v1, 9<<3|2)
	return p, p.Meta0 >= 0 && p.Meta1 == len(b)
}

// enter returns where the content of the length-delimited field at b[i] begins, if
// its tag is the given one and it reaches to the end of b; otherwise -1.
func enter(b []byte, i int, tag byte) int {
	a, z := part(b, i, tag)
	if a < 0 || z != len(b) {
		return -1
	}
	return a
}

// part returns the bounds of the content of the length-delimited field at b[i], if
// its tag is the given one and its length has at most two bytes; otherwise -1.
func part(b []byte, i int, tag byte) (start, end int) {
	if i < 0 || i+2 > len(b) || b[i] != tag {
		return -1, -1
	}
	n := int(b[i+1])
	i += 2
	if n >= 0x80 {
		if i >= len(b) || b[i] >= 0x80 {
			return -1, -1
		}
		n = n&0x7f | int(b[i])<<7
		i++
	}
	if n > len(b)-i {
		return -1, -1
	}
	return i, i + n
}
