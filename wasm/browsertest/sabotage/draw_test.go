//go:build !js

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

func TestSlipped(t *testing.T) {
	for line, want := range map[string][]string{
		`	if a < b && !c {`:        {`	if a <= b && !c {`, `	if a < b || !c {`, `	if a < b && c {`},
		`	s := "a < b" + x`:        nil,
		`	x() // a < b`:            {``},
		`	// a < b`:                nil,
		`	return n - 1, max(a, b)`: {`	return n - 1, min(a, b)`, `	return n, max(a, b)`, `	return n + 1, max(a, b)`},
	} {
		if got := slipped(line); !slices.Equal(got, want) {
			t.Errorf("%q may be %q, not %q", line, got, want)
		}
	}
}

// A drawn fault changes one line of its file, and can be drawn again.
func TestDraw(t *testing.T) {
	root, err := browsertest.Root()
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := draw(root, 200, 1)
	if err != nil || len(drawn) != 200 {
		t.Fatalf("%d faults: %v", len(drawn), err)
	}
	again, _ := draw(root, 200, 1)
	if !slices.Equal(drawn, again) {
		t.Error("one seed gives two lots")
	}
	for _, f := range drawn {
		b, err := os.ReadFile(filepath.Join(root, f.file))
		if err != nil {
			t.Fatal(err)
		}
		broken, err := f.apply(b)
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		was, is := strings.Split(string(b), "\n"), strings.Split(string(broken), "\n")
		differ := 0
		for i := range was {
			if was[i] != is[i] {
				differ++
			}
		}
		if len(was) != len(is) || differ != 1 || f.tests == "" {
			t.Errorf("%s: %d lines differ", f.name, differ)
		}
	}
}
