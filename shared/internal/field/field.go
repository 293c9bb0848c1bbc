// Package field goes over the fields of a serialised protocol buffer message that is read
// without its descriptor.
package field

import (
	"errors"

	"google.golang.org/protobuf/encoding/protowire"
)

// ErrMalformed says that the bytes are no message, or only the beginning of one.
var ErrMalformed = errors.New("the message is damaged")

// Each calls f for each field with its tag (number and wire type, as protowire.EncodeTag
// makes it), the bits of a number and the bytes of what is delimited by its length; it ends
// at what is damaged, and with the first error of f.
func Each(b []byte, f func(tag, v uint64, body []byte) error) error {
	for len(b) > 0 {
		num, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			return ErrMalformed
		}
		b = b[n:]
		var v uint64
		var body []byte
		switch typ {
		case protowire.VarintType:
			v, n = protowire.ConsumeVarint(b)
		case protowire.Fixed64Type:
			v, n = protowire.ConsumeFixed64(b)
		case protowire.Fixed32Type:
			var w uint32
			w, n = protowire.ConsumeFixed32(b)
			v = uint64(w)
		case protowire.BytesType:
			body, n = protowire.ConsumeBytes(b)
		default:
			n = protowire.ConsumeFieldValue(num, typ, b)
		}
		if n < 0 {
			return ErrMalformed
		}
		if err := f(protowire.EncodeTag(num, typ), v, body); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}
