//go:build unix

package files

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
)

func TestListed(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"events.out.tfevents.1", "a/events.out.tfevents.1", "a/b/c/x.tfevents.2", ".hidden/tfevents", "a/notes.txt", "id_rsa",
		"a/events.out.tfevents.1.profile-empty", "p/projector_config.pbtxt", "p/any.png", "q/any.png", ".tensorboard/p.json", "q/p.json",
		"z-sorted/tfevents", "z/tfevents", "a-/tfevents", "ü 日本/tfevents #1?%41",
	} {
		put(t, dir, name, "x")
	}
	for _, follow := range []bool{true, false} {
		got, problems := paths(t, open(t, dir, follow))
		want := ".hidden/tfevents .tensorboard/p.json a-/tfevents a/b/c/x.tfevents.2 a/events.out.tfevents.1 " +
			"a/events.out.tfevents.1.profile-empty events.out.tfevents.1 p/any.png p/projector_config.pbtxt " +
			"z-sorted/tfevents z/tfevents ü 日本/tfevents #1?%41"
		if got != want || problems != "" {
			t.Errorf("follow %v:\ngot  %s\nwant %s\nproblems %s", follow, got, want, problems)
		}
	}
}

// The table of links: what is listed and readable, in both modes.
func TestLinks(t *testing.T) {
	top := t.TempDir()
	dir, outside := filepath.Join(top, "logs"), filepath.Join(top, "outside")
	put(t, outside, "run/tfevents.out", "outside")
	put(t, outside, "secret.txt", "secret")
	put(t, dir, "plain/tfevents.in", "inside")
	link(t, "plain/tfevents.in", dir, "tfevents.file-inside")
	link(t, filepath.Join(dir, "plain/tfevents.in"), dir, "tfevents.file-absolute")
	link(t, "../outside/run/tfevents.out", dir, "tfevents.file-outside")
	link(t, "../outside/secret.txt", dir, "tfevents.named-so")
	link(t, "../outside/secret.txt", dir, "secret.txt")
	link(t, "plain", dir, "dir-inside")
	link(t, "../outside/run", dir, "dir-outside")
	link(t, "nowhere", dir, "dangling")
	link(t, "self", dir, "self")

	s := open(t, dir, true)
	got, problems := paths(t, s)
	if want := "dir-inside/tfevents.in dir-outside/tfevents.out plain/tfevents.in tfevents.file-absolute tfevents.file-inside tfevents.file-outside tfevents.named-so"; got != want {
		t.Errorf("followed:\ngot  %s\nwant %s", got, want)
	}
	if want := "dangling self"; problems != want {
		t.Errorf("followed: problems %s, want %s", problems, want)
	}
	for path, want := range map[string]string{"dir-outside/tfevents.out": "outside", "tfevents.file-inside": "inside"} {
		if w := ask(t, s, "GET", "files/"+path, ""); w.Code != 200 || w.Body.String() != want {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	failure(t, ask(t, s, "GET", "files/secret.txt", ""), 404)

	s = open(t, dir, false)
	got, problems = paths(t, s)
	if got != "plain/tfevents.in" {
		t.Errorf("refused: got %s", got)
	}
	if want := "dangling dir-inside dir-outside secret.txt self tfevents.file-absolute tfevents.file-inside tfevents.file-outside tfevents.named-so"; problems != want {
		t.Errorf("refused: problems %s", problems)
	}
	for _, path := range []string{"dir-outside/tfevents.out", "tfevents.file-inside", "dir-inside/tfevents.in"} {
		failure(t, ask(t, s, "GET", "files/"+path, ""), 404)
	}
}

// A listed file or a directory above it that is replaced by a link afterwards is
// not read through it when links are refused.
func TestSwappedForLink(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "logs")
	put(t, top, "outside/tfevents.1", "secret")
	put(t, dir, "run/tfevents.1", "good")
	put(t, dir, "run2/tfevents.1", "good")
	put(t, dir, "private.txt", "private")
	s := open(t, dir, false)
	paths(t, s)
	if err := os.RemoveAll(filepath.Join(dir, "run")); err != nil {
		t.Fatal(err)
	}
	link(t, filepath.Join(top, "outside"), dir, "run")
	if err := os.Remove(filepath.Join(dir, "run2/tfevents.1")); err != nil {
		t.Fatal(err)
	}
	link(t, "../private.txt", dir, "run2/tfevents.1")
	for _, path := range []string{"run/tfevents.1", "run2/tfevents.1"} {
		if w := ask(t, s, "GET", "files/"+path, ""); w.Code < 400 {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

func TestLoops(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "logs")
	put(t, dir, "a/tfevents.1", "x")
	put(t, dir, "b/tfevents.2", "x")
	link(t, ".", dir, "a/here")
	link(t, "..", dir, "a/up")
	link(t, dir, dir, "a/absolute")
	link(t, top, dir, "a/above") // leads back down to the logdir without a link
	link(t, "../b", dir, "a/b")
	link(t, "../a", dir, "b/a")
	got, problems := paths(t, open(t, dir, true))
	want := "a/b/tfevents.2 a/tfevents.1 b/a/tfevents.1 b/tfevents.2"
	if got != want || problems != "" {
		t.Errorf("got  %s\nwant %s\nproblems %s", got, want, problems)
	}
}

// Directories that link to each other show once below each other and no deeper;
// what only nested links lead to is listed once; aliases beside their target show.
func TestLinksOfLinks(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "logs")
	const n = 8
	for i := range n {
		put(t, dir, fmt.Sprintf("r%d/tfevents.%d", i, i), "x")
		for j := range n {
			if i != j {
				link(t, fmt.Sprintf("../r%d", j), dir, fmt.Sprintf("r%d/to%d", i, j))
			}
		}
	}
	put(t, top, "store/exp/run5/tfevents.run", "x")
	put(t, top, "store/exp/run5/best/tfevents.best", "x")
	put(t, top, "deep/tfevents.deep", "x")
	link(t, "run5", top, "store/exp/latest")
	link(t, "best", top, "store/exp/run5/last")
	link(t, "../../deep", top, "store/exp/one")
	link(t, "../../deep", top, "store/exp/two")
	link(t, "../store/exp", dir, "gathered")
	got, problems := paths(t, open(t, dir, true))
	var want []string
	for i := range n {
		want = append(want, fmt.Sprintf("r%d/tfevents.%d", i, i))
		for j := range n {
			if i != j {
				want = append(want, fmt.Sprintf("r%d/to%d/tfevents.%d", i, j, j))
			}
		}
	}
	for _, p := range []string{"run5/tfevents.run", "run5/best/tfevents.best", "run5/last/tfevents.best", "latest/tfevents.run", "latest/best/tfevents.best", "one/tfevents.deep"} {
		want = append(want, "gathered/"+p)
	}
	slices.Sort(want)
	if got != strings.Join(want, " ") || problems != "" {
		t.Errorf("got  %s\nwant %s\nproblems %s", got, strings.Join(want, " "), problems)
	}
	for range 20 { // whoever is first
		if again, _ := paths(t, open(t, dir, true)); again != got {
			t.Fatalf("listed otherwise: %s", again)
		}
	}
}

// What the kernel makes up is said and not walked: below /proc alone stand links to
// every directory there is.
func TestKernelFileSystems(t *testing.T) {
	if kernelFS("/proc") != "proc" {
		t.Log("there is no /proc")
		return
	}
	dir := t.TempDir()
	put(t, dir, "run/tfevents", "x")
	link(t, "/proc", dir, "processes")
	got, problems := paths(t, open(t, dir, true))
	if got != "run/tfevents" || problems != "processes" {
		t.Errorf("got %s, problems %s", got, problems)
	}
}

// Nothing but regular files is ever opened: an open of a FIFO would wait for its
// writer.
func TestSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "tfevents.good", "x")
	put(t, dir, "tfevents.later-fifo", "x")
	fifo := filepath.Join(dir, "tfevents.fifo")
	if err := syscall.Mkfifo(fifo, 0o666); err != nil {
		t.Fatal(err)
	}
	link(t, "tfevents.fifo", dir, "tfevents.link-to-fifo")
	link(t, "/dev/zero", dir, "tfevents.device")
	socket, err := net.Listen("unix", filepath.Join(dir, "tfevents.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	for _, follow := range []bool{true, false} {
		s := open(t, dir, follow)
		got, problems := paths(t, s)
		if want := "tfevents.device tfevents.fifo tfevents.link-to-fifo tfevents.sock"; problems != want || got != "tfevents.good tfevents.later-fifo" {
			t.Errorf("follow %v: got %s, problems %s", follow, got, problems)
		}
		failure(t, ask(t, s, "GET", "files/tfevents.fifo", ""), 404)
		failure(t, ask(t, s, "GET", "files/tfevents.device", ""), 404)
	}
	s := open(t, dir, true)
	paths(t, s)
	if err := os.Rename(fifo, filepath.Join(dir, "tfevents.later-fifo")); err != nil {
		t.Fatal(err)
	}
	failure(t, ask(t, s, "GET", "files/tfevents.later-fifo", ""), 404)
	// And if it is replaced between the look and the open.
	done := make(chan struct{})
	go func() {
		defer close(done)
		if f, err := s.roots[0].now.Load().tree.open("tfevents.later-fifo"); err == nil {
			f.Close()
		}
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Error("opening a FIFO waits")
	}
}

func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "good/tfevents", "x")
	put(t, dir, "closed/tfevents", "x")
	unreadable := put(t, dir, "file/tfevents", "x")
	if err := os.Chmod(filepath.Join(dir, "closed"), 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(unreadable, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Join(dir, "closed"), 0o777)
	wantFiles, wantProblems := "good/tfevents", "closed file/tfevents"
	if os.Getuid() == 0 { // root may read everything
		wantFiles, wantProblems = "closed/tfevents file/tfevents good/tfevents", ""
	}
	for _, follow := range []bool{true, false} {
		if got, problems := paths(t, open(t, dir, follow)); got != wantFiles || problems != wantProblems {
			t.Errorf("follow %v: got %s, problems %s", follow, got, problems)
		}
	}
}

