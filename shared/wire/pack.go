package wire

import (
	"errors"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// Messages that cross between page and worker are packed: their fields one behind the
// other, in the order in which fields names them. Both sides are one program, so nothing
// says which field it is. JSON took each side 20 ms of the page's start: reflection on
// every type, and functions so large that the browser's optimising compiler spends 200 ms
// of processor on them.

// Message is a message in this form.
type Message interface{ fields(*packing) }

// Files are the files of an OpFiles message.
type Files []File

// ErrPacked says that bytes are not a message of the type that was asked for.
var ErrPacked = errors.New("wire: these bytes are no such message")

// Pack returns the message's bytes.
func Pack(m Message) []byte {
	var p packing
	m.fields(&p)
	return p.b
}

// Unpack reads the message back into m, which must be zero. What m holds after an error
// means nothing.
func Unpack(b []byte, m Message) error {
	p := packing{b: b, reading: true}
	m.fields(&p)
	if p.bad || len(p.b) > 0 {
		return ErrPacked
	}
	return nil
}

// packing writes fields to the end of b, or reads them from its beginning.
type packing struct {
	b       []byte
	reading bool
	bad     bool // the bytes ended, or are wrong: everything more is zero
}

// took takes in what reading a field took; negative: it is not there.
func (p *packing) took(n int) bool {
	if n < 0 {
		p.bad, p.b = true, nil
		return false
	}
	p.b = p.b[n:]
	return true
}

func (p *packing) varint(v uint64) uint64 {
	if !p.reading {
		p.b = protowire.AppendVarint(p.b, v)
		return v
	}
	v, n := protowire.ConsumeVarint(p.b)
	if !p.took(n) {
		return 0
	}
	return v
}

func number[T ~int | ~int64](p *packing, v *T) {
	*v = T(protowire.DecodeZigZag(p.varint(protowire.EncodeZigZag(int64(*v)))))
}

func (p *packing) bool(v *bool) { *v = protowire.DecodeBool(p.varint(protowire.EncodeBool(*v))) }

func (p *packing) float(v *float64) {
	if !p.reading {
		p.b = protowire.AppendFixed64(p.b, math.Float64bits(*v))
		return
	}
	bits, n := protowire.ConsumeFixed64(p.b)
	if p.took(n) {
		*v = math.Float64frombits(bits)
	}
}

func text[T ~string | ~[]byte](p *packing, v *T) {
	if !p.reading {
		p.b = append(protowire.AppendVarint(p.b, uint64(len(*v))), *v...)
		return
	}
	b, n := protowire.ConsumeBytes(p.b)
	if p.took(n) && len(b) > 0 {
		*v = T(b)
	}
}

// count is how many parts follow. A part takes a byte at least, so that no number makes
// more than there are bytes.
func (p *packing) count(n int) int {
	got := p.varint(uint64(n))
	if p.reading && got > uint64(len(p.b)) {
		p.took(-1)
		return 0
	}
	return int(got)
}

func list[T any, S ~[]T](p *packing, s *S, each func(*T)) {
	n := p.count(len(*s))
	if p.reading && n > 0 {
		*s = make(S, n)
	}
	for i := range *s {
		each(&(*s)[i])
	}
}

func (p *packing) texts(s *[]string) { list(p, s, func(v *string) { text(p, v) }) }

func (o *Open) fields(p *packing) {
	number(p, &o.Gen)
	text(p, &o.Kind)
	text(p, &o.Base)
	text(p, &o.Batch)
	p.bool(&o.Careful)
	number(p, &o.Budget)
	number(p, &o.Most)
	text(p, &o.Cache)
	number(p, &o.CacheBytes)
	number(p, &o.PreviewFrom)
	number(p, &o.Workers)
}

func (f *Files) fields(p *packing) {
	list(p, f, func(f *File) {
		text(p, &f.Path)
		number(p, &f.Size)
		number(p, &f.MTime)
		text(p, &f.Version)
		p.bool(&f.Gone)
	})
}

func (l *Look) fields(p *packing) {
	p.texts(&l.Runs)
	p.texts(&l.Tags)
}

func (q *Query) fields(p *packing) {
	text(p, &q.Kind)
	p.texts(&q.Runs)
	p.texts(&q.Tags)
	p.bool(&q.Calm)
	p.bool(&q.Every)
	text(p, &q.Body)
}

func (g *Progress) fields(p *packing) {
	number(p, &g.Gen)
	number(p, &g.BytesRead)
	number(p, &g.BytesCached)
	number(p, &g.Points)
	number(p, &g.Kept)
	p.bool(&g.Busy)
	number(p, &g.Unread)
	number(p, &g.Heard)
	p.bool(&g.Previewing)
	p.bool(&g.Previewed)
	list(p, &g.Lost, func(l *Loss) {
		text(p, &l.Run)
		text(p, &l.File)
		number(p, &l.Offset)
		number(p, &l.Bytes)
		text(p, &l.Kind)
		number(p, &l.Count)
		text(p, &l.Remedy)
		text(p, &l.Details)
	})
	p.bool(&g.LostSet)
	list(p, &g.Runs, func(r *RunProgress) {
		text(p, &r.Name)
		p.float(&r.Start)
		p.bool(&r.New)
		list(p, &r.Tags, func(t *NamedTag) {
			text(p, &t.Name)
			text(p, &t.Plugin)
			text(p, &t.DisplayName)
			text(p, &t.Description)
			number(p, &t.Points)
			number(p, &t.Kept)
		})
		p.bool(&r.TagsSet)
	})
	text(p, &g.Error)
}
