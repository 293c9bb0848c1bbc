// Package tfrecord frames event files.
//
// An event file is a sequence of records with no header and no padding. All
// integers are little endian; CRCs are CRC-32C (Castagnoli), masked (see
// MaskedCRC):
//
//	8 bytes  n, the payload's length
//	4 bytes  masked CRC of those 8 bytes
//	n bytes  payload: one serialised Event
//	4 bytes  masked CRC of the payload
//
// The format is TensorFlow's (tensorflow/tsl/lib/io/record_writer.cc).
//
// Cut is a function on bytes, not a reader: it keeps no state, starts nothing
// and copies nothing. Whoever calls it keeps one number per file, the offset of
// the first byte that is not yet consumed, which is also where a growing file
// is resumed. Find is for after a loss: it looks for the next place where a
// record can start.
package tfrecord

import "encoding/binary"

const (
	// HeaderSize is the number of bytes before a payload: length and its CRC.
	HeaderSize = 12
	// FooterSize is the number of bytes behind a payload: its CRC.
	FooterSize = 4
	// Overhead is the number of bytes that a record has besides its payload.
	Overhead = HeaderSize + FooterSize
	// MaxPayload is the longest payload, in bytes, that is read. A record is
	// held as a whole, by each of several readers, and a page has some 4 GB in
	// all; the largest real ones (graphs, meshes, image grids) are some 100 MB. A
	// reader with little memory reads shorter ones only, see catalog.Catalog.Longest.
	// A longer length is treated like a destroyed one, so that no file can ask
	// for memory that it does not fill; see Long.
	MaxPayload = 256 << 20
)

// Status says what Cut found. Every status has one remedy.
type Status uint8

const (
	// OK: a whole record; go on behind it.
	OK Status = iota
	// Short: the bytes end inside the record. Come back with more of them. At
	// the end of a file this is a torn tail, which is normal in a file that is
	// being written and costs nothing.
	Short
	// BadPayload: the length is right but the payload's CRC is not. The record
	// is lost and its size is known: go on behind it.
	BadPayload
	// BadLength: the length's CRC is wrong, or the length is beyond
	// MaxPayload. Where the record ends is unknown: call Find.
	BadLength
	// BadLengthCRC: the length's CRC is wrong, but so many bytes follow and
	// their CRC is right: the damage hit the four bytes of the length's CRC.
	// The record is good: use it, report the damage, and go on behind it.
	BadLengthCRC
	// Doubtful: the length's CRC is wrong, and whether it is the length or its
	// CRC that was hit cannot be told before more bytes are here. At the end of
	// the file it means BadLength.
	Doubtful
)

// maxDoubtful is the longest payload, in bytes, for which a length with a wrong
// CRC is given the benefit of the doubt. Scalars, texts and most pictures are
// shorter; waiting for more bytes than this would cost more than it saves.
const maxDoubtful = 1 << 20

// String returns the status's name as it stands in reports of losses.
func (s Status) String() string {
	switch s {
	case OK:
		return "ok"
	case Short:
		return "short"
	case BadPayload:
		return "bad payload checksum"
	case BadLength:
		return "bad length"
	case BadLengthCRC:
		return "bad length checksum"
	case Doubtful:
		return "doubtful length"
	}
	return "unknown"
}

// Cut looks at the record that starts at b[0]. With OK and BadLengthCRC it
// returns the payload, which is a part of b, and the size of the whole record in
// bytes. With BadPayload the size is right too and the payload is what stands there. With
// Short and Doubtful, size is how many bytes the record needs as far as is known
// (at least HeaderSize). With BadLength both results are zero.
func Cut(b []byte) (payload []byte, size int, s Status) {
	if len(b) < HeaderSize {
		return nil, HeaderSize, Short
	}
	n := binary.LittleEndian.Uint64(b)
	if n > MaxPayload {
		return nil, 0, BadLength
	}
	trusted := maskedLengthCRC(b, n) == binary.LittleEndian.Uint32(b[8:])
	size = Overhead + int(n)
	if size > len(b) {
		switch {
		case trusted:
			return nil, size, Short
		case n <= maxDoubtful:
			return nil, size, Doubtful
		}
		return nil, 0, BadLength
	}
	payload = b[HeaderSize : HeaderSize+int(n) : HeaderSize+int(n)]
	good := MaskedCRC(payload) == binary.LittleEndian.Uint32(b[size-FooterSize:])
	switch {
	case good && trusted:
		return payload, size, OK
	case good && n > 0 && n <= maxDoubtful: // the CRC of no bytes proves nothing
		return payload, size, BadLengthCRC
	case trusted:
		return payload, size, BadPayload
	}
	return nil, 0, BadLength
}

// Long is the payload's length if b begins with the whole header of a record that is
// longer than most bytes, up to the 2 GiB that protocol buffers can have; 0 otherwise.
func Long(b []byte, most int64) int64 {
	if len(b) < HeaderSize {
		return 0
	}
	n := binary.LittleEndian.Uint64(b)
	if n <= uint64(most) || n >= 1<<31 || maskedLengthCRC(b, n) != binary.LittleEndian.Uint32(b[8:]) {
		return 0
	}
	return int64(n)
}

// Find returns the least i ≥ from at which a record's header stands in b: eight
// bytes that are a believable length, followed by their masked CRC. What follows
// the header is not looked at, so that the answer does not depend on how far b
// reaches. It returns -1 if there is none; the last HeaderSize-1 bytes of b have
// then not been decided.
//
// A random position passes with probability 2⁻³² · 2⁻³⁴ (the CRC, and a length up
// to MaxPayload). A payload that holds records of its own can still fool it. Zeros
// are passed over at the speed of memory: twelve of them are no header, as the masked
// CRC of a length of zero is not zero.
func Find(b []byte, from int) int {
	for i := from; i+HeaderSize <= len(b); i++ {
		// Believable lengths have four zero bytes on top: this test throws out
		// nearly every position without a CRC.
		if binary.LittleEndian.Uint32(b[i+4:]) != 0 {
			continue
		}
		n := binary.LittleEndian.Uint64(b[i:])
		if n == 0 {
			if z := Zeros(b[i:]); z >= HeaderSize {
				i += z - HeaderSize // the loop steps on to the first that is not all zeros
				continue
			}
		}
		if n <= MaxPayload && maskedLengthCRC(b[i:], n) == binary.LittleEndian.Uint32(b[i+8:]) {
			return i
		}
	}
	return -1
}

// Zeros returns how many zero bytes b begins with.
func Zeros(b []byte) int {
	i := 0
	for ; i+32 <= len(b); i += 32 {
		w := b[i : i+32 : i+32]
		if binary.LittleEndian.Uint64(w)|binary.LittleEndian.Uint64(w[8:])|
			binary.LittleEndian.Uint64(w[16:])|binary.LittleEndian.Uint64(w[24:]) != 0 {
			break
		}
	}
	for i < len(b) && b[i] == 0 {
		i++
	}
	return i
}
