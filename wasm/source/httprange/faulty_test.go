//go:build !js

package httprange

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/tensorbored/tensorbored-static/server"
	"github.com/tensorbored/tensorbored-static/server/files"
	kind "github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/dump"
	"github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest/faulty"
)

// logdir writes runs of some sizes: windows are of 256 KiB at first, so that the
// longest has several.
func logdir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for i, n := range []int{14_000, 5000, 300, 300, 20, 1} {
		b := summary.NewBuffer(summary.Options{})
		for step := range n {
			if err := b.Scalar("loss", float64(i)+1/float64(step+1), int64(step), summary.WallSeconds(1.7e9+float64(step))); err != nil {
				t.Fatal(err)
			}
		}
		sub := filepath.Join(dir, fmt.Sprint("run", i))
		if err := os.Mkdir(sub, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(sub, "events.out.tfevents.1"), b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// hosts are ways to serve a logdir below /data/.
var hosts = map[string]func(t *testing.T, dir string) http.Handler{
	"our server": func(t *testing.T, dir string) http.Handler {
		store, err := files.Open(dir, "logs", true)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { store.Close() })
		h, err := server.New(server.Config{Site: fstest.MapFS{"index.html": {}}, Logdir: store})
		if err != nil {
			t.Fatal(err)
		}
		return h
	},
	"a static host": static,
	"a host without ranges": func(t *testing.T, dir string) http.Handler {
		h := static(t, dir)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Header.Del("Range")
			h.ServeHTTP(w, r)
		})
	},
	"a host that knows nothing": func(t *testing.T, dir string) http.Handler {
		h := static(t, dir)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got := httptest.NewRecorder()
			h.ServeHTTP(got, r)
			got.Header().Del("ETag")
			got.Header().Del("Last-Modified")
			for name, v := range got.Header() {
				w.Header()[name] = v
			}
			w.WriteHeader(got.Code)
			w.Write(got.Body.Bytes())
		})
	},
}

func static(t *testing.T, dir string) http.Handler {
	store, err := files.Open(dir, "logs", true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	data := http.StripPrefix("/data/files", http.FileServer(http.Dir(dir)))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/data/listing.json" {
			data.ServeHTTP(w, r)
			return
		}
		l, err := store.List(r.Context(), "files/")
		if err != nil {
			panic(err)
		}
		w.Write(l.Append(nil))
	})
}

// visit is a page that reads a logdir.
type visit struct {
	t    *testing.T
	host *Host
	plan *reader.Plan
	size int64 // of all files at the last look
	last map[string]wire.File
}

func newVisit(t *testing.T, h http.Handler, seed uint64, entries map[string][]byte) *visit {
	t.Helper()
	v := &visit{t: t, host: &Host{Listing: "http://localhost/data/listing.json", via: direct{h}}, last: map[string]wire.File{}}
	began, r := time.Now(), rand.New(rand.NewPCG(seed, 2))
	o := reader.Options{
		Dir: v.host, Catalog: catalog.New(), Context: t.Context(),
		Now:     func() time.Duration { return time.Since(began) + time.Second },
		Wall:    func() int64 { return time.Now().UnixNano() },
		Chance:  r.Float64,
		Changed: func(string) {}, Lost: func() {},
		PreviewFrom: []int64{0, 1 << 40}[seed%2], Workers: 1,
	}
	var asked []*reader.File
	if entries != nil {
		o.Lookup = func(x *reader.File) bool { asked = append(asked, x); return true }
	}
	v.plan = reader.New(o)
	v.look()
	for _, x := range asked {
		var e *reader.Entry
		if b := entries[x.Path]; b != nil {
			var err error
			if e, err = reader.ParseEntry(b); err != nil {
				t.Fatal(err)
			}
		}
		v.plan.Adopt(x, e)
	}
	return v
}

// look lists the logdir and tells the plan.
func (v *visit) look() {
	v.t.Helper()
	l, err := v.host.List(v.t.Context())
	if err != nil {
		v.t.Fatal(err)
	}
	v.size = 0
	for _, f := range l.Files {
		v.size += f.Size
		x := wire.File{Path: f.Path, Size: f.Size, MTime: f.MTime, Version: f.Version}
		if v.last[f.Path] != x { // what has not changed is not told again
			v.plan.Update(x)
		}
		v.last[f.Path] = x
	}
	v.plan.Looked()
}

// read reads until nothing is left, as a worker does.
func (v *visit) read() {
	v.t.Helper()
	for !v.plan.Done() {
		if v.plan.Bytes > v.size || v.plan.Bytes < 0 || v.plan.Cached > v.plan.Bytes {
			v.t.Fatalf("%d bytes count as read of %d, %d from the cache", v.plan.Bytes, v.size, v.plan.Cached)
		}
		if j := v.plan.Next(); j != nil {
			<-j.Ready
			v.plan.Use(j)
			continue
		}
		at, ok := v.plan.Due()
		if !ok {
			v.t.Fatal("there is something left, and nothing to wait for")
		}
		time.Sleep(max(0, at-v.plan.Now()))
	}
}

func (v *visit) points() string {
	var b bytes.Buffer
	if err := dump.Write(context.Background(), &b, v.plan.Catalog, source.Mem{}.Logdir(), []kind.Kind{scalars.Kind{}}); err != nil {
		v.t.Fatal(err)
	}
	return b.String()
}

