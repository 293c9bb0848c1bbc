//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/server/hub/slurmtest"
	"github.com/tensorbored/tensorbored-static/shared/digest"
)

// What docs/CLUSTER.md says of digests is done as it stands there, by a real Slurm, with an
// array of 3 jobs in place of 100, of which one fails at first: what the jobs write, joined,
// is what one program writes.
func TestSlurmDigests(t *testing.T) {
	t.Parallel()
	script, submit, again := digestsOfTheDocs(t)
	c := slurmtest.Start(t, slurmtest.Options{Nodes: 1})
	dir, err := filepath.EvalSymlinks(manyRuns(t, 12))
	if err != nil {
		t.Fatal(err)
	}
	inspected := func() string {
		t.Helper()
		code, said, wrong := call("inspect", dir, "--json")
		if code != 0 || wrong != "" || said == "" {
			t.Fatal(code, said, wrong)
		}
		return said
	}
	want := inspected()

	work, bin := t.TempDir(), t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The second part's job fails as long as a file is there.
	fails := filepath.Join(work, "fails")
	program := fmt.Sprintf("#!/bin/sh\ncase \"$*\" in *\" 2/3 \"*) if [ -e '%s' ]; then exit 9; fi;; esac\n%s=1 exec '%s' \"$@\"\n", fails, beCommand, self)
	for name, text := range map[string]string{filepath.Join(bin, "tensorbored-static"): program, filepath.Join(work, "digests.sh"): script, fails: ""} {
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// run runs lines of the docs in a shell, and waits for the jobs.
	run := func(lines string) {
		t.Helper()
		sh := exec.Command("sh", "-ec", strings.ReplaceAll(lines, "/archive/runs", dir))
		sh.Dir = work
		sh.Env = append(os.Environ(), "SLURM_CONF="+c.Conf, "PATH="+bin+":"+os.Getenv("PATH"))
		if out, err := sh.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for end := time.Now().Add(3 * time.Minute); len(c.Jobs()) > 0; time.Sleep(50 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("they do not end: %q", c.Jobs())
			}
		}
	}
	said := func() string {
		var b bytes.Buffer
		names, _ := filepath.Glob(filepath.Join(work, "slurm-*.out"))
		for _, name := range names {
			text, _ := os.ReadFile(name)
			fmt.Fprintf(&b, "%s: %s\n", filepath.Base(name), text)
		}
		return b.String()
	}
	joined := filepath.Join(dir, digest.Dir, wholeDigest)
	run(submit)
	if got := digestEntries(t, joined); len(got) == 0 || len(got) >= 12 {
		t.Errorf("without the part that failed it has %d files; the jobs say:\n%s", len(got), said())
	}
	if err := os.Remove(fails); err != nil {
		t.Fatal(err)
	}
	_, merge, ok := strings.Cut(submit, "\n")
	if !ok {
		t.Fatalf("there is no second line: %q", submit)
	}
	run("id=$(" + strings.Replace(again, "sbatch", "sbatch --parsable", 1) + ")\n" + merge)
	if left, err := os.ReadDir(filepath.Dir(joined)); err != nil || len(left) != 1 {
		t.Errorf("what is left: %v, %v; the jobs say:\n%s", left, err, said())
	}

	alone := t.TempDir()
	if code, _, wrong := call("index", dir, "--out", alone); code != 0 || wrong != "" {
		t.Fatal(code, wrong)
	}
	got, is := digestEntries(t, joined), digestEntries(t, filepath.Join(alone, digest.Dir, wholeDigest))
	if len(is) != 12 || len(got) != len(is) {
		t.Errorf("%d files by jobs, %d by one program; the jobs say:\n%s", len(got), len(is), said())
	}
	for path, entry := range is {
		if got[path] != entry {
			t.Errorf("%s has another entry than one program writes", path)
		}
	}
	if now := inspected(); now != want {
		t.Errorf("inspect says\n%s\nwithout digests it said\n%s", now, want)
	}
}

// digestEntries are the entries of a digest, with the version of the file that each is of.
func digestEntries(t *testing.T, name string) map[string]string {
	t.Helper()
	d := openDigest(name)
	if d == nil {
		t.Fatalf("%s is no digest", name)
	}
	defer d.Close()
	all := map[string]string{}
	for p, i := range d.items {
		all[p] = fmt.Sprintln(i.Size, i.MTime, i.Version) + string(d.load(i))
	}
	return all
}

// digestsOfTheDocs returns the script of the docs, the lines that submit it, and the one that
// submits a part again, with 3 in place of 100 jobs, and as little memory as tests have.
func digestsOfTheDocs(t *testing.T) (script, submit, again string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/CLUSTER.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(text), "\n## Digests of an archive\n")
	part, _, _ = strings.Cut(part, "\n## ")
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(part, -1)
	line := regexp.MustCompile("`(sbatch --array=17 [^`]*)`").FindStringSubmatch(part)
	if len(blocks) != 2 || line == nil {
		t.Fatalf("docs/CLUSTER.md has %d blocks about digests, and submits a part again by %q", len(blocks), line)
	}
	script = blocks[0][1]
	for _, r := range [][2]string{{"--array=1-100", "--array=1-3"}, {"/100", "/3"}, {"--mem=4G", "--mem=512M"}} {
		if strings.Count(script, r[0]) != 1 {
			t.Fatalf("%q does not stand once in %s", r[0], script)
		}
		script = strings.Replace(script, r[0], r[1], 1)
	}
	return script, strings.TrimSpace(blocks[1][1]), strings.Replace(line[1], "--array=17", "--array=2", 1)
}
