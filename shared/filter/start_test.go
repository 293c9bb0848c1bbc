package filter

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// What matches at the beginning of a name is what Python's re.match finds: the file is
// Python 3.11's answer.
func TestStart(t *testing.T) {
	b, err := os.ReadFile("testdata/python_match.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Names   []string
		Matched map[string][]string
	}
	if err := json.Unmarshal(b, &file); err != nil || len(file.Names) < 30 || len(file.Matched) < 25 {
		t.Fatal(err, file)
	}
	for text, want := range file.Matched {
		s, err := ParseStart(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		for _, name := range file.Names {
			if got := s.Match(name); got != slices.Contains(want, name) {
				t.Errorf("%q at the beginning of %q: %v", text, name, got)
			}
		}
	}
}

func TestStartMistake(t *testing.T) {
	for text, want := range map[string]string{
		"": "empty", "(": "brackets", "[a": "[ is not closed", "(?<!a)b": "not understood here", "(loss(?!x))+": "outside of brackets",
		"a(?!b)*": "outside of brackets", `loss\b(?!x)`: `\b`, "a$(?!b)": "$", "(?!x)a^b": "^", "a(?!b": "bracket", "loss(?!": "bracket", `(a)\1`: "escape", "a(?!(?=b))": "outside of brackets",
		strings.Repeat("(?!a)", 7): "too much",
	} {
		if s, err := ParseStart(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v %v", text, s, err)
		}
	}
}

// Whatever stands in a layout: no crash, and no more work than is counted.
func FuzzStart(f *testing.F) {
	f.Add("loss(?!.*margin.*)", "loss/a_margin")
	f.Add("(?i)[]a](?=b)|c{2}", "]b")
	f.Fuzz(func(t *testing.T, text, name string) {
		s, err := ParseStart(text)
		if err != nil {
			return
		}
		s.Match(name)
		if n := len(name) + 2; s.Tests > 1+strings.Count(text, "|")*n+(2*maxLooks+2)*n*n*(1+strings.Count(text, "|")) {
			t.Errorf("%d tests of a name of %d bytes", s.Tests, len(name))
		}
	})
}
