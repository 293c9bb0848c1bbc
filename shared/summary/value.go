package summary

import (
	"math"

	pw "google.golang.org/protobuf/encoding/protowire"
)

// DataClass says what a plug-in's data are to a reader
// (tensorboard/compat/proto/summary.proto).
type DataClass int32

// The data classes.
const (
	UnknownClass DataClass = 0
	ScalarClass  DataClass = 1 // one number per step
	TensorClass  DataClass = 2 // a small tensor per step
	BlobClass    DataClass = 3 // a list of byte strings per step
)

// Metadata is a SummaryMetadata. Readers keep the first one of each tag in a
// run, so only the first event of a tag needs it; the Writer's methods write it
// each time because a reader may join late.
type Metadata struct {
	Plugin      string // plug-in name, e.g. "scalars"; "" for none
	Content     []byte // the plug-in's own message
	DisplayName string // shown instead of the tag
	Description string // Markdown
	// DataClass is left 0 by all writers, this one too: readers know it from the
	// plug-in, and TensorBoard does not turn audio clips and graphs into the form
	// that it serves when it is set.
	DataClass DataClass
}

func (m Metadata) append(dst []byte) []byte {
	if m.Plugin != "" || len(m.Content) > 0 {
		dst = mustBytes(dst, 1, putBytes(putString(nil, 1, m.Plugin), 2, m.Content))
	}
	dst = putString(dst, 2, m.DisplayName)
	dst = putString(dst, 3, m.Description)
	return putVarint(dst, 4, int64(m.DataClass))
}

// Field is the member of a Summary.Value's oneof: its number in
// tensorboard/compat/proto/summary.proto.
type Field int32

// The members. The first five are the old style, which PyTorch and TensorFlow 1
// write; FieldTensor with a plug-in's metadata is the new one.
const (
	FieldNone         Field = 0 // metadata only
	FieldSimple       Field = 2 // float32
	FieldOldHistogram Field = 3 // not read by anyone today
	FieldImage        Field = 4
	FieldHistogram    Field = 5
	FieldAudio        Field = 6
	FieldTensor       Field = 8
)

// Value is a Summary.Value: one tag's data in one event. The …Value functions
// make it; its parts are open so that tests can make what no writer would.
// Nothing of it is checked.
type Value struct {
	Tag      string
	NodeName string // used as tag by old readers when Tag is empty
	Metadata Metadata
	Field    Field
	// Payload is the encoded member: four little-endian bytes for FieldSimple,
	// else the message without tag and length.
	Payload []byte
}

// Append appends the Summary.Value, without tag and length, to dst.
func (v Value) Append(dst []byte) []byte {
	dst = putString(dst, 1, v.Tag)
	switch v.Field {
	case FieldNone:
	case FieldSimple:
		dst = append(pw.AppendTag(dst, pw.Number(v.Field), pw.Fixed32Type), v.Payload...)
	default:
		dst = mustBytes(dst, pw.Number(v.Field), v.Payload)
	}
	dst = putString(dst, 7, v.NodeName)
	return putBytes(dst, 9, v.Metadata.append(nil))
}

// SimpleValue is a scalar in the old style, as PyTorch writes it: a float32
// without metadata.
func SimpleValue(tag string, v float32) Value {
	return Value{Tag: tag, Field: FieldSimple, Payload: pw.AppendFixed32(nil, math.Float32bits(v))}
}

// TensorValue is a value in the new style.
func TensorValue(tag string, t Tensor, m Metadata) Value {
	return Value{Tag: tag, Metadata: m, Field: FieldTensor, Payload: t.append(nil)}
}
