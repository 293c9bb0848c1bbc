//go:build !js

// Command sabotage shows that the tests would notice: it puts one fault after the other
// into a copy of the source tree, builds the page, and runs the tests that must fail
// then. A fault that goes unnoticed makes it fail.
//
//	go run ./wasm/browsertest/sabotage [-only REGEXP] [-from 1] [-jobs 2] [-patience 15s] [-list]
//	go run ./wasm/browsertest/sabotage -draw 20 -seed 1 [-jobs 2] [-patience 15s] [-list]
//
// With -draw it tries mistakes that nobody has thought of, see draw.go.
//
// The faults stand in faults_*.go; that each still has its place in the sources is tested
// natively. The working tree is not touched.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	only := flag.String("only", "", "faults whose name matches the `regexp`")
	patience := flag.Duration("patience", 15*time.Second, "how long a test waits for what must come; all tests pass so without a fault, or nothing is tried")
	jobs := flag.Int("jobs", 1, "how many faults are tried at a time, each in a copy of its own; most of a try is waiting")
	from := flag.Int("from", 1, "begin with this one of those that were chosen, to go on where a run was stopped")
	list := flag.Bool("list", false, "print the faults' names")
	draws := flag.Int("draw", 0, "draw so many faults in the page's scripts and program, instead of those of the table")
	seed := flag.Uint64("seed", 1, "which ones are drawn")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	chosen, err := choose(*only)
	if *draws > 0 {
		chosen, err = draw(".", *draws, *seed)
	}
	if err == nil && (*from < 1 || *from > len(chosen)) {
		err = fmt.Errorf("-from %d: there are %d faults", *from, len(chosen))
	}
	if err == nil && !*list {
		err = run(ctx, chosen, *from-1, *jobs, *patience)
	}
	if err == nil && *list {
		for i, f := range chosen[*from-1:] {
			fmt.Printf("%d %s (%s)\n", *from+i, f.name, f.file)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sabotage:", err)
		os.Exit(1)
	}
}

func choose(only string) (chosen []fault, err error) {
	match, err := regexp.Compile(only)
	if err != nil {
		return nil, err
	}
	for _, f := range faults {
		if match.MatchString(f.name) {
			chosen = append(chosen, f)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no fault's name matches %q", only)
	}
	return chosen, nil
}

// verdict is what became of a fault.
type verdict struct {
	fault   fault
	noticed bool
	how     string // the first words of the test that failed
	took    time.Duration
	err     error
}

// run tries the faults after those that were tried before and returns an error if one went unnoticed.
func run(ctx context.Context, chosen []fault, before, jobs int, patience time.Duration) error {
	all := len(chosen)
	chosen = chosen[before:]
	scratch, err := os.MkdirTemp("", "sabotage")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	var benches []*bench
	for i := range max(1, min(jobs, len(chosen))) {
		b := &bench{root: ".", tree: filepath.Join(scratch, fmt.Sprint("tree", i)), scratch: scratch, patience: patience}
		if err := b.copyTree(ctx); err != nil {
			return err
		}
		benches = append(benches, b)
	}
	if err := benches[0].sound(ctx, chosen); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	queue, done := make(chan fault, len(chosen)), make(chan verdict)
	for _, f := range chosen {
		queue <- f
	}
	close(queue)
	for _, b := range benches {
		go func() {
			for f := range queue {
				begun := time.Now()
				noticed, how, err := b.try(ctx, f)
				done <- verdict{f, noticed, how, time.Since(begun), err}
			}
		}()
	}
	var unnoticed []string
	for i := range chosen {
		v := <-done
		said := "noticed, " + v.how
		switch {
		case v.err != nil && ctx.Err() != nil:
			return ctx.Err()
		case v.err != nil && v.fault.drawn && isNone(v.err):
			said = "is none: it cannot be built"
		case v.err != nil:
			said = "NOT TRIED: " + v.err.Error()
			unnoticed = append(unnoticed, v.fault.name)
		case !v.noticed:
			said = "NOT NOTICED by " + v.fault.tests
			unnoticed = append(unnoticed, v.fault.name)
		}
		fmt.Printf("%d/%d %s: %s (%.0f s)\n", before+i+1, all, v.fault.name, said, v.took.Seconds())
	}
	// A machine that has become slower meanwhile would notice everything.
	if err := benches[0].sound(ctx, chosen); err != nil {
		return err
	}
	if len(unnoticed) > 0 {
		return fmt.Errorf("%d of %d faults went unnoticed: %s", len(unnoticed), len(chosen), strings.Join(unnoticed, "; "))
	}
	fmt.Printf("all %d faults were noticed\n", len(chosen))
	return nil
}

// bench is a place where faults are tried.
type bench struct {
	root, tree, scratch string // working tree, its copy, and where the tests' programs are
	patience            time.Duration
}

// copyTree copies what git knows of the working tree, and what is new in it.
func (b *bench) copyTree(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "git", "ls-files", "-co", "--exclude-standard", "-z")
	cmd.Dir = b.root
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	for _, name := range strings.Split(strings.TrimRight(string(out), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(b.root, name))
		if os.IsNotExist(err) {
			continue // removed, and not yet committed
		}
		if err != nil {
			return err
		}
		fi, err := os.Stat(filepath.Join(b.root, name))
		if err != nil {
			return err
		}
		to := filepath.Join(b.tree, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, data, fi.Mode().Perm()); err != nil {
			return err
		}
	}
	return nil
}

