package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A program without lines walks stacks for its collector, recovers, and says which functions
// a panic came through; only files and lines are gone.
func TestUnlined(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module deep\n\ngo 1.24\n")
	write("main.go", `package main

import (
	"fmt"
	"runtime"
)

type tree struct{ left, right *tree }

func grow(n int) *tree {
	if n == 0 {
		runtime.GC()
		return new(tree)
	}
	return &tree{grow(n - 1), nil}
}

func careful() (said any) {
	defer func() { said = recover() }()
	var none map[string]int
	none["a"] = 1
	return nil
}

func main() {
	done := make(chan *tree)
	for range 20 {
		go func() { done <- grow(50) }()
	}
	for range 20 {
		<-done
	}
	fmt.Println(careful())
	fatal([]int{})
}

//go:noinline
func fatal(list []int) { fmt.Println(list[len(list)]) }
`)
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", "deep", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "deep"))
	if err != nil {
		t.Fatal(err)
	}
	small, err := unlined(whole)
	if err != nil {
		t.Fatal(err)
	}
	if len(small) != len(whole) || bytes.Count(small, []byte{0}) < bytes.Count(whole, []byte{0})+len(whole)/50 {
		t.Error("no more than before is empty")
	}
	if cut, err := unlined(whole[:len(whole)/2]); err == nil {
		t.Errorf("half a program has become one of %d bytes", len(cut))
	}
	if err := os.WriteFile(filepath.Join(dir, "deep"), small, 0o777); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(filepath.Join(dir, "deep"))
	out, err := run.CombinedOutput()
	if run.ProcessState == nil {
		t.Fatal(err)
	}
	text := string(out)
	if run.ProcessState.ExitCode() != 2 || !strings.Contains(text, "assignment to entry in nil map") {
		t.Errorf("it ended with %v:\n%s", err, text)
	}
	for _, want := range []string{"index out of range [0] with length 0", "main.fatal(", "main.main()"} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "main.go:") {
		t.Errorf("it still knows lines:\n%s", text)
	}
}
