//go:build unix

package files

import (
	"context"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
)

// slow is a tree in which a directory does not answer until the gate is opened.
type slow struct {
	linked
	gate chan struct{}
}

func (t slow) open(p string) (*os.File, error) {
	if strings.HasPrefix(p, "slow") {
		<-t.gate
	}
	return t.linked.open(p)
}

// Who asks for what is there soon gets it while the rest is still being listed, and can
// read it; everybody else waits for all.
func TestListedSoon(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "fast/tfevents.1", "fast")
	put(t, dir, "fast/more/tfevents.2", "more")
	put(t, dir, "slow/tfevents.3", "slow")
	s := open(t, dir, true)
	if err := s.roots[0].look(); err != nil {
		t.Fatal(err)
	}
	gate := make(chan struct{})
	s.roots[0].now.Load().tree = slow{linked(dir), gate}

	list := func(query string) *api.Listing {
		t.Helper()
		r := httptest.NewRequest("GET", "/listing.json"+query, nil)
		r.URL.Path = "listing.json"
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		l, err := api.Parse(w.Body.Bytes())
		if w.Code != 200 || err != nil {
			t.Fatalf("%d %v %s", w.Code, err, w.Body)
		}
		return l
	}
	var part *api.Listing
	for part = list("?soon=1"); len(part.Files) < 2; part = list("?soon=1") {
		time.Sleep(time.Millisecond) // two directories are walked at the same time
	}
	if !part.Partial || len(part.Files) != 2 || part.Files[0].Path != "fast/more/tfevents.2" {
		t.Errorf("so far: %+v", part)
	}
	if w := ask(t, s, "GET", "files/fast/tfevents.1", ""); w.Code != 200 || w.Body.String() != "fast" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if got := batch(t, s, api.Range{Path: "fast/more/tfevents.2", Length: 4}); got[0].Count != 4 {
		t.Errorf("batch: %+v", got)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.List(ctx, ""); err == nil {
		t.Error("the whole listing did not wait")
	}
	close(gate)
	for _, query := range []string{"", "?soon=1"} {
		if l := list(query); l.Partial || len(l.Files) != 3 {
			t.Errorf("%q: %+v", query, l)
		}
	}
	if w := ask(t, s, "GET", "files/slow/tfevents.3", ""); w.Body.String() != "slow" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	put(t, dir, "fast/tfevents.4", "x")
	if l := list("?soon=1"); l.Partial || len(l.Files) != 4 {
		t.Errorf("later: %+v", l)
	}
}
