//go:build !js

package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Which function a place belongs to.
//
// Go's runtime finds the function of a place of the code by a table of the linker, with 20 bytes
// for each 4 KB of code (runtime/symtab.go, findfuncbucket). In WebAssembly a place is no
// address: it is the number of the function, times 64 KB, and that of a block in it. So the
// table has 320 bytes for each function, which say one after the other that the function with
// this number has this number: 3.1 MB of the 13.3 that a browser unpacked, checked and laid
// into the memory of the page and of each worker.
//
// So the browser's programs are built with a runtime that counts (buildProgram, overlay), and
// their tables are left out (clearBuckets). A release in which the place is another one keeps both.

const lookupFile = "symtab.go"

// lookupOld is how findfunc begins to look.
const lookupOld = `	x := uintptr(pcOff) + datap.text - datap.minpc // TODO: are datap.text and datap.minpc always equal?
	if GOARCH == "wasm" {
		// On Wasm, pcOff is the function index, whereas
		// the "PC" is function index << 16 + block index.
		x = uintptr(pcOff)<<16 + datap.text - datap.minpc
	}
	b := x / abi.FuncTabBucketSize
	i := x % abi.FuncTabBucketSize / (abi.FuncTabBucketSize / nsub)

	ffb := (*findfuncbucket)(add(unsafe.Pointer(datap.findfunctab), b*unsafe.Sizeof(findfuncbucket{})))
	idx := ffb.idx + uint32(ffb.subbuckets[i])
`

// lookupNew is what stands there instead. A function without an entry makes those after it
// stand before their number.
const lookupNew = `	idx := min(pcOff-datap.ftab[0].entryoff, uint32(len(datap.ftab)-2))
	for idx > 0 && datap.ftab[idx].entryoff > pcOff {
		idx--
	}
`

const lookupBuckets = "\tconst nsub = uintptr(len(findfuncbucket{}.subbuckets))\n"

// counting is the file of a Go tree's runtime that finds functions by counting, by its path. The
// error says that this release is not as it is expected to be.
func counting(root string) (map[string]string, error) {
	path := filepath.Join(root, "src", "runtime", lookupFile)
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	text := string(b)
	for _, place := range [][2]string{{lookupOld, lookupNew}, {lookupBuckets, ""}} {
		if n := strings.Count(text, place[0]); n != 1 {
			return nil, fmt.Errorf("runtime/%s has %d times %q, which is expected once", lookupFile, n, strings.TrimSpace(place[0]))
		}
		text = strings.Replace(text, place[0], place[1], 1)
	}
	return map[string]string{path: text}, nil
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

// clearBuckets takes the table of buckets out, for a runtime that counts. It reports whether it
// has found it: what it points to must say of each place what counting does.
func (t *tables) clearBuckets(memory []byte) bool {
	word := func(at, i int) uint64 { return binary.LittleEndian.Uint64(memory[at+8*i:]) }
	for at := 0; at+8*(wordMaxPC+1) <= len(memory); at += 8 {
		if word(at, wordHeader) != uint64(t.at) || word(at, wordFTab) != uint64(t.at+t.funcsAt) || word(at, wordFTab+1) != uint64(t.count+1) {
			continue
		}
		from, low, high := word(at, wordBuckets), word(at, wordMinPC), word(at, wordMaxPC)
		if high < low || high-low > uint64(t.count+1)*functionPC {
			continue
		}
		// The last bucket has as many bytes as there are places.
		size := 4*((high-low+bucketPCs-1)/bucketPCs) + (high-low+subPCs-1)/subPCs
		if from > uint64(len(memory)) || size > uint64(len(memory))-from {
			continue
		}
		buckets := memory[from : from+size]
		if !t.counts(buckets) {
			continue
		}
		clear(buckets)
		return true
	}
	return false
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
