//go:build !js

package browsertest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/server"
	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/static"
)

// cached opens a logdir of two runs that are worth caching, and waits until they are
// in the cache.
func cached(t *testing.T, prelude ...string) (*Page, *host) {
	t.Helper()
	return cachedIn(t, Chromium, prelude...)
}

func cachedIn(t *testing.T, kind Kind, prelude ...string) (*Page, *host) {
	t.Helper()
	dir := t.TempDir()
	longRuns(t, dir, 2, 10_000, "loss")
	h := newHost(t, dir)
	h.set(append(prelude, stored(`{"autoReload": false}`))...)
	p := Start(t, kind)
	p.Open(h.url)
	p.Wait(exact)
	return p, h
}

// entries waits until the cache holds as many files.
func entries(p *Page, n int) {
	p.t.Helper()
	p.Wait(fmt.Sprintf(`new Promise((done) => { const r = indexedDB.open("tensorbored-static"); r.onsuccess = () => {
		const c = r.result.transaction("files").objectStore("files").count(); c.onsuccess = () => { r.result.close(); done(c.result === %d); }; }; })`, n))
}

// again loads the page anew and returns what it read, after everything is exact.
func again(p *Page, h *host) []read {
	p.t.Helper()
	h.taken()
	p.Open(h.url)
	p.Wait(exact)
	return h.taken()
}

// A viewer that has another address each time names its logdir, and is found by that: what was kept at
// one address is there at the next.
func TestCacheNamed(t *testing.T) {
	dir := t.TempDir()
	longRuns(t, dir, 3, 40_000, "loss")
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	Binary(t)
	each(t, func(t *testing.T, kind Kind) {
		var mu sync.Mutex
		reads := map[string]int{}
		mux := http.NewServeMux()
		for prefix, kept := range map[string]string{"one": "a", "two": "a", "three": "b"} {
			store, err := files.OpenRoots([]files.Root{{Dir: dir}}, files.Options{Name: prefix, Page: api.Page{Kept: kept}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { store.Close() })
			h, err := server.New(server.Config{Site: static.Forms(os.DirFS(filepath.Join(root, "static", "dist"))), Logdir: store, Prefix: prefix})
			if err != nil {
				t.Fatal(err)
			}
			mux.HandleFunc("/"+prefix+"/", func(w http.ResponseWriter, r *http.Request) {
				if strings.Contains(r.URL.Path, "/data/files/") || strings.HasSuffix(r.URL.Path, "/data/batch") {
					mu.Lock()
					reads[prefix]++
					mu.Unlock()
				}
				h.ServeHTTP(w, r)
			})
		}
		s := httptest.NewServer(mux)
		t.Cleanup(s.Close)
		p := Start(t, kind)
		p.Open(s.URL + "/one/")
		p.Wait(exact)
		entries(p, 3)
		p.Open(s.URL + "/two/")
		p.Wait(exact)
		var points int
		p.Eval(`tensorbored.status().points`, &points)
		p.Open(s.URL + "/three/")
		p.Wait(exact)
		mu.Lock()
		defer mu.Unlock()
		if reads["one"] == 0 || reads["two"] > 0 || reads["three"] == 0 || points != 3*40_000 {
			t.Errorf("%v was read, %d points", reads, points)
		}
	})
}

func eventFile(t *testing.T, dir string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*tfevents*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	return found[0]
}

// curve is the last step, the number of points and the sum of the values of a run.
func curve(p *Page, run string) (got [3]float64) {
	p.t.Helper()
	p.Eval(`tensorbored.scalars("`+run+`", "loss").then(s => [s.step.at(-1) ?? -1, s.step.length, s.value.reduce((a, b) => a + b, 0)])`, &got)
	return got
}

func TestCacheReadsOnlyWhatWasAppended(t *testing.T) {
	p, h := cached(t)
	entries(p, 2)
	before := curve(p, "run_00")
	if reads := again(p, h); len(reads) != 0 {
		t.Errorf("nothing has changed, yet %v was read", reads)
	}
	p.Wait(`(` + text + `)(".status-text").includes("from cache")`)
	if after := curve(p, "run_00"); after != before {
		t.Errorf("from the cache come %v, not %v", after, before)
	}
	path := eventFile(t, filepath.Join(h.dir, "run_00"))
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	grown := append(append([]byte(nil), old...), pointsOf(t, 10_000, 10_050)...)
	write(t, path, grown)
	got := int64(0)
	for _, r := range again(p, h) {
		if !strings.HasPrefix(r.path, "run_00/") {
			t.Errorf("read of the other run: %v", r)
		}
		got += r.length
	}
	if most := int64(len(grown)-len(old)) + 8<<10; got > most || got == 0 {
		t.Errorf("%d bytes were read where %d were appended", got, len(grown)-len(old))
	}
	if c := curve(p, "run_00"); c[0] != 10_049 || c[1] != 10_050 {
		t.Errorf("the curve ends at %v", c)
	}
}

// pointsOf are the records of some points of "loss", without a file's first record.
func pointsOf(t *testing.T, from, to int64) []byte {
	t.Helper()
	dir := t.TempDir()
	sizes := [2]int{}
	for i, n := range []int64{0, to - from} {
		run := fmt.Sprint(i)
		writeRun(t, dir, run, func(w *summary.Writer) error {
			for k := range n {
				if err := w.Scalar("loss", 0.25, from+k); err != nil {
					return err
				}
			}
			return w.Flush()
		})
		b, err := os.ReadFile(eventFile(t, filepath.Join(dir, run)))
		if err != nil {
			t.Fatal(err)
		}
		if sizes[i] = len(b); i == 1 {
			return b[sizes[0]:]
		}
	}
	return nil
}

// write replaces a file's content, at a time of its own, and lets the server forget what it
// has listed: it gives that out again for a while.
func write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	time.Sleep(files.MinAge + 20*time.Millisecond)
}