// sound builds the page and the tests, and runs without a fault all that will be used.
func (b *bench) sound(ctx context.Context, chosen []fault) error {
	tests := map[string][]string{}
	for _, f := range chosen {
		if !slices.Contains(tests[f.where()], f.tests) {
			tests[f.where()] = append(tests[f.where()], f.tests)
		}
	}
	if out, err := b.build(ctx); err != nil {
		return fmt.Errorf("without a fault: %w\n%s", err, out)
	}
	for pkg, names := range tests {
		if out, err := b.command(ctx, ".", "go", "test", "-c", "-o", b.program(pkg), "./"+pkg); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		begun := time.Now()
		if out, err := b.test(ctx, b.program(pkg), pkg, strings.Join(names, "|")); err != nil {
			return fmt.Errorf("the tests fail without a fault (on a slow machine give them more -patience): %w\n%s", err, out)
		}
		fmt.Printf("without a fault %s passes (%.0f s)\n", pkg, time.Since(begun).Seconds())
	}
	return nil
}

// try puts a fault into the copy, builds and tests it, and takes the fault out again.
func (b *bench) try(ctx context.Context, f fault) (noticed bool, how string, err error) {
	path := filepath.Join(b.tree, f.file)
	sane, err := os.ReadFile(path)
	if err != nil {
		return false, "", err
	}
	broken, err := f.apply(sane)
	if err != nil {
		return false, "", err
	}
	if err := os.WriteFile(path, broken, 0o666); err != nil {
		return false, "", err
	}
	defer os.WriteFile(path, sane, 0o666) // the next build would show it
	if out, err := b.build(ctx); err != nil {
		return false, "", &buildError{err, out}
	}
	program := b.program(f.where())
	if f.within() {
		program += ".faulty"
		if out, err := b.command(ctx, ".", "go", "test", "-c", "-o", program, "./"+f.where()); err != nil {
			return false, "", fmt.Errorf("its tests cannot be built: %w\n%s", err, out)
		}
		defer os.Remove(program)
	}
	out, err := b.test(ctx, program, f.where(), f.tests)
	if err == nil {
		return false, "", nil
	}
	if !bytes.Contains(out, []byte("--- FAIL: ")) {
		return false, "", fmt.Errorf("the tests did not run: %w\n%s", err, out)
	}
	if m := failure.Find(out); m != nil {
		how = string(bytes.TrimSpace(m))
	}
	return true, how, nil
}

// buildError says that there is no page with a fault.
type buildError struct {
	err error
	out []byte
}

// Error has what the build said.
func (e *buildError) Error() string { return fmt.Sprintf("it cannot be built: %v\n%s", e.err, e.out) }

// isNone reports whether a fault cannot be built.
func isNone(err error) bool {
	_, ok := errors.AsType[*buildError](err)
	return ok
}

// within says whether the fault is in what the tests' program has in it, as the server or the package
// that is tested, and not in the page alone, which it reads when it runs.
func (f fault) within() bool {
	return filepath.Dir(f.file) == f.pkg || strings.HasPrefix(f.file, "server/") || strings.HasPrefix(f.file, "static/plugin/")
}

// failure is a test's first message, cut short.
var failure = regexp.MustCompile(`(?m)^ +\w+\.go:\d+: .{0,160}`)

func (b *bench) build(ctx context.Context) ([]byte, error) {
	return b.command(ctx, ".", "make", "wasm", "BROTLI=1")
}

func (b *bench) program(pkg string) string {
	return filepath.Join(b.scratch, strings.ReplaceAll(pkg, "/", "_")+".test")
}

func (b *bench) test(ctx context.Context, program, pkg, tests string) ([]byte, error) {
	return b.command(ctx, pkg, program, "-test.run", "^("+tests+")$", "-test.failfast")
}

// command runs a program in the copy and returns what it writes.
func (b *bench) command(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = filepath.Join(b.tree, dir)
	cmd.Env = append(os.Environ(), "PATIENCE="+b.patience.String(), "BROTLI=1")
	cmd.Stdout, cmd.Stderr = &out, io.Writer(&out)
	err := cmd.Run()
	return out.Bytes(), err
}
