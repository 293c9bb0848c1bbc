package near

import (
	"encoding/binary"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// What goes to a page is deflated by who reads and not by the WebSocket: columns that fifty pages are
// sent are deflated once, and a line that is slow to take its frames holds no compressor, which is a
// megabyte for each line. Fifty viewers of 1.1 GB took 315 MB beside 214 for one, and each of their
// lines its own time. The page inflates with what browsers have for that. No compressor is here: this
// package is a part of the page's program.

// Deflate gives what pieces, one behind the other, are deflated; nil if that is not shorter. It may be
// called by several goroutines.
type Deflate func(pieces ...[]byte) []byte

// tightFrom is from how many bytes on it is worth the while.
const tightFrom = 512

// Tighten deflates columns that are worth it, before anybody else has them.
func (c *Columns) Tighten(deflate Deflate) {
	if c.size >= tightFrom {
		if c.tight = deflate(c.head, c.packed); c.tight != nil {
			c.packed = nil // nobody needs them as they are
		}
	}
}

// Tight returns the frame of e, whose columns are c, as it goes to a page: in one or two pieces, of
// which the second one is the columns' own, so that it must not be changed. Columns are sent as
// Tighten has left them; several goroutines may ask for frames with the same ones. Words, Bytes and
// Head are those of c, whatever e says.
func Tight(e *wire.Envelope, c *Columns, deflate Deflate) [][]byte {
	b := appendHeader(make([]byte, Prefix, Prefix+len(e.Op)+len(e.Err)+len(e.Fault)+len(e.Body)+len(c.head)+64), e, c)
	flags := 0
	if len(b)-Prefix >= tightFrom {
		if d := deflate(b[Prefix:]); d != nil {
			b, flags = append(b[:Prefix], d...), tightHeader
		}
	}
	if c.tight != nil {
		if flags |= tightRest; c.planes {
			flags |= inPlanes
		}
		lengths(b, len(b)-Prefix, len(c.head), flags)
		return [][]byte{b, c.tight}
	}
	if b = c.appendRest(b, 0, flags); len(c.packed) == 0 {
		return [][]byte{b}
	}
	return [][]byte{b, c.packed}
}

// Loose is a frame, from whoever is trusted with how long it becomes, that is not tight any more:
// what the page's script does.
func Loose(frame []byte, inflate func([]byte) ([]byte, error)) ([]byte, error) {
	if len(frame) < Prefix {
		return nil, ErrFrame
	}
	header, head, flags := uint64(binary.LittleEndian.Uint32(frame)), int(binary.LittleEndian.Uint32(frame[4:])), binary.LittleEndian.Uint32(frame[8:])
	if header > uint64(len(frame)-Prefix) {
		return nil, ErrFrame
	}
	front, rest := frame[Prefix:Prefix+header], frame[Prefix+header:]
	var err error
	if flags&tightHeader != 0 {
		if front, err = inflate(front); err != nil {
			return nil, err
		}
	}
	out := append(make([]byte, Prefix), front...)
	lengths(out, len(front), head, int(flags&inPlanes))
	if flags&tightRest == 0 {
		if len(rest) < head {
			return nil, ErrFrame
		}
		out = append(out, rest[:head]...)
		rest = rest[min(len(rest), head+int(-(Prefix+header+uint64(head))&7)):]
	} else {
		if rest, err = inflate(rest); err != nil {
			return nil, err
		}
		if len(rest) < head {
			return nil, ErrFrame
		}
		out, rest = append(out, rest[:head]...), rest[head:]
	}
	if len(rest) > 0 {
		for len(out)%8 != 0 {
			out = append(out, 0)
		}
	}
	return append(out, rest...), nil
}