// refusing is a tree in which nothing but the directories can be read, as it is
// for everybody but root when the modes say so.
type refusing struct{ linked }

func (refusing) readable(string) bool { return false }
func (r refusing) open(p string) (*os.File, error) {
	if strings.Contains(p, "closed") || strings.HasSuffix(p, "tfevents") {
		return nil, &os.PathError{Op: "open", Path: p, Err: syscall.EACCES}
	}
	return r.linked.open(p)
}

func TestUnreadableToAnybody(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a/tfevents", "x")
	put(t, dir, "closed/tfevents", "x")
	s := open(t, dir, true)
	paths(t, s)
	s.roots[0].now.Load().tree = refusing{linked(dir)}
	failure(t, ask(t, s, "GET", "files/a/tfevents", ""), 403)
	if got := batch(t, s, api.Range{Path: "a/tfevents", Length: 1}); len(got) != 1 || got[0].Count != -1 || got[0].Size != -1 {
		t.Errorf("batch: %+v", got)
	}
	s.last.Store(nil)
	if got, problems := paths(t, s); got != "" || problems != "a/tfevents closed" {
		t.Errorf("got %q, problems %q", got, problems)
	}
}

// Names that are not UTF-8 are listed in a form that can be asked for.
func TestNamesNotUTF8(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "r\xffn/tfevents.\xfe", "raw")
	put(t, dir, "r\xffn/tfevents.\\xfe", "twin") // shown like the other
	s := open(t, dir, true)
	const want = `r\xffn/tfevents.\xfe`
	got, problems := paths(t, s)
	if got != want || problems != want {
		t.Fatalf("got %s, problems %s", got, problems)
	}
	if w := ask(t, s, "GET", "files/"+want, ""); w.Code != 200 || w.Body.Len() == 0 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if got := batch(t, s, api.Range{Path: want, Length: 100}); got[0].Count < 3 {
		t.Errorf("batch: %+v", got)
	}
}

