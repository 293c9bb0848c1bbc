package catalog

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

// Finding the records again
//
// A record that is not whole says little about where the next one stands. Its length
// may be destroyed or a lie; or it is right and the payload was cut short, as by a
// full disk, and the records that were written since stand where the rest of it should.
//
//   - A damaged payload whose length is right is skipped: if a header follows it, and no
//     record stands inside up to its very end.
//   - In any other case the next header whose checksum fits is looked for, from the
//     damaged record's second byte on, and judged like any other record.
//
// Whole records inside a whole record are never looked at: an event file may have been
// logged as a text. Inside a damaged one they end before its checksum does; so a record
// that reaches there has been written later, and what begins there is no payload.
//
// All of it depends on the bytes alone: not on how they come in windows, and not on
// when the file grew. What only bytes behind the present end can decide is read into a
// File of its own, the tail, as if the file ended here; it is shown, and made anew
// when there is more.

// stretch is a part of a file in which records are looked for.
type stretch struct {
	offset   int64 // of its first byte
	searched int64 // where the search goes on
	zeros    int64 // up to here all bytes are zeros
	bytes    int64 // up to the end of the file, once that was reached
	cause    cause
}

// cause says what a stretch begins with.
type cause uint8

const (
	causeLength cause = iota // a length that is destroyed, or a lie
	causeCut                 // a record that was cut short
	// The file is no event file, or was made into another kind of file.
	causeGzip
	causeZstd
	causeXz
	causeBzip2
	causeZip
	causeHTML
	causeLong // a record that is longer than memory has room for
	causeLFS  // a pointer of Git LFS stands in its place
	causes
)

// foreign are the first bytes of files that are taken for event files by their names.
var foreign = [causes]struct{ magic, name string }{
	causeGzip:  {"\x1f\x8b\x08", "gzip"},
	causeZstd:  {"\x28\xb5\x2f\xfd", "zstd"},
	causeXz:    {"\xfd7zXZ\x00", "xz"},
	causeBzip2: {"BZh", "bzip2"},
	causeZip:   {"PK\x03\x04", "zip"},
	causeHTML:  {"<", ""}, // or an error in XML, as object stores answer
	causeLFS:   {"version https://git-lfs.github.com/spec/", ""},
}

// causeOf says why b, the file's bytes from f.Offset on, begins with no record.
func (f *File) causeOf(b []byte) cause {
	if f.Offset == 0 {
		for c := causeGzip; c < causes; c++ {
			if c == causeLong {
				continue
			}
			if m := foreign[c].magic; len(b) >= len(m) && string(b[:len(m)]) == m {
				return c
			}
		}
	}
	if tfrecord.Long(b, f.longest()) > 0 {
		return causeLong
	}
	return causeLength
}

// kind says what was lost in f, and what to do.
func (d cause) kind(f *File) (kind, remedy string) {
	switch {
	case d == causeCut:
		return "record cut short", "reading went on at the next record that could be found: was the disk full?"
	case d == causeLFS:
		return "a Git LFS pointer in the place of an event file", "the file itself was not fetched: run git lfs pull"
	case d == causeLong:
		remedy := "it was not read, since memory has no room for it: log less at a time"
		if f.longest() < tfrecord.MaxPayload {
			remedy = "it was not read, since the memory that may be used has no room for it: allow more in the settings"
		}
		return longKind + fmt.Sprintf("%d MB", f.longest()>>20), remedy
	case d == causeHTML:
		return "a page in the place of an event file", "look at the file: a download or a login may have put it there"
	case d > causeCut:
		return "compressed with " + foreign[d].name, "unpack it: event files are read as they were written"
	}
	return tfrecord.BadLength.String(), "reading went on at the next record that could be found"
}

// longKind begins the kind of the loss of a record that memory has no room for.
const longKind = "record longer than "

// Refused reports whether a record was not read that a reader with more memory reads.
func (f *File) Refused() bool {
	is := func(l loss) bool {
		return strings.HasPrefix(l.kind, longKind) && l.kind != longKind+fmt.Sprintf("%d MB", tfrecord.MaxPayload>>20)
	}
	return slices.ContainsFunc(f.losses, is) || f.pending != nil && f.pending.cause == causeLong || f.tail != nil && f.tail.Refused()
}

// end is what is said of a stretch in which no record was found up to the file's end.
func (d cause) end(f *File) (kind, remedy string) {
	if d > causeCut {
		return d.kind(f)
	}
	return noRecord, noRecordRemedy
}

// Zeros in the place of records.
const (
	zerosAtEnd   = "zeros: preallocated, not written"
	zerosBetween = "zeros in the place of records"
)

// skip begins the search behind a damaged record at b[pos], f.Offset; size is that of
// its bytes that were looked at for nothing. It returns what search does.
func (f *File) skip(b []byte, pos int, end bool, d cause, size int) int {
	f.wasted += int64(size)
	f.damaged = 0
	f.pending = &stretch{offset: f.Offset, searched: f.Offset + 1, zeros: f.Offset, cause: d}
	return f.search(b, pos, end)
}

