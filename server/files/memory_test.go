//go:build unix

package files

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// A store that has walked many times lists what one lists that walks for the first
// time, whatever has happened in between.
func TestWalksBuildOnWalks(t *testing.T) {
	defer func(was time.Duration) { settled = was }(settled)
	settled = 20 * time.Millisecond // several ticks of the clocks of local file systems
	for _, follow := range []bool{true, false} {
		rnd := rand.New(rand.NewPCG(1, 2))
		top := t.TempDir()
		dir := filepath.Join(top, "logs")
		outside := filepath.Join(top, "outside")
		for i := range 20 {
			put(t, dir, fmt.Sprintf("r%d/tfevents.%d", i%7, i), "x")
		}
		put(t, outside, "o/tfevents", "outside")
		roots := []Root{{Dir: dir, Name: "logs"}, {Dir: filepath.Join(dir, "r1"), Name: "one"}, {Dir: filepath.Join(dir, "r*")}}
		s := openRoots(t, Options{Follow: follow, Later: true}, roots...)
		at := func() string { return filepath.Join(dir, fmt.Sprintf("r%d", rnd.IntN(9))) }
		file := func() string { return filepath.Join(at(), fmt.Sprintf("tfevents.%d", rnd.IntN(6))) }
		reused := 0
		for step := range 120 {
			what := rnd.IntN(12)
			switch what {
			case 0, 1:
				os.WriteFile(file(), make([]byte, rnd.IntN(50)), 0o666)
			case 2:
				os.Remove(file())
			case 3:
				os.Rename(file(), file())
			case 4:
				os.Rename(at(), at())
			case 5:
				os.RemoveAll(at())
			case 6:
				os.MkdirAll(filepath.Join(at(), "deep", fmt.Sprint(rnd.IntN(3))), 0o777)
				put(t, at(), "deep/tfevents", "x")
			case 7:
				os.Symlink("../outside/o", filepath.Join(at(), "link"))
			case 8:
				name := filepath.Join(at(), "link")
				os.Remove(name)
				os.Symlink(at(), name)
			case 9:
				os.Symlink(file(), file())
			case 10:
				put(t, at(), "projector_config.pbtxt", "x")
				put(t, at(), "vectors.tsv", "x")
			case 11:
				put(t, outside, fmt.Sprintf("o/tfevents.%d", step), "x")
			}
			if rnd.IntN(2) == 0 {
				time.Sleep(settled + 5*time.Millisecond) // so that times are believed; nothing waits for it
			}
			before := s.roots[0].memory
			got, err := s.snapshot(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			want, err := openRoots(t, Options{Follow: follow, Later: true}, roots...).snapshot(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if string(got.body) != string(want.body) {
				t.Fatalf("follow %v, step %d (%d): listed\n%s\nthe first time\n%s", follow, step, what, got.body, want.body)
			}
			if before != nil {
				for p, d := range s.roots[0].memory.dirs {
					if old := before.dirs[p]; old == d && old.sure {
						reused++
					}
				}
			}
			if got != s.last.Load() {
				t.Fatal("not kept")
			}
		}
		if reused < 50 {
			t.Errorf("follow %v: names were believed %d times only", follow, reused)
		}
	}
}

// What a directory's time does not tell is found by reading all names now and then.
func TestNamesAreReadAgain(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "r/tfevents.1", "x")
	s := open(t, dir, true)
	paths(t, s)
	put(t, dir, "r/tfevents.2", "x")
	// As if the file system kept no times.
	m := s.roots[0].memory
	fi, err := os.Stat(filepath.Join(dir, "r"))
	if err != nil {
		t.Fatal(err)
	}
	_, changed := stamp(fi)
	r := m.dirs["r"]
	r.sure, r.times.mtime, r.times.changed = true, fi.ModTime().UnixNano(), changed
	if got, _ := paths(t, s); got != "r/tfevents.1" {
		t.Fatalf("got %s: the time was not believed", got)
	}
	s.roots[0].memory.full = time.Now().Add(-2 * fullEvery)
	if got, _ := paths(t, s); got != "r/tfevents.1 r/tfevents.2" {
		t.Errorf("got %s", got)
	}
}

// A walk that finds nothing new makes no new listing.
func TestUnchangedListing(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a/tfevents", "x")
	link(t, "nowhere", dir, "broken")
	s := open(t, dir, true)
	first, err := s.snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.snapshot(context.Background())
	if err != nil || &again.body[0] != &first.body[0] || !slices.Equal(again.problems, first.problems) {
		t.Errorf("a new listing, %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "broken")); err != nil {
		t.Fatal(err)
	}
	if got, problems := paths(t, s); got != "a/tfevents" || problems != "" {
		t.Errorf("got %s, problems %s", got, problems)
	}
}

// Files that have rested are asked in turn: what happens to them is listed after four walks
// at most, and at the next one if somebody has opened one and found it changed.
func TestRestingFiles(t *testing.T) {
	defer func(was time.Duration) { restsAfter = was }(restsAfter)
	restsAfter = 100 * time.Millisecond
	dir := t.TempDir()
	const files = 40
	name := func(i int) string { return fmt.Sprintf("r%d/tfevents", i) }
	write := func(text string) {
		t.Helper()
		for i := range files {
			f, err := os.OpenFile(filepath.Join(dir, name(i)), os.O_WRONLY|os.O_APPEND, 0)
			if err == nil {
				_, err = f.WriteString(text)
				f.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range files {
		put(t, dir, name(i), "x")
	}
	s := open(t, dir, true)
	s.rest = 0
	listed := func(size int64) (n int) {
		t.Helper()
		snap, err := s.snapshot(context.Background())
		if err != nil || len(snap.found) != files {
			t.Fatal(err)
		}
		for _, e := range snap.found {
			if e.Size == size {
				n++
			}
		}
		return n
	}
	rested := func() {
		time.Sleep(restsAfter + restsAfter/2)
		for range restsFor { // all are asked, and none has changed
			listed(0)
		}
	}
	listed(1)
	rested()
	write("y")
	if n := listed(2); n == 0 || n == files {
		t.Errorf("%d of %d files were asked, not a part", n, files)
	}
	for range restsFor - 1 {
		listed(2)
	}
	if n := listed(2); n != files {
		t.Errorf("after %d walks %d of %d files are listed as they are", restsFor+1, n, files)
	}
	rested()
	write("z")
	f, err := s.Open(context.Background(), name(7))
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if n := listed(3); n != files {
		t.Errorf("one was found changed, and %d of %d files are listed as they are", n, files)
	}
}
