package scalars

import (
	"strconv"
	"unsafe"
)

// field is a number of a Part on its way: in an answer's JSON it has its name, on the page it
// stands in a row with the others, in the order of fields.
type field struct {
	name   string
	at     uintptr // in a Part
	kind   uint8
	always bool // in JSON; else its zero is left out
}

// What a field is.
const (
	count  = iota // an int
	large         // an int64
	number        // a float64
	flag          // a bool
)

// fields describe a Part, but for its run. The painter (static/paint-series.js) reads them by
// name, and knows the same order: a test holds the two against each other. So a new field is
// one of Part, a line here, and a word there.
var fields = [...]field{
	{"tag", unsafe.Offsetof(Part{}.Tag), count, false},
	{"piece", unsafe.Offsetof(Part{}.Piece), count, false},
	{"offset", unsafe.Offsetof(Part{}.Offset), count, true},
	{"n", unsafe.Offsetof(Part{}.N), count, true},
	{"kept", unsafe.Offsetof(Part{}.Kept), large, true},
	{"points", unsafe.Offsetof(Part{}.Points), large, true},
	{"start", unsafe.Offsetof(Part{}.Start), number, true},
	{"preview", unsafe.Offsetof(Part{}.Preview), flag, true},
	{"narrow", unsafe.Offsetof(Part{}.Narrow), count, false},
	{"wallBase", unsafe.Offsetof(Part{}.WallBase), number, false},
	{"edges", unsafe.Offsetof(Part{}.Edges), count, false},
	{"unmatched", unsafe.Offsetof(Part{}.Unmatched), large, false},
	{"full", unsafe.Offsetof(Part{}.Full), flag, true},
	{"every", unsafe.Offsetof(Part{}.Every), number, false},
	{"thinned", unsafe.Offsetof(Part{}.Thinned), flag, false},
}

// Fields is how many numbers AppendNumbers appends for a part.
const Fields = len(fields)

// get is the field of a part; counts beyond 2⁵³ are the nearest that a float64 has.
func (f *field) get(p *Part) float64 {
	at := unsafe.Add(unsafe.Pointer(p), f.at)
	switch f.kind {
	case count:
		return float64(*(*int)(at))
	case large:
		return float64(*(*int64)(at))
	case number:
		return *(*float64)(at)
	}
	if *(*bool)(at) {
		return 1
	}
	return 0
}

// set is the way back.
func (f *field) set(p *Part, v float64) {
	at := unsafe.Add(unsafe.Pointer(p), f.at)
	switch f.kind {
	case count:
		*(*int)(at) = int(v)
	case large:
		*(*int64)(at) = int64(v)
	case number:
		*(*float64)(at) = v
	case flag:
		*(*bool)(at) = v != 0
	}
}

// AppendNumbers appends the fields of a part, but for its run.
func (p *Part) AppendNumbers(to []float64) []float64 {
	for i := range fields {
		to = append(to, fields[i].get(p))
	}
	return to
}

// SetNumbers is the way back; from has at least Fields numbers.
func (p *Part) SetNumbers(from []float64) {
	for i := range fields {
		fields[i].set(p, from[i])
	}
}

// appendJSON appends `,"name":value`, or nothing.
func (f *field) appendJSON(b []byte, p *Part) []byte {
	v := f.get(p)
	if v == 0 && !f.always {
		return b
	}
	b = append(append(append(b, `,"`...), f.name...), `":`...)
	switch f.kind {
	case number:
		return appendNumber(b, v)
	case flag:
		return strconv.AppendBool(b, v != 0)
	}
	return strconv.AppendInt(b, int64(v), 10)
}
