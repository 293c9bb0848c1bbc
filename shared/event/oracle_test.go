package event_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/internal/prototest"
)

// schema is the part of tensorboard/compat/proto/{event,summary,tensor}.proto that
// this room reads. Strings are bytes here, since tags need not be UTF-8; messages
// that stay undecoded are Opaque.
var schema = prototest.Compile(`
Event: wall_time 1 double, step 2 int64, file_version 3 what/bytes, graph_def 4 what/bytes, summary 5 what/Summary, log_message 6 what/Opaque, session_log 7 what/SessionLog, tagged_run_metadata 8 what/TaggedRunMetadata, meta_graph_def 9 what/bytes
Opaque:
SessionLog: status 1 int32
TaggedRunMetadata: tag 1 bytes, run_metadata 2 bytes
Summary: value 1 *Value
Value: tag 1 bytes, node_name 7 bytes, simple_value 2 value/float, obsolete_old_style_histogram 3 value/bytes, image 4 value/Opaque, histo 5 value/Opaque, audio 6 value/Opaque, tensor 8 value/TensorProto, metadata 9 SummaryMetadata
SummaryMetadata: plugin_data 1 PluginData, display_name 2 bytes, summary_description 3 bytes, data_class 4 int32
PluginData: plugin_name 1 bytes, content 2 bytes
TensorProto: dtype 1 int32, tensor_shape 2 TensorShapeProto, tensor_content 4 bytes, float_val 5 *float, double_val 6 *double, int_val 7 *int32, int64_val 10 *int64, bool_val 11 *bool, half_val 13 *int32, uint32_val 16 *uint32, uint64_val 17 *uint64
TensorShapeProto: dim 2 *Dim, unknown_rank 3 bool
Dim: size 1 int64
HistogramProto: min 1 double, max 2 double, bucket_limit 6 *double, bucket 7 *double
Image: height 1 int32, width 2 int32, encoded_image_string 4 bytes
Audio: encoded_audio_string 4 bytes, content_type 5 bytes
SourceOf: source_metadata 10 ?bytes
`)

var (
	get   = prototest.Get
	has   = prototest.Has
	whats = map[string]event.What{
		"": event.Nothing, "file_version": event.FileVersion, "graph_def": event.GraphDef, "summary": event.Summary, "log_message": event.LogMessage,
		"session_log": event.SessionLog, "tagged_run_metadata": event.TaggedRunMetadata, "meta_graph_def": event.MetaGraphDef,
	}
	forms = map[string]event.Form{
		"": event.NoForm, "simple_value": event.Simple, "obsolete_old_style_histogram": event.OldHisto,
		"image": event.Image, "histo": event.Histo, "audio": event.Audio, "tensor": event.TensorForm,
	}
)

// agree decodes an event in both ways. What the oracle reads, we must read alike; of
// what it refuses we may read parts, but must not panic.
func agree(t testing.TB, payload []byte) {
	t.Helper()
	m, refused := schema.Decode("Event", payload)
	var e event.Event
	err := e.Decode(payload)
	if refused != nil {
		rummage(&e)
		return
	}
	if err != nil {
		t.Fatalf("%x: %v", payload, err)
	}
	if source, refused := schema.Decode("SourceOf", payload); refused == nil && e.Source != has(source, "source_metadata") {
		t.Fatalf("%x: source_metadata %v", payload, e.Source)
	}
	what := prototest.Which(m, "what")
	if math.Float64bits(e.WallTime) != math.Float64bits(get(m, "wall_time").Float()) || e.Step != get(m, "step").Int() || e.What != whats[what] {
		t.Fatalf("%x: read %+v, is %v", payload, e, m)
	}
	switch e.What {
	case event.FileVersion, event.GraphDef, event.MetaGraphDef:
		same(t, what, e.Body, get(m, what).Bytes())
	case event.LogMessage:
		same(t, what, e.Body, get(m, what).Message().GetUnknown())
	case event.SessionLog:
		status, err := event.SessionStatus(e.Body)
		if err != nil || int64(status) != get(m, what, "status").Int() {
			t.Fatalf("%x: status %d, %v", payload, status, err)
		}
	case event.TaggedRunMetadata:
		tag, metadata, err := event.RunMetadata(e.Body)
		if err != nil {
			t.Fatalf("%x: %v", payload, err)
		}
		same(t, "tag", tag, get(m, what, "tag").Bytes())
		same(t, "run_metadata", metadata, get(m, what, "run_metadata").Bytes())
	case event.Summary:
		agreeSummary(t, e.Body, get(m, what, "value").List())
	}
}

