//go:build !js

package main

import (
	"bytes"
	"fmt"
)

// fault is one mistake that somebody could make.
type fault struct {
	name     string
	file     string // from the root of the source tree
	old, new string // old stands in the file exactly once
	tests    string // regular expression on the names of tests, one of which must fail
	pkg      string // whose tests; wasm/e2e if empty
	drawn    bool   // nobody thought of it: it may be none, as it cannot be built
}

func (f *fault) where() string {
	if f.pkg == "" {
		return "wasm/e2e"
	}
	return f.pkg
}

// PlaceError says that a fault's text is not in its file exactly once.
type PlaceError struct {
	Fault, File string
	Times       int
}

// Error says what to do.
func (e *PlaceError) Error() string {
	return fmt.Sprintf("the text of the fault %q stands %d times in %s, not once: change the fault as the file was changed, in wasm/browsertest/sabotage", e.Fault, e.Times, e.File)
}

// apply returns the file's content with the fault in it.
func (f *fault) apply(content []byte) ([]byte, error) {
	if n := bytes.Count(content, []byte(f.old)); n != 1 {
		return nil, &PlaceError{f.name, f.file, n}
	}
	return bytes.Replace(content, []byte(f.old), []byte(f.new), 1), nil
}
