package tfrecord

import (
	"encoding/binary"
	"hash/crc32"
	"runtime"
	"sync"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// maskDelta is the constant of the masking below; both are TensorFlow's
// (tensorflow/tsl/lib/hash/crc32c.h). The mask exists because the checksum of a
// string that holds its own checksum is degenerate.
const maskDelta = 0xa282ead8

// MaskedCRC returns the masked CRC-32C of b, as it stands in a record's header
// (over the 8 length bytes) and footer (over the payload).
func MaskedCRC(b []byte) uint32 {
	var c uint32
	if runtime.GOARCH == "wasm" && len(b) < shortBytes {
		c = short(b)
	} else {
		c = crc32.Checksum(b, castagnoli)
	}
	return Mask(c)
}

// Mask masks a CRC-32C as a record holds it.
func Mask(crc uint32) uint32 { return (crc>>15 | crc<<17) + maskDelta }

// Unmask undoes Mask.
func Unmask(masked uint32) uint32 {
	c := masked - maskDelta
	return c<<15 | c>>17
}

// shortBytes is the length below which short is the faster one in WebAssembly: the
// standard library's entry costs as much there as some 20 bytes of checksum, and
// a scalar's payload has 40. Where the processor knows CRC-32C it is never slower.
const shortBytes = 256

// slices are the tables of CRC-32C eight bytes at a time (Kounavis and Berry,
// 2005): slices[k][x] is the CRC of byte x with k zero bytes behind it.
var slices = func() (t [8][256]uint32) {
	t[0] = *castagnoli
	for k := 1; k < 8; k++ {
		for x := range 256 {
			c := t[k-1][x]
			t[k][x] = t[0][byte(c)] ^ c>>8
		}
	}
	return t
}()

// short is the CRC-32C of a short payload.
func short(b []byte) uint32 {
	c := ^uint32(0)
	t := &slices
	for len(b) >= 8 {
		lo := binary.LittleEndian.Uint32(b) ^ c
		hi := binary.LittleEndian.Uint32(b[4:])
		c = t[7][byte(lo)] ^ t[6][byte(lo>>8)] ^ t[5][byte(lo>>16)] ^ t[4][byte(lo>>24)] ^
			t[3][byte(hi)] ^ t[2][byte(hi>>8)] ^ t[1][byte(hi>>16)] ^ t[0][byte(hi>>24)]
		b = b[8:]
	}
	for _, x := range b {
		c = t[0][byte(c)^x] ^ c>>8
	}
	return ^c
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
	return Mask(lenCRC[0][byte(n)] ^ lenCRC[1][byte(n>>8)])
}

// Reach is how far from the end of a payload a byte may stand whose change Changes
// knows, in bytes.
const Reach = 256

// Changes returns a table of what the change of a byte does to a checksum: where x
// is xored into a byte with k < Reach bytes behind it, element k<<8|x is xored into
// the CRC-32C (not masked). For a CRC is linear: the checksums of two texts of equal
// length differ by that of their difference, up to the constants that both share.
//
// It takes 256 KiB, and is made when it is first asked for.
var Changes = sync.OnceValue(func() *[Reach << 8]uint32 {
	t := new([Reach << 8]uint32)
	copy(t[:], castagnoli[:])
	for i := 256; i < len(t); i++ {
		c := t[i-256]
		t[i] = castagnoli[byte(c)] ^ c>>8
	}
	return t
})
