package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A page that is opened as soon as the address is printed has curves to show.
func TestDemoHasBegun(t *testing.T) {
	dir, end, err := startDemo(t.Context(), t.Output())
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*tfevents*"))
	if err != nil || len(files) != 4 {
		t.Errorf("%d event files (%v), want those of 4 runs", len(files), err)
	}
	for _, name := range files {
		// The header and the session's start take less than a kilobyte, 100 steps some 100.
		if fi, err := os.Stat(name); err != nil || fi.Size() < 50_000 {
			t.Errorf("%s: %d bytes (%v)", filepath.Base(filepath.Dir(name)), fi.Size(), err)
		}
	}
	end()
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("after the end: %v", err)
	}
}
