package series

import (
	"bytes"
	"math"
	"testing"
)

// What a series was stored as stays as it is when points are added to the series that came
// from it: also those of a chunk that was just full.
func TestStoredStays(t *testing.T) {
	for _, n := range []int64{3 * ChunkPoints, 4 * ChunkPoints, 4*ChunkPoints - 1, 4*ChunkPoints + 1} {
		for _, wide := range []bool{false, true} {
			var s, again Scalars
			add := func(s *Scalars, from, to int64) {
				for i := from; i < to; i++ {
					s.Append(2*i, float64(i), float64(i%97), !wide, 10*i)
				}
			}
			add(&s, 0, 3*ChunkPoints)
			s.Thin()
			add(&s, 3*ChunkPoints, n)
			b := s.AppendBinary(nil)
			before := bytes.Clone(b)
			if _, err := again.DecodeBinary(b, math.MaxInt64); err != nil {
				t.Fatal(err)
			}
			add(&again, n, n+3*ChunkPoints)
			again.Thin()
			add(&s, n, n+3*ChunkPoints)
			s.Thin()
			if !bytes.Equal(b, before) {
				t.Errorf("%d points, wide %v: the stored form has changed", n, wide)
			}
			if !bytes.Equal(again.AppendBinary(nil), s.AppendBinary(nil)) {
				t.Errorf("%d points, wide %v: what goes on from the stored form is another series", n, wide)
			}
		}
	}
}
