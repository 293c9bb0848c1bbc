package reader

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/source"
)

// The cache
//
// What was read of a file is kept as an entry: which file it was, and the stored form
// of its points (catalog.File.AppendStored). Only files that were read whole, with
// proof, are kept. When the file is met again the entry says one of three things: it is
// the same, and nothing need be read; it may have grown, and reading goes on where it
// ended, if the samples still fit; or it is another file, and is read anew. In doubt it
// is another file.

// Entry is what is kept of a file that was read whole.
type Entry struct {
	Size    int64  // of the file, in bytes
	MTime   int64  // as wire.File's
	Version string // as it was listed
	Seen    string // as the origin named it when it was read
	Fresh   bool   // it had changed in the last moments: its time says nothing
	Budget  int64  // points that its worker might keep: with more, a thinned file must be read anew
	Offset  int64  // up to where records were used
	Samples []Sample
	Data    []byte // stored form
	// Digest says that it comes from a digest: it may be thinner than need be, and its samples
	// are asked in any case. It is not stored.
	Digest bool
}

// entryVersion is counted up by every change of the form. Entries of another one are
// not used.
const entryVersion = 3

// maxSamples bounds the samples of an entry.
const maxSamples = spreadMost + lossSamples + 2

// ErrEntry says that an entry is damaged, or of another version.
var ErrEntry = errors.New("reader: the cache's entry cannot be used")

// Append appends e without its Data, which must follow.
func (e *Entry) Append(b []byte) []byte {
	from := len(b)
	b = binary.AppendUvarint(b, entryVersion)
	for _, v := range []int64{e.Size, e.MTime, e.Budget, e.Offset} {
		b = binary.AppendVarint(b, v)
	}
	for _, s := range []string{e.Version, e.Seen} {
		b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
	}
	fresh := byte(0)
	if e.Fresh {
		fresh = 1
	}
	b = append(b, fresh, byte(len(e.Samples)))
	for _, s := range e.Samples {
		b = binary.AppendVarint(b, s.Offset)
		b = binary.AppendVarint(b, s.Length)
		b = binary.LittleEndian.AppendUint32(b, s.CRC)
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[from:], castagnoli))
}

// ParseEntry reads what Append and the Data behind it gave. Whatever is not whole and
// of this version is ErrEntry; Data has a checksum of its own, and is a part of b.
func ParseEntry(b []byte) (*Entry, error) {
	whole, bad := b, false
	integer := func() int64 {
		v, n := binary.Varint(b)
		if n <= 0 {
			bad, b = true, nil
			return 0
		}
		b = b[n:]
		return v
	}
	text := func() string {
		n, k := binary.Uvarint(b)
		if k <= 0 || n > uint64(len(b)-k) {
			bad, b = true, nil
			return ""
		}
		s := string(b[k : k+int(n)])
		b = b[k+int(n):]
		return s
	}
	octet := func() byte {
		if len(b) == 0 {
			bad = true
			return 0
		}
		v := b[0]
		b = b[1:]
		return v
	}
	number := func() uint32 {
		if len(b) < 4 {
			bad, b = true, nil
			return 0
		}
		v := binary.LittleEndian.Uint32(b)
		b = b[4:]
		return v
	}
	v, n := binary.Uvarint(b)
	if n <= 0 || v != entryVersion {
		return nil, ErrEntry
	}
	b = b[n:]
	e := &Entry{Size: integer(), MTime: integer(), Budget: integer(), Offset: integer(), Version: text(), Seen: text(), Fresh: octet() == 1}
	count := int(octet())
	if bad || count > maxSamples {
		return nil, ErrEntry
	}
	for range count {
		e.Samples = append(e.Samples, Sample{integer(), integer(), number()})
	}
	sum := crc32.Checksum(whole[:len(whole)-len(b)], castagnoli)
	if number() != sum || bad {
		return nil, ErrEntry
	}
	if e.Size < 0 || e.Offset < 0 || e.Offset > e.Size || e.Budget < 0 {
		return nil, ErrEntry
	}
	for _, s := range e.Samples {
		if s.Offset < 0 || s.Length <= 0 || s.Length > lossBytes || s.Offset > e.Size-s.Length {
			return nil, ErrEntry
		}
	}
	e.Data = b
	return e, nil
}

// likeness says how an entry stands to a file.
type likeness int

const (
	other likeness = iota
	maybe          // the samples decide
	same
)

// like holds e against a file as it is listed.
func (e *Entry) like(x *File) likeness {
	f := &x.File
	switch {
	case f.Size < e.Size || len(e.Samples) == 0:
		return other
	case f.Size > e.Size:
		return maybe
	case e.Digest && (f.MTime == e.MTime || f.MTime == 0):
		return maybe // whoever has written it: the bytes decide
	case e.Digest:
		return other
	case f.Version != "" && (f.Version == e.Version || f.Version == e.Seen):
		return same
	case f.Version != "" || e.Version != "":
		if f.MTime == e.MTime && f.MTime != 0 {
			return maybe // the inode is another: the same file, or a copy
		}
		return other
	case f.MTime == 0 && e.MTime == 0 && e.Seen != "":
		return maybe // the listing tells nothing, but the host does
	case f.MTime == e.MTime && f.MTime != 0 && !e.Fresh:
		return same
	}
	return other
}

