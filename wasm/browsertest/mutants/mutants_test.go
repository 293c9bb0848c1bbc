//go:build !js

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// Each operator, condition, number and statement of a function can be a mistake, and what
// stands outside of functions cannot.
func TestMistakes(t *testing.T) {
	text := []byte("package p\n\nconst c = 1 + 2\n\nfunc f(a, b int) bool {\n\tif a < b {\n\t\ta += 3\n\t}\n\tf(b, a)\n\treturn a == b && true\n}\n")
	list, err := mistakes("p.go", text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range list {
		got = append(got, m.String())
	}
	want := []string{
		"p.go:6: if a < b { → if !(a < b) {",
		"p.go:6: if a < b { → if a <= b {",
		"p.go:7: a += 3 → a -= 3",
		"p.go:7: a += 3 → ",
		"p.go:7: a += 3 → a += 4",
		"p.go:9: f(b, a) → ",
		"p.go:10: return a == b && true → return a == b || true",
		"p.go:10: return a == b && true → return a != b && true",
		"p.go:10: return a == b && true → return a == b && false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the mistakes are %q", got)
	}
}

// A mistake that a test notices dies, one that none notices lives, and one that is no program
// counts for nothing.
func TestTry(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module example.org/p\n\ngo 1.26\n",
		"p.go":      "package p\n\nfunc more(a int) int { return a + 1 }\n\nfunc unused(a int) int { return a * 7 }\n",
		"p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestMore(t *testing.T) {\n\tif more(2) != 3 {\n\t\tt.Fatal()\n\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	lived, err := try(".", settings{n: 100, seed: 1, only: regexp.MustCompile("")})
	if err != nil || lived != 2 { // both of unused
		t.Errorf("%d mistakes lived, %v", lived, err)
	}
}
