//go:build !js

package main

import (
	"encoding/json"
	"fmt"
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

// overlay writes what replaces files of Go's tree into a directory, whose name must begin with
// "_" if it is in a module, so that no ./... means it, and returns the file
// that tells the go command of it; "" if the Go release looks scripts up in another way.
func overlay(dir string) (string, error) {
	root, err := goRoot()
	if err != nil {
		return "", err
	}
	from := filepath.Join(root, "src", "regexp", "syntax")
	text, err := os.ReadFile(filepath.Join(from, "parse.go"))
	if err != nil {
		return "", err
	}
	before, after, found := strings.Cut(string(text), scriptLookup)
	if !found {
		return "", nil
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	replaced := map[string]string{}
	for name, text := range map[string]string{"parse.go": before + scriptAsked + after, "script.go": askScript} {
		replaced[filepath.Join(from, name)] = filepath.Join(dir, name)
		if err := writeFile(filepath.Join(dir, name), []byte(text)); err != nil {
			return "", err
		}
	}
	{
		q := before + scriptAsked + after
		i := strings.Index(q, "	if t := unicode.Categories[name]")
		j := strings.Index(q, "// parseUnicodeClass parses")
		q = q[:i] + scriptAsked + "	return nil, nil, 0\n}\n\n" + q[j:]
		q = strings.Replace(q, `return unicode.Categories["LC"], unicode.FoldCategory["LC"], +1`, "return nil,nil,0", 1)
		i = strings.Index(q, "// categoryAliases is a lazily")
		j = strings.Index(q, "// canonicalName")
		q = q[:i] + "var _ sync.Mutex\n" + q[j:]
		writeFile(filepath.Join(dir, "parse.go"), []byte(q))
	}
	list, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, writeFile(path, list)
}

func goRoot() (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return strings.TrimSpace(string(root)), nil
}
