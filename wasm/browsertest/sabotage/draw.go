//go:build !js

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Drawn faults
//
// The table holds mistakes that somebody thought of. Whether the tests notice those that nobody
// thought of is found out by drawing some: a line of the page's scripts, or of its program, in which
// an operator, a sign or a condition is another one, or a call is missing. Each is tried with the
// tests that the table names for its file; one that lives may still be noticed by others, or change
// nothing that is seen: look at it, and then write the test.

// slips are what one types for another.
var slips = []struct {
	what *regexp.Regexp
	by   string
}{
	{regexp.MustCompile(` < `), " <= "}, {regexp.MustCompile(` > `), " >= "},
	{regexp.MustCompile(` <= `), " < "}, {regexp.MustCompile(` >= `), " > "},
	{regexp.MustCompile(` === `), " !== "}, {regexp.MustCompile(` !== `), " === "},
	{regexp.MustCompile(` == `), " != "}, {regexp.MustCompile(` != `), " == "},
	{regexp.MustCompile(` && `), " || "}, {regexp.MustCompile(` \|\| `), " && "},
	{regexp.MustCompile(`\btrue\b`), "false"}, {regexp.MustCompile(`\bfalse\b`), "true"},
	{regexp.MustCompile(`\bmin\(`), "max("}, {regexp.MustCompile(`\bmax\(`), "min("},
	{regexp.MustCompile(` \+ 1\b`), " + 2"}, {regexp.MustCompile(` - 1\b`), ""},
	{regexp.MustCompile(` - `), " + "}, {regexp.MustCompile(`![a-zA-Z(]`), "!!"},
}

// call is a line that is a call and nothing else.
var call = regexp.MustCompile(`^\s*[\w.?]+\([^=]*\);?$`)

// quotes are what may begin or end a text.
var quotes = []string{`"`, "'", "`"}

// slipped are the lines that a line may be instead.
func slipped(line string) (out []string) {
	code, _, _ := strings.Cut(line, " // ")
	if t := strings.TrimSpace(code); strings.HasPrefix(t, "//") || strings.HasPrefix(t, "*") || strings.HasPrefix(t, "/*") || strings.HasPrefix(t, "import ") {
		return nil
	}
	for _, s := range slips {
		for _, at := range s.what.FindAllStringIndex(code, -1) {
			text := func(q string) bool { return strings.Count(code[:at[0]], q)%2 == 1 }
			by := s.by
			if by == "!!" {
				by = code[at[0]+1 : at[1]]
			}
			if !slices.ContainsFunc(quotes, text) {
				out = append(out, line[:at[0]]+by+line[at[1]:])
			}
		}
	}
	if call.MatchString(code) {
		out = append(out, "")
	}
	return out
}

// draw makes n faults in the files of the page that the table has tests for, those of a seed.
func draw(root string, n int, seed uint64) (drawn []fault, err error) {
	type tested struct{ file, pkg string }
	tests := map[tested][]string{}
	var files []tested
	for _, f := range faults {
		if !strings.HasSuffix(f.file, "_js.go") && !(strings.HasPrefix(f.file, "static/") && strings.HasSuffix(f.file, ".js")) {
			continue
		}
		at := tested{f.file, f.pkg}
		if tests[at] == nil {
			files = append(files, at)
		}
		if !slices.Contains(tests[at], f.tests) {
			tests[at] = append(tests[at], f.tests)
		}
	}
	type place struct {
		tested
		lines []string // of the file, with their ends
		at    int      // the one that is another
	}
	var places []place
	for _, of := range files {
		b, err := os.ReadFile(filepath.Join(root, of.file))
		if err != nil {
			return nil, err
		}
		lines := strings.SplitAfter(string(b), "\n")
		for at := range lines {
			places = append(places, place{of, lines, at})
		}
	}
	r := rand.New(rand.NewPCG(seed, 26))
	for len(drawn) < n {
		p := places[r.IntN(len(places))]
		was := strings.TrimSuffix(p.lines[p.at], "\n")
		all := slipped(was)
		if len(all) == 0 {
			continue
		}
		is := all[r.IntN(len(all))]
		f := fault{name: fmt.Sprintf("%s:%d: %s → %s", p.file, p.at+1, strings.TrimSpace(was), strings.TrimSpace(is)),
			file: p.file, pkg: p.pkg, tests: strings.Join(tests[p.tested], "|"), drawn: true}
		// The line may stand there more than once: as much before it as makes it one.
		whole := strings.Join(p.lines, "")
		for from := p.at; from >= 0 && strings.Count(whole, f.old) != 1; from-- {
			before := strings.Join(p.lines[from:p.at], "")
			f.old, f.new = before+was+"\n", before+is+"\n"
		}
		drawn = append(drawn, f)
	}
	return drawn, nil
}
