package catalog

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"

	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

// Stored form
//
// What has been read of a file, so that it need not be read again: the cache keeps
// one per file. It begins with storedVersion and ends with a CRC-32C, and whatever
// is not both new and whole is thrown away: the event file is still there. So is
// what no file could have given: a form may have been spoiled before its checksum was
// made.

// storedVersion is counted up by every change of the form or of how files are read.
const storedVersion = 3

// ErrStored says that a stored form is damaged or of another version. The remedy is to
// read the file.
var ErrStored = errors.New("catalog: the stored form cannot be used")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AppendStored appends the stored form of f to b. That the file could not be read
// further is not a part of it.
func (f *File) AppendStored(b []byte) []byte {
	from := len(b)
	b = binary.AppendUvarint(b, storedVersion)
	b = f.appendStored(b)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[from:], castagnoli))
}

func (f *File) appendStored(b []byte) []byte {
	b = binary.AppendVarint(b, f.Offset)
	b = appendBools(b, f.modern, f.summaries, f.pending != nil, f.idle != nil, f.tail != nil)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f.firstWall))
	for _, v := range []int64{f.firstStep, f.lastStep, f.wasted} {
		b = binary.AppendVarint(b, v)
	}
	number := make(map[*claim]uint64, len(f.order))
	b = binary.AppendUvarint(b, uint64(len(f.order)))
	for i, c := range f.order {
		number[c] = uint64(i)
		for _, text := range []string{c.Tag.Name, c.displayName, c.description, c.plugin, string(c.content)} {
			b = appendText(b, text)
		}
		b = appendBools(b, c.described, c.valued, c.simple, c.tensor)
	}
	b = binary.AppendUvarint(b, uint64(len(f.segments)))
	for _, g := range f.segments {
		b = appendBools(b, g.starts, g.counts)
		b = binary.AppendVarint(b, g.startStep)
		b = binary.AppendUvarint(b, uint64(len(g.order)))
		for _, s := range g.order {
			b = binary.AppendUvarint(b, number[s.claim])
			b = appendBools(b, s.first)
			b = s.Scalars.AppendBinary(b)
			b = appendRefs(b, s.Refs.Points)
			b = binary.AppendUvarint(b, uint64(len(s.drops)))
			for _, d := range s.drops {
				for _, v := range []int64{d.Points, d.Refs, d.Step} {
					b = binary.AppendVarint(b, v)
				}
			}
		}
	}
	var losses []loss
	for _, l := range f.losses {
		if !l.failure {
			losses = append(losses, l)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(losses)))
	for _, l := range losses {
		b = appendLoss(b, l)
	}
	if p := f.pending; p != nil {
		for _, v := range []int64{p.offset, p.searched, p.zeros, p.bytes} {
			b = binary.AppendVarint(b, v)
		}
		b = append(b, byte(p.cause))
	}
	if f.idle != nil {
		b = appendLoss(b, *f.idle)
	}
	if f.tail != nil {
		b = f.tail.appendStored(b)
	}
	return b
}

// appendBools appends up to eight bools, the first as the lowest bit.
func appendBools(b []byte, flags ...bool) []byte {
	v := byte(0)
	for i, on := range flags {
		if on {
			v |= 1 << i
		}
	}
	return append(b, v)
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendRefs(b []byte, refs []series.Ref) []byte {
	b = binary.AppendUvarint(b, uint64(len(refs)))
	for _, r := range refs {
		b = binary.AppendVarint(b, r.Step)
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(r.Wall))
		b = binary.AppendVarint(b, r.Offset)
		b = binary.AppendVarint(b, int64(r.Length))
		b = append(b, r.Form)
	}
	return b
}

func appendLoss(b []byte, l loss) []byte {
	for _, v := range []int64{l.offset, l.bytes, l.count} {
		b = binary.AppendVarint(b, v)
	}
	return appendText(appendText(b, l.kind), l.remedy)
}

// Restore sets f to a stored form. On an error, which is ErrStored, f is as if nothing
// had been read.
func (f *File) Restore(b []byte) error {
	f.Restart()
	if !f.restoreAll(b) {
		f.Restart()
		if m := f.run.room; m.held > m.most {
			m.forget()
		}
		return ErrStored
	}
	f.reads(false)
	return nil
}

func (f *File) restoreAll(b []byte) bool {
	if len(b) < 8 {
		return false
	}
	end := len(b) - 4
	if v, n := binary.Uvarint(b); n <= 0 || v != storedVersion {
		return false
	}
	if crc32.Checksum(b[:end], castagnoli) != binary.LittleEndian.Uint32(b[end:]) {
		return false
	}
	r := &stored{b: b[:end]}
	r.uint()
	return f.restore(r) && len(r.b) == 0
}

