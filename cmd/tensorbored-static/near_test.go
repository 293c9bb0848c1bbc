//go:build !noreader

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/api"
)

func TestNearFlags(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "64MB": 64 << 20, "4g": 4 << 30, "1.5 GiB": 3 << 29, "100000K": 100000 << 10, "1000000000": 1e9} {
		n := nearFlags{memory: text}
		if got, err := n.bytes(); got != want || err != nil {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
	for _, n := range []nearFlags{{memory: "x"}, {memory: "1MB"}, {memory: "-4GB"}, {memory: "NaN"}, {memory: "infGB"}, {memory: "4GBB"}, {read: "here"}} {
		if n.wrong() == nil {
			t.Errorf("%+v is taken", n)
		}
	}
	for read, want := range map[string]api.Page{"auto": {Near: "near"}, "": {Near: "near"}, "server": {Near: "near", NearAlways: true}, "browser": {}} {
		n, got := nearFlags{read: read}, api.Page{}
		if n.ask(&got); got.Near != want.Near || got.NearAlways != want.NearAlways {
			t.Errorf("--read %s: %+v", read, got)
		}
	}
}

// The cache never lies in the logdir, by whichever way, and is its user's alone.
func TestCacheBesideLogdir(t *testing.T) {
	dir := t.TempDir()
	logs, link := filepath.Join(dir, "logs"), filepath.Join(dir, "link")
	if err := os.MkdirAll(filepath.Join(logs, "run"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(logs, link); err != nil {
		t.Fatal(err)
	}
	of := []string{"\n" + logs}
	for _, cache := range []string{logs, filepath.Join(logs, "run", "new"), filepath.Join(link, "cache"), filepath.Join(dir, "x", "..", "logs", "c")} {
		if _, err := (&nearFlags{cache: cache}).store(of); err == nil || !strings.Contains(err.Error(), "--cache") {
			t.Errorf("%s: %v", cache, err)
		}
	}
	good := filepath.Join(dir, "logs-cache")
	s, err := (&nearFlags{cache: good}).store(of)
	if err != nil || !s.Save("k", []byte("v")) || string(s.Load("k", 9)) != "v" {
		t.Errorf("%v", err)
	}
	if fi, err := os.Stat(good); err != nil || fi.Mode().Perm() != 0o700 {
		t.Error(fi.Mode(), err)
	}
	if s, err := (&nearFlags{cache: "off"}).store(of); s != nil || err != nil {
		t.Error(s, err)
	}
	t.Setenv("XDG_CACHE_HOME", filepath.Join(logs, "home"))
	if s, err := (&nearFlags{}).store(of); s != nil || err != nil {
		t.Error("the default lies in the logdir:", s, err)
	}
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "home"))
	s, err = (&nearFlags{}).store(of)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "home")); err == nil {
		t.Error("a directory is made before there is something to keep")
	}
	if !s.Save("k", []byte("v")) {
		t.Error("nothing is kept")
	}
}
