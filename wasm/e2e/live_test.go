//go:build !js

package e2e

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// points waits until so many points have been read, looking for new data until then.
func (v view) points(n int64) {
	v.t.Helper()
	v.Wait(fmt.Sprintf(`(tensorbored.reload(), tensorbored.status().points === %d && tensorbored.status().phase === "exact")`, n))
}

// looks makes the page of a server look for new data twice, so late that the server has
// listed anew: it gives a listing out again for a quarter of a second.
func (v view) looks() {
	v.t.Helper()
	for range 2 {
		time.Sleep(260 * time.Millisecond)
		v.Eval(`void (performance.clearResourceTimings(), tensorbored.reload())`, nil)
		v.Wait(`performance.getEntriesByType("resource").some((e) => e.name.includes("listing.json"))`)
	}
	v.Wait(`["exact", "incomplete"].includes(tensorbored.status().phase)`)
}

// more is what a job appends: n points of a tag from a step on.
func more(tag string, seed, from, n int) []byte {
	return records(func(w *summary.Buffer) { write(w, map[string][]point{tag: curve(seed, from, n)}) })
}

// New data, files and runs appear, and only what was appended is sent.
func TestGrowth(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	var paths []string
	for i := range 3 {
		paths = append(paths, l.run(fmt.Sprint("run", i), map[string][]point{"loss": curve(i, 0, 3000), "acc": curve(i+9, 0, 3000)}))
	}
	s := serve(t, l.dir)
	v := open(t, browsertest.Chromium, s.URL)
	before := s.sent()
	appended := int64(0)
	n := int64(18000)
	for round := range 4 {
		for i, path := range paths[:2] {
			b := more("loss", i, 3000+10*round, 10)
			l.expect(fmt.Sprint("run", i), "loss", curve(i, 3000+10*round, 10)...)
			l.add(path, b)
			appended += int64(len(b))
		}
		n += 20
		v.points(n)
	}
	equal(t, v.all(), l.want)
	// A batch has a header for each range, and a file that has grown is held against
	// samples of what was read before: at most four that are spread over it and the last
	// one, of 64 bytes. Each append is looked at once.
	const look = 24 + 5*(24+64)
	if got := s.sent() - before; got < appended || got > appended+8*look {
		t.Errorf("%d bytes were sent for %d appended", got, appended)
	}

	// A new file in a run, a tag that was not there, and a new run.
	l.file("run0", "1700000500.host.1.1", func(w *summary.Buffer) {
		write(w, map[string][]point{"loss": curve(0, 9000, 4), "new": curve(7, 0, 2)})
	})
	l.expect("run0", "loss", curve(0, 9000, 4)...)
	l.expect("run0", "new", curve(7, 0, 2)...)
	// Its name puts it before the others, its steps behind them.
	l.file("run1", "1600000000.host.1.1", func(w *summary.Buffer) { write(w, map[string][]point{"other": curve(6, 0, 2)}) })
	l.expect("run1", "other", curve(6, 0, 2)...)
	l.run("sub/deep/new", map[string][]point{"loss": curve(5, 0, 5)})
	v.points(n + 13)
	equal(t, v.all(), l.want)
	runs := v.runs()
	sameNames(t, "files", runs[0].Files, []string{"run0/events.out.tfevents.1700000000.host.1.0", "run0/events.out.tfevents.1700000500.host.1.1"})
	sameNames(t, "files", runs[1].Files, []string{"run1/events.out.tfevents.1600000000.host.1.1", "run1/events.out.tfevents.1700000000.host.1.0"})
	sameNames(t, "runs", v.names(), []string{"run0", "run1", "run2", "sub/deep/new"})

	sent := s.sent()
	v.looks()
	if s.sent() != sent {
		t.Errorf("%d bytes were sent when nothing had changed", s.sent()-sent)
	}
	if st := v.status(); st.BytesRead != st.BytesTotal {
		t.Errorf("%d of %d bytes read", st.BytesRead, st.BytesTotal)
	}
}

// A record that is written in pieces is read when it is whole, once, and is no
// loss meanwhile.
func TestTornTail(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	path := l.run("r", map[string][]point{"x": curve(1, 0, 20)})
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL)
	b := more("x", 1, 20, 3)
	size := len(b) / 3
	n := int64(20)
	// The cuts are inside the header, the payload and the footer.
	for from, i := 0, 0; from < len(b); i++ {
		to := min([]int{5, 12, 30, size - 2, size + 1, 2*size - 4, 2*size + 11, len(b)}[i], len(b))
		l.add(path, b[from:to])
		from = to
		n = 20 + int64(to/size)
		v.Wait(fmt.Sprintf(`(tensorbored.reload(), tensorbored.status().bytesTotal === %d)`, len(l.read(path))))
		v.points(n)
		if st := v.status(); len(st.Lost) != 0 {
			t.Fatalf("after %d bytes: lost %+v", to, st.Lost)
		}
	}
	l.expect("r", "x", curve(1, 20, 3)...)
	equal(t, v.all(), l.want)
	if st := v.status(); st.BytesRead != st.BytesTotal {
		t.Errorf("%d of %d bytes read", st.BytesRead, st.BytesTotal)
	}
}

