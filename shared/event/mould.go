package event

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

// Mould recognises records that are like an earlier one of their series, but for
// wall time, step and value.
//
// A training loop writes the same record again and again, and sixteen bytes of
// some fifty change. So the next record need not be taken apart as the first one
// was. It is compared with the mould, eight bytes at a time and leaving out what may
// differ; then the numbers stand where they stood. Neither checksum is left out: that
// of the length is compared like the rest, and that of the payload follows from the
// mould's by what the bytes that differ do to it (see tfrecord.Changes), which takes
// one look-up for each of them, and they do not wait for each other as those of a
// running checksum do.
//
// In WebAssembly that takes a quarter of the time of tfrecord.Cut and Plain.
type Mould struct {
	payload   int // length of the payload in bytes
	need      int // bytes that Match looks at
	lengthCRC uint32
	crc       uint32 // of the payload, not masked

	wall         uint64 // the bytes of the mould's own wall time,
	step         uint64 // step
	value        uint32 // and value
	step0, steps int    // where the step's varint stands in the payload, and its length
	value0       int

	words []word // of the payload
}

// word is eight bytes of a payload; where mask is 0 they may differ.
type word struct{ want, mask uint64 }

// mouldStep is the longest varint of a step that a mould takes in: five bytes hold
// steps up to 2³⁵.
const mouldStep = 5

// NewMould makes a mould of a whole record whose checksums are right and whose
// payload Plain read as p. It returns nil for a record that is too long or too odd.
func NewMould(record []byte, p *PlainScalar) *Mould {
	n := len(record) - tfrecord.Overhead
	steps := p.Step1 - p.Step0
	if n > tfrecord.Reach || steps > mouldStep {
		return nil
	}
	payload := record[tfrecord.HeaderSize : tfrecord.HeaderSize+n]
	m := &Mould{
		payload:   n,
		lengthCRC: binary.LittleEndian.Uint32(record[8:]),
		crc:       tfrecord.Unmask(binary.LittleEndian.Uint32(record[tfrecord.HeaderSize+n:])),
		wall:      binary.LittleEndian.Uint64(payload[wallAt:]),
		value:     binary.LittleEndian.Uint32(payload[p.Value0:]),
		step0:     p.Step0, steps: steps, value0: p.Value0,
		words: make([]word, (n+7)/8),
	}
	m.need = tfrecord.HeaderSize + max(8*len(m.words), n+tfrecord.FooterSize, p.Step0+8)
	want, mask := make([]byte, 8*len(m.words)), make([]byte, 8*len(m.words))
	copy(want, payload)
	for i := range payload {
		mask[i] = 0xff
	}
	clear(mask[wallAt : wallAt+8])
	clear(mask[p.Value0 : p.Value0+4])
	for i := range steps {
		m.step |= uint64(payload[p.Step0+i]) << (8 * i)
		mask[p.Step0+i] = 0x80 // as many bytes as the mould's
	}
	for i := range m.words {
		m.words[i] = word{binary.LittleEndian.Uint64(want[8*i:]), binary.LittleEndian.Uint64(mask[8*i:])}
	}
	return m
}

// wallAt is where a plain scalar's wall time stands in its payload.
const wallAt = 1

// Size returns the length of a record that fits, in bytes.
func (m *Mould) Size() int { return tfrecord.Overhead + m.payload }

// Match reads the record at the start of b if it fits and its checksums are right.
// changes is what tfrecord.Changes returns. A record that does not fit says nothing:
// it may stand too close to the end of b, be of another kind, or be damaged.
func (m *Mould) Match(b []byte, changes *[tfrecord.Reach << 8]uint32) (step int64, wall float64, value float32, ok bool) {
	n := m.payload
	if len(b) < m.need {
		return 0, 0, 0, false
	}
	// By address from here on: need covers all that is read, and checking each access
	// against the slice took a fifth of the time of reading.
	base := unsafe.Pointer(unsafe.SliceData(b))
	if load64(base, 0) != uint64(n) || load32(base, 8) != m.lengthCRC {
		return 0, 0, 0, false
	}
	payload := unsafe.Add(base, tfrecord.HeaderSize)
	at := unsafe.Add(base, tfrecord.HeaderSize-8) // so that it never is beyond the last word
	for i := range m.words {
		w := &m.words[i]
		at = unsafe.Add(at, 8)
		if (load64(at, 0)^w.want)&w.mask != 0 {
			return 0, 0, 0, false
		}
	}
	const last = tfrecord.Reach<<8 - 1 // tells the compiler that no index is beyond the table
	crc := m.crc

	bits := load64(payload, wallAt)
	d := bits ^ m.wall
	k := uint((n - 1 - wallAt) << 8)
	crc ^= changes[(k+uint(byte(d)))&last] ^ changes[(k-1<<8+uint(byte(d>>8)))&last] ^
		changes[(k-2<<8+uint(byte(d>>16)))&last] ^ changes[(k-3<<8+uint(byte(d>>24)))&last] ^
		changes[(k-4<<8+uint(byte(d>>32)))&last] ^ changes[(k-5<<8+uint(byte(d>>40)))&last]
	if d>>48 != 0 {
		crc ^= changes[(k-6<<8+uint(byte(d>>48)))&last] ^ changes[(k-7<<8+uint(byte(d>>56)))&last]
	}

	v := load32(payload, m.value0)
	e := v ^ m.value
	k = uint((n - 1 - m.value0) << 8)
	crc ^= changes[(k+uint(byte(e)))&last] ^ changes[(k-1<<8+uint(byte(e>>8)))&last] ^
		changes[(k-2<<8+uint(byte(e>>16)))&last] ^ changes[(k-3<<8+uint(byte(e>>24)))&last]

	if m.steps > 0 {
		raw := load64(payload, m.step0)
		d := raw ^ m.step
		k = uint((n - 1 - m.step0) << 8)
		shift := uint(0)
		for i := m.steps; i > 0; i-- {
			step |= int64(raw&0x7f) << (shift & 63)
			crc ^= changes[(k+uint(byte(d)))&last]
			raw >>= 8
			d >>= 8
			k -= 1 << 8
			shift += 7
		}
	}
	if tfrecord.Mask(crc) != load32(payload, n) {
		return 0, 0, 0, false
	}
	return step, math.Float64frombits(bits), math.Float32frombits(v), true
}

// load64 and load32 read little endian, as every machine is that this runs on.
func load64(p unsafe.Pointer, at int) uint64 { return *(*uint64)(unsafe.Add(p, at)) }

func load32(p unsafe.Pointer, at int) uint32 { return *(*uint32)(unsafe.Add(p, at)) }