// A file that is another one than it was is read anew, whatever its size.
func TestCacheNoticesOtherFiles(t *testing.T) {
	p, h := cached(t)
	entries(p, 2)
	path := eventFile(t, filepath.Join(h.dir, "run_00"))
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	writeRun(t, other, "r", func(w *summary.Writer) error {
		for step := range int64(10_000) {
			if err := w.Scalar("loss", 3, step, summary.WallSeconds(1.7e9+float64(step))); err != nil {
				return err
			}
		}
		return nil
	})
	longer, err := os.ReadFile(eventFile(t, filepath.Join(other, "r")))
	if err != nil {
		t.Fatal(err)
	}
	if len(longer) < len(old)-100 {
		t.Fatalf("the other file has %d bytes, the old one %d", len(longer), len(old))
	}
	same := append(longer[:min(len(longer), len(old)):len(longer)], make([]byte, max(0, len(old)-len(longer)))...)
	for _, c := range []struct {
		what   string
		bytes  []byte
		points float64
	}{
		{"touched", old, 10_000},
		{"same size, other content", same, -1},
		{"truncated", old[:len(old)/2], -1},
		{"longer, other content", append(append([]byte(nil), longer...), pointsOf(t, 10_000, 11_000)...), 11_000},
	} {
		write(t, path, c.bytes)
		again(p, h)
		if got := curve(p, "run_00"); c.points >= 0 && got[1] != c.points || c.points < 0 && (got[1] >= 10_001 || got[1] < 1000) {
			t.Errorf("%s: %v", c.what, got)
		} else if strings.Contains(c.what, "other") && got[2]/got[1] < 2 {
			t.Errorf("%s: the curve is the old one: %v", c.what, got)
		}
		time.Sleep(300 * time.Millisecond) // the entry is written; if not, more is read
	}
}

// An entry that an older version wrote, or that is damaged, is dropped.
func TestCacheOfOtherVersion(t *testing.T) {
	p, h := cached(t)
	entries(p, 2)
	before := curve(p, "run_01")
	p.Eval(`new Promise((done) => { const r = indexedDB.open("tensorbored-static"); r.onsuccess = () => {
		const tx = r.result.transaction("files", "readwrite"), s = tx.objectStore("files"), all = s.getAllKeys();
		all.onsuccess = () => {
			s.put({size: 1, data: "an old one"}, all.result[0]);
			const get = s.get(all.result[1]);
			get.onsuccess = () => { get.result.data[0] = 99; s.put(get.result, all.result[1]); };
		};
		tx.oncomplete = () => { r.result.close(); done(); };
	}; })`, nil)
	if reads := again(p, h); len(reads) == 0 {
		t.Error("nothing was read")
	}
	if after := curve(p, "run_01"); after != before {
		t.Errorf("%v, not %v", after, before)
	}
}

