//go:build !js

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The tables of Unicode's scripts.
//
// regexp/syntax knows every script (`\p{Han}`) by a table of its own, and the linker can
// leave none out: they were 75 KB of the program, 43 KB of what a first visit loads, for an
// expression that hardly anybody writes. Every browser has them already. So the browser's
// program is built with a regexp/syntax that asks the page's script, tbScript of run.js, when
// an expression names one. The Go tree is not touched: `go build -overlay` reads two files
// instead of one, and they are made from the Go release at hand.

// scriptLookup is where regexp/syntax looks a script up, from Go 1.25 on.
const scriptLookup = `	if t := unicode.Scripts[name]; t != nil {
		return t, unicode.FoldScript[name], +1
	}
`

// scriptAsked is what stands there instead.
const scriptAsked = `	if t, fold := askScript(name); t != nil {
		return t, fold, +1
	}
`

// askScript is the file beside it. A browser that gives no ranges knows no such script.
const askScript = `package syntax

import (
	"sync"
	"syscall/js"
	"unicode"
)

// scriptTables are those that were asked for: the code points of a script, and those that
// it has where upper and lower case are one.
var scriptTables struct {
	sync.Mutex
	byName map[string][2]*unicode.RangeTable
}

func askScript(name string) (tab, fold *unicode.RangeTable) {
	scriptTables.Lock()
	defer scriptTables.Unlock()
	if both, ok := scriptTables.byName[name]; ok {
		return both[0], both[1]
	}
	ask := js.Global().Get("tbScript")
	if ask.Type() != js.TypeFunction {
		return nil, nil
	}
	table := func(flags string) *unicode.RangeTable {
		ends := ask.Invoke(name, flags)
		if !ends.Truthy() {
			return nil
		}
		t := new(unicode.RangeTable)
		for i := range ends.Length() / 2 {
			t.R32 = append(t.R32, unicode.Range32{Lo: uint32(ends.Index(2 * i).Int()), Hi: uint32(ends.Index(2*i + 1).Int()), Stride: 1})
		}
		return t
	}
	if tab = table("u"); tab != nil {
		fold = table("iu")
		if scriptTables.byName == nil {
			scriptTables.byName = map[string][2]*unicode.RangeTable{}
		}
		scriptTables.byName[name] = [2]*unicode.RangeTable{tab, fold}
	}
	return tab, fold
}
`

// Of the general categories (`\pL`) the browser's tables serve too, so theirs go with those of
// the scripts: see scriptsOnly.
const (
	categoryLookup  = "\tif t := unicode.Categories[name]"
	categoryEnd     = "// parseUnicodeClass parses"
	caseLookup      = `return unicode.Categories["LC"], unicode.FoldCategory["LC"], +1`
	aliasesLookup   = "// categoryAliases is a lazily"
	aliasesEnd      = "// canonicalName"
	categoryNothing = "\treturn nil, nil, 0\n}\n\n"
)

// overlay writes what replaces files of Go's tree into a directory, whose name
// must begin with "_" if it is in a module, so that no ./... means it, and returns the file
// that tells the go command of it, and whether functions are found by counting (lookup.go). Of
// a Go release that is not as it is expected to be it replaces less, and says so.
func overlay(dir string) (path string, counts bool, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return "", false, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", false, err
	}
	root, err := goRoot()
	if err != nil {
		return "", false, err
	}
	texts, err := smaller(root)
	if err != nil {
		return "", false, err
	}
	if texts == nil {
		texts = map[string]string{}
		fmt.Fprintln(os.Stderr, "pack: the tables of scripts stay in the program: this Go release looks them up in another way")
	}
	if marking, err := markingTurns(root); err != nil { // a Go release that is newer than turns
		fmt.Fprintln(os.Stderr, "pack: the collector holds the page while it marks:", err)
	} else {
		maps.Copy(texts, marking)
	}
	if lookup, err := replaced(root, counting); err != nil {
		fmt.Fprintln(os.Stderr, "pack: the table by which functions are found stays in the program:", err)
	} else {
		maps.Copy(texts, lookup)
		counts = true
	}
	files := map[string]string{}
	for path, text := range texts {
		name := filepath.Join(dir, filepath.Base(path))
		files[path] = name
		if err := writeFile(name, []byte(text)); err != nil {
			return "", false, err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": files})
	if err != nil {
		return "", false, err
	}
	path = filepath.Join(dir, "overlay.json")
	return path, counts, writeFile(path, list)
}

// smaller are the files of regexp/syntax that ask the browser, and of package log, by their
// paths; nil if this release is not as it is expected to be.
func smaller(root string) (map[string]string, error) {
	from := filepath.Join(root, "src", "regexp", "syntax")
	text, err := os.ReadFile(filepath.Join(from, "parse.go"))
	if err != nil {
		return nil, err
	}
	before, after, found := strings.Cut(string(text), scriptLookup)
	if !found {
		return nil, nil
	}
	return map[string]string{
		filepath.Join(from, "parse.go"):             scriptsOnly(before + scriptAsked + after),
		filepath.Join(from, "script.go"):            askScript,
		filepath.Join(root, "src", "log", "log.go"): logPackage,
	}, nil
}

// scriptsOnly leaves the tables of categories out of a parse.go that asks the browser. A
// release in which one of the places is missing keeps its tables.
func scriptsOnly(text string) string {
	cut := func(text, from, to, by string) (string, bool) {
		i, j := strings.Index(text, from), strings.Index(text, to)
		if i < 0 || j < i {
			return text, false
		}
		return text[:i] + by + text[j:], true
	}
	out, ok := cut(text, categoryLookup, categoryEnd, scriptAsked+categoryNothing)
	if !ok {
		return text
	}
	out = strings.Replace(out, caseLookup, "return nil, nil, 0", 1)
	if out, ok = cut(out, aliasesLookup, aliasesEnd, "var _ sync.Mutex\n"); !ok {
		return text
	}
	return out
}

// logPackage stands for package log. Only go-indexeddb logs, three lines, and log itself would
// bring 3.5 KB of what a first visit loads; here a line has no date, and the console has one.
const logPackage = `// Package log is what go-indexeddb needs of it.
package log

import (
	"fmt"
	"os"
)

// Println writes a line to the console.
func Println(v ...any) { os.Stderr.WriteString(fmt.Sprintln(v...)) }
`

func goRoot() (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return strings.TrimSpace(string(root)), nil
}
