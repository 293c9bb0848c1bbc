//go:build !js

package main

import "encoding/binary"

// Which function a place belongs to.
//
// Go's runtime finds the function of a place of the code by a table of the linker, with 20 bytes
// for each 4 KB of code (runtime/symtab.go, findfuncbucket). In WebAssembly a place is no
// address: it is the number of the function, times 64 KB, and that of a block in it. So the
// table has 320 bytes for each function, which say one after the other that the function with
// this number has this number: 3.2 MB of the 13.4 that a browser unpacked, checked and laid
// into the memory of the page and of each worker.
//
// So the browser's programs are built with a runtime that counts (buildProgram, overlay), and
// their tables are left out (buckets). A release in which the place is another one keeps both.

// counting is where the runtime's findfunc begins to look. A function without an entry makes those
// after it stand before their number.
var counting = []place{
	{"symtab.go", "\tconst nsub = uintptr(len(findfuncbucket{}.subbuckets))\n", ""},
	{"symtab.go", `	x := uintptr(pcOff) + datap.text - datap.minpc // TODO: are datap.text and datap.minpc always equal?
	if GOARCH == "wasm" {
		// On Wasm, pcOff is the function index, whereas
		// the "PC" is function index << 16 + block index.
		x = uintptr(pcOff)<<16 + datap.text - datap.minpc
	}
	b := x / abi.FuncTabBucketSize
	i := x % abi.FuncTabBucketSize / (abi.FuncTabBucketSize / nsub)

	ffb := (*findfuncbucket)(add(unsafe.Pointer(datap.findfunctab), b*unsafe.Sizeof(findfuncbucket{})))
	idx := ffb.idx + uint32(ffb.subbuckets[i])
`, `	idx := min(pcOff-datap.ftab[0].entryoff, uint32(len(datap.ftab)-2))
	for idx > 0 && datap.ftab[idx].entryoff > pcOff {
		idx--
	}
`},
}

// The words of runtime.moduledata up to the bounds of places.
const (
	wordHeader  = 0
	wordFTab    = 16 // and its length after it
	wordBuckets = 19
	wordMinPC   = 20
	wordMaxPC   = 21

	bucketSize = 20
	bucketPCs  = 4096
	subPCs     = bucketPCs / 16
	functionPC = 1 << 16
)

// buckets is the table of buckets in the program's memory; nil if there is none, or if it says of
// any place something else than counting does.
func (t *tables) buckets(memory []byte) []byte {
	word := func(at, i int) uint64 { return binary.LittleEndian.Uint64(memory[at+8*i:]) }
	for at := 0; at+8*(wordMaxPC+1) <= len(memory); at += 8 {
		if word(at, wordHeader) != uint64(t.at) || word(at, wordFTab) != uint64(t.at+t.funcsAt) || word(at, wordFTab+1) != uint64(t.count+1) {
			continue
		}
		from, low, high := word(at, wordBuckets), word(at, wordMinPC), word(at, wordMaxPC)
		if high <= low || high-low > uint64(t.count+1)*functionPC {
			continue
		}
		// The last bucket has as many bytes as there are places.
		size := 4*((high-low+bucketPCs-1)/bucketPCs) + (high-low+subPCs-1)/subPCs
		if from > uint64(len(memory)) || size > uint64(len(memory))-from {
			continue
		}
		if all := memory[from : from+size]; t.counts(all) {
			return all
		}
	}
	return nil
}

// counts reports whether each bucket is of the function that counting finds for its places.
func (t *tables) counts(buckets []byte) bool {
	entry := func(i uint32) uint32 { return binary.LittleEndian.Uint32(t.funcs[8*i:]) }
	for k := 0; len(buckets) > 4; k++ {
		b := buckets[:min(bucketSize, len(buckets))]
		buckets = buckets[len(b):]
		number := entry(0) + uint32(k*bucketPCs/functionPC)
		for _, sub := range b[4:] {
			i := binary.LittleEndian.Uint32(b) + uint32(sub)
			if i >= uint32(t.count) || entry(i) > number || entry(i+1) <= number {
				return false
			}
		}
	}
	return len(buckets) == 0
}
