// Package damage breaks event files in the ways in which disks, copies and
// killed processes do, for tests of readers. Each function returns a changed
// copy; offsets are bytes from the start of the file. An offset outside the
// file panics, because it is a mistake in the test.
package damage

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

// Tear keeps the first n bytes: a file whose writer was killed, or that is
// being written.
func Tear(b []byte, n int) []byte { return bytes.Clone(b[:n:n]) }

// Drop takes n bytes off the end.
func Drop(b []byte, n int) []byte { return Tear(b, len(b)-n) }

// Flip inverts one bit, 0 being the lowest, of the byte at offset.
func Flip(b []byte, offset int, bit uint) []byte {
	c := bytes.Clone(b)
	c[offset] ^= 1 << (bit & 7)
	return c
}

// Zero overwrites n bytes from offset on with zeros: a page that was never
// written.
func Zero(b []byte, offset, n int) []byte {
	c := bytes.Clone(b)
	clear(c[offset : offset+n])
	return c
}

// Cut takes n bytes out from offset on: a page that was lost.
func Cut(b []byte, offset, n int) []byte {
	c := append([]byte{}, b[:offset]...)
	return append(c, b[offset+n:]...)
}

// Insert puts garbage in at offset.
func Insert(b []byte, offset int, garbage []byte) []byte {
	c := append([]byte{}, b[:offset]...)
	c = append(c, garbage...)
	return append(c, b[offset:]...)
}

// Record is the place of one record in a file.
type Record struct {
	Offset int // of its first byte
	Size   int // of the whole record
}

// Payload returns where the payload starts and ends.
func (r Record) Payload() (from, to int) {
	return r.Offset + tfrecord.HeaderSize, r.Offset + r.Size - tfrecord.FooterSize
}

// Records lists the records of a sound file. It panics if b is not one.
func Records(b []byte) []Record {
	var all []Record
	for at := 0; at < len(b); {
		_, size, status := tfrecord.Cut(b[at:])
		if status != tfrecord.OK {
			panic(fmt.Sprintf("damage: record at byte %d: %v", at, status))
		}
		all = append(all, Record{at, size})
		at += size
	}
	return all
}

// BadPayload flips a bit in the middle of record i's payload: its checksum
// fails and its length is right.
func BadPayload(b []byte, i int) []byte {
	from, to := Records(b)[i].Payload()
	return Flip(b, (from+to)/2, 3)
}

// BadLength flips a bit of record i's length: where the record ends is unknown.
func BadLength(b []byte, i int) []byte { return Flip(b, Records(b)[i].Offset, 4) }

// BadLengthCRC flips a bit of the checksum of record i's length: the length
// cannot be trusted until the payload's checksum proves it.
func BadLengthCRC(b []byte, i int) []byte { return Flip(b, Records(b)[i].Offset+8, 0) }

// HugeLength gives record i the length n, with a checksum that fits.
func HugeLength(b []byte, i int, n uint64) []byte {
	at := Records(b)[i].Offset
	c := bytes.Clone(b)
	binary.LittleEndian.PutUint64(c[at:], n)
	binary.LittleEndian.PutUint32(c[at+8:], tfrecord.MaskedCRC(c[at:at+8]))
	return c
}
