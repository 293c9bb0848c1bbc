package near

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// What is packed into a frame comes out of it, whatever the columns hold and however long they
// are; a frame that breaks off is none, or has less.
func TestFrames(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	odd := []uint64{0, math.MaxUint64, math.Float64bits(math.NaN()), math.Float64bits(math.Inf(-1)), 1 << 63, 1<<32 - 1, 1 << 32}
	for n := range 300 {
		e := wire.Envelope{Op: wire.OpAnswer, ID: n, More: n%2 == 0, Part: 1, Of: 2, Err: "no", Fault: "nor this", Body: []byte("body")[:n%5%4], Head: []byte("[123456789]")[:n%11]}
		for i := range n {
			w := random.Uint64()
			if n%3 == 0 {
				w = odd[i%len(odd)]
			}
			e.Words = append(e.Words, w)
		}
		frame := Append([]byte("before"), &e)[6:]
		got, err := Cut(frame)
		if err != nil {
			t.Fatal(n, err)
		}
		for _, m := range []*wire.Envelope{&e, &got} {
			m.Body, m.Head, m.Words, m.Bytes = append([]byte{}, m.Body...), append([]byte{}, m.Head...), append([]uint64{}, m.Words...), append([]byte{}, m.Bytes...)
		}
		if !reflect.DeepEqual(got, e) {
			t.Fatalf("%d words: %+v, not %+v", n, got, e)
		}
		for range 20 {
			Cut(frame[:random.IntN(len(frame))])
		}
	}
}
