//go:build !js

package main

import (
	"fmt"
	"os"
	"testing"
)

// tb lets the harness of the tests serve the bench: what would fail a test ends
// the measurement with an error.
type tb struct {
	testing.TB // for the methods that are not called here
	cleanups   []func()
	failed     bool
}

type failure string

// measured runs f with a tb and tidies up after it.
func measured(f func(t *tb) error) (err error) {
	t := &tb{}
	defer func() {
		for i := len(t.cleanups) - 1; i >= 0; i-- {
			t.cleanups[i]()
		}
		if r := recover(); r != nil {
			text, ok := r.(failure)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("%s", text)
		}
	}()
	return f(t)
}

// Helper is for stack traces, which there are none of.
func (t *tb) Helper() {}

// Cleanup calls f at the end, the last one first.
func (t *tb) Cleanup(f func()) { t.cleanups = append(t.cleanups, f) }

// Failed reports whether something was wrong.
func (t *tb) Failed() bool { return t.failed }

// Error prints what is wrong.
func (t *tb) Error(args ...any) { t.failed = true; fmt.Fprintln(os.Stderr, args...) }

// Errorf is Error with a format.
func (t *tb) Errorf(format string, args ...any) { t.Error(fmt.Sprintf(format, args...)) }

// Fatal ends the measurement.
func (t *tb) Fatal(args ...any) { t.failed = true; panic(failure(fmt.Sprint(args...))) }

// Fatalf is Fatal with a format.
func (t *tb) Fatalf(format string, args ...any) { t.Fatal(fmt.Sprintf(format, args...)) }

// TempDir is a directory that ends with the measurement.
func (t *tb) TempDir() string {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// ArtifactDir is for the screenshot of a failure.
func (t *tb) ArtifactDir() string { return os.TempDir() }
