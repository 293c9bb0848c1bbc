package catalog

import (
	"errors"
	"unsafe"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

var errKind = errors.New("value is of another kind than its tag")

// loss is one kind of damage in a file, added up.
type loss struct {
	offset, bytes, count int64
	kind, remedy         string
}

// lose counts a loss of bytes at offset.
func (f *File) lose(offset, bytes int64, kind, remedy string) {
	for i := range f.losses {
		if l := &f.losses[i]; l.kind == kind {
			l.bytes += bytes
			l.count++
			l.offset = min(l.offset, offset)
			return
		}
	}
	f.losses = append(f.losses, loss{offset, bytes, 1, kind, remedy})
}

// Fail records that the file could not be read at all, or no further.
func (f *File) Fail(kind, remedy string, bytes int64) {
	for i := range f.losses {
		if f.losses[i].kind == kind && f.losses[i].offset == f.Offset {
			f.losses[i].bytes = bytes
			return
		}
	}
	f.losses = append(f.losses, loss{f.Offset, bytes, 1, kind, remedy})
}

// Recover forgets a failure that Fail recorded: the file can be read again.
func (f *File) Recover(kind string) {
	for i := range f.losses {
		if f.losses[i].kind == kind {
			f.losses = append(f.losses[:i], f.losses[i+1:]...)
			return
		}
	}
}

// LossCount returns a number that changes whenever Losses does.
func (f *File) LossCount() int64 {
	n := int64(0)
	for i := range f.losses {
		n += f.losses[i].count
	}
	if f.pending != nil {
		n += 1 + f.pending.bytes
	}
	return n
}

// Losses returns what was lost in f.
func (f *File) Losses() []wire.Loss {
	var out []wire.Loss
	for _, l := range f.losses {
		out = append(out, wire.Loss{Run: f.run.Name, File: f.Path, Offset: l.offset, Bytes: l.bytes, Kind: l.kind, Count: l.count, Remedy: l.remedy})
	}
	if p := f.pending; p != nil && p.bytes > 0 {
		out = append(out, wire.Loss{Run: f.run.Name, File: f.Path, Offset: p.offset, Bytes: p.bytes, Kind: "no record found", Count: 1,
			Remedy: "reading goes on here when the file grows"})
	}
	return out
}

// within returns where body begins in payload, of which it is a part; 0 if it
// is not.
func within(payload, body []byte) int {
	if len(body) == 0 || len(payload) == 0 {
		return 0
	}
	d := uintptr(unsafe.Pointer(&body[0])) - uintptr(unsafe.Pointer(&payload[0]))
	if d >= uintptr(len(payload)) {
		return 0
	}
	return int(d)
}
