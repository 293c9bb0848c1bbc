package tfrecord

import "hash/crc32"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// maskDelta is the constant of the masking below; both are TensorFlow's
// (tensorflow/tsl/lib/hash/crc32c.h). The mask exists because the checksum of a
// string that holds its own checksum is degenerate.
const maskDelta = 0xa282ead8

// MaskedCRC returns the masked CRC-32C of b, as it stands in a record's header
// (over the 8 length bytes) and footer (over the payload).
func MaskedCRC(b []byte) uint32 {
	c := crc32.Checksum(b, castagnoli)
	return (c>>15 | c<<17) + maskDelta
}
