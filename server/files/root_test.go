//go:build unix

package files

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/api"
)

func openRoots(t *testing.T, o Options, roots ...Root) *Store {
	t.Helper()
	s, err := OpenRoots(roots, o)
	if err != nil {
		t.Fatal(err)
	}
	s.rest = 0
	t.Cleanup(func() { s.Close() })
	return s
}

// Several directories, one event file and a pattern are one tree, each at its name,
// with links followed or not, and every listed file is handed out.
func TestRoots(t *testing.T) {
	top := t.TempDir()
	put(t, top, "a/r/tfevents.1", "a r")
	put(t, top, "b/r/tfevents.1", "b r")
	put(t, top, "b/tfevents.2", "b top")
	put(t, top, "c/tfevents.only", "only")
	put(t, top, "c/tfevents.not", "not")
	put(t, top, "many/x/tb/r/tfevents", "x")
	put(t, top, "many/y/tb/tfevents", "y")
	put(t, top, "many/y/other/tfevents", "not")
	put(t, top, "[odd]/tfevents", "odd")
	link(t, "../elsewhere", top, "many/z")
	put(t, top, "elsewhere/tb/tfevents", "z")
	at := func(p string) string { return filepath.Join(top, p) }
	for _, follow := range []bool{true, false} {
		s := openRoots(t, Options{Name: "all", Follow: follow},
			Root{Dir: at("a"), Name: ""}, Root{Dir: at("b"), Name: "B/x"}, Root{Dir: at("c/tfevents.only"), Name: "file"}, Root{Dir: at("many/*/tb"), Name: "m"}, Root{Dir: at("[odd]"), Name: "odd"},
			Root{Dir: at("many/*/tb/tf*"), Name: "f"})
		got, problems := paths(t, s)
		z, fz := " m/z/tb/tfevents", " f/z/tb/tfevents"
		if !follow {
			z, fz = "", ""
		}
		want := "B/x/r/tfevents.1 B/x/tfevents.2 f/y/tb/tfevents" + fz + " file/tfevents.only m/x/tb/r/tfevents m/y/tb/tfevents" + z + " odd/tfevents r/tfevents.1"
		if got != want || problems != "" {
			t.Errorf("follow %v:\ngot  %s\nwant %s\nproblems %s", follow, got, want, problems)
		}
		for path, want := range map[string]string{"B/x/r/tfevents.1": "b r", "r/tfevents.1": "a r", "file/tfevents.only": "only", "m/y/tb/tfevents": "y", "odd/tfevents": "odd"} {
			if w := ask(t, s, "GET", "files/"+path, ""); w.Code != 200 || w.Body.String() != want {
				t.Errorf("%s: %d %s", path, w.Code, w.Body)
			}
		}
		for _, path := range []string{"c/tfevents.only", "file/tfevents.not", "B/r/tfevents.1", "../a/r/tfevents.1", "tfevents.2"} {
			failure(t, ask(t, s, "GET", "files/"+path, ""), 404)
		}
		put(t, top, "many/new/tb/tfevents", "new")
		if got, _ := paths(t, s); !strings.Contains(got, "m/new/tb/tfevents") {
			t.Errorf("a new match is not listed: %s", got)
		}
		if err := os.RemoveAll(at("many/new")); err != nil {
			t.Fatal(err)
		}
	}
}

// One event file is a logdir; links to one are only where links are followed.
func TestFileRoot(t *testing.T) {
	dir := t.TempDir()
	file := put(t, dir, "tfevents.1", "one")
	put(t, dir, "tfevents.2", "two")
	link(t, "tfevents.1", dir, "tfevents.link")
	for _, follow := range []bool{true, false} {
		if got, problems := paths(t, openRoots(t, Options{Follow: follow}, Root{Dir: file})); got != "tfevents.1" || problems != "" {
			t.Errorf("follow %v: %s, problems %s", follow, got, problems)
		}
	}
	if got, _ := paths(t, openRoots(t, Options{Follow: true}, Root{Dir: filepath.Join(dir, "tfevents.link")})); got != "tfevents.link" {
		t.Errorf("link: %s", got)
	}
	if got, problems := paths(t, openRoots(t, Options{}, Root{Dir: filepath.Join(dir, "tfevents.link")})); got != "" || problems != "tfevents.link" {
		t.Errorf("link that is not followed: %s, problems %s", got, problems)
	}
}