func agreeSummary(t testing.TB, rest []byte, values protoreflect.List) {
	t.Helper()
	for i := 0; ; i++ {
		var v event.Value
		var ok bool
		var err error
		if rest, ok, err = v.NextValue(rest); err != nil {
			t.Fatalf("value %d: %v", i, err)
		}
		if !ok {
			if i != values.Len() {
				t.Fatalf("%d values, there are %d", i, values.Len())
			}
			return
		}
		if i >= values.Len() {
			t.Fatalf("more than %d values", i)
		}
		agreeValue(t, &v, values.Get(i).Message())
	}
}

func agreeValue(t testing.TB, v *event.Value, m protoreflect.Message) {
	t.Helper()
	same(t, "tag", v.Tag, get(m, "tag").Bytes())
	same(t, "node_name", v.Node, get(m, "node_name").Bytes())
	form := prototest.Which(m, "value")
	if v.Form != forms[form] {
		t.Fatalf("form %d, is %s", v.Form, form)
	}
	switch v.Form {
	case event.Simple:
		if !equal(float64(v.Simple), get(m, form).Float()) {
			t.Fatalf("simple_value %v, is %v", v.Simple, get(m, form))
		}
	case event.OldHisto:
		same(t, form, v.Body, get(m, form).Bytes())
	case event.Image, event.Histo, event.Audio:
		same(t, form, v.Body, get(m, form).Message().GetUnknown())
		agreeOld(t, v)
	case event.TensorForm:
		agreeScalar(t, v.Body, get(m, form).Message())
	}
	if (v.Meta != nil) != has(m, "metadata") {
		t.Fatalf("metadata %x", v.Meta)
	}
	meta, err := event.DecodeMeta(v.Meta)
	if err != nil {
		t.Fatal(err)
	}
	m = get(m, "metadata").Message()
	same(t, "display_name", []byte(meta.DisplayName), get(m, "display_name").Bytes())
	same(t, "summary_description", []byte(meta.Description), get(m, "summary_description").Bytes())
	same(t, "plugin_name", []byte(meta.Plugin), get(m, "plugin_data", "plugin_name").Bytes())
	same(t, "content", meta.Content, get(m, "plugin_data", "content").Bytes())
	if int64(meta.DataClass) != get(m, "data_class").Int() {
		t.Fatalf("data_class %d", meta.DataClass)
	}
}

// agreeOld holds what is read in the old forms against what the oracle reads in them.
func agreeOld(t testing.TB, v *event.Value) {
	t.Helper()
	switch v.Form {
	case event.Histo:
		h, err := event.DecodeHistogram(v.Body)
		m, refused := schema.Decode("HistogramProto", v.Body)
		if (err != nil) != (refused != nil) {
			t.Fatalf("%x: %v, the oracle says %v", v.Body, err, refused)
		}
		if err != nil {
			return
		}
		for name, got := range map[string][]float64{"bucket_limit": h.Limits, "bucket": h.Count} {
			list := get(m, name).List()
			if list.Len() != len(got) {
				t.Fatalf("%x: %s %v, is %v", v.Body, name, got, list)
			}
			for i, x := range got {
				if !equal(x, list.Get(i).Float()) {
					t.Fatalf("%x: %s %v, is %v", v.Body, name, got, list)
				}
			}
		}
		if !equal(h.Min, get(m, "min").Float()) || !equal(h.Max, get(m, "max").Float()) {
			t.Fatalf("%x: from %v to %v, is %v", v.Body, h.Min, h.Max, m)
		}
	case event.Image:
		if m, refused := schema.Decode("Image", v.Body); refused == nil {
			got, err := event.DecodeImage(v.Body)
			if err != nil || int64(got.Height) != get(m, "height").Int() || int64(got.Width) != get(m, "width").Int() {
				t.Fatalf("%x: %+v, %v; is %v", v.Body, got, err, m)
			}
			same(t, "encoded_image_string", got.Encoded, get(m, "encoded_image_string").Bytes())
		}
	case event.Audio:
		if m, refused := schema.Decode("Audio", v.Body); refused == nil {
			got, err := event.DecodeAudio(v.Body)
			if err != nil {
				t.Fatalf("%x: %v; is %v", v.Body, err, m)
			}
			same(t, "encoded_audio_string", got.Encoded, get(m, "encoded_audio_string").Bytes())
			same(t, "content_type", []byte(got.ContentType), get(m, "content_type").Bytes())
		}
	}
}

