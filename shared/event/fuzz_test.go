package event_test

import (
	"math"
	"slices"
	"testing"
	"time"

	pw "google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
)

// seeds are payloads of every kind that concerns this room.
func seeds(t testing.TB) (payloads [][]byte) {
	t.Helper()
	w := summary.NewBuffer(summary.Options{Clock: summary.Ticks(time.Unix(1.7e9, 0), time.Second), SourceWriter: "test"})
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	check(w.Scalar("loss/train", 0.25, 7))
	check(w.Scalar("loss/train", math.NaN(), 0))
	check(w.Scalar("a", -1, -1))
	check(w.Scalar("loss", 0.5, 300, summary.AsTensor(), summary.DisplayName("Loss"), summary.Description("*it*")))
	for _, d := range []summary.DType{2, 3, 4, 5, 6, 9, 10, 14, 17, 19, 22, 23} {
		check(w.Scalar("n", 3, 1, summary.As(d)))
	}
	check(w.Histogram("h", []float64{1, 2}, 1, summary.Legacy(), summary.Bounds(0, 1, 2)))
	check(w.Text("t", "hello", 2))
	packed := field(field([]byte{2<<3 | 1, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, 6, le([]float64{-1, 2.5, math.Inf(1)})), 7, le([]float64{3, 0, 4}))
	single := append([]byte{6<<3 | 1}, append(le(0.5), append([]byte{7<<3 | 1}, le(9.0)...)...)...)
	check(w.Raw(summary.Event{Values: []summary.Value{
		{Tag: "packed", Field: 5, Payload: packed}, {Tag: "one by one", Field: 5, Payload: append(single, single...)},
		{Tag: "half of it", Field: 5, Payload: field(packed, 6, make([]byte, 9))},
		{Tag: "picture", Field: 4, Payload: field([]byte{1<<3 | 0, 7, 2<<3 | 0, 9}, 4, []byte("png"))},
		{Tag: "sound", Field: 6, Payload: field(field(nil, 4, []byte("wave")), 5, []byte("audio/x"))},
	}}))
	check(w.SessionStart(40))
	check(w.RunMetadata("step1", []byte{10, 0}, 1))
	check(w.Graph([]byte{10, 0}, 0))
	check(w.Raw(summary.Event{LogMessage: "old", Step: 1 << 40}))
	check(w.Raw(summary.Event{MetaGraph: []byte("m"), WallTime: math.Inf(1)}))
	check(w.Raw(summary.Event{Values: []summary.Value{
		{NodeName: "node", Field: summary.FieldTensor, Payload: []byte{8, 1, 0x2d, 0, 0, 0x80, 0x3f}},
		{Tag: "bad \xff", Field: summary.FieldOldHistogram, Payload: []byte("x")},
		{Tag: "metadata only", Metadata: summary.Metadata{Plugin: "hparams", Content: []byte{1}, DataClass: 2}},
	}}))
	b := w.Bytes()
	for _, r := range damage.Records(b) {
		from, to := r.Payload()
		payloads = append(payloads, b[from:to])
	}
	// A group, a tag in more bytes than it needs, fields of a wrong type.
	odd := pw.AppendTag(nil, 50, pw.StartGroupType)
	odd = pw.AppendTag(odd, 50, pw.EndGroupType)
	odd = append(odd, 0x90, 0, 5, 1<<3|0, 9, 2<<3|2, 1, 'x')
	return append(payloads, odd, nil)
}

// FuzzPlain: what Plain accepts, the general way reads alike.
func FuzzPlain(f *testing.F) {
	n := 0
	for _, p := range seeds(f) {
		if _, ok := event.Plain(p); ok {
			n++
		}
		f.Add(p)
	}
	if n < 4 {
		f.Fatalf("%d seeds are plain", n)
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		p, ok := event.Plain(payload)
		if !ok {
			return
		}
		var e event.Event
		if err := e.Decode(payload); err != nil || e.What != event.Summary || e.Step != p.Step || math.Float64bits(e.WallTime) != math.Float64bits(p.WallTime) {
			t.Fatalf("%+v, %v", e, err)
		}
		var v event.Value
		rest, ok, err := v.NextValue(e.Body)
		if err != nil || !ok {
			t.Fatalf("no value: %v", err)
		}
		same(t, "tag", payload[p.Tag0:p.Tag1], v.Tag)
		same(t, "metadata", payload[p.Meta0:p.Meta1], v.Meta)
		x, form := float64(v.Simple), event.Simple
		if p.IsTensor {
			form = event.TensorForm
			if x, _, err = event.Scalar(v.Body); err != nil {
				t.Fatal(err)
			}
		}
		if v.Form != form || !equal(x, float64(p.Value)) || len(v.Node) > 0 {
			t.Fatalf("%+v is read as %+v with %v", p, v, x)
		}
		if _, ok, err := v.NextValue(rest); ok || err != nil {
			t.Fatalf("more than one value: %v", err)
		}
	})
}

// FuzzDecode: what the protobuf library reads in any payload, we read.
func FuzzDecode(f *testing.F) {
	n := 0
	for _, p := range seeds(f) {
		if _, err := schema.Decode("Event", p); err == nil {
			n++
		}
		f.Add(p)
	}
	if n < 20 {
		f.Fatalf("the oracle reads %d seeds", n)
	}
	f.Fuzz(func(t *testing.T, payload []byte) { agree(t, payload) })
}

// FuzzScalar: likewise for tensors alone, which go deeper that way.
func FuzzScalar(f *testing.F) {
	for _, c := range encodings() {
		f.Add(c.tensor)
	}
	f.Fuzz(func(t *testing.T, tensor []byte) {
		m, err := schema.Decode("TensorProto", tensor)
		if err != nil {
			event.Scalar(tensor)
			return
		}
		agreeScalar(t, tensor, m)
	})
}

// vectors are tensors of no, one and many numbers, in all forms, and what only looks so.
func vectors() (all [][]byte) {
	for _, c := range encodings() {
		all = append(all, c.tensor)
	}
	for _, shape := range [][]int64{nil, {}, {3}, {0}, {2, 3}, {3, 0, 1 << 40}, {1 << 40, 1 << 40}, {1 << 62, 3}, {1 << 62, 4}, {1 << 16}, {1<<16 + 1}, {-1}} {
		for _, elements := range [][]float32{nil, {7}, {1, 2, 3}, {1, 2, 3, 4, 5, 6}} {
			var content, single []byte
			for _, x := range elements {
				content = append(content, le(x)...)
				single = append(pw.AppendTag(single, 5, pw.Fixed32Type), le(x)...)
			}
			t := ofType(event.Float, shape...)
			all = append(all, field(t, 4, content), field(t, 5, content), slices.Concat(t, single), slices.Concat(single, t), field(slices.Concat(t, single), 5, content))
		}
	}
	all = append(all, field(ofType(event.Int16, 2), 4, []byte{1, 2, 3}), field(ofType(event.Int64, 2), 10, []byte{1, 0x80}))
	return all
}

// FuzzNumbers: the same of all numbers of a tensor.
func FuzzNumbers(f *testing.F) {
	for _, v := range vectors() {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, tensor []byte) {
		m, err := schema.Decode("TensorProto", tensor)
		if err != nil {
			if _, got, err := event.Numbers(tensor, nil); err == nil && len(got) > len(tensor)+1<<16 {
				t.Errorf("%d numbers of %d bytes", len(got), len(tensor))
			}
			return
		}
		agreeNumbers(t, tensor, m)
	})
}