// Two files at one path: the first is listed and the other said to be missing.
func TestRootsCollide(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	put(t, a, "r/tfevents", "first")
	put(t, b, "r/tfevents", "second")
	put(t, b, "r/tfevents.2", "too")
	s := openRoots(t, Options{}, Root{Dir: a}, Root{Dir: b})
	if got, problems := paths(t, s); got != "r/tfevents r/tfevents.2" || problems != "r/tfevents" {
		t.Errorf("%s, problems %s", got, problems)
	}
	if w := ask(t, s, "GET", "files/r/tfevents", ""); w.Body.String() != "first" {
		t.Errorf("%s", w.Body)
	}
}

// What does not exist yet is waited for if asked to, also again after a replacement,
// and one root's trouble does not hide the others.
func TestRootAppears(t *testing.T) {
	for _, follow := range []bool{true, false} {
		top := t.TempDir()
		there, later := filepath.Join(top, "there"), filepath.Join(top, "deep", "later")
		put(t, there, "tfevents", "there")
		if _, err := OpenRoots([]Root{{Dir: later}}, Options{}); !errors.As(err, new(*DirError)) || !strings.Contains(err.Error(), "does not exist") {
			t.Errorf("not waited for: %v", err)
		}
		if _, err := OpenRoots([]Root{{Dir: filepath.Join(top, "no*")}}, Options{}); !errors.As(err, new(*DirError)) || !strings.Contains(err.Error(), "matches nothing") {
			t.Errorf("pattern: %v", err)
		}
		alone := openRoots(t, Options{Follow: follow, Later: true}, Root{Dir: later})
		both := openRoots(t, Options{Follow: follow, Later: true}, Root{Dir: there, Name: "there"}, Root{Dir: later, Name: "later"}, Root{Dir: filepath.Join(top, "deep/[l]*"), Name: "p"})
		see := func(want, problems string) {
			t.Helper()
			for s, want := range map[*Store][2]string{alone: {want, map[bool]string{true: "."}[problems != ""]},
				both: {strings.TrimSpace(prefixed("later/", want) + " " + prefixed("p/later/", want) + " there/tfevents"), problems}} {
				got, p := paths(t, s)
				if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want[0]), " ") || p != want[1] {
					t.Errorf("follow %v: %q, problems %q; want %q, %q", follow, got, p, want[0], want[1])
				}
			}
		}
		see("", "p later")
		put(t, later, "r/tfevents", "1")
		see("r/tfevents", "")
		if err := os.Rename(later, later+".old"); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(later + ".old"); err != nil {
			t.Fatal(err)
		}
		if _, err := alone.List(context.Background(), ""); !errors.As(err, new(*DirError)) {
			t.Errorf("gone again: %v", err)
		}
		if got, problems := paths(t, both); got != "there/tfevents" || problems != "p later" {
			t.Errorf("gone again: %s, problems %s", got, problems)
		}
		put(t, later, "new/tfevents", "2")
		see("new/tfevents", "")
	}
}

func prefixed(prefix, paths string) string {
	if paths == "" {
		return ""
	}
	return prefix + paths
}

func TestRootRefused(t *testing.T) {
	dir := t.TempDir()
	other := put(t, dir, "model.pt", "x")
	for _, r := range []Root{{Dir: other}, {Dir: dir, Name: "/abs"}, {Dir: dir, Name: "../up"}, {Dir: dir, Name: "a//b"}, {Dir: "/dev/null"}} {
		for _, later := range []bool{true, false} {
			if _, err := OpenRoots([]Root{r}, Options{Later: later}); !errors.As(err, new(*DirError)) {
				t.Errorf("%+v: %v", r, err)
			}
		}
	}
}

// What the page is asked to do is in both listings, and is part of the ETag: the
// browser would use the old listing otherwise.
func TestPageOptions(t *testing.T) {
	dir := t.TempDir()
	plain := openRoots(t, Options{}, Root{Dir: dir})
	titled := openRoots(t, Options{Page: api.Page{Title: "T", Reload: api.Never}}, Root{Dir: dir})
	w := ask(t, titled, "GET", "listing.json", "")
	l, err := api.Parse(w.Body.Bytes())
	if err != nil || l.Page.Title != "T" || l.Page.Reload != api.Never {
		t.Errorf("%+v, %v", l, err)
	}
	if l, err := titled.List(context.Background(), ""); err != nil || l.Page.Title != "T" {
		t.Errorf("%+v, %v", l, err)
	}
	if w.Header().Get("ETag") == ask(t, plain, "GET", "listing.json", "").Header().Get("ETag") {
		t.Error("two listings have one ETag")
	}
}
