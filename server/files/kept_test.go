package files

import (
	"strings"
	"testing"
)

// Equal places have one name, and others have others; the name tells no path.
func TestKeptName(t *testing.T) {
	if KeptName([]string{"/a", "/b"}) != KeptName([]string{"/a", "/b"}) {
		t.Error("the same places have two names")
	}
	seen := map[string]bool{}
	for _, places := range [][]string{nil, {""}, {"/a"}, {"a\n/a"}, {"/a/a"}, {"/aa"}, {"/a", "/a"}, {"/a/", "a"}, {"/a", "b"}, {"b", "/a"}} {
		name := KeptName(places)
		if seen[name] || len(name) != 32 || strings.ContainsAny(name, "/.") {
			t.Errorf("%q is called %s", places, name)
		}
		seen[name] = true
	}
}
