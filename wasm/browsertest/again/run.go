//go:build !js

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// event is a line of `go test -json` (go doc test2json).
type event struct {
	Action     string // "run", "output", "pass", "fail", "skip", "build-output", "build-fail", …
	Package    string
	ImportPath string // of what is built, of a build's actions
	Test       string // "TestX/part"; empty if it is about the package
	Output     string
}

// test names a test function of a package; its parts are not run alone, since one may need
// those before it.
type test struct{ pkg, name string }

// failure is a test that failed, and what it said the first time.
type failure struct {
	test
	parts []string // that failed, "TestX/chromium", if it has any
	said  []string // lines, without those that only say that a test begins or ends
}

// title is the part that failed, if there was one, or the test.
func (f *failure) title() string {
	var inner []string
	for _, part := range f.parts {
		if !slices.ContainsFunc(f.parts, func(p string) bool { return strings.HasPrefix(p, part+"/") }) {
			inner = append(inner, part)
		}
	}
	if len(inner) == 1 {
		return inner[0]
	}
	return f.name
}

// results is what one `go test` has told.
type results struct {
	order    []string // of the packages
	packages map[string]*outcome
	broken   []string // packages that cannot be built, as the go command names them
	build    []string // lines of what builds them
}

// outcome is what became of a package.
type outcome struct {
	ended    string // "pass", "fail", "skip"; empty while it runs
	complete bool   // its program came to its own end: no panic, no exit, no time limit
	passed   int    // test functions
	failed   []failure
	said     map[string][]string // of test functions that have not ended, and "" of the package
	parts    map[string][]string
}

// take adds a line of the go command and returns what of it a person reads. A line that is no
// event is one of the go command's own.
func (r *results) take(line []byte) (text string) {
	var e event
	if !bytes.HasPrefix(line, []byte("{")) || json.Unmarshal(line, &e) != nil || e.Action == "" {
		return string(line) + "\n"
	}
	if e.Action == "build-fail" {
		r.broken = append(r.broken, e.ImportPath)
	}
	if e.Package == "" {
		if line := strings.TrimRight(e.Output, "\n"); line != "" {
			r.build = append(r.build, line)
		}
		return e.Output
	}
	if r.packages == nil {
		r.packages = map[string]*outcome{}
	}
	p := r.packages[e.Package]
	if p == nil {
		p = &outcome{said: map[string][]string{}, parts: map[string][]string{}}
		r.packages[e.Package] = p
		r.order = append(r.order, e.Package)
	}
	p.take(e.Test, e)
	return e.Output
}

func (p *outcome) take(name string, e event) {
	top, part, isPart := strings.Cut(name, "/")
	switch e.Action {
	case "output":
		if name == "" && (e.Output == "PASS\n" || e.Output == "FAIL\n") {
			p.complete = true
		}
		if line := strings.TrimRight(e.Output, "\n"); tells(line) && line != "PASS" && line != "FAIL" {
			p.said[top] = append(p.said[top], line)
		}
	case "pass", "fail", "skip":
		switch {
		case name == "":
			p.ended = e.Action
		case isPart && e.Action == "fail":
			p.parts[top] = append(p.parts[top], top+"/"+part)
		case isPart:
		case e.Action == "pass":
			p.passed++
			delete(p.said, top)
		case e.Action == "fail":
			p.failed = append(p.failed, failure{test{e.Package, top}, p.parts[top], p.said[top]})
		}
	}
}

// tells is whether a line of a test says more than that it begins, waits or ends.
func tells(line string) bool {
	line = strings.TrimSpace(line)
	for _, noise := range []string{"=== ", "--- PASS", "--- FAIL", "--- SKIP"} {
		if strings.HasPrefix(line, noise) {
			return false
		}
	}
	return line != ""
}

// allowed is how many tests may fail and pass when they run again.
const allowed = 3

// times is how often a test that failed must pass then.
const times = 3

// again returns the tests to run again, or why the run has failed without that. ok is
// whether the go command ended well, most how many may fail.
func (r *results) again(ok bool, most int) (todo []failure, why string) {
	if len(r.broken) > 0 {
		return nil, "these cannot be built: " + strings.Join(r.broken, ", ")
	}
	ran := 0
	for _, name := range r.order {
		p := r.packages[name]
		switch {
		case p.ended == "":
			return nil, name + " did not end"
		case p.ended == "fail" && !p.complete:
			return nil, name + " broke off: a panic, an exit or the time limit; what comes after it has not run"
		case p.ended == "fail" && len(p.failed) == 0:
			return nil, name + " failed, and none of its tests did"
		}
		ran += p.passed + len(p.failed)
		todo = append(todo, p.failed...)
	}
	switch {
	case ran == 0:
		return nil, "no test has run"
	case !ok && len(todo) == 0:
		return nil, "the go command failed, and no test did"
	case len(todo) > most:
		var names []string
		for _, f := range todo {
			names = append(names, f.name)
		}
		if most == 0 {
			return nil, "these tests failed: " + strings.Join(names, ", ")
		}
		return nil, "more tests failed than are run again: " + strings.Join(names, ", ")
	}
	return todo, ""
}

// failures writes a line "FAILED: name" for each test that failed, that did not end in a package
// that broke off, and for each package that failed for another reason, and what was said.
func (r *results) failures(out io.Writer) {
	if len(r.broken) > 0 {
		failed(out, strings.Join(r.broken, ", "), r.build)
	}
	for _, name := range r.order {
		p := r.packages[name]
		for _, f := range p.failed {
			failed(out, f.title()+" of "+name, f.said)
		}
		unbuilt := slices.ContainsFunc(r.broken, func(b string) bool { b, _, _ = strings.Cut(b, " "); return b == name })
		if p.ended == "pass" || p.ended == "skip" || p.complete && len(p.failed) > 0 || unbuilt {
			continue
		}
		for _, test := range slices.Sorted(maps.Keys(p.said)) {
			if test != "" && !slices.ContainsFunc(p.failed, func(f failure) bool { return f.name == test }) {
				failed(out, test+" of "+name+", which did not end", p.said[test])
			}
		}
		failed(out, name, p.said[""])
	}
}

// failed writes one of them, with so much of what was said that it stays readable: a panic begins
// with what matters, and what a test says last is why it ended.
func failed(out io.Writer, name string, said []string) {
	const begin, end = 30, 10
	fmt.Fprintf(out, "FAILED: %s\n", name)
	for i, line := range said {
		switch left := len(said) - begin - end; {
		case left <= 0 || i < begin || i >= begin+left:
			fmt.Fprintf(out, "    %s\n", strings.TrimSpace(line))
		case i == begin:
			fmt.Fprintf(out, "    … %d lines\n", left)
		}
	}
}

// passedOnce is whether this run was that of one test alone, and it passed.
func (r *results) passedOnce(t test, ok bool) bool {
	p := r.packages[t.pkg]
	return ok && len(r.broken) == 0 && slices.Equal(r.order, []string{t.pkg}) &&
		p.complete && p.ended == "pass" && p.passed == 1 && len(p.failed) == 0
}
