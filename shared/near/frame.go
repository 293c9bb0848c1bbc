// Package near is the line between a page and a machine that reads the files beside them: the
// workers' messages as frames of bytes (this file), and the page's end of a line that may
// break (Port). What reads is package reading.
//
// A line begins with a greeting of each side, which names its version: both must be one
// build, since messages do not say which field is which. The page's comes first.
package near

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// A frame is a message:
//
//	length of the header, of Head, and flags: three little-endian uint32
//	header: the other fields, packed
//	Head
//	zeros up to a multiple of eight
//	Words, little-endian or in planes, or Bytes: the rest
//
// The page's Go code reads the header alone; Head and the rest are JavaScript's. What goes to a
// page may be tight (see Tight): its header deflated, or Head and the rest, as one and without
// zeros between them; the lengths are of the header as it travels and of Head as it is.
const Prefix = 12 // bytes before the header

// Columns of curves are float32s and float64s that go up slowly, in which a line's compression
// finds little. So each uint32 of Words has the one taken off that stands two before it, which is
// the one before in a column of either; and then come all their first bytes, all second ones, and
// so on: four planes. Deflated, the bench's curves take 28 % of their bytes so, and 62 % as they
// are, in half of the time. Short ones stay as they are.
const planesFrom = 64 // words

// ErrFrame says that bytes are no frame.
var ErrFrame = errors.New("near: these bytes are no message")

// flags of a frame.
const (
	inPlanes    = 1 << iota // Words are
	tightRest               // Head and the rest are deflated
	tightHeader             // the header is
)

// flags of a header.
const (
	isMore = 1 << iota
	isWords
)

// Columns are a message's Head, and its Words or Bytes, as they travel: the same for all who are
// sent them.
type Columns struct {
	size          int // of both, before anything is deflated
	head, packed  []byte
	words, planes bool
	tight         []byte // both deflated; nil: they are not
}

// Size is how many bytes they are: deflated, if they are by now.
func (c *Columns) Size() int {
	if c.tight != nil {
		return len(c.tight)
	}
	return c.size
}

// Pack packs the columns of e.
func Pack(e *wire.Envelope) *Columns {
	c := &Columns{head: e.Head, packed: e.Bytes}
	switch n := len(e.Words); {
	case n >= planesFrom:
		c.packed, c.words, c.planes = appendPlanes(nil, e.Words), true, true
	case n > 0:
		c.packed, c.words = make([]byte, 0, 8*n), true
		for _, w := range e.Words {
			c.packed = binary.LittleEndian.AppendUint64(c.packed, w)
		}
	}
	c.size = len(c.head) + len(c.packed)
	return c
}

// appendHeader appends the header of e, whose columns are c.
func appendHeader(b []byte, e *wire.Envelope, c *Columns) []byte {
	flags := uint64(0)
	if e.More {
		flags |= isMore
	}
	if c.words {
		flags |= isWords
	}
	text := func(s string) { b = append(protowire.AppendVarint(b, uint64(len(s))), s...) }
	text(e.Op)
	for _, v := range []uint64{uint64(e.ID), flags, uint64(e.Part), uint64(e.Of)} {
		b = protowire.AppendVarint(b, v)
	}
	text(e.Err)
	text(e.Fault)
	return append(protowire.AppendVarint(b, uint64(len(e.Body))), e.Body...)
}

// appendRest appends what comes after the header of a frame that begins at b[at:] and is not tight,
// and writes its beginning; flags are those of a header that is.
func (c *Columns) appendRest(b []byte, at, flags int) []byte {
	if c.planes {
		flags |= inPlanes
	}
	lengths(b[at:], len(b)-at-Prefix, len(c.head), flags)
	b = append(b, c.head...)
	if len(c.packed) > 0 {
		for (len(b)-at)%8 != 0 {
			b = append(b, 0)
		}
	}
	return b
}

// lengths writes a frame's beginning.
func lengths(b []byte, header, head, flags int) {
	binary.LittleEndian.PutUint32(b, uint32(header))
	binary.LittleEndian.PutUint32(b[4:], uint32(head))
	binary.LittleEndian.PutUint32(b[8:], uint32(flags))
}

// Append appends the frame of e.
func Append(b []byte, e *wire.Envelope) []byte {
	c, at := Pack(e), len(b)
	b = appendHeader(append(b, make([]byte, Prefix)...), e, c)
	return append(c.appendRest(b, at, 0), c.packed...)
}

