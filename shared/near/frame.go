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
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// A frame is a message:
//
//	length of the header, of Head: two little-endian uint32
//	header: the other fields, packed
//	Head
//	zeros up to a multiple of eight
//	Words, little-endian, or Bytes: the rest
//
// The page's Go code reads the header alone; Head and the rest are JavaScript's.
const prefix = 8

// ErrFrame says that bytes are no frame.
var ErrFrame = errors.New("near: these bytes are no message")

// flags of a header.
const (
	isMore = 1 << iota
	isWords
)

// Append appends the frame of e.
func Append(b []byte, e *wire.Envelope) []byte {
	start := len(b)
	b = append(b, make([]byte, prefix)...)
	flags := uint64(0)
	if e.More {
		flags |= isMore
	}
	if len(e.Words) > 0 {
		flags |= isWords
	}
	text := func(s string) { b = append(protowire.AppendVarint(b, uint64(len(s))), s...) }
	text(e.Op)
	for _, v := range []uint64{uint64(e.ID), flags, uint64(e.Part), uint64(e.Of)} {
		b = protowire.AppendVarint(b, v)
	}
	text(e.Err)
	text(e.Fault)
	b = append(protowire.AppendVarint(b, uint64(len(e.Body))), e.Body...)
	binary.LittleEndian.PutUint32(b[start:], uint32(len(b)-start-prefix))
	binary.LittleEndian.PutUint32(b[start+4:], uint32(len(e.Head)))
	b = append(b, e.Head...)
	if len(e.Words)+len(e.Bytes) == 0 {
		return b
	}
	for (len(b)-start)%8 != 0 {
		b = append(b, 0)
	}
	for _, w := range e.Words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return append(b, e.Bytes...)
}

// Lengths reads the beginning of a frame of size bytes, eight of them: where the header, Head
// and the rest begin and end. All lie inside the frame.
func Lengths(begin []byte, size int) (header, head, rest int, err error) {
	if len(begin) < prefix || size < prefix {
		return 0, 0, 0, ErrFrame
	}
	h, t := uint64(binary.LittleEndian.Uint32(begin)), uint64(binary.LittleEndian.Uint32(begin[4:]))
	if prefix+h+t > uint64(size) {
		return 0, 0, 0, ErrFrame
	}
	header = prefix + int(h)
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

// Cut reads a frame. The message has bytes of its own.
func Cut(frame []byte) (wire.Envelope, error) {
	header, head, rest, err := Lengths(frame, len(frame))
	if err != nil {
		return wire.Envelope{}, err
	}
	e, words, err := Header(frame[prefix:header])
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