// Without a database, and with a full one, everything works, only nothing is kept.
func TestCacheRefused(t *testing.T) {
	for name, prelude := range map[string]string{
		"missing": `Object.defineProperty(globalThis, "indexedDB", {value: undefined});`,
		"throws":  `IDBFactory.prototype.open = () => { throw new DOMException("no", "SecurityError"); };`,
		"fails":   `{ const open = IDBFactory.prototype.open; IDBFactory.prototype.open = function (name) { open.call(this, "newer", 9); return open.call(this, "newer", 1); }; }`,
		"full":    `IDBObjectStore.prototype.put = () => { throw new DOMException("no room", "QuotaExceededError"); };`,
	} {
		t.Run(name, func(t *testing.T) {
			p, h := cached(t, prelude)
			if reads := again(p, h); len(reads) == 0 {
				t.Error("nothing was read anew")
			}
			if c := curve(p, "run_01"); c[1] != 10_000 {
				t.Errorf("the curve is %v", c)
			}
			p.Wait(`document.querySelectorAll(".card").length === 1`)
		})
	}
}

// Clearing says what it freed; afterwards everything is read again. A logdir that is
// opened with the cache off leaves nothing in it.
func TestCacheClearAndOff(t *testing.T) {
	p, h := cached(t)
	entries(p, 2)
	p.Eval(openPageSettings, nil)
	p.Wait(`!document.querySelector(".memory button").disabled`)
	p.Eval(`document.querySelector(".memory button").click()`, nil)
	p.Wait(`/^[1-9].* freed$/.test((` + text + `)(".memory .pair span:last-child"))`)
	entries(p, 0)
	h.set(stored(`{"cache": false}`))
	if reads := again(p, h); len(reads) < 2 {
		t.Errorf("only %v was read", reads)
	}
	var on bool
	p.Eval(openPageSettings, nil)
	if p.Eval(`document.querySelector(".memory input").checked`, &on); on {
		t.Error("the setting was forgotten")
	}
	entries(p, 0)
	if reads := again(p, h); len(reads) < 2 {
		t.Errorf("with the cache off, only %v was read", reads)
	}
}

// Two tabs that read the same logdir do not stand in each other's way.
func TestCacheTwoTabs(t *testing.T) {
	p, h := cached(t)
	p.Eval(`void (globalThis.other = open(location.href))`, nil)
	p.Wait(`other.tensorbored?.status().phase === "exact" && other.tensorbored.status().points === 20000`)
	entries(p, 2)
	p.Eval(`void other.close()`, nil)
	if reads := again(p, h); len(reads) != 0 {
		t.Errorf("%v was read again", reads)
	}
}

// A tab that writes for very long, or that the browser has forgotten, holds the database: files are read without
// it after a while, and not after the minute that a transaction may take.
func TestCacheHeld(t *testing.T) {
	for _, kind := range Kinds {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			p, h := cachedIn(t, kind)
			entries(p, 2)
			p.Eval(`new Promise((done, fail) => {
				globalThis.held = true;
				globalThis.over = false;
				const r = indexedDB.open("tensorbored-static");
				r.onerror = () => fail(r.error);
				r.onsuccess = () => {
					const tx = r.result.transaction("files", "readwrite"), store = tx.objectStore("files");
					tx.oncomplete = () => { over = true; r.result.close(); };
					store.clear();
					const hold = () => { store.get("nothing").onsuccess = () => { done(); if (held) hold(); }; };
					hold();
				};
			})`, nil)
			began := time.Now()
			p.Eval(`void (globalThis.other = open(location.href))`, nil)
			p.Wait(`other.tensorbored?.status().phase === "exact" && other.tensorbored.status().points === 20000`)
			if took := time.Since(began); took > 50*time.Second {
				t.Errorf("it was read after %v", took)
			}
			var over bool
			if p.Eval(`over`, &over); over {
				t.Error("the database was not held")
			}
			p.Eval(`void (held = false)`, nil)
			entries(p, 2) // the other tab keeps what it has read
			p.Eval(`void other.close()`, nil)
			if reads := again(p, h); len(reads) != 0 {
				t.Errorf("%v was read again", reads)
			}
		})
	}
}
