package catalog

import (
	"sort"
	"unsafe"

	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// loss is one kind of damage in a file, added up.
type loss struct {
	offset, bytes, count int64
	kind, remedy         string
	failure              bool // the file could not be read: no property of its bytes
}

// lose counts a loss of bytes at offset.
func (f *File) lose(offset, bytes int64, kind, remedy string) {
	f.changes++
	f.modern = f.modern || offset == 0 && bytes > 0 // it may have been the version
	for i := range f.losses {
		if l := &f.losses[i]; l.kind == kind {
			l.bytes += bytes // the first one's offset is the least
			l.count++
			return
		}
	}
	f.losses = append(f.losses, loss{offset: offset, bytes: bytes, count: 1, kind: kind, remedy: remedy})
}

// Fail records that the file could not be read at all, or no further.
func (f *File) Fail(kind, remedy string, bytes int64) {
	f.changes++
	for i := range f.losses {
		if l := &f.losses[i]; l.failure && l.kind == kind && l.offset == f.Offset {
			f.losses[i].bytes = bytes
			return
		}
	}
	f.losses = append(f.losses, loss{f.Offset, bytes, 1, kind, remedy, true})
}

// Recover forgets a failure that Fail recorded: the file can be read again.
func (f *File) Recover(kind string) {
	for i := range f.losses {
		if f.losses[i].failure && f.losses[i].kind == kind {
			f.changes++
			f.losses = append(f.losses[:i], f.losses[i+1:]...)
			return
		}
	}
}

// LossCount returns a number that changes whenever Losses does.
func (f *File) LossCount() int64 {
	n := f.run.changes + f.changes
	f.unused(func(_ *Tag, values int64, _ func() *loss) { n += values })
	if f.tail != nil {
		n += f.tail.changes
		f.tail.unused(func(_ *Tag, values int64, _ func() *loss) { n += values })
	}
	return n
}

// Losses returns what was lost in f, sorted by offset.
func (f *File) Losses() []wire.Loss {
	all := append([]loss(nil), f.losses...)
	if p := f.pending; p != nil && p.bytes > 0 {
		kind, remedy := p.cause.end(f)
		all = append(all, loss{offset: p.offset, bytes: p.bytes, count: 1, kind: kind, remedy: remedy})
	}
	if f.idle != nil {
		all = append(all, *f.idle)
	}
	f.unused(func(_ *Tag, _ int64, lost func() *loss) {
		l := lost()
		for i := range all {
			if a := &all[i]; a.kind == l.kind {
				a.bytes, a.count, a.offset = a.bytes+l.bytes, a.count+l.count, min(a.offset, l.offset)
				return
			}
		}
		all = append(all, *l)
	})
	var out []wire.Loss
	for _, l := range all {
		out = append(out, wire.Loss{Run: f.run.Name, File: f.Path, Offset: l.offset, Bytes: l.bytes, Kind: l.kind, Count: l.count, Remedy: l.remedy})
	}
	if f.tail != nil {
		for _, l := range f.tail.Losses() {
			joined := false
			for i := range out {
				if o := &out[i]; o.Kind == l.Kind {
					o.Bytes, o.Count, joined = o.Bytes+l.Bytes, o.Count+l.Count, true
				}
			}
			if !joined {
				out = append(out, l)
			}
		}
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := &out[i], &out[j]
		return a.Offset < b.Offset || a.Offset == b.Offset && a.Kind < b.Kind
	})
	return out
}

// Values that are not shown, each by what is wrong with them. Their bytes are those of
// the values alone: the rest of their records was used.
const (
	otherKind  = "value is of another kind than its tag"
	notScalar  = "tensor is not one real number"
	noPlugin   = "tensor values without a plug-in"
	guessedOne = "single numbers without a plug-in"
)

// unused calls yield for each tag of which f has values that are not shown, or shown
// without the writer having said as what. lost adds them up.
func (f *File) unused(yield func(t *Tag, values int64, lost func() *loss)) {
	for _, t := range f.run.doubts {
		if f.claims[t.Name] == nil {
			continue
		}
		f.run.settle(t)
		scalars, refs, numbers := int64(0), int64(0), int64(0)
		for _, g := range f.segments {
			if s := g.series[t.Name]; s != nil {
				scalars, refs, numbers = scalars+s.Scalars.Len(), refs+int64(len(s.Refs.Points)), numbers+s.numbers
			}
		}
		l := loss{kind: otherKind, remedy: "the first value of a tag says what it is: give this one a tag of its own"}
		values := scalars - numbers // of a tag of blobs
		of := func(r *series.Ref) bool { return false }
		switch {
		case t.Guessed && t.Kind == Scalar:
			l.kind, l.remedy = guessedOne, "nothing is lost: the writer gave no plug-in for this tag, and it is shown as scalars"
			values = numbers
		case t.Guessed:
			l.kind, l.remedy = noPlugin, "the writer gave no plug-in for this tag: write its metadata with the first value"
			values = refs
			of = func(r *series.Ref) bool { return true }
		case t.Kind == Scalar:
			values = refs - numbers
			of = func(r *series.Ref) bool { return r.Form != series.Number && r.Form != series.Number|series.Merged }
		}
		if values <= 0 {
			continue
		}
		yield(t, values, func() *loss { return f.sum(t, l, values, of) })
	}
}

// sum completes a loss of so many values of t, of which those of Refs are told by of.
func (f *File) sum(t *Tag, l loss, values int64, of func(r *series.Ref) bool) *loss {
	const first = 1<<63 - 1
	l.offset, l.count = first, values
	tensors := true
	for _, g := range f.segments {
		s := g.series[t.Name]
		if s == nil {
			continue
		}
		for i := range s.Refs.Points {
			if r := &s.Refs.Points[i]; of(r) {
				l.offset = min(l.offset, r.Offset)
				l.bytes += int64(r.Length)
				tensors = tensors && r.Form&^series.Merged == uint8(event.TensorForm)
			}
		}
		if m := s.Scalars.Marks(); len(m) > 0 && l.kind != noPlugin && t.Kind != Scalar || l.kind == guessedOne && len(m) > 0 {
			l.offset = min(l.offset, m[0].Offset)
		}
	}
	switch {
	case t.Kind == Scalar && !t.Guessed && tensors:
		l.kind, l.remedy = notScalar, "the value was skipped: log it under another plug-in"
	case t.Kind == Blob && !t.Guessed:
		l.bytes = 4 * values
	}
	if l.offset == first {
		l.offset = 0
	}
	return &l
}

// within returns where body begins in payload; ok is false if it is no part of it.
func within(payload, body []byte) (at int, ok bool) {
	if len(body) == 0 {
		return 0, true
	}
	if len(payload) == 0 {
		return 0, false
	}
	d := uintptr(unsafe.Pointer(&body[0])) - uintptr(unsafe.Pointer(&payload[0]))
	return int(d), d < uintptr(len(payload))
}
