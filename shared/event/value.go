package event

import (
	"encoding/binary"
	"math"
)

// Form says which member of Summary.Value's oneof is set.
type Form uint8

const (
	NoForm     Form = iota
	Simple          // simple_value, a float32
	OldHisto        // obsolete_old_style_histogram; not read by any peer
	Image           // Body is a serialised Summary.Image
	Histo           // Body is a serialised HistogramProto
	Audio           // Body is a serialised Summary.Audio
	TensorForm      // Body is a serialised TensorProto
)

// Value is one Summary.Value. Its slices are parts of the summary.
type Value struct {
	Tag    []byte
	Node   []byte // node_name: stands for the tag in tensors of old TF1 ops that have none
	Meta   []byte // serialised SummaryMetadata; nil when there is none
	Form   Form
	Simple float32
	Body   []byte
}

// NextValue decodes the first value of a serialised Summary into v and returns
// what follows it. At the end ok is false.
func (v *Value) NextValue(summary []byte) (next []byte, ok bool, err error) {
	b := summary
	for len(b) > 0 {
		t, rest := cutTag(b)
		if t != 1<<3|2 {
			n := skip(b)
			if n < 0 {
				return nil, false, ErrMalformed
			}
			b = b[n:]
			continue
		}
		body, n := lengthDelimited(rest)
		if n < 0 {
			return nil, false, ErrMalformed
		}
		if err := v.decode(body); err != nil {
			return nil, false, err
		}
		return rest[n:], true, nil
	}
	return nil, false, nil
}

// formOf maps the field numbers of Summary.Value's oneof to Form.
var formOf = [...]Form{3: OldHisto, 4: Image, 5: Histo, 6: Audio, 8: TensorForm}

func (v *Value) decode(b []byte) error {
	*v = Value{}
	for len(b) > 0 {
		switch t, rest := cutTag(b); t {
		case 1<<3 | 2, 7<<3 | 2, 9<<3 | 2, 3<<3 | 2, 4<<3 | 2, 5<<3 | 2, 6<<3 | 2, 8<<3 | 2:
			body, n := lengthDelimited(rest)
			if n < 0 {
				return ErrMalformed
			}
			switch num := t >> 3; num {
			case 1:
				v.Tag = body
			case 7:
				v.Node = body
			case 9:
				if v.Meta != nil {
					body = append(append([]byte(nil), v.Meta...), body...)
				}
				v.Meta = body
			default:
				f := formOf[num]
				if v.Form == f && f != OldHisto {
					body = append(append([]byte(nil), v.Body...), body...)
				}
				v.Form, v.Body = f, body
			}
			b = rest[n:]
		case 2<<3 | 5: // simple_value, fixed32
			if len(rest) < 4 {
				return ErrMalformed
			}
			v.Form, v.Body = Simple, nil
			v.Simple = math.Float32frombits(binary.LittleEndian.Uint32(rest))
			b = rest[4:]
		default:
			n := skip(b)
			if n < 0 {
				return ErrMalformed
			}
			b = b[n:]
		}
	}
	return nil
}

// Meta is a decoded SummaryMetadata. The strings are as they were logged.
type Meta struct {
	Plugin      string
	Content     []byte // of plugin_data; a part of the decoded bytes
	DisplayName string
	Description string
	DataClass   int32 // 0 unknown, 1 scalar, 2 tensor, 3 blob sequence
}

// DecodeMeta decodes a serialised SummaryMetadata.
func DecodeMeta(b []byte) (m Meta, err error) {
	var plugin []byte
	err = fields(b, func(t, v uint64, body []byte) {
		switch t {
		case 1<<3 | 2:
			plugin = append(plugin, body...) // merge; see the package comment
		case 2<<3 | 2:
			m.DisplayName = string(body)
		case 3<<3 | 2:
			m.Description = string(body)
		case 4<<3 | 0:
			m.DataClass = int32(v)
		}
	})
	if err != nil {
		return Meta{}, err
	}
	err = fields(plugin, func(t, _ uint64, body []byte) {
		switch t {
		case 1<<3 | 2:
			m.Plugin = string(body)
		case 2<<3 | 2:
			m.Content = body
		}
	})
	return m, err
}