// agreeNumbers holds Numbers of a tensor against what the oracle reads in it.
func agreeNumbers(t testing.TB, tensor []byte, m protoreflect.Message) {
	t.Helper()
	shape, got, err := event.Numbers(tensor, []float64{-1, -2})
	if len(got) < 2 || got[0] != -1 || got[1] != -2 {
		t.Fatalf("%x: what was there is gone: %v", tensor, got)
	}
	got = got[2:]
	want, sizes, ok := numbers(m)
	if !ok {
		if err == nil || len(got) > 0 {
			t.Fatalf("%x: read %v of shape %v; there are no numbers", tensor, got, shape)
		}
		return
	}
	if err != nil || !slices.Equal(shape, sizes) || !slices.EqualFunc(got, want, equal) {
		t.Fatalf("%x: read %v of shape %v, %v; it is %v of shape %v", tensor, got, shape, err, want, sizes)
	}
}

// numbers are those that a TensorProto holds, by tensorboard/util/tensor_util.py; ok is false
// if there are not as many as its shape says.
func numbers(m protoreflect.Message) (x []float64, shape []int64, ok bool) {
	dims := get(m, "tensor_shape", "dim").List()
	n := new(big.Int).SetInt64(1)
	for i := range dims.Len() {
		size := get(dims.Get(i).Message(), "size").Int()
		if size < 0 {
			return nil, nil, false
		}
		shape = append(shape, size)
		n.Mul(n, big.NewInt(size))
	}
	dtype := get(m, "dtype").Int()
	if dtype > 100 {
		dtype -= 100
	}
	one, known := elements[dtype]
	if !known || get(m, "tensor_shape", "unknown_rank").Bool() {
		return nil, nil, false
	}
	if content := get(m, "tensor_content").Bytes(); len(content) > 0 {
		k := map[int64]int{1: 4, 2: 8, 3: 4, 4: 1, 5: 2, 6: 1, 9: 8, 10: 1, 14: 2, 17: 2, 19: 2, 22: 4, 23: 8}[dtype]
		for ; len(content) >= k; content = content[k:] {
			v, _ := one.content(content[:k])
			x = append(x, v)
		}
		return x, shape, len(content) == 0 && n.Cmp(big.NewInt(int64(len(x)))) == 0
	}
	list := get(m, one.field).List()
	for i := range list.Len() {
		x = append(x, one.value(list.Get(i)))
	}
	for len(x) > 0 && list.Len() == 1 && n.Cmp(big.NewInt(1<<16)) <= 0 && int64(len(x)) < n.Int64() {
		x = append(x, x[0])
	}
	return x, shape, n.Cmp(big.NewInt(int64(len(x)))) == 0
}

// agreeScalar holds Scalar of a tensor against what the oracle reads in it.
func agreeScalar(t testing.TB, tensor []byte, m protoreflect.Message) {
	t.Helper()
	x, isFloat32, err := event.Scalar(tensor)
	want, ok := number(m)
	switch {
	case !ok && !errors.Is(err, event.ErrNotScalar):
		t.Fatalf("%x: read %v, %v; it is no scalar", tensor, x, err)
	case ok && (err != nil || !equal(x, want)):
		t.Fatalf("%x: read %v, %v; it is %v", tensor, x, err, want)
	case ok && isFloat32 && !equal(float64(float32(x)), x):
		t.Fatalf("%x: %v is no float32", tensor, x)
	}
}

// number is the number that a TensorProto holds, by tensorboard/util/tensor_util.py.
func number(m protoreflect.Message) (x float64, ok bool) {
	dims := get(m, "tensor_shape", "dim").List()
	for i := range dims.Len() {
		if get(dims.Get(i).Message(), "size").Int() != 1 {
			return 0, false
		}
	}
	dtype := get(m, "dtype").Int()
	if dtype > 100 {
		dtype -= 100
	}
	one, known := elements[dtype]
	if !known || get(m, "tensor_shape", "unknown_rank").Bool() {
		return 0, false
	}
	if content := get(m, "tensor_content").Bytes(); len(content) > 0 {
		return one.content(content)
	}
	list := get(m, one.field).List()
	switch list.Len() {
	case 0:
		return 0, true
	case 1:
		return one.value(list.Get(0)), true
	}
	return 0, false
}

