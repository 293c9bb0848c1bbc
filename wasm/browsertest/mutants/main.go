//go:build !js

// Command mutants makes one-line mistakes in packages that need no browser, one at a time,
// and says which of them no test notices. `make sabotage` does so for the page, with mistakes
// chosen by hand; here they are drawn: a comparison that is off by one or the other way round,
// a sum that is a difference, a condition that is negated, a constant that is one more, a
// statement that is missing.
//
//	go run ./wasm/browsertest/mutants [flags] PACKAGE…
//
// Nothing in the tree is touched: the go command reads the broken file in place of the whole
// one (-overlay). A mistake that does not compile is not counted. Some of those that live
// change nothing (a capacity, a bound that is never met); a look at the line tells.
//
// The exit status is 1 if a mistake lived, 2 if the tests fail without one.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// settings are the flags.
type settings struct {
	n     int
	seed  uint64
	only  *regexp.Regexp
	tests string
}

func main() {
	var s settings
	flag.IntVar(&s.n, "n", 20, "how many mistakes are drawn for each package")
	flag.Uint64Var(&s.seed, "seed", 1, "of the draw: the same one draws the same mistakes of the same text")
	only := flag.String("only", "", "`regexp` for the files that get mistakes, by their base names")
	flag.StringVar(&s.tests, "tests", "", "further `packages` whose tests may notice, separated by spaces")
	flag.Parse()
	var err error
	if s.only, err = regexp.Compile(*only); err != nil || flag.NArg() == 0 || s.n < 1 {
		if err != nil {
			fmt.Fprintln(os.Stderr, "mutants:", err)
		}
		flag.Usage()
		os.Exit(2)
	}
	lived := 0
	for _, pkg := range flag.Args() {
		n, err := try(pkg, s)
		if err != nil {
			fmt.Fprintln(os.Stderr, "mutants:", err)
			os.Exit(2)
		}
		lived += n
	}
	if lived > 0 {
		os.Exit(1)
	}
}

// try draws mistakes for a package and says how many lived.
func try(pkg string, s settings) (lived int, err error) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{"\n"}}{{.Dir}}{{range .GoFiles}}{{"\n"}}{{.}}{{end}}`, pkg).Output()
	if err != nil {
		return 0, fmt.Errorf("go list %s: %w", pkg, err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	path, dir := lines[0], lines[1]
	var all []mistake
	for _, name := range lines[2:] {
		if !s.only.MatchString(name) {
			continue
		}
		file := filepath.Join(dir, name)
		text, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		found, err := mistakes(file, text)
		if err != nil {
			return 0, err
		}
		all = append(all, found...)
	}
	tests := append([]string{path}, strings.Fields(s.tests)...)
	start := time.Now()
	if out, err := run(tests, "", 10*time.Minute); err != nil {
		return 0, fmt.Errorf("without a mistake the tests of %s fail: %w\n%s", strings.Join(tests, " "), err, out)
	}
	patience := 20*time.Second + 5*time.Since(start)

	work, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(work)
	tried := 0
	draw := rand.New(rand.NewPCG(s.seed, uint64(len(all))))
	for _, i := range draw.Perm(len(all)) {
		if tried == s.n {
			break
		}
		m := all[i]
		broken, list := filepath.Join(work, "broken.go"), filepath.Join(work, "overlay.json")
		if err := os.WriteFile(broken, m.text(), 0o666); err != nil {
			return lived, err
		}
		overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{m.file: broken}})
		if err != nil {
			return lived, err
		}
		if err := os.WriteFile(list, overlay, 0o666); err != nil {
			return lived, err
		}
		out, err := run(tests, list, patience)
		if err != nil && strings.Contains(string(out), "[build failed]") {
			continue // no program
		}
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) && !errors.Is(err, context.DeadlineExceeded) {
			return lived, err
		}
		if tried++; err == nil {
			lived++
			fmt.Printf("lives: %s\n", m)
		}
	}
	fmt.Printf("%s: %d of %d mistakes were noticed (%d places)\n", path, tried-lived, tried, len(all))
	return lived, nil
}

// run runs the tests, with the overlay if there is one.
func run(tests []string, overlay string, patience time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	args := []string{"test", "-count=1", "-failfast", "-vet=off"}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, tests...)...)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = ctx.Err() // it went round in circles: that is noticed
	}
	return out, err
}
