package files

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
)

// told returns what the listing, a file's answers, a batch and the disk's own source
// say of a file's version; they must agree.
func told(t *testing.T, s *Store, path string) string {
	t.Helper()
	l, err := s.List(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	version := ""
	for _, f := range l.Files {
		if f.Path == path {
			version = f.Version
		}
	}
	if version == "" {
		t.Fatalf("no version in %+v", l.Files)
	}
	for _, method := range []string{"GET", "HEAD"} {
		if tag := ask(t, s, method, "files/"+path, "", "Range", "bytes=0-0").Header().Get("ETag"); tag != `"`+version+`"` {
			t.Errorf("%s has the ETag %s, is listed as %s", method, tag, version)
		}
	}
	for _, p := range batch(t, s, api.Range{Path: path, Length: 1}, api.Range{Path: path, Offset: 2}) {
		if got := api.VersionText(p.Version); got != version {
			t.Errorf("a batch says %s, the listing %s", got, version)
		}
	}
	f, err := s.open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, got, err := f.Size(); got != version || err != nil {
		t.Errorf("the source says %s (%v), the listing %s", got, err, version)
	}
	return version
}

// A file's version is the same everywhere, stays while nothing happens, and is another
// one after every change: to the nanosecond, and where a tool has set size and time back.
func TestVersion(t *testing.T) {
	dir := t.TempDir()
	file := put(t, dir, "r/tfevents.1", "0123456789")
	at := time.Unix(1_700_000_000, 123_456_789)
	set := func(at time.Time) {
		t.Helper()
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	set(at)
	s := open(t, dir, true)
	seen := map[string]string{}
	last, listing := "", ""
	see := func(what string) {
		t.Helper()
		v := told(t, s, "r/tfevents.1")
		if old, ok := seen[v]; ok {
			t.Errorf("%s: version %s, as when it was %s", what, v, old)
		}
		seen[v], last = what, v
		tag := ask(t, s, "GET", "listing.json", "").Header().Get("ETag")
		if tag == listing {
			t.Errorf("%s: the listing's ETag has not changed", what)
		}
		listing = tag
	}
	see("new")
	if got := told(t, s, "r/tfevents.1"); got != last {
		t.Errorf("nothing has happened, and the version has become %s", got)
	}
	if l, _ := s.List(context.Background(), ""); l.Files[0].MTime != at.UnixNano() {
		t.Errorf("listed at %d, changed at %d", l.Files[0].MTime, at.UnixNano())
	}
	if body := ask(t, s, "GET", "listing.json", "").Body.String(); !strings.Contains(body, `"mtime":1700000000123.456789,`) {
		t.Errorf("the listing says %s", body)
	}
	set(at.Add(1))
	see("a nanosecond later")
	put(t, dir, "r/tfevents.1", "0123456789a")
	set(at)
	see("longer")
	if err := os.Truncate(file, 10); err != nil {
		t.Fatal(err)
	}
	set(at)
	if _, changed := stamp(stat(t, file)); changed == 0 {
		return // this system does not tell more
	}
	see("as at first, by size and time")
	other := put(t, dir, "other", "0123456780")
	if err := os.Chtimes(other, at, at); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, file); err != nil {
		t.Fatal(err)
	}
	see("another file of the same size and time")
}

func stat(t *testing.T, path string) os.FileInfo {
	t.Helper()
	fi, err := os.Stat(filepath.Clean(path))
	if err != nil {
		t.Fatal(err)
	}
	return fi
}
