package series

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"
)

// Whatever the bits of wall times are, packing keeps them.
func FuzzPackWall(f *testing.F) {
	var odd []byte
	for _, w := range []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), -1.7e9, 5e-324, math.MaxFloat64, 1.7e9, 1.7e9 + 1e-6} {
		odd = binary.LittleEndian.AppendUint64(odd, math.Float64bits(w))
	}
	f.Add(odd)
	var even []byte
	for i := range 300 {
		even = binary.LittleEndian.AppendUint64(even, math.Float64bits(1.7e9+float64(i)/7))
	}
	f.Add(even)
	// Differences of differences of every length that a number may have.
	var lengths []byte
	at, slope := int64(0), int64(0)
	for bits := range 63 {
		for _, d := range []int64{1<<bits - 1, 1 << bits, -1 << bits, 1<<bits | 0x55} {
			slope += d
			at += slope
			lengths = binary.LittleEndian.AppendUint64(lengths, uint64(at))
		}
	}
	f.Add(lengths)
	f.Add([]byte("\x80\x80\x01\x80\x01\x01\x80\x80\x01\x80\x80\x01\x01\x02\x80\x01\x80\x01\x80\x01\x80\x01\x80\x80\x80\x01\x01\x01\x01\x01\x80\x80\x01"))
	f.Add([]byte("\x01\x01\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01")) // one is too long
	f.Add([]byte("\x01\x01\x01\x01\x01\x01\x01\x80\x80\x01\x80\x01\x01\x80\x01\x01\x80\x01\x01\x01\x01\x01\x01\x01\x01\x01"))
	f.Fuzz(func(t *testing.T, b []byte) {
		wall := make([]float64, len(b)/8)
		for i := range wall {
			wall[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		}
		got := unpackWall(nil, packWall(wall), len(wall))
		for i := range wall {
			if math.Float64bits(got[i]) != math.Float64bits(wall[i]) {
				t.Fatalf("wall time %d: %x in place of %x", i, math.Float64bits(got[i]), math.Float64bits(wall[i]))
			}
		}
		numbers, whole := 0, true // of any bytes at all
		for rest := b; len(rest) > 0; numbers++ {
			_, size := binary.Uvarint(rest)
			if size <= 0 {
				whole = false
				break
			}
			rest = rest[size:]
		}
		for n := max(0, numbers-9); n < numbers+20; n++ {
			if got, want := packsWall(b, n), whole && n == numbers; got != want {
				t.Fatalf("%x are %d wall times: %v, want %v", b, n, got, want)
			}
		}
		if n := len(unpackWall(nil, b, 50)); n != 50 {
			t.Fatalf("%d wall times in place of 50", n)
		}
	})
}

// A clock that ticks evenly to half a millisecond takes two bytes a point.
func TestPackedWallIsSmall(t *testing.T) {
	var s Scalars
	for i := range 100 * ChunkPoints {
		s.Append(int64(i), 1.7e9+float64(i)*0.25+0.0004*math.Sin(float64(i*i)), 0, true, 0)
	}
	bytes := 0
	for _, c := range s.chunks[:len(s.chunks)-1] {
		if c.wall != nil {
			t.Fatal("a full chunk's wall times are not packed")
		}
		bytes += len(c.packed)
	}
	if per := float64(bytes) / (99 * ChunkPoints); per > 2.1 {
		t.Errorf("%.2f bytes a wall time", per)
	}
}

// Points that are added after the series was settled, thinned, or came from the
// cache, stand where they would otherwise.
func TestAppendBehindPacked(t *testing.T) {
	c := points(4*ChunkPoints+100, 5)
	for _, n := range []int{1, 500, ChunkPoints - 1, ChunkPoints, ChunkPoints + 1, 3 * ChunkPoints} {
		for _, thin := range []int{0, 3} {
			var whole, stored Scalars
			fill(&whole, &c, 0, n)
			for range thin {
				whole.Thin()
			}
			whole.Settle()
			whole.Settle() // once more changes nothing
			if _, err := stored.DecodeBinary(whole.AppendBinary(nil), math.MaxInt64); err != nil {
				t.Fatal(err)
			}
			fill(&whole, &c, n, c.Len())
			fill(&stored, &c, n, c.Len())
			if thin == 0 && fmt.Sprint(*columns(&whole)) != fmt.Sprint(c) {
				t.Errorf("settled after %d points: columns differ from what was logged", n)
			}
			if fmt.Sprint(*columns(&whole)) != fmt.Sprint(*columns(&stored)) {
				t.Errorf("stored after %d points and %d thinnings: columns differ", n, thin)
			}
			if fmt.Sprint(whole.Marks()) != fmt.Sprint(stored.Marks()) {
				t.Errorf("stored after %d points and %d thinnings: marks differ", n, thin)
			}
		}
	}
}
