//go:build !js

// Package browsertest drives real browsers, Chromium and Firefox, in tests: it
// builds the program, serves a logdir or a site, opens the page, and fails the
// test for everything that the page complains about.
//
//	p := browsertest.Start(t, browsertest.Chromium)
//	p.Open(browsertest.Serve(t, "--logdir", dir).URL)
//	p.Wait(`window.tensorbored`)
//	p.Eval(`tensorbored.runs()`, &runs)
//
// Expressions may be promises, which are awaited; their values come back as JSON.
// A test fails at its end for every error on the console, uncaught exception,
// unhandled rejection and violation of the content security policy, unless it was
// announced by Page.Allow. With `go test -artifacts` a failed test leaves a
// screenshot.
package browsertest

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Kind is a browser to test with.
type Kind string

// The browsers. Chromium's engine is also that of Chrome and Edge.
const (
	Chromium Kind = "chromium"
	Firefox  Kind = "firefox"
)

// Kinds are all browsers, for tests that walk them.
var Kinds = []Kind{Chromium, Firefox}

// browser is a page of a running browser.
type browser interface {
	// open goes to url and returns when it is loaded.
	open(ctx context.Context, url string) error
	// eval evaluates an expression that gives a string, awaiting a promise.
	eval(ctx context.Context, expression string) (string, error)
	// stays is ctx for an evaluation that may be begun anew: it also ends when the page has
	// got another document, if the browser would not answer then.
	stays(ctx context.Context) (context.Context, context.CancelFunc)
	// setFiles makes the file input that matches selector hold the files. A
	// directory stands for all files in it, for inputs with webkitdirectory.
	setFiles(ctx context.Context, selector string, paths []string) error
	// drop drops files or directories onto the middle of what matches selector.
	drop(ctx context.Context, selector string, paths []string) error
	// resize sets the size of the page, in CSS pixels.
	resize(ctx context.Context, width, height int, ratio float64) error
	// screenshot returns what is visible, or a part of it, as PNG.
	screenshot(ctx context.Context, part *Box) ([]byte, error)
	// act does gestures, one after the other, as an input device would.
	act(ctx context.Context, all []gesture) error
	// before makes a script run in every page that is opened from now on, before the
	// page's own.
	before(ctx context.Context, script string) error
	// unwatched stops whatever watches the page and costs it time.
	unwatched(ctx context.Context) error
	// close closes the page and clears what it has left in the browser.
	close() error
}

//go:embed hands.js
var handsScript string

//go:embed user.js
var userScript string

// hands runs in every page before its own scripts.
var hands = handsScript + "\n;" + userScript

// MissingError says that a browser is not installed.
type MissingError struct{ Kind Kind }

// Error names the browser and the remedy.
func (e *MissingError) Error() string {
	return fmt.Sprintf("%s is not installed: run .ci/install-browsers.sh", e.Kind)
}

// programs are the names that a browser's program goes by, the preferred first.
var programs = map[Kind][]string{
	Chromium: {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"},
	Firefox:  {"firefox-esr", "firefox"},
}

// shells are names of Chromium without its window: the same engine, but no address bar, no
// extensions and no settings, which cost each page a third as much again as itself (33 tests
// took 191 s of processor with the whole of it and 135 s with the shell). Debian's script of
// that name does not hand its process on, so that what it started would outlive it: the
// program itself comes first.
var shells = []string{"/usr/lib/chromium/chromium-headless-shell", "chrome-headless-shell", "chromium-headless-shell"}

// find gives a browser's program. One that is not to be whole may be a shell. CHROMIUM in the
// environment names another Chromium, for all.
func find(kind Kind, whole bool) (string, error) {
	names := programs[kind]
	if kind == Chromium {
		if name := os.Getenv("CHROMIUM"); name != "" {
			names = []string{name}
		} else if !whole {
			names = slices.Concat(shells, names)
		}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", &MissingError{kind}
}

// EvalError is an exception that an evaluated expression threw.
type EvalError struct {
	Expression string
	Exception  string
}

// Error names the exception, then what was evaluated.
func (e *EvalError) Error() string {
	return strings.TrimSpace(e.Exception) + " in: " + e.Expression
}
