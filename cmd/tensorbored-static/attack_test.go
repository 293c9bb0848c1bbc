//go:build linux

package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/server/part"
	"github.com/tensorbored/tensorbored-static/server/profiles"
	"github.com/tensorbored/tensorbored-static/shared/profile"
)

// The command line is attacked by seeded plans: every command that writes, every sort of
// target, and a fault: killed or interrupted at any moment, a disk that is full. After
// each, every byte that is not the command's own is as it was, and what is its own is the
// old one or the new one, whole. More plans than make test runs:
//
//	go test ./cmd/tensorbored-static -run TestAttack -plans 1000
var plans = flag.Int("plans", 40, "how many plans of attack on the command line are tried")

// attackKey names the variable by which the test's own program is told to be the command.
const attackKey = "TENSORBORED_ATTACK"

// order is what the program is told to do.
type order struct {
	Args  []string
	Room  uint64 // most bytes of a file that it may write; 0: any number
	Small bool   // a small page in place of the built one
}

// The test's own program is the command where it is told to be.
func init() {
	text := os.Getenv(attackKey)
	if text == "" {
		return
	}
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		panic(err)
	}
	if o.Room > 0 {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: o.Room, Max: o.Room}); err != nil {
			panic(err)
		}
	}
	if o.Small {
		os.Exit(runOf(o.Args, smallSite()))
	}
	os.Exit(run(o.Args, os.Stdout, os.Stderr))
}

// runOf is run for the commands that write a page, with another page.
func runOf(args []string, site fs.FS) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	flags := map[string]string{}
	for i := 2; i+1 < len(args); i += 2 {
		flags[args[i]] = args[i+1]
	}
	if args[0] == "pages" {
		return pages(ctx, args[1], pagesFlags{logdir: flags["--logdir"], noDemo: true}, site, os.Stdout, os.Stderr)
	}
	return report(ctx, reportFlags{out: args[1], logdirs: []string{flags["--logdir"]}, force: flags["--force"] == "true", points: 100, values: 10}, site, os.Stdout, os.Stderr)
}

// field is where an attack happens.
type field struct {
	t                     *testing.T
	dir, logs, out, site  string
	whole                 map[string]string // what export writes, by form
	event, notes, another string
}

