package summary_test

import (
	"encoding/binary"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

// FuzzScalar: the oracle reads what was written, or the tag was refused.
func FuzzScalar(f *testing.F) {
	f.Add("loss/train", 0.1, int64(7), 1.7e9, true, "")
	f.Add("", 0.0, int64(0), 0.0, false, "d")
	f.Add("a\x00", math.NaN(), int64(-1), math.Copysign(0, -1), false, "")
	f.Add(strings.Repeat("long", 50), math.Inf(1), int64(math.MaxInt64), 1e300, true, "x")
	f.Fuzz(func(t *testing.T, tag string, value float64, step int64, wall float64, double bool, description string) {
		w := summary.NewBuffer(summary.Options{NoVersion: true})
		opts := []summary.Option{summary.WallSeconds(wall)}
		if double {
			opts = append(opts, summary.Double())
		}
		if description != "" {
			opts = append(opts, summary.Description(strings.ToValidUTF8(description, "?")))
		}
		err := w.Scalar(tag, value, step, opts...)
		good := tag != "" && utf8.ValidString(tag) && !strings.Contains(tag, "\x00") && wall-wall == 0
		if good != (err == nil) {
			t.Fatalf("error %v", err)
		}
		if !good {
			return
		}
		m := decode(t, "Event", payloads(t, w.Bytes())[0])
		v := get(m, "summary", "value", 0).Message()
		if get(v, "tag").String() != tag || get(m, "step").Int() != step || math.Float64bits(get(m, "wall_time").Float()) != math.Float64bits(wall) {
			t.Errorf("read %v", m)
		}
		if double {
			if got := get(v, "tensor", "double_val", 0).Float(); !same(got, value) {
				t.Errorf("value %v read as %v", value, got)
			}
		} else if got := get(v, "simple_value").Float(); !same(got, float64(float32(value))) {
			t.Errorf("value %v read as %v", value, got)
		}
	})
}

// FuzzHistogram: buckets lie side by side, hold all finite values, and cover
// them, whatever the form.
func FuzzHistogram(f *testing.F) {
	floats := func(v ...float64) (b []byte) {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
		return b
	}
	f.Add(floats(1, 2, 3, math.NaN()), 30, uint8(0))
	f.Add(floats(-math.MaxFloat64, math.MaxFloat64, 0), 3, uint8(1))
	f.Add(floats(5e-324, 0), 7, uint8(2))
	f.Add(floats(1e21, -1e21, 1e-13), 1, uint8(3))
	f.Fuzz(func(t *testing.T, raw []byte, k int, form uint8) {
		var values []float64
		finite := 0.0
		lo, hi := math.Inf(1), math.Inf(-1)
		for ; len(raw) >= 8; raw = raw[8:] {
			x := math.Float64frombits(binary.LittleEndian.Uint64(raw))
			values = append(values, x)
			if x-x == 0 {
				finite++
				lo, hi = min(lo, x), max(hi, x)
			}
		}
		k = 1 + k&0xff
		opts := [][]summary.Option{
			{summary.Buckets(k)},
			{summary.ExponentialBuckets()},
			{summary.Bounds(-1, 0, float64(k))},
			{summary.Legacy()},
			{summary.Legacy(), summary.Buckets(k)},
		}[form%5]
		w := summary.NewBuffer(summary.Options{NoVersion: true})
		err := w.Histogram("h", values, 1, opts...)
		var bad *summary.NonFiniteError
		if errors.As(err, &bad) != (finite < float64(len(values))) || err != nil && bad == nil {
			t.Fatalf("error %v", err)
		}
		v := get(decode(t, "Event", payloads(t, w.Bytes())[0]), "summary", "value", 0).Message()
		var left, right, counts []float64
		if form%5 >= 3 {
			limits, n := get(v, "histo", "bucket_limit").List(), get(v, "histo", "bucket").List()
			for i := range limits.Len() {
				right, counts = append(right, limits.Get(i).Float()), append(counts, n.Get(i).Float())
			}
			if finite > 0 {
				left = append([]float64{get(v, "histo", "min").Float()}, right...)
				left = left[:len(right)]
				right[len(right)-1] = max(right[len(right)-1], get(v, "histo", "max").Float())
			}
		} else {
			flat := get(v, "tensor", "double_val").List()
			for i := 0; i < flat.Len(); i += 3 {
				left, right, counts = append(left, flat.Get(i).Float()), append(right, flat.Get(i+1).Float()), append(counts, flat.Get(i+2).Float())
			}
		}
		sum := 0.0
		for i, n := range counts {
			sum += n
			if finite == 0 {
				continue
			}
			if i > 0 && left[i] != right[i-1] || i > 0 && left[i] > right[i] {
				t.Errorf("bucket %d is %v…%v, the one before ends at %v", i, left[i], right[i], right[i-1])
			}
		}
		if sum != finite {
			t.Errorf("%v values counted, %v given", sum, finite)
		}
		if finite > 0 && (left[0] > lo || right[len(right)-1] < hi) {
			t.Errorf("buckets %v…%v do not cover %v…%v", left[0], right[len(right)-1], lo, hi)
		}
	})
}

// FuzzHalf: of all 16-bit patterns, the nearest is chosen.
func FuzzHalf(f *testing.F) {
	for _, x := range []float64{0, 1, 65504, 65520, 65519.999, 6e-8, 2.9e-8, -1.0009765625, math.NaN(), math.Inf(-1), 3.4e38, 1e-40} {
		f.Add(x)
	}
	f.Fuzz(func(t *testing.T, x float64) {
		for dtype, form := range map[summary.DType]struct {
			fraction, bias int
			mask           int32
		}{summary.Float16: {10, 15, 0x7c00}, summary.BFloat16: {7, 127, 0x7f80}} {
			tensor, _ := summary.ScalarTensor(dtype, x)
			w := summary.NewBuffer(summary.Options{NoVersion: true})
			w.Raw(summary.Event{Values: []summary.Value{summary.TensorValue("a", tensor, summary.Metadata{})}})
			m := decode(t, "Event", payloads(t, w.Bytes())[0])
			bits := int32(get(m, "summary", "value", 0, "tensor", "half_val", 0).Int())
			// The value of a pattern, without its sign; beyond the greatest it is
			// the next power of two, as rounding sees it.
			value := func(b int32) float64 {
				e, frac := int(b>>form.fraction), float64(b&(1<<form.fraction-1))
				if e == 0 {
					return math.Ldexp(frac, 1-form.bias-form.fraction)
				}
				return math.Ldexp(frac+float64(int(1)<<form.fraction), e-form.bias-form.fraction)
			}
			magnitude := bits &^ 0x8000
			if math.IsNaN(x) {
				if magnitude <= form.mask {
					t.Errorf("NaN gives %#x", bits)
				}
				continue
			}
			if (bits&0x8000 != 0) != math.Signbit(x) || magnitude > form.mask {
				t.Fatalf("%v gives %#x", x, bits)
			}
			a := math.Min(math.Abs(x), value(form.mask))
			d := math.Abs(value(magnitude) - a)
			for _, other := range []int32{magnitude - 1, magnitude + 1} {
				if other < 0 || other > form.mask {
					continue
				}
				if o := math.Abs(value(other) - a); o < d || o == d && magnitude&1 == 1 {
					t.Errorf("%v gives %#x, but %#x is nearer", x, magnitude, other)
				}
			}
		}
	})
}

// FuzzRecord: any payload comes back, and the bytes are those of
// tfrecord.Append.
func FuzzRecord(f *testing.F) {
	f.Add([]byte(nil), 1)
	f.Add([]byte("payload"), 100)
	f.Fuzz(func(t *testing.T, payload []byte, queue int) {
		w := summary.NewWriterTo(discard{}, summary.Options{NoVersion: true, FlushInterval: -1})
		if err := w.RawRecord(payload); err != nil {
			t.Fatal(err)
		}
		b := summary.NewBuffer(summary.Options{NoVersion: true, QueueSize: queue})
		b.RawRecord(payload)
		b.RawRecord(nil)
		if want := tfrecord.Append(tfrecord.Append(nil, payload), nil); string(b.Bytes()) != string(want) {
			t.Errorf("wrote %x, want %x", b.Bytes(), want)
		}
	})
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

// FuzzEmbeddingTag: the tag's directory stays inside the run.
func FuzzEmbeddingTag(f *testing.F) {
	for _, tag := range []string{"a", "../..", "/etc", `\\host\c`, ".", "%2f", "a\x01\"b"} {
		f.Add(tag)
	}
	f.Fuzz(func(t *testing.T, tag string) {
		if len(tag) > 80 {
			return // file systems end names at 255 bytes, escapes triple them
		}
		root := t.TempDir()
		w, err := summary.NewWriter(filepath.Join(root, "run"), summary.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		err = w.Embedding(tag, summary.Embedding{Vectors: [][]float64{{1}}}, 3)
		var bad *summary.TagError
		if errors.As(err, &bad) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		files, _ := filepath.Glob(filepath.Join(root, "run", "00003", "*", "tensors.tsv"))
		all, _ := filepath.Glob(filepath.Join(root, "*"))
		if len(files) != 1 || len(all) != 1 {
			t.Errorf("files %v in %v", files, all)
		}
	})
}
