package mesh

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/event"
)

func TestSplit(t *testing.T) {
	for tag, want := range map[string]struct {
		name string
		part Part
	}{
		"a_VERTEX": {"a", Vertex}, "a/b_FACE": {"a/b", Face}, "_COLOR": {"", Color}, "a_vertex": {"a_vertex", Undefined},
		"FACE": {"FACE", Undefined}, "a_FACE_COLOR": {"a_FACE", Color}, "": {"", Undefined},
	} {
		if name, p := Split(tag); name != want.name || p != want.part {
			t.Errorf("%q: %q, %v", tag, name, p)
		}
	}
}

// floats is a TensorProto of float32s.
func floats(shape []int64, values ...float32) []byte {
	b := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(event.Float))
	var dims []byte
	for _, n := range shape {
		dims = protowire.AppendBytes(protowire.AppendTag(dims, 2, protowire.BytesType), protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(n)))
	}
	b = protowire.AppendBytes(protowire.AppendTag(b, 2, protowire.BytesType), dims)
	for _, v := range values {
		b = protowire.AppendFixed32(protowire.AppendTag(b, 5, protowire.Fixed32Type), math.Float32bits(v))
	}
	return b
}

// content is a MeshPluginData.
func content(shape ...int32) []byte {
	b := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 1)
	b = protowire.AppendString(protowire.AppendTag(b, 2, protowire.BytesType), "naïve")
	b = protowire.AppendVarint(protowire.AppendTag(b, 3, protowire.VarintType), uint64(Face))
	b = protowire.AppendString(protowire.AppendTag(b, 5, protowire.BytesType), "{}")
	for _, n := range shape {
		b = protowire.AppendVarint(protowire.AppendTag(b, 6, protowire.VarintType), uint64(n))
	}
	return b
}

// Metadata is read whole, with packed and single dimensions, and up to a tear.
func TestDecodeInfo(t *testing.T) {
	want := Info{Name: "naïve", Part: Face, Config: "{}", Shape: []int64{1, 60, 3}, Components: 14}
	single := content(1, 60, 3)
	packed := protowire.AppendBytes(protowire.AppendTag(content(), 6, protowire.BytesType), []byte{1, 60, 3})
	for _, b := range [][]byte{single, packed} {
		if got, err := DecodeInfo(b); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v", got, err)
		}
		got, err := DecodeInfo(b[:len(b)-1])
		if !errors.Is(err, event.ErrMalformed) || got.Name != "naïve" || got.Part != Face {
			t.Errorf("torn: %+v, %v", got, err)
		}
	}
	some := protowire.AppendVarint(protowire.AppendTag(single, 7, protowire.VarintType), 2)
	if got, _ := DecodeInfo(some); got.Components != 2 {
		t.Errorf("components %d", got.Components)
	}
}

// A part has its samples apart; what is no part says why.
func TestRead(t *testing.T) {
	a, err := Read(floats([]int64{2, 2, 3}, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11))
	if err != nil || a.Samples != 2 || a.N != 2 || !reflect.DeepEqual(a.Sample(1), []float64{6, 7, 8, 9, 10, 11}) {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := Read(floats([]int64{1, 3}, 1, 2, 3)); err != nil || a.Samples != 1 || a.N != 1 {
		t.Errorf("two dimensions: %+v, %v", a, err)
	}
	if a, err := Read(floats([]int64{1 << 40, 0, 3})); err != nil || a.Samples != 0 {
		t.Errorf("a shape of nothing: %+v, %v", a, err)
	}
	for _, x := range []struct {
		tensor []byte
		want   error
	}{
		{floats([]int64{1}, 1), ErrShape},
		{floats([]int64{1, 1, 2}, 1, 2), ErrShape},
		{floats([]int64{1, 2, 3}, 1, 2, 3), event.ErrNotNumbers},
		{[]byte{8, 7, 0x12, 0, 0x42, 1, 0x31}, event.ErrNotNumbers},
		{[]byte{0x0a}, event.ErrMalformed},
	} {
		if _, err := Read(x.tensor); !errors.Is(err, x.want) {
			t.Errorf("%v, want %v", err, x.want)
		}
	}
}

// Numbers are given in the type of their part.
func TestAppend(t *testing.T) {
	odd := []float64{1, -1, 300, 2.7, math.NaN(), math.Inf(1)}
	if got, want := Color.Append(nil, odd), []byte{1, 0, 255, 2, 0, 255}; !reflect.DeepEqual(got, want) {
		t.Errorf("colours %v", got)
	}
	if got := Face.Append(nil, odd); len(got) != 24 || got[4] != 0xff || got[12] != 2 || got[23] != 0x7f {
		t.Errorf("faces %v", got)
	}
	if got := Vertex.Append(nil, odd[:1]); !reflect.DeepEqual(got, []byte{0, 0, 0x80, 0x3f}) {
		t.Errorf("vertices %v", got)
	}
}

// FuzzRead: whatever the bytes are, what is read is as long as it says.
func FuzzRead(f *testing.F) {
	whole := floats([]int64{2, 1, 3}, 1, 2, 3, 4, 5, float32(math.NaN()))
	f.Add(whole, content(2, 1, 3))
	for i := range whole {
		f.Add(whole[:i], content(int32(i), -1))
	}
	f.Fuzz(func(t *testing.T, tensor, meta []byte) {
		if a, err := Read(tensor); err == nil {
			if a.Samples < 0 || a.N < 0 || len(a.Values) != 3*a.Samples*a.N {
				t.Errorf("%d samples of %d rows in %d numbers", a.Samples, a.N, len(a.Values))
			}
			for i := range a.Samples {
				for _, p := range Parts {
					p.Append(nil, a.Sample(i))
				}
			}
		}
		if i, _ := DecodeInfo(meta); i.Components == 0 || len(i.Shape) > len(meta) {
			t.Errorf("%+v", i)
		}
	})
}
