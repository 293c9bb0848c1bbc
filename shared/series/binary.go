package series

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"unsafe"
)

// Binary form, for the cache. Integers are varints. Wall times are packed, as in
// memory; values stand as they are in memory, little endian as every machine that
// this runs on.

// ErrDamaged says that bytes are not what AppendBinary wrote. What they stand for is
// read from the event file instead.
var ErrDamaged = errors.New("series: the stored form is damaged")

const (
	hasSteps = 1 << iota
	hasF64
	hasIndex
)

// AppendBinary appends the series to b.
func (s *Scalars) AppendBinary(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(s.n))
	b = binary.AppendUvarint(b, uint64(s.level))
	b = binary.AppendUvarint(b, uint64(len(s.marks)))
	last := int64(0)
	for _, m := range s.Marks() {
		b = binary.AppendVarint(b, m.Offset-last)
		last = m.Offset
		b = binary.AppendVarint(b, m.MinStep)
		b = binary.AppendVarint(b, m.MaxStep)
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(m.MinWall))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(m.MaxWall))
	}
	b = binary.AppendUvarint(b, uint64(len(s.chunks)))
	for i := range s.chunks {
		b = s.chunks[i].appendBinary(b)
	}
	return b
}

func (c *chunk) appendBinary(b []byte) []byte {
	flags := byte(0)
	if c.steps != nil {
		flags |= hasSteps
	}
	if c.f64 != nil {
		flags |= hasF64
	}
	if c.index != nil {
		flags |= hasIndex
	}
	b = append(b, flags)
	for _, v := range []int64{int64(c.n), c.first, c.span, c.step0, c.stride, c.next, c.minStep, c.maxStep} {
		b = binary.AppendVarint(b, v)
	}
	if c.steps != nil {
		last := c.step0
		for _, v := range c.steps[:c.n] {
			b = binary.AppendVarint(b, v-last)
			last = v
		}
	}
	if c.index != nil {
		last := uint32(0)
		for _, v := range c.index[:c.n] {
			b = binary.AppendUvarint(b, uint64(v-last))
			last = v
		}
	}
	packed := c.packed
	if packed == nil {
		packed = packWall(c.wall[:c.n])
	}
	b = binary.AppendUvarint(b, uint64(len(packed)))
	b = append(b, packed...)
	if c.f64 != nil {
		return append(b, raw(c.f64[:c.n])...)
	}
	return append(b, raw(c.f32[:c.n])...)
}

// raw returns the bytes of a column.
func raw[T float32 | float64](v []T) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(v[0])))
}

// reader reads varints and remembers that something was wrong.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) uint() uint64 {
	if len(r.b) > 0 && r.b[0] < 0x80 {
		v := r.b[0]
		r.b = r.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) int() int64 {
	u := r.uint()
	return int64(u>>1) ^ -int64(u&1)
}

func (r *reader) float() float64 {
	if len(r.b) < 8 {
		r.bad, r.b = true, nil
		return 0
	}
	v := math.Float64frombits(binary.LittleEndian.Uint64(r.b))
	r.b = r.b[8:]
	return v
}

// count reads a number of things that take at least size bytes each.
func (r *reader) count(size int) int {
	n := r.uint()
	if n > uint64(len(r.b)/size) {
		r.bad, r.b = true, nil
		return 0
	}
	return int(n)
}

// DecodeBinary sets s to what AppendBinary wrote at the start of b and returns what
// follows it. Whatever does not hold of every series, ErrDamaged is returned and s is
// empty. limit is what offsets are below. Columns of s are parts of b from then on, so b must
// not be changed: of 100 entries of 1 MB the copies took as long as all the rest.
func (s *Scalars) DecodeBinary(b []byte, limit int64) (rest []byte, err error) {
	r := &reader{b: b}
	*s = Scalars{n: int64(r.uint()), level: uint(r.uint())}
	if s.n < 0 || s.level > MaxLevel || s.level > 0 && s.level < firstLevel {
		*s = Scalars{}
		return nil, ErrDamaged
	}
	s.marks = make([]Mark, r.count(20))
	last := int64(0)
	for i := range s.marks {
		m := &s.marks[i]
		m.Offset = last + r.int()
		r.bad = r.bad || m.Offset < last || m.Offset >= limit
		last = m.Offset
		m.MinStep, m.MaxStep = r.int(), r.int()
		m.MinWall, m.MaxWall = r.float(), r.float()
		r.bad = r.bad || m.MinStep > m.MaxStep || m.MinWall != m.MinWall || m.MaxWall != m.MaxWall ||
			m.MinWall > m.MaxWall && (!math.IsInf(m.MinWall, 1) || !math.IsInf(m.MaxWall, -1))
	}
	s.chunks = make([]chunk, r.count(15))
	at := int64(0)
	for i := range s.chunks {
		c := &s.chunks[i]
		c.decode(r)
		if r.bad || c.first != at || c.span > s.n-at || !c.sound(s.marks, i == len(s.chunks)-1, s.level > 0) {
			*s = Scalars{}
			return nil, ErrDamaged
		}
		at += c.span
		s.kept += int64(c.n)
	}
	if r.bad || at != s.n || int64(len(s.marks)) != (s.n+ChunkPoints-1)/ChunkPoints {
		*s = Scalars{}
		return nil, ErrDamaged
	}
	if s.n == 0 {
		s.marks, s.chunks = nil, nil
	}
	return r.b, nil
}

