package catalog

import (
	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

// The fast ways
//
// Nearly all records are scalars that differ from an earlier one of their series in
// three numbers. They are used without being taken apart (repeat), or at least without
// Decode (plain); what either leaves is read in full. Both say nothing of what they do
// not know, so they only ever save time.

// repeat uses the records at the start of b that are like earlier ones of the series
// to which they should belong, and returns how many bytes they fill. offset is the
// position of b.
func (f *File) repeat(b []byte, offset int64) int {
	l := f.last
	if l == nil || !f.modern {
		return 0
	}
	changes := tfrecord.Changes()
	pos := 0
	for {
		var used int
		used, l = repeats(b[pos:], l, changes)
		pos += used
		s := l.next
		if s == nil || s.mould == nil {
			break
		}
		step, wall, value, ok := s.mould.Match(b[pos:], changes)
		if !ok {
			break
		}
		s.Scalars.Append(step, wall, float64(value), true, offset+int64(pos))
		pos += s.mould.Size()
		l = s
	}
	f.last = l
	return pos
}

// mouldEvery is how many points a series must have got since its last mould before
// it gets a new one: records that never fit must not cost a mould each.
const mouldEvery = 16

// plain uses a scalar of a common form, if nothing about it is new: its series is
// the one that followed the last one before, and its claim knows values of this form.
func (f *File) plain(payload, record []byte, offset int64) bool {
	if f.last == nil || !f.modern {
		return false
	}
	p, ok := event.Plain(payload)
	if !ok {
		return false
	}
	s := f.last.next
	if s == nil || s.Tag.Name != string(payload[p.Tag0:p.Tag1]) {
		// Not in the order of the last time: look it up.
		if s = f.cur.series[string(payload[p.Tag0:p.Tag1])]; s == nil {
			return false
		}
	}
	known := s.claim.simple
	if p.IsTensor {
		known = s.claim.tensor
	}
	if !known || p.Meta1 > p.Meta0 && !(s.claim.described && s.claim.valued) {
		return false
	}
	if s != f.last.next {
		f.last.next = s
	}
	f.last = s
	s.Scalars.Append(p.Step, p.WallTime, float64(p.Value), true, offset)
	if n := s.Scalars.Len(); n >= s.moulded+mouldEvery {
		s.mould, s.moulded = event.NewMould(record, &p), n
	}
	return true
}
