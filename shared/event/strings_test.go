package event

import (
	"bytes"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// text makes a DT_STRING tensor.
func text(shape []int64, elements ...string) []byte {
	b := []byte{1<<3 | 0, byte(String)}
	var dims []byte
	for _, d := range shape {
		dim := protowire.AppendVarint([]byte{1<<3 | 0}, uint64(d))
		dims = protowire.AppendBytes(append(dims, 2<<3|2), dim)
	}
	b = protowire.AppendBytes(append(b, 2<<3|2), dims)
	for _, e := range elements {
		b = protowire.AppendBytes(append(b, 8<<3|2), []byte(e))
	}
	return b
}

func TestStrings(t *testing.T) {
	for _, c := range []struct {
		tensor    []byte
		shape     []int64
		elements  []string
		wantError bool
	}{
		{text(nil, "a"), []int64{}, []string{"a"}, false},
		{text([]int64{1}, "a"), []int64{1}, []string{"a"}, false},
		{text([]int64{2, 2}, "a", "b", "c", "d"), []int64{2, 2}, []string{"a", "b", "c", "d"}, false},
		{text([]int64{2, 0}), []int64{2, 0}, nil, false},
		{text([]int64{1 << 40, 1 << 40}, "a"), []int64{1}, []string{"a"}, false},
		{text([]int64{-1}, "a", "b"), []int64{2}, []string{"a", "b"}, false},
		{text([]int64{3}, "a", "b"), []int64{2}, []string{"a", "b"}, false},
		{[]byte{1<<3 | 0, byte(Float)}, nil, nil, true},
		{text(nil, "abc")[:6], nil, nil, true},
		{nil, nil, nil, true},
	} {
		shape, elements, err := Strings(c.tensor)
		if (err != nil) != c.wantError {
			t.Errorf("%x: %v", c.tensor, err)
			continue
		}
		var got []string
		for _, e := range elements {
			got = append(got, string(e))
		}
		if err == nil && (!slices.Equal(shape, c.shape) || !slices.Equal(got, c.elements)) {
			t.Errorf("%x: shape %v, elements %q, want %v, %q", c.tensor, shape, got, c.shape, c.elements)
		}
	}
}

// Of a tensor that is cut anywhere come its whole elements and the beginning of one.
func FuzzCutStrings(f *testing.F) {
	f.Add("hello", "world", 12)
	f.Fuzz(func(t *testing.T, a, b string, n int) {
		whole := text([]int64{2}, a, b)
		n = min(max(n, 0), len(whole))
		got := bytes.Join(CutStrings(whole[:n]), nil)
		if !bytes.HasPrefix([]byte(a+b), got) {
			t.Errorf("%q is no beginning of %q", got, a+b)
		}
		if n == len(whole) && string(got) != a+b {
			t.Errorf("of all of %q came %q", a+b, got)
		}
		Strings(whole[:n])
		ends := []int64{int64(len(text([]int64{2}, a))), int64(len(whole))}
		if end, ok := CutAt(whole[:n]); ok && end != ends[0] && end != ends[1] || ok && end <= int64(n) {
			t.Errorf("cut after %d bytes: the text ends at %d, not at one of %d", n, end, ends)
		}
	})
}

// Where the last element of a tensor ends that was cut is told by its length, whatever
// stands before it.
func TestCutAt(t *testing.T) {
	whole := text([]int64{2}, "hello", "wonderful")
	other := protowire.AppendBytes([]byte{5<<3 | 2}, []byte("1234"))
	first := len(text([]int64{2}, "hello"))
	for name, c := range map[string]struct {
		tensor []byte
		end    int
	}{
		"in the second":              {whole[:len(whole)-3], len(whole)},
		"in the first":               {whole[:first-2], first},
		"after its length":           {whole[:first-5], first},
		"after another field":        {append(slices.Clone(other), whole[:len(whole)-3]...), len(other) + len(whole)},
		"not at all":                 {whole, -1},
		"between two":                {whole[:first], -1},
		"in a length":                {append(slices.Clone(whole[:first]), 8<<3|2, 0x80), -1},
		"in another field":           {append(slices.Clone(whole[:first]), 5<<3|2, 9), -1},
		"of a length that cannot be": {append(slices.Clone(whole[:first]), append([]byte{8<<3 | 2}, protowire.AppendVarint(nil, 1<<63)...)...), -1},
	} {
		if end, ok := CutAt(c.tensor); ok != (c.end >= 0) || ok && end != int64(c.end) {
			t.Errorf("cut %s: ends at %d, %v; want %d", name, end, ok, c.end)
		}
	}
}
