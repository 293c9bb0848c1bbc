package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/server/archive/archivetest"
	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// An archive is a logdir for every command, and gives what its folder does.
func TestArchiveLogdir(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string][]byte{
		"logs/a/events.out.tfevents.1": five(t),
		"logs/b/events.out.tfevents.2": events(t, func(w *summary.Buffer) { w.Scalar("b", 7, 3) }),
		"logs/b/hparams.yaml":          []byte("lr: 0.5\n"),
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(path), 0o777)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	logs := filepath.Join(dir, "logs")
	said := func(args ...string) string {
		t.Helper()
		code, stdout, stderr := call(args...)
		if code != 0 || stderr != "" {
			t.Fatalf("%q: %d, %s", args, code, stderr)
		}
		return stdout
	}
	dump, csv := said("dump", logs), said("export", logs, "--csv")
	if strings.Count(csv, "\n") != 7 {
		t.Fatalf("exported %q", csv)
	}
	for _, p := range archivetest.Packings {
		path := filepath.Join(dir, "packed"+p.End)
		if err := os.WriteFile(path, p.Pack(t, logs, "logs/"), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := said("dump", path); got != dump {
			t.Errorf("dump of %s: %s, of its folder %s", p.End, got, dump)
		}
		if got := said("export", path, "--csv"); got != csv {
			t.Errorf("export of %s: %s, of its folder %s", p.End, got, csv)
		}
		if got := said("inspect", path); !strings.Contains(got, "a: 6 events") {
			t.Errorf("inspect of %s: %s", p.End, got)
		}
		site := filepath.Join(t.TempDir(), "site")
		said("pages", site, "--logdir", path)
		found, _ := filepath.Glob(filepath.Join(site, "data", "*", "a", "events.out.tfevents.1"))
		if len(found) != 1 {
			t.Fatalf("the site of %s has %q", p.End, found)
		}
		if data, err := os.ReadFile(found[0]); err != nil || string(data) != string(five(t)) {
			t.Errorf("the site of %s has other bytes: %v", p.End, err)
		}
	}
	if code, _, stderr := call("pages", filepath.Join(t.TempDir(), "site"), "--link", "--logdir", filepath.Join(dir, "packed.tar")); code == 0 || !strings.Contains(stderr, "leave --link out") {
		t.Errorf("links into an archive: %d, %s", code, stderr)
	}
	short := filepath.Join(dir, "short.tgz")
	whole := archivetest.TarGz(t, logs, "logs/")
	os.WriteFile(short, whole[:len(whole)-20], 0o666)
	if code, stdout, stderr := call("inspect", short); !strings.Contains(stdout+stderr, "files may be missing") {
		t.Errorf("inspect of an archive that is cut: %d, %s, %s", code, stdout, stderr)
	}
}
