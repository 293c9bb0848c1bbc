package kept

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestDir(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "cache")
	d, err := Open(path, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	fi, err := os.Stat(path)
	if err != nil || fi.Mode().Perm() != 0o700 {
		t.Error(fi.Mode(), err)
	}
	blob := func(i int) []byte { return bytes.Repeat([]byte{byte(i)}, 1000) }
	for i := range 5 {
		if !d.Save(fmt.Sprint("k", i), blob(i)) {
			t.Error("not saved")
		}
	}
	if b := d.Load("k3", 1000); !bytes.Equal(b, blob(3)) {
		t.Errorf("%d bytes", len(b))
	}
	if d.Load("k3", 999) != nil || d.Load("none", 1000) != nil {
		t.Error("what must not be loaded is")
	}
	d.Save("k3", []byte("new"))
	if b := d.Load("k3", 1000); string(b) != "new" {
		t.Errorf("%q", b)
	}
	d.Drop("k4")
	if d.Load("k4", 1000) != nil {
		t.Error("it was dropped")
	}
	// Another start finds them; and what was used longest ago goes first.
	d, err = Open(path, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	for _, k := range []string{"k0", "k1"} {
		if err := os.Chtimes(d.file(k), old, old); err != nil {
			t.Fatal(err)
		}
	}
	d.Load("k1", 1000) // is used
	other := filepath.Join(path, "not ours")
	if err := os.WriteFile(other, make([]byte, 50_000), 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		d.Save(fmt.Sprint("n", i), blob(10+i))
	}
	if d.Load("k0", 1000) != nil || d.Load("k1", 1000) == nil || d.Load("n7", 1000) == nil {
		t.Error("others went first")
	}
	if _, err := os.Stat(other); err != nil {
		t.Error(err)
	}
	if !d.Save("huge", make([]byte, 6000)) || d.Load("huge", 1e6) != nil {
		t.Error("one takes all the room")
	}
}

// Where nothing can be written nothing is kept, and that is said once.
func TestNoRoom(t *testing.T) {
	path := t.TempDir()
	d, err := Open(filepath.Join(path, "cache"), 1000)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(path, "cache")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(path, "cache"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if d.Save("k", []byte("x")) || d.Load("k", 10) != nil {
		t.Error("it was kept")
	}
	if _, err := Open(filepath.Join(path, "cache"), 1000); err == nil {
		t.Error("a file is no directory")
	}
}
