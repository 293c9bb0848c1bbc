package near

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// curves is a message with columns as curves have them.
func curves(words, head, body int) wire.Envelope {
	e := wire.Envelope{Op: wire.OpAnswer, ID: 7, More: true, Part: 1, Of: 3, Body: bytes.Repeat([]byte("tag "), body), Head: bytes.Repeat([]byte("[1]"), head)}
	for i := range words {
		e.Words = append(e.Words, uint64(i*i))
	}
	return e
}

// deflate and inflate are as package reading has them, of another library.
func deflate(pieces ...[]byte) []byte {
	var out bytes.Buffer
	w, _ := flate.NewWriter(&out, flate.BestSpeed)
	size := 0
	for _, b := range pieces {
		size += len(b)
		w.Write(b)
	}
	w.Close()
	if out.Len() >= size {
		return nil
	}
	return out.Bytes()
}

func inflate(b []byte) ([]byte, error) { return io.ReadAll(flate.NewReader(bytes.NewReader(b))) }

// tight are the columns of e, deflated.
func tight(e *wire.Envelope) *Columns {
	c := Pack(e)
	c.Tighten(deflate)
	return c
}

// What a page is sent is what was to be said, and no longer than it would be as it is; what is long
// is much shorter. It is the same for all whose columns are shared, at whatever time they ask.
func TestTight(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, words := range []int{0, 1, 63, 64, 65, 1000, 5001} {
		for _, head := range []int{0, 1, 7, 400} {
			for _, body := range []int{0, 3, 500} {
				want := curves(words, head, body)
				if words == 65 { // there is nothing to be gained
					for i := range want.Words {
						want.Words[i] = random.Uint64()
					}
				}
				if words == 1 {
					want.Words, want.Bytes = nil, bytes.Repeat([]byte("picture"), 1+head*3)
				}
				plain := Append(nil, &want)
				c := tight(&want)
				var wait sync.WaitGroup
				frames := make([][]byte, 4)
				for i := range frames {
					wait.Go(func() {
						e := want
						e.ID = i
						e.Words, e.Bytes, e.Head = nil, nil, nil
						frames[i] = slices.Concat(Tight(&e, c, deflate)...)
					})
				}
				wait.Wait()
				for i, frame := range frames {
					what := fmt.Sprintf("%d words, head of %d, body of %d, viewer %d", words, head, body, i)
					if len(frame) > len(plain) || len(plain) > 3000 && words != 65 && len(frame) > len(plain)/2 {
						t.Errorf("%s: %d bytes, %d as it is", what, len(frame), len(plain))
					}
					loose, err := Loose(frame, inflate)
					if err != nil {
						t.Fatal(what, err)
					}
					got, err := Cut(loose)
					if err != nil {
						t.Fatal(what, err)
					}
					want.ID = i
					for _, m := range []*wire.Envelope{&want, &got} {
						m.Body, m.Head, m.Words, m.Bytes = append([]byte{}, m.Body...), append([]byte{}, m.Head...), append([]uint64{}, m.Words...), append([]byte{}, m.Bytes...)
					}
					if !reflect.DeepEqual(got, want) {
						t.Fatalf("%s: %+v, not %+v", what, got, want)
					}
				}
			}
		}
	}
}

// Who hears a page inflates nothing for it.
func TestTightIsNotHeard(t *testing.T) {
	for _, e := range []wire.Envelope{curves(1000, 3, 3), curves(0, 0, 500), curves(0, 400, 0)} {
		frame := slices.Concat(Tight(&e, tight(&e), deflate)...)
		if _, err := Cut(frame); err != ErrFrame {
			t.Errorf("%d words, %d bytes: %v", len(e.Words), len(e.Body), err)
		}
	}
}

// Bytes that are no frame give an error, whatever they are.
func FuzzLoose(f *testing.F) {
	for _, e := range []wire.Envelope{curves(1000, 3, 3), curves(3, 1, 500), curves(70, 400, 0), {}} {
		f.Add(slices.Concat(Tight(&e, tight(&e), deflate)...))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		Cut(frame)
		if loose, err := Loose(frame, inflate); err == nil {
			Cut(loose)
		}
	})
}
