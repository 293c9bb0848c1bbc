package series

import (
	"encoding/binary"
	"math"
	"slices"
)

// Wall times are packed as the second differences of their bits, as varints: a
// training loop's clock ticks evenly to a millisecond or so, which takes 2 bytes in
// place of 8. Nothing is lost, whatever the bits are: the arithmetic wraps around.

// packWall packs wall times.
func packWall(wall []float64) []byte {
	var room [2 * ChunkPoints]byte // so that there is one allocation, of the right size
	b := room[:0]
	at, slope := int64(0), int64(0)
	for _, w := range wall {
		bits := int64(math.Float64bits(w))
		d := bits - at - slope
		at, slope = bits, bits-at
		u := uint64(d)<<1 ^ uint64(d>>63)
		if u < 1<<14 && u >= 1<<7 { // nearly always
			b = append(b, byte(u)|0x80, byte(u>>7))
			continue
		}
		b = binary.AppendUvarint(b, u)
	}
	return append(make([]byte, 0, len(b)), b...)
}

// unpackWall appends n packed wall times to dst. Bytes that are no n wall times,
// which the checksum of a stored form makes all but impossible, give zeros.
func unpackWall(dst []float64, packed []byte, n int) []float64 {
	begin := len(dst)
	dst = slices.Grow(dst, n)[:begin+n]
	at, slope := int64(0), int64(0)
	i := 0
	for k := begin; k < len(dst); k++ {
		var u uint64
		switch {
		case i+1 < len(packed) && packed[i] >= 0x80 && packed[i+1] < 0x80: // nearly always
			u = uint64(packed[i]&0x7f) | uint64(packed[i+1])<<7
			i += 2
		default:
			v, size := binary.Uvarint(packed[i:])
			if size <= 0 {
				v, size = 0, 0
			}
			u = v
			i += size
		}
		bits := at + slope + (int64(u>>1) ^ -int64(u&1))
		dst[k] = math.Float64frombits(uint64(bits))
		at, slope = bits, bits-at
	}
	return dst
}

// pack packs the wall times of a chunk to which nothing is added any more, and
// returns the memory that they took, for the next one's.
func (c *chunk) pack() []float64 {
	wall := c.wall
	if c.packed == nil {
		c.packed, c.wall = packWall(c.wall[:c.n]), nil
	}
	return wall
}

// unpack undoes pack, so that points can be added.
func (c *chunk) unpack() {
	if c.packed != nil {
		c.wall, c.packed = unpackWall(make([]float64, 0, c.n), c.packed, c.n), nil
	}
}

// walls returns the wall times of the kept points. They may stand in scratch, which
// may be nil.
func (c *chunk) walls(scratch []float64) []float64 {
	if c.packed == nil {
		return c.wall[:c.n]
	}
	if scratch == nil {
		scratch = make([]float64, 0, c.n)
	}
	return unpackWall(scratch[:0], c.packed, c.n)
}
