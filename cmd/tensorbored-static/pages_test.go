package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/server/profiles"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/profile"
)

// siteData writes a site of a small page and returns its listing.
func siteData(t *testing.T, out string, f pagesFlags) *api.Listing {
	t.Helper()
	var said bytes.Buffer
	if code := pages(context.Background(), out, f, smallSite(), &said, &said); code != 0 {
		t.Fatalf("%d %s", code, &said)
	}
	text, err := os.ReadFile(filepath.Join(out, "data", "listing.json"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := api.Parse(text)
	if err != nil || !strings.Contains(said.String(), fmt.Sprintf("%d files of", len(l.Files))) {
		t.Fatalf("%s, listed %v %v", &said, l, err)
	}
	return l
}

func listedPaths(l *api.Listing) (paths []string) {
	for _, f := range l.Files {
		paths = append(paths, f.Path)
	}
	return paths
}

// Links lead to the files as they are listed, and with the next run of pages to what
// they are then.
func TestPagesLinks(t *testing.T) {
	dir, out := logs(t), filepath.Join(t.TempDir(), "site")
	f := pagesFlags{logdir: dir, link: true}
	for range 2 {
		l := siteData(t, out, f)
		for _, x := range l.Files {
			at := filepath.Join(out, "data", filepath.FromSlash(l.Base+x.Path))
			link, err := os.Lstat(at)
			fi, e := os.Stat(at)
			if err != nil || e != nil || link.Mode()&os.ModeSymlink == 0 || fi.Size() != x.Size {
				t.Fatalf("%+v: %v %v", x, err, e)
			}
			g, err := os.OpenFile(at, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := g.WriteString("more"); err != nil {
				t.Fatal(err)
			}
			g.Close()
		}
	}
}

// A default profile of the site's own stands in for the logdir's, which is not changed.
func TestPagesProfile(t *testing.T) {
	dir, out := logs(t), filepath.Join(t.TempDir(), "site")
	if err := profiles.Write(dir, profile.New("The logdir's")); err != nil {
		t.Fatal(err)
	}
	for _, link := range []bool{false, true} {
		f := pagesFlags{logdir: dir, link: link}
		plain := listedPaths(siteData(t, out, f))
		if !slices.Contains(plain, profile.DefaultPath) {
			t.Fatalf("listed %q", plain)
		}
		view, err := profile.Encode(profile.New("The site's"))
		if err != nil {
			t.Fatal(err)
		}
		f.profile = filepath.Join(t.TempDir(), "view.json")
		if err := os.WriteFile(f.profile, view, 0o666); err != nil {
			t.Fatal(err)
		}
		l := siteData(t, out, f)
		own := listedPaths(l)
		if !slices.Equal(own, plain) {
			t.Errorf("listed %q, without a profile %q", own, plain)
		}
		for at, want := range map[string]string{filepath.Join(out, "data", filepath.FromSlash(l.Base)): "The site's", dir: "The logdir's"} {
			if p, _, err := profiles.Read(at); err != nil || p.Name != want {
				t.Errorf("in %s: %v %v", at, p, err)
			}
		}
	}
}

// Referred to, nothing is put into the site, and its page may read from that host alone.
func TestPagesReferences(t *testing.T) {
	dir, out := logs(t), filepath.Join(t.TempDir(), "site")
	index := filepath.Join(out, "index.html")
	for files, want := range map[string]string{
		"https://bucket.example:8443/a b/logs/": "connect-src &#39;self&#39; https://bucket.example:8443\"",
		"//bucket.example/logs/":                "connect-src &#39;self&#39; https://bucket.example\"",
		"../logs/":                              "connect-src &#39;self&#39;\"",
		"/logs/":                                "connect-src &#39;self&#39;\"",
	} {
		f := pagesFlags{logdir: dir, files: strings.TrimSuffix(files, "/")}
		l := siteData(t, out, f)
		if l.Base != files || len(l.Files) != 2 {
			t.Errorf("%s: %+v", files, l)
		}
		if _, err := os.Stat(filepath.Join(out, "data", "files")); err == nil {
			t.Errorf("%s: files were copied", files)
		}
		if got, err := os.ReadFile(index); err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s: %v %s", files, err, got)
		}
	}
	f := pagesFlags{logdir: dir, connect: []string{"https://bucket.example/?prefix=logs/", "http://127.0.0.1:9000"}}
	siteData(t, out, f)
	const want = "connect-src &#39;self&#39; http://127.0.0.1:9000 https://bucket.example\""
	if got, err := os.ReadFile(index); err != nil || !strings.Contains(string(got), want) {
		t.Errorf("--connect: %v %s", err, got)
	}
}

func TestPagesFlags(t *testing.T) {
	dir := logs(t)
	for _, c := range []struct {
		says string
		args []string
	}{
		{"exclude each other", []string{"--logdir", dir, "--link", "--files", "x"}},
		{"give --logdir too", []string{"--link"}},
		{"set-default", []string{"--logdir", dir, "--files", "x", "--profile", "y"}},
		{"is no address", []string{"--logdir", dir, "--files", "ftp://x/"}},
		{"is no address", []string{"--logdir", dir, "--files", "https://u:p@x/"}},
		{"is no address", []string{"--logdir", dir, "--files", "https://x/?a=b"}},
		{"is no address of a bucket", []string{"--connect", "s3://bucket"}},
		{"is no address of a bucket", []string{"--connect", "https://a; script-src *"}},
		{"no such file", []string{"--logdir", dir, "--profile", filepath.Join(dir, "none.json")}},
	} {
		out := filepath.Join(t.TempDir(), "site")
		expect(t, exitUsage, c.says, append([]string{"pages", out}, c.args...)...)
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%v: a site was begun", c.args)
		}
	}
}

// Of a host of another site the user is told what it must allow, however its address is
// written.
func TestPagesNeeds(t *testing.T) {
	for files, want := range map[string]bool{"https://h/logs/": true, "//h/logs/": true, "../logs/": false, "/logs/": false} {
		f := pagesFlags{files: files}
		if got := strings.Contains(f.needs(), "CORS"); got != want {
			t.Errorf("%s: %q", files, f.needs())
		}
	}
}