// elements says for each dtype where its elements stand and what they are.
var elements = map[int64]struct {
	field   string
	value   func(protoreflect.Value) float64
	content func([]byte) (float64, bool)
}{
	1:  {"float_val", protoreflect.Value.Float, raw[float32]},
	2:  {"double_val", protoreflect.Value.Float, raw[float64]},
	3:  {"int_val", integer, raw[int32]},
	4:  {"int_val", func(v protoreflect.Value) float64 { return float64(uint8(v.Int())) }, raw[uint8]},
	5:  {"int_val", func(v protoreflect.Value) float64 { return float64(int16(v.Int())) }, raw[int16]},
	6:  {"int_val", func(v protoreflect.Value) float64 { return float64(int8(v.Int())) }, raw[int8]},
	9:  {"int64_val", integer, raw[int64]},
	10: {"bool_val", func(v protoreflect.Value) float64 { return truth(v.Bool()) }, func(b []byte) (float64, bool) { return truth(b[0] != 0), len(b) == 1 }},
	14: {"half_val", func(v protoreflect.Value) float64 { return halfVal(v.Int(), brain) }, func(b []byte) (float64, bool) { return bits16(b, brain) }},
	17: {"int_val", func(v protoreflect.Value) float64 { return float64(uint16(v.Int())) }, raw[uint16]},
	19: {"half_val", func(v protoreflect.Value) float64 { return halfVal(v.Int(), ieee) }, func(b []byte) (float64, bool) { return bits16(b, ieee) }},
	22: {"uint32_val", func(v protoreflect.Value) float64 { return float64(v.Uint()) }, raw[uint32]},
	23: {"uint64_val", func(v protoreflect.Value) float64 { return float64(v.Uint()) }, raw[uint64]},
}

func integer(v protoreflect.Value) float64 { return float64(v.Int()) }

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// raw reads one element of tensor_content.
func raw[T float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](b []byte) (float64, bool) {
	var v T
	if len(b) != binary.Size(v) {
		return 0, false
	}
	if _, err := binary.Decode(b, binary.LittleEndian, &v); err != nil {
		return 0, false
	}
	return float64(v), true
}

func bits16(b []byte, read func(uint16) float64) (float64, bool) {
	if len(b) != 2 {
		return 0, false
	}
	return read(binary.LittleEndian.Uint16(b)), true
}

// halfVal reads an element of half_val, PyTorch's float32s among them.
func halfVal(v int64, read func(uint16) float64) float64 {
	if v > math.MaxUint16 || v < -1<<16 {
		return float64(math.Float32frombits(uint32(v)))
	}
	return read(uint16(v))
}

func brain(b uint16) float64 { return float64(math.Float32frombits(uint32(b) << 16)) }

// ieee widens a binary16 to the binary32 of the same value, by moving its parts.
func ieee(b uint16) float64 {
	sign, exponent, fraction := uint32(b)>>15<<31, uint32(b)>>10&31, uint32(b)&1023
	switch {
	case exponent == 31:
		exponent = 255
	case exponent > 0:
		exponent += 127 - 15
	default: // zero or subnormal: a multiple of 2⁻²⁴
		x := float64(fraction) / (1 << 24)
		return math.Copysign(x, float64(int32(sign|1)))
	}
	return float64(math.Float32frombits(sign | exponent<<23 | fraction<<13))
}

// equal compares numbers, NaN being equal to NaN.
func equal(a, b float64) bool { return a == b || a != a && b != b }

func same(t testing.TB, what string, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Fatalf("%s is %x, should be %x", what, got, want)
	}
}

// rummage reads whatever can be read of an event.
func rummage(e *event.Event) {
	event.SessionStatus(e.Body)
	event.RunMetadata(e.Body)
	rest := e.Body
	for {
		var v event.Value
		var ok bool
		var err error
		if rest, ok, err = v.NextValue(rest); err != nil || !ok {
			return
		}
		event.DecodeMeta(v.Meta)
		event.Scalar(v.Body)
	}
}