// Adopt takes up what the cache holds of x; nil is nothing. It reports whether the
// entry was used.
func (p *Plan) Adopt(x *File, e *Entry) bool {
	x.asking = false
	x.reader.File.EndPreview() // what it was a sketch of is here, or is not to be had
	used := e != nil && x.reader.At() == 0 && !x.Gone && p.adopt(x, e)
	if x.settled < x.reader.Size {
		p.fresh = append(p.fresh, x)
	}
	p.enqueue(x)
	p.order = true
	return used
}

// Sketch has x, which the cache is about to answer, shown by a sketch of it (catalog.File), the
// Data of e. It reports whether it was: the sketch of another file is none, nor is one of a
// file that may be another.
func (p *Plan) Sketch(x *File, e *Entry) bool {
	f := x.reader.File
	if !x.asking || x.Gone || x.reader.At() > 0 || e.like(x) != same || f.Sketch(e.Data) != nil {
		return false
	}
	p.Changed(x.run)
	return true
}

// keeps is how many points may be kept where it matters to an entry: one that was
// thinned for fewer is no use for more.
func (o *Options) keeps() int64 {
	if o.Most > 0 && (o.Budget == 0 || o.Most < o.Budget) {
		return o.Most
	}
	return o.Budget
}

func (p *Plan) adopt(x *File, e *Entry) bool {
	is := e.like(x)
	if is == other {
		return false
	}
	f := x.reader.File
	if err := f.Restore(e.Data); err != nil || f.Offset != e.Offset || e.Budget < p.Options.keeps() && (f.Thinned() && !e.Digest || f.Refused()) {
		x.reader.Restart()
		return false
	}
	x.seen, x.windows = e.Seen, 1
	x.samples = samplesOf(e)
	x.stored, x.storedAt = f.Offset, p.Now()
	x.asked = x.reader.At()
	p.count(x, x.asked)
	if is == same {
		// Nothing was appended: a torn tail is still the same.
		p.count(x, x.Size-x.asked)
		x.settled = x.Size
		x.fresh = e.Fresh
	} else {
		x.doubt = true
		x.strict = x.Size == e.Size && x.MTime == 0 && x.Version == ""
		if x.Size == e.Size {
			p.count(x, x.Size-x.asked)
			x.settled = x.Size
			x.asked = x.Size
		}
	}
	x.cached = x.counted
	p.Cached += x.cached
	if f.LossCount() > 0 {
		p.Lost()
	}
	p.Changed(x.run)
	return true
}

// samplesOf are the samples of an entry, in the order in which Entry stored them.
func samplesOf(e *Entry) samples {
	s := samples{}
	n := len(e.Samples)
	for _, t := range e.Samples {
		if t.Offset+t.Length == e.Offset && t.Length <= sampleBytes {
			s.record = t
		}
	}
	for _, t := range e.Samples[:n] {
		switch {
		case t == s.record:
		case t.Length <= sampleBytes && len(s.spread) < spreadMost && (len(s.spread) == 0 || t.Offset > s.spread[len(s.spread)-1].Offset):
			s.spread = append(s.spread, t)
		case len(s.losses) < lossSamples:
			s.losses = append(s.losses, t)
		}
	}
	return s
}

// saveEvery is how often a file that grows is stored.
const saveEvery = 30 * time.Second

// Storable reports whether x has been read whole and not been stored since. later says
// that it will be, when some time has passed.
func (p *Plan) Storable(x *File) (now, later bool) {
	f := x.reader.File
	switch {
	case f.Crowded() || x.Gone || x.failure != "" || x.due > 0 || x.doubt || x.asking || x.settled != x.reader.Size || x.Size != x.reader.Size:
		return false, false
	case f.Offset == x.stored || x.samples.record.Offset+x.samples.record.Length != f.Offset || !source.HasData(x.Path):
		return false, false
	case x.stored > 0 && p.Now()-x.storedAt < saveEvery:
		return false, true
	}
	return true, false
}

// Stored notes that x is in the cache, or never will be, as it is now.
func (p *Plan) Stored(x *File) { x.stored, x.storedAt = x.reader.File.Offset, p.Now() }

// Entry returns the entry of x, which is Storable, without its Data.
func (p *Plan) Entry(x *File) *Entry {
	e := &Entry{Size: x.Size, MTime: x.MTime, Version: x.Version, Seen: x.seen, Fresh: x.fresh, Budget: p.Options.keeps(), Offset: x.reader.File.Offset}
	s := &x.samples
	e.Samples = append(e.Samples, s.spread...)
	e.Samples = append(e.Samples, s.losses...)
	e.Samples = append(e.Samples, s.record)
	return e
}
