package part

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func open(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

// A part is not seen at its place before it is whole, and not at all when it is discarded.
func TestRename(t *testing.T) {
	dir := t.TempDir()
	root := open(t, dir)
	if err := os.WriteFile(filepath.Join(dir, "out"), []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := Create(root, ".", 0o666)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("lost")
	f.Discard()
	if got := names(t, dir); got != "out" {
		t.Errorf("left: %s", got)
	}
	if f, err = Create(root, ".", 0o666); err != nil {
		t.Fatal(err)
	}
	f.WriteString("new")
	if text, _ := os.ReadFile(filepath.Join(dir, "out")); string(text) != "old" {
		t.Errorf("before the end: %q", text)
	}
	if err := f.Rename("out"); err != nil {
		t.Fatal(err)
	}
	f.Discard()
	if text, _ := os.ReadFile(filepath.Join(dir, "out")); string(text) != "new" || names(t, dir) != "out" {
		t.Errorf("after it: %q, %s", text, names(t, dir))
	}
}

// What a killed program left is removed by the next one, what a living one is writing
// and what only looks like it are not.
func TestClear(t *testing.T) {
	if dir := os.Getenv("PART_TEST_DIR"); dir != "" { // the program that is killed
		f, err := Create(open(t, dir), ".", 0o666)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString("half")
		os.Stdout.WriteString("written\n")
		select {}
	}
	if runtime.GOOS == "windows" {
		t.Log("there a file's age alone tells that nobody writes it")
		return
	}
	dir := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run=^TestClear$")
	child.Env = append(os.Environ(), "PART_TEST_DIR="+dir)
	said, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := said.Read(make([]byte, 8)); err != nil {
		t.Fatal(err)
	}
	mine := Prefix + "notes" + Suffix
	if err := os.WriteFile(filepath.Join(dir, mine), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	root := open(t, dir)
	Clear(root, ".")
	if n := len(strings.Fields(names(t, dir))); n != 2 {
		t.Errorf("while it is written: %s", names(t, dir))
	}
	child.Process.Kill()
	child.Wait()
	f, err := Create(root, ".", 0o666)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(strings.Fields(names(t, dir))); n != 2 {
		t.Errorf("beside the new one: %s", names(t, dir))
	}
	f.Discard()
	if got := names(t, dir); got != mine {
		t.Errorf("left: %s", got)
	}
}