// decode reads a chunk: its form, not yet whether it can be.
func (c *chunk) decode(r *reader) {
	if len(r.b) == 0 {
		r.bad = true
		return
	}
	flags := r.b[0]
	r.b = r.b[1:]
	n := r.int()
	c.first, c.span, c.step0, c.stride = r.int(), r.int(), r.int(), r.int()
	c.next, c.minStep, c.maxStep = r.int(), r.int(), r.int()
	if flags >= 1<<3 || n <= 0 || n > int64(len(r.b)) || n > c.span {
		r.bad, r.b = true, nil
		return
	}
	c.n = int(n)
	if flags&hasSteps != 0 {
		c.steps = make([]int64, n)
		last := c.step0
		for i := range c.steps {
			last += r.int()
			c.steps[i] = last
		}
	}
	if flags&hasIndex != 0 {
		c.index = make([]uint32, n)
		last := uint32(0)
		for i := range c.index {
			v := r.uint()
			r.bad = r.bad || v > math.MaxUint32-uint64(last) || i > 0 && v == 0
			last += uint32(v)
			c.index[i] = last
		}
	}
	size := r.count(1)
	c.packed = r.b[:size:size]
	r.b = r.b[size:]
	if flags&hasF64 != 0 {
		c.f64 = take[float64](r, int(n))
	} else {
		c.f32 = take[float32](r, int(n))
	}
}

// sound reports whether the chunk holds what every chunk of a series does that has
// marks; last says that it is the last one, thinned that points may be gone.
func (c *chunk) sound(marks []Mark, last, thinned bool) bool {
	k := c.first / ChunkPoints
	switch {
	case c.first%ChunkPoints != 0 || k >= int64(len(marks)) || (c.first+c.span-1)/ChunkPoints >= int64(len(marks)):
		return false
	case !last && c.span%ChunkPoints != 0:
		return false
	case c.index == nil && (int64(c.n) != c.span || c.span > ChunkPoints):
		return false
	case c.index != nil && (!thinned || c.index[0] != 0 || int64(c.index[c.n-1]) != c.span-1):
		return false // the first and the last point stay
	case !packsWall(c.packed, c.n):
		return false
	case c.step(0) != c.step0 || last && c.n > 1 && c.next != c.step(c.n-1)+c.stride:
		return false
	}
	// The bounds hold the points, and those of the marks stand in them.
	lo, hi := c.step0, c.step0
	if c.even() {
		lo, hi = min(lo, c.step(c.n-1)), max(hi, c.step(c.n-1))
	} else {
		for i := range c.n {
			lo, hi = min(lo, c.step(i)), max(hi, c.step(i))
		}
	}
	if c.minStep > lo || c.maxStep < hi || c.index == nil && (c.minStep != lo || c.maxStep != hi) {
		return false
	}
	all := marks[k : (c.first+c.span-1)/ChunkPoints+1]
	lo, hi = all[0].MinStep, all[0].MaxStep
	for _, m := range all {
		lo, hi = min(lo, m.MinStep), max(hi, m.MaxStep)
	}
	return lo == c.minStep && hi == c.maxStep
}

// even reports whether the steps go up or down evenly, so that the first and the last one bound them:
// numbers so large that they could overflow are looked at one by one.
func (c *chunk) even() bool {
	const large = 1 << 61
	return c.steps == nil && c.step0 > -large && c.step0 < large && c.span < 1<<31 &&
		c.stride > -large>>31 && c.stride < large>>31
}

// packsWall reports whether packed is n wall times, as packWall writes them.
func packsWall(packed []byte, n int) bool {
	const next = 0x8080808080808080 // in a byte that another one of the same number follows
	at := 0
	for n > 0 {
		// Most have one or two bytes. When a logdir is opened again there are millions of them.
		if n >= 8 && at+8 <= len(packed) {
			follows := binary.LittleEndian.Uint64(packed[at:]) & next
			if follows == 0 {
				at += 8
				n -= 8
				continue
			}
			if follows&(follows<<8) == 0 { // no number has three; the last one may go on
				at += 8 - int(follows>>63)
				n -= 8 - bits.OnesCount64(follows)
				continue
			}
		}
		_, size := binary.Uvarint(packed[at:])
		if size <= 0 {
			return false
		}
		at += size
		n--
	}
	return at == len(packed)
}

// take reads a column of n values, which is one of r.b then. It need not stand at a multiple
// of its size: neither the machines that this runs on nor Go's checks ask for that.
func take[T float32 | float64](r *reader, n int) []T {
	size := n * int(unsafe.Sizeof(T(0)))
	if len(r.b) < size {
		r.bad, r.b = true, nil
		return nil
	}
	v := unsafe.Slice((*T)(unsafe.Pointer(&r.b[0])), n)
	r.b = r.b[size:]
	return v
}
