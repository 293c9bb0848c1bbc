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

// Int is a field with a whole number.
func (p *Packing) Int(v *int) {
	n := int64(*v)
	p.Int64(&n)
	*v = int(n)
}

// Int64 is a field with a whole number.
func (p *Packing) Int64(v *int64) {
	*v = protowire.DecodeZigZag(p.varint(protowire.EncodeZigZag(*v)))
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

// Text is a field with any bytes, as a string.
func (p *Packing) Text(v *string) {
	if !p.reading {
		p.b = append(protowire.AppendVarint(p.b, uint64(len(*v))), *v...)
		return
	}
	*v = string(p.bytes())
}

// Again is a field with a text that mostly is another one, which stands before it.
func (p *Packing) Again(v *string, other string) {
	same := *v == other
	if p.Bool(&same); same {
		*v = other
	} else {
		p.Text(v)
	}
}

// Bytes is a field with any bytes.
func (p *Packing) Bytes(v *[]byte) {
	if !p.reading {
		p.b = append(protowire.AppendVarint(p.b, uint64(len(*v))), *v...)
		return
	}
	*v = append(*v, p.bytes()...)
}

func (p *Packing) bytes() []byte {
	b, n := protowire.ConsumeBytes(p.b)
	if !p.took(n) {
		return nil
	}
	return b
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
func (p *Packing) Texts(s *[]string) { List(p, s, p.Text) }

func (o *Open) Fields(p *Packing) {
	p.Int(&o.Gen)
	p.Text(&o.Kind)
	p.Text(&o.Base)
	p.Text(&o.Batch)
	p.Bool(&o.Careful)
	p.Int64(&o.Budget)
	p.Int64(&o.Most)
	p.Text(&o.Cache)
	p.Int64(&o.CacheBytes)
	p.Bool(&o.CacheNew)
	p.Int64(&o.PreviewFrom)
	p.Int(&o.Workers)
}

func (f *Files) Fields(p *Packing) {
	List(p, f, func(f *File) {
		p.Text(&f.Path)
		p.Int64(&f.Size)
		p.Int64(&f.MTime)
		p.Text(&f.Version)
		p.Bool(&f.Gone)
		p.Bool(&f.Companion)
	})
}

func (l *Paths) Fields(p *Packing) { List(p, l, p.Text) }

func (l *Look) Fields(p *Packing) {
	p.Texts(&l.Runs)
	p.Texts(&l.Tags)
}

func (q *Query) Fields(p *Packing) {
	p.Text(&q.Kind)
	p.Texts(&q.Runs)
	p.Texts(&q.Tags)
	p.Texts(&q.Files)
	p.Bool(&q.Calm)
	p.Bool(&q.Every)
	p.Bool(&q.Guest)
	p.Bytes((*[]byte)(&q.Body))
	p.Bytes(&q.Packed)
}

func (g *Progress) Fields(p *Packing) {
	p.Int(&g.Gen)
	p.Int64(&g.BytesRead)
	p.Int64(&g.BytesCached)
	p.Int64(&g.Points)
	p.Int64(&g.Kept)
	p.Bool(&g.Busy)
	p.Int(&g.Unread)
	p.Int(&g.Heard)
	p.Bool(&g.Previewing)
	p.Bool(&g.Previewed)
	List(p, &g.Lost, func(l *Loss) {
		p.Text(&l.Run)
		p.Text(&l.File)
		p.Int64(&l.Offset)
		p.Int64(&l.Bytes)
		p.Text(&l.Kind)
		p.Int64(&l.Count)
		p.Text(&l.Remedy)
		p.Text(&l.Details)
	})
	p.Bool(&g.LostSet)
	List(p, &g.Runs, func(r *RunProgress) {
		p.Text(&r.Name)
		p.Float(&r.Start)
		p.Bool(&r.New)
		plugin := "" // of the tag before
		List(p, &r.Tags, func(t *NamedTag) {
			p.Text(&t.Name)
			p.Again(&t.Plugin, plugin)
			plugin = t.Plugin
			p.Again(&t.DisplayName, t.Name)
			p.Text(&t.Description)
			p.Int64(&t.Points)
			p.Int64(&t.Kept)
		})
		p.Bool(&r.TagsSet)
		p.Bool(&r.Later)
		p.Bool(&r.More)
	})
	p.Text(&g.Error)
}
