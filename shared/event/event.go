// Package event decodes the payload of a record, a serialised Event, by hand on
// protowire's encoding.
//
// It is written for one case above all: an Event that holds one scalar. There
// are millions of those in a logdir, and everything else is rare beside them. So
// nothing here allocates: an Event and a Value are structs that the caller
// reuses, and every byte slice in them is a part of the payload. Messages
// generated from .proto files read the same bytes 9 to 20 times slower in
// WebAssembly and add 0.6 MB to the download; tests hold the two against each
// other.
//
// Field numbers are those of tensorboard/compat/proto/event.proto, summary.proto
// and tensor.proto.
//
// Odd input: unknown fields are skipped. A message field that stands twice is
// merged, as protocol buffers ask (the concatenation of two encodings is the
// encoding of the merge). Strings need not be UTF-8. Anything that is not a
// protocol buffer gives ErrMalformed and costs this one record.
package event

import (
	"encoding/binary"
	"errors"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/internal/field"
)

// ErrMalformed says that a payload whose checksum is right is not an Event. The
// record is skipped and counted; the ones behind it are not touched.
var ErrMalformed = errors.New("record is not an event")

// What says which member of Event's oneof is set.
type What uint8

const (
	Nothing           What = iota
	FileVersion            // Body is the version, e.g. "brain.Event:2"
	GraphDef               // Body is a serialised GraphDef
	Summary                // Body is a serialised Summary: see NextValue
	LogMessage             // old; not shown
	SessionLog             // Body is a serialised SessionLog: see SessionStatus
	TaggedRunMetadata      // Body is a serialised TaggedRunMetadata
	MetaGraphDef           // Body is a serialised MetaGraphDef
)

// Event is one decoded Event. Body is a part of the payload that was decoded.
type Event struct {
	WallTime float64 // seconds since 1970; may be any float64
	Step     int64   // global step; may be negative
	What     What
	Body     []byte
	Source   bool // source_metadata is there: the writer is a modern one
}

// whatOf maps Event's field numbers 3 to 9 to What.
var whatOf = [...]What{3: FileVersion, 4: GraphDef, 5: Summary, 6: LogMessage, 7: SessionLog, 8: TaggedRunMetadata, 9: MetaGraphDef}

// Decode decodes payload into e.
func (e *Event) Decode(payload []byte) error {
	*e = Event{}
	for b := payload; len(b) > 0; {
		switch t, rest := cutTag(b); t {
		case 1<<3 | 1: // wall_time, fixed64
			if len(rest) < 8 {
				return ErrMalformed
			}
			e.WallTime = math.Float64frombits(binary.LittleEndian.Uint64(rest))
			b = rest[8:]
		case 2<<3 | 0: // step, varint
			v, n := varint(rest)
			if n < 0 {
				return ErrMalformed
			}
			e.Step = int64(v)
			b = rest[n:]
		case 3<<3 | 2, 4<<3 | 2, 5<<3 | 2, 6<<3 | 2, 7<<3 | 2, 8<<3 | 2, 9<<3 | 2:
			w := whatOf[t>>3]
			body, n := lengthDelimited(rest)
			if n < 0 {
				return ErrMalformed
			}
			if e.What == w && w != FileVersion && w != GraphDef && w != MetaGraphDef {
				body = append(append([]byte(nil), e.Body...), body...) // merge; see the package comment
			}
			e.What, e.Body = w, body
			b = rest[n:]
		default:
			n := skip(b)
			if n < 0 {
				return ErrMalformed
			}
			e.Source = e.Source || t == 10<<3|2
			b = b[n:]
		}
	}
	return nil
}

// SessionStart is SessionLog.START: the job began, or began again.
const SessionStart = 1

// SessionStatus returns the status of a serialised SessionLog: 0 unspecified,
// 1 start, 2 stop, 3 checkpoint.
func SessionStatus(body []byte) (int32, error) {
	var status int32
	err := fields(body, func(t uint64, v uint64, _ []byte) {
		if t == 1<<3|0 {
			status = int32(v)
		}
	})
	return status, err
}

// RunMetadata splits a serialised TaggedRunMetadata into its tag and its
// serialised RunMetadata.
func RunMetadata(body []byte) (tag, metadata []byte, err error) {
	err = fields(body, func(t uint64, _ uint64, b []byte) {
		switch t {
		case 1<<3 | 2:
			tag = b
		case 2<<3 | 2:
			metadata = b
		}
	})
	return tag, metadata, err
}

// fields calls f for each field of a message that is not on the hot path, with
// its tag: the field's number and, in the last three bits, its wire type. A known
// number with another type than its own is an unknown field. For varints and
// fixed-size fields v is the value's bits and b is nil; for length-delimited ones
// b is the content.
func fields(msg []byte, f func(tag, v uint64, b []byte)) error {
	err := field.Each(msg, func(tag, v uint64, b []byte) error {
		f(tag, v, b)
		return nil
	})
	if err != nil {
		return ErrMalformed
	}
	return nil
}

// cutTag cuts a tag of one byte, as all fields have that are known here, off b,
// which is not empty. For any other tag t is 0, which is none. A tag that is
// written in more bytes than it needs is what it says.
func cutTag(b []byte) (t byte, rest []byte) {
	if b[0] < 0x80 {
		return b[0], b[1:]
	}
	v, n := protowire.ConsumeVarint(b)
	if n < 0 || v >= 0x80 {
		return 0, nil
	}
	return byte(v), b[n:]
}

// varint reads a varint; n is its size in bytes, or negative. One-byte values,
// nearly all lengths and tags, take the inlined path.
func varint(b []byte) (v uint64, n int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return protowire.ConsumeVarint(b)
}

// lengthDelimited reads a length and the bytes that it counts; n is the size of
// both, or negative. The length is held against the bytes that are there.
func lengthDelimited(b []byte) (body []byte, n int) {
	l, n := varint(b)
	if n < 0 || l > uint64(len(b)-n) {
		return nil, -1
	}
	end := n + int(l)
	return b[n:end:end], end
}

// skip returns the size of the field (tag and value) at the start of b, or a
// negative number.
func skip(b []byte) int {
	num, typ, n := protowire.ConsumeTag(b)
	if n < 0 {
		return n
	}
	m := protowire.ConsumeFieldValue(num, typ, b[n:])
	if m < 0 {
		return m
	}
	return n + m
}