// restore reads what appendStored wrote; it reports whether a file can have given it.
func (f *File) restore(r *stored) bool {
	f.Offset = r.int()
	flags := r.bools(5)
	f.modern, f.summaries = flags[0], flags[1]
	f.firstWall = r.float()
	f.firstStep, f.lastStep, f.wasted = r.int(), r.int(), r.int()
	if f.Offset < 0 || f.wasted < 0 {
		return false
	}
	claims := r.count(6)
	for i := range claims {
		name := r.text()
		c := f.claim([]byte(name))
		c.displayName, c.description, c.plugin, c.content = r.text(), r.text(), r.text(), []byte(r.text())
		f.hold(c.size())
		if m := f.run.room; m.held > m.most && !(m.forget() && m.held <= m.most) {
			return false // it is read as far as there is room
		}
		is := r.bools(4)
		c.described, c.valued, c.simple, c.tensor = is[0], is[1], is[2], is[3]
		tensor := c.tensor
		if c.plugin != "" {
			c.settle()
		}
		if r.bad || len(f.order) != i+1 || tensor && !c.scalars || c.valued && c.plugin == "" || c.simple && !c.valued {
			return false
		}
	}
	f.segments = nil
	for i := range r.count(3) {
		is := r.bools(2)
		g := &segment{starts: is[0], counts: is[1], startStep: r.int()}
		if g.starts != (i > 0) || g.counts && !(g.starts && f.modern) {
			return false // only what precedes the first start does not begin with one
		}
		f.begin(g)
		for k := range r.count(7) {
			n := r.uint()
			if r.bad || n >= uint64(len(f.order)) {
				return false
			}
			s := f.series(f.order[n])
			if s.number != k || !f.restoreSeries(r, s) {
				return false
			}
		}
	}
	if len(f.segments) == 0 {
		return false
	}
	for range r.count(5) {
		l, ok := f.restoreLoss(r)
		if !ok {
			return false
		}
		f.losses = append(f.losses, l)
	}
	if flags[2] {
		p := &stretch{offset: r.int(), searched: r.int(), zeros: r.int(), bytes: r.int(), cause: cause(r.byte())}
		if p.offset < 0 || p.searched <= p.offset || p.searched != f.Offset || p.zeros < p.offset || p.bytes < 0 || p.zeros > f.Offset+tfrecord.HeaderSize || p.cause >= causes {
			return false
		}
		f.pending = p
	}
	if flags[3] {
		l, ok := f.restoreLoss(r)
		if !ok || flags[2] {
			return false
		}
		f.idle = &l
	}
	if flags[4] {
		f.tail = newFile(f.run, f.Path)
		f.tail.final = true
		if f.final || !f.tail.restore(r) || f.tail.Offset < f.Offset {
			return false
		}
	}
	return !r.bad
}

// restoreSeries reads one series of the segment.
func (f *File) restoreSeries(r *stored, s *Series) bool {
	s.first = r.bools(1)[0]
	rest, err := s.Scalars.DecodeBinary(r.b, f.Offset)
	if err != nil || r.bad {
		return false
	}
	r.b = rest
	s.Refs.Points = r.refs()
	for i := range s.Refs.Points {
		p := &s.Refs.Points[i]
		form := p.Form &^ series.Merged
		known := form >= uint8(event.Image) && form <= uint8(event.TensorForm) || form >= series.GraphDef && form <= series.Number
		if !known || p.Length < 0 || p.Offset < 0 || p.Offset > f.Offset-int64(p.Length) {
			return false
		}
		if form == series.Number {
			s.numbers++
		}
	}
	for range r.count(3) {
		d := series.Drop{Points: r.int(), Refs: r.int(), Step: r.int()}
		last := series.Drop{Step: math.MinInt64}
		if n := len(s.drops); n > 0 {
			last = s.drops[n-1]
		}
		if d.Points < last.Points || d.Refs < last.Refs || d.Points > s.Scalars.Len() || d.Refs > int64(len(s.Refs.Points)) || len(s.drops) > 0 && d.Step <= last.Step {
			return false
		}
		s.drops = append(s.drops, d)
	}
	f.run.weigh(s)
	return !r.bad && s.numbers <= s.Scalars.Len()
}

func (f *File) restoreLoss(r *stored) (loss, bool) {
	l := loss{offset: r.int(), bytes: r.int(), count: r.int()}
	l.kind, l.remedy = r.text(), r.text()
	return l, !r.bad && l.offset >= 0 && l.bytes >= 0 && l.count > 0 && l.kind != ""
}

// stored reads a stored form and remembers that something was wrong.
type stored struct {
	b   []byte
	bad bool
}

func (r *stored) fail() { r.bad, r.b = true, nil }

func (r *stored) uint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *stored) int() int64 {
	u := r.uint()
	return int64(u>>1) ^ -int64(u&1)
}

// count reads a number of things that take at least size bytes each.
func (r *stored) count(size int) int {
	n := r.uint()
	if n > uint64(len(r.b)/size) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *stored) float() float64 {
	if len(r.b) < 8 {
		r.fail()
		return 0
	}
	v := math.Float64frombits(binary.LittleEndian.Uint64(r.b))
	r.b = r.b[8:]
	return v
}

func (r *stored) byte() byte {
	if len(r.b) == 0 {
		r.fail()
		return 0
	}
	v := r.b[0]
	r.b = r.b[1:]
	return v
}

// bools reads n bools.
func (r *stored) bools(n int) (flags [8]bool) {
	v := r.byte()
	if v>>n != 0 {
		r.fail()
	}
	for i := range n {
		flags[i] = v>>i&1 != 0
	}
	return flags
}

func (r *stored) text() string {
	n := r.count(1)
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *stored) refs() []series.Ref {
	n := r.count(12)
	if n == 0 {
		return nil
	}
	out := make([]series.Ref, n)
	for i := range out {
		out[i] = series.Ref{Step: r.int(), Wall: r.float(), Offset: r.int()}
		n := r.int()
		if n < 0 || n > tfrecord.MaxPayload {
			r.fail()
		}
		out[i].Length, out[i].Form = int32(n), r.byte()
	}
	return out
}