func (v *visit) losses() (out []wire.Loss) {
	for _, r := range v.plan.Catalog.Runs {
		for _, f := range r.Files {
			out = append(out, f.Losses()...)
		}
	}
	return out
}

// entries are what the cache would keep.
func (v *visit) entries() map[string][]byte {
	out := map[string][]byte{}
	for path, x := range v.plan.Files() {
		if now, _ := v.plan.Storable(x); now {
			out[path] = x.Catalog().AppendStored(v.plan.Entry(x).Append(nil))
			v.plan.Stored(x)
		}
	}
	return out
}

// whole checks that everything is there and nothing is said to be missing.
func (v *visit) whole(what, want string) {
	v.t.Helper()
	if got := v.points(); got != want {
		v.t.Fatalf("%s: %d bytes of points, want %d; losses %+v", what, len(got), len(want), v.losses())
	}
	if lost := v.losses(); v.plan.Unread() != 0 || len(lost) != 0 || v.plan.Bytes != v.size || v.plan.Problem() != "" {
		v.t.Fatalf("%s: %d files unread, %d of %d bytes, %q, losses %+v", what, v.plan.Unread(), v.plan.Bytes, v.size, v.plan.Problem(), lost)
	}
}

// truth is what a reader of the disk finds.
func truth(t *testing.T, dir string) string {
	t.Helper()
	store, err := files.Open(dir, "logs", true)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	c := catalog.New()
	if _, err := c.Load(context.Background(), store.Source()); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := dump.Write(context.Background(), &b, c, source.Mem{}.Logdir(), []kind.Kind{scalars.Kind{}}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// plans is how many seeds a property is tried with for each host.
var plans = flag.Int("plans", 60, "plans of faults for each sort of host")

// Whatever is wrong with answers for a while: what is missing is said; after the faults
// have ended, one look brings every point; and a second visit equals the first.
func TestFaultyAnswers(t *testing.T) {
	dir := logdir(t)
	old := time.Now().Add(-24 * time.Hour)
	if err := filepath.Walk(dir, func(p string, fi os.FileInfo, err error) error {
		if err != nil || fi.IsDir() {
			return err
		}
		return os.Chtimes(p, old, old)
	}); err != nil {
		t.Fatal(err)
	}
	want := truth(t, dir)
	for name, host := range hosts {
		t.Run(name, func(t *testing.T) {
			h := host(t, dir)
			given := map[faulty.Fault]int{}
			missing := 0
			for seed := range uint64(*plans) {
				synctest.Test(t, func(t *testing.T) {
					// Some plans have one fault only, and some never end by themselves.
					ways, n := faulty.Faults, 1<<10
					r := rand.New(rand.NewPCG(seed, 3))
					if seed%3 > 0 {
						ways = []faulty.Fault{faulty.Faults[r.IntN(len(faulty.Faults))]}
					}
					if seed%2 > 0 {
						n = r.IntN(60)
					}
					f := &faulty.Handler{Next: h, Choose: faulty.Seeded(seed, n, []float64{0.05, 0.3, 0.8, 1}[r.IntN(4)], ways)}
					v := newVisit(t, f, seed, nil)
					v.readSome(time.Minute)
					if v.plan.Done() {
						if got := v.points(); got == want && v.plan.Unread() == 0 {
							v.whole("with faults", want)
						} else if got == want { // all is there, and it could not be shown that it is
							if len(v.losses()) == 0 {
								t.Fatal("files are unread, and it is not said why")
							}
						} else if missing++; v.plan.Unread() == 0 || len(v.losses()) == 0 || v.plan.Bytes == v.size {
							t.Fatalf("points are missing and %d files are said to be unread; losses %+v; %d of %d bytes", v.plan.Unread(), v.losses(), v.plan.Bytes, v.size)
						}
					} else if v.plan.Problem() == "" && f.Given()[faulty.Reset] == 0 {
						t.Fatal("nothing is said while reading does not go on")
					}
					kept := v.entries()
					for k, n := range f.Given() {
						given[k] += n
					}

					f.Choose = func(*http.Request, int) faulty.Fault { return faulty.None }
					v.look()
					v.read()
					v.whole("after the faults", want)

					again := newVisit(t, f, seed, kept)
					again.read()
					again.whole("a second visit, with the cache of the first's faulty part", want)
					before := f.Given()[faulty.None]
					for path, b := range v.entries() {
						kept[path] = b
					}
					again = newVisit(t, f, seed, kept)
					again.read()
					again.whole("a third visit", want)
					if n := f.Given()[faulty.None] - before; n > 0 && name != "a host that knows nothing" {
						t.Fatalf("a visit when nothing has changed asked for %d ranges", n)
					}
				})
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
			for _, k := range faulty.Faults {
				if given[k] == 0 {
					t.Errorf("no plan had a %s", k)
				}
			}
			if missing == 0 {
				t.Error("no plan had anything missing")
			}
		})
	}
}

// readSome is read for some time at most.
func (v *visit) readSome(d time.Duration) {
	v.t.Helper()
	end := time.Now().Add(d)
	for !v.plan.Done() && time.Now().Before(end) {
		if j := v.plan.Next(); j != nil {
			<-j.Ready
			v.plan.Use(j)
			continue
		}
		at, ok := v.plan.Due()
		if !ok {
			v.t.Fatal("there is something left, and nothing to wait for")
		}
		time.Sleep(max(0, at-v.plan.Now()))
	}
}
