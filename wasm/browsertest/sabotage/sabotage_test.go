//go:build !js

package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Every fault still has its place, and tests that can notice it: a table that rots would
// find nothing.
func TestFaultsHaveTheirPlace(t *testing.T) {
	root, err := browsertest.Root()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	tests := map[string]string{} // of a package, the names
	for _, f := range faults {
		if names[f.name] {
			t.Errorf("two faults are called %q", f.name)
		}
		names[f.name] = true
		content, err := os.ReadFile(filepath.Join(root, f.file))
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		if _, err := f.apply(content); err != nil {
			t.Error(err)
		}
		if f.old == f.new {
			t.Errorf("%s changes nothing", f.name)
		}
		if _, ok := tests[f.where()]; !ok {
			tests[f.where()] = testsOf(t, filepath.Join(root, f.where()))
		}
		if match, err := regexp.Compile("(?m)^(" + f.tests + ")$"); err != nil || !match.MatchString(tests[f.where()]) {
			t.Errorf("%s: no test of %s is called %s (%v)", f.name, f.where(), f.tests, err)
		}
	}
}

// testsOf lists the tests of a package, a line each.
func testsOf(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(b, -1) {
			names = append(names, string(m[1]))
		}
	}
	return strings.Join(names, "\n")
}

func TestApply(t *testing.T) {
	f := fault{name: "f", file: "x", old: "b", new: "B"}
	if got, err := f.apply([]byte("abc")); string(got) != "aBc" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for _, content := range []string{"ac", "abcb"} {
		if _, err := f.apply([]byte(content)); !errors.As(err, new(*PlaceError)) {
			t.Errorf("%q: %v", content, err)
		}
	}
}
