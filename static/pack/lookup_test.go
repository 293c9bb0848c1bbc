//go:build !js

package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// This Go release's runtime finds functions where the overlay expects it; of one that does not
// nothing is replaced, and the place is named.
func TestCounting(t *testing.T) {
	root, err := goRoot()
	if err != nil {
		t.Fatal(err)
	}
	texts, err := counting(root)
	path := filepath.Join(root, "src", "runtime", lookupFile)
	if text := texts[path]; err != nil || !strings.Contains(text, lookupNew) || strings.Contains(text, "ffb") {
		t.Fatalf("%v: %d files", err, len(texts))
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, old := range []string{lookupOld, lookupBuckets} {
		other := t.TempDir()
		dir := filepath.Join(other, "src", "runtime")
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, lookupFile), bytes.Replace(text, []byte(old), nil, 1), 0o666); err != nil {
			t.Fatal(err)
		}
		if texts, err := counting(other); texts != nil || err == nil || !strings.Contains(err.Error(), lookupFile) {
			t.Errorf("of another release %d files are replaced: %v", len(texts), err)
		}
	}
}

// The buckets of a program whose runtime counts are gone, and nothing else is; those that say
// anything but what counting does stay, and that is an error.
func TestBuckets(t *testing.T) {
	whole, small, _ := linked(t)
	_, memory, had := parts(t, whole)
	from := bucketsOf(t, memory, had)
	size := had.count * functionPC / bucketPCs * bucketSize // less what the last function has no places for
	size -= functionPC / bucketPCs * bucketSize
	if n := bytes.Count(memory[from:from+size], []byte{0}); n == size {
		t.Fatal("the linker writes no buckets any more")
	}
	_, now, _ := parts(t, small)
	if n := bytes.Count(now[from:from+size], []byte{0}); n != size {
		t.Errorf("%d bytes of buckets are left", size-n)
	}
	again := bytes.Clone(memory)
	if !had.clearBuckets(again) {
		t.Fatal("the buckets are not found")
	}
	changed := 0
	for i := range again {
		if again[i] != memory[i] && (i < from || i >= from+size+functionPC/bucketPCs*bucketSize) {
			changed++
		}
	}
	if changed > 0 {
		t.Errorf("%d bytes beside the buckets have changed", changed)
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

// bucketsOf is where the buckets begin.
func bucketsOf(t *testing.T, memory []byte, tables *tables) int {
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
