package catalog

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"

	"github.com/tensorbored/tensorbored-static/shared/series"
)

// Stored form
//
// What has been read of a file, so that it need not be read again: the cache keeps
// one per file. It begins with storedVersion and ends with a CRC-32C, and whatever
// is not both new and whole is thrown away: the event file is still there.

// storedVersion is counted up by every change of the form or of how files are read.
const storedVersion = 2

// ErrStored says that a stored form is damaged or of another version.
var ErrStored = errors.New("catalog: the stored form cannot be used")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AppendStored appends the stored form of f to b.
func (f *File) AppendStored(b []byte) []byte {
	from := len(b)
	b = binary.AppendUvarint(b, storedVersion)
	b = binary.AppendVarint(b, f.Offset)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f.version))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f.firstWall))
	b = binary.AppendVarint(b, f.mostRecent)

	// The tags that the file's series name.
	number := make(map[*Tag]int)
	var tags []*Tag
	for _, g := range f.segments {
		for _, s := range g.order {
			if _, ok := number[s.Tag]; !ok {
				number[s.Tag] = len(tags)
				tags = append(tags, s.Tag)
			}
		}
	}
	b = binary.AppendUvarint(b, uint64(len(tags)))
	for _, t := range tags {
		for _, text := range []string{t.Name, t.Plugin, t.DisplayName, t.Description, string(t.Content)} {
			b = appendText(b, text)
		}
		described := byte(0)
		if t.described {
			described = 1
		}
		b = append(b, byte(t.Kind), described)
	}
	b = binary.AppendUvarint(b, uint64(len(f.segments)))
	for _, g := range f.segments {
		starts := byte(0)
		if g.starts {
			starts = 1
		}
		b = append(b, starts)
		b = binary.AppendVarint(b, g.startStep)
		b = binary.AppendUvarint(b, uint64(len(g.order)))
		for _, s := range g.order {
			b = binary.AppendUvarint(b, uint64(number[s.Tag]))
			b = s.Scalars.AppendBinary(b)
			b = appendRefs(b, s.Refs.Points)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(f.orphans)))
	for name, step := range f.orphans {
		b = binary.AppendVarint(appendText(b, name), step)
	}
	b = binary.AppendUvarint(b, uint64(len(f.losses)))
	for _, l := range f.losses {
		for _, v := range []int64{l.offset, l.bytes, l.count} {
			b = binary.AppendVarint(b, v)
		}
		b = appendText(appendText(b, l.kind), l.remedy)
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[from:], castagnoli))
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

// Restore sets f to a stored form. On an error f is as if nothing had been read.
func (f *File) Restore(b []byte) error {
	f.Restart()
	if err := f.restore(b); err != nil {
		f.Restart()
		return err
	}
	return nil
}

func (f *File) restore(b []byte) error {
	if len(b) < 8 {
		return ErrStored
	}
	end := len(b) - 4
	if v, n := binary.Uvarint(b); n <= 0 || v != storedVersion {
		return ErrStored
	}
	if crc32.Checksum(b[:end], castagnoli) != binary.LittleEndian.Uint32(b[end:]) {
		return ErrStored
	}
	r := &stored{b: b[:end]}
	r.uint()
	f.Offset = r.int()
	f.version, f.firstWall = r.float(), r.float()
	f.mostRecent = r.int()
	tags := make([]*Tag, r.count(7))
	for i := range tags {
		var t Tag
		t.Name, t.Plugin, t.DisplayName, t.Description = r.text(), r.text(), r.text(), r.text()
		t.Content = []byte(r.text())
		t.Kind, t.described = Kind(r.byte()), r.byte() == 1
		if r.bad {
			return ErrStored
		}
		tags[i] = f.run.tag([]byte(t.Name))
		if !tags[i].described && (tags[i].Kind == Unknown || tags[i].Kind == t.Kind) {
			t.Shown = tags[i].Shown
			*tags[i] = t
		}
	}
	f.segments = nil
	for range r.count(3) {
		g := &segment{starts: r.byte() == 1, startStep: r.int()}
		f.begin(g)
		for range r.count(6) {
			k := r.uint()
			if k >= uint64(len(tags)) || r.bad {
				return ErrStored
			}
			s := f.series(tags[k])
			rest, err := s.Scalars.DecodeBinary(r.b)
			if err != nil {
				return err
			}
			r.b = rest
			s.Refs.Points = r.refs()
		}
	}
	if len(f.segments) == 0 {
		return ErrStored
	}
	for range r.count(2) {
		if f.orphans == nil {
			f.orphans = make(map[string]int64)
		}
		name := r.text()
		f.orphans[name] = r.int()
	}
	for range r.count(5) {
		l := loss{offset: r.int(), bytes: r.int(), count: r.int()}
		l.kind, l.remedy = r.text(), r.text()
		f.losses = append(f.losses, l)
	}
	if r.bad || len(r.b) != 0 {
		return ErrStored
	}
	return nil
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
		out[i] = series.Ref{Step: r.int(), Wall: r.float(), Offset: r.int(), Length: int32(r.int()), Form: r.byte()}
	}
	return out
}
