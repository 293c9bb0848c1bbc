//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/tensorbored/tensorbored-static/server/hub"
	"github.com/tensorbored/tensorbored-static/server/hub/slurmtest"
)

// nobody is the second user of these tests, which only root can become.
var nobody = &syscall.Credential{Uid: 65534, Gid: 65534}

// copyProgram copies a program to a place where every user may run it. No test forks while the
// copy is open: a child that had it open would keep it from running.
func copyProgram(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(to, text, 0o755)
}

// twoUsers are root and nobody, with one base, in a directory that both may enter, and with
// a program that both may run.
func twoUsers(t *testing.T, env ...string) (root, other *home) {
	t.Helper()
	dir, err := os.MkdirTemp("", "users")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "program")
	err = copyProgram(exe, program)
	for _, d := range []string{"root", "other"} {
		if err == nil {
			err = os.Mkdir(filepath.Join(dir, d), 0o755)
		}
	}
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err == nil {
		err = os.Chown(filepath.Join(dir, "other"), int(nobody.Uid), int(nobody.Gid))
	}
	if err != nil {
		t.Fatal(err)
	}
	root = homeIn(t, filepath.Join(dir, "root"), program, nil, env...)
	other = homeIn(t, filepath.Join(dir, "other"), program, nobody, env...)
	other.base = root.base
	other.configure("")
	return root, other
}

// viewersOf are the viewers that list -a shows of a user.
func (h *home) viewersOf(user string) []hub.Instance {
	h.t.Helper()
	var all []hub.Instance
	s := h.run("list", "-a", "--json")
	if err := json.Unmarshal([]byte(s.stdout), &all); err != nil {
		h.t.Fatalf("list -a: %+v", s)
	}
	return slices.DeleteFunc(all, func(i hub.Instance) bool { return i.Owner != user })
}

// Two users of one machine, really: each has what is theirs, is shown of the other that
// there are viewers, and whose, and is told clearly what they may not do.
func TestSecondUser(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Log("only root can be two users")
		return
	}
	a, b := twoUsers(t)
	closed := filepath.Join(a.base, "a-cluster", "tensorboard", "experiment", "8")
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	idA, idB := a.started("7"), b.started("7")
	if idA == idB {
		t.Fatal("one viewer for both")
	}
	for _, x := range []struct {
		h             *home
		mine, me      string
		theirs, owner string
	}{{a, idA, "root", idB, "nobody"}, {b, idB, "nobody", idA, "root"}} {
		if own := strings.Fields(x.h.run("list", "-q").stdout); len(own) != 1 || own[0] != x.mine {
			t.Errorf("%s's list: %q", x.me, own)
		}
		of := func(id string) func(hub.Instance) bool { return func(i hub.Instance) bool { return i.ID == id } }
		if all := x.h.viewersOf(x.owner); !slices.ContainsFunc(all, of(x.theirs)) {
			t.Errorf("list -a of %s shows of %s %+v", x.me, x.owner, all)
		}
		if all := x.h.viewersOf(x.me); len(all) != 1 || all[0].ID != x.mine {
			t.Errorf("list -a of %s shows of themselves %+v", x.me, all)
		}
		for _, command := range []string{"kill", "open", "logs", "config"} {
			x.h.check(1, "", "is a viewer of "+x.owner, command, x.theirs)
		}
	}
	b.check(1, "", "may not be read", "start", "8")
	b.check(1, "", "may not be read by you", "start", "--logdir", closed)
	// In the other's place, and where they may not write.
	stranger := *b
	stranger.env = append(slices.Clone(b.env), "TENSORBORED_HUB_DIR="+a.dir)
	stranger.check(1, "", "belongs to root, not to you", "list")
	stranger.check(1, "", "belongs to root, not to you", "start", "7")
	stranger.env = append(slices.Clone(b.env), "TENSORBORED_HUB_DIR="+filepath.Dir(a.dir)+"/new")
	stranger.check(1, "", "set TENSORBORED_HUB_DIR to a directory of your own", "start", "7")
	// One's token opens nothing of the other's.
	token := func(h *home, id string) (link, token string) {
		link = strings.TrimSpace(h.run("open", id).stdout)
		link, _, _ = strings.Cut(link, "\n")
		_, token, _ = strings.Cut(link, "?token=")
		return link, token
	}
	linkA, tokenA := token(a, idA)
	_, tokenB := token(b, idB)
	if tokenA == "" || tokenA == tokenB {
		t.Errorf("tokens %q and %q", tokenA, tokenB)
	}
	for token, want := range map[string]int{tokenA: 200, tokenB: http.StatusUnauthorized} {
		r, _ := http.NewRequest("GET", strings.Replace(linkA, "/?token="+tokenA, "/data/listing.json", 1), nil)
		r.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("root's viewer with a token: %d, not %d", answer.StatusCode, want)
		}
	}
	for _, name := range []string{hub.TokenFile, "hub.sock", "instances/" + idA + "/spec.json"} {
		c := b.command("inspect", filepath.Join(a.dir, name))
		if text, err := c.CombinedOutput(); err == nil || !strings.Contains(string(text), "no permission to read") {
			t.Errorf("%s as nobody: %v, %s", name, err, text)
		}
	}
	if n := len(a.viewers()) + len(b.viewers()); n != 2 {
		t.Errorf("%d viewers run", n)
	}
}

// Two users of one cluster: jobs are the user's own, and list -a has the others'.
func TestSecondUserOfACluster(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Log("only root can be two users")
		return
	}
	c := slurmtest.Start(t, slurmtest.Options{Nodes: 1})
	a, b := twoUsers(t, "SLURM_CONF="+c.Conf)
	idA, idB := a.started("7", "--driver", "slurm"), b.started("7", "--driver", "slurm")
	for _, x := range []struct {
		h             *home
		owner, theirs string
	}{{a, "nobody", idB}, {b, "root", idA}} {
		var found hub.Instance
		x.h.until(fmt.Sprintf("%s's viewer in list -a", x.owner), func() bool {
			for _, i := range x.h.viewersOf(x.owner) {
				if i.ID == x.theirs && i.State == hub.Running && i.Node == "n0" {
					found = i
				}
			}
			return found.ID != ""
		})
		if found.Driver != "slurm" || found.Job == "" {
			t.Errorf("%+v", found)
		}
		x.h.check(1, "", "is a viewer of "+x.owner, "kill", x.theirs)
	}
	if jobs := c.Jobs(); len(jobs) != 2 {
		t.Errorf("%q", jobs)
	}
}