// A file that becomes shorter, or another one, is read anew. One that is deleted
// stays as it was read.
func TestReplaced(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for _, name := range []string{"cut", "same", "longer", "gone", "calm"} {
		l.run(name, map[string][]point{"x": curve(len(name), 0, 50)})
	}
	file := func(run string) string { return l.path(run, "1700000000.host.1.0") }
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL)

	all := l.read(file("cut"))
	l.put(file("cut"), damage.Tear(all, damage.Records(all)[31].Offset))
	l.want["cut"]["x"] = curve(3, 0, 30)
	v.points(230)
	equal(t, v.all(), l.want)

	// As long as before, other values; and longer, other values from the first on.
	replace := func(run string, seed, n int) {
		tmp := filepath.Join(l.dir, "tmp")
		l.put(tmp, bytesOf(epoch, func(w *summary.Buffer) { write(w, map[string][]point{"x": curve(seed, 0, n)}) }))
		if err := os.Rename(tmp, file(run)); err != nil {
			t.Fatal(err)
		}
		l.want[run]["x"] = curve(seed, 0, n)
	}
	replace("same", 77, 50)
	replace("longer", 78, 90)
	v.points(270)
	v.Wait(`tensorbored.scalars("same", "x").then((s) => (tensorbored.reload(), s.value[49] > 70))`)
	equal(t, v.all(), l.want)

	if err := os.Remove(file("gone")); err != nil {
		t.Fatal(err)
	}
	v.Wait(`(tensorbored.reload(), tensorbored.status().files === 4)`)
	v.looks()
	equal(t, v.all(), l.want)
	if st := v.status(); len(st.Lost) != 0 || st.Error != "" {
		t.Errorf("status %+v", st)
	}
	// It comes back, and goes on.
	l.run("gone", map[string][]point{"x": curve(4, 0, 60)})
	l.want["gone"]["x"] = curve(4, 0, 60)
	v.points(280)
	equal(t, v.all(), l.want)
}

// A page that is open before the logdir holds anything shows the first run when
// it comes.
func TestFirstRun(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL)
	if st := v.status(); st.Phase != "exact" || st.Error == "" {
		t.Errorf("an empty logdir: %+v", st)
	}
	l.run("first", map[string][]point{"x": curve(1, 0, 5)})
	v.points(5)
	equal(t, v.all(), l.want)
	if st := v.status(); st.Error != "" {
		t.Errorf("error %q stays", st.Error)
	}
	l.add(l.path("first", "1700000000.host.1.0"), slices.Concat(more("x", 1, 5, 1), more("y", 2, 0, 1)))
	l.expect("first", "x", curve(1, 5, 1)...)
	l.expect("first", "y", curve(2, 0, 1)...)
	v.points(7)
	equal(t, v.all(), l.want)
}

// Where a logdir takes long to be listed, the page reads what has been found meanwhile,
// and the rest when it is there.
func TestListedSoon(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("a", map[string][]point{"x": curve(1, 0, 30)})
	l.run("b", map[string][]point{"x": curve(2, 0, 40)})
	s := serve(t, l.dir)
	all, release := s.handler, make(chan struct{})
	s.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/data/listing.json" {
			all.ServeHTTP(w, r)
			return
		}
		if !r.URL.Query().Has(api.SoonParameter) {
			<-release
			all.ServeHTTP(w, r)
			return
		}
		rec := httptest.NewRecorder()
		r.Header.Del("Accept-Encoding")
		all.ServeHTTP(rec, r)
		part, err := api.Parse(rec.Body.Bytes())
		if err != nil {
			t.Error(err)
			return
		}
		part.Partial, part.Files = true, part.Files[:1]
		w.Write(part.Append(nil))
	})
	v := visit(t, browsertest.Chromium, s.URL)
	v.Wait(`tensorbored.status().points === 30`)
	v.Wait(`tensorbored.runs().then(r => r.length === 1)`)
	close(release)
	v.Eval(`tensorbored.ready`, nil)
	v.Wait(`tensorbored.status().phase === "exact" && tensorbored.status().points === 70`)
	equal(t, v.all(), l.want)
}

// What is asked for while a look is under way is looked for after it: the look may have been past
// what is new.
func TestReloadWhileLooking(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("a", map[string][]point{"x": curve(1, 0, 50)})
	h := serve(t, l.dir)
	var held atomic.Pointer[chan struct{}]
	var looks atomic.Int64
	site := h.handler
	h.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		gate := held.Load()
		if r.URL.Path != "/data/listing.json" || gate == nil {
			site.ServeHTTP(w, r)
			return
		}
		// As it is now, and sent later.
		got := httptest.NewRecorder()
		site.ServeHTTP(got, r)
		looks.Add(1)
		<-*gate
		maps.Copy(w.Header(), got.Header())
		w.WriteHeader(got.Code)
		w.Write(got.Body.Bytes())
	})
	v := start(t, browsertest.Chromium)
	v.Open(h.URL + "#timeseries")
	v.Wait(`window.tensorbored?.status().phase === "exact"`)
	s := &screen{view: v, url: h.URL, host: h}
	s.every("3000")
	gate := make(chan struct{})
	held.Store(&gate)
	v.Eval(`void tensorbored.reload()`, nil)
	v.Until(func() string {
		if looks.Load() == 0 {
			return "nothing is looked for"
		}
		return ""
	})
	l.run("b", map[string][]point{"x": curve(2, 0, 7)})
	v.Eval(`void (tensorbored.reload(), tensorbored.reload())`, nil)
	time.Sleep(260 * time.Millisecond) // the server gives a listing out again for that long
	held.Store(nil)
	close(gate)
	v.Wait(`tensorbored.status().points === 57 && tensorbored.status().phase === "exact"`)
	equal(t, v.all(), l.want)
}