// search looks for the next header in the pending stretch. b[pos] stands at f.Offset.
// It returns where to go on in b; or -1 when b holds no header, and then leaves
// f.Offset so that the next window goes on.
func (f *File) search(b []byte, pos int, end bool) int {
	p := f.pending
	base := f.Offset - int64(pos)
	from := max(int(p.searched-base), pos)
	if z := p.zeros - base; z >= 0 && z < int64(len(b)) { // all zeros so far
		n := int64(tfrecord.Zeros(b[z:]))
		p.zeros += n
		from = max(from, int(z+n)-tfrecord.HeaderSize+1)
	}
	i := -1
	if from < len(b) {
		i = tfrecord.Find(b, from)
	}
	if i >= 0 {
		kind, remedy := p.cause.kind(f)
		if p.cause == causeLong && base+int64(i)-p.offset <= f.longest() {
			kind, remedy = causeLength.kind(f) // it was not so long: a lie
		}
		if p.zeros >= base+int64(i) {
			kind, remedy = zerosBetween, "a part of the file was never written, or wiped; reading went on at the next record"
		}
		f.lose(p.offset, base+int64(i)-p.offset, kind, remedy)
		f.pending = nil
		return i
	}
	// Nothing found. The last bytes may be the beginning of a header; what was
	// searched need not be seen again.
	p.searched = base + int64(max(from, len(b)-tfrecord.HeaderSize+1))
	f.Offset = p.searched
	if end {
		f.changes++
		p.bytes = base + int64(len(b)) - p.offset
		if n := min(len(b), tfrecord.Overhead); tfrecord.Zeros(b[len(b)-n:]) == n && n > 0 {
			// A file that was preallocated: what is a zero now may be written.
			f.idle = &loss{offset: p.offset, count: 1, kind: zerosAtEnd, remedy: "nothing is lost: it is looked at again when the file changes"}
			if p.zeros < base+int64(len(b)) {
				kind, remedy := p.cause.end(f)
				f.idle = &loss{offset: p.offset, bytes: p.bytes, count: 1, kind: kind, remedy: remedy}
			}
			f.Offset, f.pending = p.offset, nil
		}
	}
	return -1
}

const (
	noRecord       = "no record found"
	noRecordRemedy = "reading goes on here when the file grows"
)

// smallRecord is the size of the largest record, in bytes, that is always looked at in
// full.
const smallRecord = 64 << 10

// believed reports whether the length of the record that b begins with, at f.Offset, is
// worth the look at so many bytes. A file of lengths that lie, each inside the one before, would
// otherwise cost the square of its size. Damage that is not made for it wastes no byte
// more than once or twice.
func (f *File) believed(b []byte) bool {
	if len(b) < tfrecord.HeaderSize {
		return true
	}
	size := binary.LittleEndian.Uint64(b)
	return size <= smallRecord || size > tfrecord.MaxPayload ||
		f.wasted+int64(size) <= 4*f.Offset+tfrecord.MaxPayload+256<<20
}

// written reports whether a record has been written since the damaged one of that size
// at the start of b was cut short: a header stands inside whose record ends where the
// damaged one does, or in its checksum, or a whole record that goes on behind it. With
// need > 0 it cannot be told before there are so many bytes of b.
func written(b []byte, size int) (since bool, need int) {
	looked := 0
	for i := tfrecord.Find(b[:size], 1); i >= 0; {
		n := int(binary.LittleEndian.Uint64(b[i:])) + tfrecord.Overhead
		switch end := i + n; {
		case end > size && n <= crossing && looked <= 4*size+crossing:
			_, _, s := tfrecord.Cut(b[i:])
			if s == tfrecord.OK {
				return true, 0
			}
			if s == tfrecord.Short {
				need = size + crossing
			}
			looked += n
		case end > size-tfrecord.FooterSize && end <= size:
			return true, 0
		}
		i = next(b[:size], i, n)
	}
	return false, need
}

// crossing is the size of the largest record, in bytes, that is looked at behind the
// end of a damaged one.
const crossing = 1 << 20

// holds reports whether a whole record stands inside b, behind its first byte.
func holds(b []byte) bool {
	wasted := 0
	for i := tfrecord.Find(b, 1); i >= 0; {
		n := int(binary.LittleEndian.Uint64(b[i:])) + tfrecord.Overhead
		if i+n <= len(b) && wasted <= 4*len(b) {
			if _, _, s := tfrecord.Cut(b[i:]); s == tfrecord.OK {
				return true
			}
			wasted += n
		}
		i = tfrecord.Find(b, i+1)
	}
	return false
}

// next returns where the next header stands in b behind the one at i, which says that
// its record has n bytes: behind the record, if a header stands there.
func next(b []byte, i, n int) int {
	if k := i + n; k+tfrecord.HeaderSize <= len(b) && tfrecord.Find(b[k:k+tfrecord.HeaderSize], 0) == 0 {
		return k
	}
	return tfrecord.Find(b, i+1)
}

// readTail reads b, the bytes from f.Offset on, as if the file ended with them.
func (f *File) readTail(b []byte) {
	t := newFile(f.run, f.Path)
	t.final, t.Offset, t.modern, t.wasted, t.visit = true, f.Offset, f.modern, f.wasted, f.visit
	f.tail = t
	t.Feed(b, true)
	f.changes++
}

// dropTail forgets the tail.
func (f *File) dropTail() {
	t := f.tail
	f.tail = nil
	f.changes++
	t.release()
}
