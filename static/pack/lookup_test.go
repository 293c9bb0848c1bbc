//go:build !js

package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// This Go release's runtime finds functions where the overlay expects it; of one that does not
// nothing is replaced, and the file is named.
func TestCounting(t *testing.T) {
	root, err := goRoot()
	if err != nil {
		t.Fatal(err)
	}
	texts, err := replaced(root, counting)
	text := texts[filepath.Join(root, "src", "runtime", "symtab.go")]
	if err != nil || !strings.Contains(text, counting[1].new) || strings.Contains(text, "ffb") {
		t.Fatalf("%v: %d files", err, len(texts))
	}
	otherReleases(t, counting, func(root string) (map[string]string, error) { return replaced(root, counting) })
}

// The buckets of a program whose runtime counts are gone, and nothing else is; those that say
// anything but what counting does stay, and that is an error.
func TestBuckets(t *testing.T) {
	whole, small, _ := linked(t)
	_, memory, had := parts(t, whole)
	buckets := had.buckets(memory)
	from, size := bucketsAt(t, memory, had), len(buckets)
	if least := (had.count - 1) * functionPC / bucketPCs * bucketSize; size < least || &buckets[0] != &memory[from] {
		t.Fatalf("%d bytes of buckets for %d functions, which would have %d", size, had.count, least)
	}
	if n := bytes.Count(buckets, []byte{0}); n == size {
		t.Fatal("the linker writes no buckets any more")
	}
	_, now, _ := parts(t, small)
	if n := bytes.Count(now[from:from+size], []byte{0}); n != size {
		t.Errorf("%d bytes of buckets are left", size-n)
	}
	m, err := parseModule(whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{from, from + 4, from + size/2, from + size - 1} {
		spoiled := bytes.Clone(memory)
		spoiled[at]++
		if _, _, err := strip(m.with(spoiled), true); !errors.Is(err, errNoBuckets) {
			t.Errorf("a bucket that says something else: %v", err)
		}
		if _, _, err := strip(m.with(spoiled), false); err != nil {
			t.Errorf("a program that needs its buckets: %v", err)
		}
	}
}

// bucketsAt is where the buckets begin.
func bucketsAt(t *testing.T, memory []byte, tables *tables) int {
	t.Helper()
	header := binary.LittleEndian.AppendUint64(nil, uint64(tables.at))
	for at := 0; ; at += 8 {
		i := bytes.Index(memory[at:], header)
		if i < 0 {
			t.Fatal("there is no moduledata")
		}
		if at += i; at+8*22 < len(memory) && binary.LittleEndian.Uint64(memory[at+8*wordFTab:]) == uint64(tables.at+tables.funcsAt) {
			return int(binary.LittleEndian.Uint64(memory[at+8*wordBuckets:]))
		}
	}
}
