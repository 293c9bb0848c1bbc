package files

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/source/sourcetest"
)

// TestSource: the disk passes the suite, with links followed and without.
func TestSource(t *testing.T) {
	for name, follow := range map[string]bool{"links": true, "no links": false} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for path, b := range sourcetest.Files() {
				put(t, dir, path, string(b))
			}
			real := func(path string) string { return filepath.Join(dir, filepath.FromSlash(path)) }
			o := &sourcetest.Origin{
				Logdir: open(t, dir, follow).Source(), Lists: true, Grows: true,
				Append: func(path string, data []byte) error {
					f, err := os.OpenFile(real(path), os.O_APPEND|os.O_WRONLY, 0)
					if err != nil {
						return err
					}
					_, err = f.Write(data)
					return errors.Join(err, f.Close())
				},
				Remove: func(path string) error { return os.Remove(real(path)) },
			}
			for _, c := range sourcetest.Cases {
				t.Run(c.Name, func(t *testing.T) {
					if err := c.Run(t.Context(), o); err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
}

// A file that a directory or a link has replaced is gone, not broken.
func TestSourceReplaced(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "tfevents.1", "x")
	put(t, dir, "tfevents.2", "y")
	s := open(t, dir, false)
	l := s.Source()
	if _, err := l.List(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tfevents.1", "tfevents.2"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "tfevents.1"), 0o777); err != nil {
		t.Fatal(err)
	}
	link(t, "/etc/hostname", dir, "tfevents.2")
	seq, err := l.Read(t.Context(), []source.Range{{Path: "tfevents.1", Length: 9}, {Path: "tfevents.2", Length: 9}})
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range seq {
		if !errors.Is(got.Err, source.ErrGone) || len(got.Data) > 0 {
			t.Errorf("file %d: %q, %v", i, got.Data, got.Err)
		}
	}
}
