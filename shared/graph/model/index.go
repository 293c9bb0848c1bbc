package model

import (
	"math/bits"
	"math/rand/v2"
	"unsafe"
)

// Index finds numbers by names that stand elsewhere, each in a place of its own. It is a hash table for hundreds of thousands
// of names that are asked for once or twice: Go's own maps hash by products of 128 bits, which
// WebAssembly has not, and keep each name for the collector to look at. Here a slot is eight bytes
// without a pointer, and to grow hashes no name again.
type Index struct {
	slots []uint64 // hash<<32 | number+1; 0 is free; their number is a power of two
	n     int
	is    func(number, place int32, name string) bool
}

// seed is another one in each program, so that no file can be made of names that collide.
var seed = rand.Uint64()

// NewIndex makes one with room for so many names. is says whether a number that has been put has this name.
func NewIndex(room int, is func(number, place int32, name string) bool) *Index {
	return &Index{slots: make([]uint64, 1<<bits.Len(uint(max(room, 8)*3/2))), is: is}
}

// hash is that of a name in a place.
func hash(place int32, name string) uint32 {
	const k = 0x9e3779b97f4a7c15
	h, p, n := seed^uint64(uint32(place))*k, unsafe.Pointer(unsafe.StringData(name)), len(name)
	for ; n >= 8; n -= 8 {
		h = (h ^ *(*uint64)(p)) * k
		h ^= h >> 29
		p = unsafe.Add(p, 8)
	}
	tail := uint64(len(name)) << 56
	for i := range n {
		tail |= uint64(*(*byte)(unsafe.Add(p, i))) << (8 * i)
	}
	h = (h ^ tail) * k
	h = (h ^ h>>32) * 0xbf58476d1ce4e5b9
	return uint32(h >> 32)
}

// Find is the number of a name.
func (x *Index) Find(place int32, name string) (int32, bool) {
	i := x.at(place, name, hash(place, name))
	if s := x.slots[i]; s != 0 {
		return int32(uint32(s)) - 1, true
	}
	return 0, false
}

// Claim gives a name to a number, unless another one has it: then it is that one, and false.
func (x *Index) Claim(place int32, name string, number int32) (int32, bool) {
	h := hash(place, name)
	i := x.at(place, name, h)
	if s := x.slots[i]; s != 0 {
		return int32(uint32(s)) - 1, false
	}
	x.slots[i] = uint64(h)<<32 | uint64(uint32(number)+1)
	if x.n++; x.n*4 > len(x.slots)*3 {
		x.grow()
	}
	return number, true
}

// at is the slot of a name, or the free one where it would be.
func (x *Index) at(place int32, name string, h uint32) uint32 {
	mask := uint32(len(x.slots) - 1)
	i := h & mask
	for {
		s := x.slots[i]
		if s == 0 || uint32(s>>32) == h && x.is(int32(uint32(s))-1, place, name) {
			return i
		}
		i = (i + 1) & mask
	}
}

func (x *Index) grow() {
	old := x.slots
	x.slots = make([]uint64, 2*len(old))
	mask := uint32(len(x.slots) - 1)
	for _, s := range old {
		if s == 0 {
			continue
		}
		i := uint32(s>>32) & mask
		for x.slots[i] != 0 {
			i = (i + 1) & mask
		}
		x.slots[i] = s
	}
}