func TestManyProblems(t *testing.T) {
	dir := t.TempDir()
	for i := range maxProblems + 5 {
		link(t, "nowhere", dir, fmt.Sprint(i))
	}
	l, err := open(t, dir, true).List(context.Background(), "")
	if err != nil || len(l.Problems) != maxProblems+1 || !strings.HasPrefix(l.Problems[maxProblems].Error, "5 more") {
		t.Errorf("%d problems, %v", len(l.Problems), err)
	}
}

func BenchmarkWalk100k(b *testing.B) {
	dir := b.TempDir()
	for i := range 100_000 {
		put(b, dir, fmt.Sprintf("e%03d/r%03d/tfevents.%d", i/1000, i/10%100, i), "")
	}
	list := func(b *testing.B, s *Store) {
		b.Helper()
		if l, err := s.snapshot(context.Background()); err != nil || len(l.found) != 100_000 {
			b.Fatal(err)
		}
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			list(b, open(b, dir, true))
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		time.Sleep(settled + time.Second)
		s := open(b, dir, true)
		list(b, s)
		for b.Loop() {
			list(b, s)
		}
	})
	b.Run("changed", func(b *testing.B) {
		s := open(b, dir, true)
		list(b, s)
		for i := 0; b.Loop(); i++ {
			put(b, dir, "e007/r007/tfevents.7070", strings.Repeat("x", i%100))
			list(b, s)
		}
	})
}
