//go:build linux

package hub_test

import (
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/server/hub"
	"github.com/tensorbored/tensorbored-static/server/hub/driver"
	"github.com/tensorbored/tensorbored-static/server/hub/driver/slurm"
	"github.com/tensorbored/tensorbored-static/server/hub/slurmtest"
	"github.com/tensorbored/tensorbored-static/server/hub/state"
)

// A viewer on another machine: it listens on that one's address, asks everybody there for
// the secret, and what the hub needs to know of it does not depend on its clock, which may
// be wrong by days. Where this user may not make networks the other machine is this one by
// another name.
func TestSlurmOtherMachine(t *testing.T) {
	t.Parallel()
	apart := slurmtest.CanBeApart()
	c := slurmtest.Start(t, slurmtest.Options{Nodes: 2, Apart: apart})
	w := newWorld(t, hub.Settings{"driver": "slurm"}, func() []driver.Driver {
		return []driver.Driver{slurm.New(slurm.Options{Conf: c.Conf})}
	})
	w.host = func() string { return "login-1" }
	for _, skew := range []string{"60h", "-60h"} {
		w.skew = skew
		w.again()
		place := hub.Settings{"idle_timeout": "20s", "slurm": hub.Settings{"sbatch_args": []string{"--nodelist=n1"}}}
		dir := logs(t, "a")
		s := w.start(hub.Request{Logdirs: of(dir), Config: place})
		i := w.state(s.ID, hub.Running)
		if i.Age < 0 || i.Age > 3600 || i.Seen < 0 || i.Seen > 3600 {
			t.Errorf("by a clock that is wrong by %s: %+v", skew, i)
		}
		var e state.Endpoint
		if err := state.ReadJSON(filepath.Join(w.dir, "instances", s.ID), state.EndpointFile, &e); err != nil {
			t.Fatal(err)
		}
		if apart && (e.Host != slurmtest.FarHost || len(e.Addresses) != 1 ||
			!strings.HasPrefix(e.Addresses[0], c.Far()+":")) {
			t.Errorf("it listens at %+v", e)
		}
		for _, at := range e.Addresses {
			if host, _, err := net.SplitHostPort(at); err != nil || net.ParseIP(host).IsLoopback() {
				t.Errorf("it listens on loopback: %s", at)
			}
			for _, secret := range []string{"", "Bearer " + token, "Bearer x"} {
				r, _ := http.NewRequest("GET", "http://"+at+"/"+s.Path+"data/listing.json", nil)
				r.Host = "localhost"
				r.Header.Set("Authorization", secret)
				answer, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Logf("%s: %v", at, err)
					continue
				}
				answer.Body.Close()
				if answer.StatusCode != http.StatusUnauthorized {
					t.Errorf("%s with %q: %d", at, secret, answer.StatusCode)
				}
			}
		}
		// What is written here is seen there.
		record(t, filepath.Join(dir, "later"))
		wait(t, "the new run", func() bool {
			code, text := w.call("GET", s.Path+"data/listing.json", nil)
			return code == 200 && strings.Contains(text, `"later/`)
		})
		today := time.Now().UTC().Format("2006-01-02T")
		if _, text := w.call("GET", "api/instances/"+s.ID+"/logs", nil); strings.Contains(text, today) {
			t.Errorf("its clock was to be wrong by %s: %s", skew, text)
		}
		// The next hub finds it too, and it ends when nobody looks.
		w.again()
		w.state(s.ID, hub.Running)
		if skew == "60h" {
			w.kill(s.ID)
			continue
		}
		w.state(s.ID, hub.Terminated)
		w.ended(s.ID, "idle for more than 20s")
	}
	if jobs := c.Jobs(); len(jobs) != 0 {
		t.Errorf("%q are left", jobs)
	}
}
