package files

import (
	"os"
	"strings"
	"testing"
)

// Equal roots have one name, however they are written, and others have others; the name tells no path.
func TestKeptName(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	want := KeptName([]Root{{Dir: here}})
	for name, roots := range map[string][]Root{"relative": {{Dir: "."}}, "unclean": {{Dir: here + "/x/.."}}} {
		if got := KeptName(roots); got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
		}
	}
	seen := map[string]bool{want: true}
	for _, roots := range [][]Root{nil, {{Dir: here, Name: "a"}}, {{Dir: here + "/a"}}, {{Dir: here}, {Dir: here}}, {{Dir: here + "a"}}} {
		name := KeptName(roots)
		if seen[name] || len(name) != 32 || strings.ContainsAny(name, "/.") {
			t.Errorf("%v is called %s", roots, name)
		}
		seen[name] = true
	}
}
