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

// lenCRC holds, for each of the two low bytes of a length, what that byte adds
// to the CRC of the 8 length bytes. A CRC is affine in its input, so the CRC of
// a length below 65536 is the exclusive or of two entries: one table look-up a
// byte in place of a run over eight bytes. It makes the check of the length free
// for scalar records, of which there are millions.
var lenCRC = func() (t [2][256]uint32) {
	zero := crc32.Checksum(make([]byte, 8), castagnoli)
	for i := range 256 {
		t[0][i] = crc32.Checksum([]byte{byte(i), 0, 0, 0, 0, 0, 0, 0}, castagnoli)
		t[1][i] = crc32.Checksum([]byte{0, byte(i), 0, 0, 0, 0, 0, 0}, castagnoli) ^ zero
	}
	return t
}()

// maskedLengthCRC is MaskedCRC of b[:8], which encodes n.
func maskedLengthCRC(b []byte, n uint64) uint32 {
	if n >= 1<<16 {
		return MaskedCRC(b[:8])
	}
	c := lenCRC[0][byte(n)] ^ lenCRC[1][byte(n>>8)]
	return (c>>15 | c<<17) + maskDelta
}