func newField(t *testing.T) *field {
	f := &field{t: t, dir: t.TempDir()}
	f.logs, f.out, f.site = filepath.Join(f.dir, "logs"), filepath.Join(f.dir, "out"), filepath.Join(f.dir, "site")
	write := func(name, text string) string {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
		return name
	}
	f.event = write(filepath.Join(f.logs, "run", "events.out.tfevents.1"), string(five(t)))
	write(filepath.Join(f.logs, "other", "events.out.tfevents.2"), string(five(t)))
	write(filepath.Join(f.logs, "run", "notes.txt"), "notes in the logdir")
	if err := profiles.Write(f.logs, profile.New("Old")); err != nil {
		t.Fatal(err)
	}
	f.notes = write(filepath.Join(f.out, "notes.txt"), "somebody's notes")
	f.another = write(filepath.Join(f.out, "copy"), string(five(t)))
	f.whole = map[string]string{}
	for _, form := range []string{"--csv", "--jsonl", "--parquet"} {
		code, stdout, stderr := call("export", f.logs, form)
		if code != 0 {
			t.Fatal(stderr)
		}
		f.whole[form] = stdout
	}
	write(filepath.Join(f.out, "earlier"), csvHead+"\nan earlier export\n")
	write(filepath.Join(f.out, "page"), "<html><head>"+reportMark+"an earlier report</html>")
	for name, to := range map[string]string{"to-event": f.event, "to-notes": "notes.txt", "to-logs": "../logs/new", "to-earlier": "earlier", "to-null": "/dev/null", "to-nothing": "fresh2"} {
		if err := os.Symlink(to, filepath.Join(f.out, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(f.out, "fifo"), 0o666); err != nil {
		t.Fatal(err)
	}
	siteData(t, f.site, pagesFlags{logdir: f.logs})
	write(filepath.Join(f.site, "data", "mine.txt"), "mine")
	write(filepath.Join(f.site, "data", "files", "run", "mine.txt"), "mine, too")
	write(filepath.Join(f.site, "CNAME"), "example.org")
	return f
}

// all is every path below the field with its mode and what it holds.
func (f *field) all() map[string]string {
	f.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(f.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fi, err := os.Lstat(p)
		if err != nil {
			return err
		}
		text := ""
		switch {
		case fi.Mode().IsRegular():
			b, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			text = string(b)
		case fi.Mode()&fs.ModeSymlink != 0:
			text, _ = os.Readlink(p)
		}
		rel, _ := filepath.Rel(f.dir, p)
		out[rel] = fi.Mode().String() + " " + text
		return nil
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return out
}

// attack is one plan.
type attack struct {
	order
	target string // below the field; what may change
	form   string
	fault  string
}

func (f *field) plan(r *rand.Rand) attack {
	targets := []string{"out/fresh", "out/earlier", "out/page", "out/notes.txt", "out/copy", "out/to-event", "out/to-notes", "out/to-logs", "out/to-earlier", "out/to-null",
		"out/to-nothing", "out/fifo", "logs/run/events.out.tfevents.1", "logs/new", "logs/run/notes.txt", "out", "/dev/null", "/dev/full", "/dev/stdout"}
	a := attack{fault: []string{"none", "none", "kill", "kill", "interrupt", "full"}[r.IntN(6)]}
	target := targets[r.IntN(len(targets))]
	at := target
	if !filepath.IsAbs(at) {
		at = filepath.Join(f.dir, at)
	}
	force := r.IntN(3) == 0
	switch r.IntN(8) {
	case 0, 1, 2:
		a.form = []string{"--csv", "--jsonl", "--parquet"}[r.IntN(3)]
		a.Args = []string{"export", f.logs, a.form, "--out", at}
		if force {
			a.Args = append(a.Args, "--force")
		}
		a.target = target
	case 3, 4:
		a.Args, a.Small, a.form = []string{"report", at, "--logdir", f.logs}, true, "report"
		if force {
			a.Args = append(a.Args, "--force", "true")
		}
		a.target = target
	case 5, 6:
		a.Args, a.Small, a.target = []string{"pages", f.site, "--logdir", f.logs}, true, "site"
	default:
		a.Args, a.target = []string{"profile", "pin", f.logs, fmt.Sprint("tag", r.IntN(100))}, "logs/"+profile.DefaultPath
	}
	if a.fault == "full" {
		a.Room = uint64(r.IntN(700)) + 1
	}
	return a
}

// do carries a plan out.
func (f *field) do(r *rand.Rand, a attack) {
	f.t.Helper()
	text, err := json.Marshal(a.order)
	if err != nil {
		f.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, os.Args[0])
	c.Env = append(os.Environ(), attackKey+"="+string(text))
	fifo := strings.HasSuffix(a.target, "fifo")
	if fifo { // opened for both, so that nobody waits for anybody
		reader, err := os.OpenFile(filepath.Join(f.out, "fifo"), os.O_RDWR, 0)
		if err != nil {
			f.t.Fatal(err)
		}
		defer reader.Close()
	}
	if err := c.Start(); err != nil {
		f.t.Fatal(err)
	}
	switch a.fault {
	case "kill", "interrupt":
		time.Sleep(time.Duration(r.IntN(60)) * time.Millisecond)
		_ = c.Process.Signal(map[string]os.Signal{"kill": syscall.SIGKILL, "interrupt": syscall.SIGTERM}[a.fault]) // it may have ended
	}
	_ = c.Wait() // how it ends is not what is looked at
	if ctx.Err() != nil {
		f.t.Fatalf("%v does not end", a)
	}
}

// check compares what is there with what was.
func (f *field) check(a attack, before map[string]string) {
	f.t.Helper()
	after := f.all()
	target := a.target // where it leads
	for range 3 {
		if p, err := os.Readlink(filepath.Join(f.dir, target)); err == nil && !filepath.IsAbs(p) {
			target = filepath.Join(filepath.Dir(target), p)
		}
	}
	forced := slices.Contains(a.Args, "--force")
	mayChange := func(p string) bool {
		switch a.target {
		case "site":
			return strings.HasPrefix(p, "site") && !strings.HasSuffix(p, "mine.txt") && p != "site/CNAME"
		case "logs/" + profile.DefaultPath:
			return p == a.target
		}
		old, there := before[p]
		return p == target && strings.HasPrefix(p, "out/") && p != "out/copy" && p != "out/fifo" &&
			(!there || forced || a.form == "report" && strings.Contains(old, reportMark) || a.form != "report" && strings.Contains(old, csvHead))
	}
	for p, was := range before {
		if now, ok := after[p]; (!ok || now != was) && !mayChange(p) && !part.Is(filepath.Base(p)) {
			f.t.Fatalf("%v: %s was %.80q and is %.80q", a, p, was, now)
		}
	}
	for p, now := range after {
		if _, ok := before[p]; ok && now == before[p] || part.Is(filepath.Base(p)) {
			continue
		}
		if !mayChange(p) {
			f.t.Fatalf("%v: there is a new %s: %.80q", a, p, now)
		}
		_, content, _ := strings.Cut(now, " ")
		switch {
		case a.form == "report" && !strings.HasSuffix(strings.TrimSpace(content), "</html>"):
			f.t.Fatalf("%v: half a report stands at %s", a, p)
		case strings.HasPrefix(a.form, "--") && content != f.whole[a.form] && a.form != "--parquet":
			f.t.Fatalf("%v: half an export stands at %s: %.200q", a, p, content)
		}
	}
	whole(f.t, f.site)
	if p, problems, err := profiles.Read(f.logs); err != nil || len(problems) > 0 || p.Name != "Old" {
		f.t.Fatalf("%v: the default profile is %v %v %v", a, p, problems, err)
	}
}

// TestAttack: see plans.
func TestAttack(t *testing.T) {
	f := newField(t)
	for seed := range uint64(*plans) {
		r := rand.New(rand.NewPCG(seed, 11))
		a := f.plan(r)
		before := f.all()
		f.do(r, a)
		f.check(a, before)
		// What was new stands for the next plan, as it would for a user; but what it took
		// the place of by force comes back.
		os.Remove(filepath.Join(f.out, "fresh"))
		os.Remove(filepath.Join(f.out, "fresh2"))
		for name, text := range map[string]string{"notes.txt": "somebody's notes", "earlier": csvHead + "\nan earlier export\n", "page": "<html><head>" + reportMark + "an earlier report</html>"} {
			if err := os.WriteFile(filepath.Join(f.out, name), []byte(text), 0o640); err != nil {
				t.Fatal(err)
			}
		}
	}
	// Whatever was killed, the next to write leaves nothing of it.
	for _, args := range [][]string{{"export", f.logs, "--csv", "--out", filepath.Join(f.out, "earlier")}, {"profile", "pin", f.logs, "last"}} {
		if code, _, stderr := call(args...); code != 0 {
			t.Errorf("%v: %d %s", args, code, stderr)
		}
	}
	siteData(t, f.site, pagesFlags{logdir: f.logs})
	for _, p := range slices.Sorted(maps.Keys(f.all())) {
		if part.Is(filepath.Base(p)) {
			t.Errorf("%s is left", p)
		}
	}
}
