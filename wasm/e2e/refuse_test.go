//go:build !js

package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// refusing serves a logdir by our server, and puts a script before ours, in the page and
// in the workers, as a browser that refuses what they ask for.
func refusing(t *testing.T, logdir, script string) string {
	t.Helper()
	inner := serve(t, logdir)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, worker := strings.Contains(r.URL.Path, "/assets/theme"), strings.Contains(r.URL.Path, "/assets/worker")
		if !page && !worker {
			inner.ServeHTTP(w, r)
			return
		}
		r.Header.Del("Accept-Encoding")
		got := httptest.NewRecorder()
		inner.ServeHTTP(got, r)
		for name, v := range got.Header() {
			if name != "Content-Length" {
				w.Header()[name] = v
			}
		}
		fmt.Fprintf(w, "{%s}\n%s", script, got.Body)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/"
}

const throwing = `const refuse = (object, name) => { if (object) Object.defineProperty(object, name, {configurable: true, get() { throw new DOMException("refused: " + name, "SecurityError"); }}); };
	const drop = (object, name) => { if (object) { delete object[name]; if (name in object) Object.defineProperty(object, name, {configurable: true, value: undefined}); } };
	const page = typeof document === "object";
`

// A browser that refuses what the program would like to have still shows every curve.
func TestBrowserThatRefuses(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for i := range 4 {
		l.run(fmt.Sprint("run", i), map[string][]point{"loss": curve(i, 0, 50)})
	}
	for name, script := range map[string]string{
		"getters that throw": throwing + `for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches", "showDirectoryPicker", "SharedArrayBuffer", "cookieStore"]) refuse(globalThis, name);
			for (const name of ["deviceMemory", "hardwareConcurrency", "storage", "locks", "clipboard", "serviceWorker"]) refuse(navigator, name);`,
		"nothing there": throwing + `for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches", "showDirectoryPicker", "SharedArrayBuffer"]) drop(globalThis, name);
			for (const name of ["deviceMemory", "hardwareConcurrency", "storage", "locks", "clipboard"]) drop(navigator, name);`,
		"methods that throw": throwing + `const no = () => { throw new DOMException("refused", "SecurityError"); };
			if (page) { Storage.prototype.getItem = Storage.prototype.setItem = no; history.replaceState = no; }
			IDBFactory.prototype.open = no; if (navigator.locks) navigator.locks.request = no;`,
		"a database that never opens": throwing + `IDBFactory.prototype.open = () => ({addEventListener() {}, removeEventListener() {}});`,
	} {
		t.Run(name, func(t *testing.T) {
			v := open(t, browsertest.Chromium, refusing(t, l.dir, script))
			equal(t, v.all(), l.want)
			v.Wait(`document.querySelector("article.card canvas")`)
			// What is set holds for as long as the page is open.
			v.Eval(`void document.querySelector("button[aria-label^='Theme']").click()`, nil)
			v.Wait(`document.documentElement.dataset.theme === "light"`)
		})
	}
}

// Site data blocked in the browser's own settings.
func TestSiteDataBlocked(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("run", map[string][]point{"loss": curve(1, 0, 50)})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := view{browsertest.StartWith(t, kind, browsertest.Settings{BlockSiteData: true}), t}
			v.Open(serve(t, l.dir).URL)
			v.Wait(`window.tensorbored?.status().phase === "exact"`)
			refused := ""
			v.Eval(`(() => { try { return String(localStorage && "kept"); } catch (e) { return e.name; } })()`, &refused)
			if refused == "kept" {
				t.Fatal("this browser was to block site data and did not")
			}
			equal(t, v.all(), l.want)
			v.Wait(`document.querySelector("article.card canvas")`)
		})
	}
}

// A page whose workers cannot be started says so.
func TestNoWorkers(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("run", map[string][]point{"loss": curve(1, 0, 5)})
	v := visit(t, browsertest.Chromium, refusing(t, l.dir, throwing+`if (page) globalThis.Worker = class { constructor() { throw new DOMException("no workers here", "SecurityError"); } };`))
	v.Wait(`document.querySelector(".notice:not([hidden])")?.innerText.includes("no workers here")`)
	if s := v.status(); s.Phase == "exact" || s.Error == "" {
		t.Errorf("status %+v", s)
	}
}

// A worker that is gone without a word is noticed and replaced.
func TestWorkerEndsSilently(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for i := range 4 {
		l.run(fmt.Sprint("run", i), map[string][]point{"loss": curve(i, 0, 50)})
	}
	script := throwing + `if (page) {
			const desc = {configurable: true, set(v) { v.pulse = 500; Object.defineProperty(globalThis, "tbBoot", {value: v, writable: true}); }};
			Object.defineProperty(globalThis, "tbBoot", desc);
		} else addEventListener("message", (e) => { if (e.data === "die") { e.stopImmediatePropagation(); close(); } });`
	v := open(t, browsertest.Chromium, refusing(t, l.dir, script))
	v.Eval(catch, nil)
	equal(t, v.all(), l.want)
	v.Eval(`void [...caught].forEach((w) => send.call(w, "die"))`, nil)
	v.Eval(`void ["run0", "run1", "run2", "run3"].forEach((run) => tensorbored.scalars(run, "loss"))`, nil) // something is awaited
	v.Wait(`tensorbored.status().lost.some((l) => l.kind === "a reader ended") && tensorbored.status().phase === "exact" && tensorbored.status().points === 200`)
	equal(t, v.all(), l.want)
}

// What could not be listed is shown with the losses, in the server's words.
func TestUnlistedIsSaid(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("run", map[string][]point{"loss": curve(1, 0, 5)})
	if err := os.Symlink("nowhere", filepath.Join(l.dir, "gone")); err != nil {
		t.Fatal(err)
	}
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL)
	lost := v.status().Lost
	if len(lost) != 1 || lost[0].File != "gone" || lost[0].Kind != "symbolic link that leads nowhere" || lost[0].Remedy == "" {
		t.Errorf("lost %+v", lost)
	}
	v.Wait(`document.querySelector("footer .chip.warn:not([hidden])")`)
	v.Eval(`void document.querySelector("footer .chip.warn").click()`, nil)
	v.Wait(`document.querySelector("dialog[open]")?.innerText.includes("symbolic link that leads nowhere")`)
	// When it is mended it is no longer said.
	if err := os.Remove(filepath.Join(l.dir, "gone")); err != nil {
		t.Fatal(err)
	}
	v.Wait(`(tensorbored.reload(), tensorbored.status().lost.length === 0)`)
}

// An address that names a logdir which is not there says so.
func TestAskedLogdirIsMissing(t *testing.T) {
	t.Parallel()
	v := start(t, browsertest.Chromium)
	v.Allow("404")
	v.Open(serve(t, "").URL + "?logdir=somewhere/listing.json")
	v.Wait(`document.querySelector(".notice:not([hidden])")?.innerText.includes("somewhere/listing.json")`)
}