func appendPlanes(b []byte, words []uint64) []byte {
	n, at := 2*len(words), len(b)
	b = slices.Grow(b, 4*n)[:at+4*n]
	p0, p1, p2, p3 := b[at:at+n], b[at+n:at+2*n], b[at+2*n:at+3*n], b[at+3*n:]
	var low, high uint32
	for i, w := range words {
		l, h := uint32(w)-low, uint32(w>>32)-high
		low, high = uint32(w), uint32(w>>32)
		p0[2*i], p1[2*i], p2[2*i], p3[2*i] = byte(l), byte(l>>8), byte(l>>16), byte(l>>24)
		p0[2*i+1], p1[2*i+1], p2[2*i+1], p3[2*i+1] = byte(h), byte(h>>8), byte(h>>16), byte(h>>24)
	}
	return b
}

// fromPlanes reads what appendPlanes wrote.
func fromPlanes(words []uint64, b []byte) {
	n := 2 * len(words)
	at := func(i int) uint32 {
		return uint32(b[i]) | uint32(b[n+i])<<8 | uint32(b[2*n+i])<<16 | uint32(b[3*n+i])<<24
	}
	var low, high uint32
	for i := range words {
		low += at(2 * i)
		high += at(2*i + 1)
		words[i] = uint64(high)<<32 | uint64(low)
	}
}

// Lengths reads the beginning of a frame of size bytes that is not tight, twelve of them: where the
// header, Head and the rest begin and end. All lie inside the frame.
func Lengths(begin []byte, size int) (header, head, rest int, err error) {
	if len(begin) < Prefix || size < Prefix || binary.LittleEndian.Uint32(begin[8:])&^inPlanes != 0 {
		return 0, 0, 0, ErrFrame
	}
	h, t := uint64(binary.LittleEndian.Uint32(begin)), uint64(binary.LittleEndian.Uint32(begin[4:]))
	if Prefix+h+t > uint64(size) {
		return 0, 0, 0, ErrFrame
	}
	header = Prefix + int(h)
	head = header + int(t)
	return header, head, min(size, (head+7)/8*8), nil
}

// Header reads a header: all of the message but Head, Words and Bytes. words says which of
// these the rest is.
func Header(b []byte) (e wire.Envelope, words bool, err error) {
	field := func() []byte {
		v, n := protowire.ConsumeBytes(b)
		if n < 0 {
			err, b = ErrFrame, nil
			return nil
		}
		b = b[n:]
		return v
	}
	number := func() uint64 {
		v, n := protowire.ConsumeVarint(b)
		if n < 0 || v > 1<<31 {
			err, b = ErrFrame, nil
			return 0
		}
		b = b[n:]
		return v
	}
	e.Op, e.ID = string(field()), int(number())
	flags := number()
	e.Part, e.Of = int(number()), int(number())
	e.Err, e.Fault = string(field()), string(field())
	e.Body = append([]byte(nil), field()...)
	if len(b) > 0 {
		err = ErrFrame
	}
	e.More = flags&isMore != 0
	return e, flags&isWords != 0, err
}

// Cut reads a frame that is not tight. The message has bytes of its own.
func Cut(frame []byte) (wire.Envelope, error) {
	header, head, rest, err := Lengths(frame, len(frame))
	if err != nil {
		return wire.Envelope{}, err
	}
	e, words, err := Header(frame[Prefix:header])
	if err != nil {
		return wire.Envelope{}, err
	}
	e.Head = append([]byte(nil), frame[header:head]...)
	buffer := frame[rest:]
	if !words {
		e.Bytes = append([]byte(nil), buffer...)
		return e, nil
	}
	if len(buffer)%8 != 0 {
		return wire.Envelope{}, ErrFrame
	}
	e.Words = make([]uint64, len(buffer)/8)
	if binary.LittleEndian.Uint32(frame[8:]) != 0 {
		fromPlanes(e.Words, buffer)
		return e, nil
	}
	for i := range e.Words {
		e.Words[i] = binary.LittleEndian.Uint64(buffer[8*i:])
	}
	return e, nil
}

// Greeting is what a side says first: its version and, the server, its machine's name.
func Greeting(version, host string) string { return "tensorbored " + version + "\n" + host }

// Greeted reads a greeting; ok says that it is one.
func Greeted(text string) (version, host string, ok bool) {
	version, host, _ = strings.Cut(text, "\n")
	version, ok = strings.CutPrefix(version, "tensorbored ")
	return version, host, ok
}
