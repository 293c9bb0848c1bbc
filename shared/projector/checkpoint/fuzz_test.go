package checkpoint

import (
	"bytes"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// What stands below the checksums takes any bytes: it ends, and makes no more than its bytes can.
func FuzzParts(f *testing.F) {
	f.Add([]byte("\x0f\x18abcdefg\x11\x07"))
	f.Add([]byte("\x00\x01\x02aab\x01\x01\x01bc\x00\x00\x00\x00\x01\x00\x00\x00"))
	f.Add([]byte{8, 1, 18, 8, 18, 2, 8, 5, 18, 2, 8, 3, 32, 4, 40, 60})
	f.Fuzz(func(t *testing.T, b []byte) {
		if out, ok := unsnap(b); ok && len(out) > 64*len(b)+64 {
			t.Errorf("%d bytes of %d", len(out), len(b))
		}
		last := ""
		_ = entries("f", b, func(key string, value []byte) (bool, error) {
			if len(value) > len(b) {
				t.Errorf("a value of %d bytes", len(value))
			}
			last = key
			return true, nil
		})
		_ = last
		if e, ok := readEntry(b); ok {
			if _, ok := tensor.Elements(e.shape); !ok {
				t.Errorf("%v", e.shape)
			}
		}
		if out, _ := numbers(nil, b, 3); len(out) > len(b) {
			t.Errorf("%d numbers of %d bytes", len(out), len(b))
		}
		if list, ok := slice(b); ok {
			sliceKey("n", list)
		}
	})
}

// Snappy's own example of a copy that overlaps itself, and lies about lengths.
func TestUnsnap(t *testing.T) {
	if out, ok := unsnap([]byte{10, 0, 'a', 1 | 5<<2, 1}); !ok || !bytes.Equal(out, []byte("aaaaaaaaaa")) {
		t.Errorf("%q %v", out, ok)
	}
	for _, b := range [][]byte{{}, {10}, {200, 1, 0, 'a'}, {2, 0, 'a', 1, 9}, {1, 8, 'a'}, {255, 255, 255, 255, 15, 0, 'a'}, {0xff}} {
		if out, ok := unsnap(b); ok {
			t.Errorf("%v: %q", b, out)
		}
	}
}

// Keys of slices as TensorFlow's ordered code writes them (ordered_code_test.cc): numbers sort as bytes.
func TestSigned(t *testing.T) {
	last := []byte(nil)
	for _, v := range []int64{-1 << 63, -1 << 40, -8193, -8192, -8191, -65, -64, -63, -1, 0, 1, 63, 64, 8191, 8192, 1 << 20, 1 << 27, 1 << 34, 1 << 62, 1<<63 - 1} {
		b := signed(nil, v)
		if bytes.Compare(last, b) >= 0 {
			t.Errorf("%d is %x, not above %x", v, b, last)
		}
		last = b
	}
	for v, want := range map[int64]string{0: "\x80", 63: "\xbf", -64: "\x40", 64: "\xc0\x40", -65: "\x3f\xbf", 8192: "\xe0\x20\x00"} {
		if got := string(signed(nil, v)); got != want {
			t.Errorf("%d is %x, not %x", v, got, want)
		}
	}
}
