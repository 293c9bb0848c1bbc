package event_test

import (
	"bytes"
	"math"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

// A mould must fit the records that it is for: were it never to fit, nothing but the
// speed would tell.
func TestMouldFits(t *testing.T) {
	for name, options := range map[string][]summary.Option{
		"simple value": nil,
		"tensor":       {summary.AsTensor()},
		"named tensor": {summary.AsTensor(), summary.DisplayName("Loss"), summary.Description("of the training")},
	} {
		w := summary.NewBuffer(summary.Options{Clock: summary.Ticks(time.Unix(1.7e9, 0), 123456789*time.Nanosecond)})
		values := []float64{0.1, -3, math.Pi, math.NaN(), math.Inf(-1), 0.5, 1e-30, 7}
		steps := []int64{1000, 1001, 128, 16383, 9999, 200, 1000, 130} // of two bytes
		for i, v := range values {
			if err := w.Scalar("train/loss", v, steps[i], options...); err != nil {
				t.Fatal(err)
			}
		}
		b := w.Bytes()
		var m *event.Mould
		n := 0
		for _, r := range damage.Records(b) {
			from, to := r.Payload()
			p, ok := event.Plain(b[from:to])
			if !ok {
				continue
			}
			if n++; n == 1 {
				continue // the first one may say more than the others
			}
			if m == nil {
				if m = event.NewMould(b[r.Offset:r.Offset+r.Size], &p); m == nil {
					t.Fatalf("%s: no mould", name)
				}
			}
			// Some bytes must follow, as other records do.
			step, wall, value, ok := m.Match(append(bytes.Clone(b[r.Offset:r.Offset+r.Size]), make([]byte, 16)...), tfrecord.Changes())
			switch {
			case !ok:
				t.Errorf("%s: record %d does not fit", name, n)
			case (step != p.Step || wall != p.WallTime || math.Float32bits(value) != math.Float32bits(p.Value) || int64(m.Size()) != int64(r.Size)):
				t.Errorf("%s: record %d is %d, %g, %g in place of %+v", name, n, step, wall, value, p)
			}
		}
		if n != len(values) {
			t.Errorf("%s: %d records", name, n)
		}
	}
}

// FuzzMould: what fits a mould, Cut and Plain read alike; and a mould fits what
// differs in wall time and value alone.
func FuzzMould(f *testing.F) {
	for _, p := range seeds(f) {
		f.Add(p, []byte{1, 2, 3, 4, 5, 6, 7, 8}, []byte{0, 0, 0, 0}, true)
		f.Add(p, []byte{12, 1}, []byte{3, 0xff}, false)
	}
	f.Fuzz(func(t *testing.T, payload, wall, flips []byte, mend bool) {
		p, ok := event.Plain(payload)
		if !ok {
			return
		}
		record := tfrecord.Append(nil, payload)
		m := event.NewMould(record, &p)
		if m == nil {
			if len(payload) <= tfrecord.Reach && p.Step1-p.Step0 <= 5 {
				t.Fatal("no mould")
			}
			return
		}
		// Another wall time, another value: it fits.
		other := bytes.Clone(payload)
		copy(other[1:9], wall)
		copy(other[p.Value0:p.Value0+4], flips)
		check(t, m, append(tfrecord.Append(nil, other), make([]byte, 16)...), true)
		// Anything else changed anywhere: it fits only if it is read alike.
		rest := append(bytes.Clone(record), make([]byte, 16)...)
		if mend {
			for i := 0; i+1 < len(flips); i += 2 {
				other[int(flips[i])%len(other)] ^= flips[i+1]
			}
			rest = append(tfrecord.Append(nil, other), make([]byte, 16)...)
		} else {
			for i := 0; i+1 < len(flips); i += 2 {
				rest[int(flips[i])%len(rest)] ^= flips[i+1]
			}
		}
		check(t, m, rest, false)
		check(t, m, rest[:len(record)/2], false)
	})
}

// check holds what a mould makes of b against the general way.
func check(t *testing.T, m *event.Mould, b []byte, must bool) {
	t.Helper()
	step, wall, value, ok := m.Match(b, tfrecord.Changes())
	if !ok {
		if must {
			t.Fatal("a record that is alike does not fit")
		}
		return
	}
	payload, size, status := tfrecord.Cut(b)
	p, plain := event.Plain(payload)
	if status != tfrecord.OK || size != m.Size() || !plain || p.Step != step ||
		math.Float64bits(p.WallTime) != math.Float64bits(wall) || math.Float32bits(p.Value) != math.Float32bits(value) {
		t.Fatalf("%v, %+v is read as %d, %g, %g", status, p, step, wall, value)
	}
}
