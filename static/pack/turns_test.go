//go:build !js

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// This Go release's runtime has each place where the collector's turns expect it; of one that
// lacks a place, or has it twice, nothing is replaced, and the place is named.
func TestTurns(t *testing.T) {
	root, err := goRoot()
	if err != nil {
		t.Fatal(err)
	}
	texts, err := markingTurns(root)
	if err != nil {
		t.Fatal(err)
	}
	from := filepath.Join(root, "src", "runtime")
	for _, p := range turns {
		if text := texts[filepath.Join(from, p.file)]; strings.Count(text, p.new) != 1 {
			t.Errorf("%s has not %q", p.file, p.new)
		}
	}
	otherReleases(t, turns, markingTurns)
}

// otherReleases has a place missing, or there twice: nothing is replaced then, and the file is named.
func otherReleases(t *testing.T, places []place, replace func(root string) (map[string]string, error)) {
	t.Helper()
	root, err := goRoot()
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range places {
		for _, by := range []string{"", p.old + p.old} {
			other := t.TempDir()
			dir := filepath.Join(other, "src", "runtime")
			if err := os.MkdirAll(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			for _, q := range places {
				text, err := os.ReadFile(filepath.Join(root, "src", "runtime", q.file))
				if err == nil {
					if q.file == p.file {
						text = []byte(strings.Replace(string(text), p.old, by, 1))
					}
					err = os.WriteFile(filepath.Join(dir, q.file), text, 0o666)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if texts, err := replace(other); texts != nil || err == nil || !strings.Contains(err.Error(), p.file) {
				t.Errorf("place %d: of another release %d files are replaced: %v", i, len(texts), err)
			}
		}
	}
}
