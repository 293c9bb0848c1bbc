//go:build !js

// Command again runs tests that drive browsers, and those that failed again, alone, three
// times. It passes if all tests have passed, or at most three failed and each then passed
// three times; it fails for a test that failed once more, for a package that cannot be built
// or breaks off, and for anything else that is no test's failure.
//
//	go run ./wasm/browsertest/again [-timeout 90m] [-strict] PACKAGE…
//
// It writes what `go test -v` writes, then a line for each package, and at the end a line
// "FLAKY: name" and the first failure for each test that has passed so. A machine that
// checks changes uses it, so that one race does not turn a change away; `make test` is strict.
// A test that stands there is to be mended.
//
// With -strict nothing is run again, packages are tested beside each other, and what has passed
// before counts, as with `go test`. A run that fails ends with a line "FAILED: name" and what was
// said for each failure, since of long output often only the end is kept.
package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"time"
)

func main() {
	timeout := flag.Duration("timeout", 90*time.Minute, "how long the tests of a package may take")
	strict := flag.Bool("strict", false, "run nothing again")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, *timeout, *strict, ".", flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "again:", err)
		os.Exit(1)
	}
}

// Error is why tests have not passed.
type Error struct{ Why string }

// Error says why.
func (e *Error) Error() string { return e.Why }

// run tests packages as the go command names them in dir.
func run(ctx context.Context, out io.Writer, timeout time.Duration, strict bool, dir string, packages []string) error {
	if len(packages) == 0 {
		return &Error{"name the packages to test"}
	}
	args := append([]string{"-timeout", timeout.String()}, packages...)
	if !strict {
		args = append(alone, args...)
	}
	first, ok, err := goTest(ctx, out, dir, args)
	if err != nil {
		return err
	}
	most := allowed
	if strict {
		most = 0
	}
	todo, why := first.again(ok, most)
	if why != "" {
		first.failures(out)
		return &Error{why}
	}
	for _, f := range todo {
		for i := range times {
			fmt.Fprintf(out, "=== AGAIN %s, %d of %d\n", f.name, i+1, times)
			again, ok, err := goTest(ctx, out, dir, append(alone, "-timeout", timeout.String(), "-run", "^"+f.name+"$", f.pkg))
			if err != nil {
				return err
			}
			if !again.passedOnce(f.test, ok) {
				first.failures(out)
				again.failures(out)
				return &Error{fmt.Sprintf("%s of %s failed, and did not pass %d times then", f.name, f.pkg, times)}
			}
		}
	}
	for _, name := range first.order {
		p := first.packages[name]
		fmt.Fprintf(out, "ok  \t%s\t%d tests passed", name, p.passed+len(p.failed))
		if len(p.failed) > 0 {
			fmt.Fprintf(out, ", %d of them when run again", len(p.failed))
		}
		fmt.Fprintln(out)
	}
	for _, f := range todo {
		fmt.Fprintf(out, "FLAKY: %s\n", f.title())
		for _, line := range f.said {
			fmt.Fprintf(out, "    %s\n", strings.TrimSpace(line))
		}
	}
	return nil
}

// alone has each test run, whether it passed before or not, and no two packages' at a time.
var alone = []string{"-count=1", "-p", "1"}

// goTest runs one `go test`, copies what it says to out, and returns what it told, and
// whether it ended well. An error is one of running it.
func goTest(ctx context.Context, out io.Writer, dir string, args []string) (r *results, ok bool, err error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-json"}, args...)...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, false, fmt.Errorf("go test: %w", err)
	}
	r = &results{}
	lines := bufio.NewReader(pipe) // a test may write lines of any length
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			io.WriteString(out, r.take(bytes.TrimSuffix(line, []byte("\n"))))
		}
		if err != nil {
			break
		}
	}
	err = cmd.Wait()
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		return nil, false, fmt.Errorf("go test: %w", err)
	}
	return r, err == nil, nil
}
