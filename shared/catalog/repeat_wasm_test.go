//go:build wasm && !purego

package catalog

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

// alike makes a file as training loops log them, with all that may stop one: steps that jump or
// get longer, values that are no numbers, forms that change, events of other kinds, and
// changed bytes under checksums that are right.
func alike(t *testing.T, r *rand.Rand) []byte {
	tags, n := 1+r.IntN(5), r.IntN(3000)
	step, stride := int64(r.IntN(1<<(1+r.IntN(37)))), int64(r.IntN(200))
	jumps, odd := 1+r.IntN(1+r.IntN(400)), 1+r.IntN(1+r.IntN(2000))
	clock := summary.Ticks(time.Unix(1.7e9, 0), time.Duration(1+r.IntN(1e9)))
	b := file(t, summary.Options{Clock: clock}, func(w *summary.Buffer) {
		for range n {
			if r.IntN(jumps) == 0 {
				step += int64(r.IntN(500)) - 100
			}
			for tag := range tags {
				var options []summary.Option
				if tag%3 == 1 {
					options = append(options, summary.AsTensor())
				}
				v := float64(float32(r.NormFloat64()))
				if r.IntN(odd) == 0 {
					switch v = []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Pi, 0}[r.IntN(5)]; r.IntN(4) {
					case 0:
						options = append(options, summary.Double())
					case 1:
						if err := w.Text("note", "text", step); err != nil {
							t.Fatal(err)
						}
					}
				}
				if err := w.Scalar(fmt.Sprintf("tag %d", tag), v, step, options...); err != nil {
					t.Fatal(err)
				}
			}
			step += stride
		}
	})
	changed := 1 + r.IntN(1+r.IntN(3000))
	var out []byte
	for i, d := range damage.Records(b) {
		from, to := d.Payload()
		if i == 0 || to-from < 20 || r.IntN(changed) != 0 {
			out = append(out, b[d.Offset:d.Offset+d.Size]...)
			continue
		}
		if r.IntN(3) == 0 { // the frame: a length, its checksum, that of the payload
			out = append(out, damage.Flip(b[d.Offset:d.Offset+d.Size], []int{r.IntN(12), 0, 8, to - d.Offset}[r.IntN(4)], uint(r.IntN(8)))...)
			continue
		}
		payload := bytes.Clone(b[from:to])
		at := []int{1 + r.IntN(8), 10 + r.IntN(3), len(payload) - 1 - r.IntN(5), r.IntN(len(payload))}[r.IntN(4)]
		payload[at] ^= byte(r.Uint32())
		if r.IntN(4) == 0 { // a NaN that signals, if a value ends the payload
			copy(payload[len(payload)-4:], "\x01\x00\xa0\x7f")
		}
		out = tfrecord.Append(out, payload)
	}
	return out
}

// The loop of repeat_wasm.s and the code in Go read every file alike, in whatever windows it
// comes, thinned meanwhile or not. SEED in the environment is another one than the usual.
func TestRepeats(t *testing.T) {
	seed, _ := strconv.ParseUint(os.Getenv("SEED"), 10, 64)
	r := rand.New(rand.NewPCG(seed, 1))
	defer func() { inGo, repeated = false, 0 }()
	repeated = 0
	all := 0
	for i := range 60 {
		b, plan := alike(t, r), ""
		if r.IntN(3) == 0 && len(b) > 0 {
			b, plan = spoil(r, b)
		}
		sizes := []int{r.IntN(len(b) + 1), len(b)}
		windows, thins := r.Uint64(), r.IntN(3) == 0
		read := func(in bool) string {
			inGo = in
			f := NewRun("r").AddFile("f")
			w := rand.New(rand.NewPCG(windows, 2))
			for _, n := range sizes {
				grow(f, b, []int{n}, func() int64 { return int64(1 + w.IntN(1+w.IntN(1<<17))) })
				if thins {
					for _, s := range f.cur.order {
						s.Scalars.Thin()
					}
				}
			}
			return state(f) + fmt.Sprintf("%x", f.AppendStored(nil)) // every bit of a NaN too
		}
		want, got := read(true), read(false)
		if got != want {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			cut := func(s string) string { return s[max(0, min(at-100, len(s))):min(at+100, len(s))] }
			t.Fatalf("log %d of seed %d,%s: they differ at %d:\n%s\n%s", i, seed, plan, at, cut(got), cut(want))
		}
		all += len(b)
	}
	// Were it never to take a record, nothing but the speed would tell.
	if repeated < all/4 {
		t.Errorf("of %d bytes the loop has taken %d", all, repeated)
	}
	t.Logf("of %d bytes the loop has taken %d", all, repeated)
}

// Of a training loop's log nothing is left for the code in Go but what its columns need to grow.
func TestRepeatsAll(t *testing.T) {
	defer func() { repeated = 0 }()
	b := scalarFile(20, 10_000)
	repeated = 0
	NewRun("r").AddFile("f").Feed(b, true)
	if repeated < len(b)*97/100 {
		t.Errorf("of %d bytes the loop has taken %d", len(b), repeated)
	}
}
