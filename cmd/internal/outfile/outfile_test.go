//go:build unix

package outfile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tensorbored/tensorbored-static/server/part"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

func ours(f io.ReaderAt, _ int64) bool {
	head := make([]byte, 4)
	f.ReadAt(head, 0)
	return string(head) == "ours"
}

// write does what a command does.
func write(name string, rules Rules, text string) error {
	p, err := Check(name, rules)
	if err != nil {
		return err
	}
	f, err := p.Create(context.Background())
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := io.WriteString(f, text); err != nil {
		return err
	}
	return f.Commit()
}

func put(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// What is not ours stays as it is, whatever leads to it.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	logs := filepath.Join(dir, "logs")
	event := put(t, filepath.Join(logs, "run", "events.out.tfevents.1"), "x")
	renamed := put(t, filepath.Join(dir, "renamed"), string(tfrecord.Append(nil, []byte("an event"))))
	notes := put(t, filepath.Join(dir, "notes.txt"), "notes")
	closed := put(t, filepath.Join(dir, "closed.csv"), "ours, but read-only")
	os.Chmod(closed, 0o444)
	link := func(name, to string) string {
		name = filepath.Join(dir, name)
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
		return name
	}
	rules := Rules{Logdirs: []string{logs}, Ours: ours}
	forced := rules
	forced.Force = true
	for _, c := range []struct {
		what, name string
		rules      Rules
		says       string
	}{
		{"an event file", event, forced, "inside the logdir"},
		{"a link to it", link("a", event), forced, "inside the logdir"},
		{"a link to a link to it", link("b", "a"), forced, "inside the logdir"},
		{"a new file in the logdir", filepath.Join(logs, "new.csv"), forced, "inside the logdir"},
		{"by another way", filepath.Join(link("c", "logs"), "run", "..", "new.csv"), forced, "inside the logdir"},
		{"a link to nothing yet in it", link("d", "logs/new.csv"), forced, "inside the logdir"},
		{"of a pattern", filepath.Join(logs, "run", "new.csv"), Rules{Logdirs: []string{filepath.Join(dir, "l*", "run")}, Force: true}, "inside the logdir"},
		{"an event file that is the logdir", event, Rules{Logdirs: []string{event}, Force: true}, "inside the logdir"},
		{"an event file of another logdir", event, Rules{Force: true}, "name of an event file"},
		{"an event file by its content", renamed, forced, "is an event file"},
		{"the name of an event file", filepath.Join(dir, "my.tfevents.csv"), forced, "name of an event file"},
		{"somebody's file", notes, rules, "--force"},
		{"a link to it", link("e", "notes.txt"), rules, "--force"},
		{"a file that may not be written to", closed, rules, "--force"},
		{"a directory", logs, forced, "is a directory"},
		{"a new directory", filepath.Join(dir, "new") + "/", forced, "is a directory"},
		{"a link in a circle", link("f", "f"), forced, "no end"},
	} {
		err := write(c.name, c.rules, "ours")
		var re *RefusedError
		if !errors.As(err, &re) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want %q", c.what, err, c.says)
		}
	}
	for name, want := range map[string]string{event: "x", notes: "notes", closed: "ours, but read-only"} {
		if got, _ := os.ReadFile(name); string(got) != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if _, err := os.Lstat(filepath.Join(logs, "new.csv")); err == nil {
		t.Error("there is a new file in the logdir")
	}
}

