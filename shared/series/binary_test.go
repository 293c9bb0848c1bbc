package series

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

// What bounds the steps of a chunk is the same whether they are looked at one by one or, where they go
// evenly, at their ends: no number is so large that it is taken for even and goes round.
func TestEvenSteps(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	number := func() int64 { return int64(random.Uint64()) >> random.IntN(64) }
	for i := range 20_000 {
		c := chunk{n: 1 + random.IntN(50), step0: number(), stride: number()}
		if c.span = int64(c.n); i%3 == 0 {
			c.span = number()
		}
		if i%5 == 0 {
			c.steps = make([]int64, c.n)
		}
		if !c.even() {
			continue
		}
		lo, hi := c.step0, c.step0
		for i := range c.n {
			lo, hi = min(lo, c.step(i)), max(hi, c.step(i))
		}
		if last := c.step(c.n - 1); lo != min(c.step0, last) || hi != max(c.step0, last) || c.steps != nil {
			t.Fatalf("%d steps from %d by %d go from %d to %d", c.n, c.step0, c.stride, lo, hi)
		}
	}
	if c := (chunk{n: 10, span: 10, step0: 5, stride: 3}); !c.even() {
		t.Error("5, 8, 11 … do not go evenly")
	}
	if c := (chunk{n: 1 << 31, span: 1 << 31, step0: 5, stride: 3}); c.even() {
		t.Error("there may be so many that they go round")
	}
}

// Wall times are counted whatever lengths their numbers have; what is short of one or has more, or a
// number that has no end, is none.
func TestPacksWall(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 5000 {
		n := random.IntN(40)
		var b []byte
		for range n {
			v := uint64(random.IntN(128))
			if random.IntN(6) == 0 {
				v = random.Uint64() >> random.IntN(64)
			}
			b = binary.AppendUvarint(b, v)
		}
		if !packsWall(b, n) || packsWall(b, n+1) || n > 0 && packsWall(b, n-1) || packsWall(append(b, 0), n) || n > 0 && packsWall(b[:len(b)-1], n) {
			t.Fatalf("%d numbers: %x", n, b)
		}
		if bad := append(slices.Clone(b), 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1); packsWall(bad, n+1) || packsWall(bad[:len(b)+1], n+1) {
			t.Fatalf("%d numbers, and one that has no end: %x", n, bad)
		}
	}
}

// A stored chunk whose bounds are not those of its points is refused: a zoom would leave them out.
func TestSoundBounds(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 1))
	for _, thin := range []int{0, 1} {
		for _, even := range []bool{true, false} {
			sound := func(change func(c *chunk, m *Mark)) bool {
				var s Scalars
				for i := range int64(300) {
					step := 10 + i*3
					if !even {
						step += int64(random.IntN(2))
					}
					s.Append(step, float64(i), random.Float64(), false, i)
				}
				for range thin {
					s.Thin()
				}
				s.Settle()
				c, marks := &s.chunks[0], s.Marks()
				change(c, &marks[0])
				return c.sound(marks, true, thin > 0)
			}
			if !sound(func(*chunk, *Mark) {}) {
				t.Fatalf("a whole chunk is refused (thinned %d times, even %v)", thin, even)
			}
			for name, change := range map[string]func(c *chunk, m *Mark){
				"first too high":       func(c *chunk, m *Mark) { c.minStep += 4; m.MinStep += 4 },
				"last too low":         func(c *chunk, m *Mark) { c.maxStep -= 4; m.MaxStep -= 4 },
				"another mark's least": func(c *chunk, m *Mark) { m.MinStep-- },
				"another mark's most":  func(c *chunk, m *Mark) { m.MaxStep++ },
			} {
				if sound(change) {
					t.Errorf("%s is believed (thinned %d times, even %v)", name, thin, even)
				}
			}
			// Thinned, points may be gone that stood outside of what stays.
			for name, change := range map[string]func(c *chunk, m *Mark){
				"first too low": func(c *chunk, m *Mark) { c.minStep -= 4; m.MinStep -= 4 },
				"last too high": func(c *chunk, m *Mark) { c.maxStep += 4; m.MaxStep += 4 },
			} {
				if sound(change) != (thin > 0) {
					t.Errorf("%s: believed %v (thinned %d times, even %v)", name, thin == 0, thin, even)
				}
			}
		}
	}
}
