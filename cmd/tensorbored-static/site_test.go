package main

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/api"
)

// treeOf is what stands below dir, by path.
func treeOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, p)
		text, err := os.ReadFile(p)
		all[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// whole fails unless everything that a site's documents name is there, and says which
// logdir's it is: the first event's bytes.
func whole(t *testing.T, out string) string {
	t.Helper()
	index, err := os.ReadFile(filepath.Join(out, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range append(scriptTag.FindAllStringSubmatch(string(index), -1), styleTag.FindAllStringSubmatch(string(index), -1)...) {
		if _, err := os.Stat(filepath.Join(out, m[1])); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(out, "data", "listing.json"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := api.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	content := ""
	for _, f := range l.Files {
		b, err := os.ReadFile(filepath.Join(out, "data", filepath.FromSlash(l.Base+f.Path)))
		if err != nil || int64(len(b)) != f.Size {
			t.Fatalf("%s: %d bytes, %v; listed %d", f.Path, len(b), err, f.Size)
		}
		content += f.Path + "=" + string(b) + " "
	}
	return content
}

// Of a site only what pages wrote is removed, and what somebody else put there is never
// replaced.
func TestSiteKeepsOthersFiles(t *testing.T) {
	dir, out := logs(t), filepath.Join(t.TempDir(), "site")
	siteData(t, out, pagesFlags{logdir: dir})
	mine := map[string]string{"data/notes.txt": "n", "data/files/c/plot.png": "p", "assets/own.js": "o", "CNAME": "c", "demo/x": "x", "data/files/a b/tfevents.1": "mine now, and longer"}
	for name, text := range mine {
		p := filepath.Join(out, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(p), 0o777)
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	os.WriteFile(filepath.Join(dir, "c", "tfevents.2"), []byte("two and more"), 0o666)
	for range 3 {
		siteData(t, out, pagesFlags{logdir: dir})
		now := treeOf(t, out)
		for name, text := range mine {
			if now[name] != text {
				t.Errorf("%s is %q", name, now[name])
			}
		}
		if got := whole(t, out); got != "a b/tfevents.1=one c/tfevents.2=two and more " {
			t.Errorf("the site has %s", got)
		}
	}
	if n := len(treeOf(t, out)); n != len(mine)+len(smallSite())+2+2+1 { // siteMark, siteFiles, files, listing
		t.Errorf("%d files: %q", n, slices.Sorted(maps.Keys(treeOf(t, out))))
	}
	other := filepath.Join(t.TempDir(), "other")
	siteData(t, other, pagesFlags{logdir: dir})
	os.Remove(filepath.Join(other, siteFiles)) // as an earlier version left it
	siteData(t, other, pagesFlags{logdir: dir})
	whole(t, other)
	if _, err := os.Stat(filepath.Join(other, "data", "files")); err == nil {
		t.Error("what an earlier version wrote is still there")
	}
	jekyll := t.TempDir()
	os.WriteFile(filepath.Join(jekyll, siteMark), nil, 0o666)
	os.WriteFile(filepath.Join(jekyll, "index.html"), []byte("my own page"), 0o666)
	var said bytes.Buffer
	if code := pages(context.Background(), jekyll, pagesFlags{logdir: dir}, smallSite(), &said, &said); code != exitUsage || !strings.Contains(said.String(), "holds something else") {
		t.Errorf("a site of somebody else: %d %s", code, &said)
	}
}

// A run that fails or is interrupted leaves the site as it was, and nothing of its own.
func TestSiteAfterFailure(t *testing.T) {
	dir, out := logs(t), filepath.Join(t.TempDir(), "site")
	siteData(t, out, pagesFlags{logdir: dir})
	before := treeOf(t, out)
	os.WriteFile(filepath.Join(dir, "c", "tfevents.2"), []byte("two and more"), 0o666)
	bad := smallSite()
	bad["index.html"].Data = []byte("not the page")
	var said bytes.Buffer
	if code := pages(context.Background(), out, pagesFlags{logdir: dir, files: "https://h/"}, bad, &said, &said); code != exitFailed || !strings.Contains(said.String(), "is as it was") {
		t.Errorf("%d %s", code, &said)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	said.Reset()
	if code := pages(ctx, out, pagesFlags{logdir: dir}, smallSite(), &said, &said); code != exitFailed || !strings.Contains(said.String(), "interrupted: the site in") {
		t.Errorf("%d %s", code, &said)
	}
	if after := treeOf(t, out); !maps.Equal(before, after) {
		t.Errorf("before %q\nafter %q", before, after)
	}
	fresh := filepath.Join(t.TempDir(), "fresh")
	if code := pages(ctx, fresh, pagesFlags{logdir: dir}, smallSite(), &said, &said); code != exitFailed {
		t.Errorf("%d %s", code, &said)
	}
	if _, err := os.Stat(fresh); err == nil {
		t.Error("something of a new site is left")
	}
}
