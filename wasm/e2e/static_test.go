//go:build !js

package e2e

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// A host that knows nothing of us serves page, listing and files side by side.
func TestStaticHost(t *testing.T) {
	t.Parallel()
	l := everything(t)
	l.run("odd name #1 ?100%/ü", map[string][]point{"x": curve(1, 0, 3)})
	url := browsertest.StaticHost(t, browsertest.Pages(t, l.dir))
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := open(t, kind, url)
			equal(t, v.all(), l.want)
			if st := v.status(); len(st.Lost) != 0 || st.Error != "" || st.BytesRead != st.BytesTotal {
				t.Errorf("status %+v", st)
			}
		})
	}
}

// A host without Range sends whole files, each once.
func TestNoRange(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	// Longer than a window, so that it is read in several.
	l.file("long", "1700000000.host.1.0", func(w *summary.Buffer) {
		write(w, map[string][]point{"x": curve(1, 0, 5)})
		w.Raw(summary.Event{WallTime: epoch, LogMessage: strings.Repeat("filler ", 1_500_000)})
		write(w, map[string][]point{"x": curve(1, 5, 5)})
	})
	l.expect("long", "x", curve(1, 0, 10)...)
	l.run("short", map[string][]point{"x": curve(2, 0, 100)})
	size := int64(0)
	for _, run := range []string{"long", "short"} {
		size += int64(len(l.read(l.path(run, "1700000000.host.1.0"))))
	}
	files := http.FileServer(http.Dir(browsertest.Pages(t, l.dir)))
	count := &host{handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Range")
		files.ServeHTTP(w, r)
	})}
	s := httptest.NewServer(count)
	t.Cleanup(s.Close)
	v := open(t, browsertest.Chromium, s.URL)
	equal(t, v.all(), l.want)
	if sent := count.sent(); sent != size {
		t.Errorf("%d bytes of files were sent, which hold %d", sent, size)
	}
}

// The address names another listing of the same host.
func TestOtherListing(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("here", map[string][]point{"x": curve(1, 0, 3)})
	other := newLogs(t)
	other.run("there", map[string][]point{"x": curve(2, 0, 3)})
	dir := browsertest.Pages(t, l.dir)
	if err := os.Rename(filepath.Join(browsertest.Pages(t, other.dir), "data"), filepath.Join(dir, "other")); err != nil {
		t.Fatal(err)
	}
	v := open(t, browsertest.Chromium, browsertest.StaticHost(t, dir)+"?logdir=other/listing.json")
	equal(t, v.all(), other.want)
}

// A site without a logdir has a demo to try: a click shows its curves, a reload shows
// them again, going back leaves them.
func TestDemo(t *testing.T) {
	t.Parallel()
	url := browsertest.StaticHost(t, browsertest.Pages(t, ""))
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := start(t, kind)
			v.Allow("404") // the listing that is not there
			v.Open(url)
			const offer = `[...document.querySelectorAll(".notice a.button")].find(e => e.textContent === "Try a demo")`
			v.Wait(offer)
			shown := func() {
				t.Helper()
				v.Wait(`!globalThis.left && location.search === "?logdir=demo%2Flisting.json" && window.tensorbored?.status().phase === "exact"`)
				v.Wait(`tbPaint.idle() && [...tbPaint.charts].some(c => c.list.length === 4 && c.list.every(s => s.n > 50))`)
				if st := v.status(); st.Runs != 4 || st.Error != "" || len(st.Lost) != 0 || st.Logdir != "demo" {
					t.Errorf("status %+v", st)
				}
			}
			v.Eval(`void `+offer+`.click()`, nil)
			shown()
			v.Eval(`void (globalThis.left = true, setTimeout(() => location.reload()))`, nil)
			shown()
			v.Eval(`void setTimeout(() => history.back())`, nil) // a page that has left gives no answer
			v.Wait(offer)
		})
	}
}

// A site without a listing is the bare page, which waits for a folder.
func TestBarePage(t *testing.T) {
	t.Parallel()
	s := serve(t, "")
	for _, url := range []string{s.URL, browsertest.StaticHost(t, browsertest.Pages(t, "", "--no-demo"))} {
		v := start(t, browsertest.Chromium)
		v.Allow("404") // the listing that is not there
		v.Open(url)
		v.Wait(`window.tensorbored?.status().phase === "idle"`)
		v.settle()
		if st := v.status(); st.Error != "" || len(v.runs()) != 0 || len(v.tags("")) != 0 {
			t.Errorf("status %+v", st)
		}
		var offers int
		if v.Eval(`[...document.querySelectorAll("a")].filter(e => e.textContent.includes("demo")).length`, &offers); offers != 0 {
			t.Error("a demo is offered that is not there")
		}
	}
}

// A site may link to the files, or refer to a host that has them already, whose answers
// other sites' pages may read.
func TestSiteWithoutCopies(t *testing.T) {
	t.Parallel()
	l := everything(t)
	t.Run("links", func(t *testing.T) {
		site := browsertest.Pages(t, l.dir, "--link")
		v := open(t, browsertest.Chromium, browsertest.StaticHost(t, site))
		equal(t, v.all(), l.want)
	})
	t.Run("references", func(t *testing.T) {
		bucket := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			h.Set("Access-Control-Allow-Origin", "*")
			h.Set("Access-Control-Allow-Headers", "Range, If-Range")
			h.Set("Access-Control-Expose-Headers", "Content-Range, ETag, Accept-Ranges")
			if r.Method == http.MethodOptions {
				return
			}
			http.StripPrefix("/logs", http.FileServer(http.Dir(l.dir))).ServeHTTP(w, r)
		}))
		t.Cleanup(bucket.Close)
		site := browsertest.Pages(t, l.dir, "--files", bucket.URL+"/logs")
		v := open(t, browsertest.Chromium, browsertest.StaticHost(t, site))
		equal(t, v.all(), l.want)
		if st := v.status(); len(st.Lost) != 0 || st.BytesRead != st.BytesTotal {
			t.Errorf("status %+v", st)
		}
	})
}

// What draws a kind of cards comes with the first of them; where it cannot come the card
// says so, and it comes with the next one, or when the card is looked at again.
func TestScriptComesLate(t *testing.T) {
	t.Parallel()
	l := imageLogs(t, 3)
	dir := browsertest.Pages(t, l.dir)
	files := http.FileServer(http.Dir(dir))
	var gone atomic.Bool
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/assets/images.") && strings.HasSuffix(r.URL.Path, ".js") {
			asked.Add(1)
			if gone.Load() {
				http.Error(w, "not here", http.StatusNotFound)
				return
			}
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	gone.Store(true)
	v := open(t, browsertest.Chromium, s.URL+"#text")
	v.Allow("404 (Not Found)")
	v.Allow("Refused to execute script")
	v.Resize(1280, 800)
	if n := asked.Load(); n != 0 {
		t.Errorf("the page asked %d times for what draws pictures, and shows none", n)
	}
	v.Eval(`void (location.hash = "images")`, nil)
	v.Wait(textCard("pics", "a") + `?.textContent.includes("The card cannot be drawn: ") && ` + textCard("pics", "a") + `.textContent.includes("is the server still there?")`)
	gone.Store(false)
	v.Eval(`void (location.hash = "text")`, nil)
	v.Wait(`!document.querySelector("article")`)
	v.Eval(`void (location.hash = "images")`, nil)
	v.middle(textCard("pics", "a")+`.querySelector("canvas")`, shade("a", 2))
	v.Wait(`!document.querySelector("main").textContent.includes("cannot be drawn")`)
}