// What may be replaced keeps its mode, its owner and the links that lead to it.
func TestReplaced(t *testing.T) {
	dir := t.TempDir()
	out := put(t, filepath.Join(dir, "out.csv"), "ours, old")
	os.Chmod(out, 0o640)
	if os.Getuid() == 0 {
		os.Chown(out, 12, 34)
	}
	link := filepath.Join(dir, "sub", "link")
	put(t, filepath.Join(dir, "sub", "x"), "")
	os.Symlink("../out.csv", link)
	before, _ := os.Stat(out)
	if err := write(link, Rules{Ours: ours}, "ours, new"); err != nil {
		t.Fatal(err)
	}
	after, _ := os.Stat(out)
	a, b := before.Sys().(*syscall.Stat_t), after.Sys().(*syscall.Stat_t)
	if text, _ := os.ReadFile(out); string(text) != "ours, new" || a.Mode != b.Mode || a.Uid != b.Uid || a.Gid != b.Gid {
		t.Errorf("%q, mode %o, owner %d:%d", text, b.Mode, b.Uid, b.Gid)
	}
	if fi, _ := os.Lstat(link); fi.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is none any more")
	}
	notes := put(t, filepath.Join(dir, "notes.txt"), "notes")
	if err := write(notes, Rules{Ours: ours, Force: true}, "forced"); err != nil {
		t.Error(err)
	}
	empty := put(t, filepath.Join(dir, "empty"), "")
	if err := write(empty, Rules{Ours: ours}, "filled"); err != nil {
		t.Error(err)
	}
	old := syscall.Umask(0o027)
	err := write(filepath.Join(dir, "fresh"), Rules{}, "x")
	syscall.Umask(old)
	if fi, e := os.Stat(filepath.Join(dir, "fresh")); err != nil || e != nil || fi.Mode().Perm() != 0o640 {
		t.Errorf("a new file: %v %v, mode %v", err, e, fi.Mode())
	}
}

// What is no regular file is written to and stays.
func TestThrough(t *testing.T) {
	dir := t.TempDir()
	fifo, alone := filepath.Join(dir, "fifo"), filepath.Join(dir, "alone")
	for _, name := range []string{fifo, alone} {
		if err := syscall.Mkfifo(name, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// Of its own: what was to be written there still waits for a reader, and would meet the next one.
	ctx, cancel := context.WithCancel(context.Background())
	p, err := Check(alone, Rules{})
	if err != nil || !p.Through() {
		t.Fatal(err)
	}
	cancel()
	if _, err := p.Create(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a FIFO that nobody reads: %v", err)
	}
	got := make(chan string, 1)
	go func() {
		text, _ := os.ReadFile(fifo)
		got <- string(text)
	}()
	if err := write(fifo, Rules{}, "through"); err != nil {
		t.Error(err)
	}
	if text := <-got; text != "through" {
		t.Errorf("read: %q", text)
	}
	if fi, _ := os.Lstat(fifo); fi.Mode()&fs.ModeNamedPipe == 0 {
		t.Error("the FIFO is none any more")
	}
	null := filepath.Join(dir, "null")
	os.Symlink("/dev/null", null)
	for _, name := range []string{"/dev/null", null} {
		if err := write(name, Rules{}, "nothing"); err != nil {
			t.Error(err)
		}
	}
	if fi, _ := os.Lstat("/dev/null"); fi.Mode()&fs.ModeCharDevice == 0 {
		t.Fatal("/dev/null is none any more")
	}
	if err := write("/dev/full", Rules{}, "x"); err != nil && !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("/dev/full: %v", err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	fd := int(w.Fd())
	if d := descriptor("/dev/fd/" + itoa(fd)); d != fd || descriptor("/dev/stdout") != 1 || descriptor("/dev/fdx") != -1 {
		t.Errorf("descriptor %d", d)
	}
	w.Close()
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

// After an error nothing is left, and what stands there when the file is whole is looked
// at again.
func TestDiscard(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	p, err := Check(out, Rules{Ours: ours})
	if err != nil {
		t.Fatal(err)
	}
	f, err := p.Create(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, "half")
	if entries, _ := os.ReadDir(dir); len(entries) != 1 || !part.Is(entries[0].Name()) {
		t.Errorf("while it is written: %v", entries)
	}
	put(t, out, "came meanwhile")
	if err := f.Commit(); err == nil {
		t.Error("what came meanwhile was replaced")
	}
	if text, _ := os.ReadFile(out); !bytes.Equal(text, []byte("came meanwhile")) {
		t.Errorf("it is %q", text)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left: %v", entries)
	}
}
