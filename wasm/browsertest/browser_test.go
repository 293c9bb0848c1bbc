//go:build !js

package browsertest

import (
	"bytes"
	"context"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// The harness itself is tested on a page of a few lines: a test that can not see
// what is wrong with a page would prove nothing about ours.
const sample = `<!doctype html><title>sample</title><link rel=icon href="data:,">
<input type=file multiple id=one><input type=file webkitdirectory id=folder>
<div id=zone style="width:200px;height:200px">drop here</div>
<script>
const read = async (files) => {
	const all = [];
	for (const f of files) all.push([f.webkitRelativePath || f.name, await f.text()]);
	return all.sort();
};
for (const id of ["one", "folder"]) {
	document.getElementById(id).onchange = (e) => { globalThis[id + "Got"] = read(e.target.files); };
}
const zone = document.getElementById("zone");
zone.ondragover = (e) => e.preventDefault();
zone.ondrop = (e) => {
	e.preventDefault();
	globalThis.dropGot = [...e.dataTransfer.items].map((i) => { const n = i.webkitGetAsEntry(); return n.name + (n.isDirectory ? "/" : ""); });
};
</script>`

func samplePage(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Security-Policy", "img-src data:")
		w.Write([]byte(sample))
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

func each(t *testing.T, f func(t *testing.T, kind Kind)) {
	for _, kind := range Kinds {
		t.Run(string(kind), func(t *testing.T) { f(t, kind) })
	}
}

func TestEval(t *testing.T) {
	each(t, func(t *testing.T, kind Kind) {
		p := Start(t, kind)
		p.Open(samplePage(t))
		var title string
		if p.Eval(`document.title`, &title); title != "sample" {
			t.Errorf("title %q", title)
		}
		var sum struct{ N []int }
		if p.Eval(`new Promise((done) => setTimeout(() => done({N: [1, 2]}), 20))`, &sum); !slices.Equal(sum.N, []int{1, 2}) {
			t.Errorf("promise gave %v", sum)
		}
		if err := p.TryEval(`(() => { throw new Error("on purpose") })()`, nil); err == nil || !strings.Contains(err.Error(), "on purpose") {
			t.Errorf("exception gave %v", err)
		}
		p.Eval(`setTimeout(() => { globalThis.late = true }, 100)`, nil)
		p.Wait(`globalThis.late`)
		p.Resize(500, 400)
		p.Wait(`innerWidth === 500 && innerHeight === 400`)
		img, err := png.Decode(bytes.NewReader(p.Screenshot()))
		if err != nil || img.Bounds().Dx() != 500 {
			t.Errorf("screenshot: %v", err)
		}
	})
}

// folder makes a directory "logs" with two files.
func folder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "logs")
	for name, text := range map[string]string{"a.txt": "A", "sub/b.txt": "B"} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFiles(t *testing.T) {
	each(t, func(t *testing.T, kind Kind) {
		p := Start(t, kind)
		p.Open(samplePage(t))
		dir := folder(t)
		var got [][2]string
		p.SetFiles("#one", filepath.Join(dir, "a.txt"))
		p.Wait(`globalThis.oneGot`)
		if p.Eval(`oneGot`, &got); !slices.Equal(got, [][2]string{{"a.txt", "A"}}) {
			t.Errorf("files %q", got)
		}
		p.SetFiles("#folder", dir)
		p.Wait(`globalThis.folderGot`)
		if p.Eval(`folderGot`, &got); !slices.Equal(got, [][2]string{{"logs/a.txt", "A"}, {"logs/sub/b.txt", "B"}}) {
			t.Errorf("folder %q", got)
		}
	})
}

func TestDrop(t *testing.T) {
	p := Start(t, Chromium)
	p.Open(samplePage(t))
	dir := folder(t)
	p.Drop("#zone", dir, filepath.Join(dir, "a.txt"))
	p.Wait(`globalThis.dropGot`)
	var got []string
	if p.Eval(`dropGot.sort()`, &got); !slices.Equal(got, []string{"a.txt", "logs/"}) {
		t.Errorf("dropped %q", got)
	}
}

// Whatever a page can complain about is seen.
func TestProblems(t *testing.T) {
	each(t, func(t *testing.T, kind Kind) {
		p := Start(t, kind)
		p.Open(samplePage(t))
		if found := p.Problems(); len(found) > 0 {
			t.Errorf("complained too early: %q", found)
		}
		for script, want := range map[string]string{
			`console.error("bad thing", 7)`:                                     "bad thing",
			`setTimeout(() => { throw new Error("thrown late") })`:              "thrown late",
			`void Promise.reject(new Error("not caught"))`:                      "not caught",
			`document.body.append(Object.assign(new Image(), {src: "/x.png"}))`: "img-src",
			`setTimeout(() => alert("look here"))`:                              "look here",
		} {
			p.Open(samplePage(t))
			p.Eval(`(() => {`+script+`})()`, nil)
			wait(t, "problem "+want, func() bool {
				return slices.ContainsFunc(p.Problems(), func(found string) bool { return strings.Contains(found, want) })
			})
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.problems, p.allowed = nil, []string{""} // for the look at the end
	})
}

func TestAllow(t *testing.T) {
	p := Start(t, Chromium)
	p.Open(samplePage(t))
	p.Allow("as announced")
	p.Eval(`console.error("this is as announced")`, nil)
	p.Eval(`1`, nil)
	if found := p.Problems(); len(found) > 0 {
		t.Errorf("%q", found)
	}
}

// A page ends before the server that it shows, also one that began after the page.
func TestPageEndsBeforeItsServer(t *testing.T) {
	for _, kind := range Kinds {
		t.Run(string(kind), func(t *testing.T) {
			p := Start(t, kind)
			url := samplePage(t)
			t.Cleanup(func() { // it comes before the server's end
				if err := p.TryEval("1", nil); err == nil {
					t.Error("the page answers when its server is about to end")
				}
			})
			p.Open(url)
			p.Open(url + "/again")
		})
	}
}

// A browser that does not answer any more holds nobody who closes a tab or ends it.
func TestStoppedBrowserIsEnded(t *testing.T) {
	e, err := startChromium(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	open, done := step()
	defer done()
	tab, err := e.tab(open, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	c := tab.(*chromium)
	if err := c.open(open, samplePage(t)); err != nil {
		t.Fatal(err)
	}
	process := chromedp.FromContext(e.ctx).Browser.Process()
	if err := process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	soon, done := context.WithTimeout(context.Background(), 2*time.Second)
	defer done()
	if err := c.closeBy(soon); err == nil {
		t.Error("a tab of a browser that stands still is closed, it says")
	}
	if err := e.endBy(soon); err != nil {
		t.Error(err)
	}
	if err := process.Signal(syscall.Signal(0)); err == nil {
		t.Error("the browser lives on")
	}
}
