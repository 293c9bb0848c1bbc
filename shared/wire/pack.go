package wire

import (
	"errors"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// Messages that cross between page and worker are packed: their fields one behind the
// other, in the order in which Fields names them. Both sides are one program, so nothing
// says which field it is. JSON took each side 20 ms of the page's start: reflection on
// every type, and functions so large that the browser's optimising compiler spends 200 ms
// of processor on them.

// Message is a message in this form.
type Message interface {
	// Fields names every field to p, in the same order each time.
	Fields(p *Packing)
}

// Files are the files of an OpFiles message.
type Files []File

// ErrPacked says that bytes are not a message of the type that was asked for.
var ErrPacked = errors.New("wire: these bytes are no such message")

// Pack returns the message's bytes.
func Pack(m Message) []byte {
	var p Packing
	m.Fields(&p)
	return p.b
}

// Unpack reads the message back into m, which must be zero. What m holds after an error
// means nothing.
func Unpack(b []byte, m Message) error {
	p := Packing{b: b, reading: true}
	m.Fields(&p)
	if p.bad || len(p.b) > 0 {
		return ErrPacked
	}
	return nil
}

// Packing writes fields to the end of b, or reads them from its beginning.
type Packing struct {
	b       []byte
	reading bool
	bad     bool // the bytes ended, or are wrong: everything more is zero
}

// took takes in what reading a field took; negative: it is not there.
func (p *Packing) took(n int) bool {
	if n < 0 {
		p.bad, p.b = true, nil
		return false
	}
	p.b = p.b[n:]
	return true
}

func (p *Packing) varint(v uint64) uint64 {
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

// Number is a field with a whole number.
func Number[T ~int | ~int64](p *Packing, v *T) {
	*v = T(protowire.DecodeZigZag(p.varint(protowire.EncodeZigZag(int64(*v)))))
}

// Bool is a field that is true or false.
func (p *Packing) Bool(v *bool) { *v = protowire.DecodeBool(p.varint(protowire.EncodeBool(*v))) }

// Float is a field with any float64.
func (p *Packing) Float(v *float64) {
	if !p.reading {
		p.b = protowire.AppendFixed64(p.b, math.Float64bits(*v))
		return
	}
	bits, n := protowire.ConsumeFixed64(p.b)
	if p.took(n) {
		*v = math.Float64frombits(bits)
	}
}

// Text is a field with any bytes.
func Text[T ~string | ~[]byte](p *Packing, v *T) {
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
func (p *Packing) count(n int) int {
	got := p.varint(uint64(n))
	if p.reading && got > uint64(len(p.b)) {
		p.took(-1)
		return 0
	}
	return int(got)
}

// List is a field with parts, whose fields each names.
func List[T any, S ~[]T](p *Packing, s *S, each func(*T)) {
	n := p.count(len(*s))
	if p.reading && n > 0 {
		*s = make(S, n)
	}
	for i := range *s {
		each(&(*s)[i])
	}
}

// Texts is a field with several texts.
func (p *Packing) Texts(s *[]string) { List(p, s, func(v *string) { Text(p, v) }) }

func (o *Open) Fields(p *Packing) {
	Number(p, &o.Gen)
	Text(p, &o.Kind)
	Text(p, &o.Base)
	Text(p, &o.Batch)
	p.Bool(&o.Careful)
	Number(p, &o.Budget)
	Number(p, &o.Most)
	Text(p, &o.Cache)
	Number(p, &o.CacheBytes)
	Number(p, &o.PreviewFrom)
	Number(p, &o.Workers)
}

func (f *Files) Fields(p *Packing) {
	List(p, f, func(f *File) {
		Text(p, &f.Path)
		Number(p, &f.Size)
		Number(p, &f.MTime)
		Text(p, &f.Version)
		p.Bool(&f.Gone)
	})
}

func (l *Look) Fields(p *Packing) {
	p.Texts(&l.Runs)
	p.Texts(&l.Tags)
}

func (q *Query) Fields(p *Packing) {
	Text(p, &q.Kind)
	p.Texts(&q.Runs)
	p.Texts(&q.Tags)
	p.Bool(&q.Calm)
	p.Bool(&q.Every)
	Text(p, &q.Body)
	Text(p, &q.Packed)
}

func (g *Progress) Fields(p *Packing) {
	Number(p, &g.Gen)
	Number(p, &g.BytesRead)
	Number(p, &g.BytesCached)
	Number(p, &g.Points)
	Number(p, &g.Kept)
	p.Bool(&g.Busy)
	Number(p, &g.Unread)
	Number(p, &g.Heard)
	p.Bool(&g.Previewing)
	p.Bool(&g.Previewed)
	List(p, &g.Lost, func(l *Loss) {
		Text(p, &l.Run)
		Text(p, &l.File)
		Number(p, &l.Offset)
		Number(p, &l.Bytes)
		Text(p, &l.Kind)
		Number(p, &l.Count)
		Text(p, &l.Remedy)
		Text(p, &l.Details)
	})
	p.Bool(&g.LostSet)
	List(p, &g.Runs, func(r *RunProgress) {
		Text(p, &r.Name)
		p.Float(&r.Start)
		p.Bool(&r.New)
		List(p, &r.Tags, func(t *NamedTag) {
			Text(p, &t.Name)
			Text(p, &t.Plugin)
			Text(p, &t.DisplayName)
			Text(p, &t.Description)
			Number(p, &t.Points)
			Number(p, &t.Kept)
		})
		p.Bool(&r.TagsSet)
	})
	Text(p, &g.Error)
}
